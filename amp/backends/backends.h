/* SPDX-License-Identifier: MIT */
/*  amp/backends/backends.h - the list of the backends of this build */
#ifndef AMP_BACKENDS_BACKENDS_H
#define AMP_BACKENDS_BACKENDS_H

#include "cpu.h"

/* Every backend of this build, the CPU backend first (amp/base/backend_list.h). */
#define AMP_PRIV_LIST_BACKEND(name, prefix, bit) list[count++] = amp_priv_##prefix##_table();
static inline int amp_priv_backends(const amp_priv_backend **list)
{
    int count = 0;
    list[count++] = amp_priv_cpu_table();
    AMP_PRIV_DEVICE_BACKENDS(AMP_PRIV_LIST_BACKEND)
#if defined(AMP_BACKEND_EXTRA)
    list[count++] = AMP_BACKEND_EXTRA_TABLE;
#endif
    return count;
}

#endif /* AMP_BACKENDS_BACKENDS_H */
