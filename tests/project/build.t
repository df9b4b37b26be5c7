#!/bin/sh
# The Makefile, tested on a project of four small files.
. tests/support/tap.sh
root=$PWD
unset MAKEFLAGS MFLAGS MAKELEVEL MODE WERROR CFLAGS SCALE ARCH
export MPI=0
# Git runs with default settings, and only in the repository made below.
# shellcheck disable=SC2046 # names
unset $(git rev-parse --local-env-vars 2>/dev/null)
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_CEILING_DIRECTORIES="${work%/*}"

says() { grep -qE -e "$1" out; }
lacks() { ! says "$1"; }
compiled() { [ "$made" = 0 ] && [ "$(grep -c '  CC' out)" -eq "$1" ]; }
run() { # expects success
    make "$@" > out 2>&1
    made=$?
    return "$made"
}
runs() { "$1" > out; }
fails() { ! make "$@" > out 2>&1; }

cd "$work" || exit 1
mkdir -p harness/base harness/cmd harness/make tests/base tests/cli \
    experiments
cp "$root/Makefile" .
cp "$root"/harness/make/*.sh "$root/harness/make/packages" harness/make/
echo 'int answer(void);' > harness/base/a.h
cat > harness/base/a.c <<'C'
#include "harness/base/a.h"
int answer(void) { return 42; }
C
cat > harness/cmd/main.c <<'C'
#include "build_info.h"
#include "harness/base/a.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* Notes its arguments in `calls`, prints into the -o FILE of a table or claims;
 * ends as the variable of its verb says. */
int main(int argc, char **argv)
{
    FILE *f = fopen("calls", "a");
    for (int i = 1; f && i < argc; i++)
        fprintf(f, "%s%c", argv[i], i + 1 < argc ? ' ' : '\n');
    const char *code = argc > 1 ? getenv(argv[1]) : NULL;
    if (argc > 2 && !strcmp(argv[argc - 2], "-o") &&
        !freopen(argv[argc - 1], "w", stdout))
        return 1;
    printf("%s %s\n", BUILD_COMMIT, BUILD_DIRTY < 0 ? "unknown"
           : BUILD_DIRTY ? "dirty" : "clean");
    if (argc > 1 && !strcmp(argv[1], "list")) /* make writes the schema */
        return 0;
    return code ? atoi(code) : answer() - 42;
}
C
cat > tests/base/test_a.c <<'C'
#include "harness/base/a.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
static void is_42(void **s) { (void)s; assert_int_equal(answer(), 42); }
static void is_int(void **s) { (void)s; assert_true(answer() > 0); }
int main(void)
{
    static const struct CMUnitTest t[] = {
        {"it is 42", is_42, NULL, NULL, NULL},
        {"it is positive", is_int, NULL, NULL, NULL}};
    return cmocka_run_group_tests(t, NULL, NULL);
}
C
printf '#!/bin/sh\necho 1..1\necho ok 1 - shell\n' > tests/cli/b.t
chmod +x tests/cli/b.t
: > experiments/x.yaml

ok 'make builds the program' run
ok 'it runs' runs build/release/synthbench
run
ok 'a second make compiles nothing' compiled 0
touch harness/base/a.h
run
ok 'a changed header compiles those who include it' compiled 2
run CFLAGS=-DX=1
ok 'changed flags compile everything' compiled 2
run CFLAGS=-DX=1
ok 'the same flags compile nothing' compiled 0
ok 'another MODE has a folder of its own' run MODE=debug
ok 'its program runs' runs build/debug/synthbench
ok 'an unknown MODE is refused' fails MODE=fast
ok '... with the list of those there are' says 'release debug double'
run V=1 -B all
ok 'V=1 prints the commands' says '-c -o build/release/harness/base/a.o'

git() {
    command git -c user.name=n -c user.email=e -c init.defaultBranch=b "$@"
}
built() { # COMMIT STATE: what the program says that it was made of
    run && build/release/synthbench >out && says "^$1 $2\$"
}
printf '#!/bin/sh\necho "fatal: dubious ownership: safe.directory" >&2\nexit 128\n' \
    >refuses && chmod +x refuses && mkdir bin && mv refuses bin/git
