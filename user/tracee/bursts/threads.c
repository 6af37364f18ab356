// SPDX-License-Identifier: GPL-2.0-only
/* Threads that are observed: a timer of their CPU time, a stack for signals. */
#include <errno.h>
#include <linux/time_types.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <x86intrin.h>

#include "tracee/bursts/bursts.h"
#include "tracee/bursts/places.h"
#include "tracee/x86/cpu.h"

#define RETRY		1000u		/* microseconds */
#define LONGEST		1000000u	/* ... of one timer: the recorder may shorten an interval */
#define SOON		10000u		/* after a burst: sooner than that none need come */
#define SHORTEST	4000u		/* ... of one that only notes where the thread is */
#define TICKS		128u		/* of an interval, about: fewer than BURST_MET */
#define CALLS		3u		/* in a row in which no burst begins */
#define PATIENCE	8u		/* a burst may come so great a part of its interval later */
#define EARLIER		4u		/* ... times that, sooner */
#define NEAR_NS		500000u		/* a burst may begin so much before its interval is over */
#define BLOCKED_NS	20000000u	/* no handler of the program's goes on for so long */
#define FRAME_REST	1024		/* of the kernel's frame: registers, red zone, alignment */
#define HANDLER_STACK	2048		/* what the timer's handler needs beyond the frame */
#define HANDLERS_OWN	8192		/* what a handler of the program's may use of its stack */

static struct places places;		/* of all threads: docs/bursts.md */

/*
 * Of the kernel's signal frame. What AT_MINSIGSTKSZ says has room for AMX's tiles, which are in
 * frames only of programs that asked for them.
 */
static size_t frame_size(bool with_tiles)
{
	size_t most = getauxval(AUX_MINSIGSTKSZ), usual = cpu_xsave_bytes() + FRAME_REST;

	return with_tiles && most > usual ? most : usual;
}

bool thread_stack_fits(const stack_t *stack, bool with_tiles)
{
	return stack->ss_size >= frame_size(with_tiles) + HANDLER_STACK;
}

bool thread_stack_fits_two(const stack_t *stack)
{
	stack_t half = *stack;

	if (stack->ss_flags & SS_DISABLE)
		return true;
	half.ss_size = half.ss_size > HANDLERS_OWN ? (half.ss_size - HANDLERS_OWN) / 2 : 0;
	return thread_stack_fits(&half, false);
}

/* The program's alternate stack is kept, if it has one; otherwise ours is set. */
static void set_stack(struct thread *thread)
{
	stack_t ours = { .ss_sp = thread->stack, .ss_size = thread->stack_size }, its = { 0 };

	sys2(sigaltstack, NULL, &its);
	if (its.ss_flags & SS_DISABLE)
		sys2(sigaltstack, &ours, NULL);
	thread_note_stack(thread, &its);
}

static uint32_t random_below(struct thread *thread, uint32_t limit)
{
	thread->random ^= thread->random << 13;
	thread->random ^= thread->random >> 7;
	thread->random ^= thread->random << 17;
	return limit ? (thread->random >> 11) % limit : 0;
}

/* --- when the next burst begins --- */

static uint32_t current_interval(void)
{
	return __atomic_load_n(&area->interval_us, __ATOMIC_RELAXED);
}

/* Timers of CPU time fire at the kernel's next tick. It is the same for all. */
static uint32_t kernel_tick_us(void)
{
	static uint32_t us;
	struct timespec tick = { 0 };

	if (!us && !sys2(clock_getres, CLOCK_MONOTONIC_COARSE, &tick))
		us = tick.tv_nsec / 1000;
	return us;
}

/*
 * As long as it is from any time to the next burst where intervals are half to one and a half of
 * the mean: then each time of a thread has the same chance, its first milliseconds and those of
 * threads that live for less than an interval, too (Cox, Renewal Theory, 5.1). What is due up to a
 * tick before the thread began is met at its first tick.
 */
