/* lend_private: declarations that the files of this folder share. */
#pragma once

#include "harness/lend/lend.h"
#include "harness/verify/traces/trace.h"

/* The files that the trainer wrote. */
struct returned {
    struct trace_file lent, start, end; /* trace.h5, start.h5; weights.h5 */
    char             *path;             /* of weights.h5                  */
    struct config     traced;
    struct mix        mix;
    double           *loss; /* [steps / train_stride(steps)] */
    double            valid;
    const char       *framework, *machine;
    struct arena     *memory;
};

void returned_close(struct returned *t);
OWNER_OF_VALUE(returned_close, struct returned)

/* Reads DIR/trained and checks, in this order, the trace, the weights, the
 * curve and the texts; all checks that do not need the data.  Returns ERR_DATA
 * if one fails.  The caller calls returned_close in any case. */
int returned_read(struct returned *out, const struct contract *k);
