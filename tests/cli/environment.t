#!/bin/sh
# The program in unusual environments: full or read-only disks, missing folders,
# all kinds of terminals, closed streams, and names that a shell would split.
. tests/support/tap.sh
case $program in /*) ;; *) program=$PWD/$program ;; esac
export XDG_CACHE_HOME="$work/cache"
cp results/baselines/quick/claims.json "$work/claims.json"
judged=$work/claims.json
mkdir "$work/w" && cd "$work/w" || exit 1
cat >x.yaml <<'Y'
title: Two cells
variants: [vanilla, random]
tasks: [gen_copy]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 8, heads: 2, ff: 8, N: 8, vocab: 8, batch: 4,
           steps: 4, evals: 2, train: 20, valid: 4, test: 4}
Y
sb run x.yaml --store s
ok 'there is a store' exits 0 'trained 2 cells'

# ---- names ----

odd=$(printf 'a\nb #c\td')
cp x.yaml "$odd.yaml"
sb run "$odd.yaml" --store "$odd"
ok 'lines, blanks and # may be in the names of files and stores' exits 0 \
    'trained 2 cells'
sb status --store "$odd" --json
ok '... whose status is told' json '@{$j->{cells}} == 2'
sb show "$odd#vanilla/gen_copy/1"
ok '... whose cells are shown' says 'config.variant  *vanilla'
sb compare "$odd#vanilla/gen_copy/1" "$odd#random/gen_copy/1" --json
ok '... and compared' json '$j->{a} eq "a\nb #c\td#vanilla/gen_copy/1"'
sb export --store "$odd" -o "$odd.csv"
ok '... exported' test "$(wc -l <"$odd.csv")" -gt 2
sb plot logit_change --store "$odd"
ok '... and drawn' test -s "$odd/plots/logit_change_gen_copy.png"

# ---- missing temporary folders and full disks ----

for tmp in /nowhere x.yaml; do
    TMPDIR=$tmp sb verify exact --store s --sample 1
    ok "a TMPDIR that is no folder: $tmp" exits 2 "TMPDIR: $tmp: "
done
in_mount() { # OPTIONS COMMAND...: in a namespace where m is such a tmpfs
    options=$1
    shift
    unshare --mount --map-root-user sh -c 'mount -t tmpfs -o "$1" none m &&
        shift && exec "$@"' - "$options" "$@"
}
mkdir m
if in_mount size=1m true 2>err; then
    mounted() { # OPTIONS ARGUMENT...: as sb, in such a mount
        options=$1
        shift
        in_mount "$options" "$program" "$@" >"$work/out" 2>"$work/err"
        code=$?
    }
    mounted ro run x.yaml --store m/s
    ok 'a store that may not be written' exits 2 \
        'cannot create the folder m/s (choose one that you may create): Read-only'
    mounted ro table 1 -o m/t
    ok '... nor -o' exits 2 'm/t: Read-only file system'
    mounted size=64k run x.yaml --store m/s -j 1
    ok 'a store on a full disk' exits 9 'No space left on device'
    TMPDIR=m mounted size=4k verify exact --store s --sample 1
    ok '... and a TMPDIR there' exits 9 'No space left on device'
    mounted size=4k table 1 -o m/t
    ok '... and -o' exits 9 'No space left on device'
else
    n=$((n + 1))
    echo "ok $n - a full disk # SKIP nothing can be mounted here"
fi

# ---- streams ----

for verb in help 'list variants' 'status --store s' 'table 1'; do
    # shellcheck disable=SC2086 # words
    "$program" $verb >&- 2>err
    code=$?
    ok "$verb: stdout that is closed is not silence" test "$code" = 9 -a -s err
done
"$program" status --store s 2>&- >out
ok 'a closed stderr keeps nobody from reading stdout' test -s out

# ---- terminals ----

steps=4000 # over the first fifth of a second, when a line is drawn first
escapes() { # of a run at a terminal, with the variables that are set
    rm -rf t
    script -qec "'$program' run x.yaml --store t -j 1 -S steps=$steps" \
        typescript >seen </dev/null
    grep -q 'trained 2 cells' seen || echo 'it did not run'
    LC_ALL=C grep -c "$(printf '\033')" seen
}
if command -v script >/dev/null; then
    ok 'a terminal has a line that moves' test "$(TERM=xterm escapes)" != 0
    ok '... one that is dumb has not' test "$(TERM=dumb escapes)" = 0
    ok '... nor one of no name' test "$(TERM='' escapes)" = 0
    ok '... nor one of which nothing is said' test "$(unset TERM; escapes)" = 0
fi

# ---- widths and characters ----

wide() { # COLUMNS VERB...: the widest line of the C locale, in bytes
    COLUMNS=$1
    shift
    COLUMNS=$COLUMNS LC_ALL=C "$program" "$@" | LC_ALL=C awk '
        /[^ -~]/ { print "not ASCII: " $0 }
        length($0) > most { most = length($0) } END { print most + 0 }'
}
for verb in help 'help run' 'list variants' 'list tasks' 'list keys' doctor \
    'status --store s' 'plan x.yaml' 'table 1' "claims --from $judged"; do
    # shellcheck disable=SC2086
    ok "$verb fits 80 columns of ASCII" test "$(wide 80 $verb)" -le 80
done
for verb in 'list tasks' 'status --store s'; do
    # shellcheck disable=SC2086
    ok "... and $verb 40" test "$(wide 40 $verb)" -le 40
done

done_testing
