#include "harness/data/format/synsets.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/data/format/linefile.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    int (*take)(void *to, const struct synset *s);
    void *to;
    struct arena *memory; /* of the present synset */
};

/* The next word of *s, cut out; NULL: there is none. */
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

static void cut_end(char *s)
{
    size_t n = strlen(s);

    while (n && s[n - 1] == ' ')
        n--;
    s[n] = 0;
}

/* Cuts the gloss off; the closed quotes behind it. */
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
    cut_end(gloss);
    example[n] = NULL;
    return example;
}

static int read_synset(void *reading, const struct linefile *f, char *line)
{
    struct reading *s = reading;
    struct synset one;
    char *bar = strchr(line, '|'), *at = line, *end;

    if (!strncmp(line, "  ", 2))
        return OK;
    arena_reset(s->memory);
    if (!bar)
        return linefile_refuse(f, "no | before the gloss");
    *bar++ = 0;
    one.offset = take_word(&at);
    take_word(&at); /* which of the lexicographers' files */
    one.pos = take_word(&at);
    const char *count = take_word(&at);
    unsigned long words = count ? strtoul(count, &end, 16) : 0;
    if (!count || *end || !words || words > 0xff)
        return linefile_refuse(f, "the number of words is none");
    const char **lemma = arena_take(s->memory, (words + 1) * sizeof *lemma);
    for (unsigned long i = 0; i < words; i++) {
        char *word = take_word(&at);

        if (!word || !take_word(&at))
            return linefile_refuse(f, "fewer words than the %lu it tells",
                                   words);
        lemma[i] = clean_lemma(word);
    }
    lemma[words] = NULL;
    one.lemma = lemma;
    bar += strspn(bar, " ");
    one.gloss = bar;
    one.example = examples_of(bar, s->memory);
    return s->take(s->to, &one);
}

int synsets_each(const char *path,
                 int (*take)(void *to, const struct synset *s), void *to)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    struct reading s = {.take = take, .to = to, .memory = memory};

    return linefile_each(path, read_synset, &s);
}
