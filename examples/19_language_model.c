// SPDX-License-Identifier: MIT
/*  19_language_model: the forward pass of a llama network, which writes text: a file of llama2.c, or random weights.

    It shows one kernel for weights of four types (quantized.h), a recording of all launches of a token whose position
    changes (AMP_RECORDING_SET), and products of matrices (AMP_MULTIPLY). --exact: every accelerator writes the same.

    Build   cc -O3 -march=native -fopenmp -I.. 19_language_model.c -o 19_language_model -lm      -DAMP_BACKEND_OPENCL
    Run     ./19_language_model [-w float|half|bfloat16|int8] [-m FILE.bin|15M|110M|1B|7B] [-z tokenizer.bin]
                                [-i PROMPT] [-n TOKENS] [-t TEMPERATURE] [-p TOP_P] [-s SEED] [--exact]
    See     the text, tokens per second and GB/s of weights, then OK. Without arguments: tiny networks of all four
            types, compared with plain C.                                                                          */
#include "quantized.h"
#include "amp_recording.h"
#include "llama2.h"

/* Tokens of a prompt at once; threads that normalise a vector, and how many elements of it one rounds. */
enum { BLOCK = 32, WIDE = 512, EACH = 8 };

typedef struct {
    llama_sizes s;
    format type;
    int by;          /* a method */
    matrix *weights; /* llama2.h */
    matrix rounded;  /* what 8-bit weights are multiplied with */
    union {
        struct {
            amp_array_float_2 x, normed, mixed, query, gate, keys, values, scores, turns; /* query: and key, value */
        };
        amp_array_float_2 arrays[9];
    };
    amp_array_view_float_2 logits;
    amp_array_view_int_1 tokens;
    amp_recording step;
} network;

/* ---- the other kernels, of `count` tokens from `position` on ---------------------------------------------------- */

/* What a product takes from a kernel: its floats, or, of 8 bits on a GPU, what the kernel has rounded. */
static bool rounds(const network *m, int columns)
{
    return m->type == INT8 && m->by == BY_LANES && columns % GROUP == 0;
}
static amp_array_float_2 given(const network *m, amp_array_float_2 x, int columns)
{
    return rounds(m, columns) ? (amp_array_float_2){ 0 } : x;
}

/* Each x(b) divided by the root of its mean square, times row `which` of the factors. */
static void normalize(network *m, int which, int count)
{
    const amp_array_view_float_1 factors = ELEMENTS(float, m->weights[NORMS].data);
    const amp_array_view_int8_t_1 bytes = ELEMENTS(int8_t, m->rounded.data);
    const amp_array_float_1 scales = m->rounded.scales;
    AMP_TILED(AMP_EXTENT(count * WIDE), (WIDE), tile,
              AMP_CAPTURE(AMP_MEMBERS(*m, x, normed, (dim, s.dim)), factors, which, bytes, scales, AMP_CONSTANT(WIDE),
                          AMP_CONSTANT(EACH), AMP_CONSTANT(GROUP), AMP_SPECIALIZE(rounds, (int)rounds(m, m->s.dim))), {
        AMP_TILE_STATIC(float, part, [WIDE]);
        AMP_PRIVATE(float, value, [EACH]);
        AMP_PRIVATE(float, most);
        const int b = tile.tile.v[0];
        AMP_THREADS(tile, t) {
            float sum = 0;
            for (int i = t.local.v[0]; i < dim; i += WIDE) sum = fmaf(AMP_AT(x, b, i), AMP_AT(x, b, i), sum);
            part[t.local.v[0]] = sum;
        }
        AMP_TILE_SUM(tile, float, part, WIDE);
        const float scale = reciprocal_root(fmaf(part[0], reciprocal((float)dim), 1e-5f));
        if (!rounds) {
            AMP_THREADS(tile, t) {
                for (int i = t.local.v[0]; i < dim; i += WIDE)
                    AMP_AT(normed, b, i) = AMP_AT(factors, which * dim + i) * (scale * AMP_AT(x, b, i));
            }
        }
        for (int first = 0; rounds && first < dim; first += WIDE * EACH) {
            AMP_THREADS(tile, t) {
                float largest = 1e-20f;
                for (int j = 0; j < EACH; j++) {
                    const int i = amp_min(first + t.local.v[0] * EACH + j, dim - 1);
                    AMP_OWN(value, j) = AMP_AT(factors, which * dim + i) * (scale * AMP_AT(x, b, i));
                    largest = fmaxf(largest, fabsf(AMP_OWN(value, j)));
                }
                AMP_OWN(most) = largest;
            }
            AMP_SUBGROUP_MAX(tile, float, most, GROUP / EACH);
            AMP_THREADS(tile, t) {
                const int i = first + t.local.v[0] * EACH;
                if (i >= dim) continue;
                for (int j = 0; j < EACH; j++)
                    AMP_AT(bytes, b * dim + i + j) = int8_rounded(AMP_OWN(value, j), AMP_OWN(most));
                if (i % GROUP == 0) AMP_AT(scales, (b * dim + i) / GROUP) = AMP_OWN(most) * (1.0f / 127);
            }
        }
    });
}

