/*
 * gen_labels: generates examples in the form of a text-to-text benchmark, for
 * the smoke scale of the tasks that have a benchmark.
 *
 *     source  <subtask> bag of symbols, eos
 *     target  <word of the class that leads>, eos
 *
 * The words of a subtask, one per class, are its labels; if its answers are
 * scores, the words are 0.0 and 5.0; if its answers are free text, the words
 * are two names.  Symbol i belongs to class i mod the number of classes.  The
 * class that leads has the most symbols in the bag.  The ids from ID_FIRST on
 * are the words, then the symbols of the subtasks, then those of the bags.
 */
#include "harness/tasks/gen/gen.h"

#include "harness/base/err.h"
#include "harness/tasks/gen/law.h"

#include <string.h>

enum {
    SEED = 2,
    WORDS = 64,
    GROUP = 3,
    LENGTH_MIN = 6,
    SYMBOLS_MIN = 4
};

static const char *const scores[] = {"0.0", "5.0", NULL};
static const char *const names[] = {"Karl", "Otto", NULL};

struct labels {
    const struct benchmark_subtask *of;
    const char *word[WORDS + 1];
    int words, subtasks;
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

static void begin(void *self, struct dataset *d, const struct task_opts *o)
{
    struct labels *me = self;

    (void)o;
    d->subtasks = names_of(me->of, sizeof *me->of, d->memory);
    d->words = me->word;
}

static void draw_example(struct draw *r, struct drawn *out)
{
    const struct labels *me = draw_self(r);
    int bag = draw_opts(r)->length - 2, *ids = out->source + 1, classes = 0;
    int others = me->words + me->subtasks;
    int symbols = draw_opts(r)->vocab - ID_FIRST - others;

    out->group = draw_index(r) / GROUP;
    out->subtask = out->group % me->subtasks;
    const char *const *word = words_of(&me->of[out->subtask]);
    while (word[classes])
        classes++;
    for (int i = 0; i < bag; i++)
        ids[i] = ID_FIRST + draw_below(r, symbols);
    out->label = gen_leader(ids, bag, classes, 1);
    if (out->label < 0)
        return;
    out->source[0] = ID_FIRST + me->words + out->subtask;
    for (int i = 0; i < bag; i++)
        ids[i] += others;
    ids[bag] = out->target[1] = ID_EOS;
    out->text = word[out->label];
    out->target[0] = ID_FIRST + find_word(me, out->text);
    out->nsource = bag + 2;
    out->ntarget = 2;
}

int gen_labels(struct dataset *d, const struct task_opts *o,
               const struct benchmark_subtask *of)
{
    struct labels g = {.of = of};

    read_words(&g);
    const struct law law = {
        .seed = SEED, .size = sizeof g, .from = &g, .length = LENGTH_MIN,
        .vocab = ID_FIRST + g.words + g.subtasks + SYMBOLS_MIN,
        .begin = begin, .draw = draw_example};
    const struct task task = {.kind = TASK_TRANSDUCE, .law = &law,
                              .generator = "labels in words"};

    return law_open(d, &task, o);
}
