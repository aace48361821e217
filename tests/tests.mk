# SPDX-License-Identifier: MIT
#
# The tests: `make test`, what it runs, and the longer checks beside it.

##  make test            installs what the tests need where it may (scripts/setup), then runs them all
##* make check           runs the tests that can run here, without installing anything
.PHONY: test check test-programs test-parts check-install
test:
	@scripts/setup --windows --mono --window || echo 'Going on with what is there.'
	@$(MAKE) --no-print-directory check

# A file of tests has a function run_FOLDER_FILE, and stands where the header that it tests is in amp/.
ALL_TESTS := $(sort $(shell grep -lE '^ *int run_' tests/*/*.c))
TESTS     := $(filter-out tests/checked/checked.c tests/checked/contracts.c tests/checked/kernels.c tests/checked/dry_run.c tests/checked/steps.c tests/launch/kernel_launch.c,$(ALL_TESTS)) tests/main.c
CHECKED_TESTS := $(addprefix tests/,checked/checked.c checked/contracts.c checked/kernels.c checked/dry_run.c checked/steps.c compare/compare.c api/launch.c api/capture.c memory/handles.c memory/array_view.c record/record.c algorithms/room.c api/tile.c) tests/main.c
tests_of   = $(or $(TESTS_$(1)),$(if $(filter $(CHECKED),$(1)),$(CHECKED_TESTS),$(TESTS)))

# Files that are compiled as one: each by itself would compile once more what it uses of the library, which takes most of the
# time. What a file names at its top level no other of its unit may, nor a function of a later one.
UNITS         := api-launch+api-atomics+api-capture \
                 algorithms-reduce+algorithms-scan+algorithms-select algorithms-sort+algorithms-random+algorithms-tile \
                 api-tile+api-kernel_math+api-fast_double graphics-vectors+codegen-program \
                 algorithms-elementwise+algorithms-rows+algorithms-segments+algorithms-merge+algorithms-order+algorithms-large+algorithms-room \
                 api-arguments memory-handles algorithms-overlap record-record+algorithms-subgroup group-group+group-band_memory \
                 memory-array_view+device-command+api-types+validate-validate+launch-program_cache+backends-opencl_interop \
                 validate-races+validate-uninitialised+validate-uniform+validate-comparisons+validate-effects+memory-read_write+memory-region+memory-unknown+launch-template \
                 api-accelerator+device-future+base-error+memory-fork+device-hooks+launch-threads+base-os+base-os_child
UNITS_checked := api-launch+api-capture api-tile+checked-checked checked-contracts checked-kernels checked-dry_run checked-steps memory-handles algorithms-room memory-array_view \
                 record-record
# Files that see the library's interface alone. A unit of such files is compiled with AMP_SPLIT, and takes the implementation
# from tests/inside.c, which each program of tests has. The other units compile the library themselves.
SPLIT_TESTS   := algorithms-reduce algorithms-scan algorithms-select algorithms-sort algorithms-random algorithms-tile \
                 algorithms-elementwise algorithms-rows algorithms-segments algorithms-merge algorithms-order \
                 algorithms-large api-arguments api-atomics checked-checked checked-contracts checked-kernels checked-dry_run checked-steps compare-compare api-launch api-capture memory-handles \
                 main api-kernel_math api-fast_double matrix-multiply algorithms-look_back algorithms-overlap algorithms-room \
                 algorithms-sort_rows api-tile operations-operations operations-ranks
split          = $(if $(filter-out $(SPLIT_TESTS),$(subst +, ,$(1))),,-DAMP_SPLIT -DAMP_MAX_RANK=8)
# $(call units,FILES): what is compiled for them, each "a-b+c-d" for tests/a/b.c with tests/c/d.c
joined = $(subst $() ,+,$(strip $(1)))
parts  = $(foreach u,$(2),$(call joined,$(filter $(1),$(subst +, ,$(u))))) $(filter-out $(subst +, ,$(2)),$(1))
units  = $(call parts,$(subst /,-,$(patsubst tests/%.c,%,$(filter-out tests/main.c tests/inside.c,$(1)))),\
             $(if $(filter tests/checked/checked.c,$(1)),$(UNITS_checked),$(UNITS)))
# $(call unit_files,UNIT)
unit_files = $(patsubst %,tests/%.c,$(subst -,/,$(subst +, ,$(1))))

# Samples take turns: each revision has the next. AMP_TEST_TURN=N repeats that of another revision; failures name it.
AMP_TEST_TURN  ?= $(shell git rev-list --count HEAD 2>/dev/null || echo 0)
AMP_TEST_TURN  := $(AMP_TEST_TURN)
export AMP_TEST_TURN
# $(call by_turns,N,LIST): every N-th word, all with EVERY=yes; $(call others,N,LIST): the words after those
by_turns = $(shell i=$(AMP_TEST_TURN); for w in $(2); do [ '$(EVERY)' = '' ] && [ $$((i % $(1))) -ne 0 ] || echo $$w; i=$$((i + 1)); done)
others   = $(call by_turns,$(1),$(wordlist 2,$(words $(2)),$(2)) $(firstword $(2)))
EVERY   ?=
# The program for OpenCL has the CPU backend, too. `make check` builds of most units half for the CPU backend alone. These have
# tests of what kernels compute: a third is built for OpenCL, another for the CPU backend. tests/operations has all operations.
TURN_UNITS    := $(filter algorithms-reduce+% algorithms-sort+% algorithms-elementwise+% algorithms-overlap algorithms-look_back algorithms-sort_rows \
                   group-algorithms matrix-multiply,$(call units,$(TESTS)))
# Whose tests ask for no accelerator, or bring their own.
ONCE_UNITS    := memory-coherence group-reach codegen-tree_types
OTHER_UNITS   := $(filter-out $(TURN_UNITS) $(ONCE_UNITS),$(call units,$(TESTS)))
SAMPLE_cpu    := $(ONCE_UNITS) $(call by_turns,2,$(OTHER_UNITS)) $(call others,3,$(TURN_UNITS))
SAMPLE_opencl := $(OTHER_UNITS) $(call by_turns,3,$(TURN_UNITS))

# A backend for the tests: the host's C compiler compiles the kernels (tests/host_backend). Without the tests that bring a
# device of their own (directory, faults), take none (types, program) or OpenCL's (interop). What fork and algorithms need of a
# backend, the others ask for, too: they run on the CPU backend and OpenCL.
HOST        := host checked_host
FLAGS_host   = $(FLAGS_cpu) -D_DEFAULT_SOURCE -DAMP_BACKEND_EXTRA='"tests/host_backend/host_backend.h"'
LIBS_host    = -ldl
TESTS_host   = $(addprefix tests/,api/accelerator.c api/launch.c api/capture.c api/tile.c api/atomics.c api/kernel_math.c api/fast_double.c \
                   graphics/vectors.c base/error.c memory/array_view.c launch/program_cache.c launch/kernel_launch.c \
                   group/group.c group/band_memory.c memory/handles.c record/record.c algorithms/subgroup.c \
                   launch/threads.c) tests/main.c
FLAGS_checked_host = $(FLAGS_host) -DAMP_CHECKED
LIBS_checked_host  = $(LIBS_host)
TESTS_checked_host = $(addprefix tests/,checked/checked.c api/capture.c api/tile.c) tests/main.c
# Without devices there are no directories, and nothing to add.
TESTS_serial       = $(filter-out tests/memory/coherence.c tests/device/command.c,$(TESTS))
# CUDA's backend, and a library that is CUDA's to it where there is no GPU (tests/cuda). The tests are all of them on a GPU
# (scripts/gpu-check) and for `make check-cuda`, which take a compiler of C++ for each kernel here; `make check` takes some.
TESTS_cuda         = $(TESTS)
SAMPLE_cuda       := api-capture+backends-cuda_device+base-error record-record
TESTS_checked_cuda = $(CHECKED_TESTS)
# HIP's shares CUDA's, under other names: `make check` takes what differs, and some of what runs on all, by turns with CUDA's.
OF_DRIVERS        := $(call by_turns,2,cuda hip)
TESTS_hip          = $(TESTS)
SAMPLE_hip        := backends-hip_device backends-cuda_device record-record+algorithms-subgroup
# Vulkan's run on Mesa's lavapipe, which is a processor: `make check` takes a sample, `make check-deep` all.
TESTS_vulkan       = $(TESTS)
SAMPLE_vulkan     := api-capture memory-array_view record-record backends-vulkan_device
# clspv, which scripts/vendors --fetch-only makes of a package.
CLSPV             ?= $(firstword $(wildcard $(abspath $(BUILD))/vendors/root/libclspv.so /usr/lib/*/libclspv.so /usr/lib/libclspv.so))
NO_clspv          := there is no clspv, or no Vulkan: scripts/vendors --fetch-only, or make CLSPV=PATH
VULKAN_WORKS       = $(and $(CLSPV),$(wildcard /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json))
BY_VULKAN          = AMP_CLSPV_LIBRARY=$(call quoted,$(CLSPV)) AMP_ACCELERATOR=$${AMP_ACCELERATOR:-llvmpipe} env
# `make check` takes of these programs what makes them differ from the CPU backend with OpenMP; `make check-deep` has all.
SAMPLE_serial     := $(call by_turns,3,api-launch+api-atomics+api-capture record-record+algorithms-subgroup api-tile+api-kernel_math+api-fast_double \
                       algorithms-reduce+algorithms-scan+algorithms-select algorithms-sort+algorithms-random+algorithms-tile algorithms-room)