/* Turns pairs of the query and of the key by the position, and keeps key and value. */
static void turn_and_keep(network *m, int layer, int position, int count)
{
    const int first = layer * m->s.length, dim = m->s.dim, kv = m->s.kv, head = m->s.head;
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(count, (dim + kv) / 2), (b, pair),
                          AMP_CAPTURE(AMP_MEMBERS(*m, query, keys, values, turns), first, dim, kv, head, position), {
        const int i = 2 * pair;
        const float c = AMP_AT(turns, position + b, i % head);
        const float s = AMP_AT(turns, position + b, i % head + 1);
        const float x = AMP_AT(query, b, i);
        const float y = AMP_AT(query, b, i + 1);
        if (i < dim) {
            AMP_AT(query, b, i) = fmaf(x, c, -(y * s));
            AMP_AT(query, b, i + 1) = fmaf(x, s, y * c);
            continue;
        }
        AMP_AT(keys, first + position + b, i - dim) = fmaf(x, c, -(y * s));
        AMP_AT(keys, first + position + b, i - dim + 1) = fmaf(x, s, y * c);
        AMP_AT(values, first + position + b, i - dim) = AMP_AT(query, b, kv + i);
        AMP_AT(values, first + position + b, i - dim + 1) = AMP_AT(query, b, kv + i + 1);
    });
}

/* A tile for each token and head: products with all keys so far, their softmax, and the values by these weights. The
   same on a GPU: 8 threads for each key, and four elements of a value for each thread. */
