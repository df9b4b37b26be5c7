#include "harness/base/err.h"
#include "harness/metrics/stem.h"

#include <libstemmer.h>
#include <limits.h>

struct snowball *snowball_new(void)
{
    struct sb_stemmer *s = sb_stemmer_new("english", "UTF_8");

    REQUIRE(s, "libstemmer was built without English");
    return (struct snowball *)s;
}

void snowball_free(struct snowball *s)
{
    sb_stemmer_delete((struct sb_stemmer *)s);
}

const char *snowball_stem(struct snowball *s, const char *word, size_t bytes)
{
    REQUIRE(bytes <= INT_MAX, "a word of %zu bytes", bytes);
    const sb_symbol *stem = sb_stemmer_stem(
        (struct sb_stemmer *)s, (const sb_symbol *)word, (int)bytes);
    return (const char *)stem;
}
