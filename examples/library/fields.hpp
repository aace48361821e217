/* SPDX-License-Identifier: MIT */
/*  library/fields.hpp - the library as C++ likes it: vectors, exceptions, and a class that releases. Kernels are C;
    what C++ includes is this, and knows nothing of them. */
#ifndef FIELDS_HPP
#define FIELDS_HPP

#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "fields.h"

namespace fields {

inline void check(int32_t status)
{
    if (status == FIELDS_OUT_OF_MEMORY)
        throw std::bad_alloc();
    if (status != FIELDS_OK)
        throw std::runtime_error(fields_error());
}

/* y += a * x */
inline void saxpy(float a, const std::vector<float> &x, std::vector<float> &y)
{
    if (x.size() != y.size())
        throw std::invalid_argument("x and y have different sizes");
    check(fields_saxpy(static_cast<int64_t>(x.size()), a, x.data(), y.data()));
}

inline void sort(std::vector<float> &values) { check(fields_sort(static_cast<int64_t>(values.size()), values.data())); }

/* Moved, not copied; released with its last owner. */
class field {
    struct release {
        void operator()(fields_field *f) const { fields_release(f); }
    };
    std::unique_ptr<fields_field, release> handle;
    int32_t rows, cols;

    static fields_field *create(int32_t rows, int32_t cols, const std::vector<float> &values)
    {
        if (rows < 0 || cols < 0 || values.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols))
            throw std::invalid_argument("rows * cols is not the number of values");
        fields_field *const made = fields_create(rows, cols, values.data());
        if (!made)
            throw std::runtime_error(fields_error());
        return made;
    }

  public:
    field(int32_t row_count, int32_t col_count, const std::vector<float> &values)
        : handle(create(row_count, col_count, values)), rows(row_count), cols(col_count)
    {
    }

    void blur(int32_t times = 1) { check(fields_blur(handle.get(), times)); }

    std::vector<float> read() const
    {
        std::vector<float> values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
        check(fields_read(handle.get(), static_cast<int64_t>(values.size()), values.data()));
        return values;
    }
};

} // namespace fields

#endif /* FIELDS_HPP */
