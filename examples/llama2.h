// SPDX-License-Identifier: MIT
/*  For 19_language_model, in plain C: files of llama2.c (models of versions 0, 1 and 2, tokenizer.bin), tokens from
    text, the choice of the next token, and the network in the plainest form, to compare with. */
#ifndef LLAMA2_H
#define LLAMA2_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The weights of a network: matrices, of which those of layer l are LAYERS + 4 l + QKV and so on. QKV has the rows of
   the files' matrices wq, wk and wv, GATE_UP those of w1 and w3, NORMS all factors of normalisations. */
enum { EMBEDDING, CLASSIFIER, NORMS, LAYERS, QKV = 0, WO, GATE_UP, W2, PER_LAYER };
#define WEIGHT(layer, which) (LAYERS + PER_LAYER * (layer) + (which))

typedef struct {
    int dim, hidden, layers, heads, kv_heads, vocabulary, length;
    bool shared;  /* the embedding is the classifier */
    int kv, head; /* floats of a key, of a head */
} llama_sizes;

typedef struct {
    const char *model, *tokenizer, *prompt, *type;
    int tokens;
    float temperature, top_p;
    uint64_t seed;
    bool exact;
} llama_options;

static inline bool llama_options_read(llama_options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char option = argv[i][0] == '-' && argv[i][1] && !argv[i][2] ? argv[i][1] : '?';
        if (strcmp(argv[i], "--exact") == 0) {
            o->exact = true;
            continue;
        }
        const char *const value = i + 1 < argc ? argv[++i] : NULL;
        if (value && option == 'm')
            o->model = value;
        else if (value && option == 'z')
            o->tokenizer = value;
        else if (value && option == 'i')
            o->prompt = value;
        else if (value && option == 'w')
            o->type = value;
        else if (value && option == 'n')
            o->tokens = atoi(value);
        else if (value && option == 't')
            o->temperature = (float)atof(value);
        else if (value && option == 'p')
            o->top_p = (float)atof(value);
        else if (value && option == 's')
            o->seed = strtoull(value, NULL, 10);
        else {
            fprintf(stderr,
                    "usage: %s [-w float|half|bfloat16|int8] [-m FILE.bin|15M|110M|1B|7B] [-z tokenizer.bin] "
                    "[-i PROMPT] [-n TOKENS] [-t TEMPERATURE] [-p TOP_P] [-s SEED] [--exact]\n",
                    argv[0]);
            return false;
        }
    }
    return true;
}

static inline double seconds_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- models ----------------------------------------------------------------------------------------------------- */

/* The sizes of a name; all 0 of an unknown one. */
static inline llama_sizes llama_sizes_of(const char *name)
{
    static const struct {
        const char *name;
        llama_sizes sizes;
    } known[] = {
        { "tiny", { 96, 160, 2, 3, 1, 512, 64, false, 32, 32 } },
        { "15M", { 288, 768, 6, 6, 6, 32000, 256, true, 288, 48 } },
        { "110M", { 768, 2048, 12, 12, 12, 32000, 1024, true, 768, 64 } },
        { "1B", { 2048, 5632, 22, 32, 4, 32000, 2048, false, 256, 64 } },
        { "7B", { 4096, 11008, 32, 32, 32, 32000, 2048, false, 4096, 128 } },
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i].name) == 0)
            return known[i].sizes;
    return (llama_sizes){ 0 };
}

/* A file and its form. Version 2 has numbers of 8 bits, of which each `group` has a scale; else group is 0. */
typedef struct {
    FILE *file;
    int version, group;
} llama_file;

