/*
 * The 13a tokenizer (Post, "A call for clarity in reporting BLEU scores", WMT
 * 2018; the rules are those of NIST's mteval-v13a):
 *
 *   1. "<skipped>" and "-\n" go, "\n" is a blank
 *   2. &quot; &amp; &lt; &gt;, in this order, each over the whole line
 *   3. a blank before and after the line
 *   A  { | } ~ [ \ ] ^ _ ` ! " # $ % & ( ) * + : ; < = > ? @ /  ->  " \1 "
 *   B  (not a digit)(. or ,)  ->  "\1 \2 "
 *   C  (. or ,)(not a digit)  ->  " \1 \2"
 *   D  (digit)(-)             ->  "\1 \2 "
 *   4. words, joined by single blanks
 *
 * Each rule passes once, left to right, over what does not overlap.  All signs
 * and digits meant are ASCII, so the bytes of a longer character never match
 * and the rules work on bytes.
 */
#include "harness/metrics/tok13a.h"

#include "harness/metrics/text.h"

#include <string.h>

static void replace(struct text *t, const char *old, const char *new)
{
    struct text out = {0};
    const char *from = t->s;

    for (const char *at; (at = strstr(from, old)); from = at + strlen(old)) {
        text_add(&out, from, (size_t)(at - from));
        text_add(&out, new, strlen(new));
    }
    text_add(&out, from, strlen(from));
    text_move(t, &out);
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_other(char c) { return !is_digit(c); }
static int is_point(char c) { return c == '.' || c == ','; }
static int is_dash(char c) { return c == '-'; }

static void rule_a(struct text *t)
{
    struct text out = {0};

    for (size_t i = 0; i < t->n; i++) {
        int sign = strchr("{|}~[\\]^_` !\"#$%&()*+:;<=>?@/", t->s[i]) != NULL;

        text_add(&out, " ", sign);
        text_add(&out, t->s + i, 1);
        text_add(&out, " ", sign);
    }
    text_move(t, &out);
}

/* Rules B to D: where `first` and `second` stand side by side, blanks go round
 * the sign, which is the first of the two or the second. */
static void rule_pair(struct text *t, int (*first)(char), int (*second)(char),
                      int sign_first)
{
    struct text out = {0};

    for (size_t i = 0; i < t->n;) {
        if (i + 1 == t->n || !first(t->s[i]) || !second(t->s[i + 1])) {
            text_add(&out, t->s + i++, 1);
            continue;
        }
        text_add(&out, " ", sign_first);
        text_add(&out, t->s + i, 1);
        text_add(&out, " ", 1);
        text_add(&out, t->s + i + 1, 1);
        text_add(&out, " ", !sign_first);
        i += 2;
    }
    text_move(t, &out);
}

char *tok13a(const char *line)
{
    struct text t = {0}, out = {0};

    text_add(&t, " ", 1);
    text_add(&t, line, text_rstrip(line, strlen(line)));
    text_add(&t, " ", 1);
    replace(&t, "<skipped>", "");
    replace(&t, "-\n", "");
    replace(&t, "\n", " ");
    replace(&t, "&quot;", "\"");
    replace(&t, "&amp;", "&");
    replace(&t, "&lt;", "<");
    replace(&t, "&gt;", ">");
    rule_a(&t);
    rule_pair(&t, is_other, is_point, 0);
    rule_pair(&t, is_point, is_other, 1);
    rule_pair(&t, is_digit, is_dash, 0);
    text_add(&out, "", 0);
    text_join_words(&out, t.s, t.n);
    text_free(&t);
    return out.s;
}
