#include "harness/base/str.h"

#include "harness/base/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *str_vformat(const char *fmt, va_list ap)
{
    va_list copy;

    va_copy(copy, ap);
    int n = vsnprintf(NULL, 0, fmt, copy);
    va_end(copy);
    char *s = malloc((size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, fmt, ap);
    return s;
}

char *str_format(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    char *s = str_vformat(fmt, ap);
    va_end(ap);
    return s;
}

char *str_copy(const char *s)
{
    return strdup(s);
}

int str_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *str_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

int str_ends(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);

    return n >= m && !strcmp(s + n - m, end);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t str_edits(const char *a, const char *b)
{
    size_t n = strlen(b), row[128];

    if (n >= 128)
        return n;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];

        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t up = row[j + 1], change = diagonal + (a[i] != b[j]);

            row[j + 1] = least(least(up, row[j]) + 1, change);
            diagonal = up;
        }
    }
    return row[n];
}

const char *str_nearest(const char *word, const char *const names[])
{
    size_t length = strlen(word), best = length < 2 ? 0 : 1 + (length + 2) / 3;
    const char *found = NULL;

    for (int i = 0; names[i]; i++) {
        const char *dot = strrchr(names[i], '.');
        size_t d = dot && !strcmp(dot + 1, word) ? 0
                                                 : str_edits(word, names[i]);

        if (d < best) {
            best = d;
            found = names[i];
        }
    }
    return found;
}

int str_to_int(const char *s, long long *out)
{
    char *end;

    if (!strspn(s, "-0123456789"))
        return -1;
    errno = 0;
    *out = strtoll(s, &end, 10);
    return end == s || *end || errno ? -1 : 0;
}

int str_to_real(const char *s, double *out)
{
    char *end;

    if (!strspn(s, "-.0123456789") || strpbrk(s, "xXpP"))
        return -1;
    *out = strtod(s, &end); /* the program always uses the C locale */
    return end == s || *end || !isfinite(*out) ? -1 : 0;
}

const char *str_real(double x, char out[32])
{
    double y;
    int digits = 15;

    do {
        snprintf(out, 32, "%.*g", digits, x);
    } while (digits++ < 17 && (str_to_real(out, &y) || y != x));
    return out;
}

const char *str_duration(double seconds, char out[32])
{
    long s = seconds > 0 ? lround(seconds) : 0;

    if (s >= 100 * 3600)
        snprintf(out, 32, "%ld days", (s + 43200) / 86400);
    else if (s >= 3600)
        snprintf(out, 32, "%ld h %02ld min", s / 3600, s % 3600 / 60);
    else if (s >= 60)
        snprintf(out, 32, "%ld min %02ld s", s / 60, s % 60);
    else
        snprintf(out, 32, "%ld s", s);
    return out;
}

/* Works in place, because a replacement is never longer than the original. */
char *str_harmless(char *s, const char *but)
{
    size_t bytes = strlen(s), length, n = 0;

    for (size_t i = 0; i < bytes; i += length) {
        uint32_t c = text_decode(s, i, bytes, &length);
        int bad = c == 0xFFFD && (unsigned char)s[i] != 0xEF; /* not UTF-8 */

        if (!bad && (!text_steers(c) || (c < 0x80 && strchr(but, (int)c)))) {
            memmove(s + n, s + i, length);
            n += length;
        } else {
            s[n++] = text_is_space(c) ? ' ' : '?';
        }
    }
    s[n] = 0;
    return s;
}

int str_is_harmless(const char *s)
{
    OWNED(free) char *shown = str_harmless(str_copy(s), "");

    return !strcmp(shown, s);
}

void put_harmless(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    OWNED(free) char *text = str_vformat(fmt, ap);
    va_end(ap);
    fputs(str_harmless(text, "\n\t"), stdout);
}

void say(const char *fmt, ...)
{
    char line[2048];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    fprintf(stderr, "synthbench: %s\n", str_harmless(line, "\n\t"));
}
