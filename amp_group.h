/* SPDX-License-Identifier: MIT */
/*  amp_group.h - accelerator views for groups of accelerators, and for data larger than a device.

    Do this:      #include "amp_group.h" beside "amp.h", in each file that uses these names.
    With AMP_SPLIT: also in the file that defines AMP_IMPLEMENTATION.
    docs/several-devices.md describes them. */
#ifndef AMP_GROUP_H
#define AMP_GROUP_H

/* As amp.h. */
#if !defined(AMP_PRIV_WARNINGS)
#pragma GCC system_header
#endif

#include "amp.h"

AMP_PRIV_NEEDS_HEADER(amp_group__include_amp_group_h_in_the_file_with_AMP_IMPLEMENTATION);

#include "amp/api/group.h"
#if AMP_PRIV_IMPLEMENTS
#include "amp/group/group.h"
#endif

#endif /* AMP_GROUP_H */
