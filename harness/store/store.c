#include "harness/store/store.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/json.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "harness/store/journal.h"
#include "harness/store/store_private.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- links in a store: nothing is written through them, because they may lead
 * to files outside of the store ---- */

static const struct { const char *name; int folder; } owned[] = {
    {"cells", 1}, {"claims", 1}, {"failed", 1}, {"checkpoints", 1},
    {"logs", 1}, {"weights", 1}, {"plots", 1}, {"quarantine", 1},
    {"rerun", 1}, {"slurm", 1}, {"speed", 1}, {"journal.tsv", 0}, {"lock", 0},
    {"claims/.lock", 0}};

enum { MADE = 5 }; /* a new store has the first MADE entries of `owned` */

/* Returns what is wrong with the folder at `path` or, if `folder` is 0, with
 * the file at `path`.  Such files are written in place.  Returns NULL if
 * nothing is wrong. */
static const char *fault(const char *path, int folder)
{
    struct stat st;

    if (lstat(path, &st))
        return NULL; /* the function that uses `path` reports the error */
    if (S_ISLNK(st.st_mode))
        return "is a link, which may lead out of the store: replace it by its "
               "target, or remove it";
    if (folder)
        return S_ISDIR(st.st_mode) ? NULL : "is not a folder: remove it";
    return S_ISREG(st.st_mode) ? NULL : "is not a file: remove it";
}

static int check_own(const char *store)
{
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        OWNED(free) char *path = str_format("%s/%s", store, owned[i].name);
        const char *what = fault(path, owned[i].folder);

        if (what)
            return err_set(ERR_STORE, "%s: %s", path, what);
    }
    return OK;
}

/* ---- opening ---- */

static int make_folders(const char *path)
{
    for (int i = 0; i < MADE; i++) {
        OWNED(free) char *p = str_format("%s/%s", path, owned[i].name);

        PASS(file_mkdirs(p));
    }
    return journal_create(path);
}

int store_place(const char *path)
{
    if (access(path, F_OK) && errno == ENOENT)
        return OK;
    int rc = file_named(path, 1);
    return rc < 0 ? err_set(rc, "%s; a store is a results folder that can be "
                                "read, such as results/quick", err_last()) : OK;
}

int store_look(struct store **out, const char *path)
{
    OWNED(free) char *cells = str_format("%s/cells", path);
    struct arena *memory;

    *out = NULL;
    PASS(store_place(path));
    PASS(check_own(path));
    if (!file_exists(cells))
        return err_set(ERR_EMPTY, "%s: not a store; check the path "
                                  "(`synthbench run` creates stores)", path);
    memory = arena_new();
    *out = arena_take(memory, sizeof **out);
    **out = (struct store){.memory = memory, .path = arena_text(memory, path)};
    return OK;
}

const char *const cell_state_text[] = {
    [CELL_MISSING] = "missing", [CELL_RUNNING] = "running",
    [CELL_DONE] = "done",       [CELL_FAILED] = "failed",
    [CELL_REFUSED] = "refused", [CELL_BLOCKED] = "blocked",
    [CELL_STATES] = NULL};

int store_open(struct store **out, const char *path, int create)
{
    OWNED(store_close) struct store *s = NULL;

    *out = NULL;
    PASS(store_place(path));
    if (create) {
        PASS(check_own(path));
        PASS(make_folders(path));
    }
    PASS(store_look(&s, path));
    /* Damaged lines are only reported: cells have seals, too. */
    PASS(journal_read(path));
    return MOVE_OUT(out, s);
}

void store_close(struct store *s)
{
    if (s)
        arena_free(s->memory);
}

const char *store_path(const struct store *s) { return s->path; }

/* Maps every error except ERR_SPACE to ERR_STORE.  A cell that cannot be read,
 * for whatever reason, counts as damaged and does not affect other cells. */
static int damage(int rc)
{
    return rc == OK || rc == ERR_SPACE ? rc : ERR_STORE;
}

static char *failure_path(const struct store *s, const char *id)
{
    return str_format("%s/failed/%s.json", s->path, id);
}

/* Removes the files of a folder whose names begin with `begin` and end with
 * `end`. */
static int sweep(const struct store *s, const char *folder, const char *begin,
                 const char *end)
{
    OWNED(free) char *path = str_format("%s/%s", s->path, folder);
    OWNED(closedir) DIR *d = opendir(path);

    if (!d)
        return err_errno(ERR_IO, "%s", path);
    for (struct dirent *e; (e = readdir(d));) {
        if (strncmp(e->d_name, begin, strlen(begin)) ||
            !str_ends(e->d_name, end))
            continue;
        if (unlinkat(dirfd(d), e->d_name, 0) && errno != ENOENT)
            return err_errno(ERR_IO, "%s/%s", path, e->d_name);
    }
    return OK;
}

