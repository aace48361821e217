// SPDX-License-Identifier: MIT
/*  vulkan_device.c - what is Vulkan's own: modules of SPIR-V that are refused, because clspv or the driver makes them
    something else; lavapipe, which only AMP_ACCELERATOR brings in.
    Also tests amp/vulkan/clspv.h, amp/vulkan/spirv.h, amp/vulkan/spirv_doubles.h,
    amp/vulkan/spirv_faster.h, amp/vulkan/spirv_pointers.h, amp/vulkan/spirv_types.h, amp/vulkan/vulkan_api.h,
    amp/vulkan/vulkan_device.h, amp/vulkan/vulkan_math.h, amp/vulkan/vulkan_print.h, amp/vulkan/vulkan_queue.h,
    amp/vulkan/vulkan_sets.h, amp/vulkan/vulkan_text.h, amp/vulkan/vulkan_transfer.h. */
int run_backends_vulkan_device(void);

#if defined(AMP_BACKEND_VULKAN) /* else there is next to nothing to compile */

#include "child.h"
#include "test.h"

/* A module, instruction by instruction. */
typedef struct words {
    uint32_t word[256];
    size_t count;
} words;

static words begin_module(void) { return (words){ { AMP_PRIV_SPIRV_MAGIC, 0x10000, 0, 64, 0 }, AMP_PRIV_SPIRV_HEAD }; }

#define ADD(module, code, ...)                                                                                         \
    do {                                                                                                               \
        const uint32_t operands[] = { __VA_ARGS__ };                                                                   \
        const size_t length = sizeof operands / sizeof operands[0];                                                    \
        (module).word[(module).count] = (uint32_t)(length + 1) << 16 | (code);                                         \
        memcpy((module).word + (module).count + 1, operands, sizeof operands);                                         \
        (module).count += length + 1;                                                                                  \
    } while (0)

/* The module after a change, in new memory, and opened. */
static uint32_t *changed(const words *m, void (*change)(uint32_t **, size_t *), amp_priv_spirv *module)
{
    size_t count = m->count;
    uint32_t *word = malloc(sizeof m->word);
    check_that(word != NULL, "there is no memory");
    memcpy(word, m->word, sizeof m->word);
    change(&word, &count);
    check(amp_priv_spirv_is_whole(word, count * sizeof *word));
    check_that(amp_priv_spirv_open(module, word, count * sizeof *word), "there is no memory");
    return word;
}

static const char *fault_of(const words *module, int driver)
{
    amp_priv_spirv read;
    const size_t bytes = module->count * sizeof module->word[0];
    check_that(amp_priv_spirv_is_whole(module->word, bytes), "the module of the test is damaged");
    check_that(amp_priv_spirv_open(&read, module->word, bytes), "there is no memory");
    const char *const fault = amp_priv_spirv_fault(&read, driver);
    amp_priv_spirv_close(&read);
    return fault;
}

enum { IADD = 128, ATOMIC_IADD = 234, INT = 1, POINTER, VALUE, HEADER, MERGE, CELL, AGAIN };

/* A loop of one block, with an operation in it, and one behind it. */
static words loop_with(uint32_t in_loop, uint32_t behind)
{
    words m = begin_module();
    ADD(m, AMP_PRIV_SPIRV_LABEL, HEADER);
    ADD(m, in_loop, INT, AGAIN, CELL, VALUE, VALUE, VALUE);
    ADD(m, AMP_PRIV_SPIRV_LOOP, MERGE, HEADER, 0);
    ADD(m, AMP_PRIV_SPIRV_LABEL, MERGE);
    ADD(m, behind, INT, AGAIN + 1, CELL, VALUE, VALUE, VALUE);
    return m;
}

static void atomics_in_loops(void **state)
{
    (void)state;
    const words in = loop_with(ATOMIC_IADD, IADD), behind = loop_with(IADD, ATOMIC_IADD), none = loop_with(IADD, IADD);
    check_that(fault_of(&in, AMP_VK_DRIVER_LAVAPIPE) != NULL, "lavapipe takes an atomic operation in a loop");
    check_that(!fault_of(&in, 0), "another driver does not: %s", fault_of(&in, 0));
    check_that(!fault_of(&behind, AMP_VK_DRIVER_LAVAPIPE), "behind the loop: %s",
               fault_of(&behind, AMP_VK_DRIVER_LAVAPIPE));
    check_that(!fault_of(&none, AMP_VK_DRIVER_LAVAPIPE), "without atomic operations: %s",
               fault_of(&none, AMP_VK_DRIVER_LAVAPIPE));
}

/* Operand n of the first instruction of that code. */
static uint32_t operand_of(const amp_priv_spirv *module, unsigned code, unsigned n)
{
    size_t at = AMP_PRIV_SPIRV_HEAD;
    while (at < module->count && amp_priv_spirv_code(module, at) != code)
        at += amp_priv_spirv_length(module, at);
    check_that(at < module->count, "there is no instruction %u", code);
    return amp_priv_spirv_operand(module, at, n);
}

/* How many instructions of that code there are. */
static int instructions_of(const amp_priv_spirv *module, unsigned code)
{
    int count = 0;
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at))
        count += amp_priv_spirv_code(module, at) == code;
    return count;
}

/* A loop of two blocks, whose second one goes back if a constant says so, or a value. */
static words loop_until(unsigned constant)
{
    enum { BOOL = 10, SOME, HEAD, LATCH, END };
    words m = begin_module();
    ADD(m, 20, BOOL); /* OpTypeBool */
    if (constant)
        ADD(m, constant, BOOL, SOME);
    ADD(m, AMP_PRIV_SPIRV_LABEL, HEAD);
    ADD(m, AMP_PRIV_SPIRV_LOOP, END, LATCH, 0);
    ADD(m, AMP_PRIV_SPIRV_BRANCH_IF, SOME, LATCH, END); /* on, not back */
    ADD(m, AMP_PRIV_SPIRV_LABEL, LATCH);
    ADD(m, AMP_PRIV_SPIRV_BRANCH_IF, SOME, END, HEAD);
    ADD(m, AMP_PRIV_SPIRV_LABEL, END);
    return m;
}

