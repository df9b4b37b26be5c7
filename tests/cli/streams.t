#!/bin/sh
# Every command with a closed pipe, a full disk, another locale and a narrow
# terminal. The commands are those that `help` lists; a command that the table
# below lacks is a failure. tests/cmd/test_options.c tests common options.
. tests/support/tap.sh
export XDG_CACHE_HOME="$work/cache" COLUMNS=80

cat >"$work/x.yaml" <<'Y'
title: Three cells
variants: [vanilla, random]
tasks: [lm1b]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 8, heads: 2, ff: 8, N: 8, vocab: 12, batch: 4,
           steps: 4, evals: 2, train: 20, valid: 8, test: 8}
Y
x=$work/x.yaml s=$work/s h=$work/history.tsv b=$work/baselines
"$program" run "$x" --store "$s" --seeds 2 2>"$work/err"
ok 'a store is made' grep -q 'trained 4 cells' "$work/err"
"$program" baseline save one --store "$s" --baselines "$b" 2>"$work/err"
git -C "$work" init -q
git -C "$work" -c user.name=x -c user.email=x@x commit -q --allow-empty -m x
"$program" history add --store "$s" --history "$h" --repository "$work" \
    --commit HEAD 2>>"$work/err"
"$program" table 2 --store "$s" --json >"$work/table2.json"
signed=$(sed -n 's/.*"\(SB|[^" ]*\)".*/\1/p;T;q' "$work/table2.json")
printf 'a b c d\n' >"$work/text"

# Each line is a command and its arguments. `-` marks a command that writes
# files and prints nothing on stdout.
cat >"$work/asked" <<A
list: list keys
list: list claims
list: list tasks
doctor: doctor
plan: plan $x
new variant: -
run: -
train: -
rehearse: -
rerun: -
slurm submit: slurm submit $x --store $work/new --print
status: status --store $s
show: show $s#vanilla/lm1b/1
show: show $s#vanilla/lm1b/1 --curves
compare: compare $s#vanilla/lm1b $s#random/lm1b
compare: compare --digests $s $s
compare: compare $s $s
claims: claims A1 --store $s
claims: claims A2
power: power $x --store $s
baseline save: -
gate: gate --baseline one --baselines $b --store $s
history add: -
history show: history show --history $h --repository $work
history plot: history plot --history $h --repository $work -o $work/trends
table: table 1
table: table 2 --store $s
table: table 2 --from $work/table2.json --detail
table: table --published
export: export --store $s
plot: -
report: -
data fetch: -
data show: -
data check: -
data where: data where
bench: -
score: score bleu --hyp $work/text --ref $work/text
verify exact: -
verify metrics: verify metrics --vectors tests/data/metrics/bleu_multibleu
verify science: -
verify signature: verify signature $signed --store $s
verify statistics: -
verify store: verify store --store $s
verify variants: -
repair: repair --store $s --dry-run
merge: -
trace: -
lend: -
adopt: -
help: help run
help: help
help: help --man
A

listed() { sed -n "/^$1:/,/^\$/s/^  \\([a-z]*\\) .*/\\1/p"; } # HEAD
"$program" --help | listed Commands >"$work/names"
while read -r verb; do
    prints "$work/help.$verb" "$work/err" "$verb" --help
    subjects=$(listed Subcommands <"$work/help.$verb")
    for subject in $subjects; do
        echo "$verb $subject"
        prints "$work/help.$verb.$subject" "$work/err" help "$verb" "$subject"
    done
    [ -n "$subjects" ] || echo "$verb"
done <"$work/names" >"$work/verbs"
ok 'the table below has every verb and subject' sh -c 'cut -d : -f 1 "$1" |
    sort -u >"$3"; sort "$2" | diff - "$3"' - "$work/asked" "$work/verbs" \
    "$work/has"
"$program" --help >"$work/help."
"$program" help >"$work/help.."
ok 'no line of help is over 80 columns, or ends in a blank' sh -c \
    '! LC_ALL=C grep -n ".\{81\}\| $\|[^ -~]" "$@"' - "$work"/help.*

