#include "harness/report/difference.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "harness/store/likeness.h"

#include <limits.h>
#include <string.h>

enum { A = DIFFERENCE_A, B = DIFFERENCE_B, SIDES = DIFFERENCE_SIDES,
       COMMIT_SHOWN = 12 };

/* ---- rows ---- */

int difference_is_of(const struct report_cell *c, const struct report_cell *of)
{
    return c->state == CELL_DONE && !strcmp(c->variant, of->variant) &&
           !strcmp(c->task, of->task) && !strcmp(c->scale, of->scale);
}

/* Returns the side of a comparison that consists of the finished cells of the
 * report `r` that are in the same row as the cell `of`. */
static struct compare_side side_of(const struct report *r,
                                   const struct report_cell *of,
                                   struct arena *a)
{
    const char **id = arena_take(a, (size_t)r->n * sizeof *id + 1);
    long long *seed = arena_take(a, (size_t)r->n * sizeof *seed + 1);
    int n = 0;

    for (int i = 0; i < r->n; i++)
        if (difference_is_of(&r->cell[i], of)) {
            id[n] = r->cell[i].id;
            seed[n++] = r->cell[i].seed;
        }
    return (struct compare_side){
        .store = r->store, .cells = n, .by_seed = 1, .id = id, .seed = seed,
        .name = arena_format(a, "%s#%s/%s", r->store, of->variant, of->task)};
}

static void find_rows(struct difference *d)
{
    OWNED(map_free) struct map *names = map_of_copies();
    const struct report *r = d->side[A];

    d->row = arena_zero(d->memory, ((size_t)r->n + 1) * sizeof *d->row);
    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];
        OWNED(free) char *name = str_format("%s/%s/%s", c->variant, c->task,
                                            c->scale);

        if (c->state != CELL_DONE || !map_add(names, name, i))
            continue;
        struct difference_row *row = &d->row[d->rows];
        *row = (struct difference_row){.is = c, .changed = ""};
        for (int k = 0; k < SIDES; k++)
            row->of[k] = side_of(d->side[k], c, d->memory);
        if (row->of[A].cells == 1 && row->of[B].cells == 1)
            row->of[A].by_seed = row->of[B].by_seed = 0;
        d->rows += row->of[B].cells > 0;
    }
}

/* ---- differences ---- */

/* Returns the settings, commits and numerics versions in which two cells
 * differ: "steps 1000 to 1800, commit b477f04a1e42 to 7e67b42509c3", or "". */
static const char *changes(const struct likeness *l, struct arena *a)
{
    static const char settings[] = "config@", commit[] = "provenance@commit";
    const char *all = "";

    for (int k = CELL_SETTINGS; k <= CELL_BUILD; k++)
        for (int i = 0; i < l->n[k]; i++) {
            const struct cell_change *c = &l->of[k][i];
            int is_commit = !strcmp(c->path, commit);
            int is_setting = !strncmp(c->path, settings, strlen(settings)) &&
                             strcmp(c->path, "config@json");
            int most = is_commit ? COMMIT_SHOWN : INT_MAX;

            if (is_commit || is_setting ||
                !strcmp(c->path, "provenance@numerics_version"))
                all = arena_format(a, "%s%s%s %.*s to %.*s", all,
                                   *all ? ", " : "", strchr(c->path, '@') + 1,
                                   most, c->a, most, c->b);
        }
    return all;
}

/* Counts the seeds that both stores have (r->pairs), and how many of these have
 * bit-identical results (r->same).  Sets r->changed to the changes of the first
 * seed whose results differ and whose settings or commit changed. */
static int match_seeds(struct difference_row *r, const struct difference *d)
{
    const struct compare_side *x = &r->of[A], *y = &r->of[B];

    for (int i = 0; i < x->cells; i++)
        for (int k = 0; k < y->cells; k++) {
            OWNED(cell_close) struct cell_reader *one = NULL, *other = NULL;
            struct likeness l;

            if (x->seed[i] != y->seed[k])
                continue;
            PASS(report_read(&one, d->side[A], x->id[i]));
            PASS(report_read(&other, d->side[B], y->id[k]));
            PASS(likeness_of(&l, one, other, d->memory));
            r->pairs++;
            r->same += !l.n[CELL_RESULTS];
            if (l.n[CELL_RESULTS] && !*r->changed)
                r->changed = changes(&l, d->memory);
        }
    return OK;
}

/* Returns 1 if the row has common seeds and all of them are bit-identical. */
static int is_same(const struct difference_row *r)
{
    return r->pairs > 0 && r->pairs == r->same;
}

int difference_open(struct difference **out, const struct report *a,
                    const struct report *b, difference_metrics *of,
                    const struct metric *const *metrics)
{
    struct arena *memory = arena_new();
    OWNED(difference_close) struct difference *d =
        arena_zero(memory, sizeof *d);

    *out = NULL;
    d->memory = memory;
    d->side[A] = a;
    d->side[B] = b;
    find_rows(d);
    for (int i = 0; i < d->rows; i++) {
        PASS(match_seeds(&d->row[i], d));
        d->differ += !is_same(&d->row[i]);
    }
    for (struct difference_row *r = d->row; r < d->row + d->rows; r++) {
        const char *const *name;

        if (is_same(r))
            continue;
        PASS(of(&name, r->is->task));
        int rc = compare(&r->by, &r->of[A], &r->of[B], name, metrics,
                         d->differ);
        if (rc == ERR_USAGE || rc == ERR_EMPTY)
            r->unlike = arena_text(memory, err_last());
        else
            PASS(rc);
    }
    return MOVE_OUT(out, d);
}

void difference_close(struct difference *d)
{
    if (!d)
        return;
    for (int i = 0; i < d->rows; i++)
        compare_close(d->row[i].by);
    arena_free(d->memory);
}