refused() { # ARGUMENT...: make where git refuses the checkout
    PATH=$PWD/bin:$PATH run "$@"
}
ok 'where there is no repository the commit is not known, nor what changed' \
    built unknown unknown
printf 'build\nout\ncalls\nbin\n' >.gitignore
git init -q . && git add -A && git commit -qm first
ok 'the program knows its commit' built "$(git rev-parse HEAD)" clean
echo >>harness/base/a.h
ok '... and that its tree had uncommitted changes' \
    built "$(git rev-parse HEAD)" dirty
git checkout -q harness && echo >experiments/new.yaml
ok '... a new file is one' built "$(git rev-parse HEAD)" dirty
rm -rf experiments/new.yaml
ok 'where git refuses the checkout the build says so, in its words' eval \
    "refused && says '^build:   fatal: dubious ownership: safe.directory\$'"
ok '... once, and no file is left of it' \
    eval "refused && lacks build: && [ ! -e build/release/build_info.h.git ]"
build/release/synthbench >out
ok '... and neither commit nor changes are known' says '^unknown unknown$'
ok '... until git answers again' built "$(git rev-parse HEAD)" clean
rm -rf bin .git .gitignore calls

ok 'make check passes' run check
ok '... and counts the tests in one line' \
    says '^check: 3 tests in 2 files passed$'
sed -i 's/return 42/return 41/' harness/base/a.c
ok 'make check fails with a test that fails' fails check
ok '... and names its file' \
    says '^check: FAILED: build/release/tests/base/test_a$'
ok '... and the test' says 'not ok 1 - it is 42'
sed -i 's/return 41/return 42; int unused/' harness/base/a.c
ok 'a warning is a warning' run
ok 'WERROR=1 makes it an error' fails WERROR=1
sed -i 's/; int unused//' harness/base/a.c

ok 'make install works with DESTDIR and PREFIX' \
    run install DESTDIR="$work/to" PREFIX=/usr
ok '... the program' test -x to/usr/bin/synthbench
ok '... the experiments' test -f to/usr/share/synthbench/experiments/x.yaml
mkdir -p to/usr/share/man/man1 # as if it had been there before
sed -i '/man$/d; /man1$/d' to/usr/share/synthbench/folders
run install DESTDIR="$work/to" PREFIX=/usr
run uninstall DESTDIR="$work/to" PREFIX=/usr
ok 'make uninstall leaves what was there before, and nothing else' test \
    "$(find to -mindepth 1 | sort | paste -s -d ' ' -)" = \
    'to/usr to/usr/share to/usr/share/man to/usr/share/man/man1'
rm -r to
run install PREFIX="$work/own"
run uninstall PREFIX="$work/own"
ok '... no folder that it made' test ! -e own

run compile_commands.json
ok 'compile_commands.json is JSON and has every source' \
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
        exit(@$j != 3 || grep { !-f $_->{file} } @$j)' < compile_commands.json

mkdir fake
printf '#!/bin/sh\necho called >> "%s/apt"\nexit 1\n' "$work" > fake/apt-get
chmod +x fake/apt-get
PATH="$work/fake:$PATH"
ok 'make deps is silent where nothing is missing' run deps
ok '... prints nothing' test ! -s out
ok '... and does not call apt-get' test ! -e apt
printf '#!/bin/sh\nexit 1\n' > fake/dpkg-query
printf '#!/bin/sh\n[ "$1" = -u ] && echo 0\n' > fake/id
chmod +x fake/dpkg-query fake/id
ok 'make deps fails where apt-get does' fails deps
ok '... having said what it installs and why' says '^  libhdf5-dev .*results'
ok 'make deps-browser too' fails deps-browser
ok '... which is another list' says '^  chromium .*report'
printf '#!/bin/sh\n[ "$1" = -u ] && echo 1000\n' > fake/id
printf '#!/bin/sh\nexit 1\n' > fake/sudo
chmod +x fake/sudo
rm apt
fails deps </dev/null
ok 'who is not root gets a line for the administrator' says \
    '^  apt-get update && apt-get install -y --no-install-recommends pkg-config gcc'
