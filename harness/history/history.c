#include "harness/history/history.h"

#include "harness/base/child.h"
#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/map.h"
#include "harness/stats/change_point.h"
#include "harness/stats/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- order of the commits ---- */

struct placed { struct history_commit c; int place; const char *key; };

static int by_place(const void *x, const void *y)
{
    const struct placed *a = x, *b = y;

    return (a->place > b->place) - (a->place < b->place);
}

static int by_key(const void *x, const void *y)
{
    const struct placed *a = x, *b = y;
    int order = strcmp(a->key, b->key);

    if (!order && a->c.known && b->c.known)
        return by_place(x, y);
    if (!order)
        order = b->c.known - a->c.known;
    return order ? order : strcmp(a->c.commit, b->c.commit);
}

/* Sorts the commits.  Commits that git knows stay in git's order: the sort key
 * of each is the latest date up to this commit.  All others are placed among
 * them by their own dates. */
static void sort_commits(struct placed *p, int n)
{
    const char *youngest = "";

    qsort(p, (size_t)n, sizeof *p, by_place);
    for (int i = 0; i < n; i++) {
        p[i].key = p[i].c.date;
        if (p[i].c.known && strcmp(p[i].key, youngest) < 0)
            p[i].key = youngest;
        if (p[i].c.known)
            youngest = p[i].key;
    }
    qsort(p, (size_t)n, sizeof *p, by_key);
}

/* Sets h->commit.  `numbers` receives the index of each commit in h->commit. */
static int order_commits(struct history *h, struct map *numbers,
                         const char *repository)
{
    const char *const argv[] = {
        "git", "-C", repository ? repository : ".", "rev-list", "--topo-order",
        "--reverse", "HEAD", NULL};
    /* the place of HEAD and each of its ancestors in topological order */
    OWNED(map_free) struct map *known = map_of_copies();
    OWNED(map_free) struct map *seen = map_new();
    OWNED(free) struct placed *p = calloc((size_t)h->n + 1, sizeof *p);
    OWNED(free) char *said = NULL;
    int n = 0, rc = child_output(&said, argv);

    for (char *line, *next = rc ? NULL : said; (line = strsep(&next, "\n"));)
        if (*line)
            map_add(known, line, n++);
    n = 0;
    for (int i = 0; i < h->n; i++) {
        const struct history_line *l = &h->line[i];
        int place = map_get(known, l->commit, -1);

        if (map_add(seen, l->commit, 0))
            p[n++] = (struct placed){{l->commit, l->date, place >= 0}, place,
                                     NULL};
    }
    sort_commits(p, n);
    h->commit = arena_zero(h->memory, ((size_t)n + 1) * sizeof *h->commit);
    for (int i = 0; i < n; i++) {
        h->commit[i] = p[i].c;
        map_add(numbers, p[i].c.commit, i);
    }
    h->commits = n;
    return OK;
}

/* ---- commits ---- */

int history_commit(const char **commit, const char **date,
                   const char *repository, const char *revision,
                   struct arena *a)
{
    const char *const argv[] = {
        "git", "-C", repository ? repository : ".", "show", "-s",
        "--no-show-signature", "--format=%H %ct", "--end-of-options",
        arena_format(a, "%s^{commit}", revision), NULL};
    OWNED(free) char *said = NULL;
    char digits[COMMIT_DIGITS + 1] = "", iso[32];
    long long seconds = 0;
    struct tm t;
    int rc;

    if (!*revision)
        return err_set(ERR_USAGE, "'' is not a commit");
    PASS(rc = child_output(&said, argv));
    if (rc)
        return err_wrap(ERR_USAGE, "'%s' is not a commit of the git repository "
                        "in '%s'", revision, argv[2]);
    if (sscanf(said, "%40s %lld", digits, &seconds) != 2)
        return err_set(ERR_USAGE, "'%s': git does not print its commit and "
                       "date", revision);
    gmtime_r(&(time_t){seconds}, &t);
    strftime(iso, sizeof iso, "%Y-%m-%dT%H:%M:%SZ", &t);
    *commit = arena_text(a, digits);
    *date = arena_text(a, iso);
    return OK;
}

/* ---- series ---- */

struct filed { const struct history_line *l; int commit; };

static int by_series(const struct filed *a, const struct filed *b)
{
    int order = strcmp(a->l->cell, b->l->cell);

    order = order ? order : strcmp(a->l->what, b->l->what);
    return order ? order : strcmp(a->l->machine, b->l->machine);
}

static int by_all(const void *x, const void *y)
{
    const struct filed *a = x, *b = y;
    int order = by_series(a, b);

    order = order ? order : a->commit - b->commit;
    order = order ? order : strcmp(a->l->build, b->l->build);
    return order ? order : strcmp(a->l->text, b->l->text);
}

