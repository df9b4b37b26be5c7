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
#include "harness/tasks/gen/law.h"

#include <math.h>
#include <string.h>

enum {
    SEED = 2,
    WORDS = 64,
    CLASSES = 4,
    GROUP = 3,
    LENGTH_MIN = 6,
    SYMBOLS_MIN = 4
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

static void begin(void *self, struct dataset *d, const struct task_opts *o)
{
    struct labels *me = self;
    const char **name = arena_zero(d->memory, (size_t)(me->subtasks + 1) *
                                                  sizeof *name);

    (void)o;
    for (int i = 0; i < me->subtasks; i++)
        name[i] = me->of[i].name;
    d->subtasks = name;
    d->words = me->word;
    d->floor = 0;
}

static void draw(const void *self, struct draw *r, struct drawn *out)
{
    const struct labels *me = self;
    int bag = me->length - 2, *ids = out->source + 1, classes = 0;

    out->group = draw_index(r) / GROUP;
    out->subtask = out->group % me->subtasks;
    const char *const *word = words_of(&me->of[out->subtask]);
    while (word[classes])
        classes++;
    for (int i = 0; i < bag; i++)
        ids[i] = draw_below(r, me->symbols);
    out->label = leader(ids, bag, classes);
    if (out->label < 0)
        return;
    out->source[0] = ID_FIRST + me->words + out->subtask;
    for (int i = 0; i < bag; i++)
        ids[i] += ID_FIRST + me->words + me->subtasks;
    ids[bag] = out->target[1] = ID_EOS;
    out->text = word[out->label];
    out->target[0] = ID_FIRST + find_word(me, out->text);
    out->nsource = me->length;
    out->ntarget = 2;
}

int gen_labels(struct dataset *d, const struct task_opts *o,
               const struct benchmark_subtask *of)
{
    struct labels g = {.of = of, .length = o->length};
    const struct law law = {.seed = SEED, .size = sizeof g, .from = &g,
                            .begin = begin, .draw = draw};
    const struct task task = {.kind = TASK_TRANSDUCE, .law = &law,
                              .generator = "labels in words"};

    read_words(&g);
    g.symbols = o->vocab - ID_FIRST - g.words - g.subtasks;
    *d = (struct dataset){.floor = NAN};
    if (o->length < LENGTH_MIN || g.symbols < SYMBOLS_MIN)
        return err_set(ERR_USAGE, "length %d is less than %d, or vocab %d less "
                       "than %d, which labels need", o->length, LENGTH_MIN,
                       o->vocab, o->vocab - g.symbols + SYMBOLS_MIN);
    return law_open(d, &task, o);
}
