#!/bin/sh
# Bands of learning curves: `baseline save --bands` stores the range of the runs
# of several seeds; `gate` reports a run outside the band.
. tests/support/tap.sh
b=$work/baselines s=$work/s g=$work/gate
export work b

cat >"$work/x.yaml" <<'Y'
title: Twelve seeds
variants: [uniform]
tasks: [lm1b]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 32, N: 16, vocab: 32, batch: 16,
           steps: 60, schedule.warmup: 10, evals: 4, train: 400, valid: 32, test: 32}
Y
gate() { sb gate --baselines "$b" "$@"; }
save() { sb baseline save "$@" --baselines "$b"; }
row() { # CELL CONDITION of $r, of stage bands
    json 'my ($r) = grep { $_->{cell} eq "'"$1"'" &&
        $_->{stage} eq "bands" } @{$j->{rows}}; $r && '"$2"
}
x() { "$program" run "$work/x.yaml" "$@" -j 2 2>/dev/null; }

x --store "$work/few" --seeds 1..3
save few --store "$work/few" --bands
ok 'too few seeds are told' exits 7 'a band needs 8 runs'
ok '... whose, and how many there are' exits 7 'uniform/lm1b/smoke (3)'
ok '... and nothing is saved' test ! -e "$b/few.tsv"

x --store "$s" --seeds 1..12
save twelve --store "$s" --bands
ok 'a band of twelve seeds is kept' exits 0 '1 band of learning curves'
ok '... and what it promises' exits 0 'probability 6/7'
cp "$b/twelve.tsv" "$work/once"
save twelve --store "$s" --bands
ok '... in the same bytes again' cmp "$b/twelve.tsv" "$work/once"
ok 'its lines are text, one a part of the curve' test "$(
    grep -c 'smoke/\*.curves/train/loss/' "$b/twelve.tsv")" = 16
ok '... and one an evaluation' test "$(
    grep -c 'smoke/\*.curves/valid/ce/' "$b/twelve.tsv")" = 4
sb baseline list --baselines "$b" --json
ok 'the list says so' json '$j->{rows}[0]{bands} == 1'
sb baseline show twelve --baselines "$b"
ok '... and `show`, with runs, seeds and level' says 'level  *0.857143'
sb baseline show twelve --baselines "$b" --json
cat >"$work/centre.pl" <<'P'
# The centre is the mean of the first six seeds, and the others are inside.
use JSON::PP;
local $/; my $j = decode_json(<STDIN>);
my %v = map { $_->{what} => $_ } @{$j->{bands}[0]{values}};
my %id = map { my $c = $_; map { ($c->{cell} =~ s{.*/}{}r) => $_->{value} }
    grep { $_->{what} eq "id" } @{$c->{values}} } @{$j->{cells}};
my @at_60;
for my $seed (1 .. 12) {
    my $d = `h5dump -d /curves/valid/ce -y -w 0 -m %.17g $ENV{work}/s/cells/$id{$seed}.h5`;
    my ($line) = $d =~ /DATA \{\s*([^}]*?)\s*\}/;
    push @at_60, (split /, */, $line)[3];
}
my $band = $v{"curves/valid/ce/0000060-0000060"};
my $mean = 0; $mean += $_ / 6 for @at_60[0 .. 5];
abs($band->{value} - $mean) < 1e-7 or die "$band->{value}, not $mean";
$band->{low} <= $_ && $_ <= $band->{high} or die "$_ is outside"
    for @at_60[6 .. 11];
P
ok 'the centre is the mean of half of the runs, the other half is inside' \
    sh -c 'perl "$work/centre.pl" <"$work/out"'

# ---- the same distribution ----

gate --baseline twelve --store "$s" --json
ok 'cells with the same bits are held against no band' json '$j->{bands} eq ""
    && !@{$j->{rows}} && $j->{same} == 12'
gate --baseline twelve "$work/x.yaml" --store "$g" --seeds 1..30 -j 2 --json
ok 'of 18 new seeds none is an alarm' exits 0
ok '... and what chance does is said' json '$j->{bands} =~
    /^18 runs compared .* \d+ outside, where at most 2.6 would be expected if nothing had changed; 0 significantly/'
named() { # every run outside is told, as one of those that chance has
    json '$j->{bands} =~ /(\d+) outside/; my $n = $1;
        $n == grep { $_->{verdict} eq "by chance" && $_->{p} >= 0.05 &&
            $_->{stage} eq "bands" } @{$j->{rows}}'
}
ok '... of those that are outside each is named' named
gate --baseline twelve "$work/x.yaml" --store "$g.one" --seeds 1..13 \
    -E seed==13
ok 'a new seed alone is held against the band' says \
    '^1 run compared with the bands of the baseline'
gate --baseline twelve "$work/x.yaml" --store "$g.one" --seeds 1..13 \
    -E seed==13 --cost
ok '... its cost against nothing, which is undecided' exits 4
ok '... and told' says '^undecided  *(all) .*step_seconds .*nothing to time'

# ---- another distribution ----

gate --baseline twelve "$work/x.yaml" --store "$g" --seeds 1..12 -j 2 \
    -S schedule.scale=0.01 --json
ok 'a hundredth of the rate leaves the band' exits 3
ok '... a run of it is named, with value and bounds where it left' \
    row uniform/lm1b/smoke/1 '$r->{verdict} eq "outside" && $r->{p} < 0.05 &&
    $r->{metric} eq "curves/train/loss" && $r->{difference} > $r->{high} &&
    $r->{why} =~ /steps \d+ to \d+: [0-9.]+, not [0-9.]+ to [0-9.]+/'
sb gate --baseline twelve --baselines "$b" --store "$g" --junit "$work/j.xml"
ok '... for a runner it is a failure' grep -q 'failure type="outside"' \
    "$work/j.xml"
x --store "$work/slow" --seeds 1..12 -S schedule.scale=0.01
save slow --store "$work/slow" --bands
gate --baseline slow --store "$s" --json
ok 'what is too good leaves it, too' row uniform/lm1b/smoke/1 \
    '$r->{verdict} eq "outside" && $r->{difference} < $r->{low} &&
     $r->{why} =~ /too good \(possibly a leak\)/'
ok '... exit code 3' exits 3

# ---- other steps ----

gate --baseline twelve "$work/x.yaml" --store "$g.evals" --seeds 1..12 -j 2 \
    -S evals=3 -S schedule.scale=0.999999 --json
ok 'curves with other evaluations are compared where both have steps' json \
    '$j->{bands} =~ /^12 runs/ && !$j->{count}{outside} &&
    !grep { $_->{why} =~ /no step/ } @{$j->{rows}}'
sed '/^# SHA/d; s#\*.curves/[a-z/]*/00*#&9#; s/-00*\([0-9]*\)/-9\1/' \
    "$b/slow.tsv" | grep -v '^$' >"$b/apart.tsv"
perl -MDigest::SHA=sha256_hex -e 'local $/; open my $f, "<", $ARGV[0];
    my $all = <$f>; open my $o, ">>", $ARGV[0];
    print $o "# SHA-256 ", sha256_hex($all), "\n"' "$b/apart.tsv"
gate --baseline apart --store "$s" --json
ok 'where they have none, that is told' row uniform/lm1b/smoke/1 \
    '$r->{verdict} eq "undecided" && $r->{why} =~ /no step/'

done_testing
