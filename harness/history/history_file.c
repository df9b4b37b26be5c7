/* Reads and extends the file of a history; history.h describes its format. */
#include "harness/history/history.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/report/builds.h"

#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

enum {
    COMMIT, DATE, MACHINE, BUILD, CELL, WHAT, VALUE, UNITS, BETTER, CHECK,
    FIELDS
};
enum { DIGITS = 8 }; /* the digits of a digest that a line has */

static const char first[] = "# synthbench history ";
static const char head[] =
    "# commit\tdate\tmachine\tbuild\tcell\twhat\tvalue\tunits\tbetter\tcheck\n";

void history_close(struct history *h)
{
    if (h)
        arena_free(h->memory);
}

/* ---- reading ---- */

struct reader { const char *path; int line; };

static int wrong(const struct reader *r, const char *what)
{
    return err_set(ERR_STORE, "%s:%d: %s: `synthbench history add` did not "
                   "write this; remove the line, or restore the file from "
                   "version control", r->path, r->line, what);
}

static int read_line(const struct reader *r, struct history_line *l, char *line)
{
    char *field[FIELDS], *next = line, *check = strrchr(line, '\t');
    char hex[HASH_HEX];
    int n = 0;

    if (!strncmp(line, "<<<<<<<", 7) || !strncmp(line, ">>>>>>>", 7))
        return wrong(r, "merge conflict (`merge=union` in .gitattributes "
                        "avoids them)");
    if (!check)
        return wrong(r, "no tab-separated fields");
    hash_sha256(line, (size_t)(check - line), hex);
    if (strncmp(check + 1, hex, DIGITS) || strlen(check + 1) != DIGITS)
        return wrong(r, "damaged: its digest differs from its last field");
    for (char *s; (s = strsep(&next, "\t")); n++)
        if (n < FIELDS)
            field[n] = s;
    if (n != FIELDS)
        return wrong(r, "not 10 tab-separated fields");
    *l = (struct history_line){
        field[COMMIT], field[DATE], field[MACHINE], field[BUILD], field[CELL],
        field[WHAT], field[VALUE], field[UNITS], NAN,
        baseline_better_of(field[BETTER])};
    if (strlen(l->commit) != COMMIT_DIGITS || !*l->cell || !*l->what ||
        (*l->units && *l->text && str_to_real(l->text, &l->value)))
        return wrong(r, "invalid field");
    return OK;
}

static int read_lines(struct history *h, char *text)
{
    struct reader r = {.path = h->path};
    size_t lines = 1;

    for (const char *s = text; *s; s++)
        lines += *s == '\n';
    h->line = arena_zero(h->memory, lines * sizeof *h->line);
    for (char *line, *next = text; next;) {
        line = strsep(&next, "\n");
        r.line++;
        if (!next && *line)
            return wrong(&r, "truncated");
        long long version = strncmp(line, first, strlen(first))
                                ? 0 : strtoll(line + strlen(first), NULL, 10);

        if (version > HISTORY_SCHEMA)
            return err_set(ERR_STORE, "%s:%d: has version %lld, but this "
                           "program reads up to %d: use a later version of "
                           "synthbench", r.path, r.line, version,
                           HISTORY_SCHEMA);
        if (*line && *line != '#')
            PASS(read_line(&r, &h->line[h->n++], line));
    }
    return OK;
}

int history_lines(struct history **out, const char *path)
{
    struct arena *memory = arena_new();
    OWNED(history_close) struct history *h = arena_zero(memory, sizeof *h);
    OWNED(free) char *bytes = NULL;
    size_t n = 0;

    *out = NULL;
    h->memory = memory;
    h->path = arena_text(memory, path);
    if (file_exists(path)) {
        PASS(file_named(path, 0));
        PASS(file_read(&bytes, &n, path));
        if (strlen(bytes) != n)
            return err_set(ERR_STORE, "%s: has a NUL byte: it is not a history",
                           path);
        PASS(file_check_lines(bytes, path));
        PASS(read_lines(h, arena_text(memory, bytes)));
    }
    return MOVE_OUT(out, h);
}

/* ---- adding ---- */

/* A build that trained cells of a baseline. */
struct maker { const char *commit, *date, *build; };

struct adding {
    const struct baseline *from;
    struct history        *h;
    const char            *repository, *given, *machine;
    struct arena          *memory;
    struct maker          *maker; /* (makers) by build of the baseline     */
    int                    makers;
    struct map            *known; /* from (commit, machine, cell) to the line
                                     of the results; from ("", cell, config)
                                     to any line                           */
    struct text            text;  /* the lines to add                      */
    int                    lines;
};

/* Returns the digest of everything on which results depend in addition to the
 * commit and the settings (history.h). */
static const char *build_of(struct adding *a, int build)
{
    OWNED(text_free) struct text t = {0};
    char hex[HASH_HEX];

    for (int i = 0; i < BUILD_FACTS; i++) {
        const char *s = strcmp(build_fact[i], "build")
                            ? baseline_build_fact(a->from, build,
                                                  build_fact[i]) : NULL;

        text_format(&t, "%s\n", s ? s : "");
    }
    hash_sha256(t.s, t.n, hex);
    return arena_format(a->memory, "%.*s", DIGITS, hex);
}

/* Finds the commits that trained the cells.  Returns ERR_USAGE if one is
 * unknown or had uncommitted changes. */
