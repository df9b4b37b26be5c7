/*
 * By Unicode general categories: N numbers, Nd decimal digits, P punctuation,
 * S symbols.
 *
 *   (not a number)(P)  ->  "\1 \2 "
 *   (P)(not a number)  ->  " \1 \2"
 *   (S)                ->  " \1 "
 *
 * intl (sacreBLEU, after NIST's mteval-v14) takes all of N for numbers, t2t
 * (tensor2tensor's bleu_hook) Nd alone.  At the ends of a line a character has
 * no neighbour, so a full stop after a last digit stays with it.
 */
#include "harness/metrics/bleu/tokenize.h"

#include <string.h>
#include <unictype.h>

/* Most text is ASCII, whose punctuation and symbols are known. */
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

static int is_no_number(uint32_t c)
{
    return c < 0x80 ? !is_ascii_digit(c)
                    : !uc_is_general_category(c, UC_NUMBER);
}

static int is_no_digit(uint32_t c)
{
    return c < 0x80 ? !is_ascii_digit(c)
                    : !uc_is_general_category(c, UC_DECIMAL_DIGIT_NUMBER);
}

static char *by_category(const char *line, int (*beside)(uint32_t))
{
    struct text t = {0};

    text_add(&t, line, strlen(line));
    rule_pair(&t, beside, is_punctuation, 0);
    rule_pair(&t, is_punctuation, beside, 1);
    rule_split(&t, is_symbol);
    return tokenize_words(&t);
}

char *tokenize_intl(const char *line)
{
    return by_category(line, is_no_number);
}

char *tokenize_t2t(const char *line) { return by_category(line, is_no_digit); }
