#include "tests/support/distinct.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/store.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/scratch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CE(task) {task, "ce", "nats/token", -1}
#define SHARE(task, metric) {task, metric, "%", 1}
#define GLUE(metric) SHARE("glue", metric)
#define SUPER(metric) SHARE("superglue", metric)

const struct distinct_metric distinct_metrics[] = {
    CE("wmt14_ende"), SHARE("wmt14_ende", "token_accuracy"),
    SHARE("wmt14_ende", "bleu"), CE("wmt14_enfr"),
    SHARE("wmt14_enfr", "token_accuracy"), SHARE("wmt14_enfr", "bleu"),
    CE("lm1b"), {"lm1b", "ppl_word", "1", -1}, {"lm1b", "ppl", "1", -1},
    CE("cnndm"), SHARE("cnndm", "rouge1"), SHARE("cnndm", "rouge2"),
    SHARE("cnndm", "rouge_lsum"), CE("personachat"),
    SHARE("personachat", "nlg_bleu1"), SHARE("personachat", "nlg_bleu4"),
    SHARE("personachat", "nlg_rouge_l"), SHARE("personachat", "meteor"),
    SHARE("personachat", "nlg_cider"), CE("c4"), SHARE("c4", "token_accuracy"),
    CE("glue"), GLUE("glue8"), GLUE("glue9"), GLUE("cola_mcc"),
    GLUE("sst2_accuracy"), GLUE("mrpc_f1"), GLUE("mrpc_accuracy"),
    GLUE("stsb_pearson"), GLUE("stsb_spearman"), GLUE("qqp_accuracy"),
    GLUE("qqp_f1"), GLUE("mnli_accuracy_matched"),
    GLUE("mnli_accuracy_mismatched"), GLUE("qnli_accuracy"),
    GLUE("rte_accuracy"), GLUE("wnli_accuracy"), CE("superglue"),
    SUPER("superglue"), SUPER("boolq_accuracy"), SUPER("cb_f1"),
    SUPER("cb_accuracy"), SUPER("copa_accuracy"), SUPER("multirc_f1_a"),
    SUPER("multirc_exact_match"), SUPER("record_f1"),
    SUPER("record_exact_match"), SUPER("rte_accuracy"), SUPER("wic_accuracy"),
    SUPER("wsc_accuracy"), CE("agnews"), SHARE("agnews", "accuracy"),
    CE("imdb"), SHARE("imdb", "accuracy"), {0}};

const char *const distinct_tasks[] = {
    "wmt14_ende", "wmt14_enfr", "lm1b", "agnews", "cnndm", "personachat", "c4",
    "glue", "superglue", "imdb", NULL};

const char *const distinct_rows[] = {"vanilla", "uniform", NULL};

/* ---- indices ---- */

int distinct_metric_of(const char *task, const char *metric)
{
    for (int i = 0; distinct_metrics[i].name; i++)
        if (!strcmp(distinct_metrics[i].task, task) &&
            !strcmp(distinct_metrics[i].name, metric))
            return i;
    return -1;
}

static int place(const char *const *list, const char *name)
{
    for (int i = 0; list[i]; i++)
        if (!strcmp(list[i], name))
            return i;
    return -1;
}

int distinct_task_of(const char *task) { return place(distinct_tasks, task); }
int distinct_row_of(const char *name) { return place(distinct_rows, name); }

/* ---- numbers ---- */

double distinct_value(int i, int r, double k)
{
    double spread = 0.02 + 0.0005 * i + 0.0002 * r;

    return 2 + 0.3 * i + 0.13 * r + spread * (k - 3.5);
}

double distinct_params(int t, int r)
{
    return 1e6 * (11 + 3.1 * t) + 7e5 * r;
}

double distinct_flops(int t, int r) { return 3e7 * (1 + t) + 2e8 * r; }

double distinct_speed(int t, int r, int k)
{
    return 2 + t + 0.3 * r + 0.01 * k;
}

double distinct_train(int t, int r, double k, int i)
{
    return 6 + 0.1 * t + 0.5 * r + 0.02 * k - 6e-4 * i * i;
}

double distinct_valid(int t, int r, double k, int i)
{
    return 5 + 0.1 * t - 0.25 * r + 0.02 * k - 0.3 * i;
}

const char *const distinct_place[] = {"encoder.0", "decoder.1", "cross.0"};

double distinct_move(int t, int r, double k, int place, int i)
{
    return 1e-3 * (1 + 0.3 * t) * (2.3 - r) * (1 + 0.01 * k) * (1 + 2 * place) *
           (1 + i);
}

int distinct_train_step(int i) { return 3 * (i + 1); }
int distinct_valid_step(int i) { return 31 * (i + 1); }

int distinct_examples(int t) { return 4 + t; }
int distinct_tokens(int t, int i) { return 2 + t + i; }

double distinct_unigram(int t, int r, int k)
{
    int ce = distinct_metric_of(distinct_tasks[t], "ce");

    return distinct_value(ce, r, k) + ((k <= r + 1) == (t % 2) ? 0.5 : -0.5);
}

/* ---- the store ---- */

static void must(int rc)
{
    REQUIRE(rc >= 0, "store of distinct numbers: %s", err_last());
}

static const char *id_of(int t, int r, int k)
{
    const char *task = distinct_tasks[t];

    return made_cell(&(struct cell_labels){distinct_rows[r], task, "reduced", k,
                                           !strcmp(task, "cnndm")});
}

