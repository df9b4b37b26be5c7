#include "harness/tasks/glue/facts.h"

#include "harness/base/arena.h"
#include "harness/base/array.h"
#include "harness/base/map.h"
#include "harness/data/sentence.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TOKENS_MIN = 3 };

/* The facets, each with the values that are used.  A value in a package's tags
 * is a fact of a text only if the text names it (facts.h). */
static const struct facet {
    const char *tag, *noun;
    const char *frame[FACTS_FRAMES]; /* the frames differ in their function
                                        words */
    const char *others, *topic; /* `others`: words for other values; `topic`:
                                   words that mention the facet, but none of its
                                   values */
    /* `word` is the form of the value in texts, or NULL if this is the value
     * itself.  If it ends with *, it also matches as a prefix of a word. */
    struct { const char *value, *name, *word; } known[FACTS_KNOWN];
} facets[FACTS_FACETS] = {
    [FACTS_LANGUAGE] = {
        "implemented-in::", "which language",
        {"it is written in %s", "this was implemented with %s",
         "the source code is %s", "a programmer of %s wrote it",
         "its authors used %s for it", "%s was chosen to write it",
         "its code, which you can read, is %s",
         "%s and its tools are needed to change it"},
        "c c89 c99 c11 c# go golang rust javascript js scheme vala prolog ada "
        "pascal r bash smalltalk assembler assembly basic d perl5 perl6 "
        "python2 python3 python-3 jruby jython elisp sml scala matlab octave "
        "cython pythonic",
        "written implemented implementation implements",
        {{"perl", "Perl", NULL}, {"python", "Python", NULL},
         {"java", "Java", NULL}, {"ocaml", "OCaml", NULL},
         {"c++", "C++", NULL}, {"ruby", "Ruby", NULL}, {"php", "PHP", NULL},
         {"haskell", "Haskell", NULL}, {"lisp", "Lisp", NULL},
         {"tcl", "Tcl", NULL}, {"lua", "Lua", NULL},
         {"fortran", "Fortran", NULL}, {"erlang", "Erlang", NULL},
         {"shell", "shell", NULL}}},
    {"uitoolkit::", "which toolkit",
     {"it is built on %s", "this was made with %s",
      "the widgets are those of %s", "a part of %s draws it",
      "its authors used %s for the windows", "%s is used to draw it",
      "its windows, which you can see, are from %s",
      "%s and its parts are needed to show it"},
     "gtk1 gtk2 gtk3 gtk4 qt3 qt4 qt5 qt6 x11 xt xaw wx wxgtk curses sdl2 efl "
     "clutter pygtk pyqt swing awt",
     "kde gnome xfce toolkit toolkits widget widgets gui window windows",
     {{"gtk", "GTK", NULL}, {"qt", "Qt", NULL}, {"ncurses", "ncurses", NULL},
      {"sdl", "SDL", NULL}, {"tk", "Tk", NULL}, {"xlib", "Xlib", NULL},
      {"motif", "Motif", NULL}, {"wxwidgets", "wxWidgets", NULL},
      {"fltk", "FLTK", NULL}, {"gnustep", "GNUstep", NULL},
      {"athena", "Athena", NULL}}},
    [FACTS_SUITE] = {
     "suite::", "which suite",
     {"it is made for %s", "this belongs to %s",
      "the aim of it is to extend %s", "it comes as an addition to %s",
      "its authors had %s in mind",
      "it was written with %s and its users in mind",
      "you can use it from %s", "the place for all of this is %s"},
     "mozilla openoffice libreoffice lxde lxqt mate cinnamon unity xemacs "
     "gnome2 kde3 kde4 kde5 plasma apache2",
     "httpd desktop desktops elisp",
     {{"gnome", "GNOME", NULL}, {"kde", "KDE", NULL}, {"xfce", "Xfce", NULL},
      {"gnustep", "GNUstep", NULL}, {"emacs", "Emacs", NULL},
      {"apache", "Apache", NULL}}},
    {"culture::", "which human language",
     {"it is made for %s", "this was written with %s in mind",
      "the users of it read %s", "a user of it needs %s",
      "its authors know how to handle %s", "%s is what it can handle",
      "you can use it to write %s", "%s and its writing are helped by it"},
     "english latin brazilian cyrillic farsi persian hindi cjk asian "
     "norwegian tamil bengali",
     "language languages translation translations",
     {{"japanese", "Japanese", NULL}, {"german", "German", NULL},
      {"greek", "Greek", NULL}, {"french", "French", NULL},
      {"chinese", "Chinese", NULL}, {"arabic", "Arabic", NULL},
      {"czech", "Czech", NULL}, {"korean", "Korean", NULL},
      {"italian", "Italian", NULL}, {"polish", "Polish", NULL},
      {"hebrew", "Hebrew", NULL}, {"slovak", "Slovak", NULL},
      {"russian", "Russian", NULL}, {"finnish", "Finnish", NULL},
      {"thai", "Thai", NULL}, {"irish", "Irish", NULL},
      {"portuguese", "Portuguese", NULL}, {"spanish", "Spanish", NULL},
      {"bulgarian", "Bulgarian", NULL}, {"swedish", "Swedish", NULL},
      {"turkish", "Turkish", NULL}, {"hungarian", "Hungarian", NULL},
      {"danish", "Danish", NULL}}},
    {"field::", "which field",
     {"it is made for %s", "this was written with %s in mind",
      "the users of it work in %s", "a user of it studies %s",
      "its authors know %s and its tools", "%s is what it serves to study",
      "you can use it for work in %s", "the place of this is that of %s"},
     "bioinformatics", "science sciences scientific research numerical",
     {{"biology", "biology", "biolog*"},
      {"mathematics", "mathematics", "mathemat*"},
      {"statistics", "statistics", "statistic*"},
      {"finance", "finance", "financ*"},
      {"geography", "geography", "geograph*"},
      {"physics", "physics", "physic*"},
      {"linguistics", "linguistics", "linguist*"},
      {"chemistry", "chemistry", "chemi*"},
      {"astronomy", "astronomy", "astronom*"},
      {"electronics", "electronics", "electronic*"},
      {"genealogy", "genealogy", "genealog*"},
      {"medicine", "medicine", "medic*"},
      {"geology", "geology", "geolog*"},
      {"aviation", "aviation", "aviat*"}}}};

