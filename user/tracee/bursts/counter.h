/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How fast the program is by itself, by the processor's own count of its instructions, where the
 * kernel gives a process one (perf_event_open(2)). Where a burst is due, the program goes on as it
 * is until so many instructions have retired in user mode; then a signal comes, and the burst
 * begins. So nothing of the program is translated to be timed (timed.h), and string instructions,
 * returns and new code are as fast as ever. What the kernel does meanwhile counts as the program's
 * time.
 *
 * The event is there for that time alone: no counter of the program's is in its way but then. Its
 * mapping holds it; the descriptor is closed at once. It sends one signal: SIGURG, if the program
 * leaves that alone. By default it is ignored, so that it does no harm in a new image, where one
 * comes after all (a timer's are discarded by exec).
 */
#ifndef CCSAMPLE_TRACEE_BURSTS_COUNTER_H
#define CCSAMPLE_TRACEE_BURSTS_COUNTER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#define COUNTER_INSTRUCTIONS	(512u << 10)	/* their time is long beside a signal's */
#define COUNTER_LATE_NS		20000000u	/* of CPU time: no signal came */

struct burst;

/* A thread's. */
struct counter {
	void *page;			/* the event's mapping; NULL = there is none */
	int32_t fd;			/* as what it was opened: its signal says so */
	uint32_t skip;			/* bursts that go without one, after no signal came */
	uint32_t skipped;		/* ... so many then; grows */
	uint64_t opened_ns;		/* CPU time */
	uint64_t took_ns;		/* what the instructions took; 0 = not known */
	uint64_t met;			/* where the timer met the program before them */
};

/*
 * @context: of the handler that calls; @met: as calls_met() has it
 * Return: false: no counter is to be had, or another thread is at it, or in a burst.
 */
bool counter_begin(struct counter *counter, const ucontext_t *context, uint64_t met);

/* Its signal came: is it that? @cpu_ns: the thread's CPU time */
bool counter_end(struct counter *counter, const siginfo_t *info, uint64_t cpu_ns);

/* No signal comes any more. Any thread may. Return: there was an event. */
bool counter_drop(struct counter *counter);

/* The timer came: is the signal late? Then there is no event, nor will be one for some bursts. */
bool counter_late(struct counter *counter);

/*
 * The same of the thread that has an event: what the program does would show it. Any may call.
 * @only: if it is that one; 0 = whichever it is
 */
void counter_leave(uint32_t only);

/* In a fork's child: there is none, whatever the parent's thread has. */
void counter_forked(struct counter *counter);

/*
 * The burst has what the counter said, if anything: a later one does not. It began where the timer
 * met the program, for times are what bursts are sampled by.
 */
void counter_give(struct counter *counter, struct burst *slot);

#endif /* CCSAMPLE_TRACEE_BURSTS_COUNTER_H */
