// SPDX-License-Identifier: MIT
/*  11_nbody: two galaxies meet: tens of thousands of bodies, each of which attracts all others. C++ AMP's own demo.

    Each step reads all bodies N times, so what counts is where they are read from: the simple kernel takes them from
    the view, the tiled one brings TS of them at a time to tile_static memory, for all threads of a tile. On several
    accelerators each moves its share: the kernel writes a section of the next positions and reads all present ones,
    and the library brings to each what the others wrote; no copy is written here.

    Build   cc -O3 -march=native -fopenmp -I.. 11_nbody.c -o 11_nbody -lm                   (CPU backend)
            ... -DAMP_BACKEND_OPENCL ...                            (POCL_DEVICES="pthread pthread" gives two devices)
            ... -DWITH_SDL2 ... $(pkg-config --cflags --libs SDL2_gfx)                       (with a window)
    Run     ./11_nbody [BODIES [STEPS [tiled]]]      5000 bodies, 1 step without arguments; "tiled" is that kernel alone
            ./11_nbody window [BODIES [PICTURES]]    in a window, 20000 bodies; without one 10 pictures are written.
            Keys: s the simple kernel, t the tiled one; 1, 2, ... an accelerator, a all together, Tab the next; q ends.
    See     steps (frames) a second and GFLOP/s of each kernel on each accelerator and of all together, the picture
            nbody.png, then OK.                                                                               */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amp.h"
#include "window.h"

enum { TS = 64, MAX_ACCELERATORS = 32, MAX_BODIES = 1 << 20, CHECKED = 64 };
enum { WINDOW_WIDTH = 960, WINDOW_HEIGHT = 640 };
#ifndef WIDTH
#define WIDTH 480 /* of the picture that is written */
#endif
#define HEIGHT    (WIDTH * 2 / 3)
#define TIME_STEP 0.005f
#define SOFTENING 0.0025f /* the square of a distance: bodies are no points, and never meet */
#define FLOPS     20.0    /* of one attraction, as such programs count them */

AMP_STRUCT(body, { float x, y, z, mass; });
AMP_DEFINE_ELEMENT(body);
AMP_STRUCT(motion, { float x, y, z; });
AMP_DEFINE_ELEMENT(motion);

/* ---- the kernels ------------------------------------------------------------------------------------------- */

/* a, and what the attraction of `other` adds to it */
AMP_FUNCTION(motion, attracted, (motion a, body here, body other), {
    const float x = other.x - here.x, y = other.y - here.y, z = other.z - here.z;
    const float inverse = 1.0f / sqrtf(x * x + y * y + z * z + SOFTENING);
    const float pull = other.mass * inverse * inverse * inverse;
    return (motion){ a.x + pull * x, a.y + pull * y, a.z + pull * z };
})

AMP_FUNCTION(motion, faster, (motion v, motion a),
             { return (motion){ v.x + TIME_STEP * a.x, v.y + TIME_STEP * a.y, v.z + TIME_STEP * a.z }; })

AMP_FUNCTION(body, moved, (body b, motion v),
             { return (body){ b.x + TIME_STEP * v.x, b.y + TIME_STEP * v.y, b.z + TIME_STEP * v.z, b.mass }; })

/* A step of those bodies whose places are `next` and whose speeds are `speed`: the first of them is number `first`. */
typedef void step_function(amp_accelerator_view av, amp_const_array_view_body_1 now, int first,
                           amp_array_view_body_1 next, amp_array_view_motion_1 speed);

static void step_simple(amp_accelerator_view av, amp_const_array_view_body_1 now, int first, amp_array_view_body_1 next,
                        amp_array_view_motion_1 speed)
{
    const int count = now.extent.v[0];
    AMP_PARALLEL_FOR_EACH_ON(av, next.extent, (i), AMP_CAPTURE(now, first, next, speed, count), {
        const body here = AMP_AT(now, first + i);
        motion a = { 0, 0, 0 };
        for (int k = 0; k < count; k++) a = attracted(a, here, AMP_AT(now, k));
        AMP_AT(speed, i) = faster(AMP_AT(speed, i), a);
        AMP_AT(next, i) = moved(here, AMP_AT(speed, i));
    });
}

