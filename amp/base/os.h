/* SPDX-License-Identifier: MIT */
/*  amp/base/os.h - the operating system: threads, time, memory, libraries, environment

    Contents (search for the tag):
        >>windows  >>threads  >>time  >>memory  >>libraries  >>environment  >>process  >>text */
#ifndef AMP_BASE_OS_H
#define AMP_BASE_OS_H

#include "status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Systems without threads (wasm32-wasi) have one, which is what all of this is for then. */
#if !defined(__wasi__)
#include <signal.h>
#endif
#if defined(_WIN32)
#include <io.h>
#include <malloc.h>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#if !defined(__wasi__) || defined(_REENTRANT)
#define AMP_PRIV_PTHREADS
#include <pthread.h>
#include <sched.h>
#if defined(__linux__) && defined(_OPENMP) && __has_include(<omp.h>)
#define AMP_PRIV_HAS_OMP_H
#include <omp.h>
#endif
#endif
#if !defined(__wasi__)
#define AMP_PRIV_DLOPEN
#include <dlfcn.h>
#endif
#endif

/* // >>windows */

#if defined(_WIN32)
/* AMP_PRIV_WINDOWS(result, name, bytes, arguments): amp_priv_win_<name> is Windows' function of that name; bytes: what
   its arguments take, which is part of a function's name where Windows has 32 bits. */
#if defined(__i386__)
#define AMP_PRIV_WINDOWS_LABEL(name, bytes) "_" #name "@" #bytes
#else
#define AMP_PRIV_WINDOWS_LABEL(name, bytes) #name
#endif
#define AMP_PRIV_WINDOWS(result, name, bytes, arguments)                                                               \
    extern result __stdcall amp_priv_win_##name arguments __asm__(AMP_PRIV_WINDOWS_LABEL(name, bytes));
AMP_PRIV_WINDOWS(unsigned long, GetLastError, 0, (void))
AMP_PRIV_WINDOWS(int, CloseHandle, 4, (void *))
#endif

/* Declares amp_priv_<name>, the system's function of that name, which strict C or a large header of its hides. */
#define AMP_PRIV_SYSTEM(result, name, arguments)                                                                       \
    extern result amp_priv_##name arguments __asm__(AMP_PRIV_TEXT(__USER_LABEL_PREFIX__) #name);

/* // >>threads
   A mutex, a condition and a once that are all zero are ready on Windows, and with glibc, too. */

#if defined(_WIN32)

typedef void *amp_priv_mutex, *amp_priv_condition, *amp_priv_once;
#define AMP_PRIV_MUTEX_INIT     NULL
#define AMP_PRIV_CONDITION_INIT NULL
#define AMP_PRIV_ONCE_INIT      NULL

AMP_PRIV_WINDOWS(void, AcquireSRWLockExclusive, 4, (amp_priv_mutex *))
AMP_PRIV_WINDOWS(void, ReleaseSRWLockExclusive, 4, (amp_priv_mutex *))
AMP_PRIV_WINDOWS(int, SleepConditionVariableSRW, 16, (amp_priv_condition *, amp_priv_mutex *, unsigned, unsigned))
AMP_PRIV_WINDOWS(void, WakeConditionVariable, 4, (amp_priv_condition *))
AMP_PRIV_WINDOWS(void, WakeAllConditionVariable, 4, (amp_priv_condition *))
AMP_PRIV_WINDOWS(int, InitOnceBeginInitialize, 16, (amp_priv_once *, unsigned, int *, void **))
AMP_PRIV_WINDOWS(int, InitOnceComplete, 12, (amp_priv_once *, unsigned, void *))
AMP_PRIV_WINDOWS(int, SwitchToThread, 0, (void))
AMP_PRIV_WINDOWS(void *, CreateThread, 24,
                 (void *, size_t, unsigned long(__stdcall *)(void *), void *, unsigned, unsigned *))

