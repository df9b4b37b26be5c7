#!/bin/sh
# The gate: bit-identical cells pass without a test; changed cells are judged by
# weights, data and metrics. Each outcome has its own exit code.
. tests/support/tap.sh
b=$work/baselines s=$work/s g=$work/gate
export work b

cat >"$work/x.yaml" <<'Y'
title: Three variants
variants: [vanilla, dense, uniform]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 32, N: 16, vocab: 32, batch: 16,
           steps: 60, schedule.warmup: 10, evals: 1, train: 400, valid: 32, test: 128}
Y
sed 's/^variants:.*/variants: [vanilla]/; s/^seeds:.*/seeds: [1, 2, 3]/
     s/^tasks:.*/tasks: [lm1b]/' "$work/x.yaml" >"$work/seeds.yaml"
gate() { sb gate --baselines "$b" "$@"; }
row() { # CELL METRIC CONDITION of $r
    json 'my ($r) = grep { $_->{cell} eq "'"$1"'" &&
        $_->{metric} eq "'"$2"'" } @{$j->{rows}}; $r && '"$3"
}

"$program" run "$work/x.yaml" --store "$s" -j 2 2>/dev/null
sb baseline save first --store "$s" --baselines "$b"
ok 'a baseline is saved' exits 0

# ---- bits ----

gate --baseline first "$work/x.yaml" --store "$g" -j 2
ok 'the same program gives the same bits' exits 0
ok '... of every cell' says '^PASS: 6 of 6 compared cells are bit-identical'
gate --baseline first "$work/x.yaml" --store "$g" --json
ok '... no test is needed' json '$j->{same} == 6 && $j->{tests} == 0 &&
    !@{$j->{rows}} && $j->{count}{"same bits"} == 6 && $j->{settings} eq ""'
gate --baseline first --store "$s"
ok 'a store alone is judged as it is' exits 0
ok '... whole' says '^PASS: 6 of 6 compared cells'
"$program" run "$work/x.yaml" --store "$work/seed1" --seeds 2 -j 2 \
    -E 'seed==1' 2>/dev/null
