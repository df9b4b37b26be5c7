#include "harness/tasks/glue/glue_parts.h"

#include "harness/base/hash.h"
#include "harness/base/text.h"

#include <string.h>

/* ---- two texts ---- */

static const char *pair_text(struct mixture *m, const struct passage *one,
                             const struct passage *two)
{
    const struct pairs *x = m->part->of;
    const char *const swaps[][2] = {{"{1}", one->summary},
                                    {"{2}", two->sentence},
                                    {"{3}", one->section},
                                    {NULL, NULL}};
    struct text out = {0};

    text_swap(&out, x->form, swaps);
    return text_keep(&out, m->memory);
}

/* Combines the short description of each passage i with the sentence of passage
 * i ^ k, once for each answer k (struct block).  If x->grouped is set, the two
 * answers about a short description have the same group. */
static void add_pairs(struct mixture *m, const struct block *b)
{
    const struct pairs *x = m->part->of;
    enum split s = b->of[0]->split;

    if (x->half && hash_name(b->of[0]->name) % 2 != (uint64_t)x->half - 1)
        return;
    for (int i = 0; i < BLOCKS_OF; i++)
        for (int k = 0; x->target[k]; k++)
            mixture_add(m, s, x->grouped ? 0 : k,
                        (struct item){
                            .source = pair_text(m, b->of[i], b->of[i ^ k]),
                            .target = x->target[k],
                            .group = x->grouped ? m->of[s][0].n / 2 : 0});
}

void make_pairs(struct mixture *m) { blocks_each(m, add_pairs); }

/* ---- copa ---- */

/* For a premise from passage 0 or 1, the choices are texts of passages 0 and 1;
 * for a premise from 2 or 3, of 2 and 3. */
static void add_copa(struct mixture *m, const struct block *b)
{
    for (int i = 0; i < BLOCKS_OF; i++) {
        const struct passage *of = b->of[i], *one = b->of[i & ~1],
                             *two = b->of[i | 1];
        int effect = i < 2;

        mixture_add(m, of->split, i & 1, (struct item){
            .source = arena_format(
                m->memory,
                "copa choice1: %s choice2: %s premise: %s question: %s",
                effect ? one->sentence : one->summary,
                effect ? two->sentence : two->summary,
                effect ? of->summary : of->sentence,
                effect ? "effect" : "cause"),
            .target = i & 1 ? "choice2" : "choice1"});
    }
}

void make_copa(struct mixture *m) { blocks_each(m, add_copa); }

/* ---- names ---- */

/* Returns "NAME: short description. NAME: short description." of the passages 0
 * and 1, or of 2 and 3, whichever include i. */
static const char *introduced(struct mixture *m, const struct block *b, int i)
{
    const struct passage *one = b->of[i & ~1], *two = b->of[i | 1];

    return arena_format(m->memory, "%s: %s. %s: %s.", one->name, one->summary,
                        two->name, two->summary);
}

/* The name and the short description are accepted as answers.  The entities are
 * in the order of their bytes, because the passages of one section are in the
 * order of their names. */
static void add_record(struct mixture *m, const struct block *b)
{
    for (int i = 0; i < BLOCKS_OF; i++) {
        const struct passage *p = b->of[i];

        mixture_add(m, p->split, 0, (struct item){
            .source = arena_format(
                m->memory,
                "record query: @placeholder: %s entities: %s, %s passage: %s",
                p->sentence, b->of[i & ~1]->name, b->of[i | 1]->name,
                introduced(m, b, i)),
            .target = p->name,
            .reference = p->split == SPLIT_TRAIN ? NULL
                         : arena_format(m->memory, "%s\n%s", p->name,
                                        p->summary)});
    }
}

void make_record(struct mixture *m) { blocks_each(m, add_record); }

/* As in the official data, training asks for the referent; validation and test
 * ask whether a candidate is the referent, which it is for class 1.  Class 0 of
 * the training examples does not differ from class 1. */
static void add_wsc(struct mixture *m, const struct block *b)
{
    for (int i = 0; i < BLOCKS_OF; i++) {
        const struct passage *p = b->of[i];
        int class = i / 2, trains = p->split == SPLIT_TRAIN;
        const char *name = b->of[class || trains ? i : i ^ 1]->name;

        mixture_add(m, p->split, class, (struct item){
            .source = arena_format(m->memory, "wsc: %s *It*: %s",
                                   introduced(m, b, i), p->sentence),
            .target = name,
            .reference = trains ? NULL
                         : arena_format(m->memory, "%s\n%s",
                                        class ? "True" : "False", name)});
    }
}

void make_wsc(struct mixture *m) { blocks_each(m, add_wsc); }

/* ---- one text ---- */

/* Returns the text with two neighbouring words swapped, chosen by the hash of
 * the text, or NULL if it is one word or if the two words are equal. */
static const char *swapped(const char *text, struct arena *a)
{
    const char *one = text;
    uint64_t gaps = 0;

    for (const char *c = text; *c; c++)
        gaps += *c == ' ';
    if (!gaps)
        return NULL;
    for (uint64_t skip = hash_name(text) % gaps; skip; skip--)
        one = strchr(one, ' ') + 1;
    const char *two = strchr(one, ' ') + 1;
    int n = (int)(two - one) - 1, k = (int)strcspn(two, " ");
    if (!n || !k || (n == k && !memcmp(one, two, (size_t)n)))
        return NULL;
    return arena_format(a, "%.*s%.*s %.*s%s", (int)(one - text), text, k, two,
                        n, one, two + k);
}

static void add_cola(struct mixture *m, const struct block *b)
{
    for (int i = 0; i < BLOCKS_OF; i++) {
        const struct passage *p = b->of[i];
        int good = i & 1;
        const char *text = good ? p->sentence
                                : swapped(p->sentence, m->memory);

        if (text)
            mixture_add(m, p->split, good, (struct item){
                .source = arena_format(m->memory, "cola sentence: %s", text),
                .target = good ? "acceptable" : "unacceptable"});
    }
}

void make_cola(struct mixture *m) { blocks_each(m, add_cola); }

void make_sst2(struct mixture *m)
{
    const struct texts *t = m->texts;

    for (int i = 0; i < t->opinions; i++) {
        const struct opinion *o = &t->opinion[i];

        if (o->film && *o->text)
            mixture_add(m, ddtp_split(o->text, BLOCKS_VALID, BLOCKS_TEST),
                        o->label, (struct item){
                .source = arena_format(m->memory, "sst2 sentence: %s",
                                       o->text),
                .target = o->label ? "positive" : "negative"});
    }
}
