#include "harness/verify/metrics/vector_case.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

int case_lines(const struct vector_case *c, struct lines *out,
               const char *name)
{
    OWNED(free) char *path = str_format("%s/%s", c->path, name);

    return lines_read(out, path);
}

/* ref1.txt, ref2.txt, ... for "ref%d.txt". */
static int open_refs(struct case_files *f, const struct vector_case *c,
                     const char *ref)
{
    size_t before = strcspn(ref, "%");
    int numbered = ref[before] != 0, rc = OK;

    for (int i = 0; i < SCORE_REFS && (i == 0 || numbered); i++) {
        char *name = numbered ? str_format("%.*s%d%s", (int)before, ref, i + 1,
                                           ref + before + 2)
                              : str_copy(ref);
        char *path = str_format("%s/%s", c->path, name);
        int last = i > 0 && !file_exists(path);

        rc = last ? OK : lines_read(&f->ref[i], path);
        f->refs += !last && rc == OK;
        free(path);
        free(name);
        if (last || rc < 0)
            break;
    }
    return rc;
}

int case_files_open(struct case_files *f, const struct vector_case *c,
                    const char *hyp, const char *ref, const char *groups)
{
    int rc;

    *f = (struct case_files){.refs = 0};
    TRY(case_lines(c, &f->hyp, hyp));
    TRY(open_refs(f, c, ref));
    if (groups)
        TRY(case_lines(c, &f->groups, groups));
out:
    if (rc < 0)
        case_files_close(f);
    return rc;
}

void case_files_close(struct case_files *f)
{
    lines_close(&f->hyp);
    for (int i = 0; i < f->refs; i++)
        lines_close(&f->ref[i]);
    lines_close(&f->groups);
    f->refs = 0;
}

/* ---- scoring ---- */

/* A JSON value as -S would give it. */
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
        : json_is_boolean(v) ? str_copy(json_is_true(v) ? "yes" : "no")
        : json_dumps(v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    text_add(out, s, strlen(s));
}

static int set_options(struct score_options *o, const json_t *options)
{
    const char *key;
    json_t *v;
    int rc = OK;

    json_object_foreach((json_t *)options, key, v) {
        struct text value = {0};

        if (json_is_null(v))
            continue;
        text_add(&value, "", 0);
        add_value(&value, v);
        rc = score_options_set(o, key, value.s);
        text_free(&value);
        if (rc < 0)
            break;
    }
    return rc;
}

int case_score(struct result **out, const struct vector_case *c,
               const struct scorer *s, const struct case_files *f,
               const json_t *options)
{
    OWNED(score_options_free) struct score_options *o = score_options_new(s);
    struct score_input in = {.hyp = &f->hyp, .refs = f->refs,
                             .groups = f->groups.path ? &f->groups : NULL,
                             .options = o};
    int rc;

    *out = NULL;
    for (int i = 0; i < f->refs; i++)
        in.ref[i] = &f->ref[i];
    TRY(set_options(o, options));
    TRY(scorer_run(out, s, &in));
out:
    return rc < 0 ? err_wrap(rc, "%s", c->path) : rc;
}

static int is_in(const char *const *list, const char *word)
{
    for (; list && *list; list++)
        if (!strcmp(*list, word))
            return 1;
    return 0;
}

/* "runs {"tokenize": "13a", ...}", to tell one run from another. */
static char *run_name(const char *where, const json_t *options)
{
    OWNED(free) char *s = options ? json_dumps(options, 0) : NULL;
    char *name = str_format("%s%s%s", where, s ? " " : "", s ? s : "");

    return name;
}

int case_run(struct vector_case *c, const struct scorer *s,
             const struct case_files *f, const json_t *run, const char *where,
             const char *const *ignore)
{
    const json_t *options = json_object_get(run, "options");
    OWNED(free) char *name = run_name(where, options);
    OWNED(result_free) struct result *r = NULL;
    const char *key;
    json_t *want;
    int rc;

    TRY(case_score(&r, c, s, f, options));
    json_object_foreach((json_t *)run, key, want) {
        if (!strcmp(key, "options") || is_in(ignore, key))
            continue;
        char *at = str_format("%s: %s", name, key);
        rc = case_equal(c, at, want, json_object_get(result_tree(r), key));
        free(at);
        TRY(rc);
    }
out:
    return rc;
}