ok '... and nothing is installed' test ! -e apt
rm -r fake

PATH=$(echo "$PATH" | sed 's|^[^:]*:||')
called() { # LINE...: these are all calls that were made
    printf '%s\n' "$@" > wanted
    diff wanted calls > out
}
: > experiments/smoke.yaml
: > experiments/quick.yaml
tables() {
    for t in 2 3 4 5 6 7; do
        for f in text:txt md:md csv:csv json:json; do
            echo "table $t --store results/$1 --format ${f%:*} --all --width 120" \
                "-o results/$1/tables/table$t.${f#*:}.new"
        done
    done
    for f in text:txt json:json; do
        echo "claims --all --format ${f%:*} --store results/$1" \
            "-o results/$1/tables/claims.${f#*:}.new"
    done
    echo "plot --store results/$1"
    findings=' --findings'
    [ "$1" != smoke ] || findings=
    echo "report --store results/$1 -o results/$1/report$findings"
}
rm -f calls
ok 'make reproduce SCALE=smoke ends well' run reproduce SCALE=smoke
ok '... having said where the pictures are' says 'pictures  *results/smoke/plots'
ok '... then which file to open' says '^open    results/smoke/report/index.html$'
ok '... and at last that the installation works' test "$(tail -n 1 out)" = \
    'smoke passed: the installation works'
ok '... a line a stage, without a terminal' test "$(grep -c ' \.\.\.$' out)" = 8
ok '... having fetched what it needs' called 'data fetch smoke' \
    'run experiments/smoke.yaml --store results/smoke' "$(tables smoke)"
ok '... and the log has what the stages said' \
    grep -q '^=.* building$' results/smoke/reproduce.log
ok '... which the terminal has not' lacks '  CC '
rm calls
ok 'make -j3 reproduce trains three cells at a time' run -j3 reproduce SCALE=smoke
ok '... as run is told' grep -q '^run .* -j 3$' calls
run -n reproduce SCALE=smoke JOBS=5
ok 'JOBS=5 five' says '/reproduce.sh .* smoke 5$'
JOBS=7 run -n reproduce SCALE=smoke
ok '... from the environment, too' says '/reproduce.sh .* smoke 7$'
ok '... the tables stand in their folder' test -s results/smoke/tables/table2.md
rm calls
ok 'make reproduce falls back to generators' run reproduce data=8
ok '... whose last line is which file to open' test "$(tail -n 1 out)" = \
    'open    results/quick/report/index.html'
ok '... and says so loudly' says '^\*\*\* Generators stand in'
ok '... and tells run' called 'data fetch quick' \
    'run experiments/quick.yaml --synthetic --store results/quick' \
    "$(tables quick)"
rm calls
ok 'another failure to fetch is a failure' fails reproduce data=9
ok '... which shows where the log is' \
    says 'all of it: results/quick/reproduce.log'
ok '... before anything is run' called 'data fetch quick'
rm calls
ok 'failed cells fail it' fails reproduce SCALE=smoke run=1
ok '... whose last line is another' test "$(tail -n 1 out)" != \
    'smoke passed: the installation works'
ok '... after the rest was rendered' called \
    'data fetch smoke' \
    'run experiments/smoke.yaml --store results/smoke' "$(tables smoke)"
rm calls
ok 'a table without cells is passed over' run reproduce SCALE=smoke table=7
ok '... in every format' called \
    'data fetch smoke' 'run experiments/smoke.yaml --store results/smoke' \
    "$(tables smoke | grep -v '^table.*\(md\|csv\|json\) --all')"
rm calls
ok 'another failure of a table ends it' fails reproduce SCALE=smoke table=5
ok '... at once' called 'data fetch smoke' \
    'run experiments/smoke.yaml --store results/smoke' \
    "$(tables smoke | head -n 1)"
