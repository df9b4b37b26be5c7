#!/bin/sh
# Every option of every command has an effect: each call `of COMMANDS OPTION`
# precedes tests that pass only with that option and value. An option in --help
# without a test is a failure.
. tests/support/tap.sh

of() { # VERBS OPTION: a verb, or verb/subject
    for verb in $1; do echo "$verb $2"; done >>"$work/rows"
}

tested_in() { # VERBS OPTION FILE NAME: a test of that name is in FILE
    of "$1" "$2"
    ok "$1 $2: $4" grep -qF -e "ok '$4'" -e "ok \"$4\"" "tests/cli/$3"
}

cat >"$work/x.yaml" <<'Y'
title: Test
variants: [vanilla, random+dense]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16}
Y
x=$work/x.yaml s=$work/store
first=vanilla/lm1b/1

cells() { # WORDS: keys of each cell of the last output, sorted
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
        print join(" ", sort map { my $c = $_; join("/", map { $c->{$_} } @ARGV)
        } @{$j->{cells}})' "$@" <"$work/out"
}

same() { [ "$1" = "$2" ] || { echo "$1, not $2"; return 1; }; }

field() { # CELL GROUP KEY: of `show --json`
    prints "$work/shown" "$work/err" show "$1" --json
    perl -MJSON::PP -e 'local $/;
        print decode_json(<STDIN>)->{cells}[0]{$ARGV[0]}{$ARGV[1]}' "$2" "$3" \
        <"$work/shown"
}

# review FOLDER THING: writes a review of THING. The reviews of two caches have
# different subjects.
review() { # FOLDER THING
    mkdir -p "$1/sentiment/package/test/fixtures"
    for origin in imdb yelp amazon; do
        perl -e 'printf "[%s]\n", join ",", map { sprintf "{\"text\": \"%s %s " .
                "is %s number %d\", \"class\": %d}", qw(This That)[$_ % 2],
                $ARGV[0], qw(good bad)[$_ % 2], $_, 1 - $_ % 2 } 0 .. 99' \
            "$origin $2" >"$1/sentiment/package/test/fixtures/$origin.json"
    done
}
review "$work/one" film
review "$work/two" dish
sed 's/^tasks:.*/tasks: [imdb]/; s/vocab: [0-9]*/vocab: 300/
     s/^variants:.*/variants: [uniform]/' "$x" >"$work/imdb.yaml"
sed 's/^tasks:.*/tasks: [agnews]/; s/vocab: [0-9]*/vocab: 330/
     s/batch: 8/batch: 2, shards: 2/; s/^variants:.*/variants: [uniform]/
     s/scales:.*/scales: [full]/' "$x" >"$work/full.yaml"
digest() { field "$1" provenance data_digest; } # CELL

# ---- selection of cells ----

sb run "$x" --store "$s" -j 2
ok 'a store is made' exits 0 'trained 4 cells'
"$program" run "$x" --store "$work/half" -j 1 -E task==lm1b 2>/dev/null

tested_in plan --data-dir full.t '... and a plan then knows how long they are'
tested_in plan --cache full.t '... and a plan then knows how long they are'
names='a cell of each family is rehearsed, of its own kind of task and model'
for o in store data-dir cache select set json; do
    tested_in rehearse --$o full.t "$names"
done
tested_in rehearse --format full.t '... for each family'
sb rehearse "$x" --store "$work/rehearsed" --scale quick --synthetic \
    --seeds 7 -E 'task==lm1b && variant==vanilla' --json
of rehearse --scale
of rehearse --synthetic
of rehearse --seeds
ok 'rehearse: a cell of that scale and seed, of generated text' perl -e '
    exit !(`$ARGV[0] show "$ARGV[1]#vanilla/lm1b/7" --json` =~
        /"scale": *"quick".*"synthetic": *true/s)' "$program" "$work/rehearsed"
of 'plan status' --store
for verb in plan status; do
    for at in store:4 half:2 none:0; do
        sb $verb "$x" --store "$work/${at%:*}" --json
        ok "$verb --store: of ${at%:*} ${at#*:} cells are done" json \
            "${at#*:} == grep { \$_->{status} eq 'done' } @{\$j->{cells}}"
    done
done
of 'plan status' --select
of 'plan status' --seeds
of 'plan status' --scale
of 'plan status' --set
of 'plan status' --synthetic
for verb in plan status; do
    sb $verb "$x" --select task==agnews --json
    ok "$verb --select: those of a task" same "$(cells variant task)" \
        'random+dense/agnews vanilla/agnews'
    sb $verb "$x" -E variant==vanilla --json
    ok "$verb -E: those of a variant" same "$(cells variant task)" \
        'vanilla/agnews vanilla/lm1b'
    sb $verb "$x" -E 'variant==vanilla && task==lm1b' --seeds 2 --json
    ok "$verb --seeds: a number" same "$(cells seed)" '1 2'
    sb $verb "$x" -E 'variant==vanilla && task==lm1b' --seeds 3,8..9 --json
    ok "$verb --seeds: a list" same "$(cells seed)" '3 8 9'
    for scale in quick reduced; do
        sb $verb "$x" -E 'variant==vanilla && task==lm1b' --scale $scale --json
        ok "$verb --scale $scale" same "$(cells scale)" $scale
    done
    # The parameters of lm1b: 2 tables of V x d, 4 maps of d x d, 2 maps to and
    # from ff, biases, 3 norms.
    for d in 16 24; do
        sb $verb "$x" -E 'variant==vanilla && task==lm1b' -S d=$d --set ff=12 \
            --json
        ok "$verb -S d=$d --set ff=12: parameters" same "$(cells params)" \
            $((2 * 24 * d + 4 * d * d + 2 * 12 * d + 12 + d + 6 * d))
    done
    sb $verb "$x" --scale quick -S synthetic=true --json
    cells id >"$work/said"
    sb $verb "$x" --scale quick --synthetic --json
    ok "$verb --synthetic is that setting" same "$(cells id)" \
        "$(cat "$work/said")"
