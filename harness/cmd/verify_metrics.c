/*
 * verify metrics: every case of a folder of reference vectors.
 *
 *   DIR/METRIC/CASE/expected.json      DIR: the set, DIR/METRIC or a CASE
 *   DIR/METRIC/expected.json           a metric of one case
 *   DIR/third_party                    word lists that are not ours to ship
 */
#include "harness/base/json.h"
#include "harness/cmd/verify.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/print/sheet.h"
#include "harness/verify/metrics/vectors.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>


struct given { const char *vectors, *data, *format; }; /* data: or NULL */

static const struct opt options[] = {
    {"--vectors", 0, "DIR", opt_folder, OPT_AT(vectors),
     .doc = "A folder of metric folders, one of them, or one case",
     .initial = "tests/data/metrics"},
    {"--data", 0, "DIR", opt_folder, OPT_AT(data),
     .doc = "Word lists that metrics need and that are not ours to ship "
            "(default: third_party beside the vectors, "
            "$SYNTHBENCH_METRIC_DATA)"},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

#define THIRD_PARTY     "third_party"

enum { VERDICTS = 3 }; /* passed, failed, skipped */

struct tally { int count[VERDICTS]; long compared; };

struct folder { char *name; struct tally tally; }; /* of one metric */

struct unfit { const char *why, *cases; };

struct verifying {
    const char     *data;
    struct tally    all;
    struct folder  *folder;
    struct unfit   *skipped;
    int             n, reasons; /* folders; why some are skipped */
    size_t          folder_cap, skipped_cap;
    struct sheet   *sheet;
    struct grid    *grid;
    json_t         *rows;       /* an object a case              */
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

static const struct vectors *find_vectors(const char *folder)
{
    for (int i = 0; vectors_all[i]; i++)
        for (int k = 0; vectors_all[i]->folders[k]; k++)
            if (!strcmp(vectors_all[i]->folders[k], folder))
                return vectors_all[i];
    return NULL;
}

/* One more case that is skipped for this reason. */
static void skip(struct verifying *v, const char *name, const char *why)
{
    int i = 0;

    while (i < v->reasons && strcmp(v->skipped[i].why, why))
        i++;
    if (i == v->reasons) {
        ARRAY_ROOM(v->skipped, v->reasons, v->skipped_cap);
        v->skipped[v->reasons++] = (struct unfit){
            arena_text(v->sheet->memory, why), NULL};
    }
    const char **cases = &v->skipped[i].cases;
    *cases = arena_format(v->sheet->memory, "%s%s%s", *cases ? *cases : "",
                          *cases ? ", " : "", name);
}

/* ---- one case ---- */

static void note(struct verifying *v, struct tally *t, const char *name,
                 const struct vector_outcome *o)
{
    static const char *const verdicts[VERDICTS] = {"pass", "fail", "n/a"};
    int k = o->verdict == OK ? 0 : o->verdict == CASE_SKIPPED ? 2 : 1;

    t->count[k]++;
    t->compared += o->compared;
    v->all.count[k]++;
    v->all.compared += o->compared;
    if (k == 1 && t->count[1] == 1) /* the first of the folder */
        sheet_put(v->sheet, PART_LINE, "%s", o->message);
    if (k == 2)
        skip(v, name, o->message);
    json_array_append_new(
        v->rows,
        json_pack("{s:s, s:s, s:I, s:s?, s:s, s:s}", "subject", name,
                  "property", "equals the reference tool", "measured",
                  (json_int_t)o->compared, "message", o->message, "bound",
                  "every value, 1e-9 relative or as the case demands",
                  "verdict", verdicts[k]));
}

static void verify_case(struct verifying *v, struct tally *t,
                        const char *folder, const char *path)
{
    const struct vectors *vectors = find_vectors(folder);
    struct vector_outcome o = {.verdict = CASE_MISMATCH};
    char *own = last_name(path);
    char *name = strcmp(own, folder) ? str_format("%s/%s", folder, own)
                                     : str_copy(folder);

    if (vectors)
        vectors_run(&o, vectors, path, v->data);
    else
        o.message = str_format("%s: no metric knows a folder '%s'", path,
                               folder);
    note(v, t, name, &o);
    free(o.message);
    free(name);
    free(own);
}

/* ---- folders ---- */

static int is_shown(const struct dirent *d) { return d->d_name[0] != '.'; }

/* Calls `each` for the folders in `path`, in the order of their names. */
static int each_folder(struct verifying *v, const char *path,
                       int (*each)(struct verifying *, const char *, void *),
                       void *with)
{
    struct dirent **entry;
    int n = scandir(path, &entry, is_shown, alphasort), rc = OK;

    if (n < 0)
        return err_errno(ERR_DATA, "%s", path);
    for (int i = 0; i < n; i++) {
        char *inner = str_format("%s/%s", path, entry[i]->d_name);
        struct stat st;

        if (rc == OK && !stat(inner, &st) && S_ISDIR(st.st_mode))
            rc = each(v, inner, with);
        free(inner);
        free(entry[i]);
    }
    free(entry);
    return rc;
}

static int inner_case(struct verifying *v, const char *path, void *with)
{
    struct folder *f = with;

    if (is_case(path))
        verify_case(v, &f->tally, f->name, path);
    return OK;
}

/* Takes the name. */
static struct folder *add_folder(struct verifying *v, char *name)
{
    ARRAY_ROOM(v->folder, v->n, v->folder_cap);
    v->folder[v->n] = (struct folder){.name = name};
    return &v->folder[v->n++];
}

/* A metric's folder: its cases, or itself. */
static int verify_folder(struct verifying *v, const char *path, void *with)
{
    char *name = last_name(path);

    (void)with;
    if (!strcmp(name, THIRD_PARTY)) {
        free(name);
        return OK;
    }
    struct folder *f = add_folder(v, name);
    if (!is_case(path) && find_vectors(name))
        return each_folder(v, path, inner_case, f);
    verify_case(v, &f->tally, name, path);
    return OK;
}

/* The set, a metric's folder or one case of it. */
static int verify_path(struct verifying *v, const char *path)
{
    char *whole = realpath(path, NULL);
    int rc = OK;

    if (!whole)
        return err_errno(ERR_DATA, "%s: no reference vectors; name them with "
                         "--vectors DIR", path);
    char *own = last_name(whole), *above = str_copy(whole);
    int known = find_vectors(own) != NULL;
    if (known)
        rc = verify_folder(v, whole, NULL);
    else if (is_case(path)) {
        struct folder *f = add_folder(v, last_name(dirname(above)));

        verify_case(v, &f->tally, f->name, whole);
    } else
        rc = each_folder(v, path, verify_folder, NULL);
    free(above);
    free(own);
    free(whole);
    return rc;
}

/* ---- reporting ---- */

/* Behind what was said of mismatches. */
static void put_people(const struct verifying *v)
{
    const int *n = v->all.count;

    for (int i = 0; i < v->n; i++) {
        grid_add(v->grid, "%s", v->folder[i].name);
        for (int k = 0; k < VERDICTS; k++)
            grid_add(v->grid, "%d", v->folder[i].tally.count[k]);
        grid_add(v->grid, "%ld", v->folder[i].tally.compared);
    }
    for (int i = 0; i < v->reasons; i++) {
        sheet_put(v->sheet, PART_GAP, "%s", "");
        sheet_put(v->sheet, PART_LINE, "skipped: %s", v->skipped[i].why);
        sheet_put(v->sheet, PART_LINE, "  %s", v->skipped[i].cases);
    }
    sheet_put(v->sheet, PART_GAP, "%s", "");
    sheet_put(v->sheet, PART_LINE, "%ld values compared", v->all.compared);
    sheet_put(v->sheet, PART_LINE, "%d passed, %d failed, %d skipped", n[0],
              n[1], n[2]);
}

static json_t *object_of(const struct verifying *v)
{
    const int *n = v->all.count;

    return json_pack("{s:O, s:I, s:i, s:i, s:i}", "rows", v->rows, "compared",
                     (json_int_t)v->all.compared, "passed", n[0], "failed",
                     n[1], "skipped", n[2]);
}

/* The data folder: --data, third_party of the set, or the environment's. */
static char *find_data(const char *said, const char *path)
{
    static const char *const up[] = {"", "/..", "/../.."};
    const char *environment = getenv("SYNTHBENCH_METRIC_DATA");

    if (said)
        return str_copy(said);
    for (int i = 0; i < 3; i++) {
        char *p = str_format("%s%s/%s", path, up[i], THIRD_PARTY);

        if (file_exists(p))
            return p;
        free(p);
    }
    return environment && *environment ? str_copy(environment) : NULL;
}

static int run(const void *given, const struct arguments *args)
{
    static const char *const head[] = {"metric", "passed", "failed", "skipped",
                                       "values"};
    const struct given *g = given;
    const char *path = g->vectors;
    char *data = find_data(g->data, path);
    struct verifying v = {.data = data, .sheet = sheet_new(),
                          .rows = json_array()};
    int rc;

    (void)args;
    v.grid = sheet_listing(v.sheet, "<>>>>", head);
    TRY(verify_path(&v, path));
    if (!v.all.count[0] && !v.all.count[1] && !v.all.count[2])
        TRY(err_set(ERR_EMPTY, "%s: no case: there is no expected.json", path));
    put_people(&v);
    v.sheet->object = object_of(&v);
    TRY(sheet_print(v.sheet, g->format, NULL));
    rc = v.all.count[1] ? 1 : OK;
out:
    for (int i = 0; i < v.n; i++)
        free(v.folder[i].name);
    free(v.folder);
    free(v.skipped);
    sheet_close(v.sheet);
    json_decref(v.rows);
    free(data);
    return rc;
}

const struct command verify_metrics = {
    .name = "metrics",
    .summary = "Every metric against what the field's tools put out",
    .args = "",
    .options = options,
    .bytes = sizeof(struct given),
    .least = 0,
    .most = 0,
    .formats = command_text_json,
    .run = run};
