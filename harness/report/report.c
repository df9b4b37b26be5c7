#include "harness/report/report.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/machine.h"
#include "harness/base/map.h"
#include "harness/base/names.h"
#include "harness/base/stage.h"
#include "harness/base/str.h"
#include "harness/report/evidence.h"
#include "harness/report/outcomes.h"
#include "harness/store/cell.h"
#include "harness/store/frozen.h"

#include <stdio.h>
#include <string.h>

const char report_synthetic[] =
    "SYNTHETIC DATA: the examples were made by a generator. Results say "
    "nothing about real text or about the paper's numbers.";

/* Adds the cells of the current version of the experiment, except trials.  The
 * cells of older versions are counted among the other cells of the store
 * (count_others). */
static void take_cells(struct report *r, const struct frozen *f)
{
    r->name = arena_text(r->memory, f->name);
    r->title = arena_text(r->memory, f->title);
    r->uncompared = names_kept(f->uncompared, r->memory);
    r->contrast = contrast_list(f->contrasts, &r->contrasts, r->memory);
    r->guessed = names_kept(f->guessed, r->memory);
    r->own = f->own;
    r->file = f->file ? arena_text(r->memory, f->file) : NULL;
    r->cell = arena_zero(r->memory, ((size_t)f->n + 1) * sizeof *r->cell);
    for (int i = 0; i < f->n; i++) {
        const struct frozen_cell *c = &f->cell[i];
        const char *refused = c->refused ? c->refused : "";

        if (c->older || c->trial)
            continue;
        r->cell[r->n++] = (struct report_cell){
            .id = arena_text(r->memory, c->id),
            .variant = arena_text(r->memory, frozen_row(c)),
            .task = arena_text(r->memory, c->label.task),
            .scale = arena_text(r->memory, c->label.scale),
            .seed = c->label.seed,
            .synthetic = c->label.synthetic,
            .parent = c->parent ? arena_text(r->memory, c->parent) : NULL,
            .state = c->refused ? CELL_REFUSED : CELL_MISSING,
            .message = arena_text(r->memory, refused),
            .class = "",
        };
    }
}

static int count_trials(struct report *r, struct store *s,
                        const struct frozen *f)
{
    struct cell_status status;

    for (int i = 0; i < f->n; i++) {
        if (f->cell[i].older || !f->cell[i].trial)
            continue;
        int rc = store_status(s, f->cell[i].id, &status);
        PASS(rc == ERR_STORE ? OK : rc);
        r->trials++;
        r->tried += rc == OK && store_tried(&status);
    }
    return OK;
}

static void forget_files(const struct report *r)
{
    for (int i = 0; i < map_count(r->ids); i++) {
        cell_close(r->files[i]);
        r->files[i] = NULL;
    }
    *r->kept = 0;
}

/* Keeps the file of the id with number `at`.  If the kept files would then
 * exceed most_kept, first closes all others. */
static void keep(const struct report *r, int at, struct cell_reader *file)
{
    cell_close(r->files[at]);
    r->files[at] = NULL;
    if (*r->kept + cell_bytes(file) > r->most_kept)
        forget_files(r);
    *r->kept += cell_bytes(file);
    r->files[at] = file;
}

static int read_states(struct report *r, struct store *s)
{
    OWNED(stage_end) struct stage stage = {.what = "reading cells"};
    struct cell_status status;

    for (int i = 0; i < r->n; i++) {
        struct report_cell *c = &r->cell[i];
        struct cell_reader *file;
        int rc;

        stage_show(&stage, i, r->n);
        if (c->state == CELL_REFUSED)
            continue;
        rc = store_read(s, c->id, &status, &file);
        PASS(rc == ERR_STORE ? OK : rc);
        if (file)
            keep(r, map_get(r->ids, c->id, 0), file);
        c->damaged = rc == ERR_STORE;
        r->damaged += c->damaged;
        c->state = c->damaged ? CELL_FAILED : status.state;
        if (c->state == CELL_FAILED)
            c->message = arena_text(r->memory, c->damaged ? err_last()
                                                          : status.message);
        if (c->state == CELL_FAILED && !c->damaged)
            c->class = arena_text(r->memory, status.class);
    }
    return OK;
}

