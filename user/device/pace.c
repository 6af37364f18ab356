// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "device/pace.h"

#define WINDOW_NS	1000000000.0	/* CPU time between two settlements, at most */
#define WINDOW_SPENT	(PACE_START_NS / 4.0)	/* the same: that some bursts are in it */
#define SMOOTH		(1.0 / 3)	/* a settlement's part in the demand: bursts are lumps */
#define AT_FIRST_NS	100000000.0	/* CPU time over which the start is spent */
#define LEAST_OWN	0.05		/* of the CPU time, that the program took by itself */
#define LEAST_PART	0.25		/* of what may be spent, where too much was */
#define CHANGE		1.25
#define PERIOD_MOST	1000000000.0
#define ENOUGH		256u		/* records, to say how many of them are kept */
#define JUDGED		65536.0		/* ... of the latest, that a phase does not hide the next */
#define RARELY		64.0		/* so many times longer, at most, for that */
#define FULL		0.5		/* of the room for records: more is too much */
#define EMPTY		0.125		/* ... and less is none */
#define BEHIND		1.5		/* longer at a look that finds the reader behind */
#define THIN_AT_ONCE	16.0		/* at most, by what one look finds dropped */
#define BURSTS_LEAST	4		/* in as many events as there were before */
#define RECOVERY	(15.0 / 16)	/* a look, while nothing waits */
#define SIZE_FREE	0.5		/* part of the size up to which nothing is thinned for it */

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

void device_pace_begin(struct device_pace *pace, double overhead, uint32_t burst, uint32_t events,
		       uint32_t sparse)
{
	uint32_t i;

	*pace = (struct device_pace){
		.overhead = overhead,
		.burst = burst,
		.events = events,
		.thin = 1,
		.left = PACE_START_NS,
	};
	for (i = 0; i < events; i++) {
		struct pace_event *event = &pace->event[i];

		event->sparse = sparse >> i & 1;
		event->dearer = event->sparse ? PACE_SPARSE : 1;
		event->period = event->stands_for = PACE_DENSEST * event->dearer;
		event->part = 1.0 / events;
	}
}

void device_pace_give(struct device_pace *pace, uint32_t event, uint64_t period)
{
	pace->event[event].given = true;
	pace->event[event].period = pace->event[event].stands_for = period;
}

/* As few of its records are kept, as rarely it pays. */
static void weigh(struct pace_event *event, double taken, double kept)
{
	event->judged += taken;
	event->useful += kept;
	if (event->judged > JUDGED) {
		event->judged /= 2;
		event->useful /= 2;
	}
	if (event->judged >= ENOUGH)
		event->dearer = fmin(sqrt(event->judged / fmax(event->useful, 1)), RARELY);
}

/*
 * Of what was dropped or waits nobody knows the event, nor which period its gap was drawn of: a gap
 * goes on behind a change, of each session. It is taken to be as of the latest taken.
 */
static void find_parts(struct device_pace *pace, const struct device_spent *now)
{
	double all = 0;
	uint32_t i;

	for (i = 0; i < pace->events; i++)
		all += now->taken[i] - pace->last.taken[i];
	if (!all)
		return;
	for (i = 0; i < pace->events; i++) {
		struct pace_event *event = &pace->event[i];
		double taken = now->taken[i] - pace->last.taken[i];

		if (event->sparse)
			weigh(event, taken, now->kept[i] - pace->last.kept[i]);
		event->recent = event->recent / 2 + taken;
		if (taken > 0)
			event->stands_for = (now->stood_for[i] - pace->last.stood_for[i]) / taken;
	}
	for (all = 0, i = 0; i < pace->events; i++)
		all += pace->event[i].recent;
	for (i = 0; i < pace->events; i++)
		pace->event[i].part = pace->event[i].recent / all;
}

/* What a reader takes that is behind was written long ago, at other periods. */
static void see(struct device_pace *pace, const struct device_spent *now)
{
	double records = now->records - pace->last.records;
	uint32_t i;

	for (i = 0; i < pace->events; i++) {
		struct pace_event *event = &pace->event[i];
		double each = now->full < EMPTY ? event->stands_for : event->period;
		double events = event->part * records * each;

		event->seen += events;
		event->since += events;
	}
}

/* Part of the program's time that those that adapt may take. */
static double allowed(const struct device_pace *pace)
{
	double part = pace->overhead;
	uint32_t i;

	for (i = 0; i < pace->events; i++)
		if (pace->event[i].given)
			part -= pace->event[i].demand / pace->event[i].period;
	return fmax(part, LEAST_PART * pace->overhead);
}

