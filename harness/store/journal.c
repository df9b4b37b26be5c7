#include "harness/store/journal.h"

#include "harness/base/array.h"
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/cell.h"
#include "harness/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 1, FIELDS = 5, CHECK = 8, DATE = JOURNAL_DATE, ID = 64 };

static const char head_now[] =
    "#synthbench store 1: id, SHA-256, bytes, seconds, date, check";
static const char head_before[] = /* of earlier versions, without checks */
    "#synthbench store 1: id, SHA-256, bytes, seconds, date";

static char *journal_path(const char *store)
{
    return str_format("%s/journal.tsv", store);
}

/* ---- one line ---- */

/* Writes the check of the first `n` bytes of a line. */
static void check_of(const char *line, size_t n, char out[CHECK + 1])
{
    char hex[HASH_HEX];

    hash_sha256(line, n, hex);
    memcpy(out, hex, CHECK);
    out[CHECK] = 0;
}

struct known {
    char                id[ID];
    struct journal_line line;
    int                 unchecked; /* 1: the line has no check */
};

/* Returns 1 if parse can read this number of seconds from a line.  Larger
 * numbers are too long: "%.3f" prints 1e308 with 309 digits before the
 * point. */
static int can_be_written(double seconds)
{
    return seconds >= 0 && seconds < 1e15;
}

/* Returns 1 if the text looks like a date of clock_iso.  The date of a cell
 * comes from its file, which is not trusted. */
static int is_date(const char *text)
{
    return strspn(text, "0123456789-:TZ") == DATE;
}

/* Parses a line.  Returns 0, or another value if the line is damaged. */
static int parse(struct known *out, const char *line, size_t bytes)
{
    struct journal_line *l = &out->line;
    char size[32], seconds[32], want[CHECK + 1];
    int n = 0;

    if (strlen(line) != bytes || /* it contains a NUL */
        sscanf(line, "%63[^\t]\t%64[^\t]\t%31[^\t]\t%31[^\t]\t%20[^\t]%n",
               out->id, l->sha256, size, seconds, l->date, &n) != FIELDS ||
        str_to_int(size, &l->bytes) || str_to_real(seconds, &l->seconds) ||
        !cell_is_id(out->id) || !can_be_written(l->seconds) ||
        strlen(l->date) != DATE ||
        (strcmp(l->sha256, "-") && strlen(l->sha256) != HASH_HEX - 1))
        return -1;
    out->unchecked = !line[n];
    check_of(line, (size_t)n, want);
    return !out->unchecked && (line[n] != '\t' || strcmp(line + n + 1, want));
}

/* Returns the line at *at without its newline, and advances *at to the next
 * line.  Returns NULL if there is no complete line. */
static char *next_line(char **at, const char *end)
{
    char *line = *at, *newline = memchr(line, '\n', (size_t)(end - line));

    if (!newline)
        return NULL;
    *newline = 0;
    *at = newline + 1;
    return line;
}

static int check_head(const char *path, const char *line)
{
    int version, n = 0;

    if (sscanf(line, "#synthbench store %d%n", &version, &n) != 1 || !n)
        return err_set(ERR_STORE, "%s:1: this is not a synthbench journal; use "
                       "another --store, or, if this folder is a store, remove "
                       "the file: `synthbench run` rebuilds it from the cells",
                       path);
    if (version > VERSION)
        return err_set(ERR_STORE, "%s:1: was written by a later version of "
                       "synthbench (store version %d, this one reads up to "
                       "%d); update synthbench", path, version, VERSION);
    return strcmp(line, head_now) && strcmp(line, head_before);
}

/* ---- the lines in memory, as last read ---- */

/* Bytes that are kept of the end of the file.  They include the check of the
 * last line, so they show whether that line was replaced. */
enum { TAIL = 128 };

/* A journal.  Commands that compare stores read several in turn. */
struct kept {
    char       *path;
    struct stat st;      /* status of the file when it was read */
    off_t       end;     /* offset of the end of the last complete line */
    char        tail[TAIL]; /* the bytes before `end`      */
    int         rows;    /* lines up to `end`              */
    int         damaged; /* damaged lines up to `end`      */
    int         reported; /* damaged lines that were reported on stderr */
    struct map *ids;     /* indexes of ids in `cell`       */
    struct known *cell;  /* each id with its last line     */
    size_t      cap;
    struct kept *next;
};

static struct kept *all, *kept; /* all journals; the selected one */

static void forget(void)
{
    map_free(kept->ids);
    kept->ids = map_of_copies();
    kept->end = 0;
    kept->rows = kept->damaged = 0;
    kept->st = (struct stat){.st_size = 0};
}

static void select_journal(const char *path)
{
    for (kept = all; kept && strcmp(kept->path, path);)
        kept = kept->next;
    if (kept)
        return;
    kept = calloc(1, sizeof *kept);
    kept->path = str_copy(path);
    kept->next = all;
    all = kept;
    forget();
}

