/*
 * The 13a tokenizer (Post, "A call for clarity in reporting BLEU scores", WMT
 * 2018; the rules are those of NIST's mteval-v13a):
 *
 *   1. "<skipped>" and "-\n" are removed, "\n" becomes a blank
 *   2. the entities &quot; &amp; &lt; &gt; are replaced by their characters, in
 *      this order, each in the whole line
 *   3. a blank is added before and after the line, and the rules A to D apply;
 *      \1 and \2 are the characters that match
 *   A  { | } ~ [ \ ] ^ _ ` ! " # $ % & ( ) * + : ; < = > ? @ /  ->  " \1 "
 *   B  (not a digit)(. or ,)  ->  "\1 \2 "
 *   C  (. or ,)(not a digit)  ->  " \1 \2"
 *   D  (digit)(-)             ->  "\1 \2 "
 *   4. the words are joined by single blanks
 *
 * The tokenizer zh (sacreBLEU) puts blanks around each Chinese character, then
 * applies A to D.
 */
#include "harness/metrics/bleu/tokenize.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"

#include <ctype.h>
#include <string.h>
#include <unictype.h>

/* ---- rules ---- */

struct text rule_begin(const char *line, int lower)
{
    size_t bytes = text_rstrip(line, strlen(line));
    struct text t = {0};

    text_put(&t, "");
    (lower ? text_lower : text_add)(&t, line, bytes);
    return t;
}

void rule_replace(struct text *t, const char *old, const char *new)
{
    const char *from = t->s, *at = strstr(from, old);
    struct text out = {0};

    if (!at)
        return;
    for (; at; from = at + strlen(old), at = strstr(from, old)) {
        text_add(&out, from, (size_t)(at - from));
        text_add(&out, new, strlen(new));
    }
    text_add(&out, from, strlen(from));
    text_move(t, &out);
}

void rule_entities(struct text *t)
{
    if (!strchr(t->s, '&'))
        return;
    rule_replace(t, "&quot;", "\"");
    rule_replace(t, "&amp;", "&");
    rule_replace(t, "&lt;", "<");
    rule_replace(t, "&gt;", ">");
}

/* Copies the bytes from *from to `to` unchanged and sets *from to `to`. */
static void add_run(struct text *out, const struct text *t, size_t *from,
                    size_t to)
{
    text_add(out, t->s + *from, to - *from);
    *from = to;
}

void rule_split(struct text *t, int (*sign)(uint32_t))
{
    struct text out = {0};
    size_t from = 0;

    for (size_t i = 0, length; i < t->n; i += length) {
        if (!sign(text_decode(t->s, i, t->n, &length)))
            continue;
        add_run(&out, t, &from, i);
        text_add(&out, " ", 1);
        add_run(&out, t, &from, i + length);
        text_add(&out, " ", 1);
    }
    add_run(&out, t, &from, t->n);
    text_move(t, &out);
}

void rule_pair(struct text *t, int (*first)(uint32_t), int (*second)(uint32_t),
               int sign_first)
{
    struct text out = {0};
    size_t from = 0, i = 0, a, b = 0;

    for (int was; i < t->n; i += was ? a + b : a) {
        was = first(text_decode(t->s, i, t->n, &a)) && i + a < t->n &&
              second(text_decode(t->s, i + a, t->n, &b));
        if (!was)
            continue;
        add_run(&out, t, &from, i);
        text_add(&out, " ", (size_t)sign_first);
        add_run(&out, t, &from, i + a);
        text_add(&out, " ", 1);
        add_run(&out, t, &from, i + a + b);
        text_add(&out, " ", (size_t)!sign_first);
    }
    add_run(&out, t, &from, t->n);
    text_move(t, &out);
}

void rule_around(struct text *t, int (*before)(uint32_t),
                 int (*sign)(uint32_t), int (*after)(uint32_t),
                 const char *replaced)
{
    struct text out = {0};
    size_t i = 0, a, b, c;

    while (i < t->n) {
        int is = before(text_decode(t->s, i, t->n, &a)) && i + a < t->n &&
                 sign(text_decode(t->s, i + a, t->n, &b)) &&
                 i + a + b < t->n &&
                 after(text_decode(t->s, i + a + b, t->n, &c));

        text_add(&out, t->s + i, a);
        i += a;
        if (!is)
            continue;
        text_add(&out, replaced, strlen(replaced));
        text_add(&out, t->s + i + b, c);
        i += b + c;
    }
    text_move(t, &out);
}

int rule_any(const char *s, size_t bytes, int (*sign)(uint32_t))
{
    for (size_t i = 0, length; i < bytes; i += length)
        if (sign(text_decode(s, i, bytes, &length)))
            return 1;
    return 0;
}

int rule_in_ranges(uint32_t c, const uint32_t range[][2], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (c >= range[i][0] && c <= range[i][1])
            return 1;
    return 0;
}

int is_ascii_digit(uint32_t c) { return c >= '0' && c <= '9'; }
int is_comma(uint32_t c) { return c == ','; }
int is_apostrophe(uint32_t c) { return c == '\''; }
int is_small_s(uint32_t c) { return c == 's'; }
static int is_other(uint32_t c) { return !is_ascii_digit(c); }
static int is_point(uint32_t c) { return c == '.' || c == ','; }
static int is_dash(uint32_t c) { return c == '-'; }

