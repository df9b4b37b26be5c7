/* baseline_file: reads and writes the file of a baseline.  baseline.h describes
 * the format. */
#include "harness/gate/baseline.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/map.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL, WHAT, VALUE, LOW, HIGH, UNITS, BETTER, SIGNATURE, FIELDS };

static const char first[] = "# synthbench baseline ";
static const char head[] =
    "cell\twhat\tvalue\tlow\thigh\tunits\tbetter\tsignature";
static const char seal[] = "# SHA-256 ";

/* ---- writing ---- */

const char *baseline_digits(double x, int most, char out[32])
{
    double back = NAN;

    *out = 0;
    for (int digits = 6; digits <= most && !isnan(x) && back != x; digits++) {
        snprintf(out, 32, "%.*g", digits, x);
        back = strtod(out, NULL);
    }
    return out;
}

static void put_value(struct text *t, const char *cell,
                      const struct baseline_value *v)
{
    char x[32], low[32], high[32];

    text_format(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", cell, v->what,
                v->text ? v->text : baseline_digits(v->value, 17, x),
                baseline_digits(v->between.low, 6, low),
                baseline_digits(v->between.high, 6, high), v->units,
                baseline_better(v->better), v->signature);
    while (t->s[t->n - 1] == '\t')
        t->s[--t->n] = 0;
    text_put(t, "\n");
}

int baseline_write(const struct baseline *b, const char *path)
{
    OWNED(text_free) struct text t = {0};
    char hex[HASH_HEX];

    text_format(&t, "%s%d\n", first, BASELINE_SCHEMA);
    for (int i = 0; i < b->facts; i++)
        text_format(&t, "# %s\t%s\n", b->fact[i].name, b->fact[i].text);
    text_format(&t, "%s\n", head);
    for (int i = 0; i < b->cells; i++)
        for (int k = 0; k < b->cell[i].n; k++)
            put_value(&t, b->cell[i].name, &b->cell[i].value[k]);
    hash_sha256(t.s, t.n, hex);
    text_format(&t, "%s%s\n", seal, hex);
    return file_output(path, t.s, t.n);
}

/* ---- reading ---- */

struct reader {
    const char            *path;
    int                    line;
    struct baseline       *out;
    struct baseline_cell  *at;   /* the cell of the previous line; NULL: none */
    struct baseline_value *next; /* where the next line's value is stored     */
};

static int wrong(const struct reader *r, const char *what)
{
    return err_set(ERR_STORE, "%s:%d: %s: not written by `synthbench baseline "
                   "save`", r->path, r->line, what);
}

/* Requires that the file is complete and unchanged, and that this program
 * supports its format.  Removes the line with the digest from `text`. */
static int check_seal(struct reader *r, char *text, size_t n)
{
    const size_t last = strlen(seal) + HASH_HEX - 1 + 1;
    char hex[HASH_HEX];
    long long schema;

    if (strlen(text) != n)
        return wrong(r, "a NUL byte");
    PASS(file_check_lines(text, r->path));
    if (strncmp(text, first, strlen(first)))
        return wrong(r, "not the first line of a baseline");
    schema = strtoll(text + strlen(first), NULL, 10);
    if (schema > BASELINE_SCHEMA)
        return err_set(ERR_STORE, "%s: format %lld is newer than %d, the one "
                       "of this program: use a later version of synthbench",
                       r->path, schema, BASELINE_SCHEMA);
    if (n < last || strncmp(text + n - last, seal, strlen(seal)))
        return err_set(ERR_STORE, "%s: the digest at its end is missing: the "
                       "file is cut off; restore it from version control, or "
                       "save it again", r->path);
    hash_sha256(text, n - last, hex);
    if (strncmp(text + n - HASH_HEX, hex, HASH_HEX - 1))
        return err_set(ERR_STORE, "%s: does not match its digest: edited or "
                       "merged by hand; take one side of the merge, or save "
                       "it again", r->path);
    text[n - last] = 0;
    return OK;
}

/* Reads a number, where "" is NAN.  Returns 0, or another value if the text is
 * not a number. */
static int read_number(double *out, const char *s)
{
    *out = NAN;
    return *s ? str_to_real(s, out) : 0;
}

static int read_value(struct reader *r, struct baseline_value *v, char **field)
{
    static const char *const texts[] = {"id", "config", "data", "results",
                                        "start", "weights", NULL};
    int text = names_index(texts, field[WHAT]) >= 0;

    v->what = field[WHAT];
    v->text = text ? field[VALUE] : NULL;
    v->value = NAN;
    v->units = field[UNITS];
    v->signature = field[SIGNATURE];
    v->better = baseline_better_of(field[BETTER]);
    if (!*v->what || (!text && read_number(&v->value, field[VALUE])) ||
        read_number(&v->between.low, field[LOW]) ||
        read_number(&v->between.high, field[HIGH]))
        return wrong(r, "an invalid field");
    return OK;
}