/* Tiles are padded: beyond the last body there is nothing, which attracts nothing and is not written. */
static void step_tiled(amp_accelerator_view av, amp_const_array_view_body_1 now, int first, amp_array_view_body_1 next,
                       amp_array_view_motion_1 speed)
{
    const int count = now.extent.v[0], share = next.extent.v[0];
    const amp_tiled_extent1 padded = amp_tiled_extent1_pad(amp_extent1_tile(next.extent, TS));
    AMP_TILED_ON(av, padded, (TS), tile, AMP_CAPTURE(now, first, next, speed, count, share, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(body, others, [TS]);
        AMP_PRIVATE(body, here);
        AMP_PRIVATE(motion, a);

        AMP_THREADS(tile, t) {
            const int i = t.global.v[0];
            AMP_OWN(here) = AMP_AT(now, first + (i < share ? i : 0));
            AMP_OWN(a) = (motion){ 0, 0, 0 };
        }
        for (int from = 0; from < count; from += TS) {
            AMP_THREADS(tile, t) {
                const int k = from + t.local.v[0];
                others[t.local.v[0]] = k < count ? AMP_AT(now, k) : (body){ 0, 0, 0, 0 };
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                motion sum = AMP_OWN(a);
                for (int k = 0; k < TS; k++) sum = attracted(sum, AMP_OWN(here), others[k]);
                AMP_OWN(a) = sum;
            }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) {
            const int i = t.global.v[0];
            if (i < share) {
                AMP_AT(speed, i) = faster(AMP_AT(speed, i), AMP_OWN(a));
                AMP_AT(next, i) = moved(AMP_OWN(here), AMP_AT(speed, i));
            }
        }
    });
}

/* ---- the galaxies ------------------------------------------------------------------------------------------ */

typedef struct {
    int count, steps;
    bool tiled_only;
    body *bodies;
    motion *speeds;
} world;

static float chance(void) { return (float)rand() / (float)RAND_MAX; }

/* Two discs of stars, each around a heavy centre, which pass each other closely. */
static void begin(const world *w)
{
    srand(1);
    for (int i = 0; i < w->count; i++) {
        const int galaxy = i % 2;
        const float side = galaxy ? 1.0f : -1.0f, tilt = galaxy ? 0.9f : 0.2f;
        const float r = i < 2 ? 0.0f : 0.12f + 0.75f * chance(), angle = 6.2831853f * chance();
        const float x = r * cosf(angle), y = r * sinf(angle),
                    v = i < 2 ? 0.0f : sqrtf(r * r / powf(r * r + SOFTENING, 1.5f));
        const float vx = -v * sinf(angle), vy = v * cosf(angle);
        w->bodies[i] = (body){ x + side * 0.9f, y * cosf(tilt) + side * 0.35f, y * sinf(tilt) + 0.02f * chance(),
                               i < 2 ? 1.0f : 0.1f / (float)w->count };
        w->speeds[i] = (motion){ vx - side * 0.75f, vy * cosf(tilt), vy * sinf(tilt) };
    }
}

/* Body i one step after w by plain C, with the sum in double precision. */
static body stepped(const world *w, int i)
{
    const body here = w->bodies[i];
    double a[3] = { 0, 0, 0 };
    for (int k = 0; k < w->count; k++) {
        const double x = (double)w->bodies[k].x - (double)here.x, y = (double)w->bodies[k].y - (double)here.y,
                     z = (double)w->bodies[k].z - (double)here.z;
        const double pull = (double)w->bodies[k].mass / pow(x * x + y * y + z * z + (double)SOFTENING, 1.5);
        a[0] += pull * x, a[1] += pull * y, a[2] += pull * z;
    }
    return moved(here, faster(w->speeds[i], (motion){ (float)a[0], (float)a[1], (float)a[2] }));
}

static bool near(body a, body b)
{
    return fabsf(a.x - b.x) + fabsf(a.y - b.y) + fabsf(a.z - b.z) < 1e-5f * (1 + fabsf(b.x));
}

/* ---- a run ------------------------------------------------------------------------------------------------- */

static void wait_for_all(const amp_accelerator_view *avs, int devices)
{
    for (int d = 0; d < devices; d++)
        amp_accelerator_view_wait(avs[d]);
}