static void loops_that_never_repeat(void **state)
{
    (void)state;
    words m = loop_until(AMP_PRIV_SPIRV_TRUE);
    const char *const fault = fault_of(&m, AMP_VK_DRIVER_NVIDIA);
    check_that(fault && strstr(fault, "ends a loop after its first turn"), "%s", fault ? fault : "no fault");
    m = loop_until(AMP_PRIV_SPIRV_FALSE);
    check_that(!fault_of(&m, AMP_VK_DRIVER_NVIDIA), "it goes back");
    m = loop_until(0);
    check_that(!fault_of(&m, AMP_VK_DRIVER_NVIDIA), "a value may be either");
}

/* A barrier, and `some ? a[i] : b[5]` of two buffers by a pointer that is chosen, which is read, or written. */
static words choice_of(unsigned use)
{
    enum { ZERO = 10, FIVE, OPEN, BUFFER, OF_BUFFER, OF_INT, A, B, SOME, I, OF_A, OF_B, CHOSEN, BOOL, MEMBER = 72 };
    words m = begin_module();
    ADD(m, AMP_PRIV_SPIRV_CAPABILITY, AMP_PRIV_SPIRV_VARY);
    ADD(m, MEMBER, BUFFER, 0, 35, CHOSEN); /* literals, no numbers */
    ADD(m, 21, INT, 32, 0);                /* OpTypeInt */
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, ZERO, 0);
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, FIVE, 5);
    ADD(m, AMP_PRIV_SPIRV_OPEN_ARRAY, OPEN, INT);
    ADD(m, AMP_PRIV_SPIRV_STRUCT, BUFFER, OPEN);
    ADD(m, AMP_PRIV_SPIRV_POINTER, OF_BUFFER, AMP_PRIV_SPIRV_IN_BUFFER, BUFFER);
    ADD(m, AMP_PRIV_SPIRV_POINTER, OF_INT, AMP_PRIV_SPIRV_IN_BUFFER, INT);
    ADD(m, AMP_PRIV_SPIRV_VARIABLE, OF_BUFFER, A, AMP_PRIV_SPIRV_IN_BUFFER);
    ADD(m, AMP_PRIV_SPIRV_VARIABLE, OF_BUFFER, B, AMP_PRIV_SPIRV_IN_BUFFER);
    ADD(m, IADD, INT, I, FIVE, FIVE);
    ADD(m, AMP_PRIV_SPIRV_BARRIER, ZERO, ZERO, ZERO);
    ADD(m, AMP_PRIV_SPIRV_CHAIN, OF_INT, OF_A, A, ZERO, I);
    ADD(m, AMP_PRIV_SPIRV_CHAIN, OF_INT, OF_B, B, ZERO, FIVE);
    ADD(m, AMP_PRIV_SPIRV_SELECT, OF_INT, CHOSEN, SOME, OF_A, OF_B);
    if (use == AMP_PRIV_SPIRV_LOAD)
        ADD(m, AMP_PRIV_SPIRV_LOAD, INT, VALUE, CHOSEN, 2, 4); /* aligned to 4 bytes */
    else
        ADD(m, AMP_PRIV_SPIRV_STORE, CHOSEN, FIVE);
    return m;
}

/* The values are chosen, and so are the indices, that both elements are there; what is written stays a choice of
   pointers, with which NVIDIA's driver has a fault. */
static void choices_between_elements(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const bool reads = i == 0;
        const words m = choice_of(reads ? AMP_PRIV_SPIRV_LOAD : AMP_PRIV_SPIRV_STORE);
        amp_priv_spirv module;
        uint32_t *const word = changed(&m, amp_priv_spirv_choose_values, &module);
        check_int(instructions_of(&module, AMP_PRIV_SPIRV_CAPABILITY), reads ? 0 : 1);
        check_int(instructions_of(&module, AMP_PRIV_SPIRV_LOAD), reads ? 2 : 0);
        check_int(instructions_of(&module, AMP_PRIV_SPIRV_SELECT), reads ? 3 : 1);
        check_int(instructions_of(&module, AMP_PRIV_SPIRV_CHAIN), 2);
        if (reads)
            check_int((int)operand_of(&module, AMP_PRIV_SPIRV_SELECT, 1), INT);
        const char *const fault = amp_priv_spirv_fault(&module, AMP_VK_DRIVER_NVIDIA);
        check_that(reads ? !fault : fault && strstr(fault, "barrier"), "%s", fault ? fault : "a choice of pointers");
        check_that(!amp_priv_spirv_fault(&module, AMP_VK_DRIVER_LAVAPIPE), "another driver");
        amp_priv_spirv_close(&module);
        free(word);
    }
}

/* An element of an array of two dimensions, 3 and 2, in a thread's own memory. */
static words element_of(uint32_t row, uint32_t column)
{
    enum { TWO = 20, THREE, ROW, COLUMN, LINE, ARRAY, OF_ARRAY, OF_INT, VARIABLE, FUNCTION = 7 };
    words m = begin_module();
    ADD(m, 21, INT, 32, 0); /* OpTypeInt */
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, TWO, 2);
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, THREE, 3);
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, ROW, row);
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, COLUMN, column);
    ADD(m, AMP_PRIV_SPIRV_ARRAY, LINE, INT, TWO);
    ADD(m, AMP_PRIV_SPIRV_ARRAY, ARRAY, LINE, THREE);
    ADD(m, AMP_PRIV_SPIRV_POINTER, OF_ARRAY, FUNCTION, ARRAY);
    ADD(m, AMP_PRIV_SPIRV_POINTER, OF_INT, FUNCTION, INT);
    ADD(m, AMP_PRIV_SPIRV_VARIABLE, OF_ARRAY, VARIABLE, FUNCTION);
    ADD(m, AMP_PRIV_SPIRV_CHAIN, OF_INT, VALUE, VARIABLE, ROW, COLUMN);
    return m;
}

static void indices_beyond_arrays(void **state)
{
    (void)state;
    const words inside = element_of(2, 1), row = element_of(3, 0), column = element_of(0, 2);
    check_that(!fault_of(&inside, 0), "[2][1] of [3][2]: %s", fault_of(&inside, 0));
    check_that(fault_of(&row, 0) != NULL, "[3][0] of [3][2] passes");
    check_that(fault_of(&column, 0) != NULL, "[0][2] of [3][2] passes");
}