static inline void amp_priv_mutex_init(amp_priv_mutex *mutex) { *mutex = AMP_PRIV_MUTEX_INIT; }
static inline void amp_priv_mutex_end(amp_priv_mutex *mutex) { (void)mutex; }
static inline void amp_priv_mutex_take(amp_priv_mutex *mutex) { amp_priv_win_AcquireSRWLockExclusive(mutex); }
static inline void amp_priv_mutex_leave(amp_priv_mutex *mutex) { amp_priv_win_ReleaseSRWLockExclusive(mutex); }
static inline void amp_priv_condition_init(amp_priv_condition *condition) { *condition = AMP_PRIV_CONDITION_INIT; }
static inline void amp_priv_condition_end(amp_priv_condition *condition) { (void)condition; }
static inline void amp_priv_condition_wait(amp_priv_condition *condition, amp_priv_mutex *mutex)
{
    amp_priv_win_SleepConditionVariableSRW(condition, mutex, UINT32_MAX, 0);
}
static inline bool amp_priv_condition_wait_for(amp_priv_condition *condition, amp_priv_mutex *mutex, unsigned ms)
{
    return amp_priv_win_SleepConditionVariableSRW(condition, mutex, ms, 0) != 0;
}
AMP_PRIV_COLD void amp_priv_condition_wake_one(amp_priv_condition *condition)
{
    amp_priv_win_WakeConditionVariable(condition);
}
AMP_PRIV_COLD void amp_priv_condition_wake_all(amp_priv_condition *condition)
{
    amp_priv_win_WakeAllConditionVariable(condition);
}
AMP_PRIV_COLD void amp_priv_once_do(amp_priv_once *once, void (*function)(void))
{
    int is_first = 0;
    if (amp_priv_win_InitOnceBeginInitialize(once, 0, &is_first, NULL) && is_first) {
        function();
        amp_priv_win_InitOnceComplete(once, 0, NULL);
    }
}
static inline void amp_priv_thread_yield(void) { amp_priv_win_SwitchToThread(); }

#define AMP_PRIV_THREAD_MAIN(name) AMP_PRIV_COLD unsigned long __stdcall name(void *argument)
AMP_PRIV_COLD bool amp_priv_thread_start(unsigned long(__stdcall *main)(void *), void *argument)
{
    void *const thread = amp_priv_win_CreateThread(NULL, 0, main, argument, 0, NULL);
    return thread && amp_priv_win_CloseHandle(thread);
}

#elif defined(AMP_PRIV_PTHREADS)

typedef pthread_mutex_t amp_priv_mutex;
typedef pthread_cond_t amp_priv_condition;
typedef pthread_once_t amp_priv_once;
#define AMP_PRIV_MUTEX_INIT     PTHREAD_MUTEX_INITIALIZER
#define AMP_PRIV_CONDITION_INIT PTHREAD_COND_INITIALIZER
#define AMP_PRIV_ONCE_INIT      PTHREAD_ONCE_INIT

static inline void amp_priv_mutex_init(amp_priv_mutex *mutex) { pthread_mutex_init(mutex, NULL); }
static inline void amp_priv_mutex_end(amp_priv_mutex *mutex) { pthread_mutex_destroy(mutex); }
static inline void amp_priv_mutex_take(amp_priv_mutex *mutex) { pthread_mutex_lock(mutex); }
static inline void amp_priv_mutex_leave(amp_priv_mutex *mutex) { pthread_mutex_unlock(mutex); }
static inline void amp_priv_condition_init(amp_priv_condition *condition) { pthread_cond_init(condition, NULL); }
static inline void amp_priv_condition_end(amp_priv_condition *condition) { pthread_cond_destroy(condition); }
static inline void amp_priv_condition_wait(amp_priv_condition *condition, amp_priv_mutex *mutex)
{
    pthread_cond_wait(condition, mutex);
}
AMP_PRIV_COLD void amp_priv_condition_wake_one(amp_priv_condition *condition) { pthread_cond_signal(condition); }
AMP_PRIV_COLD void amp_priv_condition_wake_all(amp_priv_condition *condition) { pthread_cond_broadcast(condition); }

/* False when that many milliseconds have passed. */
AMP_PRIV_COLD bool amp_priv_condition_wait_for(amp_priv_condition *condition, amp_priv_mutex *mutex, unsigned ms)
{
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    until.tv_sec += (time_t)(ms / 1000);
    until.tv_nsec += (long)(ms % 1000) * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    return pthread_cond_timedwait(condition, mutex, &until) == 0;
}

static inline void amp_priv_once_do(amp_priv_once *once, void (*function)(void)) { pthread_once(once, function); }
static inline void amp_priv_thread_yield(void) { sched_yield(); }

