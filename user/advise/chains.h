/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which loads the addresses of other references wait for, read from the code of the bursts' loops:
 * as if the instructions of a loop ran one after the other, twice.
 */
#ifndef CCSAMPLE_ADVISE_CHAINS_H
#define CCSAMPLE_ADVISE_CHAINS_H

#include "advise/keep.h"

struct chains;

/* @keep: ended */
struct chains *chains_new(const struct keep *keep);
void chains_free(struct chains *chains);

/* May an address of site @site wait for what site @load loads? */
bool chains_waits(const struct chains *chains, uint32_t site, uint32_t load);

/* Does its own address wait for its load, perhaps over others: a list that is walked? */
bool chains_chained(const struct chains *chains, uint32_t site);

#endif /* CCSAMPLE_ADVISE_CHAINS_H */