/* A float in tile_static memory that an instruction takes for an int, or does not. */
static const char *fault_of_access(unsigned code, uint32_t result)
{
    enum { FLOAT = 20, OF_FLOAT, VARIABLE, TILE_STATIC = 4 };
    words m = begin_module();
    ADD(m, 21, INT, 32, 0); /* OpTypeInt */
    ADD(m, AMP_PRIV_SPIRV_FLOAT, FLOAT, 32);
    ADD(m, AMP_PRIV_SPIRV_POINTER, OF_FLOAT, TILE_STATIC, FLOAT);
    ADD(m, AMP_PRIV_SPIRV_VARIABLE, OF_FLOAT, VARIABLE, TILE_STATIC);
    ADD(m, code, result ? result : FLOAT, VALUE, VARIABLE, INT, INT, VALUE);
    return fault_of(&m, 0);
}

static void types_that_are_mixed(void **state)
{
    enum { EXCHANGE = 229, COMPARE_EXCHANGE = 230 };
    static const unsigned code[] = { AMP_PRIV_SPIRV_LOAD, EXCHANGE, COMPARE_EXCHANGE, ATOMIC_IADD };
    (void)state;
    for (size_t i = 0; i < sizeof code / sizeof code[0]; i++) {
        check_that(!fault_of_access(code[i], 0), "%u of its own type: %s", code[i], fault_of_access(code[i], 0));
        check_that(fault_of_access(code[i], INT) != NULL, "%u of another type passes", code[i]);
    }
    const char *const address = fault_of_access(AMP_PRIV_SPIRV_ADDRESS, INT);
    check_that(address && strstr(address, "address"), "an address: %s", address ? address : "passes");
}

/* The same in an array, which is also read and written as float: its type becomes int. In a struct of two it stays. */
static void floats_as_integers(void **state)
{
    enum { FLOAT = 20, ARRAY, OF_ARRAY, OF_FLOAT, VARIABLE, LENGTH, ONE, AS_FLOAT, TILE_STATIC = 4, EXCHANGE = 229 };
    (void)state;
    for (int in_struct = 0; in_struct < 2; in_struct++) {
        words m = begin_module();
        ADD(m, 21, INT, 32, 0); /* OpTypeInt */
        ADD(m, AMP_PRIV_SPIRV_FLOAT, FLOAT, 32);
        ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, LENGTH, 2);
        ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, ONE, 1);
        if (in_struct)
            ADD(m, AMP_PRIV_SPIRV_STRUCT, ARRAY, FLOAT, FLOAT);
        else
            ADD(m, AMP_PRIV_SPIRV_ARRAY, ARRAY, FLOAT, LENGTH);
        ADD(m, AMP_PRIV_SPIRV_POINTER, OF_ARRAY, TILE_STATIC, ARRAY);
        ADD(m, AMP_PRIV_SPIRV_POINTER, OF_FLOAT, TILE_STATIC, FLOAT);
        ADD(m, AMP_PRIV_SPIRV_VARIABLE, OF_ARRAY, VARIABLE, TILE_STATIC);
        ADD(m, AMP_PRIV_SPIRV_CHAIN, OF_FLOAT, CELL, VARIABLE, ONE);
        ADD(m, AMP_PRIV_SPIRV_LOAD, FLOAT, AS_FLOAT, CELL);
        ADD(m, AMP_PRIV_SPIRV_STORE, CELL, AS_FLOAT);
        ADD(m, EXCHANGE, INT, AGAIN, CELL, ONE, ONE, ONE);
        if (!in_struct)
            ADD(m, AMP_PRIV_SPIRV_LOAD, INT, VALUE, VARIABLE); /* the first element */
        amp_priv_spirv module;
        uint32_t *const word = changed(&m, amp_priv_spirv_retype, &module);
        const char *const fault = amp_priv_spirv_fault(&module, 0);
        check_that(in_struct ? fault != NULL : !fault, "%s", fault ? fault : "floats of a struct are changed");
        check_int(instructions_of(&module, AMP_PRIV_SPIRV_BITCAST), in_struct ? 0 : 2);
        amp_priv_spirv_close(&module);
        free(word);
    }
}

/* copysign of doubles as clspv computes it: the masks become those of 64 bits, not where the result is no double. */
static void signs_of_doubles(void **state)
{
    enum { LONG = 20, DOUBLE, REST, SIGN, X, BITS, LEFT, RIGHT, JOINED, RESULT, NUMBER };
    (void)state;
    words m = begin_module();
    ADD(m, 21, LONG, 64, 0); /* OpTypeInt */
    ADD(m, AMP_PRIV_SPIRV_FLOAT, DOUBLE, 64);
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, LONG, REST, 0x7fffffff, 0);
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, LONG, SIGN, 0x80000000, 0xffffffff);
    ADD(m, AMP_PRIV_SPIRV_BITCAST, LONG, BITS, X);
    ADD(m, AMP_PRIV_SPIRV_AND, LONG, LEFT, BITS, REST);
    ADD(m, AMP_PRIV_SPIRV_AND, LONG, RIGHT, BITS, SIGN);
    ADD(m, AMP_PRIV_SPIRV_OR, LONG, JOINED, LEFT, RIGHT);
    ADD(m, AMP_PRIV_SPIRV_BITCAST, DOUBLE, RESULT, JOINED);
    ADD(m, AMP_PRIV_SPIRV_AND, LONG, NUMBER, BITS, REST);
    amp_priv_spirv read;
    uint32_t *const word = changed(&m, amp_priv_spirv_mend_signs, &read);
    const uint32_t rest = word[read.at[LEFT] + 4], sign = word[read.at[RIGHT] + 4];
    check(word[read.at[rest] + 3] == 0xffffffff && word[read.at[rest] + 4] == 0x7fffffff);
    check(word[read.at[sign] + 3] == 0 && word[read.at[sign] + 4] == 0x80000000);
    check_int((int)word[read.at[NUMBER] + 4], REST);
    amp_priv_spirv_close(&read);
    free(word);
}

