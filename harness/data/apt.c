#define _XOPEN_SOURCE 700 /* nftw */
#include "harness/data/apt.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/data/child.h"
#include "harness/data/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file, for `-o` cannot clear lists: the system's hooks, and the
 * Languages "none" of container images. */
static const char settings[] =
    "#clear APT::Update::Pre-Invoke;\n"
    "#clear APT::Update::Post-Invoke;\n"
    "#clear APT::Update::Post-Invoke-Success;\n"
    "#clear Acquire::Languages;\n"
    "Acquire::Languages { \"en\"; \"de\"; \"fr\"; };\n"
    "Acquire::GzipIndexes \"false\";\n"
    "APT::Get::List-Cleanup \"false\";\n";

/* One line of indextargets; what an index has not is printed as its name. */
static const char format[] =
    "$(CREATED_BY)\t$(LANGUAGE)\t$(ORIGIN)\t$(COMPONENT)\t$(CODENAME)\t"
    "$(SUITE)\t$(RELEASE)\t$(FILENAME)";
enum {
    KIND,
    LANGUAGE,
    ORIGIN,
    COMPONENT,
    CODENAME,
    SUITE,
    RELEASE,
    FILENAME,
    COLUMNS
};

struct fetch {
    char *folder; /* CACHE/apt */
    char *work;   /* CACHE/apt.new: becomes folder when all is there */
    char *conf;   /* WORK/apt.conf */
    char *lists, *archives;
    char codename[64]; /* of the release; "" until its first index */
};

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

static void remove_tree(const char *path) /* if it is there */
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int apt_get(char **said, const struct fetch *f, const char *verb,
                   const char *output)
{
    char *lists = str_format("Dir::State::Lists=%s", f->lists);
    char *cache = str_format("Dir::Cache=%s", f->archives);
    const char *option = output ? "--format" : NULL;
    const char *argv[] = {"apt-get", "-q",  "-c", f->conf, "-o",   lists,
                          "-o",      cache, verb, option,  output, NULL};
    int rc = child_run(said, argv);

    free(lists);
    free(cache);
    return rc;
}

/* The last lines of what apt said; cut in place. */
static const char *last_words(char *said)
{
    enum { MOST = 500 };
    size_t n = strlen(said);

    while (n && (said[n - 1] == '\n' || said[n - 1] == ' '))
        n--;
    said[n] = 0;
    const char *line = n > MOST ? strchr(said + n - MOST, '\n') : NULL;
    return line ? line + 1 : said;
}

/* The suite of the release: of Debian, and not bookworm-updates and the like.
 * The first one that apt names, when there are several. */
static int is_wanted(struct fetch *f, char *const column[COLUMNS])
{
    const char *codename = column[CODENAME];

    if (strcmp(column[ORIGIN], "Debian") || strcmp(column[COMPONENT], "main") ||
        strchr(codename, '-') ||
        (strcmp(column[RELEASE], codename) &&
         strcmp(column[RELEASE], column[SUITE])))
        return 0;
    if (!*f->codename)
        snprintf(f->codename, sizeof f->codename, "%s", codename);
    return !strcmp(f->codename, codename);
}

/* Moves the file of one line of indextargets to WORK, if it is one of ours. */
static int take_target(struct fetch *f, char *line)
{
    char *column[COLUMNS], name[64];
    int n = 0;

    for (char *s = line; s && n < COLUMNS; n++) {
        column[n] = s;
        s = strchr(s, '\t');
        if (s)
            *s++ = 0;
    }
    if (n < COLUMNS || !is_wanted(f, column))
        return OK;
    if (!strcmp(column[KIND], "Translations"))
        snprintf(name, sizeof name, "Translation-%s", column[LANGUAGE]);
    else
        snprintf(name, sizeof name, "%s", column[KIND]);
    for (int i = 0; i < MANIFEST_FILES; i++) {
        char *path = str_format("%s/%s", f->work, manifest_name[i]);
        int mine = !strcmp(name, manifest_name[i]) && !file_exists(path);
        int bad = mine && rename(column[FILENAME], path) && errno != ENOENT;

        bad = bad ? err_errno(ERR_IO, "%s", path) : OK;
        free(path);
        if (bad)
            return bad;
    }
    return OK;
}

