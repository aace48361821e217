// SPDX-License-Identifier: MIT
/*  23_from_naive_to_fast: one program in six steps, for docs/fast.md: bodies that attract each other.

    Build   cc -O3 -march=native -fopenmp -I.. 23_from_naive_to_fast.c -o 23_from_naive_to_fast -lm
            ... -DAMP_BACKEND_OPENCL ...
    Run     ./23_from_naive_to_fast [BODIES [STEPS]]                            1,024 bodies, 20 steps without arguments
    See     the milliseconds of the fastest time step of each variant, then OK: all variants agree.                 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amp.h"
#include "picture.h"

enum { TILE = 128, MOST = 1 << 20 };
#define TIME_STEP 0.001f
#define SOFTENING 0.01f /* the square of a distance: bodies are no points */

AMP_STRUCT(body, { float x, y, z, mass; });
AMP_STRUCT(motion, { float x, y, z; });
AMP_DEFINE_ELEMENT(body)
AMP_DEFINE_ELEMENT(motion)

typedef struct {
    int count, steps;
    body *now, *next;
    motion *speed;
} world;

/* ---- 1: serial -------------------------------------------------------------------------------------------------- */

static void serial(int count, const body *now, body *next, motion *speed)
{
    for (int i = 0; i < count; i++) {
        float ax = 0, ay = 0, az = 0;
        for (int k = 0; k < count; k++) {
            const float x = now[k].x - now[i].x, y = now[k].y - now[i].y, z = now[k].z - now[i].z;
            const float square = x * x + y * y + z * z + SOFTENING;
            const float pull = now[k].mass / (square * sqrtf(square));
            ax += pull * x, ay += pull * y, az += pull * z;
        }
        speed[i].x += TIME_STEP * ax, speed[i].y += TIME_STEP * ay, speed[i].z += TIME_STEP * az;
        next[i].x = now[i].x + TIME_STEP * speed[i].x;
        next[i].y = now[i].y + TIME_STEP * speed[i].y;
        next[i].z = now[i].z + TIME_STEP * speed[i].z;
        next[i].mass = now[i].mass;
    }
}

/* ---- 2: a launch ------------------------------------------------------------------------------------------------ */

static void parallel(int count, body *now, body *next, motion *speed)
{
    AMP_ARRAY_VIEW(body, 1, from, now, count);
    AMP_ARRAY_VIEW(body, 1, to, next, count);
    AMP_ARRAY_VIEW(motion, 1, v, speed, count);
    AMP_PARALLEL_FOR_EACH(to.extent, (i), AMP_CAPTURE(from, to, v, count), {
        float ax = 0, ay = 0, az = 0;
        for (int k = 0; k < count; k++) {
            const body here = AMP_AT(from, i), other = AMP_AT(from, k);
            const float x = other.x - here.x, y = other.y - here.y, z = other.z - here.z;
            const float square = x * x + y * y + z * z + SOFTENING;
            const float pull = other.mass / (square * sqrtf(square));
            ax += pull * x, ay += pull * y, az += pull * z;
        }
        AMP_AT(v, i).x += TIME_STEP * ax;
        AMP_AT(v, i).y += TIME_STEP * ay;
        AMP_AT(v, i).z += TIME_STEP * az;
        AMP_AT(to, i).x = AMP_AT(from, i).x + TIME_STEP * AMP_AT(v, i).x;
        AMP_AT(to, i).y = AMP_AT(from, i).y + TIME_STEP * AMP_AT(v, i).y;
        AMP_AT(to, i).z = AMP_AT(from, i).z + TIME_STEP * AMP_AT(v, i).z;
        AMP_AT(to, i).mass = AMP_AT(from, i).mass;
    });
}

/* ---- 3: functions, and views that live longer than a step ------------------------------------------------------- */

AMP_FUNCTION(motion, attracted, (motion a, body here, body other), {
    const float x = other.x - here.x, y = other.y - here.y, z = other.z - here.z;
    const float square = x * x + y * y + z * z + SOFTENING;
    const float pull = other.mass / (square * sqrtf(square));
    return (motion){ a.x + pull * x, a.y + pull * y, a.z + pull * z };
})

