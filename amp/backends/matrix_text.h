/* SPDX-License-Identifier: MIT */
/*  amp/backends/matrix_text.h - source for amp/matrix/tile_matrix.h: NVIDIA's matrix units, and a device without units

    Contents (search for the tag):
        >>none  >>nvidia */
#ifndef AMP_BACKENDS_MATRIX_TEXT_H
#define AMP_BACKENDS_MATRIX_TEXT_H

#include "../codegen/target_common.h"

/* How many elements of the sums' type a block takes in tile_static memory, and of a thread's registers on the way. */
#define AMP_PRIV_TEXT_MATRIX_COMMON                                                                                    \
    "#define amp_priv_matrix_size(kind) ((kind) < 2 ? 2 : (kind) == 3 ? 1 : 4)\n"                                      \
    "#define amp_priv_matrix_places(kind, rows, columns, right) (amp_priv_matrix_by_unit(kind, (right) ? (rows) : "    \
    "(columns)) ? (rows) * (columns) * amp_priv_matrix_size(kind) / 2 : (columns) * (rows) + ((right) ? 0 : 4 * "      \
    "(columns)))\n"                                                                                                    \
    "#define amp_priv_matrix_shared(count) (((count) + amp_priv_threads_0 - 1) / amp_priv_threads_0)\n"                \
    "#define amp_priv_matrix_own(kind, rows, columns, right) (amp_priv_matrix_by_unit(kind, (right) ? (rows) : "       \
    "(columns)) ? 4 * amp_priv_matrix_shared((rows) * (columns) * amp_priv_matrix_size(kind) / 16) : "                 \
    "amp_priv_matrix_shared((rows) * (columns)))\n"

/* // >>none: the loops of tile_matrix.h. */
#define AMP_PRIV_TEXT_MATRIX_NONE(barrier)                                                                             \
    "#define amp_priv_matrix_by_unit(kind, k) 0\n#define amp_priv_matrix_wait(kind, k) " barrier                       \
    "\n#define amp_priv_matrix_aligned(p) 0\n#define amp_priv_matrix_fetch(to, p) 0\n"                           \
    "#define amp_priv_matrix_put(kind, block, s, line, chunk, lines, chunks, from) 0\n"                                \
    "#define amp_priv_matrix_multiply(kind, c, left, right, s, rows, columns, depth, left_upright, right_upright) 0\n"

/* // >>nvidia: compute capability 8.0 and later. A block is lines of chunks of 16 bytes, which ldmatrix reads eight
   lines at once: which chunk lies where depends on the line, so that these are in different banks. Rows of a half's or
   bfloat16's right factor are transposed by ldmatrix; tf32's and int8's have lines along columns. */
#define AMP_PRIV_TEXT_MATRIX_MMA(assembly, condition, shape, types, type, letter, c)                                   \
    condition assembly(                                                                                                \
        " volatile(\"mma.sync.aligned." shape ".row.col." types " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "             \
        "{%0,%1,%2,%3};\" : \"+" letter "\"(" c "[0]), \"+" letter "\"(" c "[1]), \"+" letter "\"(" c                  \
        "[2]), \"+" letter "\"(" c "[3]) : \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"r\"(b[0]), "          \
        "\"r\"(b[1]));\n")
#define AMP_PRIV_TEXT_MATRIX_LDMATRIX(assembly, name, how)                                                             \
    AMP_PRIV_TEXT_INLINED "void " name "(unsigned *r, unsigned from)\n{ "                                              \
    assembly(" volatile(\"ldmatrix.sync.aligned.m8n8.x4" how ".shared.b16 {%0,%1,%2,%3}, [%4];\" : \"=r\"(r[0]), "     \
             "\"=r\"(r[1]), \"=r\"(r[2]), \"=r\"(r[3]) : \"r\"(from) : \"memory\"); }\n")
