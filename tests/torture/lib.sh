# Functions for the torture tests: `. tests/torture/lib.sh` after tap.sh.
# TORTURE=long tests every step and many kills; the default is a sample.
long=${TORTURE-}
step=${STEP:-$(dirname "$program")/tests/torture/step}
x=$work/x.yaml

# Writes an experiment with a cell of each variant, and a cell that starts from
# the weights of another. There is a checkpoint after every step, so that there
# is much to disturb.
experiment() { # VARIANTS SEEDS STEPS
    cat >"$x" <<Y
title: Torture
variants: [$1]
tasks: [wmt14_ende, c4]
scales: [smoke]
seeds: [$2]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 16, vocab: 40, batch: 8,
           steps: $3, evals: 1, train: 64, valid: 16, test: 16, preset: t5,
           checkpoint_seconds: 0}
override:
  - match: {task: wmt14_ende}
    set: {pretrained: c4}
Y
}

# Prints the ids of the cells that the journal reports as done; a kill may have
# truncated its last line.
acknowledged() { # STORE
    grep -o '^[0-9a-f]\{16\}'"$(printf '\t')"'[0-9a-f]\{64\}' "$1/journal.tsv" \
        2>/dev/null | cut -f 1
}

# Returns 0 if `status` reports all acknowledged cells as done.
still_done() { # STORE
    acknowledged "$1" >"$work/acked"
    "$program" status --store "$1" --json >"$work/status" || return 1
    perl -MJSON::PP -e 'local $/; my %s = map { ($_->{id}, $_->{status}) }
        @{decode_json(<STDIN>)->{cells}};
        while (@ARGV) { my $id = shift; next if $s{$id} eq "done";
            print "$id is $s{$id}\n"; $bad = 1 } exit $bad' \
        $(cat "$work/acked") <"$work/status"
}

# Returns 0 if every cell was trained exactly once.
once() { # STORE CELLS
    acknowledged "$1" | sort >"$work/lines"
    [ "$(wc -l <"$work/lines")" = "$2" ] &&
        [ "$(sort -u "$work/lines" | wc -l)" = "$2" ]
}

same_bits() { # STORE STORE
    "$program" compare --digests "$1" "$2"
}

# tally NAME COMMAND...: runs COMMAND and counts its successes.
tally() {
    tallied=$1
    tries=$((tries + 1))
    shift
    if "$@" >"$work/why" 2>&1; then
        good=$((good + 1))
    else
        echo "# $tallied"
        sed 's/^/#   /' "$work/why" | head -n 20
    fi
}
