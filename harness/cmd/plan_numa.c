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

/* A node to which cells are bound, and the number of these cells. */
struct bound { int node, cells; const char *processors; };

static const struct column bound_columns[] = {
    {"node", NULL, COLUMN(struct bound, node)},
    {"processors", NULL, COLUMN(struct bound, processors)},
    {"cells", NULL, COLUMN(struct bound, cells)},
    {.type = COLUMN_END}};

static const struct column gpu_columns[] = {
    {"name", NULL, COLUMN_AS(COLUMN_CHARS, struct cuda_card, name)},
    {"bytes", NULL, COLUMN(struct cuda_card, bytes)},
    {.type = COLUMN_END}};

/* What `plan --json` says of this machine. */
struct granted {
    const struct cores *cores;
    int                 jobs, nodes;
    json_t             *machine, *gpu; /* NULL: unknown; not needed */
    struct bound       *bound;
    const char         *loose;         /* why cells are not bound, or "" */
};

#define CORES COLUMN_VIA(struct granted, cores)
static const struct column placement_columns[] = {
    {"cores", NULL, CORES, COLUMN(struct cores, n)},
    {"processors", NULL, CORES, COLUMN(struct cores, online)},
    {"granted_by", NULL, CORES, COLUMN(struct cores, by)},
    {"affinity", NULL, CORES, COLUMN_AS(COLUMN_CHARS, struct cores, list)},
    {"cells_at_a_time", NULL, COLUMN(struct granted, jobs)},
    {"machine", NULL, COLUMN(struct granted, machine),
     .flags = COLUMN_SPARSE},
    {"bound", NULL, COLUMN_ROWS(struct granted, bound, nodes,
                                bound_columns)},
    {"unbound_because", NULL, COLUMN_AS(COLUMN_WORD, struct granted, loose)},
    {"gpu", NULL, COLUMN(struct granted, gpu), .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

static void put_machine(struct sheet *s, struct granted *to,
                        const struct place *at)
{
    const struct machine *m = at->nodes ? &at->nodes->of : NULL;
    char machine[NODES_TEXT];

    if (m) {
        nodes_text(machine, m);
        sheet_put(s, PART_LINE, "machine: %s", machine);
        sheet_put(s, PART_LINE, "nodes: %s", place_text(at, s->memory));
        to->machine = relation_object(machine_columns, m, s->memory);
        to->bound = arena_take(s->memory,
                               (size_t)at->nodes->n * sizeof *to->bound);
    }
    for (int i = 0; m && i < at->nodes->n; i++) {
        const struct numa *x = &at->nodes->node[i];
        int cells = place_cells(at, i);

        if (cells)
            to->bound[to->nodes++] = (struct bound){x->id, cells, x->list};
    }
}

/* Adds the GPU of this machine, and the memory that the cells need on it. */
static void put_gpu(struct sheet *s, struct granted *to, const struct plan *p)
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
    to->gpu = relation_object(gpu_columns, card, s->memory);
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
    struct granted to = {.cores = c, .jobs = o.jobs, .loose = at.loose};
    put_machine(s, &to, &at);
    put_gpu(s, &to, p);
    sheet_fact(s, "placement",
               relation_object(placement_columns, &to, s->memory));
    json_decref(to.machine);
    json_decref(to.gpu);
}
