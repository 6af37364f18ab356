/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of a processor, as `ccsample events` lists them. */
#ifndef CCSAMPLE_HOST_EVENT_LIST_H
#define CCSAMPLE_HOST_EVENT_LIST_H

#include <stdbool.h>

struct event_query {
	const char *cpu;		/* as libpfm4 calls it; NULL = this machine's */
	const char *absent;		/* why there is no PEBS here; NULL = there is */
	char **words;			/* all of which an event has; ended by NULL */
	bool pebs;			/* only events of PEBS */
	bool json;
};

/* Prints the events that match. Return: 0, or -1 after one line: none, or no such processor. */
int event_list(const struct event_query *query);

#endif /* CCSAMPLE_HOST_EVENT_LIST_H */
