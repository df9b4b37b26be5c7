/*
 * embsim: similarity of two texts by word vectors (Liu et al., EMNLP 2016), as
 * nlg-eval computes it.  For each segment, the best reference counts.
 *
 *   average  cosine of the sums of the word vectors
 *   extrema  cosine of the vectors of extremes: with the greatest value x and
 *            the smallest value y of a dimension over the words, the extreme is
 *            x if y > 0, or if y < 0 and x > |y|; else it is y
 *   greedy   mean of two means: over the hypothesis words, of the best cosine
 *            with a reference word; and over the reference words, of the best
 *            cosine with a hypothesis word
 *
 * A word that is not in the table has the mean vector of the whole table.  A
 * score is the mean over segments.  nlg-eval tokenises with NLTK and has
 * 300-dimensional GloVe vectors; here words are separated by white space, and
 * the table is a file with a word and its values on each line.
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/metrics/scorer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
    "EmbeddingAverageCosineSimilarity", "VectorExtremaCosineSimilarity",
    "GreedyMatchingScore", NULL};

struct options { const char *embeddings; int main; };

static const struct key options[] = {
    {"embeddings", &key_text, SCORE_AT(embeddings),
     .help = "word vectors: a word and its values per line"},
    {"main", &key_enum, SCORE_AT(main),
     .initial = "EmbeddingAverageCosineSimilarity", .choices = kinds,
     .help = "metric that is the score"},
    {.name = NULL}};

enum { KINDS = 3 };

struct embsim {
    struct map    *words;
    double        *vector; /* (words + 1,d); the last row is the mean */
    size_t         d;
    struct arena  *scratch;
};

struct sentence { const double **word; size_t n; double *sum, *extreme; };

/* ---- the table ---- */

static int read_row(struct embsim *e, const struct lines *t, size_t i)
{
    OWNED(words_free) struct words w = {0};

    words_split(&w, t->line[i], strlen(t->line[i]));
    if (i == 0 && w.n > 1) {
        e->d = w.n - 1;
        e->vector = calloc((t->n + 1) * e->d, sizeof *e->vector);
    }
    if (w.n < 2 || w.n - 1 != e->d)
        PASS(lines_bad(t, i, "expected a word and %zu values, not %zu columns",
                       e->d ? e->d : 1, w.n));
    if (map_number(e->words, w.word[0].s, w.word[0].n) != (int)i)
        PASS(lines_bad(t, i, "the word '%.*s' appears twice", (int)w.word[0].n,
                       w.word[0].s));
    for (size_t k = 0; k < e->d; k++) {
        char value[64] = "";

        if (w.word[k + 1].n < sizeof value)
            memcpy(value, w.word[k + 1].s, w.word[k + 1].n);
        if (str_to_real(value, &e->vector[i * e->d + k]))
            PASS(lines_bad(t, i, "'%.*s' is not a finite number",
                           (int)w.word[k + 1].n, w.word[k + 1].s));
        e->vector[t->n * e->d + k] += e->vector[i * e->d + k] / (double)t->n;
    }
    return OK;
}

static void embsim_close(struct embsim *e)
{
    map_free(e->words);
    arena_free(e->scratch);
    free(e->vector);
}
OWNER_OF_VALUE(embsim_close, struct embsim)

static int embsim_open(struct embsim *e, const char *path)
{
    OWNED(lines_close) struct lines table = {0};

    if (!path)
        return err_set(ERR_USAGE, "embsim needs word vectors: -S "
                       "embeddings=FILE");
    PASS(lines_read(&table, path));
    e->words = map_of_copies();
    e->scratch = arena_new();
    for (size_t i = 0; i < table.n; i++)
        PASS(read_row(e, &table, i));
    return OK;
}

/* ---- similarities ---- */

static double dot(const double *a, const double *b, size_t d)
{
    double sum = 0;

    for (size_t k = 0; k < d; k++)
        sum += a[k] * b[k];
    return sum;
}

static double cosine(const double *a, const double *b, size_t d)
{
    double norms = sqrt(dot(a, a, d)) * sqrt(dot(b, b, d));

    return norms > 0 ? dot(a, b, d) / norms : 0;
}

static double extreme(double x, double y)
{
    return y > 0 || (y < 0 && x > -y) ? x : y;
}

static struct sentence read_sentence(struct embsim *e, const char *text)
{
    struct sentence s = {.sum = arena_zero(e->scratch, e->d * sizeof(double)),
                         .extreme = arena_take(e->scratch,
                                               e->d * sizeof(double))};

    s.word = arena_take(e->scratch, (strlen(text) / 2 + 1) * sizeof *s.word);
    for (const char *end; *text; text = end + (*end == ' ')) {
        end = text + strcspn(text, " ");
        int id = map_find(e->words, text, (size_t)(end - text));
        size_t row = (size_t)(id < 0 ? map_count(e->words) : id);
        s.word[s.n++] = e->vector + row * e->d;
    }
    for (size_t k = 0; k < e->d; k++) {
        double x = -INFINITY, y = INFINITY;

        for (size_t i = 0; i < s.n; i++) {
            s.sum[k] += s.word[i][k];
            x = fmax(x, s.word[i][k]);
            y = fmin(y, s.word[i][k]);
        }
        s.extreme[k] = extreme(x, y);
    }
    return s;
}

