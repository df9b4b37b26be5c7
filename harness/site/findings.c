/* findings: states the results of a store in sentences, for the pages and the
 * summary of a report.  Each sentence states only a verdict of
 * report/result_table.h (stars, ranks, pairs, what is not ranked and why), with
 * its number of samples and its interval. */
#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/report/outcomes.h"

#include <math.h>
#include <string.h>

enum { FINDING_PICTURES = 3 };

/* Returns 1 if a table of the paper compares the order of this column with the
 * published one. */
static int is_published(const struct site *s, const struct table_column *x)
{
    for (int i = 0; i < s->tables; i++)
        for (const struct table_column *c = s->table[i].of->column;
             c && c->task; c++)
            if (c->published && !strcmp(c->task, x->task) &&
                !strcmp(c->metric, x->metric))
                return 1;
    return 0;
}

/* Returns 1 if column c gets a sentence.  These columns are the main metric of
 * the task (its last column), metrics that the paper publishes, and
 * cross-entropy.  If one test decides several of these columns, only the last
 * gets a sentence. */
static int has_sentence(const struct site *s, const struct result_table *m,
                        int c)
{
    const struct table_column *x = m->column[c];

    if (!x->better || (c < m->columns - 1 && strcmp(x->metric, "ce") &&
                       !is_published(s, x)))
        return 0;
    for (int k = c + 1; k < m->columns; k++)
        if (has_sentence(s, m, k) &&
            !strcmp(measure_test(m->column[k]->metric),
                    measure_test(x->metric)))
            return 0;
    return 1;
}

/* Returns 1 if the row can have the best value of the column: if it is a
 * variant that has a value and, if variants have not converged, several
 * seeds. */
static int is_candidate(const struct result_table *m, int row, int column)
{
    return !m->row[row].reference && !isnan(m->row[row].cell[column].value) &&
           (m->withheld[column] != WITHHELD_LEARNING ||
            result_compared(m, row, column));
}

/* Writes the value of row i: "Random 19.46 [18.9, 20.0]". */
static void put_number(struct page *p, const struct result_table *m, int c,
                       int i)
{
    const struct result_row *row = &m->row[i];
    const struct result_cell *x = &row->cell[c];
    int digits = m->column[c]->decimals;
    const char *text = arena_format(p->site->memory, "%.*f", digits, x->value);
    char between[64];

    markup_link(p->to, page_numbers(p, row->variant, NULL), row->title);
    markup_text(p->to, " ");
    markup_link(p->to, page_numbers(p, row->variant, m->task[0].task), text);
    if (*result_interval(between, x, digits))
        markup_format(p->to, " %s", between);
}

/* Writes the row with the best value, and from how many other rows it differs
 * significantly. */
static void put_best(struct page *p, const struct result_table *m, int c,
                     int best)
{
    const struct result_cell *x = &m->row[best].cell[c];
    int all = result_count(m, c, result_compared);
    int stars = result_count(m, c, result_starred);

    put_number(p, m, c, best);
    markup_format(p->to, " (%d seeds, ", x->n);
    if (x->over == OVER_NOTHING)
        markup_text(p->to, "interval unknown) ");
    else
        markup_format(p->to, "95 %% interval over %s) ", over_text[x->over]);
    if (stars < 2)
        markup_format(p->to, "is best: it differs significantly from each of "
                      "the %d others with several seeds", all - 1);
    else if (stars < all)
        markup_format(p->to, "leads, but %d of the %d others with several "
                      "seeds %s not significantly different from it", stars - 1,
                      all - 1, stars == 2 ? "is" : "are");
    else
        markup_format(p->to, "leads, but none of the %d others with several "
                      "seeds is significantly different from it", all - 1);
}

/* Writes the row with the best value, and the rows that do not differ from it
 * significantly. */
static void put_leaders(struct page *p, const struct result_table *m, int c,
                        int best)
{
    int n = 0;

    put_best(p, m, c, best);
    for (int i = 0; i < m->rows; i++)
        if (i != best && m->row[i].cell[c].best) {
            markup_text(p->to, n++ ? ", " : ": ");
            put_number(p, m, c, i);
        }
    markup_text(p->to, ".");
    if (m->withheld[c] == WITHHELD_LEARNING)
        markup_text(p->to, " Variants that have not converged relative to "
                    "their difference are not ranked.");
}

static const char *const why_not[] = {
    [WITHHELD_NOT] = "nothing to compare. ",
    [WITHHELD_UNCOMPARED] = "not compared. ",
    [WITHHELD_DATA] = "different data: rows have different training, "
                      "validation or test examples, so they are not ranked. ",
    [WITHHELD_UNINFORMATIVE] = "uninformative: no variant beats the model-free "
                               "baseline. ",
    [WITHHELD_CONTRASTS] = "outside the contrasts of the experiment. ",
    [WITHHELD_ONE_SEED] = "one seed per variant, so variants are not ranked. ",
    [WITHHELD_LEARNING] = "no best: variants have not converged relative to "
                          "their difference. "};

