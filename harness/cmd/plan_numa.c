#include "harness/cmd/plan_numa.h"

#include "harness/base/json.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/engine/cuda/driver.h"
#include "harness/run/place.h"

#include <math.h>

static const struct column machine_columns[] = {
    {"sockets", NULL, COLUMN(struct machine, sockets)},
    {"nodes", NULL, COLUMN(struct machine, nodes)},
    {"cores", NULL, COLUMN(struct machine, cores)},
    {"processors", NULL, COLUMN(struct machine, processors)},
    {.type = COLUMN_END}};

static const struct column node_columns[] = {
    {"node", NULL, COLUMN(struct numa, id)},
    {"processors", NULL, COLUMN_AS(COLUMN_CHARS, struct numa, list)},
    {.type = COLUMN_END}};

static const struct column core_columns[] = {
    {"cores", NULL, COLUMN(struct cores, n)},
    {"processors", NULL, COLUMN(struct cores, online)},
    {"granted_by", NULL, COLUMN(struct cores, by)},
    {"affinity", NULL, COLUMN_AS(COLUMN_CHARS, struct cores, list)},
    {.type = COLUMN_END}};

static void put_machine(struct sheet *s, json_t *to, const struct place *at)
{
    const struct machine *m = at->nodes ? &at->nodes->of : NULL;
    json_t *bound = json_array();
    char machine[NODES_TEXT];

    if (m) {
        nodes_text(machine, m);
        sheet_put(s, PART_LINE, "machine: %s", machine);
        sheet_put(s, PART_LINE, "nodes: %s", place_text(at, s->memory));
        json_object_set_new(to, "machine",
                            relation_object(machine_columns, m, s->memory));
    }
    for (int i = 0; m && i < at->nodes->n; i++) {
        const struct numa *x = &at->nodes->node[i];
        int cells = place_cells(at, i);

        if (!cells)
            continue;
        json_t *node = relation_object(node_columns, x, s->memory);
        json_object_set_new(node, "cells", json_integer(cells));
        json_array_append_new(bound, node);
    }
    json_object_set_new(to, "bound", bound);
    json_object_set_new(to, "unbound_because", json_word(at->loose));
}

/* Adds the GPU of this machine, and the memory that the cells need on it. */
static void put_gpu(struct sheet *s, json_t *to, const struct plan *p)
{
    const struct cuda_card *card = cuda_card();
    double most = 0, speed = 0;
    char need[32], has[32];

    for (int i = 0; i < p->n; i++)
        if (p->cell[i].selected && p->cell[i].config.device != DEVICE_CPU) {
            most = fmax(most, p->cell[i].cost.gpu_bytes);
            speed = train_speed(DEVICE_CUDA, p->cell[i].config.precision);
        }
    if (most == 0)
        return;
    grid_count(most, "B", need);
    if (cuda_open(NULL, NULL) < 0) {
        sheet_put(s, PART_PARAGRAPH, "GPU memory: up to %s for a cell; on this "
                  "machine: %s. Until cells have been trained on a GPU, times "
                  "assume %s.", need, err_last(),
                  grid_count(speed, "FLOP/s", has));
        return;
    }
    sheet_put(s, PART_PARAGRAPH, "GPU: %s with %s; a cell needs up to %s%s",
              card->name, grid_count((double)card->bytes, "B", has), need,
              most > (double)card->bytes ? ", which is too much: raise shards"
                                         : "");
    json_t *gpu = json_object();
    json_object_set_new(gpu, "name", json_string(card->name));
    json_object_set_new(gpu, "bytes", json_real((double)card->bytes));
    json_object_set_new(to, "gpu", gpu);
}

void plan_numa_put(struct sheet *s, const struct plan *p)
{
    struct pool_options o = {.jobs = 0};
    char time[32], one[32];
    double left = 0; /* time of the missing cells, one after another */
    OWNED(place_close) struct place at = {.cells = 0};

    for (int i = 0; i < p->n; i++)
        if (p->cell[i].selected && plan_state(&p->cell[i]) == CELL_MISSING)
            left += p->cell[i].seconds;
    place_open(&at, &o, p);
    const struct cores *c = &at.cores;
    OWNED(free) char *text = cores_text(c);
    if (o.jobs > 1 && left > 0)
        sheet_put(s, PART_LINE, "time: about %s with %d cells at a time "
                  "(default); %s with -j 1", str_duration(left / o.jobs, time),
                  o.jobs, str_duration(left, one));
    sheet_put(s, PART_LINE, "cores: %s; without -j, %d cell%s at a time",
              text, o.jobs, o.jobs == 1 ? "" : "s");
    json_t *to = relation_object(core_columns, c, s->memory);
    json_object_set_new(to, "cells_at_a_time", json_integer(o.jobs));
    put_machine(s, to, &at);
    put_gpu(s, to, p);
    json_object_set_new(s->object, "placement", to);
}
