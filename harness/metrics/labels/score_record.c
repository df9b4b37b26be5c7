/*
 * record: answers to queries against the answers that are right (ReCoRD,
 * Zhang et al., 2018; SQuAD's scoring).
 *
 *   gold   QUERY TAB ANSWER TAB ANSWER ...
 *   pred   QUERY TAB ANSWER; a query without a prediction scores 0
 *
 * Both are normalised: lower case; ASCII punctuation deleted; the words a, an
 * and the made blanks, where a word is a run of letters and digits; white space
 * single.  Of a query, each the best over its answers:
 *
 *   EM   1 if equal, else 0
 *   F1   of the bags of tokens; 0 if they share none
 *
 * The score is the mean of both, as SuperGLUE's leaderboard takes it.
 */
#include "harness/metrics/labels/benchmark.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/metrics/ngram.h"
#include "harness/metrics/scorer.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unictype.h>

/* ---- normal form ---- */

static int in_word(uint32_t c) /* after punctuation has gone */
{
    return uc_is_general_category_withtable(c, UC_CATEGORY_MASK_L |
                                                   UC_CATEGORY_MASK_N);
}

static int is_article(const char *s, size_t n)
{
    return (n == 1 && s[0] == 'a') || (n == 2 && !memcmp(s, "an", 2)) ||
           (n == 3 && !memcmp(s, "the", 3));
}

/* The bytes of the run of word characters at s[i]. */
static size_t word_length(const char *s, size_t i, size_t n)
{
    size_t at = i, bytes;

    while (at < n && in_word(text_decode(s, at, n, &bytes)))
        at += bytes;
    return at - i;
}