/* Marks the cells that start from a refused cell as blocked.  (`plan` can find
 * more blocked cells, because it also has the selection of cells.) */
static void block(struct report *r)
{
    for (int i = 0; i < r->n; i++) {
        struct report_cell *c = &r->cell[i];

        if (!c->parent || c->state == CELL_DONE || c->state == CELL_REFUSED)
            continue;
        for (int k = 0; k < r->n; k++)
            if (!strcmp(r->cell[k].id, c->parent) &&
                r->cell[k].state == CELL_REFUSED) {
                c->state = CELL_BLOCKED;
                c->message = arena_text(r->memory, "the cell that it starts "
                                        "from is refused");
            }
    }
}

static int count_others(struct report *r, struct store *s,
                        const struct frozen *f)
{
    const char **id = arena_take(r->memory, ((size_t)f->n + 1) * sizeof *id);
    int n = 0;

    for (int i = 0; i < f->n; i++)
        if (!f->cell[i].older)
            id[n++] = f->cell[i].id;
    return store_others(s, id, n, &r->others);
}

int report_open(struct report **out, const char *store)
{
    struct arena *memory = arena_new();
    OWNED(report_close) struct report *r = arena_zero(memory, sizeof *r);
    OWNED(store_close) struct store *s = NULL;
    OWNED(frozen_close) struct frozen *f = NULL;

    *out = NULL;
    r->memory = memory;
    r->evidence = arena_zero(memory, sizeof *r->evidence);
    r->kept = arena_zero(memory, sizeof *r->kept);
    r->most_kept = (size_t)(machine_memory().total / 8);
    r->ids = map_new();
    r->store = arena_text(memory, store);
    PASS(frozen_read(&f, store));
    take_cells(r, f);
    r->files = arena_zero(memory, ((size_t)r->n + 1) * sizeof *r->files);
    for (int i = 0; i < r->n; i++)
        map_number(r->ids, r->cell[i].id, strlen(r->cell[i].id));
    PASS(store_open(&s, store, 0));
    PASS(read_states(r, s));
    PASS(count_trials(r, s, f));
    block(r);
    PASS(count_others(r, s, f));
    return MOVE_OUT(out, r);
}

int report_judges(const struct report *r, const struct contrast_named *c)
{
    struct contrast_named x = *c;

    x.metric = measure_test(x.metric);
    for (int i = 0; i < r->contrasts; i++) {
        struct contrast_named y = r->contrast[i];

        y.metric = measure_test(y.metric);
        if (contrast_same(&x, &y))
            return 1;
    }
    return !r->contrasts;
}

size_t report_family(const struct report *r, size_t tests)
{
    return r->contrasts ? (size_t)r->contrasts : tests;
}

int report_uncompared(const struct report *r, const char *task)
{
    return r->uncompared && names_index(r->uncompared, task) >= 0;
}

const char *report_trials(const struct report *r, char out[REPORT_TRIALS])
{
    *out = 0;
    if (r->tried < r->trials)
        snprintf(out, REPORT_TRIALS, ", with %d of %d trials of settings",
                 r->tried, r->trials);
    else if (r->trials)
        snprintf(out, REPORT_TRIALS, ", with %d trials of settings",
                 r->trials);
    return out;
}

int report_damage(const struct report *r)
{
    for (int i = 0; i < r->n; i++)
        if (r->cell[i].damaged)
            say("%s", r->cell[i].message);
    return r->damaged ? err_exit_code(ERR_STORE) : OK;
}

int report_read(struct cell_reader **out, const struct report *r,
                const char *id)
{
    int at = map_get(r->ids, id, -1);

    if (at < 0)
        return cell_open(out, r->store, id);
    if (!r->files[at]) {
        PASS(cell_open(out, r->store, id));
        keep(r, at, *out);
    }
    *out = cell_share(r->files[at]);
    return OK;
}

void report_close(struct report *r)
{
    if (!r)
        return;
    forget_files(r);
    map_free(r->ids);
    if (r->evidence)
        evidence_forget(*r->evidence);
    arena_free(r->memory);
}
