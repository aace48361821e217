#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The tests of OpenCL and the examples on each OpenCL that runs on a CPU and is here: pocl, Intel's runtime (PyPI's
# intel-opencl-rt and intel-cmplr-lib-rt), Mesa's rusticl on llvmpipe, oclgrind. Each stands alone in a run.
#
#     tests/opencl_others.sh [NAME...]     all of them, or those of pocl, intel, rusticl, oclgrind
#
# $TABLE is a page with a table between "<!-- opencl: made by" and "<!-- opencl: end": the row of each is written anew. A run of some files
# has a row of its own, with their number. tests/opencl.known has the reasons of failures that are known; the others are shown by
# their first test.
#
# $ROOT is the folder of another Debian (debootstrap --include=pocl-opencl-icd,mesa-opencl-icd,clinfo,libcmocka0,libgomp1,libomp5-19,gcc,
# libc6-dev trixie FOLDER): its implementations run then, below chroot, and have rows of their own. It takes the rights of root.
#
# $BUILD has the programs (make check-opencl-others builds them), $INTEL_OPENCL is the folder of libintelocl.so where it is not
# python3's, $ONLY="tiled math" are the files of tests to run. $PART_SECONDS ends one of them, 900 by default.
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C PART_SECONDS=${PART_SECONDS:-900}
build=$(cd "${BUILD:-build}" && pwd) || exit 1
work=$(mktemp -d) || exit 1
results=$work/results
trap 'rm -rf "$work"' EXIT
unset AMP_ACCELERATOR AMP_OPENCL_LIBRARY OCL_ICD_FILENAMES

# With $ROOT, what a command is below, and what rows and parts call that Debian. Its mounts end with the command.
root='' label='' below=()
if [ -n "${ROOT-}" ]; then
    root=$(cd "$ROOT" && pwd) || exit 1
    label=" of Debian $(sed -n 's/^VERSION_ID="\(.*\)"/\1/p' "$root/etc/os-release")"
    cat >"$work/below" <<END
#!/usr/bin/env bash
unshare -m bash -c 'for folder in /proc /dev /sys /tmp "$PWD" "$build"; do
    mkdir -p "$root\$folder" && mount --rbind "\$folder" "$root\$folder" || exit 1
done
exec chroot "$root" env -C "$PWD" "\$@"' below "\$@"
END
    chmod +x "$work/below" && below=("$work/below")
fi

skip() { scripts/part --skip "$results" "$1" "$2"; }
found() { compgen -G "$root$1" | head -n 1; }

