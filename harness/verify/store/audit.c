#include "harness/verify/store/audit.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/names.h"
#include "harness/base/stage.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/nn/checkpoint.h"
#include "harness/store/frozen.h"
#include "harness/store/journal.h"
#include "harness/store/store.h"
#include "harness/tasks/task.h"
#include "harness/train/weights.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID = CELL_ID - 1 };

/* The audit of a store, or of its speed/ folder. */
struct auditing {
    struct audit *out;
    const char *path;
    struct store *store;
    const char *kind;            /* kind of its cells; NULL: trained ones */
    const struct frozen *frozen; /* NULL: missing or damaged              */
    int orphans;                 /* 1: cells must be in the experiment   */
};

/* ---- rows ---- */

__attribute__((format(printf, 7, 8))) static void
row(struct auditing *x, enum verdict v, enum cure cure, const char *subject,
    const char *property, const char *id, const char *remark, ...)
{
    struct audit *a = x->out;
    va_list ap;

    va_start(ap, remark);
    const char *text = arena_vformat(a->memory, remark, ap);
    va_end(ap);
    ARRAY_ROOM(a->row, a->n, a->cap);
    struct audit_row *r = &a->row[a->n++];
    *r = (struct audit_row){
        v, cure, x->path, arena_text(a->memory, subject), property, text, ""};
    snprintf(r->id, sizeof r->id, "%s", id);
}

/* Adds a row that passes if rc is OK, or fails with err_last() as its
 * remark. */
static void judge(struct auditing *x, int rc, enum cure cure,
                  const char *subject, const char *property, const char *id)
{
    row(x, rc < 0 ? VERDICT_FAIL : VERDICT_PASS, rc < 0 ? cure : CURE_NONE,
        subject, property, id, "%s", rc < 0 ? err_last() : "");
}

/* ---- folders ---- */

/* Lists the names in a folder; a missing folder has none.  Returns OK or
 * ERR_IO. */
static int names_in(const char ***out, const struct auditing *x,
                    const char *folder)
{
    OWNED(free) char *path = str_format("%s/%s", x->path, folder);

    return folder_names(out, path, x->out->memory) && errno != ENOENT
               ? err_errno(ERR_IO, "%s", path)
               : OK;
}

/* Returns true if `name` is a cell id followed by a match of the pattern
 * `suffix`.  If so, copies the cell id to `id`. */
static int named(const char *name, const char *suffix, char id[CELL_ID])
{
    snprintf(id, CELL_ID, "%.*s", ID, name);
    return cell_is_id(id) && !fnmatch(suffix, name + ID, 0);
}

typedef void look(struct auditing *x, const char *subject, const char *id);

/* Calls `at` for every file of a folder whose name is an id and a match of
 * `suffix`.  Other files, such as temporary ones, are only reported. */
static int each(struct auditing *x, const char *folder, const char *suffix,
                look *at)
{
    OWNED(stage_end) struct stage stage = {.what = folder};
    const char **name;
    int n = 0, done = 0;

    PASS(names_in(&name, x, folder));
    while (name[n])
        n++;
    for (; *name; name++) {
        stage_show(&stage, done++, n);
        OWNED(free) char *subject = str_format("%s/%s", folder, *name);
        char id[CELL_ID];

        if (named(*name, suffix, id))
            at(x, subject, id);
        else if (!str_ends(subject, ".tmp"))
            row(x, VERDICT_NONE, CURE_NONE, subject, "name", "",
                "is not a "
                "file of a store");
        else if (store_written(x->store, folder, *name))
            row(x, VERDICT_NONE, CURE_NONE, subject, "temporary", "",
                "is being written");
        else
            row(x, VERDICT_NONE, CURE_ASIDE, subject, "temporary", "",
                "was left by a run that died; the next run removes it");
    }
    return OK;
}

/* ---- what belongs to the experiment ---- */

static const struct frozen_cell *known(const struct auditing *x, const char *id)
{
    for (int i = 0; x->frozen && i < x->frozen->n; i++)
        if (!strcmp(x->frozen->cell[i].id, id))
            return &x->frozen->cell[i];
    return NULL;
}

