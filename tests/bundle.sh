#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# scripts/bundle: a program's kernels are compiled beforehand, and the program runs without a compiler: on the stand-in
# for CUDA's driver, whose compiler stands for NVRTC, and on lavapipe by clspv where these are there (CLSPV). A bundle
# that is damaged, of another version, or of another program is ignored. The programs stay in $FOLDER, if that is set.
# The last line is "N passed, N failed, N skipped".
#
# Also tests amp/launch/bundle_texts.h.
set -u
cd "$(dirname "$0")/.." || exit 1
build=$(realpath -m "${BUILD:-build}") folder=${FOLDER:-$(mktemp -d)} fake=$(realpath -m "${BUILD:-build}")/bundle/libcuda.so
[ -n "${FOLDER-}" ] || trap 'rm -rf "$folder"' EXIT
export BUILD=$build CXX=${CXX:-c++} AMP_CACHE=0 AMP_LOG=info
cc=(${CC:-cc} -std=c11 -O0 -w -I. -DAMP_BACKEND_CUDA -DAMP_BACKEND_VULKAN)
passed=0 failed=0 skipped=0 app=$folder/app

# check NAME STATUS PATTERN [NOT]: what $said has, and NOT
check() {
    if [ "$status" = "$2" ] && grep -qE "$3" <<<"$said" && ! { [ -n "${4-}" ] && grep -qE "$4" <<<"$said"; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED  %s: status %s\n%s\n' "$1" "$status" "$said"
    fi
}
# Without a compiler: on the stand-in, or by Vulkan.
run() { said=$(AMP_CUDA_LIBRARY=$fake AMP_NVRTC_LIBRARY=/none FAKE_CUDA_DEVICES=1 AMP_ACCELERATOR=cuda "$@" 2>&1); status=$?; }
run_by_vulkan() { said=$(AMP_CLSPV_LIBRARY=/none AMP_CUDA_LIBRARY=/none AMP_ACCELERATOR=llvmpipe "$@" 2>&1); status=$?; }

"${cc[@]}" tests/bundle/app.c -o "$app" -lm -ldl || exit 1
targets=sm_90 vulkan=false
if [ -n "${CLSPV-}" ] && AMP_LOG=error AMP_CLSPV_LIBRARY=$CLSPV AMP_CUDA_LIBRARY=/none AMP_ACCELERATOR=llvmpipe "$app" >/dev/null 2>&1; then
    targets=sm_90,vulkan1.2 vulkan=true
fi
said=$(AMP_LOG=error AMP_NVRTC_LIBRARY=$fake AMP_CLSPV_LIBRARY=${CLSPV-} scripts/bundle "$app" --targets $targets 2>&1) status=$?
check 'the bundle is made' 0 'app.kernels: [0-9]+ kernels'
read_all='kernel in main, .*: read from the bundle' compiled=': (compiled|read from the disk)$'
run "$app" && check 'beside the program' 0 "$read_all" "$compiled"
check 'right results' 0 '^OK$'
mv "$app.kernels" "$folder/kept"
run "$app" && true
check 'without it a compiler is asked for' 3 'NVRTC'
AMP_BUNDLE=$folder/kept run "$app" && true
check 'named by AMP_BUNDLE' 0 "$read_all" "$compiled"
cp "$folder/kept" "$app.kernels"
AMP_BUNDLE=0 run "$app" && true
check 'AMP_BUNDLE=0' 3 'NVRTC' 'bundle for'
head -c 5000 "$folder/kept" >"$app.kernels" && run "$app" && true
check 'cut' 3 'warning: the kernels in .*are ignored: it is damaged'
sed 's/^amp bundle 1/amp bundle 0/' "$folder/kept" >"$app.kernels" && run "$app" && true
check 'of another format' 3 'are ignored: it is no bundle'
python3 - "$folder/kept" "$app.kernels" <<'P'
import sys
b = bytearray(open(sys.argv[1], 'rb').read())
b[16:40] = b'9.9.9'.ljust(24, b'\0')
open(sys.argv[2], 'wb').write(b)
P
run "$app" && true
check 'of another version' 3 'are ignored: another version of amp.h'
python3 - "$folder/kept" "$app.kernels" <<'P'
import struct, sys
b = bytearray(open(sys.argv[1], 'rb').read())
for i in range(struct.unpack_from('<Q', b, 40)[0]):
    b[struct.unpack_from('<Q', b, 64 + 64 * i + 16)[0] + 20] ^= 1
open(sys.argv[2], 'wb').write(b)
P
run "$app" && true
check 'a damaged kernel' 3 'a kernel of the bundle is damaged'
sed 's/a \* AMP_AT(vx, i)/AMP_AT(vx, i) * a/' tests/bundle/app.c >"$folder/other.c"
"${cc[@]}" "$folder/other.c" -o "$folder/other" -lm -ldl && cp "$folder/kept" "$folder/other.kernels" && run "$folder/other"
check 'of another program' 3 'is not in the bundle for sm_90'
said=$(AMP_CUDA_LIBRARY=$fake AMP_NVRTC_LIBRARY=$fake AMP_ACCELERATOR=cuda "$folder/other" 2>&1) status=$?
check 'of another program, with a compiler' 0 '^OK$'
# Damage that the checksum of the entries does not show: offsets and lengths behind the end of the file.
python3 - "$folder/kept" "$app.kernels" <<'P'
import struct, sys
b = bytearray(open(sys.argv[1], 'rb').read())
count, start = struct.unpack_from('<Q', b, 40)[0], 14695981039346656037
for i in range(count):
    struct.pack_into('<Q', b, 64 + 64 * i + (16 if i % 2 else 24), 2**64 - 8 if i % 3 else len(b) + 1)
for byte in b[64:64 + 64 * count]:
    start = (start ^ byte) * 1099511628211 % 2**64
struct.pack_into('<Q', b, 56, start)
open(sys.argv[2], 'wb').write(b)
P
run "$app" && true
check 'offsets beyond the file' 3 'a kernel of the bundle is damaged'
AMP_BUNDLE=$folder run "$app" && true
check 'a folder as a bundle' 3 'are ignored: it is no file'
ln -s kept "$folder/link"
AMP_BUNDLE=$folder/link run "$app" && true
check 'by a symbolic link' 0 "$read_all" "$compiled"
said=$(scripts/bundle "$app" --targets sm_90,sm90 2>&1) status=$?
check 'a target that there is not' 2 "there is no target 'sm90'"
mkdir "$folder/taken" && said=$(AMP_LOG=error AMP_NVRTC_LIBRARY=$fake scripts/bundle "$app" --targets sm_90 -o "$folder/taken" 2>&1) status=$?
check 'a file that cannot be written' 1 'taken cannot be written'
(cd "$folder" && cp kept contained.kernels)
"${cc[@]}" -DAMP_BUNDLE_FILE="\"$folder/contained.kernels\"" tests/bundle/app.c -o "$folder/whole" -lm -ldl && run "$folder/whole"
check 'contained in the program' 0 "$read_all" "$compiled"
if $vulkan; then
    cp "$folder/kept" "$app.kernels" && run_by_vulkan "$app" && true
    check 'Vulkan without clspv' 0 "$read_all" "$compiled"
    said=$(AMP_LOG=error AMP_NVRTC_LIBRARY=/none AMP_CLSPV_LIBRARY=$CLSPV scripts/bundle "$app" --targets vulkan1.2 2>&1) status=$?
    check 'for Vulkan alone, of a program without HIP' 0 'app.kernels: [0-9]+ kernels'
else
    skipped=$((skipped + 1))
    echo 'SKIPPED  Vulkan without clspv: there is no clspv, or no Vulkan: scripts/vendors --fetch-only'
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
