/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The period where none was given: as dense as the engine's (schedule_adapted()), and no denser
 * than what may be spent allows. Pure: what was taken and spent goes in, a period comes out.
 *
 * What sampling costs is part measured, part estimated. The module's own part of an interrupt it
 * measures itself. The rest of an interrupt (entry, perf's handler, return) and the processor's
 * writing of a record nobody can measure while it goes on; they are taken to be the upper ends of
 * docs/jitter.md, "In cycles: a model". None of it was seen on silicon.
 */
#ifndef CCSAMPLE_DEVICE_PACE_H
#define CCSAMPLE_DEVICE_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define PACE_RECORD_NS		300	/* a record (Akiyama and Hirofuchi, ROSS 2017) */
#define PACE_INTERRUPT_NS	900	/* an interrupt but for the module's handler, at 3 GHz */

/*
 * By docs/jitter.md handlers take a microsecond at most. What more they are measured to take
 * in the mean is a hypervisor's, which keeps the CPU, or the firmware's: no period changes it.
 */
#define PACE_HANDLER_MOST_NS	5000

/* To the program's first moment each recording may add so much, that short runs are judged. */
#define PACE_START_NS		10000000

/* Of all sessions, up to now. */
struct device_spent {
	uint64_t samples;	/* that were kept */
	uint64_t records;	/* that the processor wrote */
	uint64_t interrupts;
	uint64_t handler_ns;	/* of these: measured */
	uint64_t cpu_ns;	/* that the program took, sampling included */
};

/* Zeroed but for the first member, and begun by device_pace_begin(). */
struct device_pace {
	double overhead;	/* what may be spent, of what the program takes by itself */
	uint64_t period;	/* in force */
	double left;		/* ns that may be spent besides */
	bool started;		/* of which half was */
	double demand;		/* share that a period of 1 would take */
	double spent_by_period;	/* ns since `since`, times the period in force */
	struct device_spent since, last;
};

/* ns, the estimated part alone, and all. */
double device_spent_estimated(const struct device_spent *spent);
double device_spent_ns(const struct device_spent *spent);

void device_pace_begin(struct device_pace *pace, double overhead);

/**
 * device_pace() - what the period is to be from now on.
 *
 * It changes by a quarter at least, so that there are few changes.
 *
 * Return: pace->period
 */
uint64_t device_pace(struct device_pace *pace, const struct device_spent *now);

#endif /* CCSAMPLE_DEVICE_PACE_H */
