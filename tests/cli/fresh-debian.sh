#!/bin/sh
# fresh-debian SUITE [FOLDER]: runs README.md's first commands and the tests, an
# installation and the Debian package, each on a bare machine: the base system
# of a Debian release (bookworm or trixie) in a chroot. Prints a line for each
# stage with its seconds; all output goes to FOLDER/log. Needs root,
# debootstrap, buildah, a network, 6 GB and half an hour. With SCALE=quick,
# trains the experiment that README shows; the default is smoke. Exit code 1: a
# stage failed; 2: it cannot start.
set -u
case ${1-} in
bookworm | trixie) suite=$1 ;;
'') echo 'fresh-debian: which release? bookworm or trixie' >&2; exit 2 ;;
*)
    echo "fresh-debian: unknown release $1: bookworm (Debian 12) and" \
        'trixie (Debian 13) are supported' >&2
    exit 2
    ;;
esac
shift
[ "$(id -u)" = 0 ] || { echo 'fresh-debian: only root can chroot' >&2; exit 2; }
for tool in debootstrap buildah; do
    command -v $tool >/dev/null ||
        { echo "fresh-debian: there is no $tool" >&2; exit 2; }
done
made=
[ $# -gt 0 ] || made=$(mktemp -d)
work=${1:-$made}
mkdir -p "$work" || exit
base=$work/base log=$work/log
made_deb=$work/readme/root/synthbench/build/deb
# The Debian mirror that this machine uses.
mirror=${MIRROR:-$(apt-get indextargets \
    --format '$(SITE)' 'Created-By: Packages' | sed -n '1s|/*$||p')}
export SCALE="${SCALE:-smoke}" DEBIAN_FRONTEND=noninteractive
: >"$log"

# Programs in the chroot need /proc and pseudo-terminals.
enter() { # ROOT COMMAND...
    root=$1
    shift
    mountpoint -q "$root/proc" || mount -t proc proc "$root/proc" || return
    mountpoint -q "$root/dev/pts" ||
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" ||
        return
    env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/root \
        SCALE="$SCALE" REPOSITORY=/repository DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+http_proxy="$http_proxy"} chroot "$root" "$@"
}

unmount() { # ROOT
    for folder in proc dev/pts; do
        mountpoint -q "$1/$folder" && umount "$1/$folder"
    done
}

leave() {
    for root in "$work"/base "$work"/readme "$work"/package; do
        unmount "$root"
    done
    [ -z "$made" ] || rm -rf "$made"
}
trap leave EXIT
trap 'exit 130' INT TERM

bad=0
stage() { # NAME COMMAND...
    name=$1
    shift
    began=$(date +%s)
    echo "==== $name" >>"$log"
    if "$@" >>"$log" 2>&1; then verdict=ok; else verdict=FAILED bad=1; fi
    printf '%-44s %5d s  %s\n' "$name" $(($(date +%s) - began)) $verdict
    [ $verdict = ok ] || { tail -n 20 "$log" >&2; exit 1; }
}

bootstrap() {
    [ -e "$base/etc/debian_version" ] ||
        debootstrap --variant=minbase --include=ca-certificates "$suite" \
            "$base" "$mirror" || return
    cp /etc/resolv.conf "$base/etc/resolv.conf"
    rm -rf "$base/repository"
    git clone -q --bare . "$base/repository"
}

fresh() { # ROOT: a copy of the base; a run that was killed may have left it
    unmount "$1"
    rm -rf "$1" && cp -a "$base" "$1"
}

# `commands` prints the first sh block of README.md, verbatim; `readme` runs the
# lines of the block that match PATTERN.
commands() {
    awk '/^```sh$/ { on = 1; next } on && /^```$/ { exit } on' README.md
}
readme() { # PATTERN: the lines that have it
    commands | grep -e "$1" >"$work/readme/commands.sh"
    [ -s "$work/readme/commands.sh" ] && enter "$work/readme" sh -ec '
        cd /root; . /commands.sh'
}

# Builds Containerfile on this base image instead of the one that it names, and
# runs README's command in the resulting container.
container() {
    image=debian:$suite-slim
    rm -rf "$work/clone" && git clone -q . "$work/clone" &&
        tar -C "$base" --exclude=./repository --exclude=./proc \
            -cf "$work/base.tar" . &&
        box=$(images from scratch) &&
        images add -q "$box" "$work/base.tar" / &&
        images commit -q "$box" "$image" &&
        images bud --pull-never --from "$image" -t synthbench "$work/clone" &&
        box=$(images from --pull-never synthbench) &&
        images run "$box" -- env SCALE="$SCALE" make reproduce
}
images() { # COMMAND...: of buildah, with its storage in FOLDER
    BUILDAH_ISOLATION=chroot buildah --root "$work/images" \
        --runroot "$work/images.run" "$@" </dev/null
}

in_readme() { enter "$work/readme" sh -ec "cd /root/synthbench; $1"; }

installed() { # ROOT: it finds what it needs from anywhere, and trains
    enter "$1" sh -ec 'cd /tmp
        synthbench --version
        synthbench list experiments
        synthbench verify metrics
        synthbench train --like smoke --task lm1b --variant random -S steps=20 \
            --store /tmp/trained
        synthbench table 1
        synthbench plot curves --store /tmp/trained
        rm -r /tmp/trained'
}

files() { # ROOT: all that are there, but for what changes by itself
    (cd "$1" && find usr etc opt srv -not -path '*/__pycache__*' | sort)
}

install_and_away() {
    files "$work/readme" >"$work/before"
    in_readme 'make install' && installed "$work/readme" &&
        in_readme 'make uninstall' && files "$work/readme" >"$work/after" &&
        diff "$work/before" "$work/after"
}

package() {
    in_readme 'apt-get install -y --no-install-recommends \
        build-essential debhelper
        make deb' && cp "$made_deb"/synthbench_*.deb "$work/package.deb"
}

install_package() {
    cp "$work/package.deb" "$work/package/tmp/synthbench.deb"
    enter "$work/package" sh -ec 'apt-get update
        apt-get install -y --no-install-recommends /tmp/synthbench.deb'
}

remove_package() {
    enter "$work/package" sh -ec 'apt-get purge -y synthbench
        [ -z "$(find / -xdev -name "*synthbench*" -not -path "/repository*" \
            -not -path "/proc/*" -not -path "/tmp/*" -not -path "/var/log/*" \
            -not -path "/root/*")" ]'
}

stage 'debootstrap' bootstrap
stage 'a machine with nothing' fresh "$work/readme"
stage 'README: apt-get install' readme apt-get
stage "README: make reproduce (SCALE=$SCALE)" readme 'make reproduce'
stage 'doctor: nothing is needed' in_readme 'build/release/synthbench doctor'
stage 'make check' in_readme 'make check'
stage 'make gate' in_readme 'make gate'
stage 'make install, used elsewhere, make uninstall' install_and_away
stage 'Containerfile: built, make reproduce' container
stage 'make deb' package
stage 'a machine with nothing' fresh "$work/package"
stage 'apt-get install ./synthbench.deb' install_package
stage 'the package, used' installed "$work/package"
stage 'apt-get purge' remove_package
megabytes() { du -xsm --exclude=proc "$1" | cut -f 1; } # FOLDER
echo "disk: $(megabytes "$work/readme") MB with all that came," \
    "$(megabytes "$base") before"
exit $bad
