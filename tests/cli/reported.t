#!/bin/sh
# Faults that users of this program or public bug reports of similar tools
# described, and inputs of the same kind. Each test checks the correct
# behaviour.
. tests/support/tap.sh

# ---- output files and escaping ----

cat >"$work/tiny.yaml" <<'Y'
title: Tiny
variants: [vanilla, random]
tasks: [agnews]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 32, N: 16, vocab: 32, batch: 8,
           steps: 5, schedule.warmup: 2, evals: 1, train: 100, valid: 16, test: 16}
Y
mkdir -p "$work/sub dir" "$work/dv"
cp "$work/tiny.yaml" "$work/sub dir/my exp.yaml"
here=$PWD
case $program in /*) full=$program ;; *) full=$here/$program ;; esac
in_work() { # ARGUMENT...: sb in the folder of this test
    (cd "$work" && SYNTHBENCH_DATA=$here "$full" "$@" \
        >"$work/out" 2>"$work/err" </dev/null)
    code=$?
}
in_work run 'sub dir/my exp.yaml' --synthetic --store s -j 2
ok 'an experiment file whose name has blanks and a folder runs' exits 0
for format in text md html tex; do
    in_work table 'sub dir/my exp.yaml' --store s --all --format $format
    ok "$format names the experiment file as it was named, quoted" \
        grep -qE "run ('|&apos;|&#39;)sub dir/my exp.yaml('|&apos;|&#39;) " \
        "$work/out"
done
in_work table 'sub dir/my exp.yaml' --all --store s
command=$(sed -n 's/^ *\(synthbench run .*\) -E FILTER.*/\1/p' "$work/out")
synthbench() { in_work "$@"; }
eval "$command -E 'variant==vanilla' --store again"
ok 'the printed command runs as it is' exits 0
exp="$work/sub dir/my exp.yaml"

sb baseline save t --store "$work/s" --baselines "$work/bl"
gate() { # FILE: writes its JUnit file there
    sb gate --baseline t --baselines "$work/bl" --store "$work/s" --junit "$1"
}
mkfifo "$work/dv/pipe"
cat "$work/dv/pipe" >"$work/read" &
gate "$work/dv/pipe"
wait $!
ok '--junit writes into a FIFO' grep -q '</testsuite>' "$work/read"
ok '... once' test "$(grep -c '<testsuite ' "$work/read")" = 1
ok '... which stays one' test -p "$work/dv/pipe"
gate /dev/stdout
ok '--junit /dev/stdout writes to stdout' says '</testsuite>'
gate /dev/full
ok '--junit notices a full device' exits 9 'No space left'
ok '... and leaves it a device' test -c /dev/full
gate /dev/null
ok '--junit writes into /dev/null' exits 0
ok '... and leaves it a device' test -c /dev/null
echo old >"$work/dv/real"
ln -s real "$work/dv/link"
gate "$work/dv/link"
ok '--junit replaces what a link leads to' grep -q '</testsuite>' \
    "$work/dv/real"
ok '... and the link stays' test -L "$work/dv/link"
for option in '--baseline typo' '--baseline t --margin x' \
    '--baseline t --scale none'; do
    echo precious >"$work/notes.txt"
    # shellcheck disable=SC2086 # words
    sb gate $option --baselines "$work/bl" --store "$work/s" \
        --junit "$work/notes.txt"
    ok "gate $option touches no file" test "$(cat "$work/notes.txt")" = precious
done
for bad in "$work" "$work/none/x" "$work/notes.txt/x" "$work/dv/" ''; do
    gate "$bad"
    ok "--junit '${bad#"$work"}' is refused" exits 2
    sb table "$exp" --store "$work/s" -o "$bad"
    ok "... and so is table -o" exits 2
done
echo '<testsuite failures="0"/>' >"$work/stale.xml"
mkdir "$work/slow"
echo damaged >"$work/slow/experiment.json"
sb gate --baseline t --baselines "$work/bl" "$work/tiny.yaml" --synthetic \
    --store "$work/slow" --junit "$work/stale.xml"
ok 'a gate without a verdict leaves a file that says so' \
    grep -q 'errors="1"' "$work/stale.xml"
for to in /dev/stdout -; do
    sb table "$exp" --store "$work/s" --json -o $to
    ok "-o $to is stdout" json '@{$j->{rows}} == 2'
done
(cd "$work" && echo before >both && exec "$full" table "$exp" --store s \
    -o /dev/stdout >>both 2>/dev/null </dev/null)
ok '-o /dev/stdout appends where the shell does' \
    grep -q '^before' "$work/both"
sb table "$exp" --store "$work/s" -o /dev/full
ok '-o notices a full device' exits 9 'No space left'

mkdir -p "$work/news/ag_news_csv"
printf '"1","A\033[31mRED\033]0;t\007\302\233","b\342\200\256"\n' \
    >"$work/news/ag_news_csv/train.csv"
cp "$work/news/ag_news_csv/train.csv" "$work/news/ag_news_csv/test.csv"
steers() { # whether the last output steers a terminal or reorders a line
    perl -Ci -0777 -ne 's/\r\n/\n/g;
        exit !/[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Bidi_Control}]/' "$work/out"
}
hides() { ! steers; }
sb data show agnews --data-dir "$work/news" --split train
ok 'data show hands no control character to a terminal' hides
ok '... and shows the text' says 'A?\[31mRED'
sb data show agnews --data-dir "$work/news" --split train --json
ok '... JSON escapes them' hides
ok '... and loses none' json '
    grep { !ref && /A\x1b\[31mRED\x1b\]0;t\x07\x{9b}/ } values %$j'

sb table "$exp" --store "$work/s" --json
perl -pe 's/("(?:heading|unit)": ")/$1<img src=x>[a](http:\/\/b)\@me #1\\u001b[31m\\u009b\\u202e/' \
    "$work/out" >"$work/forged.json"
