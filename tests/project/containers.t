#!/bin/sh
# The images run README.md's commands and nothing else.
# tests/cli/fresh-debian.sh builds Containerfile with buildah.
. tests/support/tap.sh

sed -n 's/^RUN //p' Containerfile >"$work/podman"
sed -n '/^%post/,/^%runscript/p' apptainer.def | sed -n 's/^    //p' |
    grep -v '^export\|^cd' >"$work/apptainer"

first() { # FILE: the installing command, up to its first package
    grep -o 'apt-get update && apt-get install -y git make' "$1"
}
ok "Containerfile installs what README's command installs" \
    [ "$(first README.md)" = "$(head -n 1 "$work/podman")" ]
without_user() { grep -v useradd "$1" | sed 's/--global/--system/'; }
ok 'apptainer.def runs the same commands, but for the user' \
    [ "$(without_user "$work/podman")" = "$(cat "$work/apptainer")" ]
of() { sed -n "s/^$1//p" "$2"; }
ok '... from the same release' \
    [ "$(of 'FROM ' Containerfile)" = "$(of 'From: ' apptainer.def)" ]
ok '... for the same processors' \
    [ "$(of 'ARG ARCH=' Containerfile)" = \
    "$(of '    export ARCH=' apptainer.def | sort -u)" ]
ok 'the image ends as a user who is not root' grep -q '^USER synthbench' \
    Containerfile

debian() { ! sh tests/cli/fresh-debian.sh "$@" 2>"$work/err"; }
ok 'fresh-debian.sh refuses an unknown release' debian sid
ok '... and names those that are supported' \
    grep -q 'unknown release sid: bookworm .* trixie' "$work/err"
ok 'without a release it asks for one' debian
ok '... in words' grep -q 'which release? bookworm or trixie' "$work/err"
done_testing