/* Checks that a cell, or weights, belong to a configuration of the
 * experiment. */
static void look_for_owner(struct auditing *x, const char *subject,
                           const char *id)
{
    if (!x->orphans)
        return;
    if (!x->frozen)
        row(x, VERDICT_NONE, CURE_NONE, subject, "experiment", id, "%s", "");
    else if (known(x, id))
        row(x, VERDICT_PASS, CURE_NONE, subject, "experiment", id, "%s", "");
    else
        row(x, VERDICT_FAIL, CURE_ASIDE, subject, "experiment", id,
            "belongs to no "
            "configuration in experiment.json");
}

static void look_at_experiment(struct auditing *x, struct frozen **out)
{
    OWNED(free) char *store = text_quoted(x->path);
    int rc = frozen_read(out, x->path);

    if (rc == ERR_EMPTY)
        row(x, VERDICT_FAIL, CURE_NONE, "experiment.json", "checksum", "",
            "is "
            "missing; `synthbench run EXPERIMENT.yaml --store %s` writes it "
            "again and keeps the cells",
            store);
    else
        judge(x, rc, CURE_ASIDE, "experiment.json", "checksum", "");
    x->frozen = rc == OK ? *out : NULL;
}

/* ---- cells and weights ---- */

static const struct task *task_of(const struct cell_labels *l)
{
    const struct task *t;

    return task_find(&t, l->task) == OK ? t : NULL;
}

/* Returns true if a cell is a trial: other cells choose their settings by its
 * result, but no cell starts from its weights. */
static int is_trial(struct cell_reader *r)
{
    OWNED(free) char *of = NULL;

    return cell_get_text(r, "config", "trial", &of) == OK && strcmp(of, "none");
}

/* Checks the weights of a cell if other cells may start from them. */
static void look_for_weights(struct auditing *x, struct cell_reader *r,
                             const char *subject, const char *id)
{
    const struct task *task = task_of(cell_labels_of(r));

    if (task && task->pretrains && !is_trial(r))
        judge(x, weights_check(x->path, id, 1), CURE_CELL, subject, "weights",
              id);
}

/* Checks that a cell started from the weights that its parent has now. */
static void look_for_start(struct auditing *x, struct cell_reader *r,
                           const char *subject, const char *id)
{
    OWNED(free) char *own = NULL, *parent = NULL;
    char now[HASH_HEX];

    if (cell_get_text(r, "provenance", "pretrained_sha256", &own) < 0 ||
        cell_get_text(r, "config", "pretrained", &parent) < 0)
        return;
    struct weights_of of = {x->path, parent, NULL};
    if (weights_digest(now, &of) < 0)
        row(x, VERDICT_NONE, CURE_NONE, subject, "start", id,
            "started from "
            "%s, which is missing or damaged",
            parent);
    else if (strcmp(own, now))
        row(x, VERDICT_FAIL, CURE_CELL, subject, "start", id,
            "is stale: %s "
            "has other weights now than when this cell started from them",
            parent);
    else
        row(x, VERDICT_PASS, CURE_NONE, subject, "start", id, "%s", "");
}

static void look_at_cell(struct auditing *x, const char *subject,
                         const char *id)
{
    struct cell_reader *r = NULL;
    struct journal_line line;
    int rc = x->kind ? cell_open_kind(&r, x->path, id, x->kind)
                     : cell_open(&r, x->path, id);

    judge(x, rc, CURE_CELL, subject, "integrity", id);
    if (rc == OK && !x->kind) {
        look_for_weights(x, r, subject, id);
        look_for_start(x, r, subject, id);
    }
    cell_close(r);
    if (rc == OK && journal_find(x->path, id, &line) == ERR_EMPTY)
        row(x, VERDICT_NONE, CURE_JOURNAL, subject, "journal entry", id,
            "has no line "
            "in journal.tsv: its run died, or is about to write it");
    if (rc == OK)
        look_for_owner(x, subject, id);
}

/* Checks only the file itself; look_for_weights compares its digest with that
 * in the cell. */
