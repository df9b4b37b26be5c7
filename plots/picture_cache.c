#include "plots/picture_cache.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

const char *const drawn_suffix[DRAWN_FILES] = {".tsv", ".txt", ".gp"};

/* The kinds of files, and the last bytes of a complete file of each kind. */
static const char *const all_kinds[] = {"png", "svg", "pdf", "out", NULL};
static const char *const last[] = {("IEND\xae" "B`\x82"), "</svg>\n\n",
                                   "%%EOF\n", ""};

static char *path_of(const char *folder, const char *name, const char *suffix)
{
    return str_format("%s/%s%s", folder, name, suffix);
}

static char *picture_of(const char *folder, const char *name, const char *kind)
{
    return str_format("%s/%s.%s", folder, name, kind);
}

/* ---- reading the record in a script ---- */

/* Returns the part of a script after the line that names the kinds, which is
 * the only line that may differ between two folders. */
static const char *after_kinds(const char *script)
{
    const char *line = strstr(script, "\nkinds = ");

    line = line ? strchr(line + 1, '\n') : NULL;
    return line ? line : script;
}

static int is_same(const struct drawn *d, const char *folder, int file)
{
    OWNED(free) char *path = path_of(folder, d->name, drawn_suffix[file]);
    OWNED(free) char *text = NULL;
    size_t bytes;

    return file_read(&text, &bytes, path) == OK &&
           bytes == d->bytes[file] && !memcmp(text, d->text[file], bytes);
}

/* Sets *out to the text that follows the script in the file, or to NULL if the
 * script differs. */
static int read_end(char **out, const struct drawn *d, const char *folder)
{
    OWNED(free) char *path = path_of(folder, d->name,
                                     drawn_suffix[DRAWN_SCRIPT]);
    OWNED(free) char *text = NULL;
    const char *own = after_kinds(d->text[DRAWN_SCRIPT]);
    size_t bytes, n = strlen(own);

    *out = NULL;
    PASS(file_read(&text, &bytes, path));
    const char *there = after_kinds(text);
    if (!strncmp(there, own, n))
        *out = str_copy(there + n);
    return OK;
}

static int has_line(const char *end, const char *line)
{
    const char *at = strstr(end, line);

    return at && at[strlen(line)] == '\n';
}

/* Returns 1 if the end of the script lists the digest of the picture's
 * file. */
static int is_listed(const char *end, const char *folder, const char *name,
                     const char *kind)
{
    OWNED(free) char *path = picture_of(folder, name, kind), *bytes = NULL;
    OWNED(free) char *line = NULL;
    char hex[HASH_HEX];
    size_t n;

    if (file_read(&bytes, &n, path) < 0)
        return 0;
    hash_sha256(bytes, n, hex);
    line = str_format("\n# %s %s", kind, hex);
    return has_line(end, line);
}

int drawn_is_there(const struct drawn *d, const char *folder,
                   const char *kinds, const char *version)
{
    OWNED(free) char *end = NULL, *by = NULL;

    if (!is_same(d, folder, DRAWN_DATA) || !is_same(d, folder, DRAWN_WORDS) ||
        read_end(&end, d, folder) < 0 || !end)
        return 0;
    by = str_format("\n# gnuplot %s", version ? version : "");
    if (version ? !has_line(end, by) : !strstr(end, by))
        return 0;
    for (int i = 0; all_kinds[i]; i++)
        if (strstr(kinds, all_kinds[i]) &&
            !is_listed(end, folder, d->name, all_kinds[i]))
            return 0;
    return 1;
}

/* ---- writing ---- */

static int write_plain(const char *path, const char *how, const char *text,
                       size_t n)
{
    OWNED(fclose) FILE *f = fopen(path, how);

    if (!f || fwrite(text, 1, n, f) != n || fflush(f))
        return err_errno(ERR_IO, "%s", path);
    return OK;
}

int drawn_write(const struct drawn *d, const char *folder)
{
    for (int i = 0; i < DRAWN_FILES; i++) {
        OWNED(free) char *path = path_of(folder, d->name, drawn_suffix[i]);

        PASS(write_plain(path, "wxe", d->text[i], d->bytes[i]));
    }
    return OK;
}

