/* SPDX-License-Identifier: MIT */
/*  amp/matrix/matrix_text.h - source for amp/matrix/tile_matrix.h: NVIDIA's matrix units, and a device without units

    A block of a factor has `stages` parts, each for one step of a product. While the unit multiplies one part, the
    others are filled: by copies that pass no registers ("by copy", cp.async), or through registers, where it is the
    compiler's loads that are under way.

    Contents (search for the tag):
        >>common  >>none  >>nvidia  >>warps  >>groups  >>blocks  >>targets */
#ifndef AMP_MATRIX_MATRIX_TEXT_H
#define AMP_MATRIX_MATRIX_TEXT_H

#include "../codegen/target_common.h"

/* The openings of a target that kernels with blocks need: a block of sums names a row, one of a factor its places, and
   every other statement needs one of the two. */
#define AMP_PRIV_MATRIX_TEXTS(sixteen, unit)                                                                           \
    { "amp_priv_sixteen", AMP_PRIV_TEXT_ALIGNED sixteen },                                                             \
        { "amp_priv_matrix_loads", "#define amp_priv_matrix_has_loads 1\n" },                                          \
        { "amp_priv_matrix_loops", "#define amp_priv_matrix_has_loops 1\n" },                                          \
        { "amp_priv_matrix_units", "#define amp_priv_matrix_has_units 1\n" },                                          \
        { "amp_priv_matrix_floats", "#define amp_priv_matrix_has_floats 1\n" },                                        \
        { "amp_priv_matrix_crosses", "#define amp_priv_matrix_has_crosses 1\n" }, { "amp_priv_matrix_row", unit },     \
        { "amp_priv_matrix_places", unit }

/* // >>common: how deep a step is, in elements; how many elements of the sums' type a block takes in tile_static
   memory, and of a thread's registers on the way; the place of sum number e of thread me. AMP_TILE_LOAD needs a block
   as deep as it was declared. pocl 5's optimiser is off (opencl_quirks.h). */
