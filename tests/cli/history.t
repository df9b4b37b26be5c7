#!/bin/sh
# History: runs on a temporary repository whose commits are this program with
# other settings. The results of every commit are stored and merged. A change is
# attributed to its commit, plotted, and found by bisection. The user's checkout
# is untouched.
. tests/support/tap.sh
case $program in /*) ;; *) program=$PWD/$program ;; esac
root=$PWD repo=$work/repo h=$work/history.tsv
export work program
unset MAKEFLAGS MFLAGS MAKELEVEL MODE GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 TMPDIR="$work/tmp"
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a \
    GIT_COMMITTER_EMAIL=a@b
mkdir "$work/tmp"

# ---- commits: one does not build, one changes the rate, one has a fault ----

git init -q -b main "$repo"
cd "$repo" || exit 1
printf 'build/\nresults/*\n!results/history.tsv\n' >.gitignore
cat >x.yaml <<'Y'
title: Two variants
variants: [vanilla, uniform]
tasks: [lm1b]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 16, vocab: 24, batch: 8,
           steps: 10, schedule.warmup: 4, evals: 1, train: 64, valid: 16,
           test: 16}
Y
makefile() { # RECIPE: of `make all`
    printf '%s\n' '.RECIPEPREFIX = >' 'MODE ?= release' \
        'all: build/$(MODE)/synthbench' \
        'build/$(MODE)/synthbench: wrapper Makefile' "> $1" \
        '> mkdir -p $(@D) && cp wrapper $@ && chmod +x $@' >Makefile
}
day=0
commit() { # SUBJECT [SETTING]: the program, with a setting when it trains
    day=$((day + 1))
    [ "$1" != one ] || day=2 # so the second one claims to be older
    [ "$1" != two ] || day=1
    {
        echo '#!/bin/sh'
        echo "# $1"
        echo "[ \"\$1\" = run ] || exec '$program' \"\$@\""
        echo "exec '$program' \"\$@\" ${2-}"
    } >wrapper
    git add -A
    GIT_COMMITTER_DATE=2026-01-0${day}T12:00:00Z git commit -q -m "$1"
    git tag "$1"
    [ $day != 1 ] || day=2
}
makefile :
commit one
commit two
makefile 'echo it does not build; exit 1'
commit three
makefile :
commit four
commit five '-S schedule.scale=3'
commit six '-S schedule.scale=3'
makefile 'exit 1'
commit seven '-S schedule.scale=5'
makefile :
commit eight '-S schedule.scale=5'

hist() { # SUBJECT ARGUMENT...
    subject=$1
    shift
    sb history "$subject" "$@" --history "$h"
}
measure() { # COMMIT: into results/COMMIT/x
    git checkout -q "$1" && make -s >/dev/null 2>&1 &&
        build/release/synthbench run x.yaml --store "results/$1/x" -j 2 \
            2>/dev/null
}
for c in one two four five six eight; do measure $c; done
git checkout -q main

# ---- add ----

hist show
ok 'without a history there is nothing to show' exits 7 'history add'
hist add
ok 'which results must be said' exits 2 '--store'
hist add --store results/one/x
ok 'results of another repository, or of no commit, are refused' exits 2 \
    '--commit REV'
hist add --store results/one/x --commit nothere
ok 'so is a commit that is none' exits 2 "is not a commit of"
for c in one six four two five; do
    hist add --store results/$c/x --commit $c
    ok "results of commit $c are added" exits 0 'of 2 cells'
done
cp "$h" "$work/once"
hist add --store results/five/x --commit five
ok 'what is there is not added again' exits 0 'added 0 values of 2 cells'
ok '... and the file is the same' cmp "$h" "$work/once"
hist add --store results/five/x --commit four
ok 'other results of a commit are refused' exits 2 'has different results of'
cd "$root" || exit 1
sb history add --store "$repo/results/eight/x" --commit eight --history "$h" \
    --repository "$repo"
ok '--repository: where the commits are' exits 0 'of 2 cells'
cd "$repo" || exit 1

# ---- show ----

hist show
ok 'show: a row a commit' says "^$(git rev-parse --short=9 two) .* 2  *0  *0"
ok '... those that moved cells' says \
    "^$(git rev-parse --short=9 five) .* 2  *2  *0 .*ce .* nats/token"
hist show --json
first() { git rev-parse "$1"; }
ok 'show --json: each change at its commit, and what was before' json '
    my %c; $c{$_->{commit}}++ for @{$j->{changes}};
    my ($w) = grep { $_->{what} eq "weights" && $_->{cell} =~ /vanilla/ }
        @{$j->{changes}};
    keys %c == 2 && $c{"'"$(first five)"'"} && $c{"'"$(first eight)"'"} &&
    $w->{commit} eq "'"$(first five)"'" && $w->{good} eq "'"$(first four)"'" &&
    $w->{cell} eq "x#vanilla/lm1b/smoke/1" && $w->{p} == 0'
hist show vanilla/lm1b/1
ok 'show CELL: a row a metric' says '^x#vanilla/lm1b/smoke/1  ppl_word .* 2  '
hist show x#vanilla/lm1b/smoke/1 ce --json
ok 'show CELL METRIC: all that commits gave, as the cells have it' json '
    my $v = $j->{values}; my @d = map { $_->{digits} } @$v;
    @d == 6 && $d[0] eq $d[1] && $d[1] eq $d[2] && $d[2] ne $d[3] &&
    $d[3] eq $d[4] && "@{[map { $_->{change} ? 1 : 0 } @$v]}" eq "0 0 0 1 0 1"
    && !grep { !$_->{known} } @$v'
hist show vanilla/lm1b/1 ce --format csv
ok '... as CSV' test "$(grep -c 'nats/token' "$work/out")" = 6
hist show vanilla/lm1b/1 ce --format md
ok '... as Markdown' says '^| x\\#vanilla/lm1b/smoke/1 | '
hist show vanila/lm1b/smoke/1
ok 'a cell that is none, with the nearest' exits 2 'x#vanilla/lm1b/smoke/1'
hist show vanilla/lm1b/1 cee
ok 'a metric that is none, with the nearest' exits 2 "did you mean 'ce'"
hist show --machine Elbrus
ok '--machine: nothing is of such a one' exits 7 "'Elbrus'"
grep -v '^#' "$h" | cut -f 3 | head -n 1 >"$work/machine"
hist show --machine "$(cut -c 2-9 "$work/machine")" --json
ok '... and of this one all' json '@{$j->{changes}} > 8'
cd / || exit 1
hist show vanilla/lm1b/1 ce --json
ok 'without the repository, commits go by their dates' json '
    $j->{values}[0]{commit} eq "'"$(cd "$repo" && first two)"'"'
hist show vanilla/lm1b/1 ce --json --repository "$repo"
ok 'show --repository: as git has them' json '
    $j->{values}[0]{commit} eq "'"$(cd "$repo" && first one)"'"'
hist plot vanilla/lm1b/1 ce --repository "$repo" -o "$work/ours"
cd "$repo" || exit 1
ok 'plot --repository: likewise' test \
    "$(awk 'NR == 2 { print $5 }' "$work/ours/trend_x_lm1b_ce.tsv")" = \
    "$(git rev-parse --short=7 one)"
hist plot --machine Elbrus -o "$work/ours"
ok 'plot --machine: nothing is of such a one' exits 7 "'Elbrus'"

# ---- merges by git ----

echo 'results/history.tsv merge=union' >.gitattributes
git add -A && git commit -q -m attributes
mkdir -p results
for side in left:five right:eight; do
    git checkout -q -b ${side%:*} main
    for c in four ${side#*:}; do
        "$program" history add --store results/$c/x --commit $c 2>/dev/null
    done
    git add -A && git commit -q -m ${side%:*}
done
ok 'two branches with a history each merge' git merge -q -m both left
sb history show vanilla/lm1b/1 weights --json
ok '... into both' json '
    my $v = $j->{values}; @$v == 3 && @{$j->{changes}} == 2 &&
    $v->[0]{commit} eq "'"$(first four)"'"'
git checkout -q main

# ---- bisect ----

echo mine >>x.yaml
echo new >untracked
before=$(git status --porcelain; git rev-parse HEAD; git worktree list)
untouched() {
    [ "$before" = "$(git status --porcelain; git rev-parse HEAD
        git worktree list)" ] && [ -z "$(ls "$work/tmp")" ] &&
        [ -z "$(git for-each-ref refs/bisect)" ]
}
bisect() { # CELL GOOD BAD
    SYNTHBENCH=$program "$root/ci/bisect.sh" "$work/own.yaml" "$@" \
        >"$work/out" 2>"$work/err"
    code=$?
}
git show HEAD:x.yaml >"$work/own.yaml"
bisect vanilla/lm1b/1 one six
ok 'ci/bisect.sh names the commit' says "^$(first five)"
ok '... which is no failure' exits 0
ok 'the checkout, its changes and its worktrees stay' untouched
bisect vanilla/lm1b/1 six eight
ok 'a commit that does not build hides which one it is' exits 2
ok '... so it is named with what it hides' eval \
    'says "^$(first seven)" && says "^$(first eight)"'
ok '... and nothing else' test "$(grep -c '^[0-9a-f]\{40\}$' "$work/out")" = 2
ok '... nothing is left' untouched
bisect vanilla/lm1b/1 five six
ok 'two ends that are the same decide nothing' exits 4 'at both'
bisect vanilla/lm1b/1 eight one
ok 'a good commit comes before the bad one' exits 1 'not ancestors of the bad'
bisect vanilla/lm1b/1 three six
ok 'an end that does not build is told, with its log' exits 7 'does not build'
SYNTHBENCH=$work/nothing "$root/ci/bisect.sh" "$work/own.yaml" vanilla/lm1b/1 \
    one six >"$work/out" 2>"$work/err"
code=$?
ok 'results that cannot be compared are not called different' exits 255
bisect mixer/lm1b/1 one six
ok '... or one that does not train the cell' exits 7 'does not train mixer/lm1b/1'
ci=$root/ci/bisect.sh
"$ci" one two >"$work/out" 2>"$work/err"
code=$?
ok 'without its four arguments it says what it is for' exits 2 \
    'EXPERIMENT.yaml VARIANT/TASK/SEED GOOD BAD'
git checkout -q -- x.yaml
rm -f untracked
git checkout -q main

# ---- times: statistics and figures ----

cat >"$work/times.pl" <<'P'
# A history of 40 commits and two cells. Both have noisy times; the time of
# `dense` increases by 8 % at the 26th commit. Both have a loss that changes at
# the 13th commit; that of `dense` is not a number at the 6th.
use Digest::SHA qw(sha1_hex sha256_hex);
my $seed = 7;
sub noise { my $x = 0; for (1 .. 12) { $seed = ($seed * 16807) % 2147483647;
    $x += $seed / 2147483647 } $x - 6 }
print "# synthbench history 1\n";
for my $i (0 .. 39) {
    for my $v (qw(vanilla dense)) {
        my $t = 0.01 * (1 + 0.02 * noise());
        $t *= 1.08 if $i >= 25 && $v eq "dense";
        my $ce = $i >= 12 ? 3.1 : $i == 5 && $v eq "dense" ? "" : 3.2;
        for ($i ? () : ["config", '{"synthetic":true}', "", ""],
             ["id", "0123456789abcdef", "", ""],
             ["step_seconds", $t, "s", ""],
             ["metrics/ce", $ce, "nats/token", "lower"],
             ["results", substr(sha1_hex($ce), 0, 16), "", ""]) {
            my $l = join "\t", sha1_hex($i),
                sprintf("2026-01-%02dT%02d:00:00Z", 1 + $i / 2, $i % 2),
                "a machine", "0", "n#$v/lm1b/smoke/1", @$_;
            print "$l\t", substr(sha256_hex($l), 0, 8), "\n";
        }
    }
}
P
perl "$work/times.pl" >"$h"
sha() { printf %s "$1" | sha1sum | cut -c 1-40; }
hist show --json
ok 'a step of 8 % in noise of 2 % is found at its commit, and no other' json '
    my @t = grep { $_->{what} eq "step_seconds" } @{$j->{changes}};
    @t == 1 && $t[0]{commit} eq "'"$(sha 25)"'" &&
    $t[0]{cell} =~ /dense/ && abs($t[0]{relative} - 0.08) < 0.02 &&
    $t[0]{p} <= 0.001 && $t[0]{p} > 0 && $t[0]{verdict} eq "worse"'
hist show
ok '... and told beside what moved' says \
    "^$(sha 25 | cut -c 1-9) .* 0  *1  *n#dense/lm1b/smoke/1 step_seconds .*worse"
ok "... and a loss that is not a number, too" says " ce 3.2 -> none"
head -n 40 "$h" >"$work/short"
sb history show --history "$work/short"
ok 'too few commits for times: it is said' says 'reported only once the history has at least 18'
hist plot
ok 'plot: where to must be said' exits 2 '-o DIR'
hist plot -o "$work/plots"
ok 'plot draws loss and time of a task' exits 0
ok '... as files' test "$(cd "$work/plots" && echo *.png *.svg)" = \
    'trend_n_lm1b_ce.png trend_n_lm1b_step_seconds.png trend_n_lm1b_ce.svg trend_n_lm1b_step_seconds.svg'
ok '... whose titles say that the data are synthetic' \
    grep -q 'SYNTHETIC DATA' "$work/plots/trend_n_lm1b_ce.txt"
marked() { # FILE: place and name of what is marked
    awk -F '\t' '$4 == 1 { print $2, $5, $6 }' "$work/plots/$1.tsv"
}
ok '... with the change marked, and its commit' test \
    "$(marked trend_n_lm1b_step_seconds)" = "25 $(sha 25 | cut -c 1-7) dense/1"
ok '... of exact values too' test "$(marked trend_n_lm1b_ce)" = \
    "6 $(sha 6 | cut -c 1-7) dense/1
12 $(sha 12 | cut -c 1-7) dense/1
12 $(sha 12 | cut -c 1-7) vanilla/1"
ok '... which stands in the picture' grep -q ">$(sha 25 | cut -c 1-7)<" \
    "$work/plots/trend_n_lm1b_step_seconds.svg"
hist plot vanilla/lm1b/1 ce -o "$work/one"
ok 'plot CELL METRIC: that one' test "$(ls "$work"/one/*.png | wc -l)" = 1

# ---- damage ----

sed '5s/3\.2/3.3/' "$h" >"$work/bad" && h=$work/bad
hist show
ok 'an edited line is told, with its number' exits 5 'bad:5: damaged'
hist add --store results/one/x --commit one
ok '... and nothing is added to it' exits 5 'bad:5'

done_testing