/* One element more in each array of tile_static memory. */
static void arrays_apart(void **state)
{
    static const char text[] = "__local __attribute__((aligned(16))) int a [4] [2];\nint b[4];\n"
                               "__local __attribute__((aligned(16))) float c[n] ;\n",
                      want[] = "__local __attribute__((aligned(16))) int a [4 + 1] [2];\nint b[4];\n"
                               "__local __attribute__((aligned(16))) float c[n + 1] ;\n";
    (void)state;
    const amp_priv_clspv_input input = { text, "", sizeof text - 1 };
    size_t length = 0;
    char *const apart = amp_priv_clspv_apart(&input, &length);
    check_that(apart && !strcmp(apart, want), "%s", apart ? apart : "there is no memory");
    check_int((int)length, (int)sizeof want - 1);
    free(apart);
}

static void crashes(const void *with, amp_priv_child_answer *answer)
{
    (void)answer;
    fputs(with, stderr);
    abort();
}

static void waits_for_ever(const void *with, amp_priv_child_answer *answer)
{
    (void)with, (void)answer;
    for (;;)
        pause();
}

/* What the log says of a compiler that crashes, and of one that neither computes nor ends. */
static void compilers_that_do_not_end(void **state)
{
    static const struct {
        amp_priv_child_work work;
        amp_priv_child_result end;
        const char *prints, *says;
    } one[] = { { crashes, AMP_PRIV_CHILD_ENDED, "LLVM ERROR: of its own", "LLVM ERROR: of its own" },
                { crashes, AMP_PRIV_CHILD_ENDED, "GEP address space doesn't match type", "AMP_TABLE" },
                { crashes, AMP_PRIV_CHILD_ENDED, "Segmentation fault", "three views" },
                { waits_for_ever, AMP_PRIV_CHILD_LATE, "", "AMP_CLSPV_SECONDS" } };
    (void)state;
    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++) {
        amp_priv_child_answer answer;
        check_int(amp_priv_child_run(one[i].work, one[i].prints, 1, &answer), one[i].end);
        char *const log = amp_priv_clspv_failure(one[i].end, answer.data[1]);
        check_that(log && strstr(log, one[i].says), "\"%s\" has no \"%s\"", log ? log : "", one[i].says);
        free(answer.data[1]);
        free(log);
    }
}

static void check_close(const char *function, int row, double x, double y, double got, double want, double bound)
{
    check_that(isnan(want) ? isnan(got)
                           : (got == want && signbit(got) == signbit(want)) || fabs(got - want) <= bound * fabs(want),
               "%s %d of %g, %g is %.17g, not %.17g", function, row, x, y, got, want);
}

/* An import of a set of instructions. */
static void add_set(words *m, uint32_t number, const char *name)
{
    const size_t length = strlen(name) / sizeof(uint32_t) + 1;
    m->word[m->count] = (uint32_t)(length + 2) << 16 | AMP_PRIV_SPIRV_IMPORT;
    m->word[m->count + 1] = number;
    memset(m->word + m->count + 2, 0, length * sizeof(uint32_t));
    memcpy(m->word + m->count + 2, name, strlen(name));
    m->count += length + 2;
}

/* Which buffers the change knows of, and for which driver. */
static bool buffers_alone[AMP_PRIV_SPIRV_ARGUMENTS];
static int driver_of_change;
static void quicken(uint32_t **word, size_t *count)
{
    amp_priv_spirv_quicken(word, count, buffers_alone, driver_of_change);
}

/* Three buffers, of which the first is read, the second written by `use`, the third shared with another argument. */
static words three_buffers(unsigned use)
{
    enum { SET = 10, ZERO, ONE, TWO, VOID, NAME, OPEN, BUFFER, OF_BUFFER, OF_INT, A, B, C, OF_A, OF_B, OF_C };
    enum { INFO_A = 40, INFO_B, INFO_C, BOUND, BINDING = 33 };
    words m = begin_module();
    add_set(&m, SET, AMP_PRIV_CLSPV_REFLECTION ".5");
    ADD(m, AMP_PRIV_SPIRV_DECORATE, A, BINDING, 0);
    ADD(m, AMP_PRIV_SPIRV_DECORATE, B, BINDING, 1);
    ADD(m, AMP_PRIV_SPIRV_DECORATE, C, BINDING, 2);
    ADD(m, 21, INT, 32, 0); /* OpTypeInt */
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, ZERO, 0);
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, ONE, 1);
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, TWO, 2);
    ADD(m, AMP_PRIV_SPIRV_OPEN_ARRAY, OPEN, INT);
    ADD(m, AMP_PRIV_SPIRV_STRUCT, BUFFER, OPEN);
    ADD(m, AMP_PRIV_SPIRV_POINTER, OF_BUFFER, AMP_PRIV_SPIRV_IN_BUFFER, BUFFER);
    ADD(m, AMP_PRIV_SPIRV_POINTER, OF_INT, AMP_PRIV_SPIRV_IN_BUFFER, INT);
    ADD(m, AMP_PRIV_SPIRV_VARIABLE, OF_BUFFER, A, AMP_PRIV_SPIRV_IN_BUFFER);
    ADD(m, AMP_PRIV_SPIRV_VARIABLE, OF_BUFFER, B, AMP_PRIV_SPIRV_IN_BUFFER);
    ADD(m, AMP_PRIV_SPIRV_VARIABLE, OF_BUFFER, C, AMP_PRIV_SPIRV_IN_BUFFER);
    ADD(m, AMP_PRIV_SPIRV_CHAIN, OF_INT, OF_A, A, ZERO, ONE);
    ADD(m, AMP_PRIV_SPIRV_CHAIN, OF_INT, OF_B, B, ZERO, ONE);
    ADD(m, AMP_PRIV_SPIRV_CHAIN, OF_INT, OF_C, C, ZERO, ONE);
    ADD(m, AMP_PRIV_SPIRV_LOAD, INT, VALUE, OF_A);
    if (use == AMP_PRIV_SPIRV_STORE)
        ADD(m, AMP_PRIV_SPIRV_STORE, OF_B, VALUE, 2, A); /* literals at the end, no numbers */
    else if (use == ATOMIC_IADD)
        ADD(m, ATOMIC_IADD, INT, AGAIN, OF_B, ONE, ZERO, ONE);
    else
        ADD(m, AMP_PRIV_SPIRV_SELECT, OF_INT, AGAIN, VALUE, OF_B, OF_C);
    for (uint32_t i = 0; i < 3; i++) { /* the third is not `restrict` */
        ADD(m, AMP_PRIV_SPIRV_EXTENDED, VOID, INFO_A + i, SET, AMP_PRIV_CLSPV_ARGUMENT_INFO, NAME, NAME, ZERO, ZERO,
            i == 2 ? ONE : TWO);
        ADD(m, AMP_PRIV_SPIRV_EXTENDED, VOID, BOUND + i, SET, AMP_PRIV_CLSPV_BUFFER, NAME, ZERO + i, ZERO, ZERO + i,
            INFO_A + i);
    }
    return m;
}

