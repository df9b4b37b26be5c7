/*
 * history bisect: which commit moved a value?  `git bisect run` asks `history
 * probe` at each commit, in a worktree of its own; the first one with another
 * value than the good commit's is named.
 */
#include "harness/cmd/history_verbs.h"

#include "harness/base/child.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/history/worktree.h"
#include "harness/print/sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNDECIDED = 4, BAD = 1, SKIP = 125 }; /* exit codes; git's */

/* ---- the value of a cell at what is checked out ---- */

struct asked { const char *cell, *metric, *experiment; };

/* Trains the cell with the commit's own program, into a store of its own. */
static int train(struct worktree *w, const struct asked *a, const char *store)
{
    const char *hash = strchr(a->cell, '#');
    const char *bare = hash ? hash + 1 : a->cell;
    char variant[128], task[128], scale[128], seed[32];
    OWNED(free) char *filter = NULL;

    if (sscanf(bare, "%127[^/]/%127[^/]/%127[^/]/%31[0-9]", variant, task,
               scale, seed) != 4)
        return err_set(ERR_USAGE, "'%s': expected a cell: "
                                  "variant/task/scale/seed",
                       a->cell);
    filter = str_format("variant == %s && task == %s && scale == %s && "
                        "seed == %s", variant, task, scale, seed);
    const char *const argv[] = {w->program, "run", a->experiment, "--store",
                                store, "-j", "1", "-E", filter, NULL};
    int rc = child_work(NULL, w->log, argv);

    return rc > 0 ? err_wrap(ERR_EMPTY, "commit %.12s does not train %s",
                             w->commit, a->cell)
                  : rc;
}

static int read_value(char **out, const struct worktree *w,
                      const struct asked *a, const char *store)
{
    OWNED(baseline_close) struct baseline *b = NULL;
    char digits[32];

    PASS(baseline_measure(&b, "probe", store, 0, NULL));
    for (int i = 0; b->cells == 1 && i < b->cell->n; i++) {
        const struct baseline_value *v = &b->cell->value[i];

        if (!history_is_metric(v->what, a->metric))
            continue;
        *out = str_copy(v->text           ? v->text
                        : isnan(v->value) ? "nan"
                                          : baseline_digits(v->value, 17,
                                                            digits));
        return OK;
    }
    return err_set(ERR_EMPTY, "commit %.12s gives no %s of %s", w->commit,
                   a->metric, a->cell);
}

/* All of its digits; the caller frees.  ERR_EMPTY: it does not build, or does
 * not train the cell. */
static int value_at(char **out, struct worktree *w, const struct asked *a)
{
    OWNED(folder_unmake) char *folder = NULL;
    OWNED(free) char *store = NULL;

    *out = NULL;
    PASS(worktree_build(w));
    PASS(folder_make(&folder, "probe"));
    store = str_format("%s/store", folder);
    int rc = train(w, a, store);
    return rc == OK ? read_value(out, w, a, store) : rc;
}

/* Times and memory are other ones each time. */
static int check_metric(const char *metric)
{
    if (!baseline_is_cost(metric))
        return OK;
    return err_set(ERR_USAGE, "%s varies from run to run, so one run cannot "
                              "classify a commit; `gate --against-commit` "
                              "compares two builds", metric);
}

/* ---- probe ---- */

struct probe_given { const char *experiment, *value; };

#define PROBE_AT(field) offsetof(struct probe_given, field)

static const struct opt probe_options[] = {
    {"--experiment", 0, "FILE", opt_text, PROBE_AT(experiment),
     .doc = "Experiment of the cell"},
    {"--value", 0, "TEXT", opt_text, PROBE_AT(value),
     .doc = "Value of a good commit, with all digits (default: print the "
            "value)"},
    {.name = NULL}};

static int probe(const void *given, const struct arguments *args)
{
    const struct probe_given *g = given;
    const struct asked a = {args->of[0], args->of[1], g->experiment};
    OWNED(worktree_close) struct worktree w = {0};
    OWNED(free) char *value = NULL;

    PASS(check_metric(a.metric));
    if (!g->experiment)
        return err_set(ERR_USAGE, "history probe: specify --experiment FILE");
    PASS(worktree_here(&w));
    int rc = value_at(&value, &w, &a);
    if (rc == ERR_EMPTY) {
        say("%s: skipped", err_last());
        return SKIP;
    }
    PASS(rc);
    say("commit %.12s: %s %s", w.commit, a.metric, value);
    if (!g->value)
        puts(value);
    return g->value && strcmp(value, g->value) ? BAD : OK;
}

