/*
 * vectors_meteor: checks METEOR.  Its word lists and WordNet are not part of
 * the program: if they are missing, the checks that need them are skipped, and
 * a note names the missing data.
 */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/metrics/meteor/meteor.h"
#include "harness/verify/metrics/vector_case.h"

#include <stdlib.h>
#include <string.h>

static const char WORDNET[] = "/usr/share/wordnet/index.noun";

/* ---- data ---- */

struct lists { char *words, *prefixes; };

static int find_lists(struct lists *l, struct vector_case *c)
{
    *l = (struct lists){NULL, NULL};
    if (c->data) {
        l->words = str_format("%s/meteor/english.words", c->data);
        l->prefixes = str_format("%s/meteor/english.prefixes", c->data);
    }
    if (c->data && file_exists(l->words) && file_exists(l->prefixes))
        return 1;
    case_skip(c, "needs METEOR's english.words and english.prefixes in "
              "DIR/meteor; specify --data DIR");
    return 0;
}

static int uses_synonyms(const json_t *options)
{
    const json_t *modules = json_object_get(options, "modules");

    for (size_t i = 0; i < json_array_size(modules); i++)
        if (!strcmp(json_string_value(json_array_get(modules, i)), "synonym"))
            return 1;
    return !modules;
}

/* Returns a copy of `run` whose options name the lists, or NULL if the data of
 * one of its stages is missing. */
static json_t *with_lists(struct vector_case *c, const json_t *run,
                          const struct lists *l)
{
    json_t *copy = json_deep_copy(run);
    json_t *options = json_object_get(copy, "options");

    if (uses_synonyms(options) && !file_exists(WORDNET)) {
        case_skip(c, "stage 'synonym' needs %s (Debian's wordnet-base)",
                  WORDNET);
        json_decref(copy);
        return NULL;
    }
    json_object_set_new(options, "function_words", json_string(l->words));
    json_object_set_new(options, "prefixes", json_string(l->prefixes));
    return copy;
}

/* ---- cases ---- */

static char *normal(const void *with, const char *line)
{
    struct meteor *m = meteor_new(with);
    OWNED(text_free) struct text words = {0};

    text_add(&words, "", 0);
    text_join_words(&words, line, strlen(line));
    char *s = str_copy(meteor_text(m, words.s));
    meteor_free(m);
    return s;
}

static int check_normal(struct vector_case *c, const struct lists *l)
{
    struct meteor_config config = {.normalise = 1};
    OWNED(lines_close) struct lines list = {0};
    int rc;

    GOTO_IF_ERR(lines_read(&list, l->prefixes));
    meteor_prefixes_read(&config.prefixes, &list);
    GOTO_IF_ERR(case_texts(c, "hyp.txt", "norm.hyp.txt", normal, &config));
out:
    meteor_prefixes_close(&config.prefixes);
    return rc;
}

static int check_runs(struct vector_case *c, const struct lists *l)
{
    const json_t *run;
    size_t i;

    PASS(case_open(c, "hyp.txt", "ref%d.txt", NULL));
    PASS(check_normal(c, l));
    json_array_foreach(json_object_get(c->expected, "runs"), i, run) {
        OWNED(json_decref) json_t *full = with_lists(c, run, l);

        if (full)
            PASS(case_run(c, full, "runs"));
    }
    return OK;
}

/* Scores line i of cases.tsv, which has a hypothesis and its references,
 * separated by tabs. */
static int check_row(struct vector_case *c, struct lines *cases, size_t i,
                     const json_t *options, const json_t *want)
{
    struct vector_case row = {.path = c->path, .scorer = c->scorer};
    OWNED(json_decref) json_t *r = NULL;
    char *line[1 + SCORE_REFS], *rest = cases->line[i];
    int n = 0;

    for (; n <= SCORE_REFS && (line[n] = strsep(&rest, "\t")); n++)
        *(n ? &row.files.ref[n - 1] : &row.files.hyp) =
            (struct lines){.path = cases->path, .line = &line[n], .n = 1};
    row.files.refs = n - 1;
    PASS(case_score(&r, &row, options));
    return case_equal(c, "exact_stem_synonym", want,
                      json_object_get(r, "score"));
}

static int check_anchors(struct vector_case *c, const json_t *rows,
                         const struct lists *l)
{
    OWNED(json_decref) json_t *empty = json_object();
    json_object_set_new(empty, "options", json_object());
    OWNED(json_decref) json_t *run = with_lists(c, empty, l);
    OWNED(lines_close) struct lines cases = {0};
    const json_t *row;
    size_t i;

    if (!run)
        return OK;
    PASS(case_lines(c, &cases, "cases.tsv"));
    OWNED(json_decref) json_t *lines = json_integer((json_int_t)cases.n);
    OWNED(json_decref) json_t *want =
        json_integer((json_int_t)json_array_size(rows));
    PASS(case_equal(c, "lines of cases.tsv", want, lines));
    json_array_foreach((json_t *)rows, i, row)
        PASS(check_row(c, &cases, i, json_object_get(run, "options"),
                       json_object_get(row, "exact_stem_synonym")));
    return OK;
}

int vectors_meteor(struct vector_case *c)
{
    const json_t *rows = json_object_get(c->expected, "rows");
    struct lists l;
    int rc = OK;

    if (find_lists(&l, c))
        rc = rows ? check_anchors(c, rows, &l) : check_runs(c, &l);
    free(l.words);
    free(l.prefixes);
    return rc;
}
