/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How fast the program is by itself. A burst begins with a part in which nothing is logged:
 * instructions are counted, at nearly the program's own speed, until there were enough. The CPU
 * time that this takes is recorded with the burst. Before it half as many are counted, in which the
 * caches settle: the timer's signal and our own beginning took some of the program's lines.
 *
 * Only blocks count from which the program goes back, or to an address in a register or in memory,
 * and the last one of about 64 instructions without such: all others would be slowed down by it.
 * There is no way round a loop without one, as addresses would only grow. A block counts the
 * instructions of those before it, too, as they first led to it. The log, whose blocks know what
 * they would have counted, says how many there are to each that is counted.
 *
 * The count is an address in memory that can be read, and ends at a page that cannot be: no
 * comparison, no flags, as with the log. All its pages are the kernel's page of zeros, so that
 * reading them takes no more than that page's room in the data cache.
 */
#ifndef CCSAMPLE_TRACEE_BURSTS_TIMED_H
#define CCSAMPLE_TRACEE_BURSTS_TIMED_H

#include <stdbool.h>
#include <stdint.h>

struct burst;
struct thread;

/*
 * Does a burst of the thread begin with a timed part? New blocks are slow at first, and twice as
 * many are to be translated: where there are many, time says little and costs much. Whether there
 * are in a first burst the reader knows by those of other processes.
 * @bursts: of the process before; @new_blocks: that the last one had
 */
bool timed_wanted(struct thread *thread, uint64_t bursts, uint64_t new_blocks);

/* A timed part of the thread's has ended before its instructions were counted. */
void timed_left_early(struct thread *thread);

/* The part of a burst begins. Return: where the first count begins. */
uint64_t timed_begin(struct burst *slot);

/*
 * Before the clock the first fault comes twice, with nothing in between, to see what a fault takes:
 * after the timer's signal it is several times as long, for the kernel's way is cold.
 * timed_fault_came(): is it the second one? timed_fault_leave(): the handler of the first is over.
 */
bool timed_fault_came(void);
void timed_fault_leave(void);

/* From a fault's handler to the next one's, ns, the least so far; 0 = not known. */
uint64_t timed_fault_ns(void);

/* The program goes on. @missing: TSC that the burst has spent on missing blocks so far, as below */
void timed_clock(uint64_t missing);

/* Do the caches settle, or is time taken? */
bool timed_settles(void);

/* They have settled. Return: where the next count begins. @first: of the image's first burst */
uint64_t timed_next(struct burst *slot, uint64_t missing, bool first);

/* Time is over. @instructions: counted since timed_next(), 0 = they say nothing */
void timed_end(struct burst *slot, uint64_t missing, uint64_t instructions);

/* An address that was read: is it where the count ends? */
bool timed_is_end(uint64_t address);

/* Its memory goes. */
void timed_unmap(void);

#endif /* CCSAMPLE_TRACEE_BURSTS_TIMED_H */