const struct command history_probe = {
    .name = "probe",
    .summary = "Print a value of a cell at the checked-out commit",
    .args = "CELL METRIC --experiment FILE [--value TEXT]",
    .doc = "For `git bisect run`: builds the checked-out commit and trains "
           "the cell. Exit code 1: the value differs from --value; 125: the "
           "commit does not build, or does not train the cell.",
    .options = probe_options, .bytes = sizeof(struct probe_given),
    .least = 2, .most = 2, .run = probe};

/* ---- bisect: between what ---- */

struct given {
    struct history_which of;
    const char          *good, *bad, *experiment, *format;
};

static const struct opt options[] = {
    {.group = opts_machine, .at = OPT_AT(of)},
    {"--good", 0, "REV", opt_text, OPT_AT(good),
     .doc = "Commit before the change (default: the last one measured "
            "before the most recent change)"},
    {"--bad", 0, "REV", opt_text, OPT_AT(bad),
     .doc = "Commit after the change (default: the one in the history)"},
    {"--experiment", 0, "FILE", opt_file, OPT_AT(experiment),
     .doc = "Experiment of the cell (default: the configuration recorded in "
            "the history)"},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

struct hunt {
    const struct given *g;
    struct asked        asked;
    struct worktree     tree;
    struct arena       *memory;
    const char         *good, *bad;   /* as named                       */
    const char         *config;       /* JSON, or NULL                  */
    char               *good_commit, *good_value, *bad_value;
    int                 between;
};

static void hunt_close(struct hunt *h)
{
    worktree_close(&h->tree);
    arena_free(h->memory);
    free(h->good_commit);
    free(h->good_value);
    free(h->bad_value);
}
OWNER_OF_VALUE(hunt_close, struct hunt)

/* The series that changed last. */
static const struct history_series *changed_last(const struct history *h)
{
    const struct history_series *best = NULL;
    int last = -1;

    for (int i = 0; i < h->series; i++) {
        const struct history_series *s = &h->of[i];
        int at = s->changes ? s->point[s->change[s->changes - 1].at].commit
                            : -1;

        if (s->n && (!best || at > last)) {
            best = s;
            last = at;
        }
    }
    return best;
}

static int check_one(const struct history *h, const char *cell)
{
    const char *one = NULL;

    for (int i = 0; i < h->series; i++) {
        const struct history_series *s = &h->of[i];

        if (s->n && one && strcmp(one, s->cell))
            return err_set(ERR_USAGE, "'%s' matches several cells: %s, %s; "
                                      "specify one",
                           cell, one, s->cell);
        one = s->n ? s->cell : one;
    }
    return OK;
}

static int resolve_good(struct hunt *b)
{
    OWNED(free) char *top = NULL;

    PASS(worktree_top(&top, b->g->of.repository));
    return worktree_commit(&b->good_commit, top, b->good);
}

/* Between which commits, and of which configuration. */
static int ask_history(struct hunt *b)
{
    OWNED(history_close) struct history *h = NULL;
    const struct history_series *s;
    const struct history_change *c;

    PASS(history_select(&h, &b->g->of, b->asked.cell, b->asked.metric));
    PASS(check_one(h, b->asked.cell));
    s = changed_last(h);
    c = s->changes ? &s->change[s->changes - 1] : NULL;
    if (!c && (!b->good || !b->bad))
        return err_set(ERR_EMPTY, "%s: %s of %s never changed; specify two "
                                  "commits with --good and --bad",
                                  h->path, s->what, s->cell);
    const char *good = h->commit[s->point[c ? c->at - 1 : 0].commit].commit;
    const char *bad = h->commit[s->point[c ? c->at : s->n - 1].commit].commit;
    b->good = b->good ? b->good : arena_text(b->memory, good);
    b->bad = b->bad ? b->bad : arena_text(b->memory, bad);
    PASS(resolve_good(b));
    const char *config = history_config(h, s->cell, b->good_commit);
    if (!config) /* it was not measured there */
        config = history_config(h, s->cell,
                                h->commit[s->point[0].commit].commit);
    b->asked.cell = arena_text(b->memory, s->cell);
    b->asked.metric = arena_text(b->memory, s->what);
    b->config = config ? arena_text(b->memory, config) : NULL;
    return OK;
}

/* ---- bisect: the experiment ---- */

/* An experiment of one cell; JSON is YAML. */
static int write_experiment(const char *path, const char *config)
{
    OWNED(json_decref) json_t *all = json_loads(config, 0, NULL);
    OWNED(text_free) struct text t = {0};
    static const char *const axis[][2] = {{"variants", "variant"},
                                          {"tasks", "task"},
                                          {"scales", "scale"},
                                          {"seeds", "seed"}};

    if (!json_is_object(all))
        return err_set(ERR_STORE, "the history's configuration is invalid: "
                                  "%s",
                       config);
    if (json_object_get(all, "pretrained"))
        return err_set(ERR_USAGE, "the cell starts from the weights of "
                                  "another cell: specify the --experiment "
                                  "with both");
    text_put(&t, "title: One cell of a history\n");
    for (size_t i = 0; i < 4; i++) {
        OWNED(free) char *value = json_dumps(json_object_get(all, axis[i][1]),
                                             JSON_ENCODE_ANY);

        text_format(&t, "%s: [%s]\n", axis[i][0], value);
        json_object_del(all, axis[i][1]);
    }
    OWNED(free) char *rest = json_dumps(all, JSON_SORT_KEYS);
    text_format(&t, "settings: %s\n", rest);
    return file_write(path, t.s, t.n);
}

static int find_experiment(struct hunt *b)
{
    const char *given = b->g->experiment;
    OWNED(free) char *full = given ? realpath(given, NULL)
                                   : str_format("%s/cell.yaml", b->tree.own);

    if (!full)
        return err_errno(ERR_IO, "%s", given);
    b->asked.experiment = arena_text(b->memory, full);
    if (given)
        return OK;
    if (!b->config)
        return err_set(ERR_USAGE, "the history has no configuration of %s: "
                                  "specify --experiment", b->asked.cell);
    return write_experiment(full, b->config);
}

/* ---- bisect: the hunt ---- */

/* Its exit status, or what ended it; git_does: or that it is not 0. */
#define GIT(b, out, ...)                                                      \
    child_work(out, (b)->tree.log,                                            \
               (const char *const[]){"git", "-c", "core.hooksPath=/dev/null", \
                                     "-C", (b)->tree.folder, __VA_ARGS__,     \
                                     NULL})

static int git_does(int status) { return status > 0 ? ERR_IO : status; }

static int check_way(struct hunt *b)
{
    OWNED(free) char *range = str_format("%s..%s", b->good_commit,
                                         b->tree.commit);
    OWNED(free) char *count = NULL;
    int rc = GIT(b, NULL, "merge-base", "--is-ancestor", b->good_commit,
                 b->tree.commit);

    if (rc == 1)
        return err_set(ERR_USAGE, "commit %.12s is not an ancestor of "
                                  "%.12s; the good commit must be one",
                       b->good_commit, b->tree.commit);
    PASS(git_does(rc));
    PASS(git_does(GIT(b, &count, "rev-list", "--count", range)));
    b->between = atoi(count);
    return b->between ? OK
                      : err_set(ERR_USAGE, "commit %.12s is both good and bad",
                                b->good_commit);
}

/* Of the two ends, now and here: another machine may give other bits. */
static int measure_ends(struct hunt *b)
{
    OWNED(free) char *bad = str_copy(b->tree.commit);

    PASS(value_at(&b->bad_value, &b->tree, &b->asked));
    PASS(worktree_move(&b->tree, b->good_commit));
    PASS(value_at(&b->good_value, &b->tree, &b->asked));
    PASS(worktree_move(&b->tree, bad));
    if (strcmp(b->good_value, b->bad_value))
        return OK;
    say("%s of %s is %s at both %.12s and %.12s, trained here with %s: the "
        "change is of the settings, the data or the machine", b->asked.metric,
        b->asked.cell, b->good_value, b->good_commit, bad,
        b->g->experiment ? b->g->experiment
                         : "the configuration of the good commit");
    return UNDECIDED;
}

/* The status of `git bisect run`. */
static int run_bisect(struct hunt *b)
{
    OWNED(free) char *self = realpath("/proc/self/exe", NULL);

    if (!self)
        return err_errno(ERR_IO, "/proc/self/exe");
    PASS(git_does(GIT(b, NULL, "bisect", "start", b->tree.commit,
                      b->good_commit)));
    return GIT(b, NULL, "bisect", "run", self, "history", "probe",
               b->asked.cell, b->asked.metric, "--experiment",
               b->asked.experiment, "--value", b->good_value);
}

/* ---- bisect: the answer ---- */

/* "HASH DATE AUTHOR SUBJECT" a line, tabs between them. */
#define FORM "--format=%H%x09%cs%x09%an%x09%s"

static void put_commits(struct sheet *s, char *lines, json_t *rows)
{
    struct grid *g = sheet_listing(s, "<<<<", NULL);

    for (char *line; (line = strsep(&lines, "\n"));) {
        char *field[4] = {NULL};

        for (int i = 0; i < 4 && line && *line; i++)
            field[i] = i < 3 ? strsep(&line, "\t") : line;
        if (!field[3])
            continue;
        for (int i = 0; i < 4; i++)
            grid_add(g, "%s", field[i]);
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s}", "commit",
                                              field[0], "date", field[1],
                                              "author", field[2], "subject",
                                              field[3]));
    }
}

