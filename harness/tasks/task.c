#include "harness/tasks/task.h"

#include "harness/base/err.h"
#include "harness/tasks/gen.h"
#include "harness/tasks/law.h"
#include "harness/tasks/official.h"

#include <math.h>

int task_open(struct dataset *out, const struct task *t,
              const struct task_opts *o)
{
    *out = (struct dataset){.floor = NAN};
    if (t->law)
        return law_open(out, t, o);
    if (o->official && !o->synthetic && t->files)
        return official_open(out, t, o);
    if (o->official && !o->synthetic)
        return err_set(ERR_DATA, "%s: the full scale reads the official files, "
                       "which are missing and which this version cannot load: "
                       "%s; take --scale quick", t->name, t->official);
    return t->open(out, o);
}

/* Bytes of struct example, its head in the cache and three orders; of a piece
 * of the tokenizer. */
enum { ROW = 80, PIECE = 1000 };

static int synthetic(const struct task *t, const struct task_opts *o)
{
    return o->synthetic || t->law;
}

/* Ids of one example, about. */
static double ids_of(const struct task *t, const struct task_opts *o)
{
    double length = o->length;

    if (!synthetic(t, o) && t->text.rows)
        return (double)t->text.ids / (double)t->text.rows;
    if (t->kind == TASK_DENOISE)
        return length + t->target(o->length);
    return t->kind == TASK_TRANSDUCE ? 2 * length : length;
}

double task_bytes(const struct task *t, const struct task_opts *o)
{
    const int asked[SPLITS] = {o->train, o->valid, o->test};
    int texts = t->kind == TASK_TRANSDUCE; /* about as long as their ids */
    double bytes = synthetic(t, o) ? 0 : PIECE * (double)o->vocab;

    if (o->official && !synthetic(t, o)) /* known when they are read */
        return bytes;

    for (int s = 0; s < SPLITS; s++) {
        double all = gen_examples[s];

        if (!synthetic(t, o)) {
            all = t->text.rows ? (double)t->text.rows
                               : (double)t->text.ids / o->length;
            all *= s == SPLIT_TRAIN ? 1 : 0.05;
        }
        double n = asked[s] && asked[s] < all ? asked[s] : all;
        bytes += n * (ROW + (sizeof(int) + 2 * texts) * ids_of(t, o));
    }
    return bytes;
}