static uint32_t until_first(struct thread *thread, uint32_t mean)
{
	uint32_t us = random_below(thread, mean), other = random_below(thread, mean);
	uint32_t tick = kernel_tick_us();

	if (random_below(thread, 2))
		us /= 2;
	else
		us = mean + mean / 2 - (us > other ? us : other);
	return us > tick ? us - tick : 1;
}

/*
 * The next tick is before that where the burst is far away: many cheap looks at where the thread is
 * tell how its time is shared out, which bursts are too few to tell. At any time, so that they keep
 * no step with the program.
 */
static uint32_t until_tick(struct thread *thread, uint32_t us)
{
	uint32_t mean = current_interval() / TICKS;

	if (mean < SHORTEST)
		mean = SHORTEST;
	if (mean > LONGEST / 2)
		mean = LONGEST / 2;
	mean = thread->first_us && !thread->met ? until_first(thread, mean) :
						  mean / 2 + random_below(thread, mean);
	return us < mean ? us : mean;
}

static void watch_from(struct thread *thread, uint64_t now, uint64_t ns)
{
	struct itimerspec when = { 0 };

	if (thread->timer < 0)
		return;
	when.it_value.tv_sec = ns / 1000000000;
	when.it_value.tv_nsec = ns % 1000000000;
	sys4(timer_settime, thread->timer, 0, &when, NULL);
	thread->fires_ns = now + ns;
}

void thread_watch(struct thread *thread, uint64_t ns)
{
	watch_from(thread, current_cpu_ns(), ns);
}

/* @us: of CPU time from now on, until the next burst */
static void set_timer(struct thread *thread, uint64_t now, uint32_t us)
{
	watch_from(thread, now, until_tick(thread, us) * 1000ull + 1);
}

static void set_burst(struct thread *thread, uint32_t us)
{
	uint64_t now = current_cpu_ns();

	thread->due_ns = now + us * 1000ull;
	set_timer(thread, now, us);
}

/*
 * Another thread may be ending all bursts: it deletes the timers that it finds. One that it does
 * not find, for it looked before, is not armed: its signal would end the program.
 */
static bool create_timer(struct thread *thread)
{
	struct sigevent event = {
		.sigev_value.sival_ptr = thread,
		.sigev_signo = timer_signal,
		.sigev_notify = SIGEV_THREAD_ID,
	};

	event._sigev_un._tid = thread->tid;
	thread->timer = -1;
	if (event.sigev_signo &&
	    sys3(timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &thread->timer)) {
		thread->timer = -1;
		area_count(BURST_TIMER);
	}
	if (!__atomic_load_n(&timer_signal, __ATOMIC_SEQ_CST))
		thread_disarm(thread);
	return thread->timer >= 0;
}

/* @later: microseconds of CPU time in which it does not fire */
static void make_timer(struct thread *thread, uint32_t later)
{
	uint64_t now;
	uint32_t first;

	if (!create_timer(thread))
		return;
	now = current_cpu_ns();
	thread->ramp_us = thread->first_us = area->first_us;
	thread->retry_us = RETRY;
	thread->met = 0;
	thread->in_calls = 0;
	thread->forbidden = 0;
	thread->began_ns = now;
	thread->patience_ns = 0;
	thread->early = thread->tid == sys0(getpid) && thread->first_us <= SOON;
	first = until_first(thread, thread->first_us);
	thread->due_ns = now + (later + first) * 1000ull;
	watch_from(thread, now, (later + until_tick(thread, first)) * 1000ull + 1);
}

static void unblock(void)
{
	int signal = timer_signal;
	uint64_t ours = signal ? SIGNAL_BIT(signal) : 0;

	sys4(rt_sigprocmask, SIG_UNBLOCK, &ours, NULL, sizeof(ours));
}

/*
 * By hand the recorder sets the mask, once the thread is where it was. A system call from which
 * that took it begins again, if no signal of ours comes at once.
 */
void thread_begin(struct thread *thread, uint32_t number)
{
	uint32_t tid = current_tid();

	thread->small_stack = thread->left = false;
	thread->random = (__rdtsc() ^ (uint64_t)tid << 32) | 1;
	thread->number = number ? number : tid;
	thread->seen_ns = 0;		/* the loader's time is the program's, too */
	set_stack(thread);
	thread_is(thread, tid);
	__atomic_fetch_add(&area->threads, 1, __ATOMIC_RELAXED);
	make_timer(thread, number ? RETRY : 0);
	if (!number)
		unblock();
}

