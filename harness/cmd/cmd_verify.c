/* verify: checks a property of the program or a store; the exit code is 1 if it
 * does not hold. */
#include "harness/cmd/command.h"

static const struct command *const subjects[] = {
    &verify_exact, &verify_metrics, &verify_science, &verify_signature,
    &verify_statistics, &verify_store, &verify_variants, NULL};

const struct command command_verify = {
    .name = "verify",
    .summary = "Verify the program's computations and stores",
    .args = "exact|metrics|science|signature|statistics|store|variants",
    .subjects = subjects,
    .least = 1};