rm calls
ok 'a run that cannot go on ends it' fails reproduce SCALE=smoke run=5
ok '... at once' called 'data fetch smoke' \
    'run experiments/smoke.yaml --store results/smoke'
ok 'make help has the targets' run help
ok '... with what they take' says '^make install PREFIX=/usr/local DESTDIR='
rm -f calls
ok 'make -n reproduce prints what it would run' run -n reproduce SCALE=smoke
ok '... and runs nothing' test ! -e calls
ok 'an unknown SCALE is refused' fails reproduce SCALE=huge
ok '... and named' says 'SCALE=huge'

# A oneDNN older than 2.6, as claimed by its header.
mkdir old
printf '#define DNNL_VERSION_MAJOR 2\n#define DNNL_VERSION_MINOR 5\n' >old/dnnl.h
cp old/dnnl.h old/dnnl_debug.h
older() {
    ! "${CC:-cc}" -E -Iold "$root/harness/engine/cpu/onednn.h" >out 2>&1
}
ok 'a oneDNN older than 2.6 is refused' older
ok '... with what is wanted' says 'oneDNN is older than 2.6: install a later version'

ok 'make clean works where no library is found' run clean PKGCONF=/nowhere
ok '... and removes all that was built' test ! -e build
ok 'a build without the libraries fails' fails PKGCONF=/nowhere
ok '... and names the tool and its package' \
    says '^  /nowhere: finds the libraries; Debian package pkg-config$'
ok '... what it could not look for, too' \
    says '^  library hdf5 (.*): .*; Debian package libhdf5-dev$'
ok '... and sends nobody in a circle' lacks 'make deps'

# ---- without apt ----

mkdir tools empty
(
    IFS=:
    for folder in $PATH; do
        ln -s "$folder"/* tools/ 2>/dev/null
    done
)
rm tools/apt-get tools/dpkg-query
without() { # COMMAND...: where there is no apt
    PATH=$PWD/tools "$@"
}
ok 'make deps without apt passes where nothing is missing' without run deps
ok '... in silence' test ! -s out
rm tools/h5dump
ok '... and fails where something is' without fails deps
ok '... which it names, with its Debian package' \
    says '^  h5dump: .*; Debian package hdf5-tools$'
ok '... alone' test "$(grep -c 'Debian package' out)" = 1
ok 'what only tests need stops no build' without run
ok '... and no reproduction' without run reproduce SCALE=smoke
ok '... but the tests' without fails check
ok '... which name it' says '^  h5dump: '
export PKG_CONFIG_LIBDIR=$PWD/empty
ok 'make deps without apt names a library' without fails deps
ok '... with its Debian package' \
    says '^  library gsl: .*; Debian package libgsl-dev$'
ok 'make without that library fails' without fails
ok '... and names it' says '^  library gsl: .*; Debian package libgsl-dev$'
ok '... and does not send back to make deps' lacks 'make deps'
ok 'with apt, a library that is installed and not found is' fails
ok '... said to be that' says '^Installed, but not found:.* libgsl-dev'
ok '... by make deps too, which has nothing to install' fails deps
ok '... likewise' says '^Installed, but not found:.* libgsl-dev'
unset PKG_CONFIG_LIBDIR
printf '#!/bin/sh\necho "$*" >>"%s/apt"\n' "$work" >tools/apt-get
printf '#!/bin/sh\nexit 1\n' >tools/dpkg-query
chmod +x tools/apt-get tools/dpkg-query
rm -f apt
printf 'ID=other\nID_LIKE="rhel fedora"\n' >os
OS_RELEASE=$PWD/os without fails deps
ok 'on another system apt-get is left alone' test ! -e apt
ok '... and what is missing named' says '^  h5dump: '
rm tools/pkg-config
ok 'without pkg-config make fails' without fails
ok '... and names it' says '^  pkg-config: .*; Debian package pkg-config$'
rm tools/cc
ok 'without a compiler make fails' without fails
ok '... and names it' says '^  cc: compiles C; Debian package gcc$'
done_testing
