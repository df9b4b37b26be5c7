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
    *p = (struct picture){.to = *to, .name = str_copy(name)};
    p->data = open_memstream(&p->text[0], &p->bytes[0]);
    p->words = open_memstream(&p->text[1], &p->bytes[1]);
    p->script = open_memstream(&p->text[2], &p->bytes[2]);
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

void picture_text(struct picture *p, const char *variable, const char *fmt, ...)
{
    char text[1024];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (!text[strspn(text, " ")]) { /* gnuplot misreads an empty last field */
        fprintf(p->script, "%s = ''\n", variable);
        return;
    }
    fputs(variable, p->words);
    picture_put_text(p->words, "\t", text);
    fputc('\n', p->words);
    fprintf(p->script, "%s = text[%d]\n", variable, ++p->lines);
}

void picture_number(struct picture *p, const char *variable, double value)
{
    if (isfinite(value))
        fprintf(p->script, "%s = %.15g\n", variable, value);
    else
        fprintf(p->script, "%s = NaN\n", variable);
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

/* Draws a picture at once, with an easel of its own. */
static int draw_alone(const struct picture *p, const struct drawn *d)
{
    OWNED(easel_close) struct output own = p->to;

    easel_open(&own, NULL);
    PASS(easel_add(own.easel, d));
    return easel_finish(own.easel);
}

int picture_end(struct picture *p, const char *script)
{
    struct drawn d = {.name = p->name};

    PASS(append(p, script));
    close_files(p);
    for (int i = 0; i < DRAWN_FILES; i++) {
        d.text[i] = p->text[i];
        d.bytes[i] = p->bytes[i];
    }
    return p->to.easel ? easel_add(p->to.easel, &d) : draw_alone(p, &d);
}

void picture_abandon(struct picture *p)
{
    close_files(p);
    for (int i = 0; i < DRAWN_FILES; i++)
        free(p->text[i]);
    free(p->name);
    *p = (struct picture){0};
}