/* Those that no other argument has are said to be so, and not to be written if they are not. */
static void buffers_of_their_own(void **state)
{
    static const unsigned uses[] = { AMP_PRIV_SPIRV_STORE, ATOMIC_IADD, AMP_PRIV_SPIRV_SELECT };
    enum { A = 20, RESTRICT = 19, NOT_WRITTEN = 24 };
    (void)state;
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        const words m = three_buffers(uses[i]);
        amp_priv_spirv module;
        check_that(amp_priv_spirv_open(&module, m.word, m.count * sizeof m.word[0]), "there is no memory");
        memset(buffers_alone, 0, sizeof buffers_alone);
        amp_priv_spirv_find_alone(&module, buffers_alone);
        amp_priv_spirv_close(&module);
        check(buffers_alone[0] && buffers_alone[1] && !buffers_alone[2]);
        uint32_t *const word = changed(&m, quicken, &module);
        unsigned has[3] = { 0 };
        for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module.count; at += amp_priv_spirv_length(&module, at))
            if (amp_priv_spirv_code(&module, at) == AMP_PRIV_SPIRV_DECORATE)
                has[word[at + 1] - A] |= (word[at + 2] == RESTRICT ? 1u : 0u) | (word[at + 2] == NOT_WRITTEN ? 2u : 0u);
        check_int((int)has[0], 3);
        check_int((int)has[1], 1);
        check_int((int)has[2], 0);
        amp_priv_spirv_close(&module);
        free(word);
    }
}

/* `numerator / sqrt(x)` as clspv has it, which scales by `much` where the divisor is small. */
static words division_of(uint32_t numerator, uint32_t much)
{
    enum { SET = 10, A, ONE, MUCH, LITTLE, X, IS_SMALL, IS_LARGE, ROOT, INNER, SCALE, SCALED, QUOTIENT };
    words m = begin_module();
    add_set(&m, SET, "GLSL.std.450");
    ADD(m, AMP_PRIV_SPIRV_FLOAT, INT, 32);
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, A, numerator);
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, ONE, 0x3f800000);
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, MUCH, much);
    ADD(m, AMP_PRIV_SPIRV_CONSTANT, INT, LITTLE, 0x3d800000);
    ADD(m, AMP_PRIV_SPIRV_EXTENDED, INT, ROOT, SET, AMP_PRIV_GLSL_SQRT, X);
    ADD(m, AMP_PRIV_SPIRV_SELECT, INT, INNER, IS_LARGE, LITTLE, ONE);
    ADD(m, AMP_PRIV_SPIRV_SELECT, INT, SCALE, IS_SMALL, MUCH, INNER);
    ADD(m, AMP_PRIV_SPIRV_TIMES, INT, SCALED, ROOT, SCALE);
    ADD(m, AMP_PRIV_SPIRV_DIVIDED, INT, QUOTIENT, A, SCALED);
    ADD(m, AMP_PRIV_SPIRV_TIMES, INT, VALUE, SCALE, QUOTIENT);
    return m;
}

/* By a square root nothing is scaled; 1 by it is the driver's own function. Other factors stay. */
static void divisions_by_roots(void **state)
{
    enum { ONE = 0x3f800000, THREE = 0x40400000, MUCH = 0x4b800000, A = 11, X = 15, ROOT = 18 };
    static const struct {
        uint32_t numerator, much;
        int driver, products, divisions, functions;
    } cases[] = { { ONE, MUCH, AMP_VK_DRIVER_NVIDIA, 1, 1, 2 },
                  { ONE, MUCH, AMP_VK_DRIVER_LAVAPIPE, 1, 2, 1 },
                  { THREE, MUCH, AMP_VK_DRIVER_NVIDIA, 1, 2, 1 },
                  { ONE, THREE, AMP_VK_DRIVER_NVIDIA, 2, 1, 1 } };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const words m = division_of(cases[i].numerator, cases[i].much);
        amp_priv_spirv module;
        memset(buffers_alone, 0, sizeof buffers_alone);
        driver_of_change = cases[i].driver;
        uint32_t *const word = changed(&m, quicken, &module);
        check_int(instructions_of(&module, AMP_PRIV_SPIRV_TIMES), cases[i].products);
        check_int(instructions_of(&module, AMP_PRIV_SPIRV_DIVIDED), cases[i].divisions);
        check_int(instructions_of(&module, AMP_PRIV_SPIRV_EXTENDED), cases[i].functions);
        const size_t at = module.at[VALUE];
        if (cases[i].divisions == 2)
            check(word[at + 3] == A && word[at + 4] == ROOT);
        if (cases[i].functions == 2)
            check(word[at + 4] == AMP_PRIV_GLSL_INVERSE_SQRT && word[at + 5] == X);
        amp_priv_spirv_close(&module);
        free(word);
    }
}

