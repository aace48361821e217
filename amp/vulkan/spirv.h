/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/spirv.h - what a SPIR-V module says of its kernels: where arguments go, and what it needs of a device

    clspv writes that into the module as instructions without effect ("NonSemantic.ClspvReflection").

    Contents (search for the tag):
        >>module  >>kernel  >>needs  >>faults */
#ifndef AMP_VULKAN_SPIRV_H
#define AMP_VULKAN_SPIRV_H

#include "vulkan_api.h"

/* // >>module: words; the first five are its head, then come instructions. */

enum { AMP_PRIV_SPIRV_MAGIC = 0x07230203, AMP_PRIV_SPIRV_HEAD = 5 };

typedef struct amp_priv_spirv {
    const uint32_t *word;
    size_t count;
    size_t *at; /* of each number: where it is defined; 0: nowhere */
} amp_priv_spirv;

/* Instructions that matter here. */
enum {
    AMP_PRIV_SPIRV_STRING = 7,
    AMP_PRIV_SPIRV_EXTENSION = 10,
    AMP_PRIV_SPIRV_IMPORT = 11,
    AMP_PRIV_SPIRV_EXTENDED = 12,
    AMP_PRIV_SPIRV_CAPABILITY = 17,
    AMP_PRIV_SPIRV_FIRST_TYPE = 19,
    AMP_PRIV_SPIRV_FLOAT = 22,
    AMP_PRIV_SPIRV_VECTOR = 23,
    AMP_PRIV_SPIRV_ARRAY = 28,
    AMP_PRIV_SPIRV_OPEN_ARRAY = 29,
    AMP_PRIV_SPIRV_STRUCT = 30,
    AMP_PRIV_SPIRV_POINTER = 32,
    AMP_PRIV_SPIRV_TRUE = 41, /* constants */
    AMP_PRIV_SPIRV_FALSE = 42,
    AMP_PRIV_SPIRV_CONSTANT = 43,
    AMP_PRIV_SPIRV_PARAMETER = 55,
    AMP_PRIV_SPIRV_CALL = 57,
    AMP_PRIV_SPIRV_VARIABLE = 59,
    AMP_PRIV_SPIRV_LOAD = 61,
    AMP_PRIV_SPIRV_STORE = 62,
    AMP_PRIV_SPIRV_CHAIN = 65, /* OpAccessChain, OpInBoundsAccessChain, OpPtrAccessChain */
    AMP_PRIV_SPIRV_CHAIN_INSIDE = 66,
    AMP_PRIV_SPIRV_CHAIN_FROM = 67,
    AMP_PRIV_SPIRV_DECORATE = 71,
    AMP_PRIV_SPIRV_DECORATES_END = 75,
    AMP_PRIV_SPIRV_ADDRESS = 117, /* OpConvertPtrToU */
    AMP_PRIV_SPIRV_FROM_ADDRESS = 120,
    AMP_PRIV_SPIRV_BITCAST = 124,
    AMP_PRIV_SPIRV_TIMES = 133, /* OpFMul */
    AMP_PRIV_SPIRV_DIVIDED = 136,
    AMP_PRIV_SPIRV_SELECT = 169,
    AMP_PRIV_SPIRV_OR = 197, /* of bits */
    AMP_PRIV_SPIRV_AND = 199,
    AMP_PRIV_SPIRV_BARRIER = 224,
    AMP_PRIV_SPIRV_FIRST_ATOMIC = 227,
    AMP_PRIV_SPIRV_ATOMIC_STORE = 228, /* has no result */
    AMP_PRIV_SPIRV_LAST_ATOMIC = 242,
    AMP_PRIV_SPIRV_PHI = 245,
    AMP_PRIV_SPIRV_LOOP = 246, /* OpLoopMerge, in the first block of a loop */
    AMP_PRIV_SPIRV_LABEL = 248,
    AMP_PRIV_SPIRV_BRANCH_IF = 250
};

enum { AMP_PRIV_SPIRV_IN_TILE = 4, AMP_PRIV_SPIRV_IN_BUFFER = 12 /* storage classes */ };
enum { AMP_PRIV_SPIRV_VARY_IN_BUFFERS = 4441, AMP_PRIV_SPIRV_VARY = 4442 /* capabilities */ };

static inline unsigned amp_priv_spirv_length(const amp_priv_spirv *module, size_t at) { return module->word[at] >> 16; }
static inline unsigned amp_priv_spirv_code(const amp_priv_spirv *module, size_t at)
{
    return module->word[at] & 0xffff;
}

