#include "harness/tasks/glue/glue_parts.h"

#include "harness/base/text.h"
#include "harness/data/sentence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TOKENS_MIN = 5, TOKENS_MAX = 20, WORDS = 40 };

static int is_short(const char *text)
{
    int n = sentence_tokens(text);

    return n >= TOKENS_MIN && n <= TOKENS_MAX;
}

/* ---- cola ---- */

struct sentence { int n; const char *word[WORDS + 1]; };

/* 0: more words than there is room for. */
static int split(struct sentence *w, const char *text, struct arena *a)
{
    w->n = 0;
    for (char *s = strtok(arena_text(a, text), " "); s; s = strtok(NULL, " ")) {
        if (w->n == WORDS)
            return 0;
        w->word[w->n++] = s;
    }
    return 1;
}

static int swap_words(struct sentence *w, int at)
{
    const char *word = w->word[at];

    if (at + 1 >= w->n || !strcmp(word, w->word[at + 1]))
        return 0;
    w->word[at] = w->word[at + 1];
    w->word[at + 1] = word;
    return 1;
}

static int is_function(const char *word)
{
    return names_index(NAMES("the", "a", "an", "of", "to", "in", "for", "and",
                             "with", "from", "by", "on"), word) >= 0;
}

static int lose_word(struct sentence *w, int at)
{
    if (!is_function(w->word[at]))
        return 0;
    memmove(w->word + at, w->word + at + 1,
            (size_t)(--w->n - at) * sizeof *w->word);
    return 1;
}

static int double_word(struct sentence *w, int at)
{
    if (!is_function(w->word[at]))
        return 0;
    memmove(w->word + at + 1, w->word + at,
            (size_t)(w->n++ - at) * sizeof *w->word);
    return 1;
}

static int change_number(struct sentence *w, int at)
{
    static const char *const verb[][2] = {
        {"is", "are"},           {"was", "were"},   {"has", "have"},
        {"provides", "provide"}, {"uses", "use"},   {"contains", "contain"},
        {"allows", "allow"},     {"supports", "support"}};

    for (size_t i = 0; i < sizeof verb / sizeof *verb; i++)
        for (int k = 0; k < 2; k++)
            if (!strcmp(w->word[at], verb[i][k])) {
                w->word[at] = verb[i][1 - k];
                return 1;
            }
    return 0;
}

/* From a drawn word on, the first that the fault fits; NULL: none. */
static const char *corrupted(struct mixture *m, const char *text)
{
    static int (*const fault[])(struct sentence *w, int at) = {
        swap_words, lose_word, double_word, change_number};
    struct sentence w;
    int done = 0;

    if (!split(&w, text, m->memory))
        return NULL;
    int (*spoil)(struct sentence *, int) = fault[mixture_draw(m, 4)];
    for (int i = 0, n = w.n, from = mixture_draw(m, n); i < n && !done; i++)
        done = spoil(&w, (from + i) % n);
    char *out = arena_zero(m->memory, strlen(text) + 16), *end = out;
    for (int i = 0; i < w.n; i++)
        end = stpcpy(stpcpy(end, i ? " " : ""), w.word[i]);
    return done ? out : NULL;
}

void each_cola(struct mixture *m, const struct passage *p)
{
    int good = mixture_draw(m, 2);

    if (!p->n || !mixture_wants(m, p->split, good) || !is_short(p->sentence[0]))
        return;
    const char *text = good ? p->sentence[0] : corrupted(m, p->sentence[0]);
    if (text)
        mixture_add(m, p->split, good, 0,
                    mixture_text(m, "cola", "sentence", text, NULL),
                    good ? "acceptable" : "unacceptable");
}

/* ---- sst2 ---- */

void make_sst2(struct mixture *m)
{
    const struct texts *t = m->texts;

    for (int i = 0; i < t->opinions; i++) {
        const struct opinion *o = &t->opinion[i];

        if (o->film && *o->text)
            mixture_add(m, ddtp_split(o->text, MIXTURE_VALID, MIXTURE_TEST),
                        o->label, 0,
                        mixture_text(m, "sst2", "sentence", o->text, NULL),
                        o->label ? "positive" : "negative");
    }
}

