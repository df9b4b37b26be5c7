/*
 * Texts without order.
 *
 *     gen_majority   the label is the class of symbols that leads by two or
 *                    more (tasks/gen/gen.h): the mean over positions counts, so
 *                    that every attention does
 *     gen_shuffled   the same texts, but the label is drawn apart from them: no
 *                    model is better than chance, ln 4; a leak would be
 */
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/gen/law.h"

#include <math.h>

static void draw(const void *self, struct draw *r, struct drawn *out)
{
    int n = draw_opts(r)->length, symbols = draw_opts(r)->vocab - ID_FIRST;

    (void)self;
    symbols -= symbols % GEN_CLASSES;
    do
        for (int t = 0; t < n; t++)
            out->source[t] = ID_FIRST + draw_below(r, symbols);
    while (gen_leader(out->source, n) < 0);
    out->nsource = n;
    out->label = gen_leader(out->source, n);
}

static void begin_shuffled(void *self, struct dataset *d,
                           const struct task_opts *o)
{
    (void)self;
    (void)o;
    d->floor = log(GEN_CLASSES);
}

static void draw_shuffled(const void *self, struct draw *r, struct drawn *out)
{
    int label = draw_below(r, GEN_CLASSES);

    draw(self, r, out);
    out->label = label;
}

static double nll_shuffled(const void *self, const struct example *e)
{
    (void)self;
    (void)e;
    return log(GEN_CLASSES);
}

LAW(gen_majority, "Majority", "bag of words",
    "the majority class of a bag of symbols", CLASSIFY,
    .length = 4, .vocab = ID_FIRST + GEN_CLASSES, .classes = GEN_CLASSES,
    .draw = draw, .reach = ROWS_ANY)

LAW(gen_shuffled, "Shuffled labels", "random labels, Zhang et al. 2017",
    "bags of symbols with labels that have nothing to do with them", CLASSIFY,
    .length = 4, .vocab = ID_FIRST + GEN_CLASSES, .classes = GEN_CLASSES,
    .begin = begin_shuffled, .draw = draw_shuffled, .nll = nll_shuffled,
    .reach = ROWS_ANY)
