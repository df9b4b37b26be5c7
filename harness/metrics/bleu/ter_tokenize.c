/*
 * ter_tokenize lowercases the line unless case_sensitive is set, applies the
 * options that are set, and splits the line at white space:
 *
 *   normalized     replaces entities, applies the rules A to D of 13a
 *                  (tokenize.c), and makes 's a word; with asian_support, also
 *                  puts blanks around each ideograph and Asian sign
 *   no_punct       removes . , ? : ; ! " ( ) and, with asian_support, Asian
 *                  signs
 *
 * As in sacreBLEU, the table in is_asian has U+3200-3F22 where U+3200-32FF is
 * meant.  sacreBLEU's rule for lines of kana only has no effect and is omitted.
 */
#include "harness/metrics/bleu/ter.h"

#include "harness/metrics/bleu/tokenize.h"

#include <string.h>

static int is_asian_sign(uint32_t c)
{
    static const uint32_t range[][2] = {
        {0x3001, 0x3002}, {0x3008, 0x3011}, {0x3014, 0x301F}, {0x30FB, 0x30FB},
        {0xFF01, 0xFF02}, {0xFF08, 0xFF09}, {0xFF0C, 0xFF0C}, {0xFF0E, 0xFF0E},
        {0xFF1A, 0xFF1B}, {0xFF1F, 0xFF1F}, {0xFF61, 0xFF65}};

    return rule_in_ranges(c, range, sizeof range / sizeof *range);
}

static int is_asian(uint32_t c)
{
    static const uint32_t range[][2] = {
        {0x2E80, 0x2EFF}, {0x31C0, 0x31EF}, {0x3200, 0x4DBF}, {0x4E00, 0x9FFF},
        {0xF900, 0xFAFF}, {0xFE30, 0xFE4F}};

    return is_asian_sign(c) ||
           rule_in_ranges(c, range, sizeof range / sizeof *range);
}

static int is_western_sign(uint32_t c)
{
    return c && c < 0x80 && strchr(".,?:;!\"()", (int)c) != NULL;
}

static void erase(struct text *t, int (*sign)(uint32_t))
{
    struct text out = {0};

    for (size_t i = 0, length; i < t->n; i += length)
        if (!sign(text_decode(t->s, i, t->n, &length)))
            text_add(&out, t->s + i, length);
    text_move(t, &out);
}

static void normalize(struct text *t)
{
    struct text padded = {0};

    rule_entities(t);
    text_format(&padded, " %s ", t->s);
    text_move(t, &padded);
    rule_a(t);
    rule_replace(t, "'s ", " 's ");
    rules_bcd(t);
}

char *ter_tokenize(const char *line, const struct ter_form *f)
{
    struct text t = rule_begin(line, !f->case_sensitive);

    if (f->normalized) {
        normalize(&t);
        if (f->asian_support)
            rule_split(&t, is_asian);
    }
    if (f->no_punct) {
        erase(&t, is_western_sign);
        if (f->asian_support)
            erase(&t, is_asian_sign);
    }
    return tokenize_words(&t);
}
