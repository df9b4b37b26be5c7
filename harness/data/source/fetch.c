#include "harness/data/source/fetch.h"

#include "harness/base/child.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/str.h"
#include "harness/data/source/apt.h"
#include "harness/data/source/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fetch {
    const char *root; /* CACHE */
    char *work;       /* CACHE/fetch.new: the working folder */
    char *folder;     /* WORK/NAME: becomes CACHE/NAME if complete */
    char *unpacked;   /* WORK/unpacked */
    struct apt *apt;  /* NULL until needed */
    char origin[128];
};

/* file: pattern; folders: number of leading folders to strip */
struct kept { const char *file; int folders; };

static const struct part {
    const char *package, *size;
    int (*get)(struct fetch *f, const struct part *p);
    struct kept keep[4];
} parts[SOURCES];

/* ---- unpacking ---- */

/* Moves UNPACKED/a/b/c/file to FOLDER/c/file if `folders` is 2. */
static int keep_file(const struct fetch *f, const char *file, int folders)
{
    const char *name = file;

    while (folders--)
        name += strcspn(name, "/") + 1;
    OWNED(free) char *from = str_format("%s/%s", f->unpacked, file);
    OWNED(free) char *to = str_format("%s/%s", f->folder, name);
    char *slash = strrchr(to, '/');

    *slash = 0;
    PASS(file_mkdirs(to));
    *slash = '/';
    return rename(from, to) ? err_errno(ERR_IO, "%s", to) : OK;
}

static int keep_files(const struct fetch *f, const struct part *p)
{
    for (const struct kept *k = p->keep; k->file; k++) {
        OWNED(files_close) struct files found = {.n = 0};

        PASS(files_find(&found, f->unpacked, k->file));
        for (int i = 0; i < found.n; i++)
            PASS(keep_file(f, found.file[i], k->folders));
    }
    return OK;
}

/* Runs a program.  If `origin` is not NULL, sets `origin` to the first line of
 * output. */
static int run_program(const char *const argv[], char *origin, size_t bytes)
{
    OWNED(free) char *printed = NULL;
    int rc = child_run(&printed, argv);

    if (rc < 0 && printed)
        err_set(rc, "%s; its output: %.300s", err_last(), printed);
    if (rc == OK && origin)
        snprintf(origin, bytes, "%.*s", (int)strcspn(printed, "\n"), printed);
    return rc;
}

/* Finds the only file of WORK/unpacked that matches the pattern; the caller
 * frees *path. */
static int only_file(char **path, const struct fetch *f, const char *pattern)
{
    OWNED(files_close) struct files found = {.n = 0};

    *path = NULL;
    PASS(files_find(&found, f->unpacked, pattern));
    if (found.n != 1)
        return err_set(ERR_DATA, "found %d files %s, expected 1", found.n,
                       pattern);
    *path = str_format("%s/%s", f->unpacked, found.file[0]);
    return OK;
}

/* ---- the parts ---- */

static int need_apt(struct fetch *f)
{
    return f->apt ? OK : apt_open(&f->apt, f->work);
}

static int get_descriptions(struct fetch *f, const struct part *p)
{
    (void)p;
    PASS(need_apt(f));
    return apt_descriptions(f->apt, f->folder, f->origin, sizeof f->origin);
}

static int get_debian(struct fetch *f, const struct part *p)
{
    OWNED(free) char *deb = NULL;

    PASS(need_apt(f));
    PASS(apt_download(f->apt, p->package, f->unpacked));
    PASS(only_file(&deb, f, "*.deb"));
    PASS(run_program((const char *const[]){
        "dpkg-deb", "--showformat", "${Package} ${Version}", "--show", deb,
        NULL}, f->origin, sizeof f->origin));
    PASS(run_program((const char *const[]){
        "dpkg-deb", "-x", deb, f->unpacked, NULL}, NULL, 0));
    return keep_files(f, p);
}

static int get_npm(struct fetch *f, const struct part *p)
{
    OWNED(free) char *cache = str_format("%s/npm", f->work), *tar = NULL;

    PASS(run_program((const char *const[]){"npm", "--version", NULL}, NULL, 0));
    PASS(run_program((const char *const[]){
        "env", "-C", f->unpacked, "npm", "pack", "--ignore-scripts", "--cache",
        cache, p->package, NULL}, NULL, 0));
    PASS(only_file(&tar, f, "*.tgz"));
    PASS(run_program((const char *const[]){
        "tar", "-xzf", tar, "-C", f->unpacked, NULL}, NULL, 0));
    PASS(keep_files(f, p));
    snprintf(f->origin, sizeof f->origin, "npm's %s", p->package);
    return OK;
}

