#!/bin/sh
# Opens the pages of a report in a headless Chromium (tests/support/browser.py).
# There are no messages; links and pictures work; tables can be sorted by
# keyboard; contrast is sufficient in both colour schemes; the layout fits 400
# pixels. `make deps-browser` installs Chromium; without it the test is skipped.
chromium=$(command -v chromium || command -v chromium-browser ||
    command -v google-chrome) || {
    echo '1..0 # SKIP there is no Chromium: make deps-browser installs it'
    exit 0
}
program=${SYNTHBENCH:-build/release/synthbench}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

cat >"$work/x.yaml" <<'Y'
title: "</title><script>alert('x')</script> & \"quoted\""
variants: [vanilla, random+dense, factorized-dense, uniform]
tasks: [lm1b, agnews, wmt14_ende]
scales: [smoke]
seeds: [1, 2]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 20, evals: 2, train: 64, valid: 16, test: 16}
Y
{
    "$program" run "$work/x.yaml" --store "$work/<i>&store" -j 2 &&
        "$program" report --store "$work/<i>&store" -o "$work/report"
} >"$work/log" 2>&1 || {
    sed 's/^/# /' "$work/log"
    echo 'Bail out! there is no report'
    exit 1
}
timeout 120 "${PYTHON:-/usr/bin/python3}" tests/support/browser.py \
    "$work/report" "$chromium"
