/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The caches whose misses are sampled: an L1 and an L2 for each thread, an L3 that all threads of
 * an image share, as cachesim/hierarchy.h has them (true LRU, filled on a miss, each evicting on
 * its own), so that a sample has its class and its evictor. An L1 without levels behind is that of
 * cachesim/sampled-l1.h, which has the same classes.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_CACHES_H
#define CCSAMPLE_TRACEE_VALGRIND_CACHES_H

#include "tracee/valgrind/engine.h"

/*
 * Who refers, in a word: an instruction, how many bytes, and CCS_SAMPLE_LOAD and CCS_SAMPLE_STORE
 * of what it does. No program's address has more than 47 bits, no reference more bytes.
 */
#define WHO_IP_BITS	48
#define WHO_SIZE_BITS	12
#define WHO_SIZE_MOST	((1u << WHO_SIZE_BITS) - 1)

static inline Addr who_refers(Addr ip, UInt size, UInt flags)
{
	return ip | (Addr)size << WHO_IP_BITS | (Addr)flags << (WHO_IP_BITS + WHO_SIZE_BITS);
}

static inline Addr who_ip(Addr who)
{
	return who & (((Addr)1 << WHO_IP_BITS) - 1);
}

static inline UInt who_size(Addr who)
{
	return who >> WHO_IP_BITS & WHO_SIZE_MOST;
}

static inline UInt who_flags(Addr who)
{
	return who >> (WHO_IP_BITS + WHO_SIZE_BITS);
}

/**
 * caches_init() - make what all threads share, by the plan of the options.
 */
void caches_init(void);

/* Is there a level beyond L1? */
Bool caches_outer(void);

/* Is the next miss, sampled or not, counted with its class (tallies.h)? */
Bool caches_count(void);

/* From now on it is (counting.h), while no thread runs. */
void caches_count_again(void);

/* A thread is about to run, or did: for so many instructions. */
void caches_resume(struct engine_thread *t);
void caches_ran(ULong instructions);

/**
 * caches_open() - give a thread empty caches.
 * @t: thread without
 */
void caches_open(struct engine_thread *t);

/**
 * caches_close() - take them away, if there are any.
 * @t: thread
 */
void caches_close(struct engine_thread *t);

/**
 * caches_renew() - empty them, those that all threads share too; no page has a frame yet.
 * @t: thread, the only one so far
 */
void caches_renew(struct engine_thread *t);

/**
 * caches_refer() - any reference.
 * @first: its first byte
 * @who: who_refers()
 * @time: on the thread's clock
 */
void caches_refer(Addr first, Addr who, ULong time);

/**
 * caches_use() - one to a line that is not the newest of its set.
 * @row: that set
 *
 * The caller writes the time of the line that is the newest then.
 */
void caches_use(Addr first, Addr who, ULong time, struct way *row);

/* The same where there are levels behind L1. */
void caches_use_outer(Addr first, Addr who, ULong time, struct way *row);

/* The same where there are none, and L1 has 8 ways, or 12. */
void caches_use_8(Addr first, Addr who, ULong time, struct way *row);
void caches_use_12(Addr first, Addr who, ULong time, struct way *row);

#endif /* CCSAMPLE_TRACEE_VALGRIND_CACHES_H */
