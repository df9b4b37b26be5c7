/*
 * imdb: the task is to classify a sentence of a review (of films, restaurants
 * or products) as positive or negative.  Every text occurs once.  The hash of
 * the text modulo 100 decides its split: validation below 10, test below 20.
 */
#include "harness/base/map.h"
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/official.h"
#include "harness/tasks/recipe.h"

enum { VALID = 10, TEST = 10, CLASSES = 2 };

static void gather(struct items out[SPLITS], const struct texts *t)
{
    OWNED(map_free) struct map *seen = map_new();

    for (int i = 0; i < t->opinions; i++) {
        const struct opinion *o = &t->opinion[i];

        if (*o->text && map_add(seen, o->text, 0))
            items_add(&out[ddtp_split(o->text, VALID, TEST)],
                      (struct item){.source = o->text, .label = o->label});
    }
    for (int s = 0; s < SPLITS; s++)
        items_shuffle(&out[s], split_name[s]);
}

const struct task task_imdb = {
    .name = "imdb",
    .title = "IMDb",
    .cite = "Table 7, encoder only",
    .source = "UCI labelled sentences of reviews, from the npm package "
              "sentiment",
    .generator = "the majority class of a bag of symbols",
    .official = "aclImdb/{train,test}/{pos,neg}/*.txt",
    .recipe = &(const struct recipe){
        .subject = "pleased or not", .needs = 1u << SOURCE_SENTIMENT,
        .gather = gather},
    .files = &(const struct official){.part = {
        {.corpus = "imdb", .split = {"train", NULL, "test"},
         .source = "text"}}},
    .kind = TASK_CLASSIFY,
    .classes = CLASSES,
    .metrics = NAMES("accuracy", "ce"),
    .generate = gen_majority,
    .text = {2382, 60000},
};
