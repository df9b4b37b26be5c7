#include "harness/verify/attention/verify.h"

#include "harness/base/err.h"

#include <string.h>

/* NaN fails. */
static int holds(const struct gauge *m)
{
    return m->at_least ? m->value >= m->bound : m->value <= m->bound;
}

static const char *excuse_of(const struct property *p, const struct subject *s)
{
    const struct formula_rule *rule = p->own ? formula_rule(s->variant) : NULL;

    if (p->own && !(rule && rule->own && !strcmp(rule->own, p->name)))
        return p->own;
    return p->excuse ? p->excuse(s) : NULL;
}

static enum verdict judge(const struct subject *s, const struct property *p,
                          const struct backend *be, verify_report *report,
                          void *arg)
{
    struct finding f = {.subject = s, .property = p, .remark = ""};
    const char *excuse = excuse_of(p, s);
    struct gauge m = {.value = 0};

    if (excuse) {
        f.verdict = VERDICT_NONE;
        f.remark = excuse;
    } else {
        p->run(s, be, &m);
        f.verdict = holds(&m) ? VERDICT_PASS : VERDICT_FAIL;
        f.measured = m.value;
        f.bound = m.bound;
        f.at_least = m.at_least;
        if (f.verdict == VERDICT_FAIL)
            f.remark = m.where;
    }
    report(arg, &f);
    return f.verdict;
}

int verify_run(const struct variant *const list[], const struct backend *be,
               verify_report *report, void *arg)
{
    struct subject subject[SUBJECTS];
    int n = subject_list(list, subject), failed = 0;

    REQUIRE(!be->get, "%s: its buffers are not the host's to read", be->name);
    be->thread_begin();
    for (int i = 0; i < n; i++)
        for (int p = 0; properties[p]; p++)
            failed += judge(&subject[i], properties[p], be, report, arg) ==
                      VERDICT_FAIL;
    return failed;
}
