/*
 * agnews: the task is to classify the description of a Debian package by topic
 * (games, science, network or media).  The archive section of the package
 * determines the topic.  The text is the short description, ". ", and the
 * beginning of the long description.  Only one package of each source package
 * is used, and every class is equally frequent in each split.  Because only 760
 * of the packages are games, the splits are large: 8 % of the source packages
 * are validation and 14 % test.
 */
#include "harness/base/map.h"
#include "harness/base/text.h"
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/official.h"
#include "harness/tasks/recipe.h"

#include <stdlib.h>
#include <string.h>

enum { VALID = 8, TEST = 14, CLASSES = 4 };

static const struct {
    const char *section;
    int label;
} topics[] = {
    {"games", 0},    {"science", 1},  {"math", 1}, {"electronics", 1},
    {"hamradio", 1}, {"net", 2},      {"web", 2},  {"httpd", 2},
    {"mail", 2},     {"comm", 2},     {"news", 2}, {"sound", 3},
    {"video", 3},    {"graphics", 3},
};

/* Returns the topic of a section, or -1 if it belongs to none of the four
 * topics. */
static int label_of(const char *section)
{
    for (size_t i = 0; section && i < sizeof topics / sizeof *topics; i++)
        if (!strcmp(section, topics[i].section))
            return topics[i].label;
    return -1;
}

static const char *text_of(const struct ddtp_text *t, struct arena *a)
{
    struct text text = {0};

    text_format(&text, "%s.", t->summary);
    for (int i = 0; i < t->n; i++)
        text_format(&text, " %s", t->block[i].text);
    return text_keep(&text, a);
}

/* Adds equally many items of each class, in turn, so that the first items of
 * `out` are balanced, too. */
static void deal(struct items *out, struct items class[CLASSES])
{
    int least = class[0].n;

    for (int c = 1; c < CLASSES; c++)
        least = class[c].n < least ? class[c].n : least;
    for (int i = 0; i < least; i++)
        for (int c = 0; c < CLASSES; c++)
            items_add(out, class[c].item[i]);
}

static void gather(struct items out[SPLITS], const struct texts *t)
{
    const struct ddtp *d = &t->ddtp;
    struct items class[SPLITS][CLASSES] = {{{0}}};
    OWNED(map_free) struct map *seen = map_new();

    for (int i = 0; i < d->n; i++) {
        const struct ddtp_entry *e = &d->entry[i];
        int label = label_of(e->section);
        enum split s = ddtp_split(e->source, VALID, TEST);

        if (label >= 0 && map_add(seen, e->source, 0))
            items_add(&class[s][label],
                      (struct item){.source = text_of(&e->english, t->memory),
                                    .label = label});
    }
    for (int s = 0; s < SPLITS; s++) {
        for (int c = 0; c < CLASSES; c++)
            items_shuffle(&class[s][c], split_name[s]);
        deal(&out[s], class[s]);
        for (int c = 0; c < CLASSES; c++)
            free(class[s][c].item);
    }
}

const struct task task_agnews = {
    .name = "agnews",
    .title = "AGNews",
    .cite = "Table 7, encoder only",
    .source = "Debian package descriptions, four topics by archive section",
    .generator = "the majority class of a bag of symbols",
    .official = "ag_news_csv/{train,test}.csv",
    .recipe = &(const struct recipe){
        .subject = "four topics", .needs = 1u << SOURCE_APT, .gather = gather},
    .files = &(const struct official){.part = {
        {.corpus = "agnews", .split = {"train", NULL, "test"},
         .source = "text"}}},
    .kind = TASK_CLASSIFY,
    .classes = CLASSES,
    .metrics = NAMES("accuracy", "ce"),
    .generate = gen_majority,
    .text = {2416, 151677},
};
