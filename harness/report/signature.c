#include "harness/report/signature.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/report/result_table.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 8 };

static const char form[] = "SB";

/* The characters of a value that comes from a cell. */
#define PLAIN                                                                 \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+_.-"

const struct signed_word signed_word[] = {
    [SIGNED_TASK] = {"t", "task"},
    [SIGNED_SCALE] = {"sc", "scale"},
    [SIGNED_VARIANT] = {"v", "variant"},
    [SIGNED_SEEDS] = {"s", "seeds"},
    [SIGNED_METRICS] = {"m", "metrics"},
    [SIGNED_SETTINGS] = {"o", "settings"},
    [SIGNED_DATA] = {"d", "data"},
    [SIGNED_NUMERICS] = {"n", "numerics version"},
    [SIGNED_PROGRAM] = {"p", "program"},
    [SIGNED_FIELDS] = {NULL, NULL}};

/* ---- text ---- */

/* Returns the number of values that are written for a field: one per task, or 1
 * in total if all tasks have the same value. */
static int values_of(const struct signature *s, enum signed_field f)
{
    for (int i = 1; i < s->tasks; i++)
        if (strcmp(s->task[i].of[f], s->task[0].of[f]))
            return s->tasks;
    return 1;
}

const char *signature_value(const struct signature *s, enum signed_field f,
                            struct arena *a)
{
    struct text t = {0};

    for (int i = 0; i < values_of(s, f); i++)
        text_format(&t, "%s%s", i ? ";" : "", s->task[i].of[f]);
    return text_keep(&t, a);
}

const char *signature_text(const struct signature *s, struct arena *a)
{
    struct text t = {0};

    text_put(&t, form);
    for (int f = 0; f < SIGNED_FIELDS; f++)
        text_format(&t, "|%s:%s", signed_word[f].key,
                    signature_value(s, (enum signed_field)f, a));
    return text_keep(&t, a);
}

/* Sets field `f` of each task to its part of `value`, in which ";" separates
 * tasks, or to the whole `value` if it has one part. */
static int set_values(struct signature *s, enum signed_field f,
                      const char *value, struct arena *a)
{
    char *rest = arena_text(a, value);
    int n = 1;

    for (const char *c = value; (c = strchr(c, ';')); c++)
        n++;
    if (f == SIGNED_TASK) {
        s->tasks = n;
        s->task = arena_zero(a, (size_t)n * sizeof *s->task);
    }
    if (n != 1 && n != s->tasks)
        return err_set(ERR_USAGE, "signature: %s:%.80s: expected one value, or "
                       "one per task", signed_word[f].key, value);
    for (int i = 0; i < s->tasks; i++)
        s->task[i].of[f] = i < n ? strsep(&rest, ";") : s->task[0].of[f];
    return OK;
}

int signature_read(struct signature *out, const char *text, struct arena *a)
{
    char *rest = arena_text(a, text);

    if (strcmp(strsep(&rest, "|"), form) || text[strspn(text, PLAIN "|:;,/=")])
        return err_set(ERR_USAGE, "'%.80s' is not a signature: expected "
                       "%s|t:TASK|..., as printed by `synthbench table --all`",
                       text, form);
    for (int f = 0; f < SIGNED_FIELDS; f++) {
        const char *key = signed_word[f].key, *field = strsep(&rest, "|");
        size_t n = strlen(key);

        if (!field || strncmp(field, key, n) || field[n] != ':')
            return err_set(ERR_USAGE, "signature: expected the field %s: (%s), "
                           "found '%.80s'", key, signed_word[f].what,
                           field ? field : "");
        PASS(set_values(out, (enum signed_field)f, field + n + 1, a));
    }
    if (rest)
        return err_set(ERR_USAGE, "signature: unknown field '%.80s'", rest);
    return OK;
}

/* ---- values of a field ---- */

/* Returns the first `digits` characters of `text`, or all if `digits` is 0.
 * Each character that a signature cannot contain is replaced by `_`. */
static const char *plain(const char *text, int digits, struct arena *a)
{
    char *s = arena_text(a, text && *text ? text : "-");

    if (digits && strlen(s) > (size_t)digits)
        s[digits] = 0;
    for (char *c = s; *(c += strspn(c, PLAIN)); c++)
        *c = '_';
    return s;
}