/* Is it a module, with instructions that end where it ends? */
AMP_PRIV_COLD bool amp_priv_spirv_is_whole(const void *data, size_t bytes)
{
    const uint32_t *const word = data;
    const size_t count = bytes / sizeof *word;
    if (bytes % sizeof *word != 0 || count <= AMP_PRIV_SPIRV_HEAD || word[0] != AMP_PRIV_SPIRV_MAGIC || word[3] > bytes)
        return false;
    size_t at = AMP_PRIV_SPIRV_HEAD;
    while (at < count && word[at] >> 16 != 0)
        at += word[at] >> 16;
    return at == count;
}

/* Which operand is the number that an instruction defines; 0: it defines none that matters. */
AMP_PRIV_COLD unsigned amp_priv_spirv_number_of(unsigned code)
{
    if (code == AMP_PRIV_SPIRV_STRING || code == AMP_PRIV_SPIRV_IMPORT || code == AMP_PRIV_SPIRV_LABEL ||
        (code >= AMP_PRIV_SPIRV_FIRST_TYPE && code <= AMP_PRIV_SPIRV_POINTER))
        return 1;
    switch (code) {
    case AMP_PRIV_SPIRV_TRUE:
    case AMP_PRIV_SPIRV_FALSE:
    case AMP_PRIV_SPIRV_CONSTANT:
    case AMP_PRIV_SPIRV_EXTENDED:
    case AMP_PRIV_SPIRV_PARAMETER:
    case AMP_PRIV_SPIRV_VARIABLE:
    case AMP_PRIV_SPIRV_CHAIN:
    case AMP_PRIV_SPIRV_CHAIN_INSIDE:
    case AMP_PRIV_SPIRV_CHAIN_FROM:
    case AMP_PRIV_SPIRV_BITCAST:
    case AMP_PRIV_SPIRV_TIMES:
    case AMP_PRIV_SPIRV_DIVIDED:
    case AMP_PRIV_SPIRV_SELECT:
    case AMP_PRIV_SPIRV_OR:
    case AMP_PRIV_SPIRV_AND:
    case AMP_PRIV_SPIRV_PHI: return 2;
    default: return 0;
    }
}

/* Opens a whole module; amp_priv_spirv_close frees what this takes. False: no memory. */
AMP_PRIV_COLD bool amp_priv_spirv_open(amp_priv_spirv *module, const uint32_t *word, size_t bytes)
{
    *module = (amp_priv_spirv){ word, bytes / sizeof *word, calloc(word[3] + 1, sizeof *module->at) };
    if (!module->at)
        return false;
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        const unsigned code = amp_priv_spirv_code(module, at), length = amp_priv_spirv_length(module, at);
        const unsigned number = amp_priv_spirv_number_of(code);
        if (number > 0 && number < length && word[at + number] <= word[3])
            module->at[word[at + number]] = at;
    }
    return true;
}

AMP_PRIV_COLD void amp_priv_spirv_close(amp_priv_spirv *module) { free(module->at); }

/* Operand n of an instruction; 0 where it has fewer. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_operand(const amp_priv_spirv *module, size_t at, unsigned n)
{
    return n < amp_priv_spirv_length(module, at) ? module->word[at + n] : 0;
}

/* Where operand n of an instruction is defined, as an instruction of this code; 0: it is not. */
AMP_PRIV_COLD size_t amp_priv_spirv_definition(const amp_priv_spirv *module, size_t at, unsigned n, unsigned code)
{
    const uint32_t number = amp_priv_spirv_operand(module, at, n);
    const size_t found = number <= module->word[3] ? module->at[number] : 0;
    return found && amp_priv_spirv_code(module, found) == code ? found : 0;
}

