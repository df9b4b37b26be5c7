/*
 * personachat: the task is to reply as a speaker whose persona is given.  Each
 * part of the reduced data has examples such as this:
 *
 *     wesnoth   source  persona: i am Nym. Kaleh: Have you seen the others?
 *               target  They are still at the keep.
 *     persona   source  persona: i have a dog named rex. i have a cat named
 *                       tom. you: what is the name of your dog?
 *               target  my dog is named rex.
 *
 * A wesnoth example is two consecutive turns of a scenario by two different
 * named speakers.  Whole scenarios, in the order of a hash of their names, go
 * to the test set until it has 7 % of the turns, then to the validation set
 * until it has 7 %, then to training.  A scenario with more than 12 % of the
 * turns is used for training.
 *
 * A persona example is generated: 3 to 5 facts and a question about one fact.
 */
#include "harness/base/text.h"
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/glue/mixture.h"
#include "harness/tasks/official.h"

#include <stdlib.h>
#include <string.h>

enum { SHARE = 7, LARGE = 12 /* percent */, FACTS_MIN = 3, FACTS_MAX = 5 };

/* ---- Wesnoth ---- */

struct scenario { const char *name; int first, turns; };

static int by_hash(const void *a, const void *b)
{
    uint64_t x = hash_name(((const struct scenario *)a)->name);
    uint64_t y = hash_name(((const struct scenario *)b)->name);

    return (x > y) - (x < y);
}

/* Returns the *n scenarios, in the order of a hash of their names.  The caller
 * frees the array. */
static struct scenario *scenarios(const struct texts *t, int *n)
{
    struct scenario *all = malloc((size_t)(t->turns + 1) * sizeof *all);

    *n = 0;
    for (int i = 0; i < t->turns; i++) {
        const char *name = t->turn[i].scenario;

        if (!*n || strcmp(all[*n - 1].name, name))
            all[(*n)++] = (struct scenario){name, i, 0};
        all[*n - 1].turns++;
    }
    qsort(all, (size_t)*n, sizeof *all, by_hash);
    return all;
}

/* Returns 0 if the speaker is the narrator or a placeholder of a unit, else
 * 1. */
static int is_person(const char *speaker)
{
    return strcmp(speaker, "narrator") && strcmp(speaker, "unit") &&
           strcmp(speaker, "second_unit") && !strchr(speaker, '$');
}

static void add_pair(struct mixture *m, enum split s, const struct turn *one)
{
    const struct turn *two = one + 1;

    if (!strcmp(one->speaker, two->speaker) || !is_person(one->speaker) ||
        !is_person(two->speaker))
        return;
    mixture_add(m, s, 0, (struct item){
        .source = arena_format(m->memory, "persona: i am %s. %s: %s",
                               two->speaker, one->speaker, one->text),
        .target = two->text});
}

/* Returns the split of a scenario; `done` is the number of turns in each
 * split. */
static enum split split_of(const struct scenario *x, const int done[SPLITS],
                           int all)
{
    if (100 * x->turns > LARGE * all)
        return SPLIT_TRAIN;
    if (100 * done[SPLIT_TEST] < SHARE * all)
        return SPLIT_TEST;
    return 100 * done[SPLIT_VALID] < SHARE * all ? SPLIT_VALID : SPLIT_TRAIN;
}

static void make_wesnoth(struct mixture *m)
{
    const struct texts *t = m->texts;
    int n, done[SPLITS] = {0};
    OWNED(free) struct scenario *all = scenarios(t, &n);

    for (int k = 0; k < n; k++) {
        enum split s = split_of(&all[k], done, t->turns);

        for (int i = 0; i + 1 < all[k].turns; i++)
            add_pair(m, s, &t->turn[all[k].first + i]);
        done[s] += all[k].turns;
    }
}

/* ---- personas ---- */

static const char *const thing[] = {
    "dog",   "cat",  "horse",   "parrot", "boat",   "brother",
    "sister", "son", "daughter", "teacher", "friend", "neighbour"};
static const char *const name[] = {
    "rex",  "tom",   "bella", "max",  "luna", "oscar", "ruby", "felix",
    "nina", "hugo",  "clara", "otto", "ida",  "leo",   "emma", "anton",
    "mia",  "jonas", "lena",  "paul", "rosa", "emil",  "vera", "karl"};
enum {
    THINGS = sizeof thing / sizeof *thing,
    NAMES = sizeof name / sizeof *name
};

static void draw_things(struct mixture *m, int order[THINGS])
{
    for (int i = 0; i < THINGS; i++) {
        int j = mixture_draw(m, i + 1);

        order[i] = order[j];
        order[j] = i;
    }
}

static void add_persona(struct mixture *m, enum split s)
{
    int order[THINGS];
    int facts = FACTS_MIN + mixture_draw(m, FACTS_MAX - FACTS_MIN + 1);
    int asked = mixture_draw(m, facts);
    const char *answer = NULL;
    struct text source = {0};

    text_put(&source, "persona:");
    draw_things(m, order);
    for (int i = 0; i < facts; i++) {
        const char *called = name[mixture_draw(m, NAMES)];

        text_format(&source, " i have a %s named %s.", thing[order[i]],
                    called);
        answer = i == asked ? called : answer;
    }
    text_format(&source, " you: what is the name of your %s?",
                thing[order[asked]]);
    mixture_add(m, s, 0, (struct item){
        .source = text_keep(&source, m->memory),
        .target = arena_format(m->memory, "my %s is named %s.",
                               thing[order[asked]], answer)});
}

static void make_persona(struct mixture *m)
{
    for (int s = 0; s < SPLITS; s++)
        while (mixture_wants(m, (enum split)s, 0))
            add_persona(m, (enum split)s);
}

/* ---- the task ---- */

enum { ALL = 1000000 };

const struct task task_personachat = {
    .name = "personachat",
    .title = "PersonaChat",
    .cite = "Table 3, dialogue",
    .source = "turns of a Battle for Wesnoth campaign, and generated personas",
    .generator = "the source in a fixed permutation",
    .official = "personachat/{train,valid,test}_self_original.txt",
    .recipe = &(const struct recipe){
        .subject = "replies, and a generator of personas",
        .needs = 1u << SOURCE_WESNOTH,
        .parts = (const struct part[]){
            {"wesnoth", 1, {ALL, ALL, ALL}, make_wesnoth, NULL},
            {"persona", 1, {3000, 200, 200}, make_persona, NULL},
            {.name = NULL}}},
    .cut = 1,
    .files = &(const struct official){.part = {
        {.corpus = "personachat", .split = {"train", "valid", "test"},
         .before = "persona", .source = "history", .target = "target"}}},
    .kind = TASK_TRANSDUCE,
    .metrics = NAMES("ce", "token_accuracy", "nlg_bleu1", "nlg_bleu4",
                     "nlg_rouge_l", "meteor", "nlg_cider", "bleu"),
    .generate = gen_permutation,
    .text = {3700, 250000},
};
