#include "harness/print/formula.h"

#include <ctype.h>
#include <string.h>

static const struct { const char *word, *sign; } signs[] = {
    {"in", "\u2208"}, {"x", "\u00d7"}, {"sum", "\u2211"}, {"sqrt", "\u221a"},
    {"RR", "\u211d"}, {"mod", " mod "}, {"div", " div "}};

/* A part of a formula. */
struct span { const char *at, *end; };

static int is_letter(char c) { return isalpha((unsigned char)c); }
static int is_digit(char c) { return isdigit((unsigned char)c) || c == '.'; }

/* Returns the end of the symbol, number, sign or {group} at the start of s. */
static const char *end_of(struct span s)
{
    const char *c = s.at;
    int deep = 0;

    if (*c == '{') {
        for (; c < s.end; c++) {
            deep += (*c == '{') - (*c == '}');
            if (!deep)
                return c + 1;
        }
        return s.end;
    }
    if (is_letter(*c) || is_digit(*c)) {
        int (*is)(char) = is_letter(*c) ? is_letter : is_digit;

        while (c < s.end && is(*c))
            c++;
        return c;
    }
    return c + 1;
}

static void put_items(struct markup *to, struct span s);

static void put_base(struct markup *to, struct span s)
{
    size_t n = (size_t)(s.end - s.at);

    if (*s.at == '{') {
        markup_open(to, "mrow");
        put_items(to, (struct span){s.at + 1, s.end - (s.end[-1] == '}')});
        markup_shut(to);
        return;
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strlen(signs[i].word) == n && !memcmp(signs[i].word, s.at, n)) {
            markup_element(to, "mo", signs[i].sign);
            return;
        }
    markup_open(to, is_letter(*s.at) ? "mi" : is_digit(*s.at) ? "mn" : "mo");
    if (strchr("()[]", *s.at))
        markup_attribute(to, "stretchy", "false");
    markup_format(to, "%.*s", (int)n, s.at);
    markup_shut(to);
}

/* If *s starts with `sign` ('_' or '^'), takes the sign and the subscript or
 * superscript after it from *s, and returns the latter.  Otherwise returns
 * {NULL, NULL}. */
static struct span script(struct span *s, char sign)
{
    struct span out = {NULL, NULL};

    if (s->at + 1 < s->end && *s->at == sign) {
        s->at++;
        out = (struct span){s->at, end_of(*s)};
        s->at = out.end;
    }
    return out;
}

static void put_items(struct markup *to, struct span s)
{
    while (s.at < s.end) {
        struct span base = {s.at, end_of(s)};

        s.at = base.end;
        if (*base.at == ' ')
            continue;
        struct span below = script(&s, '_'), above = script(&s, '^');
        int scripts = below.at || above.at;
        if (scripts)
            markup_open(to, below.at && above.at ? "msubsup"
                            : below.at           ? "msub" : "msup");
        put_base(to, base);
        if (below.at)
            put_base(to, below);
        if (above.at)
            put_base(to, above);
        if (scripts)
            markup_shut(to);
    }
}

void formula_write(struct markup *to, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, ";");

        markup_open(to, "div");
        markup_open(to, "math");
        put_items(to, (struct span){text, text + n});
        markup_shut(to);
        markup_shut(to);
        text += n + (text[n] == ';');
    }
}
