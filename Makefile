# make                 builds the program: build/$(MODE)/synthbench
# make reproduce       installs what is missing, builds, fetches, trains, renders
#                      (SCALE=quick|smoke|reduced)
# make install PREFIX=/usr/local DESTDIR=     make uninstall
# make deb             builds a Debian package of this commit: build/deb/*.deb
# make deps            installs the Debian packages that these targets need
# make help            prints this text
#
# make check           runs every test; check-long: the long ones
# make lint            checks rules that the compiler does not know
# make ptx             compiles the GPU's kernels (needs clang 14)
# make gpu-kit         makes build/gpu-kit: `gpu-kit OUT` measures the GPU of a
#                      machine without this tree (tests/gpu)
# make layers          prints which module includes which
# make golden          writes the text that tests/golden/golden.t compares with
# make gate            compares this build with results/baselines/gate.tsv
# make fuzz            gives RUNS random inputs to each reader of files, stores,
#                      experiments and claims
# make mutants         injects faults one at a time and runs the tests
#                      (tests/mutants/README.md)
# make coverage        prints the branches that the tests take, by module, and
#                      lists the others in build/coverage/untaken.txt
# make check-full      trains two steps of every full-size model, saves, resumes
# make check-mpi       checks that results do not depend on ranks (tests/mpi)
# make check-readers   opens cells in h5dump, ncdump, Python and R
# make check-slurm     trains the smoke cells through a real Slurm of one node,
#                      which the test starts and stops (as root)
# make deps-browser    installs programs with which `check` tests pages, the man
#                      page and completions; without them it skips these tests
# make deps-mpi        installs Open MPI, so that processes can share a cell
# make deps-long       installs packages for check-long; deps-readers and
#                      deps-slurm: for check-readers and check-slurm
#
# make baseline STORE=results/quick    saves its tables and pictures for a commit
# make baselines       renders results/baselines again from the JSON there
# make compile_commands.json    make clean
#
# MODE=debug|double|asan|ubsan|tsan|golden  another build, in build/$(MODE)
# ARCH=native|x86-64-v3|...  processors to build for, as gcc's -march; nodes that
#                      share a build need a value that all of them support
# MPI=0|1              builds synthbench-mpi (default: 1 if mpicc is found)
# V=1 prints the commands; WERROR=1 makes warnings errors; -jN or JOBS=N sets
# the number of concurrent compilers, tests and cells (default: the processors)
MODE    ?= release
SCALE   ?= quick
PREFIX  ?= /usr/local
DESTDIR ?=
V       ?= 0
WERROR  ?= 0
ARCH    ?= native
PKGCONF ?= pkg-config
PYTHON  ?= /usr/bin/python3
MPICC   ?= mpicc
MPI     ?= $(if $(shell command -v $(MPICC) 2>/dev/null),1,0)
CORES   := $(shell nproc)
JOBS    ?= $(CORES)

# Runs as many jobs as there are processors, unless -j is given or the order
# matters.
ifeq ($(MAKELEVEL)$(filter clean deps,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(JOBS)
endif
# The N of -jN in a recipe; without -j, JOBS.
WORKERS = $(or $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS))),$(JOBS))

# ---- flags ----
OPT_release = -O3 -march=$(ARCH)
OPT_debug   = -O0 -g
OPT_double  = -O2 -g -march=native -DREAL_DOUBLE -DPLAIN_PRODUCTS
OPT_asan    = -O1 -g -march=$(ARCH) -DARENA_DEBUG -fsanitize=address,leak \
              -fno-omit-frame-pointer -Wno-format-truncation
OPT_ubsan   = -O1 -g -march=$(ARCH) -fsanitize=undefined \
              -fno-sanitize-recover=all -Wno-format-truncation
OPT_tsan    = -O1 -g -fsanitize=thread
# The results do not depend on compiler, processor or caches: nothing is
# vectorised or contracted (-fno-tree-loop-vectorize stops `omp simd`, too),
# and matrix products are plain loops.
OPT_golden  = -O2 -march=x86-64-v3 -ffp-contract=off -fno-tree-vectorize \
              -fno-tree-loop-vectorize -DPLAIN_PRODUCTS
