/*
 * A word is [C](VC)^m[V], where C is a run of consonants and V a run of vowels;
 * m is its measure.  Vowels are a, e, i, o, u, and y after a consonant.  In a
 * list of rules, the first matching suffix decides, even if the rest of the
 * word is too short for the rule to apply.
 *
 * NLTK's changes: irregular words are in a list; words of up to two letters are
 * not changed; -ies and -ied of four-letter words give -ie; a final y becomes i
 * after a consonant that is not the first letter; -alli gives -al and step 2
 * restarts; step 2 also has the suffixes -bli, -fulli and -logi; a stem of a
 * vowel and a consonant is also short.
 */
#include "harness/metrics/stem.h"

#include <string.h>

struct word { char *s; size_t n; };
struct rule { const char *suffix, *with; };

static int is_consonant(struct word w, size_t i)
{
    size_t last = i;

    while (i > 0 && w.s[i] == 'y')
        i--;
    int first = !strchr("aeiou", w.s[i]);
    return (last - i) % 2 ? !first : first;
}

static int measure(struct word w)
{
    int m = 0, vowel = 0;

    for (size_t i = 0; i < w.n; i++) {
        char c = w.s[i];
        int v = c == 'y' ? i > 0 && !vowel : strchr("aeiou", c) != NULL;

        m += vowel && !v;
        vowel = v;
    }
    return m;
}

static int has_vowel(struct word w)
{
    for (size_t i = 0; i < w.n; i++)
        if (!is_consonant(w, i))
            return 1;
    return 0;
}

static int ends(struct word w, const char *suffix)
{
    size_t n = strlen(suffix);

    return w.n >= n && !memcmp(w.s + w.n - n, suffix, n);
}

static struct word without(struct word w, size_t letters)
{
    return (struct word){w.s, w.n - letters};
}

/* Returns 1 if the word ends with a consonant, a vowel and a consonant other
 * than w, x and y, or if it consists of a vowel and a consonant. */
static int is_short(struct word w)
{
    if (w.n == 2)
        return !is_consonant(w, 0) && is_consonant(w, 1);
    return w.n > 2 && is_consonant(w, w.n - 3) && !is_consonant(w, w.n - 2) &&
           is_consonant(w, w.n - 1) && !strchr("wxy", w.s[w.n - 1]);
}

static void append(struct word *w, const char *s)
{
    memcpy(w->s + w->n, s, strlen(s));
    w->n += strlen(s);
}

/* Finds the first rule whose suffix the word has, and applies it if the measure
 * of the text before the suffix is greater than `m`.  Returns the suffix, or
 * NULL if the word has none of them. */
static const char *apply(struct word *w, const struct rule *r, int m)
{
    for (; r->suffix; r++) {
        if (!ends(*w, r->suffix))
            continue;
        struct word stem = without(*w, strlen(r->suffix));
        if (measure(stem) > m) {
            append(&stem, r->with);
            *w = stem;
        }
        return r->suffix;
    }
    return NULL;
}

static int irregular(struct word *w)
{
    static const struct rule words[] = {
        {"sky", "sky"}, {"skies", "sky"}, {"dying", "die"}, {"lying", "lie"},
        {"tying", "tie"}, {"news", "news"}, {"innings", "inning"},
        {"inning", "inning"}, {"outings", "outing"}, {"outing", "outing"},
        {"cannings", "canning"}, {"canning", "canning"}, {"howe", "howe"},
        {"proceed", "proceed"}, {"exceed", "exceed"}, {"succeed", "succeed"},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (w->n == strlen(words[i].suffix) && ends(*w, words[i].suffix)) {
            w->n = 0;
            append(w, words[i].with);
            return 1;
        }
    return 0;
}

static void plural(struct word *w) /* step 1a */
{
    if (ends(*w, "ies"))
        w->n -= w->n == 4 ? 1 : 2;
    else if (ends(*w, "sses"))
        w->n -= 2;
    else if (ends(*w, "s") && !ends(*w, "ss"))
        w->n--;
}

static void past(struct word *w) /* step 1b */
{
    if (ends(*w, "ied")) {
        w->n -= w->n == 4 ? 1 : 2;
        return;
    }
    if (ends(*w, "eed")) {
        w->n -= measure(without(*w, 3)) > 0;
        return;
    }
    size_t cut = ends(*w, "ed") ? 2 : ends(*w, "ing") ? 3 : 0;
    if (!cut || !has_vowel(without(*w, cut)))
        return;
    w->n -= cut;
    if (ends(*w, "at") || ends(*w, "bl") || ends(*w, "iz"))
        append(w, "e");
    else if (w->n >= 2 && w->s[w->n - 1] == w->s[w->n - 2] &&
             is_consonant(*w, w->n - 1))
        w->n -= !strchr("lsz", w->s[w->n - 1]);
    else if (measure(*w) == 1 && is_short(*w))
        append(w, "e");
}

static void final_y(struct word *w) /* step 1c */
{
    if (ends(*w, "y") && w->n > 2 && is_consonant(*w, w->n - 2))
        w->s[w->n - 1] = 'i';
}

static void double_suffix(struct word *w) /* step 2 */
{
    static const struct rule rules[] = {
        {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},
        {"anci", "ance"},   {"izer", "ize"},    {"bli", "ble"},
        {"alli", "al"},     {"entli", "ent"},   {"eli", "e"},
        {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},
        {"ator", "ate"},    {"alism", "al"},    {"iveness", "ive"},
        {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},
        {"iviti", "ive"},   {"biliti", "ble"},  {"fulli", "ful"},
        {NULL, NULL},
    };

    while (ends(*w, "alli") && measure(without(*w, 4)) > 0)
        w->n -= 2;
    if (!apply(w, rules, 0) && ends(*w, "logi") && measure(without(*w, 3)) > 0)
        w->n--;
}

static void suffix(struct word *w) /* step 3 */
{
    static const struct rule rules[] = {
        {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
        {"ical", "ic"},  {"ful", ""},   {"ness", ""},    {NULL, NULL},
    };

    apply(w, rules, 0);
}

static void last_suffix(struct word *w) /* step 4 */
{
    static const struct rule rules[] = {
        {"al", ""},   {"ance", ""},  {"ence", ""}, {"er", ""},  {"ic", ""},
        {"able", ""}, {"ible", ""},  {"ant", ""},  {"ement", ""},
        {"ment", ""}, {"ent", ""},   {"ou", ""},   {"ism", ""}, {"ate", ""},
        {"iti", ""},  {"ous", ""},   {"ive", ""},  {"ize", ""}, {NULL, NULL},
    };

    if (!ends(*w, "ion"))
        apply(w, rules, 1);
    else if (measure(without(*w, 3)) > 1 &&
             (ends(*w, "sion") || ends(*w, "tion")))
        w->n -= 3;
}

static void final_e_and_ll(struct word *w) /* step 5 */
{
    if (ends(*w, "e")) {
        struct word stem = without(*w, 1);
        int m = measure(stem);

        if (m > 1 || (m == 1 && !is_short(stem)))
            *w = stem;
    }
    if (ends(*w, "ll") && measure(without(*w, 1)) > 1)
        w->n--;
}

size_t stem_porter(char *word, size_t bytes)
{
    struct word w = {word, bytes};

    if (irregular(&w) || w.n <= 2)
        return w.n;
    plural(&w);
    past(&w);
    final_y(&w);
    double_suffix(&w);
    suffix(&w);
    last_suffix(&w);
    final_e_and_ll(&w);
    return w.n;
}
