#include "tests/support/answers.h"

#include "harness/tasks/gen/gen.h"

#include <string.h>

static int copied(const struct example *e, int (*from)(int i, int n))
{
    int n = e->ntarget / 2;

    for (int i = 0; i < n; i++)
        if (e->target[n + i] != e->target[from(i, n)])
            return 0;
    return e->prompt == n;
}

static int forwards(int i, int n) { return (void)n, i; }
static int backwards(int i, int n) { return n - 1 - i; }

static int permuted(int i, int n)
{
    int pi[64];

    gen_positions(pi, n);
    return pi[i];
}

static int solve_copy(const struct example *e, const struct task_opts *o)
{
    return (void)o, copied(e, forwards);
}

static int solve_reverse(const struct example *e, const struct task_opts *o)
{
    return (void)o, copied(e, backwards);
}

static int solve_perm(const struct example *e, const struct task_opts *o)
{
    return (void)o, copied(e, permuted);
}

static int solve_pointer(const struct example *e, const struct task_opts *o)
{
    int n = e->ntarget - 2, at = e->target[n] - (o->vocab - n);

    return at >= 0 && at < n && e->target[n + 1] == e->target[at];
}

/* Returns the value of key `asked` among n pairs of key and value. Returns -1
 * unless every key and every value occurs exactly once. */
static int look_up(const int *pairs, int n, int asked)
{
    int keys = 0, values = 0, found = -1;

    for (int i = 0; i < n; i++) {
        int pair = pairs[i] - ID_FIRST;

        keys |= 1 << pair / n;
        values |= 1 << pair % n;
        if (pair / n == asked)
            found = pair % n;
    }
    return keys == (1 << n) - 1 && values == keys ? found : -1;
}

static int solve_recall(const struct example *e, const struct task_opts *o)
{
    int n = e->ntarget - 2, first = ID_FIRST + n * n;

    (void)o;
    return look_up(e->target, n, e->target[n] - first) ==
           e->target[n + 1] - first - n;
}

static int solve_recall_bi(const struct example *e, const struct task_opts *o)
{
    int n = e->nsource - 1;

    (void)o;
    return look_up(e->source + 1, n, e->source[0] - ID_FIRST - n * n) ==
           e->label;
}

static int solve_eq(const struct example *e, const struct task_opts *o)
{
    int last = e->ntarget - 2;

    (void)o;
    return (e->target[0] == e->target[last]) == e->target[last + 1] - ID_FIRST;
}

/* Solves an example of gen_match. The separator, id 3, is between the segments;
 * there are at most 20 ids. */
static int solve_match(const struct example *e, const struct task_opts *o)
{
    int seen[20] = {0}, bar = 0, across = 0, twice = 0;

    while (e->source[bar] != ID_FIRST)
        bar++;
    for (int i = 0; i < e->nsource; i++) {
        int *segment = &seen[e->source[i]], mine = i < bar ? 1 : 2;

        across += *segment && *segment != mine;
        twice += *segment == mine;
        *segment = mine;
    }
    return bar == (o->length - 1) / 2 && across + twice == 1 &&
           across == e->label;
}

static int solve_induction(const struct example *e, const struct task_opts *o)
{
    (void)o;
    for (int i = e->prompt; i < e->ntarget; i++) {
        int j = i - 2;

        while (e->target[j] != e->target[i - 1])
            j--;
        if (e->target[j + 1] != e->target[i])
            return 0;
    }
    return e->prompt < e->ntarget;
}

static int solve_majority(const struct example *e, const struct task_opts *o)
{
    int count[GEN_CLASSES] = {0};

    (void)o;
    for (int i = 0; i < e->nsource; i++)
        count[(e->source[i] - ID_FIRST) % GEN_CLASSES]++;
    for (int c = 0; c < GEN_CLASSES; c++)
        if (c != e->label && count[c] + 2 > count[e->label])
            return 0;
    return 1;
}