static void put(const struct known *k)
{
    int n = map_count(kept->ids), at = map_number(kept->ids, k->id,
                                                 strlen(k->id));

    if (at == n)
        ARRAY_ROOM(kept->cell, n, kept->cap);
    kept->cell[at] = *k;
}

static void report_damage(void)
{
    if (++kept->damaged > kept->reported) {
        kept->reported = kept->damaged;
        say("%s:%d: this line is damaged; it is ignored until `synthbench "
            "repair` rebuilds it from its cell", kept->path, kept->rows);
    }
}

static int take_line(const char *line, size_t bytes)
{
    struct known now;
    int bad;

    if (++kept->rows == 1) {
        bad = check_head(kept->path, line);
        PASS(bad);
        bad |= strlen(line) != bytes;
    } else {
        bad = parse(&now, line, bytes);
        if (!bad)
            put(&now);
    }
    if (bad)
        report_damage();
    return OK;
}

/* Returns 1 if `text` is the beginning of a journal's first line, which may be
 * incomplete because of a crash.  Other text means that the file is not a
 * journal. */
static int begins_head(const char *text, size_t n)
{
    return n <= strlen(head_now) && !memcmp(text, head_now, n);
}

/* Reads the TAIL bytes before kept->end.  If there are fewer, zeros precede
 * them. */
static int read_tail(char out[TAIL], int fd)
{
    off_t from = kept->end > TAIL ? kept->end - TAIL : 0;
    size_t n = (size_t)(kept->end - from);

    memset(out, 0, TAIL);
    return pread(fd, out + TAIL - n, n, from) == (ssize_t)n
               ? OK
               : err_set(ERR_STORE, "%s: cannot be read again", kept->path);
}

/* Reads the complete lines from kept->end on. */
static int take_lines(int fd, size_t bytes)
{
    OWNED(free) char *text = malloc(bytes + 1);
    char *at = text, *line;
    ssize_t got = pread(fd, text, bytes, kept->end);

    if (got < 0)
        return err_set(ERR_STORE, "%s: %s", kept->path, strerror(errno));
    while ((line = next_line(&at, text + got)))
        PASS(take_line(line, (size_t)(at - 1 - line)));
    kept->end += at - text;
    if (!kept->rows && !begins_head(text, (size_t)got))
        PASS(check_head(kept->path, ""));
    return read_tail(kept->tail, fd);
}

/* Returns 1 if this is the file that was read, and its last bytes up to
 * kept->end are the same.  The status alone does not show that a file was
 * rewritten: its size may be the same, and its time changes only with the
 * system's ticks. */
static int is_kept(const struct stat *st, int fd)
{
    char now[TAIL];

    return kept->end && st->st_dev == kept->st.st_dev &&
           st->st_ino == kept->st.st_ino && read_tail(now, fd) == OK &&
           !memcmp(now, kept->tail, TAIL);
}

static int is_as_before(const struct stat *st)
{
    return st->st_size == kept->st.st_size &&
           !memcmp(&st->st_mtim, &kept->st.st_mtim, sizeof st->st_mtim);
}

static int read_on(const char *path)
{
    struct stat st = {.st_size = 0};
    OWNED(fclose) FILE *f = NULL;

    select_journal(path);
    if (!file_exists(path))
        return err_set(ERR_STORE, "%s: is missing; `synthbench run` rebuilds "
                       "it from the cells", path);
    if (file_open(&f, &st, path, 0) < 0)
        return err_set(ERR_STORE, "%s", err_last());
    if (!is_kept(&st, fileno(f)) ||
        (st.st_size <= kept->st.st_size && !is_as_before(&st)))
        forget(); /* otherwise keep the lines and read only later ones */
    else if (is_as_before(&st) && kept->end == st.st_size)
        return OK;
    kept->st = st;
    return take_lines(fileno(f), (size_t)(st.st_size - kept->end));
}

static int read_again(const char *path)
{
    int rc = read_on(path);

    if (rc < 0)
        forget();
    return rc;
}

int journal_read(const char *store)
{
    OWNED(free) char *path = journal_path(store);

    PASS(read_again(path));
    return kept->damaged;
}

int journal_find(const char *store, const char *id, struct journal_line *out)
{
    int at;

    PASS(journal_read(store));
    at = map_find(kept->ids, id, strlen(id));
    if (at < 0 || !strcmp(kept->cell[at].line.sha256, "-"))
        return ERR_EMPTY;
    *out = kept->cell[at].line;
    return OK;
}

/* ---- check and repair ---- */

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct known *)a)->id, ((const struct known *)b)->id);
}

/* Calls `tell` for every id whose last line records a file, in the order of the
 * ids. */
static void tell_each(void (*tell)(void *arg, const char *id), void *arg)
{
    size_t n = (size_t)map_count(kept->ids);
    OWNED(free) struct known *sorted = malloc(n * sizeof *sorted);

    for (size_t i = 0; i < n; i++)
        sorted[i] = kept->cell[i];
    qsort(sorted, n, sizeof *sorted, by_id);
    for (size_t i = 0; i < n; i++)
        if (strcmp(sorted[i].line.sha256, "-"))
            tell(arg, sorted[i].id);
}

