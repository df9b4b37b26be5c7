#include "harness/site/site.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/names.h"
#include "harness/base/stage.h"
#include "harness/base/str.h"
#include "harness/report/published_print.h"
#include "plots/easel.h"
#include "plots/figure.h"

#include <math.h>
#include <string.h>

/* ---- rows and cells ---- */

int site_row(const struct site *s, const char *variant)
{
    return names_index(s->row, variant);
}

int site_task(const struct site *s, const char *task)
{
    for (int i = 0; i < s->tasks; i++)
        if (!strcmp(s->task[i].of->task[0].task, task))
            return i;
    return -1;
}

const char *site_task_title(const struct site *s, const char *task)
{
    int i = site_task(s, task);

    return i < 0 ? task : s->task[i].of->task[0].title;
}

const struct site_picture *site_picture(const struct site *s, const char *kind,
                                        const char *task)
{
    for (int i = 0; i < s->pictures; i++)
        if (s->picture[i].task && !strcmp(s->picture[i].task, task) &&
            !strcmp(s->picture[i].kind, kind))
            return &s->picture[i];
    return NULL;
}

int site_done(const struct site *s, const char *variant, const char *task,
              const struct report_cell **one)
{
    int n = 0;

    for (int i = 0; i < s->report->n; i++) {
        const struct report_cell *c = &s->report->cell[i];

        if (c->state == CELL_DONE &&
            (!variant || !strcmp(c->variant, variant)) &&
            (!task || !strcmp(c->task, task))) {
            *one = c;
            n++;
        }
    }
    return n;
}

void site_file(struct site *s, const char *path)
{
    ARRAY_ROOM(s->file, s->files, s->room);
    s->file[s->files++] = arena_text(s->memory, path);
}

double site_value(const struct results *r, const char *name)
{
    double x;

    for (int i = 0; i < r->metrics; i++)
        if (!strcmp(r->metric[i], name))
            return r->value[i];
    for (int i = 0; i < r->facts; i++)
        if (!strcmp(r->fact[i].name, name) &&
            !str_to_real(r->fact[i].text, &x))
            return x;
    return NAN;
}

/* ---- tables ---- */

static int fill(struct site_table *t, const struct site_source *from,
                struct arena *a)
{
    OWNED(published_close) struct published *p = NULL;
    int rc = result_fill(&t->measured, t->of, from->report, from->metrics);

    if (rc == ERR_EMPTY || rc == ERR_USAGE) {
        t->why = arena_text(a, err_last());
        return OK;
    }
    PASS(rc);
    PASS(published_open(&p));
    t->sheet = sheet_new();
    layout_fill(t->sheet, t->measured, 0);
    published_below(t->sheet, p, t->of->name);
    return OK;
}

static int fill_all(struct site_table **out, int *n, struct site *s,
                    const struct table *const *of,
                    const struct site_source *from)
{
    OWNED(stage_end) struct stage stage = {.what = "tables filled"};
    int all = 0;

    while (of[all])
        all++;
    *out = arena_zero(s->memory, ((size_t)all + 1) * sizeof **out);
    for (int i = 0; i < all; i++) {
        struct site_table *t = &(*out)[(*n)++];

        stage_show(&stage, i, all);
        t->of = of[i];
        if (of[i]->counted)
            t->sheet = from->counted;
        else
            PASS(fill(t, from, s->memory));
    }
    return OK;
}

/* ---- pictures ---- */

/* Returns the task with whose name the picture's name ends ("curves_lm1b"), or
 * NULL. */
static const char *task_of(const struct site *s, const char *name)
{
    for (int i = 0; i < s->tasks; i++) {
        const char *task = s->task[i].of->task[0].task;
        size_t n = strlen(name), k = strlen(task);

        if (n > k && !strcmp(name + n - k, task) && name[n - k - 1] == '_')
            return task;
    }
    return NULL;
}

static void take_undrawn(struct site *s, const struct figure *f,
                         const char *why)
{
    const char **end = s->undrawn;

    while (*end)
        end++;
    *end = arena_format(s->memory, "%s: %s", f->name, why);
}

/* Adds the pictures of a figure to the site: pictures `from` to `to` - 1 of the
 * easel.  If some could not be drawn, reports the first failed picture. */
