// SPDX-License-Identifier: MIT
/*  fuzz.h - the generator of random kernels: its state, and what its files share.

    Every decision is a number that choose() returns. A case is what its sequence of numbers makes, so a shorter
    sequence of smaller numbers is a smaller case: reduce.c changes the sequence and never the program. 0 is the
    simplest alternative everywhere, and a sequence that is over goes on with zeros. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* HALF is a type of elements only: kernels read and write them as float. */
typedef enum type { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, HALF, TYPES } type;
#define INTEGERS F32 /* types below this one are of integers */
extern const char *const type_name[TYPES];
static inline bool is_float(type t) { return t >= F32; }

/* The numbers from begin to end made one statement, or one expression of a type. */
typedef enum span_kind { SPAN_STATEMENT, SPAN_EXPRESSION } span_kind;
typedef struct span {
    size_t begin, end;
    int kind; /* of expressions SPAN_EXPRESSION + the type */
} span;

/* What can be read: a variable, or an element of an array or view. Its source is `before` with an index for each
   dimension, `between` them, and `after`. */
typedef struct place {
    const char *before, *between, *after;
    const char *store; /* how a value is assigned, where that is not by = */
    type type;
    int rank, extent[3];
    int bound;       /* of an integer of rank 0 that is always in [0, bound): this, else 0 */
    bool writable;   /* by the code that is generated now */
    bool local;      /* an array of the thread's own, which has an address */
    bool in_uniform; /* tile-scope code may read it */
} place;

enum { MAX_PLACES = 160, MAX_FUNCTIONS = 4, MAX_PARAMETERS = 4, MAX_BUFFERS = 6, MAX_SHARED = 4 };

typedef struct function {
    const char *name;
    type result, parameter[MAX_PARAMETERS];
    int parameters;
} function;

/* Memory of the program, under a view or array. */
typedef struct buffer {
    type type;
    int rank, extent[3];
    bool loose;    /* results that may differ in the last bits: never read by kernels */
    bool constant; /* a const view: kernels read only */
    bool array;    /* an AMP_ARRAY, copied from and to the memory */
    const char *view;
} buffer;

/* A tile_static variable. */
typedef struct shared {
    const char *name;
    type type;
    int rank, extent[3], size;
    bool tile_shaped; /* a thread has one element, at its local index */
} shared;

typedef struct string {
    char *data;
    size_t length, capacity;
} string;

typedef struct generator {
    /* the sequence */
    uint32_t *numbers;
    size_t count, capacity, at;
    bool replay; /* numbers come from the sequence, not from `random` */
    uint64_t random;
    span *spans;
    size_t span_count, span_capacity;

    /* what is written */
    string definitions, body, *out;
    int indent;

    /* what is known where the next line stands */
    place places[MAX_PLACES];
    int place_count;
    function functions[MAX_FUNCTIONS];
    int function_count;
    buffer buffers[MAX_BUFFERS];
    int buffer_count;
    shared shareds[MAX_SHARED];
    int shared_count;
    const char *atomics[MAX_BUFFERS + MAX_SHARED]; /* "add(&AMP_AT(v1, @)" : @ is the index */
    place atomic_places[MAX_BUFFERS + MAX_SHARED];
    int atomic_count;
    const char *elements[MAX_BUFFERS]; /* addresses of elements of int that the thread may write */
    int element_count;
    int case_number, names, loops, budget, intervals, launches;
    bool in_kernel, uniform, halves;
    type result; /* of the function that is made */
} generator;

typedef struct value {
    const char *text;
    int high, low; /* of a float: less than 2^high, a multiple of 2^-low */
} value;

/* choices.c */
uint32_t choose(generator *g, uint32_t n);   /* 0 to n - 1; 0 is the simplest */
bool chance(generator *g, unsigned percent); /* false is the simpler */
size_t span_begin(generator *g);             /* then span_end with what it returned */
void span_end(generator *g, size_t begin, int kind);
const char *text(generator *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit(generator *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void append(string *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *new_name(generator *g, const char *prefix);
void forget_text(void); /* frees what text() returned */

/* expression.c */
value expression(generator *g, type t, int depth);
const char *condition(generator *g, int depth);
const char *fitted(generator *g, type t, int depth); /* an expression that a variable of t may hold */
const char *place_text(generator *g, const place *p, int depth);
const char *index_within(generator *g, int extent, int depth);
const char *literal(generator *g, type t);
place *push_place(generator *g, place p);
place *push_scalar(generator *g, const char *name, type t, bool writable);
const char *loose_expression(generator *g, type t);
type any_type(generator *g);

/* statement.c */
void statements(generator *g, int depth);
void block(generator *g, int depth);
void definitions(generator *g);

/* tile.c */
void tiled_body(generator *g, const int *tile, int rank, const int *extent, bool padded);

/* kernel.c */
void make_case(generator *g, int number);
void begin_case(generator *g, uint64_t seed, int number); /* clears what the last case left */

/* reduce.c */
int reduce(const char *sequence, int number, const char *test);
int write_case(generator *g, const char *path, int number);

#endif
