/*
 * glue: reads the nine tasks of GLUE and its diagnostic set, in T5's text
 * format.
 *
 *     TASK/{train,dev,test}.tsv       a header names the columns; CoLA's train
 *                                     and dev have no header
 *     diagnostic/diagnostic.tsv       AX, as GLUE's download script names the
 *                                     file, which may also be in MNLI/
 *     MRPC/msr_paraphrase_{train,test}.txt, mrpc_dev_ids.tsv
 *                                     MRPC as Microsoft distributes it; pairs
 *                                     whose ids are listed are the dev set
 *     source  "TASK KEY: text KEY: text"      target  the name of the label
 *
 * Fields are separated by tabs; quotation marks have no special meaning; empty
 * lines are skipped.  The labels of test sets are hidden: `label` is -1, and
 * `target` is "<unk>", or "-1.0" for STS-B.  A row is skipped if it lacks a
 * required field or a label, or if its annotators did not agree ("-").
 * Source: Wang et al., GLUE (ICLR 2019); Raffel et al., T5 (JMLR 2020), D.
 */
#include "harness/corpora/corpus.h"

#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/data/format/linefile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS_MOST = 2, FIELDS = 64 };

struct glue {
    const char *prefix; /* start of the source: "mnli" */
    struct {
        const char *key, *column; /* "hypothesis", "sentence2" */
        int at;                   /* number of the text's column if there is
                                     no header */
    } text[TEXTS_MOST + 1];
    const char *label; /* column of the label; NULL: the labels are hidden */
    int label_at;
    int bare;     /* 1: train and dev have no header        */
    int disputed; /* 1: "-" if the annotators did not agree */
    const char *const *classes; /* NULL: the label is a score from 0 to 5 */
};

struct reader { /* reads one file */
    struct corpus_reading *x;
    const struct glue *task;
    struct linefile *lines;
    int n;                /* fields of the last line */
    char *field[FIELDS];  /* fields after the first 64 are not needed */
    int columns;          /* fields of the header; 0: no header */
    char *header, *column[FIELDS];
    int text[TEXTS_MOST], label; /* columns; label -1: hidden */
    struct map *dev;   /* MRPC's listed pairs; NULL: take every row */
    int id[2];         /* columns of the ids of a pair */
    struct text source;
};

static const char *const similar[] = {"not_equivalent", "equivalent", NULL};
static const char *const duplicate[] = {"not_duplicate", "duplicate", NULL};
static const char *const acceptable[] = {"unacceptable", "acceptable", NULL};
static const char *const sentiment[] = {"negative", "positive", NULL};
static const char *const three[] = {"entailment", "neutral", "contradiction",
                                    NULL};
static const char *const two[] = {"entailment", "not_entailment", NULL};
static const char *const swapped[] = {"not_entailment", "entailment", NULL};

static int split(char *line, char *field[FIELDS])
{
    int n = 0;

    while (line && n < FIELDS)
        field[n++] = strsep(&line, "\t");
    return n;
}

static int read_header(struct reader *r)
{
    char *line;

    PASS(linefile_next(r->lines, &line));
    r->header = str_copy(line);
    r->columns = split(r->header, r->column);
    return OK;
}

static int find_column(int *out, const struct reader *r, const char *name)
{
    for (*out = 0; *out < r->columns; ++*out)
        if (!strcmp(r->column[*out], name))
            return OK;
    return linefile_refuse_at(r->lines, 1, "there is no column '%s'", name);
}

/* Reads the next line that is not empty.  Returns 1, or 0 at the end. */
static int next_line(struct reader *r)
{
    char *line;
    int rc;

    do
        rc = linefile_next(r->lines, &line);
    while (rc > 0 && !linefile_bytes(r->lines));
    if (rc > 0)
        r->n = split(line, r->field);
    return rc;
}

static int open_file(struct reader *r, struct corpus_reading *x,
                     const char *path)
{
    const struct glue *g = x->corpus->detail;
    int hidden = !strncmp(x->split->name, "test", 4), bare = g->bare && !hidden;

    *r = (struct reader){.x = x, .task = g, .label = -1};
    PASS(linefile_open(&r->lines, path));
    if (!bare)
        PASS(read_header(r));
    linefile_allow_nul(r->lines, x->sink->skip_nul);
    for (int i = 0; g->text[i].key; i++) {
        r->text[i] = g->text[i].at;
        if (!bare)
            PASS(find_column(&r->text[i], r, g->text[i].column));
    }
    if (bare)
        r->label = g->label_at;
    else if (!hidden)
        PASS(find_column(&r->label, r, g->label));
    return OK;
}

static void close_file(struct reader *r)
{
    linefile_close(r->lines);
    free(r->header);
    text_free(&r->source);
}
OWNER_OF_VALUE(close_file, struct reader)

static void set_source(struct reader *r)
{
    const struct glue *g = r->task;

    text_clear(&r->source);
    text_put(&r->source, g->prefix);
    for (int i = 0; g->text[i].key; i++)
        text_format(&r->source, " %s: %s", g->text[i].key,
                    r->field[r->text[i]]);
}

