/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library that traces bursts of references inside the observed program:
 *
 *	translate.c	blocks of the program into the code cache
 *	cache.c		the code cache, its links and the table of indirect jumps
 *	text.c		which code may be translated
 *	reads.S		reads of memory that may not be there (x86/safe.h)
 *	timed.c		the part of a burst that is timed, not logged
 *	counter.c	in place of it, where the processor counts the program's instructions
 *	miss.c		from translated code to C and back
 *	area.c		the memory shared with the recorder
 *	faults.c	the handlers of faults while a burst runs
 *	burst.c		a burst begins, goes on, ends
 *	places.c	where bursts began, and where the next ones may
 *	lock.c		who is in one
 *	calls.c		system calls that the timer interrupted
 *	threads.c	threads and their timers
 *	thread-memory.c	... their memory, and whose it is; stacks.c: alternate stacks
 *	filter.c	what filters of system calls allow
 *	library.c	the timer's signal
 *
 * in libccsample-bursts.so, which is preloaded:
 *
 *	preload.c	begins; forks
 *	wraps/		functions of the C library that are wrapped: for handlers and masks
 *			(signals.c), where code is (code.c), all others (wraps.c, syscall.S)
 *
 * in libccsample-attach.so, which is put into a running process by hand (attach/):
 *
 *	attach.c	what the recorder calls (attach.h); attach-back.S
 *	alone.c		what it would have from a C library
 *
 * It runs inside other people's programs, mostly in signal handlers: no
 * allocation, no errno, no lock that the program could hold. At most one thread
 * of a process is in a burst: it owns the cache and all static data.
 */
#ifndef CCSAMPLE_TRACEE_BURSTS_BURSTS_H
#define CCSAMPLE_TRACEE_BURSTS_BURSTS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "tracee/burst-log/log.h"
#include "tracee/bursts/counter.h"
#include "tracee/preload/marker.h"
#include "tracee/preload/sys.h"

#define EXPORT	__attribute__((visibility("default")))

/* The kernel's struct sigaction; masks are 64 bits. */
struct action {
	void *handler;
	uint64_t flags;
	void *restorer;
	uint64_t mask;
};

#define ALIGNMENT_FLAG	(1ull << 18)	/* AC of the flags: SDM volume 1, 3.4.3.3 */
#define SIGNAL_BIT(n)	(1ull << ((n) - 1))
#define FAULT_SIGNALS	(SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGBUS) | SIGNAL_BIT(SIGILL) | \
			 SIGNAL_BIT(SIGFPE) | SIGNAL_BIT(SIGTRAP))
#define FIRST_REALTIME	34		/* of the C library: the kernel's first two are its own */
#define AUX_MINSIGSTKSZ	51		/* AT_MINSIGSTKSZ: the frame with all vector state */
#define SA_KERNEL_RESTORER 0x04000000
#define AUTODISARM	(1u << 31)	/* SS_AUTODISARM, of the kernel's headers alone */

/* --- reads.S --- */

void restorer(void);
/*
 * From a handler that runs on the one before, too: from Linux 6.12 on its return does not set it.
 * All signals are blocked.
 */
void set_alternate_stack(const stack_t *stack);

