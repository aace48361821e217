#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Runs files of tests by Vulkan, each in a program of its own, on the device that AMP_ACCELERATOR names. On Mesa's
# lavapipe the tests that tests/vulkan.known lists fail, each with its reason: another one that fails is an error, and so
# is one of the list that passes. So is each message of Khronos' validation layer, with AMP_TEST_LAYER=yes and where it is installed.
#
#     tests/vulkan.sh PROGRAM [FILE...]     all files where none is named
#
# Each file has a line when it has ended, and AMP_TEST_SECONDS (600) of processor time for that. The last line is
# "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
program=$1 && shift
files=("$@")
[ $# -gt 0 ] || mapfile -t files < <(cd tests && grep -l '^int run_' ./*/*.c | sed 's|^./||')
passed=0 failed=0 skipped=0
log=$(mktemp) && trap 'rm -f "$log"' EXIT
export AMP_CLSPV_SECONDS=${AMP_CLSPV_SECONDS:-10}
if [ "${AMP_TEST_LAYER-}" = yes ]; then
    if compgen -G '/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json' >/dev/null; then
        export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
    else
        echo 'SKIPPED  the validation layer is not there: apt install vulkan-validationlayers'
    fi
fi
lavapipe=false
[[ ${AMP_ACCELERATOR-} != *llvmpipe* ]] || lavapipe=true

for file in "${files[@]}"; do
    began=$SECONDS
    scripts/limit "${AMP_TEST_SECONDS:-600}" "$program" "$file" >"$log" 2>&1
    status=$?
    mapfile -t bad < <(grep -aE '^\[ +(FAILED|ERROR) +\] [a-z_0-9]+$' "$log" | awk '{ print $NF }' | sort -u)
    known=()
    ! $lavapipe || mapfile -t known < <(awk -v file="$file" '$1 == file { print $2 }' tests/vulkan.known | sort -u)
    good=$(grep -acE '^\[ +OK +\]' "$log")
    passed=$((passed + good))
    unexpected=$(comm -23 <(printf '%s\n' "${bad[@]}") <(printf '%s\n' "${known[@]}") | sed '/^$/d')
    mended=$(comm -13 <(printf '%s\n' "${bad[@]}") <(printf '%s\n' "${known[@]}") | sed '/^$/d')
    [ "$status" -lt 124 ] || mended= # tests that did not run
    skipped=$((skipped + ${#bad[@]} - $(wc -w <<<"$unexpected")))
    for test in $unexpected $mended; do
        failed=$((failed + 1))
        echo "FAILED  $file: $test$(grep -qx "$test" <<<"$mended" && echo ' passes: it is no longer for tests/vulkan.known')"
    done
    for message in $(grep -aoE '(VUID|UNASSIGNED)-[A-Za-z0-9-]+' "$log" | sort -u); do
        failed=$((failed + 1))
        echo "FAILED  $file: the validation layer says: $(grep -am1 -- "$message" "$log" | cut -c 1-400)"
    done
    printf '%-32s %3d passed  %2d not  %4d s\n' "$file" "$good" ${#bad[@]} $((SECONDS - began))
    if [ "$status" -ge 124 ]; then
        failed=$((failed + 1))
        echo "FAILED  $file: $([ "$status" = 124 ] && echo 'no end in its time' || echo "ended with status $status")"
        tail -n 5 "$log"
    fi
done
[ $skipped -eq 0 ] || echo "SKIPPED  $skipped tests of tests/vulkan.known"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
