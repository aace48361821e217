// SPDX-License-Identifier: MIT
/*  The tools of a program whose other files have none. */
#undef AMP_TOOLS
#define AMP_TOOLS
#include "../../amp.h"