static void attend_by_lanes(network *m, int layer, int position, int count)
{
    const int first = layer * m->s.length, shared = m->s.heads / m->s.kv_heads;
    const float root = 1 / sqrtf((float)m->s.head);
    const amp_array_view_amp_float_4_1 keys4 = ELEMENTS(amp_float_4, m->keys);
    const amp_array_view_amp_float_4_1 values4 = ELEMENTS(amp_float_4, m->values);
    const amp_array_view_amp_float_4_1 query4 = ELEMENTS(amp_float_4, m->query);
    const amp_array_view_int8_t_1 bytes = ELEMENTS(int8_t, m->rounded.data);
    const amp_array_float_1 scales = m->rounded.scales;
    AMP_TILED(AMP_EXTENT(count * m->s.heads * TS), (TS), tile,
              AMP_CAPTURE(AMP_MEMBERS(*m, query, keys, scores, mixed, (heads, s.heads), (head, s.head)), keys4, values4,
                          query4, bytes, scales, first, shared, root, position, AMP_CONSTANT(TS), AMP_CONSTANT(LANES),
                          AMP_SPECIALIZE(rounds, (int)rounds(m, m->s.head))), {
        AMP_TILE_STATIC(float, part, [TS]);
        AMP_TILE_STATIC(float, mix, [TS * 4]);
        AMP_PRIVATE(float, sum);
        AMP_PRIVATE(float, most);
        const int row = tile.tile.v[0];
        const int b = row / heads;
        const int at = row % heads * head;
        const int from = row % heads / shared * head;
        const int end = position + b + 1;
        const int wide = keys.extent.v[1] / 4;
        AMP_THREADS(tile, t) { AMP_OWN(most) = -1e30f; }
        for (int k = 0; k < end; k += TS / 8) {
            AMP_THREADS(tile, t) {
                const int key = amp_min(k + t.local.v[0] / 8, end - 1);
                float s = 0;
                for (int i = t.local.v[0] % 8; i < head / 4; i += 8)
                    s += amp_float_4_dot(AMP_AT(keys4, (first + key) * wide + from / 4 + i),
                                         AMP_AT(query4, (b * query.extent.v[1] + at) / 4 + i));
                AMP_OWN(sum) = s;
            }
            AMP_SUBGROUP_SUM(tile, float, sum, 8);
            AMP_THREADS(tile, t) {
                const int key = k + t.local.v[0] / 8;
                if (key >= end) continue;
                AMP_OWN(most) = fmaxf(AMP_OWN(most), root * AMP_OWN(sum));
                if (t.local.v[0] % 8 == 0) AMP_AT(scores, row, key) = root * AMP_OWN(sum);
            }
        }
        AMP_THREADS(tile, t) { part[t.local.v[0]] = AMP_OWN(most); }
        AMP_TILE_MAX(tile, float, part, TS);
        AMP_THREADS(tile, t) { AMP_OWN(most) = part[0]; }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            float total = 0;
            for (int k = t.local.v[0]; k < end; k += TS) {
                const float e = exponential(AMP_AT(scores, row, k) - AMP_OWN(most));
                AMP_AT(scores, row, k) = e;
                total += e;
            }
            part[t.local.v[0]] = total;
        }
        AMP_TILE_SUM(tile, float, part, TS);
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            const int group = t.local.v[0] / (head / 4);
            const int column = t.local.v[0] % (head / 4);
            const int groups = TS / (head / 4);
            amp_float_4 s = AMP_FLOAT_4(0);
            for (int k = group; group < groups && k < end; k += groups)
                s += AMP_AT(values4, (first + k) * wide + from / 4 + column) * AMP_AT(scores, row, k);
            mix[4 * t.local.v[0]] = AMP_X(s);
            mix[4 * t.local.v[0] + 1] = AMP_Y(s);
            mix[4 * t.local.v[0] + 2] = AMP_Z(s);
            mix[4 * t.local.v[0] + 3] = AMP_W(s);
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            const int lane = amp_min(t.local.v[0], head - 1);
            float s = 0;
            for (int k = 0; k < TS / (head / 4); k++) s += mix[k * head + lane];
            AMP_OWN(sum) = s * reciprocal(part[0]);
            AMP_OWN(most) = fmaxf(1e-20f, fabsf(AMP_OWN(sum)));
            if (!rounds && t.local.v[0] < head) AMP_AT(mixed, b, at + lane) = AMP_OWN(sum);
        }
        if (rounds) {
            AMP_SUBGROUP_MAX(tile, float, most, LANES);
            AMP_THREADS(tile, t) {
                if (t.local.v[0] >= head) continue;
                const int i = row * head + t.local.v[0];
                AMP_AT(bytes, i) = int8_rounded(AMP_OWN(sum), AMP_OWN(most));
                if (i % LANES == 0) AMP_AT(scales, i / LANES) = AMP_OWN(most) * (1.0f / 127);
            }
        }
    });
}

