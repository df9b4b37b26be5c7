#include "harness/data/source/apt.h"

#include "harness/base/child.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/data/source/manifest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The content of apt.conf.  The option `-o` cannot clear lists; this file
 * clears the system's hooks, and the Languages "none" of container images. */
static const char settings[] =
    "#clear APT::Update::Pre-Invoke;\n"
    "#clear APT::Update::Post-Invoke;\n"
    "#clear APT::Update::Post-Invoke-Success;\n"
    "#clear Acquire::Languages;\n"
    "Acquire::Languages { \"en\"; \"de\"; \"fr\"; };\n"
    "Acquire::GzipIndexes \"false\";\n"
    "APT::Get::List-Cleanup \"false\";\n";

/* The format of the lines of `apt-get indextargets`.  If an index lacks a
 * value, apt prints the name of the value. */
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

struct apt {
    char *work;        /* folder of lists, cache and apt.conf */
    char codename[64]; /* release; "" until apt lists its first index */
    char printed[512]; /* last output of update */
};

/* Returns the last lines of a program's output, at most 500 bytes, or the last
 * 500 bytes of a longer line; removes blanks and line feeds at its end in
 * place. */
static const char *last_words(char *printed)
{
    enum { MOST = 500 };
    size_t n = strlen(printed);

    while (n && (printed[n - 1] == '\n' || printed[n - 1] == ' '))
        n--;
    printed[n] = 0;
    char *last = printed + (n > MOST ? n - MOST : 0);
    const char *line = n > MOST ? strchr(last, '\n') : NULL;
    return line ? line + 1 : last;
}

/* Runs `apt-get VERB WORD MORE` in a folder (NULL: the current one), with the
 * lists, the cache and the configuration file below a->work. */
static int apt_get(char **printed, const struct apt *a, const char *folder,
                   const char *verb, const char *word, const char *more)
{
    OWNED(free) char *lists = str_format("Dir::State::Lists=%s/lists", a->work);
    OWNED(free) char *cache = str_format("Dir::Cache=%s/cache", a->work);
    OWNED(free) char *conf = str_format("%s/apt.conf", a->work);
    const char *argv[] = {"env", "-C",  folder, "apt-get", "-q",
                          "-c",  conf,  "-o",   lists,     "-o",
                          cache, verb,  word,   more,      NULL};

    return child_run(printed, argv + (folder ? 0 : 3));
}

/* Returns 1 for an index of Debian main that belongs to the release itself, not
 * to bookworm-updates and the like.  If there are several releases, accepts the
 * first one that apt lists. */
static int is_wanted(struct apt *a, char *const column[COLUMNS])
{
    const char *codename = column[CODENAME];

    if (strcmp(column[ORIGIN], "Debian") || strcmp(column[COMPONENT], "main") ||
        strchr(codename, '-') ||
        (strcmp(column[RELEASE], codename) &&
         strcmp(column[RELEASE], column[SUITE])))
        return 0;
    if (!*a->codename)
        snprintf(a->codename, sizeof a->codename, "%s", codename);
    return !strcmp(a->codename, codename);
}

/* Links the index file that one line of `apt-get indextargets` names into the
 * folder if it is wanted.  apt still needs this file, so it is not moved. */
static int take_target(struct apt *a, const char *folder, char *line)
{
    const char *const *wanted = source_list[SOURCE_APT].file;
    char *column[COLUMNS], name[64];
    int n = 0;

    while (line && n < COLUMNS)
        column[n++] = strsep(&line, "\t");
    if (n < COLUMNS || !is_wanted(a, column))
        return OK;
    if (!strcmp(column[KIND], "Translations"))
        snprintf(name, sizeof name, "Translation-%s", column[LANGUAGE]);
    else
        snprintf(name, sizeof name, "%s", column[KIND]);
    for (int i = 0; wanted[i]; i++) {
        OWNED(free) char *path = str_format("%s/%s", folder, wanted[i]);

        if (!strcmp(name, wanted[i]) && !file_exists(path) &&
            link(column[FILENAME], path) && errno != ENOENT)
            return err_errno(ERR_IO, "%s", path);
    }
    return OK;
}

int apt_descriptions(struct apt *a, const char *folder, char *origin,
                     size_t bytes)
{
    OWNED(free) char *printed = NULL;
    int rc = apt_get(&printed, a, NULL, "indextargets", "--format", format);

    for (char *rest = printed, *line; rc == OK && (line = strsep(&rest, "\n"));)
        rc = take_target(a, folder, line);
    if (rc == OK && !manifest_complete(folder, SOURCE_APT))
        rc = err_set(ERR_DATA, "apt fetched no descriptions: there is no "
                               "network, or its sources have no Debian "
                               "release; apt reported: %s", a->printed);
    snprintf(origin, bytes, "Debian %s", a->codename);
    return rc;
}

/* Adds apt's last output `printed` to the message of ERR_DATA.  Frees `printed`
 * and returns rc. */
static int with_output(int rc, char *printed)
{
    if (rc == ERR_DATA && printed && *last_words(printed))
        err_set(rc, "%s; apt reported: %s", err_last(), last_words(printed));
    free(printed);
    return rc;
}

int apt_download(struct apt *a, const char *package, const char *folder)
{
    char *printed = NULL;
    int rc = apt_get(&printed, a, folder, "download", package, NULL);

    if (rc == ERR_DATA)
        err_set(rc, "apt-get cannot download %s", package);
    return with_output(rc, printed);
}

static int update(struct apt *a)
{
    char *printed = NULL;
    OWNED(free) char *partial = str_format("%s/lists/partial", a->work);
    OWNED(free) char *archives = str_format("%s/cache/archives/partial",
                                            a->work);
    OWNED(free) char *conf = str_format("%s/apt.conf", a->work);
    int rc = OK;

    GOTO_IF_ERR(file_mkdirs(partial));
    GOTO_IF_ERR(file_mkdirs(archives));
    GOTO_IF_ERR(file_write(conf, settings, sizeof settings - 1));
    rc = apt_get(&printed, a, NULL, "update", NULL, NULL);
    if (printed)
        snprintf(a->printed, sizeof a->printed, "%s", last_words(printed));
out:
    return with_output(rc, printed);
}

int apt_open(struct apt **out, const char *work)
{
    struct apt *a = calloc(1, sizeof *a);

    a->work = str_copy(work);
    int rc = update(a);

    *out = rc < 0 ? NULL : a;
    if (rc < 0)
        apt_close(a);
    return rc;
}

void apt_close(struct apt *a)
{
    if (!a)
        return;
    free(a->work);
    free(a);
}