/* The constant, or the text, that operand n of an instruction is. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_value(const amp_priv_spirv *module, size_t at, unsigned n)
{
    const size_t constant = amp_priv_spirv_definition(module, at, n, AMP_PRIV_SPIRV_CONSTANT);
    return constant ? amp_priv_spirv_operand(module, constant, 3) : 0;
}

AMP_PRIV_COLD bool amp_priv_spirv_is_text(const amp_priv_spirv *module, size_t at, unsigned n, unsigned code,
                                          const char *text, size_t length)
{
    const size_t found = amp_priv_spirv_definition(module, at, n, code);
    const size_t room = found ? (amp_priv_spirv_length(module, found) - 2) * sizeof(uint32_t) : 0;
    return room >= length && !memcmp(module->word + found + 2, text, length);
}

/* The text that operand n of an instruction is; NULL: it is none. */
AMP_PRIV_COLD const char *amp_priv_spirv_text(const amp_priv_spirv *module, size_t at, unsigned n)
{
    const size_t found = amp_priv_spirv_definition(module, at, n, AMP_PRIV_SPIRV_STRING);
    const size_t room = found ? (amp_priv_spirv_length(module, found) - 2) * sizeof(uint32_t) : 0;
    const char *const text = (const char *)(module->word + found + 2);
    return room > 0 && memchr(text, '\0', room) ? text : NULL;
}

/* // >>kernel */

typedef enum amp_priv_spirv_place {
    AMP_PRIV_SPIRV_UNUSED, /* the kernel does not read it */
    AMP_PRIV_SPIRV_BUFFER,
    AMP_PRIV_SPIRV_PUSHED,  /* its bytes are push constants */
    AMP_PRIV_SPIRV_UNIFORM, /* its bytes are in a uniform buffer, or */
    AMP_PRIV_SPIRV_STORED   /* in a storage buffer */
} amp_priv_spirv_place;

typedef struct amp_priv_spirv_argument {
    amp_priv_spirv_place place;
    uint32_t set, binding, offset, size;
} amp_priv_spirv_argument;

enum { AMP_PRIV_SPIRV_ARGUMENTS = 256 };

typedef struct amp_priv_spirv_kernel {
    amp_priv_spirv_argument argument[AMP_PRIV_SPIRV_ARGUMENTS];
    unsigned count;        /* one more than the last argument that it reads */
    bool is_sized;         /* the work-group's size is specialisation constants; else the module has it */
    uint32_t local_id[3];  /* of these constants */
    uint32_t local_memory; /* bytes of a work-group */
    uint32_t pushed;       /* bytes of push constants */
    uint32_t print_bytes;  /* of the buffer for what it prints; 0: it prints nothing */
    unsigned foreign;      /* an instruction that this file does not know; 0: there is none */
} amp_priv_spirv_kernel;

/* Instructions of the reflection. */
enum {
    AMP_PRIV_CLSPV_KERNEL = 1,
    AMP_PRIV_CLSPV_ARGUMENT_INFO = 2,
    AMP_PRIV_CLSPV_BUFFER = 3,
    AMP_PRIV_CLSPV_POD_STORED = 5,
    AMP_PRIV_CLSPV_POD_UNIFORM = 6,
    AMP_PRIV_CLSPV_POD_PUSHED = 7,
    AMP_PRIV_CLSPV_LOCAL_SIZE = 12,
    AMP_PRIV_CLSPV_REQUIRED_SIZE = 24,
    AMP_PRIV_CLSPV_PRINT = 38,        /* a format: its number, text, and the sizes of its values */
    AMP_PRIV_CLSPV_PRINT_BUFFER = 39, /* set, binding, bytes */
    AMP_PRIV_CLSPV_LOCAL_VARIABLE = 42
};

/* An argument: the operands from 6 on are its number and its place. */
AMP_PRIV_COLD void amp_priv_spirv_take_argument(const amp_priv_spirv *module, size_t at, amp_priv_spirv_kernel *kernel)
{
    const unsigned kind = module->word[at + 4];
    const uint32_t number = amp_priv_spirv_value(module, at, 6);
    if (number >= AMP_PRIV_SPIRV_ARGUMENTS)
        return;
    const unsigned place = kind == AMP_PRIV_CLSPV_POD_PUSHED ? 7 : 9; /* of offset and size */
    amp_priv_spirv_argument *const argument = kernel->argument + number;
    argument->place = kind == AMP_PRIV_CLSPV_BUFFER        ? AMP_PRIV_SPIRV_BUFFER
                      : kind == AMP_PRIV_CLSPV_POD_STORED  ? AMP_PRIV_SPIRV_STORED
                      : kind == AMP_PRIV_CLSPV_POD_UNIFORM ? AMP_PRIV_SPIRV_UNIFORM
                                                           : AMP_PRIV_SPIRV_PUSHED;
    if (kind != AMP_PRIV_CLSPV_POD_PUSHED) {
        argument->set = amp_priv_spirv_value(module, at, 7);
        argument->binding = amp_priv_spirv_value(module, at, 8);
    }
    if (kind != AMP_PRIV_CLSPV_BUFFER) {
        argument->offset = amp_priv_spirv_value(module, at, place);
        argument->size = amp_priv_spirv_value(module, at, place + 1);
    }
    if (kind == AMP_PRIV_CLSPV_POD_PUSHED && argument->offset + argument->size > kernel->pushed)
        kernel->pushed = argument->offset + argument->size;
    if (number >= kernel->count)
        kernel->count = number + 1;
}

