/* SPDX-License-Identifier: MIT */
/*  amp/base/dynamic_library.h - functions that are loaded from a library at run time */
#ifndef AMP_BASE_DYNAMIC_LIBRARY_H
#define AMP_BASE_DYNAMIC_LIBRARY_H

#include "error.h"

enum { AMP_PRIV_MOST_FUNCTIONS = 64 };

typedef struct amp_priv_interface {
    const char *name, *version; /* in messages: "OpenCL", and "OpenCL 1.2", which has all of these: */
    const char *const *symbols;
    size_t count;
    void *functions; /* as many pointers, filled when all were found */
} amp_priv_interface;

AMP_PRIV_COLD bool amp_priv_interface_take(const amp_priv_interface *of, void *library, const char *whose)
{
    void *found[AMP_PRIV_MOST_FUNCTIONS];
    for (size_t i = 0; i < of->count; i++) {
        const bool is_later = of->symbols[i][0] == '?';
        found[i] = amp_priv_library_find(library, of->symbols[i] + is_later);
        if (!found[i] && !is_later) {
            amp_priv_log(AMP_PRIV_LOG_INFO, "%s: %s has no %s, which %s has", of->name, whose, of->symbols[i],
                         of->version);
            return false;
        }
    }
    amp_priv_log(AMP_PRIV_LOG_INFO, "%s: that of %s", of->name, whose);
    memcpy(of->functions, found, of->count * sizeof found[0]);
    return true;
}

AMP_PRIV_COLD bool amp_priv_interface_load(const amp_priv_interface *of, const char *path)
{
    void *const library = amp_priv_library_open(path);
    if (!library)
        amp_priv_log(AMP_PRIV_LOG_INFO, "%s: %s cannot be loaded: %s", of->name, path, amp_priv_library_error());
    return library && amp_priv_interface_take(of, library, path);
}

/* From the library that this variable of the environment names; else, where it is asked for, from where the process has
   them already (linked, or put before it as oclgrind does); else from the first of the usual ones that is there. */
AMP_PRIV_COLD bool amp_priv_interface_open(const amp_priv_interface *of, const char *variable, bool from_process,
                                           const char *const *usual, size_t usual_count)
{
    const char *const wanted = amp_priv_environment(variable);
    void *const process = amp_priv_library_process();
    if (!process) {
        amp_priv_log(AMP_PRIV_LOG_INFO, "%s: a program that is linked with -static loads no libraries", of->name);
        return false;
    }
    if (wanted && wanted[0])
        return amp_priv_interface_load(of, wanted);
    if (from_process && amp_priv_library_find(process, of->symbols[0]) &&
        amp_priv_interface_take(of, process, "this program"))
        return true;
    for (size_t i = 0; i < usual_count; i++)
        if (amp_priv_interface_load(of, usual[i]))
            return true;
    return false;
}

/* The same as a function's body. table: a struct of pointers; symbols: their names, with commas between; then the usual
   libraries. */
#define AMP_PRIV_INTERFACE_OPEN(name, version, table, symbols, variable, from_process, ...)                            \
    static const char *const names[] = { symbols }, *const usual[] = { __VA_ARGS__ };                                  \
    _Static_assert(sizeof table == sizeof names, "pointers, and no more");                                             \
    _Static_assert(sizeof names / sizeof names[0] <= AMP_PRIV_MOST_FUNCTIONS, "there is room for them");               \
    const amp_priv_interface of = { name, version, names, sizeof names / sizeof names[0], &table };                    \
    return amp_priv_interface_open(&of, variable, from_process, usual, sizeof usual / sizeof usual[0])

#endif /* AMP_BASE_DYNAMIC_LIBRARY_H */
