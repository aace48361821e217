/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/views.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp.h"

/* amp_array_view_T_N */
float corner(amp_const_array_view_float_2 v)
{
    return AMP_AT(v, v.extent.v[0] - 1, v.extent.v[1] - 1);
}

/* AMP_ARRAY_VIEW_TYPE */
#define REAL double
void zero(AMP_ARRAY_VIEW_TYPE(REAL, 1) v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 0; });
}

/* AMP_AT */
float element(amp_array_view_float_2 v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, i, AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
    AMP_AT(v, 0, 0) = 2; /* on the host: waits for the kernel */
    return AMP_AT(v, 0, 1);
}

/* AMP_ELEMENT_POINTER */
AMP_FUNCTION(void, swap_elements, (AMP_ELEMENT_POINTER(float) p, AMP_ELEMENT_POINTER(float) q), {
    const float x = *p;
    *p = *q;
    *q = x;
})

void swap_pairs(amp_array_view_float_1 v)
{
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(v.extent.v[0] / 2), (i), AMP_CAPTURE(v), {
        swap_elements(&AMP_AT(v, 2 * i), &AMP_AT(v, 2 * i + 1));
    });
}

/* amp_get_ref */
float sum_of_row(amp_array_view_float_2 v, int row)
{
    float sum = 0;
    amp_array_view_synchronize(&v);
    for (int i = 0; i < v.extent.v[1]; i++)
        sum += *amp_get_ref(v, row, i);
    return sum;
}

/* AMP_ARRAY_VIEW */
void declarations(float *p, const int table[4][8], int rows, int cols)
{
    AMP_ARRAY_VIEW(float, 2, picture, p, rows, cols);
    AMP_CONST_ARRAY_VIEW(int, 2, t, table, 4, 8);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, scratch, picture.extent);
    AMP_ARRAY(float, 1, on_default, 1000);
    AMP_ARRAY_ON(amp_accelerator_default_view(amp_accelerator_default()), float, 1, there, 1000);
    AMP_PARALLEL_FOR_EACH(picture.extent, i, AMP_CAPTURE(picture, scratch), {
        AMP_AT(scratch, i) = AMP_AT(picture, i);
    });
} /* synchronizes and releases them */

/* amp_array_view_T_N_create, amp_array_view_release */
amp_array_view_float_1 make(float *p, int n)
{
    return amp_array_view_float_1_create(p, AMP_EXTENT(n));
}

void finish(amp_array_view_float_1 *v) { amp_array_view_release(v); }

/* amp_swap */
void steps(amp_array_view_float_1 now, amp_array_view_float_1 next, int count)
{
    for (int step = 0; step < count; step++) {
        AMP_PARALLEL_FOR_EACH(now.extent, (i), AMP_CAPTURE(now, next),
                              { AMP_AT(next, i) = 2 * AMP_AT(now, i); });
        amp_swap(&now, &next);
    }
}

/* amp_array_view_retain */
typedef struct {
    amp_array_view_float_1 data;
} owner;

void keep(owner *o, amp_array_view_float_1 v) { o->data = amp_array_view_retain(v); }

void forget(owner *o) { amp_array_view_release(&o->data); }

/* amp_section */
void inner(amp_array_view_float_2 v)
{
    const amp_array_view_float_2 part = amp_section(v, 1, 1, v.extent.v[0] - 2, v.extent.v[1] - 2);
    AMP_PARALLEL_FOR_EACH(part.extent, i, AMP_CAPTURE(part), { AMP_AT(part, i) = 0; });
}

/* amp_project */
void one_row(amp_array_view_float_2 v, int row)
{
    const amp_array_view_float_1 r = amp_project(v, row);
    AMP_PARALLEL_FOR_EACH(r.extent, (i), AMP_CAPTURE(r), { AMP_AT(r, i) = 0; });
}

/* AMP_VIEW_AS */
amp_array_view_float_2 as_table(amp_array_view_float_1 v, int rows, int cols)
{
    return AMP_VIEW_AS(amp_array_view_float_2, v, rows, cols);
}