/* One instruction of the reflection. `number`: of the kernel's own instruction. */
AMP_PRIV_COLD void amp_priv_spirv_take(const amp_priv_spirv *module, size_t at, uint32_t number,
                                       amp_priv_spirv_kernel *kernel)
{
    const unsigned kind = module->word[at + 4];
    switch (kind) {
    case AMP_PRIV_CLSPV_KERNEL:
    case AMP_PRIV_CLSPV_ARGUMENT_INFO:
    case AMP_PRIV_CLSPV_REQUIRED_SIZE:
    case AMP_PRIV_CLSPV_PRINT: break;
    case AMP_PRIV_CLSPV_PRINT_BUFFER: kernel->print_bytes = amp_priv_spirv_value(module, at, 7); break;
    case AMP_PRIV_CLSPV_BUFFER:
    case AMP_PRIV_CLSPV_POD_STORED:
    case AMP_PRIV_CLSPV_POD_UNIFORM:
    case AMP_PRIV_CLSPV_POD_PUSHED:
        if (amp_priv_spirv_operand(module, at, 5) == number)
            amp_priv_spirv_take_argument(module, at, kernel);
        break;
    case AMP_PRIV_CLSPV_LOCAL_SIZE:
        kernel->is_sized = true;
        for (unsigned d = 0; d < 3; d++)
            kernel->local_id[d] = amp_priv_spirv_value(module, at, 5 + d);
        break;
    case AMP_PRIV_CLSPV_LOCAL_VARIABLE: kernel->local_memory += amp_priv_spirv_value(module, at, 6); break;
    default: kernel->foreign = kind;
    }
}

#define AMP_PRIV_CLSPV_REFLECTION "NonSemantic.ClspvReflection"

/* Is it an instruction of the reflection? */
AMP_PRIV_COLD bool amp_priv_spirv_reflects(const amp_priv_spirv *module, size_t at)
{
    return amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_EXTENDED && amp_priv_spirv_length(module, at) >= 6 &&
           amp_priv_spirv_is_text(module, at, 3, AMP_PRIV_SPIRV_IMPORT, AMP_PRIV_CLSPV_REFLECTION,
                                  sizeof AMP_PRIV_CLSPV_REFLECTION - 1);
}

/* The kernel of that name; false: the module has none. */
AMP_PRIV_COLD bool amp_priv_spirv_find(const amp_priv_spirv *module, const char *name, amp_priv_spirv_kernel *kernel)
{
    uint32_t number = 0;
    memset(kernel, 0, sizeof *kernel);
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        if (!amp_priv_spirv_reflects(module, at))
            continue;
        if (module->word[at + 4] == AMP_PRIV_CLSPV_KERNEL &&
            amp_priv_spirv_is_text(module, at, 6, AMP_PRIV_SPIRV_STRING, name, strlen(name) + 1))
            number = module->word[at + 2];
        amp_priv_spirv_take(module, at, number, kernel);
    }
    return number != 0;
}

/* Copies the module without the reflection, which drivers take only with an extension, and returns its words. */
AMP_PRIV_COLD size_t amp_priv_spirv_strip(const amp_priv_spirv *module, uint32_t *to)
{
    static const char extension[] = "SPV_KHR_non_semantic_info";
    size_t count = AMP_PRIV_SPIRV_HEAD;
    memcpy(to, module->word, count * sizeof *to);
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        const unsigned code = amp_priv_spirv_code(module, at), length = amp_priv_spirv_length(module, at);
        const uint32_t *const word = module->word + at;
        const bool of_reflection =
            amp_priv_spirv_reflects(module, at) ||
            (code == AMP_PRIV_SPIRV_EXTENSION && length == 1 + (sizeof extension + 3) / 4 &&
             !memcmp(word + 1, extension, sizeof extension)) ||
            (code == AMP_PRIV_SPIRV_IMPORT && length > 2 + sizeof AMP_PRIV_CLSPV_REFLECTION / 4 &&
             !memcmp(word + 2, AMP_PRIV_CLSPV_REFLECTION, sizeof AMP_PRIV_CLSPV_REFLECTION - 1));
        if (of_reflection)
            continue;
        memcpy(to + count, word, length * sizeof *to);
        count += length;
    }
    return count;
}