/* The same as numbers, with their limits. */
static void numbers_by_roots(void **state)
{
    enum { COUNT = 8 };
    static const float x[COUNT] = { 0.0f, -0.0f, 2.0f, INFINITY, NAN, -1.0f, 3.4e38f, 1.2e-38f };
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        float got[2][COUNT];
        {
            AMP_CONST_ARRAY_VIEW(float, 1, a, x, COUNT);
            AMP_ARRAY_VIEW(float, 2, r, &got[0][0], 2, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, a.extent, (i), AMP_CAPTURE(a, r), {
                AMP_AT(r, 0, i) = 1.0f / sqrtf(AMP_AT(a, i));
                AMP_AT(r, 1, i) = 3.0f / sqrtf(AMP_AT(a, i));
            });
        }
        for (int i = 0; i < COUNT; i++) {
            check_close("1 / sqrtf", i, x[i], 0, got[0][i], 1 / sqrt(x[i]), 4e-7);
            check_close("3 / sqrtf", i, x[i], 0, got[1][i], 3 / sqrt(x[i]), 6e-7);
        }
    }
}

/* Functions of double that clspv's library has wrong, and tgammaf. */
static void functions_of_double(void **state)
{
    enum { ATAN2, ASIN, ATAN, ERF, EXPM1, SIN, TAN, CBRT, TGAMMA, LGAMMA, TGAMMA_FLOAT, EXP, SINH, COSH, ROWS };
    enum { COUNT = 16 };
    static const double x[COUNT] = { -0.0, 0.0,       0.5,      -0.5, -1.5, 1,        -1,          3,
                                     5.5,  -INFINITY, INFINITY, NAN,  7.9,  -1.9e-20, -100.781563, 60 };
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        double got[ROWS][COUNT];
        memset(got, 0x5a, sizeof got);
        if (!test_has_double(where))
            continue;
        {
            AMP_CONST_ARRAY_VIEW(double, 1, a, x, COUNT);
            AMP_ARRAY_VIEW(double, 2, r, &got[0][0], ROWS, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, a.extent, (i), AMP_CAPTURE(a, r), {
                const double v = AMP_AT(a, i);
                AMP_AT(r, 0, i) = atan2(v, AMP_AT(a, (i * 5 + 1) % 16));
                AMP_AT(r, 1, i) = asin(v);
                AMP_AT(r, 2, i) = atan(v);
                AMP_AT(r, 3, i) = erf(v);
                AMP_AT(r, 4, i) = expm1(v);
                AMP_AT(r, 5, i) = sin(v);
                AMP_AT(r, 6, i) = tan(v);
                AMP_AT(r, 7, i) = cbrt(v);
                AMP_AT(r, 8, i) = tgamma(v);
                AMP_AT(r, 9, i) = lgamma(v);
                AMP_AT(r, 10, i) = tgammaf((float)v);
                AMP_AT(r, 11, i) = exp(v);
                AMP_AT(r, 12, i) = sinh(v);
                AMP_AT(r, 13, i) = cosh(v);
            });
        }
        for (int i = 0; i < COUNT; i++) {
            const double v = x[i];
            const double want[ROWS] = { [ATAN2] = atan2(v, x[(i * 5 + 1) % COUNT]),
                                        [ASIN] = asin(v),
                                        [ATAN] = atan(v),
                                        [ERF] = erf(v),
                                        [EXPM1] = expm1(v),
                                        [SIN] = sin(v),
                                        [TAN] = tan(v),
                                        [CBRT] = cbrt(v),
                                        [TGAMMA] = tgamma(v),
                                        [LGAMMA] = lgamma(v),
                                        [TGAMMA_FLOAT] = fabs(v) < 50 ? tgamma(v) : (double)tgammaf((float)v),
                                        [EXP] = exp(v),
                                        [SINH] = sinh(v),
                                        [COSH] = cosh(v) };
            for (int row = 0; row < ROWS; row++)
                check_close("function", row, v, 0, got[row][i] + (row == TGAMMA_FLOAT ? 0.0 : -0.0),
                            want[row] + (row == TGAMMA_FLOAT ? 0.0 : -0.0), /* a zero without its sign */
                            row == TGAMMA_FLOAT                                         ? 1e-6
                            : row == EXP || row == SINH || row == COSH || row == TGAMMA ? 1.5e-15
                                                                                        : 1e-13);
        }
    }
}

static void functions_of_two_doubles(void **state)
{
    enum { POW, FMOD, REMAINDER, ROWS, COUNT = 20 };
    static const double values[COUNT] = {
        -0.0,      0.0,    0.5,   -0.5,  1, -1,     2,       3,      10,         1e-5,
        -INFINITY, 1e-310, 1e308, 1e300, 7, 3.4e38, -3.4e38, 100.25, -8388607.5, NAN
    };
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        static double got[ROWS][COUNT * COUNT];
        if (!test_has_double(where))
            continue;
        memset(got, 0x5a, sizeof got);
        {
            AMP_CONST_ARRAY_VIEW(double, 1, v, values, COUNT);
            AMP_ARRAY_VIEW(double, 2, r, &got[0][0], ROWS, COUNT *COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(COUNT * COUNT), (i), AMP_CAPTURE(v, r), {
                const double x = AMP_AT(v, i / 20), y = AMP_AT(v, i % 20);
                AMP_AT(r, 0, i) = pow(x, y);
                AMP_AT(r, 1, i) = fmod(x, y);
                AMP_AT(r, 2, i) = remainder(x, y);
            });
        }
        for (int i = 0; i < COUNT * COUNT; i++) {
            const double x = values[i / COUNT], y = values[i % COUNT];
            check_close("pow", POW, x, y, got[POW][i], pow(x, y), 1.5e-15);
            check_close("fmod", FMOD, x, y, got[FMOD][i], fmod(x, y), 0);
            check_close("remainder", REMAINDER, x, y, got[REMAINDER][i], remainder(x, y), 0);
        }
    }
}

static int child_devices(void)
{
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    const int count = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES);
    for (int i = 0; i < count; i++)
        printf("%s\n", amp_accelerator_path(all[i]));
    return 0;
}

/* Prints more than a launch may, and computes on. */
static int child_prints(void)
{
    enum { COUNT = 80000 };
    static int values[COUNT];
    AMP_ARRAY_VIEW(int, 1, v, values, COUNT);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        printf("amp-line %d is %s, %d\n", i, "long", i * 2);
        AMP_AT(v, i) = i;
    });
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
    printf("the last is %d\n", AMP_AT(v, COUNT - 1));
    return 0;
}

CHILDREN({ "devices", child_devices }, { "prints", child_prints })

