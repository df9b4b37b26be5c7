#include "harness/metrics/meteor/meteor.h"

#include "harness/base/arena.h"
#include "harness/base/map.h"
#include "harness/metrics/ints.h"
#include "harness/metrics/stem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A word in the forms that the stages compare. */
struct token {
    uint32_t word, stem; /* hashes */
    const int *synset;
    size_t synsets;
    int is_function;
};

struct sentence { struct token *token; int n; struct text text; };

struct meteor {
    const struct meteor_config *config;
    struct snowball *stemmer;
    struct arena *scratch;
    struct words words;
    struct text lower;
    struct ints synsets;
    struct sentence hyp, ref;
    struct text shown;
};

struct meteor *meteor_new(const struct meteor_config *c)
{
    struct meteor *m = calloc(1, sizeof *m);

    m->config = c;
    m->stemmer = snowball_new();
    m->scratch = arena_new();
    return m;
}

void meteor_free(struct meteor *m)
{
    if (!m)
        return;
    snowball_free(m->stemmer);
    arena_free(m->scratch);
    words_free(&m->words);
    text_free(&m->lower);
    ints_free(&m->synsets);
    text_free(&m->hyp.text);
    text_free(&m->ref.text);
    text_free(&m->shown);
    free(m);
}

/* ---- words ---- */

/* Returns Java's String.hashCode, by which METEOR compares words: h = 0, then
 * h = 31 h + u for each UTF-16 unit u. */
static uint32_t java_hash(const char *s, size_t bytes)
{
    uint32_t h = 0;

    for (size_t i = 0, length; i < bytes; i += length) {
        uint32_t c = text_decode(s, i, bytes, &length);

        if (c >= 0x10000) {
            h = 31 * h + 0xD800 + ((c - 0x10000) >> 10);
            c = 0xDC00 + ((c - 0x10000) & 0x3FF);
        }
        h = 31 * h + c;
    }
    return h;
}

static void prepare(struct text *out, const struct meteor *m, const char *s)
{
    OWNED(text_free) struct text normal = {0};

    out->n = 0;
    if (!m->config->normalise) {
        text_add(out, s, strlen(s));
        return;
    }
    meteor_normalise(&normal, s, &m->config->prefixes);
    text_lower(out, normal.s, normal.n);
}

static int uses(const struct meteor_config *c, enum meteor_stage stage)
{
    for (int i = 0; i < c->stages; i++)
        if (c->stage[i] == (int)stage)
            return 1;
    return 0;
}

static struct token read_token(struct meteor *m, struct slice w)
{
    const struct meteor_config *c = m->config;
    struct token t = {.word = java_hash(w.s, w.n)};

    m->lower.n = 0;
    text_lower(&m->lower, w.s, w.n);
    t.is_function = map_find(c->function, m->lower.s, m->lower.n) >= 0;
    if (uses(c, METEOR_STEM)) {
        const char *stem = snowball_stem(m->stemmer, w.s, w.n);

        t.stem = java_hash(stem, strlen(stem));
    }
    if (uses(c, METEOR_SYNONYM)) {
        wordnet_synsets(&m->synsets, c->wordnet, w.s, w.n);
        int *copy = arena_take(m->scratch, (m->synsets.n + 1) * sizeof *copy);
        if (m->synsets.n)
            memcpy(copy, m->synsets.v, m->synsets.n * sizeof *copy);
        t.synset = copy;
        t.synsets = m->synsets.n;
    }
    return t;
}

static void read_sentence(struct sentence *s, struct meteor *m,
                          const char *text)
{
    prepare(&s->text, m, text);
    words_split(&m->words, s->text.s, s->text.n);
    s->n = (int)m->words.n;
    s->token = arena_take(m->scratch, (m->words.n + 1) * sizeof *s->token);
    for (int i = 0; i < s->n; i++)
        s->token[i] = read_token(m, m->words.word[i]);
}

/* ---- matches ---- */

static int same_meaning(const struct token *a, const struct token *b)
{
    for (size_t i = 0, j = 0; i < a->synsets && j < b->synsets;) {
        int x = a->synset[i], y = b->synset[j];

        if (x == y)
            return 1;
        i += x < y;
        j += y < x;
    }
    return 0;
}

static int is_match(enum meteor_stage stage, const struct token *a,
                    const struct token *b)
{
    switch (stage) {
    case METEOR_EXACT: return a->word == b->word;
    case METEOR_STEM: return a->stem == b->stem && a->word != b->word;
    case METEOR_SYNONYM: return a->word != b->word && same_meaning(a, b);
    case METEOR_MODULES: break;
    }
    return 0;
}

static int identical(const struct sentence *a, const struct sentence *b)
{
    int same = a->n == b->n;

    for (int i = 0; same && i < a->n; i++)
        same = a->token[i].word == b->token[i].word;
    return same;
}