OPT_coverage = -O1 -march=$(ARCH) --coverage -Wno-maybe-uninitialized
OPT_fuzz    = -O1 -g -DARENA_DEBUG -fsanitize=fuzzer-no-link,address,undefined \
              -fno-sanitize-recover=all
OPT         = $(OPT_$(MODE))
ifeq ($(OPT),)
$(error MODE=$(MODE) is not one of release debug double asan ubsan tsan fuzz \
        golden coverage)
endif
ifeq ($(MODE),tsan) # gcc's OpenMP runtime reports false races
override CC  = clang
override CXX = clang++
export TSAN_OPTIONS ?= ignore_noninstrumented_modules=1
endif

# MODE=golden needs gcc, because clang would sum in another order; MODE=coverage
# needs gcc, because gcov reads only gcc's counts.
ifneq ($(filter golden coverage,$(MODE)),)
override CC  = gcc
override CXX = g++
endif

ifeq ($(MODE),fuzz) # libFuzzer is clang's
override CC  = clang
override CXX = clang++
endif

ifeq ($(MODE),coverage) # a process that ends with _exit writes its counts, too
DUMP = tests/mutants/dump.c
LDLIBS += -Wl,--wrap=_exit
endif

# oneDNN, libunistring, libstemmer and the part of HDF5 with dimension scales
# have no pkg-config file in Debian.
PKGS   := hdf5 gsl sentencepiece yaml-0.1 jansson simdjson nettle zlib
# These libraries affect no result of a cell, so its provenance does not list
# them.
ASIDE  := libxml-2.0 hwloc
pkg     = $(shell $(PKGCONF) $1 2>/dev/null)
PKG_I  := $(patsubst -I%,-isystem %,$(call pkg,--cflags $(PKGS) $(ASIDE)))
PKG_L  := $(call pkg,--libs $(PKGS) $(ASIDE))
ERROR_1 = -Werror
WARN  = -Wall -Wextra -Wshadow -Wpedantic -Wpointer-arith -Wundef \
        -Wwrite-strings $(ERROR_$(WERROR))
ifneq ($(findstring clang,$(CC)),)
# Clang warns about loops marked `omp simd` that it does not vectorise.
# Initialisers may leave the last fields zero.
WARN += -Wno-pass-failed -Wno-missing-field-initializers
endif
WARNC = $(WARN) -Wstrict-prototypes -Wmissing-prototypes -Wvla
# No code reads errno after a square root.  If gcc need not set errno, it can
# vectorise loops with roots.  HDF5 is called through the interface of version
# 1.10, which later releases also have.
BASE  = -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -DH5_USE_110_API -fopenmp \
        -ffp-contract=fast -fno-math-errno -I. -I$B $(OPT) \
        $(PKG_I)
CFLAGS_ALL   = -std=c11 $(BASE) $(WARNC) $(CFLAGS)
CXXFLAGS_ALL = -std=c++17 $(BASE) $(WARN) $(CXXFLAGS)
LIBS = -lhdf5_hl $(PKG_L) -ldnnl -lunistring -lstemmer -lm $(LDLIBS)