# with OUT COMMAND...: runs COMMAND with a stdout that is a pipe without a
# reader, a full disk, or closed. SIGPIPE is ignored, as a parent process may
# do.
cat >"$work/with" <<'P'
my $out = shift;
$SIG{PIPE} = 'IGNORE';
if ($out eq 'unread') { pipe R, W; close R; open STDOUT, '>&', \*W }
elsif ($out eq 'full') { open STDOUT, '>', '/dev/full' or die }
else { close STDOUT }
exec @ARGV;
P
told() { # CODE PATTERN OUT COMMAND...: its exit code, and all of its stderr
    want=$1 pattern=$2
    shift 2
    perl "$work/with" "$@" 2>"$work/err" </dev/null
    code=$?
    [ $code = "$want" ] || { echo "$*: exit code $code, not $want"; return 1; }
    grep -v "$pattern" "$work/err" | sed "s~^~$*: ~" | grep . && return 1
    return 0
}
fits() { # ARGUMENT...: ASCII, and 80 columns but of what is to be copied
    export LC_ALL=C
    sb "$@"
    export LC_ALL=C.UTF-8
    case $code in
    0 | [13478]) ;;
    *) echo "$*: exit code $code" && cat "$work/err"; return ;;
    esac
    grep -q . "$work/out" || echo "$*: it says nothing"
    tr -d '\r' <"$work/out" | LC_ALL=C grep -n '[^ -~]'  | sed "s~^~$*: ~"
    case $* in
    *export* | *--man | *--print | *-o*) return ;; # for programs
    esac
    grep '.\{81\}' "$work/out" | grep -v ' SB|\|^printed = \|^  synthbench \| [^ ]\{24,\}$' |
        sed "s~^~$*: ~"
}
while IFS=: read -r verb words; do
    [ "$words" != ' -' ] || continue
    # shellcheck disable=SC2086 # words
    set -- $words
    fits "$@" >>"$work/unfit"
    case $verb in
    doctor | power) continue ;; # a second each
    esac
    [ ! -c /dev/full ] || told 9 'stdout: No space' full "$program" "$@" \
        >>"$work/full"
    told 141 'worse than' unread "$program" "$@" >>"$work/unread"
done <"$work/asked"
ok 'text is ASCII in the C locale, and 80 columns where that is said' \
    test ! -s "$work/unfit"
ok 'a full disk is an error, of every verb that tells something' \
    test ! -s "$work/full"
ok 'a pipe that nobody reads is none, and quiet' test ! -s "$work/unread"
sed 's/^/# /' "$work/unfit" "$work/full" "$work/unread"
ok 'a closed stdout is an error' told 9 'stdout: Bad file' closed "$program" help
ok '... where something is told' told 0 ' trained 1 \|worse than' closed "$program" run \
    "$x" --store "$work/closed" -E variant==random
"$program" status --store "$work/closed" >"$work/out" 2>&1 <&-
ok 'a closed stdin, stdout and stderr are no file of ours' says '1 done'
"$program" run "$x" --store "$work/silent" -E variant==random <&- >&- 2>&-
ok '... when a cell is trained' test $? = 0
ok '... whose file is sound' sh -c '"$1" verify store --store "$2"' - \
    "$program" "$work/silent"

# ---- numbers do not depend on the locale ----
comma=$(locale -a 2>/dev/null | grep -m 1 -i '^\(de\|fr\)_.*utf')
"$program" table 2 --store "$s" >"$work/point"
LC_ALL=${comma:-de_DE.UTF-8} "$program" table 2 --store "$s" >"$work/comma"
ok "numbers have points in ${comma:-de_DE.UTF-8}" sh -c \
    'tr "^v" "\n\n" <"$1" | grep -q "[0-9]\.[0-9]" && grep -q "[0-9]\.[0-9]" "$2"' \
    - "$work/comma" "$work/point"
done_testing