static void look_at_weights(struct auditing *x, const char *subject,
                            const char *id)
{
    int rc = weights_check(x->path, id, 0);

    judge(x, rc, CURE_ASIDE, subject, "integrity", id);
    if (rc == OK)
        look_for_owner(x, subject, id);
}

/* ---- checkpoints, failures, leases, journal, index ---- */

static void look_at_checkpoint(struct auditing *x, const char *subject,
                               const char *id)
{
    OWNED(free) char *path = str_format("%s/%s", x->path, subject);
    char owner[64];
    int rc = checkpoint_check(path, owner);

    if (rc == OK && strncmp(owner, id, ID))
        rc = err_set(ERR_STORE, "%s: belongs to cell %.16s", path, owner);
    judge(x, rc, CURE_ASIDE, subject, "integrity", id);
}

static void look_at_failure(struct auditing *x, const char *subject,
                            const char *id)
{
    int sealed, rc = store_failure_check(x->store, id, &sealed);

    if (rc == OK && !sealed)
        row(x, VERDICT_NONE, CURE_NONE, subject, "integrity", id,
            "has no seal: an "
            "earlier version of synthbench wrote it");
    else
        judge(x, rc, CURE_ASIDE, subject, "integrity", id);
}

static void look_at_claim(struct auditing *x, const char *subject,
                          const char *id)
{
    int alive = store_claimed(x->store, id);

    x->out->alive += alive;
    row(x, VERDICT_NONE, alive ? CURE_NONE : CURE_ASIDE, subject, "claim", id,
        "%s",
        alive ? "a run is training this cell"
              : "its run died; the next run takes it over");
}

static void look_at_line(void *arg, int number, const char *id, int unchecked,
                         const char *damage)
{
    struct auditing *x = arg;
    char subject[64];

    snprintf(subject, sizeof subject, "journal.tsv:%d", number);
    if (damage)
        row(x, VERDICT_FAIL, CURE_JOURNAL, subject, "journal entry", "", "%s",
            damage);
    else if (unchecked)
        row(x, VERDICT_NONE, CURE_NONE, subject, "journal entry", id,
            "has no checksum: "
            "an earlier version of synthbench wrote it");
    else
        row(x, VERDICT_PASS, CURE_NONE, subject, "journal entry", id, "%s", "");
}

/* Reports a journal line whose file is missing. */
static void look_for_file(void *arg, const char *id)
{
    struct auditing *x = arg;
    OWNED(free) char *path = str_format("%s/cells/%s.h5", x->path, id);
    char subject[64];

    snprintf(subject, sizeof subject, "cells/%.16s.h5", id);
    if (!file_exists(path))
        row(x, VERDICT_FAIL, CURE_CELL, subject, "integrity", id,
            "is missing, but has a line in journal.tsv");
}

static void look_at_index(struct auditing *x)
{
    int stale, rc = store_index_check(x->store, &stale);

    if (rc == ERR_EMPTY)
        row(x, VERDICT_NONE, CURE_INDEX, "index.h5", "links", "",
            "is missing; "
            "the next run creates it");
    else if (rc == OK && stale)
        row(x, VERDICT_NONE, CURE_INDEX, "index.h5", "links", "",
            "is out of "
            "date, because cells were added or removed; the next run updates "
            "it");
    else
        judge(x, rc, CURE_INDEX, "index.h5", "integrity", "");
}

/* ---- the store ---- */

static int holds_files(const char *store, const char *folder, struct arena *a)
{
    const char **name;

    return !folder_names(&name, arena_format(a, "%s/%s", store, folder), a) &&
           *name;
}

int audit_never_begun(const char *store)
{
    static const char *const made[] = {"cells", "weights", "checkpoints",
                                       "failed", "speed"};
    OWNED(arena_free) struct arena *a = arena_new();
    int begun = file_exists(arena_format(a, "%s/experiment.json", store)) ||
                !journal_is_empty(store);

    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        begun |= holds_files(store, made[i], a);
    return !begun;
}

/* Checks the journal and the cells.  If the journal cannot be read, no cell can
 * be opened, so no cells are checked. */
