#!/bin/sh
# Faults that users or public bug reports of similar tools described, each with
# the correct behaviour, and inputs of the same kind.
. tests/support/tap.sh

# ---- output files and escaping ----

# ---- stores and special files ----

# ---- gate and claims ----

# ---- data and metrics ----

# ---- messages and first steps ----

# ---- drawing ----

done_testing