/* A file at its first weight, and its sizes; of a name that is known the sizes alone. Sizes of 0 if it is no model. */
static inline llama_file llama_open(llama_sizes *s, const char *name)
{
    *s = llama_sizes_of(name);
    llama_file f = { s->dim ? NULL : fopen(name, "rb"), 0, 0 };
    int32_t start[2] = { 0, 0 }, head[7] = { 0 }, group = 0;
    uint8_t shared = 0;
    bool ok = f.file && fread(start, sizeof start, 1, f.file) == 1;
    if (ok && start[0] == 0x616b3432) /* ak42 */
        f.version = start[1];
    else if (f.file)
        rewind(f.file);
    ok = ok && fread(head, sizeof head, 1, f.file) == 1 && head[5] != INT32_MIN;
    if (ok && f.version > 0)
        ok = f.version <= 2 && fread(&shared, 1, 1, f.file) == 1 &&
             (f.version == 1 || (fread(&group, sizeof group, 1, f.file) == 1 && group > 0 && group % 32 == 0)) &&
             head[5] > 0 && fseek(f.file, 256, SEEK_SET) == 0;
    f.group = group;
    if (ok && head[0] > 0 && head[1] > 0 && head[2] > 0 && head[4] > 0 && head[4] <= head[3] &&
        head[3] % head[4] == 0 && head[0] % head[3] == 0 && head[0] / head[3] % 8 == 0 && abs(head[5]) > 1 &&
        head[6] > 0 && (int64_t)head[0] * head[1] < INT32_MAX / 2 && (int64_t)head[0] * abs(head[5]) < INT32_MAX) {
        *s = (llama_sizes){ head[0], head[1], head[2], head[3], head[4], abs(head[5]), head[6], head[5] > 0, 0, 0 };
        s->shared = f.version ? shared : head[5] > 0;
        s->head = s->dim / s->heads;
        s->kv = s->head * s->kv_heads;
        return f;
    }
    if (f.file)
        fclose(f.file);
    return (llama_file){ NULL, 0, 0 };
}

/* A part of a file: rows from `first` on of the matrix `which`, or of that of each layer. size: of random ones. */
typedef struct {
    int which, first, rows;
    bool per_layer;
    float size;
} llama_part;

/* Part `number` of a file, of LLAMA_PARTS; the order depends on the version. The last is not there if it is shared. */
enum { LLAMA_PARTS = 12 };
static inline llama_part llama_part_of(const llama_sizes *s, llama_file *f, int number)
{
    const int d = s->dim, kv = s->kv, hidden = s->hidden, words = s->vocabulary, layers = s->layers;
    const float size = 2 * sqrtf(3.0f / (float)d), small = 2 * sqrtf(3.0f / (float)hidden);
    const llama_part embedding = { EMBEDDING, 0, words, false, 2 }, attention = { NORMS, 0, layers, false, 0.2f };
    const llama_part wq = { QKV, 0, d, true, size }, wk = { QKV, d, kv, true, size },
                     wv = { QKV, d + kv, kv, true, size };
    const llama_part wo = { WO, 0, d, true, size }, feed = { NORMS, layers, layers, false, 0.2f };
    const llama_part w1 = { GATE_UP, 0, hidden, true, size }, w2 = { W2, 0, d, true, small };
    const llama_part w3 = { GATE_UP, hidden, hidden, true, size }, last = { NORMS, 2 * layers, 1, false, 0.2f };
    const llama_part classifier = { CLASSIFIER, 0, words, false, size };
    const llama_part old[] = { embedding, attention, wq, wk, wv, wo, feed, w1, w2, w3, last, classifier };
    const llama_part later[] = { attention, feed, last, embedding, wq, wk, wv, wo, w1, w2, w3, classifier };
    if (number == LLAMA_PARTS - 1 && f->file && f->version == 0) /* after turns, which are computed here */
        fseek(f->file, (long)s->length * s->head * (long)sizeof(float), SEEK_CUR);
    return f->version ? later[number] : old[number];
}

/* The next `count` numbers. Those of 8 bits also as they are, in q, with a scale for each 32. */
static inline bool llama_read(llama_file *f, bool is_norm, float *values, int8_t *q, float *scales, size_t count)
{
    if (is_norm || f->group == 0)
        return fread(values, sizeof *values, count, f->file) == count;
    const size_t group = (size_t)f->group;
    float *const read = malloc(count / group * sizeof *read);
    const bool ok = read && fread(q, 1, count, f->file) == count &&
                    fread(read, sizeof *read, count / group, f->file) == count / group;
    for (size_t i = 0; ok && i < count; i++)
        values[i] = (float)q[i] * (scales[i / 32] = read[i / group]);
    free(read);
    return ok;
}

