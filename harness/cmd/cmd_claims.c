/* claims: judges claims about synthesizers. */
#include "harness/cmd/command.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/claims/claims.h"
#include "harness/print/sheet.h"
#include "harness/report/report.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

struct given {
    struct arguments store;
    const char      *file, *from, *kind, *speed, *format, *output;
    int              all;
};

static const struct opt options[] = {
    {"--store", 0, "DIR", opt_texts, OPT_AT(store),
     .doc = "Results folder for claims about trained models. A claim uses it "
            "if it holds an experiment that the claim names, with the rows of "
            "the claim (default: results/EXPERIMENT of each of these)"},
    {"--kind", 0, "KIND", opt_text, OPT_AT(kind),
     .doc = "Only claims of this kind: computed, published, trained, timed, "
            "untestable"},
    {"--speed", 0, "FILE.json", opt_file, OPT_AT(speed),
     .doc = "Times for claims about steps per second: a file written by "
            "`table 4 --columns speed --json -o FILE.json`"},
    {"--file", 0, "FILE.yaml", opt_file, OPT_AT(file),
     .doc = "File of claims (default: experiments/claims.yaml)"},
    {"--from", 0, "FILE.json", opt_text, OPT_AT(from),
     .doc = "Print the verdicts in FILE, which --format json wrote, without "
            "the stores"},
    {"--all", 0, NULL, opt_flag, OPT_AT(all),
     .doc = "Print the numbers of every claim; without it, more than 25 "
            "claims are listed by verdict"},
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.group = opts_output, .at = OPT_AT(output)},
    {.name = NULL}};

/* ---- selection of claims ---- */

static int want(struct claims *c, const struct given *g,
                const struct arguments *args)
{
    int kind = g->kind ? names_find("kind", g->kind, claim_kinds) : 0, n = 0;

    PASS(kind);
    for (int i = 0; i < c->n; i++)
        c->claim[i].wanted = !args->n;
    for (int i = 0; i < args->n; i++) {
        struct claim *one;

        PASS(claims_find(&one, c, args->of[i]));
        one->wanted = 1;
    }
    for (int i = 0; i < c->n; i++) {
        c->claim[i].wanted &= !g->kind || (int)c->claim[i].kind == kind;
        n += c->claim[i].wanted;
    }
    return n ? OK : err_set(ERR_EMPTY, "%s: no claim of kind %s",
                            c->path, g->kind);
}

/* ---- stores ---- */

struct stores {
    int                   n;
    size_t                room;
    const struct report **report;
};

static void stores_close(struct stores *s)
{
    for (int i = 0; i < s->n; i++)
        report_close((struct report *)s->report[i]);
    free(s->report);
}
OWNER_OF_VALUE(stores_close, struct stores)

static int open_store(struct stores *s, const char *store)
{
    struct report *r;

    PASS(report_open(&r, store));
    ARRAY_ROOM(s->report, s->n, s->room);
    s->report[s->n++] = r;
    return OK;
}

/* Opens results/EXPERIMENT if it holds an experiment and is not open yet. */
static int open_usual(struct stores *s, const char *experiment)
{
    OWNED(free) char *store = str_format("results/%s", experiment);
    OWNED(free) char *frozen = str_format("%s/experiment.json", store);

    for (int i = 0; i < s->n; i++)
        if (!strcmp(s->report[i]->store, store))
            return OK;
    return file_exists(frozen) ? open_store(s, store) : OK;
}

static int open_stores(struct stores *s, const struct claims *c,
                       const struct given *g)
{
    for (int i = 0; i < g->store.n; i++)
        PASS(open_store(s, g->store.of[i]));
    for (int i = 0; !g->store.n && i < c->n; i++)
        for (int k = 0; k < c->claim[i].cases; k++)
            for (const char *const *e = c->claim[i].of[k].rows.experiment;
                 e && *e; e++)
                PASS(open_usual(s, *e));
    return OK;
}

static int judge(struct claims *c, struct stores *s, const struct given *g)
{
    PASS(open_stores(s, c, g));
    return claims_judge(c, &(struct claims_by){s->report, s->n, g->speed});
}

static int run_claims(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(claims_close) struct claims *c = NULL;
    OWNED(stores_close) struct stores s = {0};
    OWNED(sheet_close) struct sheet *sheet = NULL;
    enum claims_detail detail = args->n ? CLAIMS_EXPLAIN
                                : g->all || strcmp(g->format, "text")
                                    ? CLAIMS_ALL : CLAIMS_BRIEF;
    int damage = OK;

    if (g->from && (g->file || g->store.n || g->speed))
        return err_set(ERR_USAGE, "--from prints verdicts of a file; it cannot "
                                  "be combined with --file, --store or "
                                  "--speed");
    PASS(g->from ? claims_load(&c, g->from) : claims_read(&c, g->file));
    PASS(want(c, g, args));
    PASS(g->from ? OK : judge(c, &s, g));
    sheet = claims_sheet(c, detail);
    PASS(sheet_print(sheet, g->format, g->output));
    for (int i = 0; i < s.n; i++)
        damage = s.report[i]->damaged ? report_damage(s.report[i]) : damage;
    return damage;
}

const struct command command_claims = {
    .name = "claims",
    .summary = "Judge claims about Synthesizers",
    .args = "[CLAIM...]",
    .doc = "Checks every claim of experiments/claims.yaml by computation, "
           "by arithmetic over the published numbers, or with stored "
           "results. With CLAIM, prints its source, its reasoning and every "
           "number behind the verdict. A claim that fails is a result: the "
           "exit code is 0.",
    .formats = format_names,
    COMMAND_RUNS(run_claims, 0, INT_MAX)};