/* Finds all matches, in the order in which the search tries them, sets `first`
 * as in struct meteor_candidates, and returns the number of matches.  If
 * `match` is NULL, does not store the matches. */
static int find_matches(struct meteor_match *match, int *first,
                        const struct meteor *m)
{
    const struct meteor_config *c = m->config;
    int n = 0, stages = identical(&m->hyp, &m->ref) ? 1 : c->stages;

    for (int j = 0; j < m->ref.n; j++) {
        first[j] = n;
        for (int s = 0; s < stages; s++)
            for (int i = 0; i < m->hyp.n; i++) {
                if (!is_match((enum meteor_stage)c->stage[s],
                              &m->hyp.token[i], &m->ref.token[j]))
                    continue;
                if (match)
                    match[n] = (struct meteor_match){i, s};
                n++;
            }
    }
    first[m->ref.n] = n;
    return n;
}

static struct meteor_match *align(struct meteor *m)
{
    const struct meteor_config *c = m->config;
    size_t refs = (size_t)m->ref.n + 1;
    int *first = arena_take(m->scratch, refs * sizeof *first);
    size_t n = (size_t)find_matches(NULL, first, m) + 1;
    struct meteor_match *match = arena_take(m->scratch, n * sizeof *match);
    struct meteor_match *best = arena_take(m->scratch, refs * sizeof *best);
    int counts[METEOR_STAGES] = {0};

    find_matches(match, first, m);
    for (int s = 0; s < c->stages; s++)
        counts[s] = c->stage[s] == METEOR_EXACT;
    meteor_align(best,
                 &(struct meteor_candidates){m->hyp.n, m->ref.n, match, first,
                                             counts},
                 m->scratch);
    return best;
}

/* ---- statistics ---- */

static void count_match(struct meteor_stats *s, int side, int stage,
                        const struct token *t)
{
    s->match[stage].content[side] += !t->is_function;
    s->match[stage].function[side] += t->is_function;
}

static void count_words(struct meteor_stats *s, int side,
                        const struct sentence *of)
{
    s->words[side] = of->n;
    for (int i = 0; i < of->n; i++)
        s->function[side] += of->token[i].is_function;
}

struct meteor_stats meteor_count(struct meteor *m, const char *hyp,
                                 const char *ref)
{
    arena_reset(m->scratch);
    read_sentence(&m->hyp, m, hyp);
    read_sentence(&m->ref, m, ref);
    const struct meteor_match *best = align(m);
    struct meteor_stats s = {.chunks = meteor_chunks(best, m->ref.n)};

    count_words(&s, 0, &m->hyp);
    count_words(&s, 1, &m->ref);
    for (int j = 0; j < m->ref.n; j++)
        if (best[j].hyp >= 0) {
            count_match(&s, 0, best[j].stage, &m->hyp.token[best[j].hyp]);
            count_match(&s, 1, best[j].stage, &m->ref.token[j]);
        }
    return s;
}

double meteor_matches(const struct meteor_stats *s, int side)
{
    double n = 0;

    for (int k = 0; k < METEOR_STAGES; k++)
        n += s->match[k].content[side] + s->match[k].function[side];
    return n;
}

int meteor_perfect(const struct meteor_stats *s)
{
    return meteor_matches(s, 0) == s->words[0] &&
           meteor_matches(s, 1) == s->words[1] && s->chunks == 1;
}

/* Returns P of meteor.h for the hypothesis (`side` 0), or R for the reference
 * (`side` 1). */
static double share(const struct meteor_config *c,
                    const struct meteor_stats *s, int side)
{
    double match = 0, d = c->delta, function = s->function[side];

    for (int k = 0; k < c->stages; k++)
        match += c->weight[k] * (d * s->match[k].content[side] +
                                 (1 - d) * s->match[k].function[side]);
    return match / (d * (s->words[side] - function) + (1 - d) * function);
}

struct meteor_score meteor_score(const struct meteor_config *c,
                                 const struct meteor_stats *s)
{
    struct meteor_score m = {.precision = share(c, s, 0),
                             .recall = share(c, s, 1)};
    double matches = (meteor_matches(s, 0) + meteor_matches(s, 1)) / 2;
    double frag = meteor_perfect(s) ? 0 : s->chunks / matches;

    m.fmean = 1 / ((1 - c->alpha) / m.precision + c->alpha / m.recall);
    m.penalty = c->gamma * pow(frag, c->beta);
    m.score = m.fmean * (1 - m.penalty);
    m.score = m.score > 0 ? m.score : 0; /* NAN becomes 0, too */
    return m;
}

const char *meteor_text(struct meteor *m, const char *text)
{
    prepare(&m->shown, m, text);
    return m->shown.s;
}