#define AMP_PRIV_TEXT_MATRIX_COMMON                                                                                    \
    "#if defined(POCL_DEVICE_ADDRESS_BITS) && __clang_major__ >= 16\n#pragma clang optimize off\n#endif\n"             \
    "#ifndef amp_priv_matrix_has_loads\n#define amp_priv_matrix_has_loads 0\n#endif\n"                                 \
    "#ifndef amp_priv_matrix_has_loops\n#define amp_priv_matrix_has_loops 0\n#endif\n"                                 \
    "#ifndef amp_priv_matrix_has_units\n#define amp_priv_matrix_has_units 0\n#endif\n"                                 \
    "#ifndef amp_priv_matrix_has_floats\n#define amp_priv_matrix_has_floats 0\n#endif\n"                               \
    "#ifndef amp_priv_matrix_has_crosses\n#define amp_priv_matrix_has_crosses 0\n#endif\n"                             \
    "#define amp_priv_matrix_loads 0\n#define amp_priv_matrix_loops 0\n#define amp_priv_matrix_units 0\n"              \
    "#define amp_priv_matrix_floats 0\n#define amp_priv_matrix_crosses 0\n"                                            \
    "#define amp_priv_matrix_is_plain (amp_priv_matrix_has_loops && !amp_priv_matrix_has_units)\n"                     \
    "#define amp_priv_matrix_size(kind) ((kind) < 2 ? 2 : (kind) == 3 ? 1 : 4)\n"                                      \
    "#define amp_priv_matrix_step(kind, k) (amp_priv_matrix_has_loads ? (k) : amp_priv_matrix_has_unit(kind) ? "       \
    "amp_priv_matrix_line / amp_priv_matrix_size(kind) : (k) > amp_priv_matrix_turn(kind) ? amp_priv_matrix_turn("     \
    "kind) : (k))\n"                                                                                                   \
    "#define amp_priv_matrix_bytes(kind, k) ((k) * amp_priv_matrix_size(kind))\n"                                      \
    "#define amp_priv_matrix_by_unit(kind, k) (amp_priv_matrix_has_unit(kind) && (amp_priv_matrix_bytes(kind, k) == "  \
    "32 || amp_priv_matrix_bytes(kind, k) == 64 || amp_priv_matrix_bytes(kind, k) == 128))\n"                          \
    "#define amp_priv_matrix_deep(kind, rows, columns, right) amp_priv_matrix_step(kind, (right) ? (rows) : "          \
    "(columns))\n#define amp_priv_matrix_count(kind, rows, columns, right) (amp_priv_matrix_deep(kind, rows, columns, "\
    "right) * ((right) ? (columns) : (rows)))\n"                                                                       \
    "#define amp_priv_matrix_places(kind, rows, columns, right) (amp_priv_matrix_by_unit(kind, amp_priv_matrix_deep("  \
    "kind, rows, columns, right)) ? amp_priv_matrix_count(kind, rows, columns, right) * amp_priv_matrix_size(kind) / " \
    "4 * amp_priv_matrix_stages(kind, amp_priv_matrix_deep(kind, rows, columns, right)) : amp_priv_matrix_count(kind," \
    " rows, columns, right) + ((right) ? 0 : 4 * amp_priv_matrix_deep(kind, rows, columns, right)))\n"                 \
    "#define amp_priv_matrix_shared(count, threads) (((count) + (threads) - 1) / (threads))\n"                         \
    "#define amp_priv_matrix_own(kind, rows, columns, right, threads) (!amp_priv_matrix_by_unit(kind, "                \
    "amp_priv_matrix_deep(kind, rows, columns, right)) ? amp_priv_matrix_shared(amp_priv_matrix_count(kind, rows, "    \
    "columns, right), threads) : amp_priv_matrix_by_copy(kind, amp_priv_matrix_deep(kind, rows, columns, right)) ? 1 " \
    ": 4 * amp_priv_matrix_shared(amp_priv_matrix_count(kind, rows, columns, right) * amp_priv_matrix_size(kind) / "   \
    "16, threads))\n"                                                                                                  \
    "#define amp_priv_matrix_across(threads) ((threads) % 128 == 0 ? 2 : 1)\n"                                         \
    "#define amp_priv_matrix_down(threads) ((threads) / 32 / amp_priv_matrix_across(threads))\n"                       \
    "#define amp_priv_matrix_run(count) ((count) % 4 == 0 ? 4 : 2)\n"                                                  \
    "#define amp_priv_matrix_at(count, threads, thread, i) ((i) / amp_priv_matrix_run(count) * (amp_priv_matrix_run("  \
    "count) * (threads)) + (thread) * amp_priv_matrix_run(count) + (i) % amp_priv_matrix_run(count))\n"                \
    "#define amp_priv_matrix_tall(threads, rows) ((rows) / (amp_priv_matrix_down(threads) * 8))\n"                     \
    "#define amp_priv_matrix_wide(threads, columns) ((columns) / (amp_priv_matrix_across(threads) * 4))\n"             \
    "#define amp_priv_matrix_row(me, e, threads, rows, columns) (amp_priv_matrix_is_plain ? amp_priv_matrix_at("       \
    "amp_priv_matrix_tall(threads, rows), amp_priv_matrix_down(threads) * 8, (me) / 32 / amp_priv_matrix_across("      \
    "threads) * 8 + (me) % 32 / 4, (e) / 4 / (amp_priv_matrix_wide(threads, columns) / 2) * 2 + (e) / 2 % 2) : "       \
    "amp_priv_matrix_by_groups(threads, rows, columns) ? " \
    "(me) / 128 * ((rows) * 128 / (threads)) + (e) / ((columns) / 2) * 64 + (me) % 128 / 32 * 16 + (e) / 2 % 2 * 8 + " \
    "(me) % 32 / 4 : (me) / 32 / amp_priv_matrix_across(threads) * ((rows) / amp_priv_matrix_down(threads)) + "        \
    "(e) / 4 / ((columns) / amp_priv_matrix_across(threads) / 8) * 16 + (e) / 2 % 2 * 8 + (me) % 32 / 4)\n"            \
    "#define amp_priv_matrix_column(me, e, threads, rows, columns) (amp_priv_matrix_is_plain ? amp_priv_matrix_at("    \
    "amp_priv_matrix_wide(threads, columns), amp_priv_matrix_across(threads) * 4, (me) / 32 % "                        \
    "amp_priv_matrix_across(threads) * 4 + (me) % 4, (e) / 4 % (amp_priv_matrix_wide(threads, columns) / 2) * 2 + "    \
    "(e) % 2) : amp_priv_matrix_by_groups(threads, rows, "         \
    "columns) ? (e) % ((columns) / 2) / 4 * 8 + (me) % 4 * 2 + (e) % 2 : (me) / 32 % amp_priv_matrix_across(threads) " \
    "* ((columns) / amp_priv_matrix_across(threads)) + (e) / 4 % ((columns) / amp_priv_matrix_across(threads) / 8) * " \
    "8 + (me) % 4 * 2 + (e) % 2)\n"

/* 16 bytes at once (amp/matrix/vector.h), where two pointers are aligned so. In Vulkan a pointer has no address. */
#define AMP_PRIV_TEXT_ALIGNED                                                                                          \
    "#ifdef amp_priv_no_addresses\n#define amp_priv_are_aligned(p, q) 0\n#else\n"                                      \
    "#define amp_priv_are_aligned(p, q) ((((size_t)(p) | (size_t)(q)) & 15) == 0)\n#endif\n"
#define AMP_PRIV_TEXT_SIXTEEN(global)                                                                                  \
    "static inline void amp_priv_sixteen(unsigned *to, " global "const void *p)\n{ const uint4 q = *(" global          \
    "const uint4 *)p; to[0] = q.x; to[1] = q.y; to[2] = q.z; to[3] = q.w; }\n"

#define AMP_PRIV_TEXT_SIXTEEN_WORDS                                                                                    \
    "static inline void amp_priv_sixteen(unsigned *to, const void *p) { for (int i = 0; i < 4; i++) to[i] = ((const "  \
    "unsigned *)p)[i]; }\n"

