/*
 * reference: the model-free baselines reference_pairs (reference.h).  They use
 * multinomial naive Bayes with add-one smoothing.  Up to a constant factor, the
 * probability of target c, given the features f of an example, is
 *
 *     p(c | example) = n(c) prod_f (n(f,c) + 1) / (n(.,c) + F)
 *
 * where n(c) is the number of training examples with target c, and n(f,c) the
 * number of times that feature f occurs in these examples.  n(.,c) is the sum
 * of n(f,c) over all f, and F the number of different features in training.
 * Other features are ignored, so an example without known features gets the
 * most frequent target.
 *
 * A label that the hypothesis or the overlap alone reveals requires no
 * inference (Poliak et al., *SEM 2018; Gururangan et al., NAACL 2018; McCoy et
 * al., ACL 2019).
 */
#include "harness/tasks/reference.h"

#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/data/sentence.h"
#include "harness/tasks/overlap.h"
#include "harness/tasks/sides.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- features ---- */

struct features {
    const struct reference *of;
    struct words word;      /* features of an example    */
    struct text lower;      /* text with these features  */
    struct map *number;     /* numbers of the words      */
    struct arena *source;   /* source text and word sets */
};

static void reader_end(struct features *r)
{
    words_free(&r->word);
    text_free(&r->lower);
    map_free(r->number);
    arena_free(r->source);
}

/* Sets the features to the words of a text in lower case, each a match of
 * \w+. */
static void read_words(struct features *r, struct slice text)
{
    const char *at, *word;
    size_t n;

    text_clear(&r->lower);
    text_lower(&r->lower, text.s, text.n);
    r->word.n = 0;
    for (at = r->lower.s; (word = sentence_word(&at, &n));)
        words_add(&r->word, word, n);
}

static void number_words(struct map *t, const struct words *w)
{
    for (size_t i = 0; i < w->n; i++)
        map_number(t, w->word[i].s, w->word[i].n);
}

static void read_hypothesis(struct features *r, const struct sides *s)
{
    read_words(r, s->hypothesis);
}

/* Sets the feature to the tenth that the overlap lies in, or to none if a text
 * has no words. */
static void read_overlap(struct features *r, const struct sides *s)
{
    static const char tenth[] = "0123456789";
    int of;

    map_clear(r->number);
    of = overlap_tenth(word_set_of(r->number, s->premise, r->source),
                       word_set_of(r->number, s->hypothesis, r->source));
    r->word.n = 0;
    if (of >= 0)
        words_add(&r->word, tenth + of, 1);
}

static void read_example(struct features *r, const struct dataset *d,
                         const struct examples *of, int i)
{
    if (!r->of->features)
        return;
    arena_reset(r->source);
    const struct example e = examples_row(of, i, r->source);
    struct sides s = sides_of(dataset_text(d, e.source, e.nsource, r->source));
    r->of->features(r, &s);
}

/* ---- naive Bayes ---- */

struct bayes { /* for one subtask */
    struct map *target, *feature;
    int classes;
    const char **text;  /* (classes)                          */
    double *score;      /* (classes), the target as a number;
                           NAN if it is not a number          */
    int *examples;      /* (classes), n(c)                    */
    int *all;           /* (classes), n(.,c)                  */
    int *count;         /* (features, classes), n(f,c)        */
    double *weight;     /* (classes), for the current example */
};

/* First pass: numbers the targets and the features. */
static void meet(struct bayes *b, const struct features *r, const char *target)
{
    map_number(b->target, target, strlen(target));
    number_words(b->feature, &r->word);
}

/* Second pass: counts the targets and the features. */
static void count(struct bayes *b, const struct features *r, const char *target)
{
    int c = map_find(b->target, target, strlen(target));

    b->text[c] = target;
    if (str_to_real(target, &b->score[c]))
        b->score[c] = NAN;
    b->examples[c]++;
    b->all[c] += (int)r->word.n;
    for (size_t i = 0; i < r->word.n; i++) {
        int f = map_find(b->feature, r->word.word[i].s, r->word.word[i].n);

        b->count[(ptrdiff_t)f * b->classes + c]++;
    }
}