SAMPLE_checked_cpu := $(filter checked-% %+checked-checked,$(call units,$(CHECKED_TESTS))) \
                      $(call by_turns,2,$(filter-out checked-% %+checked-checked,$(call units,$(CHECKED_TESTS))))
SAMPLE_checked_opencl := checked-checked record-record+api-capture memory-handles
SAMPLE_host       := api-launch+api-atomics+api-capture api-tile+base-error+algorithms-subgroup memory-array_view launch-kernel_launch group-group+group-band_memory
FAKE_CUDA         := $(BUILD)/libfakecuda.so
FAKED              = CXX=$(call quoted,$(CXX)) AMP_CUDA_LIBRARY=$(abspath $(FAKE_CUDA)) AMP_NVRTC_LIBRARY=$(abspath $(FAKE_CUDA)) env
# A real NVRTC, which needs no GPU: the toolkit's, or that of PyPI's nvidia-cuda-nvrtc.
NVRTC             ?= $(firstword $(wildcard $(foreach d,/usr/local/cuda/lib64 /usr/lib/x86_64-linux-gnu \
                         $(shell python3 -c 'import site; print(*site.getsitepackages(), site.getusersitepackages())' 2>/dev/null),\
                         $(d)/libnvrtc.so* $(d)/nvidia/cu*/lib/libnvrtc.so.* $(d)/nvidia/cuda_nvrtc/lib/libnvrtc.so.*)))
NO_nvrtc          := there is no libnvrtc.so: pip install nvidia-cuda-nvrtc, or make NVRTC=PATH
$(FAKE_CUDA): tests/cuda/fake_cuda.c tests/cuda/fake_kernel.cuh $(COMMANDS)
	@mkdir -p $(@D)
	$(call shown,LINK)
	$(Q)$(CC) -std=gnu11 -O1 -g -fPIC -shared -fvisibility=hidden $(WARNINGS) \
	    -DFAKE_KERNEL='"$(CURDIR)/tests/cuda/fake_kernel.cuh"' $< -o $@ $(call works,-ldl) -pthread

FAKE_HIP          := $(BUILD)/libfakehip.so
FAKED_HIP          = CXX=$(call quoted,$(CXX)) AMP_HIP_LIBRARY=$(abspath $(FAKE_HIP)) AMP_HIPRTC_LIBRARY=$(abspath $(FAKE_HIP)) env
# A real hipRTC, which needs no GPU: ROCm's, or Debian's libamdhip64-5, which scripts/vendors --fetch unpacks here.
HIPRTC            ?= $(firstword $(wildcard /opt/rocm/lib/libhiprtc.so /usr/lib/x86_64-linux-gnu/libhiprtc.so* \
                         /usr/lib/x86_64-linux-gnu/libamdhip64.so.5 $(abspath $(BUILD))/vendors/root/usr/lib/x86_64-linux-gnu/libamdhip64.so.5))
NO_hiprtc         := there is no hipRTC: scripts/vendors --fetch, or make HIPRTC=PATH
$(FAKE_HIP): tests/hip/fake_hip.c tests/cuda/fake_cuda.c tests/cuda/fake_kernel.cuh $(COMMANDS)
	@mkdir -p $(@D)
	$(call shown,LINK)
	$(Q)$(CC) -std=gnu11 -O1 -g -fPIC -shared -fvisibility=hidden $(WARNINGS) \
	    -DFAKE_KERNEL='"$(CURDIR)/tests/cuda/fake_kernel.cuh"' $< -o $@ $(call works,-ldl) -pthread