gate --baseline first --store "$work/seed1"
ok 'cells that neither side has are counted, not judged' exits 0
ok '... in one line' test "$(grep -c 'neither' "$work/out")" = 1
made_by() { h5dump -a provenance/build "$1"/cells/*.h5 | grep -c "$2"; }
{ cat "$program"; echo; } >"$work/another"
chmod +x "$work/another"
SYNTHBENCH_SHARE=$PWD "$work/another" run "$work/x.yaml" --store "$work/old" \
    -j 2 2>/dev/null
mine=$(h5dump -a provenance/build "$g"/cells/*.h5 | sed -n 's/.*(0): //p' |
    head -n 1)
ok 'another build of the program made these' test \
    "$(made_by "$work/old" "$mine")" = 0
SYNTHBENCH_SHARE=$PWD "$work/another" run "$work/x.yaml" --store "$work/kept" \
    -j 2 2>/dev/null
code=$(ulimit -f 16 # 8 KiB a file: fewer than a cell has
    "$program" gate --baselines "$b" --baseline first "$work/x.yaml" \
        --store "$work/kept" -E 'variant==vanilla && task==lm1b' \
        >"$work/out" 2>"$work/err"
    echo $?)
ok 'a cell that this build cannot train is not that of another build' \
    exits 9 'File too large'
ok '... and nothing is called the same' test ! -s "$work/out"
cp -R "$work/old" "$work/stale"
sed 's/^variants:.*/variants: [vanilla]/' "$work/x.yaml" >"$work/fewer.yaml"
COLUMNS=400 gate --baseline first "$work/fewer.yaml" --store "$work/stale" -j 2
ok 'nor is one that this build is not asked for any more' exits 1
ok '... it is missing' says 'Cells: 4 missing$'
gate --baseline first "$work/x.yaml" --store "$work/old" -j 2
ok 'cells of another build are trained again' test \
    "$(made_by "$work/old" "$mine")" = 6
ok '... to the same bits' exits 0

# ---- metrics ----

gate --baseline first "$work/x.yaml" --store "$g" -S schedule.scale=0.01 -j 2
ok 'a hundredth of the rate is worse' exits 3
ok '... which names the cells' says '^worse  *vanilla/lm1b/smoke/1  *ce '
ok '... begins with the setting that differs' says \
    '^FAIL: the settings differ: schedule.scale: default, now 0.01. 0 of'
ok '... and counts values apart from cells' sh -c '
    tr "\n" " " <"$1" | grep -q "baseline first. Values: [1-9][0-9]* worse" &&
    ! grep -q "Cells:" "$1"' - "$work/out"
gate --baseline first "$work/x.yaml" --store "$g" -S schedule.scale=0.01 --json
ok '... by its test examples' row vanilla/lm1b/smoke/1 metrics/ce \
    '$r->{verdict} eq "worse" && $r->{stage} eq "metrics" && $r->{low} > 0 &&
     $r->{difference} > $r->{margin} && $r->{p} < 0.05 &&
     abs($r->{now} - $r->{baseline} - $r->{difference}) < 1e-9'
ok '... in one family' json '$j->{tests} >= 6 && $j->{tests} <=
    grep { $_->{stage} eq "metrics" } @{$j->{rows}}'
gate --baseline first "$work/x.yaml" --store "$g" -S schedule.scale=0.01 \
    --margin 1000
ok '--margin: a difference that does not matter is equal' exits 0
gate --baseline first "$work/x.yaml" --store "$g" -S schedule.scale=0.01 \
    --margin 1000 --json
ok '... and no bit is' json '$j->{same} == 0 &&
    !grep { $_->{verdict} ne "equal" } @{$j->{rows}}'
"$program" run "$work/x.yaml" --store "$work/slow" -S schedule.scale=0.01 \
    -j 2 2>/dev/null
sb baseline save slow --store "$work/slow" --baselines "$b"
gate --baseline slow "$work/x.yaml" --store "$g" --json
ok 'what is better is told' row vanilla/lm1b/smoke/1 metrics/ce \
    '$r->{verdict} eq "better" && $r->{high} < 0'
ok '... and is no alarm' json '!$j->{count}{worse} && !$j->{count}{changed}'
mv "$s" "$work/away"
gate --baseline first "$work/x.yaml" --store "$g" -S schedule.scale=0.01
ok 'without the test examples of the baseline nothing is decided' exits 4
ok '... which says what it lacks' says 'no test examples of the baseline'
gate --baseline first "$work/x.yaml" --store "$g" -S schedule.scale=0.01 \
    --examples "$work/away"
ok '--examples: where they are' exits 3
gate --baseline first "$work/x.yaml" --store "$g" -S schedule.scale=0.01 \
    --examples "$work/slow"
ok '... those of other cells are none' exits 4
cp -r "$work/away" "$work/hurt"
for cell in "$work/hurt/cells"/*.h5; do
    printf x | dd of="$cell" bs=1 seek=600 conv=notrunc 2>/dev/null
done
gate --baseline first "$work/x.yaml" --store "$g" -S schedule.scale=0.01 \
    --examples "$work/hurt"
ok '... a damaged cell of theirs is told' exits 5 "$work/hurt/cells/"
mv "$work/away" "$s"

"$program" run "$work/seeds.yaml" --store "$work/three" -j 2 2>/dev/null
sb baseline save three --store "$work/three" --baselines "$b"
gate --baseline three "$work/seeds.yaml" --store "$work/gate3" -j 2 \
    -S schedule.scale=0.01 --json
ok 'several seeds are one comparison, over the pairs of them' \
    row 'vanilla/lm1b/smoke/*' metrics/ce '$r->{verdict} eq "worse" &&
    $r->{why} =~ /3 seeds/'
ok '... exit code 3' exits 3
spread() { # the margin is the standard deviation over the baseline's seeds
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
        open my $f, "<", "$ENV{b}/three.tsv"; local $/ = "\n";
        my @x = map { (split /\t/)[2] } grep { m{\tmetrics/ce\t} } <$f>;
        my $mean = eval join "+", @x; $mean /= @x;
        my $s = 0; $s += ($_ - $mean) ** 2 for @x; $s = sqrt($s / $#x);
        my ($r) = grep { $_->{metric} eq "metrics/ce" } @{$j->{rows}};
        exit !(@x == 3 && abs($r->{margin} / $s - 1) < 1e-9)' <"$work/out"
}
ok '... what matters is the spread of seeds' spread

# ---- changes must be accepted ----

gate --baseline first "$work/x.yaml" --store "$g" -S schedule.scale=0.01 \
    --margin 1000 --exact
ok '--exact: other bits are a regression, even if they do not matter' exits 3
ok '... of each cell' test "$(grep -c '^changed .*different bits' "$work/out")" = 6
gate --baseline first "$work/x.yaml" --store "$g" -j 2 --exact
ok '... and the same bits are none' exits 0

# ---- cost ----

gate --baseline three --store "$work/three" --junit "$work/cost.xml"
ok 'the same results pass' exits 0
cat >"$work/junit.pl" <<'P'
# Compares the counts of tests, failures and errors with the numbers of such
# elements.
local $/; $_ = <STDIN>;
m{^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuite .*</testsuite>\n$}s or die;
my @n = /<testsuite name="[^"]*" tests="(\d+)" failures="(\d+)" errors="(\d+)">/;
my @all = (scalar(() = /<testcase /g), scalar(() = /<failure /g),
           scalar(() = /<error /g));
"@n" eq "@ARGV" && "@all" eq "@ARGV" or die "@n, @all";
P
junit() { perl "$work/junit.pl" "$@" <"$work/cost.xml"; }
ok '--junit: a test case a verdict' junit 3 0 0
gate --baseline first "$work/x.yaml" --store "$g" -S schedule.scale=0.01 \
    --junit "$work/cost.xml"
ok '... what is worse is a failure' grep -q 'classname="vanilla/lm1b/smoke/1" name="ce"><failure type="worse" message="[^"<>]* nats/token ' \
    "$work/cost.xml"
cp "$work/cost.xml" "$work/before.xml"
gate --baseline none --store "$s" --junit "$work/cost.xml"
ok '... and a mistyped baseline touches no file' cmp "$work/cost.xml" \
    "$work/before.xml"
SYNTHBENCH_SHARE=$PWD
export SYNTHBENCH_SHARE
gate --baseline first --store "$s" --against "$work/another" --rounds 2 \
    --cost-margin 1e300 --threads 2 -E variant==dense --json
unset SYNTHBENCH_SHARE
ok '--against: another build is timed, in turns' json '
    my @r = grep { $_->{stage} eq "cost" } @{$j->{rows}};
    @r == 4 && !grep { $_->{percent} && $_->{baseline} > 0 && $_->{now} > 0 &&
        $_->{low} <= $_->{difference} && $_->{difference} <= $_->{high} &&
        $_->{margin} == 1e300 && $_->{why} =~ /^2 rounds; / ? 0 : 1 } @r'
ok '--cost-margin: what does not matter is equal' exits 0
ok '--rounds: a line of progress a configuration' test "$(grep -c . \
    "$work/err")" = 2
here=$PWD
case $program in /*) full=$program ;; *) full=$here/$program ;; esac
gate --baseline first --store "$s" --against "$program" --rounds 1
ok '... one tells nothing' exits 2 '--rounds'
gate --baseline first --store "$s" --against true --rounds 2
ok 'a program that is none is told' exits 2 'true cannot time steps'
gate --baseline first "$work/x.yaml" --store "$work/untrained" --against true
ok '... before anything is trained' test ! -e "$work/untrained/cells"
gate --baseline first --store "$s" --cost-margin -1
ok 'a margin of cost is a number' exits 2 '--cost-margin'
printf '#!/bin/sh\necho $$ >>%s/pid\nexec %s "$@"\n' "$work" "$full" \
    >"$work/told"
chmod +x "$work/told"
"$program" gate --baselines "$b" --baseline first "$work/x.yaml" --store "$g" \
    --against "$work/told" --rounds 1000 >"$work/out" 2>"$work/err" &
for _ in $(seq 400); do
    [ "$(cat "$work/pid" 2>/dev/null | wc -l)" -gt 2 ] && break
    sleep 0.05
done
kill -TERM $!
wait $!
code=$?
ok 'a signal ends what is timed, and is told as one' exits 143
ok '... with the programs that it timed' sh -c \
    'for p in $(cat "$1"); do
        ! grep -qv " Z " "/proc/$p/stat" 2>/dev/null || exit 1
    done' - "$work/pid"

# ---- selection of cells and run options ----

gate --baseline first "$work/x.yaml" --store "$g" -E task==lm1b --seeds 2 --json
ok '--seeds: others are not there' json '$j->{count}{missing} == 3 ||
    $j->{count}{added} == 3'
gate --baseline first "$work/x.yaml" --store "$g.quick" --scale quick \
    --synthetic --cache "$work/cache" -E 'task==lm1b && variant==uniform'
ok '--scale: cells of another scale are others' exits 7 'no cell in common'
ok '--synthetic: generated text is other data' test -n \
    "$(h5dump -a provenance/synthetic "$g".quick/cells/*.h5 | grep '0): 1')"
gate --baseline first "$work/x.yaml" --store "$g.real" --scale quick \
    --cache "$work/cache" -E 'task==lm1b && variant==uniform'
ok '--cache: text that is missing is told' exits 8 "$work/cache"
gate --baseline first "$work/x.yaml" --store "$g" --data-dir "$work/none"
ok '--data-dir: it must be there' exits 2 "$work/none"
gate --baseline first "$work/x.yaml" --store "$g.slow" --timeout 0.01 \
    -S steps=100000000
ok '--timeout: a cell failed, and why' exits 7
gate --baseline first "$work/x.yaml" --store "$g.slow" --stall 0.0001 \
    -S steps=800
ok '--stall: likewise' exits 7
sed 's/^variants:.*/variants: [vanilla, dense, uniform, mixer]/' \
    "$work/x.yaml" >"$work/more.yaml"
cat >>"$work/more.yaml" <<'Y'
override:
  - match: {variant: mixer}
    set: {steps: 100000000}
Y
cp -R "$g" "$work/more"
gate --baseline first "$work/more.yaml" --store "$work/more" --timeout 0.5
ok 'a cell that failed is told, though the baseline does not have it' exits 1
ok '... with what it died of' says \
    '^missing  *mixer/lm1b/smoke/1  .*in neither the baseline nor the store: failed: took'
one='variant==vanilla && task==lm1b'
"$program" gate --baselines "$b" --baseline first "$work/x.yaml" --store \
    "$work/both" -S steps=100000000 -E "$one" >"$work/out" 2>&1 &
ok 'a gate that trains for long begins' trains "$work/both"
gate --baseline first "$work/x.yaml" --store "$work/both" -S steps=100000000 \
    -E "$one"
ok '... another one beside it decides nothing' exits 6 'is training 1 of its'
kill -TERM $!
wait $!

"$program" run "$work/x.yaml" --store "$work/part" -E task==lm1b -j 2 \
    2>/dev/null
gate --baseline first --store "$work/part"
ok 'a store that lacks cells is told' exits 1
ok '... which, and why' says '^missing  *dense/agnews/smoke/1 .*missing$'

# ---- exact verdicts: the baseline is edited and sealed again ----

edit() { # PERL on the lines of first.tsv -> edited.tsv
    perl -MDigest::SHA=sha256_hex -e 'open my $f, "<", "$ENV{b}/first.tsv";
        my @l = grep { !/^# SHA-256/ } <$f>; my $i = 0;
        my $cell = "vanilla/lm1b/smoke/1";
        '"$1"';
        my $all = join "", @l; open my $o, ">", "$ENV{b}/edited.tsv";
        print $o $all, "# SHA-256 ", sha256_hex($all), "\n"'
}
moved='for (@l) { s/\t[0-9a-f]{16}$/\t0000000000000000/
    if /^\Q$cell\E\tresults/ }'
edited() { gate --baseline edited --store "$s" "$@"; }

edit "$moved"' for (@l) { s/^(\Q$cell\E\tmetrics\/ce\t)[0-9.]+/${1}1.5/ }'
edited --json
ok 'a metric of the same weights that is another is computed otherwise' \
    row vanilla/lm1b/smoke/1 metrics/ce '$r->{verdict} eq "changed" &&
    $r->{stage} eq "exact" && $r->{baseline} == 1.5'
ok '... exit code 3' exits 3
edit "$moved"' for (@l) { s/^(\Q$cell\E\tmetrics\/ce\t)[0-9.]+/${1}9.5/ }'
edited
ok '... better or worse' exits 3
edit "$moved"
edited --json
ok 'other results with all metrics the same are no alarm' \
    row vanilla/lm1b/smoke/1 '' '$r->{verdict} eq "equal"'
ok '... exit code 0' exits 0
edit "$moved"' for (@l) { s/(\t)sum of/${1}mean of/
    if /^\Q$cell\E\tmetrics\/ce\t/ }'
