#include "harness/data/source/manifest.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/data/source/files.h"

#include <stdio.h>
#include <sys/stat.h>

const struct source source_list[SOURCES] = {
    [SOURCE_SENTIMENT] = {"sentiment", "UCI", "labelled sentences of reviews",
                          3,
                          {"package/test/fixtures/imdb.json",
                           "package/test/fixtures/yelp.json",
                           "package/test/fixtures/amazon.json"}},
    [SOURCE_APT] = {"apt", "Debian", "package descriptions", 3,
                    {"Packages", "Translation-en", "Translation-de",
                     "Translation-fr"}},
    [SOURCE_WESNOTH] = {"wesnoth", "Battle for Wesnoth", "dialogue", 1,
                        {"*scenarios/*.cfg", "locale/*/LC_MESSAGES/*.mo"}},
};

int manifest_complete(const char *folder, enum source_id source)
{
    const struct source *s = &source_list[source];

    for (int i = 0; i < s->needed; i++) {
        OWNED(files_close) struct files f = {.n = 0};

        if (files_find(&f, folder, s->file[i]) < 0 || !f.n)
            return 0;
    }
    return 1;
}

static int size_of(long long *bytes, const char *path)
{
    struct stat st;

    if (stat(path, &st))
        return err_errno(ERR_DATA, "%s", path);
    *bytes = st.st_size;
    return OK;
}

static int measure(struct manifest_file *f, const char *folder,
                   const char *name)
{
    OWNED(free) char *path = str_format("%s/%s", folder, name);

    snprintf(f->name, sizeof f->name, "%s", name);
    PASS(hash_file(path, f->sha256));
    return size_of(&f->bytes, path);
}

static int write_out(const struct manifest *m)
{
    OWNED(free) char *path = str_format("%s/manifest", m->folder);
    char date[32];
    OWNED(text_free) struct text all = {0};

    text_format(&all, "origin %s\ndate %s\n", m->origin, clock_iso(date));
    for (int i = 0; i < m->n; i++)
        text_format(&all, "file %s %lld %s\n", m->file[i].sha256,
                    m->file[i].bytes, m->file[i].name);
    return file_write(path, all.s, all.n);
}

static int measure_all(struct manifest *m, const char *pattern)
{
    OWNED(files_close) struct files f = {.n = 0};

    PASS(files_find(&f, m->folder, pattern));
    for (int i = 0; i < f.n; i++) {
        if (m->n == MANIFEST_FILES ||
            strlen(f.file[i]) >= sizeof m->file->name ||
            f.file[i][strcspn(f.file[i], " \n")])
            return err_set(ERR_DATA, "%s/%s: more than %d files, or the name "
                           "is too long or contains a blank", m->folder,
                           f.file[i], MANIFEST_FILES);
        PASS(measure(&m->file[m->n++], m->folder, f.file[i]));
    }
    return OK;
}

int manifest_make(struct manifest *m, const char *folder,
                  enum source_id source, const char *origin)
{
    *m = (struct manifest){.n = 0};
    snprintf(m->folder, sizeof m->folder, "%s", folder);
    snprintf(m->origin, sizeof m->origin, "%s", origin);
    for (int i = 0; i < SOURCE_PATTERNS && source_list[source].file[i]; i++)
        PASS(measure_all(m, source_list[source].file[i]));
    return write_out(m);
}

/* Reads a line of a manifest.  Returns 1 if it has a form that write_out
 * prints, else 0. */
static int read_line(struct manifest *m, const char *line)
{
    struct manifest_file f = {.bytes = 0};
    int end = 0;

    if (!strncmp(line, "date ", 5))
        return 1;
    if (!strncmp(line, "origin ", 7)) {
        snprintf(m->origin, sizeof m->origin, "%s", line + 7);
        return 1;
    }
    if (m->n == MANIFEST_FILES ||
        sscanf(line, "file %64[0-9a-f] %lld %127s%n", f.sha256, &f.bytes,
               f.name, &end) != 3 ||
        line[end] || strlen(f.sha256) != HASH_HEX - 1)
        return 0;
    m->file[m->n++] = f;
    return 1;
}

static int read_in(struct manifest *m, const char *path)
{
    OWNED(free) char *text = NULL;
    size_t bytes;

    PASS(file_read(&text, &bytes, path));
    text_unmark(text, bytes);
    char *rest = text;
    for (int number = 1; rest && *rest; number++)
        if (!read_line(m, strsep(&rest, "\n")))
            return err_set(ERR_DATA, "%s:%d: not a manifest line; remove "
                           "the manifest to accept the folder's files", path,
                           number);
    return OK;
}

static int check_sizes(const struct manifest *m)
{
    for (int i = 0; i < m->n; i++) {
        const struct manifest_file *f = &m->file[i];
        OWNED(free) char *path = str_format("%s/%s", m->folder, f->name);
        long long bytes = 0;

        PASS(size_of(&bytes, path));
        if (bytes != f->bytes)
            return err_set(ERR_DATA, "%s: %lld bytes, but %lld were fetched; "
                           "run `synthbench data fetch --refresh`", path, bytes,
                           f->bytes);
    }
    return OK;
}

int manifest_present(const char *cache, enum source_id source)
{
    OWNED(free) char *folder = str_format("%s/%s", cache,
                                          source_list[source].name);

    if (manifest_complete(folder, source))
        return OK;
    return err_set(ERR_DATA, "%s: no %s; run `synthbench data fetch`, or use "
                   "--synthetic", folder, source_list[source].what);
}

int manifest_open(struct manifest *m, const char *cache,
                  enum source_id source)
{
    OWNED(free) char *folder = str_format("%s/%s", cache,
                                          source_list[source].name);
    OWNED(free) char *path = str_format("%s/manifest", folder);

    PASS(manifest_present(cache, source));
    if (!file_exists(path))
        return manifest_make(m, folder, source, "");
    *m = (struct manifest){.n = 0};
    snprintf(m->folder, sizeof m->folder, "%s", folder);
    PASS(read_in(m, path));
    return check_sizes(m);
}

int manifest_verify(const struct manifest *m)
{
    struct manifest_file now;

    for (int i = 0; i < m->n; i++) {
        PASS(measure(&now, m->folder, m->file[i].name));
        if (strcmp(now.sha256, m->file[i].sha256))
            return err_set(ERR_DATA, "%s/%s: differs from the fetched file; "
                           "run `synthbench data fetch --refresh`", m->folder,
                           now.name);
    }
    return OK;
}