/* first: it is one; else every commit that may be it. */
static int tell(struct hunt *b, int first)
{
    OWNED(sheet_close) struct sheet *s = sheet_new();
    OWNED(free) char *found = NULL, *skipped = NULL;
    json_t *rows = json_array();
    int rc = first ? GIT(b, &found, "show", "-s", FORM, "refs/bisect/bad")
                   : GIT(b, &found, "log", FORM, "refs/bisect/bad", "--not",
                         "--glob=refs/bisect/good-*");

    s->object = json_pack("{s:b, s:o, s:s, s:s, s:s, s:s, s:s}", "found", first,
                          "commits", rows, "cell", b->asked.cell, "what",
                          b->asked.metric, "good", b->good_commit, "good_value",
                          b->good_value, "bad_value", b->bad_value);
    PASS(git_does(rc));
    PASS(git_does(GIT(b, &skipped, "for-each-ref", "refs/bisect/skip-*")));
    sheet_put(s, PART_LINE, first ? "The first bad commit:"
                                  : "The first bad commit is one of:");
    put_commits(s, found, rows);
    sheet_put(s, PART_PARAGRAPH, "%s of %s: %s at %.12s, %s at %.12s",
              b->asked.metric, b->asked.cell, b->good_value, b->good_commit,
              b->bad_value, b->bad);
    int n = 0;
    for (const char *line = skipped; (line = strchr(line, '\n')); line++)
        n++;
    if (n)
        sheet_put(s, PART_PARAGRAPH, "Skipped because they do not build or "
                                     "do not train the cell: %d of %d "
                                     "commits", n, b->between);
    json_object_set_new(s->object, "skipped", json_integer(n));
    json_object_set_new(s->object, "between", json_integer(b->between));
    PASS(sheet_print(s, b->g->format, NULL));
    return first ? OK : UNDECIDED;
}