/* One step on all accelerators, an equal share on each. */
static void step_all(step_function *step, const amp_accelerator_view *avs, int devices, amp_array_view_body_1 now,
                     amp_array_view_body_1 next, amp_array_view_motion_1 speed)
{
    const int count = now.extent.v[0];
    for (int d = 0; d < devices; d++) {
        const int first = (int)((long long)count * d / devices), end = (int)((long long)count * (d + 1) / devices);
        amp_array_view_body_1 share = amp_section(next, first, end - first);
        amp_array_view_discard_data(&share);
        step(avs[d], amp_as_const(now), first, share, amp_section(speed, first, end - first));
        amp_accelerator_view_flush(avs[d]);
    }
}

/* Is a sample of the bodies where it should be, one step after w? */
static bool right(const world *w, amp_array_view_body_1 next)
{
    const amp_const_array_view_body_1 result = amp_as_const(next);
    for (int s = 0; s < CHECKED; s++) {
        const int i = (int)((long long)(w->count - 1) * s / (CHECKED - 1));
        if (!near(AMP_AT(result, i), stepped(w, i))) {
            fprintf(stderr, "body %d is in the wrong place after a step\n", i);
            return false;
        }
    }
    return true;
}

/* The first step compiles the kernel; it and one more after the timed ones, which leave `end`, are looked at. */
static bool simulate(const char *what, step_function *step, const amp_accelerator_view *avs, int devices,
                     const world *w, const world *end)
{
    AMP_ARRAY_VIEW_NO_SOURCE(body, 1, now, w->count);
    AMP_ARRAY_VIEW_NO_SOURCE(body, 1, next, w->count);
    AMP_ARRAY_VIEW_NO_SOURCE(motion, 1, speed, w->count);
    amp_copy_in(w->bodies, (size_t)w->count, now);
    amp_copy_in(w->speeds, (size_t)w->count, speed);
    step_all(step, avs, devices, now, next, speed);
    if (!right(w, next))
        return false;

    wait_for_all(avs, devices);
    const double start = seconds_now();
    for (int i = 0; i < w->steps; i++) {
        amp_swap(&now, &next);
        step_all(step, avs, devices, now, next, speed);
    }
    wait_for_all(avs, devices);
    const double seconds = seconds_now() - start, pairs = (double)w->count * (double)w->count * w->steps;
    printf("    %-8s %9.2f steps/s %9.1f GFLOP/s\n", what, w->steps / seconds, 1e-9 * FLOPS * pairs / seconds);
    amp_copy_out(next, end->bodies, (size_t)w->count);
    amp_copy_out(speed, end->speeds, (size_t)w->count);
    amp_swap(&now, &next);
    step_all(step, avs, devices, now, next, speed);
    return right(end, next);
}

/* ---- the picture ------------------------------------------------------------------------------------------- */

/* Each body adds a little light, half a point to its neighbours; one galaxy is bluish, the other reddish. */
static void shine(amp_accelerator_view av, amp_const_array_view_body_1 bodies, amp_array_view_float_3 light)
{
    const int rows = light.extent.v[0], cols = light.extent.v[1];
    const float lamp =
        fminf(1, 0.026f * (float)cols * (float)cols / (float)bodies.extent.v[0]); /* of each: many are fainter */
    AMP_PARALLEL_FOR_EACH_ON(av, light.extent, idx, AMP_CAPTURE(light), { AMP_AT(light, idx) = 0; });
    AMP_PARALLEL_FOR_EACH_ON(av, bodies.extent, (i), AMP_CAPTURE(bodies, light, rows, cols, lamp), {
        const body b = AMP_AT(bodies, i);
        const float scale = 0.27f * (float)cols;
        const int x = (int)floorf(0.5f * (float)cols + scale * b.x), y = (int)floorf(0.5f * (float)rows - scale * b.y);
        if (x < 1 || x >= cols - 1 || y < 1 || y >= rows - 1) continue;
        const float red = i % 2 ? 1.0f : 0.5f, green = i % 2 ? 0.7f : 0.8f, blue = i % 2 ? 0.4f : 1.0f;
        for (int k = 0; k < 9; k++) {
            const int dy = k / 3 - 1, dx = k % 3 - 1;
            const float much = (i < 2 ? 20.0f : lamp) * expf(-(float)(dx * dx + dy * dy));
            amp_atomic_fetch_add(&AMP_AT(light, y + dy, x + dx, 0), much * red);
            amp_atomic_fetch_add(&AMP_AT(light, y + dy, x + dx, 1), much * green);
            amp_atomic_fetch_add(&AMP_AT(light, y + dy, x + dx, 2), much * blue);
        }
    });
}