/* // >>needs */

/* What a device must have, for a module with this capability. */
typedef struct amp_priv_spirv_need {
    uint32_t capability;
    const char *what;
} amp_priv_spirv_need;

enum { AMP_PRIV_SPIRV_NEEDS = 10 };
static const amp_priv_spirv_need amp_priv_spirv_needs[AMP_PRIV_SPIRV_NEEDS] = {
    { 9, "half (shaderFloat16)" },
    { 10, "double (shaderFloat64)" },
    { 11, "64-bit integers (shaderInt64)" },
    { 12, "64-bit atomics (shaderBufferInt64Atomics)" },
    { 22, "16-bit integers (shaderInt16)" },
    { 39, "8-bit integers (shaderInt8)" },
    { 4433, "16-bit elements (storageBuffer16BitAccess)" },
    { AMP_PRIV_SPIRV_VARY_IN_BUFFERS, "pointers that vary (variablePointersStorageBuffer)" },
    { AMP_PRIV_SPIRV_VARY, "pointers that vary (variablePointers)" },
    { 4448, "8-bit elements (storageBuffer8BitAccess)" },
};

/* The first need that a device does not meet, of those whose bits are set in `has`; NULL: it meets all. */
AMP_PRIV_COLD const char *amp_priv_spirv_unmet(const amp_priv_spirv *module, unsigned has)
{
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at))
        for (int i = 0; i < AMP_PRIV_SPIRV_NEEDS; i++)
            if (amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_CAPABILITY && !(has >> i & 1) &&
                amp_priv_spirv_operand(module, at, 1) == amp_priv_spirv_needs[i].capability)
                return amp_priv_spirv_needs[i].what;
    return NULL;
}

/* // >>faults: what clspv writes and Vulkan forbids. Drivers crash with such a module, or compute something else. */

/* The type to which a type of pointers points; 0: not known. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_pointee(const amp_priv_spirv *module, uint32_t pointer_type)
{
    const size_t at = pointer_type <= module->word[3] ? module->at[pointer_type] : 0;
    return at && amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_POINTER ? amp_priv_spirv_operand(module, at, 3) : 0;
}

/* The type of the pointer that operand n is; 0: not known. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_pointer(const amp_priv_spirv *module, size_t at, unsigned n)
{
    const uint32_t number = amp_priv_spirv_operand(module, at, n);
    const size_t defined = number <= module->word[3] ? module->at[number] : 0;
    return defined && amp_priv_spirv_number_of(amp_priv_spirv_code(module, defined)) == 2
               ? amp_priv_spirv_operand(module, defined, 1)
               : 0;
}

/* The type of an element of that type, by the index that operand n of the chain is; 0: it has none. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_element(const amp_priv_spirv *module, uint32_t type, size_t chain, unsigned n)
{
    const size_t at = type <= module->word[3] ? module->at[type] : 0;
    if (!at)
        return 0;
    switch (amp_priv_spirv_code(module, at)) {
    case AMP_PRIV_SPIRV_VECTOR:
    case AMP_PRIV_SPIRV_ARRAY:
    case AMP_PRIV_SPIRV_OPEN_ARRAY: return amp_priv_spirv_operand(module, at, 2);
    case AMP_PRIV_SPIRV_STRUCT: return amp_priv_spirv_operand(module, at, 2 + amp_priv_spirv_value(module, chain, n));
    default: return 0;
    }
}

/* Is operand n of the chain a constant that is no index of this type, an array? clspv adds up the indices of arrays of
   8 bits whose last dimension is of one element. */
AMP_PRIV_COLD bool amp_priv_spirv_is_beyond(const amp_priv_spirv *module, uint32_t type, size_t chain, unsigned n)
{
    const size_t at = type <= module->word[3] ? module->at[type] : 0;
    return at && amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_ARRAY &&
           amp_priv_spirv_definition(module, at, 3, AMP_PRIV_SPIRV_CONSTANT) &&
           amp_priv_spirv_definition(module, chain, n, AMP_PRIV_SPIRV_CONSTANT) &&
           amp_priv_spirv_value(module, chain, n) >= amp_priv_spirv_value(module, at, 3);
}

