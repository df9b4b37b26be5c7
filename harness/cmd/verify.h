/*
 * verify: facts that the program proves about itself, by subject: one file, one
 * row in cmd_verify.c.  Exit code 1 when a fact does not hold; ERR_EMPTY:
 * nothing was proved.
 */
#ifndef CMD_VERIFY_H
#define CMD_VERIFY_H

#include "harness/cmd/command.h"

extern const struct command verify_exact, verify_metrics, verify_science,
    verify_store, verify_variants;

#endif
