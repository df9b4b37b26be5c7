#!/bin/sh
# Compares this commit with its merge base, on one machine:
#     ci/gate.sh BASE          # BASE: the branch to merge into, as origin/main
# Builds both commits, trains the cells of experiments/gate.yaml with both, and
# times a few cells with the two builds in turn.  Writes build/gate.md (the full
# report), build/comment.md (the verdict, with the rest collapsed),
# build/gate.xml and build/cost.xml (JUnit).  Exit code: that of `synthbench
# gate`, or 2 for wrong arguments.
set -eu
[ $# = 1 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
base=$(git merge-base "$1" HEAD)
make
rm -rf build/base build/head && git worktree prune
git worktree add -q --detach build/base "$base"
make -C build/base
old=build/base/build/release/synthbench new=build/release/synthbench
$old run experiments/gate.yaml --store build/base/results/gate
$old baseline save base --store build/base/results/gate \
    --baselines build/baselines
status=0 cost=0
$new gate --baseline base --baselines build/baselines experiments/gate.yaml \
    --store build/head --junit build/gate.xml --format md \
    >build/gate.md || status=$?
$new gate --baseline base --baselines build/baselines --store build/head \
    -E 'variant==dense && task==lm1b' --against $old --junit build/cost.xml \
    --format md >build/cost.md || cost=$?
{
    echo '<!-- synthbench gate -->'
    for part in gate cost; do
        [ $part = gate ] && echo '### Results' || echo '### Time and memory'
        sed '/^$/,$d' build/$part.md
        printf '\n<details><summary>Details</summary>\n\n'
        sed '1,/^$/d' build/$part.md
        printf '\n</details>\n'
    done
} >build/comment.md
cat build/cost.md >>build/gate.md
cat build/gate.md
[ $status != 0 ] || status=$cost
exit $status
