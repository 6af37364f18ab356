// SPDX-License-Identifier: GPL-2.0-only
/* Writes records into the ring (tracee/preload/ring.h). */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "tracee/preload/native.h"
#include "tracee/preload/sys.h"

#define WAIT_YIELDS	64		/* before the first sleep */
#define WAIT_SLEEPS	1000
#define SLEEP_NS	1000000		/* 1 s in total, if the reader does not move */

/* Past the limit of file sizes, growing the file would send SIGXFSZ. */
static bool may_grow(void)
{
	struct rlimit limit;

	return !sys4(prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) && limit.rlim_cur >= RING_FILE;
}

static struct ring *map_twice(int fd)
{
	long base = sys6(mmap, NULL, RING_MAPPED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
			 MAP_NORESERVE, -1, 0);

	if (sys_failed(base))
		return NULL;
	if (!sys_failed(sys6(mmap, base, RING_FILE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			     fd, 0)) &&
	    !sys_failed(sys6(mmap, base + RING_FILE, RING_DATA, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_FIXED, fd, RING_HEADER)) &&
	    !sys3(madvise, base, RING_MAPPED, MADV_DONTFORK))
		return (struct ring *)base;
	sys2(munmap, base, RING_MAPPED);
	return NULL;
}

struct ring *ring_make(int *fd)
{
	struct ring *ring;

	if (!may_grow())
		return NULL;
	*fd = sys2(memfd_create, "ccsample", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd < 0)
		return NULL;
	ring = sys2(ftruncate, *fd, RING_FILE) ||
	       sys3(fcntl, *fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) ?
	       NULL : map_twice(*fd);
	if (!ring) {
		sys1(close, *fd);
		return NULL;
	}
	ring->data_size = RING_DATA;
	ring->magic = RING_MAGIC;
	return ring;
}

void ring_unmap(struct ring *ring)
{
	sys2(munmap, ring, RING_MAPPED);
}

static bool has_room(const struct ring *ring, uint32_t size)
{
	uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);

	__atomic_store_n(&live->tail, tail, __ATOMIC_RELAXED);
	return __atomic_load_n(&ring->head, __ATOMIC_RELAXED) + size - tail <= RING_DATA;
}

/* One wait for each stop of the reader: a dead or stopped one must not stop the program. */
static bool wait_for_room(const struct ring *ring, uint32_t size)
{
	const struct timespec nap = { 0, SLEEP_NS };
	uint64_t tail;
	int i;

	if (has_room(ring, size))
		return true;
	tail = live->tail;
	if (__atomic_load_n(&live->stalled, __ATOMIC_RELAXED) == tail + 1)
		return false;
	for (i = 0; i < WAIT_YIELDS + WAIT_SLEEPS; i++) {
		if (i < WAIT_YIELDS)
			sys0(sched_yield);
		else
			sys2(nanosleep, &nap, NULL);
		if (has_room(ring, size))
			return true;
	}
	__atomic_store_n(&live->stalled, tail + 1, __ATOMIC_RELAXED);
	return false;
}

void ring_missed(void)
{
	struct ring *ring = live->ring;

	__atomic_fetch_add(ring ? &ring->lost : &live->missed, 1, __ATOMIC_RELAXED);
}

void *ring_reserve(uint16_t type, uint32_t size, uint64_t *time)
{
	struct ring *ring = live->ring;
	struct ccs_record *record;
	uint64_t head;

	if (unlikely(!ring))
		return NULL;
	size = (size + 7) & ~7u;
	head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	for (;;) {
		if (unlikely(head + size - __atomic_load_n(&live->tail, __ATOMIC_RELAXED) >
			     RING_DATA)) {
			if (!wait_for_room(ring, size)) {
				ring_missed();
				return NULL;
			}
			head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
			continue;
		}
		*time = __rdtsc();
		if (__atomic_compare_exchange_n(&ring->head, &head, head + size, true,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			break;
	}
	record = (void *)ring + RING_HEADER + (head & (RING_DATA - 1));
	__atomic_store_n(&record->size, size | RING_BUSY, __ATOMIC_RELAXED);
	record->type = type;
	record->tid = self.tid;
	return record;
}

void ring_commit(void *record)
{
	struct ccs_record *r = record;

	__atomic_store_n(&r->size, r->size & ~RING_BUSY, __ATOMIC_RELEASE);
}

void ring_write_forget(uint16_t type, size_t below)
{
	struct ccs_forget *r;
	uint64_t now;

	r = ring_reserve(type, sizeof(*r), &now);
	if (!r)
		return;
	r->time = now;
	r->below = below;
	ring_commit(r);
}
