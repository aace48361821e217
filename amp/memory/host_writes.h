/* SPDX-License-Identifier: MIT */
/*  amp/memory/host_writes.h - writes of the host that the directory does not know: checked builds track them */
#ifndef AMP_MEMORY_HOST_WRITES_H
#define AMP_MEMORY_HOST_WRITES_H

#include "../device/hooks.h"
#include "request.h"

#if defined(AMP_CHECKED)
#include "checked_writes.h"
#else

#define AMP_PRIV_WRITE_CHECK
#define amp_priv_write_check_note(source, want)                (void)0
#define amp_priv_write_check_part(source, want, shape)         (void)0
#define amp_priv_write_check_lost(source)                      false
#define amp_priv_write_check_end(source)                       (void)0
#define amp_priv_write_check_unwritten(source, is)             (void)0
#define amp_priv_write_check_discard(source)                   (void)0
#define amp_priv_write_check_home_begin(source)                (void)0
#define amp_priv_write_check_home_end(source)                  (void)0
#define amp_priv_write_check_copies(from, to)                  (void)0
#define amp_priv_write_check_is_away(source)                   false
#define amp_priv_write_check_show(source)                      (void)0
#define amp_priv_write_check_copied(source, data, bytes, call) (void)0

#endif

#endif /* AMP_MEMORY_HOST_WRITES_H */