static int hand_out_score(struct reader *r, const char *label, long idx)
{
    double score = -1, target = -1;
    char text[16];

    if (label) {
        if (str_to_real(label, &score) || score < 0 || score > 5)
            return linefile_refuse(r->lines,
                                   "'%s' is not a score from 0 to 5", label);
        target = nearbyint(score * 5) / 5; /* rounds halves to even */
    }
    snprintf(text, sizeof text, "%.1f", target);
    return ROW(r->x, TEXT("source", r->source.s), TEXT("target", text),
               REAL("label", score), INTEGER("idx", idx));
}

/* Returns the class whose name or number is `label`, or -1 if there is none. */
static int class_of(const char *const *classes, const char *label)
{
    long long number;

    for (int i = 0; classes[i]; i++)
        if (!strcmp(classes[i], label) ||
            (!str_to_int(label, &number) && number == i))
            return i;
    return -1;
}

static int hand_out_class(struct reader *r, const char *label, long idx)
{
    const char *const *classes = r->task->classes;
    int class = label ? class_of(classes, label) : -1;

    if (label && class < 0)
        return linefile_refuse(r->lines,
                               "'%s' is not a label: expected %s, ... or its "
                               "number", label, classes[0]);
    return ROW(r->x, TEXT("source", r->source.s),
               TEXT("target", class < 0 ? "<unk>" : classes[class]),
               INTEGER("label", class), INTEGER("idx", idx));
}

static int hand_out(struct reader *r, long idx)
{
    const char *label = r->label < 0 ? NULL : r->field[r->label];
    const char *left_out = NULL;

    if (label && !*label)
        left_out = "empty-label";
    else if (label && r->task->disputed && !strcmp(label, "-"))
        left_out = "no-gold-label";

    if (left_out)
        return corpus_skip(r->x, linefile_number(r->lines), left_out, NULL);
    set_source(r);
    return r->task->classes ? hand_out_class(r, label, idx)
                            : hand_out_score(r, label, idx);
}

/* Returns 1 if the line has all required fields. */
static int is_whole(const struct reader *r)
{
    for (int i = 0; r->task->text[i].key; i++)
        if (r->text[i] >= r->n)
            return 0;
    return r->label < r->n;
}

static int read_row(struct reader *r, long idx)
{
    if (linefile_has_nul(r->lines))
        return corpus_skip(r->x, linefile_number(r->lines), CORPUS_NUL, NULL);
    if (is_whole(r))
        return hand_out(r, idx);
    if (!r->columns)
        return linefile_refuse(r->lines, "only %d fields", r->n);
    return corpus_skip(r->x, linefile_number(r->lines), "missing-field",
                       NULL);
}

/* Returns 1 if the row belongs to the split. */
static int is_wanted(const struct reader *r)
{
    int dev = !strcmp(r->x->split->name, "valid");

    if (!r->dev || r->id[0] >= r->n || r->id[1] >= r->n)
        return 1;
    OWNED(free) char *pair = str_format("%s\t%s", r->field[r->id[0]],
                                        r->field[r->id[1]]);
    return (map_find(r->dev, pair, strlen(pair)) >= 0) == dev;
}

static int read_rows(struct reader *r)
{
    long idx = 0;
    int rc;

    for (; (rc = next_line(r)) > 0; idx++)
        if (is_wanted(r))
            PASS(read_row(r, idx));
    return rc == OK && !idx
               ? linefile_refuse_at(r->lines, 0, "has no rows")
               : rc;
}

static int read_official(struct corpus_reading *x, const char *path)
{
    OWNED(close_file) struct reader r = {.x = x};

    PASS(open_file(&r, x, path));
    return read_rows(&r);
}

/* Adds a listed pair, "ID<TAB>ID". */
static int add_pair(void *dev, const struct linefile *f, char *line)
{
    (void)f;
    if (*line)
        map_number(dev, line, strlen(line));
    return OK;
}

static int read_msr(struct corpus_reading *x)
{
    char file[CORPUS_PATH], list[CORPUS_PATH], path[CORPUS_PATH];
    OWNED(map_free) struct map *dev = map_of_copies();
    OWNED(close_file) struct reader r = {.x = x};

    PASS(corpus_path(path, x, corpus_pattern(file, x->split, 0)));
    PASS(open_file(&r, x, path));
    if (corpus_pattern(list, x->split, 1)) {
        PASS(corpus_path(path, x, list));
        PASS(linefile_each(path, add_pair, dev));
        x->file = file;
        PASS(find_column(&r.id[0], &r, "#1 ID"));
        PASS(find_column(&r.id[1], &r, "#2 ID"));
        r.dev = dev;
    }
    return read_rows(&r);
}

