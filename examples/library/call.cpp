// SPDX-License-Identifier: MIT
/*  call.cpp - calls the library from C++ and checks what it gives.

    Build   c++ -std=c++11 call.cpp -o call -L. -lfields -pthread
    Run     LD_LIBRARY_PATH=. ./call
    See     how many checks, and on what; then OK.                                                         */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>

#include "fields.hpp"

static int right, wrong;

static void expect(bool good, const char *what)
{
    good ? right++ : wrong++;
    if (!good)
        std::printf("wrong: %s\n", what);
}

template <typename function> static bool throws(const char *text, function f)
{
    try {
        f();
    } catch (const std::exception &error) {
        return std::string(error.what()).find(text) != std::string::npos;
    }
    return false;
}

static std::vector<float> scrambled(int count, int seed)
{
    std::vector<float> values;
    for (int i = 0; i < count; i++)
        values.push_back(static_cast<float>((i * 7919L + seed) % 10007));
    return values;
}

static bool sorts_right(int seed)
{
    std::vector<float> values = scrambled(2000, seed), expected = values;
    fields::sort(values);
    std::sort(expected.begin(), expected.end());
    return values == expected;
}

static void try_threads()
{
    bool good[4] = {};
    std::vector<std::thread> threads;
    for (int seed = 0; seed < 4; seed++)
        threads.emplace_back([seed, &good] { good[seed] = sorts_right(seed); });
    for (std::thread &thread : threads)
        thread.join();
    expect(std::count(good, good + 4, true) == 4, "threads");
}

static void try_field()
{
    std::vector<float> spot(25);
    spot[12] = 25;
    fields::field one(5, 5, spot);
    one.blur();
    fields::field moved = std::move(one);
    moved.blur();
    const std::vector<float> result = moved.read();
    const auto is = [&result](std::size_t i, float value) { return std::fabs(result[i] - value) < 1e-5f; };
    expect(is(12, 5) && is(6, 2) && is(2, 1) && is(0, 0), "a field");
    expect(throws("-1 times", [&moved] { moved.blur(-1); }), "an error has its text");
    expect(throws("0 rows", [] { fields::field(0, 5, {}); }), "a field of nothing");
}

int main()
{
    const std::size_t n = 5000;
    std::vector<float> x, y(n, 1), expected;
    for (std::size_t i = 0; i < n; i++) {
        x.push_back(static_cast<float>(i));
        expected.push_back(2 * static_cast<float>(i) + 1);
    }
    fields::saxpy(2, x, y);
    expect(y == expected, "y += 2 x");
    expect(throws("overlap", [&y] { fields::saxpy(1, y, y); }), "arrays that overlap");
    expect(sorts_right(7), "a sort");
    try_field();
    try_threads();
    std::printf("C++ %ld: %d checks on %s\n", __cplusplus, right + wrong, fields_device());
    if (wrong)
        return 1;
    std::puts("OK");
}
