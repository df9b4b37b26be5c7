/* verify store: is all that a store holds as it was written? */
#include "harness/cmd/verify.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/cmd/audit.h"
#include "harness/cmd/facts.h"

#include <stdlib.h>
#include <string.h>

static void add(struct facts *f, const struct audit_row *r, const char *store)
{
    char *subject = strcmp(r->store, store)
                        ? str_format("speed/%s", r->subject)
                        : str_copy(r->subject);

    facts_add(f, r->verdict, subject, r->property, r->verdict == VERDICT_FAIL,
              0, "%s", r->remark);
    free(subject);
}

int verify_store(const struct options *o)
{
    struct facts *f = facts_new();
    struct audit *a = NULL;
    int rc;

    if (!o->store)
        TRY(err_set(ERR_USAGE, "verify store: which? name it with --store "
                    "DIR"));
    TRY(audit_store(&a, o->store));
    for (int i = 0; i < a->n; i++)
        add(f, &a->row[i], o->store);
    TRY(facts_print(f, o->format));
    if (facts_count(f, VERDICT_FAIL)) {
        say("`synthbench repair --store %s` puts aside what is damaged and "
            "says what follows", o->store);
        rc = -ERR_STORE;
    }
out:
    audit_close(a);
    facts_close(f);
    return rc;
}