edited
ok 'another signature is told' exits 3
ok '... as changed' says '^changed .*computed differently: mean of'
edit "$moved"' for (@l) { s/nats.token/bits/
    if /^\Q$cell\E\tmetrics\/ce\t/ }'
edited
ok 'other units are told' says '^changed .*units were bits and are nats/token'
other='for (@l) { s/\t[0-9a-f]{16}$/\t0000000000000000/
    if /^\Q$cell\E\t(results|weights)/ }'
edit "$other"' for (@l) { s/^(\Q$cell\E\tstart\t\S+ )(\S+)/$1 . ($2 + 1e-3)/e }'
edited --json
ok 'first steps that no rounding moved so far are told' \
    row vanilla/lm1b/smoke/1 start '$r->{verdict} eq "changed" &&
    $r->{stage} eq "start" && $r->{why} =~ /of step 2 differs/ &&
    abs($r->{baseline} - $r->{now}) > 1e-5'
ok '... exit code 3' exits 3
edit "$other"' for (@l) { s/^(\Q$cell\E\tstart\t\S+ )(\S+)/$1 . ($2 + 1e-5)/e }'
edited --json
ok '... and those that rounding could have moved are not' \
    json '!grep { $_->{stage} eq "start" } @{$j->{rows}}'
ok '... but other weights are judged' row vanilla/lm1b/smoke/1 metrics/ce \
    '$r->{verdict} eq "undecided"'
