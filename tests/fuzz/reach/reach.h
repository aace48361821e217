// SPDX-License-Identifier: MIT
/*  reach.h - what the kernels of kernels.c see: two views, whose accesses check.c notes */
#ifndef REACH_H
#define REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct reach_view {
    int amp_priv; /* 0: u, 1: v, also in a copy */
    int stride, data[1];
} reach_view;
extern reach_view u, v;

/* A struct and tables, as AMP_STRUCT and AMP_TABLE make them: for kernels, and as texts. */
#define REACH_STRUCT                                                                                                   \
    {                                                                                                                  \
        int a;                                                                                                         \
        short b;                                                                                                       \
        unsigned char c;                                                                                               \
        signed char d;                                                                                                 \
    }
#define REACH_WEIGHTS                                                                                                  \
    {                                                                                                                  \
        { 3, -1, 4, 1 }, { -5, 9, 2, 300 }                                                                             \
    }
#define REACH_BYTES                                                                                                    \
    {                                                                                                                  \
        0, 200, 255, 7                                                                                                 \
    }
#define REACH_TEXT(...)  REACH_TEXT_(__VA_ARGS__)
#define REACH_TEXT_(...) #__VA_ARGS__

typedef struct reach_function {
    const char *name, *text;
} reach_function;

#ifndef REACH_DRIVER
typedef reach_view amp_const_array_view_float_2, amp_array_view_float_2;
typedef struct amp_index2 {
    int v[2];
} amp_index2;
typedef struct pair REACH_STRUCT pair;
static const short weights[2][4] = REACH_WEIGHTS;
static const unsigned char bytes[4] = REACH_BYTES;
extern pair s; /* captured */

typedef struct amp_tile_barrier {
    int amp_priv;
} amp_tile_barrier;
typedef struct amp_tile2 {
    amp_index2 tile, tile_origin;
    amp_tile_barrier barrier;
} amp_tile2;
typedef struct amp_priv_tile_in_threads {
    amp_index2 tile, tile_origin;
} amp_priv_tile_in_threads;
typedef struct amp_priv_tiled_index {
    amp_index2 global, local, tile, tile_origin;
} amp_priv_tiled_index;
enum { amp_priv_on_host = 1, amp_priv_tile_static = 64 };
static inline void amp_barrier_wait(amp_tile_barrier barrier) { (void)barrier; }
static inline amp_priv_tiled_index amp_priv_thread_2(amp_tile2 tile, int z, int y, int x)
{
    (void)z;
    return (amp_priv_tiled_index){
        { { tile.tile_origin.v[0] + y, tile.tile_origin.v[1] + x } }, { { y, x } }, tile.tile, tile.tile_origin
    };
}

int amp_priv_at_2(int in_kernel, const int *head, int stride, int i, int j); /* notes row i; 0 */
static inline int amp_priv_at(int in_kernel, const int *head, int stride, amp_index2 i)
{
    return amp_priv_at_2(in_kernel, head, stride, i.v[0], i.v[1]);
}
void tick(void); /* ends a kernel that takes too long */
#endif

typedef struct reach_kernel {
    const char *text;
    void (*run)(int r, int c, int n);
    const reach_function *functions; /* the last one has no name */
    int tile[2];                     /* tiled: `run` runs a tile, whose number is r, c */
} reach_kernel;
extern const reach_kernel reach_kernels[];
extern const int reach_kernel_count;

#endif