struct thread {
	struct thread *next_all, *next_free;
	uint32_t tid;			/* 0 = free */
	uint32_t number;		/* ... in bursts */
	int32_t timer;			/* the kernel's, -1 = none */
	uint32_t ramp_us;		/* mean interval of the first bursts; grows */
	uint32_t first_us;		/* ... that the very first is drawn from; 0 = it was */
	uint32_t retry_us;		/* after a tick that began none; grows */
	uint32_t left_early;		/* timed parts in a row that ended early */
	struct counter counter;		/* what it said, or will say, before the next burst */
	uint32_t forbidden;		/* times in a row: faults_forbid() */
	uint32_t in_calls;		/* system calls that it was in when a burst was due */
	bool small_stack;		/* the program's has no room for a frame with tiles */
	bool blocks;			/* the timer's signal, as the program believes */
	bool left;			/* ... and in truth: it got one, and has no bursts */
	uint32_t repeats;		/* bursts since the timer's last tick */
	uint64_t began_ns;		/* CPU time when it was first observed */
	uint64_t seen_ns;		/* ... up to which the recorder knows of it */
	bool early;			/* the first one, while first bursts came close */
	uint64_t fires_ns;		/* ... at which its timer does */
	uint64_t due_ns;		/* ... at which the next burst is to begin */
	uint64_t patience_ns;		/* ... and how much later it may, elsewhere */
	uint32_t met;			/* ticks since the last burst that began none */
	uint64_t met_rip[BURST_MET];	/* ... where, as many as there is room: see struct burst */
	uint64_t random;
	bool alone;			/* children of forks find zeros: thread_copied() */
	uint8_t *stack;			/* for signals: the timer's, and faults in bursts */
	size_t stack_size;
	struct extent *stack_at;	/* the program's alternate stack, NULL = none is known */
	void *(*run)(void *);
	void *argument;
};

/*
 * Who blocks all real-time signals but ours believes that this one is blocked, too. @mask: of 8
 * bytes
 */
static inline bool has_all_others(const void *mask, int signal)
{
	uint64_t set;

	memcpy(&set, mask, sizeof(set));
	return (set | SIGNAL_BIT(signal)) >> (FIRST_REALTIME - 1) == ~0ull >> (FIRST_REALTIME - 1);
}

/* --- library.c --- */

extern int timer_signal;		/* 0 = no bursts */

/**
 * library_begin() - take a signal for the timers.
 * @by_hand: nothing keeps the program from setting its signals: one that does no harm then, and if
 * there is no other one that the program has a handler for
 *
 * Return: false if there can be no bursts; the reason is counted.
 */
bool library_begin(bool by_hand);

/* A process image begins: this one, or a fork's child. */
void library_image(void);

/* A signal for a while, served as the timer's is. Return: false: the program sets it itself. */
bool library_take(int signal);
void library_give_back(int signal);

/*
 * The signal of the running thread's timer, which it blocks, does not come if it is pending: what
 * others sent still does. Return: it was.
 */
bool library_take_pending(const struct thread *thread);

/* No bursts from now on; the signal is the program's again. */
void library_leave(void);
/* The same, for a reason that is counted. */
void library_stop(enum burst_reason reason);

/* --- area.c --- */

extern struct bursts_area *area;	/* NULL = not recorded */

bool area_open(const char *path);
bool area_map(int fd);
void area_unmap(void);
/* The running process, as the recorder numbers it. */
uint32_t area_process(void);
void area_count(enum burst_reason reason);

/* A program begins: threads of its process that were writing bursts are gone (exec). */
void area_image(void);

/* A free slot, claimed; NULL if there is none. */
struct burst *area_claim(void);
/* ... as long as enough others are free. */
struct burst *area_claim_spare(void);
/* One call for all pages of its log that are new to the process, in place of a fault for each. */
void area_populate(struct burst *burst);
void area_publish(struct burst *burst);
void area_release(struct burst *burst);

/* --- burst.c --- */

/*
 * What holds for this address space alone. A child that gets a copy of it, whoever made the child
 * and whatever its pid is, finds zeros (MADV_WIPEONFORK): nobody is in a burst, no thread is
 * observed, no page is there yet.
 */
struct here {
	uint64_t image;			/* 0 = none has begun: the code cache is not mapped */
	struct thread *threads;
	uint64_t free;			/* the first free one: thread-memory.c */
	struct thread *recent[32768];	/* by tid, where it was last: 0, or any other now */
	uint32_t mapped;		/* threads that memory was mapped for */
	uint64_t lowest;		/* ... for one of many, the last time: 0 = not yet */
	uint32_t owner;			/* thread in a burst, or holder of burst_hold() */
	uint32_t depth;			/* times that the holder holds it more than once */
	uint32_t running;		/* a thread in a burst */
	uint32_t faults;		/* process whose handlers of faults are ours */
	uint32_t counting;		/* thread with a counter */
	uint64_t counting_since;	/* TSC */
	uint32_t populated[BURSTS_SLOTS]; /* words at the end of each log: their pages are there */
	uint32_t pid;			/* as the recorder numbers it */
} __attribute__((aligned(BURSTS_PAGE)));

