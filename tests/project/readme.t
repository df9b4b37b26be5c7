#!/bin/sh
# Runs README.md's commands, verbatim, in a folder where the experiment `quick`
# is a small one on generated data. Commands that would change the machine are
# only recorded here; tests/cli/fresh-debian.sh runs them in a chroot.
. tests/support/tap.sh
root=$PWD
program=$(cd "${program%/*}" && pwd)/${program##*/}

block() { # LANGUAGE N: the N-th block of README.md in it
    awk -v of="\`\`\`$1" -v n="$2" '$0 == of { on = ++seen == n; next }
        /^```$/ { on = 0 } on' "$root/README.md"
}

# ---- the two commands ----

mkdir "$work/bin" "$work/first"
for tool in apt-get make; do
    printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\n' $tool "$work" >"$work/bin/$tool"
done
printf '#!/bin/sh\nexec "%s" "$@"\n' "$program" >"$work/bin/synthbench"
chmod +x "$work"/bin/*
path=$PATH
PATH=$work/bin:$PATH
block sh 1 >"$work/first.sh"
ok 'the first commands run' env REPOSITORY="$root" \
    sh -ec 'cd "$1/first" && . "$1/first.sh"' - "$work"
printf '%s\n' 'apt-get update' 'apt-get install -y git make' 'make reproduce' \
    >"$work/wanted"
ok '... and ask for this, in the clone' diff "$work/wanted" "$work/calls"
ok '... which is one' test -f "$work/first/synthbench/README.md"
ok '... and has that target' grep -q '^reproduce:' Makefile

# ---- Using it ----

mkdir -p "$work/use/experiments"
cat >"$work/use/experiments/quick.yaml" <<'Y'
title: Quick, and smaller
variants: [vanilla, random]
tasks: [lm1b, wmt14_ende]
scales: [quick]
seeds: [1, 2]
settings: {synthetic: true, layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24,
           batch: 8, steps: 20, evals: 4, train: 64, valid: 16, test: 16}
tune:
  - {match: {scale: quick, task: lm1b}, grid: {score_rate: [1, 8]}, share: 1,
     seed: 0}
Y
cd "$work/use" || exit
block sh 2 >"$work/commands"
ok 'there are commands' test "$(wc -l <"$work/commands")" -gt 10
while read -r line; do
    printf '%s\n' "$line" >"$work/line.sh"
    ok "README: ${line%%  *}" sh -e "$work/line.sh"
done <"$work/commands"
ok 'what is trained is there' test "$(ls results/quick/cells/*.h5 | wc -l)" = 16
ok '... and the pages' test -s report/index.html
ok '... and a row a number' test "$(grep -c '^quick,' quick.csv)" -ge 8

# ---- gnuplot; Python and R: tests/readers/readers.t ----

"$program" plot curves --store results/quick >/dev/null
block gnuplot 1 >"$work/block.gp"
rm -f results/quick/plots/curves_lm1b.png
ok 'README: gnuplot' gnuplot -d "$work/block.gp"
ok '... draws the picture again' test -s results/quick/plots/curves_lm1b.png

# ---- other commands that README.md names ----

cd "$root" || exit
PATH=$path
grep -o '`synthbench [^`]*`' README.md harness/cmd/README.md | tr -d '`' |
    sed 's/^[^:]*://' >"$work/named"
sed -n '/^```sh$/,/^```$/s/^\(synthbench [^#]*\).*/\1/p' harness/cmd/README.md \
    >>"$work/named"
ok 'the documents name verbs' test "$(wc -l <"$work/named")" -gt 30
while read -r _ verb rest; do
    subject=${rest%% *}
    case $subject in *[!a-z]*) subject= ;; esac
    "$program" help "$verb" $subject >"$work/help" 2>&1 ||
        "$program" help "$verb" >"$work/help" 2>&1 ||
        echo "there is no verb $verb"
    for option in $(echo "$rest" | grep -o -e ' --[a-z-]*'); do
        grep -q -e "$option\b" "$work/help" || echo "$verb has no $option"
    done
done <"$work/named" >"$work/wrong"
ok '... and options, all of which there are' test ! -s "$work/wrong"
ok 'CITATION.cff and CHANGELOG.md have the version that the program says' sh -c '
    v=$("$1" --version | sed -n "1s/synthbench //p")
    grep -q "^version: \"$v\"$" CITATION.cff && grep -q "^## $v$" CHANGELOG.md' \
    - "$program"

done_testing