AMP_FUNCTION(uint32_t, exposed, (float light), { return (uint32_t)(255.0f * (1.0f - expf(-0.7f * light))); })

/* The picture is made where the bodies are, and is all that is copied back. */
static void draw(amp_accelerator_view av, amp_array_view_body_1 bodies, amp_array_view_float_3 light,
                 amp_array_view_uint32_t_2 picture)
{
    shine(av, amp_as_const(bodies), light);
    amp_array_view_discard_data(&picture);
    AMP_PARALLEL_FOR_EACH_ON(av, picture.extent, (y, x), AMP_CAPTURE(light, picture), {
        AMP_AT(picture, y, x) = exposed(AMP_AT(light, y, x, 0)) | exposed(AMP_AT(light, y, x, 1)) << 8 |
                                exposed(AMP_AT(light, y, x, 2)) << 16;
    });
    amp_array_view_synchronize(&picture);
}

static bool write_picture(amp_accelerator_view av, const world *w)
{
    static uint32_t pixels[HEIGHT][WIDTH];
    AMP_ARRAY_VIEW(body, 1, bodies, w->bodies, w->count);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 3, light, HEIGHT, WIDTH, 3);
    AMP_ARRAY_VIEW(uint32_t, 2, picture, pixels, HEIGHT, WIDTH);
    draw(av, bodies, light, picture);
    const bool ok = picture_write("nbody.png", &pixels[0][0], WIDTH, HEIGHT);
    if (ok)
        puts("wrote nbody.png");
    return ok;
}

/* ---- the window -------------------------------------------------------------------------------------------- */

/* Where steps run: on all devices of `together`, or on one of `avs`; by which kernel; and how fast, since when. */
typedef struct {
    const amp_accelerator_view *avs;
    int count, together, device; /* device == count: all together */
    bool simple;
    double since, stepping;
    int frames;
    char text[160];
} choice;

/* Half a second's mean; what changed is measured anew after its first step, which may compile a kernel. */
static void measure(choice *c, int bodies, double started)
{
    const double now = seconds_now(), seconds = now - c->since;
    c->stepping += now - started;
    c->frames++;
    const bool first = c->since == 0;
    if (!first && seconds < 0.5)
        return;
    const double rate = first ? 0 : c->frames / seconds, pairs = (double)bodies * (double)bodies * c->frames;
    snprintf(c->text, sizeof c->text, "%s, %d bodies, %.1f frames/s, %.1f GFLOP/s on %.64s",
             c->simple ? "simple" : "tiled", bodies, rate, first ? 0 : 1e-9 * FLOPS * pairs / c->stepping,
             c->device == c->count ? "all together"
                                   : amp_accelerator_description(amp_accelerator_view_accelerator(c->avs[c->device])));
    c->since = now, c->stepping = 0, c->frames = 0;
}

/* s and t: the simple and the tiled kernel; 1 to 9: an accelerator; a: all together; Tab: the next of these. */
static void choose(choice *c, int key)
{
    const int choices = c->count + (c->together > 1);
    if (key == 's' || key == 't')
        c->simple = key == 's';
    else if (key == '\t')
        c->device = (c->device + 1) % choices;
    else if (key == 'a' && c->together > 1)
        c->device = c->count;
    else if (key >= '1' && key < '1' + c->count)
        c->device = key - '1';
    else
        return;
    c->since = 0, c->stepping = 0, c->frames = 0;
}

/* Steps until the window is closed. The views follow from accelerator to accelerator by themselves. The last step is
   looked at as those of a run are. */