/* Has the chain an index beyond an array, or into what has no elements? So it is where a captured struct with an array
   is read by an index that varies. */
AMP_PRIV_COLD bool amp_priv_spirv_chain_fits(const amp_priv_spirv *module, size_t chain)
{
    const unsigned code = amp_priv_spirv_code(module, chain), length = amp_priv_spirv_length(module, chain);
    uint32_t type = amp_priv_spirv_pointee(module, amp_priv_spirv_pointer(module, chain, 3));
    if (!type)
        return true; /* nothing is known of it */
    for (unsigned n = code == AMP_PRIV_SPIRV_CHAIN_FROM ? 5 : 4; n < length; n++) {
        if (amp_priv_spirv_is_beyond(module, type, chain, n))
            return false;
        type = amp_priv_spirv_element(module, type, chain, n);
    }
    return type != 0 && type == amp_priv_spirv_pointee(module, amp_priv_spirv_operand(module, chain, 1));
}

/* Is it pointer arithmetic in an array of a thread's own? */
AMP_PRIV_COLD bool amp_priv_spirv_walks_private(const amp_priv_spirv *module, size_t at)
{
    enum { AMP_PRIV_SPIRV_PRIVATE = 6, AMP_PRIV_SPIRV_FUNCTION = 7 };
    const uint32_t type = amp_priv_spirv_pointer(module, at, 3);
    const size_t defined = type <= module->word[3] ? module->at[type] : 0;
    const uint32_t where = defined ? amp_priv_spirv_operand(module, defined, 2) : 0;
    return where == AMP_PRIV_SPIRV_PRIVATE || where == AMP_PRIV_SPIRV_FUNCTION;
}

/* Is it a function of double that Vulkan has for float only: sin to log2? */
AMP_PRIV_COLD bool amp_priv_spirv_is_for_float(const amp_priv_spirv *module, size_t at)
{
    enum { AMP_PRIV_GLSL_RADIANS = 11, AMP_PRIV_GLSL_LOG2 = 30 };
    static const char set[] = "GLSL.std.450";
    const uint32_t number = amp_priv_spirv_operand(module, at, 4), type = amp_priv_spirv_operand(module, at, 1);
    size_t defined = type <= module->word[3] ? module->at[type] : 0;
    if (number < AMP_PRIV_GLSL_RADIANS || number > AMP_PRIV_GLSL_LOG2 ||
        !amp_priv_spirv_is_text(module, at, 3, AMP_PRIV_SPIRV_IMPORT, set, sizeof set))
        return false;
    if (defined && amp_priv_spirv_code(module, defined) == AMP_PRIV_SPIRV_VECTOR)
        defined = module->at[amp_priv_spirv_operand(module, defined, 2)];
    return defined && amp_priv_spirv_code(module, defined) == AMP_PRIV_SPIRV_FLOAT &&
           amp_priv_spirv_operand(module, defined, 2) == 64;
}

/* Is it a load, or an atomic operation with a result, of what has another type? */
AMP_PRIV_COLD bool amp_priv_spirv_mixes_types(const amp_priv_spirv *module, size_t at)
{
    const unsigned code = amp_priv_spirv_code(module, at);
    const bool reads =
        code == AMP_PRIV_SPIRV_LOAD || (code >= AMP_PRIV_SPIRV_FIRST_ATOMIC && code <= AMP_PRIV_SPIRV_LAST_ATOMIC &&
                                        code != AMP_PRIV_SPIRV_ATOMIC_STORE);
    const uint32_t read = reads ? amp_priv_spirv_pointee(module, amp_priv_spirv_pointer(module, at, 3)) : 0;
    return read && read != amp_priv_spirv_operand(module, at, 1);
}

/* Is it a branch back that is never taken? LLVM would have removed such a loop; clspv makes one of loops that one of
   several branches leaves. */
AMP_PRIV_COLD bool amp_priv_spirv_never_repeats(const amp_priv_spirv *module, size_t at)
{
    const unsigned never = amp_priv_spirv_definition(module, at, 1, AMP_PRIV_SPIRV_TRUE)    ? 3
                           : amp_priv_spirv_definition(module, at, 1, AMP_PRIV_SPIRV_FALSE) ? 2
                                                                                            : 0;
    const size_t block = never > 0 ? amp_priv_spirv_definition(module, at, never, AMP_PRIV_SPIRV_LABEL) : 0;
    return block > 0 && block < at;
}