static int hunt(struct hunt *b)
{
    PASS(check_way(b));
    PASS(find_experiment(b));
    say("%d commit%s; progress is in %s", b->between,
        b->between == 1 ? "" : "s", b->tree.log);
    int rc = measure_ends(b);
    if (rc)
        return rc;
    rc = run_bisect(b);
    if (rc == 0)
        return tell(b, 1);
    if (rc == 2) /* nothing but skipped ones are left */
        return tell(b, 0);
    b->tree.failed = rc > 0;
    return git_does(rc);
}

static int bisect(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(hunt_close) struct hunt b = {
        .g = g, .asked = {args->of[0], args->of[1], NULL},
        .memory = arena_new(), .good = g->good, .bad = g->bad};

    PASS(check_metric(args->of[1]));
    if (!g->good || !g->bad || !g->experiment || file_exists(g->of.file))
        PASS(ask_history(&b));
    else
        PASS(resolve_good(&b));
    PASS(worktree_open(&b.tree, g->of.repository, b.bad, NULL));
    return hunt(&b);
}

const struct command history_bisect = {
    .name = "bisect",
    .summary = "Find the commit that changed a value, with `git bisect run`",
    .args = "CELL METRIC [--good REV --bad REV]",
    .doc = "In a temporary worktree, builds each commit that git selects, "
           "trains the cell, and compares METRIC (ce, weights, results) bit "
           "by bit with the good commit's. Commits that do not build are "
           "skipped. Exit code 4: several commits remain; they are listed.",
    .formats = command_text_json,
    .options = options, .bytes = sizeof(struct given),
    .least = 2, .most = 2, .run = bisect};
