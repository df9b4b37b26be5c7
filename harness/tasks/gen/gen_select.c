/*
 * gen_select: draws examples whose target is a part of the source.
 *
 *     gen_salient   sentences of three words, one of them after a mark:
 *                   a b c * d e f g h i eos  -> d e f eos
 *     gen_persona   three to five facts with different attributes, then a
 *                   question about one:
 *                   my ATTR VAL .. what ATTR eos -> VAL eos.
 *                   Each attribute has its own values, like colours and names;
 *                   without the facts the loss is ln (values)
 *
 * Both targets follow from the source.
 */
#include "harness/tasks/gen/law.h"

/* ---- the marked sentence ---- */

enum { WORDS = 3, MARK = ID_FIRST, WORD };

static void draw_salient(struct draw *r, struct drawn *out)
{
    int sentences = (draw_opts(r)->length - 2) / WORDS;
    int symbols = draw_opts(r)->vocab - WORD, marked = draw_below(r, sentences);

    for (int s = 0; s < sentences; s++) {
        if (s == marked)
            out->source[out->nsource++] = MARK;
        for (int i = 0; i < WORDS; i++) {
            int word = WORD + draw_below(r, symbols);

            out->source[out->nsource++] = word;
            if (s == marked)
                out->target[out->ntarget++] = word;
        }
    }
    out->source[out->nsource++] = out->target[out->ntarget++] = ID_EOS;
}

/* ---- facts of a person ---- */

enum {
    ATTRIBUTES = 8, VALUES = 4, LEAST = 3, MOST = 5,
    MY = ID_FIRST, WHAT, ATTRIBUTE,
    VALUE = ATTRIBUTE + ATTRIBUTES,
    END = VALUE + ATTRIBUTES * VALUES,
    FACT = 3
};

static void write_ids(int *to, int *at, const int *ids, int n)
{
    for (int i = 0; i < n; i++)
        to[(*at)++] = ids[i];
}

static void draw_persona(struct draw *r, struct drawn *out)
{
    int facts = LEAST + draw_below(r, MOST - LEAST + 1);
    int asked = draw_below(r, facts), attribute[ATTRIBUTES], answer = 0;

    for (int i = 0; i < ATTRIBUTES; i++)
        attribute[i] = ATTRIBUTE + i;
    draw_shuffle(r, attribute, ATTRIBUTES);
    for (int i = 0; i < facts; i++) {
        int value = VALUE + VALUES * (attribute[i] - ATTRIBUTE) +
                    draw_below(r, VALUES);

        write_ids(out->source, &out->nsource,
                  (int[]){MY, attribute[i], value}, FACT);
        answer = i == asked ? value : answer;
    }
    write_ids(out->source, &out->nsource,
              (int[]){WHAT, attribute[asked], ID_EOS}, FACT);
    write_ids(out->target, &out->ntarget, (int[]){answer, ID_EOS}, 2);
}

/* ---- tasks ---- */

LAW(gen_salient, "Salient sentence", "selection of a marked sentence",
    "sentences, and the one behind the mark", TRANSDUCE,
    .length = 2 * WORDS + 2, .vocab = WORD + 2, .draw = draw_salient,
    .reach = ROWS_OF_PAIRS)

LAW(gen_persona, "Persona", "persona dialogue, as in Zhang et al. 2018",
    "facts of a person, a question, its answer", TRANSDUCE,
    .length = (MOST + 1) * FACT, .vocab = END, .draw = draw_persona,
    .reach = ROWS_OF_PAIRS)
