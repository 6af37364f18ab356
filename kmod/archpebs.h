/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Architectural PEBS: registers in place of a DS area. A slot is a buffer of its own, by physical
 * address; a counter's reload stands in its configuration, next to perf's choice of groups.
 */
#ifndef CCSAMPLE_KMOD_ARCHPEBS_H
#define CCSAMPLE_KMOD_ARCHPEBS_H

#include "session.h"

/* A record: one fragment with the basic group and memory's. */
#define CCSAMPLE_ARCH_RECORD	128
#define CCSAMPLE_ARCH_TSC	0x20
#define CCSAMPLE_ARCH_STATUS	BIT_ULL(54)	/* of GLOBAL_STATUS: the threshold is reached */

/* Slots are so many bytes, times a power of two, in one piece. */
#define CCSAMPLE_ARCH_SLOT	4096

/* On the session's CPU, interrupts off, `busy` set (or in the NMI). */

/* The buffer becomes ours, as DS_AREA does elsewhere, and goes back. */
void ccsample_arch_take(struct ccsample_session *s);
void ccsample_arch_give(struct ccsample_session *s);
bool ccsample_arch_ours(const struct ccsample_session *s);

/* Bytes of records in the slot being filled. */
u32 ccsample_arch_position(void);

/*
 * Points the buffer at a slot, with PEBS off. Return: the position before. Records that land just
 * then are lost, and counted; so they are when PEBS is switched.
 */
u32 ccsample_arch_point(struct ccsample_session *s, u64 slot);

/* Off: with a threshold that records in flight do not reach. */
void ccsample_arch_off(struct ccsample_session *s);
void ccsample_arch_on(struct ccsample_session *s);

/* The counters whose PEBS is on, as bits of PEBS_ENABLE. @ours: some that may just not count */
u64 ccsample_arch_enabled(const struct ccsample_session *s, u64 ours);

/* What the counter restarts from. Ceasing leaves it as perf has it. */
void ccsample_arch_reload(struct ccsample_counter *c, u64 value);
void ccsample_arch_cease(const struct ccsample_counter *c);

/* Are the records of a counter those that were asked for? */
bool ccsample_arch_fits(int counter);

/**
 * ccsample_arch_disturbed() - has perf written the index? Or PEBS is off.
 *
 * It does so when it puts a precise event on a counter, ours as well: the position is zero then,
 * and the threshold is perf's.
 */
bool ccsample_arch_disturbed(const struct ccsample_session *s);

/*
 * Could records in flight fill the slot, before perf's handler, which is next, looks whether it is
 * full? It would drain its own buffer, up to the position in ours.
 */
bool ccsample_arch_nearly_full(const struct ccsample_session *s);

/* In an NMI, before perf's handler. Return: the threshold was reached since the last. */
bool ccsample_arch_acknowledge(const struct ccsample_session *s);

/* Disturbed, or off by our doing and empty: perf has drained it. */
bool ccsample_arch_emptied(const struct ccsample_session *s);

/* Counts what the slot has had as lost. */
void ccsample_arch_lose(struct ccsample_session *s);

/*
 * Begins the slot again if it was emptied; the records that were in it are counted as lost. Up to
 * CCSAMPLE_LATE_MAX too many: those that are in flight are there all the same. Return: was it?
 */
bool ccsample_arch_mend(struct ccsample_session *s);

#endif /* CCSAMPLE_KMOD_ARCHPEBS_H */
