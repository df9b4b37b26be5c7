/*
 * The files of WordNet have lines of these forms, where POS is a part of
 * speech:
 *
 *   index.POS  lemma pos n p [p pointers] senses tagged [n offsets]; lines that
 *              begin with a blank are the licence
 *   POS.exc    form base [base ...]
 */
#include "harness/metrics/meteor/meteor.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/metrics/ints.h"
#include "harness/metrics/lines.h"

#include <stdlib.h>
#include <string.h>

static const char *const parts[] = {"noun", "verb", "adj", "adv"};
enum { PARTS = 4 };

/* A list of numbers for each word. */
struct lists { struct map *words; struct ints *of; int n; size_t cap; };

struct wordnet {
    struct lists synsets; /* synsets of a lemma          */
    struct lists bases;   /* lemmas of an irregular form */
    char digest[9];
};

static struct ints *list_of(struct lists *l, struct slice word)
{
    int id = map_number(l->words, word.s, word.n);

    if (id == l->n) {
        ARRAY_ROOM(l->of, l->n, l->cap);
        l->of[l->n++] = (struct ints){0};
    }
    return &l->of[id];
}

static void lists_free(struct lists *l)
{
    map_free(l->words);
    while (l->n > 0)
        ints_free(&l->of[--l->n]);
    free(l->of);
}

/* ---- reading ---- */

static int to_number(int *out, struct slice s)
{
    *out = 0;
    if (!s.n || s.n > 9)
        return -1;
    for (size_t i = 0; i < s.n; i++) {
        if (s.s[i] < '0' || s.s[i] > '9')
            return -1;
        *out = *out * 10 + s.s[i] - '0';
    }
    return 0;
}

static int read_index(struct wordnet *w, const struct lines *l, size_t i,
                      const struct words *field)
{
    int n, offset;

    if (field->n < 6 || to_number(&n, field->word[2]) ||
        field->n < (size_t)n + 6)
        return lines_bad(l, i, "not a line of WordNet's index");
    for (size_t k = field->n - (size_t)n; k < field->n; k++) {
        if (to_number(&offset, field->word[k]))
            return lines_bad(l, i, "'%.*s' is not an offset",
                             (int)field->word[k].n, field->word[k].s);
        ints_add(list_of(&w->synsets, field->word[0]), offset);
    }
    return OK;
}

static int read_exception(struct wordnet *w, const struct lines *l, size_t i,
                          const struct words *field)
{
    if (field->n < 2)
        return lines_bad(l, i, "expected a form and its base forms");
    struct ints *bases = list_of(&w->bases, field->word[0]);
    for (size_t k = 1; k < field->n; k++) {
        int lemma = map_find(w->synsets.words, field->word[k].s,
                             field->word[k].n);

        if (lemma >= 0)
            ints_add(bases, lemma);
    }
    return OK;
}

static int read_file(struct wordnet *w, struct sha256_ctx *sum, char *own_path,
                     int (*read)(struct wordnet *, const struct lines *, size_t,
                                 const struct words *))
{
    OWNED(lines_close) struct lines l = {0};
    OWNED(words_free) struct words field = {0};
    OWNED(free) char *path = own_path;
    int rc = lines_read(&l, path);

    if (rc < 0)
        return err_set(rc, "%s (install WordNet 3.0, Debian's wordnet-base, or "
                       "omit the stage 'synonym')", err_last());
    for (size_t i = 0; i < l.n; i++) {
        hash_add(sum, l.line[i], strlen(l.line[i]));
        hash_add(sum, "\n", 1);
        words_split(&field, l.line[i], strlen(l.line[i]));
        if (l.line[i][0] != ' ')
            PASS(read(w, &l, i, &field));
    }
    return OK;
}

int wordnet_open(struct wordnet **out, const char *folder)
{
    struct wordnet *w = calloc(1, sizeof *w);
    struct sha256_ctx *sum = hash_new();
    char hex[HASH_HEX];
    int rc = OK;

    w->synsets.words = map_of_copies();
    w->bases.words = map_of_copies();
    for (int i = 0; i < PARTS; i++)
        GOTO_IF_ERR(read_file(w, sum,
                              str_format("%s/index.%s", folder, parts[i]),
                              read_index));
    for (int i = 0; i < PARTS; i++)
        GOTO_IF_ERR(read_file(w, sum, str_format("%s/%s.exc", folder, parts[i]),
                              read_exception));
out:
    hash_end(sum, hex);
    memcpy(w->digest, hex, sizeof w->digest - 1);
    if (rc < 0) {
        wordnet_close(w);
        w = NULL;
    }
    *out = w;
    return rc;
}

void wordnet_close(struct wordnet *w)
{
    if (!w)
        return;
    lists_free(&w->synsets);
    lists_free(&w->bases);
    free(w);
}

const char *wordnet_digest(const struct wordnet *w)
{
    return w->digest;
}

/* ---- looking up ---- */

/* Returns the number of the lemma that the first applicable rule of detachment
 * finds, or -1. */
static int detach(const struct wordnet *w, const char *word, size_t bytes)
{
    static const struct { const char *suffix, *with; } rules[] = {
        /* nouns */
        {"s", ""},   {"ses", "s"},   {"xes", "x"},   {"zes", "z"},
        {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"},
        /* verbs */
        {"s", ""},   {"ies", "y"},   {"es", "e"},    {"es", ""},
        {"ed", "e"}, {"ed", ""},     {"ing", "e"},   {"ing", ""},
        /* adjectives */
        {"er", ""},  {"est", ""},    {"er", "e"},    {"est", "e"},
    };
    char base[128]; /* longer than any lemma */

    if (bytes <= 2 || bytes >= sizeof base ||
        !memcmp(word + bytes - 2, "ss", 2))
        return -1;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        size_t n = strlen(rules[i].suffix), m = strlen(rules[i].with);

        if (bytes < n || memcmp(word + bytes - n, rules[i].suffix, n))
            continue;
        memcpy(base, word, bytes - n);
        memcpy(base + bytes - n, rules[i].with, m);
        int lemma = map_find(w->synsets.words, base, bytes - n + m);
        if (lemma >= 0)
            return lemma;
    }
    return -1;
}

static void add_synsets(struct ints *out, const struct wordnet *w, int lemma)
{
    for (size_t i = 0; lemma >= 0 && i < w->synsets.of[lemma].n; i++)
        ints_add(out, w->synsets.of[lemma].v[i]);
}

void wordnet_synsets(struct ints *out, const struct wordnet *w,
                     const char *word, size_t bytes)
{
    int form = map_find(w->bases.words, word, bytes);

    out->n = 0;
    add_synsets(out, w, map_find(w->synsets.words, word, bytes));
    if (form < 0)
        add_synsets(out, w, detach(w, word, bytes));
    for (size_t i = 0; form >= 0 && i < w->bases.of[form].n; i++)
        add_synsets(out, w, w->bases.of[form].v[i]);
    ints_sort(out);
}
