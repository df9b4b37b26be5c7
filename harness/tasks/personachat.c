/*
 * personachat: the reply of somebody whose persona is known.
 *
 *     wesnoth   source  persona: i am Nym. Kaleh: Have you seen the others?
 *               target  They are still at the keep.
 *     persona   source  persona: i have a dog named rex. i have a cat named
 *                       tom. you: what is the name of your dog?
 *               target  my dog is named rex.
 *
 * wesnoth: neighbouring turns of a scenario, of two speakers with names of
 * their own.  Whole scenarios, in the order of a hash of their names, are the
 * test set until it has 7 % of the turns, then the validation set likewise; one
 * with over 12 % of the turns is left for training.
 * persona: 3 to 5 facts, one of which is asked for; made by a generator.
 */
#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/base/str.h"
#include "harness/data/map.h"
#include "harness/tasks/gen.h"
#include "harness/tasks/official.h"
#include "harness/tasks/recipe.h"

#include <stdlib.h>
#include <string.h>

enum {
    SEED = 20210718,
    SHARE = 7, /* percent */
    LARGE = 12,
    FACTS_MIN = 3,
    FACTS_MAX = 5,
    SITE_ORDER = 64,
    SITE_DRAWS = 65
};

enum { WESNOTH, PERSONA };
static const char *const subtasks[] = {"wesnoth", "persona", NULL};

/* ---- Wesnoth ---- */

struct scenario { const char *name; int first, turns; };

static int by_hash(const void *a, const void *b)
{
    uint64_t x = hash_name(((const struct scenario *)a)->name);
    uint64_t y = hash_name(((const struct scenario *)b)->name);

    return (x > y) - (x < y);
}

/* Of a path: "01_The_Morning_After.cfg" */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The caller frees. */
static struct scenario *scenarios(const struct texts *t, int *n)
{
    struct scenario *all = malloc((size_t)(t->turns + 1) * sizeof *all);

    REQUIRE(all, "out of memory");
    *n = 0;
    for (int i = 0; i < t->turns; i++) {
        const char *name = base_name(t->turn[i].scenario);

        if (!*n || strcmp(all[*n - 1].name, name))
            all[(*n)++] = (struct scenario){name, i, 0};
        all[*n - 1].turns++;
    }
    qsort(all, (size_t)*n, sizeof *all, by_hash);
    return all;
}

static const char *in_arena(struct arena *a, char *s)
{
    const char *kept = arena_text(a, s);

    free(s);
    return kept;
}

/* Not the narrator, nor whoever stands there. */
static int is_person(const char *speaker)
{
    return strcmp(speaker, "narrator") && strcmp(speaker, "unit") &&
           strcmp(speaker, "second_unit") && !strchr(speaker, '$');
}

static void add_pair(struct items *out, const struct texts *t, int i,
                     struct map *seen)
{
    const struct turn *one = &t->turn[i], *two = one + 1;

    if (!strcmp(one->speaker, two->speaker) || !is_person(one->speaker) ||
        !is_person(two->speaker))
        return;
    const char *source =
        in_arena(t->memory, str_format("persona: i am %s. %s: %s",
                                       two->speaker, one->speaker, one->text));
    if (map_add(seen, source, 0))
        items_add(out, (struct item){.source = source, .target = two->text,
                                     .subtask = WESNOTH});
}

/* done: turns that each split has. */
static enum split split_of(const struct scenario *x, const int done[SPLITS],
                           int all)
{
    if (100 * x->turns > LARGE * all)
        return SPLIT_TRAIN;
    if (100 * done[SPLIT_TEST] < SHARE * all)
        return SPLIT_TEST;
    return 100 * done[SPLIT_VALID] < SHARE * all ? SPLIT_VALID : SPLIT_TRAIN;
}