extern struct here here;

/* --- lock.c --- */

#define BURST_LONG_NS	250000000	/* no burst that goes on is as long */

/**
 * burst_hold() - keep bursts from beginning, and wait for one under way.
 *
 * Signals are blocked until burst_release(): a handler of the program's might not come back. What
 * the program runs in between (handlers of forks) may call it again.
 *
 * Return: false: there are none any more, and a filter may allow no call: nothing is held.
 */
bool burst_hold(void);
/*
 * The same, but no longer than @most_ns: a burst does not go on where a fault waits for the thread
 * that is to hold (userfaultfd, FUSE). Return: ... or that was not enough.
 */
bool burst_hold_within(uint64_t most_ns);
void burst_release(void);

/*
 * A thread waits for one that is in a burst, again and again. One of real-time priority does not
 * yield to others on its processor: it sleeps.
 */
void burst_wait(unsigned int tries);

/* For a burst. Return: false if another thread has it, or it is held. */
bool burst_try_lock(void);
void burst_unlock(void);
/* The thread that is in a burst, 0 = none. */
uint32_t burst_owner(void);

/* --- burst.c --- */

/* A process image begins: there is no code cache. */
void burst_image(void);

/**
 * burst_begin() - trace from where a signal interrupted the thread.
 * @context: of the handler that calls; when it returns, the burst runs
 * @entered: TSC when the handler was entered
 *
 * Return: false: none begins; the reason is counted.
 */
bool burst_begin(struct thread *thread, ucontext_t *context, uint64_t entered);

/* A block is missing: see miss.h. Return: where to go on. */
const uint8_t *burst_miss(void);

/* A fault in the thread that is in a burst. Return: false if it is none of the burst's. */
bool burst_fault(int signal, siginfo_t *info, ucontext_t *context);

/* --- faults.c --- */

/*
 * Does the program ignore what a burst cannot do without? Children that other threads begin are to
 * as well: the thread has no burst. Where that lasts it is counted once.
 */
bool faults_forbid(struct thread *thread);
void faults_install(void);
void faults_restore(void);
/*
 * Where a burst does not end: the program's handler is another one from its end on. @wanted: NULL:
 * only @was is asked for. Return: false: the handler is the program's own now.
 */
bool faults_keep(int signal, const struct action *wanted, struct action *was);
/* Signals like faults that were sent to the thread since then. */
void faults_send_again(void);

/* --- calls.c --- */

/* The signal interrupted a system call that would not restart by itself: it does. */
void calls_restart(ucontext_t *context);
/* Return: where the signal met the program, 0 = in a system call. */
uint64_t calls_met(const ucontext_t *context);
/* Are there 8 bytes? */
bool calls_readable(const void *at);

/* --- wraps/signals.c, for preload.c --- */

/* What the program's first thread believes to be blocked. */
void masks_begin(struct thread *self);

/* --- wraps/wraps.c, for syscall.S --- */

extern void *syscall_real;

/* Looks at what syscall() is asked for. Return: the C library's syscall(). */
void *syscall_seen(long number, long argument);

/* --- wraps/code.c, for syscall.S --- */

/* In place of a syscall() that changes mappings. */
long syscall_remaps(long number, long start, long size, long c, long d, long e, long f);

/* --- filter.c --- */

/* Do seccomp filters, if there are any, let bursts run? Why not is counted. */
bool filter_allows(void);

/* --- thread-memory.c --- */

#define THREAD_CLAIMED	UINT32_MAX	/* as a tid: it is about to begin */