/* Cosine and sine for each position and pair of a head; to be freed. */
static inline float *llama_turns(int length, int head)
{
    float *const turns = malloc((size_t)length * (size_t)head * sizeof *turns);
    for (int i = 0; turns && i < length * head / 2; i++) {
        const int position = i / (head / 2), pair = i % (head / 2);
        const double angle = position / pow(10000.0, 2.0 * pair / head);
        turns[2 * i] = (float)cos(angle);
        turns[2 * i + 1] = (float)sin(angle);
    }
    return turns;
}

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

typedef struct {
    char **words;
    float *scores;
    int *sorted; /* numbers of words */
    int count;
} llama_tokenizer;

static char **llama_sorted_words;
static inline int llama_compare_words(const void *a, const void *b)
{
    return strcmp(llama_sorted_words[*(const int *)a], llama_sorted_words[*(const int *)b]);
}

static inline void llama_tokenizer_close(llama_tokenizer *z)
{
    for (int i = 0; z->words && i < z->count; i++)
        free(z->words[i]);
    free(z->words);
    free(z->scores);
    free(z->sorted);
    *z = (llama_tokenizer){ NULL, NULL, NULL, 0 };
}

static inline bool llama_tokenizer_read(llama_tokenizer *z, const char *name, int count)
{
    FILE *const file = fopen(name, "rb");
    int32_t length;
    z->count = count;
    z->words = calloc((size_t)count, sizeof *z->words);
    z->scores = malloc((size_t)count * sizeof *z->scores);
    z->sorted = malloc((size_t)count * sizeof *z->sorted);
    bool ok = file && z->words && z->scores && z->sorted && fread(&length, sizeof length, 1, file) == 1;
    for (int i = 0; ok && i < count; i++) {
        z->sorted[i] = i;
        ok = fread(&z->scores[i], sizeof(float), 1, file) == 1 && fread(&length, sizeof length, 1, file) == 1 &&
             length >= 0 && length < 4096 && (z->words[i] = calloc((size_t)length + 1, 1)) != NULL &&
             fread(z->words[i], 1, (size_t)length, file) == (size_t)length;
    }
    llama_sorted_words = z->words;
    if (ok)
        qsort(z->sorted, (size_t)count, sizeof *z->sorted, llama_compare_words);
    if (file)
        fclose(file);
    return ok;
}