/* Adds "/" and the value of a key, for "tok:" in "nrefs:1|tok:13a" the text
 * "/13a".  Adds nothing if the value has characters that a signature cannot
 * contain. */
static void put_choice(struct text *out, const char *how, const char *key)
{
    for (const char *at = how; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, key, strlen(key)))
            continue;
        size_t n = strspn(at + strlen(key), PLAIN);
        const char *end = at + strlen(key) + n;
        if (n && (*end == '|' || !*end))
            text_format(out, "/%.*s", (int)n, end - n);
    }
}

const char *signature_metric(const char *name, const char *how,
                             struct arena *a)
{
    static const char *const choice[] = {"tok:", "smooth:", "like:"};
    struct text t = {0};
    char hex[HASH_HEX];

    text_put(&t, plain(name, 0, a));
    for (size_t i = 0; how && i < sizeof choice / sizeof *choice; i++)
        put_choice(&t, how, choice[i]);
    if (how) {
        hash_sha256(how, strlen(how), hex);
        text_format(&t, "/%.4s", hex);
    }
    return text_keep(&t, a);
}

static const char *seeds_of(const struct report_cell **cell, int n,
                            struct arena *a)
{
    struct text t = {0};

    for (int i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n &&
             cell[end]->seed <= cell[end - 1]->seed + 1;)
            end++;
        text_format(&t, "%s%lld", i ? "," : "", cell[i]->seed);
        if (cell[end - 1]->seed > cell[i]->seed)
            text_format(&t, "-%lld", cell[end - 1]->seed);
    }
    return text_keep(&t, a);
}

static const char *settings_of(const struct report_cell **cell, int n,
                               struct arena *a)
{
    struct sha256_ctx *h = hash_new();
    char hex[HASH_HEX];

    for (int i = 0; i < n; i++) {
        hash_add(h, cell[i]->id, strlen(cell[i]->id));
        hash_add(h, "\n", 1);
    }
    hash_end(h, hex);
    return plain(hex, DIGITS, a);
}

/* ---- signing cells ---- */

/* Returns 1 if the seed is in the list `seeds`, such as "1-3,5", or if `seeds`
 * is NULL. */
static int has_seed(const char *seeds, long long seed)
{
    for (const char *at = seeds; at; at = strchr(at, ',')) {
        char *end;

        at += *at == ',';
        long long first = strtoll(at, &end, 10);
        long long last = *end == '-' ? strtoll(end + 1, NULL, 10) : first;
        if (end > at && first <= seed && seed <= last)
            return 1;
    }
    return seeds == NULL;
}

static int by_seed(const void *x, const void *y)
{
    const struct report_cell *a = *(const struct report_cell *const *)x;
    const struct report_cell *b = *(const struct report_cell *const *)y;

    return a->seed == b->seed ? strcmp(a->id, b->id)
                              : a->seed < b->seed ? -1 : 1;
}

/* Sets *cell to the finished cells that have the task, scale and variant of
 * `of` and one of the seeds (has_seed), sorted by seed.  Returns their
 * number. */
static int find(const struct report_cell ***cell, const struct report *r,
                const struct signed_task *of, const char *seeds,
                struct arena *a)
{
    int n = 0;

    *cell = arena_take(a, ((size_t)r->n + 1) * sizeof **cell);
    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];

        if (c->state == CELL_DONE && !strcmp(c->task, of->of[SIGNED_TASK]) &&
            !strcmp(c->scale, of->of[SIGNED_SCALE]) &&
            !strcmp(c->variant, of->of[SIGNED_VARIANT]) &&
            has_seed(seeds, c->seed))
            (*cell)[n++] = c;
    }
    qsort(*cell, (size_t)n, sizeof **cell, by_seed);
    return n;
}

/* Appends `one` to the list *list if the list does not contain it.  A list is
 * "a,b", or NULL if it is empty. */
static void add_once(const char **list, const char *one, struct arena *a)
{
    size_t n = strlen(one);

    for (const char *at = *list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (!strncmp(at, one, n) && (at[n] == ',' || !at[n]))
            return;
    }
    *list = *list ? arena_format(a, "%s,%s", *list, one) : one;
}

/* Adds to *list the part of a signature for a metric of a cell.  A metric that
 * the cell has neither among its metrics nor in its timing is not added. */
