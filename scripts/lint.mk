# SPDX-License-Identifier: MIT
#
# Style: what `make lint` checks.

##  make lint            checks format, style and prose (clang-format, cppcheck, scripts/lint, scripts/check-prose)
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
	@$(LINT_PART) 'layers' scripts/layers
	@$(LINT_PART) 'style' scripts/lint
	@$(LINT_PART) 'prose' scripts/check-prose
	@echo && scripts/part --sum $(LINT_RESULTS)

format:
	@CLANG_FORMAT=$(call quoted,$(CLANG_FORMAT)) scripts/format $(C_SOURCES)
