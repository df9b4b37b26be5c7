#include "harness/run/rerun.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/nn/checkpoint.h"
#include "harness/base/folder.h"
#include "harness/store/likeness.h"
#include "harness/store/journal.h"
#include "harness/train/weights.h"

#include <string.h>

static char *folder_of(const struct plan *p)
{
    return str_format("%s/rerun", p->store);
}

char *rerun_folder(const struct plan *p, const struct cell *c)
{
    return c->anew ? folder_of(p) : str_copy(p->store);
}

static int any_anew(const struct plan *p)
{
    for (int i = 0; i < p->n; i++)
        if (p->cell[i].anew && p->cell[i].selected)
            return 1;
    return 0;
}

int rerun_open(const struct plan *p)
{
    OWNED(store_close) struct store *s = NULL;
    OWNED(free) char *folder = folder_of(p);

    return any_anew(p) ? store_open(&s, folder, 1) : OK;
}

static void sweep(void *folder) { folder_remove(folder); }

void rerun_close(const struct plan *p, struct store *s)
{
    OWNED(free) char *folder = folder_of(p);

    /* If the store is in use, the next run removes the folder. */
    if (any_anew(p) && store_alone(s, sweep, folder) < 0)
        say("%s is not removed: %s", folder, err_last());
}

/* ---- comparing ---- */

/* Reports the finished cells that started from the previous weights of `c`, and
 * are now stale. */
static void tell_stale(const struct plan *p, const struct cell *c)
{
    OWNED(free) char *store = text_quoted(p->store);

    for (int i = 0; i < p->n; i++) {
        const struct cell *d = &p->cell[i];

        if (d->parent == c && d->status.state == CELL_DONE &&
            !(d->anew && d->selected))
            say(CELL_NAME " is stale: it started from the previous weights of "
                "%s; `synthbench rerun --store %s %s` trains it again",
                CELL_NAMED(d), c->id, store, d->id);
    }
}

static void compare(struct pool_result *r, const struct plan *p,
                    const struct cell *c, const char *folder)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct likeness l;

    if (likeness_read(&l, p->store, c->id, folder, c->id, a) < 0) {
        say(CELL_NAME ": its previous result cannot be read, so it is not "
            "compared: %s", CELL_NAMED(c), err_last());
    } else if (!l.n[CELL_RESULTS]) {
        r->same++;
        if (l.n[CELL_BUILD] && !r->rebuilt++) /* printed once */
            say("another build trained the earlier results; earlier and "
                "present: %s",
                likeness_text(&l, CELL_BUILD));
    } else {
        r->changed++;
        say(CELL_NAME ": DIFFERENT: %s", CELL_NAMED(c), likeness_why(&l));
        if (strcmp(l.weights[0], l.weights[1]))
            tell_stale(p, c);
    }
}

/* ---- replacing ---- */

static int move_weights(const struct plan *p, const char *folder,
                        const char *id)
{
    OWNED(free) char *from = weights_path(folder, id);
    OWNED(free) char *to = weights_path(p->store, id);
    OWNED(free) char *parent = str_format("%s/weights", p->store);

    if (file_exists(from)) {
        PASS(file_mkdirs(parent));
        PASS(file_commit(from, to));
    }
    return OK;
}

int rerun_adopt(struct pool_result *r, const struct plan *p, struct store *s,
                const struct cell *c, double seconds)
{
    OWNED(free) char *folder = folder_of(p);
    OWNED(free) char *from = str_format("%s/cells/%s.h5", folder, c->id);
    OWNED(free) char *to = str_format("%s/cells/%s.h5", p->store, c->id);
    OWNED(free) char *base = str_format("%s/checkpoints/%s", folder, c->id);

    compare(r, p, c, folder);
    /* First removes the old file from the journal, so that a kill does not
     * leave a file that differs from its journal line. */
    PASS(journal_add(p->store, c->id, NULL));
    PASS(move_weights(p, folder, c->id));
    PASS(file_commit(from, to));
    PASS(store_done(s, c->id, seconds));
    checkpoint_remove(base);
    return OK;
}