int store_prepare(struct store *s, const char *id)
{
    OWNED(free) char *path = cell_path(s->path, id);
    OWNED(free) char *begin = str_format("%s.", id);
    struct journal_line line;

    PASS(sweep(s, "cells", begin, ".tmp"));
    PASS(sweep(s, "checkpoints", begin, ".tmp"));
    if (file_exists(path))
        return OK;
    int rc = journal_find(s->path, id, &line);
    return rc == OK ? journal_add(s->path, id, NULL)
                    : rc == ERR_EMPTY ? OK : rc;
}

/* ---- the state of a cell ---- */

/* Parses a failure note.  A note without a seal is from an earlier version; it
 * must have exactly the four members that are read here. */
static int parse_failure(struct cell_status *out, int *sealed,
                         const char *text, size_t n)
{
    json_error_t why;
    OWNED(json_decref) json_t *note = json_loadb(text, n, 0, &why);
    const char *class, *message, *date;

    *sealed = note && json_object_get(note, "seal");
    if (!note || json_unpack_ex(note, &why, 0,
                                *sealed ? "{s:s, s:s, s:F, s:s}"
                                        : "{s:s, s:s, s:F, s:s !}",
                                "class", &class, "message", &message,
                                "seconds", &out->seconds, "date", &date))
        return err_set(ERR_STORE, "%s", why.text);
    if (*sealed)
        PASS(json_sealed(text, n));
    out->state = CELL_FAILED;
    snprintf(out->class, sizeof out->class, "%s", class);
    snprintf(out->message, sizeof out->message, "%s", message);
    return OK;
}

static int read_failure(const char *path, struct cell_status *out, int *sealed)
{
    OWNED(free) char *text = NULL;
    size_t n;

    PASS(file_read(&text, &n, path));
    if (parse_failure(out, sealed, text, n) < 0)
        return err_set(ERR_STORE, "%s: %s; remove the file, which only records "
                       "why a run failed", path, err_last());
    return OK;
}

int store_failure_check(struct store *s, const char *id, int *sealed)
{
    OWNED(free) char *path = failure_path(s, id);
    struct cell_status unused;

    return read_failure(path, &unused, sealed);
}

static int unfinished(struct store *s, const char *id, struct cell_status *out)
{
    OWNED(free) char *path = failure_path(s, id);
    int sealed;

    if (store_claimed(s, id))
        out->state = CELL_RUNNING;
    else if (file_exists(path))
        return read_failure(path, out, &sealed);
    return OK;
}

/* Checks the file; without a journal line, it tells the seconds, too.  Earlier
 * versions stored cells that had diverged: a cell with a metric that is not
 * finite has failed. */
static int check_file(struct store *s, const char *id,
                      const struct journal_line *line, struct cell_status *out,
                      struct cell_reader **to)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    const char **name;
    size_t n;
    double x;

    PASS(cell_open(&r, s->path, id));
    if (!*line->sha256)
        PASS(cell_maybe(cell_get_real(r, "timing", "train_seconds",
                                      &out->seconds)));
    if (cell_get_names(r, "metrics", &name, &n) < 0)
        n = 0;
    for (size_t i = 0; i < n && out->state == CELL_DONE; i++) {
        PASS(cell_get_metric(r, name[i], &x));
        if (isfinite(x))
            continue;
        out->state = CELL_FAILED;
        snprintf(out->class, sizeof out->class, "diverged");
        snprintf(out->message, sizeof out->message, "diverged: %s on the test "
                 "set is %s; lower schedule.scale or raise schedule.warmup",
                 name[i], isnan(x) ? "not a number" : "infinite");
    }
    return out->state == CELL_DONE ? MOVE_OUT(to, r) : OK;
}

static int wrong_size(const char *path, long long bytes, long long recorded)
{
    OWNED(free) char *what = str_format("has %lld bytes, but journal.tsv "
                                        "records %lld", bytes, recorded);

    return cell_damaged(path, what);
}

/* Sets *line to the journal line of a finished cell, if there is one, and
 * compares it with the size of the file. */
static int finished(struct store *s, const char *id, const char *path,
                    long long bytes, struct journal_line *line)
{
    *line = (struct journal_line){.bytes = bytes};
    int rc = journal_find(s->path, id, line);

    PASS(rc == ERR_EMPTY ? OK : rc);
    return line->bytes == bytes ? OK : wrong_size(path, bytes, line->bytes);
}

/* Checks that `path` is a regular file. */
static int look_at(const char *path, struct stat *st)
{
    const char *what = stat(path, st)            ? strerror(errno)
                       : !S_ISREG(st->st_mode) ? "is not a file"
                                               : NULL;

    return what ? cell_damaged(path, what) : OK;
}

