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

#define SIDES .source = "source", .target = "target"
#define PART(id)                                                              \
    {.name = #id, .corpus = "glue_" #id,                                      \
     .split = {"train", NULL, "valid"}, SIDES}

const struct task task_glue = {
    .name = "glue",
    .title = "GLUE",
    .cite = "Table 5",
    .source = "Debian package descriptions and tags, labelled sentences, a "
              "generator of Winograd schemas",
    .generator = "labels as text: the majority class of a bag of symbols",
    .official = "{CoLA,SST-2,MRPC,STS-B,QQP,MNLI,QNLI,RTE,WNLI}/"
                "{train,dev}.tsv, and those of c4 for the tokenizer",
    .recipe = &(const struct recipe){
        .subject = "nine tasks in text",
        .needs = 1u << SOURCE_APT | 1u << SOURCE_SENTIMENT,
        .parts = (const struct part[]){
            {"cola", {1500, 100, 200}, .each = each_cola},
            {"sst2", {800, 100, 200}, .make = make_sst2},
            {"mrpc", {1000, 100, 200}, .make = make_match, .of = &match_mrpc},
            {"stsb", {1000, 100, 200}, .make = make_stsb},
            {"qqp", {1500, 100, 200}, .make = make_match, .of = &match_qqp},
            {"mnli_matched", {1500, 96, 204}, .make = make_inference,
             .of = &infer_matched},
            {"mnli_mismatched", {0, 0, 204}, .make = make_inference,
             .of = &infer_mismatched},
            {"qnli", {1000, 100, 200}, .make = make_qnli},
            {"rte", {500, 100, 200}, .make = make_rte, .of = &infer_rte},
            {"wnli", {300, 50, 100}, .make = make_wnli},
            {.name = NULL}}},
    .revision = 1,
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
    .text = {9000, 500000},
    .target = target,
};
