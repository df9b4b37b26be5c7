#!/bin/sh
# Baselines: `baseline save` stores what the cells of a store contain, with the
# same bytes each time. Files that are damaged, edited, missing or of a more
# recent version are reported.
. tests/support/tap.sh
b=$work/baselines s=$work/s
export work

cat >"$work/x.yaml" <<'Y'
title: Two variants, two seeds
variants: [vanilla, uniform]
tasks: [wmt14_ende]
scales: [smoke]
seeds: [1, 2]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 6, evals: 2, train: 40, valid: 8, test: 16}
Y
save() { sb baseline save "$@" --baselines "$b"; }

sed 's/^seeds:.*/seeds: [1]/' "$work/x.yaml" >"$work/half.yaml"
"$program" run "$work/half.yaml" --store "$work/half" 2>/dev/null
"$program" run "$work/x.yaml" --store "$s" -j 2 2>/dev/null

save first --store "$work/none"
ok 'a store that nobody made cannot be accepted' exits 7
save first
ok 'which store must be said' exits 2 '--store'
save first --store "$s"
ok 'a finished store is accepted' exits 0 '4 cells'
cp "$b/first.tsv" "$work/once"
save first --store "$s"
ok '... in the same bytes again, and nothing moved' \
    cmp "$b/first.tsv" "$work/once"
ok '... which is told' exits 0 '0 cells changed, 0 added, 0 removed'
sorted() { # its lines of values, below the head
    sed '1,/^cell/d; /^#/d' "$b/first.tsv" | LC_ALL=C sort -c -s \
        -t "$(printf '\t')" -k1,2
}
ok 'its lines are sorted' sorted

# ---- values equal those of the store ----

ok 'it names its experiment' grep -q "^# experiment$(printf '\t')x$" \
    "$b/first.tsv"
cat >"$work/equal.pl" <<'P'
# Compares metrics and counts of `show --json` with those of the baseline.
use JSON::PP;
sub slurp { local $/; open my $f, "<", $_[0]; decode_json(<$f>) }
my (%of, @head, $seen);
while (<STDIN>) {
    next if /^#/;
    chomp;
    my @field = split /\t/;
    if (@head) { @{$of{$field[0]}{$field[1]}}{@head} = @field }
    else { @head = @field }
}
for my $cell (keys %of) {
    my ($variant, $task, $scale, $seed) = split m{/}, $cell;
    system("$ENV{program} show $ENV{work}/s#$variant/$task/$seed --json " .
           ">$ENV{work}/cell.json") and die;
    my $c = slurp("$ENV{work}/cell.json")->{cells}[0];
    my %v = %{$of{$cell}};
    $v{id}{value} eq $c->{id} or die "id of $cell";
    for (sort keys %{$c->{metrics}}) {
        my $m = $v{"metrics/$_"} or die "$_ is missing";
        abs($m->{value} - $c->{metrics}{$_}) <= 1e-14 * $m->{value} or
            die "$_: $m->{value}";
        $m->{low} ne '' && !($m->{low} <= $m->{value} &&
            $m->{value} <= $m->{high}) and die "$_: the interval";
        $m->{units} && $m->{signature} or die "$_: no units, no signature";
        $seen++;
    }
    my $t = $c->{timing};
    $v{$_}{value} == $t->{$_} or die "$_: $v{$_}{value}, not $t->{$_}"
        for qw(params tokens);
    $v{flops_per_step}{value} == $c->{flops_per_step} or die "flops";
    for (["peak_rss_bytes", "value", "peak_rss_bytes"], # six digits shown
         ["step_seconds", "value", "step_seconds_median"],
         ["step_seconds", "low", "step_seconds_p10"],
         ["step_seconds", "high", "step_seconds_p90"],
         ["step_seconds_least", "value", "step_seconds_min"]) {
        my ($what, $field, $key) = @$_;
        abs($v{$what}{$field} / $t->{$key} - 1) < 2e-5 or die $key;
    }
    index($c->{weights}{sha256}, $v{weights}{value}) == 0 or die "weights";
    index($c->{provenance}{data_digest}, $v{data}{value}) == 0 or die "data";
}
keys %of == 4 && $seen >= 8 or die "$seen metrics";
P
export program
ok 'every number of it is what `show` tells of the cell' \
    sh -c 'perl "$work/equal.pl" <"$0"' "$b/first.tsv"

# ---- other baselines ----

sb run "$work/x.yaml" --store "$work/other" -j 2 -S schedule.scale=3
save other --store "$work/other"
ok 'another rate is saved' exits 0 '4 cells'
save half --store "$work/half"
ok 'half of an experiment is accepted as what it is' exits 0 '2 cells'
rm "$work/other/cells/"*.h5
save other --store "$work/other"
ok 'what is not whole is not accepted' exits 7 'synthbench run'

save portable --store "$s" --portable
ok '--portable: a baseline for any machine' exits 0
same_everywhere() {
    ! grep -qE 'step_seconds|peak_rss|^# (commit|machine|build|flags|store)' \
        "$b/portable.tsv" && grep -q '^# experiment' "$b/portable.tsv"
}
ok '... has no time, memory, machine and build' same_everywhere
same_results() { # the lines of values, without costs
    for one in first portable; do
        sed '1,/^cell/d; /^#/d' "$b/$one.tsv" |
            grep -vE 'step_seconds|peak_rss' >"$work/$one.lines"
    done
    test -s "$work/first.lines" && cmp "$work/first.lines" "$work/portable.lines"
}
ok '... and the same results' same_results

# ---- bad input ----

bad() { # NAME CODE WORDS SED: the file after this change
    sed "$4" "$b/first.tsv" >"$b/bad.tsv"
    sb gate --baseline bad --baselines "$b" --store "$s"
    ok "$1" exits "$2" "$3"
}
bad 'an edited number is told' 5 'edited or merged' 's/\(params\t\)/\11/'
bad 'a newer version is told' 5 'newer' '1s/[0-9]*$/99/'
bad 'a file that is cut off is told' 5 'cut off' '$d'
bad 'another file is told' 5 'not the first line of a baseline' '1d'
: >"$b/bad.tsv"
sb gate --baseline bad --baselines "$b" --store "$s"
ok 'an empty file is told' exits 5 'not the first line of a baseline'
save bad --store "$s"
ok 'a damaged baseline can be replaced' exits 0 'baseline save`: replaced'
sb gate --baseline none --baselines "$b" --store "$s"
ok 'a name that is none is told' exits 2 'baseline save'
for name in ../first .first 'a b' ''; do
    save "$name" --store "$s"
    ok "'$name' is no name of a baseline" exits 2
done
done_testing