#define FROM "the GLUE benchmark (https://gluebenchmark.com/tasks)"
#define OFFICIAL(folder, train_, valid_, test_)                               \
    {                                                                         \
        .name = "official", .file = read_official, .split = {                  \
            {"train", folder "/train.tsv", train_},                           \
            {"valid", folder "/dev.tsv", valid_},                             \
            {"test", folder "/test.tsv", test_}}                              \
    }
#define SENTENCES {"sentence1", "sentence1", 0}, {"sentence2", "sentence2", 0}
#define GLUE(id, named, archive, train, valid, test, texts, ...)              \
    const struct corpus corpus_glue_##id = {                                  \
        .name = "glue_" #id,                                                  \
        .family = "glue",                                                     \
        .title = named,                                                       \
        .from = FROM ": " archive ".zip",                                     \
        .detail = &(const struct glue){#id, {texts}, __VA_ARGS__},            \
        .layout = {OFFICIAL(named, train, valid, test)}};
#define PAIR(...) __VA_ARGS__

GLUE(cola, "CoLA", "CoLA", 8551, 1043, 1063, PAIR({"sentence", "sentence", 3}),
     .label = "label", .label_at = 1, .bare = 1, .classes = acceptable)
GLUE(sst2, "SST-2", "SST-2", 67349, 872, 1821,
     PAIR({"sentence", "sentence", 0}), .label = "label", .classes = sentiment)
GLUE(stsb, "STS-B", "STS-B", 5749, 1500, 1379, PAIR(SENTENCES),
     .label = "score")
GLUE(qnli, "QNLI", "QNLIv2", 104743, 5463, 5463,
     PAIR({"question", "question", 0}, {"sentence", "sentence", 0}),
     .label = "label", .classes = two)
GLUE(rte, "RTE", "RTE", 2490, 277, 3000, PAIR(SENTENCES), .label = "label",
     .classes = two)
GLUE(wnli, "WNLI", "WNLI", 635, 71, 146, PAIR(SENTENCES), .label = "label",
     .classes = swapped)

const struct corpus corpus_glue_qqp = {
    .name = "glue_qqp", .family = "glue",
    .title = "QQP",
    .from = FROM ": QQP-clean.zip; or QQP.zip, the edition until 2021, which "
            "T5 and the paper used",
    .detail = &(const struct glue){"qqp",
        {{"question1", "question1", 0}, {"question2", "question2", 0}},
        .label = "is_duplicate", .classes = duplicate},
    .layout = {{.name = "official", .file = read_official, .split = {
        {"train", "QQP/train.tsv", 363846, .earlier_rows = 363849},
        {"valid", "QQP/dev.tsv", 40430},
        {"test", "QQP/test.tsv", 390965}}}}};

#define MSR "MRPC/msr_paraphrase_"
const struct corpus corpus_glue_mrpc = {
    .name = "glue_mrpc", .family = "glue",
    .title = "MRPC",
    .from = "Microsoft Research's paraphrase corpus "
            "(https://www.microsoft.com/download/details.aspx?id=52398), with "
            "GLUE's list of dev ids, mrpc_dev_ids.tsv",
    .detail = &(const struct glue){"mrpc",
        {{"sentence1", "#1 String", 0}, {"sentence2", "#2 String", 0}},
        .label = "Quality", .classes = similar},
    .layout = {OFFICIAL("MRPC", 3668, 408, 1725),
               {.name = "msr_paraphrase", .read = read_msr, .split = {
                   {"train", MSR "train.txt MRPC/mrpc_dev_ids.tsv", 3668},
                   {"valid", MSR "train.txt MRPC/mrpc_dev_ids.tsv", 408},
                   {"test", MSR "test.txt", 1725}}}}};

const struct corpus corpus_glue_mnli = {
    .name = "glue_mnli", .family = "glue",
    .title = "MNLI", .from = FROM ": MNLI.zip",
    .detail = &(const struct glue){"mnli",
        {{"hypothesis", "sentence2", 0}, {"premise", "sentence1", 0}},
        .label = "gold_label", .disputed = 1, .classes = three},
    .layout = {{.name = "official", .file = read_official, .split = {
        {"train", "MNLI/train.tsv", 392702},
        {"valid_matched", "MNLI/dev_matched.tsv", 9815},
        {"valid_mismatched", "MNLI/dev_mismatched.tsv", 9832},
        {"test_matched", "MNLI/test_matched.tsv", 9796},
        {"test_mismatched", "MNLI/test_mismatched.tsv", 9847}}}}};

const struct corpus corpus_glue_ax = {
    .name = "glue_ax", .family = "glue",
    .title = "AX",
    .from = FROM ": the diagnostic set, named as the download script, the "
            "MNLI archive or the web site names it",
    .detail = &(const struct glue){"mnli",
        {{"hypothesis", "sentence2", 0}, {"premise", "sentence1", 0}},
        .classes = three},
    .layout = {{
        .name = "official", .read = corpus_first, .file = read_official,
        .split = {{"test", "MNLI/diagnostic.tsv diagnostic/diagnostic.tsv "
                           "diagnostic.tsv AX.tsv", 1104}}}}};