all_files() { (cd tests && grep -lE '^ *int run_' ./*/*.c | sed 's|^./||' | grep -vE '^checked/|/kernel_launch\.c'); }

# on NAME COMMAND...: the tests and the examples below this command, which has to bring a device of OpenCL
on() {
    local name=$1 device
    shift
    export XDG_CACHE_HOME=$work/$name.cache
    device=$("$@" "$build/accelerators" 2>"$work/log" | grep -v '^cpu' | head -n 1)
    if [ -z "$device" ]; then
        skip "$name" "it brings no device: $(tail -n 1 "$work/log")"
        return
    fi
    printf '\n%s: %s\n' "$name" "${device#*$'\t'}"
    # each file of tests in a process of its own: after a crash, or a thread that hangs, nothing is as it was
    for file in ${ONLY:-$(all_files)}; do
        scripts/part "$results" "$name, ${file%.c}" "$@" "$build/test_opencl" "$file" >"$work/log"
        grep -aE '^\[  (FAILED|ERROR)|^[^ ]*: error|^-- ' "$work/log" | sort -u
    done
    if [ -n "${ONLY-}" ]; then
        :
    elif [ "$name" = oclgrind ]; then
        skip "$name, examples" 'it interprets kernels: make check-races has them with small problems'
    else
        # they run for OpenCL only where there are arguments for them, and one space is none
        scripts/part "$results" "$name, examples" "$@" scripts/run-examples --build "$build" --with ' ' \
            | grep -vE '^passed|^$'
    fi
    [ -z "${TABLE-}" ] || note "$name" "$@"
}

# note NAME COMMAND...: the row of the table, of what is in the results
note() {
    local name=$1 version row files=all
    shift
    [ -z "${ONLY-}" ] || files="$(wc -w <<<"$ONLY") of $(all_files | wc -l)"
    version=$("$@" clinfo --raw 2>/dev/null | awk '/ CL_DRIVER_VERSION / { print $NF; exit }')
    row=$(awk -F '\t' -v name="$name" -v version="$version" -v files="$files" -v date="$(date -u +%F)" -v revision="$(git rev-parse --short HEAD)" '
        # the line of tests/opencl.known: name, version, file or folder, reason
        function known(file,    line, word, found) {
            while ((getline line <"tests/opencl.known") > 0)
                if (split(line, word, " ") > 3 && index(name " ", word[1] " ") == 1 && index(version, word[2]) == 1 && index(file, word[3]) == 1)
                    found = substr(line, length(word[1] word[2] word[3]) + 4)
            close("tests/opencl.known")
            return found
        }
        function end() { if (file != "" && known(file) != "") reason = known(file); if (file != "") reasons = reasons (reasons != "" ? "; " : "") file (reason != "" ? " (" reason ")" : ""); file = reason = "" }
        /^\t/ { if (file != "" && reason == "" && $2 !~ /^ *(alone:|the last lines:|$)/) { reason = $2; gsub(/^ +|[|]/, "", reason) } next }
        { end() }
        index($1, name ", ") == 1 {
            passed += $2; failed += $3; skipped += $4
            if ($3 > 0) { file = substr($1, length(name) + 3); reason = $5 }
        }
        END {
            end()
            printf "| %s | %s | %s | %d | %d | %d | %s | %s | %s |\n", name, version, files, passed, failed, skipped, reasons, date, revision
        }' "$results")
    ROW=$row awk -F ' \\| ' -v name="| $name" -v sample="${ONLY:+yes}" '
        /^<!-- opencl: made by/ { on = 1 }
        /^<!-- opencl: end/ { if (on) print ENVIRON["ROW"]; on = 0 }
        !on || $1 != name || ($3 == "all") == (sample == "yes") { print }' "$TABLE" >"$work/page" && cp "$work/page" "$TABLE"
}

# only NAME LIBRARY [VARIABLE=VALUE...]: a driver, and no other
only() {
    mkdir -p "$work/$1" && echo "$2" >"$work/$1/$1.icd"
    on "$1$label" "${below[@]}" env OCL_ICD_VENDORS="$work/$1" "${@:3}"
}

run_pocl() {
    local driver
    driver=$(found '/etc/OpenCL/vendors/pocl*.icd')
    if [ -n "$driver" ]; then only pocl "$(cat "$driver")"; else skip "pocl$label" 'it is not installed (apt-get install pocl-opencl-icd)'; fi
}

run_intel() {
    local folder=${INTEL_OPENCL:-$(python3 -c 'import sys; print(sys.prefix)' 2>/dev/null)/lib}
    if [ -e "$folder/libintelocl.so" ]; then
        only intel "$folder/libintelocl.so" LD_LIBRARY_PATH="$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    else
        skip intel "there is no $folder/libintelocl.so (pip install intel-opencl-rt intel-cmplr-lib-rt; INTEL_OPENCL=FOLDER)"
    fi
}

run_rusticl() {
    local library
    library=$(found '/usr/lib/*/libRusticlOpenCL.so.1')
    if [ -n "$library" ]; then
        only rusticl "${library#"$root"}" RUSTICL_ENABLE=llvmpipe
    else
        skip "rusticl$label" 'it is not installed (apt-get install mesa-opencl-icd)'
    fi
}

run_oclgrind() {
    if [ -n "$root" ]; then
        skip "oclgrind$label" 'it is run here alone'
    elif command -v oclgrind >/dev/null; then
        on oclgrind oclgrind
    else
        skip oclgrind 'it is not installed (apt-get install oclgrind)'
    fi
}

[ $# -gt 0 ] || if [ -n "$root" ]; then set -- pocl rusticl; else set -- pocl intel rusticl oclgrind; fi
for name in "$@"; do
    declare -F "run_$name" >/dev/null || { echo "opencl_others: there is no $name: pocl, intel, rusticl, oclgrind" >&2 && exit 2; }
    "run_$name"
done
echo
scripts/part --sum "$results"