/* // >>none: the loops of tile_matrix.h. */
#define AMP_PRIV_TEXT_MATRIX_NONE(barrier)                                                                             \
    "#define amp_priv_matrix_has_unit(kind) 0\n#define amp_priv_matrix_line 0\n#define amp_priv_unroll_some\n"         \
    "#define amp_priv_matrix_turn(kind) 16\n#define amp_priv_matrix_by_fours(kind, count) 0\n"                         \
    "#define amp_priv_matrix_beside(to, p) 0\n"                                                                        \
    "#define amp_priv_matrix_by_copy(kind, k) 0\n#define amp_priv_matrix_by_groups(threads, rows, columns) 0\n"        \
    "#define amp_priv_matrix_stages(kind, k) 1\n#define amp_priv_matrix_late(kind, k) 1\n"                             \
    "#define amp_priv_matrix_arrive(kind, k, n)\n#define amp_priv_matrix_arrive_all " barrier "\n"                     \
    "#define amp_priv_matrix_begun(kind, k)\n#define amp_priv_matrix_settle(threads, rows, columns, left)\n"           \
    "#define amp_priv_matrix_wait(kind, k) " barrier "\n"                                                              \
    "#define amp_priv_matrix_filled(kind, k) " barrier "\n"                                                            \
    "#define amp_priv_matrix_aligned(p) 0\n#define amp_priv_matrix_fetch(kind, k, to, block, s, line, chunk, lines, "  \
    "chunks, p, bytes) 0\n"                                                                                            \
    "#define amp_priv_matrix_fetch_word(block, s, line, chunk, word, lines, chunks, p, bytes) (void)(p)\n"             \
    "#define amp_priv_matrix_keep(kind, k, to, block, s, line, chunk, lines, chunks, w) 0\n"                           \
    "#define amp_priv_matrix_put(kind, block, s, line, chunk, lines, chunks, from) 0\n"                                \
    "#define amp_priv_matrix_multiply(kind, c, left, right, s, rows, columns, depth, left_upright, right_upright) 0\n"

/* // >>nvidia: compute capability 8.0 and later. A block is lines of chunks of 16 bytes, in panels of at most 8 chunks.
   Units read eight lines at once: which chunk lies where depends on the line, so that these are in different banks. It
   is the swizzle of wgmma's descriptors, too. Rows of a half's or bfloat16's right factor are transposed by the unit;
   tf32's and int8's have lines along columns. `line` bytes of elements are a step. */
#define AMP_PRIV_TEXT_INLINED "static inline __attribute__((always_inline)) "
#define AMP_PRIV_TEXT_MATRIX_NVIDIA(assembly, barrier, local, global, pack, address)                                   \
    "#define amp_priv_matrix_has_unit(kind) ((kind) < 4 && amp_priv_own_count(0) == 1)\n"                              \
    "#define amp_priv_matrix_turn(kind) ((kind) == 4 ? 8 : 16)\n"                                                      \
    "#define amp_priv_matrix_by_fours(kind, count) (amp_priv_matrix_is_plain && amp_priv_own_count(0) == 1 && "        \
    "(count) % (amp_priv_threads_0 * ((kind) == 5 ? 2 : 4)) == 0)\n"                                                   \
    "#define amp_priv_matrix_beside(to, p) amp_priv_matrix_fetched((unsigned *)(to), p)\n"                             \
    "#define amp_priv_matrix_wait(kind, k) if (amp_priv_matrix_stages(kind, k) == 1) " barrier "\n"                    \
    "#define amp_priv_matrix_filled(kind, k) if (!amp_priv_matrix_by_copy(kind, k)) { amp_priv_matrix_shown " barrier  \
    "; }\n"                                                                                                            \
    "#define amp_priv_matrix_place(line, chunk, lines, chunks) ((chunks) < 8 ? (line) * (chunks) + ((chunk) ^ ((line) "\
    "/ (8 / (chunks)) & ((chunks) - 1))) : ((chunk) / 8 * (lines) + (line)) * 8 + ((chunk) % 8 ^ ((line) & 7)))\n"     \
    "#define amp_priv_matrix_aligned(p) (((unsigned long)(p) & 15) == 0)\n"                                            \
    AMP_PRIV_TEXT_INLINED "unsigned amp_priv_matrix_near(const unsigned x)\n{ unsigned y; "                            \
    assembly("(\"{ .reg .f32 x; mov.b32 x, %1; cvt.rna.tf32.f32 %0, x; }\" : \"=r\"(y) : \"r\"(x)); return y; }\n")    \
    "#define amp_priv_matrix_cut(x) (((x) & 0x7f800000u) == 0x7f800000u ? (x) : (x) + 0x1000u)\n"                      \
    "#define amp_priv_matrix_chunk(block, s, line, chunk, lines, chunks) ((" local "uint4 *)(block) + (s) * (lines) "  \
    "* (chunks) + amp_priv_matrix_place(line, chunk, lines, chunks))\n"                                                \
    AMP_PRIV_TEXT_INLINED "void amp_priv_matrix_fetched(unsigned *to, " global "const void *p)\n{ "                    \
    "const uint4 q = *(" global "const uint4 *)p; to[0] = q.x; to[1] = q.y; to[2] = q.z; to[3] = q.w; }\n"             \
    AMP_PRIV_TEXT_INLINED "void amp_priv_matrix_kept(unsigned *to, const unsigned *w)\n{ to[0] = w[0]; "               \
    "to[1] = w[1]; to[2] = w[2]; to[3] = w[3]; }\n"                                                                    \
    AMP_PRIV_TEXT_INLINED "void amp_priv_matrix_stored(const int kind, " local "uint4 *to, const unsigned *w)\n"       \
    "{ if (kind == 2) *to = " pack "(amp_priv_matrix_near(w[0]), amp_priv_matrix_near(w[1]), "                         \
    "amp_priv_matrix_near(w[2]), amp_priv_matrix_near(w[3])); else *to = " pack "(w[0], w[1], w[2], w[3]); }\n"        \
    "#define amp_priv_matrix_put(kind, block, s, line, chunk, lines, chunks, from) amp_priv_matrix_stored(kind, "      \
    "amp_priv_matrix_chunk(block, s, line, chunk, lines, chunks), (const unsigned *)(from))\n"                         \
    AMP_PRIV_TEXT_MATRIX_WARPS(assembly, address)