for format in text md tex csv json html; do
    sb table "$exp" --from "$work/forged.json" --format $format
    ok "$format of a forged table is written" exits 0
    ok '... and steers no terminal' hides
done
sb table "$exp" --from "$work/forged.json" --format md
ok '... nor does Markdown have its link, picture, mention or issue' lacks \
    '[^\\]<img\|[^\\]\[a\|@me\|#1'

cat >"$work/nb.pl" <<'P'
use Fcntl;
pipe(my $r, my $w);
fcntl($w, F_SETFL, fcntl($w, F_GETFL, 0) | O_NONBLOCK);
my $at = fork // die;
if (!$at) { close $r; open STDOUT, '>&', $w; close $w; exec @ARGV }
close $w;
select undef, undef, undef, 0.3;
my ($n, $b) = (0);
$n += length $b while sysread $r, $b, 4096;
waitpid $at, 0;
print "$n ", $? >> 8, "\n";
P
awk 'BEGIN { for (i = 0; i < 4000; i++)
    print "\"1\",\"A title of some length\",\"and a text of some words\"" }' \
    >"$work/news/ag_news_csv/train.csv"
"$program" data show agnews --data-dir "$work/news" --split train \
    >"$work/whole" 2>"$work/err"
perl "$work/nb.pl" "$program" data show agnews --data-dir "$work/news" \
    --split train >"$work/out" 2>"$work/err"
ok 'a stdout that does not block gets all' test "$(cat "$work/out")" = \
    "$(wc -c <"$work/whole") 0"

printf 'a\nb\n' | gzip >"$work/h.txt.gz"
printf 'a\nb\n' >"$work/r.txt"
sb score bleu --hyp "$work/h.txt.gz" --ref "$work/r.txt"
ok 'score says that a file is compressed' exits 8 'compressed with gzip'

# ---- stores and special files ----
cat >"$work/special.yaml" <<'Y'
title: Special files
variants: [uniform]
tasks: [wmt14_ende, c4]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 16, vocab: 40, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16, preset: t5}
override:
  - match: {task: wmt14_ende}
    set: {pretrained: c4}
