/*
 * The tokenizer makes several passes over a line:
 *
 *   1. each run of white space becomes one blank, control characters are
 *      removed
 *   2. each character is separated by blanks, except alnum, blank, . ' ` , -
 *      and, in fi and sv, a colon before a lowercase letter
 *   3. a run of two or more dots becomes a word DOT...MULTI, which is replaced
 *      by the dots again before step 7
 *   4. commas are separated, except between numbers
 *   5. apostrophes are separated: don't -> don 't in en, l'a -> l' a in fr, it
 *      and ga; in other languages, an apostrophe becomes a word
 *   6. the dot at the end of a word is separated.  Unless the word is the last
 *      one, the dot stays if the word has another dot and a letter, or is a
 *      listed prefix (one with #NUMERIC_ONLY#: if a digit follows), or if a
 *      lowercase letter follows
 *   7. & | < > ' " [ ] become entities
 *
 * Character classes are those of Unicode: "alpha" has the property Alphabetic,
 * "alnum" is alpha or a decimal digit, "number" is the category N.
 */
#include "harness/metrics/bleu/moses.h"

#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/metrics/bleu/tokenize.h"
#include "harness/metrics/lines.h"

#include <stdlib.h>
#include <string.h>
#include <unictype.h>

/* ---- classes ---- */

static int is_alpha(uint32_t c) { return uc_is_property_alphabetic(c); }
static int is_no_alpha(uint32_t c) { return !is_alpha(c); }

static int is_alnum(uint32_t c)
{
    return is_alpha(c) ||
           uc_is_general_category(c, UC_DECIMAL_DIGIT_NUMBER);
}

static int is_number(uint32_t c) { return !is_no_number(c); }
static int is_no_alpha_number(uint32_t c)
{
    return !is_alpha(c) && !is_number(c);
}

static int is_space(uint32_t c) /* Perl's \s */
{
    return text_is_space(c) && (c < 0x1C || c > 0x1F);
}

static int is_no_space(uint32_t c) { return !is_space(c); }

static int is_special(uint32_t c)
{
    return !is_alnum(c) && !is_space(c) && c != '.' && c != '\'' &&
           c != '`' && c != ',' && c != '-';
}

static int is_special_but_colon(uint32_t c)
{
    return is_special(c) && c != ':';
}

/* ---- passes ---- */

static void squeeze(struct text *t)
{
    struct text out = {0};
    int blank = 0;

    for (size_t i = 0, length; i < t->n; i += length) {
        uint32_t c = text_decode(t->s, i, t->n, &length);
        int space = is_space(c);

        if (c < 0x20 && !space)
            continue;
        text_add(&out, " ", blank && !space && out.n > 0);
        if (!space)
            text_add(&out, t->s + i, length);
        blank = space;
    }
    text_move(t, &out);
}

/* Separates colons that no lowercase letter follows. */
static void split_colons(struct text *t)
{
    struct text out = {0};

    for (size_t i = 0, length, next; i < t->n; i += length) {
        int split = text_decode(t->s, i, t->n, &length) == ':';

        if (split && i + length < t->n)
            split = !uc_is_general_category(
                text_decode(t->s, i + length, t->n, &next),
                UC_LOWERCASE_LETTER);
        text_add(&out, " ", (size_t)split);
        text_add(&out, t->s + i, length);
        text_add(&out, " ", (size_t)split);
    }
    text_move(t, &out);
}

/* Implements the option -a: replaces a hyphen between alnums by a word @-@. */
static void split_hyphens(struct text *t)
{
    struct text out = {0};
    int before = 0;

    for (size_t i = 0, length, next; i < t->n; i += length) {
        uint32_t c = text_decode(t->s, i, t->n, &length);

        if (c == '-' && before && i + 1 < t->n &&
            is_alnum(text_decode(t->s, i + 1, t->n, &next)))
            text_add(&out, " @-@ ", 5);
        else
            text_add(&out, t->s + i, length);
        before = is_alnum(c);
    }
    text_move(t, &out);
}

#define MULTI "DOTMULTI"

/* Replaces each run of two or more dots by a word with one DOT for each dot:
 * ".." becomes " DOTDOTMULTI ". */
static void hold_dots(struct text *t)
{
    struct text out = {0};

    for (size_t i = 0; i < t->n;) {
        size_t dots = strspn(t->s + i, ".");

        if (dots < 2) {
            text_add(&out, t->s + i++, 1);
            continue;
        }
        text_add(&out, " ", 1);
        for (size_t k = 1; k < dots; k++)
            text_add(&out, "DOT", 3);
        text_add(&out, MULTI, strlen(MULTI));
        i += dots;
        text_add(&out, " ", i < t->n);
    }
    text_move(t, &out);
}

