#include "harness/verify/attention/subject.h"

#include "harness/base/err.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char   *variant;
    enum mix_rule rule;
    int           share_q;
} mixtures[] = {
    {"random+dense", MIX_LOGITS, 0},
    {"dense+vanilla", MIX_LOGITS, 0},
    {"random+vanilla", MIX_LOGITS, 0},
    {"random+vanilla", MIX_PLUS, 0},
    {"random+vanilla", MIX_SIGMOID, 0},
    {"random+vanilla", MIX_WEIGHTS, 0},
    {"factorized-random+vanilla", MIX_LOGITS, 0},
    {"random+dense+vanilla", MIX_LOGITS, 0},
    {"random+dense+vanilla", MIX_WEIGHTS, 0},
    {"dense-mtf+vanilla", MIX_PLUS, 1},
    {"dense-mtf+vanilla", MIX_SIGMOID, 0},
    {"uniform+orthogonal", MIX_LOGITS, 0},
    {"random+vanilla", MIX_HEADS, 0},
    {"dense-mtf+vanilla", MIX_HEADS, 1},
    {"factorized-random+dense", MIX_HEADS, 0},
};

static const char *const rules[] = {MIX_RULES(NAMES_WORD)};

static const struct variant *find(const struct variant *const list[],
                                  const char *name, size_t n)
{
    for (; *list; list++)
        if (strlen((*list)->name) == n && !strncmp((*list)->name, name, n))
            return *list;
    return NULL;
}

int subject_make(struct subject *out, const struct variant *const list[],
                 const char *variant, enum mix_rule rule)
{
    *out = (struct subject){.rule = rule};
    snprintf(out->variant, sizeof out->variant, "%s", variant);
    for (const char *s = variant;;) {
        size_t n = strcspn(s, "+");

        REQUIRE(out->mix.n < MIX_PARTS, "%s: too many parts", variant);
        out->mix.part[out->mix.n] = find(list, s, n);
        if (!out->mix.part[out->mix.n++])
            return 0;
        if (!s[n])
            break;
        s += n + 1;
    }
    int told = out->mix.n > 1 && rule != MIX_LOGITS;
    snprintf(out->name, sizeof out->name, "%.48s%s%s", variant,
             told ? ", " : "", told ? rules[rule] : "");
    return 1;
}

int subject_list(const struct variant *const list[],
                 struct subject out[SUBJECTS])
{
    int n = 0;

    for (; list[n]; n++) {
        REQUIRE(n < SUBJECTS, "more than %d variants", SUBJECTS);
        subject_make(&out[n], list, list[n]->name, MIX_LOGITS);
    }
    for (size_t i = 0; i < sizeof mixtures / sizeof *mixtures; i++) {
        REQUIRE(n < SUBJECTS, "more than %d subjects", SUBJECTS);
        if (!subject_make(&out[n], list, mixtures[i].variant,
                          mixtures[i].rule))
            continue;
        out[n++].share_q = mixtures[i].share_q;
    }
    return n;
}

int subject_parts(const struct subject *s, enum trait trait)
{
    int n = 0;

    for (int i = 0; i < s->mix.n; i++)
        n += (s->mix.part[i]->traits & trait) != 0;
    return n;
}
