#include "harness/store/merge.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/stage.h"
#include "harness/base/str.h"
#include "harness/store/frozen.h"
#include "harness/store/journal.h"
#include "harness/store/likeness.h"
#include "harness/store/store_private.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The entry of one id in one store. */
struct held {
    const char         *id;
    int                 store;
    int                 failed, diverged; /* failed: a failure note, no cell */
    /* For a failure, only `sha256` is set; it is the digest of the note. */
    struct journal_line line;
};

struct merge {
    const char *const *path;
    int                stores;
    struct store     **store;
    struct held       *held;   /* sorted by `order` */
    int                n;
    size_t             room;
    struct arena      *memory;
};

static void merge_close(struct merge *m)
{
    for (int i = 0; m->store && i < m->stores; i++)
        store_close(m->store[i]);
    free(m->held);
    arena_free(m->memory);
}
OWNER_OF_VALUE(merge_close, struct merge)

static char *part(const char *store, const char *folder, const char *id,
                  const char *end)
{
    return str_format("%s/%s/%s%s", store, folder, id, end);
}

/* ---- contents of the stores ---- */

static void hold(struct merge *m, const struct held *h)
{
    ARRAY_ROOM(m->held, m->n, m->room);
    m->held[m->n++] = *h;
}

/* Computes the journal line of a cell from its file.  This is needed for a cell
 * without a line in a store that is not writable. */
static int line_of_file(struct held *h, const char *store)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    OWNED(free) char *path = cell_path(store, h->id), *date = NULL;
    struct file_map file;

    PASS(cell_open(&r, store, h->id));
    PASS(cell_maybe(cell_get_real(r, "timing", "train_seconds",
                                  &h->line.seconds)));
    PASS(cell_get_text(r, "", "date_created", &date));
    snprintf(h->line.date, sizeof h->line.date, "%s", date);
    PASS(file_map(&file, path));
    h->line.bytes = (long long)file.bytes;
    hash_sha256(file.data, file.bytes, h->line.sha256);
    file_unmap(&file);
    return OK;
}

/* Adds a cell after checking it against its journal line.  Cells with a metric
 * that is not finite are added, too. */
static int look_at_cell(struct merge *m, int i, const char *id)
{
    struct held h = {.id = id, .store = i};
    struct cell_status now;

    PASS(store_status(m->store[i], id, &now));
    int rc = journal_find(m->path[i], id, &h.line);
    PASS(rc == ERR_EMPTY ? line_of_file(&h, m->path[i]) : rc);
    hold(m, &h);
    return OK;
}

static int look_at_cells(struct merge *m, int i)
{
    OWNED(stage_end) struct stage stage = {.what = m->path[i]};
    const char **id;
    int n;

    PASS(store_list(m->store[i], &id, &n));
    for (int k = 0; k < n; k++) {
        stage_show(&stage, k, n);
        PASS(look_at_cell(m, i, id[k]));
    }
    return OK;
}

/* Adds a failed cell.  A note of a cell that the same store has finished since
 * is ignored. */
static int look_at_failure(struct merge *m, int i, const char *id)
{
    struct held h = {.id = id, .store = i, .failed = 1};
    OWNED(free) char *path = part(m->path[i], "failed", id, ".json");
    OWNED(free) char *cell = cell_path(m->path[i], id);
    struct cell_status now;

    if (file_exists(cell))
        return OK;
    PASS(store_status(m->store[i], id, &now));
    h.diverged = !strcmp(now.class, "diverged");
    if (now.state == CELL_FAILED) {
        PASS(hash_file(path, h.line.sha256));
        hold(m, &h);
    }
    return OK;
}

static int look_at_failures(struct merge *m, int i)
{
    OWNED(free) char *folder = str_format("%s/failed", m->path[i]);
    const char **name;

    if (folder_names(&name, folder, m->memory))
        return errno == ENOENT ? OK : err_errno(ERR_IO, "%s", folder);
    for (; *name; name++) {
        const char *id = store_id_of(*name, ".json", m->memory);

        if (id)
            PASS(look_at_failure(m, i, id));
    }
    return OK;
}

/* Orders entries by id.  The first entry of each id is the one that is copied.
 * The order depends on the contents of files; only equal entries are in the
 * order of the stores. */
static int order(const void *a, const void *b)
{
    const struct held *x = a, *y = b;
    int by = strcmp(x->id, y->id);

    by = by ? by : x->failed - y->failed;
    by = by ? by : y->diverged - x->diverged;
    by = by ? by : strcmp(x->line.sha256, y->line.sha256);
    by = by ? by : strcmp(x->line.date, y->line.date);
    by = by ? by : (x->line.seconds > y->line.seconds) -
                       (x->line.seconds < y->line.seconds);
    return by ? by : x->store - y->store;
}

