/* segment: line i of the files of one scoring, as words joined by blanks. */
#ifndef METRICS_SEGMENT_H
#define METRICS_SEGMENT_H

#include "harness/base/text.h"
#include "harness/metrics/scorer.h"

struct segment { /* starts as {0}; the texts live until the next read */
    const char *hyp, *ref[SCORE_REFS];
    int         refs;
    struct text text[1 + SCORE_REFS];
};

void segment_read(struct segment *s, const struct score_input *in, size_t i);
void segment_free(struct segment *s);
OWNER_OF_VALUE(segment_free, struct segment)

/* As above with the lines as they are, without white space at their ends. */
void segment_read_stripped(struct segment *s, const struct score_input *in,
                           size_t i);

#endif
