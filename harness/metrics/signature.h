/*
 * signature: how a score was made, as sacreBLEU 2.6.0 writes it:
 * "nrefs:1|case:mixed|...", and short, "#:1|c:mixed|...".
 */
#ifndef METRICS_SIGNATURE_H
#define METRICS_SIGNATURE_H

#include "harness/metrics/result.h"

#define SACREBLEU_VERSION "2.6.0"

struct signature { char full[512], brief[512]; }; /* starts empty */

void signature_add(struct signature *s, const char *key, const char *brief,
                   const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* "signature" and "signature_short" of the result. */
void signature_end(const struct signature *s, struct result *out);

#endif
