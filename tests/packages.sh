#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What package managers hand out: a project of CMake (tests/packages) finds amp.h in a prefix that was moved, in what Conan
# makes, and in what vcpkg's recipe does; the Debian package is installed below a folder and used from there.
#
#     tests/packages.sh            all of it
#     tests/packages.sh --sample   the prefix that was moved, with OpenCL, and the Debian package without lintian: for `make check`
#
# The last line is "N passed, N failed, N skipped"; the status is 77 where nothing could be tried. $CC is used when it is set.
set -u
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C AMP_CACHE=0 CC=${CC:-cc} CONAN_HOME=$work/conan_home
unset MAKEFLAGS DESTDIR CMAKE_PREFIX_PATH
version=$(sed -n 's/^#define AMP_VERSION  *"\(.*\)"/\1/p' amp/base/status.h)
. tests/count.sh
log=$work/log shown='tail -n 30'

sample=no
[ "${1-}" != --sample ] || sample=yes

has() { command -v "$1" >/dev/null; }

# use NAME HEADERS TARGETS OPTION...: the project, with what lies around HEADERS
use() {
    local target status=0
    cmake -S tests/packages -B "$work/$1" -DCMAKE_BUILD_TYPE=Debug -DAMP_HEADERS="$2" "${@:4}" >"$work/log" 2>&1 || status=1
    # shellcheck disable=SC2086 # targets are words
    [ $status -ne 0 ] || cmake --build "$work/$1" --parallel 2 --target $3 >"$work/log" 2>&1 || status=1
    for target in $3; do
        [ $status -ne 0 ] || [ "$("$work/$1/$target" 2>"$work/log")" = OK ] || status=1
    done
    result $status "CMake's project: $1"
}

# split FOLDER: a program with AMP_SPLIT, as pkg-config's file there says
split() {
    local flags
    flags=$(PKG_CONFIG_PATH=$1 pkg-config --variable=implementation amp) || return 1
    flags="$flags $(PKG_CONFIG_PATH=$1 pkg-config --cflags --libs amp)"
    # shellcheck disable=SC2086 # words are meant to be split
    $CC -std=c11 -O0 -DAMP_SPLIT -DWANTS_SPLIT tests/packages/sum.c $flags -o "$work/split" && [ "$("$work/split")" = OK ]
}

# ---- CMake -----------------------------------------------------------------------------------------

if has cmake; then
    make -s --no-print-directory install PREFIX="$work/first/usr" >"$work/log" 2>&1
    result $? 'make install'
    if has pkg-config; then
        split "$work/first/usr/share/pkgconfig" >"$work/log" 2>&1
        result $? 'two files and the implementation by pkg-config'
    else
        skip 'the implementation by pkg-config: there is no pkg-config'
    fi
    mv "$work/first" "$work/moved"
    targets='amp opencl cuda split split_opencl'
    [ $sample = no ] || targets='opencl split_opencl'
    use moved "$work/moved/usr/include" "$targets" -DCMAKE_PREFIX_PATH="$work/moved/usr"
    # the project to copy, as its page says, optimises
    cmake -S "$work/moved/usr/share/amp/template" -B "$work/template" -DCMAKE_PREFIX_PATH="$work/moved/usr" -DCMAKE_VERBOSE_MAKEFILE=ON >"$work/log" 2>&1 &&
        cmake --build "$work/template" >"$work/log" 2>&1 && grep -q -e ' -O3 .*blur.c' "$work/log" && "$work/template/blur_test" >"$work/log" 2>&1
    result $? 'the project to copy, by CMake'
else
    skip 'CMake: there is no cmake (scripts/setup --print says what to install)'
fi

if has cmake && [ $sample = no ]; then
    make -s --no-print-directory uninstall PREFIX="$work/moved/usr" >"$work/log" 2>&1
    find "$work/moved/usr" -name '*amp*' >>"$work/log"
    [ ! -s "$work/log" ]
    result $? 'make uninstall leaves nothing'

    # vcpkg's recipe needs no more of vcpkg than these variables.
    cmake -DPORT=amp-h -DVERSION="$version" -DCURRENT_PACKAGES_DIR="$work/port" -P packaging/vcpkg/portfile.cmake >"$work/log" 2>&1
    result $? "vcpkg's recipe"
    use vcpkg "$work/port/include" 'amp split' -DCMAKE_PREFIX_PATH="$work/port"
    sed -n 's/.*"version": "\(.*\)".*/\1/p' packaging/vcpkg/vcpkg.json >"$work/log"
    [ "$(cat "$work/log")" = "$version" ]
    result $? "the version in packaging/vcpkg/vcpkg.json, which is $version elsewhere"
fi

if [ $sample = yes ]; then
    :
elif has cmake && has conan; then
    { conan profile detect && conan create packaging/conan && conan install --requires="amp-h/$version" \
        -g CMakeToolchain -of "$work/generated"; } >"$work/log" 2>&1
    result $? "Conan's recipe"
    headers=$(dirname "$(find "$CONAN_HOME" -path '*/p/include/amp.h')")
    use conan "$headers" 'amp split' -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$work/generated/conan_toolchain.cmake"
else
    skip 'Conan: there is no conan (pip install conan), or no cmake'
fi

# ---- Debian ----------------------------------------------------------------------------------------

root=$work/root
# The package's files come and go with it; without root's rights they are unpacked only.
install_deb() {
    mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" && touch "$root/var/lib/dpkg/status" || return 1
    if [ "$(id -u)" -eq 0 ]; then dpkg --root="$root" --install "$1"; else dpkg -x "$1" "$root"; fi
}
remove_deb() {
    dpkg --root="$root" --purge libamp-h-dev || return 1
    ! find "$root/usr" -name '*amp*' 2>/dev/null | grep .
}
hello() { # as a user would, but for the root
    local flags
    flags="$(PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR="$root/usr/share/pkgconfig" PKG_CONFIG_SYSROOT_DIR=$root \
        pkg-config --cflags --libs amp 2>/dev/null || echo "-I$root/usr/include -lm")"
    # shellcheck disable=SC2086 # words are meant to be split
    $CC -std=c11 -O0 "$work/hello.c" $flags -o "$work/hello" && [ "$("$work/hello" | tail -n 1)" = OK ]
}

if has dpkg-deb && has dpkg; then
    cp examples/01_hello.c "$work/hello.c"
    packaging/make-deb "$work/deb" "$version-1" >"$work/log" 2>&1
    result $? 'packaging/make-deb'
    deb=$work/deb/libamp-h-dev_$version-1_all.deb
    install_deb "$deb" >"$work/log" 2>&1
    result $? 'the Debian package is installed'
    hello >"$work/log" 2>&1
    result $? 'examples/01_hello.c with the Debian package'
    if [ "$(id -u)" -eq 0 ]; then
        remove_deb >"$work/log" 2>&1
        result $? 'the Debian package is removed'
    else
        skip 'the Debian package is removed: installing it takes root'
    fi
    if [ $sample = yes ]; then
        :
    elif has lintian; then
        lintian --fail-on error "$deb" >"$work/log" 2>&1
        result $? 'lintian'
    else
        skip 'lintian: it is not installed (apt-get install lintian)'
    fi
else
    skip 'the Debian package: there is no dpkg'
fi

sum_up || exit 1
[ $passed -gt 0 ] || exit 77
