# SPDX-License-Identifier: MIT
#
# The benchmarks: ours beside the same written by hand and beside libraries.

##  make bench           builds and runs the benchmarks: ours beside hand-written code and libraries
##                       (BENCH_FLAGS='--reps 5 --only cpu' is passed on, BENCH_FLAGS_stream to one, BENCH_COMPILERS='gcc clang' takes both,
##                       BENCH_RESULTS=FILE is where the rows go, no program begins after BENCH_SECONDS=N; bench/README.md says
##                       how to read them)
##  make bench-figures   measures docs/benchmarks/cpu.csv, of a machine that does nothing else, in six minutes:
##                       `make bench-figures-programs` builds before
##  make bench-compare   builds the benchmarks of another state of this project, OLD=DIR, and shows which rows differ
##                       (BENCH_ONLY='stream reduce', BENCH_ROUNDS=5; bench/compare)
##  make bench-plots     draws what docs/benchmarks holds and updates docs/benchmarks.md (gnuplot)
.PHONY: bench bench-programs bench-figures bench-figures-programs bench-compare bench-plots
BENCH_FLAGS     ?=
BENCH_COMPILERS ?= $(CC)
BENCH_RESULTS   ?= $(BUILD)/bench/results.csv
bench-programs: $$(if $$(call works,opencl),$$(addprefix $$(BUILD)/bench/,$$(BENCHES)))

# Every compiler has its own folder. Devices compile their kernels themselves: they are measured with the first only.
bench_folder = $(BUILD)/bench-$(notdir $(1))
bench_line   = $(call quoted,$(call bench_folder,$(1))/bench/$(2) $(if $(filter $(1),$(firstword $(BENCH_COMPILERS))),,--accelerator cpu) $(BENCH_FLAGS) $(BENCH_FLAGS_$(2)))
bench:
	@$(if $(call works,opencl),$(foreach c,$(BENCH_COMPILERS),\
	    $(MAKE) --no-print-directory CC=$(c) BUILD=$(call bench_folder,$(c)) bench-programs &&) true,echo 'SKIPPED: $(NO_opencl)')
	@$(if $(call works,opencl),bench/run $(if $(BENCH_SECONDS),--seconds $(BENCH_SECONDS)) $(call quoted,$(BENCH_RESULTS)) \
	    $(foreach b,$(BENCHES),$(foreach c,$(BENCH_COMPILERS),$(call bench_line,$(c),$(b)))))

# What counts most first: programs that have no time left are skipped.
FIGURES = stencil nbody reduce matmul fluid minibude xsbench tealeaf decode stream algorithms histogram transpose mandelbrot \
    blackscholes borders path_tracer graphics products dispatch tracing
FIGURE_COMPILERS = gcc clang
bench-figures-programs:
	$(foreach c,$(FIGURE_COMPILERS),$(MAKE) --no-print-directory CC=$(c) BUILD=$(call bench_folder,$(c)) BENCHES='$(FIGURES)' \
	    NVCC= bench-programs &&) true
bench-figures:
	$(MAKE) --no-print-directory bench BENCH_COMPILERS='$(FIGURE_COMPILERS)' BENCHES='$(FIGURES)' BENCH_SECONDS=330 \
	    BENCH_FLAGS='--accelerator cpu --seconds 1' BENCH_FLAGS_algorithms='--size 4194304' \
	    NVCC= BENCH_RESULTS=docs/benchmarks/cpu.csv

