#include "plots/efficiency.h"

#include "harness/base/err.h"
#include "plots/style.h"
#include "plots/picture.h"

static void data(const struct efficiency *e, FILE *f)
{
    fprintf(f, "ranks");
    for (int i = 0; i < e->n; i++)
        picture_put_text(f, "\t", e->line[i].name);
    fputc('\n', f);
    for (int p = 0; p < e->points; p++) {
        fprintf(f, "%d", e->ranks[p]);
        for (int i = 0; i < e->n; i++)
            picture_put_number(f, "\t", 100 * e->line[i].y[p]);
        fputc('\n', f);
    }
}

/* Returns the style of line i.  Lines are tasks, not variants, so their styles
 * depend on their order only. */
static struct style look_at(int i)
{
    static const unsigned colour[] = {0x000000, 0x0072b2, 0xd55e00, 0x007a59,
                                      0x7b4fbf, 0x8c5a2b, 0xa3283a, 0x5a6a7a};
    enum { COLOURS = sizeof colour / sizeof *colour, SHAPES = 6, DASHES = 5 };
    unsigned hue = colour[i % COLOURS];

    return (struct style){hue, hue, 4 + 2 * (i % SHAPES), 1 + i % DASHES, 2};
}

static void put_line(struct picture *p, const struct efficiency *e, int i)
{
    const struct efficiency_line *l = &e->line[i];
    struct style look = look_at(i);
    char key[16];

    style_put(p, i + 1, &look);
    snprintf(key, sizeof key, "label%d", i + 1);
    if (l->below)
        picture_text(p, key, "%s: below %.0f %% at %d", l->name,
                     100 * e->enough, l->below);
    else
        picture_text(p, key, "%s: never below %.0f %%", l->name,
                     100 * e->enough);
}

int efficiency_plot(const struct efficiency *e, const char *folder)
{
    OWNED(picture_abandon) struct picture p = {0};

    PASS(picture_begin(&p, OUTPUT(folder), "efficiency"));
    data(e, p.data);
    picture_text(&p, "title", "%s", e->title);
    picture_text(&p, "caption1", "%s", e->caption[0]);
    picture_text(&p, "caption2", "%s", e->caption[1]);
    picture_number(&p, "n", e->n);
    picture_number(&p, "x1", e->ranks[e->points - 1]);
    picture_number(&p, "enough", 100 * e->enough);
    for (int i = 0; i < e->n; i++)
        put_line(&p, e, i);
    return picture_end(&p, "efficiency");
}
