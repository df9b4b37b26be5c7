/*
 * gen_sentence: draws sentences whose labels no single word determines.
 *
 *     gen_grammar    A noun N, then none to two clauses "that VERB NOUN", then
 *                    a last verb V.  The verb of a clause agrees in number with
 *                    the noun before it.  The label is 1 if V agrees with N, 0
 *                    if V has the other number
 *     gen_winograd   X VERB Y OBJECT because he REASON.  The label is 0 if "he"
 *                    is X, 1 if it is Y.  Half of the verbs make X the giver,
 *                    half Y; half of the reasons apply to the giver, half to
 *                    the receiver
 *
 * Both labels are equally frequent and follow from the sentence.
 */
#include "harness/tasks/gen/law.h"

/* ---- agreement ---- */

enum {
    WORDS = 6, NUMBERS = 2, CLAUSES = 2,
    THAT = ID_FIRST,
    NOUN, /* id: NOUN + NUMBERS * word + number */
    VERB = NOUN + WORDS * NUMBERS,
    GRAMMAR_END = VERB + WORDS * NUMBERS,
    GRAMMAR_LONGEST = 3 + 3 * CLAUSES
};

static int word(struct draw *r, int first, int number)
{
    return first + NUMBERS * draw_below(r, WORDS) + number;
}

static void draw_grammar(struct draw *r, struct drawn *out)
{
    int clauses = draw_below(r, CLAUSES + 1), first = draw_below(r, NUMBERS);
    int number = first, *x = out->source;

    out->label = draw_below(r, 2);
    *x++ = word(r, NOUN, first);
    for (int i = 0; i < clauses; i++) {
        *x++ = THAT;
        *x++ = word(r, VERB, number);
        number = draw_below(r, NUMBERS);
        *x++ = word(r, NOUN, number);
    }
    *x++ = word(r, VERB, out->label ? first : 1 - first);
    *x++ = ID_EOS;
    out->nsource = (int)(x - out->source);
}

/* ---- the referent of a pronoun ---- */

enum {
    NAMES = 16, OBJECTS = 8, VERBS = 8, REASONS = 8,
    BECAUSE = ID_FIRST, HE,
    NAME,
    OBJECT = NAME + NAMES,
    GIVING = OBJECT + OBJECTS, /* + i: X gives if i is even, Y if i is odd */
    REASON = GIVING + VERBS,   /* + i: a giver's reason if i is even */
    WINOGRAD_END = REASON + REASONS,
    WINOGRAD_LENGTH = 8
};

static void draw_winograd(struct draw *r, struct drawn *out)
{
    int x = draw_below(r, NAMES), verb = draw_below(r, VERBS);
    int y = (x + 1 + draw_below(r, NAMES - 1)) % NAMES;
    int reason = draw_below(r, REASONS), object = draw_below(r, OBJECTS);
    const int ids[WINOGRAD_LENGTH] = {
        NAME + x, GIVING + verb, NAME + y, OBJECT + object, BECAUSE, HE,
        REASON + reason, ID_EOS};

    for (int i = 0; i < WINOGRAD_LENGTH; i++)
        out->source[i] = ids[i];
    out->nsource = WINOGRAD_LENGTH;
    out->label = verb % 2 != reason % 2;
}

/* ---- tasks ---- */

LAW(gen_grammar, "Agreement",
    "subject-verb agreement, as in Linzen et al. 2016",
    "sentences whose last verb agrees with the first noun, or does not",
    CLASSIFY,
    .length = GRAMMAR_LONGEST, .vocab = GRAMMAR_END, .classes = 2,
    .draw = draw_grammar, .reach = ROWS_OF_PAIRS)

LAW(gen_winograd, "Winograd", "Winograd schema, Levesque et al. 2012",
    "who is he? by the roles of a verb and a reason", CLASSIFY,
    .length = WINOGRAD_LENGTH, .vocab = WINOGRAD_END, .classes = 2,
    .draw = draw_winograd, .reach = ROWS_OF_POSITIONS)