/* Through registers: two parts of a block. */
#define AMP_PRIV_TEXT_MATRIX_BY_REGISTERS(barrier)                                                                     \
    "#define amp_priv_matrix_line 64\n#define amp_priv_matrix_rounds 0\n#define amp_priv_unroll_some amp_priv_unroll\n"\
    "#define amp_priv_matrix_by_copy(kind, k) 0\n#define amp_priv_matrix_by_groups(threads, rows, columns) 0\n"        \
    "#define amp_priv_matrix_stages(kind, k) (amp_priv_matrix_by_unit(kind, k) && amp_priv_matrix_bytes(kind, k) < "   \
    "128 ? 2 : 1)\n#define amp_priv_matrix_late(kind, k) 1\n#define amp_priv_matrix_shown\n"                           \
    "#define amp_priv_matrix_arrive_all " barrier "\n"                                                                 \
    "#define amp_priv_matrix_arrive(kind, k, n)\n#define amp_priv_matrix_begun(kind, k)\n"                             \
    "#define amp_priv_matrix_settle(threads, rows, columns, left)\n"                                                   \
    "#define amp_priv_matrix_fetch(kind, k, to, block, s, line, chunk, lines, chunks, p, bytes) "                      \
    "amp_priv_matrix_fetched((unsigned *)(to), p)\n"                                                                   \
    "#define amp_priv_matrix_keep(kind, k, to, block, s, line, chunk, lines, chunks, w) "                              \
    "amp_priv_matrix_kept((unsigned *)(to), w)\n"                                                                      \
    "#define amp_priv_matrix_fetch_word(block, s, line, chunk, word, lines, chunks, p, bytes) (void)(p)\n"             \
    "#define amp_priv_matrix_multiply(kind, c, left, right, s, rows, columns, depth, left_upright, right_upright) "    \
    "amp_priv_matrix_by_warps(kind, c, left, right, s, rows, columns, depth, left_upright, right_upright)\n"

/* // >>warps: mma.sync, by each warp. */
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
#define AMP_PRIV_TEXT_MATRIX_WARPS(assembly, address)                                                                  \
    AMP_PRIV_TEXT_MATRIX_LDMATRIX(assembly, "amp_priv_matrix_four", "")                                                \
    AMP_PRIV_TEXT_MATRIX_LDMATRIX(assembly, "amp_priv_matrix_four_turned", ".trans")                                   \
    AMP_PRIV_TEXT_INLINED "void amp_priv_matrix_mma(const int kind, float *c, const unsigned *a, const unsigned *b)\n" \
    "{\nint *const i = (int *)c; (void)i;\n"                                                                           \
    AMP_PRIV_TEXT_MATRIX_MMA(assembly, "if (kind == 0) ", "m16n8k16", "f32.f16.f16.f32", "float", "f", "c")            \
    AMP_PRIV_TEXT_MATRIX_MMA(assembly, "else if (kind == 1) ", "m16n8k16", "f32.bf16.bf16.f32", "float", "f", "c")     \
    AMP_PRIV_TEXT_MATRIX_MMA(assembly, "else if (kind == 2) ", "m16n8k8", "f32.tf32.tf32.f32", "float", "f", "c")      \
    AMP_PRIV_TEXT_MATRIX_MMA(assembly, "else ", "m16n8k32", "s32.s8.s8.s32", "int", "r", "i")                          \
    "}\n"                                                                                                              \
    "#define amp_priv_matrix_by_warps(kind, c, left, right, s, rows, columns, depth, left_upright, right_upright) "    \
    "amp_priv_matrix_multiplied(kind, (float *)(c), " address "(left), " address "(right), s, amp_priv_me, "           \
    "amp_priv_threads_0, rows, columns, depth, left_upright, right_upright)\n"                                         \
    AMP_PRIV_TEXT_INLINED "void amp_priv_matrix_multiplied(const int kind, float *c, unsigned left, unsigned right, "  \
    "const int s, const int me, const int threads, const int rows, const int columns, const int depth, "               \
    "const int left_upright, const int right_upright)\n{\n"                                                            \
    "const int size = amp_priv_matrix_size(kind), across = amp_priv_matrix_across(threads);\n"                         \
    "const int down = amp_priv_matrix_down(threads);\n"                                                                \
    "const int tall = rows / down, wide = columns / across, lane = me % 32, warp = me / 32;\n"                         \
    "const int top = warp / across * tall, at = warp % across * wide, chunks = depth * size / 16;\n"                   \
    "const int high = rows * size / 16, many = columns * size / 16;\n"                                                 \
    "left += (unsigned)(s * rows * chunks * 16); right += (unsigned)(s * columns * chunks * 16);\n"                    \
    "_Pragma(\"unroll\") for (int k = 0; k < chunks / 2; k++) {\nunsigned a[8][4], b[16][2];\n"                        \
    "_Pragma(\"unroll\") for (int i = 0; i < tall / 16; i++) {\nif (left_upright) amp_priv_matrix_four_turned(a[i], "  \
    "left + 16u * (unsigned)amp_priv_matrix_place(lane % 8 + lane / 16 * 8, (top + i * 16) / 8 + lane / 8 % 2, depth, "\
    "high) + (unsigned)(k * 16 * (high < 8 ? high : 8) * 16));\n"                                                      \
    "else amp_priv_matrix_four(a[i], left + 16u * (unsigned)amp_priv_matrix_place(top + lane % 16, 2 * k + lane / 16, "\
    "rows, chunks) + (unsigned)(i * 16 * chunks * 16));\n}\n"                                                          \
    "_Pragma(\"unroll\") for (int j = 0; j < wide / 16; j++) {\nif (right_upright) amp_priv_matrix_four(b[2 * j], "    \
    "right + 16u * (unsigned)amp_priv_matrix_place(at + lane % 8 + lane / 16 * 8, 2 * k + lane / 8 % 2, columns, "     \
    "chunks) + (unsigned)(j * 16 * chunks * 16));\n"                                                                   \
    "else amp_priv_matrix_four_turned(b[2 * j], right + 16u * (unsigned)amp_priv_matrix_place(lane % 16, "             \
    "(at + j * 16) / 8 + lane / 16, depth, many) + (unsigned)(k * 16 * (many < 8 ? many : 8) * 16));\n}\n"             \
    "if (kind == 2 && amp_priv_matrix_rounds) {\n_Pragma(\"unroll\") for (int i = 0; i < tall / 4; i++) a[i / 4][i "   \
    "% 4] = amp_priv_matrix_cut(a[i / 4][i % 4]);\n_Pragma(\"unroll\") for (int j = 0; j < wide / 4; j++) b[j / 2]["   \
    "j % 2] = amp_priv_matrix_cut(b[j / 2][j % 2]);\n}\n"                                                              \
    "_Pragma(\"unroll\") for (int i = 0; i < tall / 16; i++) _Pragma(\"unroll\") for (int j = 0; j < wide / 8; j++) "  \
    "amp_priv_matrix_mma(kind, c + (i * (wide / 8) + j) * 4, a[i], b[j]);\n}\n}\n"

