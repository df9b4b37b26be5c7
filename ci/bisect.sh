#!/bin/sh
# Finds the commit that changed the results of a cell, with `git bisect run`:
#     ci/bisect.sh EXPERIMENT.yaml VARIANT/TASK/SEED GOOD BAD
# Builds commits and trains the cell in a separate worktree; your checkout is
# not touched.  $SYNTHBENCH (default: synthbench) compares the results bit by
# bit.  Exit code 2: wrong arguments, or git can only list several candidates,
# because commits between GOOD and BAD do not build or do not train the cell; 4:
# GOOD and BAD have the same results; 7: GOOD or BAD does not build or does not
# train the cell.
set -eu
train() { # STORE: trains the cell with what is checked out
    rm -rf "$dir/$1"
    make -s all >>"$dir/log" 2>&1 && "build/${MODE:-release}/synthbench" run \
        "$dir/x.yaml" --store "$dir/$1" -j 1 -E "$filter" >>"$dir/log" 2>&1
}
same() { # STORE: has it the results of the good commit?
    "${SYNTHBENCH:-synthbench}" compare --digests "$dir/good" "$dir/$1" >&2 && return
    [ $? = 1 ] || exit 255 # they cannot be compared, so git bisect must stop
    return 1
}
end() { # REVISION STORE
    git checkout -q "$1" && train "$2" && return
    tail -n 20 "$dir/log" >&2
    echo "bisect: $1 does not build, or does not train $cell" >&2
    exit 7
}
if [ "${1-}" = --probe ]; then # what `git bisect run` calls
    train probe || exit 125
    same probe; exit
fi
[ $# = 4 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cell=$2 dir=$(mktemp -d) self=$(realpath "$0") top=$(git rev-parse --show-toplevel)
filter="variant==${2%%/*} && task==$(echo "$2" | cut -d / -f 2) && seed==${2##*/}"
export dir filter
trap 'cd / && git -C "$top" worktree remove --force "$dir/tree"; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
cp "$1" "$dir/x.yaml"
git worktree add -q --detach "$dir/tree" "$3" && cd "$dir/tree"
end "$3" good && end "$4" bad
! same bad || { echo "bisect: $cell has the same results at both" >&2; exit 4; }
git bisect start "$4" "$3" && git bisect run "$self" --probe
