#include "plots/legend.h"

#include <stdio.h>

static void sort(struct legend_line *line, int n)
{
    for (int i = 1; i < n; i++) {
        struct legend_line one = line[i];
        int at = i;

        for (; at > 0 && one.at < line[at - 1].at; at--)
            line[at] = line[at - 1];
        line[at] = one;
    }
}

void legend_put(struct picture *p, struct legend_line *line, int n)
{
    char name[32];

    sort(line, n);
    picture_number(p, "n", n);
    for (int i = 0; i < n; i++) {
        const struct legend_line *one = &line[i];

        snprintf(name, sizeof name, "series%d", i + 1);
        picture_number(p, name, one->number);
        snprintf(name, sizeof name, "variant%d", i + 1);
        picture_text(p, name, "%s", one->variant);
        snprintf(name, sizeof name, "entry%d", i + 1);
        picture_text(p, name, "%s  %s", one->variant, one->told);
    }
}

void legend_say(struct picture *p, const char *order, int seeds, int unsettled)
{
    picture_text(p, "order", "%s%s%s", order, seeds > 1 ? "" : " on this seed",
                 unsettled ? ", still learning" : "");
}