AMP_FUNCTION(motion, faster, (motion v, motion a), {
    const float h = TIME_STEP;
    return (motion){ v.x + h * a.x, v.y + h * a.y, v.z + h * a.z };
})

AMP_FUNCTION(body, moved, (body b, motion v), {
    const float h = TIME_STEP;
    return (body){ b.x + h * v.x, b.y + h * v.y, b.z + h * v.z, b.mass };
})

static void with_functions(amp_const_array_view_body_1 from, amp_array_view_body_1 to, amp_array_view_motion_1 v)
{
    const int count = from.extent.v[0];
    AMP_PARALLEL_FOR_EACH(to.extent, (i), AMP_CAPTURE(from, to, v, count), {
        const body here = AMP_AT(from, i);
        motion a = { 0, 0, 0 };
        for (int k = 0; k < count; k++) a = attracted(a, here, AMP_AT(from, k));
        AMP_AT(v, i) = faster(AMP_AT(v, i), a);
        AMP_AT(to, i) = moved(here, AMP_AT(v, i));
    });
}

/* ---- 4: cheaper arithmetic -------------------------------------------------------------------------------------- */

AMP_FUNCTION(float, pull_of, (float square, float mass), {
    const float inverse = amp_fast_rsqrtf(square);
    return mass * inverse * inverse * inverse;
})

static void with_rsqrt(amp_const_array_view_body_1 from, amp_array_view_body_1 to, amp_array_view_motion_1 v)
{
    const int count = from.extent.v[0];
    AMP_PARALLEL_FOR_EACH(to.extent, (i), AMP_CAPTURE(from, to, v, count), {
        const body here = AMP_AT(from, i);
        motion a = { 0, 0, 0 };
        for (int k = 0; k < count; k++) {
            const body other = AMP_AT(from, k);
            const float x = other.x - here.x, y = other.y - here.y, z = other.z - here.z;
            const float pull = pull_of(x * x + y * y + z * z + SOFTENING, other.mass);
            a = (motion){ a.x + pull * x, a.y + pull * y, a.z + pull * z };
        }
        AMP_AT(v, i) = faster(AMP_AT(v, i), a);
        AMP_AT(to, i) = moved(here, AMP_AT(v, i));
    });
}

/* ---- 5: sums in any order, which a CPU vectorises ---------------------------------------------------------------- */

static void in_any_order(amp_const_array_view_body_1 from, amp_array_view_body_1 to, amp_array_view_motion_1 v)
{
    const int count = from.extent.v[0];
    AMP_PARALLEL_FOR_EACH(to.extent, (i), AMP_CAPTURE(from, to, v, count), {
        const body here = AMP_AT(from, i);
        float ax = 0, ay = 0, az = 0;
        AMP_ANY_ORDER(ax, ay, az) for (int k = 0; k < count; k++) {
            const body other = AMP_AT(from, k);
            const float x = other.x - here.x, y = other.y - here.y, z = other.z - here.z;
            const float pull = pull_of(x * x + y * y + z * z + SOFTENING, other.mass);
            ax += pull * x, ay += pull * y, az += pull * z;
        }
        const motion a = { ax, ay, az };
        AMP_AT(v, i) = faster(AMP_AT(v, i), a);
        AMP_AT(to, i) = moved(here, AMP_AT(v, i));
    });
}

/* ---- 6: tiles --------------------------------------------------------------------------------------------------- */

static void in_tiles(amp_const_array_view_body_1 from, amp_array_view_body_1 to, amp_array_view_motion_1 v)
{
    const int count = from.extent.v[0];
    AMP_TILED(to.extent, (TILE), tile, AMP_CAPTURE(from, to, v, count, AMP_CONSTANT(TILE)), {
        AMP_TILE_STATIC(body, others, [TILE]);
        AMP_PRIVATE(motion, a);
        AMP_THREADS(tile, t) { AMP_OWN(a) = (motion){ 0, 0, 0 }; }
        for (int first = 0; first < count; first += TILE) {
            AMP_THREADS(tile, t) { others[t.local.v[0]] = AMP_AT(from, first + t.local.v[0]); }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                const body here = AMP_AT(from, t.global);
                float ax = AMP_OWN(a).x, ay = AMP_OWN(a).y, az = AMP_OWN(a).z;
                AMP_ANY_ORDER(ax, ay, az) for (int k = 0; k < TILE; k++) {
                    const body other = others[k];
                    const float x = other.x - here.x, y = other.y - here.y, z = other.z - here.z;
                    const float pull = pull_of(x * x + y * y + z * z + SOFTENING, other.mass);
                    ax += pull * x, ay += pull * y, az += pull * z;
                }
                AMP_OWN(a) = (motion){ ax, ay, az };
            }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) {
            AMP_AT(v, t.global) = faster(AMP_AT(v, t.global), AMP_OWN(a));
            AMP_AT(to, t.global) = moved(AMP_AT(from, t.global), AMP_AT(v, t.global));
        }
    });
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