done

cat >"$work/many.yaml" <<'Y'
title: Many cells, of which some are refused
variants: [vanilla, linformer]
tasks: [lm1b]
scales: [smoke]
seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 4, evals: 1, train: 400, valid: 16, test: 16}
Y
for verb in plan status; do
    of $verb --all
    sb $verb "$work/many.yaml" --store "$work/none"
    ok "$verb: many cells are summed up by task" says '^lm1b  *smoke  *13  *26  *0 '
    ok '... the sum first' test "$(head -n 1 "$work/out" | grep -c '^26 cells:')" = 1
    ok '... and only what is not as usual is listed' test \
        "$(grep -c ' vanilla ' "$work/out") $(grep -c ' linformer ' "$work/out")" \
        = '0 13'
    sb $verb "$work/many.yaml" --store "$work/none" --all
    ok "$verb --all: every cell is listed" test "$(grep -c ' vanilla ' \
        "$work/out") $(grep -c ' linformer ' "$work/out")" = '13 13'
done

# ---- run ----

quick() { # STORE OPTION...: one small cell
    store=$work/$1
    shift
    sb run "$x" --store "$store" -j 1 -E 'variant==vanilla && task==lm1b' "$@"
}

of run --store
of run --select
ok 'run --store, -E: these cells, there' same "$(ls "$work/half/cells" | wc -l)" 2
of run --seeds
quick seeds --seeds 5,7 --json
ok 'run --seeds: those' same "$(cells seed status)" '5/done 7/done'
of run --set
quick set -S steps=2
quick set --set steps=7 --extend
ok 'run -S: cells of so many steps' same "$(for f in "$work"/set/cells/*.h5; do
    h5dump --onlyattr=0 -d /curves/train/step "$f" |
        grep -o 'SIMPLE { ( [0-9]*'; done |
    tr -dc '0-9\n' | sort | paste -s -d ' ' -)" '2 7'
of run --extend
quick set -S steps=8
ok 'run without --extend: other cells are refused' exits 2 'add them with --extend'
of run --scale
of run --synthetic
quick scale --scale reduced --synthetic --json
ok 'run --scale, --synthetic: that scale, from generators' \
    same "$(cells scale status)" reduced/done
ok '... as the cell says' same "$(field "$work/scale#$first" provenance \
    synthetic)" 1
granted() { # N: so many cores; or, where fewer were granted, these
    sb plan "$x" --json
    perl -MJSON::PP -e 'local $/; my $p = decode_json(<STDIN>)->{placement};
        print defined $p->{granted_by} && $p->{cores} < $ARGV[0]
            ? $p->{cores} : $ARGV[0]' "$1" <"$work/out"
}
of 'run rerun' --jobs
quick jobs
ok 'run -j 1: a cell says one job' same "$(field "$work/jobs#$first" timing \
    jobs)" 1
sb rerun "$work/jobs#$first" --jobs 3
ok 'rerun --jobs 3: it says three' same "$(field "$work/jobs#$first" timing \
    jobs)" "$(granted 3)"

for threads in 1 256; do # one a processor, of a cell with one thread
    sb run "$x" --store "$work/default$threads" -S threads=$threads \
        -E 'variant==vanilla && task==lm1b'
    many=$(($(granted "$(getconf _NPROCESSORS_ONLN)") / threads))
    ok "run without -j: as many as processors, of $threads threads" same \
        "$(field "$work/default$threads#$first" timing jobs)" \
        "$((many ? many : 1))"
done

# claimed JOBS: prints the largest number of leases that were held at the same
# time.
claimed() { # JOBS
    rm -f "$work/calls"
    LD_PRELOAD=$(cd "${program%/*}" && pwd)/calls.so CALLS="$work/calls" \
        "$program" run "$x" --store "$work/claims$1" -j "$1" 2>/dev/null
    perl -ne 'if (/ link .*claims\/\w{16}$/) { $n++; $most = $n if
        $n > $most } $n-- if / unlink .*claims\/\w{16}$/;
        END { print $most }' "$work/calls"
}
ok 'run -j 1: one cell at a time' same "$(claimed 1)" 1
ok 'run -j 3: three' same "$(claimed 3)" "$(granted 3)"

of run --force
quick jobs
ok 'run without --force: what is done stays' exits 0 'trained 0 cells'
quick jobs --force
ok 'run --force: it is trained again' exits 0 \
    '1 of them were finished before and retrained: 1 bit-identical, 0 different'
of run --dry-run
sb run "$x" --store "$work/dry" --dry-run
ok 'run -n: prints the plan' says '^4 cells: 4 missing'
ok '... and writes nothing' test ! -e "$work/dry"
of run --variant
of run --task
sb run "$x" --store "$work/added" --variant uniform --task imdb
ok 'run --variant, --task: trains this cell alone' exits 0 'trained 1 cell'
sb status --store "$work/added" --json
ok '... and adds it to the experiment' same "$(cells variant task status)" \
    'random+dense/agnews/missing random+dense/lm1b/missing uniform/imdb/done vanilla/agnews/missing vanilla/lm1b/missing'
sb run "$x" --store "$work/added" --variant uniform
ok 'run --variant: of every task of the file' exits 0 'trained 2 cells'
sb run --store "$work/added" --variant uniform
ok '... of a file, which must be named' exits 2 'name its file'
sb run "$x" --store "$work/added" --task lm1c
ok 'run --task: a wrong name' exits 2 "did you mean 'lm1b'"
of run --timeout
for seconds in 0.05 0.15; do
    quick timeout -S steps=100000000 --timeout $seconds
    ok "run --timeout $seconds is the limit" exits 1 \
        "took longer than --timeout $seconds s"
