#include "harness/store/journal.h"

#include "harness/base/array.h"
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 1, FIELDS = 5, CHECK = 8, DATE = 20, ID = 64 };

static const char head_now[] =
    "#synthbench store 1: id, SHA-256, bytes, seconds, date, check";
static const char head_before[] = /* lines without a check */
    "#synthbench store 1: id, SHA-256, bytes, seconds, date";

static char *journal_path(const char *store)
{
    return str_format("%s/journal.tsv", store);
}

/* ---- one line ---- */

/* Of the first n bytes of a line. */
static void check_of(const char *line, size_t n, char out[CHECK + 1])
{
    char hex[HASH_HEX];

    hash_sha256(line, n, hex);
    memcpy(out, hex, CHECK);
    out[CHECK] = 0;
}

/* Takes the check off its end; 0: it has none, or the right one. */
static int uncheck(char *line)
{
    char want[CHECK + 1], *tab = strrchr(line, '\t');
    int tabs = 0;

    for (const char *s = line; *s; s++)
        tabs += *s == '\t';
    if (tabs == FIELDS - 1)
        return 0;
    if (tabs != FIELDS)
        return -1;
    check_of(line, (size_t)(tab - line), want);
    *tab = 0;
    return strcmp(tab + 1, want);
}

/* Splits a line (changed) and understands it; 0: it is sound. */
static int parse(char *line, const char **id, struct journal_line *out)
{
    char *field[FIELDS], *s = line;

    if (uncheck(line))
        return -1;
    for (int n = 0; n < FIELDS; n++) {
        field[n] = s;
        s += strcspn(s, "\t");
        if (n + 1 < FIELDS)
            *s++ = 0;
    }
    if (!*field[0] || str_to_int(field[2], &out->bytes) ||
        str_to_real(field[3], &out->seconds) || strlen(field[4]) != DATE ||
        (strcmp(field[1], "-") && strlen(field[1]) != HASH_HEX - 1))
        return -1;
    *id = field[0];
    strcpy(out->sha256, field[1]);
    return 0;
}

static int check_head(const char *path, const char *line)
{
    int version, n = 0;

    if (sscanf(line, "#synthbench store %d%n", &version, &n) != 1 || !n)
        return err_set(ERR_STORE, "%s:1: this is not a journal of synthbench; "
                       "use another --store, or, where this is one, remove the "
                       "file: `synthbench run` makes it again from the cells",
                       path);
    if (version > VERSION)
        return err_set(ERR_STORE, "%s:1: store version %d, newer than the %d "
                       "of this program; use a newer synthbench", path,
                       version, VERSION);
    return strcmp(line, head_now) && strcmp(line, head_before);
}

/* ---- all lines, as they were read last ---- */

struct known {
    char                id[ID];
    struct journal_line line;
};

static struct {
    char       *path;
    struct stat st;      /* of the file then               */
    off_t       end;     /* of the last whole line         */
    int         rows;    /* up to there                    */
    int         damaged; /* of these                       */
    int         told;    /* of these, on stderr            */
    struct map *ids;     /* their places in `cell`         */
    struct known *cell;  /* with its last line             */
    size_t      cap;
} kept;

static void forget(void)
{
    map_free(kept.ids);
    kept.ids = map_of_copies();
    kept.end = 0;
    kept.rows = kept.damaged = 0;
    kept.st = (struct stat){.st_size = 0};
}

static void put(const char *id, const struct journal_line *line)
{
    int n = map_count(kept.ids), at = map_number(kept.ids, id, strlen(id));

    if (at == n) {
        ARRAY_ROOM(kept.cell, n, kept.cap);
        snprintf(kept.cell[n].id, ID, "%s", id);
    }
    kept.cell[at].line = *line;
}

static void tell_damage(void)
{
    if (++kept.damaged > kept.told) {
        kept.told = kept.damaged;
        say("%s:%d: this line is damaged and left out; remove it: the next "
            "`synthbench run` makes it again", kept.path, kept.rows);
    }
}

static int take_line(char *line, size_t bytes)
{
    struct journal_line now = {.bytes = 0};
    const char *id;
    int bad = strlen(line) != bytes; /* there is a NUL in it */

    if (++kept.rows == 1) {
        int rc = check_head(kept.path, line);

        if (rc < 0)
            return rc;
        bad |= rc;
    } else if (!bad) {
        bad = parse(line, &id, &now) || strlen(id) >= ID;
        if (!bad)
            put(id, &now);
    }
    if (bad)
        tell_damage();
    return OK;
}

