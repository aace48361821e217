# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Which compilers the scripts of this folder compile with; they source it.

# installed_compilers NAME...: sets `compilers` to those that are installed, each version once: cc is another name of gcc, mostly
installed_compilers() {
    local compiler version versions=
    compilers=()
    for compiler in "$@"; do
        command -v "${compiler%% *}" >/dev/null 2>&1 || continue
        version=$($compiler --version | head -n 1)
        version=${version#* }
        case $versions in *"<$version>"*) continue ;; esac
        versions="$versions<$version>"
        compilers+=("$compiler")
    done
}
