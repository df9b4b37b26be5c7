#include "harness/metrics/lines.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistr.h>

int lines_bad(const struct lines *l, size_t i, const char *fmt, ...)
{
    char what[512];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    return err_set(ERR_DATA, "%s:%zu: %s", l->path, i + 1, what);
}

/* Cuts the text at its line ends. */
static void cut(struct lines *l, size_t bytes)
{
    char *end = l->text + bytes;

    for (char *s = l->text; s < end; s++) {
        ARRAY_ROOM(l->line, l->n, l->cap);
        l->line[l->n++] = s;
        s += strcspn(s, "\n");
        *s = 0;
    }
}

/* Returns the first byte that is NUL or not UTF-8, or NULL if there is none. */
static const char *find_bad(const char *s, size_t bytes)
{
    const uint8_t *bad = u8_check((const uint8_t *)s, bytes);
    const char *nul = memchr(s, 0, bytes);

    return nul && (!bad || nul < (const char *)bad) ? nul : (const char *)bad;
}

/* Refuses compressed data, which is identified by its first bytes. */
static int check_unpacked(const struct lines *l, size_t bytes)
{
    static const struct { const char *first, *name, *unpack; } kind[] = {
        {"\x1f\x8b", "gzip", "gunzip -k"},
        {"BZh", "bzip2", "bunzip2 -k"},
        {"\xfd" "7zXZ", "xz", "unxz -k"},
        {"\x28\xb5\x2f\xfd", "zstd", "unzstd"},
        {"PK\x03\x04", "zip", "unzip"}};

    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        size_t n = strlen(kind[i].first);

        if (bytes < n || memcmp(l->text, kind[i].first, n))
            continue;
        OWNED(free) char *word = text_quoted(l->path);
        return err_set(ERR_DATA, "%s: is compressed with %s; unpack it with "
                       "`%s %s` and use the unpacked file", l->path,
                       kind[i].name, kind[i].unpack, word);
    }
    return OK;
}

static int check(const struct lines *l, size_t bytes)
{
    const char *bad = find_bad(l->text, bytes);
    size_t line = 0;

    if (!bytes)
        return err_set(ERR_DATA, "%s: the file is empty", l->path);
    if (!bad)
        return OK;
    PASS(check_unpacked(l, bytes));
    for (const char *s = l->text; s < bad; s++)
        line += *s == '\n';
    return lines_bad(l, line, *bad ? "byte 0x%02X is not UTF-8; convert the "
                     "file" : "byte 0x%02X in a line of text",
                     (unsigned)(unsigned char)*bad);
}

int lines_read(struct lines *out, const char *path)
{
    OWNED(lines_close) struct lines l = {.path = str_copy(path)};
    size_t bytes;
    int rc = file_read_stream(&l.text, &bytes, path);

    *out = (struct lines){0};
    PASS(rc == ERR_IO ? err_set(ERR_DATA, "%s", err_last()) : rc);
    bytes = text_unmark(l.text, bytes);
    PASS(check(&l, bytes));
    cut(&l, bytes);
    *out = l;
    l = (struct lines){0};
    return OK;
}

void lines_close(struct lines *l)
{
    free(l->path);
    free(l->text);
    free(l->line);
    *l = (struct lines){0};
}

int lines_real(double *out, const struct lines *l, size_t i)
{
    if (str_to_real(l->line[i], out))
        return lines_bad(l, i, "'%.60s' is not a finite number", l->line[i]);
    return OK;
}

int lines_integer(long *out, const struct lines *l, size_t i)
{
    long long n;

    if (str_to_int(l->line[i], &n))
        return lines_bad(l, i, "'%.60s' is not an integer", l->line[i]);
    *out = (long)n;
    return OK;
}