edit "$moved"' for (@l) { s/^(\Q$cell\E\tparams\t)/${1}1/ }'
edited
ok 'another model is told' exits 3
ok '... as changed, with both numbers' says \
    '^changed  *vanilla/lm1b/smoke/1  *params  *[0-9].* learned parameters'
edit "$moved"' for (@l) { s/^(\Q$cell\E\ttokens\t)/${1}1/ }'
edited
ok 'a longer training is told' says '^changed .* tokens .* number of targets'
edit "$moved"' for (@l) { s/\t[0-9a-f]{16}$/\t1111111111111111/
    if /^\Q$cell\E\tdata\t/ }'
edited
ok 'other data are told' exits 3
ok '... as changed' says '^changed  *vanilla/lm1b/smoke/1 .*different data'
edit "$moved"' @l = map { my $m = $_; /^\Q$cell\E\tmetrics\/ce\t/
    ? ($_, $m =~ s/ce\t/ce_old\t/r) : $_ } @l'
edited
ok 'a metric that is not measured any more is told' exits 1
ok '... by name' says '^missing .*ce_old .*no longer measured'
edit "$other"' @l = grep { !/^\Q$cell\E\tmetrics\// } @l'
edited
ok 'other weights, and no metric to tell them by, are no pass' exits 4
ok '... but undecided' says '^undecided  *vanilla/lm1b/smoke/1 .*no metric'
edit 'for (@l) { s/^\Q$cell\E\t/vanilla\t/ }'
edited
ok 'a cell whose name is none is told' exits 5 "'vanilla' is not the name of a cell"
edit ' @l = map { my $m = $_; /^\Q$cell\E\tmetrics\/ce\t/
    ? ($_, $m =~ s/ce\t/later\t/r) : $_ } @l'