/* Through copies on CUDA. Parts of a block are filled by groups of copies, in order: `late` steps after it has begun a
   group must have arrived. A group of warps multiplies while the next step begins, so that it reads a part longer.
   Groups cannot round floats. A kernel in which each would be copied alone takes them through registers, which rounds
   them early; others leave them to warps. */
#define AMP_PRIV_TEXT_MATRIX_BY_COPIES                                                                                 \
    "#if __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 870 || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200)\n"             \
    "#define amp_priv_matrix_line 128\n#else\n#define amp_priv_matrix_line 64\n#endif\n"                               \
    "#if defined(__CUDA_ARCH_FEAT_SM90_ALL) && !amp_priv_matrix_has_loads && !amp_priv_matrix_has_loops && "           \
    "(!amp_priv_matrix_has_floats || amp_priv_matrix_has_crosses)\n"                                                   \
    "#define amp_priv_matrix_overlaps 1\n#define amp_priv_matrix_early(kind) (amp_priv_matrix_has_floats && (kind) == "\
    "2)\n#else\n#define amp_priv_matrix_overlaps 0\n#define amp_priv_matrix_early(kind) 0\n#endif\n"                   \
    "#if amp_priv_matrix_early(2)\n#define amp_priv_matrix_rounds 0\n#define amp_priv_unroll_some amp_priv_unroll\n"   \
    "#else\n#define amp_priv_matrix_rounds 1\n#define amp_priv_unroll_some _Pragma(\"unroll 2\")\n#endif\n"            \
    "#define amp_priv_matrix_by_copy(kind, k) (amp_priv_matrix_by_unit(kind, k) && !amp_priv_matrix_early(kind))\n"    \
    "#define amp_priv_matrix_stages(kind, k) (!amp_priv_matrix_by_unit(kind, k) ? 1 : amp_priv_matrix_overlaps && "    \
    "!amp_priv_matrix_early(kind) && amp_priv_threads_0 > 128 ? 4 : 3)\n"                                              \
    "#define amp_priv_matrix_late(kind, k) (amp_priv_matrix_by_unit(kind, k) ? amp_priv_matrix_stages(kind, k) - 1 - " \
    "amp_priv_matrix_overlaps : 1)\n"                                                                                  \
    "#define amp_priv_matrix_arrive(kind, k, n) if (amp_priv_matrix_by_copy(kind, k) && (n) >= amp_priv_matrix_late("  \
    "kind, k)) { asm volatile(\"cp.async.wait_group %0;\" : : \"n\"(amp_priv_matrix_late(kind, k) - 1) : "             \
    "\"memory\"); amp_priv_matrix_shown __syncthreads(); }\n"                                                          \
    "#define amp_priv_matrix_arrive_all { asm volatile(\"cp.async.wait_all;\" : : : \"memory\"); "                     \
    "amp_priv_matrix_shown __syncthreads(); }\n"                                                                       \
    "#define amp_priv_matrix_begun(kind, k) if (amp_priv_matrix_by_copy(kind, k)) asm volatile(\"cp.async.commit_"     \
    "group;\" : : : \"memory\")\n"                                                                                     \
    "#define amp_priv_matrix_fetch(kind, k, to, block, s, line, chunk, lines, chunks, p, bytes) "                      \
    "(amp_priv_matrix_by_copy(kind, k) ? amp_priv_matrix_copied(amp_priv_matrix_chunk(block, s, line, chunk, lines, "  \
    "chunks), p, bytes) : amp_priv_matrix_fetched((unsigned *)(to), p))\n"                                             \
    "#define amp_priv_matrix_fetch_word(block, s, line, chunk, word, lines, chunks, p, bytes) asm volatile(\""         \
    "cp.async.ca.shared.global [%0], [%1], 4, %2;\" : : \"r\"((unsigned)__cvta_generic_to_shared(("                    \
    "unsigned *)amp_priv_matrix_chunk(block, s, line, chunk, lines, chunks) + (word))), \"l\"(p), \"r\"(bytes) : "     \
    "\"memory\")\n"                                                                                                    \
    "#define amp_priv_matrix_keep(kind, k, to, block, s, line, chunk, lines, chunks, w) (amp_priv_matrix_by_copy("     \
    "kind, k) ? amp_priv_matrix_put(kind, block, s, line, chunk, lines, chunks, w) : amp_priv_matrix_kept("            \
    "(unsigned *)(to), w))\n"                                                                                          \
    AMP_PRIV_TEXT_INLINED "void amp_priv_matrix_copied(uint4 *there, const void *p, const int bytes)\n{ asm volatile(" \
    "\"cp.async.cg.shared.global [%0], [%1], 16, %2;\" : : \"r\"((unsigned)__cvta_generic_to_shared(there)), "         \
    "\"l\"(p), \"r\"(bytes) : \"memory\"); }\n"