/* ---- what a text names ---- */

/* Returns 1 if `text` contains `word` (n bytes, in lower case), ignoring case
 * and not within another word.  A word that ends with * may also be a
 * prefix. */
static int names(const char *text, const char *word, size_t n)
{
    int open = word[n - 1] == '*';

    n -= (size_t)open;
    for (const char *s = text; *s; s++)
        if (tolower((unsigned char)*s) == *word &&
            (s == text || !isalnum((unsigned char)s[-1])) &&
            !strncasecmp(s, word, n) &&
            (open || !isalnum((unsigned char)s[n])))
            return 1;
    return 0;
}

/* Returns 1 if the text contains one of the words of a list. */
static int names_any(const char *text, const char *list)
{
    for (size_t n; *list; list += n + (list[n] == ' ')) {
        n = strcspn(list, " ");
        if (names(text, list, n))
            return 1;
    }
    return 0;
}

/* Returns the values of the facet that the text names: bit v is for
 * known[v]. */
static unsigned named(const struct facet *f, const char *text)
{
    unsigned all = 0;

    for (int v = 0; v < FACTS_KNOWN && f->known[v].value; v++) {
        const char *word =
            f->known[v].word ? f->known[v].word : f->known[v].value;

        all |= (unsigned)names(text, word, strlen(word)) << v;
    }
    return all;
}

/* ---- what the tags say ---- */

static int value_of(const struct facet *f, const char *tag, size_t n)
{
    for (int v = 0; v < FACTS_KNOWN && f->known[v].value; v++)
        if (strlen(f->known[v].value) == n &&
            !memcmp(f->known[v].value, tag, n))
            return v;
    return -1;
}

/* Returns the only value of the facet in `tags`, as an index of `known`, or -1
 * if there is no value, several, or one that is not in `known`. */
