// SPDX-License-Identifier: MIT
#ifndef B_H
#define B_H

/* In the other file: a kernel. */
void multiply_by_three(int *values, int count);

#endif /* B_H */