Y
sound=$work/sound
sb run "$work/special.yaml" --store "$sound" -j 1
ok 'a store with weights is made' exits 0 'trained 2 cells'
sb baseline save special --store "$sound" --baselines "$work/baselines"
id=$(basename "$sound"/weights/*.h5 .h5)
mkdir -p "$sound/speed/cells" "$sound/slurm" "$sound/plots" "$sound/tables"
echo '#synthbench store 1: id, SHA-256, bytes, seconds, date, check' \
    >"$sound/speed/journal.tsv"

ends() { # SECONDS ARGUMENT...: does the program end, and not by a signal?
    limit=$1
    shift
    timeout -k 1 "$limit" "$program" "$@" >"$work/out" 2>"$work/err" \
        </dev/null
    code=$?
    case $code in
    [0-9]) return ;;
    esac
    echo "exit code $code: $*"
    return 1
}

special() { # KIND FILE: puts it in place of the file
    rm -rf "$2"
    case $1 in
    pipe) mkfifo "$2" ;;
    device) ln -s /dev/zero "$2" ;;
    folder) mkdir "$2" ;;
    esac
}

none_hangs() { # KIND FILE COMMAND...: the file of a store being special
    kind=$1 file=$2
    shift 2
    t=$work/t
    for command; do
        rm -rf "$t" "$work/merged"
        cp -r "$sound" "$t" && special "$kind" "$t/$file" || return 1
        case $command in
        show) set -- "$t#$id" ;;
        compare) set -- --digests "$t" "$sound" ;;
        merge) set -- "$t" "$sound" -o "$work/merged" ;;
        gate) set -- --baseline special --store "$t" \
            --baselines "$work/baselines" ;;
        run) set -- "$work/special.yaml" --store "$t" -j 1 ;;
        *) set -- --store "$t" ;;
        esac
        ends 60 $command "$@" || { echo "$kind as $file"; return 1; }
    done
}

for file in experiment.json journal.tsv index.h5 "cells/$id.h5" \
    "weights/$id.h5" failed/0123456789abcdef.json; do
    ok "no command waits for a pipe as $file" none_hangs pipe "$file" status \
        'verify store' 'table 2' export 'repair --dry-run' repair show compare \
        merge gate run
done
for file in lock cells/0123456789abcdef.h5 "checkpoints/$id.0.ckpt" \
    "claims/$id" claims/.lock "logs/$id.log" speed/journal.tsv \
    speed/cells/0123456789abcdef.h5 cells weights failed speed notes; do
    ok "... as $file" none_hangs pipe "$file" status 'verify store' repair \
        merge run
done
for file in "cells/$id.h5" "weights/$id.h5"; do
    ok "no command reads a device without end as $file" none_hangs device \
        "$file" 'verify store' repair merge run
    ok "... or a folder" none_hangs folder "$file" 'verify store' repair merge \
        run
done
cp -r "$sound" "$work/t2"
special pipe "$work/t2/cells/$id.h5"
ends 60 verify store --store "$work/t2"
ok 'a pipe in place of a cell is damage' exits 5
ends 60 report --store "$work/t2" -o "$work/pages" --no-claims
ok '... which a report refuses' exits 5
special pipe "$work/baselines/special.tsv"
ends 60 gate --baseline special --store "$sound" --baselines "$work/baselines"
ok 'the gate does not wait for a baseline' exits 9 'is not a file'
"$program" plan /dev/stdin <"$work/special.yaml" >"$work/out" 2>"$work/err"
code=$?
ok 'what is named on the command line may be a pipe' exits 0
mkfifo "$work/named"
cat "$work/special.yaml" >"$work/named" &
sb plan "$work/named"
ok '... with a name, too' exits 0

# Official data: one file of each kind that is read is replaced by a pipe, in
# turn.
official() { # DATA: no command waits for a pipe among its files
    for file in $(cd tests/data/fixtures && find "$1" -type f | sort |
        awk '{ kind = $0; gsub(/[0-9]+/, "", kind) } seen[kind]++ < 1'); do
        rm -rf "$work/data"
        mkdir -p "$work/data"
        cp -r "tests/data/fixtures/$1" "$work/data/" &&
            special pipe "$work/data/$file" || return 1
        ends 60 data check "$1" --data-dir "$work/data" || return 1
        case $code in
        0 | 8) ;;
        *) echo "exit code $code: $file"; return 1 ;;
        esac
    done
    ends 60 data show "$1" --data-dir "$work/data" --limit 1
}
for data in agnews c4 cnndm glue_mnli imdb lm1b personachat superglue_record \
    wmt14_ende wesnoth; do
    ok "data of $data with a pipe among the files" official $data
done
rm -rf "$work/data"
mkdir -p "$work/data"
cp -r tests/data/fixtures/agnews "$work/data/"
file=$(cd "$work/data" && find agnews -name 'train.csv*')
special pipe "$work/data/$file"
ends 60 data check agnews --data-dir "$work/data"
ok '... which is named, and wrong data' exits 8 "$file: is not a file"

# Names that another person chose.
long=$(printf '%0240d' 0)
cp -r "$sound" "$work/odd"
for name in "failed/$long.json" "cells/$long.h5" 'failed/x y.json' \
    'failed/%s%n.json' "speed/cells/$long.h5"; do
    echo x >"$work/odd/$name"
done
for command in status 'verify store' repair; do
    ok "$command: names that no cell has" ends 60 $command \
        --store "$work/odd"
done
sb merge "$work/odd" -o "$work/even"
ok 'merge: names that no cell has' exits 0
ok '... which it leaves' test "$(ls "$work/even/failed" | wc -l)" = 0

# Output folders of merge.
before=$(find "$sound" | sort)
for to in "$sound/failed/x" "$sound/cells/0123456789abcdef.h5" \
    "$sound/none/../x" "$sound/none/deep" ''; do
    sb merge "$sound" -o "$to"
    ok "merge refuses an output in an input: ${to#"$sound"}" exits 2
done
ok '... before any work' test "$before" = "$(find "$sound" | sort)"
ln -s nowhere "$work/link"
sb merge "$sound" -o "$work/link"
ok 'merge refuses a link' exits 2 'is a link'
mkdir "$work/empty"
ln -s empty "$work/full"
sb merge "$sound" -o "$work/full"
ok '... to a folder, too' exits 2 'is a link'
"$program" merge "$sound" -o "$work/one" 2>/dev/null &
job=$!
sb merge "$sound" -o "$work/one"
wait $job
ok 'of two merges onto one name one is refused' test "$((code + $?))" = 2
ok '... and leaves nothing' test "$(ls -d "$work"/one* | wc -l)" = 1
cp -r "$sound" "$work/one.0123abcd.999.tmp"
: >"$work/one.0123abcd.999.tmp/merging"
sb merge "$sound" -o "$work/two"
ok 'the next merge removes what a killed one left' \
    test ! -e "$work/one.0123abcd.999.tmp"

# A run that ended before it wrote experiment.json.
mkdir -p "$work/early/cells" "$work/early/claims" "$work/early/failed"
for journal in no '' '#synthbench store 1'; do
    [ "$journal" = no ] || printf '%s' "$journal" >"$work/early/journal.tsv"
    sb verify store --store "$work/early"
    ok "a store that was never begun is not damaged ($journal)" exits 0
    sb repair --store "$work/early"
    ok '... and not repaired' says 'nothing to repair'
done
cp -r "$sound" "$work/lost"
rm "$work/lost/experiment.json"
sb verify store --store "$work/lost"
ok 'one with cells that lost it is' exits 5
sb repair --store "$work/lost"
ok '... and repair names the command that writes it again' \
    says '^experiment.json is missing; .synthbench run'

# Settings with equal numbers have equal ids.
cell_ids() { # SETTING...: of the cells that train with it
    "$program" plan "$work/special.yaml" --json -S "$1" |
        perl -MJSON::PP -e 'local $/;
            print map { "$_->{id} " } @{decode_json(<STDIN>)->{cells}}'
}
zeros_agree() { # KEY
    plain=$(cell_ids "$1=0")
    [ -n "$plain" ] && [ "$(cell_ids "$1=-0")" = "$plain" ] &&
        [ "$(cell_ids "$1=-0.0")" = "$plain" ] &&
        [ "$(cell_ids "$1=-1e-999")" = "$plain" ]
}
for key in dropout label_smoothing optimizer.b1 optimizer.b2; do
    ok "-0 and 0 are one number ($key)" zeros_agree $key
done

# ---- gate and claims ----

# Git refuses a checkout that another user owns.
env GIT_TEST_ASSUME_DIFFERENT_OWNER=1 GIT_CONFIG_GLOBAL=/dev/null \
    GIT_CONFIG_NOSYSTEM=1 make -s B="$work/made" "$work/made/build_info.h" \
    >"$work/out" 2>&1
ok 'if git refuses the checkout, the build says so' \
    says '^build: results will not say which commit made them; git says:'
ok '... and records neither a commit nor a clean tree' eval \
    'grep -q "BUILD_COMMIT \"unknown\"" "$work/made/build_info.h" &&
    grep -q "BUILD_DIRTY -1" "$work/made/build_info.h"'

cp results/baselines/gate.tsv "$work/is.tsv"
sed 's/$/\r/' "$work/is.tsv" >"$work/crlf.tsv"
sed '1s/^/\xEF\xBB\xBF/' "$work/is.tsv" >"$work/bom.tsv"
sed '3s/$/\r/' "$work/is.tsv" >"$work/one.tsv"
for name in crlf one; do
    sb gate --baseline $name --baselines "$work" --store "$work/none"
    ok "CR LF in a baseline is named, and what helps ($name)" exits 5 \
        "$name.tsv: has CR LF line ends, perhaps because of git's autocrlf: put"
done
sb gate --baseline bom --baselines "$work" --store "$work/none"
ok '... and a byte order mark' exits 5 'begins with a byte order mark'
sb gate --baseline is --baselines "$work" --store "$work/none"
ok 'a baseline whose line ends are as saved is read' exits 7 'none/experiment.json: no such file'
printf '# synthbench history 1\r\n' >"$work/h.tsv"
sb history show --history "$work/h.tsv"
ok 'CR LF in a history is named' exits 5 "h.tsv: has CR LF line ends"

# Rounding alone changes: the instruction set differs, the accuracy does not.
other_rounding() { DNNL_MAX_CPU_ISA=AVX2 sb "$@"; }
for seeds in '1' '1, 2' '1, 2, 3'; do
    name=zs${seeds##* }
    sed "s/^seeds:.*/seeds: [$seeds]/; s/vanilla, random/vanilla/" \
        "$work/tiny.yaml" >"$work/$name.yaml"
    sb run "$work/$name.yaml" --synthetic --store "$work/$name" -j 1
    sb baseline save $name --store "$work/$name" --baselines "$work/bl"
    other_rounding gate --baseline $name --baselines "$work/bl" --json \
        "$work/$name.yaml" --synthetic --store "$work/other-$name" -j 1
    ok "a gate of rounding alone is green (seeds $seeds)" exits 0
done

interval_agrees() { # every "better" and "worse", and no other, excludes 0
    json '!grep { defined $_->{p} && defined $_->{low} &&
        (($_->{p} < 0.05) != ($_->{low} > 0 || $_->{high} < 0) ||
            ($_->{verdict} =~ /better|worse/ && $_->{p} >= 0.05)) }
        @{$j->{rows}}'
}
sb run "$work/zs3.yaml" --synthetic --store "$work/worse" -j 1 \
    -S schedule.scale=0.01
