/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of processors' events: libpfm4's, and which of them the module's
 * table (kmod/models.c) knows as load misses of a cache level.
 */
#ifndef CCSAMPLE_HOST_EVENT_NAMES_H
#define CCSAMPLE_HOST_EVENT_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct event_cpu {
	int pmu;			/* libpfm4's number, -1 = it does not know the processor */
	const char *name, *about;	/* "skl", "Intel Skylake" */
	bool here;			/* this machine's */
	const char *proxy_for;		/* this machine's, which libpfm4 does not know; or NULL */
	unsigned int row;		/* in the table of models; ccsample_models_nr = in none */
};

/* One event, as record -e takes it. */
struct event_name {
	const char *name;		/* "MEM_LOAD_RETIRED.L1_MISS" */
	const char *about;
	uint64_t code;			/* event | umask << 8 | ..., as rNNN */
	uint32_t level;			/* whose load misses it counts, 0 = something else */
	bool precise;			/* PEBS takes it, and a session */
};

/**
 * event_cpu_find() - a processor by libpfm4's name of it.
 * @name: NULL = this machine's. One that libpfm4 does not know has a proxy, of the same
 *	events, if the table of models knows it; else no events by name.
 *
 * Return: 0, or -1 after one line on standard error.
 */
int event_cpu_find(const char *name, struct event_cpu *cpu);

/* The names that event_cpu_find() takes, with commas between them. Allocated. */
char *event_cpu_names(void);

/* Hands over each event of a processor, one for each unit mask. Texts last until it returns. */
void event_names_each(const struct event_cpu *cpu,
		      void (*take)(void *context, const struct event_name *event), void *context);

/**
 * event_name_resolve() - an event of a processor by its name, in any case of letters.
 *
 * Return: how many codes libpfm4 gives it: one, @event's; more, where it takes other registers,
 * too, and no raw code is that event; 0 of none.
 */
int event_name_resolve(const struct event_cpu *cpu, const char *name, struct event_name *event);

#endif /* CCSAMPLE_HOST_EVENT_NAMES_H */
