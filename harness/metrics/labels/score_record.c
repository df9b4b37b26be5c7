/*
 * record: compares predicted answers to queries with the correct answers
 * (ReCoRD, Zhang et al., 2018; SQuAD's scoring).
 *
 *   gold   QUERY TAB ANSWER TAB ANSWER ...
 *   pred   QUERY TAB ANSWER; a query without a prediction scores 0
 *
 * Predictions and answers are normalised: they are converted to lower case;
 * ASCII punctuation is removed; the words "a", "an" and "the" are replaced by
 * blanks, where a word is a run of letters and digits; words are joined by
 * single blanks.  A query has the best EM and the best F1 over its answers:
 *
 *   EM   1 if prediction and answer are equal, else 0
 *   F1   of their bags of tokens; 0 if they have no token in common
 *
 * The score is the mean of EM and F1, as on SuperGLUE's leaderboard.
 */
#include "harness/metrics/labels/benchmark.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/text.h"
#include "harness/metrics/bleu/tokenize.h"
#include "harness/metrics/ngram.h"
#include "harness/metrics/scorer.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unictype.h>

/* ---- normal form ---- */

static int in_word(uint32_t c) /* in text without punctuation */
{
    return uc_is_general_category_withtable(c, UC_CATEGORY_MASK_L |
                                                   UC_CATEGORY_MASK_N);
}

static int is_article(const char *s, size_t n)
{
    return (n == 1 && s[0] == 'a') || (n == 2 && !memcmp(s, "an", 2)) ||
           (n == 3 && !memcmp(s, "the", 3));
}

/* Returns the length in bytes of the run of word characters at s[i]. */
static size_t word_length(const char *s, size_t i, size_t n)
{
    size_t at = i, bytes;

    while (at < n && in_word(text_decode(s, at, n, &bytes)))
        at += bytes;
    return at - i;
}

/* Returns the normal form of `s`, which the caller frees. */
static char *normal(const char *s, size_t n)
{
    OWNED(text_free) struct text lower = {0};
    OWNED(text_free) struct text bare = {0};
    size_t word, bytes;

    text_lower(&lower, s, n);
    text_add(&bare, "", 0);
    for (size_t i = 0; i < lower.n; i++)
        if (!ispunct((unsigned char)lower.s[i]))
            text_add(&bare, lower.s + i, 1);
    lower.n = 0;
    for (size_t i = 0; i < bare.n; i += word ? word : bytes) {
        word = word_length(bare.s, i, bare.n);
        text_decode(bare.s, i, bare.n, &bytes);
        if (is_article(bare.s + i, word))
            text_add(&lower, " ", 1);
        else
            text_add(&lower, bare.s + i, word ? word : bytes);
    }
    return tokenize_words(&lower);
}

/* ---- one answer ---- */

static double f1(const char *a, const char *b)
{
    OWNED(ngram_free) struct ngrams *g = ngram_new();
    double both = (double)(ngram_add(g, a, 1, NGRAM_HYP) +
                           ngram_add(g, b, 1, NGRAM_REF));
    double same = (double)ngram_matches(g);

    return same > 0 ? 2 * same / both : 0;
}

/* ---- queries ---- */

static struct slice query_of(const struct lines *l, size_t i)
{
    return (struct slice){l->line[i], strcspn(l->line[i], "\t")};
}

/* Sets text[i] to the normalised prediction in line i, and the number of each
 * query in `queries` to its line number. */
static int read_predictions(const char **text, struct map *queries,
                            const struct lines *l, struct arena *a)
{
    for (size_t i = 0; i < l->n; i++) {
        struct slice query = query_of(l, i);

        if (!query.n || !query.s[query.n])
            return lines_bad(l, i, "expected QUERY, a tab and a prediction");
        const char *said = query.s + query.n + 1;
        if (strchr(said, '\t'))
            return lines_bad(l, i, "more than one prediction");
        if (map_number(queries, query.s, query.n) != (int)i)
            return lines_bad(l, i, "a second prediction for query %.*s",
                             (int)query.n, query.s);
        OWNED(free) char *plain = normal(said, strlen(said));
        text[i] = arena_text(a, plain);
    }
    return OK;
}

static int mark(struct record_mark *m, const struct lines *gold, size_t i)
{
    struct slice query = query_of(gold, i);
    const char *answer = query.s + query.n;

    if (!query.n || !*answer)
        return lines_bad(gold, i, "expected QUERY, a tab and an answer");
    while (*answer) {
        size_t n = strcspn(++answer, "\t");
        OWNED(free) char *text = normal(answer, n);

        if (m->predicted && !strcmp(text, m->predicted))
            m->exact = 1;
        if (m->predicted)
            m->f1 = fmax(m->f1, f1(text, m->predicted));
        answer += n;
    }
    return OK;
}

int record_marks(struct record_mark *m, const struct score_input *in,
                 struct arena *a)
{
    const struct lines *pred = in->hyp, *gold = in->ref[0];
    OWNED(map_free) struct map *predicted = map_of_copies();
    OWNED(map_free) struct map *queries = map_of_copies();
    const char **text = arena_take(a, (pred->n + 1) * sizeof *text);

    PASS(read_predictions(text, predicted, pred, a));
    for (size_t i = 0; i < gold->n; i++) {
        struct slice query = query_of(gold, i);
        int at = map_find(predicted, query.s, query.n);

        if (map_number(queries, query.s, query.n) != (int)i)
            return lines_bad(gold, i, "query %.*s appears twice",
                             (int)query.n, query.s);
        m[i] = (struct record_mark){.predicted = at < 0 ? NULL : text[at]};
        PASS(mark(&m[i], gold, i));
    }
    for (size_t i = 0; i < pred->n; i++) {
        struct slice query = query_of(pred, i);

        if (map_find(queries, query.s, query.n) < 0)
            return lines_bad(pred, i, "there is no query %.*s in %s",
                             (int)query.n, query.s, gold->path);
    }
    return OK;
}

static void put(json_t *out, const struct record_mark *m, size_t n)
{
    double exact = 0, f = 0;
    json_t *each = json_array();

    for (size_t i = 0; i < n; i++) {
        exact += m[i].exact;
        f += m[i].f1;
        json_array_append_new(
            each, result_reals((double[]){m[i].exact, m[i].f1}, 2, 1));
    }
    exact /= (double)n;
    f /= (double)n;
    result_real(out, "score", (exact + f) / 2);
    result_text(out, "signature", "mean(f1,exact_match)|normalised:squad");
    result_real(out, "exact_match", exact);
    result_real(out, "f1", f);
    result_json(out, "per_query_em_f1", each);
}

static int score(json_t *out, const struct score_input *in)
{
    size_t n = in->ref[0]->n;
    OWNED(free) struct record_mark *m = malloc((n + 1) * sizeof *m);
    OWNED(arena_free) struct arena *a = arena_new();

    PASS(record_marks(m, in, a));
    put(out, m, n);
    json_t *texts = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(texts, json_string(m[i].predicted));
    result_json(out, "normalised_pred", texts);
    return OK;
}

const struct scorer scorer_record = {
    .name = "record",
    .title = "F1 and exact match",
    .unit = "1",
    .takes = SCORE_LABELS | SCORE_ONE_REF | SCORE_UNALIGNED,
    .score = score};