static void attend(network *m, int layer, int position, int count)
{
    const int first = layer * m->s.length, shared = m->s.heads / m->s.kv_heads;
    const float root = 1 / sqrtf((float)m->s.head);
    AMP_TILED(AMP_EXTENT(count * m->s.heads * TS), (TS), tile,
              AMP_CAPTURE(AMP_MEMBERS(*m, query, keys, values, scores, mixed, (heads, s.heads), (head, s.head)), first,
                          shared, root, position, AMP_SPECIALIZE(by, m->by), AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, part, [TS]);
        AMP_PRIVATE(float, sum);
        const int row = tile.tile.v[0];
        const int b = row / heads;
        const int at = row % heads * head;
        const int from = row % heads / shared * head;
        const int end = position + b + 1;
        AMP_THREADS(tile, t) {
            float most = -1e30f;
            for (int k = t.local.v[0]; k < end; k += TS) {
                const float s = root * float_product(&AMP_AT(keys, first + k, from), &AMP_AT(keys, 0, 0),
                                                     &AMP_AT(query, b, at), &AMP_AT(keys, 0, 0), head, by);
                AMP_AT(scores, row, k) = s;
                most = fmaxf(most, s);
            }
            part[t.local.v[0]] = most;
        }
        AMP_TILE_MAX(tile, float, part, TS);
        AMP_THREADS(tile, t) { AMP_OWN(sum) = part[0]; }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            float total = 0;
            for (int k = t.local.v[0]; k < end; k += TS) {
                const float e = exponential(AMP_AT(scores, row, k) - AMP_OWN(sum));
                AMP_AT(scores, row, k) = e;
                total += e;
            }
            part[t.local.v[0]] = total;
            AMP_OWN(sum) = 0;
        }
        AMP_TILE_SUM(tile, float, part, TS);
        amp_barrier_wait(tile.barrier);
        for (int k = 0; k < end; k++)
            AMP_THREADS(tile, t) {
                if (t.local.v[0] >= head) continue;
                AMP_OWN(sum) = fmaf(AMP_AT(scores, row, k), AMP_AT(values, first + k, from + t.local.v[0]),
                                    AMP_OWN(sum));
            }
        AMP_THREADS(tile, t) {
            if (t.local.v[0] < head) AMP_AT(mixed, b, at + t.local.v[0]) = AMP_OWN(sum) * reciprocal(part[0]);
        }
    });
}

/* The gated unit: gate becomes gate sigmoid(gate) up, where up follows it. */
static void gate_up(network *m, int count)
{
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(count, m->s.hidden), (b, i),
                          AMP_CAPTURE(AMP_MEMBERS(*m, gate, (hidden, s.hidden))), {
        const float g = AMP_AT(gate, b, i);
        AMP_AT(gate, b, i) = g * reciprocal(1.0f + exponential(-g)) * AMP_AT(gate, b, hidden + i);
    });
}

/* ---- the network ------------------------------------------------------------------------------------------------ */

/* y(b) = a matrix times x(b), or that added to it, or that gated. */
static void multiply(network *m, int which, amp_array_float_2 x, amp_array_view_float_2 y, int count, use_of with)
{
    const bool blocks = count > 1 && m->by != EXACT && m->type != INT8;
    if (blocks)
        matrix_multiply_blocks(m->weights[which], x, y, count, with == ADDS);
    else
        matrix_multiply(m->weights[which], x, m->rounded, y, count, with, (method)m->by);
    if (with == GATES && (blocks || m->by != BY_LANES))
        gate_up(m, count);
}

/* The next `count` of m->tokens, from `position` on; of one token also the logits. */
static void forward(network *m, int position, int count)
{
    matrix_embed(m->weights[EMBEDDING], m->tokens, m->x, count);
    for (int layer = 0; layer < m->s.layers; layer++) {
        normalize(m, layer, count);
        multiply(m, WEIGHT(layer, QKV), given(m, m->normed, m->s.dim), amp_view_of(m->query), count, STORES);
        turn_and_keep(m, layer, position, count);
        if (m->by == BY_LANES)
            attend_by_lanes(m, layer, position, count);
        else
            attend(m, layer, position, count);
        multiply(m, WEIGHT(layer, WO), given(m, m->mixed, m->s.head), amp_view_of(m->x), count, ADDS);
        normalize(m, m->s.layers + layer, count);
        multiply(m, WEIGHT(layer, GATE_UP), given(m, m->normed, m->s.dim), amp_view_of(m->gate), count, GATES);
        multiply(m, WEIGHT(layer, W2), m->gate, amp_view_of(m->x), count, ADDS);
    }
    if (count > 1)
        return;
    normalize(m, 2 * m->s.layers, 1);
    multiply(m, m->s.shared ? EMBEDDING : CLASSIFIER, given(m, m->normed, m->s.dim), m->logits, 1, STORES);
}

