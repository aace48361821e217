#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The windows of the examples, in a display of their own that nobody sees (Xvfb): keys and clicks are sent to them
# (xdotool), what they show is compared with what the same program writes as a file where there is no display, by numbers
# (tests/window/statistics.c). What is missing is named and skipped (scripts/setup --window installs it). $EXAMPLES has the
# examples, $BUILD/examples by default; screenshots stay in $BUILD/window. The last line is "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
limit=$PWD/scripts/limit # of processor time
export LC_ALL=C AMP_LOG=error OMP_WAIT_POLICY=passive POCL_DEVICES='pthread pthread'
build=${BUILD:-build}
rm -rf "$build/window"
mkdir -p "$build/window/screen"
build=$(cd "$build" && pwd)
work=$build/window
examples=$(cd "${EXAMPLES:-$build/examples}" && pwd)
. tests/count.sh
log=$work/log

missing() {
    local tool
    for tool in Xvfb xdotool; do
        command -v $tool >/dev/null || { echo "$tool is not there" && return; }
    done
    grep -q -- '-DWITH_SDL2' "$build/commands" 2>/dev/null || { echo 'SDL2_gfx is not there' && return; }
    [ -x "$examples/11_nbody_opencl" ] || echo 'the examples are not built, or libpng is not there'
}
why=$(missing)
if [ -n "$why" ]; then
    skip "windows: $why (scripts/setup --window installs it)"
    sum_up
    exit 77
fi

# shellcheck disable=SC2046 # words are meant to be split
${CC:-cc} -std=c11 -O1 tests/window/statistics.c -o "$work/statistics" $(pkg-config --cflags --libs libpng) || exit 1
Xvfb -displayfd 3 -screen 0 960x640x24 -fbdir "$work/screen" 3>"$work/display" >"$work/xvfb.log" 2>&1 </dev/null &
xvfb=$!
program=
trap 'kill $xvfb $program 2>/dev/null' EXIT
while kill -0 $xvfb 2>/dev/null; do
    [ -s "$work/display" ] && break
    sleep 0.1
done
DISPLAY=:$(cat "$work/display")
export DISPLAY
unset WAYLAND_DISPLAY SDL_VIDEODRIVER
devices=$("$build/accelerators" | cut -f 1 | grep -cvx cpu)
[ "$devices" -eq 0 ] || export AMP_ACCELERATOR=opencl # which may be a CPU, and no default

# begin PROGRAM ARGUMENTS: in the background; then $window is its window, which lies at $X, $Y
begin() {
    (cd "$work" && exec "$limit" 120 "$examples/$1" "${@:2}") >"$work/said" 2>&1 </dev/null &
    program=$!
    window=$(timeout 3000 xdotool search --sync --onlyvisible --name '^(nbody|mandelbrot|tiled|zoom)' 2>/dev/null | head -n 1)
    [ -n "$window" ] && timeout 3000 xdotool windowfocus "$window" && eval "$(xdotool getwindowgeometry --shell "$window")"
    status=$?
    cp "$work/said" "$log"
    result $status "$1 has a window"
    return $status
}

title() { timeout 3000 xdotool getwindowname "$window"; }
key() { timeout 3000 xdotool key "$@"; }

# says PATTERN WHAT: the title does, or will while the program runs; that is one check
says() {
    local i
    for ((i = 0; i < 3000; i++)); do
        title 2>/dev/null | grep -Eq "$1" && break
        kill -0 $program 2>/dev/null || i=3000
        sleep 0.1
    done
    [ $i -lt 3000 ]
    result $? "$2: the title is \"$(title)\""
}

# numbers FILE [PART]: into $width $height $red $green $blue $dark $white $sum
numbers() { read -r width height red green blue dark white sum <<<"$("$work/statistics" "$@" 2>>"$log")"; }

# screenshot NAME LEFT TOP WIDTH HEIGHT: the screen as it is now, of which this part of the window
screenshot() {
    cp "$work/screen/Xvfb_screen0" "$work/$1.xwd"
    numbers "$work/$1.xwd" $((X + $2)) $((Y + $3)) "$4" "$5"
}

