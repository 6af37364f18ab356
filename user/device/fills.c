// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>

#include "device/fills.h"
#include "format/format.h"

#define EVENT_AND_UMASK	0xffffu
#define STORES_LEAST	32u		/* records of a slot, to say how many miss */
#define L1_MISSES	0x08d1u		/* MEM_LOAD_RETIRED.L1_MISS, wherever stores are sampled */

enum kind { LOADS, STORES };

/* The session's event of a kind. Return: false if there is none, or it is not counted. */
static bool find_kind(const struct device_session *session, enum kind kind, uint32_t *event)
{
	for (uint32_t i = 0; i < session->how.events; i++) {
		bool stores = session->stores >> i & 1;

		if (!session->how.event[i].plain || stores != (kind == STORES))
			continue;
		*event = i;
		if (stores || (session->how.event[i].config & EVENT_AND_UMASK) == L1_MISSES)
			return true;
	}
	return false;
}

static bool find_kinds(const struct device_session *session, uint32_t events[2])
{
	return session->how.burst > 1 && find_kind(session, LOADS, &events[LOADS]) &&
	       find_kind(session, STORES, &events[STORES]);
}

void device_fills_count(struct device_fills *fills, const struct device_session *session,
			const struct ccsample_slot *slot)
{
	uint32_t events[2];

	if (!find_kinds(session, events))
		return;
	for (int kind = 0; kind < 2; kind++) {
		fills->own[kind] += slot->events[events[kind]];
		fills->others[kind] += slot->events[events[!kind]];
	}
}

void device_fills_burst(struct device_fills *fills, const struct device_session *session,
			uint32_t event)
{
	uint32_t events[2];

	if (!find_kinds(session, events))
		return;
	for (int kind = 0; kind < 2; kind++) {
		if (events[kind] != event || !fills->own[kind])
			continue;
		fills->ratio[kind][fills->ratios[kind]++ % FILLS_RECENT] =
			(double)fills->others[kind] / fills->own[kind];
		fills->own[kind] = fills->others[kind] = 0;
	}
}

void device_fills_stores(struct device_fills *fills, uint64_t stores, uint64_t missed)
{
	if (stores >= STORES_LEAST)
		fills->missed[fills->shares++ % FILLS_RECENT] = (double)missed / stores;
}

static double most(const double *values, uint32_t seen)
{
	double most = 0;

	for (uint32_t i = 0; i < seen && i < FILLS_RECENT; i++)
		most = values[i] > most ? values[i] : most;
	return most;
}

uint64_t device_fills(const struct device_fills *fills, const struct device_session *session,
		      uint32_t event, uint64_t events, uint64_t missed)
{
	uint32_t of_kind[2];
	double others;

	if (!find_kinds(session, of_kind))
		return CCS_UNKNOWN;
	if (event == of_kind[STORES]) {
		if (!fills->ratios[STORES])
			return CCS_UNKNOWN;
		others = most(fills->ratio[STORES], fills->ratios[STORES]);
		return missed + (uint64_t)(others * events);
	}
	if (event != of_kind[LOADS] || !fills->ratios[LOADS])
		return CCS_UNKNOWN;
	/* Before any store was sampled all may miss. */
	others = fills->ratio[LOADS][(fills->ratios[LOADS] - 1) % FILLS_RECENT] *
		 (fills->shares ? most(fills->missed, fills->shares) : 1);
	return missed + (uint64_t)(others * events);
}
