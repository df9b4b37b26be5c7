#include "harness/tasks/glue/deal.h"
#include "harness/tasks/glue/glue_parts.h"

#include "harness/base/arena.h"
#include "harness/base/map.h"
#include "harness/base/text.h"
#include "harness/data/sentence.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- copa ---- */

/* Returns 1 if `s` has a length at which three sentences usually fit in 64
 * pieces. */
static int is_choice(const char *s)
{
    int n = sentence_tokens(s);

    return n >= 4 && n <= 10;
}

/* Returns the sentences that occur more than once: such a sentence could follow
 * any other. */
static struct map *common_sentences(const struct mixture *m)
{
    OWNED(map_free) struct map *seen = map_new();
    struct map *common = map_new();

    for (int i = 0; i < m->n; i++)
        for (int k = 0; k < m->passage[i].n; k++)
            if (!map_add(seen, m->passage[i].sentence[k], 0))
                map_add(common, m->passage[i].sentence[k], 1);
    return common;
}

/* Returns 1 if the pairs are from different packages.  Then the hypothesis of
 * one pair is unrelated to the premise of the other. */
static int is_elsewhere(const struct pair *a, const struct pair *b)
{
    return a->of != b->of;
}

/* Adds one example for each premise; both examples have the same two choices in
 * the same order. */
static void add_copa(struct mixture *m, const struct pair *const two[2],
                     const char *const h[2])
{
    int first = mixture_draw(m, 2);

    for (int k = 0; k < 2; k++) {
        int second = k != first;

        mixture_add(m, two[k]->split, second, 0,
                    mixture_text(m, "copa", "choice1", h[first], "choice2",
                                 h[!first], "premise", two[k]->premise.text,
                                 "question", two[k]->key ? "effect" : "cause",
                                 NULL),
                    second ? "choice2" : "choice1");
    }
}

/* Returns 1 if sentences k and k + 1 are short and occur nowhere else. */
static int are_choices(const struct passage *p, int k, const struct map *common)
{
    for (int i = k; i < k + 2; i++)
        if (!is_choice(p->sentence[i]) || map_get(common, p->sentence[i], 0))
            return 0;
    return 1;
}

/* Makes two pairs of any two suitable neighbouring sentences: a question for
 * the effect of the first, and a question for the cause of the second. */
void make_copa(struct mixture *m)
{
    static const struct dealing how = {is_elsewhere, add_copa};
    OWNED(map_free) struct map *common = common_sentences(m);
    size_t most = (size_t)m->n * 2 * PASSAGE_SENTENCES + 1;
    struct pair *all = arena_take(m->memory, most * sizeof *all);
    int n = 0;

    for (int i = 0; i < m->n; i++) {
        const struct passage *p = &m->passage[i];

        for (int k = 0; k + 1 < p->n; k++)
            for (int effect = 0; effect < 2 && are_choices(p, k, common);
                 effect++) {
                all[n] = deal_pair(m, p, p->sentence[k + !effect],
                                   p->sentence[k + effect]);
                all[n++].key = effect;
            }
    }
    deal_pairs(m, &how, all, n);
}

/* ---- record ---- */

enum { NAMES_MIN = 3, NAMES_MAX = 8, QUERY_MAX = 30, TEXT_MAX = 80 };

/* Returns the next name at or after *s, and advances *s beyond it.  A name is a
 * word that begins with a capital and does not begin a sentence.  If there is
 * none, n of the result is 0. */
static struct slice next_name(const char **s, const char *text)
{
    while (**s) {
        const char *word = *s + strcspn(*s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        size_t n = 0;

        while (isalnum((unsigned char)word[n]) || word[n] == '-')
            n++;
        *s = word + n;
        if (n > 1 && word > text && word[-1] == ' ' && word[-2] != '.')
            return (struct slice){word, n};
    }
    return (struct slice){*s, 0};
}

static int add_name(struct slice all[NAMES_MAX], int n, struct slice x)
{
    for (int i = 0; i < n; i++)
        if (slice_equal(all[i], x))
            return n;
    if (n < NAMES_MAX)
        all[n++] = x;
    return n;
}

static int by_letters(const void *a, const void *b)
{
    const struct slice *x = a, *y = b;
    int c = memcmp(x->s, y->s, x->n < y->n ? x->n : y->n);

    return c ? c : (x->n > y->n) - (x->n < y->n);
}

/* Returns the slices joined by ", ". */
static const char *listed(const struct slice *all, int n, struct arena *a)
{
    struct text out = {0};

    for (int i = 0; i < n; i++)
        text_format(&out, "%s%.*s", i ? ", " : "", (int)all[i].n, all[i].s);
    return text_keep(&out, a);
}

/* Returns the query with @placeholder in place of the name `at`, a slice of the
 * query. */
static const char *cloze(const char *query, struct slice at, struct arena *a)
{
    return arena_format(a, "%.*s@placeholder%s", (int)(at.s - query), query,
                        at.s + at.n);
}

static const char *text_of(const struct passage *p, struct arena *a)
{
    struct text out = {0};

    for (int i = 0; i + 1 < p->n; i++)
        text_format(&out, "%s%s", i ? " " : "", p->sentence[i]);
    return text_keep(&out, a);
}

struct names { int n; struct slice *name; };

/* Adds a question for the name `answer` in the last sentence of p.  The names
 * in `of` are sorted alphabetically, so that their order does not reveal the
 * answer.  A name is the answer at most once per split, so that no constant
 * guess is often correct. */
static void add_cloze(struct mixture *m, const struct passage *p,
                      struct slice answer, struct names of, const char *text)
{
    const char *query = p->sentence[p->n - 1];
    const char *target = listed(&answer, 1, m->memory);
    const char *key = arena_format(m->memory, "%s %s", split_name[p->split],
                                   target);

