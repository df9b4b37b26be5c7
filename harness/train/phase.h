/* phase: measures the processor time of a cell, by phase.  train.c enters the
 * phases.  Every moment belongs to exactly one phase, so the times add up to
 * the total. */
#pragma once

enum phase {
    PHASE_START,  /* weights are drawn or read, attention is measured   */
    PHASE_DATA,   /* text is prepared, or prepared text is opened       */
    PHASE_TRAIN,  /* steps, batches, checkpoints, logits' changes       */
    PHASE_VALID,
    PHASE_TEST,   /* losses of the test set                             */
    PHASE_DECODE,
    PHASE_SCORE,  /* metrics of the test set                            */
    PHASE_WRITE,  /* cell file, until these times are written to it     */
    PHASES
};
/* The names of the phases, "start", ...; ends with NULL. */
extern const char *const phase_name[PHASES + 1];

struct phases {
    double     cpu[PHASES]; /* processor seconds, all threads together */
    double     since;       /* clock_cpu_seconds() at the previous call
                               of one of the functions below           */
    enum phase now;
};

void phases_begin(struct phases *t);              /* enters PHASE_START      */
void phases_enter(struct phases *t, enum phase p);
/* Adds to the time of the current phase what has passed since the previous call
 * of one of these functions. */
void phases_count(struct phases *t);

/* Adds to *t the times that an earlier process of the same cell counted. */
void phases_add(struct phases *t, const struct phases *before);
