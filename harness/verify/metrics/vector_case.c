#include "harness/verify/metrics/vector_case.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

int case_lines(const struct vector_case *c, struct lines *out,
               const char *name)
{
    OWNED(free) char *path = str_format("%s/%s", c->path, name);

    return lines_read(out, path);
}

static int case_has(const struct vector_case *c, const char *name)
{
    OWNED(free) char *path = str_format("%s/%s", c->path, name);

    return file_exists(path);
}

/* Opens the references that the pattern `ref` names (case_open). */
static int open_refs(struct vector_case *c, const char *ref)
{
    int before = (int)strcspn(ref, "%"), numbered = ref[before] != 0, n = 0;

    for (; n < SCORE_REFS && (n == 0 || numbered); n++) {
        OWNED(free) char *name =
            numbered ? str_format("%.*s%d%s", before, ref, n + 1,
                                  ref + before + 2)
                     : str_copy(ref);

        if (n > 0 && !case_has(c, name))
            break;
        PASS(case_lines(c, &c->files.ref[n], name));
        c->files.refs = n + 1;
    }
    return OK;
}

int case_open(struct vector_case *c, const char *hyp, const char *ref,
              const char *groups)
{
    PASS(case_lines(c, &c->files.hyp, hyp));
    PASS(open_refs(c, ref));
    return groups ? case_lines(c, &c->files.groups, groups) : OK;
}

void case_close(struct vector_case *c)
{
    lines_close(&c->files.hyp);
    for (int i = 0; i < c->files.refs; i++)
        lines_close(&c->files.ref[i]);
    lines_close(&c->files.groups);
}

/* ---- scoring ---- */