    if (!map_add(m->seen, key, 0))
        return;
    qsort(of.name, (size_t)of.n, sizeof *of.name, by_letters);
    mixture_add(m, p->split, 0, 0,
                mixture_text(m, "record", "query",
                             cloze(query, answer, m->memory), "entities",
                             listed(of.name, of.n, m->memory), "passage", text,
                             NULL),
                target);
}

void each_record(struct mixture *m, const struct passage *p)
{
    struct slice all[NAMES_MAX];
    int n = 0;

    if (p->n < 2 || !mixture_wants(m, p->split, 0))
        return;
    const char *text = text_of(p, m->memory), *query = p->sentence[p->n - 1];
    if (sentence_tokens(text) > TEXT_MAX || sentence_tokens(query) > QUERY_MAX)
        return;
    struct slice x;
    for (const char *s = text; (x = next_name(&s, text)).n;)
        n = add_name(all, n, x);
    for (const char *s = query; n >= NAMES_MIN && (x = next_name(&s, query)).n;)
        if (n < NAMES_MAX && add_name(all, n, x) == n) {
            add_cloze(m, p, x, (struct names){n, all}, text);
            return;
        }
}

/* ---- wic ---- */

/* Orders usages by a hash of the word, so that the words come in random instead
 * of alphabetical order. */
static int by_word(const void *a, const void *b)
{
    const struct usage *x = *(const struct usage *const *)a;
    const struct usage *y = *(const struct usage *const *)b;
    uint64_t h = hash_name(x->word), k = hash_name(y->word);
    int c = h == k ? strcmp(x->word, y->word) : h > k ? 1 : -1;

    c = c ? c : strcmp(x->part, y->part);
    return c ? c : (x > y) - (x < y);
}

static int same_word(const struct usage *x, const struct usage *y)
{
    return !strcmp(x->word, y->word) && !strcmp(x->part, y->part);
}

static int is_usable(const struct usage *u)
{
    int n = sentence_tokens(u->example);

    return !strchr(u->word, ' ') && n >= 4 && n <= 13;
}

enum { TRIPLES = 3 }; /* maximum number of triples per word */

/* Three example sentences of a word: it has one meaning in `same` and `second`,
 * and another in `other`.  A triple yields one example of each class, with
 * `same` or `other` as sentence 1 and `second` as sentence 2.  The overlaps of
 * `second` with both lie in the same tenth (tasks/overlap.h). */
struct triple { const struct usage *same, *other, *second; };

static int is_triple(struct mixture *m, const struct triple *x)
{
    struct word_set of[3] = {deal_wording(m, x->same->example).words,
                             deal_wording(m, x->other->example).words,
                             deal_wording(m, x->second->example).words};

    return strcmp(x->same->example, x->second->example) &&
           strcmp(x->other->example, x->second->example) &&
           strcmp(x->other->example, x->same->example) &&
           overlap_tenth(of[0], of[2]) == overlap_tenth(of[1], of[2]);
}

/* Completes the triple x, given x->second, by the first suitable examples of
 * the n in u.  Returns 1 on success, else 0. */
static int find_triple(struct mixture *m, struct triple *x,
                       const struct usage *const *u, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            x->same = u[i];
            x->other = u[j];
            if (x->same->meaning == x->second->meaning &&
                x->other->meaning != x->second->meaning && is_triple(m, x))
                return 1;
        }
    return 0;
}

static void add_triple(struct mixture *m, enum split s, const struct triple *x)
{
    for (int same = 0; same < 2; same++)
        mixture_add(m, s, same, 0,
                    mixture_text(m, "wic", "sentence1",
                                 (same ? x->same : x->other)->example,
                                 "sentence2", x->second->example, "word",
                                 x->second->word, NULL),
                    same ? "True" : "False");
}

/* Adds up to TRIPLES triples of one word, whose n examples are u. */
static void add_word(struct mixture *m, const struct usage *const *u, int n)
{
    enum split s = ddtp_split(u[0]->word, MIXTURE_VALID, MIXTURE_TEST);

    for (int k = 0, done = 0; k < n && done < TRIPLES; k++) {
        struct triple x = {.second = u[k]};

        if (mixture_wants(m, s, 0) && find_triple(m, &x, u, n)) {
            add_triple(m, s, &x);
            done++;
        }
    }
}

void make_wic(struct mixture *m)
{
    const struct texts *t = m->texts;
    const struct usage **u = arena_take(m->memory, ((size_t)t->usages + 1) *
                                                       sizeof *u);
    int n = 0, of;

    for (int i = 0; i < t->usages; i++)
        if (is_usable(&t->usage[i]))
            u[n++] = &t->usage[i];
    qsort(u, (size_t)n, sizeof *u, by_word);
    for (int i = 0; i < n; i += of) {
        for (of = 1; i + of < n && same_word(u[i], u[i + of]); of++)
            ;
        add_word(m, u + i, of);
    }
}