/* Returns 1 if the translation of `from` by `to` agrees with those of all
 * earlier calls, in both directions. */
static int same_word(int from, int to)
{
    static int there[64], back[64];

    if (!there[from] && !back[to]) {
        there[from] = to;
        back[to] = from;
    }
    return there[from] == to && back[to] == from;
}

enum { NOUN = 3, ADJECTIVE = 11, VERB = 15, OTHER = 21 };

static int is_noun(int id) { return id >= NOUN && id < ADJECTIVE; }

/* Compares one noun phrase of the source with one of the target, and advances
 * both pointers past it. Returns 0 if they disagree. */
static int same_phrase(const int **s, const int **t)
{
    const int *first = *s;
    int gender;

    while (!is_noun(**s))
        (*s)++;
    gender = **s % 2;
    if (!same_word(*(*s)++, *(*t)++))
        return 0;
    for (; !is_noun(*first); first++, (*t)++)
        /* the target has one adjective for each gender */
        if (*first >= VERB || !same_word(32 + 2 * *first + gender - 22, **t))
            return 0;
    return 1;
}

static int solve_scfg(const struct example *e, const struct task_opts *o)
{
    const int *s = e->source, *t = e->target;

    (void)o;
    if (!same_phrase(&s, &t))
        return 0;
    int verb = *s++;
    return verb >= VERB && verb < OTHER && same_phrase(&s, &t) &&
           same_word(verb, *t++) && *s++ == ID_EOS && *t++ == ID_EOS &&
           s == e->source + e->nsource && t == e->target + e->ntarget;
}

static int solve_salient(const struct example *e, const struct task_opts *o)
{
    int at = 0;

    (void)o;
    while (e->source[at] != ID_FIRST)
        at++;
    return at % 3 == 0 && e->ntarget == 4 &&
           !memcmp(e->source + at + 1, e->target, 3 * sizeof(int)) &&
           e->target[3] == ID_EOS && e->source[e->nsource - 1] == ID_EOS;
}

static int solve_persona(const struct example *e, const struct task_opts *o)
{
    int asked = e->source[e->nsource - 2], found = 0;

    (void)o;
    for (int i = 0; i < e->nsource - 3; i += 3)
        if (e->source[i + 1] == asked)
            found += e->source[i + 2] == e->target[0] ? 1 : 2;
        else if ((e->source[i + 2] - 13) / 4 != e->source[i + 1] - 5)
            return 0;
    return found == 1 && e->target[1] == ID_EOS;
}

static int number(int id) { return (id - 4) % 2; }

static int solve_grammar(const struct example *e, const struct task_opts *o)
{
    int n = e->nsource - 2; /* the last verb */

    (void)o;
    for (int i = 1; i < n; i += 3)
        if (e->source[i] != ID_FIRST ||
            number(e->source[i - 1]) != number(e->source[i + 1]))
            return 0;
    return (number(e->source[0]) == number(e->source[n])) == e->label;
}

static int solve_winograd(const struct example *e, const struct task_opts *o)
{
    (void)o;
    return e->source[0] != e->source[2] &&
           ((e->source[1] - 29) % 2 != (e->source[6] - 37) % 2) == e->label;
}

static const struct { const char *task; answer *follows; } answers[] = {
    {"gen_copy", solve_copy},
    {"gen_perm", solve_perm},
    {"gen_reverse", solve_reverse},
    {"gen_pointer", solve_pointer},
    {"gen_recall", solve_recall},
    {"gen_recall_bi", solve_recall_bi},
    {"gen_eq", solve_eq},
    {"gen_match", solve_match},
    {"gen_induction", solve_induction},
    {"gen_majority", solve_majority},
    {"gen_scfg", solve_scfg},
    {"gen_salient", solve_salient},
    {"gen_persona", solve_persona},
    {"gen_grammar", solve_grammar},
    {"gen_winograd", solve_winograd},
};

answer *answers_of(const char *task)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (!strcmp(answers[i].task, task))
            return answers[i].follows;
    return NULL;
}
