/* laws: small options for every generator of the science suite. */
#pragma once

#include "harness/tasks/gen/law.h"

enum { LAWS = 20 };

struct small {
    const char *task;
    int         length, vocab;
    int         chance; /* 1: the answers are random */
};

extern const struct small laws[LAWS];
const struct small *laws_find(const char *task);

const struct task *laws_task(const char *name);
struct task_opts   laws_options(const struct small *s, int train, int test);
/* Opens the dataset; fails the test if it cannot. */
void laws_open(struct dataset *d, const struct small *s, int train, int test);
