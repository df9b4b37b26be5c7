/*
 * meteor: the score of a system is computed from the sums of the statistics of
 * its segments, not from their scores.  With several references, a segment uses
 * the reference with the best score, the first one if several are equal.
 *
 * METEOR's own files are inputs, and the signature identifies them by the first
 * digits of their SHA-256: function words (resources/function/english.words),
 * prefixes (resources/nonbreaking/english.prefixes), and WordNet 3.0.
 */
#include "harness/metrics/meteor/meteor.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/metrics/scorer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const languages[] = {"en", NULL};

struct options {
    int language, normalize;
    const char *modules, *weights, *parameters;
    const char *function_words, *prefixes, *wordnet;
};

static const struct key options[] = {
    {"language", &key_enum, SCORE_AT(language), .initial = "en",
     .choices = languages, .help = "language of the texts"},
    {"modules", &key_text, SCORE_AT(modules), .initial = "exact,stem,synonym",
     .help = "matching stages, in order"},
    {"weights", &key_text, SCORE_AT(weights),
     .help = "weights of the stages (default: 1, 0.6, 0.8)"},
    {"alpha_beta_gamma_delta", &key_text, SCORE_AT(parameters),
     .initial = "0.85,0.2,0.6,0.75", .help = "parameters of the score"},
    {"normalize", &key_bool, SCORE_AT(normalize), .initial = "true",
     .help = "use METEOR's tokenizer and lower case"},
    {"function_words", &key_text, SCORE_AT(function_words),
     .help = "METEOR's list, one word per line, or none"},
    {"prefixes", &key_text, SCORE_AT(prefixes),
     .help = "METEOR's list of words that keep their full stop, or none"},
    {"wordnet", &key_text, SCORE_AT(wordnet), .initial = "/usr/share/wordnet",
     .help = "folder of WordNet 3.0's index.* and *.exc"},
    {.name = NULL}};

static const struct { const char *name, *code; double weight; } modules[] = {
    [METEOR_EXACT] = {"exact", "ex", 1},
    [METEOR_STEM] = {"stem", "st", 0.6},
    [METEOR_SYNONYM] = {"synonym", "sy", 0.8},
};

/* ---- options ---- */

/* Reads n numbers separated by commas.  Returns -1 if there are not exactly
 * n. */
static int read_list(double *out, int n, const char *s)
{
    for (int i = 0; i < n; i++) {
        size_t bytes = strcspn(s, ",");
        char item[32] = "";

        if (bytes < sizeof item)
            memcpy(item, s, bytes);
        if (str_to_real(item, &out[i]) || (s[bytes] == ',') != (i + 1 < n))
            return -1;
        s += bytes + 1;
    }
    return 0;
}

static int read_modules(struct meteor_config *c, const char *list)
{
    int used[METEOR_MODULES] = {0};

    for (const char *s = list; *s; s += *s == ',') {
        size_t bytes = strcspn(s, ",");
        int k = 0;

        while (k < METEOR_MODULES && (strlen(modules[k].name) != bytes ||
                                      memcmp(modules[k].name, s, bytes)))
            k++;
        if (k == METEOR_MODULES || used[k]++)
            return err_set(ERR_USAGE, "-S modules=%s: expected some of exact, "
                           "stem, synonym (there is no paraphrase table)",
                           list);
        c->weight[c->stages] = modules[k].weight;
        c->stage[c->stages++] = k;
        s += bytes;
    }
    if (!c->stages)
        return err_set(ERR_USAGE, "-S modules=: expected at least one stage");
    return OK;
}

/* Sets the members of *c that are options, which is enough for meteor_score;
 * meteor_count also needs data. */
static int read_config(struct meteor_config *c, const struct options *o)
{
    double p[4];

    if (read_list(p, 4, o->parameters))
        return err_set(ERR_USAGE, "-S alpha_beta_gamma_delta=%s: expected four "
                       "numbers", o->parameters);
    PASS(read_modules(c, o->modules));
    if (o->weights && read_list(c->weight, c->stages, o->weights))
        return err_set(ERR_USAGE, "-S weights=%s: expected one number for each "
                       "of -S modules=%s", o->weights, o->modules);
    c->alpha = p[0];
    c->beta = p[1];
    c->gamma = p[2];
    c->delta = p[3];
    c->normalise = o->normalize;
    return OK;
}