/* What a crash left of the first line; a longer one is of another file. */
static int begins_head(const char *text, size_t n)
{
    return n <= strlen(head_now) && !memcmp(text, head_now, n);
}

/* The whole lines from kept.end on. */
static int take_lines(int fd, size_t bytes)
{
    OWNED(free) char *text = malloc(bytes + 1);
    char *line = text, *end;
    ssize_t got = pread(fd, text, bytes, kept.end);

    if (got < 0)
        return err_set(ERR_STORE, "%s: %s", kept.path, strerror(errno));
    while ((end = memchr(line, '\n', (size_t)(text + got - line)))) {
        *end = 0;
        PASS(take_line(line, (size_t)(end - line)));
        line = end + 1;
    }
    kept.end += line - text;
    if (!kept.rows && !begins_head(text, (size_t)got))
        PASS(check_head(kept.path, ""));
    return OK;
}

/* It has only grown since it was read: what was there is not read again. */
static int only_longer(const struct stat *st)
{
    return kept.end && st->st_dev == kept.st.st_dev &&
           st->st_ino == kept.st.st_ino && st->st_size > kept.st.st_size;
}

static int as_it_was(const struct stat *st)
{
    return kept.end && st->st_dev == kept.st.st_dev &&
           st->st_ino == kept.st.st_ino && st->st_size == kept.st.st_size &&
           st->st_mtim.tv_sec == kept.st.st_mtim.tv_sec &&
           st->st_mtim.tv_nsec == kept.st.st_mtim.tv_nsec;
}

static void be_about(const char *path)
{
    if (kept.path && !strcmp(kept.path, path))
        return;
    forget();
    free(kept.path);
    kept.path = str_copy(path);
    kept.told = 0;
}

static int read_again(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc = OK;

    be_about(path);
    if (fd < 0 && errno == ENOENT)
        TRY(err_set(ERR_STORE, "%s: is missing; `synthbench run` makes it "
                    "again from the cells", path));
    if (fd < 0 || fstat(fd, &st))
        TRY(err_set(ERR_STORE, "%s: %s", path, strerror(errno)));
    if (!S_ISREG(st.st_mode))
        TRY(err_set(ERR_STORE, "%s: is not a file", path));
    if (as_it_was(&st))
        goto out;
    if (!only_longer(&st))
        forget();
    kept.st = st;
    TRY(take_lines(fd, (size_t)(st.st_size - kept.end)));
out:
    if (rc < 0)
        forget();
    if (fd >= 0)
        close(fd);
    return rc;
}

int journal_read(const char *store)
{
    OWNED(free) char *path = journal_path(store);
    int rc = read_again(path);

    return rc < 0 ? rc : kept.damaged;
}

int journal_find(const char *store, const char *id, struct journal_line *out)
{
    int rc = journal_read(store), at;

    if (rc < 0)
        return rc;
    at = map_find(kept.ids, id, strlen(id));
    if (at < 0 || !strcmp(kept.cell[at].line.sha256, "-"))
        return ERR_EMPTY;
    *out = kept.cell[at].line;
    return OK;
}

/* ---- proof and repair ---- */

/* What is wrong with a whole line, or NULL; id and *unchecked: of a sound
 * one. */
static const char *fault(const char *line, size_t bytes, char id[ID],
                         int *unchecked)
{
    OWNED(free) char *copy = str_copy(line);
    struct journal_line unused;
    const char *name;
    int bad = strlen(line) != bytes || parse(copy, &name, &unused) ||
              strlen(name) >= ID, tabs = 0;

    *id = 0;
    for (const char *s = line; *s; s++)
        tabs += *s == '\t';
    *unchecked = tabs < FIELDS;
    if (!bad)
        snprintf(id, ID, "%s", name);
    return bad ? "is damaged" : NULL;
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct known *)a)->id, ((const struct known *)b)->id);
}

/* In the order of the ids. */
static void tell_each(void (*tell)(void *arg, const char *id), void *arg)
{
    size_t n = (size_t)map_count(kept.ids);
    OWNED(free) struct known *sorted = malloc(n * sizeof *sorted);

    for (size_t i = 0; i < n; i++)
        sorted[i] = kept.cell[i];
    qsort(sorted, n, sizeof *sorted, by_id);
    for (size_t i = 0; i < n; i++)
        if (strcmp(sorted[i].line.sha256, "-"))
            tell(arg, sorted[i].id);
}

