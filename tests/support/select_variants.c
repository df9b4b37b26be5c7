#include "tests/support/select_variants.h"

#include "harness/base/err.h"
#include "variants/variants.h"

#include <string.h>

int named_all(const char *name[NAMES])
{
    static struct subject subject[SUBJECTS];
    int all = subject_list(variant_all, subject), n = 0;

    for (int i = 0; i < all; i++) {
        int again = 0;

        for (int j = 0; j < n; j++)
            again |= !strcmp(name[j], subject[i].variant);
        if (!again)
            name[n++] = subject[i].variant;
    }
    return n;
}

struct subject named_subject(const char *name, enum mix_rule rule)
{
    struct subject s;

    REQUIRE(subject_make(&s, variant_all, name, rule), "no variant %s",
            name);
    return s;
}

struct mix named_mix(const char *name)
{
    return named_subject(name, MIX_LOGITS).mix;
}
