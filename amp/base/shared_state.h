/* SPDX-License-Identifier: MIT */
/*  amp/base/shared_state.h - state that all files, programs and libraries of a process share */
#ifndef AMP_BASE_SHARED_STATE_H
#define AMP_BASE_SHARED_STATE_H

#include "backend_list.h"
#include "os.h"

#include <stdatomic.h>

/* // >>stamp
   What the files of a process share, in programs and libraries. Files built with the same options share a runtime:
   accelerators, the worker, traces. Libraries built otherwise have their own. The symbols' names and the stamp say
   which. All share the error handler, the last error and the log. */

#if defined(AMP_CHECKED)
#define AMP_PRIV_STAMP_CHECKED " AMP_CHECKED"
#define AMP_PRIV_LABEL_CHECKED ".checked"
#else
#define AMP_PRIV_STAMP_CHECKED ""
#define AMP_PRIV_LABEL_CHECKED ""
#endif
#define AMP_PRIV_STAMP                                                                                                 \
    "amp " AMP_VERSION ", " AMP_PRIV_STAMP_BACKEND AMP_PRIV_STAMP_CHECKED                                              \
    ", AMP_MAX_RANK=" AMP_PRIV_TEXT(AMP_MAX_RANK)
#define AMP_PRIV_LABEL(name)                                                                                           \
    AMP_PRIV_TEXT(__USER_LABEL_PREFIX__)                                                                               \
    "amp." AMP_VERSION "." AMP_PRIV_STAMP_BACKEND AMP_PRIV_LABEL_CHECKED "." AMP_PRIV_TEXT(AMP_MAX_RANK) "." #name
#define AMP_PRIV_LABEL_OF_ALL(name) AMP_PRIV_TEXT(__USER_LABEL_PREFIX__) "amp." AMP_VERSION "." #name

/* Shared state is named by AMP_PRIV_GLOBAL(type, name), ..._OF_ALL where builds share it, too, and ..._THREAD where
   each thread has its own. It begins as zeros: there is no place for another value. Only what locks is not zero on
   every system: AMP_PRIV_GLOBAL_LOCKS(type, name, mutex(member), ...) says which members do,
   AMP_PRIV_GLOBAL_MUTEX(name) is one alone.

   With glibc the definition is assembler, the only way to make a symbol unique: the loader then keeps one in a process,
   also of libraries that Python loads with RTLD_LOCAL. (Such a library stays loaded.) It is all zero then, as glibc's
   initial mutexes and conditions are. Elsewhere the symbols are weak, and the loader decides. Never hidden, whatever
   -fvisibility says.

   On Windows each program and each DLL has its own: what the linker of one makes one of. gcc knows no weak data there;
   common data do, which are zero, as Windows' mutexes are. A thread's have no label: gcc cannot give them one. */
#if !defined(AMP_PRIV_UNIQUE)
#if defined(__ELF__) && defined(__GLIBC__) && !defined(__UCLIBC__)
#define AMP_PRIV_UNIQUE 1
#else
#define AMP_PRIV_UNIQUE 0
#endif
#endif

#if AMP_PRIV_UNIQUE
/* A number, without the mark ('$', '#') that it has in most assemblers. */
#if defined(__s390__) || defined(__riscv)
#define AMP_PRIV_OPERAND(n) "%" #n
#else
#define AMP_PRIV_OPERAND(n) "%c" #n
#endif
/* A section of its own, of which the linker keeps one; contents: what stands in it. */
#define AMP_PRIV_UNIQUE_SYMBOL(section, flags, kind, label, size, align, contents)                                     \
    __asm__ volatile(".ifndef " label "\n\t.pushsection " section "." label ",\"" flags "\",%%" kind "," label         \
                     ",comdat\n\t.weak " label "\n\t.type " label ",%%gnu_unique_object\n\t.size " label               \
                     "," AMP_PRIV_OPERAND(0) "\n\t.balign " AMP_PRIV_OPERAND(1) "\n" label ":\n\t" contents            \
                     "\n\t.popsection\n\t.endif"                                                                       \
                     :                                                                                                 \
                     : "i"(size), "i"(align))
#define AMP_PRIV_GLOBAL_(keyword, section, flags, type, name, label, ...)                                              \
    extern __attribute__((visibility("default"))) keyword type name __asm__(label);                                    \
    __attribute__((used, cold)) static void name##_here(void)                                                          \
    {                                                                                                                  \
        AMP_PRIV_UNIQUE_SYMBOL(section, flags, "nobits", label, sizeof(type), _Alignof(type),                          \
                               ".zero " AMP_PRIV_OPERAND(0));                                                          \
    }
extern __attribute__((visibility("default"))) const char amp_priv_stamp[] __asm__(AMP_PRIV_LABEL(stamp));
__attribute__((used, cold)) static void amp_priv_stamp_here(void)
{
    AMP_PRIV_UNIQUE_SYMBOL(".rodata", "aG", "progbits", AMP_PRIV_LABEL(stamp), sizeof AMP_PRIV_STAMP, 1,
                           ".asciz \"" AMP_PRIV_STAMP "\"");
}
#define AMP_PRIV_OF_MODULE __attribute__((weak, visibility("hidden")))

