#!/bin/sh
# deps [browser|long|mpi|readers|slurm]: installs the missing Debian packages of
# the list `packages` for this purpose; by default, those that build, run and
# test the program.  If none is missing, prints nothing and needs no network.
# deps check FOR...: only reports what is missing, by the probes of the list.
# Exits with 1 if something is still missing.  The Makefile passes the tools
# that it builds with in CC, CXX, PKGCONF, PYTHON, MPICC and CFLAGS.
set -eu
list=${0%/*}/packages
PATH=$PATH:/usr/sbin:/sbin

lines() { # FOR...: "PACKAGE PROBE WHY" of each
    for use; do
        awk -v use="$use" '$1 == use { sub(/^[^ ]+ +/, ""); print }' "$list"
    done
}

# ---- probes ----

named() { # TOOL: what the Makefile calls it
    case $1 in
    pkg-config) echo "${PKGCONF:-$1}" ;;
    gcc) echo "${CC:-$1}" ;;
    g++) echo "${CXX:-$1}" ;;
    mpicc) echo "${MPICC:-$1}" ;;
    python3) echo "${PYTHON:-$1}" ;;
    *) echo "$1" ;;
    esac
}

has_tool() { # TOOL: its name may have options behind
    set -- $(named "$1")
    command -v "$1" >/dev/null
}

compiles() { # HEADER...
    printf '#include <%s>\n' "$@" |
        $(named gcc) ${CFLAGS-} -E -x c - >/dev/null 2>&1
}

# Returns 0 if all probes succeed.  Checks all libraries with one call, and all
# headers with another.
has_all() { # PROBE...
    libraries='' headers=''
    for probe; do
        case $probe in
        library:*) libraries="$libraries ${probe#*:}" ;;
        header:*) headers="$headers ${probe#*:}" ;;
        -) ;;
        *) has "$probe" || return ;;
        esac
    done
    { [ -z "$libraries" ] || $(named pkg-config) --exists $libraries; } &&
        { [ -z "$headers" ] || compiles $headers; }
}

# Returns 0 if the probe succeeds, 1 if it fails, or 2 if it cannot be checked.
has() { # PROBE
    name=${1#*:}
    case $1 in
    command:*)
        has_tool "$name" || return 1
        ;;
    library:*)
        has_tool pkg-config || return 2
        $(named pkg-config) --exists "$name" || return 1
        ;;
    header:*)
        has_tool gcc || return 2
        compiles "$name" || return 1
        ;;
    module:*)
        has_tool python3 || return 2
        $(named python3) -c 'import importlib.util as u, sys
sys.exit(not u.find_spec(sys.argv[1]))' "$name" || return 1
        ;;
    *) return 2 ;;
    esac
}

# Prints "PACKAGE PROBE WHY" for each missing package, and "PACKAGE ?PROBE WHY"
# for each that cannot be checked for lack of a tool.
unseen() { # FOR...
    lines "$@" | while read -r package probe why; do
        state=0
        has "$probe" </dev/null || state=$?
        case $state,$probe in
        0,* | 2,-) ;;
        1,*) echo "$package $probe $why" ;;
        2,*) echo "$package ?$probe $why" ;;
        esac
    done
}

# ---- advice ----

has_apt() {
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || return
    system=${OS_RELEASE:-/etc/os-release}
    [ ! -r "$system" ] || grep -Eq '^ID(_LIKE)?=.*(debian|ubuntu)' "$system"
}

installed() { # PACKAGE
    [ "$(dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null |
        head -n 1)" = installed ]
}

words() { # of stdin, on one line
    paste -s -d ' ' -
}

show() { # a line for each that `unseen` found
    while read -r package probe why; do
        kind=${probe%%:*} name=${probe#*:}
        case $kind in
        command) what=$(named "$name") ;;
        '?library') what="library $name (not checked: there is no pkg-config)" ;;
        '?header') what="header $name (not checked: there is no compiler)" ;;
        '?module') what="Python's $name (not checked: there is no Python)" ;;
        *) what="$kind $name" ;;
        esac
        printf '  %s: %s; Debian package %s\n' "$what" "$why" "$package"
    done
}

advise() { # FOR, with what is missing on stdin
    target=deps
    case $1 in build | run | test) ;; *) target=deps-$1 ;; esac
    if ! has_apt; then
        printf '%s\n' 'There is no apt here: install them as this system does,' \
            'or from source; PKG_CONFIG_PATH, CC, CXX, CFLAGS and LDLIBS tell' \
            '`make` where they are.'
        return
    fi
    here='' away=''
    while read -r package probe why; do
        case $probe,$(installed "$package" && echo installed) in
        '?'*,installed) ;;
        *,installed) here="$here $package" ;;
        *) away="$away $package" ;;
        esac
    done
    [ -z "$away" ] ||
        echo "\`make $target\` installs them, or as root: apt-get install -y" \
            "--no-install-recommends$away"
    [ -z "$here" ] ||
        echo "Installed, but not found:$here. Look at PATH, PKG_CONFIG_PATH," \
            'PKG_CONFIG_LIBDIR, CC and CFLAGS.'
}

check() { # FOR...
    ! has_all $(lines "$@" | awk '{ print $2 }') || return 0
    found=$(unseen "$@")
    [ -n "$found" ] || return 0
    {
        echo 'deps: missing:'
        echo "$found" | show
        echo "$found" | advise "$1"
    } >&2
    return 1
}

if [ "${1-}" = check ]; then
    shift
    check "$@"
    exit
fi

# ---- installing ----

case ${1-} in
browser | long | mpi | readers | slurm) ;;
*) set -- build run test ;;
esac
if ! has_apt; then
    check "$@"
    exit
fi
# `make -j deps deps-mpi` starts this script twice; the lock serializes them.
if command -v flock >/dev/null; then
    exec 9<"$0"
    flock 9
fi
need=$(lines "$@" | while read -r package probe why; do
    installed "$package" || printf '  %-21s %s\n' "$package" "$why"
done)
if [ -z "$need" ]; then
    check "$@"
    exit
fi
printf 'deps: installs these Debian packages:\n%s\n' "$need"

names=$(printf '%s\n' "$need" | awk '{ print $1 }' | words)
sudo=
if [ "$(id -u)" != 0 ]; then
    sudo=sudo
    # If sudo may ask for a password, standard input must be a terminal.
    if ! command -v sudo >/dev/null || { ! [ -t 0 ] && ! sudo -n true; }; then
        printf '%s\n' 'deps: only root can install them. A line for the' \
            'administrator of this machine:' '' "  apt-get update && apt-get \
install -y --no-install-recommends $names" '' >&2
        exit 1
    fi
fi
$sudo apt-get -q update ||
    echo 'deps: apt-get update failed; going on with the lists that are there' >&2
# shellcheck disable=SC2086 # one word per package
$sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o DPkg::Lock::Timeout=600 --no-install-recommends \
    install $names 9>&- || { # what a package starts does not hold the lock
    echo 'deps: apt-get could not install them (see its messages above)' >&2
    exit 1
}
check "$@"
