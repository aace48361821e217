/* SPDX-License-Identifier: MIT */
/*  amp/api/absent.h - names of modules that a file has not included: the compiler's error says which header has them

    The header that declares a module's names undefines its macros: amp/api/group.h those of
    amp_accelerator_view_create_group and amp_accelerator_view_create_streamed; amp/api/recording.h those of
    amp_recording, amp_recording_begin, amp_recording_end, amp_recording_replay, amp_recording_release,
    amp_recording_valid and AMP_RECORDING_SET. */
#ifndef AMP_API_ABSENT_H
#define AMP_API_ABSENT_H

#define AMP_PRIV_ABSENT(name, header)                                                                                  \
    struct {                                                                                                           \
        _Static_assert(0, "amp: " name " is in " header ": write #include \"" header "\" below amp.h");                \
        int amp_priv_absent;                                                                                           \
    }
#define AMP_PRIV_ABSENT_CALL(name, header, result) ((void)sizeof(AMP_PRIV_ABSENT(name, header)), result)

#define amp_accelerator_view_create_group(...)                                                                         \
    AMP_PRIV_ABSENT_CALL("amp_accelerator_view_create_group", "amp_group.h", (amp_accelerator_view){ NULL })
#define amp_accelerator_view_create_streamed(...)                                                                      \
    AMP_PRIV_ABSENT_CALL("amp_accelerator_view_create_streamed", "amp_group.h", (amp_accelerator_view){ NULL })

#define amp_recording                     AMP_PRIV_ABSENT("amp_recording", "amp_recording.h")
#define amp_recording_begin(...)          AMP_PRIV_ABSENT_CALL("amp_recording_begin", "amp_recording.h", AMP_OK)
#define amp_recording_end(...)            AMP_PRIV_ABSENT_CALL("amp_recording_end", "amp_recording.h", 0)
#define amp_recording_replay(...)         AMP_PRIV_ABSENT_CALL("amp_recording_replay", "amp_recording.h", 0)
#define amp_recording_release(...)        AMP_PRIV_ABSENT_CALL("amp_recording_release", "amp_recording.h", AMP_OK)
#define amp_recording_valid(...)          AMP_PRIV_ABSENT_CALL("amp_recording_valid", "amp_recording.h", 0)
#define AMP_RECORDING_SET(recording, ...) AMP_PRIV_ABSENT_CALL("AMP_RECORDING_SET", "amp_recording.h", AMP_OK)

#endif /* AMP_API_ABSENT_H */
