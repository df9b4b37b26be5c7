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
    .source = "Debian package descriptions",
    .generator = "labels as text: the majority class of a bag of symbols",
    .official = "{BoolQ,CB,COPA,MultiRC,ReCoRD,RTE,WiC,WSC}/"
                "{train,val}.jsonl, and those of c4 for the tokenizer",
    .recipe = &(const struct recipe){
        .subject = "eight tasks in text",
        .needs = 1u << SOURCE_APT,
        .parts = (const struct part[]){
            PAIRS("boolq", 2, 800, 100, 200,
                  "boolq passage: {1} question: {2}", {"True", "False"}),
            PAIRS("cb", 3, 252, 48, 96, "cb hypothesis: {2} premise: {1}",
                  {"entailment", "neutral", "contradiction"}),
            {"copa", 2, {400, 100, 200}, make_copa, NULL},
            {"multirc", 1, {900, 100, 300}, make_pairs,
             &(const struct pairs){"multirc question: Which sentence belongs "
                                   "to it? answer: {2} paragraph: {1}",
                                   {"True", "False"}, .grouped = 1}},
            {"record", 1, {1000, 100, 200}, make_record, NULL},
            PAIRS("rte", 2, 500, 100, 200, "rte hypothesis: {2} premise: {1}",
                  {"entailment", "not_entailment"}),
            PAIRS("wic", 2, 1000, 100, 200,
                  "wic sentence1: {1} sentence2: {2} word: {3}",
                  {"True", "False"}),
            {"wsc", 2, {400, 48, 100}, make_wsc, NULL},
            {.name = NULL}}},
    .revision = 2,
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
    .text = {5252, 320000},
    .target = target,
};