/* OpenMP may have bound this thread to a core (OMP_PROC_BIND). A thread that it starts inherits that, and both would
   share the core. So it has all of OpenMP's cores meanwhile. */
typedef struct amp_priv_cores {
    unsigned long of[1024 / (8 * sizeof(unsigned long))];
    bool are_known;
} amp_priv_cores;
#if defined(__linux__) && defined(_OPENMP) && _OPENMP >= 201511 && __has_include(<omp.h>)
AMP_PRIV_SYSTEM(int, sched_getaffinity, (int, size_t, void *))
AMP_PRIV_SYSTEM(int, sched_setaffinity, (int, size_t, const void *))

AMP_PRIV_COLD void amp_priv_cores_free(amp_priv_cores *before)
{
    enum { AMP_PRIV_CORES = 8 * sizeof before->of, AMP_PRIV_CORES_OF_WORD = 8 * sizeof before->of[0] };
    amp_priv_cores all = { .are_known = false };
    int numbers[AMP_PRIV_CORES];
    for (int place = 0; place < omp_get_num_places(); place++) {
        const int count = omp_get_place_num_procs(place);
        if (count > AMP_PRIV_CORES)
            continue;
        omp_get_place_proc_ids(place, numbers);
        for (int i = 0; i < count; i++) {
            if (numbers[i] >= AMP_PRIV_CORES)
                continue;
            all.of[numbers[i] / AMP_PRIV_CORES_OF_WORD] |= 1ul << numbers[i] % AMP_PRIV_CORES_OF_WORD;
            all.are_known = true;
        }
    }
    before->are_known = all.are_known && amp_priv_sched_getaffinity(0, sizeof before->of, before->of) >= 0 &&
                        amp_priv_sched_setaffinity(0, sizeof all.of, all.of) == 0;
}

AMP_PRIV_COLD void amp_priv_cores_bind(const amp_priv_cores *before)
{
    if (before->are_known)
        amp_priv_sched_setaffinity(0, sizeof before->of, before->of);
}
#else
static inline void amp_priv_cores_free(amp_priv_cores *before) { before->are_known = false; }
static inline void amp_priv_cores_bind(const amp_priv_cores *before) { (void)before; }
#endif

/* The head of a thread's main function, which has `argument` and ends with `return 0`; starts such a thread,
   detached. */
#define AMP_PRIV_THREAD_MAIN(name) AMP_PRIV_COLD void *name(void *argument)
AMP_PRIV_COLD bool amp_priv_thread_start(void *(*main)(void *), void *argument)
{
    pthread_attr_t attributes;
    pthread_t thread;
    amp_priv_cores before;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    amp_priv_cores_free(&before);
    const bool runs = pthread_create(&thread, &attributes, main, argument) == 0;
    amp_priv_cores_bind(&before);
    pthread_attr_destroy(&attributes);
    return runs;
}

#else

typedef bool amp_priv_mutex, amp_priv_condition, amp_priv_once;
#define AMP_PRIV_MUTEX_INIT     false
#define AMP_PRIV_CONDITION_INIT false
#define AMP_PRIV_ONCE_INIT      false

static inline void amp_priv_mutex_init(amp_priv_mutex *mutex) { *mutex = AMP_PRIV_MUTEX_INIT; }
static inline void amp_priv_mutex_end(amp_priv_mutex *mutex) { (void)mutex; }
static inline void amp_priv_mutex_take(amp_priv_mutex *mutex) { (void)mutex; }
static inline void amp_priv_mutex_leave(amp_priv_mutex *mutex) { (void)mutex; }
static inline void amp_priv_condition_init(amp_priv_condition *condition) { *condition = AMP_PRIV_CONDITION_INIT; }
static inline void amp_priv_condition_end(amp_priv_condition *condition) { (void)condition; }
static inline void amp_priv_condition_wait(amp_priv_condition *condition, amp_priv_mutex *mutex)
{
    (void)condition, (void)mutex;
}
static inline bool amp_priv_condition_wait_for(amp_priv_condition *condition, amp_priv_mutex *mutex, unsigned ms)
{
    (void)condition, (void)mutex, (void)ms;
    return false;
}
AMP_PRIV_COLD void amp_priv_condition_wake_one(amp_priv_condition *condition) { (void)condition; }
AMP_PRIV_COLD void amp_priv_condition_wake_all(amp_priv_condition *condition) { (void)condition; }
static inline void amp_priv_once_do(amp_priv_once *once, void (*function)(void))
{
    if (!*once)
        function();
    *once = true;
}
static inline void amp_priv_thread_yield(void) {}