static void put_withheld(struct page *p, const struct result_table *m, int c)
{
    int best = result_best(m, c, is_candidate), equal = 0;

    markup_text(p->to, why_not[m->withheld[c]]);
    if (best < 0 || m->withheld[c] == WITHHELD_UNINFORMATIVE ||
        m->withheld[c] == WITHHELD_DATA)
        return;
    markup_format(p->to, "%s value: ",
                  m->column[c]->better > 0 ? "Highest" : "Lowest");
    put_number(p, m, c, best);
    for (int i = 0; i < m->rows; i++)
        equal += i != best && !m->row[i].reference &&
                 m->row[i].cell[c].value == m->row[best].cell[c].value;
    if (equal)
        markup_format(p->to, " (and %d more with this value)", equal);
    markup_format(p->to, m->row[best].cell[c].n > 1
                  ? ", with %d seeds." : ", with one seed; another seed may "
                  "change the order.", m->row[best].cell[c].n);
}

/* Writes the task's contrasts. */
static void put_pairs(struct page *p, const struct result_table *m)
{
    for (int i = 0; m->judged && i < m->pairs; i++)
        page_item(p, NULL, NULL, "%s", pair_text(m, &m->pair[i]));
}

int findings_task(struct page *p, const struct site_table *t)
{
    const struct result_table *m = t->sheet ? t->measured : NULL;
    int similar = 0;

    page_heading(p, page_of(p, "task", t->of->task[0].task),
                 m ? m->task[0].label : t->of->task[0].title);
    if (!m) {
        page_paragraph(p, "%s", t->why);
        return 0;
    }
    put_pairs(p, m);
    for (int c = m->columns - 1; c >= 0; c--) {
        int best = result_best(m, c, result_starred);

        if (!has_sentence(p->site, m, c))
            continue;
        page_item(p, NULL, NULL, "%s (%s): ", m->column[c]->title,
                  table_column_says(m->column[c]));
        if (best >= 0)
            put_leaders(p, m, c, best);
        else
            put_withheld(p, m, c);
        similar |= result_count(m, c, result_starred) > 1;
    }
    return similar;
}

/* Returns the index of the first part after the heading that begins with
 * `heading` and after its paragraphs, or the number of parts if no heading
 * begins so. */
static int items_of(const struct sheet *s, const char *heading)
{
    int i = 0;

    while (i < s->parts && (s->part[i].kind != PART_HEADING ||
                            strncmp(s->part[i].text, heading, strlen(heading))))
        i++;
    while (++i < s->parts && s->part[i].kind == PART_PARAGRAPH)
        continue;
    return i < s->parts && s->part[i].kind == PART_ITEM ? i : s->parts;
}

void findings_quote(struct page *p, const char *heading, const char *title)
{
    const struct site *s = p->site;
    int n = 0;

    for (int i = 0; i < s->tables; i++) {
        const struct site_table *t = &s->table[i];
        const struct sheet *from = t->measured ? t->sheet : NULL;
        int k = from ? items_of(from, heading) : 0;

        if (!from || k == from->parts)
            continue;
        if (!n++)
            page_section(p, NULL, title);
        page_heading(p, page_of(p, "table", t->of->name),
                     arena_format(s->memory, "Table %s. %s", t->of->name,
                                  t->of->title));
        for (; k < from->parts && from->part[k].kind == PART_ITEM; k++)
            page_item(p, NULL, NULL, "%s", from->part[k].text);
    }
}

/* ---- summary ---- */

int findings_column(const struct site *s, const struct site_table *t)
{
    int c = t->sheet && t->measured ? t->measured->columns - 1 : -1;

    while (c >= 0 && !has_sentence(s, t->measured, c))
        c--;
    return c;
}

/* Writes "LM1B, PPL: Random 67.8 [67.1, 68.4] (...) is best: ...". */
static void put_brief(struct page *p, const struct result_table *m, int c)
{
    int best = result_best(m, c, result_starred);

    markup_format(p->to, "%s, %s: ", m->task[0].label, m->column[c]->title);
    if (best < 0) {
        put_withheld(p, m, c);
        return;
    }
    put_best(p, m, c, best);
    markup_text(p->to, ".");
}

void findings_picture(struct page *p, const struct site_table *t,
                      int *pictures)
{
    const char *task = t->of->task[0].task;
    const struct site_picture *x = site_picture(p->site, "forest", task);

    x = x ? x : site_picture(p->site, "curves", task);
    if (!x || *pictures == FINDING_PICTURES || findings_column(p->site, t) < 0)
        return;
    ++*pictures;
    page_picture(p, "figure", x);
}

void findings_brief(struct sheet *out, struct site *s)
{
    enum { SENTENCES = 5 }; /* maximum number of tasks with a sentence */
    int sentences = 0;

    for (int i = 0; i < s->tasks; i++) {
        const struct site_table *t = &s->task[i];
        const struct result_table *m = t->sheet ? t->measured : NULL;
        OWNED(page_close) struct page p = {.site = s, .to = markup_plain(),
                                           .path = ""};
        int contrasts = s->report->contrasts;
        size_t bytes;

        for (int k = 0; contrasts && m && k < m->pairs; k++)
            sheet_put(out, PART_ITEM, "%s", pair_text(m, &m->pair[k]));
        if (contrasts || findings_column(s, t) < 0 || m->task[0].uncompared ||
            sentences++ >= SENTENCES)
            continue;
        put_brief(&p, m, findings_column(s, t));
        sheet_put(out, PART_ITEM, "%s", markup_bytes(p.to, &bytes));
    }
    if (sentences > SENTENCES)
        sheet_put(out, PART_ITEM, "... and of %d tasks more",
                  sentences - SENTENCES);
}