#define WESNOTH "usr/share/games/wesnoth/"
static const struct part parts[SOURCES] = {
    [SOURCE_SENTIMENT] = {"sentiment@5.0.2", "0.1 MB", get_npm,
                          {{"package/test/fixtures/*.json", 0}}},
    [SOURCE_APT] = {"apt's lists", "20 MB", get_descriptions, {{0}}},
    [SOURCE_WESNOTH] = {"wesnoth-1.16-utbs", "13 MB", get_debian,
                        {{WESNOTH "*/scenarios/*.cfg", 7},
                         {WESNOTH "*/locale/de/LC_MESSAGES/*.mo", 5},
                         {WESNOTH "*/locale/fr/LC_MESSAGES/*.mo", 5}}},
};

/* ---- fetching ---- */

/* Replaces `folder` by f->folder.  At any moment `folder` is either complete or
 * absent. */
static int swap_in(const struct fetch *f, const char *folder)
{
    OWNED(free) char *old = str_format("%s.old", folder);
    int rc = OK;

    folder_remove(old);
    if (rename(folder, old) && errno != ENOENT)
        rc = err_errno(ERR_IO, "%s", folder);
    else if (rename(f->folder, folder)) {
        rc = err_errno(ERR_IO, "%s", folder);
        rename(old, folder); /* the files that were there stay */
    }
    folder_remove(old);
    return rc;
}

static int fetch_one(struct fetch *f, enum source_id id, const char *folder)
{
    const struct source *s = &source_list[id];
    struct manifest m;
    int rc;

    f->folder = str_format("%s/%s", f->work, s->name);
    f->unpacked = str_format("%s/unpacked", f->work);
    say("fetching %s (%s, %s) ...", s->what, parts[id].package,
        parts[id].size);
    GOTO_IF_ERR(file_mkdirs(f->folder));
    GOTO_IF_ERR(file_mkdirs(f->unpacked));
    GOTO_IF_ERR(parts[id].get(f, &parts[id]));
    if (!manifest_complete(f->folder, id))
        GOTO_IF_ERR(err_set(ERR_DATA, "%s: incomplete %s",
                            parts[id].package, s->what));
    GOTO_IF_ERR(manifest_make(&m, f->folder, id, f->origin));
    GOTO_IF_ERR(swap_in(f, folder));
out:
    folder_remove(f->unpacked);
    folder_remove(f->folder);
    free(f->unpacked);
    free(f->folder);
    return rc;
}

/* Waits until no other process fetches. */
static int lock(int *fd, const char *root)
{
    OWNED(free) char *path = str_format("%s/fetch.lock", root);

    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*fd < 0 || lockf(*fd, F_LOCK, 0))
        return err_errno(ERR_IO, "%s", path);
    return OK;
}

/* Returns the error `rc` of fetching a source, or prints it and returns OK if
 * the other sources can be used without this one. */
static int judge(int rc, enum source_id id, unsigned which, const char *folder)
{
    int had = manifest_complete(folder, id);

    if (rc != ERR_DATA)
        return rc;
    err_wrap(rc, "%s: %s", had ? "not updated" : "not fetched",
             source_list[id].what);
    if (id == SOURCE_APT || which == 1u << id)
        return err_set(rc, "%s; put the files in %s or use --synthetic",
                       err_last(), folder);
    say("%s; tasks that need this text cannot run", err_last());
    return OK;
}

static int fetch_all(struct fetch *f, unsigned which, int refresh)
{
    int rc = OK;

    for (int id = 0; id < SOURCES && rc == OK; id++) {
        OWNED(free) char *folder = str_format("%s/%s", f->root,
                                              source_list[id].name);

        if (which >> id & 1 &&
            (refresh || !manifest_complete(folder, (enum source_id)id)))
            rc = judge(fetch_one(f, (enum source_id)id, folder),
                       (enum source_id)id, which, folder);
    }
    return rc;
}

int fetch_sources(const char *cache, unsigned which, int refresh)
{
    char root[PATH_MAX];
    OWNED(close) int fd = -1;

    PASS(file_mkdirs(cache));
    if (!realpath(cache, root)) /* apt resolves relative paths from its own
                                   folder */
        return err_errno(ERR_IO, "%s", cache);
    PASS(lock(&fd, root));
    OWNED(free) char *work = str_format("%s/fetch.new", root);
    struct fetch f = {.root = root, .work = work};
    folder_remove(work); /* left by an interrupted fetch */
    int rc = fetch_all(&f, which, refresh);
    folder_remove(work);
    apt_close(f.apt);
    return rc;
}
