# SPDX-License-Identifier: MIT
#
# What this machine can do, and how things are compiled here: included by the Makefile before all else.

# For what calls OpenCL by hand (rivals of the benchmarks), or is linked with it (AMP_OPENCL_LINKED).
OPENCL_CFLAGS ?=
OPENCL_LIBS   ?= -lOpenCL
PKG_CONFIG    ?= pkg-config

# Which of these options and libraries work here; asked once, when something first needs to know.
ASKED  := -std=c11 -O3 -march=native -mprefer-vector-width=512 -fopenmp -ffp-contract=fast -ldl opencl png cmocka jansson mpi openblas clblast sdl2
PROBED  = $(eval PROBED := $(shell CC=$(call quoted,$(CC)) LDFLAGS=$(call quoted,$(LDFLAGS)) \
            CPPFLAGS=$(call quoted,$(CPPFLAGS)) CFLAGS=$(call quoted,$(if $(DEFAULT_CFLAGS),,$(CFLAGS))) \
            OPENCL_CFLAGS=$(call quoted,$(OPENCL_CFLAGS)) OPENCL_LIBS=$(call quoted,$(OPENCL_LIBS)) \
            scripts/probe $(ASKED)))$(PROBED)
works   = $(filter $(1),$(PROBED))

HINT      := (scripts/setup --print says what to install)
NO_opencl := CL/cl.h or libOpenCL.so is not there $(HINT)
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
# SDL's headers are not held to our warnings.
SDL2_CFLAGS   = -DWITH_SDL2 $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags SDL2_gfx 2>/dev/null))
SDL2_LIBS     = $(shell $(PKG_CONFIG) --libs SDL2_gfx 2>/dev/null)
# What mpicc would give to its compiler; Open MPI and MPICH both know -show.
MPI_LIBS      = $(shell mpicc -show 2>/dev/null | cut -d ' ' -f 2-)

# The quickest compiler without optimisation, which takes half of gcc's time for the library; CC, where it is given.
GIVEN_CC := $(if $(filter default,$(origin CC)),,$(CC))
QUICKEST = $(eval QUICKEST := $(or $(GIVEN_CC),$(if $(shell CC=clang scripts/probe -fopenmp),clang,cc)))$(QUICKEST)

ifeq ($(origin CFLAGS),undefined)
DEFAULT_CFLAGS := yes
CFLAGS = $(call works,-O3 -march=native -ffp-contract=fast)
endif
WARNINGS ?= -Wall -Wextra -Wpedantic -Wshadow -Wconversion
# The headers' own are shown, too (amp.h).
OWN_WARNINGS := -DAMP_PRIV_WARNINGS

# The variants: the CPU backend; the serial reference, which is the CPU backend without OpenMP; OpenCL, which is loaded when
# a program runs (dlopen is in a library of its own before glibc 2.34).
VARIANTS      := cpu serial opencl
FLAGS_cpu      = $(call works,-fopenmp) -DAMP_BACKEND_CPU
FLAGS_serial   = -DAMP_BACKEND_CPU -DAMP_SERIAL
FLAGS_opencl   = $(call works,-fopenmp) -DAMP_BACKEND_OPENCL
LIBS_opencl    = $(call works,-ldl)

# CUDA, HIP and Vulkan, loaded when a program runs: no part of the usual builds, but tested (tests/tests.mk).
CUDA_BUILDS   := cuda checked_cuda hip vulkan
FLAGS_cuda     = $(call works,-fopenmp) -DAMP_BACKEND_CUDA
LIBS_cuda      = $(call works,-ldl)
FLAGS_checked_cuda = $(FLAGS_cuda) -DAMP_CHECKED
LIBS_checked_cuda  = $(LIBS_cuda)
FLAGS_hip      = $(call works,-fopenmp) -DAMP_BACKEND_HIP
LIBS_hip       = $(call works,-ldl)
FLAGS_vulkan   = $(call works,-fopenmp) -DAMP_BACKEND_VULKAN
LIBS_vulkan    = $(call works,-ldl)

# Checked builds: their tests are programs of their own.
CHECKED              := checked_cpu checked_opencl
FLAGS_checked_cpu     = $(FLAGS_cpu) -DAMP_CHECKED
FLAGS_checked_opencl  = $(FLAGS_opencl) -DAMP_CHECKED
LIBS_checked_opencl   = $(LIBS_opencl)

# OpenCL that is linked, for programs that put something between it and the library.
LINKED       := linked
FLAGS_linked  = $(FLAGS_opencl) -DAMP_OPENCL_LINKED $(OPENCL_CFLAGS)
LIBS_linked   = $(OPENCL_LIBS)

# AMP: the folder of the headers. $(call compile,VARIANT), $(call libraries,VARIANT)
AMP ?= .
compile   = $(CC) $(call works,-std=c11) $(FLAGS_$(1)) -pthread $(WARNINGS) $(OWN_WARNINGS) -I$(AMP) $(CPPFLAGS) $(CFLAGS)
libraries = $(LDFLAGS) $(LIBS_$(1)) -lm $(LDLIBS)
# makes the compiler write down which headers were read
depend    = -MMD -MP -MF $@.d -MT $@

# Everything compiled depends on this file, which changes when the compiler or an option does.
COMMANDS := $(BUILD)/commands
$(COMMANDS): FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(foreach v,$(VARIANTS) $(LINKED),$(call quoted,$(call compile,$(v)) $(call libraries,$(v)))) \
	    $(if $(call works,sdl2),$(call quoted,$(SDL2_CFLAGS) $(SDL2_LIBS))) $(call quoted,$(QUICKEST)) >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