static int take_pictures(struct site *s, const struct figure *f,
                         const struct easel *e, int from, int to)
{
    int failed = 0;

    for (int i = from; i < to; i++) {
        struct site_picture p = {.kind = f->name, .what = f->title};

        if (easel_why(e, i)) {
            if (!failed++)
                take_undrawn(s, f, easel_why(e, i));
            continue;
        }
        PASS(easel_read(&p.svg, &p.bytes, e, i, "svg"));
        p.name = arena_text(s->memory, easel_name(e, i));
        p.task = task_of(s, p.name);
        p.title = arena_format(s->memory, "%s%s%s", f->title,
                               p.task ? ": " : "",
                               p.task ? site_task_title(s, p.task) : "");
        ARRAY_ROOM(s->picture, s->pictures, s->picture_room);
        s->picture[s->pictures++] = p;
    }
    return OK;
}

/* Draws all figures. */
static int draw_all(struct site *s)
{
    OWNED(folder_unmake) char *folder = NULL;
    OWNED(easel_close) struct output output = {.kinds = "svg"};
    OWNED(free) int *end = NULL; /* end[i]: pictures up to figure i */
    int n = 0;

    while (figure_all[n])
        n++;
    s->undrawn = arena_zero(s->memory, ((size_t)n + 1) * sizeof *s->undrawn);
    end = calloc((size_t)n + 1, sizeof *end);
    PASS(folder_make(&folder, "report"));
    output.folder = folder;
    easel_open(&output);
    for (int i = 0; i < n; i++) {
        int rc = figure_render(figure_all[i], s->report, &output);

        if (rc == ERR_EMPTY || rc == ERR_IO)
            take_undrawn(s, figure_all[i], err_last());
        else
            PASS(rc);
        end[i] = easel_pictures(output.easel);
    }
    PASS(easel_wait(output.easel));
    for (int i = 0; i < n; i++)
        PASS(take_pictures(s, figure_all[i], output.easel, i ? end[i - 1] : 0,
                           end[i]));
    return OK;
}

/* ---- the site ---- */

int site_open(struct site **out, const struct site_source *from)
{
    static const char *none[] = {NULL};
    OWNED(site_close) struct site *s = calloc(1, sizeof *s);
    const struct report_cell *one;

    *out = NULL;
    s->memory = arena_new();
    s->report = from->report;
    s->undrawn = none;
    s->claims = from->claims;
    if (!site_done(s, NULL, NULL, &one))
        return err_set(ERR_EMPTY, "%s: no cell is done; train the cells with "
                       "`synthbench run`", s->report->store);
    size_t room = (size_t)s->report->n + 1;
    s->row = arena_zero(s->memory, room * sizeof *s->row);
    s->cell = arena_zero(s->memory, room * sizeof *s->cell);
    for (int i = 0; i < s->report->n; i++) {
        const struct report_cell *c = &s->report->cell[i];

        if (site_row(s, c->variant) < 0)
            s->row[s->rows++] = c->variant;
        if (c->state == CELL_DONE)
            PASS(results_read(&s->cell[i], s->report->store, c->id, none, 1,
                              s->memory));
    }
    PASS(fill_all(&s->table, &s->tables, s, from->table, from));
    PASS(fill_all(&s->task, &s->tasks, s, from->task, from));
    if (!from->plain)
        PASS(draw_all(s));
    return MOVE_OUT(out, s);
}

void site_close(struct site *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->tables + s->tasks; i++) {
        struct site_table *t = i < s->tables ? &s->table[i]
                                             : &s->task[i - s->tables];

        result_close(t->measured);
        sheet_close(t->sheet);
    }
    for (int i = 0; i < s->pictures; i++)
        free(s->picture[i].svg);
    free(s->picture);
    free(s->file);
    arena_free(s->memory);
    free(s);
}

int site_folder_in(const struct site *s, const char *name)
{
    OWNED(free) char *path = str_format("%s/%s", s->folder, name);

    return file_mkdirs(path);
}

int site_write(struct site *s)
{
    static int (*const pages[])(struct site *s) = {
        pages_index, pages_table, pages_task, pages_variant,
        pages_figure, pages_cell, pages_claim};

    for (const char *const *folder = NAMES("table", "task", "variant", "figure",
                                           "cell"); *folder; folder++)
        PASS(site_folder_in(s, *folder));
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        PASS(pages[i](s));
    return OK;
}
