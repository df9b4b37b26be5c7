/*
 * superglue: the eight tasks of SuperGLUE as one text-to-text task.  As for
 * glue, their reduced counterparts are made by tasks/glue/glue_parts.h, and the
 * tokenizer is that of c4.
 */
#include "harness/metrics/labels/benchmark.h"
#include "harness/tasks/glue/glue_parts.h"
#include "harness/tasks/official.h"

static int target(int length) { return length < 16 ? length : 16; }

/* Returns the length of the longest official target: the answers of ReCoRD and
 * WSC are full names. */
static int answer(int length) { return length < 62 ? length : 62; }

#define PART(id, how)                                                         \
    {.name = #id, .corpus = "superglue_" #id,                                 \
     .split = {"train", NULL, "valid"}, .source = "source",                   \
     .target = "target", .scoring = how}

const struct task task_superglue = {
    .name = "superglue",
    .title = "SuperGLUE",
    .cite = "Table 6",
    .source = "Debian package descriptions and tags, WordNet, a generator of "
              "Winograd schemas",
    .generator = "labels as text: the majority class of a bag of symbols",
    .official = "{BoolQ,CB,COPA,MultiRC,ReCoRD,RTE,WiC,WSC}/"
                "{train,val}.jsonl, and those of c4 for the tokenizer",
    .recipe = &(const struct recipe){
        .subject = "eight tasks in text",
        .needs = 1u << SOURCE_APT | 1u << SOURCE_WORDNET,
        .parts = (const struct part[]){
            {"boolq", {800, 100, 200}, .make = make_boolq},
            {"cb", {252, 48, 96}, .make = make_inference, .of = &infer_cb},
            {"copa", {400, 100, 200}, .make = make_copa},
            {"multirc", {900, 100, 300}, .make = make_multirc},
            {"record", {1000, 100, 200}, .each = each_record},
            {"rte", {500, 100, 200}, .make = make_rte,
             .of = &infer_rte_superglue},
            {"wic", {1000, 100, 200}, .make = make_wic},
            {"wsc", {400, 50, 100}, .make = make_wsc},
            {.name = NULL}}},
    .revision = 1,
    .cut = 1,
    .tokenizer = &task_c4,
    .files = &(const struct official){.target = answer, .part = {
        PART(boolq, SCORED_ALONE), PART(cb, SCORED_ALONE),
        PART(copa, SCORED_ALONE), PART(multirc, SCORED_BY_QUERY),
        PART(record, SCORED_ANY), PART(rte, SCORED_ALONE),
        PART(wic, SCORED_ALONE), PART(wsc, SCORED_REFERENT)}},
    .preset = "t5",
    .benchmark = benchmark_superglue,
    .kind = TASK_TRANSDUCE,
    .metrics = NAMES("superglue", "ce", "token_accuracy"),
    .references = reference_pairs,
    .text = {5200, 350000},
    .target = target,
};