OLD          ?= $(error OLD=DIR: the other state, for instance of `git worktree add DIR v1.0`)
BENCH_ONLY   ?= $(filter $(patsubst $(OLD)/bench/%.c,%,$(wildcard $(OLD)/bench/*.c)),$(BENCHES))
BENCH_ROUNDS ?= 3
old_folder   = $(abspath $(call bench_folder,$(1))-old)
bench-compare:
	$(foreach c,$(BENCH_COMPILERS),\
	    $(MAKE) --no-print-directory CC=$(c) BUILD=$(call bench_folder,$(c)) \
	        $(foreach b,$(BENCH_ONLY),$(call bench_folder,$(c))/bench/$(b)) && \
	    $(MAKE) --no-print-directory -C $(OLD) CC=$(c) BUILD=$(call old_folder,$(c)) \
	        $(foreach b,$(BENCH_ONLY),$(call old_folder,$(c))/bench/$(b)) &&) true
	@$(foreach c,$(BENCH_COMPILERS),bench/compare --rounds $(BENCH_ROUNDS) $(call old_folder,$(c))/bench \
	    $(call bench_folder,$(c))/bench $(foreach b,$(BENCH_ONLY),$(call quoted,$(b) $(BENCH_FLAGS)));) true

bench-plots:
	bench/plot --page docs/benchmarks.md $(sort $(wildcard docs/benchmarks/*.csv))

# $(call link_bench,SOURCES,FLAGS,LIBRARIES): with OpenCL's library, which rivals call by hand
# WITH_CUDA=yes: also for CUDA, and then a GPU of NVIDIA's is OpenCL's with AMP_ACCELERATOR=opencl only
WITH_CUDA ?=
# WITH_VULKAN=yes: also for Vulkan, whose GPUs OpenCL has, too: with AMP_ACCELERATOR=vulkan they are both
WITH_VULKAN ?=
# Compilers take half of a vector register on Intel's processors unless they are told.
WIDE       = $(call works,-mprefer-vector-width=512)
link_bench = $(call link,opencl,$(1),$(OPENCL_CFLAGS) $(WIDE) $(if $(WITH_CUDA),-DAMP_BACKEND_CUDA) $(if $(WITH_VULKAN),-DAMP_BACKEND_VULKAN) $(2),$(3) $(OPENCL_LIBS))

# The rival that has -ffast-math, which ours does not get.
$(BUILD)/bench/%_fast_math.o: bench/rivals/%_fast_math.c $(COMMANDS)
	@mkdir -p $(@D)
	$(call shown,CC)
	$(Q)$(call compile,opencl) $(WIDE) -ffast-math $(depend) -c $< -o $@
# -fno-math-errno: what kernels have anyway, the loops by hand beside them get, too.
$(BUILD)/bench/blackscholes: bench/blackscholes.c $(BUILD)/bench/blackscholes_fast_math.o $(COMMANDS)
	$(call link_bench,$< $(filter %.o,$^),-fno-math-errno)

$(BUILD)/bench/decode: bench/decode.c $(BUILD)/bench/llama2_fast_math.o $(COMMANDS)
	$(call link_bench,$< $(filter %.o,$^),-fno-math-errno)

# The libraries that it is compared with, where they are.
$(addprefix $(BUILD)/bench/,matmul products): $(BUILD)/bench/%: bench/%.c $(COMMANDS)
	$(call link_bench,$<,$(if $(call works,openblas),-DBENCH_OPENBLAS) \
	    $(if $(call works,clblast),-DBENCH_CLBLAST),$(if $(call works,openblas),$(OPENBLAS_LIBS)) \
	    $(if $(call works,clblast),$(CLBLAST_LIBS)) $(rival_cuda))

# NVIDIA's, where nvcc and cuBLAS are.
NVCC      ?= $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA       = $(if $(NVCC),$(patsubst %/bin/,%,$(dir $(NVCC))))
CUDA_WORKS = $(if $(CUDA),$(wildcard $(CUDA)/include/cublas_v2.h))
CUDA_LIBS  = -L$(CUDA)/lib64 -Wl,-rpath,$(CUDA)/lib64 -lcublas -lcudart -lstdc++
$(BUILD)/bench/cuda.o: bench/rivals/cuda_rivals.cu $(wildcard bench/rivals/cuda_*.h)
	@mkdir -p $(@D)
	$(call shown,NVCC)
	$(Q)$(NVCC) -O2 -arch=native -Xcompiler -fopenmp -c $< -o $@

# Hand-written kernels, as exact as ours and OpenCL's.
$(BUILD)/bench/cuda_kernels.o: bench/rivals/cuda_kernels.cu $(wildcard bench/rivals/cuda_*.h)
	@mkdir -p $(@D)
	$(call shown,NVCC)
	$(Q)$(NVCC) -O3 -arch=native -prec-div=false -prec-sqrt=false -c $< -o $@

WITH_RIVALS_OF_CUDA = algorithms matmul products transpose reduce histogram dispatch transfer stencil nbody fluid
rivals_of_cuda      = $(BUILD)/bench/cuda.o $(BUILD)/bench/cuda_kernels.o
$(addprefix $(BUILD)/bench/,$(WITH_RIVALS_OF_CUDA)): $(if $(CUDA_WORKS),$(rivals_of_cuda))
rival_cuda = $(if $(CUDA_WORKS),-DBENCH_CUDA $(rivals_of_cuda) $(CUDA_LIBS))

# C++'s algorithms, where a C++ compiler and TBB are.
TBB_WORKS = $(eval TBB_WORKS := $(shell $(CXX) -std=c++17 -fsyntax-only -include tbb/task_arena.h -x c++ /dev/null \
                2>/dev/null && echo yes))$(TBB_WORKS)
HWY_WORKS = $(eval HWY_WORKS := $(shell $(CXX) -std=c++17 -fsyntax-only -include hwy/contrib/sort/vqsort.h -x c++ /dev/null \
                2>/dev/null && echo yes))$(HWY_WORKS)
rival_hwy = $(if $(HWY_WORKS),-DBENCH_HIGHWAY)
rival_cpp = $(if $(TBB_WORKS),-DBENCH_CPP $(rival_hwy) $(BUILD)/bench/cpp.o -ltbb -lstdc++ \
                $(if $(HWY_WORKS),-lhwy_contrib -lhwy))
$(BUILD)/bench/cpp.o: bench/rivals/cpp_rivals.cpp bench/rivals/cpp_rivals.h
	@mkdir -p $(@D)
	$(call shown,CXX)
	$(Q)$(CXX) -std=c++17 $(CFLAGS) $(WIDE) $(rival_hwy) -c $< -o $@
$(BUILD)/bench/algorithms: bench/algorithms.c $(COMMANDS) $$(if $$(TBB_WORKS),$$(BUILD)/bench/cpp.o)
	$(call link_bench,$<,-fno-math-errno $(if $(TBB_WORKS),-DBENCH_CPP),$(rival_cuda) $(rival_cpp))

$(BUILD)/bench/%: bench/%.c $(COMMANDS)
	$(call link_bench,$<,-fno-math-errno $(if $(filter $(WITH_RIVALS_OF_CUDA),$*),$(rival_cuda)))
