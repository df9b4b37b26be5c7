/*
 * glue: the nine tasks of GLUE as one text-to-text task (Raffel et al., JMLR
 * 2020).  Their reduced counterparts are made by tasks/glue/glue_parts.h.  The
 * task uses c4's tokenizer, so that a model trained on c4 with the same N and
 * vocabulary can be fine-tuned here.
 */
#include "harness/metrics/labels/benchmark.h"
#include "harness/tasks/glue/glue_parts.h"
#include "harness/tasks/official.h"

static int target(int length) { return length < 12 ? length : 12; }

#define MNLI "mnli hypothesis: {2} premise: {1}"
#define TWO {"entailment", "not_entailment"}
#define THREE {"entailment", "neutral", "contradiction"}
#define SIDES .source = "source", .target = "target"
#define PART(id)                                                              \
    {.name = #id, .corpus = "glue_" #id,                                      \
     .split = {"train", NULL, "valid"}, SIDES}

const struct task task_glue = {
    .name = "glue",
    .title = "GLUE",
    .cite = "Table 5",
    .source = "Debian package descriptions, labelled sentences",
    .generator = "labels as text: the majority class of a bag of symbols",
    .official = "{CoLA,SST-2,MRPC,STS-B,QQP,MNLI,QNLI,RTE,WNLI}/"
                "{train,dev}.tsv, and those of c4 for the tokenizer",
    .recipe = &(const struct recipe){
        .subject = "nine tasks in text",
        .needs = 1u << SOURCE_APT | 1u << SOURCE_SENTIMENT,
        .parts = (const struct part[]){
            {"cola", 2, {1500, 100, 200}, make_cola, NULL},
            {"sst2", 2, {800, 100, 200}, make_sst2, NULL},
            PAIRS("mrpc", 2, 1000, 100, 200,
                  "mrpc sentence1: {1} sentence2: {2}",
                  {"equivalent", "not_equivalent"}),
            PAIRS("stsb", 3, 996, 96, 204,
                  "stsb sentence1: {1} sentence2: {2}", {"5.0", "2.6", "0.0"}),
            PAIRS("qqp", 2, 1500, 100, 200,
                  "qqp question1: {1} question2: {2}",
                  {"duplicate", "not_duplicate"}),
            PAIRS("mnli_matched", 3, 1500, 96, 204, MNLI, THREE,
                  .half = 1),
            PAIRS("mnli_mismatched", 3, 0, 0, 204, MNLI, THREE,
                  .half = 2),
            PAIRS("qnli", 2, 1000, 100, 200,
                  "qnli question: {1} sentence: {2}", TWO),
            PAIRS("rte", 2, 500, 100, 200,
                  "rte sentence1: {1} sentence2: {2}", TWO),
            PAIRS("wnli", 2, 300, 48, 100,
                  "wnli sentence1: {1} sentence2: {2}", TWO),
            {.name = NULL}}},
    .revision = 2,
    .cut = 1,
    .tokenizer = &task_c4,
    .files = &(const struct official){.target = target, .part = {
        PART(cola), PART(sst2), PART(mrpc), PART(stsb), PART(qqp),
        {.name = "mnli_matched", .corpus = "glue_mnli",
         .split = {"train", NULL, "valid_matched"}, SIDES},
        {.name = "mnli_mismatched", .corpus = "glue_mnli",
         .split = {NULL, NULL, "valid_mismatched"}, SIDES},
        PART(qnli), PART(rte), PART(wnli)}},
    .preset = "t5",
    .benchmark = benchmark_glue,
    .kind = TASK_TRANSDUCE,
    .metrics = NAMES("glue8", "glue9", "ce", "token_accuracy"),
    .references = reference_pairs,
    .text = {9096, 401000},
    .target = target,
};
