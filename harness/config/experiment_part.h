/*
 * experiment_part: what reads the parts of an experiment file; for config's
 * own files.  Each answers ERR_USAGE with FILE:LINE.
 */
#pragma once

#include "harness/base/err.h"
#include "harness/config/experiment.h"

/* The keys of the axes but the varied one, and NULL. */
extern const char *const axis_key[];

/* rc, with the place of n in front of its message where it is an error. */
int part_at(const struct experiment *e, const struct node *n, int rc);
#define wrong(e, n, ...) part_at(e, n, err_set(ERR_USAGE, __VA_ARGS__))

/* tree_want of that file. */
int part_want(const struct experiment *e, const struct node *n,
              enum node_kind kind, const char *example);

/* The member of a map, or NULL. */
const struct node *part_of(const struct node *root, const char *key);

/* One value as the settings print it: random+dense, not dense+random; and 8,
 * not 8.0. */
int part_value(struct experiment *e, const struct node *n, const char *key,
               const char **out);

/* A list of them, none twice. */
int part_values(struct experiment *e, const struct node *n, const char *key,
                struct values *v);

/* {variant: a, task: [b, c]}: puts the values into their normal spelling.
 * excluded: it may say which of a pair, tuned and not. */
int part_match(struct experiment *e, const struct node *n, int excluded);

/* `vary` of the whole file: before the other parts, which ask what is
 * varied. */
int read_vary(struct experiment *e, const struct node *root);

int read_tune(struct experiment *e, const struct node *n);