int store_read(struct store *s, const char *id, struct cell_status *out,
               struct cell_reader **r)
{
    OWNED(free) char *path = cell_path(s->path, id);
    struct journal_line line;
    struct stat st;

    *r = NULL;
    *out = (struct cell_status){.state = CELL_MISSING};
    if (lstat(path, &st) && errno == ENOENT)
        return damage(unfinished(s, id, out));
    PASS(damage(look_at(path, &st)));
    out->state = CELL_DONE;
    PASS(damage(finished(s, id, path, (long long)st.st_size, &line)));
    out->seconds = line.seconds;
    return damage(check_file(s, id, &line, out, r));
}

int store_status(struct store *s, const char *id, struct cell_status *out)
{
    OWNED(cell_close) struct cell_reader *unused = NULL;

    return store_read(s, id, out, &unused);
}

int store_tried(const struct cell_status *trial)
{
    return trial->state == CELL_DONE || (trial->state == CELL_FAILED &&
                                         !strcmp(trial->class, "diverged"));
}

/* ---- the end of a run ---- */

int store_done(struct store *s, const char *id, double seconds)
{
    struct journal_line line = {.seconds = seconds};
    OWNED(free) char *path = cell_path(s->path, id);
    OWNED(free) char *note = failure_path(s, id);
    OWNED(free) char *begin = str_format("%s.", id);
    struct stat st;

    if (stat(path, &st))
        return err_errno(ERR_IO, "%s", path);
    line.bytes = (long long)st.st_size;
    PASS(hash_file(path, line.sha256));
    /* Even if the note or a checkpoint remains, the cell counts as done. */
    unlink(note);
    sweep(s, "checkpoints", begin, "");
    return journal_add(s->path, id, &line);
}

int store_fail(struct store *s, const char *id, const char *class,
               const char *message, double seconds)
{
    char date[32];
    OWNED(free) char *path = failure_path(s, id);
    OWNED(json_decref) json_t *note = json_pack("{s:s, s:s, s:f, s:s}", "class",
                                                class, "message", message,
                                                "seconds", seconds, "date",
                                                clock_iso(date));
    OWNED(free) char *dump = json_seal(note);
    return file_write(path, dump, strlen(dump));
}

/* ---- all cells ---- */

const char *store_id_of(const char *name, const char *end, struct arena *a)
{
    const char *id = str_ends(name, end)
                         ? arena_format(a, "%.*s", (int)(strlen(name) -
                                                         strlen(end)), name)
                         : "";

    return cell_is_id(id) ? id : NULL;
}

int store_list(struct store *s, const char ***out, int *n)
{
    OWNED(free) char *path = str_format("%s/cells", s->path);
    const char **name;

    *n = 0;
    if (folder_names(out, path, s->memory))
        return err_errno(ERR_IO, "%s", path);
    for (name = *out; *name; name++) {
        const char *id = store_id_of(*name, ".h5", s->memory);

        if (id)
            (*out)[(*n)++] = id;
    }
    return OK;
}

/* Does the work of store_done for a cell without a journal line, unless a live
 * process holds the lease or has done so meanwhile.  A damaged cell is left to
 * store_status, which reports it. */
static int complete(struct store *s, const char *id, const char *kind)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    struct journal_line line;
    double seconds = 0;

    if (cell_open_kind(&r, s->path, id, kind) < 0)
        return OK;
    PASS(cell_maybe(cell_get_real(r, "timing", "train_seconds", &seconds)));
    int rc = store_claim(s, id);
    if (rc < 0)
        return rc == ERR_BUSY ? OK : rc;
    rc = journal_find(s->path, id, &line);
    if (rc == ERR_EMPTY)
        rc = store_done(s, id, seconds);
    store_release(s, id);
    return rc;
}

int store_complete(struct store *s, const char *kind)
{
    struct journal_line line;
    const char **id;
    int n;

    PASS(store_list(s, &id, &n));
    for (int i = 0; i < n; i++) {
        int rc = journal_find(s->path, id[i], &line);

        PASS(rc == ERR_EMPTY ? complete(s, id[i], kind) : rc);
    }
    return OK;
}

int store_others(struct store *s, const char *const *id, int n, int *out)
{
    OWNED(map_free) struct map *known = map_new();
    const char **all;
    int cells;

    *out = 0;
    PASS(store_list(s, &all, &cells));
    for (int i = 0; i < n; i++)
        map_add(known, id[i], i);
    for (int i = 0; i < cells; i++)
        *out += map_get(known, all[i], -1) < 0;
    return OK;
}