/* // >>groups: wgmma, by groups of four warps, on compute capability 9.0. It reads both factors from tile_static
   memory. A group has 64 rows of sums for each instruction, and all columns. The descriptors are those of the PTX ISA,
   "Asynchronous Warpgroup Level Matrix". */
#define AMP_PRIV_TEXT_MATRIX_32                                                                                        \
    "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%2"             \
    "7,%28,%29,%30,%31"
#define AMP_PRIV_TEXT_MATRIX_64                                                                                        \
    "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,"             \
    "%57,%58,%59,%60,%61,%62,%63"
#define AMP_PRIV_TEXT_MATRIX_128                                                                                       \
    "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,"             \
    "%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%"             \
    "111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
#define AMP_PRIV_TEXT_MATRIX_WGMMA(kind, n, types, list, sums, operands, given)                                        \
    "if constexpr (kind == " kind ") asm volatile(\"wgmma.mma_async.sync.aligned.m64n" n types " {" list "}, " operands\
    ";\" : " sums " : \"l\"(a), \"l\"(b)" given ");\n"
#define AMP_PRIV_TEXT_MATRIX_GROUP(n, list, count, a, b, turns)                                                        \
    "template <int kind, int left, int right> " AMP_PRIV_TEXT_INLINED "void amp_priv_matrix_group_" n "(float *c, "    \
    "unsigned long long a, unsigned long long b)\n{\nint *const i = (int *)c; (void)i;\n"                              \
    AMP_PRIV_TEXT_MATRIX_WGMMA("0", n, "k16.f32.f16.f16", list, "amp_priv_c" count "(\"+f\", c, 0)",                   \
                               a ", " b ", 1, 1, 1, " turns, ", \"n\"(left), \"n\"(right)")                            \
    AMP_PRIV_TEXT_MATRIX_WGMMA("1", n, "k16.f32.bf16.bf16", list, "amp_priv_c" count "(\"+f\", c, 0)",                 \
                               a ", " b ", 1, 1, 1, " turns, ", \"n\"(left), \"n\"(right)")                            \
    AMP_PRIV_TEXT_MATRIX_WGMMA("2", n, "k8.f32.tf32.tf32", list, "amp_priv_c" count "(\"+f\", c, 0)",                  \
                               a ", " b ", 1, 1, 1", "")                                                               \
    AMP_PRIV_TEXT_MATRIX_WGMMA("3", n, "k32.s32.s8.s8", list, "amp_priv_c" count "(\"+r\", i, 0)", a ", " b ", 1", "") \
    "}\n"
#define AMP_PRIV_TEXT_MATRIX_REPEAT(n, of)                                                                             \
    "#define amp_priv_c" n "(t, c, i) amp_priv_c" of "(t, c, i), amp_priv_c" of "(t, c, (i) + " of ")\n"