static void printing_too_much(void **state)
{
    (void)state;
    static char output[4 << 20];
    if (child_run("prints", "AMP_ACCELERATOR=vulkan", output, sizeof output) != 0) {
        print_message("SKIPPED: there is no device of Vulkan that prints\n");
        skip();
    }
    check_that(strstr(output, "printed more than 1024 KiB") != NULL, "no warning: %.300s", output);
    check_that(strstr(output, "the last is 80000") != NULL, "the next launch is wrong: %.300s", output);
    int lines = 0;
    for (const char *at = output; (at = strstr(at, "amp-line ")) != NULL; at++) {
        int i = -1, twice = -1;
        check_int(sscanf(at, "amp-line %d is long, %d\n", &i, &twice), 2);
        check_int(twice, 2 * i);
        lines++;
    }
    check_that(lines > 50000, "there are %d lines", lines);
}

static void lavapipe_by_name_only(void **state)
{
    (void)state;
    char output[4096];
    if (child_run("devices", "AMP_ACCELERATOR=llvmpipe", output, sizeof output) < 0 || !strstr(output, ":llvmpipe/")) {
        print_message("SKIPPED: there is no lavapipe\n");
        skip();
    }
    check_that(strstr(output, "65,535 iterations") != NULL, "no warning: %s", output);
    check_int(child_run("devices", "AMP_ACCELERATOR= AMP_LOG=info", output, sizeof output), 0);
    check_that(!strstr(output, "\nvulkan:llvmpipe/") && strstr(output, "is left out") != NULL, "%s", output);
}

/* A batch may wait for a queue that is closed before the batch has ended: semaphores are never destroyed, and the next
   queue goes on with the values of one. */
static void semaphores_outlive_queues(void **state)
{
    (void)state;
    amp_priv_device *const device = amp_priv_queue_of(amp_accelerator_default_view(amp_accelerator_default()))->device;
    if (strcmp(device->backend->name, "Vulkan") != 0) {
        print_message("SKIPPED: the default accelerator is not Vulkan's\n");
        skip();
    }
    amp_priv_queue waits = { .device = device }, ends = { .device = device }, next = { .device = device };
    amp_priv_vulkan_batch *batch;
    void *event = NULL;
    check(amp_priv_vulkan_queue_open(&waits).status == AMP_OK);
    check(amp_priv_vulkan_queue_open(&ends).status == AMP_OK);
    const amp_priv_vulkan_queue *const ended = ends.native;
    const amp_vk_object semaphore = ended->semaphore;
    check(amp_priv_vulkan_batch_begin(ends.native, &batch).status == AMP_OK);
    check(amp_priv_vulkan_event_record(&ends, &event).status == AMP_OK && event);
    check(amp_priv_vulkan_queue_wait_event(&waits, event).status == AMP_OK);
    check(amp_priv_vulkan_queue_finish(&ends).status == AMP_OK);
    const uint64_t value = ended->submitted;
    amp_priv_vulkan_event_release(device, event);
    amp_priv_vulkan_queue_close(&ends);

    check(amp_priv_vulkan_queue_open(&next).status == AMP_OK);
    check_that(((amp_priv_vulkan_queue *)next.native)->semaphore == semaphore, "the next queue has another semaphore");
    check_int((int)((amp_priv_vulkan_queue *)next.native)->submitted, (int)value);
    check(amp_priv_vulkan_batch_begin(next.native, &batch).status == AMP_OK);
    check(amp_priv_vulkan_queue_finish(&next).status == AMP_OK);
    check(amp_priv_vulkan_queue_finish(&waits).status == AMP_OK);
    amp_priv_vulkan_queue_close(&next);
    amp_priv_vulkan_queue_close(&waits);
}

/* Calls of Vulkan, counted. */
static struct {
    int waits, asks, sets, barriers, submits, bindings;
} counted;
static amp_priv_vk_functions called;

static int AMP_VK_CALL count_wait(amp_vk_device device, const amp_vk_wait_info *info, uint64_t limit)
{
    uint64_t now = 0;
    counted.waits++;
    check_int(called.GetSemaphoreCounterValue(device, info->semaphores[0], &now), AMP_VK_SUCCESS);
    return called.WaitSemaphores(device, info, limit);
}

static int AMP_VK_CALL count_ask(amp_vk_device device, amp_vk_object semaphore, uint64_t *value)
{
    counted.asks++;
    return called.GetSemaphoreCounterValue(device, semaphore, value);
}

static int AMP_VK_CALL count_reset(amp_vk_device device, amp_vk_object pool, uint32_t flags)
{
    counted.sets++;
    return called.ResetDescriptorPool(device, pool, flags);
}

static int AMP_VK_CALL count_allocate(amp_vk_device device, const amp_vk_set_info *info, amp_vk_object *set)
{
    counted.sets++;
    return called.AllocateDescriptorSets(device, info, set);
}

static void AMP_VK_CALL count_update(amp_vk_device device, uint32_t count, const amp_vk_write *write, uint32_t copies,
                                     const void *copy)
{
    counted.sets++;
    called.UpdateDescriptorSets(device, count, write, copies, copy);
}

static void AMP_VK_CALL count_barrier(amp_vk_commands commands, uint32_t from, uint32_t to, uint32_t flags,
                                      uint32_t count, const amp_vk_barrier *barrier, uint32_t buffers,
                                      const void *buffer, uint32_t images, const void *image)
{
    counted.barriers++;
    called.CmdPipelineBarrier(commands, from, to, flags, count, barrier, buffers, buffer, images, image);
}

static void AMP_VK_CALL count_bind(amp_vk_commands commands, int point, amp_vk_object pipeline)
{
    counted.bindings++;
    called.CmdBindPipeline(commands, point, pipeline);
}

static int AMP_VK_CALL count_submit(amp_vk_queue queue, uint32_t count, const amp_vk_submit_info *info,
                                    amp_vk_object fence)
{
    counted.submits++;
    return called.QueueSubmit(queue, count, info, fence);
}

