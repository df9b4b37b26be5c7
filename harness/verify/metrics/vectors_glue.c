/* vectors: the classification metrics of GLUE and SuperGLUE. */
#include "harness/verify/metrics/vector_case.h"

#include "harness/base/err.h"

extern const struct scorer scorer_mcc, scorer_accuracy, scorer_acc_f1,
    scorer_cb, scorer_stsb, scorer_multirc, scorer_record;

/* What is said of the values, and not by them. */
static const char *const about[] = {
    "metric", "case", "n", "reference_tool", "note", "format", NULL};

/* The members of `values` stand beside the others, as a result has them. */
static json_t *flat(const json_t *expected)
{
    json_t *run = json_copy((json_t *)expected);

    json_object_update(run, json_object_get(expected, "values"));
    json_object_del(run, "values");
    return run;
}

static int check(struct vector_case *c, const struct scorer *s,
                 const char *pred, const char *gold, const char *groups)
{
    OWNED(json_decref) json_t *run = flat(c->expected);
    OWNED(case_files_close) struct case_files f = {.refs = 0};

    PASS(case_files_open(&f, c, pred, gold, groups));
    return case_run(c, s, &f, run, "values", about);
}

static int check_labels(struct vector_case *c, const struct scorer *s)
{
    return check(c, s, "pred.txt", "gold.txt", NULL);
}

static int check_mcc(struct vector_case *c)
{
    return check_labels(c, &scorer_mcc);
}

static int check_accuracy(struct vector_case *c)
{
    return check_labels(c, &scorer_accuracy);
}

static int check_acc_f1(struct vector_case *c)
{
    return check_labels(c, &scorer_acc_f1);
}

static int check_cb(struct vector_case *c)
{
    return check_labels(c, &scorer_cb);
}

/* In single precision the tool's own sums are rounded too. */
static int check_stsb(struct vector_case *c)
{
    static const char *const single[] = {"pearson_float32_inputs_as_in_hf",
                                         "spearmanr_float32_inputs_as_in_hf"};
    json_t *values = json_object_get(c->expected, "values");
    OWNED(json_decref) json_t *rounded = json_object();
    json_t *all = c->expected;
    int rc;

    for (int i = 0; i < 2; i++) {
        json_t *v = json_object_get(values, single[i]);

        if (v)
            json_object_set(rounded, single[i], v);
        json_object_del(values, single[i]);
    }
    TRY(check_labels(c, &scorer_stsb));
    c->tolerance = 1e-6;
    c->expected = rounded;
    rc = check_labels(c, &scorer_stsb);
out:
    c->expected = all;
    return rc;
}

static int check_multirc(struct vector_case *c)
{
    return check(c, &scorer_multirc, "pred.txt", "gold.txt", "groups.txt");
}

static int check_record(struct vector_case *c)
{
    return check(c, &scorer_record, "pred.tsv", "gold.tsv", NULL);
}

const struct vectors vectors_mcc = {
    .folders = (const char *const[]){"glue_cola_mcc", "mcc_multiclass",
                                     "superglue_axb_mcc", NULL},
    .check = check_mcc};

const struct vectors vectors_accuracy = {
    .folders = (const char *const[]){"glue_accuracy", "superglue_accuracy",
                                     NULL},
    .check = check_accuracy};

const struct vectors vectors_acc_f1 = {
    .folders = (const char *const[]){"glue_mrpc_acc_f1", "glue_qqp_acc_f1",
                                     NULL},
    .check = check_acc_f1};

const struct vectors vectors_cb = {
    .folders = (const char *const[]){"superglue_cb", NULL},
    .check = check_cb};

const struct vectors vectors_stsb = {
    .folders = (const char *const[]){"glue_stsb", NULL},
    .check = check_stsb};

const struct vectors vectors_multirc = {
    .folders = (const char *const[]){"superglue_multirc", NULL},
    .check = check_multirc};

const struct vectors vectors_record = {
    .folders = (const char *const[]){"superglue_record", NULL},
    .check = check_record};
