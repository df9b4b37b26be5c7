#define _GNU_SOURCE /* renameat2 */
#include "harness/site/folder.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char heading[] =
    "Pages written by synthbench report, which replaces a folder that holds "
    "nothing but these:\n";

/* ---- checks before replacing ---- */

/* Adds the files that SITE_MARK lists, and SITE_MARK itself, to `ours`.
 * Returns ERR_USAGE if SITE_MARK is missing or has other contents. */
static int read_mark(struct map *ours, const char *place)
{
    OWNED(free) char *path = str_format("%s/" SITE_MARK, place), *text = NULL;
    size_t bytes;

    if (file_read(&text, &bytes, path) < 0 ||
        strncmp(text, heading, strlen(heading)))
        return err_set(ERR_USAGE, "%s: contains files other than a report; "
                       "specify a new or empty folder with -o", place);
    map_add(ours, SITE_MARK, 1);
    for (char *rest = text + strlen(heading), *line;
         (line = strsep(&rest, "\n"));)
        if (*line)
            map_add(ours, line, 1);
    return OK;
}

/* Returns ERR_USAGE if `place` contains anything other than folders and the
 * files in `ours`. */
static int check_files(struct map *ours, const char *place)
{
    char *const root[] = {(char *)place, NULL};
    FTS *walk = fts_open(root, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    size_t n = strlen(place) + 1;
    int rc = OK;

    if (!walk)
        return err_errno(ERR_IO, "%s", place);
    for (FTSENT *e; rc == OK && (e = fts_read(walk));)
        if (e->fts_info != FTS_D && e->fts_info != FTS_DP &&
            (e->fts_info != FTS_F || !map_get(ours, e->fts_path + n, 0)))
            rc = err_set(ERR_USAGE, "%s: is not a page of the report in this "
                         "folder; move it elsewhere, or specify another folder "
                         "with -o", e->fts_path);
    fts_close(walk);
    return rc;
}

static int check(const char *place)
{
    OWNED(map_free) struct map *ours = map_of_copies();
    struct stat st;

    if (lstat(place, &st) < 0)
        return errno == ENOENT ? OK : err_errno(ERR_USAGE, "%s", place);
    if (!S_ISDIR(st.st_mode))
        return err_set(ERR_USAGE, "%s: is %s, not a folder; specify another "
                       "folder with -o", place,
                       S_ISLNK(st.st_mode) ? "a link" : "a file");
    if (rmdir(place) == 0) /* was empty */
        return OK;
    PASS(read_mark(ours, place));
    return check_files(ours, place);
}

/* ---- writing ---- */

/* Returns the path without trailing slashes.  For an existing folder, returns
 * its absolute path, which resolves "." and "..". */
static char *place_of(const char *path)
{
    size_t n = strlen(path);
    char *real = realpath(path, NULL);
    struct stat st;

    if (real && lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return real;
    free(real);
    while (n > 1 && path[n - 1] == '/')
        n--;
    return str_format("%.*s", (int)n, path);
}

static int make_parent(const char *place)
{
    OWNED(free) char *parent = str_copy(place);
    char *slash = strrchr(parent, '/');

    if (!slash || slash == parent)
        return OK;
    *slash = 0;
    return file_mkdirs(parent);
}

int site_folder_open(struct site_folder *f, const char *place)
{
    mode_t mask;

    *f = (struct site_folder){.place = place_of(place)};
    if (!*f->place || !strcmp(f->place, "/"))
        return err_set(ERR_USAGE, "'%s' cannot be the folder of a report",
                       place);
    PASS(check(f->place));
    PASS(make_parent(f->place));
    f->temporary = str_format("%s.new-XXXXXX", f->place);
    if (!mkdtemp(f->temporary)) {
        int rc = err_errno(file_error(errno), "cannot create %s, because its "
                           "parent folder cannot be written (choose another "
                           "folder with -o)", f->place);

        free(f->temporary);
        f->temporary = NULL;
        return rc;
    }
    umask(mask = umask(0));
    return chmod(f->temporary, 0777 & ~mask) == 0
               ? OK : err_errno(ERR_IO, "%s", f->temporary);
}

int site_folder_done(struct site_folder *f, const char *const *file, int n)
{
    OWNED(free) char *path = str_format("%s/" SITE_MARK, f->temporary);
    OWNED(text_free) struct text all = {0};

    text_put(&all, heading);
    for (int i = 0; i < n; i++)
        text_format(&all, "%s\n", file[i]);
    PASS(file_write(path, all.s, all.n));
    PASS(check(f->place)); /* may have changed since site_folder_open */
    if (renameat2(AT_FDCWD, f->temporary, AT_FDCWD, f->place,
                  RENAME_EXCHANGE) == 0)
        return OK; /* site_folder_close removes the old site in `temporary` */
    if (errno != ENOENT || rename(f->temporary, f->place) < 0)
        return err_errno(ERR_IO, "%s", f->place);
    free(f->temporary);
    f->temporary = NULL;
    return OK;
}

void site_folder_close(struct site_folder *f)
{
    folder_remove(f->temporary);
    free(f->temporary);
    free(f->place);
}