static void count_calls(void)
{
    called = amp_priv_vk;
    amp_priv_vk.WaitSemaphores = count_wait;
    amp_priv_vk.GetSemaphoreCounterValue = count_ask;
    amp_priv_vk.ResetDescriptorPool = count_reset;
    amp_priv_vk.AllocateDescriptorSets = count_allocate;
    amp_priv_vk.UpdateDescriptorSets = count_update;
    amp_priv_vk.CmdPipelineBarrier = count_barrier;
    amp_priv_vk.QueueSubmit = count_submit;
    amp_priv_vk.CmdBindPipeline = count_bind;
    memset(&counted, 0, sizeof counted);
}

/* Launches that are waited for one by one, with views that change places: descriptor sets are kept, the driver waits
   at most once for each, and is asked nothing that is known. */
static void launches_make_few_calls(void **state)
{
    enum { COUNT = 1000, LAUNCHES = 200, FIRST = 4 };
    (void)state;
    const amp_accelerator_view where = amp_accelerator_default_view(amp_accelerator_default());
    const amp_priv_device *const device = amp_priv_queue_of(where)->device;
    if (strcmp(device->backend->name, "Vulkan") != 0) {
        print_message("SKIPPED: the default accelerator is not Vulkan's\n");
        skip();
    }
    const bool polls = amp_priv_vulkan_of(device)->driver != AMP_VK_DRIVER_LAVAPIPE;
    AMP_ARRAY(float, 1, a, COUNT);
    AMP_ARRAY(float, 1, b, COUNT);
    AMP_PARALLEL_FOR_EACH_ON(where, a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(a, i) = AMP_AT(b, i) = 0; });
    for (int i = 0; i < FIRST + LAUNCHES; i++) {
        if (i == FIRST)
            count_calls();
        AMP_PARALLEL_FOR_EACH_ON(where, a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(a, i) = AMP_AT(b, i) + 1; });
        amp_accelerator_view_wait(where);
        amp_swap(&a, &b);
    }
    amp_priv_vk = called;
    check_int(counted.submits, LAUNCHES);
    check_int(counted.sets, 0);
    check_int(counted.barriers, LAUNCHES * (amp_priv_vulkan_of(device)->is_mapped ? 2 : 1));
    check_that(counted.waits <= LAUNCHES, "vkWaitSemaphores was called %d times", counted.waits);
    check_that(polls || counted.asks == 0, "vkGetSemaphoreCounterValue was called %d times", counted.asks);
    float out[COUNT];
    amp_copy_out(b, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        check_int((int)out[i], FIRST + LAUNCHES);
}

/* Launches of one kernel that are in one batch bind its pipeline once. */
static void launches_of_a_batch(void **state)
{
    enum { COUNT = 1000, LAUNCHES = 200 };
    (void)state;
    const amp_accelerator_view where = amp_accelerator_default_view(amp_accelerator_default());
    if (strcmp(amp_priv_queue_of(where)->device->backend->name, "Vulkan") != 0) {
        print_message("SKIPPED: the default accelerator is not Vulkan's\n");
        skip();
    }
    int out[COUNT];
    AMP_ARRAY(int, 1, a, COUNT);
    AMP_ARRAY(int, 1, b, COUNT);
    for (int n = -1; n < LAUNCHES; n++) {
        if (n == 0)
            count_calls();
        AMP_PARALLEL_FOR_EACH_ON(where, a.extent, (i), AMP_CAPTURE(a, b, n), {
            AMP_AT(a, i) = n < 0 ? i : AMP_AT(a, i) + n;
            AMP_AT(b, i) = n;
        });
    }
    amp_accelerator_view_wait(where);
    amp_priv_vk = called;
    check_that(counted.bindings <= counted.submits, "%d bindings in %d batches", counted.bindings, counted.submits);
    amp_copy_out(a, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        check_int(out[i], i + LAUNCHES * (LAUNCHES - 1) / 2);
}

/* More launches with other buffers than the pools have descriptor sets, without a wait: no set is lost, and none is
   that of a buffer that was closed. */
static void sets_give_way(void **state)
{
    enum { ARRAYS = 6, LAUNCHES = 600, COUNT = 100 };
    (void)state;
    amp_array_int_1 all[ARRAYS];
    for (int n = 0; n < LAUNCHES; n++) {
        const int which = n % ARRAYS, is_first = n < ARRAYS;
        if (is_first)
            all[which] = amp_array_int_1_create(AMP_EXTENT(COUNT));
        const amp_array_int_1 a = all[which];
        AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, n, is_first),
                              { AMP_AT(a, i) = (is_first ? i : AMP_AT(a, i)) + n; });
    }
    for (int which = 0; which < ARRAYS; which++) {
        const int times = LAUNCHES / ARRAYS;
        int out[COUNT];
        amp_copy_out(all[which], out, COUNT);
        for (int i = 0; i < COUNT; i++)
            check_int(out[i], i + times * which + ARRAYS * times * (times - 1) / 2);
        amp_array_release(&all[which]);
        all[which] = amp_array_int_1_create(AMP_EXTENT(2 * COUNT)); /* its buffer may get the old one's handle */
        const amp_array_int_1 a = all[which];
        AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) = 7 * i; });
        int more[2 * COUNT];
        amp_copy_out(a, more, 2 * COUNT);
        for (int i = 0; i < 2 * COUNT; i++)
            check_int(more[i], 7 * i);
        amp_array_release(&all[which]);
    }
}

int run_backends_vulkan_device(void)
{
    const struct CMUnitTest tests[] = {
        TEST(atomics_in_loops),      TEST(choices_between_elements),
        TEST(indices_beyond_arrays), TEST(types_that_are_mixed),
        TEST(floats_as_integers),    TEST(signs_of_doubles),
        TEST(arrays_apart),          TEST(compilers_that_do_not_end),
        TEST(functions_of_double),   TEST(functions_of_two_doubles),
        TEST(lavapipe_by_name_only), TEST(semaphores_outlive_queues),
        TEST(printing_too_much),     TEST(launches_make_few_calls),
        TEST(launches_of_a_batch),   TEST(sets_give_way),
        TEST(buffers_of_their_own),  TEST(divisions_by_roots),
        TEST(numbers_by_roots),      TEST(loops_that_never_repeat),
    };
    return cmocka_run_group_tests_name("backends/vulkan_device", tests, NULL, NULL);
}

#else

int run_backends_vulkan_device(void) { return 0; }

#endif
