#include "harness/cmd/columns.h"

#include "harness/base/array.h"
#include "harness/base/err.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <uniwidth.h>

enum { COLUMNS_MAX = 16, CELL = 512 };

struct columns {
    char   align[COLUMNS_MAX + 1];
    int    width[COLUMNS_MAX];
    int    columns, n;
    size_t cap;
    char  **cell; /* row by row */
};

struct columns *columns_new(const char *align)
{
    struct columns *c = calloc(1, sizeof *c);

    REQUIRE(c && strlen(align) <= COLUMNS_MAX, "columns '%s'", align);
    strcpy(c->align, align);
    c->columns = (int)strlen(align);
    return c;
}

static int width(const char *s)
{
    return u8_strwidth((const uint8_t *)s, "UTF-8");
}

void columns_add(struct columns *c, const char *fmt, ...)
{
    char text[CELL];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (char *s = text; *s; s++) /* of a message that came from a file */
        if (iscntrl((unsigned char)*s))
            *s = '?';
    ARRAY_ROOM(c->cell, c->n, c->cap);
    int *widest = &c->width[c->n % c->columns];
    c->cell[c->n] = strdup(text);
    if (width(text) > *widest)
        *widest = width(text);
    c->n++;
}

void columns_print(struct columns *c, FILE *out)
{
    for (int i = 0; i < c->n; i++) {
        int x = i % c->columns, last = x == c->columns - 1;
        int blanks = c->width[x] - width(c->cell[i]);

        if (c->align[x] == '>')
            fprintf(out, "%*s%s", blanks, "", c->cell[i]);
        else
            fprintf(out, "%s%*s", c->cell[i], last ? 0 : blanks, "");
        fputs(last ? "\n" : "  ", out);
        free(c->cell[i]);
    }
    free(c->cell);
    free(c);
}

const char *columns_count(double x, char out[16])
{
    static const char *const prefix[] = {"", " k", " M", " G", " T", " P"};
    int i = 0;

    for (; x >= 999.5 && i < 5; i++)
        x /= 1000;
    snprintf(out, 16, "%.*f%s", i == 0 || x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2,
             x, prefix[i]);
    return out;
}
