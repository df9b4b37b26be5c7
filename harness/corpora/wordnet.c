/*
 * wordnet: reads meanings, their words and their examples from the data.POS
 * files of WordNet (Miller, CACM 38, 1995).
 *
 *     offset file pos w_cnt {lemma lex_id} ... p_cnt ... | gloss; "example"
 *
 * w_cnt is hexadecimal.  A _ in a lemma is a blank; the marker of an
 * adjective's position, (a), (p) or (ip), is removed.  Lines that begin with
 * two blanks are the licence.  Every error is ERR_DATA and names FILE:LINE.
 * Source: wndb(5WN).
 */
#include "harness/corpora/corpus.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/data/format/linefile.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct corpus_reading *x;
    struct arena *memory; /* holds the texts of the current synset */
};

/* Returns the next word of *s, cut out in place, or NULL if there is none. */
static char *take_word(char **s)
{
    char *word = *s + strspn(*s, " "), *end = word + strcspn(word, " ");

    if (!*word)
        return NULL;
    *s = *end ? end + 1 : end;
    *end = 0;
    return word;
}

static const char *clean_lemma(char *lemma)
{
    static const char *const marks[] = {"(a)", "(p)", "(ip)"};
    size_t n = strlen(lemma);

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (n > strlen(marks[i]) && str_ends(lemma, marks[i])) {
            lemma[n - strlen(marks[i])] = 0;
            break;
        }
    for (char *c = lemma; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return lemma;
}

/* Cuts the gloss before its first example.  Returns the examples: the
 * quotations after the cut whose closing quotation mark is present. */
static const char *const *examples_of(char *gloss, struct arena *a)
{
    char *at = strstr(gloss, "; \""), *close;
    const char **example = arena_take(a, (strlen(gloss) / 2 + 2) *
                                             sizeof *example);
    int n = 0;

    if (at) {
        *at++ = 0;
        while ((at = strchr(at, '"')) && (close = strchr(at + 1, '"'))) {
            *close = 0;
            example[n++] = at + 1;
            at = close + 1;
        }
    }
    example[n] = NULL;
    return example;
}

static int take_synset(void *reading, const struct linefile *f, char *line)
{
    struct reading *r = reading;
    char *bar = strchr(line, '|'), *at = line, *end;

    if (!strncmp(line, "  ", 2))
        return OK;
    arena_reset(r->memory);
    if (!bar)
        return linefile_refuse(f, "no | before the gloss");
    *bar++ = 0;
    const char *offset = take_word(&at);
    take_word(&at); /* number of the lexicographer's file */
    const char *pos = take_word(&at);
    const char *count = take_word(&at);
    unsigned long words = count ? strtoul(count, &end, 16) : 0;
    if (!count || *end || !words || words > 0xff)
        return linefile_refuse(f, "the number of words is not valid");
    const char **lemma = arena_take(r->memory, (words + 1) * sizeof *lemma);
    for (unsigned long i = 0; i < words; i++) {
        char *word = take_word(&at);

        if (!word || !take_word(&at))
            return linefile_refuse(f, "fewer words than the stated %lu",
                                   words);
        lemma[i] = clean_lemma(word);
    }
    lemma[words] = NULL;
    const char *const *example = examples_of(bar, r->memory);
    return ROW(r->x, TEXT("offset", offset), TEXT("pos", pos),
               TEXTS("lemmas", lemma), TEXT("gloss", text_strip_ascii(bar)),
               TEXTS("examples", example));
}

static int read_synsets(struct corpus_reading *x, const char *path)
{
    OWNED(arena_free) struct arena *memory = arena_new();

    return linefile_each(path, take_synset, &(struct reading){x, memory});
}

const struct corpus corpus_wordnet = {
    .name = "wordnet", .title = "WordNet 3.0",
    .from = "Debian's package wordnet-base",
    .layout = {{.name = "official", .file = read_synsets, .split = {
        {"noun", "data.noun", 0}, {"verb", "data.verb", 0},
        {"adj", "data.adj", 0}, {"adv", "data.adv", 0}}}}};
