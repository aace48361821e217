# SPDX-License-Identifier: MIT
#
# The examples, on every backend that can be built here.

##  make                 builds the examples, on every backend that can be built here
##* make run             draws a picture on one core, all cores and each device; needs no more than a C compiler and make
##  make examples        the same as make
##* make devices         lists what kernels can run on here
##* make report          prints the devices of every backend, their drivers and what the first examples compute on each, to be sent (docs/platforms.md)
##  make gallery         makes docs/gallery.md and its pictures from the examples (PICTURES=DIR: those of scripts/gpu-check pictures)
.PHONY: all examples run devices report gallery
all: examples

FIRST_EXAMPLES := 01_hello 02_matmul
# NAME_half: an example compiled with -DHALF
HALVES         := $(patsubst examples/%.c,%_half,$(shell grep -l '^#ifdef HALF' examples/*.c 2>/dev/null))
WITH_window    := $(shell grep -l '"window\.h"' examples/*.c 2>/dev/null) $(HALVES:%=examples/%.c)
WITH_png       := $(shell grep -l '<png\.h>' examples/*.c 2>/dev/null)
# those that read pictures where libpng is
MAY_png        := $(shell grep -l '"photo\.h"' examples/*.c 2>/dev/null)
WITH_mpi       := $(shell grep -l '<mpi\.h>' examples/*.c 2>/dev/null)

# $(call lacks,EXAMPLE): the libraries that it needs and that are not here
lacks    = $(filter-out $(PROBED),$(foreach l,png mpi,$(if $(filter examples/$(1).c,$(WITH_$(l))),$(l))))
# $(call programs,EXAMPLES): what to build for them here
programs = $(foreach v,cpu opencl,$(foreach e,$(1),$(if $(call lacks,$(e)),,$(BUILD)/examples/$(e)_$(v)))) \
           $(BUILD)/examples/absent $(BUILD)/accelerators

examples: $$(call programs,$$(EXAMPLES) $$(HALVES))

# The same once more for `make check`, which has more to compile than to run: in a folder of their own, so that examples are fast
# for whoever runs them.
QUICK          := $(BUILD)/quick
# Half of the examples is built for the CPU backend and the other half for OpenCL, by turns; besides, what other parts run.
QUICK_ALWAYS   := 08_mpi_stencil_cpu 19_language_model_cpu 06_multi_matmul_opencl 11_nbody_opencl 12_mandelbrot_opencl \
                  19_language_model_opencl 20_fluid_opencl
QUICK_CPU       = $(call by_turns,2,$(EXAMPLES) $(HALVES))
QUICK_BUILDS    = $(sort $(QUICK_ALWAYS) $(QUICK_CPU:%=%_cpu) \
                      $(addsuffix _opencl,$(if $(EVERY),$(EXAMPLES) $(HALVES),$(filter-out $(QUICK_CPU),$(EXAMPLES) $(HALVES)))))
quick-programs  = $(patsubst $(BUILD)/%,$(QUICK)/%,$(filter $(addprefix %/,$(QUICK_BUILDS) absent accelerators),$(call programs,$(EXAMPLES) $(HALVES))))
ifdef DEFAULT_CFLAGS
$(QUICK)/library_%.o: private CFLAGS = -O0
$(QUICK)/library_opencl.o $(QUICK)/examples/%_opencl $(BUILD)/accelerators: private CC = $(QUICKEST)
$(QUICK)/examples/%_cpu: private CFLAGS = -O1
$(foreach e,01_hello 03_transpose 04_picture 05_devices 09_algorithms 16_options 18_turned_photo,$(QUICK)/examples/$(e)_cpu): \
    private CFLAGS = -O0 # which have little to compute
$(QUICK)/examples/%_opencl $(BUILD)/accelerators: private CFLAGS = -O0
$(foreach e,11_nbody 12_mandelbrot,$(QUICK)/examples/$(e)_opencl): private CFLAGS = -O1 # whose windows show frames per second
endif

run:
	@CC=$(call quoted,$(CC)) scripts/show $(call quoted,$(BUILD)/show)

devices: $$(lastword $$(filter %_cpu %_opencl,$$(call programs,05_devices)))
	@$<

# By every backend, whatever the examples are built for. Vulkan comes in by its name where others have GPUs.
REPORT := $(addprefix $(BUILD)/report/,$(FIRST_EXAMPLES) 05_devices)
$(REPORT): $(BUILD)/report/%: examples/%.c $$(COMMANDS)
	$(call link,opencl,$<,-DAMP_BACKEND_ALL)

report: $(REPORT)
	@CC=$(call quoted,$(CC)) scripts/report $(call quoted,$(BUILD)/report)

gallery:
	@CC=$(call quoted,$(CC)) scripts/gallery --build $(call quoted,$(BUILD)) $(if $(PICTURES),--pictures $(call quoted,$(PICTURES)))

# What is not built and why, a line "program <tab> reason" each, for scripts/run-examples; "turn": another revision's.
in_turn = $(foreach p,$(filter-out $(QUICK_BUILDS),$(foreach v,cpu opencl,$(addsuffix _$(v),$(EXAMPLES) $(HALVES)))),'$(p)' 'turn')
absent = $(foreach v,cpu opencl,$(foreach e,$(EXAMPLES) $(HALVES),$(foreach l,$(firstword $(call lacks,$(e))),'$(e)_$(v)' '$(NO_$(l))')))
$(BUILD)/examples/absent $(QUICK)/examples/absent: FORCE
	@mkdir -p $(@D)
	@printf '%s\t%s\n' $(absent) $(if $(filter $(QUICK)/%,$@),$(in_turn)) >$@

# $(call link,VARIANT,SOURCES,FLAGS,LIBRARIES): compiles and links in one step
define link
@mkdir -p $(@D)
$(call shown,CC)
$(Q)$(call compile,$(1)) $(3) $(depend) $(2) -o $@ $(4) $(call libraries,$(1))
endef

# $(call needed,SOURCE,CFLAGS or LIBS): of the libraries that it needs; a window where there is one to be had
needed = $(if $(filter $(1),$(WITH_png) $(if $(call works,png),$(MAY_png))),$(PNG_$(2))) $(if $(filter $(1),$(WITH_window)),$(if $(call works,sdl2),$(SDL2_$(2)))) \
         $(if $(filter $(1),$(WITH_mpi)),$(MPI_$(2)))
# Examples have the tools (AMP_PROFILE and the like); those for `make check` compile faster without.
tools = $(if $(filter $(BUILD)/examples/%,$(1)),-DAMP_TOOLS)
# $(call example_rule,VARIANT,FOLDER,OBJECT): with an object, the program takes the library from there (AMP_SPLIT)
define example_rule
$(2)/examples/%_$(1): examples/%.c $(3) $$(COMMANDS)
	$$(call link,$(1),$$< $(3),$$(call tools,$$@) $(if $(3),-DAMP_SPLIT) $$(call needed,$$<,CFLAGS),$$(call needed,$$<,LIBS))
$(2)/examples/%_half_$(1): examples/%.c $(3) $$(COMMANDS)
	$$(call link,$(1),$$< $(3),$$(call tools,$$@) $(if $(3),-DAMP_SPLIT) -DHALF $$(call needed,$$<,CFLAGS),$$(call needed,$$<,LIBS))
endef
# The quick examples share an object of the library; the first ones, and those with a module that it lacks, do not.
QUICK_WHOLE := $(FIRST_EXAMPLES) $(patsubst examples/%.c,%,$(WITH_mpi))
define library_rule
$(QUICK)/library_$(1).o: tests/inside.c $$(COMMANDS)
	@mkdir -p $$(@D)
	$$(call shown,CC)
	$$(Q)$$(call compile,$(1)) -Itests -DAMP_SPLIT -DAMP_IMPLEMENTATION $$(depend) -c $$< -o $$@
endef
define whole_rule
$(QUICK)/examples/$(2)_$(1): examples/$(2).c $$(COMMANDS)
	$$(call link,$(1),$$<,$(if $(filter examples/$(2).c,$(WITH_mpi)),-DAMP_TOOLS) $$(call needed,$$<,CFLAGS),$$(call needed,$$<,LIBS))
endef
$(foreach v,cpu opencl,$(eval $(call example_rule,$(v),$(BUILD)))$(eval $(call example_rule,$(v),$(QUICK),$(QUICK)/library_$(v).o)))
$(foreach v,cpu opencl,$(eval $(call library_rule,$(v)))$(foreach e,$(QUICK_WHOLE),$(eval $(call whole_rule,$(v),$(e)))))

$(BUILD)/accelerators: scripts/accelerators.c $(COMMANDS)
	$(call link,opencl,$<)
$(QUICK)/accelerators: $(BUILD)/accelerators
	@mkdir -p $(@D) && cp $< $@