/* Adds a JSON value in the form that the option -S of `score` requires. */
static void add_value(struct text *out, const json_t *v)
{
    if (json_is_array(v)) {
        for (size_t i = 0; i < json_array_size(v); i++) {
            text_add(out, ",", i > 0);
            add_value(out, json_array_get(v, i));
        }
        return;
    }
    OWNED(free) char *s =
        json_is_string(v) ? str_copy(json_string_value(v))
        : json_is_boolean(v) ? str_copy(json_is_true(v) ? "true" : "false")
        : json_dumps(v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    text_add(out, s, strlen(s));
}

static int set_options(struct score_options *o, const json_t *options)
{
    const char *key;
    json_t *v;

    json_object_foreach((json_t *)options, key, v) {
        OWNED(text_free) struct text value = {0};

        if (json_is_null(v))
            continue;
        text_add(&value, "", 0);
        add_value(&value, v);
        PASS(score_options_set(o, key, value.s));
    }
    return OK;
}

int case_score(json_t **out, const struct vector_case *c,
               const json_t *options)
{
    const struct case_files *f = &c->files;
    OWNED(score_options_free) struct score_options *o =
        score_options_new(c->scorer);
    struct score_input in = {.hyp = &f->hyp, .refs = f->refs,
                             .groups = f->groups.path ? &f->groups : NULL,
                             .options = o};
    int rc;

    *out = NULL;
    for (int i = 0; i < f->refs; i++)
        in.ref[i] = &f->ref[i];
    GOTO_IF_ERR(set_options(o, options));
    GOTO_IF_ERR(scorer_run(out, c->scorer, &in));
out:
    return rc < 0 ? err_wrap(rc, "%s", c->path) : rc;
}

/* Messages identify a run as 'runs[0] {"tokenize": "13a", ...}: score'. */
int case_run(struct vector_case *c, const json_t *run, const char *where)
{
    const json_t *options = json_object_get(run, "options");
    OWNED(free) char *said = options ? json_dumps(options, 0) : NULL;
    OWNED(json_decref) json_t *r = NULL;
    const char *key;
    json_t *want;

    PASS(case_score(&r, c, options));
    json_object_foreach((json_t *)run, key, want) {
        OWNED(free) char *at = str_format("%s%s%s: %s", where, said ? " " : "",
                                          said ? said : "", key);

        if (strcmp(key, "options"))
            PASS(case_equal(c, at, want,
                            json_object_get(r, key)));
    }
    return OK;
}

int case_runs(struct vector_case *c)
{
    json_t *run, *runs = json_object_get(c->expected, "runs");
    size_t i;

    json_array_foreach(runs, i, run) {
        char where[32];

        snprintf(where, sizeof where, "runs[%zu]", i);
        PASS(case_run(c, run, where));
    }
    return OK;
}

int case_whole(struct vector_case *c)
{
    /* keys that describe the values and are not compared */
    static const char *const about[] = {
        "metric", "case", "n", "n_segments", "n_refs", "reference_tool",
        "note", "format", "dtype_of_vectors_in_reference", "tolerance_rel",
        "oov_hyp_tokens"};

    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        json_object_del(c->expected, about[i]);
    return case_run(c, c->expected, "values");
}

int case_values(struct vector_case *c)
{
    json_object_update(c->expected, json_object_get(c->expected, "values"));
    json_object_del(c->expected, "values");
    return case_whole(c);
}

/* ---- comparing ---- */

/* Records a mismatch with its whole text, because err.h may truncate a message.
 * */
static int mismatch(struct vector_case *c, char *whole)
{
    free(c->mismatch);
    c->mismatch = whole;
    return err_set(CASE_MISMATCH, "%s", whole);
}

static int differ(struct vector_case *c, const char *where,
                  const json_t *want, const json_t *got)
{
    int flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(17);
    OWNED(free) char *w = want ? json_dumps(want, flags) : NULL;
    OWNED(free) char *g = got ? json_dumps(got, flags) : NULL;

    return mismatch(c, str_format("%s: %s: expected %s, got %s", c->path, where,
                                  w ? w : "nothing", g ? g : "nothing"));
}

/* Returns true if |a - b| <= tolerance max(|a|,|b|), or <= 1e-12 if one of them
 * is 0. */
static int near(double a, double b, double tolerance)
{
    if (a == 0 || b == 0)
        return fabs(a - b) <= 1e-12;
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

int case_equal_text(struct vector_case *c, const char *where, size_t line,
                    const char *want, const char *got)
{
    c->compared++;
    if (!strcmp(want, got))
        return OK;
    return mismatch(c, str_format("%s: %s:%zu: expected %s, got %s", c->path,
                                  where, line + 1, want, got));
}

int case_texts(struct vector_case *c, const char *from, const char *name,
               case_make *make, const void *with)
{
    OWNED(lines_close) struct lines in = {0};
    OWNED(lines_close) struct lines want = {0};

    PASS(case_lines(c, &in, from));
    PASS(case_lines(c, &want, name));
    if (in.n != want.n)
        return mismatch(c, str_format("%s: %zu lines in %s, %zu in %s",
                                      c->path, in.n, from, want.n, name));
    for (size_t i = 0; i < in.n; i++) {
        OWNED(free) char *got = make(with, in.line[i]);

        PASS(case_equal_text(c, name, i, want.line[i], got));
    }
    return OK;
}

int case_tokens(struct vector_case *c, const char *from, const char *name,
                case_make *make, const void *with)
{
    return case_has(c, name) ? case_texts(c, from, name, make, with) : OK;
}

/* Compares lists and objects, member by member. */
static int equal_members(struct vector_case *c, const char *where,
                         const json_t *want, const json_t *got)
{
    const char *key;
    json_t *v;
    size_t i;

    if (json_is_array(want) ? !json_is_array(got) || json_array_size(got) !=
                                                         json_array_size(want)
                            : !json_is_object(got))
        return differ(c, where, want, got);
    json_array_foreach((json_t *)want, i, v) {
        OWNED(free) char *at = str_format("%s[%zu]", where, i);

        PASS(case_equal(c, at, v, json_array_get(got, i)));
    }
    json_object_foreach((json_t *)want, key, v) {
        OWNED(free) char *at = str_format("%s.%s", where, key);

        PASS(case_equal(c, at, v, json_object_get(got, key)));
    }
    return OK;
}

int case_equal(struct vector_case *c, const char *where, const json_t *want,
               const json_t *got)
{
    if (json_is_array(want) || json_is_object(want))
        return equal_members(c, where, want, got);
    c->compared++;
    if (json_is_real(want) && json_is_number(got)) {
        if (near(json_real_value(want), json_number_value(got), c->tolerance))
            return OK;
    } else if (json_is_integer(want) && json_is_number(got)) {
        if (json_number_value(want) == json_number_value(got))
            return OK;
    } else if (want && got && json_equal(want, got))
        return OK;
    return differ(c, where, want, got);
}

void case_skip(struct vector_case *c, const char *fmt, ...)
{
    char why[512];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    if (!c->skipped)
        c->skipped = str_copy(why);
}
