/*
 * c4: masked language modelling by span corruption (tasks/span.h) of the
 * running text of lm1b, without end marks between sentences, as in T5.  The
 * model reads the text with gaps and writes their content.  The loss is C4's
 * log-perplexity, in nats per target token, including sentinels and eos.
 */
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/official.h"
#include "harness/tasks/recipe.h"
#include "harness/tasks/span.h"

static int target(int length) { return span_shape(length).target; }

const struct task task_c4 = {
    .name = "c4",
    .title = "C4",
    .cite = "Table 4, masked language modelling",
    .source = "Debian package descriptions, English text with masked spans",
    .generator = "masked spans of a Markov chain of lag 3",
    .official = "en/c4-train.{00000..01023}-of-01024.json.gz, "
                "en/c4-validation.{00000..00007}-of-00008.json.gz",
    .preset = "t5",
    .pretrains = 1,
    .recipe = &(const struct recipe){
        .subject = "English with holes", .needs = 1u << SOURCE_APT,
        .gather = running_text},
    /* C4 has no test set; papers report the validation set. */
    .files = &(const struct official){.target = target, .part = {
        {.corpus = "c4", .split = {"train", "valid", "valid"},
         .target = "text"}}},
    .kind = TASK_DENOISE,
    .metrics = NAMES("ce", "token_accuracy"),
    .generate = gen_spans,
    .text = {0, 3533000},
    .target = target,
};
