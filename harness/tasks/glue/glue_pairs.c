#include "harness/tasks/glue/deal.h"
#include "harness/tasks/glue/glue_parts.h"

#include "harness/base/arena.h"
#include "harness/base/map.h"
#include "harness/base/text.h"
#include "harness/data/sentence.h"

#include <math.h>
#include <string.h>

enum { TOKENS_MIN = 5, TOKENS_MAX = 20, WORDS = 40 };

static int is_short(const char *text)
{
    int n = sentence_tokens(text);

    return n >= TOKENS_MIN && n <= TOKENS_MAX;
}

/* ---- cola ---- */

struct sentence { int n; const char *word[WORDS + 1]; };

/* Splits `text` into words.  Returns 0 if there are more than WORDS, else 1. */
static int split(struct sentence *w, const char *text, struct arena *a)
{
    w->n = 0;
    for (char *s = strtok(arena_text(a, text), " "); s; s = strtok(NULL, " ")) {
        if (w->n == WORDS)
            return 0;
        w->word[w->n++] = s;
    }
    return 1;
}

static int swap_words(struct sentence *w, int at)
{
    const char *word = w->word[at];

    if (at + 1 >= w->n || !strcmp(word, w->word[at + 1]))
        return 0;
    w->word[at] = w->word[at + 1];
    w->word[at + 1] = word;
    return 1;
}

static int is_function(const char *word)
{
    return names_index(NAMES("the", "a", "an", "of", "to", "in", "for", "and",
                             "with", "from", "by", "on"), word) >= 0;
}

static int lose_word(struct sentence *w, int at)
{
    if (!is_function(w->word[at]))
        return 0;
    memmove(w->word + at, w->word + at + 1,
            (size_t)(--w->n - at) * sizeof *w->word);
    return 1;
}

static int double_word(struct sentence *w, int at)
{
    if (!is_function(w->word[at]))
        return 0;
    memmove(w->word + at + 1, w->word + at,
            (size_t)(w->n++ - at) * sizeof *w->word);
    return 1;
}

static int change_number(struct sentence *w, int at)
{
    static const char *const verb[][2] = {
        {"is", "are"},           {"was", "were"},   {"has", "have"},
        {"provides", "provide"}, {"uses", "use"},   {"contains", "contain"},
        {"allows", "allow"},     {"supports", "support"}};

    for (size_t i = 0; i < sizeof verb / sizeof *verb; i++)
        for (int k = 0; k < 2; k++)
            if (!strcmp(w->word[at], verb[i][k])) {
                w->word[at] = verb[i][1 - k];
                return 1;
            }
    return 0;
}

/* Returns the text with a fault of a random kind, at the first word that allows
 * it.  The search begins at a random word and continues at the beginning.
 * Returns NULL if no word allows it or if the text has too many words. */
static const char *corrupted(struct mixture *m, const char *text)
{
    static int (*const fault[])(struct sentence *w, int at) = {
        swap_words, lose_word, double_word, change_number};
    struct sentence w;
    int done = 0;

    if (!split(&w, text, m->memory))
        return NULL;
    int (*spoil)(struct sentence *, int) = fault[mixture_draw(m, 4)];
    for (int i = 0, n = w.n, from = mixture_draw(m, n); i < n && !done; i++)
        done = spoil(&w, (from + i) % n);
    char *out = arena_zero(m->memory, strlen(text) + 16), *end = out;
    for (int i = 0; i < w.n; i++)
        end = stpcpy(stpcpy(end, i ? " " : ""), w.word[i]);
    return done ? out : NULL;
}

void each_cola(struct mixture *m, const struct passage *p)
{
    int good = mixture_draw(m, 2);

    if (!p->n || !mixture_wants(m, p->split, good) || !is_short(p->sentence[0]))
        return;
    const char *text = good ? p->sentence[0] : corrupted(m, p->sentence[0]);
    if (text)
        mixture_add(m, p->split, good, 0,
                    mixture_text(m, "cola", "sentence", text, NULL),
                    good ? "acceptable" : "unacceptable");
}