/* Adds the point of the `n` lines `f` of one commit.  The lines may be of
 * several runs. */
static void add_point(struct history_series *s, const struct filed *f, int n)
{
    struct history_point *p = &s->point[s->n++];
    OWNED(free) double *x = malloc((size_t)n * sizeof *x);
    int values = 0;

    *p = (struct history_point){
        f->commit, f->l->text, isnan(f->l->value) ? f->l->text : NULL,
        f->l->value, f->l->build, 0};
    for (int i = 0; i < n; i++) {
        p->several |= !s->cost && strcmp(f[i].l->text, f->l->text);
        if (isfinite(f[i].l->value) &&
            (i == 0 || strcmp(f[i].l->text, f[i - 1].l->text)))
            x[values++] = f[i].l->value;
    }
    if (s->cost && values)
        p->value = stats_quantile(x, (size_t)values, 0.5);
}

static void add_series(struct history *h, const struct filed *f, int n)
{
    struct history_series *s = &h->of[h->series++];
    const struct history_line *l = f->l;

    *s = (struct history_series){
        .cell = l->cell, .what = l->what, .machine = l->machine,
        .units = l->units, .better = l->better,
        .cost = baseline_is_cost(l->what),
        .point = arena_zero(h->memory, (size_t)n * sizeof *s->point)};
    for (int i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && f[k].commit == f[i].commit; k++)
            ;
        add_point(s, f + i, k - i);
    }
}

static void make_series(struct history *h, const struct map *numbers)
{
    OWNED(free) struct filed *f = calloc((size_t)h->n + 1, sizeof *f);
    int n = 0;

    for (int i = 0; i < h->n; i++)
        if (strcmp(h->line[i].what, "config"))
            f[n++] = (struct filed){
                &h->line[i], map_get(numbers, h->line[i].commit, 0)};
    if (n)
        qsort(f, (size_t)n, sizeof *f, by_all);
    h->of = arena_zero(h->memory, ((size_t)n + 1) * sizeof *h->of);
    for (int i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && !by_series(&f[k], &f[i]); k++)
            ;
        add_series(h, f + i, k - i);
    }
}

int history_open(struct history **out, const char *path,
                 const char *repository)
{
    OWNED(history_close) struct history *h = NULL;
    OWNED(map_free) struct map *numbers = map_new();

    *out = NULL;
    PASS(history_lines(&h, path));
    if (!h->n)
        return err_set(ERR_EMPTY, "%s: no history; `synthbench history add "
                       "--store STORE` starts one", path);
    PASS(order_commits(h, numbers, repository));
    make_series(h, numbers);
    return MOVE_OUT(out, h);
}

/* ---- changes ---- */

void history_changes(struct history *h, struct history_series *s)
{
    OWNED(free) double *x = malloc(((size_t)s->n + 1) * sizeof *x);
    OWNED(free) int *at = malloc(((size_t)s->n + 1) * sizeof *at);
    OWNED(free) struct change_point *c = calloc((size_t)s->n + 1, sizeof *c);
    size_t n = 0;

    s->changes = 0;
    s->change = arena_zero(h->memory, ((size_t)s->n + 1) * sizeof *s->change);
    for (int i = 0; i < s->n; i++) {
        const struct history_point *b = &s->point[i], *a = i ? b - 1 : b;

        if (!s->cost && strcmp(a->text, b->text))
            s->change[s->changes++] = (struct history_change){
                i, a->word, b->word, a->value, b->value, 0};
        if (s->cost && isfinite(b->value)) {
            at[n] = i;
            x[n++] = b->value;
        }
    }
    if (!s->cost)
        return;
    /* The name of the series seeds the test, so that it is reproducible. */
    s->changes = (int)change_points(c, x, n, CHANGE_LEVEL,
                                    hash_name(s->cell) ^ hash_name(s->what));
    for (int i = 0; i < s->changes; i++)
        s->change[i] = (struct history_change){
            at[c[i].at], NULL, NULL, c[i].before, c[i].after, c[i].p};
}

/* ---- names ---- */

/* Returns 1 if `name` is the cell without its scale: "random/lm1b/1" for
 * "random/lm1b/smoke/1". */
static int is_short(const char *cell, const char *name)
{
    const char *scale = strchr(cell, '/'), *seed = strrchr(cell, '/');

    scale = scale ? strchr(scale + 1, '/') : NULL;
    return scale && scale != seed &&
           !strncmp(cell, name, (size_t)(scale - cell)) &&
           !strcmp(name + (scale - cell), seed);
}

int history_is(const char *cell, const char *name)
{
    const char *bare = strchr(cell, '#');

    bare = bare && !strchr(name, '#') ? bare + 1 : cell;
    return !strcmp(bare, name) || is_short(bare, name);
}
