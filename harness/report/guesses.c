/* guesses: selects those assumptions of an experiment that are about numbers in
 * a table, and prints them below the table (see result_table.h). */
#include "harness/report/result_table.h"

#include "harness/base/text.h"
#include "harness/store/guess.h"

#include <string.h>

static int has_number_of(const struct result_table *s, const char *guess)
{
    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++)
            if (s->row[i].cell[c].n && !s->row[i].reference &&
                guess_about(guess, s->column[c]->task, s->row[i].variant))
                return 1;
    return 0;
}

void guesses_fill(struct result_table *s)
{
    const char **guess = s->report->guessed;
    size_t n = 0;

    while (guess[n])
        n++;
    s->guessed = arena_zero(s->memory, (n + 1) * sizeof *s->guessed);
    for (n = 0; *guess; guess++)
        if (has_number_of(s, *guess))
            s->guessed[n++] = *guess;
}

const char *guesses_about(const struct result_table *s,
                          const struct result_row *row, int column)
{
    OWNED(text_free) struct text all = {0};

    for (const char **guess = s->guessed; *guess && !row->reference; guess++)
        if (guess_about(*guess, s->column[column]->task, row->variant))
            text_format(&all, "%s%s", all.n ? "; " : "", *guess);
    return all.n ? arena_text(s->memory, all.s) : NULL;
}

void guesses_put(struct sheet *to, const struct result_table *s)
{
    if (*s->guessed)
        sheet_put(to, PART_HEADING, "Assumptions (not stated in any source)");
    for (const char **guess = s->guessed; *guess; guess++)
        sheet_put(to, PART_ITEM, "%s", *guess);
}
