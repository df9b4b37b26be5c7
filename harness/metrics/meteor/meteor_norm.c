/*
 * Each rule makes one pass, left to right, over windows that do not overlap:
 *
 *   1. blanks are put around all characters except letters, digits, blanks and
 *      . , - ' ` ‘ ’
 *   2. two or more dots become a separate word
 *   3. (x),(y)          ->  x , y    unless both are digits; three passes
 *   4. ` ‘ ’ -> '       “ ” '' -> blank " blank       – -> -   -- -> -
 *   5. (letter, digit or dot)-(letter or digit)  ->  two words
 *   6. x'y  ->  x ' y   except  letter'letter and digit's  ->  x 'y
 *   7. word.  ->  word .  except that a word with more dots loses all its dots,
 *      and a word keeps its dot if it is in the list of prefixes or if a
 *      lowercase letter follows
 */
#include "harness/metrics/meteor/meteor.h"

#include "harness/base/map.h"
#include "harness/base/text.h"
#include "harness/metrics/bleu/tokenize.h"
#include "harness/metrics/lines.h"

#include <string.h>

void meteor_prefixes_read(struct meteor_prefixes *p, const struct lines *list)
{
    OWNED(words_free) struct words w = {0};

    *p = (struct meteor_prefixes){map_of_copies(), map_of_copies()};
    for (size_t i = 0; list && i < list->n; i++) {
        words_split(&w, list->line[i], strlen(list->line[i]));
        if (!w.n || w.word[0].s[0] == '#')
            continue;
        int numeric = w.n > 1 && slice_equal(w.word[1],
                                             (struct slice){"#NUMERIC_ONLY#",
                                                            14});
        map_number(numeric ? p->numeric : p->always, w.word[0].s, w.word[0].n);
    }
}

void meteor_prefixes_close(struct meteor_prefixes *p)
{
    map_free(p->always);
    map_free(p->numeric);
    *p = (struct meteor_prefixes){0};
}

/* ---- characters ---- */

static int in(uint32_t c, uint32_t first, uint32_t last)
{
    return c >= first && c <= last;
}

/* Returns 1 for Western European and Cyrillic letters. */
static int is_alpha(uint32_t c)
{
    return in(c, 'A', 'Z') || in(c, 'a', 'z') || in(c, 0xC0, 0xD6) ||
           in(c, 0xD8, 0xF6) || in(c, 0xF8, 0x17E) || in(c, 0x400, 0x527) ||
           in(c, 0xA640, 0xA66E) || in(c, 0xA67E, 0xA697) ||
           in(c, 0x1D00, 0x1D7F);
}

static int is_alnum(uint32_t c) { return is_alpha(c) || is_ascii_digit(c); }
static int no_alpha(uint32_t c) { return !is_alpha(c); }
static int no_digit(uint32_t c) { return !is_ascii_digit(c); }
static int no_alnum(uint32_t c) { return !is_alnum(c); }
static int alnum_or_dot(uint32_t c) { return is_alnum(c) || c == '.'; }
static int is_hyphen(uint32_t c) { return c == '-'; }
static int is_quote(uint32_t c) { return c == '`' || in(c, 0x2018, 0x2019); }

/* ---- rules ---- */

static int is_other(uint32_t c)
{
    return !is_alnum(c) && !is_quote(c) && c != ' ' && c != '.' && c != ',' &&
           c != '-' && c != '\'';
}

static void separate_dots(struct text *t) /* rule 2 */
{
    struct text out = {0};

    for (size_t i = 0, n; i < t->n; i += n) {
        int dots = (n = strspn(t->s + i, ".")) > 1;

        n = n ? n : strcspn(t->s + i, ".");
        text_put(&out, dots ? " " : "");
        text_add(&out, t->s + i, n);
        text_put(&out, dots ? " " : "");
    }
    text_move(t, &out);
}

static void same_quotes(struct text *t) /* rule 4 */
{
    static const char *const pair[][2] = {
        {"`", "'"}, {"‘", "'"}, {"’", "'"}, {"–", "-"},
        {"“", " \" "}, {"”", " \" "}, {"''", " \" "}, {"--", "-"}};

    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        rule_replace(t, pair[i][0], pair[i][1]);
}

/* ---- dots ---- */

static int keeps_dot(struct slice stem, const struct words *w, size_t i,
                     const struct meteor_prefixes *p)
{
    char next = i + 1 < w->n ? w->word[i + 1].s[0] : ' ';

    if (map_find(p->always, stem.s, stem.n) >= 0 ||
        (next >= 'a' && next <= 'z'))
        return 1;
    return map_find(p->numeric, stem.s, stem.n) >= 0 && next >= '0' &&
           next <= '9';
}

static void put_word(struct text *out, const struct words *w, size_t i,
                     const struct meteor_prefixes *p)
{
    struct slice word = w->word[i], stem = {word.s, word.n - 1};
    int dotted = word.n > 1 && word.s[stem.n] == '.' &&
                 word.s[stem.n - 1] != '.';

    if (dotted && memchr(stem.s, '.', stem.n) &&
        rule_any(stem.s, stem.n, is_alpha)) {
        for (size_t k = 0; k < stem.n; k++)
            text_add(out, &stem.s[k], stem.s[k] != '.');
    } else if (dotted && !keeps_dot(stem, w, i, p)) {
        text_add(out, stem.s, stem.n);
        text_add(out, " .", 2);
    } else {
        text_add(out, word.s, word.n);
    }
}

/* ---- all rules ---- */

void meteor_normalise(struct text *out, const char *line,
                      const struct meteor_prefixes *p)
{
    OWNED(text_free) struct text t = {0};
    OWNED(words_free) struct words w = {0};

    text_format(&t, " %s ", line);
    rule_split(&t, is_other);
    separate_dots(&t);
    rule_around(&t, no_digit, is_comma, no_digit, " , ");
    rule_around(&t, is_ascii_digit, is_comma, no_digit, " , ");
    rule_around(&t, no_digit, is_comma, is_ascii_digit, " , ");
    same_quotes(&t);
    rule_around(&t, alnum_or_dot, is_hyphen, is_alnum, " ");
    rule_around(&t, no_alpha, is_apostrophe, no_alpha, " ' ");
    rule_around(&t, no_alnum, is_apostrophe, is_alpha, " ' ");
    rule_around(&t, is_alpha, is_apostrophe, no_alpha, " ' ");
    rule_around(&t, is_alpha, is_apostrophe, is_alpha, " '");
    rule_around(&t, is_ascii_digit, is_apostrophe, is_small_s, " '");
    words_split(&w, t.s, t.n);
    text_add(out, "", 0);
    for (size_t i = 0; i < w.n; i++) {
        text_add(out, " ", i > 0);
        put_word(out, &w, i, p);
    }
}