static int take_targets(struct fetch *f)
{
    char *said = NULL, *next;
    int rc = apt_get(&said, f, "indextargets", format);

    for (char *line = said; rc == OK && line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        rc = take_target(f, line);
    }
    free(said);
    return rc;
}

static int download(struct fetch *f)
{
    char *said = NULL, *partial = str_format("%s/partial", f->lists);
    char *archives = str_format("%s/archives/partial", f->archives);
    int rc = OK;

    TRY(file_mkdirs(partial));
    TRY(file_mkdirs(archives));
    TRY(file_write(f->conf, settings, sizeof settings - 1));
    say("fetching Debian's package descriptions with apt (20 MB) ...");
    rc = apt_get(&said, f, "update", NULL);
    if (rc == OK)
        rc = take_targets(f);
    if (rc == ERR_DATA && !said)
        err_wrap(rc,
                 "the data come with Debian's apt; put the files into %s "
                 "or use --synthetic",
                 f->folder);
    else if (rc == OK && !manifest_complete(f->work))
        rc = err_set(ERR_DATA, "apt fetched no descriptions: no network, or no "
                               "Debian release among its sources");
    if (rc == ERR_DATA && said)
        err_set(rc, "%s; apt said: %s", err_last(), last_words(said));
out:
    free(said);
    free(partial);
    free(archives);
    return rc;
}

/* The folder is whole or not there at any moment. */
static int swap_in(const struct fetch *f)
{
    char *old = str_format("%s.old", f->folder);
    int rc = OK;

    remove_tree(f->lists);
    remove_tree(f->archives);
    remove_tree(f->conf);
    remove_tree(old);
    if (rename(f->folder, old) && errno != ENOENT)
        rc = err_errno(ERR_IO, "%s", f->folder);
    else if (rename(f->work, f->folder))
        rc = err_errno(ERR_IO, "%s", f->folder);
    remove_tree(old);
    free(old);
    return rc;
}

static int fetch(struct fetch *f)
{
    struct manifest m;
    char origin[96];
    int rc = OK;

    remove_tree(f->work); /* of a fetch that was cut off */
    TRY(download(f));
    snprintf(origin, sizeof origin, "Debian %s", f->codename);
    TRY(manifest_make(&m, f->work, origin));
    TRY(swap_in(f));
out:
    remove_tree(f->work);
    return rc;
}

/* Two that fetch at once do it one after the other. */
static int lock(int *fd, const char *root)
{
    char *path = str_format("%s/apt.lock", root);
    int rc = OK;

    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*fd < 0 || lockf(*fd, F_LOCK, 0))
        rc = err_errno(ERR_IO, "%s", path);
    free(path);
    return rc;
}

int apt_fetch(const char *cache, int refresh)
{
    struct fetch f = {.folder = NULL};
    char root[PATH_MAX];
    int rc = OK, fd = -1;

    TRY(file_mkdirs(cache));
    if (!realpath(cache, root)) /* apt takes relative paths as from its own */
        TRY(err_errno(ERR_IO, "%s", cache));
    TRY(lock(&fd, root));
    f.folder = str_format("%s/apt", root);
    f.work = str_format("%s/apt.new", root);
    f.conf = str_format("%s/apt.conf", f.work);
    f.lists = str_format("%s/lists", f.work);
    f.archives = str_format("%s/cache", f.work);
    if (refresh || !manifest_complete(f.folder))
        TRY(fetch(&f));
out:
    if (fd >= 0)
        close(fd);
    free(f.folder);
    free(f.work);
    free(f.conf);
    free(f.lists);
    free(f.archives);
    return rc;
}
