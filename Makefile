# SPDX-License-Identifier: MIT
#
# amp.h is headers only: nothing has to be built to use it. What is built here are the examples, the
# tests and the benchmarks. `make help` lists the targets.
#
# The usual variables work: CC, CPPFLAGS, CFLAGS, LDFLAGS and LDLIBS come after the project's own and so
# win over them; PREFIX and DESTDIR say where things are installed. Everything made goes into BUILD,
# and `make V=1` shows the commands.

BUILD        ?= build
PREFIX       ?= /usr/local
prefix       ?= $(PREFIX)
includedir   ?= $(prefix)/include
datarootdir  ?= $(prefix)/share
pkgconfigdir ?= $(datarootdir)/pkgconfig
INSTALL      ?= install
INSTALL_DATA ?= $(INSTALL) -m 644

DOORS    := $(sort $(wildcard amp*.h))
ROOMS    := $(sort $(wildcard amp/*.h))
HEADERS  := $(DOORS) $(ROOMS)
EXAMPLES := $(sort $(patsubst examples/%.c,%,$(wildcard examples/*.c)))
BENCHES  := $(sort $(patsubst bench/%.c,%,$(wildcard bench/*.c)))
VERSION   = $(shell sed -n 's/^.define AMP_VERSION "\(.*\)".*/\1/p' $(HEADERS))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDEXPANSION:
.PHONY: FORCE

Q       = $(if $(V),,@)
shown   = $(if $(V),,@printf '  %-7s %s\n' $(1) '$@')
quoted  = '$(subst ','\'',$(1))'
comma  := ,

# ---- what this machine can do --------------------------------------------------------------------

OPENCL_CFLAGS ?=
OPENCL_LIBS   ?= -lOpenCL
PKG_CONFIG    ?= pkg-config

# Which of these options and libraries work here; asked once, when something first needs to know.
ASKED  := -std=c11 -O3 -march=native -fopenmp -ffp-contract=fast opencl png cmocka jansson mpi openblas clblast
PROBED  = $(eval PROBED := $(shell CC=$(call quoted,$(CC)) LDFLAGS=$(call quoted,$(LDFLAGS)) \
            CPPFLAGS=$(call quoted,$(CPPFLAGS)) CFLAGS=$(call quoted,$(if $(DEFAULT_CFLAGS),,$(CFLAGS))) \
            OPENCL_CFLAGS=$(call quoted,$(OPENCL_CFLAGS)) OPENCL_LIBS=$(call quoted,$(OPENCL_LIBS)) \
            scripts/probe $(ASKED)))$(PROBED)
works   = $(filter $(1),$(PROBED))

HINT      := (scripts/setup --print says what to install)
NO_opencl := CL/cl.h or libOpenCL is not there $(HINT)
NO_png    := libpng is not there $(HINT)
NO_cmocka := cmocka is not there $(HINT)
NO_jansson := jansson is not there $(HINT)
NO_mpi    := mpicc or mpirun is not there $(HINT)

CMOCKA_CFLAGS = $(shell $(PKG_CONFIG) --cflags cmocka 2>/dev/null)
JANSSON_LIBS  = $(shell $(PKG_CONFIG) --cflags --libs jansson 2>/dev/null || echo -ljansson)
CMOCKA_LIBS   = $(shell $(PKG_CONFIG) --libs cmocka 2>/dev/null || echo -lcmocka)
PNG_CFLAGS    = $(shell $(PKG_CONFIG) --cflags libpng 2>/dev/null)
PNG_LIBS      = $(shell $(PKG_CONFIG) --libs libpng 2>/dev/null || echo -lpng)
OPENBLAS_LIBS = $(shell $(PKG_CONFIG) --cflags --libs openblas 2>/dev/null || echo -lopenblas)
CLBLAST_LIBS  = $(shell $(PKG_CONFIG) --cflags --libs clblast 2>/dev/null || echo -lclblast)
# What mpicc would give to its compiler; Open MPI and MPICH both know -show.
MPI_LIBS      = $(shell mpicc -show 2>/dev/null | cut -d ' ' -f 2-)

# ---- how things are compiled ---------------------------------------------------------------------

ifeq ($(origin CFLAGS),undefined)
DEFAULT_CFLAGS := yes
CFLAGS = $(call works,-O3 -march=native -ffp-contract=fast)
endif
WARNINGS ?= -Wall -Wextra -Wpedantic -Wshadow -Wconversion

# The variants: the CPU loops; the serial reference, which is the CPU loops without OpenMP; OpenCL.
VARIANTS      := cpu serial opencl
FLAGS_cpu      = $(call works,-fopenmp) -DAMP_BACKEND_CPU
FLAGS_serial   = -DAMP_BACKEND_CPU -DAMP_SERIAL
FLAGS_opencl   = $(call works,-fopenmp) -DAMP_BACKEND_OPENCL $(OPENCL_CFLAGS)
LIBS_opencl    = $(OPENCL_LIBS)

# Checked builds: their tests are programs of their own.
CHECKED              := checked_cpu checked_opencl
FLAGS_checked_cpu     = $(FLAGS_cpu) -DAMP_CHECKED
FLAGS_checked_opencl  = $(FLAGS_opencl) -DAMP_CHECKED
LIBS_checked_opencl   = $(OPENCL_LIBS)

# $(call compile,VARIANT), $(call libraries,VARIANT)
compile   = $(CC) $(call works,-std=c11) $(FLAGS_$(1)) -pthread $(WARNINGS) -I. $(CPPFLAGS) $(CFLAGS)
libraries = $(LDFLAGS) $(LIBS_$(1)) -lm $(LDLIBS)
# makes the compiler write down which headers were read
depend    = -MMD -MP -MF $@.d -MT $@

# Everything compiled depends on this file, which changes when the compiler or an option does.
COMMANDS := $(BUILD)/commands
$(COMMANDS): FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(foreach v,$(VARIANTS),$(call quoted,$(call compile,$(v)) $(call libraries,$(v)))) >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# ---- examples ------------------------------------------------------------------------------------

##  make                 builds the examples, on every backend that can be built here
##  make run             builds and runs the first examples; needs no more than a C compiler and make
##  make examples        the same as make
##  make devices         lists what kernels can run on here
.PHONY: all examples run devices
all: examples

FIRST_EXAMPLES := 01_hello 02_matmul
WITH_png       := $(shell grep -l '<png\.h>' examples/*.c 2>/dev/null)
WITH_mpi       := $(shell grep -l '<mpi\.h>' examples/*.c 2>/dev/null)

# $(call lacks,EXAMPLE,VARIANT): the libraries that it needs and that are not here
lacks    = $(filter-out $(PROBED),$(filter opencl,$(2)) $(foreach l,png mpi,$(if $(filter examples/$(1).c,$(WITH_$(l))),$(l))))
# $(call programs,EXAMPLES): what to build for them here
programs = $(foreach v,cpu opencl,$(foreach e,$(1),$(if $(call lacks,$(e),$(v)),,$(BUILD)/examples/$(e)_$(v)))) \
           $(BUILD)/examples/absent $(if $(call works,opencl),$(BUILD)/accelerators)

examples: $$(call programs,$$(EXAMPLES))

run: $$(call programs,$$(FIRST_EXAMPLES))
	@scripts/run-examples --show --build $(call quoted,$(BUILD)) $(FIRST_EXAMPLES)

devices: $$(lastword $$(filter %_cpu %_opencl,$$(call programs,05_devices)))
	@$<

# What cannot be built and why, a line "program <tab> reason" each, for scripts/run-examples.
absent = $(foreach v,cpu opencl,$(foreach e,$(EXAMPLES),$(foreach l,$(firstword $(call lacks,$(e),$(v))),'$(e)_$(v)' '$(NO_$(l))')))
$(BUILD)/examples/absent: FORCE
	@mkdir -p $(@D)
	@printf '%s\t%s\n' $(absent) >$@

# $(call link,VARIANT,SOURCES,FLAGS,LIBRARIES): compiles and links in one step
define link
@mkdir -p $(@D)
$(call shown,CC)
$(Q)$(call compile,$(1)) $(3) $(depend) $(2) -o $@ $(4) $(call libraries,$(1))
endef

define example_rule
$$(BUILD)/examples/%_$(1): examples/%.c $$(COMMANDS)
	$$(call link,$(1),$$<,$$(if $$(filter $$<,$$(WITH_png)),$$(PNG_CFLAGS)),$$(if $$(filter $$<,$$(WITH_png)),$$(PNG_LIBS)) $$(if $$(filter $$<,$$(WITH_mpi)),$$(MPI_LIBS)))
endef
$(foreach v,cpu opencl,$(eval $(call example_rule,$(v))))

$(BUILD)/accelerators: scripts/accelerators.c $(COMMANDS)
	$(call link,opencl,$<)

# ---- tests ---------------------------------------------------------------------------------------

##  make test            installs what the tests need where it may (scripts/setup), then runs them all
##  make check           runs them all without installing anything
.PHONY: test check test-programs test-parts check-install
test:
	@scripts/setup || echo 'Going on with what is there.'
	@$(MAKE) --no-print-directory check

TESTS     := $(filter-out tests/test_checked.c,$(sort $(wildcard tests/test_*.c))) tests/main.c
CHECKED_TESTS := $(addprefix tests/test_,checked.c kernel.c tiled.c) tests/main.c
tests_of   = $(if $(filter $(CHECKED),$(1)),$(CHECKED_TESTS),$(TESTS))
TWO_UNITS := $(sort $(wildcard tests/two_units/*.c))

define test_rules
$$(BUILD)/tests/$(1)/%.o: tests/%.c $$(COMMANDS)
	@mkdir -p $$(@D)
	$$(call shown,CC)
	$$(Q)$$(call compile,$(1)) $$(CMOCKA_CFLAGS) $$(depend) -c $$< -o $$@

$$(BUILD)/test_$(1): $(patsubst tests/%.c,$$(BUILD)/tests/$(1)/%.o,$(call tests_of,$(1)))
	$$(call shown,LINK)
	$$(Q)$$(call compile,$(1)) $$^ -o $$@ $$(CMOCKA_LIBS) $$(call libraries,$(1))

$$(BUILD)/two_units_$(1): $$(TWO_UNITS:tests/%.c=$$(BUILD)/tests/$(1)/%.o)
	$$(call shown,LINK)
	$$(Q)$$(call compile,$(1)) $$^ -o $$@ $$(call libraries,$(1))
endef
$(foreach v,$(VARIANTS) $(CHECKED),$(eval $(call test_rules,$(v))))

# Compilers take their time with kernels. The CPU loops are tested as people build them; the others are
# built faster, unless CFLAGS are given.
ifdef DEFAULT_CFLAGS
$(foreach v,serial opencl $(CHECKED),$(BUILD)/tests/$(v)/%.o): CFLAGS = -O1 $(call works,-march=native)
endif

test-programs: $$(if $$(call works,cmocka),$$(addprefix $$(BUILD)/test_,serial cpu $$(call works,opencl)))
test-programs: $$(if $$(call works,cmocka),$$(addprefix $$(BUILD)/test_checked_,cpu $$(call works,opencl)))
test-programs: $$(if $$(call works,jansson),$$(addprefix $$(BUILD)/trace_,cpu $$(call works,opencl)))
test-programs: $$(if $$(TWO_UNITS),$$(addprefix $$(BUILD)/two_units_,serial cpu $$(call works,opencl)))
test-programs: examples

define trace_rule
$$(BUILD)/trace_$(1): tests/trace/trace.c $$(COMMANDS)
	$$(call link,$(1),$$<,,$$(JANSSON_LIBS))
endef
$(foreach v,cpu opencl,$(eval $(call trace_rule,$(v))))

# Programs are built side by side, then run one after the other. Each part is counted by scripts/part and
# none ends the run; the last line says what all came to.
RESULTS  := $(BUILD)/test.results
PART     := scripts/part $(RESULTS)
PARALLEL  = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))

check:
	@mkdir -p $(BUILD) && rm -f $(RESULTS)
	@PART_SECONDS=900 $(PART) 'build' $(MAKE) --no-print-directory -k $(PARALLEL) test-programs
	@$(MAKE) --no-print-directory -j1 test-parts
	@echo && scripts/part --sum $(RESULTS)

# $(call device_part,NAME,COMMAND): a part that takes the OpenCL library and a device
skip        = scripts/part --skip $(RESULTS) $(call quoted,$(1)) $(call quoted,$(2))
device_part = @$(if $(call works,opencl),if $(BUILD)/accelerators 2>/dev/null | cut -f 1 | grep -qvx cpu; \
              then $(PART) '$(1)' $(2); else $(call skip,$(1),there is no OpenCL device); fi,$(call skip,$(1),$(NO_opencl)))

test-parts:
	@$(PART) 'serial reference' $(BUILD)/test_serial
	@$(PART) 'CPU loops' $(BUILD)/test_cpu
	$(call device_part,OpenCL,$(BUILD)/test_opencl)
	$(call device_part,OpenCL with separate copies,env AMP_FORCE_COPIES=1 $(BUILD)/test_opencl)
	@$(PART) 'checked build$(comma) CPU loops' $(BUILD)/test_checked_cpu
	$(call device_part,checked build$(comma) OpenCL,$(BUILD)/test_checked_opencl)
	@$(if $(call works,jansson),$(PART) 'trace$(comma) CPU loops' $(BUILD)/trace_cpu,$(call skip,trace,$(NO_jansson)))
	$(if $(call works,jansson),$(call device_part,trace$(comma) OpenCL,$(BUILD)/trace_opencl))
	@CC=$(call quoted,$(CC)) $(PART) 'stepping' tests/step.sh
	@CC=$(call quoted,$(CC)) $(PART) 'races' scripts/check-races
	@CC=$(call quoted,$(CC)) $(PART) 'must not compile' tests/must_fail.sh
	@CC=$(call quoted,$(CC)) $(PART) 'headers' scripts/check-headers
	@CC=$(call quoted,$(CC)) OPENCL_CFLAGS=$(call quoted,$(OPENCL_CFLAGS)) OPENCL_LIBS=$(call quoted,$(OPENCL_LIBS)) \
	 $(PART) 'documents' tests/check-docs
	@$(PART) 'two units, serial' $(BUILD)/two_units_serial
	@$(PART) 'two units, CPU loops' $(BUILD)/two_units_cpu
	$(call device_part,two units$(comma) OpenCL,$(BUILD)/two_units_opencl)
	@$(PART) 'install' $(MAKE) --no-print-directory check-install
	@$(PART) 'examples' scripts/run-examples --build $(call quoted,$(BUILD))

# Installs, builds an example against what was installed, and expects nothing to be left by uninstall.
check-install:
	@rm -rf $(BUILD)/stage
	@$(MAKE) --no-print-directory PREFIX='$(abspath $(BUILD))/stage/usr' install
	@cp examples/01_hello.c $(BUILD)/stage/
	cd $(BUILD)/stage && PKG_CONFIG_PATH=usr/share/pkgconfig && export PKG_CONFIG_PATH && \
	 $(CC) -std=c11 $$($(PKG_CONFIG) --cflags amp || echo -Iusr/include) 01_hello.c -o hello $$($(PKG_CONFIG) --libs amp || echo -lm) && ./hello
	@$(MAKE) --no-print-directory PREFIX='$(abspath $(BUILD))/stage/usr' uninstall
	@! find $(BUILD)/stage/usr -type f | grep .
	@rm -rf $(BUILD)/stage

##  make check-asan      the tests of the CPU loops with the address sanitizer
##  make check-ubsan     ... with the sanitizer of undefined behaviour
##  make check-tsan      ... with the thread sanitizer (clang: it follows OpenMP, gcc's does not)
##  make check-oclgrind  the tests of OpenCL on oclgrind, which sees bad accesses and races in kernels
##                       (for these four, ONLY='tiled math' runs the tests of tests/test_tiled.c and test_math.c)
.PHONY: check-asan check-ubsan check-tsan check-oclgrind

# $(call sanitized,NAME,COMPILER,OPTIONS,ENVIRONMENT): builds and runs the CPU tests in a folder of their own
define sanitized
@$(MAKE) --no-print-directory $(PARALLEL) BUILD=$(BUILD)/$(1) CC=$(call quoted,$(2)) \
    CFLAGS='-O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all $(3)' $(BUILD)/$(1)/test_cpu $(BUILD)/$(1)/test_serial
$(4) $(BUILD)/$(1)/test_cpu $(ONLY)
$(4) $(BUILD)/$(1)/test_serial $(ONLY)
endef

ONLY ?=
check-asan:
	$(call sanitized,asan,$(CC),-fsanitize=address,ASAN_OPTIONS=detect_stack_use_after_return=1)

check-ubsan:
	$(call sanitized,ubsan,$(CC),-fsanitize=undefined,UBSAN_OPTIONS=print_stacktrace=1)

TSAN_CC ?= clang
check-tsan:
	$(call sanitized,tsan,$(TSAN_CC),-fsanitize=thread,TSAN_OPTIONS=ignore_noninstrumented_modules=1)
	$(if $(call works,opencl),@$(MAKE) --no-print-directory $(PARALLEL) BUILD=$(BUILD)/tsan CC=$(call quoted,$(TSAN_CC)) \
	    CFLAGS='-O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=thread' $(BUILD)/tsan/test_opencl)
	$(if $(call works,opencl),TSAN_OPTIONS='suppressions=$(CURDIR)/tests/tsan.supp' $(BUILD)/tsan/test_opencl threads)

# Not --uninitialized: oclgrind 21.10 does not see what clEnqueueWriteBufferRect writes, nor that a buffer took the place
# of a smaller one.
OCLGRIND ?= oclgrind --data-races --max-errors 50
check-oclgrind: $$(BUILD)/test_opencl
	@rm -f $(BUILD)/oclgrind.log
	$(OCLGRIND) --log $(BUILD)/oclgrind.log $< $(ONLY)
	@if [ -s $(BUILD)/oclgrind.log ]; then cat $(BUILD)/oclgrind.log; exit 1; else echo 'oclgrind found nothing.'; fi

##  make check-races     planted data races are found by oclgrind, and the examples have none
.PHONY: check-races
check-races:
	@CC=$(call quoted,$(CC)) OPENCL_CFLAGS=$(call quoted,$(OPENCL_CFLAGS)) OPENCL_LIBS=$(call quoted,$(OPENCL_LIBS)) scripts/check-races

# ---- style ---------------------------------------------------------------------------------------

##  make lint            checks format and style (clang-format, cppcheck, scripts/lint)
##  make format          formats the C sources with clang-format
.PHONY: lint format
CLANG_FORMAT ?= clang-format
CPPCHECK     ?= cppcheck
C_SOURCES    := $(HEADERS) $(sort $(wildcard tests/*.[ch] tests/*/*.[ch] examples/*.[ch] bench/*.[ch] bench/*/*.[ch] scripts/*.[ch]))
LINT_RESULTS := $(BUILD)/lint.results
LINT_PART    := scripts/part $(LINT_RESULTS)
# $(call lint_part,NAME,TOOL,COMMAND): skipped where the tool is not installed
lint_part     = @if command -v $(2) >/dev/null; then $(LINT_PART) '$(1)' $(3); \
                else scripts/part --skip $(LINT_RESULTS) '$(1)' '$(2) is not installed $(HINT)'; fi

lint: export CC := $(CC)
lint: export CLANG_FORMAT := $(CLANG_FORMAT)
lint: export CPPCHECK := $(CPPCHECK)
lint:
	@mkdir -p $(BUILD) && rm -f $(LINT_RESULTS)
	$(call lint_part,format,$(CLANG_FORMAT),scripts/format --check $(C_SOURCES))
	$(call lint_part,cppcheck,$(CPPCHECK),scripts/run-cppcheck scripts/accelerators.c)
	@$(LINT_PART) 'style' scripts/lint
	@echo && scripts/part --sum $(LINT_RESULTS)

format:
	@CLANG_FORMAT=$(call quoted,$(CLANG_FORMAT)) scripts/format $(C_SOURCES)

# ---- benchmarks ----------------------------------------------------------------------------------

##  make bench           builds and runs the benchmarks: ours beside the same written by hand and beside libraries
##                       (BENCH_FLAGS='--reps 5 --only cpu' is passed on, BENCH_COMPILERS='gcc clang' takes both,
##                       BENCH_RESULTS=FILE is where the rows go; bench/README.md says how to read them)
##  make bench-plots     draws what docs/benchmarks holds and brings docs/performance.md up to it (gnuplot)
.PHONY: bench bench-programs bench-plots
BENCH_FLAGS     ?=
BENCH_COMPILERS ?= $(CC)
BENCH_RESULTS   ?= $(BUILD)/bench/results.csv
bench-programs: $$(if $$(call works,opencl),$$(addprefix $$(BUILD)/bench/,$$(BENCHES)))

# Every compiler has its own folder. Devices compile their kernels themselves: they are measured with the first only.
bench_folder = $(BUILD)/bench-$(notdir $(1))
bench_line   = $(call quoted,$(call bench_folder,$(1))/bench/$(2) $(if $(filter $(1),$(firstword $(BENCH_COMPILERS))),,--accelerator cpu) $(BENCH_FLAGS))
bench:
	@$(if $(call works,opencl),$(foreach c,$(BENCH_COMPILERS),\
	    $(MAKE) --no-print-directory CC=$(c) BUILD=$(call bench_folder,$(c)) bench-programs &&) true,echo 'SKIPPED: $(NO_opencl)')
	@$(if $(call works,opencl),scripts/run-bench $(call quoted,$(BENCH_RESULTS)) \
	    $(foreach b,$(BENCHES),$(foreach c,$(BENCH_COMPILERS),$(call bench_line,$(c),$(b)))))

bench-plots:
	scripts/plot-bench --page docs/performance.md $(sort $(wildcard docs/benchmarks/*.csv))

# The rival that has -ffast-math, which ours does not get.
$(BUILD)/bench/%_fast_math.o: bench/rivals/%_fast_math.c $(COMMANDS)
	@mkdir -p $(@D)
	$(call shown,CC)
	$(Q)$(call compile,opencl) -ffast-math $(depend) -c $< -o $@
$(BUILD)/bench/blackscholes: bench/blackscholes.c $(BUILD)/bench/blackscholes_fast_math.o $(COMMANDS)
	$(call link,opencl,$< $(filter %.o,$^))

# The libraries that it is compared with, where they are.
$(BUILD)/bench/matmul: bench/matmul.c $(COMMANDS)
	$(call link,opencl,$<,$(if $(call works,openblas),-DBENCH_OPENBLAS) \
	    $(if $(call works,clblast),-DBENCH_CLBLAST),$(if $(call works,openblas),$(OPENBLAS_LIBS)) \
	    $(if $(call works,clblast),$(CLBLAST_LIBS)))

$(BUILD)/bench/%: bench/%.c $(COMMANDS)
	$(call link,opencl,$<)

# ---- installing ----------------------------------------------------------------------------------

##  make install         copies the headers and amp.pc below PREFIX (default /usr/local)
##  make uninstall       removes them again
.PHONY: install uninstall
install:
	$(INSTALL) -d $(DESTDIR)$(includedir)/amp $(DESTDIR)$(pkgconfigdir)
	$(INSTALL_DATA) $(DOORS) $(DESTDIR)$(includedir)
	$(INSTALL_DATA) $(ROOMS) $(DESTDIR)$(includedir)/amp
	sed -e 's|@prefix@|$(prefix)|' -e 's|@includedir@|$(includedir)|' -e 's|@version@|$(VERSION)|' \
	    amp.pc.in > $(DESTDIR)$(pkgconfigdir)/amp.pc
	chmod 644 $(DESTDIR)$(pkgconfigdir)/amp.pc

uninstall:
	rm -f $(addprefix $(DESTDIR)$(includedir)/,$(HEADERS)) $(DESTDIR)$(pkgconfigdir)/amp.pc
	-rmdir $(DESTDIR)$(includedir)/amp 2>/dev/null

# ---- the rest ------------------------------------------------------------------------------------

##  make setup           installs what is missing for all of this, where it may
##  make clean           removes everything that make made
##  make help            this list
.PHONY: setup clean help
setup:
	@scripts/setup

clean:
	rm -rf $(BUILD)

help:
	@sed -n 's/^##  //p' Makefile

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
