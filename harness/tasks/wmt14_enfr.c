/* wmt14_enfr: English to French (tasks/translation.h). */
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/official.h"
#include "harness/tasks/translation.h"

static int open_task(struct dataset *out, const struct task_opts *o)
{
    static const struct recipe recipe = {.name = "wmt14_enfr",
                                         .subject = "English-French",
                                         .language = "fr",
                                         .needs = 1u << SOURCE_APT,
                                         .kind = TASK_TRANSDUCE,
                                         .gather = translation_pairs};

    return o->synthetic ? gen_permutation(out, o)
                        : recipe_open(out, &recipe, o);
}

static const char *const metrics[] = {"ce", "token_accuracy", "bleu", NULL};

extern const struct corpus corpus_wmt14_enfr;

static const struct official files = {
    .part = {{.corpus = &corpus_wmt14_enfr,
              .split = {"train", "valid", "test"}, .source = "source",
              .target = "target",
              .prefix = "translate English to French: "}}};

const struct task task_wmt14_enfr = {
    .name = "wmt14_enfr",
    .title = "WMT'14 EnFr",
    .cite = "Table 2, newstest2014",
    .source = "Debian package descriptions, English-French sentence pairs",
    .generator = "the source in a fixed order of positions",
    .official = "training/{europarl-v7,commoncrawl,news-commentary-v9}.fr-en."
                "{fr,en}, un/undoc.2000.fr-en.{fr,en}, "
                "giga-fren.release2.fixed.{fr,en}.gz, dev/newstest2013 and "
                "newstest2014",
    .files = &files,
    .kind = TASK_TRANSDUCE,
    .metrics = metrics,
    .open = open_task,
    .text = {33975, 1704000},
};