# ---- files ----
B    = build/$(MODE)
PORTER = harness/ranks/mpi/porter.c
SRC  = $(filter-out $(PORTER),$(sort $(wildcard harness/*/*.c harness/*/*/*.c \
         variants/*.c plots/*.c))) $(DUMP)
SRCX = $(sort $(wildcard harness/*/*.cc harness/*/*/*.cc))
MAIN = harness/cmd/main.c
TEST = $(sort $(wildcard tests/*/test_*.c))
HELP = $(sort $(wildcard tests/support/*.c))
OBJ  = $(filter-out $(MAIN:%.c=$B/%.o),$(SRC:%.c=$B/%.o)) $(SRCX:%.cc=$B/%.o)
TESTS = $(TEST:%.c=$B/%)
SHELL_TESTS = $(sort $(wildcard tests/cli/*.t tests/project/*.t))
TORTURE_TESTS = $(sort $(wildcard tests/torture/*.t))
# Gradients are checked in double precision.
DOUBLE_TESTS = $(filter $(TEST:%.c=%),$(addprefix tests/,engine/test_cuda \
                 engine/test_ops \
                 nn/test_decode nn/test_model variants/test_variant_facts \
                 variants/test_variants verify/test_trace))

HAS = has-build has-run has-test

Q_0 = @printf '  %-5s %s\n'
Q_1 = @:
Q   = $(Q_$(V))
H_0 = @
H   = $(H_$(V))

.PHONY: all tests check check-long double-tests check-mode golden golden-tools \
        fuzz gate mutants coverage help lint layers ptx deps deps-browser \
        deps-long deps-mpi deps-readers deps-slurm reproduce baseline \
        baselines install uninstall deb clean check-full check-mpi \
        check-readers check-slurm gpu-kit without-porter FORCE $(HAS)
.PRECIOUS: $B/%.o
.DELETE_ON_ERROR:
# Only synthbench-mpi, the program that mpirun starts, is linked with MPI.
PORTER_1 = $B/synthbench-mpi
PORTER_0 = without-porter
all: $B/synthbench $(PORTER_$(MPI)) $B/schema.json

# Experiment files refer to the schema, so that editors can check them.
$B/schema.json: $B/synthbench
	$H$B/synthbench list schema > $@

$B/libsynthbench.a: $(OBJ)
	$Q AR $@
	$Hrm -f $@ && ar rcs $@ $(OBJ)

# harness/make/packages lists the packages that the targets below require.
# `has-PURPOSE` fails if a package for that purpose is missing.
DEPS = CC='$(CC)' CXX='$(CXX)' CFLAGS='$(CFLAGS)' PKGCONF='$(PKGCONF)' \
       PYTHON='$(PYTHON)' MPICC='$(MPICC)' sh harness/make/deps.sh
$(HAS): has-%:
	@$(DEPS) check $*
$(TEST:%.c=$B/%.o) $(HELP:%.c=$B/%.o): | has-test

# These two stamps, the flags and what the program reports about its build, are
# written only if their contents change.  BUILD_DIRTY is -1 if git fails, as in
# a checkout that another user owns.
$B/flags: FORCE
	@$(DEPS) check build
	@mkdir -p $B
	@echo '$(CC) $(CXX) $(CFLAGS_ALL) $(CXXFLAGS_ALL) $(LIBS)' > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$B/build_info.h: FORCE | $B/flags
	@mkdir -p $B
	@dirty=-1; \
	if commit=$$(git rev-parse --verify HEAD 2>$@.git) && \
	    changes=$$(git status --porcelain 2>$@.git); \
	then dirty=0; [ -z "$$changes" ] || dirty=1; \
	else commit=unknown; fi; \
	[ $(MODE) != golden ] || commit=golden dirty=0; \
	{ echo '#ifndef BUILD_COMMIT'; \
	  printf '#define BUILD_COMMIT "%s"\n#define BUILD_DIRTY %d\n' \
	    "$$commit" $$dirty; \
	  printf '#define BUILD_COMPILER "%s"\n#define BUILD_FLAGS "%s"\n' \
	    "$$($(CC) --version | head -n 1)" \
	    "$$(echo '$(strip $(CFLAGS_ALL))' | sed 's/[\\"]/\\&/g')"; \
	  printf '#define BUILD_INSTRUCTIONS "%s"\n' "$$($(CC) $(CFLAGS_ALL) \
	    -dM -E -x c /dev/null | sed -nE \
	    's/^#define __((SSE4|AVX|FMA|F16C|AMX|ARM_NEON|ARM_FEATURE)\S*)__ 1$$/\1/p' | \
	    tr A-Z a-z | sort | paste -s -d ' ' -)"; \
	  printf '#define BUILD_LIBRARIES "%s"\n' "$$(for p in $(PKGS); do \
	    echo "$$p $$($(PKGCONF) --modversion $$p 2>/dev/null)"; done | \
	    paste -s -d , -)"; \
	  echo '#endif'; \
	} > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else \
	  mv $@.new $@; \
	  ! grep -q 'BUILD_DIRTY -1' $@ || { \
	    echo 'build: results will not say which commit made them; git says:'; \
	    sed 's/^/build:   /' $@.git; } >&2; \
	fi; rm -f $@.git

$B/%.o: %.c $B/flags | $B/build_info.h
	$Q CC $<
	@mkdir -p $(@D)
	$H$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$B/%.o: %.cc $B/flags | $B/build_info.h
	$Q CXX $<
	@mkdir -p $(@D)
	$H$(CXX) $(CXXFLAGS_ALL) -MMD -MP -c -o $@ $<

$B/synthbench-mpi: $(PORTER) harness/ranks/wire.h $B/flags
	@command -v $(MPICC) >/dev/null || $(DEPS) check mpi
	$Q MPICC $@
	$H$(MPICC) -std=c11 -O2 -D_GNU_SOURCE $(WARNC) -I. -o $@ $<

without-porter:
	@rm -f $B/synthbench-mpi

# The PTX of the GPU kernels is committed, so clang 14, which generates it, is
# needed only after a change to a kernel.
PTX      = harness/engine/cuda/kernels.ptx
PTX_FROM = $(wildcard harness/engine/cuda/*.cu) $(addprefix \
             harness/engine/, cuda/grid.h cuda/kernels.h cuda/kernel_list.h \
             exp.h row.h tensor.h)
PTX_CC   = clang-14 -x cuda -nocudainc -nocudalib --cuda-device-only \
           --cuda-gpu-arch=sm_80 -Wno-unknown-cuda-version \
           -Xclang -target-feature -Xclang +ptx70 -ffp-contract=off -O2 -I. -S

ptx:
	$(PTX_CC) -o $(PTX) harness/engine/cuda/kernels.cu

$B/harness/engine/cuda/driver.o: $(PTX)
# As in the PTX, multiplications and additions are not fused.
$B/tests/support/kernels.o: private CFLAGS_ALL += -ffp-contract=off

# memory.c defines malloc; with builtins, the compiler could turn its code into
# calls to the same function.
$B/harness/base/memory.o: private CFLAGS_ALL += -fno-builtin

# Counters in the loops of kernels would make training ten times slower, and
# those of tests are of no interest.
ifeq ($(MODE),coverage)
$B/harness/engine/cpu/%.o $B/tests/%.o $B/device/%: private OPT = $(OPT_release)
endif

$B/synthbench: $(MAIN:%.c=$B/%.o) $B/libsynthbench.a
	$Q LD $@
	$H$(CXX) $(CXXFLAGS_ALL) -o $@ $^ $(LIBS)

$(TESTS): %: %.o $(HELP:%.c=$B/%.o) $B/libsynthbench.a
	$Q LD $@
	$H$(CXX) $(CXXFLAGS_ALL) $(WRAP) -o $@ $^ $(LIBS) -lcmocka

$B/tests/torture/step: $B/tests/torture/step.o
	$Q LD $@
	$H$(CC) $(CFLAGS_ALL) -o $@ $<

# This test intercepts the program's allocation calls to count them.
comma = ,
$B/tests/engine/test_allocation: WRAP = $(patsubst %,-Wl$(comma)--wrap=%,malloc \
                                  calloc realloc aligned_alloc mmap)

# Tools of the golden tests: `dump` prints the contents of cells, `rows` the
# data.
$B/tests/golden/%: $B/tests/golden/%.o $(HELP:%.c=$B/%.o) $B/libsynthbench.a
	$Q LD $@
	$H$(CXX) $(CXXFLAGS_ALL) -o $@ $^ $(LIBS) -lcmocka

# Libraries for LD_PRELOAD: `inject` makes the k-th call fail, `calls` records
# system calls in order, `clock` replaces the clock for golden tests, and
# `serve` starts many commands in one process.
$B/%.so: tests/inject/%.c $B/flags
	$Q LD $@
	$H$(CC) -std=c11 -O1 -g $(WARNC) -fPIC -shared -fno-builtin -I. -o $@ $<

# A CUDA driver that simulates a GPU for tests (tests/support/device.h).  An
# empty cuBLASLt hides that of the machine, which could not use this driver.
DEVICE = tests/support/device.c tests/support/grid.c tests/support/kernels.c \
         harness/base/err.c
$B/device/libcuda.so.1: $(DEVICE) $(PTX_FROM) tests/support/device.h $B/flags
	$Q LD $@
	@mkdir -p $(@D)
	$H$(CC) $(CFLAGS_ALL) -ffp-contract=off -fPIC -shared -o $@ $(DEVICE)
	$Hfor v in 11 12 13; do ln -sf $(@F) $(@D)/libcublasLt.so.$$v; done

# ---- tests ----
# $(call prove,FILES) runs the tests, and prints their TAP and a line with their
# number.  Waiting threads sleep, because tests run in parallel: if two threads
# of a small model spin, they take ten times as long on a busy processor.
define prove
@{ CMOCKA_MESSAGE_OUTPUT=TAP SYNTHBENCH=$B/synthbench OMP_WAIT_POLICY=passive \
   prove -f -o --timer -j $(WORKERS) -e '' $1; echo $$? > $B/check.rc; } 2>&1 | \
   awk "$$WITHOUT_CLOSING_REMARKS" | tee $B/check.log; \
if [ "$$(cat $B/check.rc)" = 0 ]; then \
    sed -n "$$COUNT" $B/check.log | sed 's/^/$@: /'; \
else \
    echo "$@: FAILED:" $$(sed -n 's/^\([^ ]*\) *(Wstat.*/\1/p' $B/check.log); \
    exit 1; \
fi
endef

# At the end of a file, cmocka prints "# ok - NAME", which would appear in the
# middle of a line of prove.
define WITHOUT_CLOSING_REMARKS
/ \.+ *$$/ { file = $$0; next }
/^# (not )?ok - / { next }
file != "" { printf "%s%s", file, /^ok/ ? "" : "\n"; file = "" }
{ print; fflush() }
endef
export WITHOUT_CLOSING_REMARKS
# Counts that tests print, such as "# kills: 12/12", are repeated after the
# total.
define COUNT
s/^Files=\([0-9]*\), Tests=\([0-9]*\),.*/\2 tests in \1 files passed/p
s,^# \([a-z ]*: [0-9][0-9]*/[0-9].*\),\1,p
s,^# \(faults: .*\),\1,p
endef
export COUNT

# Tools that the shell tests need in addition to the program.
TOOLS = $(patsubst tests/inject/%.c,$B/%.so,$(wildcard tests/inject/*.c)) \
        $(patsubst tests/support/device.c,$B/device/libcuda.so.1, \
                   $(wildcard tests/support/device.c)) \
        $(patsubst %.c,$B/%,$(wildcard tests/torture/*.c))

tests: $(TESTS) $(TOOLS)
double-tests: $(DOUBLE_TESTS:%=$B/%) $B/synthbench

# The tools that write the text of a small matrix (tests/golden/make.sh), in a
# build whose results are bit-identical on every machine.
GOLDEN_TOOLS = $(patsubst %.c,build/golden/%,$(wildcard tests/golden/*.c)) \
               $(patsubst tests/inject/%.c,build/golden/%.so, \
                          $(wildcard tests/inject/clock.c)) \
               build/golden/synthbench

golden-tools:
	@$(MAKE) --no-print-directory MODE=golden $(GOLDEN_TOOLS)

golden: golden-tools
	@rm -rf build/golden/text
	@sh tests/golden/make.sh build/golden build/golden/text
	@rm -rf tests/golden/text && cp -R build/golden/text tests/golden/text
	@git add -N tests/golden/text && git diff --stat tests/golden/text

# The gate of this project uses the build whose results are bit-identical on
# every machine: a commit that changes a number also changes
# results/baselines/gate.tsv.  `make gate BASELINE=save` writes it.
gate:
	@$(MAKE) --no-print-directory MODE=golden build/golden/synthbench
	@rm -rf build/gate
	@if [ '$(BASELINE)' = save ]; then \
	    build/golden/synthbench run experiments/gate.yaml \
	        --store build/gate $(WORKERS:%=-j %) && \
	    build/golden/synthbench baseline save gate --store build/gate \
	        --portable; \
	else \
	    build/golden/synthbench gate --exact --baseline gate \
	        experiments/gate.yaml --store build/gate $(WORKERS:%=-j %); \
	fi

check: all tests golden-tools | has-test
	@$(MAKE) --no-print-directory MODE=double double-tests
	$(call prove,$(wildcard tests/golden/*.t) $(TESTS) \
	    $(DOUBLE_TESTS:%=build/double/%) $(SHELL_TESTS) $(TORTURE_TESTS))

# Runs the tests of one MODE, and a small matrix from end to end.
check-mode: all tests
	$(call prove,$(TESTS))
	@rm -rf $B/smoke
	$H$B/synthbench run experiments/smoke.yaml --store $B/smoke

# Checks that results are bit-identical for any number of ranks, over families,
# precisions and optimisers.
check-mpi: all
	$(call prove,tests/cli/mpi.t $(wildcard tests/mpi/*.t))

check-long: check
	@$(MAKE) --no-print-directory CC=clang CXX=clang++ B=build/clang \
	    WERROR=1 all tests
	@CMOCKA_MESSAGE_OUTPUT=TAP prove -e '' build/clang/tests/engine/test_cuda
	@$(PYTHON) tests/gate/faults/run time --trials 20
	@for m in asan ubsan tsan; do \
	    $(MAKE) --no-print-directory MODE=$$m check-mode || exit; \
	done
	@$B/synthbench data fetch --cache $B/text apt sentiment
	@REAL_TEXT=$(CURDIR)/$B/text CMOCKA_MESSAGE_OUTPUT=TAP \
	    prove -e '' $B/tests/tasks/test_labels
	@sh tests/parity/parity.sh $B/synthbench
	@FAULTS=all SYNTHBENCH=$B/synthbench prove -f -o -e '' tests/cli/faults.t
	@NATIVE=all SYNTHBENCH=$B/synthbench prove -f -o -e '' \
	    tests/golden/golden.t
	@$(MAKE) --no-print-directory check-mpi
	@$(MAKE) --no-print-directory check-full
	@export TORTURE=long; \
	$(subst @{,{,$(call prove,$(TORTURE_TESTS)))
	@FORMATS='cell weights trace journal experiment asked claims' \
	    $(MAKE) --no-print-directory fuzz RUNS=1000000
	@for what in faults recipes same; do \
	    $(PYTHON) tests/gate/faults/run $$what || exit; \
	done
	@echo 'check-long: clang, asan, ubsan, tsan, parity, every' \
	    'fault, the gate and fuzzing passed'

# Runs every kind of full-size model.  This takes 8 GB of memory and 10 minutes
# on two cores.
check-full: all
	@rm -rf $B/full && mkdir -p $B/full
	@perl tests/support/official.pl $B/full/data
	@$B/synthbench rehearse experiments/full.yaml --data-dir $B/full/data \
	    --cache $B/full/cache --store $B/full/store

check-readers: all
	$(call prove,$(wildcard tests/readers/*.t))

check-slurm: all
	@SYNTHBENCH=$B/synthbench prove -f -o -e '' tests/slurm/real.t

# ---- fuzzing ----
RUNS = 50000
FUZZ = $(OBJ) $(patsubst %.c,$B/%.o,$(wildcard tests/fuzz/*.c))

fuzz:
	@$(MAKE) --no-print-directory MODE=fuzz build/fuzz/fuzz
	@sh tests/fuzz/run.sh build/fuzz/fuzz $(RUNS) build/fuzz/found

$B/fuzz: $(FUZZ)
	$Q LD $@
	$H$(CXX) $(CXXFLAGS_ALL) -fsanitize=fuzzer -o $@ $^ $(LIBS)

# The options of tests/mutants/run are variables here: AREA=nn, GENERATED=20.
MUTANTS = $(if $(AREA),--area '$(AREA)') $(if $(ONLY),--only '$(ONLY)') \
          $(if $(WITHOUT),--without '$(WITHOUT)') \
          $(if $(GENERATED),--generated $(GENERATED)) \
          $(if $(SEED),--seed $(SEED)) $(if $(PLANTED),--planted)

mutants:
	@$(PYTHON) tests/mutants/run --jobs $(WORKERS) $(MUTANTS)

# Prints which branches the tests of `check` take.  Tests that use other builds
# (golden, double, and those below) do not count.  faults.t would also make
# calls of gcov fail, and would then wait for gcov's locks for ever.
UNCOUNTED = $(addsuffix .t,$(addprefix tests/project/,build containers docs \
              lint mutants ptx recipe recipe_more) tests/cli/faults)
coverage: B = build/coverage
coverage:
	@mkdir -p $B && find $B -name '*.gcda' -delete
	@$(MAKE) --no-print-directory MODE=coverage all tests
	-$(call prove,$(TESTS) $(filter-out $(UNCOUNTED),$(SHELL_TESTS)) \
	    $(TORTURE_TESTS))
	@$(PYTHON) tests/mutants/branches.py $B

# The kit runs on any x86-64-v3 processor; its products need no library.
KIT = B=build/kit MODE=release ARCH=x86-64-v3 CFLAGS=-DPLAIN_PRODUCTS \
      CXXFLAGS=-Wl,--as-needed
gpu-kit:
	@$(MAKE) --no-print-directory $(KIT) build/kit/synthbench \
	    build/kit/tests/engine/test_cuda
	@sh harness/make/gpu_kit.sh build/kit build/gpu-kit
	@ls -la build/gpu-kit

# Prints which modules each module includes, as in ARCHITECTURE.md.
layers:
	@sh harness/make/layers.sh

help:
	@sed -n '/^[^#]/q; s/^# \{0,1\}//p' Makefile

lint:
	@CC='$(CC)' CFLAGS='-std=c11 $(BASE) $(WARNC) -Werror' sh harness/make/lint.sh

# ---- the main job ----
deps:
	@$(DEPS)
deps-browser:
	@$(DEPS) browser
deps-long:
	@$(DEPS) long
deps-mpi:
	@$(DEPS) mpi
deps-readers:
	@$(DEPS) readers
deps-slurm:
	@$(DEPS) slurm

PROGRAM    = build/release/synthbench
EXPERIMENT = experiments/$(SCALE).yaml
STORE      = results/$(SCALE)

reproduce:
	@[ -f $(EXPERIMENT) ] || { echo 'make: SCALE=$(SCALE): there is no' \
	    '$(EXPERIMENT)' >&2; exit 2; }
	+@sh harness/make/reproduce.sh $(PROGRAM) $(SCALE) $(filter-out $(CORES),$(WORKERS))

# baseline saves what the documents use of STORE: its tables and claims as JSON,
# the tables as Markdown, the pairs of rows that the tables compare as
# contrasts.csv, and pictures.  Then it updates the quotes (quotes.pl).  quick,
# reduced and overnight have the paper's tables; other experiments have tables
# of their own.  `table --from` prints the formats that are not committed.
ACCEPTED         = $(notdir $(STORE))
TO               = results/baselines/$(ACCEPTED)
TABLES           = $(filter-out quick reduced overnight,$(ACCEPTED))
FIGURE_reduced   = curves
FIGURE_budget    = budget
FIGURE_length    = length
FIGURE_reach     = gap
FIGURE           = $(FIGURE_$(ACCEPTED))
PICTURES_reduced = curves_wmt14_ende
PICTURES_budget  = budget_wmt14_ende budget_lm1b
PICTURES_length  = length_lm1b
PICTURES_reach   = gap_lm1b_steps
PICTURES         = $(PICTURES_$(ACCEPTED):%=$(STORE)/plots/%.png)
QUOTES          = perl harness/make/quotes.pl
QUOTING         = README.md results/baselines/README.md

baseline: all
	@mkdir -p $(TO) && rm -f $(TO)/table*.*
	@sh harness/make/tables.sh $(PROGRAM) $(STORE) $(TO) $(TABLES)
	@sh harness/make/claims.sh $(PROGRAM) $(STORE) $(TO) decided
	@rm -f $(TO)/table*.txt $(TO)/table*.csv $(TO)/claims.txt
	@sh harness/make/pairs.sh $(PROGRAM) $(TO)
	@[ $(ACCEPTED) != quick ] || perl harness/make/pairs_plot.pl $(TO) lm1b \
	    ppl 'Perplexity on LM1B (quick, 4 seeds): the five contrasts'
	@[ -z '$(FIGURE)' ] || { $(PROGRAM) plot $(FIGURE) --store $(STORE) && \
	    cp $(PICTURES) $(TO); }
	@$(QUOTES) --write $(PROGRAM) $(QUOTING)

# baselines renders the committed files again from their JSON.
baselines: all
	@for json in results/baselines/*/table*.json; do \
	    table=$${json%.json}; \
	    for f in md json; do \
	        $(PROGRAM) table $${table##*/table} --from $$json \
	            --format $$f -o $$table.$$f || exit; \
	    done; \
	done
	@for folder in $(dir $(wildcard results/baselines/*/)); do \
	    sh harness/make/pairs.sh $(PROGRAM) $$folder || exit; \
	done
	@perl harness/make/holm.pl --write results/baselines/README.md
	@for json in $(wildcard results/baselines/*/claims.json); do \
	    $(PROGRAM) claims --from $$json --format json -o $$json || exit; \
	done
	@$(QUOTES) --write $(PROGRAM) $(QUOTING)

# ---- installing ----
BIN   = $(DESTDIR)$(PREFIX)/bin
SHARE = $(DESTDIR)$(PREFIX)/share
LIBEXEC = $(DESTDIR)$(PREFIX)/libexec/synthbench
MAN   = $(SHARE)/man/man1
BASH  = $(SHARE)/bash-completion/completions/synthbench
ZSH   = $(SHARE)/zsh/site-functions/_synthbench
FISH  = $(SHARE)/fish/vendor_completions.d/synthbench.fish
DATA  = $(wildcard experiments/*.yaml experiments/*.tsv plots/*.gp \
          docs/glossary.md)
SCRIPTS = $(wildcard ci/*.sh)
# The data with which `verify metrics` compares.  Their file names contain no
# blanks.
DATA += $(shell find tests/data/metrics -type f 2>/dev/null)
# A list of the folders that `install` has created; `uninstall` removes them.
MADE  = $(SHARE)/synthbench/folders

install: all
	@made=$$(LC_ALL=C mkdir -pv "$(BIN)" "$(MAN)" "$(SHARE)/synthbench" \
	    $(foreach f,$(BASH) $(ZSH) $(FISH),"$(dir $f)") \
	    $(if $(filter 1,$(MPI)),"$(LIBEXEC)")) && echo "$$made" | \
	    sed -n "s|^mkdir: created directory '$(DESTDIR)\(/.*\)'$$|\1|p" \
	    >>"$(MADE)"
	install -m 755 $B/synthbench "$(BIN)/synthbench"
	[ $(MPI) = 0 ] || \
	    install -m 755 $B/synthbench-mpi "$(LIBEXEC)/synthbench-mpi"
	$B/synthbench help --man >"$(MAN)/synthbench.1"
	$B/synthbench help --completion bash >"$(BASH)"
	$B/synthbench help --completion zsh >"$(ZSH)"
	$B/synthbench help --completion fish >"$(FISH)"
	@for f in $(DATA); do \
	    install -D -m 644 $$f "$(SHARE)/synthbench/$$f" || exit; \
	done
	@for f in $(SCRIPTS); do \
	    install -D -m 755 $$f "$(SHARE)/synthbench/$$f" || exit; \
	done

uninstall:
	@made=$$(tac "$(MADE)" 2>/dev/null); \
	rm -f "$(BIN)/synthbench" "$(MAN)/synthbench.1" "$(BASH)" "$(ZSH)" \
	    "$(FISH)" && rm -rf "$(SHARE)/synthbench" "$(LIBEXEC)" && \
	echo "$$made" | while read -r f; do \
	    [ -z "$$f" ] || rmdir "$(DESTDIR)$$f" 2>/dev/null || :; \
	done

deb:
	@sh harness/make/deb.sh build/deb

compile_commands.json: FORCE
	@{ sep='['; for f in $(SRC) $(TEST) $(HELP) $(SRCX); do \
	    case $$f in \
	    *.cc) cmd='$(CXX) $(strip $(CXXFLAGS_ALL))' ;; \
	    *)    cmd='$(CC) $(strip $(CFLAGS_ALL))' ;; \
	    esac; \
	    printf '%s\n{"directory": "%s", "file": "%s", "command": "%s -c %s"}' \
	        "$$sep" '$(CURDIR)' $$f "$$cmd" $$f; sep=,; \
	done; printf '\n]\n'; } > $@

clean:
	rm -rf build compile_commands.json

-include $(OBJ:.o=.d) $(MAIN:%.c=$B/%.d) $(TEST:%.c=$B/%.d) $(HELP:%.c=$B/%.d)
-include $(wildcard $B/tests/fuzz/*.d $B/tests/golden/*.d)
