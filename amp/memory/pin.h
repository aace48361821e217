/* SPDX-License-Identifier: MIT */
/*  amp/memory/pin.h - host memory that is registered with a device, while it lives or for one transfer */
#ifndef AMP_MEMORY_PIN_H
#define AMP_MEMORY_PIN_H

#include "allocation.h"

/* All that there are: a driver knows registered memory by its address, whichever source moves it. */
typedef struct amp_priv_pins_state {
    amp_priv_mutex lock;
    amp_priv_pin *first;
} amp_priv_pins_state;

AMP_PRIV_GLOBAL_LOCKS(amp_priv_pins_state, amp_priv_pins, mutex(lock))

/* Is the byte at `at` registered with the device, as that of any source? `until` is where its chunk ends, or the next
   one begins. */
AMP_PRIV_COLD bool amp_priv_pinned_until(const amp_priv_device *device, uintptr_t at, uintptr_t *until)
{
    uintptr_t end = at, next = UINTPTR_MAX;
    amp_priv_lock(&amp_priv_pins.lock);
    for (const amp_priv_pin *pin = amp_priv_pins.first; pin; pin = pin->next) {
        const uintptr_t first = (uintptr_t)pin->host, last = first + pin->bytes;
        if (pin->device != device || at >= last)
            continue;
        if (at < first) {
            next = first < next ? first : next;
            continue;
        }
        const uintptr_t chunk_end = first + ((at - first) / pin->chunk_bytes + 1) * pin->chunk_bytes;
        const uintptr_t here = chunk_end < last ? chunk_end : last;
        end = here > end ? here : end;
    }
    amp_priv_unlock(&amp_priv_pins.lock);
    *until = end > at ? end : next;
    return end > at;
}

/* How many of the bytes at `host` are registered with the device. */
AMP_PRIV_COLD size_t amp_priv_pinned_bytes(const amp_priv_device *device, const void *host, size_t bytes)
{
    const uintptr_t end = (uintptr_t)host + bytes;
    size_t pinned = 0;
    for (uintptr_t at = (uintptr_t)host, until; at < end; at = until) {
        const bool is_pinned = amp_priv_pinned_until(device, at, &until);
        until = until < end ? until : end;
        pinned += is_pinned ? until - at : 0;
    }
    return pinned;
}

AMP_PRIV_COLD void amp_priv_pin_chunk(amp_priv_pin *pin, int chunk)
{
    const size_t first = (size_t)chunk * pin->chunk_bytes;
    const size_t bytes = chunk + 1 < pin->count ? pin->chunk_bytes : pin->bytes - first;
    amp_priv_device *const device = pin->device;
    void **const registration = &pin->registration[chunk];
    *registration = NULL;
    if (atomic_load(&device->removed))
        return;
    const amp_priv_result result = device->backend->device.pin(device, pin->host + first, bytes, registration);
    if (result.status != AMP_OK) /* transfers work without it */
        amp_priv_log(AMP_PRIV_LOG_INFO,
                     "%zu bytes of host memory could not be registered with %s (%s: %s, %d): transfers are slower",
                     bytes, device->path, result.call, amp_priv_code_name(device, result.code), result.code);
}

/* Registers host memory that is about to move. */
AMP_PRIV_COLD void amp_priv_pin_begin(amp_priv_pin *pin, amp_priv_device *device, void *host, size_t bytes)
{
    pin->device = device;
    pin->host = host;
    pin->bytes = bytes;
    pin->count = bytes >= AMP_PRIV_PIN_IN_CHUNKS && !device->backend->device.pins_whole ? AMP_PRIV_PIN_CHUNKS : 1;
    pin->chunk_bytes = (bytes / (size_t)pin->count + AMP_PRIV_PAGE - 1) / AMP_PRIV_PAGE * AMP_PRIV_PAGE;
    for (int chunk = 0; chunk < pin->count; chunk++)
        amp_priv_pin_chunk(pin, chunk);
    amp_priv_lock(&amp_priv_pins.lock);
    pin->next = amp_priv_pins.first;
    amp_priv_pins.first = pin;
    amp_priv_unlock(&amp_priv_pins.lock);
}

/* A staging array's memory is registered from the beginning, from a page on: below that two of them would share one. */
static inline void amp_priv_pin_staging(amp_priv_source *source)
{
    amp_priv_device *const device = source->associated->device;
    if (!device->shares_host && device->backend->device.pin && source->bytes >= AMP_PRIV_PAGE)
        amp_priv_pin_begin(&source->staged, device, source->base.data, source->bytes);
}

/* How a source's host memory is registered with a device; NULL: it is not. */
AMP_PRIV_WARM_PART const amp_priv_pin *amp_priv_pin_of(const amp_priv_source *source, const amp_priv_device *device)
{
    if (source->staged.count > 0 && source->staged.device == device)
        return &source->staged;
    const amp_priv_replica *const replica = source->replica[device->number];
    return replica && replica->pin.count > 0 ? &replica->pin : NULL;
}

AMP_PRIV_COLD void amp_priv_pin_end(amp_priv_pin *pin)
{
    if (pin->count == 0)
        return;
    amp_priv_lock(&amp_priv_pins.lock);
    amp_priv_pin **at = &amp_priv_pins.first;
    while (*at && *at != pin)
        at = &(*at)->next;
    if (*at)
        *at = pin->next;
    amp_priv_unlock(&amp_priv_pins.lock);
    for (int i = 0; i < pin->count; i++)
        if (pin->registration[i] && !pin->device->inherited_by_fork)
            pin->device->backend->device.unpin(pin->device, pin->registration[i]);
    pin->count = 0;
}

#endif /* AMP_MEMORY_PIN_H */