/* ---- sst2 ---- */

void make_sst2(struct mixture *m)
{
    const struct texts *t = m->texts;

    for (int i = 0; i < t->opinions; i++) {
        const struct opinion *o = &t->opinion[i];

        if (o->film && *o->text)
            mixture_add(m, ddtp_split(o->text, MIXTURE_VALID, MIXTURE_TEST),
                        o->label, 0,
                        mixture_text(m, "sst2", "sentence", o->text, NULL),
                        o->label ? "positive" : "negative");
    }
}

/* ---- mrpc, qqp ---- */

struct matches { /* `half`, 0 or 1: the half of the source packages that the
                    task uses */
    int half;
    const char *prefix, *one, *two, *target[2];
};

/* Two pairs are combined only if their texts share less than ALIKE tenths of
 * their words, because similar packages often have the same description. */
enum { ALIKE = 5 };

static int unlike(const struct pair *a, const struct pair *b)
{
    return overlap_tenth(a->premise.words, b->premise.words) < ALIKE &&
           overlap_tenth(a->hypothesis->words, b->hypothesis->words) < ALIKE;
}

static void add_match(struct mixture *m, const struct pair *premise,
                      const char *hypothesis, int same)
{
    const struct matches *x = m->part->of;

    mixture_add(m, premise->split, same, 0,
                mixture_text(m, x->prefix, x->one, premise->premise.text,
                             x->two, hypothesis, NULL),
                x->target[same]);
}

static void add_matches(struct mixture *m, const struct pair *const two[2],
                        const char *const h[2])
{
    deal_four(m, two, h, add_match);
}

void make_match(struct mixture *m)
{
    static const struct dealing how = {unlike, add_matches};
    const struct matches *x = m->part->of;
    OWNED(map_free) struct map *seen = map_new(), *section = map_new();
    struct pair *all = arena_take(m->memory, ((size_t)m->n + 1) * sizeof *all);
    int n = 0;

    for (int i = x->half; i < m->n; i += 2) {
        const struct passage *p = &m->passage[i];
        const char *of = p->entry->section;

        if (!of || !p->n || !is_short(p->sentence[0]) ||
            !map_add(seen, p->sentence[0], 0) ||
            !map_add(seen, p->entry->english.summary, 0))
            continue;
        all[n] = deal_pair(m, p, p->entry->english.summary, p->sentence[0]);
        all[n++].key = map_number(section, of, strlen(of));
    }
    deal_pairs(m, &how, all, n); /* first within a section */
    for (int i = 0; i < n; i++)
        all[i].key = 0;
    deal_pairs(m, &how, all, n);
}

const struct matches match_mrpc = {0, "mrpc", "sentence1", "sentence2",
                             {"not_equivalent", "equivalent"}};
const struct matches match_qqp = {1, "qqp", "question1", "question2",
                            {"not_duplicate", "duplicate"}};

/* ---- stsb ---- */

enum { TAGS = 64 };

struct tags { int n; struct slice tag[TAGS]; };

/* Returns 1 if the tag is a placeholder for a tag still to be chosen. */
static int is_open(const char *s, size_t n)
{
    static const char mark[] = "::TO" "DO";

    return n >= sizeof mark - 1 &&
           !memcmp(s + n - (sizeof mark - 1), mark, sizeof mark - 1);
}

/* Reads all tags except placeholders and the kind of package (role::). */
static void read_tags(struct tags *t, const char *s)
{
    static const char between[] = ", \n\t";

    t->n = 0;
    for (s += strspn(s, between); *s && t->n < TAGS; s += strspn(s, between)) {
        size_t n = strcspn(s, between);

        if (strncmp(s, "role::", 6) && !is_open(s, n))
            t->tag[t->n++] = (struct slice){s, n};
        s += n;
    }
}

static double similarity(const struct tags *a, const struct tags *b)
{
    int both = 0;

    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++)
            both += slice_equal(a->tag[i], b->tag[j]);
    return 5.0 * both / (a->n + b->n - both);
}