#define AMP_PRIV_THREAD_MAIN(name) AMP_PRIV_COLD void *name(void *argument)
static inline bool amp_priv_thread_start(void *(*main)(void *), void *argument)
{
    (void)main, (void)argument;
    return false;
}

#endif

/* // >>time */

/* Nanoseconds since 1970. */
#if defined(_WIN32)
AMP_PRIV_WINDOWS(void, GetSystemTimePreciseAsFileTime, 4, (uint64_t *))
AMP_PRIV_API uint64_t amp_priv_now(void)
{
    uint64_t since_1601 = 0; /* in steps of 100 ns */
    amp_priv_win_GetSystemTimePreciseAsFileTime(&since_1601);
    return (since_1601 - 116444736000000000u) * 100;
}
#else
AMP_PRIV_API uint64_t amp_priv_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
#endif

/* // >>memory */

/* Memory at an address that is a multiple of align, a power of two; it goes back by amp_priv_aligned_free. What the
   machine has in all, in bytes; 0 where it is not known. */
#if defined(_WIN32)
static inline void *amp_priv_aligned_alloc(size_t align, size_t size) { return _aligned_malloc(size, align); }
static inline void amp_priv_aligned_free(void *memory) { _aligned_free(memory); }

typedef struct amp_priv_win_memory {
    unsigned size, load;
    uint64_t physical, others[6];
} amp_priv_win_memory;
AMP_PRIV_WINDOWS(int, GlobalMemoryStatusEx, 4, (amp_priv_win_memory *))
AMP_PRIV_COLD uint64_t amp_priv_physical_memory(void)
{
    amp_priv_win_memory memory = { .size = sizeof memory };
    return amp_priv_win_GlobalMemoryStatusEx(&memory) ? memory.physical : 0;
}
#else
static inline void *amp_priv_aligned_alloc(size_t align, size_t size)
{
    return aligned_alloc(align, (size + align - 1) / align * align);
}
static inline void amp_priv_aligned_free(void *memory) { free(memory); }

AMP_PRIV_COLD uint64_t amp_priv_physical_memory(void)
{
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
#else
    return 0;
#endif
}
#endif

/* The processors of the machine; 1 where that is not known. */
AMP_PRIV_COLD int amp_priv_processors(void)
{
#if defined(_SC_NPROCESSORS_ONLN)
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 ? (int)count : 1;
#else
    return 1;
#endif
}

/* // >>libraries
   One of that name, or what the process has already; what it has by a name; why there is none. And: the library that
   an address belongs to stays loaded from now on. */

#if defined(_WIN32)

AMP_PRIV_WINDOWS(void *, LoadLibraryA, 4, (const char *))
AMP_PRIV_WINDOWS(void *, GetModuleHandleA, 4, (const char *))
AMP_PRIV_WINDOWS(int, GetModuleHandleExA, 12, (unsigned, const void *, void **))
AMP_PRIV_WINDOWS(void *, GetProcAddress, 8, (void *, const char *))
AMP_PRIV_COLD void *amp_priv_library_open(const char *name) { return amp_priv_win_LoadLibraryA(name); }
AMP_PRIV_COLD void *amp_priv_library_process(void) { return amp_priv_win_GetModuleHandleA(NULL); }
AMP_PRIV_COLD void *amp_priv_library_find(void *library, const char *name)
{
    return amp_priv_win_GetProcAddress(library, name);
}
AMP_PRIV_COLD const char *amp_priv_library_error(void)
{
    const unsigned long error = amp_priv_win_GetLastError();
    return error == 126   ? "it, or a library that it needs, is not there"
           : error == 193 ? "it is for another processor"
                          : "Windows cannot load it";
}
AMP_PRIV_COLD void amp_priv_library_pin(const void *address)
{
    enum { AMP_PRIV_WIN_STAYS = 1, AMP_PRIV_WIN_OF_ADDRESS = 4 };
    void *library;
    (void)amp_priv_win_GetModuleHandleExA(AMP_PRIV_WIN_STAYS | AMP_PRIV_WIN_OF_ADDRESS, address, &library);
}