/* ---- conflicts ---- */

/* Returns the error for a cell that finished in one store and diverged in
 * another. */
static int outcomes_differ(const struct merge *m, const struct held *x,
                           const struct held *y)
{
    return err_set(ERR_STORE, "cell %s: finished in %s, but diverged in %s: "
                   "they were trained by builds with different numerics; merge "
                   "only stores of one build", x->id, m->path[x->store],
                   m->path[y->store]);
}

static int compare(const struct merge *m, const struct held *x,
                   const struct held *y)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct likeness like;

    if (y->failed)
        return y->diverged && !x->failed ? outcomes_differ(m, x, y) : OK;
    if (!strcmp(x->line.sha256, y->line.sha256))
        return OK;
    PASS(likeness_read(&like, m->path[x->store], x->id, m->path[y->store],
                       y->id, a));
    return like.n[CELL_RESULTS]
               ? err_set(ERR_STORE, "cell %s: %s and %s have different "
                         "results: %s; `synthbench compare --digests` compares "
                         "all cells", x->id, m->path[x->store],
                         m->path[y->store], likeness_why(&like))
               : OK;
}

/* Compares all pairs of entries of each id.  Equality is not transitive,
 * because results that later versions added exist only in some files. */
static int compare_all(const struct merge *m)
{
    for (int i = 0; i < m->n; i++)
        for (int k = i + 1; k < m->n && !strcmp(m->held[k].id, m->held[i].id);
             k++)
            PASS(compare(m, &m->held[i], &m->held[k]));
    return OK;
}

/* ---- the new store ---- */

static int copy(const char *from, const char *to)
{
    struct file_map file;

    PASS(file_map(&file, from));
    int rc = file_write(to, file.data ? file.data : "", file.bytes);
    file_unmap(&file);
    return rc;
}

/* Copies the weights of a cell.  Returns 1, or 0 if `store` has no weights of
 * the cell with the digest `sha256`. */
static int take_weights(const char *store, const char *to, const char *id,
                        const char *sha256)
{
    OWNED(free) char *from = part(store, "weights", id, ".h5");
    OWNED(free) char *into = part(to, "weights", id, ".h5");
    char own[HASH_HEX];

    if (!file_exists(from))
        return 0;
    PASS(hash_file(from, own));
    if (strcmp(own, sha256))
        return 0;
    OWNED(free) char *folder = str_format("%s/weights", to);
    PASS(file_mkdirs(folder));
    PASS(copy(from, into));
    return 1;
}

static int merge_weights(struct merged *out, const struct merge *m,
                         const struct held *h, const char *to)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    OWNED(free) char *sha256 = NULL;
    int found = 0;

    PASS(cell_open(&r, m->path[h->store], h->id));
    int rc = cell_get_text(r, "weights", "file_sha256", &sha256);
    if (rc == ERR_EMPTY) /* the weights were not stored */
        return OK;
    PASS(rc);
    for (int i = 0; i < m->stores && !found; i++)
        PASS(found = take_weights(m->path[i], to, h->id, sha256));
    out->weightless += !found;
    return OK;
}

static int put(struct merged *out, const struct merge *m, const struct held *h,
               const char *to)
{
    const char *folder = h->failed ? "failed" : "cells";
    const char *end = h->failed ? ".json" : ".h5";
    OWNED(free) char *from = part(m->path[h->store], folder, h->id, end);
    OWNED(free) char *into = part(to, folder, h->id, end);

    PASS(copy(from, into));
    *(h->failed ? &out->failed : &out->cells) += 1;
    if (h->failed)
        return OK;
    PASS(journal_add(to, h->id, &h->line));
    return merge_weights(out, m, h, to);
}

static int fill(struct merged *out, const struct merge *m, const char *to)
{
    OWNED(stage_end) struct stage stage = {.what = "copying cells"};
    OWNED(store_close) struct store *s = NULL;
    int rc;

    PASS(store_open(&s, to, 1));
    rc = frozen_unite(to, m->path, m->stores);
    PASS(rc == ERR_EMPTY ? OK : rc);
    for (int i = 0, k; i < m->n; i = k) {
        stage_show(&stage, i, m->n);
        PASS(put(out, m, &m->held[i], to));
        for (k = i + 1; k < m->n && !strcmp(m->held[k].id, m->held[i].id); k++)
            ;
        out->shared += k > i + 1 && !m->held[i + 1].failed;
    }
    return store_reindex(s);
}

static int taken(const char *to)
{
    return err_set(ERR_USAGE, "%s: already exists; specify a new folder, "
                   "because existing stores are not changed", to);
}