#define AMP_PRIV_TEXT_MATRIX_BY_GROUPS                                                                                 \
    "#if amp_priv_matrix_overlaps\n#define amp_priv_tile_align 1024\n"                                                 \
    "#define amp_priv_matrix_by_groups(threads, rows, columns) (amp_priv_own_count(0) == 1 && (threads) % 128 == 0 && "\
    "(rows) % ((threads) / 2) == 0 && ((columns) == 64 || (columns) == 128 || (columns) == 256))\n"                    \
    "#define amp_priv_matrix_shown asm volatile(\"fence.proxy.async.shared::cta;\" : : : \"memory\");\n"               \
    "#define amp_priv_matrix_settle(threads, rows, columns, left) if (amp_priv_matrix_by_groups(threads, rows, "       \
    "columns)) "                                                                                                       \
    "asm volatile(\"wgmma.wait_group.sync.aligned %0;\" : : \"n\"(left) : \"memory\")\n"                               \
    "#define amp_priv_c1(t, c, i) t(c[i])\n"                                                                           \
    AMP_PRIV_TEXT_MATRIX_REPEAT("2", "1") AMP_PRIV_TEXT_MATRIX_REPEAT("4", "2")                                        \
    AMP_PRIV_TEXT_MATRIX_REPEAT("8", "4") AMP_PRIV_TEXT_MATRIX_REPEAT("16", "8")                                       \
    AMP_PRIV_TEXT_MATRIX_REPEAT("32", "16") AMP_PRIV_TEXT_MATRIX_REPEAT("64", "32")                                    \
    AMP_PRIV_TEXT_MATRIX_REPEAT("128", "64")                                                                           \
    AMP_PRIV_TEXT_MATRIX_GROUP("64", AMP_PRIV_TEXT_MATRIX_32, "32", "%32", "%33", "%34, %35")                          \
    AMP_PRIV_TEXT_MATRIX_GROUP("128", AMP_PRIV_TEXT_MATRIX_32 "," AMP_PRIV_TEXT_MATRIX_64, "64", "%64", "%65",         \
                               "%66, %67")                                                                             \
    AMP_PRIV_TEXT_MATRIX_GROUP("256", AMP_PRIV_TEXT_MATRIX_32 "," AMP_PRIV_TEXT_MATRIX_64 "," AMP_PRIV_TEXT_MATRIX_128,\
                               "128", "%128", "%129", "%130, %131")                                                    \
    AMP_PRIV_TEXT_INLINED "unsigned long long amp_priv_matrix_described(unsigned at, unsigned panel, unsigned eight)\n"\
    "{ return (unsigned long long)((at & 0x3ffffu) >> 4) | (unsigned long long)(panel >> 4) << 16 | "                  \
    "(unsigned long long)(eight >> 4) << 32 | 1ull << 62; }\n"                                                         \
    "template <int kind, int threads, int rows, int columns, int depth, int left_upright, int right_upright> "         \
    AMP_PRIV_TEXT_INLINED "void amp_priv_matrix_grouped(float *c, unsigned left, unsigned right, int s, int me)\n{\n"  \
    "constexpr int left_turned = kind < 2 && left_upright, right_turned = kind < 2 && !right_upright;\n"               \
    "constexpr unsigned bytes = depth * amp_priv_matrix_size(kind);\n"                                                 \
    "constexpr unsigned tall = rows * 128 / threads, panel = depth * 128;\n"                                           \
    "left += s * rows * bytes + me / 128 * (left_turned ? tall / 64 * panel : tall * 128);\n"                          \
    "right += s * columns * bytes;\nasm volatile(\"wgmma.fence.sync.aligned;\" : : : \"memory\");\n"                   \
    "_Pragma(\"unroll\") for (unsigned k = 0; k < bytes / 32; k++)\n_Pragma(\"unroll\") for (unsigned i = 0; "         \
    "i < tall / 64; i++) {\nconst unsigned long long a = left_turned ? amp_priv_matrix_described(left + i * panel + "  \
    "k * 2048, panel, 1024) : amp_priv_matrix_described(left + i * 8192 + k * 32, 16, 1024);\n"                        \
    "const unsigned long long b = right_turned ? amp_priv_matrix_described(right + k * 2048, panel, 1024) : "          \
    "amp_priv_matrix_described(right + k * 32, 16, 1024);\n"                                                           \
    "if constexpr (columns == 64) amp_priv_matrix_group_64<kind, left_turned, right_turned>(c + i * 32, a, b);\n"      \
    "if constexpr (columns == 128) amp_priv_matrix_group_128<kind, left_turned, right_turned>(c + i * 64, a, b);\n"    \
    "if constexpr (columns == 256) amp_priv_matrix_group_256<kind, left_turned, right_turned>(c + i * 128, a, b);\n"   \
    "}\nasm volatile(\"wgmma.commit_group.sync.aligned;\" : : : \"memory\");\n}\n"                                     \
    "template <bool by_groups, int kind, int threads, int rows, int columns, int depth, int left_upright, int "        \
    "right_upright> " AMP_PRIV_TEXT_INLINED "void amp_priv_matrix_by_either(float *c, unsigned left, unsigned "        \
    "right, int s, int me)\n{\n"                                                                                       \
    "if constexpr (by_groups) amp_priv_matrix_grouped<kind, threads, rows, "                                           \
    "columns, depth, left_upright, right_upright>(c, left, right, s, me);\n"                                           \
    "else amp_priv_matrix_multiplied(kind, c, left, right, s, me, threads, rows, columns, depth, left_upright, "       \
    "right_upright);\n}\n"                                                                                             \
    "#define amp_priv_matrix_multiply(kind, c, left, right, s, rows, columns, depth, left_upright, right_upright) "    \
    "amp_priv_matrix_by_either<amp_priv_matrix_by_groups(amp_priv_threads_0, rows, columns), kind, "                   \
    "amp_priv_threads_0, rows, columns, depth, left_upright, right_upright>("                                          \
    "(float *)(c), (unsigned)__cvta_generic_to_shared(left), (unsigned)__cvta_generic_to_shared(right), s, "           \
    "amp_priv_me)\n"                                                                                                   \
    "#else\n#define amp_priv_matrix_by_groups(threads, rows, columns) 0\n"                                             \
    "#define amp_priv_matrix_shown\n#define amp_priv_matrix_settle(threads, rows, columns, left)\n"                    \
    "#define amp_priv_matrix_multiply(kind, c, left, right, s, rows, columns, depth, left_upright, right_upright) "    \
    "amp_priv_matrix_by_warps(kind, c, left, right, s, rows, columns, depth, left_upright, right_upright)\n#endif\n"

/* // >>blocks: amp/matrix/cpu_device.h. Two vectors of 64 bytes of each of some rows of sums are in registers: with
   AVX-512 of 8 rows, else of 2. */
