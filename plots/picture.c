#include "plots/picture.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/datadir.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int check_name(const char *name)
{
    size_t sound = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789_.-");

    if (name[sound] || !*name || strchr(".-", *name))
        return err_set(ERR_STORE, "'%s' is not a valid picture name: use only "
                       "letters, digits, '_', '-' and '.'", name);
    return OK;
}

static int append(struct picture *p, const char *script)
{
    OWNED(free) char *name = str_format("plots/%s.gp", script), *path = NULL;
    OWNED(free) char *text = NULL;
    size_t bytes;

    PASS(datadir_find(&path, name));
    PASS(file_read(&text, &bytes, path));
    fputc('\n', p->script);
    fwrite(text, 1, bytes, p->script);
    return OK;
}

int picture_begin(struct picture *p, const struct output *to, const char *name)
{
    *p = (struct picture){.to = *to, .made.name = str_copy(name)};
    p->data = open_memstream(&p->made.text[0], &p->made.bytes[0]);
    p->words = open_memstream(&p->made.text[1], &p->made.bytes[1]);
    p->script = open_memstream(&p->made.text[2], &p->made.bytes[2]);
    PASS(check_name(name));
    fprintf(p->script, "# Made by synthbench.  In this folder, gnuplot %s.gp "
            "draws the picture again,\n# as each of these kinds.\n"
            "kinds = '%s'\nname = '%s'\n", name, to->kinds, name);
    picture_number(p, "width", PICTURE_WIDTH);
    picture_number(p, "height", PICTURE_HEIGHT);
    PASS(append(p, "style"));
    fputc('\n', p->script);
    return OK;
}

void picture_put_text(FILE *out, const char *before, const char *text)
{
    fputs(before, out);
    for (const char *s = text; *s; s++)
        fputc(*s == '"' ? '\'' : *s >= ' ' && *s <= '~' ? *s : '?', out);
}

void picture_put_number(FILE *out, const char *before, double value)
{
    fputs(before, out);
    if (isfinite(value))
        fprintf(out, "%.9g", value);
    else
        fputs("NaN", out);
}

void picture_head(struct picture *p, const struct column *c)
{
    for (const struct column *first = c; c->type; c++)
        fprintf(p->data, "%s%s", c == first ? "" : "\t", c->name);
    fputc('\n', p->data);
}

void picture_row(struct picture *p, const struct column *c, const void *row)
{
    const char *before = "";

    for (; c->type; c++, before = "\t") {
        const char *at = (const char *)row + c->at;

        if (c->type == COLUMN_TEXT)
            picture_put_text(p->data, before, *(const char *const *)at);
        else if (c->type == COLUMN_REAL)
            picture_put_number(p->data, before, *(const double *)at);
        else if (c->type == COLUMN_LONG)
            fprintf(p->data, "%s%lld", before, *(const long long *)at);
        else
            fprintf(p->data, "%s%d", before, *(const int *)at);
    }
    fputc('\n', p->data);
}

int picture_block(struct picture *p)
{
    fputs("\n\n", p->data);
    return ++p->blocks;
}

static void put_words(struct picture *p, const char *variable, const char *fmt,
                      va_list ap)
{
    char text[1024];

    vsnprintf(text, sizeof text, fmt, ap);
    if (!text[strspn(text, " ")]) { /* gnuplot misreads an empty last field */
        fprintf(p->script, "%s = ''\n", variable);
        return;
    }
    fputs(variable, p->words);
    picture_put_text(p->words, "\t", text);
    fputc('\n', p->words);
    fprintf(p->script, "%s = text[%d]\n", variable, ++p->lines);
}

void picture_text(struct picture *p, const char *variable, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_words(p, variable, fmt, ap);
    va_end(ap);
}

void picture_text_i(struct picture *p, const char *name, int i,
                    const char *fmt, ...)
{
    OWNED(free) char *variable = str_format("%s%d", name, i);
    va_list ap;

    va_start(ap, fmt);
    put_words(p, variable, fmt, ap);
    va_end(ap);
}

void picture_number(struct picture *p, const char *variable, double value)
{
    if (isfinite(value))
        fprintf(p->script, "%s = %.15g\n", variable, value);
    else
        fprintf(p->script, "%s = NaN\n", variable);
}

void picture_number_i(struct picture *p, const char *name, int i, double value)
{
    OWNED(free) char *variable = str_format("%s%d", name, i);

    picture_number(p, variable, value);
}

static void close_files(struct picture *p)
{
    FILE **file[DRAWN_FILES] = {&p->data, &p->words, &p->script};

    for (int i = 0; i < DRAWN_FILES; i++) {
        if (*file[i])
            fclose(*file[i]);
        *file[i] = NULL;
    }
}

int picture_end(struct picture *p, const char *script)
{
    OWNED(easel_close) struct output own = {.easel = NULL};

    PASS(append(p, script));
    close_files(p);
    if (p->to.easel)
        return easel_add(p->to.easel, &p->made);
    own = p->to;
    easel_open(&own);
    PASS(easel_add(own.easel, &p->made));
    return easel_finish(own.easel);
}

void picture_abandon(struct picture *p)
{
    close_files(p);
    for (int i = 0; i < DRAWN_FILES; i++)
        free(p->made.text[i]);
    free(p->made.name);
    *p = (struct picture){0};
}