static int is_sign(uint32_t c) /* blank; ASCII punctuation except ' , - . */
{
    return c == ' ' ||
           (c < 0x80 && ispunct((int)c) && !strchr("',-.", (int)c));
}

void rule_a(struct text *t) { rule_split(t, is_sign); }

void rules_bcd(struct text *t)
{
    rule_pair(t, is_other, is_point, 0);
    rule_pair(t, is_point, is_other, 1);
    rule_pair(t, is_ascii_digit, is_dash, 0);
}

char *tokenize_words(struct text *t)
{
    struct text out = {0};

    text_add(&out, "", 0);
    text_join_words(&out, t->s, t->n);
    text_free(t);
    return out.s;
}

/* ---- tokenizers ---- */

static char *tokenize_13a(const char *line)
{
    struct text t = {0};

    text_add(&t, " ", 1);
    text_add(&t, line, text_rstrip(line, strlen(line)));
    text_add(&t, " ", 1);
    rule_replace(&t, "<skipped>", "");
    rule_replace(&t, "-\n", "");
    rule_replace(&t, "\n", " ");
    rule_entities(&t);
    rule_a(&t);
    rules_bcd(&t);
    return tokenize_words(&t);
}

static char *tokenize_none(const char *line) { return str_copy(line); }

static char *tokenize_char(const char *line)
{
    size_t bytes = strlen(line), length;
    struct text out = {0};

    text_add(&out, "", 0);
    for (size_t i = 0; i < bytes; i += length) {
        text_decode(line, i, bytes, &length);
        text_add(&out, " ", i > 0);
        text_add(&out, line + i, length);
    }
    return out.s;
}

/*
 * Rules by Unicode general categories: N numbers, Nd decimal digits, P
 * punctuation, S symbols.
 *
 *   (not a number)(P)  ->  "\1 \2 "
 *   (P)(not a number)  ->  " \1 \2"
 *   (S)                ->  " \1 "
 *
 * For intl (sacreBLEU, after NIST's mteval-v14), a number is any character of
 * N; for t2t (tensor2tensor's bleu_hook), only of Nd.  At the ends of a line a
 * character has no neighbour, so a full stop after a final digit is not
 * separated.
 */

/* Most text is ASCII, so for speed, is_punctuation and is_symbol list the ASCII
 * characters. */
static int is_punctuation(uint32_t c)
{
    if (c < 0x80)
        return c && strchr("!\"#%&'()*,-./:;?@[\\]_{}", (int)c) != NULL;
    return uc_is_general_category(c, UC_PUNCTUATION);
}

static int is_symbol(uint32_t c)
{
    if (c < 0x80)
        return c && strchr("$+<=>^`|~", (int)c) != NULL;
    return uc_is_general_category(c, UC_SYMBOL);
}

int is_no_number(uint32_t c)
{
    return c < 0x80 ? !is_ascii_digit(c)
                    : !uc_is_general_category(c, UC_NUMBER);
}

static int is_no_digit(uint32_t c)
{
    return c < 0x80 ? !is_ascii_digit(c)
                    : !uc_is_general_category(c, UC_DECIMAL_DIGIT_NUMBER);
}

static char *by_category(const char *line, int (*is_neighbour)(uint32_t))
{
    struct text t = {0};

    text_add(&t, line, strlen(line));
    rule_pair(&t, is_neighbour, is_punctuation, 0);
    rule_pair(&t, is_punctuation, is_neighbour, 1);
    rule_split(&t, is_symbol);
    return tokenize_words(&t);
}

static char *tokenize_intl(const char *line)
{
    return by_category(line, is_no_number);
}

char *tokenize_t2t(const char *line) { return by_category(line, is_no_digit); }

/* Uses sacreBLEU's table.  sacreBLEU writes each code beyond FFFF as a code of
 * four digits and a fifth character; compared as strings, these rows cover
 * 2001-2A6D and 2F81-2FA1. */
static int is_chinese(uint32_t c)
{
    static const uint32_t range[][2] = {
        {0x2001, 0x2A6D}, {0x2E80, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F},
        {0x31A0, 0x31BF}, {0x31C0, 0x31EF}, {0x3200, 0x33FF}, {0x3400, 0x4DB5},
        {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9},
        {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF}};

    return rule_in_ranges(c, range, sizeof range / sizeof *range);
}

static char *tokenize_zh(const char *line)
{
    struct text t = {0};
    size_t bytes = text_rstrip(line, strlen(line)), length;

    while (bytes && text_is_space(text_decode(line, 0, bytes, &length))) {
        line += length;
        bytes -= length;
    }
    text_add(&t, line, bytes);
    rule_split(&t, is_chinese);
    rule_a(&t);
    rules_bcd(&t);
    return tokenize_words(&t);
}

const char *const tokenizer_names[] = {"13a", "intl", "none", "char", "zh",
                                       NULL};

tokenize *tokenizer(const char *name)
{
    static tokenize *const all[] = {tokenize_13a, tokenize_intl, tokenize_none,
                                    tokenize_char, tokenize_zh};

    int i = names_index(tokenizer_names, name);

    REQUIRE(i >= 0, "no tokenizer '%s'", name);
    return all[i];
}
