/*
 * verify: facts that the program proves about itself, by subject.  One function
 * a subject, one row in cmd_verify.c.
 */
#ifndef CMD_VERIFY_H
#define CMD_VERIFY_H

#include "harness/cmd/command.h"

/* OK; exit code 1 when a fact does not hold; ERR_EMPTY: nothing was proved. */
int verify_exact(const struct options *o);
int verify_metrics(const struct options *o);
int verify_store(const struct options *o);
int verify_science(const struct options *o);
int verify_variants(const struct options *o);

#endif