/* Returns the mean, over the words of `a`, of the best cosine with a word of
 * `b`. */
static double mean_best(const struct sentence *a, const struct sentence *b,
                        size_t d)
{
    double sum = 0;

    for (size_t i = 0; i < a->n; i++) {
        double best = -1;

        for (size_t j = 0; j < b->n; j++)
            best = fmax(best, cosine(a->word[i], b->word[j], d));
        sum += best;
    }
    return sum / (double)a->n;
}

/* Scores a segment.  Texts are words joined by single blanks, with at least one
 * word each.  The cosine with a zero vector is 0.  Returns -1 if the vectors of
 * a text sum to zero, because its average has no direction. */
static int score_segment(double out[KINDS], struct embsim *e,
                         const struct segment *text)
{
    arena_reset(e->scratch);
    struct sentence h = read_sentence(e, text->hyp);
    int zero = dot(h.sum, h.sum, e->d) == 0;

    for (int i = 0; i < text->refs; i++) {
        struct sentence r = read_sentence(e, text->ref[i]);
        double s[KINDS] = {
            cosine(h.sum, r.sum, e->d), cosine(h.extreme, r.extreme, e->d),
            (mean_best(&h, &r, e->d) + mean_best(&r, &h, e->d)) / 2};

        for (int k = 0; k < KINDS; k++)
            out[k] = i ? fmax(out[k], s[k]) : s[k];
        zero |= dot(r.sum, r.sum, e->d) == 0;
    }
    return zero ? -1 : 0;
}

/* ---- segments ---- */

/* Returns the first file in which segment i has no words, or NULL. */
static const struct lines *empty_file(const struct segment *s,
                                      const struct score_input *in)
{
    for (int k = 0; k < s->refs; k++)
        if (!*s->ref[k])
            return in->ref[k];
    return *s->hyp ? NULL : in->hyp;
}

/* Sets *out to the scores (hyp->n,KINDS). */
static int of_all(double **out, struct embsim *e, const struct score_input *in)
{
    const struct options *o = score_given(in);
    OWNED(segment_free) struct segment s = {0};
    double *all = *out = malloc(in->hyp->n * KINDS * sizeof *all);

    PASS(embsim_open(e, o->embeddings));
    for (size_t i = 0; i < in->hyp->n; i++) {
        segment_read(&s, in, i, 1);
        const struct lines *empty = empty_file(&s, in);
        if (empty)
            return lines_bad(empty, i, "embsim is not defined for a text "
                             "without words; remove the segment");
        if (score_segment(all + i * KINDS, e, &s))
            return lines_bad(in->hyp, i, "the word vectors of this segment, or "
                             "of a reference of it, add up to zero");
    }
    return OK;
}

static int score(json_t *out, const struct score_input *in)
{
    const struct options *o = score_given(in);
    OWNED(embsim_close) struct embsim e = {.d = 0};
    OWNED(free) double *all = NULL;
    size_t n = in->hyp->n;
    double mean[KINDS] = {0};
    char hex[HASH_HEX];

    PASS(of_all(&all, &e, in));
    PASS(hash_file(o->embeddings, hex));
    json_t *values = json_object(), *lists = json_object();
    for (size_t i = 0; i < n * KINDS; i++)
        mean[i % KINDS] += all[i] / (double)n;
    for (int k = 0; k < KINDS; k++) {
        result_real(values, kinds[k], mean[k]);
        result_json(lists, kinds[k], result_reals(all + k, n, KINDS));
    }
    result_real(out, "score", mean[o->main]);
    result_format(out, "signature", "%s|nrefs:%d|case:mixed|tok:none|"
                  "vectors:%dx%d,%.8s|oov:mean|like:nlg-eval",
                  kinds[o->main], in->refs, map_count(e.words),
                  (int)e.d, hex);
    result_json(out, "values", values);
    result_json(out, "per_segment", lists);
    return OK;
}

/* The columns are the main metric, and 1, which counts segments. */
static int segments(double **stats, size_t *columns,
                    const struct score_input *in)
{
    const struct options *o = score_given(in);
    OWNED(embsim_close) struct embsim e = {.d = 0};
    OWNED(free) double *all = NULL;

    PASS(of_all(&all, &e, in));
    scorer_values(stats, columns, all + o->main, in->hyp->n, KINDS);
    return OK;
}

const struct scorer scorer_embsim = {
    .name = "embsim",
    .title = "Embedding similarity",
    .unit = "1",
    SCORE_HAS_OPTIONS,
    .score = score,
    .segments = segments,
    .of_sums = scorer_mean,
};
