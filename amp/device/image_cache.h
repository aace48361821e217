/* SPDX-License-Identifier: MIT */
/*  amp/device/image_cache.h - images that texture units read; amp/graphics/texture_units.h makes them of buffers */
#ifndef AMP_DEVICE_IMAGE_CACHE_H
#define AMP_DEVICE_IMAGE_CACHE_H

#include "extensions.h"
#include "queue.h"

typedef struct amp_priv_image {
    struct amp_priv_image *next;
    const amp_priv_queue *queue;
    amp_priv_picture picture;
    void *native;     /* NULL: none yet */
    uint64_t version; /* the buffer's, when it was filled */
    bool is_refused;  /* the device has no such images */
} amp_priv_image;

AMP_PRIV_COLD void amp_priv_image_close(amp_priv_device *device, amp_priv_image *image)
{
    if (image->native && !device->inherited_by_fork) {
        amp_priv_images_extension(device)->close(device, image->native);
        atomic_fetch_add(&device->closed_buffers, 1u);
    }
    free(image);
}

/* From *images on. */
AMP_PRIV_COLD void amp_priv_images_close(amp_priv_device *device, amp_priv_image **images)
{
    while (*images) {
        amp_priv_image *const image = *images;
        *images = image->next;
        amp_priv_image_close(device, image);
    }
}

#endif /* AMP_DEVICE_IMAGE_CACHE_H */
