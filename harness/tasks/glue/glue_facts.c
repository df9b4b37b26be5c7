#include "harness/base/array.h"
#include "harness/tasks/glue/glue_parts.h"

#include "harness/base/map.h"
#include "harness/data/sentence.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LANGUAGE, TOOLKIT, FACETS, TOKENS_MAX = 24, FIT_TRIES = 50 };

/* Of a facet each package has one value, but few of them; a tag counts as a
 * fact where the text names it. */
static const struct facet {
    const char *tag, *claim, *question, *asked;
    struct { const char *value, *name; } known[16]; /* ends with NULL */
} facets[FACETS] = {
    [LANGUAGE] = {"implemented-in::", "It is written in %s.",
                  "Which language is it written in?", "is it written in %s",
                  {{"perl", "Perl"}, {"python", "Python"}, {"java", "Java"},
                   {"ocaml", "OCaml"}, {"c++", "C++"}, {"ruby", "Ruby"},
                   {"php", "PHP"}, {"haskell", "Haskell"}, {"lisp", "Lisp"},
                   {"tcl", "Tcl"}, {"lua", "Lua"}, {"fortran", "Fortran"},
                   {"erlang", "Erlang"}, {"shell", "shell"}}},
    [TOOLKIT] = {"uitoolkit::", "It uses the %s toolkit.",
                 "Which toolkit does it use?", "does it use the %s toolkit",
                 {{"gtk", "GTK"}, {"qt", "Qt"}, {"ncurses", "ncurses"},
                  {"sdl", "SDL"}, {"tk", "Tk"}, {"xlib", "Xlib"},
                  {"motif", "Motif"}, {"wxwidgets", "wxWidgets"},
                  {"fltk", "FLTK"}, {"gnustep", "GNUstep"},
                  {"athena", "Athena"}}}};

struct fact {
    const struct passage *p;
    int facet, value;
    const char *sentence, *other; /* one that names it, or the short
                                     description; one that does not */
};

struct facts { int n; size_t cap; struct fact *fact; };

/* ---- finding them ---- */

/* Whether text names the word, in any case and not within another. */
static int names(const char *text, const char *word)
{
    size_t n = strlen(word);

    for (const char *s = text; *s; s++)
        if (!strncasecmp(s, word, n) &&
            (s == text || !isalnum((unsigned char)s[-1])) &&
            !isalnum((unsigned char)s[n]))
            return 1;
    return 0;
}

static int value_of(const struct facet *f, const char *tag, size_t n)
{
    for (int v = 0; f->known[v].value; v++)
        if (strlen(f->known[v].value) == n &&
            !memcmp(f->known[v].value, tag, n))
            return v;
    return -1;
}

/* The only value of the facet; -1: none that is known, or several. */
static int only_value(const struct facet *f, const char *tags)
{
    size_t skip = strlen(f->tag);
    const char *at = tags ? strstr(tags, f->tag) : NULL;

    if (!at || strstr(at + skip, f->tag))
        return -1;
    return value_of(f, at + skip, strcspn(at + skip, ", \n\t"));
}

static int fits(const char *text)
{
    return sentence_tokens(text) <= TOKENS_MAX;
}

static void add_fact(struct facts *all, const struct passage *p, int facet)
{
    int value = only_value(&facets[facet], p->entry->tags);
    struct fact f = {p, facet, value, NULL, NULL};

    if (value < 0)
        return;
    const char *word = facets[facet].known[value].value;
    for (int i = 0; i < p->n; i++) {
        const char **of = names(p->sentence[i], word) ? &f.sentence : &f.other;

        if (!*of && fits(p->sentence[i]))
            *of = p->sentence[i];
    }
    if (!f.sentence && names(p->entry->english.summary, word))
        f.sentence = p->entry->english.summary;
    if (!f.sentence)
        return;
    ARRAY_ROOM(all->fact, all->n, all->cap);
    all->fact[all->n++] = f;
}

/* The caller frees all.fact. */
static struct facts find_facts(const struct mixture *m)
{
    struct facts all = {0};

    for (int i = 0; i < m->n; i++)
        for (int f = 0; f < FACETS; f++)
            add_fact(&all, &m->passage[i], f);
    return all;
}

/* ---- claims ---- */

static const char *in_words(struct mixture *m, const char *fmt,
                            const struct facet *f, int value)
{
    return arena_format(m->memory, fmt, f->known[value].name);
}

/* The value of another fact of the facet, drawn as often as it occurs; -1: the
 * sentence names them all. */
static int another(struct mixture *m, const struct facts *all, int facet,
                   const char *sentence)
{
    for (int tries = 0; tries < FIT_TRIES; tries++) {
        const struct fact *g = &all->fact[mixture_draw(m, all->n)];

        if (g->facet == facet &&
            !names(sentence, facets[facet].known[g->value].value))
            return g->value;
    }
    return -1;
}

enum claim { ENTAILED, NEUTRAL, DENIED, CLAIMS };