edited
ok '... also if it is not part of the digest' exits 1
edit ' for (@l) { s/^(\Q$cell\E\tmetrics\/ce\t)[0-9.]+/${1}1.5/ }'
edited
ok 'equal digests with another value of a metric are told' exits 3
edit "$moved"' @l = grep { !/^\Q$cell\E\tmetrics\/ppl\t/ } @l'
edited
ok 'a new metric is told, and no alarm' exits 0
ok '... by name' says '^added .*ppl '
edit 'push @l, map { s/smoke\/1\t/smoke\/2\t/r =~
        s/\t[0-9a-f]{16}$/\t2222222222222222/r } grep { /^\Q$cell\E\t/ } @l'
edited
ok 'a cell that did not run is told' exits 1
ok '... by name' says '^missing  *vanilla/lm1b/smoke/2 '
edit '@l = grep { !/^\Q$cell\E\t/ } @l'
edited
ok 'a cell that the baseline has not is told, and no alarm' exits 0
ok '... by name' says '^added  *vanilla/lm1b/smoke/1 '
edit 'push @l, map { s/smoke\/1\t/smoke\/2\t/r } grep { /^\Q$cell\E\t/ } @l'
edited
ok 'a cell that a baseline has twice is told' exits 5 'twice'
edit '@l = grep { !/^\Q$cell\E\t/ } @l'
edited -E variant==dense --json
ok '-E: of cells that are left out nothing is asked' json '$j->{cells} == 2 &&
    !@{$j->{rows}}'

edit 'push @l, map "vanilla/lm1b/smoke/*\t$_\n", "calibrated\t4",
    "config\t{}", "curves/train/loss/0000001-0000008\t4\t3\t5\tnats",
    "seeds\t1 2 3 4 5 6 7 8"'
edited
ok 'bands of learning curves in a baseline of before are skipped' exits 0

# ---- no common cells, and bad input ----

gate --baseline three --store "$s" -E task==agnews
ok 'no cell in common is nothing measured' exits 7
gate --baseline first
ok 'what is judged must be said' exits 2 'specify an experiment'
gate --store "$s"
ok 'against what must be said' exits 2 '--baseline'
gate --baseline none --store "$s"
ok 'there must be such a baseline' exits 2 none.tsv
for margin in x -1 nan ''; do
    gate --baseline first --store "$s" --margin "$margin"
    ok "--margin '$margin' is no margin" exits 2 '--margin'
done
sed 's/\(params\t\)/\11/' "$b/first.tsv" >"$b/bad.tsv"
gate --baseline bad --store "$s"
ok 'a damaged baseline is told' exits 5 'edited or merged'
done_testing
