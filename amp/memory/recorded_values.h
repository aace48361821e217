/* SPDX-License-Identifier: MIT */
/*  amp/memory/recorded_values.h - other values for the captured scalars of a recording */
#ifndef AMP_MEMORY_RECORDED_VALUES_H
#define AMP_MEMORY_RECORDED_VALUES_H

#include "command_graph.h"

/* Is every captured scalar of that name of the value's type, and is there any? Else reports it. */
AMP_PRIV_COLD amp_status amp_priv_recorded_takes(const amp_priv_recording *recording, const char *name,
                                                 const char *type, size_t size)
{
    bool found = false;
    char where[512];
    for (int i = 0; i < recording->count; i++)
        for (int n = 0; recording->launches[i].kernel && n < recording->commands[i].arguments.count; n++) {
            const amp_priv_capture *const scalar = recording->commands[i].arguments.argument[n].scalar;
            if (!scalar || strcmp(scalar->name, name) != 0)
                continue;
            found = true;
            if (!type || strcmp(scalar->type, type) != 0 || scalar->size != size)
                return amp_priv_report(AMP_INVALID_ARGUMENT,
                                       "AMP_RECORDING_SET(..., %s, ...): the value is of type %s, but the %s captured "
                                       "%s as %s; convert the value",
                                       name, type ? type : "pointer",
                                       amp_priv_site_text(recording->launches[i].site, where, sizeof where), name,
                                       scalar->type);
        }
    return found
               ? AMP_OK
               : amp_priv_report(AMP_INVALID_ARGUMENT,
                                 "AMP_RECORDING_SET(..., %s, ...): no recorded launch captured a scalar of that name; "
                                 "use a name of the launch's AMP_CAPTURE that is no constant and not specialized",
                                 name);
}

/* The next replays have another value for a captured scalar. */
AMP_PRIV_COLD amp_status amp_priv_recorded_set(amp_priv_recording *recording, const char *name, const char *type,
                                               const void *value, size_t size)
{
    const amp_status status = amp_priv_recorded_takes(recording, name, type, size);
    for (amp_priv_recorded_kernel *kernel = recording->kernels; kernel && status == AMP_OK; kernel = kernel->next)
        for (int n = 0; n < kernel->arguments.count; n++) {
            const amp_priv_kernel_argument *const argument = &kernel->arguments.argument[n];
            if (!argument->scalar || strcmp(argument->scalar->name, name) != 0 ||
                memcmp(argument->value, value, size) == 0)
                continue;
            memcpy((void *)(uintptr_t)argument->value, value, size);
            kernel->set = false;
            kernel->changed = recording->changed = true;
        }
    return status;
}

AMP_PRIV_API amp_status amp_priv_recording_set(amp_recording recording, const char *name, const char *type,
                                               const void *value, size_t size)
{
    amp_priv_recording *const set = recording.amp_priv_recording;
    if (!set)
        return AMP_OK;
    if (!amp_priv_is_ours(set)) {
        amp_priv_report_foreign(set, "AMP_RECORDING_SET", "this amp_recording");
        return amp_priv_failed();
    }
    amp_priv_lock(&set->lock);
    const amp_status status = amp_priv_recorded_set(set, name, type, value, size);
    amp_priv_unlock(&set->lock);
    return status;
}

#endif /* AMP_MEMORY_RECORDED_VALUES_H */
