/*
 * trace: records a few training steps so that another program can repeat them,
 * and repeats the steps that another program recorded.
 *
 *     /                      attributes config, state (JSON): the settings,
 *                            and the names that have optimiser state; version
 *     /params/NAME           learned tensors before step 1, float32
 *     /frozen/NAME, /frozen_end/NAME      frozen ones, before and after
 *     /steps/T/batch/source (b,n), source_length (b), target_in (b,m),
 *         target_out (b,m), target_length (b), label (b)     int32, T = 1 .. K
 *         (a label is float32 if classes = 1); family lm has no source,
 *         family encoder no target
 *     /steps/T/loss, lr      float64: the mean over the batch; the learning
 *         rate of the step, in a run of K steps
 *     /grads/NAME            gradient of step 1
 *     /end/NAME              learned tensors after step K
 *
 * The steps run in the real trainer, with its shards, lanes and threads, but
 * without dropout.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/config/experiment.h"
#include "harness/nn/attention.h"
#include "harness/store/trace_file.h"
#include "harness/train/trainer.h"

/*
 * The settings of a trace: a family instead of a task, a small model, no
 * dropout.  The keys are those of key_table and `classes`, which the data
 * determine elsewhere.
 */
enum { TRACE_SETS = 128 };

/* Returns the last value that `set` has for a key, or `otherwise`. */
const char *trace_asked(const struct assigns *set, const char *key,
                        const char *otherwise);

/* The names of enum family in order; ends with NULL. */
extern const char *const trace_families[];

/* Creates the configuration of a small model from the defaults of traces and
 * `set`.  If family is NULL, it is lm.  The parts of a mixture keep their
 * order.  Returns OK or ERR_USAGE. */
int trace_config_make(struct config *c, struct mix *mix, const char *family,
                      const struct assigns *set);

/* Does the same without the defaults: `set` must name the variant. */
int trace_config_resolve(struct config *c, struct mix *mix, const char *family,
                         const struct assigns *set);

/* Returns the settings as the JSON text of the file: one object, in which the
 * keys of optimizer and schedule are in objects of that name.  The caller frees
 * it. */
char *trace_json(const struct config *c, const struct mix *mix);

/* Reads the settings from a JSON text of any program, which must have all
 * required keys and no unknown ones.  `steps` is the number of steps in the
 * file.  Returns OK or ERR_USAGE. */
int trace_json_read(struct config *c, struct mix *mix, const char *text,
                    int steps);

/* Steps that were repeated from the weights and batches of a trace. */
struct trace_run {
    struct trainer trainer; /* after the last step                       */
    struct arena  *memory;
    int            steps;
    double        *loss, *rate; /* (steps)                               */
    double        *top;         /* (steps): largest gradient norm        */
    real         **grad;        /* (steps), each like params.flat        */
};

/* Repeats the steps of a trace.  f must hold params, frozen and batches of
 * c->steps steps that fit c and mix.  The caller closes *r. */
void trace_play(struct trace_run *r, const struct trace_file *f,
                const struct config *c, const struct mix *mix);
void trace_run_close(struct trace_run *r);
OWNER_OF_VALUE(trace_run_close, struct trace_run)

/* Returns 1 if the gradient of p is 0 except for rounding, such as that of a
 * key's bias, which a softmax cannot see.  What an optimiser makes of such a
 * gradient is meaningless. */
int trace_silent(const struct trace_run *r, const struct param *p);
double trace_norm(const real *x, size_t n);

/* Trains c->steps steps on generated tokens, which gives all of a trace except
 * its config.  Gains, biases and other tensors that start constant get noise,
 * so that a 0 or a 1 cannot hide a fault.  Returns OK, ERR_USAGE if the update
 * is lost in float32 rounding, or ERR_DIVERGED. */
int trace_make(struct trace_file *f, const struct config *c,
               const struct mix *mix);

/* The result of one kind of comparison. */
struct trace_finding {
    const char *group;          /* "loss", "gradient", ...                */
    double      worst, bound;
    char        at[TRACE_NAME]; /* place of the worst; "": none           */
    char        first[TRACE_NAME]; /* first place over the bound          */
    double      error;          /* error at that place                    */
    int         failed;         /* number of places over the bound        */
};

enum { TRACE_FINDINGS = 16 };

struct trace_report {
    int                  n, failed;
    struct trace_finding finding[TRACE_FINDINGS];
};

/* Returns the number of steps in a file, or 0 if there are none. */
int trace_steps(const struct trace_file *f);

/* Returns OK if f holds exactly the arrays of a trace of c, with their types
 * and shapes, or ERR_DATA.  `path` is for the message. */
int trace_layout(const struct trace_file *f, const char *path,
                 const struct config *c, const struct mix *mix);

/* Repeats a trace and compares.  Returns OK, or ERR_DATA if the file is not
 * what its config says; `path` is for the message. */
int trace_check(struct trace_report *out, const struct trace_file *f,
                const char *path, const struct config *c,
                const struct mix *mix);

/* For a trace in which trace_check found differences: returns the known mistake
 * that reproduces its step 1, as a sentence that may be in memory of a, or
 * NULL.  Only one thread may call it at a time. */
const char *trace_mistake(struct arena *a, const struct trace_file *f,
                          const struct config *c, const struct mix *mix);

/* The update of a learned tensor, from params/NAME to its current value:
 * ||update||, and its rounding error in float32, 2^-24 sqrt(steps)
 * ||start||. */
struct trace_update { double size, grain; };
struct trace_update trace_update(const struct trace_file *f,
                                 const struct param *p, int steps);
/* Returns true if an update is mostly rounding error. */
int trace_drowned(struct trace_update u);

/* The arrays of a batch, in order. */
struct trace_field {
    const char *name;
    unsigned    families; /* 1 << FAMILY_...           */
    int         side;     /* 0: (b); 1: (b,n); 2: (b,m) */
    size_t      at;       /* offset in struct batch     */
};
extern const struct trace_field trace_fields[]; /* ends with NULL */