sb gate --baseline zs3 --baselines "$work/bl" --store "$work/worse" --json
ok 'p and interval of the gate say the same' interval_agrees

sb claims A6 --json
ok 'A6 fails, and its interval is outside of what is claimed' json '
    my $m = $j->{claims}[0]{measured}[0];
    $j->{claims}[0]{verdict} eq "fails" && $m->{expected} eq "> 3" &&
    $m->{high} < 3'

sed "s/agnews/lm1b/" "$work/tiny.yaml" >"$work/lm.yaml"
sb run "$work/lm.yaml" --synthetic --store "$work/lm" -j 2
sb report --store "$work/lm" -o "$work/pages" --no-figures --no-claims
ok 'a report of synthetic data is written' exits 0
ok '... every page of it says SYNTHETIC' test -z "$(
    find "$work/pages" -name '*.html' | xargs grep -L 'SYNTHETIC DATA')"
ok '... the list of cells in each line, a variant where its task is named' \
    eval 'test "$(grep -o "(SYNTHETIC)" "$work/pages/cells.html" | wc -l)" = 2 &&
    grep -q "<h2>LM1B <span class=.chip part.>SYNTHETIC<" \
        "$work/pages/variant/vanilla.html"'
ok '... and no page has what was published of it' test -z "$(
    find "$work/pages" -name 'vanilla.html' | xargs grep -l 'full scale')"
sb table 2 --store "$work/lm" --json
cp "$work/out" "$work/lm.json"
ok 'no published value stands beside a number of synthetic data' json '
    !grep { defined $_->{published} || defined $_->{rank_published} }
        map { @{$_->{cells}} } @{$j->{rows}}'
sb table --from "$work/lm.json" --json
ok '--from needs no TABLE' cmp "$work/out" "$work/lm.json"
sb claims --from "$work/lm.json"
ok 'claims --from: a table is not claims' exits 2 'holds a table, not claims'
"$program" claims B1 --json >"$work/b1.json"
sb table --from "$work/b1.json"
ok 'table --from: claims are not a table' exits 2 'holds claims, not a table'
sb plot published --store "$work/lm"
ok '... and none is drawn' exits 7 'no task on real data'

# ---- data and metrics ----

d=$work/inputs
mkdir "$d"
show() { sb data show "$1" --data-dir "$2" --split "${3:-train}" --json; }
same() { [ "$(cat "$work/out")" = "$1" ] || { echo "not: $1"; return 1; }; }

# The JSON release of PersonaChat is tokenised.
persona() { # UTTERANCE REPLY
    mkdir -p "$d/pc"
    printf '{"train":[{"personality":["p"],"utterances":[{"candidates":
        ["a","%s"],"history":["%s"]}]}],"valid":[]}' "$2" "$1" \
        >"$d/pc/personachat_self_original.json"
    show personachat "$d/pc"
}
history() { json '!@{$j->{history}} && $j->{target} eq "b"'; }
for silence in __SILENCE__ '__ SILENCE __' ' __  SILENCE __ ' '__ silence __'
do
    persona "$silence" b
    ok "the history lacks '$silence'" history
    persona a "$silence"
    ok "... and as a reply it leaves the turn out" same ''
done
persona '__ SILENCE __ .' b
ok 'a sentence that says SILENCE stays' \
    json '$j->{history}[0] eq "__ SILENCE __ ."'