/* The short description of a package.  The similarity of two descriptions is
 * defined as the similarity of the tags of their packages. */
struct summary {
    const struct passage *p;
    struct wording text;
    struct tags tags;
    int key, taken; /* `key` combines split and section */
};

/* Scores of at least HIGH are one class, lower scores the other.  Two similar
 * texts are paired only if the tenth of their overlap is at most FEW; LOOKS is
 * the number of candidates examined for each text. */
enum { FEW = 2, LOOKS = 200 };
static const double HIGH = 2.5;

static int is_high(const struct summary *a, const struct summary *b)
{
    return similarity(&a->tags, &b->tags) >= HIGH;
}

static int goes_with(const struct summary *a, const struct summary *b)
{
    return !b->taken && b->key == a->key && is_high(a, b) &&
           overlap_tenth(a->text.words, b->text.words) <= FEW;
}

/* Sets `all` to the short descriptions of the packages that have tags and a
 * suitable first sentence, each description once.  Returns their number. */
static int find_summaries(struct mixture *m, struct summary *all)
{
    OWNED(map_free) struct map *seen = map_new(), *section = map_new();
    int n = 0;

    for (int i = 0; i < m->n; i++) {
        const struct passage *p = &m->passage[i];
        const char *text = p->entry->english.summary, *of = p->entry->section;

        if (!p->entry->tags || !of || !p->n || !is_short(p->sentence[0]))
            continue;
        all[n] = (struct summary){.p = p, .text = deal_wording(m, text)};
        read_tags(&all[n].tags, p->entry->tags);
        all[n].key = SPLITS * map_number(section, of, strlen(of)) + p->split;
        n += all[n].tags.n && map_add(seen, text, 0);
    }
    return n;
}

static const struct summary *const *both_of(const struct pair *p)
{
    return p->of;
}

static int unlike_by_tags(const struct pair *a, const struct pair *b)
{
    const struct summary *const *x = both_of(a), *const *y = both_of(b);

    return !is_high(x[0], y[1]) && !is_high(y[0], x[1]);
}

/* Adds a pair; scores are rounded to multiples of 0.2. */
static void add_score(struct mixture *m, const struct summary *a,
                      const struct summary *b)
{
    double score = similarity(&a->tags, &b->tags);

    mixture_add(m, a->p->split, score >= HIGH, 0,
                mixture_text(m, "stsb", "sentence1", a->text.text, "sentence2",
                             b->text.text, NULL),
                arena_format(m->memory, "%.1f", nearbyint(score * 5) / 5));
}

static void add_scores(struct mixture *m, const struct pair *const two[2],
                       const char *const h[2])
{
    (void)h;
    for (int k = 0; k < 4; k++)
        add_score(m, both_of(two[k / 2])[0], both_of(two[k % 2])[1]);
}

static struct pair similar_pair(struct mixture *m, struct summary *a,
                                struct summary *b)
{
    const struct summary **both = arena_take(m->memory, 2 * sizeof *both);

    both[0] = a;
    both[1] = b;
    a->taken = b->taken = 1;
    return (struct pair){.split = a->p->split, .class = 1,
                         .premise = a->text, .hypothesis = &b->text,
                         .wordings = 1, .of = both};
}

void make_stsb(struct mixture *m)
{
    static const struct dealing how = {unlike_by_tags, add_scores};
    struct summary *x =
        arena_take(m->memory, ((size_t)m->n + 1) * sizeof *x);
    int summaries = find_summaries(m, x), n = 0;
    struct pair *all = arena_take(m->memory, ((size_t)m->n + 1) * sizeof *all);

    for (int i = 0; i < summaries; i++)
        for (int j = i + 1, looks = 0;
             j < summaries && !x[i].taken && looks < LOOKS; j++) {
            looks += x[j].key == x[i].key;
            if (goes_with(&x[i], &x[j]))
                all[n++] = similar_pair(m, &x[i], &x[j]);
        }
    deal_pairs(m, &how, all, n);
}
