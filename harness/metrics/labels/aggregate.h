/*
 * aggregate: one number for a benchmark of many tasks: the mean over the tasks
 * of the mean over each task's metrics, as the leaderboards of GLUE (Wang et
 * al., 2019) and SuperGLUE (Wang et al., 2019) take it.
 */
#ifndef METRICS_LABELS_AGGREGATE_H
#define METRICS_LABELS_AGGREGATE_H

/* Papers that leave out WNLI, the Synthesizer's among them, have 8 tasks. */
enum aggregate {
    AGGREGATE_GLUE8,    /* cola sst2 mrpc stsb qqp mnli qnli rte           */
    AGGREGATE_GLUE9,    /* and wnli                                        */
    AGGREGATE_SUPERGLUE /* boolq cb copa multirc record rte wic wsc        */
};

struct aggregate_score { const char *task, *metric; double value; };

/* NAN where one of the benchmark's scores is not given, or is NAN; scores of
 * other tasks and metrics are not looked at. */
double aggregate_of(enum aggregate a, const struct aggregate_score *score,
                    int n);

#endif