static int read_metric(const char **list, struct cell_reader *cell,
                       const char *metric, struct arena *a)
{
    OWNED(free) char *path = str_format("metrics/%s", metric), *how = NULL;
    double x;

    int rc = cell_get_text(cell, path, "signature", &how);
    PASS(cell_maybe(rc));
    if (rc == ERR_EMPTY)
        rc = cell_get_real(cell, "timing", metric, &x);
    if (rc == OK)
        add_once(list, signature_metric(metric, how, a), a);
    return cell_maybe(rc);
}

static int read_cell(struct signed_task *out, const char **part,
                     struct builds *builds, struct cell_reader *cell,
                     const char *const metric[], struct arena *a)
{
    OWNED(free) char *digest = NULL;
    struct build build;
    char name[32];

    PASS(cell_maybe(cell_get_text(cell, "provenance", "data_digest",
                                  &digest)));
    PASS(build_read(&build, cell, a));
    if (builds)
        builds_add(builds, &build, a);
    add_once(&out->of[SIGNED_DATA], plain(digest, DIGITS, a), a);
    add_once(&out->of[SIGNED_NUMERICS], plain(build.fact[0], 0, a), a);
    add_once(&out->of[SIGNED_PROGRAM], plain(build_name(&build, name), 0, a),
             a);
    for (int i = 0; metric[i]; i++)
        PASS(read_metric(&part[i], cell, metric[i], a));
    return OK;
}

int signature_of(struct signed_task *out, const struct report *r,
                 const struct report_cell **cell, int n,
                 const char *const metric[], const char **part,
                 struct builds *builds, struct arena *a)
{
    size_t metrics = 0;
    const char *all = NULL;

    while (metric[metrics])
        metrics++;
    part = part ? part : arena_take(a, (metrics + 1) * sizeof *part);
    for (size_t i = 0; i < metrics; i++)
        part[i] = NULL;
    *out = (struct signed_task){{[SIGNED_TASK] = cell[0]->task,
                                 [SIGNED_SCALE] = cell[0]->scale,
                                 [SIGNED_VARIANT] = cell[0]->variant,
                                 [SIGNED_SEEDS] = seeds_of(cell, n, a),
                                 [SIGNED_SETTINGS] = settings_of(cell, n, a)}};
    for (int i = 0; i < n; i++) {
        OWNED(cell_close) struct cell_reader *file = NULL;

        PASS(report_read(&file, r, cell[i]->id));
        PASS(read_cell(out, part, builds, file, metric, a));
    }
    for (size_t i = 0; i < metrics; i++)
        if (part[i])
            add_once(&all, part[i], a);
    out->of[SIGNED_METRICS] = all ? all : "-";
    return OK;
}

/* ---- signing again ---- */

/* Returns the valid names of the metrics of a signature, ending with NULL:
 * "bleu" and "ce" for "bleu/13a/exp/5c1d,ce/41d7". */
static const char **names_of_metrics(const char *metrics, struct arena *a)
{
    const char **name = arena_take(a, (strlen(metrics) + 2) * sizeof *name);
    char *rest = arena_text(a, metrics);
    int n = 0;

    for (char *one; (one = strsep(&rest, ","));) {
        one[strcspn(one, "/")] = 0;
        name[n] = one;
        n += cell_name_ok(one);
    }
    name[n] = NULL;
    return name;
}

int signature_again(struct signature *out, const struct signature *says,
                    const struct report *r, struct arena *a)
{
    int found = 0;

    *out = (struct signature){
        says->tasks, arena_zero(a, (size_t)says->tasks * sizeof *out->task)};
    for (int i = 0; i < says->tasks; i++) {
        const struct signed_task *of = &says->task[i];
        const struct report_cell **cell;
        int n = find(&cell, r, of, of->of[SIGNED_SEEDS], a);

        n = n ? n : find(&cell, r, of, NULL, a);
        for (int f = 0; f < SIGNED_FIELDS; f++)
            out->task[i].of[f] = "-";
        if (n)
            PASS(signature_of(&out->task[i], r, cell, n,
                              names_of_metrics(of->of[SIGNED_METRICS], a),
                              NULL, NULL, a));
        found += n;
    }
    if (found)
        return OK;
    OWNED(free) char *store = text_quoted(r->store);
    return err_set(ERR_EMPTY, "%s: no cell of %s on %s at scale %s is "
                   "finished: `synthbench status --store %s` lists its cells",
                   r->store, signature_value(says, SIGNED_VARIANT, a),
                   signature_value(says, SIGNED_TASK, a),
                   signature_value(says, SIGNED_SCALE, a), store);
}