/* Adds the value of a line to its cell.  If the name differs from the previous
 * line's, or if `what` does not increase, the line begins a new cell.  Skips
 * the bands of earlier versions (baseline.h). */
static int read_row(struct reader *r, char *line)
{
    static char none[] = "";
    char *field[FIELDS], *next = line;
    struct baseline_cell *c = r->at;
    int n = 0;

    for (int i = 0; i < FIELDS; i++)
        field[i] = none;
    for (char *s; (s = strsep(&next, "\t")); n++)
        if (n < FIELDS)
            field[n] = s;
    if (n > FIELDS || n <= VALUE)
        return wrong(r, "expected 3 to 8 fields separated by tabs");
    if (str_ends(field[CELL], "/*"))
        return OK;
    if (!c || strcmp(c->name, field[CELL]) ||
        strcmp(c->value[c->n - 1].what, field[WHAT]) >= 0) {
        c = r->at = &r->out->cell[r->out->cells++];
        *c = (struct baseline_cell){.name = field[CELL], .value = r->next};
    }
    c->n++;
    return read_value(r, r->next++, field);
}

static int read_lines(struct reader *r, char *text)
{
    struct baseline *b = r->out;
    int in_cells = 0;

    for (char *line, *tab, *next = text; next;) {
        line = strsep(&next, "\n");
        r->line++;
        if (r->line == 1 || (!next && !*line))
            continue;
        if (in_cells) {
            PASS(read_row(r, line));
        } else if (!strcmp(line, head)) {
            in_cells = 1;
        } else if ((tab = strchr(line, '\t'))) {
            *tab = 0;
            b->fact[b->facts++] = (struct baseline_fact){line + strlen("# "),
                                                         tab + 1};
        } else {
            return wrong(r, "a header line without a tab");
        }
    }
    return in_cells ? OK : wrong(r, "no line with the column names");
}

static int check_cells(struct reader *r)
{
    OWNED(map_free) struct map *ids = map_new();

    for (int i = 0; i < r->out->cells; i++) {
        const struct baseline_cell *c = &r->out->cell[i];
        int slashes = 0;

        for (const char *s = c->name; *s; s++)
            slashes += *s == '/';
        if (slashes != 3)
            return err_set(ERR_STORE, "%s: '%s' is not the name of a cell: "
                           "expected variant/task/scale/seed", r->path,
                           c->name);
        if (!baseline_text(c, "id") || !baseline_text(c, "results"))
            return err_set(ERR_STORE, "%s: cell %s lacks its id or results",
                           r->path, c->name);
        if (!map_add(ids, baseline_text(c, "id"), i))
            return err_set(ERR_STORE, "%s: the id of cell %s appears twice",
                           r->path, c->name);
    }
    return r->out->cells ? OK : err_set(ERR_STORE, "%s: no cells", r->path);
}

/* Allocates room for facts, cells and values: for each as many as the file has
 * lines. */
static void make_room(struct reader *r, const char *text)
{
    struct baseline *b = r->out;
    size_t lines = 1;

    for (const char *s = text; *s; s++)
        lines += *s == '\n';
    b->fact = arena_zero(b->memory, lines * sizeof *b->fact);
    b->cell = arena_zero(b->memory, lines * sizeof *b->cell);
    r->next = arena_zero(b->memory, lines * sizeof *r->next);
}

/* Reports that there is no baseline at `path`, with the nearest name. */
static int missing(const char *path)
{
    OWNED(arena_free) struct arena *a = arena_new();
    const char *near = folder_nearest(path, ".tsv", a);

    if (near)
        return err_set(ERR_USAGE, "%s: no such baseline: did you mean '%s'?",
                       path, str_base(near));
    return err_set(ERR_USAGE, "%s: no such baseline: `synthbench baseline "
                              "save` creates one", path);
}

int baseline_read(struct baseline **out, const char *path)
{
    OWNED(free) char *name = str_copy(str_base(path)), *bytes = NULL;
    char *dot = strrchr(name, '.');
    size_t n;

    *out = NULL;
    if (dot) /* the name is "smoke" for "results/baselines/smoke.tsv" */
        *dot = 0;
    OWNED(baseline_close) struct baseline *b = baseline_new(name);
    struct reader r = {.path = path, .out = b};
    if (!file_exists(path))
        return missing(path);
    PASS(file_named(path, 0));
    PASS(file_read(&bytes, &n, path));
    PASS(check_seal(&r, bytes, n));
    make_room(&r, bytes);
    PASS(read_lines(&r, arena_text(b->memory, bytes)));
    PASS(check_cells(&r));
    return MOVE_OUT(out, b);
}