/* NULL: no such claim can be made. */
static const char *claim(struct mixture *m, const struct facts *all,
                         const struct fact *f, enum claim c)
{
    int facet = c == NEUTRAL ? 1 - f->facet : f->facet, value = f->value;

    if (c == NEUTRAL && f->p->entry->tags &&
        strstr(f->p->entry->tags, facets[facet].tag))
        return NULL; /* decided after all */
    if (c != ENTAILED)
        value = another(m, all, facet, f->sentence);
    return value < 0 ? NULL
                     : in_words(m, facets[facet].claim, &facets[facet], value);
}

/* ---- the tasks ---- */

struct inference { /* class[c]: of each claim, and what it is called */
    const char *prefix, *premise, *hypothesis;
    int reversed; /* 1: the hypothesis stands first */
    int sections; /* 0: packages for programmers; 1: others; -1: all */
    struct { int class; const char *target; } of[CLAIMS];
};

static int is_from(const struct passage *p, int sections)
{
    static const char *const code[] = {
        "perl", "python",  "java",     "ocaml",   "lisp",  "ruby",
        "php",  "haskell", "libs",     "libdevel", "devel", "doc",
        "rust", "golang",  "oldlibs",  "gnu-r",   "debug", "javascript", NULL};
    const char *section = p->entry->section;

    return sections < 0 ||
           (section && names_index(code, section) >= 0) != sections;
}

static void add_inference(struct mixture *m, const struct inference *x,
                          const struct facts *all, const struct fact *f,
                          enum claim c)
{
    const char *said = mixture_wants(m, f->p->split, x->of[c].class)
                           ? claim(m, all, f, c)
                           : NULL;

    if (said)
        mixture_add(m, f->p->split, x->of[c].class, 0,
                    x->reversed ? mixture_text(m, x->prefix, x->hypothesis,
                                               said, x->premise, f->sentence,
                                               NULL)
                                : mixture_text(m, x->prefix, x->premise,
                                               f->sentence, x->hypothesis,
                                               said, NULL),
                    x->of[c].target);
}

void make_inference(struct mixture *m)
{
    const struct inference *x = m->part->of;
    struct facts all = find_facts(m);

    for (int i = 0; i < all.n; i++)
        for (int c = 0; c < CLAIMS && is_from(all.fact[i].p, x->sections); c++)
            add_inference(m, x, &all, &all.fact[i], (enum claim)c);
    free(all.fact);
}

#define THREE {{0, "entailment"}, {1, "neutral"}, {2, "contradiction"}}
#define TWO {{0, "entailment"}, {1, "not_entailment"}, {1, "not_entailment"}}

const struct inference infer_matched = {"mnli", "premise", "hypothesis", 1, 0,
                                       THREE};
const struct inference infer_mismatched = {"mnli", "premise", "hypothesis", 1,
                                           1, THREE};
const struct inference infer_cb = {"cb", "premise", "hypothesis", 1, -1, THREE};
const struct inference infer_rte = {"rte", "sentence1", "sentence2", 0, -1,
                                      TWO};
const struct inference infer_rte_superglue = {"rte", "premise", "hypothesis", 1,
                                           -1, TWO};

void make_qnli(struct mixture *m)
{
    struct facts all = find_facts(m);

    for (int i = 0; i < all.n; i++) {
        const struct fact *f = &all.fact[i];

        for (int not = 0; not < 2 && f->other; not++)
            mixture_add(m, f->p->split, not, 0,
                        mixture_text(m, "qnli", "question",
                                     facets[f->facet].question, "sentence",
                                     not ? f->other : f->sentence, NULL),
                        not ? "not_entailment" : "entailment");
    }
    free(all.fact);
}

void make_boolq(struct mixture *m)
{
    struct facts all = find_facts(m);

    for (int i = 0; i < all.n; i++) {
        const struct fact *f = &all.fact[i];
        const struct facet *x = &facets[f->facet];

        for (int yes = 0; yes < 2; yes++) {
            int value =
                yes ? f->value : another(m, &all, f->facet, f->sentence);

            if (value >= 0)
                mixture_add(m, f->p->split, yes, 0,
                            mixture_text(m, "boolq", "passage", f->sentence,
                                         "question",
                                         in_words(m, x->asked, x, value),
                                         NULL),
                            yes ? "True" : "False");
        }
    }
    free(all.fact);
}

/* A question has the right answer and two others, in random order: they stay
 * together, so all are of one class here. */
void make_multirc(struct mixture *m)
{
    enum { ANSWERS = 3 };
    OWNED(map_free) struct map *asked = map_new();
    struct facts all = find_facts(m);

    for (int i = 0; i < all.n; i++) {
        const struct fact *f = &all.fact[i];
        const struct facet *x = &facets[f->facet];
        int value[ANSWERS] = {f->value}, right = mixture_draw(m, ANSWERS);

        for (int k = 1; k < ANSWERS; k++)
            value[k] = another(m, &all, f->facet, f->sentence);
        if (value[1] < 0 || value[2] < 0 || value[1] == value[2] ||
            !map_add(asked, f->sentence, 0))
            continue;
        value[0] = value[right];
        value[right] = f->value;
        for (int k = 0; k < ANSWERS; k++)
            mixture_add(m, f->p->split, 0, i,
                        mixture_text(m, "multirc", "question", x->question,
                                     "answer", x->known[value[k]].name,
                                     "paragraph", f->sentence, NULL),
                        k == right ? "True" : "False");
    }
    free(all.fact);
}
