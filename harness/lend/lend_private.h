/* lend_private: reads and checks the files that the other program has written.
 * It is private to this folder: adopt.c calls returned_read of returned.c. */
#pragma once

#include "harness/lend/lend.h"
#include "harness/verify/traces/trace.h"

/* The results of the other program, and the lent files that they are compared
 * with.  `lent` and `start` are the lent trace.h5 and start.h5; `end` is
 * trained/weights.h5. */
struct returned {
    struct trace_file lent, start, end;
    char             *path;   /* path of trained/weights.h5      */
    struct config     traced; /* configuration of the lent trace */
    struct mix        mix;
    double           *loss; /* [steps / train_stride(steps)] */
    double            valid; /* VALID of the last line of curve.tsv */
    const char       *framework, *machine;
    struct arena     *memory;
};

void returned_close(struct returned *t);
OWNER_OF_VALUE(returned_close, struct returned)

/* Reads DIR/trained and does all checks that do not need the data of the task:
 * those of trace.h5, weights.h5, curve.tsv and trainer.json, in this order.
 * Returns ERR_DATA if a check fails.  The caller calls returned_close in any
 * case. */
int returned_read(struct returned *out, const struct contract *k);
