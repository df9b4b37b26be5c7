#include "plots/picture.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/share.h"
#include "harness/base/str.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int check_name(const char *name)
{
    size_t sound = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.-");

    if (name[sound] || !*name || strchr(".-", *name))
        return err_set(ERR_STORE, "'%s' cannot be the name of a picture: only "
                       "a-z, 0-9, '_', '-' and '.' make one", name);
    return OK;
}

/* What stands there may be a link to elsewhere. */
static int make_way(const struct picture *p, const char *suffix)
{
    OWNED(free) char *path = str_format("%s/%s%s", p->folder, p->name, suffix);

    if (unlink(path) && errno != ENOENT)
        return err_errno(ERR_IO, "%s", path);
    return OK;
}

static int open_file(FILE **out, const struct picture *p, const char *suffix)
{
    OWNED(free) char *path = str_format("%s/%s%s", p->folder, p->name, suffix);
    int rc = make_way(p, suffix);

    *out = rc < 0 ? NULL : fopen(path, "wx");
    if (rc == OK && !*out)
        rc = err_errno(ERR_IO, "%s", path);
    return rc;
}

static int close_file(FILE **f, const struct picture *p, const char *suffix)
{
    FILE *file = *f;

    *f = NULL;
    int bad = ferror(file);
    if (fclose(file) || bad)
        return err_errno(ERR_IO, "%s/%s%s", p->folder, p->name, suffix);
    return OK;
}

static int append(struct picture *p, const char *script)
{
    OWNED(free) char *name = str_format("plots/%s.gp", script), *path = NULL;
    OWNED(free) char *text = NULL;
    size_t bytes;

    PASS(share_find(&path, name));
    PASS(file_read(&text, &bytes, path));
    fputc('\n', p->script);
    fwrite(text, 1, bytes, p->script);
    return OK;
}

int picture_begin(struct picture *p, const char *folder, const char *name)
{
    int rc = OK;

    *p = (struct picture){.folder = str_copy(folder), .name = str_copy(name)};
    TRY(check_name(name));
    TRY(file_mkdirs(folder));
    TRY(make_way(p, ".png"));
    TRY(make_way(p, ".svg"));
    TRY(open_file(&p->data, p, ".tsv"));
    TRY(open_file(&p->words, p, ".txt"));
    TRY(open_file(&p->script, p, ".gp"));
    fprintf(p->script, "# Made by synthbench.  In this folder, gnuplot %s.gp "
            "draws %s.png and %s.svg again.\nname = '%s'\n", name, name, name,
            name);
    picture_number(p, "width", PICTURE_WIDTH);
    picture_number(p, "height", PICTURE_HEIGHT);
    TRY(append(p, "style"));
    fputc('\n', p->script);
out:
    if (rc < 0)
        picture_abandon(p);
    return rc;
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

int picture_end(struct picture *p, const char *script)
{
    OWNED(free) char *file = str_format("%s.gp", p->name);
    int rc = OK;

    TRY(append(p, script));
    TRY(close_file(&p->data, p, ".tsv"));
    TRY(close_file(&p->words, p, ".txt"));
    TRY(close_file(&p->script, p, ".gp"));
    TRY(gnuplot_run(p->folder, file));
out:
    picture_abandon(p);
    return rc;
}

void picture_abandon(struct picture *p)
{
    FILE *file[] = {p->data, p->words, p->script};

    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        if (file[i])
            fclose(file[i]);
    free(p->folder);
    free(p->name);
    *p = (struct picture){0};
}