static int only_value(const struct facet *f, const char *tags)
{
    size_t skip = strlen(f->tag);
    const char *at = tags ? strstr(tags, f->tag) : NULL;

    if (!at || strstr(at + skip, f->tag))
        return -1;
    return value_of(f, at + skip, strcspn(at + skip, ", \n\t"));
}

/* ---- facts ---- */

struct found { int n; size_t cap; struct fact *fact; struct map *seen; };

/* Adds the text if it states a fact of its package.  If it states facts of
 * several facets, uses the last of these: the facets after the first are
 * rare. */
static void add_text(struct found *all, const struct passage *p,
                     const char *text)
{
    struct fact x = {.p = p, .text = text, .facet = -1,
                     .tokens = sentence_tokens(text)};

    if (x.tokens < TOKENS_MIN || x.tokens > FACTS_TOKENS)
        return;
    for (int f = 0; f < FACTS_FACETS; f++) {
        int value = only_value(&facets[f], p->entry->tags);
        int others = names_any(text, facets[f].others);
        unsigned values = named(&facets[f], text);

        if (others || values || names_any(text, facets[f].topic))
            x.addressed |= 1u << f;
        if (value >= 0 && !others && values == 1u << value) {
            x.facet = f;
            x.value = value;
        }
    }
    if (x.facet < 0 || !map_add(all->seen, text, 0))
        return;
    ARRAY_ROOM(all->fact, all->n, all->cap);
    all->fact[all->n++] = x;
}

static int has_values(const struct passage *p)
{
    int any = 0;

    for (int f = 0; f < FACTS_FACETS; f++)
        any |= only_value(&facets[f], p->entry->tags) >= 0;
    return any;
}

static const struct facts *keep(const struct found *x, struct arena *a)
{
    struct fact *fact = arena_take(a, ((size_t)x->n + 1) * sizeof *fact);
    struct facts *all = arena_take(a, sizeof *all);

    for (int i = 0; i < x->n; i++)
        fact[i] = x->fact[i];
    *all = (struct facts){x->n, fact};
    return all;
}

static const struct facts *find_all(struct mixture *m)
{
    OWNED(map_free) struct map *seen = map_new();
    struct found found = {.seen = seen};

    for (int i = 0; i < m->n; i++) {
        const struct passage *p = &m->passage[i];

        if (!has_values(p))
            continue;
        for (int k = 0; k < p->n; k++)
            add_text(&found, p, p->sentence[k]);
        add_text(&found, p, p->entry->english.summary);
    }
    const struct facts *all = keep(&found, m->memory);
    free(found.fact);
    return all;
}

const struct facts *facts_find(struct mixture *m)
{
    if (!m->facts)
        m->facts = find_all(m);
    return m->facts;
}

int facts_number(const struct fact *f)
{
    return f->facet * FACTS_KNOWN + f->value;
}

const char *facts_name(const struct fact *f)
{
    return facets[f->facet].known[f->value].name;
}

const char *facts_noun(const struct fact *f) { return facets[f->facet].noun; }

const struct wording *facts_say(struct mixture *m, const struct fact *f,
                                const char *before, const char *name,
                                const char *after)
{
    struct wording *all = arena_take(m->memory, FACTS_FRAMES * sizeof *all);

    for (int k = 0; k < FACTS_FRAMES; k++) {
        const char *frame = facets[f->facet].frame[k];
        const char *at = strstr(frame, "%s");
        char *said = arena_format(m->memory, "%s%.*s%s%s%s", before,
                                  (int)(at - frame), frame, name, at + 2,
                                  after);

        if (!*before)
            said[0] = (char)toupper((unsigned char)said[0]);
        all[k] = deal_wording(m, said);
    }
    return all;
}

int facts_differ(const struct fact *a, const struct fact *b)
{
    return a->facet == b->facet && a->value != b->value;
}

int facts_apart(const struct fact *a, const struct fact *b)
{
    return a->facet != b->facet && !(a->addressed >> b->facet & 1) &&
           !(b->addressed >> a->facet & 1);
}
