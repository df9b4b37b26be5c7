/*
 * labels: what text-to-text benchmarks look like to a model, without their
 * text.
 *
 *     source  <subtask> bag of symbols, eos
 *     target  <word of the class that leads>, eos
 *
 * Of `classes` words a subtask has (a score: 0.0 and 5.0; free text: two
 * names), symbol i is of class i mod `classes`.  Ids from ID_FIRST on are the
 * words, then the subtasks' symbols, then those of the bags.
 */
#include "harness/tasks/gen/gen.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"

#include <stdio.h>
#include <string.h>

enum {
    SEED = 2,
    WORDS = 64,
    CLASSES = 4,
    GROUP = 3,
    LENGTH_MIN = 6,
    SYMBOLS_MIN = 4,
    LENGTH_MAX = 1 << 20,
    PATIENCE = 1000000
};

static const char *const scores[] = {"0.0", "5.0", NULL};
static const char *const names[] = {"Karl", "Otto", NULL};

struct labels {
    const struct benchmark_subtask *of;
    const char *word[WORDS + 1];
    int words, subtasks, symbols, length;
};

static const char *const *words_of(const struct benchmark_subtask *t)
{
    return t->answer == ANSWER_SCORE  ? scores
           : t->answer == ANSWER_TEXT ? names
                                      : t->label;
}

static int find_word(const struct labels *g, const char *word)
{
    int i = 0;

    while (i < g->words && strcmp(g->word[i], word))
        i++;
    return i;
}

static void read_words(struct labels *g)
{
    for (; g->of[g->subtasks].name; g->subtasks++) {
        const char *const *w = words_of(&g->of[g->subtasks]);

        for (; *w; w++)
            if (find_word(g, *w) == g->words) {
                REQUIRE(g->words < WORDS, "more than %d labels", WORDS);
                g->word[g->words++] = *w;
            }
    }
}

/* The class of the bag that leads by one or more; -1: none. */
static int leader(const int *bag, int n, int classes)
{
    int count[CLASSES] = {0}, first = 0, ties = 0;

    for (int i = 0; i < n; i++)
        count[bag[i] % classes]++;
    for (int c = 1; c < classes; c++)
        first = count[c] > count[first] ? c : first;
    for (int c = 0; c < classes; c++)
        ties += count[c] == count[first];
    return ties == 1 ? first : -1;
}

/* 1: candidate `at` is an example of the split. */
static int draw(struct example *e, struct dataset *d, const struct labels *g,
                enum split s, uint64_t at)
{
    struct rng_key key = {SEED, RNG_DATA, 0, (uint64_t)s};
    size_t bytes = (size_t)g->length * sizeof(int);
    int *ids = arena_take(d->memory, bytes), bag = g->length - 2;
    int subtask = (int)(at / GROUP % (uint64_t)g->subtasks), classes = 0;
    const char *const *word = words_of(&g->of[subtask]);

    while (word[classes])
        classes++;
    for (int i = 0; i < bag; i++)
        ids[i + 1] = (int)rng_below(key, at * LENGTH_MAX + (uint64_t)i,
                                    (uint32_t)g->symbols);
    int class = leader(ids + 1, bag, classes);
    ids[0] = ID_FIRST + g->words + subtask;
    for (int i = 0; i < bag; i++)
        ids[i + 1] += ID_FIRST + g->words + g->subtasks;
    ids[g->length - 1] = ID_EOS;
    if (class < 0 || gen_split(hash_fnv1a(ids, bytes)) != s)
        return 0;
    int *target = arena_take(d->memory, 2 * sizeof *target);
    target[0] = ID_FIRST + find_word(g, word[class]);
    target[1] = ID_EOS;
    *e = (struct example){.source = ids, .nsource = g->length,
                          .target = target, .ntarget = 2, .words = 2,
                          .label = class, .text = word[class],
                          .subtask = subtask, .group = (int)(at / GROUP)};
    return 1;
}

static int fill(struct dataset *d, const struct labels *g, enum split s, int n)
{
    struct examples *e = &d->split[s];

    e->row = arena_take(d->memory, (size_t)n * sizeof *e->row);
    for (uint64_t at = 0; e->n < n; at++) {
        e->n += draw(&e->row[e->n], d, g, s, at);
        if (at > PATIENCE)
            return err_set(ERR_USAGE, "%s: length %d gives too few different "
                           "examples", d->source, g->length);
    }
    return OK;
}

int gen_labels(struct dataset *d, const struct task_opts *o,
               const struct benchmark_subtask *of)
{
    const int asked[SPLITS] = {o->train, o->valid, o->test};
    struct labels g = {.of = of, .length = o->length};
    int rc = OK;

    read_words(&g);
    g.symbols = o->vocab - ID_FIRST - g.words - g.subtasks;
    *d = (struct dataset){.kind = TASK_TRANSDUCE, .vocab = o->vocab, .N = o->N,
                          .synthetic = 1, .memory = arena_new()};
    snprintf(d->source, sizeof d->source, "generator: labels in words");
    TRY(gen_check(o));
    if (o->length < LENGTH_MIN || g.symbols < SYMBOLS_MIN)
        TRY(err_set(ERR_USAGE, "length %d is less than %d, or vocab %d less "
                    "than %d, which labels need", o->length, LENGTH_MIN,
                    o->vocab, o->vocab - g.symbols + SYMBOLS_MIN));
    const char **word = arena_take(d->memory, sizeof g.word);
    memcpy(word, g.word, sizeof g.word);
    d->words = word;
    const char **name =
        arena_zero(d->memory, (size_t)(g.subtasks + 1) * sizeof *name);
    for (int i = 0; i < g.subtasks; i++)
        name[i] = of[i].name;
    d->subtasks = name;
    for (int s = 0; s < SPLITS; s++)
        TRY(fill(d, &g, (enum split)s, asked[s] ? asked[s] : gen_examples[s]));
    dataset_seal(d);
out:
    if (rc < 0)
        dataset_close(d);
    return rc;
}