struct thread *threads_first(void);
/* One that is about to begin. Return: NULL if memory cannot be had. */
struct thread *thread_new(void);
/* It has ended, or has not begun. */
void thread_release(struct thread *thread);
/* It has begun: thread_find() finds it by this number until it is released. */
void thread_is(struct thread *thread, uint32_t tid);
/* Return: NULL: none is observed by that number. Of thousands of threads most are found at once. */
struct thread *thread_find(uint32_t tid);
/* fork() asks for the memory of the thread that forks. */
extern bool forks_are_seen;
/*
 * Do forks copy its memory? Of many threads only that of the one that forks, by fork(): to copy all
 * takes several times as long as the program's own. Else a child finds zeros, on which its handlers
 * may run. Return: false: it is as it was.
 */
bool thread_copied(const struct thread *thread, bool copied);
/* All of it, when no thread uses any. */
void threads_unmap(void);

/* --- threads.c --- */

/* The running thread begins to be observed, ends. @number: what it is called, 0 = as it is here */
void thread_begin(struct thread *thread, uint32_t number);
void thread_end(struct thread *thread);
/* Has the running thread blocked the timer's signal behind our back? Counted. */
void thread_look(const struct thread *thread);
/* A burst that began at @met is over; the next one, as far away as the recorder wants it now. */
void thread_arm(struct thread *thread, uint64_t met);
/* Its timer comes after so much CPU time, unless it is set again before; 0 = it does not. */
void thread_watch(struct thread *thread, uint64_t ns);
/* Neither its timer nor its counter sends a signal any more. Return: it had a timer. */
bool thread_disarm(struct thread *thread);
/* Its CPU time until now is counted. */
void thread_seen(struct thread *thread, uint64_t cpu_ns);
/* No burst could begin: where the timer met it is noted, and a burst tried again before that. */
void thread_arm_again(struct thread *thread, uint64_t met);
/*
 * @now: its CPU time. Return: the interval is not over yet, or bursts have begun there often
 * enough: @met was noted, the timer set again.
 */
bool thread_waits(struct thread *thread, uint64_t met, uint64_t now);
/* The timer met it in a system call, again. Return: that was so often that a burst begins there. */
bool thread_stays_in_calls(struct thread *thread);
/* What was noted goes to the burst that ends. */
void thread_give_met(struct thread *thread, struct burst *slot);
/* ... or, as the thread ends, by itself. */
void thread_give_last(struct thread *thread);
/* In a fork's child: only the running thread is left, and is observed as its parent's was. */
void thread_forked(struct thread *self);
/* Signal frames become larger: no timer fires from now on where they may not fit. */
void threads_leave_small_stacks(void);
/* No timer fires from now on. */
void threads_stop(void);
/* One has ended unnoticed: it leaves its timer and its memory to others. @number: its own */
void thread_ended(uint32_t number);
/* Is there room for the timer's frame on this alternate stack? */
bool thread_stack_fits(const stack_t *stack, bool with_tiles);
/* ... where it interrupts a handler of the program's there: two frames, and what that needs. */
bool thread_stack_fits_two(const stack_t *stack);

/* --- stacks.c --- */

/* As many as there is room for; all zeros: free. */
extern struct extent program_stacks[BURSTS_STACKS];
/* The thread's alternate stack from now on, or none (SS_DISABLE). */
void thread_note_stack(struct thread *thread, const stack_t *stack);
/* The program is about to free memory, or to unmap it: no stack there is used any more. */
void program_stacks_freed(uintptr_t start, size_t size);

/* --- threads.c --- */

/* All of the running thread's signals. @before: receives its mask, NULL = not wanted */
static inline void block_signals(uint64_t *before)
{
	const uint64_t all = ~0ull;

	sys4(rt_sigprocmask, SIG_SETMASK, &all, before, sizeof(all));
}

static inline uint32_t current_tid(void)
{
	return sys0(gettid);
}

#endif /* CCSAMPLE_TRACEE_BURSTS_BURSTS_H */
