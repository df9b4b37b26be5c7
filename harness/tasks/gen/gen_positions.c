/*
 * gen_positions: draws examples in which the position to attend to is fixed or
 * given by a token.  They are rows of a language model, whose loss counts only
 * the symbols y.  The symbols x are uniform.
 *
 *     gen_copy, gen_reverse, gen_perm   x_1 .. x_n y_1 .. y_n, with
 *                                       y_i = x_pi(i); pi is the identity, the
 *                                       reversal or another fixed permutation
 *     gen_pointer                       x_1 .. x_n p y, with y = x_p; the
 *                                       position p is uniform
 *
 * For the first three, attention weights that depend only on positions suffice,
 * so one layer of any attention that can learn such weights solves them.
 * Low-rank scores need rank 2: with rank 1, a head can find only two columns,
 * those of the largest and the smallest element of one vector.
 *
 * The pointer requires weights that depend on the token p.  A probe whose
 * weights do not depend on tokens (law.h) has the logit
 * u_t(p) + sum_j w_t(x_j, j) for symbol t, with any functions u and w.  Its
 * convex loss is invariant under permutations of positions, so the logits A
 * count_t are optimal, where count_t is the number of symbols t among the x_j
 * and A is a number.  The least loss, and the accuracy of these logits, are
 *
 *     min_A E[-log softmax(A count)_y]  and  E[max count] / n
 */
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/gen/law.h"

#include <math.h>

/* ---- a fixed order of positions ---- */

struct order { int n, symbols, *pi; };

/* Prepares n positions and sets me->pi to the fixed permutation. */
static void begin_order(struct order *me, struct dataset *d,
                        const struct task_opts *o, int n)
{
    me->n = n;
    me->symbols = o->vocab - ID_FIRST;
    me->pi = arena_take(d->memory, (size_t)n * sizeof *me->pi);
    gen_positions(me->pi, n);
}

static void begin_perm(void *self, struct dataset *d,
                       const struct task_opts *o)
{
    begin_order(self, d, o, o->length / 2);
}

static void begin_copy(void *self, struct dataset *d,
                       const struct task_opts *o)
{
    struct order *me = self;

    begin_perm(me, d, o);
    for (int i = 0; i < me->n; i++)
        me->pi[i] = i;
}

static void begin_reverse(void *self, struct dataset *d,
                          const struct task_opts *o)
{
    struct order *me = self;

    begin_perm(me, d, o);
    for (int i = 0; i < me->n; i++)
        me->pi[i] = me->n - 1 - i;
}

static void draw_order(struct draw *r, struct drawn *out)
{
    const struct order *me = draw_self(r);
    int *x = out->target;

    for (int i = 0; i < me->n; i++)
        x[i] = ID_FIRST + draw_below(r, me->symbols);
    for (int i = 0; i < me->n; i++)
        x[me->n + i] = x[me->pi[i]];
    out->ntarget = 2 * me->n;
    out->prompt = me->n;
}

#define ORDER(how)                                                            \
    .size = sizeof(struct order), .begin = how, .draw = draw_order,           \
    .reach = ROWS_OF_POSITIONS

/* ---- generator of the smoke scale: from a source to a target ---- */

static void begin_permutation(void *self, struct dataset *d,
                              const struct task_opts *o)
{
    begin_order(self, d, o, o->length - 1);
}

static void draw_permutation(struct draw *r, struct drawn *out)
{
    const struct order *me = draw_self(r);

    for (int t = 0; t < me->n; t++)
        out->source[t] = ID_FIRST + draw_below(r, me->symbols);
    for (int t = 0; t < me->n; t++)
        out->target[t] = out->source[me->pi[t]];
    out->source[me->n] = out->target[me->n] = ID_EOS;
    out->nsource = out->ntarget = me->n + 1;
}

int gen_permutation(struct dataset *out, const struct task_opts *o)
{
    static const struct law law = {
        .seed = GEN_SEED, .size = sizeof(struct order),
        .begin = begin_permutation, .draw = draw_permutation};
    static const struct task task = {
        .kind = TASK_TRANSDUCE, .law = &law,
        .generator = "a fixed permutation of the positions"};

    return law_open(out, &task, o);
}

/* ---- the pointer ---- */

struct pointer { int n, symbols; };

static struct pointer pointer_of(const struct task_opts *o)
{
    return (struct pointer){o->length - 2, o->vocab - ID_FIRST - o->length + 2};
}

