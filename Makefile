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

PUBLIC_HEADERS   := $(sort $(wildcard amp*.h))
INTERNAL_HEADERS := $(sort $(wildcard amp/*.h amp/*/*.h))
HEADERS          := $(PUBLIC_HEADERS) $(INTERNAL_HEADERS)
EXAMPLES := $(sort $(patsubst examples/%.c,%,$(wildcard examples/*.c)))
BENCHES  := $(sort $(patsubst bench/%.c,%,$(wildcard bench/*.c)))
VERSION   = $(shell sed -n 's/^.define AMP_VERSION  *"\(.*\)".*/\1/p' $(HEADERS))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDEXPANSION:
.PHONY: FORCE

Q       = $(if $(V),,@)
shown   = $(if $(V),,@printf '  %-7s %s\n' $(1) '$@')
quoted  = '$(subst ','\'',$(1))'
comma  := ,

SINGLE = $(addprefix $(BUILD)/single/,amp.h amp_algorithms.h amp_graphics.h amp_group.h amp_matrix.h amp_mpi.h amp_recording.h)

# Each part stands where its subject is.
include scripts/machine.mk
include examples/examples.mk
include tests/tests.mk
include scripts/lint.mk
include bench/bench.mk
include packaging/packaging.mk

# ---- one file ------------------------------------------------------------------------------------

##* make single          writes build/single/amp.h, the whole library in one file, and files for its other headers
.PHONY: single
single: $(SINGLE)
$(SINGLE): $(BUILD)/single/%: $(HEADERS) scripts/layers
	@mkdir -p $(@D)
	$(call shown,WRITE)
	$(Q)scripts/layers --single $* >$@

# ---- the reference -------------------------------------------------------------------------------

##  make reference       writes docs/reference, made of the headers' comments
.PHONY: reference
reference:
	$(Q)CC=$(call quoted,$(CC)) scripts/reference

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
	@echo 'To use the library:'
	@sed -n 's/^##\* /  /p' $(filter %.mk,$(MAKEFILE_LIST)) Makefile
	@echo && echo 'To change it:'
	@sed -n 's/^##  /  /p' $(filter %.mk,$(MAKEFILE_LIST)) Makefile

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
