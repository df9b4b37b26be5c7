#include "plots/ascii_plot.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/str.h"
#include "plots/picture.h"
#include "plots/select.h"

#include <math.h>
#include <string.h>


/* Writes a curve, with its values in column `at` (1 or 2) and NaN in the other
 * column.  Returns 1 if any of the values can be drawn. */
static int put_curve(FILE *out, const struct ascii_curve *c, int at)
{
    int drawn = 0;

    for (size_t i = 0; i < c->n; i++) {
        int sane = select_sane(c->value[i]);

        picture_put_number(out, "", c->step[i]);
        picture_put_number(out, "\t", at == 1 && sane ? c->value[i] : NAN);
        picture_put_number(out, "\t", at == 2 && sane ? c->value[i] : NAN);
        fputc('\n', out);
        drawn |= sane;
    }
    return drawn;
}

/* Removes blank lines, and blanks at the end of lines. */
static void trim(char *s)
{
    char *to = s;

    for (char *line = s, *next; *line; line = next) {
        size_t n = strcspn(line, "\n"), kept = n;

        next = line + n + (line[n] == '\n');
        while (kept && strchr(" \f", line[kept - 1]))
            kept--;
        if (!kept)
            continue;
        memmove(to, line, kept);
        to += kept;
        *to++ = '\n';
    }
    *to = 0;
}

int ascii_plot(char **out, const struct ascii_curve *train,
               const struct ascii_curve *valid)
{
    OWNED(folder_unmake) char *folder = NULL;
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *path = NULL;
    size_t bytes;

    PASS(folder_make(&folder, "ascii_plot"));
    PASS(picture_begin(&p, &(struct output){folder, "out", NULL}, "curves"));
    fputs("step\ttrain\tvalid\n", p.data);
    int drawn = put_curve(p.data, train, 1);
    drawn |= put_curve(p.data, valid, 2);
    if (!drawn)
        return err_set(ERR_EMPTY, "the curves have no value to draw");
    picture_text(&p, "train", "training loss");
    picture_text(&p, "valid", "validation cross-entropy");
    PASS(picture_end(&p, "ascii_plot"));
    path = str_format("%s/curves.out", folder);
    PASS(file_read(out, &bytes, path));
    trim(*out);
    return OK;
}
