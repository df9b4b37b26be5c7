#include "harness/print/sheet.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/base/streams.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT(name) extern const struct format format_##name;
#include "harness/print/list.h"
#undef FORMAT

const char *const format_names[] = {
#define FORMAT(name) #name,
#include "harness/print/list.h"
#undef FORMAT
    NULL};

const struct format *const format_all[] = {
#define FORMAT(name) &format_##name,
#include "harness/print/list.h"
#undef FORMAT
    NULL};

struct sheet *sheet_new(void)
{
    struct arena *a = arena_new();
    struct sheet *s = arena_zero(a, sizeof *s);

    *s = (struct sheet){.memory = a, .schema = 1};
    return s;
}

void sheet_close(struct sheet *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->parts; i++)
        if (s->part[i].grid)
            free(s->part[i].grid->cell);
    free(s->part);
    json_decref(s->records);
    json_decref(s->object);
    arena_free(s->memory);
}

static struct part *add_part(struct sheet *s, enum part_kind kind)
{
    ARRAY_ROOM(s->part, s->parts, s->room);
    s->part[s->parts] = (struct part){.kind = kind, .text = ""};
    return &s->part[s->parts++];
}

void sheet_put(struct sheet *s, enum part_kind kind, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    add_part(s, kind)->text = str_harmless(arena_vformat(s->memory, fmt, ap),
                                           "");
    va_end(ap);
}

struct grid *sheet_grid(struct sheet *s, const struct grid_column *column,
                        int columns)
{
    struct arena *a = s->memory;
    struct grid *g = arena_zero(a, sizeof *g);

    *g = (struct grid){.memory = a, .columns = columns, .column =
                       arena_take(a, (size_t)columns * sizeof *column)};
    for (int c = 0; c < columns; c++) {
        const struct grid_column *k = &column[c];

        g->column[c] = *k;
        g->column[c].group = str_harmless(arena_text(a, k->group), "");
        g->column[c].title = str_harmless(arena_text(a, k->title), "");
        g->column[c].unit = str_harmless(arena_text(a, k->unit), "");
    }
    add_part(s, PART_GRID)->grid = g;
    return g;
}

struct grid *sheet_listing(struct sheet *s, const char *align,
                           const char *const *titles)
{
    int n = (int)strlen(align);
    struct grid_column *column = arena_zero(s->memory,
                                            (size_t)n * sizeof *column);

    for (int i = 0; i < n; i++)
        column[i] = (struct grid_column){
            .group = "", .title = titles ? titles[i] : "", .unit = "",
            .left = align[i] == '<'};
    struct grid *g = sheet_grid(s, column, n);
    g->listing = 1;
    return g;
}

void sheet_fact(struct sheet *s, const char *name, json_t *value)
{
    if (!s->object)
        s->object = json_object();
    json_object_set_new(s->object, name, value);
}

void sheet_texts(struct sheet *s, const char *name, const char *const *text)
{
    json_t *all = json_array();

    for (; *text; text++)
        json_array_append_new(all, json_string(*text));
    sheet_fact(s, name, all);
}

/* Returns a number in the unit of its column, as text for people. */
static const char *in_unit(const struct column *c, const void *row,
                           struct arena *a)
{
    OWNED(json_decref) json_t *value = relation_value(c, row, a);
    double x = json_number_value(value);
    char text[32];

    if (json_is_null(value))
        return c->none ? c->none : "";
    if (!strcmp(c->unit, "s"))
        return arena_text(a, str_duration(x, text));
    if (!strcmp(c->unit, ","))
        return arena_text(a, grid_digits(x, text));
    return arena_text(a, grid_count(x, *c->unit ? c->unit : NULL, text));
}

struct grid *sheet_relation(struct sheet *s, const struct relation *r)
{
    json_t *rows = relation_json(r, s->memory);

    sheet_fact(s, r->name, rows);
    s->records = s->records ? s->records : json_incref(rows);
    return sheet_grid_of(s, r);
}

struct grid *sheet_grid_of(struct sheet *s, const struct relation *r)
{
    struct grid_column head[RELATION_COLUMNS];
    int n = 0, groups = 0;

    for (const struct column *c = r->column; c->type != COLUMN_END; c++) {
        if (c->head)
            head[n++] = (struct grid_column){
                c->group ? c->group : "", c->head, "", relation_left(c), 0};
        groups |= c->group != NULL;
    }
    if (!r->rows || !n)
        return NULL;
    struct grid *g = sheet_grid(s, head, n);
    g->listing = !groups;
    for (int i = 0; i < r->rows; i++)
        for (const struct column *c = r->column; c->type != COLUMN_END; c++)
            if (c->head)
                grid_add(g, "%s", (c->unit ? in_unit : relation_text)(
                                      c, relation_row(r, i), g->memory));
    return g;
}

void sheet_write(const struct sheet *s, const char *format, FILE *out)
{
    int i = 0;

    if (!strcmp(format, SHEET_VERDICT)) {
        while (i < s->parts && s->part[i].kind == PART_GRID)
            i++;
        fprintf(out, "%s\n", i < s->parts ? s->part[i].text : "");
        return;
    }
    while (format_all[i] && strcmp(format_all[i]->name, format))
        i++;
    REQUIRE(format_all[i], "no format '%s'", format);
    format_all[i]->write(s, out);
}

int sheet_print(const struct sheet *s, const char *format, const char *path)
{
    OWNED(free) char *text = NULL;
    size_t bytes = 0;

    if (!path) {
        struct sheet fitted = *s;

        int width = streams_width(STDOUT_FILENO); /* 0: no terminal */
        fitted.width = s->width ? s->width
                       : width && width < SHEET_NARROW ? SHEET_NARROW : width;
        fitted.ascii = streams_ascii();
        sheet_write(&fitted, format, stdout);
        return streams_flush();
    }
    FILE *memory = open_memstream(&text, &bytes);
    sheet_write(s, format, memory);
    fclose(memory);
    return file_output(path, text, bytes);
}
