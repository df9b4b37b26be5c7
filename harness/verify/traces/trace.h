/*
 * trace: a few training steps written down so that another program can repeat
 * them, and the repeating of what another program wrote.
 *
 *     /                      attributes config, state (JSON): the settings,
 *                            and the names that have optimiser state; version
 *     /params/NAME           learned tensors before step 1, float32
 *     /frozen/NAME, /frozen_end/NAME      frozen ones, before and after
 *     /steps/T/batch/source (b,n), source_length (b), target_in (b,m),
 *         target_out (b,m), target_length (b), label (b)     int32, T = 1 .. K
 *         (a label is float32 where classes = 1); family lm has no source,
 *         family encoder no target
 *     /steps/T/loss, lr      float64: the mean over the batch; the step's rate,
 *         of a run of K steps
 *     /grads/NAME            gradient of step 1
 *     /end/NAME              learned tensors after step K
 *
 * The real trainer runs, with its shards, lanes and threads, without dropout.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/config/experiment.h"
#include "harness/nn/attention.h"
#include "harness/store/trace_file.h"
#include "harness/train/trainer.h"

/*
 * The settings of a trace: a family in place of a task, a small model, no
 * dropout.  The keys are those of key_table, and `classes`, which the data
 * decide elsewhere.
 */
enum { TRACE_SETS = 128 };

/* The last value asked for a key, or what holds without. */
const char *trace_asked(const struct assigns *set, const char *key,
                        const char *otherwise);

/* In the order of enum family; ends with NULL. */
extern const char *const trace_families[];

/* The configuration of a small model: defaults of traces, then `set`.  family
 * NULL: lm.  The parts of a mixture keep their order.  ERR_USAGE. */
int trace_config_make(struct config *c, struct mix *mix, const char *family,
                      const struct assigns *set);

/* The same without the defaults: `set` names the variant. */
int trace_config_resolve(struct config *c, struct mix *mix, const char *family,
                         const struct assigns *set);

/* The settings as the JSON text that the file carries: one object; the keys of
 * optimizer and schedule stand in objects of that name.  Caller frees. */
char *trace_json(const struct config *c, const struct mix *mix);

/* Back from a text, whoever wrote it: all required keys, none unknown.
 * `steps` is how many the file holds.  ERR_USAGE. */
int trace_json_read(struct config *c, struct mix *mix, const char *text,
                    int steps);

/* Steps repeated from the weights and batches of a trace. */
struct trace_run {
    struct trainer trainer; /* at the end                                */
    struct arena  *memory;
    int            steps;
    double        *loss, *rate; /* (steps)                               */
    double        *top;         /* (steps): largest norm of a gradient   */
    real         **grad;        /* (steps), each as params.flat          */
};

/* f holds params, frozen and batches of c->steps steps that fit c and mix. */
void trace_play(struct trace_run *r, const struct trace_file *f,
                const struct config *c, const struct mix *mix);
void trace_run_close(struct trace_run *r);
OWNER_OF_VALUE(trace_run_close, struct trace_run)

/* Its gradient is 0 but for rounding, as that of a key's bias, which a softmax
 * cannot see: what an optimiser makes of it says nothing. */
int trace_silent(const struct trace_run *r, const struct param *p);
double trace_norm(const real *x, size_t n);

/* Trains c->steps steps on generated tokens: all of a trace but its config.
 * Gains, biases and whatever else starts constant get noise, so that no fault
 * hides behind a 0 or a 1.  ERR_USAGE: the update drowns in float32 rounding;
 * ERR_DIVERGED. */
int trace_make(struct trace_file *f, const struct config *c,
               const struct mix *mix);

/* What one kind of comparison found. */
struct trace_finding {
    const char *group;          /* "loss", "gradient", ...                */
    double      worst, bound;
    char        at[TRACE_NAME]; /* where the worst is; "": nowhere        */
    char        first[TRACE_NAME]; /* the first that is over the bound    */
    double      error;          /* and its error                          */
    int         failed;         /* how many are over the bound            */
};

enum { TRACE_FINDINGS = 16 };

struct trace_report {
    int                  n, failed;
    struct trace_finding finding[TRACE_FINDINGS];
};

/* How many steps a file holds, 0 if none. */
int trace_steps(const struct trace_file *f);

/* OK, or ERR_DATA: not all that a trace of c holds is there in its type and
 * shape, or more than that. */
int trace_layout(const struct trace_file *f, const char *path,
                 const struct config *c, const struct mix *mix);

/* Repeats a trace and compares.  ERR_DATA: the file is not what its config
 * says; `path` is for the message. */
int trace_check(struct trace_report *out, const struct trace_file *f,
                const char *path, const struct config *c,
                const struct mix *mix);

/* Of a trace that trace_check found different: the known mistake that makes
 * its step 1, a sentence in memory of a; or NULL.  Not for several threads. */
const char *trace_mistake(struct arena *a, const struct trace_file *f,
                          const struct config *c, const struct mix *mix);

/* Of a learned tensor, from params/NAME to what it is: ||update|| and its
 * rounding in float32, 2^-24 sqrt(steps) ||start||. */
struct trace_update { double size, grain; };
struct trace_update trace_update(const struct trace_file *f,
                                 const struct param *p, int steps);
int trace_drowned(struct trace_update u); /* mostly rounding */

/* The arrays of a batch, in order. */
struct trace_field {
    const char *name;
    unsigned    families; /* 1 << FAMILY_...           */
    int         side;     /* 0: (b); 1: (b,n); 2: (b,m) */
    size_t      at;       /* in struct batch            */
};
extern const struct trace_field trace_fields[]; /* ends with NULL */