done
tested_in run --stall signals.t \
    'a worker that gives no sign of life is ended'
of rerun --timeout
of rerun --stall
quick again -S steps=8000
sb rerun "$work/again#$first" --timeout 0.01
ok 'rerun --timeout: also there' exits 1 'took longer than --timeout 0.01 s'
sb rerun "$work/again#$first" --stall 0.0001
ok 'rerun --stall: also there' exits 1 'no progress for 0.0001 s'

of run --wait
"$program" run "$x" --store "$work/wait" -j 1 -S steps=100000 \
    -E 'variant==vanilla && task==lm1b' 2>/dev/null &
runner=$!
trains "$work/wait" 1
sb run --store "$work/wait"  -E 'variant==vanilla && task==lm1b'
ok 'run without --wait: what another runner has is left to it' exits 6
(sleep 0.2; kill -9 "$runner" "$(worker "$work/wait")") &
killer=$!
sb run --store "$work/wait" -E 'variant==vanilla && task==lm1b' --wait 60 \
    --timeout 0.2
ok 'run --wait: it is taken over when that one dies' exits 1 'longer than'
wait $killer "$runner"

of 'run rerun' --cache
for cache in one two; do
    sb run "$work/imdb.yaml" --scale quick --store "$work/$cache.s" \
        --cache "$work/$cache"
done
ok 'run --cache: other text is other data' sh -c '[ "$1" != "$2" ]' - \
    "$(digest "$work/one.s#uniform/imdb/1")" \
    "$(digest "$work/two.s#uniform/imdb/1")"
of 'lend adopt' --cache
sb lend "$work/one.s#uniform/imdb/1" --cache "$work/two" -o "$work/lent"
ok 'lend --cache: the ids of that text' same "$(digest \
    "$work/two.s#uniform/imdb/1")" "$(sed -n \
    's/.*"data_digest": "\(.*\)",/\1/p' "$work/lent/contract.json")"
sb adopt "$work/lent" --cache "$work/one"
ok 'adopt --cache: other text is refused' exits 8 'with other data of imdb'
sb adopt "$work/lent" --cache "$work/two"
ok '... and what was lent is not' exits 8 'trace.h5: is missing'
sb rerun "$work/one.s#uniform/imdb/1" --cache "$work/two"
ok 'rerun --cache: a cell of other text differs' exits 1 \
    'DIFFERENT: weights@sha256'
ok '... and has that data now' same "$(digest "$work/one.s#uniform/imdb/1")" \
    "$(digest "$work/two.s#uniform/imdb/1")"

of 'run rerun verify/exact' --data-dir
mkdir "$work/files"
cp -r tests/data/fixtures/agnews/ag_news_csv "$work/files"
sed -i 's/harbour/garden/' "$work/files/ag_news_csv/train.csv"
for files in tests/data/fixtures "$work/files"; do
    sb run "$work/full.yaml" --store "$work/full" --cache "$work/none" \
        --data-dir "$files" --force
    digest "$work/full#uniform/agnews/1" >>"$work/digests"
    echo >>"$work/digests"
done
ok 'run --data-dir: other files are other data' \
    same "$(sort -u "$work/digests" | wc -l)" 2
of 'lend adopt' --data-dir
sb lend "$work/full#uniform/agnews/1" --data-dir tests/data/fixtures \
    --cache "$work/none" -o "$work/official"
ok 'lend --data-dir: the ids of these files' same "$(sed -n \
    's/.*"data_digest": "\(.*\)",/\1/p' "$work/official/contract.json")" \
    "$(head -n 1 "$work/digests")"
sb adopt "$work/official" --data-dir "$work/files" --cache "$work/none"
ok 'adopt --data-dir: other files are refused' exits 8 'with other data of'
sb adopt "$work/official" --data-dir tests/data/fixtures --cache "$work/none"
ok '... and what was lent is not' exits 8 'trace.h5: is missing'
sb rerun "$work/full#uniform/agnews/1" --data-dir tests/data/fixtures \
    --cache "$work/none"
ok 'rerun --data-dir: also there' same "$(digest \
    "$work/full#uniform/agnews/1")" "$(head -n 1 "$work/digests")"
sb verify exact "$work/full.yaml" --store "$work/full" --cache "$work/none" \
    --data-dir tests/data/fixtures --threads 1
ok 'verify exact --data-dir: the same files, the same bits' exits 0
sb verify exact "$work/full.yaml" --store "$work/full" --cache "$work/none" \
    --data-dir "$work/files" --threads 1
ok '... and others, others' exits 1
of rerun --store
sb rerun $first --store "$work/half"
ok 'rerun --store: a cell of it' exits 0 'retrained 1 cell: 1 bit-identical'

# ---- verify ----

exact() { # OPTION...: verify exact, its rows
    sb verify exact "$x" --store "$s" --threads 1 --json "$@"
}
rows() { # N
    json "@{\$j->{rows}} == $1 || print scalar @{\$j->{rows}}, ' rows'"
}
of verify/exact --sample
exact --sample 1
ok 'verify --sample 1' rows 1
exact --sample all
ok 'verify --sample all' rows 4
of verify/exact --threads
of verify/exact --jobs
exact --sample 1 --threads 2,1 --jobs 1,3
ok 'verify --threads, --jobs: a repetition for each' json '
    join("; ", map { $_->{property} } @{$j->{rows}}) eq join("; ",
        map { my $t = $_; map { "threads $t, jobs $_" } 1, 3 } 2, 1)'
