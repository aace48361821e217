// SPDX-License-Identifier: MIT
// port_check/sample.cpp - C++ AMP as it was written, with something for each rule of scripts/port-check. What a line is
// told stands behind it, in the line's order; lines without such words are told nothing. Compiled by nobody.
#include <amp.h>                                             // says: amp.h
#include <amp_graphics.h>                                    // says: amp_graphics.h
#include <vector>
using namespace concurrency;                                 // says: using namespace concurrency

// parallel_for_each in a comment
const char *text = "array_view<float, 1> in a string";
static const int TS = 16;

template <typename T>                                        // says: a macro of the sizes
class scaled {                                               // says: AMP_STRUCT(name
public:
    T operator()(T x) const restrict(amp, cpu) { return x * by; } // says: AMP_FUNCTION with | AMP_FUNCTION(type
    T by;
};

void exchange(float &a, float &b) restrict(amp)              // says: AMP_ELEMENT_POINTER(float) | AMP_ELEMENT_POINTER(float) | AMP_FUNCTION(type
{
    std::swap(a, b);                                         // says: a third variable
}

unsigned bits_of(float x) restrict(amp)                      // says: AMP_FUNCTION(type
{
    unsigned long bits;                                      // says: uint32_t
    memcpy(&bits, &x, 4);                                    // says: AMP_BITS
    return bits + direct3d::countbits(7u);                   // says: docs/porting-names.md
}

float sum(const std::vector<float> &values)                  // says: a pointer and a size
{
    long count = 1, other;
    const extent<1> e(values.size());                        // says: AMP_EXTENT | a function
    array_view<const float, 1> v(e, values), w(e, values);   // says: AMP_ARRAY_VIEW
    array<float> result(e.size() / TS);                      // says: AMP_ARRAY(float | a function
    const accelerator_view here = accelerator().default_view; // says: amp_accelerator_view | amp_accelerator
    parallel_for_each(here, e.tile<TS>().pad(),              // says: AMP_PARALLEL_FOR_EACH | AMP_TILED | a function
                      [=, &result](tiled_index<TS> t) restrict(amp) { // says: AMP_CAPTURE | the name in AMP_TILED | nothing in a launch
        tile_static float part[TS];                          // says: AMP_TILE_STATIC
        const int i = t.local[0];
        part[i] = v[t.global] + w(t.global[0]) * fast_math::sin(0.0f); // says: AMP_AT(v, ...) | AMP_AT(w, ...) | amp_fast_sinf
        t.barrier.wait();                                    // says: amp_barrier_wait
        if (i < 8) {
            part[i] += part[i + 8];
            tile_static_memory_fence(t.barrier);             // says: phases with amp_barrier_wait
            part[i] += part[i + 4];
        }
        atomic_fetch_add(&part[0], 1);                       // says: the name with amp_
        result[t.tile] = part[0];                            // says: AMP_AT(result, ...)
    });
    v.synchronize();                                         // says: amp_array_view_synchronize
    const auto done = static_cast<float>(count);             // says: the type | a cast of C
    return done;
}

void pictures(const graphics::texture<float_4, 2> &in, tiled_extent<4, 4> e) // says: AMP_DEFINE_TEXTURE | AMP_FLOAT_4 | amp_tiled_extent2
{
    graphics::sampler s(filter_linear, address_clamp);       // says: AMP_SAMPLER | AMP_FILTER_LINEAR | AMP_FILTER_LINEAR
    float_4 there = in.sample(s, at), pitch = in.row_pitch;  // says: AMP_FLOAT_4 | name_sample_2 | rows have no gaps
    float red = in.gather_red<address_wrap>(at).get_x();     // says: name_gather_2 | AMP_FILTER_LINEAR | AMP_SWIZZLE
    there.set_xyz(there.zyx);                                // says: AMP_SWIZZLE | AMP_SWIZZLE
    get_texture(make_sampler(s));                            // says: nothing: a texture is a view | nothing: a texture
    short_vector<unsigned, 2>::type pair;                    // says: templates become macros
    float_3 colour(0, 0, 0);                                 // says: which has 12
    unorm_4 clamped;                                         // says: amp_float_4_unorm
    index<2> at(1, 2);                                       // says: AMP_INDEX
    colour = in[at].rgb;                                     // says: AMP_AT(in, ...) | AMP_SWIZZLE
    completion_future f = nullptr;                           // says: amp_future | NULL
    try {                                                    // says: amp_set_error_handler
        concurrency::wait();                                 // says: with amp_
    } catch (runtime_exception &error) {                     // says: amp_set_error_handler | AMP_RUNTIME_ERROR
        create(access_type_read);                            // says: AMP_ACCESS_READ
    }
}