#elif defined(_WIN32)

#define AMP_PRIV_OF_MODULE __attribute__((selectany))
#if defined(__clang__)
#define AMP_PRIV_GLOBAL_(keyword, section, flags, type, name, label, ...)                                              \
    extern keyword type name __asm__(label);                                                                           \
    AMP_PRIV_OF_MODULE keyword type name __VA_ARGS__;
#else
#define AMP_PRIV_WINDOWS_GLOBAL(type, name, label) __attribute__((common)) type name __asm__(label);
#define AMP_PRIV_WINDOWS_GLOBAL_Thread_local(type, name, label)                                                        \
    AMP_PRIV_OF_MODULE _Thread_local type name = { 0 };
#define AMP_PRIV_GLOBAL_(keyword, section, flags, type, name, label, ...)                                              \
    AMP_PRIV_CAT(AMP_PRIV_WINDOWS_GLOBAL, keyword)(type, name, label)
#endif
extern const char amp_priv_stamp[] __asm__(AMP_PRIV_LABEL(stamp));
#define AMP_PRIV_LABEL_OF_STAMP AMP_PRIV_LABEL(stamp)
__asm__(".ifndef " AMP_PRIV_LABEL_OF_STAMP "\n\t.section .rdata$" AMP_PRIV_LABEL_OF_STAMP ",\"dr\"\n\t"
        ".linkonce discard\n\t.globl " AMP_PRIV_LABEL_OF_STAMP "\n" AMP_PRIV_LABEL_OF_STAMP ":\n\t"
        ".asciz \"" AMP_PRIV_STAMP "\"\n\t.text\n\t.endif");

#else

#define AMP_PRIV_OF_MODULE __attribute__((weak, visibility("hidden")))
#define AMP_PRIV_GLOBAL_(keyword, section, flags, type, name, label, ...)                                              \
    extern keyword type name __asm__(label);                                                                           \
    __attribute__((weak, visibility("default"))) keyword type name __VA_ARGS__;
extern const char amp_priv_stamp[] __asm__(AMP_PRIV_LABEL(stamp));
__attribute__((weak, visibility("default"))) const char amp_priv_stamp[] = AMP_PRIV_STAMP;
#endif
#define AMP_PRIV_GLOBAL(type, name) AMP_PRIV_GLOBAL_(, ".bss", "awG", type, name, AMP_PRIV_LABEL(name), )
#define AMP_PRIV_GLOBAL_LOCKS(type, name, ...)                                                                         \
    AMP_PRIV_GLOBAL_(, ".bss", "awG", type, name, AMP_PRIV_LABEL(name),                                                \
                     = { AMP_PRIV_EACH(AMP_PRIV_READY, ~, (__VA_ARGS__)) })
#define AMP_PRIV_READY(n, unused, lock)  AMP_PRIV_READY_##lock
#define AMP_PRIV_READY_mutex(member)     .member = AMP_PRIV_MUTEX_INIT,
#define AMP_PRIV_READY_condition(member) .member = AMP_PRIV_CONDITION_INIT,
#define AMP_PRIV_READY_once(member)      .member = AMP_PRIV_ONCE_INIT,
#define AMP_PRIV_GLOBAL_MUTEX(name)                                                                                    \
    AMP_PRIV_GLOBAL_(, ".bss", "awG", amp_priv_mutex, name, AMP_PRIV_LABEL(name), = AMP_PRIV_MUTEX_INIT)
#define AMP_PRIV_GLOBAL_THREAD(type, name)                                                                             \
    AMP_PRIV_GLOBAL_(_Thread_local, ".tbss", "awTG", type, name, AMP_PRIV_LABEL(name), )
#define AMP_PRIV_GLOBAL_OF_ALL(type, name)                                                                             \
    AMP_PRIV_GLOBAL_(, ".bss", "awG", type, name, AMP_PRIV_LABEL_OF_ALL(name), )
#define AMP_PRIV_GLOBAL_MUTEX_OF_ALL(name)                                                                             \
    AMP_PRIV_GLOBAL_(, ".bss", "awG", amp_priv_mutex, name, AMP_PRIV_LABEL_OF_ALL(name), = AMP_PRIV_MUTEX_INIT)
#define AMP_PRIV_GLOBAL_THREAD_OF_ALL(type, name)                                                                      \
    AMP_PRIV_GLOBAL_(_Thread_local, ".tbss", "awTG", type, name, AMP_PRIV_LABEL_OF_ALL(name), )

/* What the linker makes one of in each program and in each library: the stamp of one of its files. */
typedef struct amp_priv_module_state {
    const char *stamp;
    atomic_bool begun, told; /* a difference is reported once */
} amp_priv_module_state;

AMP_PRIV_OF_MODULE amp_priv_module_state amp_priv_module = { amp_priv_stamp, false, false };

/* Accelerators, queues, sources and futures begin with the stamp of their runtime, in every version: a library knows
   those of another one by that. */
static inline bool amp_priv_is_ours(const void *object)
{
    const char *stamp;
    memcpy(&stamp, object, sizeof stamp);
    return __builtin_expect(stamp == amp_priv_stamp, 1);
}

#endif /* AMP_BASE_SHARED_STATE_H */