/* One token: the launches of the first one are recorded, the others replay them at another position. */
static const float *decode(network *m, int token, int position)
{
    AMP_AT(m->tokens, 0) = token;
    AMP_RECORDING_SET(m->step, position, position);
    if (!amp_recording_replay(m->step)) {
        amp_recording_begin(amp_accelerator_default_view(amp_accelerator_default()));
        forward(m, position, 1);
        m->step = amp_recording_end();
    }
    return &AMP_AT(amp_as_const(m->logits), 0, 0);
}

/* All tokens of a prompt but its last, in blocks. */
static void read_prompt(network *m, const int *tokens, int count)
{
    for (int first = 0; first < count; first += BLOCK) {
        const int some = count - first < BLOCK ? count - first : BLOCK;
        for (int i = 0; i < some; i++)
            AMP_AT(m->tokens, i) = tokens[first + i];
        forward(m, first, some);
    }
}

/* ---- its weights and its memory --------------------------------------------------------------------------------- */

/* Rows of a matrix, from a file, or random ones with a deviation of `size`; of a normalisation they are near 1. */
static bool fill(network *m, llama_file *f, int which, int first, int rows, float size)
{
    const matrix w = m->weights[which];
    const int columns = w.columns;
    const float middle = which == NORMS;
    const size_t count = (size_t)rows * (size_t)columns;
    AMP_ARRAY(float, 2, from, rows, columns);
    if (!f->file) {
        AMP_PARALLEL_FOR_EACH(from.extent, (row, i), AMP_CAPTURE(from, first, which, columns, size, middle), {
            const uint64_t number = (uint64_t)(first + row) * (uint64_t)columns + (uint64_t)i;
            const float r = amp_random_float((uint64_t)which, number) - 0.5f;
            AMP_AT(from, row, i) = fmaf(size, r, middle);
        });
        matrix_store(w, from, first, rows);
        return true;
    }
    float *const values = malloc(count * sizeof *values), *const scales = malloc(count / 32 * sizeof *scales);
    int8_t *const q = malloc(count);
    const bool ok = values && scales && q && llama_read(f, which == NORMS, values, q, scales, count);
    if (ok)
        amp_copy_in(values, count, from);
    if (ok && f->group && w.type == INT8) { /* as they are */
        amp_copy_in(q, count, amp_section(ELEMENTS(int8_t, w.data), first * columns, (int)count));
        amp_copy_in(scales, count / 32, amp_section(amp_view_of(w.scales), first * (columns / 32), (int)(count / 32)));
    } else if (ok) {
        matrix_store(w, from, first, rows);
    }
    free(values), free(scales), free(q);
    return ok;
}

static bool load(network *m, llama_file *f)
{
    const int d = m->s.dim, hidden = m->s.hidden, layers = m->s.layers, count = WEIGHT(layers, 0);
    const int rows[] = { d + 2 * m->s.kv, d, 2 * hidden, d };
    bool ok = (m->weights = calloc((size_t)count, sizeof *m->weights)) != NULL;
    for (int i = 0; ok && i < count; i++) {
        const int which = (i - LAYERS) % PER_LAYER;
        if (i >= LAYERS)
            m->weights[i] = matrix_create(m->type, rows[which], which == W2 ? hidden : d);
        else if (i != CLASSIFIER || !m->s.shared)
            m->weights[i] =
                i == NORMS ? matrix_create(FLOAT, 2 * layers + 1, d) : matrix_create(m->type, m->s.vocabulary, d);
    }
    for (int p = 0; ok && p < LLAMA_PARTS - m->s.shared; p++) {
        const llama_part part = llama_part_of(&m->s, f, p);
        for (int l = 0; l < (part.per_layer ? layers : 1); l++)
            ok =
                ok && fill(m, f, part.per_layer ? WEIGHT(l, part.which) : part.which, part.first, part.rows, part.size);
    }
    return ok;
}