static int find_makers(struct adding *a)
{
    const char *store = baseline_fact(a->from, "store"), *says;

    while (baseline_build_fact(a->from, a->makers, "commit"))
        a->makers++;
    a->maker = arena_zero(a->memory, ((size_t)a->makers + 1) *
                                         sizeof *a->maker);
    for (int i = 0; i < a->makers; i++) {
        struct maker *out = &a->maker[i];

        says = baseline_build_fact(a->from, i, "commit");
        if (!a->given && str_ends(says, "-dirty"))
            return err_set(ERR_USAGE, "%s: trained by a build of %.7s with "
                           "uncommitted changes: commit them, rebuild and "
                           "train again, or use --commit REV if they do not "
                           "matter", store, says);
        if (!a->given && !strcmp(says, "unknown"))
            return err_set(ERR_USAGE, "%s: trained by a build whose commit is "
                           "unknown (`synthbench doctor` explains why): "
                           "specify it with --commit REV", store);
        if (history_commit(&out->commit, &out->date, a->repository,
                           a->given ? a->given : says, a->memory) < 0)
            return err_wrap(ERR_USAGE, "%s: trained by commit %s: specify its "
                            "repository with --repository DIR, or the commit "
                            "with --commit REV", store, says);
        out->build = build_of(a, i);
    }
    return a->makers ? OK : err_set(ERR_USAGE, "the baseline has no commit, "
                                    "which a history needs");
}

static const char *key_of(struct adding *a, const char *x, const char *y,
                          const char *z)
{
    return arena_format(a->memory, "%s\t%s\t%s", x, y, z);
}

/* Returns 1 if the history has the cell with the same results, 0 if it lacks
 * the cell, or ERR_USAGE if its results differ. */
static int check_there(struct adding *a, const struct maker *by,
                       const char *cell, const struct baseline_cell *c)
{
    const char *results = baseline_text(c, "results");
    int at = map_get(a->known, key_of(a, by->commit, a->machine, cell), -1);
    const struct history_line *l = at < 0 ? NULL : &a->h->line[at];

    if (!l || !strcmp(l->text, results))
        return l != NULL;
    return err_set(ERR_USAGE, "%s: has different results of %s at commit %.12s "
                   "(%s by build %s; now %s by build %s): use a separate "
                   "history for another build or other settings (--history)",
                   a->h->path, cell, by->commit, l->text, l->build, results,
                   by->build);
}

static int put_cell(struct adding *a, const struct baseline_cell *c)
{
    const char *experiment = baseline_fact(a->from, "experiment");
    const struct maker *by = &a->maker[baseline_build(c)];
    const char *cell = arena_format(a->memory, "%s#%s",
                                    experiment ? experiment : "", c->name);
    int there = check_there(a, by, cell, c);

    if (there)
        return there < 0 ? there : OK;
    for (int i = 0; i < c->n; i++) {
        const struct baseline_value *v = &c->value[i];
        char hex[HASH_HEX], number[32];

        if (!strcmp(v->what, "build") ||
            (!strcmp(v->what, "config") &&
             !map_add(a->known, key_of(a, "", cell, v->text), 0)))
            continue;
        const char *line = arena_format(
            a->memory, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", by->commit,
            by->date, a->machine, by->build, cell, v->what,
            v->text ? v->text : baseline_digits(v->value, 17, number), v->units,
            baseline_better(v->better));
        hash_sha256(line, strlen(line), hex);
        text_format(&a->text, "%s\t%.*s\n", line, DIGITS, hex);
        a->lines++;
    }
    return OK;
}

/* Adds the lines of all cells to the file: either all of them or none. */
static int add_all(struct adding *a)
{
    OWNED(text_free) struct text all = {0};
    OWNED(free) char *old = NULL;
    size_t n = 0;

    PASS(find_makers(a));
    for (int i = 0; i < a->h->n; i++) {
        const struct history_line *l = &a->h->line[i];

        if (!strcmp(l->what, "results"))
            map_add(a->known, key_of(a, l->commit, l->machine, l->cell), i);
        if (!strcmp(l->what, "config"))
            map_add(a->known, key_of(a, "", l->cell, l->text), i);
    }
    for (int i = 0; i < a->from->cells; i++)
        PASS(put_cell(a, &a->from->cell[i]));
    if (!a->lines)
        return OK;
    if (file_exists(a->h->path))
        PASS(file_read(&old, &n, a->h->path));
    else
        text_format(&all, "%s%d\n%s", first, HISTORY_SCHEMA, head);
    text_add(&all, old ? old : "", n);
    text_add(&all, a->text.s, a->text.n);
    return file_output(a->h->path, all.s, all.n);
}

int history_extend(int *added, const char *path, const struct baseline *b,
                const char *repository, const char *commit)
{
    OWNED(history_close) struct history *h = NULL;
    const char *machine = baseline_fact(b, "machine");
    /* A field must not have a tab or a line break. */
    OWNED(free) char *one = text_clean(machine ? machine : "unknown", 1);
    OWNED(free) char *copy = str_copy(path);
    const char *folder = dirname(copy);
    OWNED(map_free) struct map *known = map_new();
    OWNED(close) int lock = -1;
    struct adding a = {.from = b, .given = commit, .known = known};
    int rc;

    *added = 0;
    PASS(file_mkdirs(folder));
    lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0 || flock(lock, LOCK_EX)) /* one process adds at a time */
        return err_errno(ERR_IO, "%s", folder);
    PASS(history_lines(&h, path));
    a.h = h;
    a.memory = h->memory;
    a.repository = repository;
    a.machine = one;
    rc = add_all(&a);
    text_free(&a.text);
    *added = rc == OK ? a.lines : 0;
    return rc;
}