/* Checks that `to` does not exist, or is an empty folder. */
static int check_free(const char *to, struct arena *a)
{
    const char **name;
    struct stat st;

    if (lstat(to, &st))
        return OK;
    if (S_ISLNK(st.st_mode))
        return err_set(ERR_USAGE, "%s: is a link; specify a new folder", to);
    return !folder_names(&name, to, a) && !*name ? OK : taken(to);
}

/* Returns the real path of the deepest folder of `path` that exists. */
static char *real_parent(const char *path)
{
    OWNED(free) char *copy = str_copy(path);
    char *at = copy, *real;

    while (!(real = realpath(at, NULL)) && strcmp(at, "/") && strcmp(at, "."))
        at = dirname(at);
    return real;
}

/* Checks that the new store does not lie within one of the merged stores. */
static int check_outside(const struct merge *m, const char *to)
{
    OWNED(free) char *parent = real_parent(to);

    for (int i = 0; parent && i < m->stores; i++) {
        OWNED(free) char *store = realpath(m->path[i], NULL);
        size_t n = store ? strlen(store) : 0;

        if (n && !strncmp(parent, store, n) &&
            (!parent[n] || parent[n] == '/'))
            return err_set(ERR_USAGE, "%s: lies within the store %s, which is "
                           "not changed; specify a folder elsewhere", to,
                           m->path[i]);
    }
    return OK;
}

/*
 * ---- the temporary folder ----
 *
 * A merge fills a folder with a temporary name next to the new store.  While it
 * does so, it holds a lock on a file in the folder.  If another process can
 * take this lock, the merge has died.
 */

static const char mark[] = "merging";

/* Removes the temporary folders that killed merges left next to the new store.
 * A merge that was killed before it locked its folder left an empty one. */
static void sweep(const char *to, struct arena *a)
{
    const char *begin = arena_format(a, "%s.", str_base(to));
    const char *folder = dirname(arena_text(a, to)), **name;

    if (folder_names(&name, folder, a))
        return;
    for (; *name; name++) {
        const char *left = arena_format(a, "%s/%s", folder, *name);
        OWNED(close) int fd = -1;

        if (!str_ends(*name, ".tmp"))
            continue;
        if (!strncmp(*name, begin, strlen(begin)))
            rmdir(left); /* fails if the folder is not empty */
        if (file_exists(arena_format(a, "%s/%s", left, mark)) &&
            store_try_lock(&fd, left, mark) == OK)
            folder_remove(left);
    }
}

/* Creates and locks the temporary folder.  Until the folder is locked, another
 * merge may consider it abandoned and remove it; in that case, creates another
 * folder. */
static int make_folder(char **made, int *fd, const char *to)
{
    struct stat st = {.st_nlink = 0};
    int rc = OK;

    for (int i = 0; i < 8 && !st.st_nlink; i++) {
        free(*made);
        *made = file_temporary(to);
        PASS(file_mkdirs(*made));
        close(*fd);
        rc = store_lock(fd, *made, mark);
        if (rc == OK && fstat(*fd, &st))
            rc = err_errno(ERR_IO, "%s", *made);
    }
    return rc;
}

/* Renames the temporary folder `made` to `to`.  Fails if another merge has
 * created `to` meanwhile.  Until the folder is renamed, it stays locked. */
static int publish(const char *made, const char *to)
{
    OWNED(free) char *path = str_format("%s/%s", to, mark);

    if (!rename(made, to)) {
        unlink(path);
        return OK;
    }
    return errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR ||
                   errno == EBUSY
               ? taken(to)
               : err_errno(ERR_IO, "%s", to);
}

static int open_all(struct merge *m)
{
    m->store = arena_zero(m->memory, ((size_t)m->stores + 1) *
                                         sizeof *m->store);
    for (int i = 0; i < m->stores; i++) {
        PASS(store_open(&m->store[i], m->path[i], 0));
        PASS(look_at_cells(m, i));
        PASS(look_at_failures(m, i));
    }
    if (m->n)
        qsort(m->held, (size_t)m->n, sizeof *m->held, order);
    return OK;
}

int merge_stores(struct merged *out, const char *to, const char *const store[],
                 int n)
{
    OWNED(merge_close) struct merge m = {.path = store, .stores = n,
                                         .memory = arena_new()};
    OWNED(free) char *made = NULL;
    OWNED(close) int fd = -1; /* holds the lock */

    *out = (struct merged){0};
    PASS(check_free(to, m.memory));
    PASS(check_outside(&m, to));
    PASS(open_all(&m));
    PASS(compare_all(&m));
    sweep(to, m.memory);
    PASS(make_folder(&made, &fd, to));
    int rc = fill(out, &m, made);
    rc = rc < 0 ? rc : publish(made, to);
    if (rc < 0)
        folder_remove(made);
    return rc;
}
