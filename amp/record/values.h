/* SPDX-License-Identifier: MIT */
/*  amp/record/values.h - other values for the captured scalars of a recording */
#ifndef AMP_RECORD_VALUES_H
#define AMP_RECORD_VALUES_H

#include "life.h"

/* A captured scalar's new value. */
typedef struct amp_priv_recorded_value {
    const char *name, *type; /* type: NULL, a pointer */
    const void *value;
    size_t size;
} amp_priv_recorded_value;

/* Is it a captured scalar of that name? *status: may it have the value? Else that is reported. */
AMP_PRIV_COLD bool amp_priv_recorded_names(const amp_priv_recorded_value *to, const amp_priv_capture *scalar,
                                           const amp_priv_launch_site *site, amp_status *status)
{
    char where[512];
    if (!scalar || scalar->kind != AMP_PRIV_CAPTURE_SCALAR || strcmp(scalar->name, to->name) != 0)
        return false;
    if (*status == AMP_OK && (!to->type || strcmp(scalar->type, to->type) != 0 || scalar->size != to->size))
        *status = amp_priv_report(AMP_INVALID_ARGUMENT,
                                  "AMP_RECORDING_SET(..., %s, ...): the value is of type %s, but the %s captured %s as "
                                  "%s; convert the value",
                                  to->name, to->type ? to->type : "pointer",
                                  amp_priv_site_text(site, where, sizeof where), to->name, scalar->type);
    return true;
}

/* Is every captured scalar of that name of the value's type, and is there any? Else reports it. */
AMP_PRIV_COLD amp_status amp_priv_recorded_takes(const amp_priv_recording *recording, const amp_priv_recorded_value *to)
{
    bool found = false;
    amp_status status = AMP_OK;
    for (int i = 0; i < recording->count; i++)
        for (int n = 0; recording->launches[i].kernel && n < recording->commands[i].arguments.count; n++)
            found |= amp_priv_recorded_names(to, recording->commands[i].arguments.argument[n].scalar,
                                             recording->launches[i].site, &status);
    for (const amp_priv_repeat *r = recording->repeats; r; r = r->next)
        for (int i = 0; i < r->site->capture_count; i++)
            found |= amp_priv_recorded_names(to, &r->site->captures[i], r->site, &status);
    if (!found)
        status = amp_priv_report(AMP_INVALID_ARGUMENT,
                                 "AMP_RECORDING_SET(..., %s, ...): no recorded launch captured a scalar of that name; "
                                 "use a name of the launch's AMP_CAPTURE that is no constant and not specialized",
                                 to->name);
    return status;
}

/* Of commands: the next replays have another value. */
AMP_PRIV_COLD void amp_priv_recorded_change(amp_priv_recording *recording, const amp_priv_recorded_value *to)
{
    for (amp_priv_recorded_kernel *kernel = recording->kernels; kernel; kernel = kernel->next)
        for (int n = 0; n < kernel->arguments.count; n++) {
            const amp_priv_kernel_argument *const argument = &kernel->arguments.argument[n];
            if (!argument->scalar || strcmp(argument->scalar->name, to->name) != 0 ||
                memcmp(argument->value, to->value, to->size) == 0)
                continue;
            memcpy((void *)(uintptr_t)argument->value, to->value, to->size);
            kernel->set = false;
            kernel->changed = recording->changed = true;
        }
}

/* The next replays have another value for a captured scalar. */
AMP_PRIV_COLD amp_status amp_priv_recorded_set(amp_priv_recording *recording, const amp_priv_recorded_value *to)
{
    amp_status status = amp_priv_recorded_takes(recording, to);
    if (status != AMP_OK)
        return status;
    amp_priv_recorded_change(recording, to);
    for (amp_priv_repeat *r = recording->repeats; r; r = r->next)
        for (int i = 0; i < r->site->capture_count; i++)
            if (amp_priv_recorded_names(to, &r->site->captures[i], r->site, &status))
                memcpy(r->captured[i], to->value, to->size);
    return status;
}

AMP_PRIV_API amp_status amp_priv_recording_set(amp_recording recording, const char *name, const char *type,
                                               const void *value, size_t size)
{
    if (!recording.amp_priv_recording)
        return AMP_OK;
    amp_priv_recording *const set = amp_priv_recording_hold(recording, "AMP_RECORDING_SET");
    if (!set)
        return amp_priv_failed();
    amp_priv_lock(&set->lock);
    const amp_priv_recorded_value to = { name, type, value, size };
    const amp_status status = amp_priv_recorded_set(set, &to);
    amp_priv_unlock(&set->lock);
    amp_priv_recording_release(set);
    return status;
}

#endif /* AMP_RECORD_VALUES_H */