# The layout of the JSON release has no test set.
cat >"$d/pc.yaml" <<'END'
title: PersonaChat
variants: [vanilla]
tasks: [personachat]
scales: [full]
seeds: [1]
END
sb run "$d/pc.yaml" --data-dir "$d/pc" --store "$d/store"
ok 'run names a layout that it can train on' exits 8 \
    "lacks this split and cannot be used for training: use layout 'parlai'"
sb data where personachat --data-dir "$d/pc"
ok 'data where says so of that layout' \
    says 'json, train: 1 file .*cannot be trained on: this layout has no test'
ok '... and of no other' [ "$(grep -c 'cannot be' "$work/out")" = 2 ]
sb data where glue
ok 'data where lists the data sets of a family' [ "$(
    grep -c '^glue_.*https://gluebenchmark.com' "$work/out")" -ge 8 ]
sb data where --data-dir tests/data/fixtures
ok '... and without a name which are there' says '^agnews  *found  *12.0 MB'
ok '... in one screen' sh -c '[ "$(wc -l <"$1")" -lt 40 ]' - "$work/out"
rm -rf "$d/some" && mkdir "$d/some" &&
    cp -r tests/data/fixtures/agnews "$d/some" &&
    find "$d/some" -name 'test.csv*' -delete
sb data where --data-dir "$d/some"
ok '... and which lack files' says '^agnews  *some files missing'
ok '... or all of them' says '^c4  *missing  *305 GB  ODC-By'
ok '... after the sum' says "^0 of 38 data sets found in $d/some"
sb data where c4
ok 'data where says how much is to be fetched' says \
    'download: about 305 GB; licence: ODC-By'
sb data check glue --data-dir tests/data/fixtures --json
ok 'data check checks them all' json '
    @{$j->{data_sets}} == 10 && !grep { $_->{task} !~ /^glue_/ }
                                     @{$j->{data_sets}}'
cp -r tests/data/fixtures/agnews "$d/part"
find "$d/part" -name 'test.csv*' -delete
sb data check agnews --data-dir "$d/part"
ok '... and names a split without files' says '^test  *missing$'
sb data check superglue --data-dir "$d/pc"
ok '... and says which fail' exits 8 'superglue: 10 of 10 data sets failed'
sb data check gleu
ok 'an unknown data set is called one' exits 2 "unknown data set 'gleu'"
sb data where imdb
ok '... nor where training gives validation rows away' lacks 'cannot be'

# There are two versions of QQP.
qqp() { # ROWS
    mkdir -p "$d/q/QQP"
    awk -v n="$1" 'BEGIN { print "id\tqid1\tqid2\tquestion1\tquestion2" \
        "\tis_duplicate"; while (n--) print "1\t1\t2\ta\tb\t0" }' \
        >"$d/q/QQP/train.tsv"
    sb data check glue_qqp --data-dir "$d/q" --split train
}
qqp 363849
ok 'the rows of the QQP that the paper read are complete' exits 0
ok '... and counted as that edition' \
    says 'complete: 363849 rows of 363849'
qqp 363846
ok 'so are those of its later edition' says 'complete: 363846 rows of 363846'
qqp 363850
ok 'more are an error' exits 8 'more rows'

# Shards of two different splits overlap.
lm1b=1-billion-word-language-modeling-benchmark-r13output
train=$lm1b/training-monolingual.tokenized.shuffled/news.en
held=$lm1b/heldout-monolingual.tokenized.shuffled/news.en.heldout
shards() { # TASK SPLIT FILE...: what `data check` says of these
    rm -rf "$d/shards"
    of=$1 split=$2
    shift 2
    for file; do
        mkdir -p "$d/shards/${file%/*}"
        printf '{"text": "a"}\n' >"$d/plain"
        case $file in
        *.gz) gzip -c "$d/plain" ;;
        *) cat "$d/plain" ;;
        esac >"$d/shards/$file"
    done
    sb data check $of --data-dir "$d/shards" --split $split
}
shards lm1b train $train-00001-of-00100 $train-00099-of-00100
ok 'some of the shards are a subset' exits 0
shards lm1b train $train-00001-of-00100 $train-00002-of-00004
ok 'shards of two splittings are an error' exits 8 'also has one of 100'
shards lm1b train $train-00099-of-00004
ok 'so is a shard beyond their number' exits 8 'from 0 to 3'
shards lm1b train $train-0000x-of-00004
ok 'so is a shard without a number' exits 8 '0000x-of-00004'
shards lm1b valid $held-00000-of-00050 $held-00001-of-00010
ok 'so are shards of two splittings in two splits' exits 8 'has one of 50'
shards lm1b train $train-00001-of-00100 $held-00000-of-00050
ok 'training and held-out text have numbers of their own' exits 0
shards c4 train en/c4-train.00000-of-01024.json.gz \
    en/c4-train.00001-of-00512.json.gz
ok "of C4's shards, too" exits 8 'has one of 1024'
sed 's/personachat/c4/' "$d/pc.yaml" >"$d/c4.yaml"
sb run "$d/c4.yaml" --data-dir "$d/shards" --store "$d/c4"
ok 'run says the same' exits 8 'has one of 1024'

# By RFC 4180, spaces are part of a field.
mkdir "$d/csv" "$d/csv/ag_news_csv"
printf 'id,article,highlights\nx1, a "b",  c \n' >"$d/csv/train.csv"
show cnndm "$d/csv"
ok 'a field of a CSV file keeps its leading blanks' json \
    '$j->{source} eq q(summarize:  a "b") && $j->{target} eq "  c "'
printf '"1", "a", "b"\n' >"$d/csv/ag_news_csv/train.csv"
show agnews "$d/csv"
ok 'those of AG News are dropped' json '$j->{text} eq "a b"'

