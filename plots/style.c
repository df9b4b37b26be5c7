/*
 * The colours follow the palette of Okabe and Ito, whose colours can be
 * distinguished with any kind of colour blindness.  Colours of the palette that
 * are too light for a line on white are replaced by darker ones.  The
 * Transformer is black; dense variants are blue, random ones orange, frozen
 * ones green, mixtures purple, convolutions brown, and the others grey.
 */
#include "plots/style.h"

#include "harness/base/arena.h"
#include "harness/base/colour.h"
#include "harness/base/hash.h"
#include "harness/base/names.h"

#include <stdio.h>
#include <string.h>

/* Point types of gnuplot with an outline; the next type is the same shape,
 * filled. */
enum shape { SQUARE = 4, CIRCLE = 6, UP = 8, DOWN = 10, DIAMOND = 12,
             PENTAGON = 14 };
enum { SHAPES = 6 };

static const struct known {
    const char *variant;
    unsigned    colour;
    enum shape  shape;
    int         dash;
} known[] = {
    {"vanilla", 0x000000, CIRCLE, 1},
    {"dense", 0x0072b2, SQUARE, 1},
    {"dense-mtf", 0x2e95d0, UP, 2},
    {"dense-literal", 0x004b87, UP, 3},
    {"factorized-dense", 0x2a9fc0, CIRCLE, 2},
    {"random", 0xd55e00, UP, 1},
    {"factorized-random", 0xb88000, DIAMOND, 2},
    {"factorized-random-mtf", 0xcc6f00, CIRCLE, 4},
    {"fixed-random", 0x7a9a01, DOWN, 3},
    {"orthogonal", 0x009e73, DIAMOND, 1},
    {"orthogonal-split", 0x009e73, DOWN, 2},
    {"orthogonal-tied", 0x006b4e, PENTAGON, 3},
    {"frozen-gaussian", 0x4fa040, PENTAGON, 5},
    {"random+dense", 0xcc79a7, PENTAGON, 1},
    {"dense+vanilla", 0x7b4fbf, PENTAGON, 2},
    {"random+vanilla", 0x8e1e6b, DOWN, 4},
    {"factorized-random+vanilla", 0xc23bd0, DIAMOND, 4},
    {"lightweight-conv", 0x8c5a2b, CIRCLE, 3},
    {"lightweight-conv-mtf", 0x8c5a2b, SQUARE, 3},
    {"dynamic-conv", 0x5c3310, UP, 4},
    {"dynamic-conv-mtf", 0x5c3310, DIAMOND, 5},
    {"linformer", 0x5a6a7a, SQUARE, 4},
    {"mixer", 0x888888, UP, 5},
    {"uniform", 0x888888, CIRCLE, 5},
};
enum { KNOWN = sizeof known / sizeof *known };

/* ---- a variant ---- */

static int is_taken(unsigned colour, enum shape shape)
{
    for (int i = 0; i < KNOWN; i++)
        if (known[i].colour == colour && known[i].shape == shape)
            return 1;
    return 0;
}

/* Returns a style for a variant that is not listed, chosen by its name, with a
 * combination of colour and shape that no listed variant has. */
static struct known invent(const char *name)
{
    static const unsigned mixtures[] = {0xcc79a7, 0x7b4fbf, 0x8e1e6b};
    static const unsigned others[] = {0x888888, 0x5a6a7a, 0xa3283a};
    const unsigned *colour = strchr(name, '+') ? mixtures : others;
    enum { ALL = 3 * SHAPES };
    uint64_t hash = hash_name(name);
    struct known k = {.variant = name,
                      .dash = 1 + (int)(hash / ALL % STYLE_DASHES)};

    for (uint64_t i = 0; i < ALL; i++) {
        uint64_t at = (hash + i) % ALL;

        k.colour = colour[at / SHAPES];
        k.shape = SQUARE + 2 * (enum shape)(at % SHAPES);
        if (!is_taken(k.colour, k.shape))
            break;
    }
    return k;
}

static struct known variant_of(const char *row)
{
    char name[256];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(row, ","), row);
    for (int i = 0; i < KNOWN; i++)
        if (!strcmp(known[i].variant, name))
            return known[i];
    return invent(name);
}

/* ---- ink ---- */

static unsigned darker(unsigned colour)
{
    unsigned out = 0;

    for (int shift = 16; shift >= 0; shift -= 8)
        out |= (colour >> shift & 0xff) * 31 / 32 << shift;
    return out;
}

static unsigned ink_of(unsigned colour)
{
    while (colour_contrast(colour, COLOUR_WHITE) < 4.5)
        colour = darker(colour);
    return colour;
}

/* ---- a row ---- */

#define TUNED ",tuned"

static int is_tuned(const char *row)
{
    const char *at = strstr(row, TUNED);

    return at && strchr(",", at[strlen(TUNED)]);
}

struct style style_of(const char *row, int varied)
{
    struct known k = variant_of(row);
    int tuned = is_tuned(row);
    int more = varied > STYLE_DASHES; /* no dash is left */

    return (struct style){
        .colour = k.colour, .ink = ink_of(k.colour),
        .mark = (int)k.shape + (tuned || more),
        .dash = varied ? 1 + (varied - 1) % STYLE_DASHES : k.dash,
        .width = tuned ? 2.6 : 1.6};
}

/* Returns the varied settings of a row: ",N=64" for "random,N=64,tuned", "" for
 * a variant without settings. */
static const char *varied_of(const char *row, struct arena *a)
{
    char *out = arena_text(a, row + strcspn(row, ","));
    char *tuned = strstr(out, TUNED);

    if (is_tuned(out))
        memmove(tuned, tuned + strlen(TUNED),
                strlen(tuned + strlen(TUNED)) + 1);
    return out;
}

/* Returns the settings that the rows vary, each once, in the order of the
 * rows; ends with NULL. */
static const char **all_varied(const char *const *row, size_t rows,
                               struct arena *a)
{
    const char **all = arena_zero(a, (rows + 2) * sizeof *all);
    int n = 0;

    for (size_t i = 0; i < rows; i++) {
        const char *what = varied_of(row[i], a);

        if (names_index(all, what) < 0)
            all[n++] = what;
    }
    return all;
}

const struct style *looks_of(const char *const *row, struct arena *a)
{
    size_t rows = 0;

    while (row[rows])
        rows++;
    const char **varied = all_varied(row, rows, a);
    struct style *look = arena_zero(a, (rows + 1) * sizeof *look);
    for (size_t i = 0; i < rows; i++) {
        int at = names_index(varied, varied_of(row[i], a));

        look[i] = style_of(row[i], varied[1] ? at + 1 : 0);
    }
    return look;
}

void style_put(struct picture *p, int i, const struct style *l)
{
    const struct { const char *name; double value; } all[] = {
        {"hue", l->colour}, {"ink", l->ink}, {"mark", l->mark},
        {"dash", l->dash}, {"thick", l->width}};

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        picture_number_i(p, all[k].name, i, all[k].value);
}
