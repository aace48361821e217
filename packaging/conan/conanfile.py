# SPDX-License-Identifier: MIT
#
# conan create packaging/conan takes the sources that it lies in; no archive is fetched. Conan 2.
import os
import re

from conan import ConanFile
from conan.tools.files import copy, load, save

required_conan_version = ">=2.0"
CMAKE_FOLDER = os.path.join("share", "cmake", "amp")


class AmpConan(ConanFile):
    name = "amp-h"
    description = "Data-parallel loops for C11, the C++ AMP model on CPU threads, OpenCL and CUDA"
    license = "MIT"
    topics = ("gpgpu", "opencl", "cuda", "openmp", "header-only")
    package_type = "header-library"
    settings = "os", "compiler"
    no_copy_source = True

    def _sources(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        base = load(self, os.path.join(self._sources(), "amp", "base", "status.h"))
        self.version = re.search(r'#define AMP_VERSION +"(.*)"', base).group(1)

    def export_sources(self):
        for pattern in ("amp*.h", "amp/*.h", "amp/*.c", "packaging/*.in", "LICENSE"):
            copy(self, pattern, self._sources(), self.export_sources_folder)

    def package_id(self):
        self.info.clear()

    # CMake's files are the project's own, filled in for <package>/share/cmake/amp.
    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for pattern in ("*.h", "*.c"):
            copy(self, pattern, self.source_folder, os.path.join(self.package_folder, "include"))
        values = {
            "@prefix_from_here@": "${CMAKE_CURRENT_LIST_DIR}/../../..",
            "@includedir@": "${amp_priv_prefix}/include",
            "@version@": str(self.version),
        }
        for name in ("amp-config.cmake", "amp-config-version.cmake"):
            text = load(self, os.path.join(self.source_folder, "packaging", name + ".in"))
            for key, value in values.items():
                text = text.replace(key, value)
            save(self, os.path.join(self.package_folder, CMAKE_FOLDER, name), text)

    # For other generators than CMake's: the CPU backend; -DAMP_BACKEND_OPENCL and -DAMP_BACKEND_CUDA are the program's to give.
    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [CMAKE_FOLDER]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        if self.settings.compiler in ("gcc", "clang"):
            self.cpp_info.cflags = ["-fopenmp"]
            self.cpp_info.exelinkflags = ["-fopenmp"]
            self.cpp_info.sharedlinkflags = ["-fopenmp"]
        if self.settings.os == "Linux":
            self.cpp_info.system_libs = ["m", "pthread", "dl"]
