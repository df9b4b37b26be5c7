#include "harness/corpora/shards.h"

#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/str.h"

#include <stdlib.h>
#include <string.h>

static const char mark[] = "-of-";
enum { DIGITS = 5, MARK = sizeof mark - 1 };

static int has_digits(const char *s)
{
    return strspn(s, "0123456789") >= DIGITS;
}

/* Checks one name.  `all` maps each stem so far to its M. */
static int check_name(struct map *all, const char *file, const char *folder)
{
    const char *at = strstr(file, mark), *next;

    while (at && (next = strstr(at + MARK, mark)))
        at = next;
    REQUIRE(at && at - file >= DIGITS, "%s has no place for numbers", file);
    if (!has_digits(at - DIGITS) || !has_digits(at + MARK))
        return err_set(ERR_DATA, "%s/%s: the name of a shard needs numbers, as "
                       "in 00000-of-00100; move this file elsewhere", folder,
                       file);
    OWNED(free) char *stem =
        str_format("%.*s", (int)(at - file) - DIGITS, file);
    int number = atoi(at - DIGITS), of = atoi(at + MARK);
    int others = map_add(all, stem, of) ? of : map_get(all, stem, of);
    if (others != of)
        return err_set(ERR_DATA, "%s/%s: one of %d shards, but the folder also "
                       "has one of %d; keep shards of one total only",
                       folder, file, of, others);
    if (number >= of)
        return err_set(ERR_DATA, "%s/%s: %d shards are numbered from 0 to %d; "
                       "move this file elsewhere", folder, file, of, of - 1);
    return OK;
}

static int check_split(struct map *all, const struct corpus_split *s,
                       const char *folder)
{
    char pattern[CORPUS_PATH];

    for (int i = 0; corpus_pattern(pattern, s, i); i++) {
        OWNED(files_close) struct files f = {.n = 0};

        if (!strstr(pattern, mark))
            continue;
        PASS(files_find(&f, folder, pattern));
        for (int k = 0; k < f.n; k++)
            PASS(check_name(all, f.file[k], folder));
    }
    return OK;
}

int shards_check(const struct corpus_layout *l, const char *folder)
{
    OWNED(map_free) struct map *all = map_of_copies();

    for (const struct corpus_split *s = l->split; s->name; s++)
        PASS(check_split(all, s, folder));
    return OK;
}
