/* phase: where the processor time of a cell goes.  From its beginning every
 * moment is of one phase, so that together they are all of it. */
#pragma once

enum phase {
    PHASE_START,  /* weights are drawn or read, and attention is watched */
    PHASE_DATA,   /* text is prepared, or what was prepared is opened    */
    PHASE_TRAIN,  /* steps, their batches, checkpoints, moves of logits  */
    PHASE_VALID,
    PHASE_TEST,   /* losses of the test set                              */
    PHASE_DECODE,
    PHASE_SCORE,  /* metrics of what was decoded                         */
    PHASE_WRITE,  /* the cell file, till its times are in it             */
    PHASES
};
extern const char *const phase_name[PHASES + 1]; /* "start" ..; NULL ends */

struct phases {
    double     cpu[PHASES]; /* seconds of processors, all threads together */
    double     since;       /* not yet counted, in phase `now`             */
    enum phase now;
};

void phases_begin(struct phases *t);              /* in PHASE_START */
void phases_enter(struct phases *t, enum phase p);
void phases_count(struct phases *t);              /* up to here     */

/* t goes on after what an earlier process counted. */
void phases_add(struct phases *t, const struct phases *before);