static bool watch(const world *w, const world *end, const amp_accelerator_view *avs, int count, int together)
{
    static uint32_t pixels[WINDOW_HEIGHT][WINDOW_WIDTH];
    window screen = window_open("nbody", WINDOW_WIDTH, WINDOW_HEIGHT, w->steps);
    AMP_ARRAY_VIEW_NO_SOURCE(body, 1, now, w->count);
    AMP_ARRAY_VIEW_NO_SOURCE(body, 1, next, w->count);
    AMP_ARRAY_VIEW_NO_SOURCE(motion, 1, speed, w->count);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 3, light, WINDOW_HEIGHT, WINDOW_WIDTH, 3);
    AMP_ARRAY_VIEW(uint32_t, 2, picture, pixels, WINDOW_HEIGHT, WINDOW_WIDTH);
    amp_copy_in(w->bodies, (size_t)w->count, next);
    amp_copy_in(w->speeds, (size_t)w->count, speed);

    choice c = { .avs = avs, .count = count, .together = together };
    int key = 0;
    do {
        while ((key = window_key(&screen, 0)) != 0 && key != 'q')
            choose(&c, key);
        const bool all = c.device == count;
        const double started = seconds_now();
        amp_swap(&now, &next);
        step_all(c.simple ? step_simple : step_tiled, all ? avs : &avs[c.device], all ? together : 1, now, next, speed);
        wait_for_all(avs, count);
        measure(&c, w->count, started);
        draw(avs[all ? 0 : c.device], next, light, picture);
    } while (window_show(&screen, &pixels[0][0], c.text) && key != 'q');
    const bool shown = window_close(&screen);

    amp_copy_out(next, end->bodies, (size_t)w->count);
    amp_copy_out(speed, end->speeds, (size_t)w->count);
    step_all(step_tiled, avs, 1, next, now, speed);
    return right(end, now) && shown;
}

/* ---- the whole job ----------------------------------------------------------------------------------------- */

/* First the real devices; without those the emulated ones; without those the CPU backend: `together` of them. Then all
   others. */
static int open_views(amp_accelerator_view *avs, int *together)
{
    amp_accelerator list[MAX_ACCELERATORS];
    int found = amp_accelerator_get_all(list, MAX_ACCELERATORS), count = 0;
    found = found < MAX_ACCELERATORS ? found : MAX_ACCELERATORS;
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < found; i++) {
            const bool loops = !strcmp(amp_accelerator_path(list[i]), "cpu");
            if (kind == (loops ? 2 : amp_accelerator_is_emulated(list[i])))
                avs[count++] = amp_accelerator_create_view(list[i]);
        }
        if (*together == 0)
            *together = count;
    }
    return count;
}

static bool run(const world *w, const world *end, const amp_accelerator_view *avs, int devices)
{
    bool ok = true;
    for (int d = 0; d < devices && ok; d++) {
        puts(amp_accelerator_description(amp_accelerator_view_accelerator(avs[d])));
        ok = (w->tiled_only || simulate("simple", step_simple, &avs[d], 1, w, end)) &&
             simulate("tiled", step_tiled, &avs[d], 1, w, end);
    }
    if (devices > 1 && ok) {
        printf("all %d together\n", devices);
        ok = simulate("tiled", step_tiled, avs, devices, w, end);
    }
    return ok && write_picture(avs[0], end);
}

int main(int argc, char **argv)
{
    const bool windowed = argc > 1 && !strcmp(argv[1], "window");
    argc -= windowed, argv += windowed;
    world w = { .count = argc > 1   ? atoi(argv[1])
                         : windowed ? 20000
                                    : 5000,
                .steps = argc > 2   ? atoi(argv[2])
                         : windowed ? 10
                                    : 1 };
    w.tiled_only = argc > 3 && !strcmp(argv[3], "tiled");
    if (w.count < 2 * MAX_ACCELERATORS || w.count > MAX_BODIES || w.steps < 1) {
        fprintf(stderr, "usage: 11_nbody [window] [BODIES [STEPS [tiled]]], %d to %d bodies\n", 2 * MAX_ACCELERATORS,
                MAX_BODIES);
        return 1;
    }
    w.bodies = malloc((size_t)w.count * sizeof *w.bodies);
    w.speeds = malloc((size_t)w.count * sizeof *w.speeds);
    world end = w;
    end.bodies = malloc((size_t)w.count * sizeof *end.bodies);
    end.speeds = malloc((size_t)w.count * sizeof *end.speeds);
    bool ok = w.bodies && w.speeds && end.bodies && end.speeds;
    if (ok) {
        amp_accelerator_view avs[MAX_ACCELERATORS];
        int together = 0;
        const int count = open_views(avs, &together);
        begin(&w);
        printf("%d bodies\n", w.count);
        ok = windowed ? watch(&w, &end, avs, count, together) : run(&w, &end, avs, together);
        for (int d = 0; d < count; d++)
            amp_accelerator_view_release(&avs[d]);
    }
    free(w.bodies);
    free(w.speeds);
    free(end.bodies);
    free(end.speeds);
    if (ok)
        puts("OK");
    return ok ? 0 : 1;
}