/* What a network of these sizes computes with, and the turns of all positions. */
static bool prepare(network *m)
{
    const llama_sizes *const s = &m->s;
    const int rows[] = {
        BLOCK, BLOCK, BLOCK, BLOCK, BLOCK, s->layers * s->length, s->layers * s->length, BLOCK * s->heads, s->length
    };
    const int columns[] = {
        s->dim, s->dim, s->dim, s->dim + 2 * s->kv, 2 * s->hidden, s->kv, s->kv, s->length, s->head
    };
    for (int i = 0; i < 9; i++)
        m->arrays[i] = amp_array_float_2_create(AMP_EXTENT(rows[i], columns[i]));
    m->rounded = matrix_create(INT8, BLOCK, s->dim > s->hidden ? s->dim : s->hidden);
    m->logits = amp_array_view_float_2_create_no_source(AMP_EXTENT(1, s->vocabulary));
    m->tokens = amp_array_view_int_1_create_no_source(AMP_EXTENT(BLOCK));
    float *const turns = llama_turns(s->length, s->head);
    if (turns)
        amp_copy_in(turns, (size_t)s->length * (size_t)s->head, m->turns);
    free(turns);
    return turns != NULL;
}

static void release(network *m)
{
    amp_recording_release(&m->step);
    for (int i = 0; i < 9; i++)
        if (amp_array_valid(m->arrays[i]))
            amp_array_release(&m->arrays[i]);
    for (int i = 0; m->weights && i < WEIGHT(m->s.layers, 0); i++)
        matrix_release(&m->weights[i]);
    free(m->weights);
    matrix_release(&m->rounded);
    if (amp_array_view_valid(m->logits))
        amp_array_view_release(&m->logits);
    if (amp_array_view_valid(m->tokens))
        amp_array_view_release(&m->tokens);
}

/* ---- a run ------------------------------------------------------------------------------------------------------ */

/* Tiny networks: a prompt at once and token by token, and each with the logits of plain C, nearly. */
static bool check(format type, bool exact, const llama_options *o)
{
    enum { PROMPT = 37, TOKENS = 45 };
    network m = { .s = llama_sizes_of("tiny"), .type = type, .by = (int)method_of(exact) };
    llama_file none = { NULL, 0, 0 };
    int tokens[TOKENS + 1], compared = 0;
    uint32_t bits = 0;
    double worst = 0, squares = 0;
    bool ok = load(&m, &none) && prepare(&m);
    float *weights[WEIGHT(2, 0)] = { NULL };
    for (int i = 0; ok && i < WEIGHT(m.s.layers, 0); i++) {
        weights[i] = malloc((size_t)m.weights[i].rows * (size_t)m.weights[i].columns * sizeof(float));
        if ((ok = weights[i] != NULL))
            matrix_decode(m.weights[i], weights[i]);
    }
    llama_reference r = llama_reference_open(&m.s, weights, type == INT8 ? GROUP : 0);
    for (int i = 0; i < PROMPT; i++)
        tokens[i] = 1 + 71 * i % (m.s.vocabulary - 1);
    if (ok)
        read_prompt(&m, tokens, PROMPT - 1);
    for (int at = 0; r.x && ok && at < TOKENS; at++) {
        const float *const want = llama_reference_next(&r, tokens[at], at);
        if (at < PROMPT - 1)
            continue;
        const float *const got = decode(&m, tokens[at], at);
        for (int i = 0; i < m.s.vocabulary; i++, compared++) {
            const double off = (double)(got[i] - want[i]);
            worst = fmax(worst, fabs(off));
            squares += off * off;
            bits = bits * 31 + AMP_BITS(uint32_t, got[i]);
        }
        tokens[at + 1] = llama_sample(got, m.s.vocabulary, o, NULL);
    }
    const double mean = sqrt(squares / compared), bound = type == INT8 ? 0.08 : exact || type == FLOAT ? 1e-3 : 3e-2;
    printf("%-9s%s: logits are off by %.2g, at most %.2g, of a size of 4; token %d, bits %08x\n", format_names[type],
           exact ? "exact" : "fast ", mean, worst, tokens[TOKENS - 1], (unsigned)bits);
    for (int i = 0; i < WEIGHT(2, 0); i++)
        free(weights[i]);
    llama_reference_close(&r);
    release(&m);
    return r.x && ok && worst < bound && mean < bound / 4;
}

