#include "harness/metrics/rouge/rouge.h"

#include "harness/base/arena.h"
#include "harness/base/map.h"
#include "harness/base/text.h"
#include "harness/metrics/ints.h"
#include "harness/metrics/lcs.h"
#include "harness/metrics/ngram.h"
#include "harness/metrics/stem.h"

#include <stdlib.h>
#include <string.h>

struct side {
    struct text  words; /* joined by blanks */
    struct ints  word;  /* number of each word */
    struct ints  end;   /* of each sentence: index of the word after it */
    struct ints  gram;  /* numbers of n-grams, sorted */
};

struct rouge {
    int            stem, periods;
    const char    *separator; /* or NULL */
    struct map    *grams;
    struct arena  *scratch;
    struct side    hyp, ref;
};

struct rouge *rouge_new(int stem, int periods, const char *separator)
{
    struct rouge *r = malloc(sizeof *r);

    *r = (struct rouge){.stem = stem, .periods = periods,
                        .separator = separator && *separator ? separator : NULL,
                        .grams = map_of_copies(), .scratch = arena_new()};
    return r;
}

static void side_free(struct side *s)
{
    text_free(&s->words);
    ints_free(&s->word);
    ints_free(&s->end);
    ints_free(&s->gram);
}

void rouge_free(struct rouge *r)
{
    if (!r)
        return;
    side_free(&r->hyp);
    side_free(&r->ref);
    arena_free(r->scratch);
    map_free(r->grams);
    free(r);
}

/* If `s` begins with a digit or with a letter whose lower case is a-z, returns
 * the digit or the lower-case letter, and sets *bytes to its length in `s`;
 * otherwise returns 0.  Outside ASCII, the only such letters are the dotted
 * capital I and the Kelvin sign. */
static char letter(const char *s, size_t *bytes)
{
    *bytes = 1;
    if ((*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9'))
        return *s;
    if (*s >= 'A' && *s <= 'Z')
        return (char)(*s - 'A' + 'a');
    if (!strncmp(s, "\u0130", 2)) {
        *bytes = 2;
        return 'i';
    }
    if (!strncmp(s, "\u212A", 3)) {
        *bytes = 3;
        return 'k';
    }
    return 0;
}

/* Adds the word at `s` to `t` and returns the position after the word.  A
 * dotted capital I ends a word, because in lower case it is an i with a
 * combining dot after it. */
static const char *add_word(struct text *t, const char *s, int stem)
{
    size_t start = t->n, bytes;

    for (char c; (c = letter(s, &bytes)); s += bytes) {
        text_add(t, &c, 1);
        if (bytes == 2) {
            s += bytes;
            break;
        }
    }
    if (stem && t->n - start > 3) {
        t->n = start + stem_porter(t->s + start, t->n - start);
        t->s[t->n] = 0;
    }
    return s;
}

static void end_sentence(struct ints *end, int words)
{
    if (words > (end->n ? end->v[end->n - 1] : 0))
        ints_add(end, words);
}

/* Returns the length of the text at `s` that ends a sentence, or 0. */
static size_t sentence_end(const struct rouge *r, const char *s)
{
    if (*s == '\n')
        return 1;
    if (s[0] == '\\' && s[1] == 'n')
        return 2;
    if (r->separator && !strncmp(s, r->separator, strlen(r->separator)))
        return strlen(r->separator);
    return r->periods && !strncmp(s, " . ", 3) ? 2 : 0;
}

static void read_words(const struct rouge *r, struct side *side, const char *s)
{
    int words = 0;
    size_t bytes;

    side->words.n = side->end.n = 0;
    text_add(&side->words, "", 0);
    while (*s) {
        size_t ends = sentence_end(r, s);

        if (ends) {
            end_sentence(&side->end, words);
            s += ends;
        } else if (letter(s, &bytes)) {
            text_add(&side->words, " ", words++ > 0);
            s = add_word(&side->words, s, r->stem);
        } else {
            s++;
        }
    }
    end_sentence(&side->end, words);
}

static struct rouge_score score(size_t hits, size_t hyp, size_t ref)
{
    struct rouge_score s = {0};

    if (!hits)
        return s;
    s.p = (double)hits / (double)hyp;
    s.r = (double)hits / (double)ref;
    s.f = 2 * s.p * s.r / (s.p + s.r);
    return s;
}

static struct rouge_score rouge_n(struct rouge *r, int n)
{
    struct ints *hyp = &r->hyp.gram, *ref = &r->ref.gram;

    ngram_numbers(hyp, r->grams, r->hyp.words.s, n);
    ngram_numbers(ref, r->grams, r->ref.words.s, n);
    ints_sort(hyp);
    ints_sort(ref);
    return score(ints_common(hyp, ref), hyp->n, ref->n);
}

/* Sets member[i] to 1 if word i of the reference is in the union of the longest
 * common subsequences of its sentence with the sentences of the hypothesis. */
static void unite(char *member, struct rouge *r)
{
    const struct ints *hyp = &r->hyp.end, *ref = &r->ref.end;

    for (size_t i = 0; i < ref->n; i++) {
        int a = i ? ref->v[i - 1] : 0, m = ref->v[i] - a;

        for (size_t j = 0; j < hyp->n; j++) {
            int b = j ? hyp->v[j - 1] : 0, n = hyp->v[j] - b;

            lcs_mark(member + a, r->ref.word.v + a, (size_t)m,
                     r->hyp.word.v + b, (size_t)n, r->scratch);
        }
    }
}

/* A word in the union of a sentence is a hit if the hypothesis has a copy of
 * the word that is not yet used for another hit. */
static struct rouge_score rouge_lsum(struct rouge *r)
{
    const struct ints *ref = &r->ref.word;
    struct ints *hyp = &r->hyp.gram, *hits = &r->ref.gram;
    char *member = arena_zero(r->scratch, ref->n + 1);

    unite(member, r);
    ngram_numbers(hyp, r->grams, r->hyp.words.s, 1);
    hits->n = 0;
    for (size_t i = 0; i < ref->n; i++)
        if (member[i])
            ints_add(hits, ref->v[i]);
    ints_sort(hyp);
    ints_sort(hits);
    return score(ints_common(hyp, hits), hyp->n, ref->n);
}

void rouge_score(struct rouge *r, const char *hyp, const char *ref,
                 struct rouge_score out[ROUGE_TYPES])
{
    struct side *h = &r->hyp, *f = &r->ref;

    map_clear(r->grams);
    arena_reset(r->scratch);
    read_words(r, h, hyp);
    read_words(r, f, ref);
    ngram_numbers(&h->word, r->grams, h->words.s, 1);
    ngram_numbers(&f->word, r->grams, f->words.s, 1);
    out[ROUGE_L] = score(lcs_length(f->word.v, f->word.n, h->word.v,
                                    h->word.n, r->scratch),
                         h->word.n, f->word.n);
    out[ROUGE_LSUM] = rouge_lsum(r);
    for (int n = 1; n <= 3; n++)
        out[ROUGE_1 + n - 1] = rouge_n(r, n);
}

const char *rouge_words(struct rouge *r, const char *text)
{
    read_words(r, &r->hyp, text);
    return r->hyp.words.s;
}
