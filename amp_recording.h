/* SPDX-License-Identifier: MIT */
/*  amp_recording.h - recordings: launches that are recorded once and replayed.

    Do this:      #include "amp_recording.h" beside "amp.h", in each file that uses these names.
    With AMP_SPLIT: also in the file that defines AMP_IMPLEMENTATION.
    docs/recording.md describes them. */
#ifndef AMP_RECORDING_H
#define AMP_RECORDING_H

/* As amp.h. */
#if !defined(AMP_PRIV_WARNINGS)
#pragma GCC system_header
#endif

#include "amp.h"

AMP_PRIV_NEEDS_HEADER(amp_recording__include_amp_recording_h_in_the_file_with_AMP_IMPLEMENTATION);

#include "amp/api/recording.h"
#if AMP_PRIV_IMPLEMENTS
#include "amp/record/record.h"
#endif

#endif /* AMP_RECORDING_H */
