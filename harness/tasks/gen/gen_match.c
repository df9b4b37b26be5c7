/*
 * gen_match: draws two segments of symbols around a separator.  The label
 * states whether they share a symbol:
 *
 *     a_1 .. a_m | b_1 .. b_n  -> yes | no     does a symbol of A occur in B?
 *
 * One symbol occurs twice, all others once.  In half of the examples its two
 * occurrences are in different segments, in the other half in the same segment.
 * Therefore the bag of symbols and the symbol at any one position carry no
 * information about the answer; only a comparison of tokens across the
 * separator does.  This is the two-sentence matching by which the paper
 * explains its results on GLUE.
 *
 * A probe whose weights do not depend on tokens (law.h) sums functions of
 * single positions.  Its convex loss is invariant under renaming the symbols,
 * so constant logits are optimal; the least loss is exactly ln 2.  This is not
 * a bound for whole models: with two layers and enough width, feed-forward
 * layers can count symbols by segment.
 */
#include "harness/tasks/gen/law.h"

#include <math.h>

enum { BAR = ID_FIRST, SYMBOL };

struct match { int first, second, symbols, *order; };

/* All tokens except the separator are symbols, and one symbol is repeated. */
static int match_vocab(int length) { return SYMBOL + length - 2; }

static void begin(void *self, struct dataset *d, const struct task_opts *o)
{
    struct match *me = self;

    me->first = (o->length - 1) / 2;
    me->second = o->length - 1 - me->first;
    me->symbols = o->vocab - SYMBOL;
    me->order = arena_take(d->memory, (size_t)me->symbols * sizeof(int));
}

/* Draws two different positions among the n from `from` on. */
static void draw_places(struct draw *r, int n, int from, int place[2])
{
    int a = draw_below(r, n), b = (a + 1 + draw_below(r, n - 1)) % n;

    place[0] = from + a;
    place[1] = from + b;
}

static void draw_example(struct draw *r, struct drawn *out)
{
    const struct match *me = draw_self(r);
    int n = me->first + me->second, place[2];

    for (int i = 0; i < me->symbols; i++)
        me->order[i] = SYMBOL + i;
    draw_shuffle(r, me->order, me->symbols);
    out->label = draw_below(r, 2);
    if (out->label) {
        place[0] = draw_below(r, me->first);
        place[1] = me->first + draw_below(r, me->second);
    } else if (draw_below(r, 2)) {
        draw_places(r, me->first, 0, place);
    } else {
        draw_places(r, me->second, me->first, place);
    }
    for (int i = 0, used = 0; i < n; i++)
        out->source[i + (i >= me->first)] =
            i == place[1] ? 0 : me->order[used++];
    out->source[me->first] = BAR;
    out->source[place[1] + (place[1] >= me->first)] =
        out->source[place[0] + (place[0] >= me->first)];
    out->nsource = n + 1;
}

static double blind(const struct task_opts *o)
{
    (void)o;
    return log(2);
}

LAW(gen_match, "Matching", "two-segment matching, as in NLI and paraphrase",
    "two segments: does a symbol of the first occur in the second?", CLASSIFY,
    .size = sizeof(struct match), .length = 5, .vocab_of = match_vocab,
    .classes = 2, .begin = begin, .draw = draw_example, .reach = ROWS_OF_PAIRS,
    .blind = blind, .blind_reach = ROWS_ANY)
