/* SPDX-License-Identifier: MIT */
/*  amp/group/stream_launch.h - a launch on a streamed view: its bands go through one device, one after the other

    This thread copies bands to the device and submits their kernels. Another one copies back what they wrote. */
#ifndef AMP_GROUP_STREAM_LAUNCH_H
#define AMP_GROUP_STREAM_LAUNCH_H

#include "band_plan.h"

/* Submits a band, whose memory is ready. Checked builds: the launch keeps the fault of its first band that has one. */
AMP_PRIV_WARM amp_status amp_priv_band_launch(amp_priv_launch *band)
{
#if defined(AMP_CHECKED)
    amp_priv_fault *const whole = band->fault;
    amp_priv_fault part = *whole;
    part.count = 0;
    band->fault = &part;
#endif
    const amp_status status = amp_priv_kernel_launch(band);
#if defined(AMP_CHECKED)
    band->fault = whole;
    if (status == AMP_OK && whole->count == 0 && part.count != 0)
        *whole = part;
#endif
    return status;
}

/* Waits for the kernel of the next band that is to come back, and copies that. False: it was the last. */
AMP_PRIV_WARM bool amp_priv_stream_return(amp_priv_streaming *s)
{
    amp_priv_lock(&s->lock);
    while (s->returned == s->submitted && !s->closing)
        amp_priv_condition_wait(&s->changed, &s->lock);
    const int band = s->returned;
    const bool more = band < s->submitted && s->status == AMP_OK;
    amp_priv_unlock(&s->lock);
    if (!more)
        return false;
    amp_priv_device *const device = s->stream->download->device;
    void **const done = &s->done[band % AMP_PRIV_STREAM_PARTS];
    amp_status status = amp_priv_event_wait(device, *done);
    if (status == AMP_OK)
        status = amp_priv_stream_download(s, band);
    amp_priv_event_release(device, *done);
    *done = NULL;
    amp_priv_lock(&s->lock);
    s->status = status;
    if (status == AMP_OK)
        s->returned++;
    else
        snprintf(s->message, sizeof s->message, "%s", amp_last_error_message());
    amp_priv_condition_wake_all(&s->changed);
    amp_priv_unlock(&s->lock);
    return status == AMP_OK;
}

AMP_PRIV_THREAD_MAIN(amp_priv_stream_main)
{
    amp_priv_streaming *const s = argument;
    amp_priv_error_mode_begin(AMP_PRIV_ERRORS_KEPT);
    while (amp_priv_stream_return(s))
        continue;
    amp_priv_lock(&s->lock);
    s->ended = true;
    amp_priv_condition_wake_all(&s->changed);
    amp_priv_unlock(&s->lock);
    return 0;
}

/* Copies a band to the device and submits it, once its part of the memory is free. */
AMP_PRIV_WARM amp_status amp_priv_stream_band(amp_priv_streaming *s, int b)
{
    amp_priv_launch band = *s->launch;
    amp_priv_lock(&s->lock);
    while (b - s->returned >= AMP_PRIV_STREAM_PARTS && s->status == AMP_OK)
        amp_priv_condition_wait(&s->changed, &s->lock);
    amp_status status = s->status;
    amp_priv_unlock(&s->lock);
    if (status == AMP_OK)
        status = amp_priv_stream_upload(s, b);
    if (status != AMP_OK)
        return status;
    band.band = &s->bands[b];
    band.extent[0] = band.band->end - band.band->first;
    for (int i = 0; i < band.site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(&band, i);
        const amp_priv_replica *const part = head ? amp_priv_stream_part(s, b, s->layout->area[i]) : NULL;
        if (!head)
            continue;
        band.buffer[i] = part->buffer;
        band.host[i] = head->source->base.data + part->first;
    }
    status = amp_priv_band_launch(&band);
    if (status != AMP_OK && !band.partly_submitted)
        return status;
    amp_priv_queue_next_sequence(band.queue);
    if (status == AMP_OK)
        status = amp_priv_event_record(band.queue, &s->done[b % AMP_PRIV_STREAM_PARTS]);
    if (status == AMP_OK)
        amp_priv_queue_submit(band.queue);
    amp_priv_lock(&s->lock);
    s->submitted += status == AMP_OK;
    s->torn = s->torn || status != AMP_OK;
    amp_priv_condition_wake_all(&s->changed);
    amp_priv_unlock(&s->lock);
    return status;
}