/* The next line, its newline cut off; NULL: there is no whole one. */
static char *next_line(char **at, const char *end)
{
    char *line = *at, *newline = memchr(line, '\n', (size_t)(end - line));

    if (!newline)
        return NULL;
    *newline = 0;
    *at = newline + 1;
    return line;
}

int journal_check(const char *store,
                  void (*line)(void *arg, int number, const char *id,
                               int unchecked, const char *damage),
                  void (*has)(void *arg, const char *id), void *arg)
{
    OWNED(free) char *path = journal_path(store), *text = NULL;
    char *at, *s, id[ID];
    size_t n;
    int row = 0, unchecked;

    forget();
    kept.told = 1 << 30; /* the caller tells */
    be_about(path);
    PASS(read_again(path));
    PASS(file_read_plain(&text, &n, path));
    at = text;
    while ((s = next_line(&at, text + n))) {
        const char *bad = NULL;

        *id = 0;
        unchecked = 0;
        if (row++)
            bad = fault(s, (size_t)(at - 1 - s), id, &unchecked);
        else if (check_head(path, s) || strlen(s) + 1 != (size_t)(at - s))
            bad = "is damaged: it is not the head that a journal has";
        line(arg, row, id, unchecked, bad);
    }
    if (at < text + n)
        line(arg, row + 1, "", 0, "is the rest of a crash, or its end is "
             "damaged");
    tell_each(has, arg);
    return OK;
}

/* The check and the end of the line that begins at `from`. */
static void end_line(struct text *t, size_t from)
{
    char check[CHECK + 1];

    check_of(t->s + from, t->n - from, check);
    text_format(t, "\t%s\n", check);
}

/* The sound lines of a text, each with its check, behind the head. */
static void add_sound(struct text *out, char *text, size_t n)
{
    char *at = text, *s, id[ID];
    int unchecked;

    text_format(out, "%s\n", head_now);
    while ((s = next_line(&at, text + n))) {
        if (fault(s, (size_t)(at - 1 - s), id, &unchecked))
            continue;
        size_t from = out->n;

        text_put(out, s);
        if (unchecked)
            end_line(out, from);
        else
            text_put(out, "\n");
    }
}

/* In place, under the lock: who waits for it has the file open. */
int journal_mend(const char *store)
{
    OWNED(free) char *path = journal_path(store), *text = NULL;
    OWNED(text_free) struct text sound = {0};
    struct stat st;
    OWNED(close) int fd = -1; /* and the lock */

    PASS(store_lock(&fd, store, "journal.tsv"));
    if (fstat(fd, &st))
        return err_errno(ERR_IO, "%s", path);
    text = calloc((size_t)st.st_size + 1, 1);
    if (pread(fd, text, (size_t)st.st_size, 0) != st.st_size)
        return err_errno(ERR_IO, "%s", path);
    add_sound(&sound, text, (size_t)st.st_size);
    errno = ENOSPC; /* what a short write means */
    if (ftruncate(fd, 0) ||
        write(fd, sound.s, sound.n) != (ssize_t)sound.n || fsync(fd))
        return err_errno(ERR_IO, "%s", path);
    forget();
    return OK;
}

/* ---- adding ---- */

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
        n = snprintf(line, sizeof line, "%s\n", head_now);
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
    OWNED(free) char *path = journal_path(store);
    int fd, rc = store_lock(&fd, store, "journal.tsv");

    if (rc == OK) {
        rc = append(fd, path, text);
        close(fd); /* and the lock */
    }
    return rc;
}

/* What is no journal is not touched: adding cuts off a line without end. */
int journal_create(const char *store)
{
    OWNED(free) char *path = journal_path(store);
    int rc = file_exists(path) ? journal_read(store) : OK;

    return rc < 0 ? rc : add(store, "");
}

int journal_add(const char *store, const char *id,
                const struct journal_line *line)
{
    static const struct journal_line gone = {.sha256 = "-"};
    OWNED(text_free) struct text text = {0};
    char date[32];

    line = line ? line : &gone;
    text_format(&text, "%s\t%s\t%lld\t%.3f\t%s", id, line->sha256,
                line->bytes, line->seconds > 0 ? line->seconds : 0,
                clock_iso(date));
    end_line(&text, 0);
    return add(store, text.s);
}
