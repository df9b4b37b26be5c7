#include "harness/store/journal.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/store/lock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 1, FIELDS = 5 };

static char *journal_path(const char *store)
{
    return str_format("%s/journal.tsv", store);
}

static int check_head(const char *path, const char *text)
{
    int version, n = 0;

    if (!*text)
        return OK;
    if (sscanf(text, "#synthbench store %d%n", &version, &n) != 1 || !n)
        return err_set(ERR_STORE, "%s:1: this is not a journal of synthbench; "
                       "use another --store", path);
    if (version > VERSION)
        return err_set(ERR_STORE, "%s:1: store version %d, newer than the %d "
                       "of this program; use a newer synthbench", path,
                       version, VERSION);
    return OK;
}

/* Splits a line (changed) and understands it; 0: it is sound. */
static int parse(char *line, char **id, struct journal_line *out)
{
    char *field[FIELDS];
    int n = 0;

    for (char *s = line; s && n < FIELDS; n++) {
        field[n] = s;
        s = strchr(s, '\t');
        if (s)
            *s++ = 0;
    }
    if (n != FIELDS || str_to_int(field[2], &out->bytes) ||
        str_to_real(field[3], &out->seconds) ||
        (strcmp(field[1], "-") && strlen(field[1]) != HASH_HEX - 1))
        return -1;
    *id = field[0];
    strcpy(out->sha256, field[1]);
    return 0;
}

static int search(const char *path, char *text, const char *id,
                  struct journal_line *out)
{
    struct journal_line now = {.bytes = 0};
    char *line = text, *end, *name;
    int rc = ERR_EMPTY;

    for (int row = 1; (end = strchr(line, '\n')); row++, line = end + 1) {
        *end = 0;
        if (row == 1)
            continue;
        if (parse(line, &name, &now))
            return err_set(ERR_STORE, "%s:%d: this line is damaged; remove "
                           "it: the next `synthbench run` makes it again",
                           path, row);
        if (strcmp(name, id))
            continue;
        rc = strcmp(now.sha256, "-") ? OK : ERR_EMPTY;
        *out = now;
    }
    return rc;
}

int journal_find(const char *store, const char *id, struct journal_line *out)
{
    char *path = journal_path(store), *text = NULL;
    int rc;

    if (!file_exists(path))
        TRY(err_set(ERR_STORE, "%s: is missing; `synthbench run` makes it "
                    "again from the cells", path));
    TRY(file_read(&text, NULL, path));
    TRY(check_head(path, text));
    TRY(search(path, text, id, out));
out:
    free(text);
    free(path);
    return rc;
}

/* The end of the last whole line. */
static off_t whole(int fd, off_t size)
{
    char c;

    while (size > 0 && pread(fd, &c, 1, size - 1) == 1 && c != '\n')
        size--;
    return size;
}

/* Adds text to the locked file; a new one begins with the head. */
static int append(int fd, const char *path, const char *text)
{
    struct stat st;
    char line[512];

    if (fstat(fd, &st))
        return err_errno(ERR_IO, "%s", path);
    off_t end = whole(fd, st.st_size);
    int n = 0;
    if (end == 0)
        n = snprintf(line, sizeof line, "#synthbench store %d: id, SHA-256, "
                     "bytes, seconds, date\n", VERSION);
    n += snprintf(line + n, sizeof line - (size_t)n, "%s", text);
    REQUIRE(n < (int)sizeof line, "%d bytes", n);
    if (n == 0)
        return OK;
    if (end < st.st_size && ftruncate(fd, end))
        return err_errno(ERR_IO, "%s", path);
    errno = ENOSPC; /* what a short write means */
    if (write(fd, line, (size_t)n) != n || fsync(fd)) {
        int rc = err_errno(ERR_IO, "%s", path);

        return ftruncate(fd, end) ? err_errno(ERR_IO, "%s", path) : rc;
    }
    return OK;
}

static int add(const char *store, const char *text)
{
    char *path = journal_path(store);
    int fd, rc = store_lock(&fd, store, "journal.tsv");

    if (rc == OK) {
        rc = append(fd, path, text);
        close(fd); /* and the lock */
    }
    free(path);
    return rc;
}

int journal_create(const char *store) { return add(store, ""); }

int journal_add(const char *store, const char *id,
                const struct journal_line *line)
{
    static const struct journal_line gone = {.sha256 = "-"};
    char date[32];

    line = line ? line : &gone;
    char *text = str_format("%s\t%s\t%lld\t%.3f\t%s\n", id, line->sha256,
                            line->bytes, line->seconds > 0 ? line->seconds : 0,
                            clock_iso(date));
    int rc = add(store, text);

    free(text);
    return rc;
}