#define AMP_PRIV_TEXT_MATRIX_BLOCKS(T, V, n)                                                                           \
    "__attribute__((overloadable)) static int amp_priv_block_loops(" T " *sum, const " T " *left, const " T            \
    " *right, int deep)\n{\nfor (int row = 0; row < 64; row += amp_priv_block_rows, sum += amp_priv_block_rows * 64, " \
    "left += amp_priv_block_rows * 64)\nfor (int column = 0; column < 64; column += 2 * " n ") {\n"                    \
    "#define amp_priv_row(i) " V " x##i = vload" n "(0, sum + i * 64 + column), y##i = vload" n "(0, sum + i * 64 + "  \
    "column + " n ");\namp_priv_block_each\n#undef amp_priv_row\n"                                                     \
    "for (int k = 0; k < deep; k++) {\nconst " V " p = vload" n "(0, right + k * 64 + column), q = vload" n "(0, "     \
    "right + k * 64 + column + " n ");\n"                                                                              \
    "#define amp_priv_row(i) x##i += left[i * 64 + k] * p; y##i += left[i * 64 + k] * q;\n"                            \
    "amp_priv_block_each\n#undef amp_priv_row\n}\n"                                                                    \
    "#define amp_priv_row(i) vstore" n "(x##i, 0, sum + i * 64 + column); vstore" n "(y##i, 0, sum + i * 64 + column " \
    "+ " n ");\namp_priv_block_each\n#undef amp_priv_row\n}\nreturn 0;\n}\n"
#define AMP_PRIV_TEXT_BLOCK_LOOPS                                                                                      \
    "#ifdef __AVX512F__\n#define amp_priv_block_rows 8\n#define amp_priv_block_each amp_priv_row(0) amp_priv_row(1) "  \
    "amp_priv_row(2) amp_priv_row(3) amp_priv_row(4) amp_priv_row(5) amp_priv_row(6) amp_priv_row(7)\n#else\n"         \
    "#define amp_priv_block_rows 2\n#define amp_priv_block_each amp_priv_row(0) amp_priv_row(1)\n#endif\n"             \
    AMP_PRIV_TEXT_MATRIX_BLOCKS("float", "float16", "16") AMP_PRIV_TEXT_MATRIX_BLOCKS("int", "int16", "16")            \
    "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"                                              \
    AMP_PRIV_TEXT_MATRIX_BLOCKS("double", "double8", "8") "#endif\n"

/* // >>targets */

AMP_PRIV_LONG_STRINGS_BEGIN
#if defined(AMP_BACKEND_OPENCL) || defined(AMP_BACKEND_VULKAN)
/* NVIDIA's, where amp_opencl.h has found that the device has them. */
#define AMP_PRIV_OPENCL_ASM(...) "__asm__" __VA_ARGS__
__attribute__((unused)) static const char amp_priv_text_opencl_matrix[] =
    AMP_PRIV_TEXT_MATRIX_COMMON "#ifdef amp_priv_has_matrices\n" AMP_PRIV_TEXT_MATRIX_BY_REGISTERS(
        "barrier(CLK_LOCAL_MEM_FENCE)") AMP_PRIV_TEXT_MATRIX_NVIDIA(AMP_PRIV_OPENCL_ASM, "barrier(CLK_LOCAL_MEM_FENCE)",
                                                                    "__local ", "__global ", "(uint4)",
                                                                    "(unsigned)(unsigned long)")
    "#else\n" AMP_PRIV_TEXT_MATRIX_NONE("barrier(CLK_LOCAL_MEM_FENCE)") "#endif\n";
static const amp_priv_prologue_text amp_priv_opencl_matrix[] = {
    AMP_PRIV_MATRIX_TEXTS(AMP_PRIV_TEXT_SIXTEEN("__global "), amp_priv_text_opencl_matrix),
    { "amp_priv_block_loops", AMP_PRIV_TEXT_BLOCK_LOOPS },
    { NULL, NULL }
};
#endif
#if defined(AMP_BACKEND_CUDA) || defined(AMP_BACKEND_HIP)
#define AMP_PRIV_CUDA_ASM(...) "asm" __VA_ARGS__
__attribute__((unused)) static const char amp_priv_text_cuda_matrix[] =
    AMP_PRIV_TEXT_MATRIX_COMMON
    "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800\n" AMP_PRIV_TEXT_MATRIX_BY_COPIES
    AMP_PRIV_TEXT_MATRIX_NVIDIA(AMP_PRIV_CUDA_ASM, "__syncthreads()", "", "", "make_uint4",
                                "(unsigned)__cvta_generic_to_shared") AMP_PRIV_TEXT_MATRIX_BY_GROUPS
    "#else\n" AMP_PRIV_TEXT_MATRIX_NONE("__syncthreads()") "#endif\n";
static const amp_priv_prologue_text amp_priv_cuda_matrix[] = {
    AMP_PRIV_MATRIX_TEXTS("#ifdef __CUDA_ARCH__\n" AMP_PRIV_TEXT_SIXTEEN("") "#else\n" AMP_PRIV_TEXT_SIXTEEN_WORDS
                                                                             "#endif\n",
                          amp_priv_text_cuda_matrix),
    { NULL, NULL }
};
#endif
AMP_PRIV_LONG_STRINGS_END

/* By the suffix of the target; the last has no texts. */
static amp_priv_added_opening amp_priv_matrix_openings[] = {
#if defined(AMP_BACKEND_OPENCL) || defined(AMP_BACKEND_VULKAN)
    { "cl", amp_priv_opencl_matrix, NULL },
#endif
#if defined(AMP_BACKEND_CUDA) || defined(AMP_BACKEND_HIP)
    { "cu", amp_priv_cuda_matrix, NULL },
    { "hip", amp_priv_cuda_matrix, NULL },
#endif
    { "", NULL, NULL },
};

#endif /* AMP_MATRIX_MATRIX_TEXT_H */