void thread_seen(struct thread *thread, uint64_t cpu_ns)
{
	__atomic_fetch_add(&area->seen_ns, cpu_ns - thread->seen_ns, __ATOMIC_RELAXED);
	thread->seen_ns = cpu_ns;
}

void thread_give_last(struct thread *thread)
{
	struct burst *slot = thread->met ? area_claim_spare() : NULL;

	thread_seen(thread, current_cpu_ns());
	if (!slot)
		return;
	slot->tid = thread->number;
	slot->number = slot->image = 0;
	slot->cpu_time = current_cpu_ns();
	slot->start = slot->end = __rdtsc();
	slot->cpu_spent = slot->settle_ns = slot->missing = 0;
	counter_give(&thread->counter, slot);
	slot->log_begin = slot->log_end = slot->definitions = slot->translated = 0;
	slot->part = slot->more = slot->first_us = 0;
	thread_give_met(thread, slot);
	area_publish(slot);
}

/*
 * Masks go past ours in system calls that are not made through the C library. In a handler of the
 * program's, which may end it, ours blocks the signal too, but not for long.
 */
void thread_look(const struct thread *thread)
{
	uint64_t pending = 0;

	if (thread->timer < 0 || !timer_signal || sys2(rt_sigpending, &pending, sizeof(pending)))
		return;
	if (pending & SIGNAL_BIT(timer_signal) && current_cpu_ns() > thread->fires_ns + BLOCKED_NS)
		area_count(BURST_BLOCKED);
}

bool thread_disarm(struct thread *thread)
{
	int32_t timer = __atomic_exchange_n(&thread->timer, -1, __ATOMIC_RELAXED);
	bool had = timer >= 0 && thread->tid && !sys1(timer_delete, timer);

	counter_drop(&thread->counter);
	return had;
}

void thread_end(struct thread *thread)
{
	stack_t none = { .ss_flags = SS_DISABLE }, set;

	thread_look(thread);
	thread_disarm(thread);
	thread_give_last(thread);
	thread_note_stack(thread, &none);
	memset(&set, 0, sizeof(set));
	sys2(sigaltstack, NULL, &set);
	if (set.ss_sp == thread->stack && sys2(sigaltstack, &none, NULL))
		return;			/* on that very stack: it is never used again */
	thread_release(thread);
}

void thread_forked(struct thread *self)
{
	self->next_all = here.threads;
	here.threads = self;
	self->number = current_tid();
	thread_is(self, self->number);
	self->random ^= __rdtsc() | 1;
	self->seen_ns = 0;
	counter_forked(&self->counter);
	__atomic_fetch_add(&area->threads, 1, __ATOMIC_RELAXED);
	if (self->left || self->timer < 0)
		return;
	make_timer(self, 0);
	unblock();
}

void threads_leave_small_stacks(void)
{
	struct thread *thread;

	for (thread = threads_first(); thread; thread = thread->next_all)
		if (thread->small_stack && thread_disarm(thread))
			area_count(BURST_SMALL_STACK);
}

/* No fork asks for memory any more, either. */
void threads_stop(void)
{
	struct thread *thread;

	for (thread = threads_first(); thread; thread = thread->next_all) {
		thread_disarm(thread);
		thread_copied(thread, true);
	}
}

void thread_ended(uint32_t number)
{
	struct thread *thread = threads_first();

	while (thread && (!thread->tid || thread->tid == THREAD_CLAIMED ||
			  thread->number != number))
		thread = thread->next_all;
	if (!thread)
		return;
	thread_disarm(thread);
	thread_release(thread);
}

/* Half to one and a half of the mean. */
static void set_about(struct thread *thread, uint32_t mean)
{
	if (mean > UINT32_MAX / 2)
		mean = UINT32_MAX / 2;
	thread->patience_ns = mean / PATIENCE < SHORTEST ? 0 : mean * 1000ull / PATIENCE;
	set_burst(thread, mean / 2 + random_below(thread, mean));
}

