/* SPDX-License-Identifier: MIT */
/*  amp/library.h - libraries that are loaded when a program runs, where they are there: a backend needs none to build.

    Contents (search for the tag):
        >>open                                                                                        */
#ifndef AMP_LIBRARY_H
#define AMP_LIBRARY_H

#include "base.h"

/* // >>open
   One of that name, or what the process has already; what it has by a name; why there is none. What stands here for
   Windows (of 64 bits) and macOS was never run. */
#if defined(_WIN32)
/* <windows.h> is large, and its names are many. */
extern void *__stdcall amp_priv_load_library(const char *) __asm__("LoadLibraryA");
extern void *__stdcall amp_priv_get_module(const char *) __asm__("GetModuleHandleA");
extern void *__stdcall amp_priv_get_address(void *, const char *) __asm__("GetProcAddress");
static inline void *amp_priv_library_open(const char *name) { return amp_priv_load_library(name); }
static inline void *amp_priv_library_process(void) { return amp_priv_get_module(NULL); }
static inline void *amp_priv_library_find(void *library, const char *name)
{
    return amp_priv_get_address(library, name);
}
static inline const char *amp_priv_library_error(void) { return "it is not there, or of another kind"; }
#else
static inline void *amp_priv_library_open(const char *name) { return dlopen(name, RTLD_LAZY | RTLD_LOCAL); }
static inline void *amp_priv_library_find(void *library, const char *name) { return dlsym(library, name); }
/* NULL for a program linked with -static, which finds nothing in itself: a library would bring another C library. */
static inline void *amp_priv_library_process(void)
{
    void *const process = amp_priv_library_open(NULL);
    return process && amp_priv_library_find(process, "dlsym") ? process : NULL;
}
static inline const char *amp_priv_library_error(void)
{
    const char *const why = dlerror();
    return why ? why : "nobody says why";
}
#endif

#endif /* AMP_LIBRARY_H */
