/* SPDX-License-Identifier: MIT */
/*  amp/memory/request.h - what a memory asks for, and its bit in masks of memories */
#ifndef AMP_MEMORY_REQUEST_H
#define AMP_MEMORY_REQUEST_H

#include "../base/linkage.h"
#include <stdint.h>

/* What a memory asks for, and what a block is like when that was granted:

                     copied in           valid in                 discarded
       READ          unless valid here   where it was, and here   as before
       WRITE         no                  here alone               no
       READ_WRITE    unless valid here   here alone               no
       DISCARD       no                  where it was             yes

   Of a discarded block nothing is copied in, and a READ of one changes nothing. Each block is valid somewhere, unless
   what was to write it failed half-way: then it is unknown, and a request that would copy it in fails.
   The host's refresh is a WRITE, synchronize and write-back are a READ by the source's owner. */
typedef enum amp_priv_access_request {
    AMP_PRIV_READ,
    AMP_PRIV_WRITE,
    AMP_PRIV_READ_WRITE,
    AMP_PRIV_DISCARD,
    AMP_PRIV_WANTS
} amp_priv_access_request;

static inline uint32_t amp_priv_bit(int memory) { return UINT32_C(1) << memory; }

/* The bit of no memory. */
#define AMP_PRIV_NOBODY (UINT32_C(1) << 31)

#endif /* AMP_MEMORY_REQUEST_H */
