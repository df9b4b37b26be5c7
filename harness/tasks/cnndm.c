/*
 * cnndm: the task is summarisation.  The long description of a package is the
 * article, its short description the summary.  Articles have 20 to 60 tokens;
 * there is one per source package, and each text occurs once.  Validation and
 * test have 5 % of the source packages each.  The baseline is the first words
 * of the article, as many as a summary has on average.
 */
#include "harness/base/map.h"
#include "harness/base/text.h"
#include "harness/data/sentence.h"
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/official.h"
#include "harness/tasks/recipe.h"

#include <string.h>

enum { VALID = 5, TEST = 5, TOKENS_MIN = 20, TOKENS_MAX = 60, LEAD = 8 };

static const char *article_of(const struct ddtp_text *t, struct arena *a)
{
    struct text text = {0};

    for (int i = 0; i < t->n; i++)
        text_format(&text, "%s%s", i ? " " : "", t->block[i].text);
    return text_keep(&text, a);
}

static void gather(struct items out[SPLITS], const struct texts *t)
{
    const struct ddtp *d = &t->ddtp;
    OWNED(map_free) struct map *source = map_new(), *text = map_new();

    for (int s = 0; s < SPLITS; s++) {
        for (int i = 0; i < d->n; i++) {
            const struct ddtp_entry *e = &d->entry[i];

            if (ddtp_split(e->source, VALID, TEST) != (enum split)s)
                continue;
            const char *article = article_of(&e->english, t->memory);
            int tokens = sentence_tokens(article);

            if (tokens >= TOKENS_MIN && tokens <= TOKENS_MAX &&
                map_get(source, e->source, 1) && map_add(text, article, 0) &&
                map_add(text, e->english.summary, 0)) {
                map_add(source, e->source, 0);
                items_add(&out[s],
                          (struct item){.source = article,
                                        .target = e->english.summary});
            }
        }
        items_shuffle(&out[s], split_name[s]);
    }
}

static int target(int length) { return length < 32 ? length : 32; }

static void lead(const struct reference *self, const char **answer,
                 const struct dataset *d, struct arena *a)
{
    const struct examples *test = &d->split[SPLIT_TEST];

    (void)self;
    for (int i = 0; i < test->n; i++) {
        const struct example e = examples_row(test, i, a);
        char *text = arena_text(a, dataset_text(d, e.source, e.nsource, a));
        char *end = text;

        for (int words = 0; *end && words < LEAD; words++)
            end += strspn(end, " ") + strcspn(end + strspn(end, " "), " ");
        *end = 0;
        answer[i] = text;
    }
}

const struct task task_cnndm = {
    .name = "cnndm",
    .title = "CNN/DailyMail",
    .cite = "Table 3, abstractive summarisation",
    .source = "Debian package descriptions, the long and the short one",
    .generator = "the source in a fixed permutation",
    .official = "cnn/stories, dailymail/stories and "
                "all_{train,val,test}.txt, or {train,validation,test}.csv",
    .recipe = &(const struct recipe){
        .subject = "long to short", .needs = 1u << SOURCE_APT,
        .gather = gather},
    .cut = 1,
    .files = &(const struct official){
        .typical = {781, 56, "articles of 781 and summaries of 56 words (See "
                             "et al. 2017)"},
        .part = {
        {.corpus = "cnndm", .split = {"train", "valid", "test"},
         .source = "source", .target = "target", .prefix = "summarize: "}}},
    .kind = TASK_TRANSDUCE,
    .metrics = NAMES("ce", "token_accuracy", "rouge1", "rouge2", "rouge_l",
                     "rouge_lsum"),
    .generate = gen_permutation,
    .references = (const struct reference[]){
        {"lead", "the first 8 words of the source", lead, NULL},
        {.name = NULL}},
    .text = {16402, 1130000},
    .target = target,
    .generator_even = 1,
};