/* All bands; returns when the host has what they wrote. */
AMP_PRIV_WARM amp_status amp_priv_stream_bands(amp_priv_streaming *s)
{
    amp_status status = AMP_OK;
    const bool beside = s->count > 1 && amp_priv_thread_start(amp_priv_stream_main, s);
    for (int b = 0; b < s->count && status == AMP_OK; b++) {
        status = amp_priv_stream_band(s, b);
        if (!beside && status == AMP_OK)
            amp_priv_stream_return(s);
    }
    amp_priv_lock(&s->lock);
    s->closing = true;
    amp_priv_condition_wake_all(&s->changed);
    while (beside && !s->ended)
        amp_priv_condition_wait(&s->changed, &s->lock);
    amp_priv_unlock(&s->lock);
    if (beside && s->status != AMP_OK)
        status = amp_priv_report(s->status, "%s", s->message);
    return s->status != AMP_OK ? s->status : status;
}

/* Reports that the bands of a launch need more memory than the streamed view may take. */
AMP_PRIV_COLD amp_status amp_priv_stream_refuse(const amp_priv_launch *launch, const amp_priv_band_plan *plan,
                                                const amp_priv_stream *stream)
{
    const amp_priv_stream_layout *const layout = plan->layout;
    int largest = 0;
    for (int i = 1; i < launch->site->capture_count; i++)
        largest = layout->bytes[i] > layout->bytes[largest] ? i : largest;
    const char *const name = amp_priv_capture_shown(launch->site, largest), *const noun =
                                                                                amp_priv_capture_noun(launch->site,
                                                                                                      largest,
                                                                                                      "the view ");
    if (plan->count == 1)
        return amp_priv_site_report(
            launch->site, AMP_OUT_OF_MEMORY,
            "it cannot be divided, and needs %zu bytes of device memory, %zu of them for %s%s; its streamed "
            "view may take %zu: create that with more, or launch on a section of %s",
            layout->all, layout->bytes[largest], noun, name, stream->bytes, name);
    return amp_priv_site_report(
        launch->site, AMP_OUT_OF_MEMORY,
        "its smallest parts need %zu bytes of device memory, and each of them %zu bytes of %s%s; its streamed "
        "view may take %zu: create that with more, or, if a row of the launch uses few rows of %s, capture "
        "AMP_REACH(%s, first, last)",
        layout->all, layout->bytes[largest], noun, name, stream->bytes, name, name);
}

/* Do the views of a launch that captures arrays fit? Else reports it. */
AMP_PRIV_COLD bool amp_priv_stream_fits(const amp_priv_launch *launch, const amp_priv_stream *stream)
{
    size_t all = 0;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        const amp_priv_shape shape = head ? amp_priv_shape_of(head) : (amp_priv_shape){ .rank = 0 };
        all += head && head->kind != AMP_PRIV_ARRAY ? amp_priv_shape_bytes(&shape) : 0;
    }
    if (all > stream->bytes)
        amp_priv_site_report(launch->site, AMP_OUT_OF_MEMORY,
                             "it is not divided, and its views have %zu bytes; its streamed view may take %zu: create "
                             "that with more, or capture views instead of arrays",
                             all, stream->bytes);
    return all <= stream->bytes;
}

/* Runs a launch by a plan. */
AMP_PRIV_WARM amp_status amp_priv_stream_run(amp_priv_launch *launch, const amp_priv_band_plan *plan,
                                             const amp_priv_group *group)
{
    amp_priv_use_list uses;
    if (plan->layout->all > group->stream->bytes)
        return amp_priv_stream_refuse(launch, plan, group->stream);
    amp_priv_streaming *const s = calloc(1, sizeof *s);
    if (!s)
        return amp_priv_site_report(launch->site, AMP_OUT_OF_MEMORY, "no memory for a launch on a streamed view");
    s->stream = group->stream;
    s->launch = launch;
    s->layout = plan->layout;
    s->bands = plan->band;
    s->uses = (amp_priv_bands_use){ launch, plan->band };
    s->count = plan->count;
    amp_priv_mutex_init(&s->lock);
    amp_priv_condition_init(&s->changed);
    amp_status status = amp_priv_stream_begin(s, launch, &uses);
    if (status == AMP_OK) {
        status = amp_priv_stream_bands(s);
        amp_priv_stream_end(s, status, &uses);
    }
    amp_priv_condition_end(&s->changed);
    amp_priv_mutex_end(&s->lock);
    free(s);
    return status;
}

#endif /* AMP_GROUP_STREAM_LAUNCH_H */
