/* SPDX-License-Identifier: MIT */
/*  amp/device/image_cache.h - images that texture units read, made of buffers */
#ifndef AMP_DEVICE_IMAGE_CACHE_H
#define AMP_DEVICE_IMAGE_CACHE_H

#include "extensions.h"
#include "queue.h"

/* // >>image */

enum { AMP_PRIV_KEPT_IMAGES = 16 /* of a buffer: the one that was used longest ago goes first */ };

typedef struct amp_priv_image {
    struct amp_priv_image *next;
    const amp_priv_queue *queue;
    amp_priv_picture picture;
    void *native;     /* NULL: none yet */
    uint64_t version; /* the buffer's, when it was filled */
    bool is_refused;  /* the device has no such images */
} amp_priv_image;

AMP_PRIV_COLD bool amp_priv_picture_same(const amp_priv_picture *a, const amp_priv_picture *b)
{
    return a->offset == b->offset && a->rank == b->rank && a->channels == b->channels && a->texels == b->texels &&
           !memcmp(a->extent, b->extent, sizeof a->extent);
}

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

/* The queue's image of a picture, which goes to the front of the list; a new one where there is none. NULL: there is
   no memory for it. */
AMP_PRIV_COLD amp_priv_image *amp_priv_image_find(amp_priv_image **images, const amp_priv_queue *queue,
                                                  const amp_priv_picture *picture)
{
    amp_priv_image **at = images;
    int count = 0;
    while (*at && ((*at)->queue != queue || !amp_priv_picture_same(&(*at)->picture, picture))) {
        if (++count == AMP_PRIV_KEPT_IMAGES)
            amp_priv_images_close(queue->device, at);
        at = *at ? &(*at)->next : at;
    }
    amp_priv_image *image = *at;
    if (image)
        *at = image->next;
    else
        image = calloc(1, sizeof *image);
    if (!image)
        return NULL;
    image->queue = queue;
    image->picture = *picture;
    image->next = *images;
    *images = image;
    return image;
}

/* The image at the front of the list was not filled: it may be another time, or the device has none like it. */
AMP_PRIV_COLD void amp_priv_image_failed(amp_priv_device *device, amp_priv_image **images, amp_priv_result result)
{
    amp_priv_image *const image = *images;
    amp_priv_log(AMP_PRIV_LOG_INFO, "%s has no image for a texture, which is read as a buffer (%s: %s, %d)",
                 device->path, result.call, amp_priv_code_name(device, result.code), result.code);
    image->is_refused = !image->native && result.status != AMP_OUT_OF_MEMORY;
    if (image->is_refused)
        return;
    *images = image->next;
    amp_priv_image_close(device, image);
}

/* The backend's image of a picture in a buffer, for what queue does next; NULL: there is none. version: of the buffer's
   contents. *filled comes back: was a command submitted for it? */
AMP_PRIV_WARM void *amp_priv_image_of(amp_priv_image **images, amp_priv_queue *queue, void *buffer,
                                      const amp_priv_picture *picture, uint64_t version, bool *filled)
{
    amp_priv_image *image = *images;
    *filled = false;
    if (!image || image->queue != queue || !amp_priv_picture_same(&image->picture, picture))
        image = amp_priv_image_find(images, queue, picture);
    if (!image || image->is_refused || (image->native && image->version == version))
        return image ? image->native : NULL;
    const amp_priv_result result =
        amp_priv_images_extension(queue->device)->fill(queue, buffer, picture, &image->native);
    if (result.status != AMP_OK) {
        amp_priv_image_failed(queue->device, images, result);
        return NULL;
    }
    image->version = version;
    *filled = true;
    return image->native;
}

#endif /* AMP_DEVICE_IMAGE_CACHE_H */
