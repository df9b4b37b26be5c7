/*
 * gen_induction: sequences that repeat the earlier successor of each symbol.  A
 * row has m different symbols in random order, then again one of them, but not
 * the m-th.  From there on, each symbol is followed by the successor of its
 * earlier occurrence; the successor of the m-th symbol is the repeated one:
 *
 *     c a d b | a d b a d b ..        m = 4, scored from the second d on
 *
 * The lag differs between rows, so positions alone do not determine the answer;
 * two layers of dot-product attention suffice (Olsson et al. 2022, induction
 * heads).
 */
#include "harness/tasks/gen/law.h"

struct induction { int length, prefix, symbols, *all; };

static int vocab_of(int length) { return ID_FIRST + length / 2; }

static void begin(void *self, struct dataset *d, const struct task_opts *o)
{
    struct induction *me = self;

    me->length = o->length;
    me->prefix = o->length / 2;
    me->symbols = o->vocab - ID_FIRST;
    me->all = arena_take(d->memory, (size_t)me->symbols * sizeof *me->all);
}

static void draw_example(struct draw *r, struct drawn *out)
{
    const struct induction *me = draw_self(r);
    int m = me->prefix, *x = out->target;

    for (int i = 0; i < me->symbols; i++)
        me->all[i] = i;
    draw_shuffle(r, me->all, me->symbols);
    for (int i = 0; i < m; i++)
        x[i] = ID_FIRST + me->all[i];
    int lag = 2 + draw_below(r, m - 1); /* 2 .. m */
    for (int i = m; i < me->length; i++)
        x[i] = x[i - lag];
    out->ntarget = me->length;
    out->prompt = m + 1;
}

LAW(gen_induction, "Induction", "induction heads, Olsson et al. 2022",
    "symbols, then what followed each of them before", LANGUAGE,
    .size = sizeof(struct induction), .length = 6, .vocab_of = vocab_of,
    .begin = begin, .draw = draw_example, .reach = ROWS_OF_PAIRS)