typedef void variant(amp_const_array_view_body_1 from, amp_array_view_body_1 to, amp_array_view_motion_1 v);

static void begin(world *w)
{
    srand(1);
    for (int i = 0; i < w->count; i++) {
        float p[6];
        for (int k = 0; k < 6; k++)
            p[k] = 2 * (float)rand() / (float)RAND_MAX - 1;
        w->now[i] = (body){ p[0], p[1], p[2], 1 / (float)w->count };
        w->speed[i] = (motion){ p[3], p[4], p[5] };
    }
}

/* The seconds of the fastest step, without the first, which compiles the kernel. */
static double step_all(world *w, int number, variant *step)
{
    double best = (double)INFINITY;
    AMP_ARRAY_VIEW(body, 1, from, w->now, w->count);
    AMP_ARRAY_VIEW(body, 1, to, w->next, w->count);
    AMP_ARRAY_VIEW(motion, 1, v, w->speed, w->count);
    const amp_accelerator_view where = amp_accelerator_default_view(amp_accelerator_default());
    for (int i = 0; i < w->steps; i++) {
        const double start = seconds_now();
        if (number == 1)
            serial(w->count, w->now, w->next, w->speed);
        else if (number == 2)
            parallel(w->count, w->now, w->next, w->speed);
        else
            step(amp_as_const(from), to, v);
        amp_accelerator_view_wait(where);
        best = i > 0 ? fmin(best, seconds_now() - start) : best;
        amp_swap(&from, &to);
        body *const now = w->now;
        w->now = w->next, w->next = now;
    }
    return best;
}

int main(int argc, char **argv)
{
    static const char *const names[] = { "serial", "a launch", "functions, views stay", "rsqrt", "any order", "tiles" };
    variant *const steps[] = { NULL, NULL, with_functions, with_rsqrt, in_any_order, in_tiles };
    world w = { .count = argc > 1 ? atoi(argv[1]) : 1024, .steps = argc > 2 ? atoi(argv[2]) : 20 };
    if (w.count < TILE || w.count > MOST || w.count % TILE || w.steps < 2)
        return printf("usage: %s [BODIES [STEPS]], a multiple of %d bodies, 2 steps or more\n", argv[0], TILE), 1;
    const size_t count = (size_t)w.count;
    w.now = malloc(count * sizeof *w.now), w.next = malloc(count * sizeof *w.next);
    w.speed = malloc(count * sizeof *w.speed);
    body *const right = malloc(count * sizeof *right);
    if (!w.now || !w.next || !w.speed || !right)
        return puts("no memory"), 1;
    bool ok = true;
    printf("%d bodies, milliseconds a step, %s\n", w.count, amp_accelerator_description(amp_accelerator_default()));
    for (int number = 1; number <= 6; number++) {
        begin(&w);
        const double seconds = step_all(&w, number, steps[number - 1]);
        float most = 0;
        if (number == 1)
            memcpy(right, w.now, count * sizeof *right);
        for (int i = 0; i < w.count; i++)
            most = fmaxf(most, fabsf(w.now[i].x - right[i].x) + fabsf(w.now[i].y - right[i].y));
        printf("%d  %-24s %9.3f   off by %.1g\n", number, names[number - 1], 1e3 * seconds, (double)most);
        ok = ok && most < 1e-4f;
    }
    free(w.now), free(w.next), free(w.speed), free(right);
    puts(ok ? "OK" : "something is wrong");
    return ok ? 0 : 1;
}
