/*
 * attention_sites: lists those self-attention layers of a task's cells
 * ("encoder.0", "decoder.1") that a figure shows as columns.  Cross-attention
 * is left out, because it is the same in all variants.
 */
#pragma once

#include "harness/report/report.h"

enum { SITES_MOST = 6, SITES_NAME = 32 };

struct sites {
    int  n;
    char name[SITES_MOST][SITES_NAME];
};

/* Lists the self-attention layers that at least one finished cell of the task
 * has in the group `group` ("attention/end") of its file.  If a stack has more
 * than three layers, only its first, middle and last layers are listed.
 * Returns ERR_STORE if a cell is damaged. */
int sites_of(struct sites *out, const struct report *r, const char *task,
             const char *group);

/* Returns "encoder, layer 1" for "encoder.0"; the report owns the text. */
const char *sites_title(const struct report *r, const char *place);