# alike NAME FILE MOST: what the window shows is a picture as FILE is: the means of its colours, off by MOST of them, and
# how much of it is dark. The text is left out.
alike() {
    local shot
    numbers "$2"
    screenshot "$1" 0 32 "$width" $((height - 32))
    shot="$red $green $blue $dark"
    numbers "$2" 0 32 "$width" "$height"
    echo "$shot $red $green $blue $dark" >>"$log"
    awk -v most="$3" '
        function near(a, b, more) { return a - b <= most * b + more && b - a <= most * b + more }
        { exit !(near($1, $5, 0.5) && near($2, $6, 0.5) && near($3, $7, 0.5) && near($4, $8, 20) && $5 > 1) }' \
        <<<"$shot $red $green $blue $dark"
    result $? "$1: a screenshot with means of red, green, blue, and dark ones of a thousand: $shot; in the file $red $green $blue $dark"
}

# lettered NAME FILE: there are white letters in the corner, and none in the file.
lettered() {
    local shot
    screenshot "$1" 10 10 400 8
    shot=$white
    numbers "$2" 10 10 400 8
    awk -v shot="$shot" -v file="$white" 'BEGIN { exit !(shot > 50 && shot < 500 && file < 10) }'
    result $? "$1: letters: $shot of a thousand pixels are white, in the file $white"
}

# ends WHAT: on the key q, well
ends() {
    local status
    key q
    wait "$program"
    status=$?
    program=
    [ $status -eq 0 ] && [ "$(tail -n 1 "$work/said")" = OK ]
    result $? "$1 ends with status $status: $(tail -n 1 "$work/said")"
}

# files PROGRAM ARGUMENTS: the pictures that it writes without a display
files() { (cd "$work" && env -u DISPLAY "$limit" 120 "$examples/$1" "${@:2}") >"$log" 2>&1 </dev/null; }

nbody() {
    local i first middle=(300 200 360 240)
    files 11_nbody_opencl window 3000 1
    result $? 'n-body without a display'
    begin 11_nbody_opencl window 3000 || return
    says '^tiled, 3000 bodies, [0-9.]+ frames/s, [0-9]*[1-9][0-9.]* GFLOP/s on ' 'n-body begins'
    lettered nbody-text "$work/nbody-0001.png"
    alike nbody "$work/nbody-0001.png" 0.25
    screenshot nbody-1 "${middle[@]}"
    first=$sum
    for ((i = 0; i < 300; i++)); do
        screenshot nbody-2 "${middle[@]}"
        [ "$first" = "$sum" ] || break
        sleep 0.1
    done
    [ "$first" != "$sum" ]
    result $? 'the bodies move'
    key s
    says '^simple, .* [0-9]*[1-9][0-9.]* GFLOP/s' 'the key s'
    key t
    says '^tiled, .* [0-9]*[1-9][0-9.]* GFLOP/s' 'the key t'
    if [ "$devices" -gt 1 ]; then
        key a
        says '[0-9]*[1-9][0-9.]* GFLOP/s on all together' 'the key a'
        alike nbody-together "$work/nbody-0001.png" 0.25
    else
        skip "all accelerators together: there are $devices"
    fi
    key $((devices + 1))
    says '[0-9]*[1-9][0-9.]* GFLOP/s on CPU \(' 'the last accelerator'
    ends 'n-body'
}

mandelbrot() {
    local first middle=(100 100 200 100)
    files 12_mandelbrot_opencl window 480
    result $? 'Mandelbrot without a display'
    begin 12_mandelbrot_opencl window 480 || return
    says '^zoom 1.00, [0-9.]+ ms on ' 'Mandelbrot begins'
    lettered mandelbrot-text "$work/mandelbrot-0001.png"
    alike mandelbrot "$work/mandelbrot-0001.png" 0.02
    screenshot mandelbrot-1 "${middle[@]}"
    first=$sum
    timeout 3000 xdotool mousemove $((X + 300)) $((Y + 120)) click 1
    says '^zoom 2.00, ' 'a click'
    screenshot mandelbrot-2 "${middle[@]}"
    [ "$first" != "$sum" ]
    result $? 'the picture is another one'
    key minus
    says '^zoom 1.00, ' 'the key -'
    ends 'Mandelbrot'
}

nbody
mandelbrot
sum_up