static void put_metrics(struct cell_writer *w, int t, int r, int k)
{
    for (int i = 0; distinct_metrics[i].name; i++) {
        const struct distinct_metric *m = &distinct_metrics[i];

        if (strcmp(m->task, distinct_tasks[t]))
            continue;
        char *how = str_format("%s of %s", m->name, m->task);
        must(cell_put_metric(w, m->name, m->unit, m->better, how,
                             distinct_value(i, r, k)));
        free(how);
    }
}

/* Each example of imdb has a different label; examples of agnews have neither a
 * label nor a unigram loss. No metric is computed from examples, so intervals
 * are over seeds. */
static void put_examples(struct cell_writer *w, int t, int r, int k)
{
    const char *task = distinct_tasks[t];
    size_t n = (size_t)distinct_examples(t);
    double x[4][16];

    for (int i = 0; i < (int)n; i++) {
        x[0][i] = distinct_tokens(t, i);
        x[1][i] = x[0][i] * distinct_unigram(t, r, k);
        x[2][i] = 2 * x[0][i];
        x[3][i] = i;
    }
    must(cell_put_array(w, "examples/test/tokens", "1", x[0], n));
    must(cell_put_array(w, "examples/test/words", "1", x[2], n));
    if (!strcmp(task, "imdb"))
        must(cell_put_array(w, "examples/test/label", "1", x[3], n));
    else if (strcmp(task, "agnews"))
        must(cell_put_array(w, "examples/test/unigram_nll", "nats", x[1], n));
}

static void put_curves(struct cell_writer *w, int t, int r, int k)
{
    double y[DISTINCT_STEPS];
    int64_t step[DISTINCT_STEPS];

    for (int i = 0; i < DISTINCT_STEPS; i++) {
        step[i] = distinct_train_step(i);
        y[i] = distinct_train(t, r, k, i);
    }
    must(cell_put_ints(w, "curves/train/step", "1", step, DISTINCT_STEPS));
    must(cell_put_array(w, "curves/train/loss", "nats", y, DISTINCT_STEPS));
    for (int i = 0; i < DISTINCT_EVALS; i++) {
        step[i] = distinct_valid_step(i);
        y[i] = distinct_valid(t, r, k, i);
    }
    must(cell_put_ints(w, "curves/valid/step", "1", step, DISTINCT_EVALS));
    must(cell_put_array(w, "curves/valid/ce", "nats", y, DISTINCT_EVALS));
}

static void put_moves(struct cell_writer *w, int t, int r, int k)
{
    for (int p = 0; p < DISTINCT_PLACES; p++) {
        char *at = str_format("attention/moves/%s/step", distinct_place[p]);
        char *of = str_format("attention/moves/%s/rms", distinct_place[p]);
        int64_t step[DISTINCT_MOVES];
        double rms[DISTINCT_MOVES];

        for (int i = 0; i < DISTINCT_MOVES; i++) {
            step[i] = 1 << i;
            rms[i] = distinct_move(t, r, k, p, i);
        }
        must(cell_put_ints(w, at, "1", step, DISTINCT_MOVES));
        must(cell_put_array(w, of, "1", rms, DISTINCT_MOVES));
        free(at);
        free(of);
    }
}

static void put_facts(struct cell_writer *w, int t, int r, int k)
{
    const char *task = distinct_tasks[t];
    char *source = str_format("texts of %s", task);

    must(cell_put_text(w, "provenance", "data_digest", task));
    must(cell_put_text(w, "provenance", "data_source", source));
    must(cell_put_int(w, "provenance", "subset", !strcmp(task, "personachat")));
    must(cell_put_text(w, "provenance", "commit", r ? "bbbbbbbb" : "aaaaaaaa"));
    must(cell_put_int(w, "timing", "params", (long long)distinct_params(t, r)));
    must(cell_put_real(w, "timing", "flops_per_step", distinct_flops(t, r)));
    must(cell_put_real(w, "timing", "steps_per_s", distinct_speed(t, r, k)));
    must(cell_put_int(w, "timing", "too_noisy", k == DISTINCT_SEEDS));
    free(source);
}

static void write_cell(struct store *s, const char *path, int t, int r, int k)
{
    struct cell_writer *w;

    must(made_begin(&w, path, id_of(t, r, k)));
    put_metrics(w, t, r, k);
    put_examples(w, t, r, k);
    put_curves(w, t, r, k);
    if (k < DISTINCT_SEEDS)
        put_moves(w, t, r, k);
    put_facts(w, t, r, k);
    must(cell_commit(w));
    must(store_done(s, id_of(t, r, k), 1));
}

char *distinct_store(const char *const *tasks, int seeds)
{
    enum { TASKS = 10 };
    char *path = scratch_make();
    struct frozen_cell cell[TASKS * DISTINCT_ROWS * DISTINCT_SEEDS];
    struct frozen all = {.name = "distinct", .title = "Distinct numbers",
                         .cell = cell};
    struct store *s;

    must(store_open(&s, path, 1));
    for (int t = 0; distinct_tasks[t]; t++)
        for (int r = 0; r < DISTINCT_ROWS; r++)
            for (int k = 1; k <= seeds; k++) {
                if (tasks && place(tasks, distinct_tasks[t]) < 0)
                    continue;
                write_cell(s, path, t, r, k);
                cell[all.n++] = made_frozen(id_of(t, r, k));
            }
    must(frozen_write(&all, path));
    store_close(s);
    return path;
}
