/*
 * gen_bag: draws texts whose order of symbols is irrelevant.
 *
 *     gen_majority   the label is the class of symbols that leads by two or
 *                    more (tasks/gen/gen.h).  The mean over positions suffices,
 *                    so every attention can solve it
 *     gen_shuffled   the same texts, but the label is drawn independently: no
 *                    model is better than chance, ln 4.  A lower loss would
 *                    reveal a leak
 */
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/gen/law.h"

#include <math.h>

/* Draws n symbols with equally likely classes.  Returns the class that leads by
 * GEN_MARGIN, or -1 if there is none. */
static int draw_bag(struct draw *r, struct drawn *out, int n)
{
    int symbols = draw_opts(r)->vocab - ID_FIRST;

    symbols -= symbols % GEN_CLASSES;
    for (int t = 0; t < n; t++)
        out->source[t] = ID_FIRST + draw_below(r, symbols);
    return gen_leader(out->source, n, GEN_CLASSES, GEN_MARGIN);
}

static void draw_example(struct draw *r, struct drawn *out)
{
    out->nsource = draw_opts(r)->length;
    do
        out->label = draw_bag(r, out, out->nsource);
    while (out->label < 0);
}

/* Draws an example of the smoke scale; the example ends with eos.  A bag
 * without a leading class is rejected. */
static void draw_majority(struct draw *r, struct drawn *out)
{
    int n = draw_opts(r)->length - 1;

    out->label = draw_bag(r, out, n);
    out->source[n] = ID_EOS;
    out->nsource = n + 1;
}

int gen_majority(struct dataset *out, const struct task_opts *o)
{
    static const struct law law = {
        .seed = GEN_SEED, .classes = GEN_CLASSES, .draw = draw_majority};
    static const struct task task = {
        .kind = TASK_CLASSIFY, .law = &law,
        .generator = "the majority class of a bag of symbols"};

    return law_open(out, &task, o);
}

static void begin_shuffled(void *self, struct dataset *d,
                           const struct task_opts *o)
{
    (void)self;
    (void)o;
    d->floor = log(GEN_CLASSES);
}

static void draw_shuffled(struct draw *r, struct drawn *out)
{
    int label = draw_below(r, GEN_CLASSES);

    draw_example(r, out);
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
    .draw = draw_example, .reach = ROWS_ANY)

LAW(gen_shuffled, "Shuffled labels", "random labels, Zhang et al. 2017",
    "bags of symbols with labels that have nothing to do with them", CLASSIFY,
    .length = 4, .vocab = ID_FIRST + GEN_CLASSES, .classes = GEN_CLASSES,
    .begin = begin_shuffled, .draw = draw_shuffled, .nll = nll_shuffled,
    .reach = ROWS_ANY)
