// SPDX-License-Identifier: MIT
/* Heat on a plate, by Kokkos. */
#include <Kokkos_Core.hpp>
#include "clock.h"

enum { N = 1024, STEPS = 100 };

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::View<float **, Kokkos::LayoutRight> a("a", N, N), b("b", N, N);
    auto host = Kokkos::create_mirror_view(a);
    host(N / 2, N / 2) = 1000000;
    Kokkos::deep_copy(a, host);
    using range = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
    for (int step = 0; step < STEPS; step++) {
        Kokkos::parallel_for(range({ 1, 1 }, { N - 1, N - 1 }), KOKKOS_LAMBDA(int row, int col) {
            b(row, col) = (a(row - 1, col) + a(row + 1, col) + a(row, col - 1) + a(row, col + 1) + 4 * a(row, col)) / 8;
        });
        std::swap(a, b);
        if (step == 0)
            first_launch((Kokkos::fence(), 0));
    }
    Kokkos::deep_copy(host, a);
    report(host(N / 2, N / 2));
    return 0;
}
