#!/bin/sh
# Names of every kind: empty, too long, not UTF-8, special files, devices. The
# exit code of a wrong name is 2, never that of an internal error.
. tests/support/tap.sh
export XDG_CACHE_HOME="$work/cache"
cat >"$work/x.yaml" <<'Y'
title: Two cells
variants: [vanilla, random+dense]
tasks: [gen_copy]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 8, heads: 2, ff: 8, N: 8, vocab: 8, batch: 4,
           steps: 4, evals: 2, train: 20, valid: 4, test: 4}
Y

# ---- empty and too long names ----
long=$(printf '%04000d' 0)
refused() { # WORDS ARGUMENT...: exit code 2 for each of the two names
    words=$1
    shift
    for name in '' "$long"; do
        sb "$@" "$name"
        exits 2 "$words" || return
    done
}
cd "$work" || exit 1
case $program in /*) ;; *) program=$OLDPWD/$program ;; esac
ok 'an empty or endless --store is refused' refused --store status --store
ok '... and -o' refused -o table 1 -o
ok '... and --cache' refused --cache data where --cache
ok '... and --data-dir' refused --data-dir data where --data-dir
ok '... and a file' refused --hyp score bleu --hyp
ok '... and an argument' refused 'an argument' plan
XDG_CACHE_HOME=/$long sb data where
ok '... and a cache by the environment' exits 2 XDG_CACHE_HOME
ok '... and nothing was written' [ "$(ls)" = "$(printf 'err\nout\nwhy\nx.yaml')" ]

listed() { # PATTERN: the words of a list of $work/out
    sed -n "/^$1:/,/^\$/s/^  \([a-z]*\)  *[A-Z].*/\1/p" out
}
takers() { # VERB [SUBJECT]: "OPTION VERB SUBJECT" of what takes something
    sb help "$@"
    sed -n "s/^  *\(-[A-Za-z], \)*\(--[a-z-]*\)=.*/\2 $*/p" out
    sed -n "s/^  *\(-[A-Za-z]\), --[a-z-]*=.*/\1 $*/p" out
}
sb --help
for verb in $(listed Commands); do
    takers "$verb" >of
    subjects=$(listed Subcommands)
    [ -n "$subjects" ] || cat of
    for subject in $subjects; do takers "$verb" "$subject"; done
done >takers
rm of
ok 'options of all verbs take something' [ "$(wc -l <takers)" -gt 150 ]
while read -r option verb; do
    # shellcheck disable=SC2086 # a verb and its subject
    for way in apart joined; do
        case $way$option in
        apart*) sb $verb "$option" '' ;;
        *--*) sb $verb "$option=" ;;
        *) continue ;;
        esac
        exits 2 "synthbench: $verb: $option: its " && grep -q \
            ' is empty (see `synthbench help .*`)$' err ||
            echo "$verb $option"
    done
done <takers >taken
ok '... and each refuses nothing, by its name' [ ! -s taken ]
rm takers taken

# ---- bytes that are not UTF-8 ----
x=$(printf 'a\377b')
for verb in list plan run status show table plot compare power claims verify data \
    score trace lend adopt bench "$x"; do
    for more in "" "--store $x" "-S $x=$x" "--format $x"; do
        # shellcheck disable=SC2086 # two words
        sb "$verb" "$x" $more
        case $code in
        2 | 5 | 7) ;;
        *) echo "$verb $more: code $code" && cat err ;;
        esac
    done
done >aborted 2>&1
ok 'no verb falls over bytes that are no UTF-8' [ ! -s aborted ]

cp x.yaml "$x.yaml"
sb run "$x.yaml" --store "$x"
ok 'they may name an experiment and a store' exits 0 'trained 2 cells'
sb status --store "$x" --json
ok '... whose status is JSON' json '@{$j->{cells}} == 2'
v="$x#vanilla/gen_copy/1"
sb show "$v" --json
ok '... with the name of each file' \
    json '$j->{cells}[0]{file} =~ /a\x{fffd}b\/cells/'
sb compare "$v" "$x#random+dense/gen_copy/1" --json
ok '... and the names of what is compared' json '$j->{a} =~ /a\x{fffd}b/'
sb score bleu --hyp "$x.yaml" --ref "$x.yaml" --json
ok '... and of what is scored' exits 0
mkdir "d$x"
sb data where --data-dir "d$x" --json
ok '... and of data' json '@{$j->{rows}} > 10'