TWO_UNITS := $(sort $(wildcard tests/two_units/*.c))

# The files of a unit, $* of its rule; messages name them as if each were compiled alone. Of vectors of 32 bytes gcc has a
# note, without AVX (docs/graphics.md).
of_unit = $(patsubst %,-include %,$(filter-out $(lastword $(call unit_files,$*)),$(call unit_files,$*))) \
          -fmacro-prefix-map=./= $(if $(findstring graphics,$*),-Wno-psabi) -c $(lastword $(call unit_files,$*))

# The tests of the memory model add devices (tests/fake_device.h), which programs for the CPU backend alone do not have. The
# serial reference is compiled as those are.
added = -Itests $(if $(filter serial,$(1)),,-DAMP_PRIV_ADDED_DEVICES)

define test_rules
$$(BUILD)/tests/$(1)/%.o: tests/%.c $$(COMMANDS)
	@mkdir -p $$(@D)
	$$(call shown,CC)
	$$(Q)$$(call compile,$(1)) $$(call added,$(1)) $$(call split,$$*) $$(CMOCKA_CFLAGS) $$(depend) -c $$< -o $$@

$$(BUILD)/tests/$(1)/inside.o: tests/inside.c $$(COMMANDS)
	@mkdir -p $$(@D)
	$$(call shown,CC)
	$$(Q)$$(call compile,$(1)) $$(call added,$(1)) -DAMP_SPLIT -DAMP_IMPLEMENTATION $$(depend) -c $$< -o $$@

$$(BUILD)/tests/$(1)/split/%.o: tests/%.c $$(COMMANDS)
	@mkdir -p $$(@D)
	$$(call shown,CC)
	$$(Q)$$(call compile,$(1)) $$(call added,$(1)) -DAMP_SPLIT $$(depend) -c $$< -o $$@

$$(BUILD)/tests/$(1)/%.o: $$$$(call unit_files,$$$$*) $$(COMMANDS)
	@mkdir -p $$(@D)
	$$(call shown,CC)
	$$(Q)$$(call compile,$(1)) $$(call added,$(1)) $$(call split,$$*) $$(CMOCKA_CFLAGS) $$(depend) $$(of_unit) -o $$@

$$(BUILD)/test_$(1): $(patsubst %,$$(BUILD)/tests/$(1)/%.o,inside $(call units,$(call tests_of,$(1))) main)
	$$(call shown,LINK)
	$$(Q)$$(call compile,$(1)) $$(call added,$(1)) $$^ -o $$@ $$(CMOCKA_LIBS) $$(call libraries,$(1))

$$(BUILD)/two_units_$(1): $$(TWO_UNITS:tests/%.c=$$(BUILD)/tests/$(1)/%.o)
$$(BUILD)/two_units_split_$(1): $$(TWO_UNITS:tests/%.c=$$(BUILD)/tests/$(1)/split/%.o) $$(BUILD)/tests/$(1)/inside.o
$$(BUILD)/two_units_$(1) $$(BUILD)/two_units_split_$(1):
	$$(call shown,LINK)
	$$(Q)$$(call compile,$(1)) $$(call added,$(1)) $$^ -o $$@ $$(call libraries,$(1))
endef
$(foreach v,$(VARIANTS) $(CHECKED) $(LINKED) $(HOST) $(CUDA_BUILDS),$(eval $(call test_rules,$(v))))

# Compilers take their time with kernels. The tests of tiles and of mathematics on the CPU backend are built as people build
# programs, some more with optimisation; all others as quickly as it goes, unless CFLAGS are given. (private: what an object
# is made from, $(COMMANDS), has no part in that.)
ifdef DEFAULT_CFLAGS
# The quickest compiler builds what is not for the CPU backend alone, which has $(CC)'s.
BY_QUICKEST := opencl checked_opencl $(LINKED) $(HOST) $(CUDA_BUILDS)
$(foreach v,$(BY_QUICKEST),$(BUILD)/tests/$(v)/%.o $(addprefix $(BUILD)/,test_$(v) $(v)_sample quick_$(v) two_units_$(v) two_units_split_$(v))) \
    $(BUILD)/faults $(BUILD)/trace_cpu $(BUILD)/trace_opencl: private CC = $(QUICKEST)
$(foreach v,serial cpu opencl $(CHECKED) $(LINKED) $(HOST) $(CUDA_BUILDS),$(BUILD)/tests/$(v)/%.o): private CFLAGS = -O0
$(BUILD)/trace_cpu $(BUILD)/trace_opencl: private CFLAGS = -O0
# A host whose char is Arm's.
$(BUILD)/tests/checked_opencl/%.o: private CFLAGS = -O0 -funsigned-char
$(BUILD)/tests/cpu/api-launch+%.o $(BUILD)/tests/cpu/algorithms-reduce+%.o: private CFLAGS = -O1 $(call works,-march=native)
# So has the implementation, which has code of its own for AVX-512: in this program with what the CPU has.
$(BUILD)/tests/cpu/inside.o: private CFLAGS = -O0 $(call works,-march=native)
$(BUILD)/tests/cpu/api-tile+%.o: private CFLAGS = $(call works,-O3 -march=native -ffp-contract=fast)
# Functions of vectors are many: with what the CPU has in one program, without in the other.
$(BUILD)/tests/cpu/graphics-vectors+%.o: private CFLAGS = -O0 $(call works,-march=native)
endif

# Another turn has other objects.
$(BUILD)/turn: FORCE
	@mkdir -p $(@D)
	@[ "$$(cat $@ 2>/dev/null)" = '$(AMP_TEST_TURN) $(EVERY)' ] || echo '$(AMP_TEST_TURN) $(EVERY)' >$@

define sample_rule
$$(BUILD)/$(1)_sample: $(patsubst %,$$(BUILD)/tests/$(1)/%.o,$(SAMPLE_$(1)) main inside) $$(BUILD)/turn
	$$(call shown,LINK)
	$$(Q)$$(call compile,$(1)) $$(filter %.o,$$^) -o $$@ $$(CMOCKA_LIBS) $$(call libraries,$(1))
endef
$(foreach v,cpu opencl cuda hip vulkan serial host checked_cpu checked_opencl,$(eval $(call sample_rule,$(v))))

test-programs: $$(if $$(call works,cmocka),$$(addprefix $$(BUILD)/,cpu_sample opencl_sample serial_sample))
test-programs: $$(FAKE_CUDA) $$(FAKE_HIP) $$(if $$(call works,cmocka),$$(addsuffix _sample,$$(addprefix $$(BUILD)/,$$(OF_DRIVERS))))
test-programs: $$(if $$(and $$(call works,cmocka),$$(VULKAN_WORKS)),$$(BUILD)/vulkan_sample)
test-programs: $$(if $$(call works,cmocka),$$(addprefix $$(BUILD)/,checked_cpu_sample test_checked_host checked_opencl_sample))
test-programs: $$(if $$(call works,cmocka),$$(BUILD)/host_sample)
test-programs: $$(if $$(call works,jansson),$$(addprefix $$(BUILD)/trace_,cpu opencl))
test-programs: $$(if $$(TWO_UNITS),$$(addprefix $$(BUILD)/two_units_,serial cpu opencl split_cpu split_opencl))
test-programs: $$(quick-programs) $$(BUILD)/accelerators

define trace_rule
$$(BUILD)/trace_$(1): tests/trace/trace.c $$(COMMANDS)
	$$(call link,$(1),$$<,-DAMP_TOOLS,$$(JANSSON_LIBS))
endef
$(foreach v,cpu opencl cuda,$(eval $(call trace_rule,$(v))))

# Calls of the program's own files are led to tests/faults/under.c, which makes them fail; it is the linker that leads
# them, so OpenCL's have to be linked.
FAULTS := $(sort $(wildcard tests/faults/*.c))
$(BUILD)/faults: $(FAULTS:tests/%.c=$(BUILD)/tests/linked/%.o) tests/faults/wrapped
	$(call shown,LINK)
	$(Q)$(call compile,linked) $(filter %.o,$^) -o $@ $(shell sed 's/^/-Wl$(comma)--wrap=/' tests/faults/wrapped) \
	    $(call libraries,linked)

test-programs: $$(if $$(call works,opencl),$$(BUILD)/faults) short-pocl

.PHONY: short-pocl
short-pocl: $(BUILD)/two_units_opencl
	@tests/short_pocl $(BUILD)/pocl $<

# Programs are built side by side, then groups of parts run side by side. Each part is counted by scripts/part, which prints
# it when it is over, and none ends the run; the last line says what all came to. Threads that wait leave the processors to
# other parts.
RESULTS  := $(BUILD)/test.results
PART     := scripts/part $(RESULTS)
PARALLEL  = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))

check:
	@mkdir -p $(BUILD) && rm -f $(RESULTS)
	@PART_SECONDS=3600 $(PART) 'build' $(MAKE) --no-print-directory -k $(PARALLEL) test-programs
	@OMP_WAIT_POLICY=passive $(MAKE) --no-print-directory $(if $(filter output-sync,$(.FEATURES)),-Oline) $(PARALLEL) test-parts
	@echo && echo 'AMP_TEST_TURN=$(AMP_TEST_TURN) chose the samples.' && scripts/part --sum $(RESULTS)

##  make check-quick     before a commit: the core and the folders that changed since main (QUICK_BASE=REVISION), on the CPU backend and
##                       OpenCL, the style; at most two minutes of processor time
.PHONY: check-quick quick-parts
QUICK_BASE   ?= $(shell git merge-base HEAD main 2>/dev/null || echo HEAD)
quick_changed = $(sort $(shell { git diff --name-only $(QUICK_BASE) -- amp tests; git ls-files -o --exclude-standard -- amp tests; } 2>/dev/null | \
                    sed -n 's|^[a-z]*/\([a-z]*\)/.*|\1|p'))
quick_files   = $(sort tests/api/launch.c tests/memory/array_view.c tests/operations/operations.c \
                    $(filter $(foreach f,$(quick_changed),tests/$(f)/%),$(TESTS)))
define quick_rule
$$(BUILD)/quick_$(1): $$$$(patsubst %,$$$$(BUILD)/tests/$(1)/%.o,$$$$(call units,$$$$(quick_files)) main inside) FORCE
	$$(call shown,LINK)
	$$(Q)$$(call compile,$(1)) $$(filter %.o,$$^) -o $$@ $$(CMOCKA_LIBS) $$(call libraries,$(1))
endef
$(foreach v,cpu opencl,$(eval $(call quick_rule,$(v))))
check-quick:
	@mkdir -p $(BUILD) && rm -f $(BUILD)/quick.results
	@scripts/part $(BUILD)/quick.results 'build' $(MAKE) --no-print-directory -k $(PARALLEL) $(BUILD)/quick_cpu $(BUILD)/quick_opencl $(BUILD)/accelerators short-pocl
	@QUIET=yes $(MAKE) --no-print-directory RESULTS=$(BUILD)/quick.results quick-parts
	@echo && scripts/part --sum $(BUILD)/quick.results
quick-parts:
	@$(PART) 'CPU backend' $(BUILD)/quick_cpu
	$(call device_part,OpenCL,$(UNOPTIMISED) $(BUILD)/quick_opencl)
	@$(PART) 'layers' scripts/layers
	@$(PART) 'style' scripts/lint

# $(call device_part,NAME,COMMAND): a part that takes an OpenCL device, which has to be asked for where it is a CPU;
# linked_part: and OpenCL's header and library
skip        = scripts/part --skip $(RESULTS) $(call quoted,$(1)) $(call quoted,$(2))
device_part = @if [ ! -x $(BUILD)/accelerators ]; then $(call skip,$(1),$(BUILD)/accelerators was not built); \
              elif $(BUILD)/accelerators 2>/dev/null | cut -f 1 | grep -qvx cpu; \
              then AMP_ACCELERATOR=$${AMP_ACCELERATOR:-opencl} $(PART) '$(1)' $(2); else $(call skip,$(1),there is no OpenCL device); fi
linked_part = $(if $(call works,opencl),$(call device_part,$(1),$(2)),@$(call skip,$(1),$(NO_opencl)))

# Drivers keep what they compiled. Our own files of kernels would have them compile more, and are looked at by
# tests/launch/program_cache.c, which turns them on; so does the first run of the examples.
UNCACHED := env AMP_CACHE=0
# Two thirds of a test's time on pocl are its optimiser's. It works on the tests of what a kernel computes, on examples and
# on traces; where the library's own doing is tested, how well kernels run does not matter, and pocl reads a shorter header.
SHORT_POCL  := $(addprefix OCL_ICD_VENDORS=,$(wildcard $(abspath $(BUILD))/pocl/vendors))
QUICK_POCL  := POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable $(SHORT_POCL)
UNOPTIMISED := $(UNCACHED) $(QUICK_POCL)
OF_KERNELS  := api/atomics.c api/capture.c api/kernel_math.c api/fast_double.c algorithms/subgroup.c api/tile.c
# What separate copies change is memory.
OF_LIBRARY  := $(filter-out $(OF_KERNELS),$(patsubst tests/%,%,$(call unit_files,$(subst $() ,+,$(strip $(SAMPLE_opencl))))))
OF_MEMORY   := api/accelerator.c base/error.c device/command.c memory/fork.c device/future.c group/group.c group/band_memory.c backends/opencl_interop.c api/launch.c memory/handles.c memory/array_view.c record/record.c launch/threads.c

# On a group of two devices with separate copies: what loops over all accelerators, most of it by turns. The others ask for what one
# accelerator has. (By turns of four: OF_LIBRARY has turns of three.)
ON_GROUP    := group/ $(call by_turns,2,api/launch.c record/ operations/ memory/array_view.c) \
               $(call by_turns,4,$(filter $(OF_KERNELS) algorithms/% graphics/% matrix/%,$(OF_KERNELS) $(OF_LIBRARY)))

# The longest first, so that no processor waits for a long one at the end. One of IN_TURN runs at each revision, all with EVERY=yes:
# packages and what users take, tools, compilers, the library as one file. So do MPI on the CPU backend and on OpenCL, CUDA's driver and
# HIP's, which share most of their code.
IN_TURN := packages tools options single
OF_MPI  := $(call by_turns,2,cpu opencl)
GROUPS  := opencl compilers whole copies cpu examples devices random $(call by_turns,4,$(IN_TURN)) backends $(OF_DRIVERS)
.PHONY: $(GROUPS:%=parts-%) $(IN_TURN:%=parts-%)
test-parts: $(GROUPS:%=parts-%)

parts-opencl:
	$(call device_part,OpenCL$(comma) kernels,$(UNCACHED) $(BUILD)/opencl_sample $(OF_KERNELS))
	$(call device_part,OpenCL$(comma) the library,$(UNOPTIMISED) $(BUILD)/opencl_sample $(OF_LIBRARY))

parts-copies:
	$(call device_part,OpenCL with separate copies,$(UNOPTIMISED) AMP_FORCE_COPIES=1 $(BUILD)/opencl_sample $(call by_turns,2,$(OF_MEMORY)))
	$(call device_part,OpenCL$(comma) four threads a work-item,$(UNOPTIMISED) AMP_THREADS_PER_ITEM=4 $(BUILD)/opencl_sample algorithms/subgroup.c)
	$(call device_part,OpenCL$(comma) a group of four,$(UNOPTIMISED) POCL_DEVICES='pthread pthread pthread pthread' $(BUILD)/opencl_sample group/)
	$(call device_part,OpenCL$(comma) a group with separate copies,$(UNOPTIMISED) AMP_FORCE_COPIES=1 \
	  POCL_DEVICES='pthread pthread' AMP_TEST_GROUP=1 $(BUILD)/opencl_sample $(ON_GROUP))

parts-devices:
	$(call device_part,checked build$(comma) OpenCL,$(UNOPTIMISED) $(BUILD)/checked_opencl_sample)
	$(if $(call works,jansson),$(call device_part,trace$(comma) OpenCL,$(UNCACHED) $(BUILD)/trace_opencl))
	$(call device_part,two units$(comma) OpenCL,env POCL_DEVICES='pthread pthread' $(BUILD)/two_units_opencl)
	$(call device_part,two units with AMP_SPLIT$(comma) OpenCL,env POCL_DEVICES='pthread pthread' $(BUILD)/two_units_split_opencl)
	$(if $(filter opencl,$(OF_MPI)),$(if $(call works,mpi),$(call device_part,MPI$(comma) OpenCL,env $(QUICK_POCL) CC=$(call quoted,$(CC)) \
	   QUICKEST=$(call quoted,$(QUICKEST)) tests/mpi.sh --opencl --sample),@$(call skip,MPI$(comma) OpenCL,$(NO_mpi))))
	$(call linked_part,faults$(comma) a sample,env $(QUICK_POCL) $(BUILD)/faults --sample 150)

parts-compilers:
	@CC=$(call quoted,$(CC)) $(PART) 'headers' tests/check-headers --sample
	@CC=$(call quoted,$(CC)) $(PART) 'must not compile' tests/must_fail.sh --sample
	@$(SHORT_POCL) QUICKEST=$(call quoted,$(QUICKEST)) $(PART) 'usual mistakes' tests/mistakes.sh --sample
	@CC=$(call quoted,$(CC)) $(PART) 'no false alarms' tests/check-lookover --sample
	@$(SHORT_POCL) CC=$(call quoted,$(CC)) $(FAKED) FAKE_NVRTC=$(call quoted,$(NVRTC)) \
	 $(PART) 'arguments of macros$(comma) a sample' tests/check-arguments --sample
	@CC=$(call quoted,$(CC)) $(PART) 'exchanged arguments' tests/check-exchanged --sample
	@$(PART) 'vectors' tests/vectors.sh

parts-cuda:
	@$(if $(call works,cmocka),$(FAKED) $(PART) 'CUDA without a GPU' $(BUILD)/cuda_sample,$(call skip,CUDA without a GPU,$(NO_cmocka)))
	@$(if $(call works,cmocka),$(if $(NVRTC),$(FAKED) FAKE_NVRTC=$(call quoted,$(NVRTC)) XDG_CACHE_HOME=$(BUILD)/nvrtc $(PART) \
	   'CUDA kernels compile' $(BUILD)/cuda_sample api/capture.c base/error.c,$(call skip,CUDA kernels compile,$(NO_nvrtc))),\
	   $(call skip,CUDA kernels compile,$(NO_cmocka)))

parts-hip:
	@$(if $(call works,cmocka),$(FAKED_HIP) $(PART) 'HIP without a GPU' $(BUILD)/hip_sample,$(call skip,HIP without a GPU,$(NO_cmocka)))
	@$(if $(call works,cmocka),$(if $(HIPRTC),$(FAKED_HIP) FAKE_HIPRTC=$(call quoted,$(HIPRTC)) LD_LIBRARY_PATH=$(dir $(HIPRTC)) \
	   XDG_CACHE_HOME=$(BUILD)/hiprtc $(PART) 'HIP kernels compile' $(BUILD)/hip_sample,$(call skip,HIP kernels compile,$(NO_hiprtc))),\
	   $(call skip,HIP kernels compile,$(NO_cmocka)))

parts-single:
	@$(PART) 'one file' $(MAKE) --no-print-directory check-single SINGLE_BUILDS='$(SINGLE_SAMPLE)' SINGLE_FEW=1

OF_HOST := $(call by_turns,2,threads group)
parts-backends:
	@CC=$(call quoted,$(CC)) $(PART) 'backend of the tests' $(BUILD)/host_sample
	$(if $(filter threads,$(OF_HOST)),@CC=$(call quoted,$(CC)) AMP_THREADS_PER_ITEM=4 \
	 $(PART) 'backend of the tests$(comma) four threads a work-item' $(BUILD)/host_sample api/tile.c api/atomics.c memory/array_view.c)
	@CC=$(call quoted,$(CC)) $(PART) 'checked build$(comma) backend of the tests' $(BUILD)/test_checked_host
	$(if $(filter group,$(OF_HOST)),@CC=$(call quoted,$(CC)) AMP_TEST_GROUP=1 $(PART) 'backend of the tests$(comma) a group' $(BUILD)/host_sample)
	@CC=$(call quoted,$(CC)) CXX=$(call quoted,$(CXX)) BUILD=$(call quoted,$(BUILD)) CLSPV=$(call quoted,$(CLSPV)) $(PART) 'all backends in one program' tests/all_backends.sh
	@CC=$(call quoted,$(CC)) CXX=$(call quoted,$(CXX)) BUILD=$(call quoted,$(BUILD)) CLSPV=$(call quoted,$(if $(VULKAN_WORKS),$(CLSPV))) $(PART) 'kernels that ship' tests/bundle.sh
	@$(if $(call works,cmocka),$(if $(VULKAN_WORKS),$(BY_VULKAN) $(PART) 'Vulkan$(comma) a sample' tests/vulkan.sh $(BUILD)/vulkan_sample \
	   api/capture.c memory/array_view.c record/record.c backends/vulkan_device.c,$(call skip,Vulkan,$(NO_clspv))),$(call skip,Vulkan,$(NO_cmocka)))
	@$(if $(and $(call works,cmocka),$(VULKAN_WORKS)),$(BY_VULKAN) AMP_FORCE_COPIES=1 $(PART) 'Vulkan with separate copies' tests/vulkan.sh \
	   $(BUILD)/vulkan_sample memory/array_view.c)
	@$(if $(wildcard $(BUILD)/vendors/root),$(PART) 'kernels for GPUs of several vendors$(comma) a sample' \
	   env CXX=$(call quoted,$(CXX)) CC=$(call quoted,$(CC)) scripts/vendors --sample --build $(BUILD),\
	   $(call skip,kernels for GPUs of several vendors,no compilers: make check-vendors FETCH=--fetch))

parts-random:
	@CC=$(call quoted,$(CC)) BUILD=$(call quoted,$(BUILD)) $(PART) 'random kernels$(comma) a sample' tests/fuzz/run --sample
	@CC=$(call quoted,$(CC)) BUILD=$(call quoted,$(BUILD)) $(PART) 'rows that random kernels touch$(comma) a sample' tests/fuzz/reach/run 0

parts-cpu:
	@$(PART) 'serial reference' $(BUILD)/serial_sample
	@$(PART) 'CPU backend' $(BUILD)/cpu_sample
	@$(PART) 'checked build$(comma) CPU backend' $(BUILD)/checked_cpu_sample
	@$(if $(call works,jansson),$(PART) 'trace$(comma) CPU backend' $(BUILD)/trace_cpu,$(call skip,trace,$(NO_jansson)))
	@$(PART) 'two units, serial' $(BUILD)/two_units_serial
	@$(PART) 'two units, CPU backend' $(BUILD)/two_units_cpu
	@$(PART) 'two units with AMP_SPLIT' $(BUILD)/two_units_split_cpu
	$(if $(filter cpu,$(OF_MPI)),@$(if $(call works,mpi),CC=$(call quoted,$(CC)) QUICKEST=$(call quoted,$(QUICKEST)) $(PART) 'MPI' tests/mpi.sh --sample,\
	   $(call skip,MPI,$(NO_mpi))))

parts-whole:
	@$(SHORT_POCL) CC=$(call quoted,$(CC)) OPENCL_CFLAGS=$(call quoted,$(OPENCL_CFLAGS)) OPENCL_LIBS=$(call quoted,$(OPENCL_LIBS)) \
	 $(PART) 'documents' tests/check-docs --sample
	@CC=$(call quoted,$(CC)) $(PART) 'reference' tests/check-reference
	@$(PART) 'pages as GitHub shows them' tests/check-pages
	@$(PART) 'what is left to port' tests/port_check.sh
	@$(PART) 'what runs the tests' tests/scripts.sh
	@$(PART) 'the check of prose' tests/check_prose.sh
	@BUILD=$(call quoted,$(BUILD)) $(PART) 'Windows$(comma) a sample' tests/windows.sh --sample

parts-packages:
	@CC=$(call quoted,$(QUICKEST)) $(PART) 'packages$(comma) a sample' tests/packages.sh --sample
	@$(PART) 'release' $(MAKE) --no-print-directory check-dist CC=$(call quoted,$(QUICKEST))
	@$(PART) 'install' $(MAKE) --no-print-directory check-install CC=$(call quoted,$(QUICKEST))
	@CC=$(call quoted,$(QUICKEST)) $(PART) 'project to copy$(comma) editors' tests/template.sh
	@CC=$(call quoted,$(QUICKEST)) OPENCL_LIBS=$(call quoted,$(OPENCL_LIBS)) $(PART) 'libraries' tests/libraries.sh

parts-tools:
	@CC=$(call quoted,$(CC)) QUICKEST=$(call quoted,$(QUICKEST)) $(PART) 'races' scripts/check-races --sample
	@CC=$(call quoted,$(CC)) $(PART) 'stepping' tests/step.sh
	@CC=$(call quoted,$(QUICKEST)) CXX=$(call quoted,$(CXX)) $(PART) 'other languages' tests/callers.sh
	@CC=$(call quoted,$(CC)) OPENCL_CFLAGS=$(call quoted,$(OPENCL_CFLAGS)) OPENCL_LIBS=$(call quoted,$(OPENCL_LIBS)) \
	 $(PART) "OpenCL's library" tests/opencl_library.sh
	@CC=$(call quoted,$(CC)) $(PART) '32 bits' tests/narrow.sh

another_gcc = @$(if $(call works,cmocka),CC=$(call quoted,$(CC)) BUILD=$(call quoted,$(BUILD)) $(PART) 'another gcc' \
                tests/compilers --second,$(call skip,another gcc,$(NO_cmocka)))
parts-options:
	@$(PART) 'same bits' tests/same_bits.sh --sample
	@CC=$(call quoted,$(CC)) $(PART) 'split programs' tests/split.sh --sample
	@CC=$(call quoted,$(QUICKEST)) $(PART) 'modules' tests/check-modules --sample
	$(another_gcc)

parts-examples:
	@$(PART) 'examples$(comma) quickly' scripts/run-examples --quick --build $(call quoted,$(QUICK))
	@CC=$(call quoted,$(CC)) BUILD=$(call quoted,$(BUILD)) EXAMPLES=$(call quoted,$(QUICK)/examples) $(PART) 'windows' tests/window.sh
	@if command -v python3 >/dev/null; then \
	    CC=$(call quoted,$(QUICKEST)) BUILD=$(call quoted,$(BUILD)) EXAMPLES=$(call quoted,$(QUICK)/examples) $(PART) 'reports' tests/report.py; \
	else $(call skip,reports,python3 is missing); fi
	@if command -v python3 >/dev/null; then \
	    if [ -x $(call quoted,$(QUICK)/examples/19_language_model_cpu) ]; \
	    then $(PART) 'files of llama2.c' tests/llama2_files $(call quoted,$(QUICK)/examples/19_language_model_cpu); \
	    else $(call skip,files of llama2.c,19_language_model_cpu was not built); fi; \
	else $(call skip,files of llama2.c,python3 is missing); fi

# The library as one file, which is all that these programs see: the examples and a program of two files, on both
# backends. `make check` takes one compiler, which is not $(CC) where there is another, checked, and two examples: that the
# lines are those of the headers is seen without a program.
##  make check-single    the examples with the library as one file: gcc and clang, checked and not
.PHONY: check-single single-programs
SINGLE_COMPILERS = $(sort $(notdir $(shell command -v gcc; command -v clang)))
SINGLE_BUILDS    = $(SINGLE_COMPILERS) $(addsuffix -checked,$(SINGLE_COMPILERS))
SINGLE_SAMPLE    = $(firstword $(filter-out $(CC),$(SINGLE_COMPILERS)) $(SINGLE_COMPILERS))-checked
SINGLE_FEW      ?=
single_examples  = $(if $(SINGLE_FEW),$(filter 01_hello 18_turned_photo,$(EXAMPLES)),$(EXAMPLES))
single-programs: examples $$(addprefix $$(BUILD)/two_units_,cpu opencl split_cpu split_opencl)
check-single: $(SINGLE)
	@$(foreach b,$(SINGLE_BUILDS),$(MAKE) --no-print-directory -s $(PARALLEL) BUILD=$(BUILD)/single/$(b) AMP=$(BUILD)/single \
	    CC=$(firstword $(subst -, ,$(b))) CPPFLAGS='$(if $(findstring -checked,$(b)),-DAMP_CHECKED)' CFLAGS=$(if $(SINGLE_FEW),-O0,-O1) \
	    EXAMPLES='$(single_examples)' single-programs &&) true
	@CC=$(call quoted,$(CC)) tests/run-single $(BUILD)/single $(foreach b,$(SINGLE_BUILDS),$(BUILD)/single/$(b)=$(subst $() ,$(comma),$(single_examples)))

##  make check-deep      what `make check` takes samples of, whole: the serial reference, the backend of the tests, OpenCL with files
##                       of kernels, checked, or with four threads a work-item, the examples as they are, all programs of one file,
##                       all headers, mistakes and what must not compile with each compiler, races in all examples (an hour)
.PHONY: check-deep deep-parts
check-deep: $$(addprefix $$(BUILD)/test_,serial cpu checked_cpu opencl checked_opencl $$(HOST)) examples
	@rm -f $(BUILD)/deep.results
	@$(MAKE) --no-print-directory RESULTS=$(BUILD)/deep.results deep-parts
	@echo && scripts/part --sum $(BUILD)/deep.results
deep-parts:
	@$(PART) 'serial reference' $(BUILD)/test_serial
	@$(PART) 'CPU backend' env -u AMP_TEST_TURN $(BUILD)/test_cpu
	@$(PART) 'checked build$(comma) CPU backend' $(BUILD)/test_checked_cpu
	@CC=$(call quoted,$(CC)) $(PART) 'backend of the tests' $(BUILD)/test_host
	@CC=$(call quoted,$(CC)) $(PART) 'checked build$(comma) backend of the tests' $(BUILD)/test_checked_host
	$(call device_part,OpenCL$(comma) files of kernels,env -u AMP_TEST_TURN AMP_CACHE=1 $(BUILD)/test_opencl)
	$(call device_part,OpenCL$(comma) four threads a work-item,$(UNCACHED) AMP_THREADS_PER_ITEM=4 $(BUILD)/test_opencl api/launch.c api/tile.c api/atomics.c algorithms/subgroup.c)
	$(call device_part,checked build$(comma) OpenCL,$(UNCACHED) $(BUILD)/test_checked_opencl)
	@CC=$(call quoted,$(CC)) AMP_THREADS_PER_ITEM=4 $(PART) 'backend of the tests$(comma) four threads a work-item' \
	 $(BUILD)/test_host api/launch.c api/tile.c api/atomics.c memory/array_view.c
	$(call device_part,OpenCL with separate copies,env AMP_FORCE_COPIES=1 $(BUILD)/test_opencl)
	@$(PART) 'examples' scripts/run-examples --build $(call quoted,$(BUILD))
	@PART_SECONDS=3600 $(PART) 'one file' $(MAKE) --no-print-directory check-single
	@CC=$(call quoted,$(CC)) $(PART) 'must not compile' tests/must_fail.sh
	@CC=$(call quoted,$(CC)) $(PART) 'split programs' tests/split.sh
	@CC=$(call quoted,$(CC)) OPENCL_CFLAGS=$(call quoted,$(OPENCL_CFLAGS)) OPENCL_LIBS=$(call quoted,$(OPENCL_LIBS)) \
	 $(PART) 'documents' tests/check-docs
	@$(PART) 'usual mistakes' tests/mistakes.sh
	@CC=$(call quoted,$(CC)) $(PART) 'no false alarms' tests/check-lookover
	@$(if $(call works,mpi),CC=$(call quoted,$(CC)) PART_SECONDS=3600 $(PART) 'MPI' tests/mpi.sh,$(call skip,MPI,$(NO_mpi)))
	$(if $(call works,mpi),$(call device_part,MPI$(comma) OpenCL,env CC=$(call quoted,$(CC)) tests/mpi.sh --opencl),\
	   @$(call skip,MPI$(comma) OpenCL,$(NO_mpi)))
	@PART_SECONDS=3600 $(PART) 'headers' $(MAKE) --no-print-directory check-headers
	@PART_SECONDS=3600 $(PART) 'same bits' tests/same_bits.sh
	$(another_gcc)
	@PART_SECONDS=3600 $(PART) 'modules' $(MAKE) --no-print-directory check-modules
	@PART_SECONDS=3600 $(PART) 'races' $(MAKE) --no-print-directory check-races
	@$(MAKE) --no-print-directory RESULTS=$(RESULTS) parts-packages parts-tools

##  make check-modules   the core compiles and passes its tests without each of the modules
.PHONY: check-modules
check-modules:
	@CC=$(call quoted,$(CC)) tests/check-modules

##  make check-headers   every header alone and every example, by gcc and clang for each backend, without a warning
.PHONY: check-headers
check-headers:
	@CC=$(call quoted,$(CC)) tests/check-headers

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

##  make claims          runs the commands that show what README.md claims (docs/internals/claims.md)
.PHONY: claims
claims:
	@CC=$(call quoted,$(CC)) scripts/claims

##  make check-window    the examples that have windows, in a virtual display (scripts/setup --window installs it)
.PHONY: check-window
check-window: $$(foreach e,11_nbody 12_mandelbrot,$$(BUILD)/examples/$$(e)_opencl) $$(BUILD)/accelerators
	@CC=$(call quoted,$(CC)) BUILD=$(call quoted,$(BUILD)) tests/window.sh

##  make check-compilers the tests of the CPU backend and the examples with every gcc and clang that is installed
##                       (COMPILERS='gcc-11 clang-19' takes these; OPTIONS=yes: the examples, from -O0 to -flto and from C11 to C23)
.PHONY: check-compilers
COMPILERS ?=
OPTIONS   ?=
check-compilers:
	@BUILD=$(call quoted,$(BUILD)) tests/compilers $(if $(OPTIONS),--options) $(COMPILERS)

##  make check-cuda      all tests on CUDA, without a GPU: a library that is the driver (tests/cuda) runs kernels on the host, and
##                       NVRTC, where it is found, has to take each of them (ONLY='api/tile.c memory/'; minutes)
.PHONY: check-cuda
check-cuda: $$(BUILD)/test_cuda $$(BUILD)/test_checked_cuda $$(FAKE_CUDA)
	$(FAKED) FAKE_NVRTC=$(call quoted,$(NVRTC)) AMP_CACHE=0 $(BUILD)/test_cuda $(ONLY)
	$(if $(ONLY),,$(FAKED) FAKE_NVRTC=$(call quoted,$(NVRTC)) AMP_CACHE=0 $(BUILD)/test_checked_cuda)

##  make check-hip       the same on HIP, without a GPU, and with a real hipRTC that compiles all kernels where it is there
.PHONY: check-hip
check-hip: $$(BUILD)/test_hip $$(FAKE_HIP)
	$(FAKED_HIP) $(if $(HIPRTC),FAKE_HIPRTC=$(call quoted,$(HIPRTC)) LD_LIBRARY_PATH=$(dir $(HIPRTC))) AMP_CACHE=0 $(BUILD)/test_hip $(ONLY)

##  make check-vulkan    all tests by Vulkan, on Mesa's lavapipe where AMP_ACCELERATOR names no other device (ONLY='api/tile.c'), under
##                       Khronos' validation layer where it is installed (AMP_TEST_LAYER=no: not)
.PHONY: check-vulkan
check-vulkan: $$(BUILD)/test_vulkan
	$(BY_VULKAN) AMP_TEST_LAYER=$${AMP_TEST_LAYER:-yes} tests/vulkan.sh $(BUILD)/test_vulkan $(ONLY)

##  make check-vendors   compiles all kernels, and 500 random ones, for the GPUs of several vendors (FETCH=--fetch downloads and
##                       unpacks the compilers first), and writes the table of docs/internals/tested-platforms.md
.PHONY: check-vendors
VENDOR_BUILD     := $(BUILD)/vendors/both
check-vendors: $$(BUILD)/test_opencl $$(BUILD)/test_cuda $$(FAKE_CUDA) $$(BUILD)/accelerators
	$(MAKE) --no-print-directory -k BUILD=$(VENDOR_BUILD) CFLAGS=-O0 CPPFLAGS=-DAMP_BACKEND_CUDA WITH_CUDA=yes bench-programs \
	    $(foreach e,$(filter-out $(if $(filter mpi,$(PROBED)),,08_mpi_stencil),$(EXAMPLES)),$(VENDOR_BUILD)/examples/$(e)_opencl)
	scripts/vendors $(FETCH) --build $(BUILD) --table docs/internals/tested-platforms.md

##  make check-windows   the tests and the examples compiled by MinGW, run under Wine (scripts/setup --windows installs them)
.PHONY: check-windows
check-windows:
	@BUILD=$(call quoted,$(BUILD)) tests/windows.sh

##  make check-opencl-others  the tests of OpenCL and the examples on pocl, Intel's runtime, Mesa's rusticl and oclgrind, those that are
##                       here (OTHERS='intel rusticl', ONLY='api/tile.c memory/'; TABLE=docs/internals/tested-platforms.md writes its rows;
##                       ROOT=FOLDER takes those of another Debian there: tests/opencl_others.sh)
.PHONY: check-opencl-others
OTHERS ?=
TABLE  ?=
ROOT   ?=
check-opencl-others: $$(BUILD)/test_opencl $$(BUILD)/accelerators $$(if $$(ONLY),,examples)
	@BUILD=$(call quoted,$(BUILD)) ONLY=$(call quoted,$(ONLY)) TABLE=$(call quoted,$(TABLE)) ROOT=$(call quoted,$(ROOT)) tests/opencl_others.sh $(OTHERS)

##  make check-packages  a project of CMake with what was installed, with what Conan makes and with vcpkg's recipe; the Debian package
.PHONY: check-packages
check-packages:
	@CC=$(call quoted,$(CC)) tests/packages.sh

##  make check-arch      the tests of the CPU backend for other processors and C libraries, under qemu-user, and the examples for
##                       WebAssembly and macOS (scripts/setup --arch installs compilers; ARCH='s390x musl' takes these)
.PHONY: check-arch
ARCH ?=
check-arch:
	@BUILD=$(call quoted,$(BUILD)) tests/arch.sh $(ARCH)

##  make check-asan      the tests of the CPU backend with the address sanitizer
##  make check-ubsan     ... with the sanitizer of undefined behaviour
##  make check-tsan      ... with the thread sanitizer (clang: it follows OpenMP, gcc's does not)
##  make check-oclgrind  the tests of OpenCL on oclgrind, which sees bad accesses and races in kernels
##                       (for these four, ONLY='api/tile.c memory/' runs the tests of tests/api/tile.c and of tests/memory)
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
	$(call sanitized,tsan,$(TSAN_CC),-fsanitize=thread,TSAN_OPTIONS='ignore_noninstrumented_modules=1 die_after_fork=0')
	@$(MAKE) --no-print-directory $(PARALLEL) BUILD=$(BUILD)/tsan CC=$(call quoted,$(TSAN_CC)) \
	    CFLAGS='-O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=thread' $(BUILD)/tsan/test_opencl
	TSAN_OPTIONS='suppressions=$(CURDIR)/tests/tsan.supp' $(BUILD)/tsan/test_opencl launch/threads.c

# Not --uninitialized: oclgrind 21.10 does not see what clEnqueueWriteBufferRect writes, nor that a buffer took the place
# of a smaller one.
OCLGRIND ?= oclgrind --data-races --max-errors 50
check-oclgrind: $$(BUILD)/test_opencl
	@rm -f $(BUILD)/oclgrind.log
	$(OCLGRIND) --log $(BUILD)/oclgrind.log $< $(ONLY)
	@if [ -s $(BUILD)/oclgrind.log ]; then cat $(BUILD)/oclgrind.log; exit 1; else echo 'oclgrind found nothing.'; fi

##  make check-faults    every call of OpenCL, of the heap and of files that some small programs make fails once, and
##                       from there on: nothing crashes, hangs, is lost or stays broken (docs/internals/reliability.md; minutes)
.PHONY: check-faults
check-faults: $(BUILD)/faults
	$< $(if $(ONLY),--only '$(ONLY)')

##  make check-fuzz      random kernels on every compiler and device that is here, compared with plain C (SECONDS=600, SEED=1 to
##                       repeat a run; docs/internals/compiler-bugs.md)
.PHONY: check-fuzz
check-fuzz: $$(BUILD)/accelerators $$(FAKE_CUDA)
	CC=$(call quoted,$(CC)) CXX=$(call quoted,$(CXX)) BUILD=$(call quoted,$(BUILD)) tests/fuzz/run --seconds $(or $(SECONDS),600) \
	    --seed $(or $(SEED),$(shell date +%s))

##  make check-reach     the rows that random kernels touch are in their reach (amp/group/reach.h; SECONDS=600, SEED=1;
##                       HOW=launches: they run on a group and a streamed view; HOW=ranks: on three ranks)
.PHONY: check-reach
check-reach:
	CC=$(call quoted,$(CC)) BUILD=$(call quoted,$(BUILD)) tests/fuzz/reach/run $(or $(SECONDS),600) $(or $(SEED),1) \
	    $(HOW)

##  make check-parser    libFuzzer on all that reads the source of kernels (SECONDS=600, SEED=1)
.PHONY: check-parser
check-parser:
	CC=$(call quoted,$(CC)) BUILD=$(call quoted,$(BUILD)) tests/fuzz/parser/run $(or $(SECONDS),600) $(or $(SEED),1)

##  make check-races     oclgrind finds seeded data races, and the examples have none
.PHONY: check-races
check-races:
	@CC=$(call quoted,$(CC)) scripts/check-races

##  make check-mutants   the tests find mistakes seeded in the memory model (docs/internals/reliability.md;
##                       MUTANTS='--sample 50 amp/memory/allocation.h' is passed on)
.PHONY: check-mutants
MUTANTS ?=
check-mutants:
	@CC=$(call quoted,$(CC)) tests/check-mutants $(MUTANTS)

##  make reliability     measures coverage, mutants and faults, and writes the table of docs/internals/reliability.md (hours;
##                       FIGURES='coverage faults' measures these, FAULT_OPTIONS='--sample 20' and MUTANTS='--sample 100' less of them)
.PHONY: reliability
FIGURES ?=
reliability:
	@CC=$(call quoted,$(CC)) BUILD=$(call quoted,$(BUILD)) scripts/reliability $(FIGURES)

##  make coverage        which lines and branches of the headers the tests reach (gcovr; PROGRAMS='faults report' runs these again,
##                       and keeps what the others have counted)
.PHONY: coverage
COVERED = $(addprefix test_,serial cpu checked_cpu opencl checked_opencl) \
          $(if $(call works,jansson),trace_cpu trace_opencl) $(if $(call works,opencl),faults) cuda_sample libfakecuda.so \
          $(addprefix examples/,06_multi_matmul_opencl 19_language_model_opencl 20_fluid_opencl $(if $(call works,mpi),08_mpi_stencil_cpu))
PROGRAMS ?=
coverage:
	@$(MAKE) --no-print-directory $(PARALLEL) BUILD=$(BUILD)/coverage CFLAGS='-O0 --coverage -DTEST_COVERAGE' $(addprefix $(BUILD)/coverage/,$(COVERED))
	@CC=$(call quoted,$(CC)) tests/coverage $(BUILD)/coverage $(PROGRAMS)
