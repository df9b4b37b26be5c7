/*
 * attention_sites: the self-attentions of a task's cells, "encoder.0",
 * "decoder.1", as figures set them side by side.  Cross-attention is the same
 * in all variants.
 */
#pragma once

#include "harness/report/report.h"

enum { SITES_MOST = 6, SITES_NAME = 32 };

struct sites {
    int  n;
    char name[SITES_MOST][SITES_NAME];
};

/* Of any cell of the task that is done and has the group, "attention/end": of
 * each stack all layers, or, of more than three, the first, the middle and the
 * last.  ERR_STORE. */
int sites_of(struct sites *out, const struct report *r, const char *task,
             const char *group);

/* "encoder, layer 1" */
const char *sites_title(const struct report *r, const char *place);