static int audit_cells(struct auditing *x)
{
    int rc = journal_check(x->path, look_at_line, look_for_file, x);

    if (rc == ERR_STORE)
        row(x, VERDICT_FAIL, CURE_JOURNAL, "journal.tsv", "journal entry", "",
            "%s; no "
            "cell can be checked until it is repaired",
            err_last());
    if (rc < 0)
        return rc == ERR_STORE ? OK : rc;
    return each(x, "cells", ".h5", look_at_cell);
}

/* Lists everything else in the store: "tables", "plots", "logs", and files that
 * do not belong there. */
static void name_others(struct auditing *x)
{
    static const char *const judged[] = {
        "cells", "weights",         "checkpoints", "failed",   "claims",
        "speed", "experiment.json", "journal.tsv", "index.h5", "lock",
        NULL};
    static const char *const why[][2] = {
        {"logs", "not checked: plain text without a checksum"},
        {"reproduce.log", "not checked: plain text without a checksum"},
        {"tables", "not checked: `synthbench table N -o FILE` and `synthbench "
                   "claims -o FILE` write them again"},
        {"plots", "not checked: `synthbench plot` recreates them"},
        {"report", "not checked: `synthbench report` recreates it"},
        {"slurm", "not checked: scripts of jobs, and what they printed"},
        {"quarantine", "quarantined by `synthbench repair`"},
        {"rerun", "cells that are being retrained"}};
    const char **name;

    if (names_in(&name, x, ".") < 0)
        return;
    for (; *name; name++) {
        const char *what = "is not a file of a store";

        for (size_t j = 0; j < sizeof why / sizeof *why; j++)
            if (!strcmp(*name, why[j][0]))
                what = why[j][1];
        if (names_index(judged, *name) < 0)
            row(x, VERDICT_NONE, CURE_NONE, *name, "other file", "", "%s",
                what);
    }
}

/* Audits speed/, unless a process died before it made a store there. */
static int audit_speed(struct auditing *main)
{
    const char *path = arena_format(main->out->memory, "%s/speed", main->path);
    OWNED(store_close) struct store *store = NULL;
    struct auditing x = {.out = main->out, .path = path, .kind = "speed"};
    int rc = store_look(&store, path);

    if (rc == ERR_EMPTY)
        return OK;
    PASS(rc);
    x.store = store;
    return audit_cells(&x);
}

/* Audits a store without experiment.json, as a run leaves it that ends early:
 * it creates the folders first. */
static int audit_unbegun(struct auditing *x)
{
    OWNED(free) char *store = text_quoted(x->path);

    row(x, VERDICT_NONE, CURE_NONE, "experiment.json", "checksum", "",
        "is "
        "missing, and no cell has been started: the run ended before that; "
        "start it with `synthbench run EXPERIMENT.yaml --store %s`",
        store);
    PASS(each(x, "claims", "", look_at_claim));
    name_others(x);
    return OK;
}

static int audit_all(struct auditing *x)
{
    OWNED(frozen_close) struct frozen *frozen = NULL;

    if (audit_never_begun(x->path))
        return audit_unbegun(x);
    look_at_experiment(x, &frozen);
    x->orphans = 1;
    PASS(audit_cells(x));
    PASS(each(x, "weights", ".h5", look_at_weights));
    PASS(each(x, "checkpoints", ".[01].ckpt", look_at_checkpoint));
    PASS(each(x, "failed", ".json", look_at_failure));
    PASS(each(x, "claims", "", look_at_claim));
    look_at_index(x);
    PASS(audit_speed(x));
    name_others(x);
    return OK;
}

int audit_store(struct audit **out, const char *store)
{
    struct arena *a = arena_new();
    OWNED(audit_close) struct audit *all = arena_zero(a, sizeof *all);
    OWNED(store_close) struct store *s = NULL;

    *out = NULL;
    all->memory = a;
    PASS(store_look(&s, store));
    PASS(audit_all(&(struct auditing){
        .out = all, .path = arena_text(a, store), .store = s}));
    return MOVE_OUT(out, all);
}

void audit_close(struct audit *a)
{
    if (!a)
        return;
    free(a->row);
    arena_free(a->memory);
}