static void gather_wesnoth(struct items out[SPLITS], const struct texts *t)
{
    struct map *seen = map_new();
    int n, done[SPLITS] = {0};
    struct scenario *all = scenarios(t, &n);

    for (int k = 0; k < n; k++) {
        enum split s = split_of(&all[k], done, t->turns);

        for (int i = 0; i + 1 < all[k].turns; i++)
            add_pair(&out[s], t, all[k].first + i, seen);
        done[s] += all[k].turns;
    }
    free(all);
    map_free(seen);
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

static struct item persona(uint64_t index, struct arena *a)
{
    struct rng_key key = {SEED, RNG_DATA, (uint32_t)index, SITE_DRAWS};
    struct rng_key shuffle = {SEED, RNG_DATA, (uint32_t)index, SITE_ORDER};
    char *source = str_copy("persona:");
    uint64_t at = 0;
    int order[THINGS];

    rng_shuffle(shuffle, THINGS, order);
    int facts = FACTS_MIN +
                (int)rng_below(key, at++, FACTS_MAX - FACTS_MIN + 1);
    int asked = (int)rng_below(key, at++, (uint32_t)facts);
    const char *answer = NULL;
    for (int i = 0; i < facts; i++) {
        const char *called = name[rng_below(key, at++, NAMES)];
        char *longer = str_format("%s i have a %s named %s.", source,
                                  thing[order[i]], called);

        free(source);
        source = longer;
        answer = i == asked ? called : answer;
    }
    char *whole = str_format("%s you: what is the name of your %s?", source,
                             thing[order[asked]]);
    free(source);
    return (struct item){.source = in_arena(a, whole),
                         .target = in_arena(a, str_format("my %s is named %s.",
                                                          thing[order[asked]],
                                                          answer)),
                         .subtask = PERSONA};
}

static void gather_personas(struct items out[SPLITS], const struct texts *t)
{
    static const int most[SPLITS] = {3000, 200, 200};
    struct map *seen = map_new();
    uint64_t index = 0;

    for (int s = 0; s < SPLITS; s++)
        for (int n = 0; n < most[s]; index++) {
            struct item it = persona(index, t->memory);

            if (map_add(seen, it.source, 0)) {
                items_add(&out[s], it);
                n++;
            }
        }
    map_free(seen);
}

/* ---- both ---- */

static void gather(struct items out[SPLITS], const struct texts *t)
{
    gather_wesnoth(out, t);
    gather_personas(out, t);
    for (int s = 0; s < SPLITS; s++)
        items_shuffle(&out[s], split_name[s]);
}

static int open_task(struct dataset *out, const struct task_opts *o)
{
    static const struct recipe recipe = {.name = "personachat",
                                         .subject = "replies, and a generator "
                                                    "of personas",
                                         .needs = 1u << SOURCE_WESNOTH,
                                         .kind = TASK_TRANSDUCE,
                                         .cut = 1,
                                         .subtasks = subtasks,
                                         .gather = gather};

    return o->synthetic ? gen_permutation(out, o)
                        : recipe_open(out, &recipe, o);
}

static const char *const metrics[] = {
    "ce",          "token_accuracy", "nlg_bleu1", "nlg_bleu4",
    "nlg_rouge_l", "meteor",         "nlg_cider", "bleu",
    NULL};

extern const struct corpus corpus_personachat;

static const struct official files = {
    .corpus = &corpus_personachat, .split = {"train", "valid", "test"},
    .before = "persona", .source = "history", .target = "target", .cut = 1};

const struct task task_personachat = {
    .name = "personachat",
    .title = "PersonaChat",
    .cite = "Table 3, dialogue",
    .source = "turns of a Battle for Wesnoth campaign, and generated personas",
    .generator = "the source in a fixed order of positions",
    .official = "personachat/{train,valid,test}_self_original.txt",
    .files = &files,
    .kind = TASK_TRANSDUCE,
    .metrics = metrics,
    .open = open_task,
    .text = {3700, 250000},
};
