#include "harness/verify/metrics/vectors.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/verify/metrics/vector_case.h"

#include <dirent.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define THIRD_PARTY "third_party"

/* ---- one case ---- */

static int read_expected(struct vector_case *c)
{
    char *path = str_format("%s/expected.json", c->path);
    json_error_t why;
    int rc = OK;

    c->expected = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
    if (!c->expected)
        rc = err_set(ERR_DATA, "%s:%d: %s", path, why.line, why.text);
    free(path);
    return rc;
}

void vectors_run(struct vector_outcome *out, const struct vectors *v,
                 const char *path, const char *data)
{
    struct vector_case c = {.path = path, .data = data, .tolerance = 1e-9};
    int rc;

    *out = (struct vector_outcome){.verdict = OK};
    TRY(read_expected(&c));
    TRY(v->check(&c));
    if (!c.compared && !c.skipped)
        TRY(err_set(CASE_MISMATCH, "%s: nothing was compared", path));
out:
    if (rc < 0) {
        out->verdict = rc == CASE_SKIPPED ? CASE_SKIPPED : CASE_MISMATCH;
        out->message = rc == CASE_MISMATCH && c.mismatch
                           ? str_copy(c.mismatch) : str_copy(err_last());
        free(c.skipped);
    } else if (c.skipped) {
        out->verdict = CASE_SKIPPED;
        out->message = c.skipped;
    }
    free(c.mismatch);
    out->compared = c.compared;
    json_decref(c.expected);
}

/* ---- folders ---- */

struct walk {
    const char     *data;
    vectors_report *report;
    void           *arg;
    const char     *metric; /* whose folder it is in, or NULL */
};

static int is_case(const char *path)
{
    char *file = str_format("%s/expected.json", path);
    int yes = file_exists(file);

    free(file);
    return yes;
}

/* The last part of a path, into fresh memory. */
static char *last_name(const char *path)
{
    char *copy = str_copy(path), *name = str_copy(basename(copy));

    free(copy);
    return name;
}

const struct vectors *vectors_find(const char *folder)
{
    for (int i = 0; vectors_all[i]; i++)
        for (int k = 0; vectors_all[i]->folders[k]; k++)
            if (!strcmp(vectors_all[i]->folders[k], folder))
                return vectors_all[i];
    return NULL;
}

static void walk_case(const struct walk *w, const char *metric,
                      const char *path)
{
    const struct vectors *vectors = vectors_find(metric);
    struct vector_outcome o = {.verdict = CASE_MISMATCH};
    char *own = last_name(path);
    char *name = strcmp(own, metric) ? str_format("%s/%s", metric, own)
                                     : str_copy(metric);

    if (vectors)
        vectors_run(&o, vectors, path, w->data);
    else
        o.message = str_format("%s: no metric knows a folder '%s'", path,
                               metric);
    w->report(w->arg, metric, name, &o);
    free(o.message);
    free(name);
    free(own);
}

static int is_shown(const struct dirent *d) { return d->d_name[0] != '.'; }

static int walk_folder(struct walk *w, const char *path);

/* The folders in `path`, in the order of their names: cases of w->metric, or
 * folders of metrics. */
static int walk_each(struct walk *w, const char *path)
{
    struct dirent **entry;
    int n = scandir(path, &entry, is_shown, alphasort), rc = OK;

    if (n < 0)
        return err_errno(ERR_DATA, "%s", path);
    for (int i = 0; i < n; i++) {
        char *inner = str_format("%s/%s", path, entry[i]->d_name);
        struct stat st;
        int folder = !stat(inner, &st) && S_ISDIR(st.st_mode);

        if (rc == OK && folder && !w->metric)
            rc = walk_folder(w, inner);
        else if (rc == OK && folder && is_case(inner))
            walk_case(w, w->metric, inner);
        free(inner);
        free(entry[i]);
    }
    free(entry);
    return rc;
}

/* A metric's folder: its cases, or itself. */
static int walk_folder(struct walk *w, const char *path)
{
    char *name = last_name(path);
    int rc = OK;

    if (strcmp(name, THIRD_PARTY)) {
        w->metric = name;
        if (!is_case(path) && vectors_find(name))
            rc = walk_each(w, path);
        else
            walk_case(w, name, path);
        w->metric = NULL;
    }
    free(name);
    return rc;
}

/* `said`, third_party of the set, or the environment's. */
static char *find_data(const char *said, const char *path)
{
    static const char *const up[] = {"", "/..", "/../.."};
    const char *environment = getenv("SYNTHBENCH_METRIC_DATA");

    if (said)
        return str_copy(said);
    for (int i = 0; i < 3; i++) {
        char *p = str_format("%s%s/" THIRD_PARTY, path, up[i]);

        if (file_exists(p))
            return p;
        free(p);
    }
    return environment && *environment ? str_copy(environment) : NULL;
}

int vectors_verify(const char *path, const char *said, vectors_report *report,
                   void *arg)
{
    char *whole = realpath(path, NULL);
    int rc = OK;

    if (!whole)
        return err_errno(ERR_DATA, "%s: no reference vectors; name them with "
                         "--vectors DIR", path);
    char *data = find_data(said, path);
    char *own = last_name(whole), *above = str_copy(whole);
    struct walk w = {.data = data, .report = report, .arg = arg};
    if (vectors_find(own))
        rc = walk_folder(&w, whole);
    else if (is_case(path))
        walk_case(&w, basename(dirname(above)), whole);
    else
        rc = walk_each(&w, path);
    free(above);
    free(own);
    free(data);
    free(whole);
    return rc;
}