static void release_dots(struct text *t)
{
    while (strstr(t->s, "DOT" MULTI))
        rule_replace(t, "DOT" MULTI, MULTI ".");
    rule_replace(t, MULTI, ".");
}

static void split_commas(struct text *t)
{
    rule_pair(t, is_no_number, is_comma, 0);
    rule_pair(t, is_comma, is_no_number, 1);
    if (t->n < 2 || t->s[t->n - 1] != ',')
        return;
    size_t last = t->n - 2, length;
    while (last && ((unsigned char)t->s[last] & 0xC0) == 0x80)
        last--;
    if (is_number(text_decode(t->s, last, t->n, &length))) {
        t->s[t->n - 1] = ' ';
        text_add(t, ",", 1);
    }
}

static void split_apostrophes(struct text *t, const char *language)
{
    if (!strcmp(language, "en")) { /* don't -> don 't */
        rule_around(t, is_no_alpha, is_apostrophe, is_no_alpha, " ' ");
        rule_around(t, is_no_alpha_number, is_apostrophe, is_alpha, " ' ");
        rule_around(t, is_alpha, is_apostrophe, is_no_alpha, " ' ");
        rule_around(t, is_alpha, is_apostrophe, is_alpha, " '");
        rule_around(t, is_number, is_apostrophe, is_small_s, " '");
    } else if (names_index(NAMES("fr", "it", "ga"), language) >= 0) {
        /* l'a -> l' a */
        rule_around(t, is_no_alpha, is_apostrophe, is_no_alpha, " ' ");
        rule_around(t, is_no_alpha, is_apostrophe, is_alpha, " ' ");
        rule_around(t, is_alpha, is_apostrophe, is_no_alpha, " ' ");
        rule_around(t, is_alpha, is_apostrophe, is_alpha, "' ");
    } else {
        rule_split(t, is_apostrophe);
    }
}

/* ---- prefixes ---- */

enum prefix { NO_PREFIX, ANY_PREFIX, NUMERIC_PREFIX };

struct moses {
    char        language[8], hash[HASH_HEX];
    struct map *words; /* kind of each listed word */
};

/* Adds a line of the list, such as "Gov" or "Nr #NUMERIC_ONLY#". */
static void add_prefix(struct moses *m, char *item)
{
    char *mark = strstr(item, "#NUMERIC_ONLY#");
    int numeric = mark && mark > item && strchr(" \t", mark[-1]);

    if (numeric)
        mark[-1] = 0;
    map_add(m->words, item, numeric ? NUMERIC_PREFIX : ANY_PREFIX);
}

int moses_open(struct moses **out, const char *folder, const char *language)
{
    OWNED(free) char *path =
        str_format("%s/nonbreaking_prefix.%s", folder, language);
    OWNED(moses_close) struct moses *m = calloc(1, sizeof *m);
    OWNED(lines_close) struct lines list = {.n = 0};

    *out = NULL;
    REQUIRE(strlen(language) < sizeof m->language, "%s", language);
    strcpy(m->language, language);
    m->words = map_of_copies();
    PASS(lines_read(&list, path));
    PASS(hash_file(path, m->hash));
    for (size_t i = list.n; i-- > 0;) /* the last of equal entries counts */
        if (*list.line[i] && *list.line[i] != '#')
            add_prefix(m, list.line[i]);
    *out = m;
    m = NULL;
    return OK;
}

void moses_close(struct moses *m)
{
    if (!m)
        return;
    map_free(m->words);
    free(m);
}

const char *moses_prefixes(const struct moses *m) { return m->hash; }

/* ---- the dots at the ends of words ---- */

static int starts_lower(const char *s)
{
    size_t length;

    return *s && uc_is_property_lowercase(text_decode(s, 0, strlen(s),
                                                      &length));
}

/* Returns 1 if the word `pre` keeps its dot.  `next` is the text after the
 * word, or NULL if it is the last word. */
static int keeps_dot(const struct moses *m, const char *pre, const char *next)
{
    int kind = map_get(m->words, pre, NO_PREFIX);

    if (!next)
        return 0;
    return (strchr(pre, '.') && rule_any(pre, strlen(pre), is_alpha)) ||
           kind == ANY_PREFIX || starts_lower(next) ||
           (kind == NUMERIC_PREFIX && *next >= '0' && *next <= '9');
}