# Archives may end with zero padding, as on tapes.
padded() { # BYTES-BEHIND [MORE]
    mkdir -p "$d/gz/en"
    { gzip -c "$d/plain"; head -c "$1" /dev/zero; printf "${2-}"; } \
        >"$d/gz/en/c4-train.00000-of-01024.json.gz"
    show c4 "$d/gz"
}
for bytes in 1 512 300000; do
    padded $bytes
    ok "$bytes zero bytes behind gzip data are ignored" same '{"text":"a"}'
done
padded 512 "not a member"
ok 'anything else behind them is an error' exits 8 damaged

# Line ends and byte order marks.
printf '1\n0\n' >"$d/lf"
printf '1\r\n0\r\n' >"$d/crlf"
printf '\357\273\2771\r\n0\r\n' >"$d/mark"
for metric in accuracy acc_f1 mcc cb stsb; do
    sb score $metric --pred "$d/lf" --gold "$d/lf" --json
    cp "$work/out" "$d/want"
    for file in crlf mark; do
        sb score $metric --pred "$d/$file" --gold "$d/$file" --json
        ok "$metric reads labels with $file" cmp "$work/out" "$d/want"
    done
done
printf '1\r0\n' >"$d/cr"
sb score accuracy --pred "$d/cr" --gold "$d/cr"
ok 'a lone CR ends no line' exits 8 "cr:1"
printf 'a b\nc\n' | tee "$d/lf" | sed 's/$/\r/' >"$d/crlf"
{ printf '\357\273\277'; cat "$d/crlf"; } >"$d/mark"
for metric in bleu rouge nlgeval; do
    sb score $metric --hyp "$d/mark" --ref "$d/lf" --json
    cp "$work/out" "$d/got"
    sb score $metric --hyp "$d/lf" --ref "$d/lf" --json
    ok "$metric of a text with a mark and CR LF is that of LF" \
        cmp "$work/out" "$d/got"
done
ends() { # FILE: with a byte order mark and CR LF
    printf '\357\273\277'
    sed 's/$/\r/' "$1"
}
ends experiments/smoke.yaml >"$d/smoke.yaml"
sb plan experiments/smoke.yaml
cp "$work/out" "$d/want"
sb plan "$d/smoke.yaml"
ok 'so is the plan of such an experiment file' cmp "$work/out" "$d/want"
ends experiments/claims.yaml >"$d/claims.yaml"
sb claims --kind published --json
cp "$work/out" "$d/want"
sb claims --kind published --file "$d/claims.yaml" --json
ok '... and the claims of such a file' cmp "$work/out" "$d/want"

# Committed results keep their bytes when they are rendered again.
kept() {
    git ls-files results tests/data | git check-attr --stdin text |
        grep -v ': text: unset$' && return 1
    git check-attr merge results/history.tsv | grep -q ': union$'
}
git rev-parse --git-dir >"$work/git" 2>&1 &&
    ok 'git keeps the line ends of results' kept

# The path of the diagnostic set in GLUE's own download script is found, too.
for file in diagnostic/diagnostic.tsv MNLI/diagnostic.tsv; do
    rm -rf "$d/ax"
    mkdir -p "$d/ax/${file%/*}"
    printf 'index\tsentence1\tsentence2\n0\ta\tb\n' >"$d/ax/$file"
    show glue_ax "$d/ax" test
    ok "the diagnostic set is read from $file" \
        json '$j->{source} eq "mnli hypothesis: b premise: a"'
done

# Sentences between separators.
echo 'b c<q>a' >"$d/hyp"
echo 'a<q>b c' >"$d/ref"
rouge() { # OPTION...
    sb score rouge --hyp "$d/hyp" --ref "$d/ref" -S main=rougeLsum "$@" --json
}
rouge -S 'separator=<q>'
ok 'a separator ends sentences of rougeLsum' json \
    '$j->{score} == 1 && $j->{signature} =~ /\|separator:<q>\|/'
cp "$work/out" "$d/got"
sed -i 's/<q>/\\n/' "$d/hyp" "$d/ref"
rouge
ok '... as line feeds do' json '$j->{score} == 1'

# Documents with a NUL byte.
mkdir -p "$d/nul/en" "$d/nul/${train%/*}" "$d/nul/RTE"
printf '{"text":"a"}\n{"text":"b\\u0000"}\n{"text":"c\0"}\n\0\n{"text":"d"}\n' |
    gzip >"$d/nul/en/c4-train.00000-of-01024.json.gz"
printf 'a\nb\0b\nc\n' >"$d/nul/$train-00001-of-00100"
printf 'index\tsentence1\tsentence2\tlabel\n0\ta\tb\tentailment\n%b' \
    '1\ta\t\0\tentailment\n2\tc\td\tentailment\n' >"$d/nul/RTE/train.tsv"
sb data show c4 --data-dir "$d/nul"
ok 'a NUL byte in a document is an error' exits 8 '\u0000'
nul() { # TASK LEFT-OUT ROWS
    sb data check $1 --data-dir "$d/nul" --split train --skip-nul --json
    ok "data check --skip-nul counts those of $1" json \
        '$j->{splits}[0]{skipped}{"nul-byte"} == '$2' &&
         $j->{splits}[0]{rows} == '$3
}
nul c4 3 2
nul lm1b 1 2
nul glue_rte 1 2
sb data show c4 --data-dir "$d/nul" --skip-nul --json
ok 'data show --skip-nul leaves them out' same '{"text":"a"}
{"text":"d"}'
cp -r tests/data/fixtures/lm1b "$d/lm1b"
printf 'a\0b\n' >>"$d/lm1b/$train-00001-of-00100"
cat >"$d/lm1b.yaml" <<'END'
title: LM1B
variants: [uniform]
tasks: [lm1b]
scales: [full]
seeds: [1]
settings: {layers: 1, d: 8, heads: 1, ff: 8, N: 8, vocab: 300, batch: 4,
           batch.by: examples, steps: 1, evals: 1, schedule.warmup: 1}
