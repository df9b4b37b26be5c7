/*
 * experiment_part: reads and checks the parts of an experiment file; private to
 * harness/config.  If a part is invalid, the functions return ERR_USAGE with
 * FILE:LINE in the message.
 */
#pragma once

#include "harness/base/err.h"
#include "harness/config/experiment.h"

/* The keys of all axes except AXIS_VARY; ends with NULL. */
extern const char *const axis_key[];

/* Returns `rc`.  If it is an error, puts FILE:LINE of node `n` in front of the
 * message. */
int part_at(const struct experiment *e, const struct node *n, int rc);
#define wrong(e, n, ...) part_at(e, n, err_set(ERR_USAGE, __VA_ARGS__))

/* Calls tree_want with the path of the experiment file. */
int part_want(const struct experiment *e, const struct node *n,
              enum node_kind kind, const char *example);

/* Returns the member `key` of a map, or NULL if there is none. */
const struct node *part_of(const struct node *root, const char *key);

/* Reads one value of a setting and checks it.  Sets *out, allocated from
 * e->memory, to the value in normal spelling: "random+dense" for
 * "dense+random", "8" for "8.0". */
int part_value(struct experiment *e, const struct node *n, const char *key,
               const char **out);

/* Reads a list of values, each as part_value does.  The list must not be empty
 * or have a value twice. */
int part_values(struct experiment *e, const struct node *n, const char *key,
                struct values *v);

/* Checks a match such as {variant: a, task: [b, c]} and puts its values into
 * normal spelling.  If `excluded` is not 0, the match may have the key `tuned`,
 * which selects either the plain or the tuned cell of each pair. */
int part_match(struct experiment *e, const struct node *n, int excluded);

/* Reads `vary`, a member of `root`, the root of the file.  Must be called
 * before the other parts are read, because they depend on which settings
 * vary. */
int read_vary(struct experiment *e, const struct node *root);

/* Reads the part `tune`. */
int read_tune(struct experiment *e, const struct node *n);