/* Reads the prompt, then writes a token after the other; the first of them is not measured, as it compiles kernels. */
static bool generate(network *m, llama_options *o, llama_tokenizer *z)
{
    int *const tokens = malloc(((size_t)m->s.length + strlen(o->prompt) + 3) * sizeof *tokens);
    if (!tokens)
        return false;
    const int count = amp_min(llama_encode(z, o->prompt, m->s.vocabulary, tokens), m->s.length);
    int at = count - 1, timed = 0;
    double start = seconds_now(), first = start;
    read_prompt(m, tokens, count - 1);
    for (int i = 1; i < count; i++)
        llama_print(z, tokens[i - 1], tokens[i]);
    amp_accelerator_view_wait(amp_accelerator_default_view(amp_accelerator_default()));
    const double prompt = seconds_now() - start;
    for (; at < m->s.length && at < count - 1 + o->tokens; at++) {
        tokens[at + 1] = llama_sample(decode(m, tokens[at], at), m->s.vocabulary, o, &o->seed);
        if (tokens[at + 1] <= 2 && z->words)
            break;
        llama_print(z, tokens[at], tokens[at + 1]);
        if (timed++ == 0)
            first = seconds_now();
    }
    double bytes = 0, second = (timed - 1) / (seconds_now() - first);
    for (int i = m->s.shared ? 0 : 1; i < WEIGHT(m->s.layers, 0); i++)
        bytes += (double)m->weights[i].rows * m->weights[i].columns * format_bytes[m->weights[i].type];
    printf("\n%s on %s: prompt %.1f tokens/s, then %.2f tokens/s, %.2f GB/s of weights\n", format_names[m->type],
           amp_accelerator_path(amp_accelerator_default()), count / prompt, second, second * bytes * 1e-9);
    free(tokens);
    return true;
}

int main(int argc, char **argv)
{
    llama_options o = { .tokens = 64, .top_p = 0.9f, .seed = 1, .prompt = "", .type = "half" };
    if (!llama_options_read(&o, argc, argv))
        return 1;
    network m = { .by = (int)method_of(o.exact) };
    bool ok = format_named(o.type, &m.type);
    if (!o.model) {
        for (int i = 0; i < 8; i++)
            ok = check((format)(i / 2), i % 2, &o) && ok;
    } else {
        llama_file file = llama_open(&m.s, o.model);
        llama_tokenizer z = { NULL, NULL, NULL, 0 };
        ok = ok && m.s.dim > 0 && m.s.dim % GROUP == 0 && m.s.hidden % GROUP == 0 && m.s.head <= TS &&
             m.s.head % 4 == 0 && (!o.tokenizer || llama_tokenizer_read(&z, o.tokenizer, m.s.vocabulary)) &&
             load(&m, &file) && prepare(&m) && generate(&m, &o, &z);
        if (file.file)
            fclose(file.file);
        release(&m);
        llama_tokenizer_close(&z);
    }
    puts(ok ? "OK" : "no such model, type or tokenizer, or no memory");
    return ok ? 0 : 1;
}