END
lm1b() { # STORE OPTION...
    store=$1
    shift
    sb run "$d/lm1b.yaml" --data-dir "$d/lm1b" --store "$d/$store" \
        --cache "$d/cache" "$@"
}
lm1b strict
ok 'a training on such a document fails' exits 8 'a NUL byte in text'
lm1b skipping -S skip_nul=true
ok '... and with skip_nul=true it runs' exits 0
sb show "$d/skipping#uniform/lm1b/1"
ok '... and its cell counts those left out' says '; 1 with a NUL byte left out'
echo 'vary: {skip_nul: [false, true]}' >>"$d/lm1b.yaml"
lm1b both
ok '... also beside a cell that must not skip it' exits 8 'trained 1 cell'
sed -i '$d' "$d/lm1b.yaml"
sb run "$d/lm1b.yaml" --scale quick -S skip_nul=true --store "$d/none"
ok '... but not where no official file is read' exits 2 'scale: quick does not use it'
printf '{"text":"a"}\n{"text":"b\\u0000"\n' |
    gzip >"$d/nul/en/c4-train.00000-of-01024.json.gz"
sb data show c4 --data-dir "$d/nul" --skip-nul
ok '... and other damage is an error' exits 8 ':2: JSON'

# Several tasks of smoke share a generator.
sb plan smoke
ok 'plan says which tasks have equal examples' says \
    '^wmt14_ende, wmt14_enfr, cnndm, personachat: '
ok '... of each generator' says '^agnews, imdb: '
sb plan smoke -E 'task==lm1b || task==cnndm'
ok '... and of no other task' lacks 'these tasks'
sb run smoke -E 'variant==uniform && (task==cnndm || task==personachat)' \
    -S steps=1 --store "$d/twins"
sb status smoke --store "$d/twins"
ok '... and so does status' says '^agnews, imdb: '
sb report --store "$d/twins" --no-figures --no-claims -o "$d/pages"
ok '... and the first page of a report' grep -q \
    '<p>agnews, imdb: .* with equal digests' "$d/pages/index.html"
digests() {
    for task in cnndm personachat; do
        "$program" show "$d/twins#uniform/$task/1" --json |
            grep -o -e '"sha256": *"[^"]*"' -e '"data_digest": *"[^"]*"'
    done | sort -u | wc -l
}
ok "... and their digests are equal" [ "$(digests)" = 2 ]

# ---- messages and first steps ----

small() { # ARGUMENT...: trains one small cell that ends after a step
    sb train --task lm1b --variant uniform --like smoke -S steps=2 \
        -S evals=1 -S train=64 -S test=16 "$@"
}

# The limit on processor time is hard or soft, or SIGKILL has another cause.
for kind in '' -S; do
    code=$(ulimit $kind -t 1
        "$program" train --task lm1b --variant uniform --like smoke \
            -S steps=1000000 --store "$work/limited$kind" -j 1 \
            >"$work/out" 2>"$work/err"
        echo $?)
    ok "ulimit $kind -t is named where it ends a cell" exits 1 \
        'the 1 s of processor time that the system allows a process (`ulimit -t`)'
    ok '... not memory' test "$(grep -c memory "$work/err")" = 0
done
killed() { # LIMIT: a cell under it, whose process somebody kills
    (
        ulimit -t "$1"
        exec "$program" train --task lm1b --variant uniform --like smoke \
            -S steps=1000000 --store "$work/killed.$1" -j 1
    ) >"$work/out" 2>"$work/err" &
    runner=$!
    trains "$work/killed.$1" && kill -9 "$(worker "$work/killed.$1")"
    wait $runner
    code=$?
}
for limit in 1000 unlimited; do
    killed $limit
    ok "a process that was killed, with ulimit -t $limit: no limit is named" \
        exits 1 'signal 9 (Killed, perhaps by the out-of-memory killer)'
done

without_proc() { # COMMAND...: where there is no /proc
    unshare --mount --map-root-user sh -c 'mount -t tmpfs none /proc &&
        exec "$@"' - "$@" >"$work/out" 2>"$work/err"
    code=$?
}
sb doctor --json
ok 'doctor names /proc' json '
    1 == grep { $_->{name} eq "/proc" && $_->{state} eq "ok" } @{$j->{checks}}'
without_proc true
if [ "$code" = 0 ]; then
    without_proc "$program" doctor --json
    ok '... which is needed' exits 1
    ok '... and how to mount it; memory is not known' json '
        my %c = map { $_->{name} => $_ } @{$j->{checks}};
        $c{"/proc"}{state} eq "needed" && $c{"/proc"}{found} =~ /meminfo/ &&
        $c{"/proc"}{remedy} =~ /mount -t proc/ &&
        $c{memory}{state} eq "poor" && $c{memory}{found} =~ /^unknown/'
fi