#elif defined(AMP_PRIV_DLOPEN)

AMP_PRIV_COLD void *amp_priv_library_open(const char *name) { return dlopen(name, RTLD_LAZY | RTLD_LOCAL); }
AMP_PRIV_COLD void *amp_priv_library_find(void *library, const char *name) { return dlsym(library, name); }
/* NULL for a program linked with -static, which finds nothing in itself: a library would bring another C library. */
AMP_PRIV_COLD void *amp_priv_library_process(void)
{
    void *const process = amp_priv_library_open(NULL);
    return process && amp_priv_library_find(process, "dlsym") ? process : NULL;
}
AMP_PRIV_COLD const char *amp_priv_library_error(void)
{
    const char *const why = dlerror();
    return why ? why : "no reason given";
}

#if defined(__ELF__) && defined(__GLIBC__) && !defined(__UCLIBC__)
/* dladdr and dlopen, where the program has them: before glibc 2.34 they are in a library of their own, -ldl. What loads
   OpenCL does not do without. */
#if defined(AMP_BACKEND_CUDA) || defined(AMP_BACKEND_HIP) || defined(AMP_BACKEND_VULKAN) ||                            \
    (defined(AMP_BACKEND_OPENCL) && !defined(AMP_OPENCL_LINKED))
#define AMP_PRIV_DL
#define AMP_PRIV_HAS_DL true
#else
#define AMP_PRIV_DL     __attribute__((weak))
#define AMP_PRIV_HAS_DL (amp_priv_dladdr && amp_priv_dlopen)
#endif
typedef struct amp_priv_dl_info {
    const char *file;
    void *base;
    const char *symbol;
    void *address;
} amp_priv_dl_info;
extern int amp_priv_dladdr(const void *address, amp_priv_dl_info *info) __asm__("dladdr") AMP_PRIV_DL;
extern void *amp_priv_dlopen(const char *file, int mode) __asm__("dlopen") AMP_PRIV_DL;

