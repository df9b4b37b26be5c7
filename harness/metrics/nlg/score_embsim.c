/* Means over segments.  nlg-eval cuts words with NLTK and has 300-dimensional
 * GloVe vectors; here words are what stands between white space, and the table
 * is an input. */
#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/metrics/nlg/embsim.h"
#include "harness/metrics/segment.h"

#include <stdlib.h>

static const char *const kinds[] = {
    "EmbeddingAverageCosineSimilarity", "VectorExtremaCosineSimilarity",
    "GreedyMatchingScore", NULL};

static const struct score_option options[] = {
    {.key = "embeddings", .kind = SCORE_TEXT,
     .doc = "the table: a word and its values on each line"},
    {.key = "main", .kind = SCORE_WORD,
     .value = "EmbeddingAverageCosineSimilarity", .words = kinds,
     .doc = "which of the metrics is the score"},
    {.key = NULL},
};

struct row { double of[EMBSIM_KINDS]; };

static int open_table(struct embsim **out, const struct score_input *in)
{
    OWNED(lines_close) struct lines table = {0};

    if (!score_given(in, "embeddings"))
        return err_set(ERR_USAGE, "embsim needs word vectors: -S "
                       "embeddings=FILE");
    PASS(lines_read(&table, score_text(in, "embeddings")));
    return embsim_open(out, &table);
}

/* The first file of segment i that has no word. */
static const struct lines *empty_file(const struct segment *s,
                                      const struct score_input *in)
{
    for (int k = 0; k < s->refs; k++)
        if (!*s->ref[k])
            return in->ref[k];
    return *s->hyp ? NULL : in->hyp;
}

static int of_all(struct row **out, struct embsim *e,
                  const struct score_input *in)
{
    struct row *all = malloc(in->hyp->n * sizeof *all);
    struct segment s = {0};
    int rc = OK;

    for (size_t i = 0; i < in->hyp->n; i++) {
        segment_read(&s, in, i);
        const struct lines *empty = empty_file(&s, in);
        if (empty)
            TRY(lines_bad(empty, i, "embsim of a text without words is not "
                          "defined; leave the segment out"));
        if (embsim_score(all[i].of, e, s.hyp, s.ref, s.refs))
            TRY(lines_bad(in->hyp, i, "the word vectors of this segment, or of "
                          "a reference of it, add up to zero"));
    }
out:
    segment_free(&s);
    if (rc < 0) {
        free(all);
        all = NULL;
    }
    *out = all;
    return rc;
}

static int put_signature(json_t *out, const struct embsim *e,
                         const struct score_input *in)
{
    char hex[HASH_HEX];

    PASS(hash_file(score_text(in, "embeddings"), hex));
    result_format(out, "signature", "%s|nrefs:%d|case:mixed|tok:none|"
                  "vectors:%dx%d,%.8s|oov:mean|like:nlg-eval",
                  score_text(in, "main"), in->refs, embsim_words(e),
                  embsim_dimensions(e), hex);
    return OK;
}

static int score(json_t *out, const struct score_input *in)
{
    OWNED(embsim_close) struct embsim *e = NULL;
    OWNED(free) struct row *all = NULL;
    size_t n = in->hyp->n;
    struct row mean = {{0}};
    OWNED(json_decref) json_t *values = json_object(), *lists = json_object();

    PASS(open_table(&e, in));
    PASS(of_all(&all, e, in));
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < EMBSIM_KINDS; k++)
            mean.of[k] += all[i].of[k] / (double)n;
    for (int k = 0; k < EMBSIM_KINDS; k++) {
        json_object_set_new(values, kinds[k], json_real(mean.of[k]));
        json_object_set_new(lists, kinds[k], result_reals(&all->of[k], n,
                                                          EMBSIM_KINDS));
    }
    json_object_set_new(out, "score",
                        json_real(mean.of[score_index(in, "main")]));
    PASS(put_signature(out, e, in));
    result_put(out, "{s:O, s:O}", "values", values, "per_segment", lists);
    return OK;
}

/* The main metric, and 1 to count segments. */
static int segments(double **stats, size_t *columns,
                    const struct score_input *in)
{
    OWNED(embsim_close) struct embsim *e = NULL;
    OWNED(free) struct row *all = NULL;

    PASS(open_table(&e, in));
    PASS(of_all(&all, e, in));
    scorer_values(stats, columns, &all->of[score_index(in, "main")],
                  in->hyp->n, EMBSIM_KINDS);
    return OK;
}

const struct scorer scorer_embsim = {
    .name = "embsim",
    .title = "Embedding similarity",
    .unit = "1",
    .better = 1,
    .options = options,
    .score = score,
    .segments = segments,
    .of_sums = scorer_mean,
};
