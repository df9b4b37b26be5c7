#!/bin/sh
# deps [browser|long|mpi|readers|slurm]: the Debian packages that the project needs, and
# why.  Installs what is missing; when nothing is, asks nothing and touches no
# network.
# `browser` means what `make check` opens the report, the man page and completions
# with, and it passes over those tests without; `long` those that only `make check-long` and `make mutants`
# need; `mpi` what several processes train one cell by; `readers` the tools that
# `make check-readers` opens cells with; `slurm` what `make check-slurm` starts.
set -eu

packages() {
    cat <<'TABLE'
gcc                   compiles C
g++                   compiles the wrappers of C++ libraries, links
pkg-config            finds the libraries
git                   names the commit of a build; builds others beside it
libdnnl-dev           oneDNN: matrix products
libhdf5-dev           HDF5: results
hdf5-tools            h5dump: tests read results from outside
libgsl-dev            GSL: linear algebra, statistics
gnuplot-nox           gnuplot: plots
fonts-dejavu-core     the font of the plots
libsentencepiece-dev  SentencePiece: subword tokenizer
libyaml-dev           libyaml: experiment files
libjansson-dev        jansson: JSON of experiments, reports, traces
libsimdjson-dev       simdjson: JSON of official corpora, fast
libunistring-dev      libunistring: Unicode categories
libstemmer-dev        libstemmer: Snowball's English stemmer
libxml2-dev           libxml2: pages of the report
libhwloc-dev          hwloc: NUMA nodes, sockets, cores
nettle-dev            nettle: SHA-256 and MD5
zlib1g-dev            zlib: gzip shards of official corpora
libcmocka-dev         cmocka: unit tests
perl                  prove: runs the tests
python3               sees that planted mistakes have their places
TABLE
}

packages_browser() {
    cat <<'TABLE'
chromium              opens the pages of a report
fish                  completes words of a command line
man-db                shows the man page
zsh                   completes words of a command line
TABLE
}

packages_mpi() {
    cat <<'TABLE'
libopenmpi-dev        mpicc: builds synthbench-mpi
openmpi-bin           mpirun: starts ranks
TABLE
}

packages_long() {
    cat <<'TABLE'
clang                 second compiler, and the thread sanitizer
libclang-rt-dev       clang: sanitizers, libFuzzer
libomp-dev            clang: OpenMP
python3-clang         finds what `make mutants` changes
python3-h5py          reads and writes traces
python3-torch         PyTorch: repeats traces independently
texlive-latex-recommended  LaTeX: tables in LaTeX are compiled
wordnet-base          WordNet 3.0: METEOR's synonyms
TABLE
}

packages_readers() {
    cat <<'TABLE'
hdf5-tools            h5dump
netcdf-bin            ncdump
udunits-bin           udunits2: are units known?
python3-h5py          HDF5 in Python
python3-xarray        arrays with named dimensions
python3-h5netcdf      xarray's reader that uses h5py
python3-netcdf4       xarray's reader that uses netCDF
python3-pandas        tables
r-base-core           R
r-cran-hdf5r          HDF5 in R
TABLE
}

packages_slurm() {
    cat <<'TABLE'
slurmctld             Slurm: gives tasks to nodes
slurmd                Slurm: runs them
slurm-client          Slurm: sbatch, squeue, scontrol
munge                 Slurm: says who asks
TABLE
}

present() {
    [ "$(dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null |
        head -n 1)" = installed ]
}

missing() {
    while read -r name why; do
        present "$name" || printf '  %-21s %s\n' "$name" "$why"
    done
}

die() {
    echo "deps: $*" >&2
    exit 1
}

case ${1-} in
browser | long | mpi | readers | slurm) list=packages_$1 ;;
*) list=packages ;;
esac
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    "$list" >&2
    echo 'deps: no apt here, so nothing is installed; the build needs what the' \
        'list above names' >&2
    exit 0
fi
# `make deps deps-mpi` starts two of these: one after the other.
if command -v flock >/dev/null; then
    exec 9<"$0"
    flock 9
fi
need=$("$list" | missing)
[ -n "$need" ] || exit 0
printf 'deps: installs these Debian packages:\n%s\n' "$need"

names=$(printf '%s\n' "$need" | awk '{ print $1 }')
sudo=
if [ "$(id -u)" != 0 ]; then
    sudo=sudo
    # Where sudo may ask for a password, somebody must be there to give it.
    if ! command -v sudo >/dev/null || { ! [ -t 0 ] && ! sudo -n true; }; then
        printf '%s\n' 'deps: only root can install them. A line for the' \
            'administrator of this machine:' '' "  apt-get update && apt-get \
install -y --no-install-recommends $(echo $names)" '' >&2
        exit 1
    fi
fi
$sudo apt-get -q update ||
    echo 'deps: apt-get update failed; going on with the lists that are there' >&2
# shellcheck disable=SC2086 # one word a package
$sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o DPkg::Lock::Timeout=600 --no-install-recommends \
    install $names 9>&- || # what a package starts does not hold the lock
    die 'apt-get could not install them (its reason stands above)'
