/*
 * The score of a system comes from sums of statistics, not from segment scores.
 * With several references a segment counts the one with the best score, the
 * first of equals.
 */
#include "harness/base/err.h"
#include "harness/metrics/meteor/meteor.h"
#include "harness/metrics/segment.h"

#include <stdio.h>
#include <stdlib.h>

static struct meteor_stats best_reference(struct meteor *m,
                                          const struct meteor_config *c,
                                          const struct segment *s)
{
    struct meteor_stats best = meteor_count(m, s->hyp, s->ref[0]);

    for (int k = 1; k < s->refs; k++) {
        struct meteor_stats other = meteor_count(m, s->hyp, s->ref[k]);

        if (meteor_score(c, &other).score > meteor_score(c, &best).score)
            best = other;
    }
    return best;
}

static struct meteor_stats *of_all(const struct meteor_config *c,
                                   const struct score_input *in)
{
    struct meteor_stats *all = malloc(in->hyp->n * sizeof *all);
    struct meteor *m = meteor_new(c);
    struct segment s = {0};

    for (size_t i = 0; i < in->hyp->n; i++) {
        segment_read(&s, in, i);
        all[i] = best_reference(m, c, &s);
    }
    segment_free(&s);
    meteor_free(m);
    return all;
}

/* METEOR's order: lengths, stages, chunks, matches. */
enum { STATS = 4 + 4 * METEOR_STAGES + 3 };

static void in_order(double out[STATS], const struct meteor_stats *s)
{
    int n = 0;

    out[n++] = s->hyp.words;
    out[n++] = s->ref.words;
    out[n++] = s->hyp.function;
    out[n++] = s->ref.function;
    for (int k = 0; k < METEOR_STAGES; k++) {
        out[n++] = s->hyp.content_match[k];
        out[n++] = s->ref.content_match[k];
        out[n++] = s->hyp.function_match[k];
        out[n++] = s->ref.function_match[k];
    }
    out[n++] = s->chunks;
    out[n++] = meteor_matches(&s->hyp);
    out[n++] = meteor_matches(&s->ref);
}

static json_t *segments_of(const struct meteor_config *c,
                           const struct meteor_stats *all, size_t n)
{
    json_t *scores = json_array(), *lines = json_array();

    for (size_t i = 0; i < n; i++) {
        double stats[STATS];
        char line[STATS * 12] = "";
        size_t at = 0;

        in_order(stats, &all[i]);
        for (int k = 0; k < STATS; k++)
            at += (size_t)snprintf(line + at, sizeof line - at, "%s%.0f",
                                   k ? " " : "", stats[k]);
        json_array_append_new(scores, json_real(meteor_score(c, &all[i])
                                                    .score));
        json_array_append_new(lines, json_string(line));
    }
    return json_pack("{s:o, s:o}", "score", scores, "stats", lines);
}

static int score(json_t *out, const struct score_input *in)
{
    struct meteor_stats sum = {.chunks = 0};
    OWNED(free) struct meteor_stats *all = NULL;
    OWNED(meteor_setup_close) struct meteor_setup m;
    double stats[STATS];

    PASS(meteor_setup_open(&m, in));
    all = of_all(&m.config, in);
    for (size_t i = 0; i < in->hyp->n; i++)
        meteor_add(&sum, &all[i]);
    struct meteor_score s = meteor_score(&m.config, &sum);
    in_order(stats, &sum);
    result_put(out, "{s:f, s:s, s:s, s:{s:f, s:f, s:f, s:f, s:f, s:o}, s:o}",
               "score", s.score, "signature", m.signature.s, "config_id",
               m.id.s, "system", "score", s.score, "precision", s.precision,
               "recall", s.recall, "fmean", s.fmean, "frag_penalty", s.penalty,
               "stats", result_reals(stats, STATS, 1), "segments",
               segments_of(&m.config, all, in->hyp->n));
    return OK;
}

enum { COLUMNS = sizeof(struct meteor_stats) / sizeof(double) };

static int segments(double **stats, size_t *columns,
                    const struct score_input *in)
{
    struct meteor_stats *all, added;
    OWNED(meteor_setup_close) struct meteor_setup m;

    *columns = COLUMNS;
    *stats = NULL;
    PASS(meteor_setup_open(&m, in));
    all = of_all(&m.config, in);
    for (size_t i = 0; i < in->hyp->n; i++) {
        added = (struct meteor_stats){.chunks = 0};
        meteor_add(&added, &all[i]);
        all[i] = added;
    }
    *stats = (double *)all;
    return OK;
}

static double of_sums(const double *sums, const struct score_input *in)
{
    struct meteor_config c = {0};
    int rc = meteor_config_read(&c, in);

    REQUIRE(rc == OK, "options that segments() took: %s", err_last());
    return meteor_score(&c, (const struct meteor_stats *)sums).score;
}

const struct scorer scorer_meteor = {
    .name = "meteor",
    .title = "METEOR 1.5 without paraphrases",
    .unit = "1",
    .better = 1,
    .options = meteor_options,
    .score = score,
    .segments = segments,
    .of_sums = of_sums,
};
