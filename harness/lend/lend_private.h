/* lend_private: reads the files that the other program has written; shared by
 * the files of this folder.  adopt.c calls returned_read. */
#pragma once

#include "harness/lend/lend.h"
#include "harness/verify/traces/trace.h"

/* The files that the other program wrote. */
struct returned {
    struct trace_file lent, start, end; /* trace.h5, start.h5, weights.h5 */
    char             *path;             /* path of weights.h5             */
    struct config     traced;
    struct mix        mix;
    double           *loss; /* [steps / train_stride(steps)] */
    double            valid;
    const char       *framework, *machine;
    struct arena     *memory;
};

void returned_close(struct returned *t);
OWNER_OF_VALUE(returned_close, struct returned)

/* Reads DIR/trained and does all checks that do not need the data: those of the
 * trace, the weights, the curve and the texts, in this order.  Returns ERR_DATA
 * if a check fails.  The caller calls returned_close in any case. */
int returned_read(struct returned *out, const struct contract *k);
