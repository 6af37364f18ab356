// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "device/pace.h"
#include "tracee/valgrind-lib/schedule.h"

#define WINDOW_NS	1000000000.0	/* CPU time between two settlements, at most */
#define WINDOW_SPENT	(PACE_START_NS / 4.0)	/* the same: that some bursts are in it */
#define SMOOTH		(1.0 / 3)	/* a settlement's part in the demand: bursts are lumps */
#define AT_FIRST_NS	100000000.0	/* CPU time over which the start is spent */
#define LEAST_OWN	0.05		/* of the CPU time, that the program took by itself */
#define LEAST_PART	0.25		/* of the overhead, where too much was spent */
#define CHANGE		1.25
#define PERIOD_MOST	1000000000.0

double device_spent_estimated(const struct device_spent *spent)
{
	return (double)PACE_RECORD_NS * spent->records +
	       (double)PACE_INTERRUPT_NS * spent->interrupts;
}

double device_spent_ns(const struct device_spent *spent)
{
	return spent->handler_ns + device_spent_estimated(spent);
}

/* What is held against the overhead. */
static double charged(const struct device_spent *spent)
{
	double most = (double)PACE_HANDLER_MOST_NS * spent->interrupts;

	return fmin(spent->handler_ns, most) + device_spent_estimated(spent);
}

void device_pace_begin(struct device_pace *pace, double overhead)
{
	*pace = (struct device_pace){
		.overhead = overhead,
		.period = SCHEDULE_DENSEST,
		.left = PACE_START_NS,
	};
}

/* What was spent in a window of the program's time, and what that leaves for the next. */
static void settle(struct device_pace *pace, const struct device_spent *now)
{
	double passed = now->cpu_ns - pace->since.cpu_ns;
	double spent = charged(now) - charged(&pace->since);
	double own = fmax(passed - spent, LEAST_OWN * passed), demand;

	if (passed <= 0 || (passed < WINDOW_NS && spent < WINDOW_SPENT))
		return;
	demand = pace->spent_by_period / own;
	pace->demand += (demand - pace->demand) * (pace->demand > 0 ? SMOOTH : 1);
	pace->left = fmin(PACE_START_NS, pace->left + pace->overhead * own - spent);
	pace->started |= pace->left < PACE_START_NS / 2.0;
	pace->spent_by_period = 0;
	pace->since = *now;
}

/* The least period that can be paid for, so that half of the start remains. */
static double affordable(const struct device_pace *pace)
{
	double part = pace->overhead * 2 * pace->left / PACE_START_NS;

	if (!pace->started)
		part = pace->overhead + pace->left / AT_FIRST_NS;
	return fmin(PERIOD_MOST, pace->demand / fmax(part, LEAST_PART * pace->overhead));
}

uint64_t device_pace(struct device_pace *pace, const struct device_spent *now)
{
	double wanted;

	pace->spent_by_period += (charged(now) - charged(&pace->last)) * pace->period;
	pace->last = *now;
	settle(pace, now);
	wanted = fmax(schedule_adapted(now->samples), ceil(affordable(pace)));
	if (wanted >= pace->period * CHANGE || wanted * CHANGE <= pace->period)
		pace->period = wanted;
	return pace->period;
}
