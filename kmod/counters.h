/* SPDX-License-Identifier: GPL-2.0-only */
/* The perf events that a session holds, so that perf's books agree with ours. */
#ifndef CCSAMPLE_KMOD_COUNTERS_H
#define CCSAMPLE_KMOD_COUNTERS_H

#include "session.h"

/**
 * ccsample_counters_create() - make the events, disabled.
 * @ask: what was asked for; `plain` of each event is filled in, `references` is
 *	 0 afterwards where no counter is left for them
 *
 * Each event gets a precise one, which perf programs for PEBS, and, where a
 * counter is left, a plain one that counts the same. A last counter goes to
 * references.
 *
 * Return: 0 or perf's error: -EINVAL, -EOPNOTSUPP for an event that cannot be precise.
 */
int ccsample_counters_create(struct ccsample_session *s, struct ccsample_open *ask);

/* Return: 0, or -EBUSY where the counters are taken. */
int ccsample_counters_enable(struct ccsample_session *s);

/* The precise ones first: a plain one has never counted less. */
void ccsample_counters_disable_precise(struct ccsample_session *s);
void ccsample_counters_disable(struct ccsample_session *s);
void ccsample_counters_release(struct ccsample_session *s);

/* Bytes that the values of counters take in a record (CCSAMPLE_VALUES). */
u32 ccsample_values_bytes(const struct ccsample_cpu *kind);

/* What PEBS_DATA_CFG holds as perf has it for our events alone; 0 = there is no such register. */
u64 ccsample_groups(const struct ccsample_session *s);

/*
 * On the session's CPU, PEBS off: records hold them from now on, or as perf's books have it, unless
 * perf has changed that itself.
 */
void ccsample_values_on(struct ccsample_session *s);
void ccsample_values_off(struct ccsample_session *s);

#endif /* CCSAMPLE_KMOD_COUNTERS_H */