int journal_check(const char *store,
                  void (*line)(void *arg, int number, const char *id,
                               int unchecked, const char *damage),
                  void (*has)(void *arg, const char *id), void *arg)
{
    OWNED(free) char *path = journal_path(store), *text = NULL;
    char *at, *s;
    size_t n;
    int row = 0;

    select_journal(path);
    forget();
    kept->reported = INT_MAX; /* the caller reports damage */
    PASS(read_again(path));
    PASS(file_read(&text, &n, path));
    at = text;
    while ((s = next_line(&at, text + n))) {
        struct known k = {.id = ""};
        const char *bad = NULL;

        if (row++)
            bad = parse(&k, s, (size_t)(at - 1 - s)) ? "is damaged" : NULL;
        else if (check_head(path, s) || strlen(s) + 1 != (size_t)(at - s))
            bad = "is damaged: it is not the first line of a journal";
        line(arg, row, bad ? "" : k.id, k.unchecked, bad);
    }
    if (at < text + n)
        line(arg, row + 1, "", 0, "is incomplete: left by a crash, or damaged "
             "at its end");
    tell_each(has, arg);
    return OK;
}

int journal_is_empty(const char *store)
{
    OWNED(free) char *path = journal_path(store), *text = NULL;
    size_t n, head = strlen(head_now);

    if (!file_exists(path))
        return 1;
    if (file_read(&text, &n, path) < 0)
        return 0;
    /* A writer that was killed may have left an incomplete first line. */
    return n <= head + 1 && !strncmp(text, head_now, n < head ? n : head) &&
           (n <= head || text[head] == '\n');
}

/* Appends a first line and the undamaged lines of `text`. */
static void add_sound(struct text *out, char *text, size_t n)
{
    char *at = text, *s;
    struct known k;

    text_format(out, "%s\n", head_now);
    while ((s = next_line(&at, text + n)))
        if (!parse(&k, s, (size_t)(at - 1 - s)))
            text_format(out, "%s\n", s);
}

/* Rewrites the file in place, under the lock, because processes that wait for
 * the lock have the file open.  Truncates it last, so that a kill or a full
 * disk loses no line that is not being moved. */
int journal_mend(const char *store)
{
    OWNED(free) char *path = journal_path(store), *text = NULL;
    OWNED(text_free) struct text sound = {0};
    struct stat st;
    OWNED(close) int fd = -1; /* holds the lock */

    select_journal(path);
    PASS(store_lock(&fd, store, "journal.tsv"));
    if (fstat(fd, &st))
        return err_errno(ERR_IO, "%s", path);
    text = calloc((size_t)st.st_size + 1, 1);
    if (pread(fd, text, (size_t)st.st_size, 0) != st.st_size)
        return err_errno(ERR_IO, "%s", path);
    add_sound(&sound, text, (size_t)st.st_size);
    errno = ENOSPC; /* the reason for a short write */
    if (fcntl(fd, F_SETFL, 0) || /* without O_APPEND */
        pwrite(fd, sound.s, sound.n, 0) != (ssize_t)sound.n ||
        ftruncate(fd, (off_t)sound.n) || fsync(fd))
        return err_errno(ERR_IO, "%s", path);
    select_journal(path);
    forget();
    return OK;
}

/* ---- adding ---- */

/* Returns the end of the last complete line. */
static off_t whole(int fd, off_t size)
{
    char c;

    while (size > 0 && pread(fd, &c, 1, size - 1) == 1 && c != '\n')
        size--;
    return size;
}

/* Appends text to the locked file; an empty file first gets the first line. */
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
    errno = ENOSPC; /* the reason for a short write */
    if (write(fd, line, (size_t)n) != n || fsync(fd)) {
        int rc = err_errno(ERR_IO, "%s", path);

        return ftruncate(fd, end) ? err_errno(ERR_IO, "%s", path) : rc;
    }
    return OK;
}

static int append_line(const char *store, const char *text)
{
    OWNED(free) char *path = journal_path(store);
    OWNED(close) int fd = -1; /* holds the lock */

    PASS(store_lock(&fd, store, "journal.tsv"));
    return append(fd, path, text);
}

/* Reads an existing file first, so that a file that is not a journal is left
 * unchanged: appending truncates an incomplete last line. */
int journal_create(const char *store)
{
    OWNED(free) char *path = journal_path(store);

    if (file_exists(path))
        PASS(journal_read(store));
    return append_line(store, "");
}

int journal_add(const char *store, const char *id,
                const struct journal_line *line)
{
    static const struct journal_line gone = {.sha256 = "-"};
    OWNED(text_free) struct text text = {0};
    char date[32], check[CHECK + 1];

    line = line ? line : &gone;
    text_format(&text, "%s\t%s\t%lld\t%.3f\t%s", id, line->sha256,
                line->bytes, can_be_written(line->seconds) ? line->seconds : 0,
                is_date(line->date) ? line->date : clock_iso(date));
    check_of(text.s, text.n, check);
    text_format(&text, "\t%s\n", check);
    return append_line(store, text.s);
}