static inline int llama_word(const llama_tokenizer *z, const char *word)
{
    int low = 0, high = z->count - 1;
    while (low <= high) {
        const int middle = (low + high) / 2, order = strcmp(z->words[z->sorted[middle]], word);
        if (order == 0)
            return z->sorted[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

/* Appends a token, if the model has it; how many there are. */
static inline int llama_append(int *tokens, int count, int token, int vocabulary)
{
    if (token >= 0 && token < vocabulary)
        tokens[count++] = token;
    return count;
}

/* The tokens of a text, in memory for two more than it has characters: the begin, characters, or bytes
   where there is no such token; then the pair with the best score becomes one, as long as there is any. */
static inline int llama_encode(const llama_tokenizer *z, const char *text, int vocabulary, int *tokens)
{
    int count = 0;
    char word[8192];
    tokens[count++] = 1;
    if (z->words && *text)
        count = llama_append(tokens, count, llama_word(z, " "), vocabulary);
    for (size_t length; *text; text += length) {
        for (length = 1; (text[length] & 0xc0) == 0x80 && length < 4;)
            length++;
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        const int whole = z->words ? llama_word(z, word) : -1;
        count = llama_append(tokens, count, whole, vocabulary);
        for (size_t i = 0; i < length && whole < 0; i++)
            count = llama_append(tokens, count, 3 + (unsigned char)text[i], vocabulary);
    }
    for (int best = 0; z->words && best >= 0;) {
        int merged = -1;
        best = -1;
        for (int i = 1; i + 1 < count; i++) {
            snprintf(word, sizeof word, "%s%s", z->words[tokens[i]], z->words[tokens[i + 1]]);
            const int both = llama_word(z, word);
            if (both >= 0 && (best < 0 || z->scores[both] > z->scores[merged]))
                best = i, merged = both;
        }
        if (best < 0)
            break;
        tokens[best] = merged;
        memmove(&tokens[best + 1], &tokens[best + 2], (size_t)(--count - best - 1) * sizeof *tokens);
    }
    return count;
}

/* A token as text, or as a number without a tokenizer. */
static inline void llama_print(const llama_tokenizer *z, int before, int token)
{
    unsigned byte;
    const char *word = z->words ? z->words[token] : NULL;
    if (!word)
        printf("%d ", token);
    else if (sscanf(word, "<0x%2x>", &byte) == 1)
        putchar((int)byte);
    else
        fputs(before == 1 && *word == ' ' ? word + 1 : word, stdout);
    fflush(stdout);
}

/* ---- the next token --------------------------------------------------------------------------------------------- */

typedef struct {
    float p;
    int token;
} llama_choice;

static inline int llama_compare_choices(const void *a, const void *b)
{
    const llama_choice *const x = a, *const y = b;
    return x->p > y->p ? -1 : x->p < y->p ? 1 : x->token - y->token;
}

/* The likeliest token; at a temperature above 0 any of those that have top_p of the probability together. */
static inline int llama_sample(const float *logits, int count, const llama_options *o, uint64_t *seed)
{
    enum { AT_A_TIME = 16 };
    float largest[AT_A_TIME], most = logits[0];
    int best = 0, kept = 0;
    for (int l = 0; l < AT_A_TIME; l++)
        largest[l] = logits[0];
    for (int i = 0; i + AT_A_TIME <= count; i += AT_A_TIME)
        for (int l = 0; l < AT_A_TIME; l++)
            largest[l] = logits[i + l] > largest[l] ? logits[i + l] : largest[l];
    for (int l = 0; l < AT_A_TIME; l++)
        most = largest[l] > most ? largest[l] : most;
    for (int i = count - count % AT_A_TIME; i < count; i++)
        most = logits[i] > most ? logits[i] : most;
    while (best + 1 < count && logits[best] != most)
        best++;
    llama_choice *const choices = o->temperature > 0 && seed ? malloc((size_t)count * sizeof *choices) : NULL;
    if (!choices)
        return best;
    double sum = 0, some = 0;
    for (int i = 0; i < count; i++) {
        choices[i] = (llama_choice){ expf((logits[i] - logits[best]) / o->temperature), i };
        sum += (double)choices[i].p;
    }
    qsort(choices, (size_t)count, sizeof *choices, llama_compare_choices);
    while (kept < count && some < (double)o->top_p * sum)
        some += (double)choices[kept++].p;
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    double left = (double)(*seed >> 11) * 0x1p-53 * some;
    for (best = 0; best + 1 < kept && left >= (double)choices[best].p; best++)
        left -= (double)choices[best].p;
    const int token = choices[best].token;
    free(choices);
    return token;
}

/* ---- the network in plain C ------------------------------------------------------------------------------------- */

typedef struct {
    const llama_sizes *s;
    float *const *w;
    int group; /* of what is rounded to 8 bits before it is multiplied; 0: it is not */
    float *x, *normed, *query, *mixed, *gate, *logits, *scores, *keys, *values, *turns;
} llama_reference;

static inline void llama_reference_close(llama_reference *r)
{
    free(r->x);
    free(r->turns);
}

/* Without memory x is NULL. */
static inline llama_reference llama_reference_open(const llama_sizes *s, float *const *weights, int group)
{
    const int kept = s->layers * s->length * s->kv;
    const int sizes[] = { s->dim, s->dim, s->dim + 2 * s->kv, s->dim, 2 * s->hidden, s->vocabulary, s->length,
                          kept,   kept };
    size_t all = 0, at = 0;
    llama_reference r = { .s = s, .w = weights, .group = group };
    float **const parts[] = { &r.x, &r.normed, &r.query, &r.mixed, &r.gate, &r.logits, &r.scores, &r.keys, &r.values };
    for (int i = 0; i < 9; i++)
        all += (size_t)sizes[i];
    float *const memory = malloc(all * sizeof *memory);
    for (int i = 0; memory && i < 9; at += (size_t)sizes[i++])
        *parts[i] = memory + at;
    r.turns = llama_turns(s->length, s->head);
    return r;
}

/* y = w x, or that added to it. */
static inline void llama_multiply(const llama_reference *r, const float *w, const float *x, float *y, int rows,
                                  int columns, bool adds)
{
    for (int row = 0; row < rows; row++) {
        double sum = 0, scale = 0;
        for (int i = 0; i < columns; i++) {
            double a = (double)x[i], most = 0;
            for (int k = i; r->group && i % r->group == 0 && k < i + r->group; k++)
                most = fmax(most, fabs((double)x[k]));
            if (r->group && i % r->group == 0)
                scale = most / 127;
            if (r->group)
                a = scale > 0 ? rint(a / scale) * scale : 0;
            sum += (double)w[(size_t)row * (size_t)columns + (size_t)i] * a;
        }
        y[row] = adds ? y[row] + (float)sum : (float)sum;
    }
}

static inline void llama_normalize(const float *x, const float *w, float *out, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)x[i] * (double)x[i];
    for (int i = 0; i < count; i++)
        out[i] = (float)((double)w[i] * (double)x[i] / sqrt(sum / count + 1e-5));
}

static inline void llama_attend(llama_reference *r, const float *keys, const float *values, int position)
{
    const int head = r->s->head, kv = r->s->kv, shared = r->s->heads / r->s->kv_heads;
    for (int h = 0; h < r->s->heads; h++) {
        double sum = 0;
        for (int k = 0; k <= position; k++) {
            double product = 0;
            for (int i = 0; i < head; i++)
                product += (double)r->query[h * head + i] * (double)keys[k * kv + h / shared * head + i];
            sum += exp(product / sqrt(head));
            r->scores[k] = (float)exp(product / sqrt(head));
        }
        for (int i = 0; i < head; i++) {
            double mean = 0;
            for (int k = 0; k <= position; k++)
                mean += (double)r->scores[k] * (double)values[k * kv + h / shared * head + i] / sum;
            r->mixed[h * head + i] = (float)mean;
        }
    }
}

static inline void llama_turn(const float *turns, float *x, int count, int head)
{
    for (int i = 0; i < count; i += 2) {
        const float c = turns[i % head], s = turns[i % head + 1], a = x[i], b = x[i + 1];
        x[i] = a * c - b * s;
        x[i + 1] = a * s + b * c;
    }
}

/* The logits after a token; those before were given, one by one. */
static inline const float *llama_reference_next(llama_reference *r, int token, int position)
{
    const int dim = r->s->dim, hidden = r->s->hidden, kv = r->s->kv, length = r->s->length, layers = r->s->layers;
    const size_t kv_bytes = (size_t)kv * sizeof(float);
    memcpy(r->x, r->w[EMBEDDING] + (size_t)token * (size_t)dim, (size_t)dim * sizeof(float));
    for (int l = 0; l < layers; l++) {
        float *const keys = r->keys + l * length * kv, *const values = r->values + l * length * kv;
        llama_normalize(r->x, r->w[NORMS] + l * dim, r->normed, dim);
        llama_multiply(r, r->w[WEIGHT(l, QKV)], r->normed, r->query, dim + 2 * kv, dim, false);
        llama_turn(r->turns + position * r->s->head, r->query, dim + kv, r->s->head);
        memcpy(keys + position * kv, r->query + dim, kv_bytes);
        memcpy(values + position * kv, r->query + dim + kv, kv_bytes);
        llama_attend(r, keys, values, position);
        llama_multiply(r, r->w[WEIGHT(l, WO)], r->mixed, r->x, dim, dim, true);
        llama_normalize(r->x, r->w[NORMS] + (layers + l) * dim, r->normed, dim);
        llama_multiply(r, r->w[WEIGHT(l, GATE_UP)], r->normed, r->gate, 2 * hidden, dim, false);
        for (int i = 0; i < hidden; i++)
            r->gate[i] *= r->gate[hidden + i] / (1 + expf(-r->gate[i]));
        llama_multiply(r, r->w[WEIGHT(l, W2)], r->gate, r->x, dim, hidden, true);
    }
    llama_normalize(r->x, r->w[NORMS] + 2 * layers * dim, r->normed, dim);
    llama_multiply(r, r->w[CLASSIFIER], r->normed, r->logits, r->s->vocabulary, dim, false);
    return r->logits;
}

#endif /* LLAMA2_H */