# Commands on an experiment that has not run: selected by its file, by its name,
# and next to a store.
root=$PWD
at() { # ARGUMENT...: as sb, in the test's folder
    case $program in /*) is=$program ;; *) is=$root/$program ;; esac
    (cd "$work" && "$is" "$@") >"$work/out" 2>"$work/err" </dev/null
    code=$?
}
cp experiments/smoke.yaml "$work/my own.yaml"
for file in 'my own.yaml' "$work/my own.yaml"; do
    at table "$file"
    ok "table of an experiment that has not run: $file" exits 7 \
        "experiment $file has not been run"
    ok '... and how it is run' exits 7 "synthbench run '$file'"
done
at table smoke
ok '... by its name' exits 7 'experiment smoke has not been run'
at table none.yaml
ok 'table of a file that is not there' exits 2 'none.yaml: No such file'
mkdir "$work/results"
small --store "$work/some"
at table 'my own.yaml' --store some
ok 'a store of another experiment is refused' exits 2 \
    'some holds results of experiment train, not of my_own'

# Help lists the options that only `train` has, and says what a number of seeds
# means.
sb train --help
ok 'train --help names no experiment file of its own' \
    lacks "file's\|results/EXPERIMENT"
ok '... but where its results go' says '^  *--store=DIR .*results/train'
ok '... and what it takes' says '^Usage: .*--task=TASK --variant=VARIANT$'
sb train --task lm1b --variant uniform -S seed=4
ok '... -S of an axis names its options' exits 2 \
    'use --task, --variant, --scale or --seeds'
for verb in run train plan rehearse 'slurm submit'; do
    # shellcheck disable=SC2086 # words
    "$program" $verb --help | tr -s ' \n' '  ' >"$work/out"
    ok "$verb --help says which seeds 4 means" says \
        '4: seeds 1 to 4; 4\.\.4: seed 4 alone; 4,7: seeds 4 and 7; '
done
sb plan smoke --seeds 4..4 -E 'task==lm1b && variant==uniform' --json
ok '... and 4..4 is seed 4' json '
    join(" ", map { $_->{seed} } @{$j->{cells}}) eq "4"'
ok 'README says it where it trains' grep -q \
    '^synthbench train .*--seeds 4 trains four$' README.md
ok 'README has how to run the tests' grep -q '`make check` runs the' README.md

# The memory of a cell of quick in README, by release: one of the values is at
# least what `plan` estimates here and, on a machine with bfloat16 kernels, less
# than 5 % above that estimate.
sb plan quick --json
ok 'README has the memory that plan estimates' env \
    said="$(sed -n 's/.*cell of `quick` needs up to \(.*\) (est.*/\1/p' \
        README.md)" wide="$("$program" doctor |
        grep -c '^ok  *bfloat16')" sh -c '. tests/support/tap.sh
        cp "$1" "$work/out"; json "
        my (\$most) = sort { \$b <=> \$a } map { \$_->{bytes} } @{\$j->{cells}};
        grep { \$_ * 1e6 >= \$most &&
            (!\$ENV{wide} || \$_ * 1e6 < 1.05 * \$most)
        } \$ENV{said} =~ /(\d+) MB/g"' - "$work/out"

# A task that is reported, not compared, may be worse than a model-free
# baseline.
cat >"$work/quiet.yaml" <<'Y'
title: Tasks that only run
variants: [uniform]
tasks: [lm1b, wmt14_ende]
uncompared: [lm1b]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 1, evals: 1, train: 64, valid: 16, test: 16,
           schedule.warmup: 1, schedule.scale: 20}
Y
sb run "$work/quiet.yaml" --store "$work/quiet"
ok 'run names a compared cell that is worse than a baseline' exits 0 \
    'uniform/wmt14_ende/1 is worse than'
ok '... and no other' test "$(grep -c 'is worse than' "$work/err")" = 1
sb plan smoke --json
ok 'smoke compares only what learns' json '
    join(" ", sort @{$j->{uncompared}}) eq
    "c4 cnndm glue imdb personachat superglue wmt14_enfr"'

# ---- drawing ----

cp -R "$work/s" "$work/draw"
pictures="$work/pictures"
seen() { # FOLDER: its files, their bytes and when they were written
    (cd "$1" && find . -type f -exec ls -i --full-time {} + | sort -k 9)
}
seen "$work/draw" >"$work/before"
sb plot --store "$work/draw" -o "$pictures"
ok 'plot -o draws into another folder' exits 0
ok '... pictures of each kind, and prints which folder' test -s \
    "$pictures/curves_agnews.png" -a -s "$pictures/curves_agnews.svg" -a \
    -s "$pictures/curves_agnews.pdf" -a "$(cat "$work/out")" = "$pictures"
seen "$work/draw" >"$work/after"
ok '... and leaves the store as it is' cmp "$work/before" "$work/after"
if [ "$(id -u)" != 0 ]; then
    chmod -R a-w "$work/draw"
    sb plot curves --store "$work/draw" -o "$work/unwritten"
    ok 'plot -o draws a store that cannot be written' exits 0
    chmod -R u+w "$work/draw"
fi
echo precious >"$work/a file"
sb plot --store "$work/draw" -o "$work/a file"
ok 'plot -o refuses a file' exits 2 'a file'
ok '... and leaves it' grep -q precious "$work/a file"
sb plot nothing --store "$work/draw" -o "$work/unmade"
ok 'plot -o makes no folder for a figure that does not exist' test $code = 2 \
    -a ! -e "$work/unmade"

sb plot curves --store "$work/draw" -o "$work/alone"
for kind in png svg; do
    ok "one figure alone is drawn as it is among all: $kind" cmp \
        "$pictures/curves_agnews.$kind" "$work/alone/curves_agnews.$kind"
done
(cd "$work/alone" && gnuplot curves_agnews.gp)
ok 'its script draws the same picture' cmp "$pictures/curves_agnews.svg" \
    "$work/alone/curves_agnews.svg"

figures() { # FOLDER: how many pictures of gnuplot the pages of a report have
    cat "$1"/*.html "$1"/*/*.html | grep -o '<img ' | wc -l
}
sb report --no-claims --store "$work/draw" -o "$work/pages"
ok 'a report has pictures' test "$(figures "$work/pages")" -gt 3
PATH=$work/nowhere "$full" report --no-claims --store "$work/draw" \
    -o "$work/shared" >"$work/out" 2>"$work/err"
ok '... and without gnuplot has none, and says why' test \
    "$(figures "$work/shared")" = 0 -a -n \
    "$(grep -l 'gnuplot cannot be run' "$work"/shared/*.html)"

done_testing