#define AMP_PRIV_TEXT_INLINED "static inline __attribute__((always_inline)) "
#define AMP_PRIV_TEXT_MATRIX_NVIDIA(assembly, barrier, local, global, pack, address)                                   \
    "#define amp_priv_matrix_bytes(kind, k) ((k) * amp_priv_matrix_size(kind))\n"                                      \
    "#define amp_priv_matrix_by_unit(kind, k) ((kind) < 4 && amp_priv_own_count(0) == 1 && (amp_priv_matrix_bytes("    \
    "kind, k) == 32 || amp_priv_matrix_bytes(kind, k) == 64 || amp_priv_matrix_bytes(kind, k) == 128))\n"              \
    "#define amp_priv_matrix_wait(kind, k) if (!amp_priv_matrix_by_unit(kind, k)) " barrier "\n"                       \
    "#define amp_priv_matrix_place(line, chunk, chunks) ((line) * (chunks) + ((chunk) ^ ((line) / ((chunks) < 8 ? "    \
    "8 / (chunks) : 1) & ((chunks) < 8 ? (chunks) - 1 : 7))))\n"                                                       \
    "#define amp_priv_matrix_aligned(p) (((unsigned long)(p) & 15) == 0)\n"                                            \
    "#define amp_priv_matrix_near(x) (((x) & 0x7f800000u) == 0x7f800000u ? (x) : ((x) + 0x1000u) & 0xffffe000u)\n"     \
    "#define amp_priv_matrix_fetch(to, p) amp_priv_matrix_fetched((unsigned *)(to), p)\n"                              \
    AMP_PRIV_TEXT_INLINED "void amp_priv_matrix_fetched(unsigned *to, " global "const void *p)\n{ "                    \
    "const uint4 q = *(" global "const uint4 *)p; to[0] = q.x; to[1] = q.y; to[2] = q.z; to[3] = q.w; }\n"             \
    "#define amp_priv_matrix_put(kind, block, s, line, chunk, lines, chunks, from) amp_priv_matrix_stored(kind, ("     \
    local "uint4 *)(block) + (s) * (lines) * (chunks) + amp_priv_matrix_place(line, chunk, chunks), "                  \
    "(const unsigned *)(from))\n" AMP_PRIV_TEXT_INLINED "void amp_priv_matrix_stored(const int kind, " local           \
    "uint4 *to, const unsigned *w)\n{ if (kind == 2) *to = " pack "(amp_priv_matrix_near(w[0]), "                      \
    "amp_priv_matrix_near(w[1]), amp_priv_matrix_near(w[2]), amp_priv_matrix_near(w[3])); else *to = " pack            \
    "(w[0], w[1], w[2], w[3]); }\n"                                                                                    \
    AMP_PRIV_TEXT_MATRIX_LDMATRIX(assembly, "amp_priv_matrix_four", "")                                                \
    AMP_PRIV_TEXT_MATRIX_LDMATRIX(assembly, "amp_priv_matrix_four_turned", ".trans")                                   \
    AMP_PRIV_TEXT_INLINED "void amp_priv_matrix_mma(const int kind, float *c, const unsigned *a, const unsigned *b)\n" \
    "{\nint *const i = (int *)c; (void)i;\n"                                                                           \
    AMP_PRIV_TEXT_MATRIX_MMA(assembly, "if (kind == 0) ", "m16n8k16", "f32.f16.f16.f32", "float", "f", "c")            \
    AMP_PRIV_TEXT_MATRIX_MMA(assembly, "else if (kind == 1) ", "m16n8k16", "f32.bf16.bf16.f32", "float", "f", "c")     \
    AMP_PRIV_TEXT_MATRIX_MMA(assembly, "else if (kind == 2) ", "m16n8k8", "f32.tf32.tf32.f32", "float", "f", "c")      \
    AMP_PRIV_TEXT_MATRIX_MMA(assembly, "else ", "m16n8k32", "s32.s8.s8.s32", "int", "r", "i")                          \
    "}\n"                                                                                                              \
    "#define amp_priv_matrix_multiply(kind, c, left, right, s, rows, columns, depth, left_upright, right_upright) "    \
    "amp_priv_matrix_multiplied(kind, (float *)(c), " address "(left), " address "(right), s, amp_priv_me, "           \
    "amp_priv_threads_0, rows, columns, depth, left_upright, right_upright)\n"                                         \
    AMP_PRIV_TEXT_INLINED "void amp_priv_matrix_multiplied(const int kind, float *c, unsigned left, unsigned right, "  \
    "const int s, const int me, const int threads, const int rows, const int columns, const int depth, "               \
    "const int left_upright, const int right_upright)\n{\n"                                                            \
    "const int size = amp_priv_matrix_size(kind), across = threads % 128 == 0 ? 2 : 1, down = threads / 32 / across;\n"\
    "const int tall = rows / down, wide = columns / across, lane = me % 32, warp = me / 32;\n"                         \
    "const int top = warp / across * tall, at = warp % across * wide, chunks = depth * size / 16;\n"                   \
    "const int high = rows * size / 16, many = columns * size / 16;\n"                                                 \
    "left += (unsigned)(s * rows * chunks * 16); right += (unsigned)(s * columns * chunks * 16);\n"                    \
    "_Pragma(\"unroll\") for (int k = 0; k < chunks / 2; k++) {\nunsigned a[8][4], b[16][2];\n"                        \
    "_Pragma(\"unroll\") for (int i = 0; i < tall / 16; i++) {\nif (left_upright) amp_priv_matrix_four_turned(a[i], "  \
    "left + 16u * (unsigned)amp_priv_matrix_place(lane % 8 + lane / 16 * 8, (top + i * 16) / 8 + lane / 8 % 2, high) " \
    "+ (unsigned)(k * 16 * high * 16));\n"                                                                             \
    "else amp_priv_matrix_four(a[i], left + 16u * (unsigned)amp_priv_matrix_place(top + lane % 16, 2 * k + lane / 16, "\
    "chunks) + (unsigned)(i * 16 * chunks * 16));\n}\n"                                                                \
    "_Pragma(\"unroll\") for (int j = 0; j < wide / 16; j++) {\nif (right_upright) amp_priv_matrix_four(b[2 * j], "    \
    "right + 16u * (unsigned)amp_priv_matrix_place(at + lane % 8 + lane / 16 * 8, 2 * k + lane / 8 % 2, chunks) + "    \
    "(unsigned)(j * 16 * chunks * 16));\n"                                                                             \
    "else amp_priv_matrix_four_turned(b[2 * j], right + 16u * (unsigned)amp_priv_matrix_place(lane % 16, "             \
    "(at + j * 16) / 8 + lane / 16, many) + (unsigned)(k * 16 * many * 16));\n}\n"                                     \
    "_Pragma(\"unroll\") for (int i = 0; i < tall / 16; i++) _Pragma(\"unroll\") for (int j = 0; j < wide / 8; j++) "  \
    "amp_priv_matrix_mma(kind, c + (i * (wide / 8) + j) * 4, a[i], b[j]);\n}\n}\n"

#endif /* AMP_BACKENDS_MATRIX_TEXT_H */