/*
 * No longer than all the time before: where bursts of a program's beginning cost much, what it does
 * then would have none until that is paid back, which may be after its end. Other threads may be
 * many: those that have one burst stand for the others. Where the recording has no room this does
 * not hold.
 */
static uint32_t no_longer(const struct thread *thread, uint32_t interval)
{
	uint64_t before = (current_cpu_ns() - thread->began_ns) / 1000;

	if (before < SOON)
		before = SOON;
	return !thread->early || area->limited || interval < before ? interval : before;
}

/* The first ones are shorter; once they are as long, the recorder's word counts. */
void thread_arm(struct thread *thread, uint64_t met)
{
	uint32_t interval = current_interval(), first = area->first_us;

	place_began(&places, met);
	thread->retry_us = RETRY;
	thread->in_calls = 0;
	thread->first_us = 0;
	if (thread->ramp_us < first)
		thread->ramp_us = first;
	if (thread->ramp_us >= interval) {
		thread->ramp_us = UINT32_MAX;
		set_about(thread, no_longer(thread, interval));
		return;
	}
	set_about(thread, thread->ramp_us);
	thread->ramp_us += thread->ramp_us / 4 + 1;
}

/* A later one takes the place of any before as likely as it is one of them (reservoir sampling). */
static void note(struct thread *thread, uint64_t met)
{
	uint32_t place = thread->met < BURST_MET ? thread->met :
						   random_below(thread, thread->met + 1);

	thread->met++;
	if (place < BURST_MET)
		thread->met_rip[place] = met;
}

/* Tries after the first one are not at any time: they are not noted. */
void thread_arm_again(struct thread *thread, uint64_t met)
{
	uint32_t interval = current_interval();

	if (thread->retry_us == RETRY)
		note(thread, met);
	if (thread->retry_us > interval)
		thread->retry_us = interval;
	set_about(thread, thread->retry_us);
	thread->patience_ns = 0;
	thread->retry_us += thread->retry_us / 2 + 1;
}

/*
 * A burst is due: to code that has had fewer for its time, if that comes soon. Long ones are too
 * few to be weighted by where they begin.
 */
static bool leaves_it(const struct thread *thread, uint64_t met, uint64_t now)
{
	return thread->patience_ns && now < thread->due_ns + thread->patience_ns &&
	       place_is_crowded(&places, met) &&
	       !__atomic_load_n(&area->parts, __ATOMIC_RELAXED);
}

/* A burst comes before it is due where few say how code of some time runs. */
static bool is_early(const struct thread *thread, uint64_t met, uint64_t now)
{
	return thread->due_ns <= now + EARLIER * thread->patience_ns &&
	       place_is_missed(&places, met) &&
	       !__atomic_load_n(&area->parts, __ATOMIC_RELAXED);
}

bool thread_waits(struct thread *thread, uint64_t met, uint64_t now)
{
	uint32_t interval = current_interval();
	uint64_t most = interval * 1000ull;

	if (thread->due_ns > now + most) {
		thread->due_ns = now + most;
		thread->patience_ns = 0;
		if (thread->first_us > interval)
			thread->first_us = interval;
	}
	if (met)
		place_met(&places, met);
	if (thread->due_ns <= now + NEAR_NS && !leaves_it(thread, met, now))
		return false;
	if (thread->patience_ns && is_early(thread, met, now))
		return false;
	note(thread, met);
	set_timer(thread, now, thread->due_ns > now + NEAR_NS ? (thread->due_ns - now) / 1000 :
								LONGEST);
	return true;
}

bool thread_stays_in_calls(struct thread *thread)
{
	return ++thread->in_calls > CALLS;
}

void thread_give_met(struct thread *thread, struct burst *slot)
{
	slot->met = thread->met < BURST_MET ? thread->met : BURST_MET;
	memcpy(slot->met_rip, thread->met_rip, slot->met * sizeof(*slot->met_rip));
	thread->met = 0;
}