/* ---- data ---- */

struct setup {
    struct meteor_config config;
    struct text          id; /* METEOR's name of the configuration */
    struct text          signature;
};

/* Reads the lines of one of METEOR's lists and sets `digest` to the first
 * digits of its SHA-256.  If the option is "none", there are no lines and
 * `digest` is "none". */
static int read_data(struct lines *out, char digest[HASH_HEX],
                     const char *given, const char *key, const char *name)
{
    OWNED(free) char *path = score_data(given, name);

    *out = (struct lines){0};
    strcpy(digest, "none");
    if (!path)
        return err_set(ERR_DATA, "METEOR needs its %s: use -S %s=FILE, or put "
                       "%s into the folder that $SYNTHBENCH_METRIC_DATA names; "
                       "-S %s=none scores without this list, and the signature "
                       "says so", key, key, name, key);
    if (!strcmp(path, "none"))
        return OK;
    PASS(lines_read(out, path));
    PASS(hash_file(path, digest));
    digest[8] = 0;
    return OK;
}

static void sign(struct setup *m, const char *key, const char *value)
{
    text_format(&m->signature, "|%s:%s", key, value);
}

static int read_lists(struct setup *m, const struct options *o)
{
    struct meteor_config *c = &m->config;
    OWNED(lines_close) struct lines list = {0};
    char digest[HASH_HEX];

    PASS(read_data(&list, digest, o->function_words, "function_words",
                   "meteor/english.words"));
    c->function = map_of_copies();
    for (size_t i = 0; i < list.n; i++)
        map_number(c->function, list.line[i], strlen(list.line[i]));
    sign(m, "function", digest);
    if (!c->normalise)
        return OK;
    lines_close(&list);
    PASS(read_data(&list, digest, o->prefixes, "prefixes",
                   "meteor/english.prefixes"));
    meteor_prefixes_read(&c->prefixes, &list);
    sign(m, "prefixes", digest);
    return OK;
}

static void add_number(struct text *t, char before, double x)
{
    text_format(t, "%c%g%s", before, x, x == (int)x ? ".0" : "");
}

/* Appends METEOR's own name of a configuration. */
static void name_config(struct text *t, const struct meteor_config *c)
{
    text_format(t, "meteor-1.5-wo-en-%snorm", c->normalise ? "" : "no_");
    add_number(t, '-', c->alpha);
    add_number(t, '_', c->beta);
    add_number(t, '_', c->gamma);
    add_number(t, '_', c->delta);
    for (int i = 0; i < c->stages; i++) {
        text_add(t, i ? "_" : "-", 1);
        text_add(t, modules[c->stage[i]].code, 2);
    }
    for (int i = 0; i < c->stages; i++)
        add_number(t, i ? '_' : '-', c->weight[i]);
}

static void setup_close(struct setup *m)
{
    map_free(m->config.function);
    meteor_prefixes_close(&m->config.prefixes);
    wordnet_close(m->config.wordnet);
    text_free(&m->signature);
    text_free(&m->id);
}
OWNER_OF_VALUE(setup_close, struct setup)

static int setup_open(struct setup *m, const struct score_input *in)
{
    const struct options *o = score_given(in);
    struct meteor_config *c = &m->config;

    *m = (struct setup){.config = {0}};
    PASS(read_config(c, o));
    name_config(&m->id, c);
    text_format(&m->signature, "nrefs:%d", in->refs);
    sign(m, "config", m->id.s);
    PASS(read_lists(m, o));
    for (int i = 0; i < c->stages; i++)
        if (c->stage[i] == METEOR_SYNONYM) {
            PASS(wordnet_open(&c->wordnet, o->wordnet));
            sign(m, "wordnet", wordnet_digest(c->wordnet));
        }
    sign(m, "paraphrases", "none");
    return OK;
}