/*
 * What was spent in a window of the program's time, and what that leaves for the next. What given
 * periods cost is the user's choice: it lowers what the others may take, and is no debt of theirs.
 */
static void settle(struct device_pace *pace, const struct device_spent *now)
{
	double passed = now->cpu_ns - pace->since.cpu_ns;
	double spent = charged(now) - charged(&pace->since), others = spent;
	double own = fmax(passed - spent, LEAST_OWN * passed);
	double record = spent / fmax(now->records - pace->since.records, 1);
	uint32_t i;

	if (passed <= 0 || (passed < WINDOW_NS && spent < WINDOW_SPENT))
		return;
	for (i = 0; i < pace->events; i++) {
		struct pace_event *event = &pace->event[i];
		double demand = record * event->since / own;

		event->demand += (demand - event->demand) * (pace->measured ? SMOOTH : 1);
		if (event->given)
			others -= record * event->since / event->period;
		event->since = 0;
	}
	pace->measured |= spent > 0;
	pace->left = fmin(PACE_START_NS, pace->left + allowed(pace) * own - others);
	pace->started |= pace->left < PACE_START_NS / 2.0;
	pace->since = *now;
}

/* The least period that is worth its while. */
static double dense(const struct pace_event *event)
{
	return event->given ? event->period : PACE_DENSEST * event->dearer;
}

/*
 * How much longer periods must be for what can be paid, so that half of the start remains.
 * @wanted: without that
 */
static double unaffordable(const struct device_pace *pace, const double *wanted)
{
	double most = allowed(pace), part = most * 2 * pace->left / PACE_START_NS, share = 0;
	uint32_t i;

	if (!pace->started)
		part = most + pace->left / AT_FIRST_NS;
	for (i = 0; i < pace->events; i++)
		if (!pace->event[i].given)
			share += pace->event[i].demand / wanted[i];
	return share / fmax(part, LEAST_PART * most);
}

/*
 * For the reader: thinned at once by what was dropped, as seen at the periods in force, a little
 * while it falls behind, and taken back while it keeps up. What the look behind a change finds was
 * partly written before it.
 */
static void find_thin(struct device_pace *pace, const struct device_spent *now,
		      const double *wanted)
{
	double records = now->records - pace->last.records, longer = 0, parts = 0;
	double dropped = now->dropped - pace->last.dropped, more = BEHIND;
	bool behind = now->full > FULL && now->waiting > pace->last.waiting;
	uint32_t i;

	for (i = 0; i < pace->events; i++) {
		if (pace->event[i].given)
			continue;
		longer += pace->event[i].part * pace->event[i].period / wanted[i];
		parts += pace->event[i].part;
	}
	if (dropped > 0)
		more = fmax(more, fmin(records / fmax(records - dropped, 1), THIN_AT_ONCE));
	pace->thinned = (dropped > 0 || behind) && !pace->thinned;
	if (pace->thinned)
		pace->thin = parts > 0 ? fmax(1, longer / parts * more) : 1;
	else if (now->full < EMPTY)
		pace->thin = fmax(1, pace->thin * RECOVERY);
}

/*
 * A gap that was drawn goes on, whatever is known by then. So none is longer, in the mean, than a
 * part of what happened before: that is few bursts, which any reader takes and little overhead
 * pays, and a phase as long as the one before it is not passed by.
 */
static double at_most(const struct pace_event *event, uint32_t burst, double period)
{
	return fmin(period, event->seen / BURSTS_LEAST / burst);
}

/* In its second half the room for samples fills the more slowly the less is left. */
static double too_large(const struct device_spent *now)
{
	double room = fmax(1 - now->written, 1e-6) / (1 - SIZE_FREE);

	return room < 1 ? 1 / (room * room * room) : 1;
}

bool device_pace(struct device_pace *pace, const struct device_spent *now)
{
	double wanted[CCSAMPLE_EVENTS_MAX], longer, period;
	bool changed = false;
	uint32_t i;

	find_parts(pace, now);
	see(pace, now);
	for (i = 0; i < pace->events; i++)
		wanted[i] = dense(&pace->event[i]);
	find_thin(pace, now, wanted);
	pace->last = *now;
	settle(pace, now);
	longer = fmax(unaffordable(pace, wanted), pace->thin);
	for (i = 0; i < pace->events; i++) {
		if (pace->event[i].given)
			continue;
		period = at_most(&pace->event[i], pace->burst, wanted[i] * longer);
		period = fmax(period, wanted[i] * too_large(now));
		period = fmin(ceil(period), PERIOD_MOST);
		if (period < pace->event[i].period * CHANGE &&
		    period * CHANGE > pace->event[i].period)
			continue;
		pace->event[i].period = period;
		changed = true;
	}
	return changed;
}
