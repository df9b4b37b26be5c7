#include "harness/metrics/bleu/moses.h"

#include "harness/base/str.h"
#include "harness/metrics/bleu/tokenize.h"

#include <stdlib.h>
#include <string.h>
#include <unictype.h>

int moses_is_alpha(uint32_t c) { return uc_is_property_alphabetic(c); }
static int is_no_alpha(uint32_t c) { return !moses_is_alpha(c); }

static int is_alnum(uint32_t c)
{
    return moses_is_alpha(c) ||
           uc_is_general_category(c, UC_DECIMAL_DIGIT_NUMBER);
}

static int is_number(uint32_t c)
{
    return uc_is_general_category(c, UC_NUMBER);
}

static int is_no_number(uint32_t c) { return !is_number(c); }
static int is_no_alpha_number(uint32_t c)
{
    return !moses_is_alpha(c) && !is_number(c);
}
static int is_comma(uint32_t c) { return c == ','; }
static int is_quote(uint32_t c) { return c == '\''; }
static int is_small_s(uint32_t c) { return c == 's'; }

int moses_is_space(uint32_t c)
{
    return text_is_space(c) && (c < 0x1C || c > 0x1F);
}

static int is_special(uint32_t c)
{
    return !is_alnum(c) && !moses_is_space(c) && c != '.' && c != '\'' &&
           c != '`' && c != ',' && c != '-';
}

static int is_special_but_colon(uint32_t c)
{
    return is_special(c) && c != ':';
}

/* ---- passes ---- */

void moses_squeeze(struct text *t)
{
    struct text out = {0};
    int blank = 0;

    for (size_t i = 0, length; i < t->n; i += length) {
        uint32_t c = text_decode(t->s, i, t->n, &length);
        int space = moses_is_space(c);

        if (c < 0x20 && !space)
            continue;
        text_add(&out, " ", blank && !space && out.n > 0);
        if (!space)
            text_add(&out, t->s + i, length);
        blank = space;
    }
    text_add(&out, "", 0);
    text_move(t, &out);
}

/* A colon that no lowercase letter follows. */
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
    text_add(&out, "", 0);
    text_move(t, &out);
}

void moses_split_signs(struct text *t, int colon)
{
    rule_split(t, colon ? is_special_but_colon : is_special);
    if (colon)
        split_colons(t);
}

/* -a: a hyphen between alnums is a word of its own. */
void moses_split_hyphens(struct text *t)
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
    text_add(&out, "", 0);
    text_move(t, &out);
}

#define MULTI "DOTMULTI"

/* ".." and longer: " DOTDOTMULTI ", a DOT for each. */
void moses_hold_dots(struct text *t)
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
    text_add(&out, "", 0);
    text_move(t, &out);
}

void moses_release_dots(struct text *t)
{
    while (strstr(t->s, "DOT" MULTI))
        rule_replace(t, "DOT" MULTI, MULTI ".");
    rule_replace(t, MULTI, ".");
}

void moses_split_commas(struct text *t)
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

void moses_split_apostrophes(struct text *t, enum moses_apostrophe kind)
{
    switch (kind) {
    case MOSES_RIGHT:
        rule_around(t, is_no_alpha, is_quote, is_no_alpha, " ' ");
        rule_around(t, is_no_alpha_number, is_quote, moses_is_alpha, " ' ");
        rule_around(t, moses_is_alpha, is_quote, is_no_alpha, " ' ");
        rule_around(t, moses_is_alpha, is_quote, moses_is_alpha, " '");
        rule_around(t, is_number, is_quote, is_small_s, " '");
        break;
    case MOSES_LEFT:
        rule_around(t, is_no_alpha, is_quote, is_no_alpha, " ' ");
        rule_around(t, is_no_alpha, is_quote, moses_is_alpha, " ' ");
        rule_around(t, moses_is_alpha, is_quote, is_no_alpha, " ' ");
        rule_around(t, moses_is_alpha, is_quote, moses_is_alpha, "' ");
        break;
    case MOSES_ALONE: rule_split(t, is_quote); break;
    }
}

/* ---- the steps before and after the tokenizer ---- */

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
    static const char *const stop[] = {"。", "．"}; /* with blanks behind */
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

/* The script works on bytes: what stands between two hyphens is both the end
 * of one match and the beginning of the next only if it has two of them. */
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