static void pass(struct bayes *b, struct features *r, const struct dataset *d,
                 int subtask, void (*see)(struct bayes *b,
                                          const struct features *r,
                                          const char *target))
{
    const struct examples *train = &d->split[SPLIT_TRAIN];

    for (int i = 0; i < train->n; i++) {
        const struct example e = examples_row(train, i, NULL);

        if (e.subtask == subtask) {
            read_example(r, d, train, i);
            see(b, r, e.text);
        }
    }
}

static void learn(struct bayes *b, struct features *r, const struct dataset *d,
                  int subtask, struct arena *a)
{
    *b = (struct bayes){.target = map_of_copies(), .feature = map_of_copies()};
    pass(b, r, d, subtask, meet);
    size_t classes = (size_t)map_count(b->target);
    size_t features = (size_t)map_count(b->feature);
    b->classes = (int)classes;
    b->text = arena_zero(a, classes * sizeof *b->text);
    b->score = arena_zero(a, classes * sizeof *b->score);
    b->weight = arena_zero(a, classes * sizeof *b->weight);
    b->examples = arena_zero(a, classes * sizeof *b->examples);
    b->all = arena_zero(a, classes * sizeof *b->all);
    b->count = arena_zero(a, features * classes * sizeof *b->count);
    pass(b, r, d, subtask, count);
}

static void forget(struct bayes *b)
{
    map_free(b->target);
    map_free(b->feature);
}

/* Sets weight[c] to log p(c | example) up to a constant, and returns the class
 * with the greatest weight. */
static int weigh(const struct bayes *b, const struct features *r)
{
    int features = map_count(b->feature), best = 0;

    for (int c = 0; c < b->classes; c++)
        b->weight[c] = log(b->examples[c]);
    for (size_t i = 0; i < r->word.n; i++) {
        int f = map_find(b->feature, r->word.word[i].s, r->word.word[i].n);

        if (f < 0)
            continue;
        const int *n = b->count + (ptrdiff_t)f * b->classes;
        for (int c = 0; c < b->classes; c++)
            b->weight[c] += log((n[c] + 1.0) / (b->all[c] + features));
    }
    for (int c = 1; c < b->classes; c++)
        best = b->weight[c] > b->weight[best] ? c : best;
    return best;
}

/* Returns the most probable target or, if all targets are numbers, their mean
 * rounded to a multiple of 0.2, as T5 rounds scores (Raffel et al., JMLR
 * 2020). */
static const char *answer(const struct bayes *b, const struct features *r,
                          struct arena *a)
{
    double sum = 0, mean = 0;
    char text[16];

    if (!b->classes)
        return "";
    int best = weigh(b, r);
    for (int c = 0; c < b->classes; c++) {
        double p = exp(b->weight[c] - b->weight[best]);

        sum += p;
        mean += p * b->score[c];
    }
    if (isnan(mean))
        return b->text[best];
    snprintf(text, sizeof text, "%.1f", nearbyint(5 * mean / sum) / 5);
    return arena_text(a, text);
}

/* ---- the references ---- */

static int subtasks_of(const struct dataset *d)
{
    int n = 0;

    while (d->subtasks && d->subtasks[n])
        n++;
    return n ? n : 1;
}

static void answer_all(const struct reference *self, const char **out,
                       const struct dataset *d, struct arena *a)
{
    const struct examples *test = &d->split[SPLIT_TEST];
    OWNED(arena_free) struct arena *memory = arena_new();
    struct features r = {.of = self, .source = arena_new(),
                         .number = map_of_copies()};
    int n = subtasks_of(d);
    struct bayes *of = arena_take(memory, (size_t)n * sizeof *of);

    for (int s = 0; s < n; s++)
        learn(&of[s], &r, d, s, memory);
    for (int i = 0; i < test->n; i++) {
        int s = examples_row(test, i, NULL).subtask;

        while (s > 0 && !of[s].classes)
            s--;
        read_example(&r, d, test, i);
        out[i] = answer(&of[s], &r, a);
    }
    for (int s = 0; s < n; s++)
        forget(&of[s]);
    reader_end(&r);
}

const struct reference reference_pairs[] = {
    {"majority", "the most frequent target in training; of scores their mean",
     answer_all, NULL},
    {"hypothesis-only", "naive Bayes over the words of the second of two texts "
     "(the hypothesis, the question, the answer); elsewhere as majority",
     answer_all, read_hypothesis},
    {"overlap-only", "naive Bayes over the share of the shorter text's words "
     "that the other one has, in tenths; elsewhere as majority", answer_all,
     read_overlap},
    {.name = NULL},
};