/* The caller frees. */
static char *normal(const char *s, size_t n)
{
    OWNED(text_free) struct text lower = {0};
    OWNED(text_free) struct text bare = {0};
    struct text out = {0};
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
    text_add(&out, "", 0);
    text_join_words(&out, lower.n ? lower.s : "", lower.n);
    return out.s;
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

/* text: of a prediction, normalised. */
struct asked { struct slice query; size_t line; char *text; };

static int by_query(const void *a, const void *b)
{
    const struct slice *x = &((const struct asked *)a)->query;
    const struct slice *y = &((const struct asked *)b)->query;
    int c = memcmp(x->s, y->s, x->n < y->n ? x->n : y->n);

    return c ? c : (x->n > y->n) - (x->n < y->n);
}

/* By query, each of them once. */
static int sort(struct asked *p, const struct lines *l, const char *before,
                const char *behind)
{
    qsort(p, l->n, sizeof *p, by_query);
    for (size_t i = 1; i < l->n; i++)
        if (!by_query(&p[i - 1], &p[i]))
            return lines_bad(l, p[i].line > p[i - 1].line ? p[i].line
                                                          : p[i - 1].line,
                             "%s %.*s%s", before, (int)p[i].query.n,
                             p[i].query.s, behind);
    return OK;
}

static struct slice query_of(const struct lines *l, size_t i)
{
    return (struct slice){l->line[i], strcspn(l->line[i], "\t")};
}

static int read_predictions(struct asked *p, const struct lines *l,
                            struct arena *a)
{
    for (size_t i = 0; i < l->n; i++) {
        struct slice query = query_of(l, i);

        if (!query.n || !query.s[query.n])
            PASS(lines_bad(l, i, "expected QUERY, a tabulator and a "
                           "prediction"));
        const char *text = query.s + query.n + 1;
        if (strchr(text, '\t'))
            PASS(lines_bad(l, i, "more than one prediction"));
        OWNED(free) char *plain = normal(text, strlen(text));
        p[i] = (struct asked){query, i, arena_text(a, plain)};
    }
    return sort(p, l, "a second prediction for query", "");
}

static int mark(struct record_mark *m, const struct lines *gold, size_t i,
                const char *prediction)
{
    struct slice query = query_of(gold, i);
    const char *answer = query.s + query.n;

    *m = (struct record_mark){0};
    if (!query.n || !*answer)
        return lines_bad(gold, i, "expected QUERY, a tabulator and an answer");
    while (*answer) {
        size_t n = strcspn(++answer, "\t");
        OWNED(free) char *text = normal(answer, n);

        if (prediction && !strcmp(text, prediction))
            m->exact = 1;
        if (prediction)
            m->f1 = fmax(m->f1, f1(text, prediction));
        answer += n;
    }
    return OK;
}

/* Every prediction is of a query that is there, and no query comes twice. */
static int check_queries(const struct asked *p, const struct lines *pred,
                         const struct lines *gold)
{
    OWNED(free) struct asked *g = malloc((gold->n + 1) * sizeof *g);

    for (size_t i = 0; i < gold->n; i++)
        g[i] = (struct asked){query_of(gold, i), i, NULL};
    PASS(sort(g, gold, "query", " stands here twice"));
    for (size_t i = 0; i < pred->n; i++)
        if (!bsearch(&p[i], g, gold->n, sizeof *g, by_query))
            PASS(lines_bad(pred, p[i].line, "there is no query %.*s in %s",
                           (int)p[i].query.n, p[i].query.s, gold->path));
    return OK;
}

static const char *predicted(const struct asked *p, size_t n,
                             struct slice query)
{
    struct asked key = {.query = query};
    const struct asked *at = bsearch(&key, p, n, sizeof *p, by_query);

    return at ? at->text : NULL;
}

static void put(json_t *out, const struct record_mark *m, size_t n)
{
    double exact = 0, f = 0;
    json_t *each = json_array();

    for (size_t i = 0; i < n; i++) {
        exact += m[i].exact;
        f += m[i].f1;
        json_array_append_new(each, json_pack("[f, f]", m[i].exact, m[i].f1));
    }
    exact /= (double)n;
    f /= (double)n;
    result_put(out, "{s:f, s:s, s:f, s:f, s:o}", "score", (exact + f) / 2,
               "signature", "mean(f1,exact_match)|normalised:squad",
               "exact_match", exact, "f1", f, "per_query_em_f1", each);
}

/* p [hyp->n] gets the predictions, their texts in a. */
static int mark_all(struct record_mark *m, struct asked *p, struct arena *a,
                    const struct score_input *in)
{
    const struct lines *pred = in->hyp, *gold = in->ref[0];

    PASS(read_predictions(p, pred, a));
    PASS(check_queries(p, pred, gold));
    for (size_t i = 0; i < gold->n; i++)
        PASS(mark(&m[i], gold, i, predicted(p, pred->n, query_of(gold, i))));
    return OK;
}

int record_marks(struct record_mark *m, const struct score_input *in)
{
    OWNED(free) struct asked *p = malloc((in->hyp->n + 1) * sizeof *p);
    OWNED(arena_free) struct arena *a = arena_new();

    return mark_all(m, p, a, in);
}

static int score(json_t *out, const struct score_input *in)
{
    const struct lines *pred = in->hyp, *gold = in->ref[0];
    OWNED(free) struct asked *p = malloc((pred->n + 1) * sizeof *p);
    OWNED(free) struct record_mark *m = malloc((gold->n + 1) * sizeof *m);
    OWNED(arena_free) struct arena *a = arena_new();

    PASS(mark_all(m, p, a, in));
    put(out, m, gold->n);
    json_t *texts = json_array();
    for (size_t i = 0; i < gold->n; i++)
        json_array_append_new(texts, json_string(
            predicted(p, pred->n, query_of(gold, i))));
    json_object_set_new(out, "normalised_pred", texts);
    return OK;
}

const struct scorer scorer_record = {
    .name = "record",
    .title = "F1 and exact match",
    .unit = "1",
    .better = 1,
    .takes = SCORE_LABELS | SCORE_ONE_REF | SCORE_UNALIGNED,
    .score = score};
