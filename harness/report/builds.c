#include "harness/report/builds.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const build_fact[BUILD_FACTS] = {
    "numerics_version", "real_bits", "compiler", "flags",
    "libraries", "instruction_set", "products", "build"};

#define FACT(k, name)                                                         \
    {name, NULL, COLUMN_AS(COLUMN_TEXT, struct build, fact[k]),               \
     .flags = COLUMN_NULLABLE}

const struct column build_columns[] = {
    {"commit", NULL, COLUMN(struct build, commit)},
    {"dirty", NULL, COLUMN_AS(COLUMN_BOOL, struct build, dirty),
     .flags = COLUMN_NULLABLE},
    {"cells", NULL, COLUMN(struct build, cells), .least = 1,
     .most = RELATION_MOST},
    FACT(0, "numerics_version"), FACT(1, "real_bits"), FACT(2, "compiler"),
    FACT(3, "flags"), FACT(4, "libraries"), FACT(5, "instruction_set"),
    FACT(6, "products"), FACT(7, "build"),
    {.type = COLUMN_END}};

enum { SHORT = 7 }; /* number of digits of a commit that are printed */

static const char *const group = "provenance", *const unknown = "unknown";

int build_read(struct build *out, struct cell_reader *cell, struct arena *a)
{
    OWNED(free) char *commit = NULL;
    long long dirty = -1;

    *out = (struct build){.commit = unknown, .dirty = -1, .cells = 1};
    PASS(cell_maybe(cell_get_text(cell, group, "commit", &commit)));
    PASS(cell_maybe(cell_get_int(cell, group, "dirty", &dirty)));
    /* If the commit is unknown, `dirty` is ignored: earlier versions wrote 0
     * in this case. */
    if (commit && strcmp(commit, unknown)) {
        out->commit = arena_text(a, commit);
        out->dirty = dirty < 0 ? -1 : dirty != 0;
    }
    /* Cells of earlier versions lack some of the facts. */
    for (int i = 0; i < BUILD_FACTS; i++) {
        OWNED(free) char *text = NULL;

        PASS(cell_maybe(cell_get_shown(cell, group, build_fact[i], &text)));
        out->fact[i] = text ? arena_text(a, text) : NULL;
    }
    return OK;
}

static int same(const char *x, const char *y)
{
    return x && y ? !strcmp(x, y) : x == y;
}

static int same_build(const struct build *x, const struct build *y)
{
    int equal = same(x->commit, y->commit) && x->dirty == y->dirty;

    for (int i = 0; i < BUILD_FACTS; i++)
        equal &= same(x->fact[i], y->fact[i]);
    return equal;
}

int builds_add(struct builds *all, const struct build *one, struct arena *a)
{
    for (int i = 0; i < all->n; i++)
        if (same_build(&all->build[i], one)) {
            all->build[i].cells += one->cells;
            return i;
        }
    if (!(all->n & (all->n - 1))) { /* full: double the room */
        size_t size = sizeof *all->build;
        struct build *more = arena_take(a, 2 * ((size_t)all->n + 1) * size);

        if (all->n)
            memcpy(more, all->build, (size_t)all->n * size);
        all->build = more;
    }
    all->build[all->n] = *one;
    return all->n++;
}

/* Appends the flags that may affect results.  Leaves out include folders and
 * warnings, but not "-Wa,", "-Wl," and "-Wp,", which pass options to the
 * assembler, linker and preprocessor. */
static void put_flags(struct text *to, const char *flags)
{
    static const char folder[] = "-isystem";
    OWNED(free) char *all = str_copy(flags);
    const char *last = "";

    for (char *flag, *rest = all; (flag = strsep(&rest, " "));) {
        int passed = flag[0] && flag[1] && flag[2] &&
                     strchr("alp", flag[2]) && flag[3] == ',';

        if (!*flag)
            continue;
        if (strcmp(last, folder) && strcmp(flag, folder) &&
            strncmp(flag, "-I", 2) && (strncmp(flag, "-W", 2) || passed))
            text_format(to, "%s ", flag);
        last = flag;
    }
}

static int same_flags(const char *x, const char *y)
{
    OWNED(text_free) struct text a = {0}, b = {0};

    if (!x || !y)
        return x == y;
    put_flags(&a, x);
    put_flags(&b, y);
    return a.n == b.n && (!a.n || !memcmp(a.s, b.s, a.n));
}

int builds_differ_in(const struct builds *all, int fact)
{
    int (*equal)(const char *, const char *) =
        !strcmp(build_fact[fact], "flags") ? same_flags : same;

    for (int i = 1; i < all->n; i++)
        if (!equal(all->build[i].fact[fact], all->build[0].fact[fact]))
            return 1;
    return 0;
}

int builds_differ(const struct builds *all)
{
    int differ = 0;

    for (int i = 0; i < BUILD_FACTS; i++)
        differ |= builds_differ_in(all, i);
    return differ;
}

const char *build_name(const struct build *b, char out[32])
{
    snprintf(out, 32, "%.*s%s", SHORT, b->commit, b->dirty > 0 ? "-dirty" : "");
    return out;
}

const char *builds_text(const struct builds *all, struct arena *a)
{
    struct text t = {0};
    char name[32];
    int dirty = 0, differ = 0;

    for (int i = 0; i < all->n; i++) {
        const struct build *b = &all->build[i];

        text_put(&t, i ? "," : all->n > 1 ? "Cells of commits"
                                          : "Cells of commit");
        text_format(&t, " %s (%d)", build_name(b, name), b->cells);
        dirty |= b->dirty > 0;
    }
    if (dirty)
        text_put(&t, "; dirty: built from a tree with uncommitted changes");
    for (int i = 0; i < BUILD_FACTS; i++)
        if (builds_differ_in(all, i)) {
            text_put(&t, differ++ ? ", " : "; cells differ in ");
            text_put(&t, build_fact[i]);
        }
    if (differ)
        text_put(&t, ", so results may not be bit-identical");
    return all->n ? text_keep(&t, a) : NULL;
}

struct relation builds_relation(const struct builds *all)
{
    return (struct relation){"builds", build_columns, all->build,
                             sizeof *all->build, all->n};
}