int case_runs(struct vector_case *c, const struct scorer *s,
              const struct case_files *f)
{
    json_t *run, *runs = json_object_get(c->expected, "runs");
    size_t i;

    json_array_foreach(runs, i, run) {
        char where[32];

        snprintf(where, sizeof where, "runs[%zu]", i);
        PASS(case_run(c, s, f, run, where, NULL));
    }
    return OK;
}

/* ---- comparing ---- */

/* Messages of err.h may be cut; this one is kept whole. */
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

    char *whole = str_format("%s: %s\n    expected %s\n    got      %s",
                             c->path, where, w ? w : "nothing",
                             g ? g : "nothing");
    return mismatch(c, whole);
}

/* |a - b| <= tolerance max(|a|,|b|), or <= 1e-12 where one of them is 0. */
static int near(double a, double b, double tolerance)
{
    if (a == 0 || b == 0)
        return fabs(a - b) <= 1e-12;
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

int case_equal_real(struct vector_case *c, const char *where, double want,
                    double got)
{
    c->compared++;
    if (near(want, got, c->tolerance) || (isnan(want) && isnan(got)))
        return OK;
    return err_set(CASE_MISMATCH, "%s: %s\n    expected %.17g\n    got      "
                   "%.17g", c->path, where, want, got);
}

int case_equal_text(struct vector_case *c, const char *where, size_t line,
                    const char *want, const char *got)
{
    c->compared++;
    if (!strcmp(want, got))
        return OK;
    return mismatch(c, str_format("%s: %s:%zu\n    expected %s\n    got      "
                                  "%s", c->path, where, line + 1, want, got));
}

int case_has(const struct vector_case *c, const char *name)
{
    OWNED(free) char *path = str_format("%s/%s", c->path, name);
    int yes = file_exists(path);

    return yes;
}

int case_texts(struct vector_case *c, const char *from, const char *name,
               char *(*make)(const void *with, const char *line),
               const void *with)
{
    OWNED(lines_close) struct lines in = {0};
    OWNED(lines_close) struct lines want = {0};
    int rc;

    TRY(case_lines(c, &in, from));
    TRY(case_lines(c, &want, name));
    if (in.n != want.n)
        TRY(mismatch(c, str_format("%s: %zu lines in %s, %zu in %s", c->path,
                                   in.n, from, want.n, name)));
    for (size_t i = 0; i < in.n; i++) {
        char *got = make(with, in.line[i]);

        rc = case_equal_text(c, name, i, want.line[i], got);
        free(got);
        TRY(rc);
    }
out:
    return rc;
}

/* Lists and objects, member by member. */
static int equal_members(struct vector_case *c, const char *where,
                         const json_t *want, const json_t *got)
{
    void *at = json_object_iter((json_t *)want);
    size_t n = json_is_array(want) ? json_array_size(want)
                                   : json_object_size(want);

    if (json_is_array(want) ? !json_is_array(got) || json_array_size(got) != n
                            : !json_is_object(got))
        return differ(c, where, want, got);
    for (size_t i = 0; i < n; i++) {
        int list = json_is_array(want), rc;
        const char *key = list ? "" : json_object_iter_key(at);
        char *name = list ? str_format("%s[%zu]", where, i)
                          : str_format("%s.%s", where, key);

        rc = case_equal(c, name,
                        list ? json_array_get(want, i)
                             : json_object_iter_value(at),
                        list ? json_array_get(got, i)
                             : json_object_get(got, key));
        free(name);
        if (rc < 0)
            return rc;
        at = list ? NULL : json_object_iter_next((json_t *)want, at);
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
