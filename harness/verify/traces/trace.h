/*
 * trace: records a few training steps in an HDF5 file so that another program
 * can repeat them, and repeats the steps that another program recorded.  The
 * command `trace` (cmd/cmd_trace.c) calls it.  The file contains:
 *
 *     /                      attributes config (JSON): the settings; state
 *                            (JSON): the names of the tensors that have
 *                            optimiser state; version
 *     /params/NAME           learned tensors before step 1, float32
 *     /frozen/NAME           frozen tensors before step 1
 *     /frozen_end/NAME       frozen tensors after step K
 *     /steps/T/batch/source (b,n), source_length (b), target_in (b,m),
 *         target_out (b,m), target_length (b), label (b)     int32, T = 1 .. K
 *         (labels are float32 if classes = 1); family lm has no source,
 *         family encoder has no target
 *     /steps/T/loss, lr      float64: the mean loss of the batch; the learning
 *         rate of step T in a run of K steps
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
 * The settings of a trace have a family (seq2seq, lm, encoder) instead of a
 * task, a small model and no dropout.  The keys are those of
 * config/key_table.h, and `classes`, which in other configurations is
 * determined by the data.
 */
enum { TRACE_SETS = 128 };

/* Returns the last value of `key` in `set`, or `otherwise` if there is none. */
const char *trace_asked(const struct assigns *set, const char *key,
                        const char *otherwise);

/* The names of enum family in order; ends with NULL. */
extern const char *const trace_families[];

/* Creates the configuration of a small model from the defaults of traces and
 * `set`.  If family is NULL, it is lm.  The parts of a mixture keep their
 * order.  Returns OK or ERR_USAGE. */
int trace_config_make(struct config *c, struct mix *mix, const char *family,
                      const struct assigns *set);

/* Like trace_config_make, but without the defaults of traces: `set` must name
 * the variant. */
int trace_config_resolve(struct config *c, struct mix *mix, const char *family,
                         const struct assigns *set);

/* Returns the settings as the JSON text of the file: one object, with the keys
 * of the optimizer and of the schedule in inner objects "optimizer" and
 * "schedule".  The caller frees the text. */
char *trace_json(const struct config *c, const struct mix *mix);

/* Reads the settings from a JSON text, which another program can have written.
 * The text must have all required keys and no unknown keys.  `steps` is the
 * number of steps in the file.  Returns OK or ERR_USAGE. */
int trace_json_read(struct config *c, struct mix *mix, const char *text,
                    int steps);

/* The result of repeating the steps of a trace. */
struct trace_run {
    struct trainer trainer; /* after the last step                       */
    struct arena  *memory;
    int            steps;
    double        *loss, *rate; /* (steps)                               */
    double        *top;         /* (steps): largest gradient norm        */
    real         **grad;        /* (steps), each like params.flat        */
};

/* Repeats c->steps steps of a trace.  f must contain the params, the frozen
 * tensors and the batches, with shapes that fit c and mix.  The caller closes
 * *r. */
void trace_play(struct trace_run *r, const struct trace_file *f,
                const struct config *c, const struct mix *mix);
void trace_run_close(struct trace_run *r);
OWNER_OF_VALUE(trace_run_close, struct trace_run)

/* Returns 1 if the gradient of p is 0 except for rounding errors; an example is
 * the bias of the keys, which does not change a softmax.  The update that an
 * optimiser computes from such a gradient is meaningless. */
int trace_silent(const struct trace_run *r, const struct param *p);
double trace_norm(const real *x, size_t n); /* sqrt(sum_i x_i^2) */

/* Trains c->steps steps on generated tokens and stores everything in f except
 * the config.  Noise is added to gains, biases and other tensors whose initial
 * values are constant, so that a 0 or a 1 cannot hide a fault.  Returns OK,
 * ERR_USAGE if the update is lost in float32 rounding, or ERR_DIVERGED. */
int trace_make(struct trace_file *f, const struct config *c,
               const struct mix *mix);

/* The result of one kind of comparison. */
struct trace_finding {
    const char *group;          /* "loss", "gradient", ...                */
    double      worst, bound;
    char        at[TRACE_NAME]; /* place of `worst`; "": none             */
    char        first[TRACE_NAME]; /* first place above the bound         */
    double      error;          /* error at `first`                       */
    int         failed;         /* number of places above the bound       */
};

enum { TRACE_FINDINGS = 16 };

struct trace_report {
    int                  n, failed;
    struct trace_finding finding[TRACE_FINDINGS];
};

/* Returns the number of steps in a file, which can be 0. */
int trace_steps(const struct trace_file *f);

/* Returns OK if f contains exactly the arrays of a trace of c, with the right
 * types and shapes.  Otherwise returns ERR_DATA, with a message that names
 * `path`. */
int trace_layout(const struct trace_file *f, const char *path,
                 const struct config *c, const struct mix *mix);

/* Repeats a trace and compares the results with those in the file; *out
 * receives the differences.  Returns OK; or ERR_DATA, with a message that names
 * `path`, if the arrays of the file do not fit its config. */
int trace_check(struct trace_report *out, const struct trace_file *f,
                const char *path, const struct config *c,
                const struct mix *mix);

/* Looks for the cause of differences that trace_check found: tries known
 * mistakes in the model until one reproduces step 1 of the file.  Returns a
 * sentence that describes the mistake, possibly in memory of `a`, or NULL if no
 * known mistake reproduces the step.  Only one thread at a time may call it. */
const char *trace_mistake(struct arena *a, const struct trace_file *f,
                          const struct config *c, const struct mix *mix);

/* The update of a learned tensor, the difference between its final value and
 * params/NAME: `size` is the norm of the update, and `grain` its rounding error
 * in float32, 2^-24 sqrt(steps) times the norm of params/NAME. */
struct trace_update { double size, grain; };
struct trace_update trace_update(const struct trace_file *f,
                                 const struct param *p, int steps);
/* Returns 1 if an update is mostly rounding error. */
int trace_drowned(struct trace_update u);

/* The arrays of a batch, in order. */
struct trace_field {
    const char *name;
    unsigned    families; /* 1 << FAMILY_...           */
    int         side;     /* 0: (b); 1: (b,n); 2: (b,m) */
    size_t      at;       /* offset in struct batch     */
};
extern const struct trace_field trace_fields[]; /* ends with NULL */
