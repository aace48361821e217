// SPDX-License-Identifier: MIT
// A misspelt option.
// about: compiling
// options: -DAMP_DEBUG
// says: there is no such option: AMP_CHECKED makes a checked build
#include "amp.h"

int main(void) { return 0; }