/* What is wrong with an instruction; NULL: nothing that is known. */
AMP_PRIV_COLD const char *amp_priv_spirv_fault_at(const amp_priv_spirv *module, size_t at)
{
    if (amp_priv_spirv_mixes_types(module, at))
        return "clspv reads a value as another type, as atomic operations on float do";
    switch (amp_priv_spirv_code(module, at)) {
    case AMP_PRIV_SPIRV_BRANCH_IF:
        return amp_priv_spirv_never_repeats(module, at)
                   ? "clspv ends a loop after its first turn: leave it by one condition, and write its body without "
                     "branches, as with ?:"
                   : NULL;
    case AMP_PRIV_SPIRV_ADDRESS:
    case AMP_PRIV_SPIRV_FROM_ADDRESS:
        return "clspv computes with the address of an element, which it does not have in Vulkan: compare indices, not "
               "pointers";
    case AMP_PRIV_SPIRV_EXTENDED:
        return amp_priv_spirv_is_for_float(module, at) ? "Vulkan has this function for float only: use the function of "
                                                         "float"
                                                       : NULL;
    case AMP_PRIV_SPIRV_CHAIN_FROM:
        if (amp_priv_spirv_walks_private(module, at))
            return "clspv computes a pointer into an array of a thread's own, which Vulkan forbids: use indices "
                   "that are constants, or tile_static memory";
        /* fall through */
    case AMP_PRIV_SPIRV_CHAIN:
    case AMP_PRIV_SPIRV_CHAIN_INSIDE:
        return amp_priv_spirv_chain_fits(module, at)
                   ? NULL
                   : "clspv indexes what has no elements, or an array beyond its end: capture no struct with an array "
                     "that is read by an index that varies; use views, and AMP_PRIVATE arrays of one dimension";
    default: return NULL;
    }
}

/* Is there an atomic operation in the loop whose first block begins at `block`, and which OpLoopMerge at `at` ends? */
AMP_PRIV_COLD bool amp_priv_spirv_loop_has_atomic(const amp_priv_spirv *module, size_t block, size_t at)
{
    const size_t end = amp_priv_spirv_definition(module, at, 1, AMP_PRIV_SPIRV_LABEL);
    for (size_t i = block; i < end; i += amp_priv_spirv_length(module, i)) {
        const unsigned code = amp_priv_spirv_code(module, i);
        if (code >= AMP_PRIV_SPIRV_FIRST_ATOMIC && code <= AMP_PRIV_SPIRV_LAST_ATOMIC)
            return true;
    }
    return false;
}

/* Is it a capability for pointers that vary? */
AMP_PRIV_COLD bool amp_priv_spirv_lets_vary(const amp_priv_spirv *module, size_t at)
{
    const uint32_t capability = amp_priv_spirv_operand(module, at, 1);
    return amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_CAPABILITY &&
           (capability == AMP_PRIV_SPIRV_VARY_IN_BUFFERS || capability == AMP_PRIV_SPIRV_VARY);
}

/* The first fault of a module, or of a driver with it; NULL: none is known. */
AMP_PRIV_COLD const char *amp_priv_spirv_fault(const amp_priv_spirv *module, int driver)
{
    const char *fault = NULL;
    bool varies = false;
    size_t block = AMP_PRIV_SPIRV_HEAD;
    for (size_t at = block; at < module->count && !fault; at += amp_priv_spirv_length(module, at)) {
        const unsigned code = amp_priv_spirv_code(module, at);
        fault = amp_priv_spirv_fault_at(module, at);
        if (code == AMP_PRIV_SPIRV_LABEL)
            block = at;
        varies = varies || amp_priv_spirv_lets_vary(module, at);
        if (driver == AMP_VK_DRIVER_LAVAPIPE && code == AMP_PRIV_SPIRV_LOOP &&
            amp_priv_spirv_loop_has_atomic(module, block, at))
            fault = "lavapipe loses threads in a loop with an atomic operation: run the kernel on another accelerator";
        if (driver == AMP_VK_DRIVER_NVIDIA && varies && code == AMP_PRIV_SPIRV_BARRIER)
            fault = "NVIDIA's driver lets threads pass a barrier of a kernel with a pointer that varies: read the "
                    "elements of both views, and choose between the values";
    }
    return fault;
}

#endif /* AMP_VULKAN_SPIRV_H */