AMP_PRIV_COLD void amp_priv_library_pin(const void *address)
{
    amp_priv_dl_info info;
    if (AMP_PRIV_HAS_DL && amp_priv_dladdr(address, &info) && info.file && info.file[0])
        (void)amp_priv_dlopen(info.file, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
#else
static inline void amp_priv_library_pin(const void *address) { (void)address; }
#endif

#else

static inline void amp_priv_library_pin(const void *address) { (void)address; }

#endif

/* // >>environment */

/* Does the process have rights that its caller does not have: by set-user-id, set-group-id, or capabilities of its
   file? The caller sets its environment, and must not choose what it loads or writes. */
#if defined(_WIN32) || defined(__wasi__)
AMP_PRIV_COLD bool amp_priv_process_is_privileged(void) { return false; }
#elif defined(__linux__) && !defined(__UCLIBC__)
AMP_PRIV_SYSTEM(unsigned long, getauxval, (unsigned long type))
enum { AMP_PRIV_AT_SECURE = 23 };
AMP_PRIV_COLD bool amp_priv_process_is_privileged(void) { return amp_priv_getauxval(AMP_PRIV_AT_SECURE) != 0; }
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__) ||                     \
    defined(__DragonFly__) || defined(__sun) || defined(__CYGWIN__)
AMP_PRIV_SYSTEM(int, issetugid, (void))
AMP_PRIV_COLD bool amp_priv_process_is_privileged(void) { return amp_priv_issetugid() != 0; }
#else
AMP_PRIV_COLD bool amp_priv_process_is_privileged(void) { return getuid() != geteuid() || getgid() != getegid(); }
#endif

/* All variables are read here. NULL: it is not set, or the process is privileged. */
AMP_PRIV_COLD const char *amp_priv_environment(const char *name)
{
    return amp_priv_process_is_privileged() ? NULL : getenv(name);
}

/* // >>process */

#if defined(_WIN32)

AMP_PRIV_WINDOWS(unsigned, GetCurrentProcessId, 0, (void))
AMP_PRIV_WINDOWS(void, DebugBreak, 0, (void))
AMP_PRIV_COLD unsigned long amp_priv_process_number(void) { return amp_priv_win_GetCurrentProcessId(); }
/* Stops in the debugger; without one, the program ends. */
static inline void amp_priv_process_stop(void) { amp_priv_win_DebugBreak(); }

#elif defined(__wasi__)

AMP_PRIV_COLD unsigned long amp_priv_process_number(void) { return 1; }
static inline void amp_priv_process_stop(void) { __builtin_trap(); }

#else

AMP_PRIV_COLD unsigned long amp_priv_process_number(void) { return (unsigned long)getpid(); }
#if defined(AMP_CHECKED)
static inline void amp_priv_process_stop(void) { raise(SIGTRAP); }
#endif

#endif

#if defined(AMP_CHECKED) && !defined(__wasi__)
/* What the thread calls that divides an integer by 0, on processors that stop there; the division is then tried again.
   NULL: the program ends. A handler of the program's own, or of a sanitizer, stays. */
AMP_PRIV_COLD void amp_priv_on_division(void (*handler)(int))
{
    void (*const before)(int) = signal(SIGFPE, handler ? handler : SIG_DFL);
    if (handler && before != SIG_DFL)
        signal(SIGFPE, before);
}
#else
#define amp_priv_on_division(handler) (void)(handler)
#endif

/* Does a debugger have the process? Unknown: no. */
#if defined(AMP_CHECKED) && defined(__linux__)
AMP_PRIV_COLD bool amp_priv_process_is_debugged(void)
{
    static const char field[] = "TracerPid:";
    char line[256];
    FILE *const status = fopen("/proc/self/status", "r");
    bool is = false;
    while (status && fgets(line, sizeof line, status))
        if (!strncmp(line, field, sizeof field - 1))
            is = strtol(line + sizeof field - 1, NULL, 10) != 0;
    if (status)
        fclose(status);
    return is;
}
#else
#define amp_priv_process_is_debugged() false
#endif

/* What is to be called before fork, and after it in the parent and in the child, by the thread that forks. Has the
   process this one thread? */
#if defined(AMP_PRIV_PTHREADS)
#define AMP_PRIV_FORKS 1
AMP_PRIV_COLD void amp_priv_process_forks(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    (void)pthread_atfork(before, in_parent, in_child);
}
AMP_PRIV_COLD bool amp_priv_process_is_one_thread(void)
{
    struct stat tasks; /* Linux counts a process's threads as folders here */
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}
#else
#define AMP_PRIV_FORKS 0
#endif

/* // >>text: a file to write text to, from its beginning or (with `append`) after its end; NULL if it cannot be. A FIFO
   that has no reader is refused and not waited for. */

#if defined(_WIN32)

static inline FILE *amp_priv_file_text(const char *path, bool append) { return fopen(path, append ? "a" : "w"); }

#else

#if defined(O_CLOEXEC)
#define AMP_PRIV_CLOEXEC O_CLOEXEC
#elif defined(__O_CLOEXEC)
#define AMP_PRIV_CLOEXEC __O_CLOEXEC
#else
#define AMP_PRIV_CLOEXEC 0
#endif
#if defined(O_NONBLOCK)
#define AMP_PRIV_NONBLOCK O_NONBLOCK /* a FIFO would wait for its writer */
#else
#define AMP_PRIV_NONBLOCK 0
#endif

/* The same file, on no descriptor of a standard stream: where such a stream was closed, what is printed to it would be
   written into the file. */
AMP_PRIV_COLD int amp_priv_file_off_streams(int file)
{
#if defined(F_DUPFD)
    if (file >= 0 && file <= STDERR_FILENO) {
        const int other = fcntl(file, F_DUPFD, STDERR_FILENO + 1);
        (void)close(file);
        if (other >= 0)
            (void)fcntl(other, F_SETFD, FD_CLOEXEC);
        return other;
    }
#endif
    return file;
}

AMP_PRIV_SYSTEM(FILE *, fdopen, (int file, const char *mode))

static inline FILE *amp_priv_file_text(const char *path, bool append)
{
    const mode_t mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
    const int file = amp_priv_file_off_streams(
        open(path, O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC) | AMP_PRIV_CLOEXEC | AMP_PRIV_NONBLOCK, mode));
    if (file < 0)
        return NULL;
    (void)fcntl(file, F_SETFL, append ? O_APPEND : 0); /* writes wait, if they have to */
    FILE *const text = amp_priv_fdopen(file, append ? "a" : "w");
    if (!text)
        (void)close(file);
    return text;
}

#endif

#endif /* AMP_BASE_OS_H */