/* ---- mrpc, qqp ---- */

/* Another package of the section and the split, that is fit; NULL: none found
 * in a few tries. */
static const struct passage *neighbour(struct mixture *m,
                                       const struct passage *p)
{
    for (int tries = 0; tries < 200; tries++) {
        const struct passage *q = &m->passage[mixture_draw(m, m->n)];

        if (q != p && q->n && q->split == p->split && q->entry->section &&
            p->entry->section &&
            !strcmp(q->entry->section, p->entry->section) &&
            is_short(q->sentence[0]))
            return q;
    }
    return NULL;
}

struct matches { /* half of the sources for either task */
    int half;
    const char *prefix, *one, *two, *target[2];
};

void each_match(struct mixture *m, const struct passage *p)
{
    const struct matches *x = m->part->of;
    const struct passage *q = p;

    if ((p - m->passage) % 2 != x->half)
        return;
    int same = mixture_draw(m, 2);
    if (!p->n || !mixture_wants(m, p->split, same) || !is_short(p->sentence[0]))
        return;
    if (!same)
        q = neighbour(m, p);
    if (q)
        mixture_add(m, p->split, same, 0,
                    mixture_text(m, x->prefix, x->one,
                                 p->entry->english.summary, x->two,
                                 q->sentence[0], NULL),
                    x->target[same]);
}

const struct matches match_mrpc = {0, "mrpc", "sentence1", "sentence2",
                             {"not_equivalent", "equivalent"}};
const struct matches match_qqp = {1, "qqp", "question1", "question2",
                            {"not_duplicate", "duplicate"}};

/* ---- stsb ---- */

enum { TAGS = 64 };

struct tags { int n; struct slice tag[TAGS]; };

/* A tag that is still to be chosen. */
static int is_open(const char *s, size_t n)
{
    static const char mark[] = "::TO" "DO";

    return n >= sizeof mark - 1 &&
           !memcmp(s + n - (sizeof mark - 1), mark, sizeof mark - 1);
}

/* All but what kind of package it is, and those that are open. */
static void read_tags(struct tags *t, const char *s)
{
    static const char between[] = ", \n\t";

    t->n = 0;
    for (s += strspn(s, between); *s && t->n < TAGS; s += strspn(s, between)) {
        size_t n = strcspn(s, between);

        if (strncmp(s, "role::", 6) && !is_open(s, n))
            t->tag[t->n++] = (struct slice){s, n};
        s += n;
    }
}

static double similarity(const struct tags *a, const struct tags *b)
{
    int both = 0;

    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++)
            both += slice_equal(a->tag[i], b->tag[j]);
    return 5.0 * both / (a->n + b->n - both);
}

/* Scores are told in steps of 0.2; the classes are 0..1, 1..2, 2..3, 3..5. */
void each_stsb(struct mixture *m, const struct passage *p)
{
    struct tags a, b;
    char score[16];

    if (!p->entry->tags || !p->n || !is_short(p->sentence[0]))
        return;
    read_tags(&a, p->entry->tags);
    for (int tries = 0; tries < 4 && a.n; tries++) {
        const struct passage *q = neighbour(m, p);

        if (!q || !q->entry->tags)
            continue;
        read_tags(&b, q->entry->tags);
        double s = b.n ? similarity(&a, &b) : 0;
        int class = s < 3 ? (int)s : 3;
        snprintf(score, sizeof score, "%.1f", nearbyint(s * 5) / 5);
        if (b.n && mixture_wants(m, p->split, class))
            mixture_add(m, p->split, class, 0,
                        mixture_text(m, "stsb", "sentence1",
                                     p->entry->english.summary, "sentence2",
                                     q->entry->english.summary, NULL),
                        arena_text(m->memory, score));
    }
}
