#include "harness/store/guess.h"

#include <string.h>

static int is(const char *word, size_t m, const char *guess, size_t n)
{
    return m == n && !strncmp(word, guess, n);
}

/* `variant` can be the name of a row, such as "a+b,tuned": + joins the parts of
 * a mixture, and a comma precedes the settings that the row varies.  So the
 * whole variant and each part of a mixture are compared. */
int guess_about(const char *guess, const char *task, const char *variant)
{
    size_t n = strcspn(guess, ":");

    if (is(task, strlen(task), guess, n) ||
        is(variant, strcspn(variant, ","), guess, n))
        return 1;
    for (const char *part = variant;; part++) {
        size_t m = strcspn(part, "+,");

        if (is(part, m, guess, n))
            return 1;
        part += m;
        if (*part != '+')
            return 0;
    }
}