static int pointer_vocab(int length) { return ID_FIRST + length; }

static void draw_pointer(struct draw *r, struct drawn *out)
{
    struct pointer me = pointer_of(draw_opts(r));
    int *x = out->target, p = draw_below(r, me.n);

    for (int i = 0; i < me.n; i++)
        x[i] = ID_FIRST + draw_below(r, me.symbols);
    x[me.n] = ID_FIRST + me.symbols + p;
    x[me.n + 1] = x[p];
    out->ntarget = me.n + 2;
    out->prompt = me.n + 1;
}

/* The state of mean_over_bags, which computes the mean of `of` over all bags of
 * n symbols out of `symbols`.  `count` holds the current bag: how often each
 * symbol occurs, in non-increasing order. */
struct bags {
    int    n, symbols, *count;
    double factor, sum; /* A (see above); the sum so far */
    double (*of)(const struct bags *b);
};

/* Returns the probability of the counts b->count in any order of symbols.
 * There are n! / prod count! ways to place the symbols and symbols! / prod
 * (number of equal counts)! ways to assign the counts to symbols. */
static double bag_chance(const struct bags *b)
{
    double log_p = lgamma(b->n + 1) + lgamma(b->symbols + 1) -
                   b->n * log(b->symbols);

    for (int i = 0, same = 1; i < b->symbols; i++) {
        log_p -= lgamma(b->count[i] + 1);
        if (i + 1 < b->symbols && b->count[i + 1] == b->count[i]) {
            same++;
        } else {
            log_p -= lgamma(same + 1);
            same = 1;
        }
    }
    return exp(log_p);
}

static void each_bag(struct bags *b, int at, int left, int most)
{
    if (at == b->symbols) {
        if (left == 0)
            b->sum += bag_chance(b) * b->of(b);
        return;
    }
    for (int c = left < most ? left : most; c >= 0 &&
         c * (b->symbols - at) >= left; c--) {
        b->count[at] = c;
        each_bag(b, at + 1, left - c, c);
    }
}

static double mean_over_bags(const struct task_opts *o, double factor,
                             double (*of)(const struct bags *b))
{
    struct pointer p = pointer_of(o);
    OWNED(arena_free) struct arena *a = arena_new();
    struct bags b = {.n = p.n, .symbols = p.symbols, .factor = factor, .of = of,
                     .count = arena_take(a, (size_t)p.symbols * sizeof(int))};

    each_bag(&b, 0, b.n, b.n);
    return b.sum;
}

static double most_frequent(const struct bags *b)
{
    return (double)b->count[0] / b->n;
}

static double loss_of(const struct bags *b)
{
    double mass = 0, mean = 0;

    for (int i = 0; i < b->symbols; i++) {
        mass += exp(b->factor * b->count[i]);
        mean += b->factor * b->count[i] * b->count[i] / b->n;
    }
    return log(mass) - mean;
}

/* Returns the minimum of the loss over A by ternary search, since the loss is
 * convex in A. */
static double blind_pointer(const struct task_opts *o)
{
    double low = 0, high = 16;

    while (high - low > 1e-6) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;

        if (mean_over_bags(o, a, loss_of) < mean_over_bags(o, b, loss_of))
            high = b;
        else
            low = a;
    }
    return mean_over_bags(o, low, loss_of);
}

static double blind_pointer_accuracy(const struct task_opts *o)
{
    return mean_over_bags(o, 0, most_frequent);
}

/* ---- tasks ---- */

LAW(gen_copy, "Copy", "copying, as in Graves et al. 2014",
    "symbols, and the same again", LANGUAGE,
    ORDER(begin_copy))

LAW(gen_perm, "Permutation", "a fixed permutation",
    "symbols, and the same in a fixed order of positions", LANGUAGE,
    ORDER(begin_perm))

LAW(gen_reverse, "Reversal", "a fixed permutation",
    "symbols, and the same from the last to the first", LANGUAGE,
    ORDER(begin_reverse))

LAW(gen_pointer, "Pointer", "the INDEX problem",
    "symbols, a position, and the symbol that stands there", LANGUAGE,
    .length = 4, .vocab_of = pointer_vocab, .draw = draw_pointer,
    .reach = ROWS_OF_TOKENS, .blind = blind_pointer, .blind_reach = ROWS_EVEN,
    .blind_accuracy = blind_pointer_accuracy)