/* ---- tables ---- */

/* Sets the signatures of a row and its cells to the reasons why they have none.
 * The reason of the row is the reason of its first cell that is not missing. */
static void set_reasons(const struct result_table *s, struct result_row *row)
{
    static const char *const none[CELL_STATES] = {
        [CELL_MISSING] = "none: not run",
        [CELL_RUNNING] = "none: not finished",
        [CELL_DONE] = "none: not measured",
        [CELL_FAILED] = "none: failed",
        [CELL_REFUSED] = "none: refused",
        [CELL_BLOCKED] = "none: blocked"};
    enum cell_state state = CELL_MISSING;

    for (int c = s->columns - 1; c >= 0; c--)
        if (row->cell[c].state != CELL_MISSING)
            state = row->cell[c].state;
    row->signature = row->reference ? "none: no model" : none[state];
    for (int c = 0; c < s->columns; c++)
        row->cell[c].signature = row->reference ? row->signature
                                                : none[row->cell[c].state];
}

/* Signs the numbers of a row for a task, and sets their commits.  If the row
 * has such numbers, adds the task to the signature `all` of the row.  metric:
 * the metric of each column, ending with NULL. */
static int sign_task(struct signature *all, struct result_table *s,
                     struct result_row *row, const struct result_task *task,
                     const char *const *metric)
{
    static const char *const comma[][2] = {{",", ", "}, {NULL, NULL}};
    struct arena *a = s->memory;
    struct signed_task *one = &all->task[all->tasks];
    const struct signed_task of = {{[SIGNED_TASK] = task->task,
                                    [SIGNED_SCALE] = s->scale,
                                    [SIGNED_VARIANT] = row->variant}};
    const char *metrics = NULL;
    const char **part = arena_take(a, ((size_t)s->columns + 1) * sizeof *part);
    const struct report_cell **cell;
    struct text commits = {0};
    int n = find(&cell, s->report, &of, NULL, a);

    if (!n)
        return OK;
    PASS(signature_of(one, s->report, cell, n, metric, part, &s->builds, a));
    text_swap(&commits, one->of[SIGNED_PROGRAM], comma);
    const char *commit = text_keep(&commits, a);
    for (int c = 0; c < s->columns; c++) {
        struct result_cell *x = &row->cell[c];

        if (result_task_of(s, c) != task)
            continue;
        x->commit = commit;
        if (isnan(x->value) || !part[c])
            continue;
        one->of[SIGNED_METRICS] = part[c];
        x->signature = signature_text(&(struct signature){1, one}, a);
        if (s->column[c]->better)
            add_once(&metrics, part[c], a);
    }
    one->of[SIGNED_METRICS] = metrics;
    all->tasks += metrics != NULL;
    return OK;
}

int sign_measured(struct result_table *s)
{
    const char **metric = arena_zero(s->memory, ((size_t)s->columns + 1) *
                                                    sizeof *metric);

    for (int c = 0; c < s->columns; c++)
        metric[c] = s->column[c]->metric;
    for (int i = 0; i < s->rows; i++) {
        struct result_row *row = &s->row[i];
        struct signature all = {0, arena_zero(s->memory,
                                              ((size_t)s->tasks + 1) *
                                                  sizeof *all.task)};

        set_reasons(s, row);
        for (int k = 0; k < s->tasks && !row->reference; k++)
            PASS(sign_task(&all, s, row, &s->task[k], metric));
        if (all.tasks)
            row->signature = signature_text(&all, s->memory);
    }
    return OK;
}

int sign_alike(const struct result_table *s, const char *path)
{
    for (int c = 0; c < s->columns; c++) {
        const struct result_row *first = NULL;

        for (int i = 0; i < s->rows; i++) {
            const struct result_row *row = &s->row[i];

            if (!row->cell[c].how)
                continue;
            if (!first)
                first = row;
            if (strcmp(row->cell[c].how, first->cell[c].how))
                return err_set(ERR_USAGE, "%s: %s of %s on %s is computed as "
                               "'%s', but that of %s as '%s': one column "
                               "cannot show both", path, s->column[c]->metric,
                               row->variant, s->column[c]->task,
                               row->cell[c].how, first->variant,
                               first->cell[c].how);
        }
    }
    return OK;
}