/* Separates the dots at the ends of words.  Words are split at each blank, so
 * two blanks enclose an empty word, which does not count as lowercase. */
static void split_dots(const struct moses *m, struct text *t)
{
    struct text out = {0};

    while (t->n && t->s[t->n - 1] == ' ')
        t->s[--t->n] = 0;
    for (char *word = t->s, *next; word; word = next) {
        size_t n = strcspn(word, " ");

        next = word[n] ? word + n + 1 : NULL;
        word[n] = 0;
        int dot = n > 1 && word[n - 1] == '.';
        if (dot)
            word[--n] = 0;
        text_add(&out, " ", out.n > 0 && n > 0);
        text_add(&out, word, n);
        if (dot)
            text_put(&out, keeps_dot(m, word, next) ? "." : " .");
    }
    text_move(t, &out);
}

/* If the text ends with ".'", makes each of these characters a word. */
static void split_last_quote(struct text *t)
{
    if (t->n < 2 || strcmp(t->s + t->n - 2, ".'"))
        return;
    t->n -= 2;
    text_add(t, " . ' ", 5);
}

static void escape(struct text *t)
{
    static const char *const pair[][2] = {
        {"&", "&amp;"},  {"|", "&#124;"}, {"<", "&lt;"},  {">", "&gt;"},
        {"'", "&apos;"}, {"\"", "&quot;"}, {"[", "&#91;"}, {"]", "&#93;"}};

    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        rule_replace(t, pair[i][0], pair[i][1]);
}

char *moses_tokenize(const struct moses *m, const char *line, int flags)
{
    struct text t = {0};

    if (!rule_any(line, strlen(line), is_no_space)) /* a blank line */
        return str_copy(line);
    text_put(&t, line);
    squeeze(&t);
    if (names_index(NAMES("fi", "sv"), m->language) >= 0) {
        rule_split(&t, is_special_but_colon);
        split_colons(&t);
    } else {
        rule_split(&t, is_special);
    }
    if (flags & MOSES_AGGRESSIVE)
        split_hyphens(&t);
    hold_dots(&t);
    split_commas(&t);
    split_apostrophes(&t, m->language);
    split_dots(m, &t);
    split_last_quote(&t);
    release_dots(&t);
    if (!(flags & MOSES_NO_ESCAPE))
        escape(&t);
    return t.s;
}

/* ---- steps before and after the tokenizer ---- */

char *moses_replace_punctuation(const char *line)
{
    static const char *const pair[][2] = {
        {"，", ","}, {"、", ","}, {"”", "\""}, {"“", "\""}, {"∶", ":"},
        {"：", ":"}, {"？", "?"}, {"《", "\""}, {"》", "\""}, {"）", ")"},
        {"！", "!"}, {"（", "("}, {"；", ";"}, {"１", "1"}, {"」", "\""},
        {"「", "\""}, {"０", "0"}, {"３", "3"}, {"２", "2"}, {"５", "5"},
        {"６", "6"}, {"９", "9"}, {"７", "7"}, {"８", "8"}, {"４", "4"},
        {"～", "~"}, {"’", "'"}, {"…", "..."}, {"━", "-"}, {"〈", "<"},
        {"〉", ">"}, {"【", "["}, {"】", "]"}, {"％", "%"}};
    static const char *const stop[] = {"。", "．"}; /* with following blanks */
    struct text t = {0};

    text_add(&t, line, strlen(line));
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        rule_replace(&t, pair[i][0], pair[i][1]);
    for (int i = 0; i < 2; i++) {
        char *blank = str_format("%s ", stop[i]);

        while (strstr(t.s, blank))
            rule_replace(&t, blank, stop[i]);
        rule_replace(&t, stop[i], ". ");
        free(blank);
    }
    return t.s;
}

/* The script works on bytes, and a match includes one byte on each side of the
 * hyphen.  If there is only one byte between two hyphens, it belongs to the
 * first match, so the text is not split at the second hyphen. */
char *moses_split_compounds(const char *line)
{
    static const char space[] = " \t\n\v\f\r";
    struct text t = {0};

    text_add(&t, "", 0);
    for (const char *s = line; *s;) {
        int is = !strchr(space, s[0]) && s[1] == '-' && s[2] &&
                 !strchr(space, s[2]);

        text_add(&t, s, 1);
        if (is) {
            text_add(&t, " ##AT##-##AT## ", 15);
            text_add(&t, s + 2, 1);
        }
        s += is ? 3 : 1;
    }
    return t.s;
}
