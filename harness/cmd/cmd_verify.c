/* verify: proves a subject's facts, exit code 1 when one does not hold. */
#include "harness/cmd/command.h"

static const struct command *const subjects[] = {
    &verify_exact, &verify_metrics, &verify_science, &verify_signature,
    &verify_store, &verify_variants, NULL};

const struct command command_verify = {
    .name = "verify",
    .summary = "Proves that what the program computes is right",
    .args = "exact|metrics|science|signature|store|variants",
    .subjects = subjects,
    .least = 1};
