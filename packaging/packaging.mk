# SPDX-License-Identifier: MIT
#
# Installing, and packages. CMake's and pkg-config's files are filled in here; packaging/vcpkg and packaging/conan do it their way.

cmakedir ?= $(datarootdir)/cmake/amp
# What CMake reads finds the headers from where it lies itself, so that the whole may be moved; unless somebody put it elsewhere.
below_prefix     = $(filter $(prefix)/%,$(1))
up               = $(subst $() ,/,$(patsubst %,..,$(subst /, ,$(patsubst $(prefix)/%,%,$(1)))))
prefix_from_here = $(if $(call below_prefix,$(cmakedir)),$${CMAKE_CURRENT_LIST_DIR}/$(call up,$(cmakedir)),$(prefix))
CMAKE_FILES     := amp-config.cmake amp-config-version.cmake
HEADER_FOLDERS   = $(sort $(dir $(INTERNAL_HEADERS)))
IMPLEMENTATION  := amp/implementation.c
# Man pages of the public names, made from the headers' comments.
mandir          ?= $(datarootdir)/man
# The documents, examples and pictures, as they lie here; tools; a project to copy.
bindir          ?= $(prefix)/bin
docdir          ?= $(datarootdir)/doc/amp
ampdir          ?= $(datarootdir)/amp
DOCUMENTS        = README.md CHANGELOG.md LICENSE $(wildcard docs/*.md docs/reference/*.md docs/internals/*.md docs/pictures/* docs/gallery/* \
                   docs/benchmarks/*.md docs/benchmarks/*.svg examples/README.md examples/*.[ch] examples/library/* bench/README.md bench/compared/*)
TEMPLATE        := template/Makefile template/CMakeLists.txt template/README.md template/.clangd template/.vscode/amp.code-snippets \
                   $(wildcard template/*.[ch])
INSTALLED        = $(addprefix $(DESTDIR)$(includedir)/,$(HEADERS) $(IMPLEMENTATION)) $(DESTDIR)$(pkgconfigdir)/amp.pc \
                   $(addprefix $(DESTDIR)$(cmakedir)/,$(CMAKE_FILES))

##* make install         copies headers, documents, examples, tools, and files of pkg-config and CMake below PREFIX (default /usr/local)
##* make uninstall       removes what make install copied, below the same PREFIX
.PHONY: install uninstall
install:
	$(INSTALL) -d $(addprefix $(DESTDIR)$(includedir)/,$(HEADER_FOLDERS))
	$(INSTALL) -d $(DESTDIR)$(pkgconfigdir) $(DESTDIR)$(cmakedir)
	$(foreach d,$(HEADER_FOLDERS),$(INSTALL_DATA) $(filter $(d)%,$(foreach h,$(HEADERS),$(if $(filter $(d),$(dir $(h))),$(h)))) \
	    $(DESTDIR)$(includedir)/$(d) &&) true
	$(INSTALL_DATA) $(PUBLIC_HEADERS) $(DESTDIR)$(includedir)
	$(INSTALL_DATA) $(IMPLEMENTATION) $(DESTDIR)$(includedir)/amp
	sed -e 's|@prefix@|$(prefix)|' -e 's|@includedir@|$(includedir)|' -e 's|@version@|$(VERSION)|' \
	    amp.pc.in > $(DESTDIR)$(pkgconfigdir)/amp.pc
	$(foreach f,$(CMAKE_FILES),sed -e 's|@version@|$(VERSION)|' -e 's|@prefix_from_here@|$(prefix_from_here)|' \
	    -e 's|@includedir@|$(patsubst $(prefix)/%,$${amp_priv_prefix}/%,$(includedir))|' \
	    packaging/$(f).in > $(DESTDIR)$(cmakedir)/$(f) &&) true
	chmod 644 $(DESTDIR)$(pkgconfigdir)/amp.pc $(addprefix $(DESTDIR)$(cmakedir)/,$(CMAKE_FILES))
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(docdir) $(DESTDIR)$(ampdir)
	$(INSTALL) scripts/step $(DESTDIR)$(bindir)/amp-step
	$(INSTALL) scripts/check-races $(DESTDIR)$(bindir)/amp-check-races
	$(INSTALL_DATA) scripts/amp-gdb.py $(DESTDIR)$(ampdir)
	$(Q)tar -cf - $(TEMPLATE) | (cd $(call quoted,$(DESTDIR)$(ampdir)) && tar -xof -)
	$(Q)tar -cf - $(DOCUMENTS) | (cd $(call quoted,$(DESTDIR)$(docdir)) && tar -xof -)
	chmod -R u=rwX,go=rX $(call quoted,$(DESTDIR)$(ampdir)) $(call quoted,$(DESTDIR)$(docdir))
	@perl -e 1 2>/dev/null || echo 'The man pages are left out: they take perl.'
	perl -e 1 2>/dev/null && CC=$(call quoted,$(CC)) scripts/reference --man $(call quoted,$(DESTDIR)$(mandir)) || true

uninstall:
	rm -f $(INSTALLED) $(DESTDIR)$(bindir)/amp-step $(DESTDIR)$(bindir)/amp-check-races
	rm -rf $(DESTDIR)$(docdir) $(DESTDIR)$(ampdir)
	CC=$(call quoted,$(CC)) scripts/reference --man | (cd $(call quoted,$(DESTDIR)$(mandir)) && xargs rm -f) || true
	-rmdir $(addprefix $(DESTDIR)$(includedir)/,$(filter-out amp/,$(HEADER_FOLDERS)) amp) $(DESTDIR)$(cmakedir) 2>/dev/null

##  make dist            writes a release to build/dist: amp-VERSION.tar.gz of what git knows, the single headers, SHA256SUMS
##  make check-dist      builds examples from these
.PHONY: dist check-dist
DIST     := $(BUILD)/dist
dist_tar  = tar -czf $(DIST)/amp-$(VERSION).tar.gz --sort=name --owner=0 --group=0 --numeric-owner \
            --mtime=@$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} --transform='s,^,amp-$(VERSION)/,' --null --files-from=-
dist: $(SINGLE)
	@rm -rf $(DIST) && mkdir -p $(DIST)
	$(Q)git ls-files -z --cached | $(dist_tar)
	$(Q)cp $(SINGLE) $(DIST)
	$(Q)cd $(DIST) && sha256sum -- * >SHA256SUMS
	@ls -l $(DIST)
check-dist: dist
	@CC=$(call quoted,$(CC)) tests/dist.sh $(DIST)

##  make deb             builds build/libamp-h-dev_VERSION_all.deb for Debian and its kin (DEBFULLNAME, DEBEMAIL: who it is from)
.PHONY: deb
deb:
	$(Q)packaging/make-deb $(call quoted,$(BUILD)) $(VERSION)-1