of verify/exact --select
exact --sample all -E 'task==lm1b && variant==vanilla'
ok 'verify -E: one cell' rows 1
of 'verify/exact verify/store' --store
tested_in verify/science --store science.t 'verify science passes'
sb verify exact --store "$work/half" --sample all --threads 1 --json
ok 'verify --store: the cells of that' rows 2
of verify/exact --seeds
of verify/exact --set
one='--select variant==vanilla&&task==lm1b'
of verify/exact --scale
of verify/exact --synthetic
for more in 'seeds:--seeds 7..7' 'set:-S steps=7' \
    'scale:--scale reduced --synthetic'; do
    at=${more%%:*} more=${more#*:}
    # shellcheck disable=SC2086 # words
    sb plan "$x" $one $more --json
    cells id >"$work/ids"
    # shellcheck disable=SC2086
    sb verify exact "$x" --store "$work/$at" --threads 1 $one $more --json
    ok "verify $more: the cell that is there" json '
        @{$j->{rows}} == 1 && $j->{rows}[0]{verdict} eq "pass" &&
        "'"$(cat "$work/ids")"'" eq substr($j->{rows}[0]{subject}, -16)'
done
sb verify exact "$work/imdb.yaml" --scale quick --synthetic --store "$s" \
    --cache "$work/none" --threads 1,2
ok 'verify --synthetic needs no text' exits 0
of verify/exact --cache
sb verify exact "$work/imdb.yaml" --scale quick --store "$work/two.s" \
    --cache "$work/two" --threads 1
ok 'verify --cache: the same text, the same bits' exits 0
sb verify exact "$work/imdb.yaml" --scale quick --store "$work/two.s" \
    --cache "$work/none" --threads 1
ok '... and without it none' exits 8
tested_in verify/metrics --vectors score.t 'verify metrics of one case'
of verify/metrics --data
mkdir -p "$work/lists/moses"
echo 'bzw' >"$work/lists/moses/nonbreaking_prefix.de"
for where in lists nothing; do
    mkdir -p "$work/$where"
    sb verify metrics --vectors tests/data/metrics/moses_tokenizer \
        --data "$work/$where" --json
    cp "$work/out" "$work/$where.json"
done
ok 'verify --data: without lists a case is skipped' json '$j->{rows}[0]{verdict} eq "n/a"'
cp "$work/lists.json" "$work/out"
ok '... with one it is not' json '$j->{rows}[0]{verdict} ne "n/a"'

# ---- merged stores, cells on a cluster ----

of merge --output
sb merge "$work/half" "$work/jobs" "$s" -o "$work/merged/"
ok 'merge -o: a store with the cells of all' same \
    "$(ls "$work/merged/cells" | paste -s -d ' ' -)" \
    "$(ls "$s/cells" | paste -s -d ' ' -)"
sb verify store --store "$work/merged"
ok '... that is sound' exits 0
sb merge "$s" -o "$work/merged"
ok '... where nothing was before' exits 2 'already exists'
sb merge "$s"
ok '... and which must be named' exits 2 '-o DIR'
sb run --store "$work/merged"
ok '... in which nothing is left to do' exits 0 'trained 0 cells'
of slurm/submit --store
for o in partition account qos time mem sbatch; do
    tested_in slurm/submit --$o slurm.t \
        'options of sbatch go to its command line'
done
tested_in slurm/submit --gpus slurm.t '... or for as many as --gpus says'
tested_in slurm/submit --store slurm.t '... by a script in the store'
tested_in slurm/submit --print slurm.t '--print needs no Slurm'
tested_in slurm/submit --array-size slurm.t \
    '--array-size: the cap is on the index'
tested_in slurm/submit --extend slurm.t '... without --extend'
for o in cache data-dir; do
    tested_in slurm/submit --$o slurm.t \
        '--cache and --data-dir go along, from the root'
done
of slurm/submit --select
of slurm/submit --seeds
of slurm/submit --set
of slurm/submit --scale
of slurm/submit --synthetic
ok 'submit: cells are picked as by plan' grep -qF \
    'ok "submit $more: that cell"' tests/cli/slurm.t

# ---- output formats ----

is_json() { json 1; }
forms() { # PATTERN VERB ARGUMENT...: what a line of its text looks like
    form=$1
    shift
    of "${of:-$1}" --format
    of "${of:-$1}" --json
    sb "$@" --json
    cp "$work/out" "$work/json"
    ok "$1 --json is JSON" is_json
    sb "$@" --format json
    ok "$1 --format json is the same" cmp "$work/out" "$work/json"
    sb "$@" --format text
    ok "... --format text is not" says "$form"
}
forms '^vanilla  ' list variants
forms '^4 cells' plan "$x"
forms '^4 cells' status --store "$s"
forms "^status  *done" show "$s#$first"
forms 'vanilla/lm1b' compare "$s#$first" "$s#random+dense/lm1b/1"
forms '^Variant  ' table 2 --store "$s"
of=data/where forms '^ *wmt14_ende\|^agnews' data where agnews
for subject in 'science science.t' 'variants verify.t'; do
    test=${subject#* } subject=${subject% *}
    tested_in verify/$subject --format $test \
        '... and --format json is the same'
done
tested_in verify/statistics --format statistics.t \
    'the last format counts, and -q prints the counts alone'
tested_in verify/science --json science.t \
    'verify science --json has the promised keys'
tested_in verify/statistics --json statistics.t \
    'verify statistics --json has the promised keys'
tested_in verify/variants --json verify.t \
    'verify variants --json has rows and verdicts'
of=data/check forms '^agnews ' data check agnews --data-dir tests/data/fixtures
of=data/show forms '^label' data show agnews --data-dir tests/data/fixtures \
    --limit 1
of=verify/exact forms '1 passed' verify exact "$x" --store "$s" --sample 1 \
    --threads 1
of=verify/metrics forms '1 passed' verify metrics \
    --vectors tests/data/metrics/superglue_multirc/edge
of=verify/store forms 'passed' verify store --store "$s"
tested_in verify/signature --store signature.t 'another store differs'
of=verify/signature forms '9 same' verify signature "$("$program" table 2 \
    --all --store "$s" | sed -n 's/^  Transformer: //p')" --store "$s"
forms 'BLEU = ' score bleu --hyp "$x" --ref "$x"
tested_in bench --json bench.t 'bench --json has the promised keys'
of 'bench run rerun' --format
of 'run rerun' --json
sb run "$x" --store "$s"
ok 'run says nothing on stdout' test ! -s "$work/out"
sb run "$x" --store "$s" --format json
ok '... with --format json the cells' same "$(cells status)" \
    'done done done done'
cp "$work/out" "$work/json"
sb run "$x" --store "$s" --json
ok 'run --json is the same' cmp "$work/out" "$work/json"
for how in '--format json' --json; do
    # shellcheck disable=SC2086 # words
    sb rerun $first --store "$s" $how
    ok "rerun $how: the cell" same "$(cells variant task seed status)" \
        "$first/done"
done
for form in 'md:^| *Variant |' 'csv:^table,\|^variant,\|^"*Variant'; do
    sb table 2 --store "$s" --format "${form%%:*}"
    ok "table --format ${form%%:*}" says "${form#*:}"
done

# ---- show, compare, table, plot ----

of show --store
of compare --store
for at in store half; do
    sb show $first --store "$work/$at"
    ok "show --store: the file of $at" says "/$at/cells/"
done
sb show "$work/half#$first" --store "$s"
ok '... but for a cell that names its own' says '/half/cells/'
sb compare $first random+dense/lm1b/1 --store "$s"
ok 'compare --store' exits 0
sb compare vanilla/agnews/1 random+dense/agnews/1 --store "$work/half"
ok '... has what is there alone' exits 7
of show --samples
for many in 1 5; do
    sb show $first --store "$s" --samples $many --json
    ok "show --samples $many" json '@{$j->{samples}} == '$many
done
of show --curves
sb show $first --store "$s" --curves --json
ok 'show --curves' json '@{$j->{curves}{train}{step}} == 4 &&
    $j->{curves}{train}{step}[3] == 4 &&
    $j->{curves}{train}{loss}[0] > $j->{curves}{train}{loss}[3] &&
    @{$j->{curves}{valid}{ce}} == @{$j->{curves}{valid}{step}}'
sb show $first --store "$s" --curves
ok '... drawn for people' says 'training loss    \.'
sb show $first --store "$s" --curves --samples 2
ok '... not beside samples' exits 2 'cannot be combined'
of show --all
sb show $first --store "$s" --all
ok 'show --all: settings that have their defaults, too' says '^config.norm '
sb show $first --store "$s"
ok '... without it, only those that do not' sh -c '! grep -q "^config.norm " "$1" &&
    grep -q "^config.steps  *4$" "$1" && [ "$(wc -l <"$1")" -le 45 ]' - "$work/out"
of claims --all
judged=results/baselines/quick/claims.json
sb claims --from $judged
ok 'claims without --all: ids by verdict' says '^  fail: A1 '
sb claims --from $judged --all
ok 'claims --all: the numbers of every claim' says '^  A1 fails\. Claim: '
of table --pairs
sb table 2 --store "$s" --pairs
ok 'table --pairs: those below the table, by seed' says \
    '^lm1b  *ce  *vanilla  *unigram  *[0-9]'
of table --all
sb table 2 --store "$s"
ok 'table without --all: the table and its notes' lacks '^Signatures '
sb table 2 --store "$s" --all
ok 'table --all: also where its numbers come from' says '^Signatures '
sb table 1 --all
ok '... of stored results' exits 2 'require a table of stored results'
of table --published
sb table --published
ok 'table --published' says '^T5 (Base+)  *82.8 '
sb table 2 --published
ok '... takes no table' exits 2 'accepts no table'
of table --detail
sb table 2 --store "$s" --detail
ok 'table --detail: a table a column' says \
    '^LM1B.*, PPL: perplexity per subword$'
sb table 1 --detail
ok '... of a store' exits 2 'require a table of stored results'
of table --width
widest() { # the longest line of the grids in $work/out
    sed -n '/^Table/,/^  params:/p' "$work/out" | sed '/^[TEt]/d;/^  /!d' |
        wc -L
}
sb table 2 --store "$s" --width 60
ok 'table --width: no grid is wider' [ "$(widest)" -le 60 ]
cp "$work/out" "$work/narrow"
sb table 2 --store "$s" --width 300
ok '... and a wide one is not parted' [ "$(grep -c '^Variant' "$work/out")" \
    -lt "$(grep -c '^Variant' "$work/narrow")" ]
of compare --digests
sb compare --digests "$s" "$work/half"
ok 'compare --digests: whole stores, of which one lacks cells' exits 1
sb compare --digests "$s" "$s"
ok '... or is the same' says '^4 equal'
tested_in compare --format compare_stores.t '... and as CSV'
tested_in compare --json compare_stores.t 'rows that differ have a verdict'
tested_in compare --output compare_stores.t '... where it was told to'
tested_in power --difference power.t 'a small difference takes more seeds'
tested_in power --all power.t 'people first see the pairs of the first variant, in the first metric'
tested_in power --power power.t 'more power takes more seeds'
tested_in power --level power.t 'a stricter level takes more seeds'
tested_in power --select power.t 'a pair of its own is one test'
tested_in power --store power.t 'a store of another experiment'
tested_in power --format power.t 'power --format $f'
tested_in power --json power.t 'each pair of variants, each test of a task'
tested_in power --output power.t 'power --output'
tested_in export --curves export.t 'export --curves: each point is a row'
tested_in export --store export.t 'a store in which cells are missing is exported'
tested_in export --select export.t 'export --select: two cells'
tested_in export --format export.t '... and CSV and JSON have the same numbers'
tested_in export --json export.t 'export --select: two cells'
tested_in export --output export.t 'export --output: there, what else is printed'
of table --store
of table --output
of table --from
for at in store half; do
    sb table 2 --store "$work/$at" --output "$work/$at.txt"
    sb table 2 --store "$work/$at" --json -o "$work/$at.json"
    sb table 2 --store "$work/$at"
    ok 'table -o: there, what else is printed' cmp "$work/out" "$work/$at.txt"
    sb table 2 --from "$work/$at.json"
    ok 'table --from: the same again' cmp "$work/out" "$work/$at.txt"
done
ok 'table --store: another store, another table' sh -c '! cmp -s "$1" "$2"' - \
    "$work/store.txt" "$work/half.txt"
tested_in table --set cli.t '... and takes any shape'
tested_in table --columns bench.t 'table 4 --columns speed'
tested_in table --fresh bench.t '... and timed again with --fresh'
of plot --output
sb plot curves --store "$work/half" -o "$work/drawn"
ok 'plot --output: into that' test -n "$(ls "$work/drawn")" -a \
    ! -e "$work/half/plots"
of plot --store
sb plot curves --store "$work/half"
ok 'plot --store: into that' test -n "$(ls "$work/half/plots")" -a \
    ! -e "$s/plots"
tested_in report --store report.t \
    'numbers of a table are those that table prints'
tested_in report --output report.t '... and its first page is named'
tested_in report --no-claims report.t '--no-claims: nothing of claims'
tested_in report --no-figures report.t \
    '... whole: what it does not have any more is gone'

# ---- data ----

agnews() { # VERB OPTION...
    verb=$1
    shift
    sb data "$verb" agnews --data-dir tests/data/fixtures --json "$@"
}
lines() { wc -l <"$work/out"; }
of 'data/show data/check data/where' --data-dir
of 'data/show data/check' --split
of data/show --limit
agnews check
ok 'data --data-dir: rows of these files' json \
    'join(" ", map { $_->{rows} } @{$j->{splits}}) eq "13 7"'
sb data check agnews --data-dir "$work/one" --json
ok '... and of a folder without them' exits 8 'has none of the files of agnews;'
sb data show agnews --data-dir "$work/one"
ok '... also shown' exits 8 'has none of the files of agnews; `synthbench'
for split in train:13 test:7; do
    agnews show --split "${split%:*}"
    ok "data show --split ${split%:*}" same "$(lines)" "${split#*:}"
done
for many in 2 5; do
    agnews show --limit $many
    ok "data show --limit $many" same "$(lines)" $many
done
of data/show --skipped
agnews show --skipped
ok 'data show --skipped: no row of these was left out' same "$(lines)" 0
sb data show wmt14_ende --data-dir tests/data/fixtures --json --skipped
ok '... and three of others' same "$(lines)" 3
tested_in data/check --skip-nul reported.t \
    'data check --skip-nul counts those of $1'
tested_in data/show --skip-nul reported.t 'data show --skip-nul leaves them out'
of 'data/fetch data/show data/check data/where' --cache
of data/fetch --refresh
mkdir "$work/bin"
cat >"$work/bin/npm" <<'N'
#!/bin/sh
[ "$1" = pack ] || exit 0
echo called >>"$NPM"
mkdir -p package/test/fixtures
for n in imdb yelp amazon; do echo '[]' >package/test/fixtures/$n.json; done
tar -czf sentiment-5.0.2.tgz package && rm -r package
N
chmod +x "$work/bin/npm"
fetch() { # CACHE OPTION...: how often npm was called so far
    PATH=$work/bin:$PATH NPM=$work/npm "$program" data fetch sentiment \
        --cache "$work/$@" 2>/dev/null
    wc -l <"$work/npm"
}
ok 'data fetch --cache: into that' same "$(fetch here)" 1
ok '... which holds it' test -d "$work/here/sentiment"
ok '... and which is looked into' same "$(fetch here)" 1
ok '... and no other' same "$(fetch there)" 2
ok 'data fetch --refresh: again' same "$(fetch here --refresh)" 3
printf '#!/bin/sh\necho called >>"$APT"\nexit 1\n' >"$work/bin/apt-get"
chmod +x "$work/bin/apt-get"
sed 's/scales: .*/scales: [quick]/' "$work/imdb.yaml" >"$work/reviews.yaml"
PATH=$work/bin:$PATH NPM=$work/npm APT=$work/apt "$program" data fetch \
    "$work/reviews.yaml" --cache "$work/third" 2>/dev/null
ok 'data fetch EXPERIMENT: what it needs' test -d "$work/third/sentiment"
ok '... and nothing else' test ! -e "$work/apt"
PATH=$work/bin:$PATH APT=$work/apt "$program" data fetch quick \
    --cache "$work/third" 2>"$work/err"
code=$?
ok '... of quick that is descriptions alone' exits 8
ok '... which apt was asked for' test -e "$work/apt"

# ---- score ----

pair=tests/data/metrics/significance/tiny
score() { # OPTION...
    sb score bleu --hyp $pair/baseline.txt --hyp $pair/sysA.txt \
        --ref $pair/ref1.txt --json "$@"
}
tested_in score --hyp score.t 'score bleu prints what sacreBLEU prints'
tested_in score --ref score.t \
    'score --json has score, signature and components'
tested_in score --set score.t \
    'score --json has score, signature and components'
tested_in score --paired-bootstrap score.t \
    'paired bootstrap as sacreBLEU draws it'
tested_in score --paired-ar score.t \
    'paired approximate randomisation, as a table'
of score --resamples
of score --seed
for many in 100 300; do # p = (extreme + 1) / (resamples + 1)
    score --paired-bootstrap --resamples $many
    ok "score --resamples $many" json '
        my ($a, $n) = ($j->{systems}[1], '$many');
        $j->{signature} =~ /\|bs:$n\|/ && $a->{count_extreme} <= $n &&
        abs($a->{p_value} - ($a->{count_extreme} + 1) / ($n + 1)) < 1e-9'
done
for seed in 1 2 1; do
    score --paired-bootstrap --resamples 200 --seed $seed
    ok "score --seed $seed" json '$j->{signature} =~ /\|seed:'$seed'\|/'
    cp "$work/out" "$work/seed$seed"
    [ -e "$work/seed" ] || cp "$work/out" "$work/seed"
done
ok '... the same seed gives the same' cmp "$work/seed1" "$work/seed"
drawn() { grep -v signature "$work/seed$1"; }
ok '... another one draws others' sh -c '[ "$1" != "$2" ]' - "$(drawn 1)" \
    "$(drawn 2)"
of score --pred
of score --gold
of score --groups
edge=tests/data/metrics/superglue_multirc/edge
printf '1\n0\n1\n1\n' >"$work/gold"
printf '1\n1\n1\n0\n' >"$work/half.txt"
for pred in gold:1 half.txt:0.5; do
    sb score accuracy --pred "$work/${pred%:*}" --gold "$work/gold" --json
    ok "score --pred: ${pred#*:} of --gold" json '$j->{score} == '"${pred#*:}"
done
sb score accuracy --pred "$work/half.txt" --gold "$work/half.txt" --json
ok '... all of another --gold' json '$j->{score} == 1'
sb score multirc --pred $edge/pred.txt --gold $edge/gold.txt \
    --groups $edge/groups.txt --json
ok 'score --groups: exact match of 4 questions' json \
    'grep { $_ == 0.5 } grep { /^[0-9.]+$/ } values %$j'
seq 7 >"$work/groups"
sb score multirc --pred $edge/pred.txt --gold $edge/gold.txt \
    --groups "$work/groups" --json
ok '... and of 7' json '!grep { $_ == 0.5 } grep { /^[0-9.]+$/ } values %$j'

# ---- baseline ----

of baseline/save --baselines
tested_in baseline/save --store baseline.t 'a finished store is accepted'
tested_in baseline/save --portable baseline.t \
    '--portable: a baseline for any machine'
for at in here there; do
    b=$work/b.$at
    sb baseline save "$at" --store "$s" --baselines "$b"
    ok "baseline save --baselines: into $at" test -s "$b/$at.tsv"
done

# ---- gate ----

for row in 'baseline:the same program gives the same bits' \
    'baselines:a baseline is saved' 'examples:--examples: where they are' \
    'margin:--margin: a difference that does not matter is equal' \
    'set:a hundredth of the rate is worse' 'store:a store alone is judged as it is' \
    'select:-E: of cells that are left out nothing is asked' \
    'seeds:--seeds: others are not there' \
    'scale:--scale: cells of another scale are others' \
    'synthetic:--synthetic: generated text is other data' \
    'jobs:... of every cell' 'timeout:--timeout: a cell failed, and why' \
    'stall:--stall: likewise' 'cache:--cache: text that is missing is told' \
    'data-dir:--data-dir: it must be there' \
    'exact:--exact: other bits are a regression, even if they do not matter' \
    'junit:--junit: a test case a verdict' \
    'against:--against: another build is timed, in turns' \
    'cost-margin:--cost-margin: what does not matter is equal' \
    'rounds:... one tells nothing' \
    'threads:--against: another build is timed, in turns'; do
    tested_in gate "--${row%%:*}" gate.t "${row#*:}"
done
of=gate forms '^PASS: 1 of 1 compared cells' gate --baseline there --baselines \
    "$work/b.there" --store "$s" -E 'variant==vanilla && task==lm1b'

# ---- history ----

for row in 'add --store:results of commit $c are added' \
    'add --history:results of commit $c are added' \
    'add --commit:so is a commit that is none' \
    'add --repository:--repository: where the commits are' \
    'show --history:show: a row a commit' \
    'show --repository:show --repository: as git has them' \
    'show --machine:--machine: nothing is of such a one' \
    'plot --history:plot draws loss and time of a task' \
    'plot --repository:plot --repository: likewise' \
    'plot --machine:plot --machine: nothing is of such a one' \
    'plot --output:... as files'; do
    verb=${row%% *} row=${row#* }
    tested_in "history/$verb" "${row%%:*}" history.t "${row#*:}"
done
sb history add --store "$s" --commit HEAD --history "$work/h.tsv"
of=history/show forms '^commit ' history show --history "$work/h.tsv"

# ---- bench, repair, trace ----

tested_in bench --size bench.t '... and the size has its own N and vocabulary'
tested_in bench --variant bench.t '... what was asked for'
tested_in bench --threads bench.t \
    '... as often and on as many threads as was asked for'
tested_in bench --repeat bench.t \
    '... as often and on as many threads as was asked for'
tested_in bench --precision bench.t 'bf16 runs'
tested_in bench --set bench.t \
    "plan's operations and parameters are the bench's"
tested_in bench --config bench.t '--config: the settings of a cell'
tested_in bench --paced bench.t '--paced: a line an answer'
tested_in bench --count bench.t '--count: random at T5-base, one shard'
tested_in bench --peak bench.t "the machine's ceilings"
tested_in repair --store proofs.t 'it is repaired'
tested_in repair --dry-run proofs.t '... and does nothing'
tested_in lend --store lend.t 'a cell is lent'
tested_in lend --output lend.t 'a cell is lent'
tested_in lend --ids lend.t 'ids are lent by reference'
tested_in adopt --store lend.t 'a store is made where there is none'
tested_in trace --output trace.t 'a trace is written'
tested_in trace --check trace.t '... it is repeated'

for option in family preset variant mix steps seed set; do
    of trace --$option
done
traced() { # VALUE of family preset variant mix steps seed ff: as it is written
    sb trace -S layers=1 -S d=8 -S heads=2 -o "$work/t.h5" --family "$1" \
        --preset "$2" --variant "$3" --mix "$4" --steps "$5" --seed "$6" \
        -S ff="$7"
    h5dump -a config "$work/t.h5" | tr -d '\\\n ' >"$work/out"
    for key in family preset variant mix steps seed ff; do
        ok "trace: $key $1" says "\"$key\":\"*$1\"*[,}]"
        shift
    done
}
traced encoder t5 random+dense plus 1 7 12
traced seq2seq t2t dense+vanilla weights 2 8 16

tested_in list --all cli.t '... and --all all'
tested_in claims --store claims.t 'a store without results'
tested_in claims --speed claims.t 'a ratio is printed with its machine'
tested_in claims --kind claims.t 'claims --kind'
tested_in claims --file claims.t 'a new claim is one entry of a file'
tested_in claims --format claims.t 'claims --format $f'
tested_in claims --json claims.t 'published claims are judged'
tested_in claims --output claims.t 'claims --output'
tested_in claims --from claims.t 'claims --from: $f is the same again'
tested_in power --from contrasts.t 'power finds in the file of a table what it finds in the store'

for row in \
    "--task:several tasks" \
    "--variant:more come into the same store, mixtures as they are always spelled" \
    "--like:... which is that of the experiment like which it is" \
    "--set:other settings stand in for those before" \
    "--seeds:more come into the same store, mixtures as they are always spelled" \
    "--store:... which then has all of them" \
    "--format:--json is --format json" \
    "--json:train makes a cell without a file" \
    "--cache:without --like it is one of quick, whose text must be there" \
    "--force:--force trains it again" \
    "--select:-E chooses" \
    "--scale:--scale, --synthetic: that scale, from generators" \
    "--synthetic:--scale, --synthetic: that scale, from generators" \
    "--jobs:-j: a cell says how many" \
    "--timeout:--timeout is the limit" \
    "--stall:--stall, too" \
    "--data-dir:--data-dir has official files"; do
    tested_in train "${row%%:*}" train.t "${row#*:}"
done
tested_in doctor --json doctor.t 'doctor --json has the promised keys'
tested_in doctor --format doctor.t '... --format json is the same'
tested_in doctor --cache doctor.t 'text that is there, and text that is not'
tested_in report --findings report.t '--findings: what was found, in sentences'
tested_in help --man help.t 'the man page has every option of every verb'
tested_in help --completion help.t 'bash completes verbs, subjects, options and formats'

# ---- completeness ----

# ---- the verdict alone ----

tested_in verify/science --quiet science.t '... which -q prints alone'
tested_in verify/signature --quiet signature.t \
    '... and -q prints the counts alone'
tested_in verify/statistics --quiet statistics.t \
    'the last format counts, and -q prints the counts alone'

"$program" baseline save quiet --store "$s" --baselines "$work/quiet" \
    >/dev/null 2>&1
while read -r verb rest; do
    of "$verb" --quiet
    # shellcheck disable=SC2086 # words
    prints "$work/all" "$work/err" $(echo "$verb" | tr / ' ') $rest
    # shellcheck disable=SC2086 # words
    prints "$work/out" "$work/err" $(echo "$verb" | tr / ' ') $rest -q
    ok "$verb -q: the first lines without it, as one line" sh -c '
        [ "$(wc -l <"$1")" = 1 ] && [ -n "$(cat "$1")" ] &&
        tr "\n" " " <"$2" | grep -qF "$(cat "$1")"' - "$work/out" "$work/all"
done <<R
plan $x --store $s
status --store $s
claims --from $judged
power $x --store $s
gate --store $s --baselines $work/quiet --baseline quiet
compare $s#vanilla/lm1b/1 $s#random+dense/lm1b/1
doctor
verify/exact --store $s --sample 1
verify/metrics --vectors tests/data/metrics/superglue_multirc/edge
verify/store --store $s
verify/variants uniform
R

options() { # NAME: those of the last --help, but for every program's
    sed -n 's/^  *\(-[A-Za-z], \)* *\(--[a-z-]*\).*/\2/p' "$work/out" |
        grep -v '^--\(help\|usage\|version\)$' | sed "s|^|$1 |"
}
listed() { # HEAD: of the last --help
    sed -n "/^$1:/,/^\$/s/^  \\([a-z]*\\) .*/\\1/p" "$work/out"
}
sb --help
for verb in $(listed Commands); do
    sb "$verb" --help
    options "$verb"
    for subject in $(listed Subcommands); do
        sb "$verb" "$subject" --help
        options "$verb/$subject"
    done
done | sort -u >"$work/told"
sort -u "$work/rows" >"$work/tested"
ok 'there are verbs, and they have options' test "$(wc -l <"$work/told")" -gt 90
ok 'every option of every verb is tested here' test -z \
    "$(comm -23 "$work/told" "$work/tested" | tee "$work/err")"
ok '... and every row is of an option' test -z \
    "$(comm -13 "$work/told" "$work/tested" | tee "$work/err")"

done_testing