int drawn_copy(const char *name, const char *folder, const char *from,
               const char *kinds)
{
    for (int i = 0; all_kinds[i]; i++) {
        OWNED(free) char *to = picture_of(folder, name, all_kinds[i]);
        OWNED(free) char *path = picture_of(from, name, all_kinds[i]);
        OWNED(free) char *text = NULL;
        size_t n;

        if (!strstr(kinds, all_kinds[i]))
            continue;
        PASS(file_read(&text, &n, path));
        PASS(file_write(to, text, n));
    }
    return OK;
}

/* ---- moving to the folder ---- */

/* Adds the digest of a picture.  Returns ERR_IO if the file is incomplete:
 * gnuplot does not notice when the disk is full. */
static int put_digest(struct text *out, const char *path, int i)
{
    OWNED(free) char *text = NULL;
    char hex[HASH_HEX];
    size_t n, tail = strlen(last[i]);

    PASS(file_read(&text, &n, path));
    if (n < tail || memcmp(text + n - tail, last[i], tail))
        return err_set(ERR_IO, "%s: gnuplot wrote an incomplete file; check "
                       "whether the disk is full", path);
    hash_sha256(text, n, hex);
    text_format(out, "# %s %s\n", all_kinds[i], hex);
    return OK;
}

static int put_end(const char *name, const char *folder, const char *kinds,
                   const char *version)
{
    OWNED(free) char *script = path_of(folder, name,
                                       drawn_suffix[DRAWN_SCRIPT]);
    OWNED(text_free) struct text end = {0};

    text_format(&end, "\n# gnuplot %s\n", version);
    for (int i = 0; all_kinds[i]; i++) {
        OWNED(free) char *path = picture_of(folder, name, all_kinds[i]);

        if (strstr(kinds, all_kinds[i]))
            PASS(put_digest(&end, path, i));
    }
    return write_plain(script, "ae", end.s, end.n);
}

static int sync_file(const char *path)
{
    OWNED(close) int fd = open(path, O_RDONLY | O_CLOEXEC);

    return fd < 0 || fsync(fd) ? err_errno(ERR_IO, "%s", path) : OK;
}

static int move_file(char *from, const char *to)
{
    PASS(sync_file(from));
    return rename(from, to) ? err_errno(ERR_IO, "%s", to) : OK;
}

static int move_pictures(const char *name, const char *folder,
                         const char *from)
{
    for (int i = 0; all_kinds[i]; i++) {
        OWNED(free) char *old = picture_of(from, name, all_kinds[i]);
        OWNED(free) char *new = picture_of(folder, name, all_kinds[i]);

        if (file_exists(old))
            PASS(move_file(old, new));
        else if (unlink(new) && errno != ENOENT)
            return err_errno(ERR_IO, "%s", new);
    }
    return OK;
}

static int move_all(const char *name, const char *folder, const char *from)
{
    PASS(move_pictures(name, folder, from));
    for (int i = 0; i < DRAWN_FILES; i++) {
        OWNED(free) char *old = path_of(from, name, drawn_suffix[i]);
        OWNED(free) char *new = path_of(folder, name, drawn_suffix[i]);

        PASS(i == DRAWN_SCRIPT ? file_commit(old, new) : move_file(old, new));
    }
    return OK;
}

static void remove_pictures(const char *name, const char *folder)
{
    for (int i = 0; all_kinds[i]; i++) {
        OWNED(free) char *path = picture_of(folder, name, all_kinds[i]);

        unlink(path);
    }
}

/* Holds a lock on the folder, so that two processes that draw the same picture
 * do not mix their files. */
int drawn_move(const char *name, const char *folder, const char *from,
               const char *kinds, const char *version)
{
    OWNED(close) int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (version)
        PASS(put_end(name, from, kinds, version));
    else
        remove_pictures(name, from);
    if (lock >= 0)
        flock(lock, LOCK_EX); /* a file system without locks is no error */
    return move_all(name, folder, from);
}