cp x.yaml ' a  b.yaml'
sb run ' a  b.yaml'
ok 'a store by the name of its file' exits 0 'results/_a__b'
sb status ' a  b.yaml'
ok '... is read again' exits 0
sed 's/Two cells/"Two\\ncells"/' x.yaml >line.yaml
sb run line.yaml
ok 'a title of two lines is refused' exits 2 'line.yaml:1: a value must be one line'

# ---- suggested commands ----
cat >y.yaml <<'Y'
title: One of two fails
variants: [vanilla, random]
tasks: [gen_copy]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 8, heads: 2, ff: 8, N: 8, vocab: 8, batch: 4,
           steps: 30, evals: 2, train: 20, valid: 4, test: 4}
override:
  - match: {variant: random}
    set: {schedule.name: constant, schedule.scale: 1e30}
Y
odd="my store é's"
named() { # WORDS ARGUMENT...: its suggestion, read by a shell, names the store
    words=$1
    shift
    sb "$@"
    grep -qF "$words" err || { echo "stderr lacks: $words" && return 1; }
    (
        synthbench() { [ "$(eval echo '"$'"$#"'"')" = "$odd" ]; }
        eval "$(sed -n 's/.*`\(synthbench .*\)`.*/\1/p' err | head -n 1)"
    )
}
ok 'a command names a store as a shell reads it: nothing has been run' named \
    'no experiment has been run' status --store "$odd"
sb run y.yaml --store first -j 1
cp -r first second
ok '... failed cells of several' named 'have failed' merge first second -o "$odd"
ok '... a failed cell' named 'failed; ' run y.yaml --store "$odd" -j 1
ok '... what is not done' named 'are not finished' baseline save b --store "$odd"
sb table y --store "$odd" --format json
sign=$(sed 's/.*"signature": "\(SB[^"]*\)".*/\1/;t;d' out | head -n 1)
ok '... no such cell' named 'lists its cells' verify signature \
    "$(echo "$sign" | sed 's/:gen_copy/:gen_eq/;s/|o:./|o:/')" --store "$odd"
mv "$odd/experiment.json" kept.json
ok '... no experiment' named 'writes it again' status --store "$odd"
mv kept.json "$odd/experiment.json"
printf x >>"$(ls "$odd"/cells/*.h5 | head -n 1)"
ok '... damage' named 'quarantines' verify store --store "$odd"

# ---- existing paths that are not files ----
ln -s loop loop
mkdir folder
for name in none folder loop x.yaml/none; do
    ok "plan $name: a wrong name" sh -c '"$@" 2>/dev/null; [ $? = 2 ]' - \
        "$program" plan "$name"
    ok "trace --check $name" sh -c '"$@" 2>/dev/null; [ $? = 2 ]' - \
        "$program" trace --check "$name"
done
for name in none/file folder loop/file x.yaml/file; do
    sb table 1 -o "$name"
    ok "-o $name: cannot be there" exits 2 "$name"
done
mkdir unread && ln -s experiment.json unread/experiment.json
for verb in status 'table 2' plot; do
    # shellcheck disable=SC2086 # two words
    sb $verb --store unread
    ok "$verb of a store that cannot be read" exits 5 experiment.json
done
for name in x.yaml loop x.yaml/none; do
    for verb in 'plan x.yaml' 'run x.yaml' status 'table 2' plot 'report -o r' \
        'power x.yaml' 'verify store' repair 'baseline save b'; do
        # shellcheck disable=SC2086 # words
        sb $verb --store "$name"
        exits 2 "$name" || echo "$verb --store $name: $code $(cat err)"
    done
    sb show "$name#vanilla/gen_copy/1"
    exits 2 "$name" || echo "show $name#..."
done >stands
ok 'a store that is a file, or a loop of links' [ ! -s stands ]
rm stands
if [ -c /dev/full ]; then
    ln -s /dev/full full
    sb table 1 -o full
    ok '-o of a full disk' exits 9 'No space left'
    "$program" list variants >/dev/full 2>err
    ok 'stdout on a full disk' [ $? = 9 ]
fi
mkfifo pipe
cat pipe >piped &
sb table 1 -o pipe
wait $!
ok '-o of a pipe goes through it' [ -p pipe -a -s piped ]
done_testing
