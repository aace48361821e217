// SPDX-License-Identifier: MIT
/*  rivals/cpp_rivals.cpp: see cpp_rivals.h. */
#include "cpp_rivals.h"

#include <algorithm>
#include <chrono>
#include <execution>
#include <numeric>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <thread>
#if defined(BENCH_HIGHWAY)
#include <hwy/contrib/sort/vqsort.h>
#endif

namespace
{

cpp_job *of(void *self) { return static_cast<cpp_job *>(self); }
const float *floats_of(void *self) { return static_cast<const float *>(of(self)->in); }
const int *ints_of(void *self) { return static_cast<const int *>(of(self)->in); }
int *out_of(void *self) { return static_cast<int *>(of(self)->out); }

} // namespace

/* Parts that sleep are not all taken by one thread. */
extern "C" void cpp_start(void)
{
    const int threads = tbb::this_task_arena::max_concurrency();
    tbb::parallel_for(0, 4 * threads, [](int) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
}

extern "C" void cpp_sum(void *self)
{
    const float *const first = floats_of(self), *const last = first + of(self)->count;
    of(self)->sum = of(self)->parallel ? std::reduce(std::execution::par_unseq, first, last, 0.0f)
                                       : std::reduce(std::execution::unseq, first, last, 0.0f);
}

extern "C" void cpp_scan(void *self)
{
    const float *const first = floats_of(self), *const last = first + of(self)->count;
    float *const out = static_cast<float *>(of(self)->out);
    if (of(self)->parallel)
        std::inclusive_scan(std::execution::par_unseq, first, last, out);
    else
        std::inclusive_scan(first, last, out);
}

extern "C" void cpp_select(void *self)
{
    const int *const first = ints_of(self), *const last = first + of(self)->count;
    const auto positive = [](int a) { return a > 0; };
    int *const end = of(self)->parallel ? std::copy_if(std::execution::par_unseq, first, last, out_of(self), positive)
                                        : std::copy_if(first, last, out_of(self), positive);
    of(self)->found = static_cast<size_t>(end - out_of(self));
}

extern "C" void cpp_sort(void *self)
{
    int *const first = out_of(self), *const last = first + of(self)->count;
    if (of(self)->parallel)
        std::sort(std::execution::par_unseq, first, last);
    else
        std::sort(first, last);
}

extern "C" void cpp_stable_sort(void *self)
{
    int *const first = out_of(self), *const last = first + of(self)->count;
    if (of(self)->parallel)
        std::stable_sort(std::execution::par_unseq, first, last);
    else
        std::stable_sort(first, last);
}

extern "C" void cpp_vqsort(void *self)
{
#if defined(BENCH_HIGHWAY)
    static hwy::Sorter sorter;
    sorter(reinterpret_cast<int32_t *>(out_of(self)), of(self)->count, hwy::SortAscending());
#else
    (void)self;
#endif
}
