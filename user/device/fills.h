/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines that misses of the other kind bring in. Where misses of loads and of stores are sampled
 * at once, each event's bursts have but their own kind. The other kind's are counted: loads that
 * missed exactly, stores all of them, of which the records say how many missed.
 */
#ifndef CCSAMPLE_DEVICE_FILLS_H
#define CCSAMPLE_DEVICE_FILLS_H

#include <stdint.h>

#include "device/session.h"

#define FILLS_RECENT	8		/* bursts, of which the most counts */

/* Zeroed to begin with. */
struct device_fills {
	uint64_t own[2], others[2];	/* counted since the kind's last burst: loads, stores */
	double ratio[2][FILLS_RECENT];	/* others to own, of the latest bursts */
	uint32_t ratios[2];		/* seen */
	double missed[FILLS_RECENT];	/* of the stores of the latest bursts: the share */
	uint32_t shares;		/* seen */
};

/**
 * device_fills_count() - a slot was published.
 *
 * To be called before device_fills() of its records. Slots of one kind alone tell nothing.
 */
void device_fills_count(struct device_fills *fills, const struct device_session *session,
			const struct ccsample_slot *slot);

/**
 * device_fills_burst() - a kind's records end what was counted.
 * @event: of the session
 */
void device_fills_burst(struct device_fills *fills, const struct device_session *session,
			uint32_t event);

/* Of so many records of stores so many missed. */
void device_fills_stores(struct device_fills *fills, uint64_t stores, uint64_t missed);

/**
 * device_fills() - lines brought in, at most, as far as the mean of gap and burst says.
 * @events: of the burst, of its kind: load misses, or all stores
 * @missed: of them
 *
 * What others bring in is a mean: the most of the latest bursts counts, as too few lines between
 * two misses of one make a conflict of it, and too many hide but a part of those there are.
 *
 * Return: CCS_UNKNOWN where the other kind is not sampled, or not counted.
 */
uint64_t device_fills(const struct device_fills *fills, const struct device_session *session,
		      uint32_t event, uint64_t events, uint64_t missed);

#endif /* CCSAMPLE_DEVICE_FILLS_H */
