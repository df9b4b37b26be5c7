#!/bin/sh
# The digests of 1, 2 and 4 ranks and of several threads are equal for all
# families, precisions and optimisers (also for Adafactor with factored
# moments).
. tests/support/tap.sh
. tests/support/ranks.sh
if ! command -v mpirun >/dev/null || [ ! -x "$porter" ]; then
    echo '1..0 # SKIP there is no mpirun, or this build has no MPI'
    exit 0
fi
cat >"$work/x.yaml" <<'Y'
title: Ranks, families, precisions, optimisers
variants: [vanilla, factorized-random]
tasks: [wmt14_ende, lm1b, agnews, c4, glue]
scales: [smoke]
seeds: [1]
vary: {precision: [fp32, bf16], optimizer.name: [adam, adafactor]}
settings: {layers: 1, d: 16, heads: 2, ff: 32, N: 16, vocab: 40, batch: 10,
           steps: 12, evals: 2, train: 64, valid: 40, test: 70, dropout: 0.1,
           optimizer.factor_min: 16}
Y
for p in 1 2 4; do
    ranks $p run "$work/x.yaml" --store "$work/$p"
    ok "$p ranks train the matrix" exits 0 'trained 40 cells'
done
sb run "$work/x.yaml" --store "$work/t" -S threads=2 --jobs 1
ok 'threads train the matrix' exits 0 'trained 40 cells'
for p in 2 4 t; do
    sb compare --digests "$work/1" "$work/$p" --json
    ok "digests of 1 and $p are equal" exits 0
    ok 'all 40 cells are compared' json '@{$j->{rows}} == 40 &&
        !grep { $_->{verdict} ne "equal" } @{$j->{rows}}'
    cp "$work/out" "$work/rows.$p"
done
perl -MJSON::PP -e 'my %d; my @all = @ARGV;
    for my $p (@all) {
        open my $f, "<", "'"$work"'/rows.$p"; local $/;
        for (@{decode_json(<$f>)->{rows}}) {
            push @row, $_->{cell} if !$d{$_->{cell}};
            $d{$_->{cell}}{1} = $_->{weights_a};
            $d{$_->{cell}}{$p} = $_->{weights_b};
        }
    }
    printf "# %-68s %8s %8s %8s %8s\n", "weights after 12 steps, SHA-256",
        "1 rank", "2", "4", "2 thr.";
    for my $c (sort @row) {
        printf "# %-68s", $c;
        printf " %8.8s", $d{$c}{$_} for 1, @all;
        print "\n";
    }' 2 4 t
done_testing