/* AMP_REINTERPRET_AS */
amp_const_array_view_uint32_t_1 bits(amp_const_array_view_float_1 v)
{
    return AMP_REINTERPRET_AS(amp_const_array_view_uint32_t_1, v);
}

/* amp_as_const */
float first(amp_const_array_view_float_1 v) { return AMP_AT(v, 0); }

float first_of(amp_array_view_float_1 v, amp_array_float_1 a)
{
    return first(amp_as_const(v)) + first(amp_as_const(a)) + AMP_AT(amp_view_of(a), 1);
}

/* amp_array_view_synchronize */
void write_file(FILE *file, amp_array_view_float_1 v, const float *memory)
{
    if (amp_array_view_synchronize(&v) == AMP_OK)
        fwrite(memory, sizeof *memory, amp_size(v.extent), file);
}

/* amp_array_view_synchronize_to */
void prefetch(amp_array_view_float_1 v, amp_accelerator_view device)
{
    amp_array_view_synchronize_to(&v, device);
}

/* amp_array_view_refresh */
void read_file(FILE *file, amp_array_view_float_1 v, float *memory)
{
    if (fread(memory, sizeof *memory, amp_size(v.extent), file) == amp_size(v.extent))
        amp_array_view_refresh(&v);
}

/* amp_array_view_discard_data */
void overwrite(amp_array_view_float_1 v)
{
    amp_array_view_discard_data(&v); /* nothing is copied to the device */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = (float)i; });
}

/* AMP_HOST_VIEW */
double total(amp_array_view_float_1 v)
{
    double sum = 0;
    AMP_HOST_VIEW(h, v);
    for (int i = 0; i < h.extent.v[0]; i++)
        sum += AMP_AT(h, i);
    return sum;
}

/* amp_data */
void sort_with_c(amp_array_view_float_1 v, int (*compare)(const void *, const void *))
{
    float *const p = amp_data(v);
    if (p)
        qsort(p, amp_size(v.extent), sizeof *p, compare);
}

/* amp_array_view_source_accelerator_view */
bool is_on(amp_array_view_float_1 v, amp_accelerator_view device)
{
    return amp_accelerator_view_equal(amp_array_view_source_accelerator_view(v), device);
}

/* amp_array_T_N_create, amp_array_release, AMP_UNCHECKED */
void make_array(const float *p, int n, amp_accelerator_view device)
{
    amp_array_float_1 a = amp_array_float_1_create_from(AMP_EXTENT(n), device, p, AMP_UNCHECKED);
    AMP_PARALLEL_FOR_EACH_ON(device, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) *= 2; });
    amp_array_release(&a);
}

/* amp_array_accelerator_view */
bool can_read(amp_array_float_1 a) { return (amp_array_cpu_access_type(a) & AMP_ACCESS_READ) != 0; }

/* amp_array_view_valid */
amp_array_view_float_1 checked(float *p, int n)
{
    const amp_array_view_float_1 v = amp_array_view_float_1_create(p, AMP_EXTENT(n));
    if (!amp_array_view_valid(v))
        fprintf(stderr, "%s\n", amp_last_error_message());
    return v;
}

/* amp_transfer_counters, amp_source_counters */
void print_traffic(amp_array_view_float_1 v)
{
    const amp_transfer_counters c = amp_source_counters(v);
    printf("%llu bytes to devices, %llu to the host\n", (unsigned long long)c.bytes_to_device,
           (unsigned long long)c.bytes_to_host);
    amp_source_counters_reset(v);
}

/* AMP_DEFINE_ELEMENT */
AMP_STRUCT(pixel, { uint8_t r, g, b, a; });
AMP_DEFINE_ELEMENT(pixel)

void fade(pixel *p, int rows, int cols)
{
    AMP_ARRAY_VIEW(pixel, 2, v, p, rows, cols);
    AMP_PARALLEL_FOR_EACH(v.extent, i, AMP_CAPTURE(v), { AMP_AT(v, i).a /= 2; });
}
