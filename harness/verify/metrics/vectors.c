#include "harness/verify/metrics/vectors.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/str.h"
#include "harness/verify/metrics/vector_case.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#define THIRD_PARTY "third_party"

/* The table of metrics.  If a row lists no files (OWN), its `check` opens the
 * files that it needs. */
static const struct vectors {
    const char    *folder;
    vectors_check *check;
    const char    *scorer;
    const char    *file[3]; /* hyp, ref, groups, as for case_open */
} known[] = {
#define REFS {"hyp.txt", "ref%d.txt"}
#define LABELS {"pred.txt", "gold.txt"}
#define OWN {NULL}
    {"bleu_sacrebleu", vectors_sacrebleu, "bleu", REFS},
    {"bleu_t2t", vectors_t2t, "bleu_t2t", {"hyp.txt", "ref1.txt"}},
    {"bleu_multibleu", case_runs, "bleu_multibleu", REFS},
    {"bleu_ende_t2t_pipeline", vectors_ende, "bleu_ende_t2t", OWN},
    {"moses_tokenizer", vectors_moses, NULL, OWN},
    {"rouge", vectors_rouge, "rouge", {"hyp.txt", "ref.txt"}},
    {"stem_porter_nltk", vectors_porter, NULL, OWN},
    {"stem_snowball_english", vectors_snowball, NULL, OWN},
    {"nlgeval_overlap", case_whole, "nlgeval", REFS},
    {"meteor", vectors_meteor, "meteor", OWN},
    {"embsim", vectors_embsim, "embsim", REFS},
    {"significance", vectors_significance, NULL, OWN},
    {"glue_cola_mcc", case_values, "mcc", LABELS},
    {"mcc_multiclass", case_values, "mcc", LABELS},
    {"superglue_axb_mcc", case_values, "mcc", LABELS},
    {"glue_accuracy", case_values, "accuracy", LABELS},
    {"superglue_accuracy", case_values, "accuracy", LABELS},
    {"glue_mrpc_acc_f1", case_values, "acc_f1", LABELS},
    {"glue_qqp_acc_f1", case_values, "acc_f1", LABELS},
    {"superglue_cb", case_values, "cb", LABELS},
    {"glue_stsb", vectors_stsb, "stsb", LABELS},
    {"superglue_multirc", case_values, "multirc",
     {"pred.txt", "gold.txt", "groups.txt"}},
    {"superglue_record", case_values, "record", {"pred.tsv", "gold.tsv"}},
    {.folder = NULL},
};

const char *vectors_folder(int i) { return known[i].folder; }

static const struct vectors *find(const char *folder)
{
    for (const struct vectors *v = known; v->folder; v++)
        if (!strcmp(v->folder, folder))
            return v;
    return NULL;
}

/* ---- one case ---- */

static int read_expected(struct vector_case *c)
{
    OWNED(free) char *path = str_format("%s/expected.json", c->path);
    json_error_t why;

    c->expected = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
    return c->expected ? OK
                       : err_set(ERR_DATA, "%s:%d: %s", path, why.line,
                                 why.text);
}

static int check(struct vector_case *c, const struct vectors *v)
{
    PASS(read_expected(c));
    if (v->scorer)
        PASS(scorer_find(&c->scorer, v->scorer));
    if (v->file[0])
        PASS(case_open(c, v->file[0], v->file[1], v->file[2]));
    PASS(v->check(c));
    return c->compared || c->skipped
               ? OK
               : err_set(CASE_MISMATCH, "%s: nothing was compared", c->path);
}

void vectors_run(struct vector_outcome *out, const char *folder,
                 const char *path, const char *data)
{
    const struct vectors *v = find(folder);
    struct vector_case c = {.path = path, .data = data, .tolerance = 1e-9};
    int rc = v ? check(&c, v)
               : err_set(ERR_DATA, "%s: no metric has a folder '%s'", path,
                         folder);

    *out = (struct vector_outcome){
        rc < 0 ? VERDICT_FAIL : c.skipped ? VERDICT_NONE : VERDICT_PASS,
        c.compared,
        rc >= 0 ? c.skipped
                : str_copy(rc == CASE_MISMATCH && c.mismatch ? c.mismatch
                                                             : err_last())};
    if (rc < 0)
        free(c.skipped);
    free(c.mismatch);
    case_close(&c);
    json_decref(c.expected);
}

/* ---- folders ---- */

struct walk { const char *data; vectors_report *report; void *arg; };

static int is_case(const char *path)
{
    OWNED(free) char *file = str_format("%s/expected.json", path);

    return file_exists(file);
}

static void walk_case(const struct walk *w, const char *metric,
                      const char *path)
{
    struct vector_outcome o;
    OWNED(free) char *copy = str_copy(path);
    const char *own = basename(copy);
    OWNED(free) char *name = strcmp(own, metric)
                                 ? str_format("%s/%s", metric, own)
                                 : str_copy(metric);

    vectors_run(&o, metric, path, w->data);
    w->report(w->arg, metric, name, &o);
    free(o.message);
}

/* Visits the folders in `path` in the order of their names: cases of a metric,
 * or, if metric is NULL, folders of metrics. */
static int walk_each(const struct walk *w, const char *metric,
                     const char *path)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    const char **name;

    if (folder_names(&name, path, memory))
        return err_errno(ERR_DATA, "%s", path);
    for (; *name; name++) {
        const char *inner = arena_format(memory, "%s/%s", path, *name);

        if (!file_is_folder(inner) || (!metric && !strcmp(*name, THIRD_PARTY)))
            continue;
        if (is_case(inner) || (!metric && !find(*name)))
            walk_case(w, metric ? metric : *name, inner);
        else if (!metric)
            PASS(walk_each(w, *name, inner));
    }
    return OK;
}

/* Returns `said` unless it is NULL, else the folder third_party of the set if
 * it exists, else $SYNTHBENCH_METRIC_DATA, or NULL if this is not set.  The
 * caller frees the text. */
static char *find_data(const char *said, const char *path)
{
    static const char *const up[] = {"", "/..", "/../.."};
    const char *environment = getenv("SYNTHBENCH_METRIC_DATA");

    if (said)
        return str_copy(said);
    for (int i = 0; i < 3; i++) {
        char *p = str_format("%s%s/" THIRD_PARTY, path, up[i]);

        if (file_exists(p))
            return p;
        free(p);
    }
    return environment && *environment ? str_copy(environment) : NULL;
}

int vectors_verify(const char *path, const char *said, vectors_report *report,
                   void *arg)
{
    OWNED(free) char *whole = realpath(path, NULL);

    if (!whole)
        return err_errno(ERR_DATA, "%s: no reference vectors; specify their "
                         "folder with --vectors DIR", path);
    OWNED(free) char *data = find_data(said, path);
    OWNED(free) char *last = str_copy(whole), *above = str_copy(whole);
    struct walk w = {data, report, arg};
    const char *own = basename(last);
    if (!is_case(whole))
        return find(own) ? walk_each(&w, own, whole)
                         : walk_each(&w, NULL, path);
    walk_case(&w, find(own) ? own : basename(dirname(above)), whole);
    return OK;
}
