/*
 * superglue_wsc: reads sentences with a pronoun and its referent, in T5's text
 * format.
 *
 *     {"text", "target": {"span1_text", "span1_index", "span2_text",
 *      "span2_index"}, "label", "idx"}
 *     source  "wsc: text with the *pronoun* marked"
 *     target  the referent (span 1)
 *
 * Training uses only rows whose referent is correct.  The marked pronoun is the
 * word nearest to span2_index that equals span2_text, except for punctuation
 * after the word.  A span that does not occur in the text is repaired: its
 * first letter takes the case of the word at its index, a final full stop is
 * removed, and a newline becomes a blank.  If this does not help, the span is
 * not changed.
 * Source: Levesque et al. (KR 2012); Raffel et al., T5 (JMLR 2020), 2.4.
 */
#include "harness/corpora/superglue.h"

#include "harness/base/err.h"
#include "harness/base/text.h"

#include <stdlib.h>
#include <string.h>
#include <unicase.h>
#include <unictype.h>
#include <unistr.h>

struct span {
    const char *text;
    long long index;
};

static int read_span(struct span *s, const struct value *target,
                     const char *text, const char *index)
{
    PASS(value_string(&s->text, target, text));
    return value_integer(&s->index, target, index);
}

/* Appends s, which is not empty; its first letter takes the case of the first
 * letter of `like`. */
static void put_cased(struct text *out, const char *s, struct slice like)
{
    size_t one, length;

    if (!like.n) {
        text_put(out, s);
        return;
    }
    uint32_t model = text_decode(like.s, 0, like.n, &length);
    uint32_t c = text_decode(s, 0, strlen(s), &one);
    if (uc_is_upper(model))
        c = uc_toupper(c);
    else if (uc_is_lower(model))
        c = uc_tolower(c);
    text_add_char(out, c);
    text_put(out, s + one);
}

static void repair(struct text *out, const struct span *s, const char *text,
                   const struct words *w)
{
    struct slice like = {NULL, 0};

    text_clear(out);
    if (strstr(text, s->text)) {
        text_put(out, s->text);
        return;
    }
    if (s->index >= 0 && s->index < (long long)w->n)
        like = w->word[s->index];
    put_cased(out, s->text, like);
    if (out->s[out->n - 1] == '.')
        out->s[--out->n] = 0;
    for (char *lf; (lf = strchr(out->s, '\n'));)
        *lf = ' ';
    if (!strstr(text, out->s)) {
        text_clear(out);
        text_put(out, s->text);
    }
}

static int equals(struct slice word, const char *pronoun)
{
    size_t n = strlen(pronoun);

    if (word.n < n || memcmp(word.s, pronoun, n))
        return 0;
    while (n < word.n && strchr(".,;:!?\"')]", word.s[n]))
        n++;
    return n == word.n;
}

/* Returns the index of the word nearest to `index` that equals the pronoun, or
 * -1 if there is none.  If two words are equally near, returns the lower
 * index. */
static long long find_pronoun(const struct words *w, const char *pronoun,
                              long long index)
{
    long long best = -1;

    for (long long i = 0; i < (long long)w->n; i++)
        if (equals(w->word[i], pronoun) &&
            (best < 0 || llabs(i - index) < llabs(best - index)))
            best = i;
    return best;
}

static int hand_out(struct corpus_reading *x, const struct jsonl *j,
                    const char *text, const char *at, const char *pronoun,
                    const char *referent, int class)
{
    int before = (int)(at - text), n = (int)strlen(pronoun);
    OWNED(text_free) struct text source = {0};
    long long idx;

    PASS(value_integer(&idx, j->object, "idx"));
    text_format(&source, "wsc: %.*s*%s*%s", before, text, pronoun, at + n);
    return ROW(x, TEXT("source", source.s), TEXT("target", referent),
               INTEGER("label", class), INTEGER("idx", idx));
}

static int take_row(void *reading, const struct jsonl *j)
{
    struct corpus_reading *x = reading;
    OWNED(text_free) struct text pronoun = {0}, referent = {0};
    const char *text;
    long line = linefile_number(j->lines);
    OWNED(words_free) struct words w = {0};
    const struct value *target;
    struct span one, two;
    int class;

    PASS(superglue_class(&class, x, j->object, LABEL_BOOLEAN,
                         superglue_boolean));
    PASS(value_string(&text, j->object, "text"));
    PASS(value_object(&target, j->object, "target"));
    PASS(read_span(&one, target, "span1_text", "span1_index"));
    PASS(read_span(&two, target, "span2_text", "span2_index"));
    words_split(&w, text, strlen(text));
    repair(&referent, &one, text, &w);
    repair(&pronoun, &two, text, &w);
    long long at = find_pronoun(&w, pronoun.s, two.index);
    if (!class && !strcmp(x->split->name, "train"))
        return corpus_skip(x, line, "not-the-referent", NULL);
    if (at < 0)
        return corpus_skip(x, line, "span2-not-found", NULL);
    return hand_out(x, j, text, w.word[at].s, pronoun.s, referent.s, class);
}

SUPERGLUE(wsc, "WSC", SUPERGLUE_FILES("WSC", 554, 104, 146),
          .counted = "not-the-referent")
