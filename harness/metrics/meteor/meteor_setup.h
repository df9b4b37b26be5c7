/* meteor_setup: what METEOR is to do, from the options of `score meteor`. */
#ifndef METRICS_METEOR_METEOR_SETUP_H
#define METRICS_METEOR_METEOR_SETUP_H

#include "harness/base/text.h"
#include "harness/metrics/meteor/meteor.h"
#include "harness/metrics/scorer.h"

struct meteor_setup {
    struct meteor_config config;
    struct text          id;        /* METEOR's own name of the configuration */
    struct text          signature;
};

extern const struct score_option meteor_options[];

/* ERR_USAGE; ERR_DATA when a list or WordNet is not there. */
int  meteor_setup_open(struct meteor_setup *m, const struct score_input *in);
void meteor_setup_close(struct meteor_setup *m);
OWNER_OF_VALUE(meteor_setup_close, struct meteor_setup)

/* The options alone, without data: enough for meteor_score. */
int meteor_config_read(struct meteor_config *c, const struct score_input *in);

#endif
