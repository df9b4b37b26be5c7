/*
 * attention_sites: lists the self-attentions of a task's cells ("encoder.0",
 * "decoder.1") that a figure shows as columns.  Cross-attention is left out,
 * because it is the same in all variants.
 */
#pragma once

#include "harness/report/report.h"

enum { SITES_MOST = 6, SITES_NAME = 32 };

struct sites {
    int  n;
    char name[SITES_MOST][SITES_NAME];
};

/* Lists the self-attentions that any finished cell of the task has in the
 * group ("attention/end").  Of each stack it takes all layers, or if there are
 * more than three, the first, the middle and the last one.  Returns ERR_STORE
 * if a cell is damaged. */
int sites_of(struct sites *out, const struct report *r, const char *task,
             const char *group);

/* Returns "encoder, layer 1" for "encoder.0", kept by the report. */
const char *sites_title(const struct report *r, const char *place);
