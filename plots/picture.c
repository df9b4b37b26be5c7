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
    size_t sound = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789_.-");

    if (name[sound] || !*name || strchr(".-", *name))
        return err_set(ERR_STORE, "'%s' cannot be the name of a picture: only "
                       "letters, digits, '_', '-' and '.' make one", name);
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

int picture_begin(struct picture *p, const struct album *to, const char *name)
{
    *p = (struct picture){.folder = str_copy(to->folder),
                          .name = str_copy(name)};
    p->data = open_memstream(&p->text[0], &p->bytes[0]);
    p->words = open_memstream(&p->text[1], &p->bytes[1]);
    p->script = open_memstream(&p->text[2], &p->bytes[2]);
    PASS(check_name(name));
    PASS(file_mkdirs(to->folder));
    PASS(make_way(p, ".png"));
    PASS(make_way(p, ".svg"));
    PASS(make_way(p, ".pdf"));
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
    FILE **file[PICTURE_FILES] = {&p->data, &p->words, &p->script};

    for (int i = 0; i < PICTURE_FILES; i++) {
        if (*file[i])
            fclose(*file[i]);
        *file[i] = NULL;
    }
}

int picture_end(struct picture *p, const char *script)
{
    static const char *const suffix[PICTURE_FILES] = {".tsv", ".txt", ".gp"};
    OWNED(free) char *file = str_format("%s.gp", p->name);

    PASS(append(p, script));
    close_files(p);
    for (int i = 0; i < PICTURE_FILES; i++) {
        OWNED(free) char *path = str_format("%s/%s%s", p->folder, p->name,
                                            suffix[i]);

        PASS(file_write(path, p->text[i], p->bytes[i]));
    }
    return gnuplot_run(p->folder, file);
}

void picture_abandon(struct picture *p)
{
    close_files(p);
    for (int i = 0; i < PICTURE_FILES; i++)
        free(p->text[i]);
    free(p->folder);
    free(p->name);
    *p = (struct picture){0};
}