/* ---- scoring ---- */

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
    OWNED(meteor_free) struct meteor *m = meteor_new(c);
    OWNED(segment_free) struct segment s = {0};

    for (size_t i = 0; i < in->hyp->n; i++) {
        segment_read(&s, in, i, 1);
        all[i] = best_reference(m, c, &s);
    }
    return all;
}

enum { COLUMNS = sizeof(struct meteor_stats) / sizeof(double) };

/* Returns rows (n,COLUMNS), from whose sums meteor_score computes the score of
 * a system. */
static double *addends(const struct meteor_stats *all, size_t n)
{
    struct meteor_stats *x = malloc(n * sizeof *x);

    for (size_t i = 0; i < n; i++) {
        x[i] = all[i];
        x[i].chunks = meteor_perfect(&all[i]) ? 0 : all[i].chunks;
    }
    return (double *)x;
}

/* METEOR prints the columns, then the number of matched words of the hypothesis
 * and of the reference. */
enum { STATS = COLUMNS + 2 };

static void in_order(double out[STATS], const struct meteor_stats *s)
{
    memcpy(out, s, sizeof *s);
    for (int side = 0; side < 2; side++)
        out[COLUMNS + side] = meteor_matches(s, side);
}

static json_t *segments_of(const struct meteor_config *c,
                           const struct meteor_stats *all, size_t n)
{
    json_t *scores = json_array(), *lines = json_array(), *out = json_object();

    for (size_t i = 0; i < n; i++) {
        double stats[STATS];
        OWNED(text_free) struct text line = {0};

        in_order(stats, &all[i]);
        for (int k = 0; k < STATS; k++)
            text_format(&line, "%s%.0f", k ? " " : "", stats[k]);
        json_array_append_new(scores, json_real(meteor_score(c, &all[i])
                                                    .score));
        json_array_append_new(lines, json_string(line.s));
    }
    result_json(out, "score", scores);
    result_json(out, "stats", lines);
    return out;
}

static int score(json_t *out, const struct score_input *in)
{
    size_t n = in->hyp->n;
    struct meteor_stats sum;
    OWNED(setup_close) struct setup m;
    double stats[STATS];
    json_t *system;

    PASS(setup_open(&m, in));
    OWNED(free) struct meteor_stats *all = of_all(&m.config, in);
    OWNED(free) double *rows = addends(all, n);
    scorer_sum((double *)&sum, rows, n, COLUMNS);
    struct meteor_score s = meteor_score(&m.config, &sum);
    in_order(stats, &sum);
    result_real(out, "score", s.score);
    result_text(out, "signature", m.signature.s);
    result_text(out, "config_id", m.id.s);
    result_json(out, "system", system = json_object());
    result_real(system, "score", s.score);
    result_real(system, "precision", s.precision);
    result_real(system, "recall", s.recall);
    result_real(system, "fmean", s.fmean);
    result_real(system, "frag_penalty", s.penalty);
    result_json(system, "stats", result_reals(stats, STATS, 1));
    result_json(out, "segments", segments_of(&m.config, all, n));
    return OK;
}

static int segments(double **stats, size_t *columns,
                    const struct score_input *in)
{
    OWNED(setup_close) struct setup m;

    *columns = COLUMNS;
    *stats = NULL;
    PASS(setup_open(&m, in));
    OWNED(free) struct meteor_stats *all = of_all(&m.config, in);
    *stats = addends(all, in->hyp->n);
    return OK;
}

static double of_sums(const double *sums, const struct score_input *in)
{
    struct meteor_config c = {0};
    int rc = read_config(&c, score_given(in));

    REQUIRE(rc == OK, "options accepted by segments(): %s", err_last());
    return meteor_score(&c, (const struct meteor_stats *)sums).score;
}

const struct scorer scorer_meteor = {
    .name = "meteor",
    .title = "METEOR 1.5 without paraphrases",
    .unit = "1",
    SCORE_HAS_OPTIONS,
    .score = score,
    .segments = segments,
    .of_sums = of_sums,
};
