#include "plots/attention_sites.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/store/cell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const stacks[] = {"encoder", "decoder", NULL};

enum { SHOWN = SITES_MOST / 2 }; /* maximum number of layers shown per stack */

/* Returns the layer of a place ("encoder.0") in the stack ("encoder"), or -1 if
 * the place is in another stack. */
static int layer_of(const char *place, const char *stack)
{
    size_t n = strlen(stack);

    return strncmp(place, stack, n) || place[n] != '.' ? -1
                                                       : atoi(place + n + 1);
}

static int add_layers(int layers[], struct cell_reader *cell, const char *group)
{
    const char **place;
    size_t n;

    PASS(cell_get_names(cell, group, &place, &n));
    for (size_t i = 0; i < n; i++)
        for (int s = 0; stacks[s]; s++)
            if (layer_of(place[i], stacks[s]) >= layers[s])
                layers[s] = layer_of(place[i], stacks[s]) + 1;
    return OK;
}

static void add_stack(struct sites *out, const char *stack, int layers)
{
    int shown = layers < SHOWN ? layers : SHOWN;

    for (int i = 0; i < shown; i++)
        snprintf(out->name[out->n++], SITES_NAME, "%s.%d", stack,
                 shown < 2 ? 0 : i * (layers - 1) / (shown - 1));
}

int sites_of(struct sites *out, const struct report *r, const char *task,
             const char *group)
{
    int layers[2] = {0};

    *out = (struct sites){.n = 0};
    for (int i = 0; i < r->n; i++) {
        OWNED(cell_close) struct cell_reader *cell = NULL;

        if (r->cell[i].state != CELL_DONE || strcmp(r->cell[i].task, task))
            continue;
        PASS(report_read(&cell, r, r->cell[i].id));
        PASS(cell_maybe(add_layers(layers, cell, group)));
    }
    for (int s = 0; stacks[s]; s++)
        add_stack(out, stacks[s], layers[s]);
    return OK;
}

const char *sites_title(const struct report *r, const char *place)
{
    return arena_format(r->memory, "%.*s, layer %d", (int)strcspn(place, "."),
                        place, atoi(place + strcspn(place, ".") + 1) + 1);
}
