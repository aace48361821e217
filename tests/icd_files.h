/* SPDX-License-Identifier: MIT */
/*  icd_files.h - OCL_ICD_FILENAMES for child processes, for tests and benchmarks.

    The ICD loader cuts the variable at its first ':' while it reads it, and a child that inherits the rest would see
    one platform only. To be included first, or after what defines _GNU_SOURCE. */
#ifndef ICD_FILES_H
#define ICD_FILES_H

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* setenv, strdup */
#endif

#include <stdlib.h>
#include <string.h>

/* As this process got it; NULL if it did not. */
static char *icd_files;

__attribute__((constructor)) static void icd_files_keep(void)
{
    const char *const files = getenv("OCL_ICD_FILENAMES");
    icd_files = files ? strdup(files) : NULL;
}

/* Call it before a child process is started. */
static inline void icd_files_restore(void)
{
#if !defined(_WIN32) /* whose loader does not read it */
    if (icd_files)
        setenv("OCL_ICD_FILENAMES", icd_files, 1);
#endif
}

#endif /* ICD_FILES_H */
