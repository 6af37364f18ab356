// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recent walks of each thread. A walk is a function of where it begins and of the
 * words on the stack that it was led by. So a walk from the same place is the same
 * if those words are, and its number is known after comparing them: which holds
 * whatever returned and was called again meanwhile.
 *
 * The memory is taken from a pool, not thread-local, since that would come out of
 * the stacks that programs give their threads. A thread that has ended does not
 * say so: its share is taken by the next one that looks for one.
 */
#include <string.h>
#include <sys/mman.h>

#include "tracee/preload/native.h"
#include "tracee/preload/recent.h"
#include "tracee/preload/sys.h"

#define SHARES	64	/* threads at once; others walk in full */
#define WALKS	256	/* of a thread */
#define FIRST	32	/* ... until it has walked so often: few pages are touched */
#define MANY	128
#define TRIES	4	/* shares that a thread looks at */

struct share {
	struct recent walks[WALKS];
	char rest[4096 - sizeof(struct recent[WALKS]) % 4096];
};

static struct share *shares;
static uint32_t owners[SHARES];		/* tid, 0 = free */
static uint32_t turn;

bool recent_init(void)
{
	long memory = sys6(mmap, NULL, SHARES * sizeof(*shares), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	shares = (struct share *)memory;
	return pages_populate(shares, FIRST * sizeof(struct recent));
}

static bool is_over(uint32_t owner)
{
	return !owner || owner == self.tid || sys3(tgkill, live->pid, owner, 0) < 0;
}

void recent_thread(void)
{
	uint32_t i;

	self.recent = NULL;
	self.walks = FIRST;
	self.missed = 0;
	for (i = 0; i < TRIES && !self.recent; i++) {
		uint32_t at = __atomic_fetch_add(&turn, 1, __ATOMIC_RELAXED) % SHARES;
		uint32_t owner = __atomic_load_n(&owners[at], __ATOMIC_RELAXED);

		if (!is_over(owner) ||
		    !__atomic_compare_exchange_n(&owners[at], &owner, self.tid, false,
						 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		/* Its walks were of another stack. */
		if (owner)
			sys3(madvise, &shares[at], sizeof(shares[at]), MADV_DONTNEED);
		self.recent = shares[at].walks;
	}
}

void recent_child(void)
{
	memset(owners, 0xff, sizeof(owners));	/* no thread's */
}

void recent_missed(void)
{
	if (!self.recent || self.walks != FIRST || ++self.missed < MANY)
		return;
	self.walks = WALKS;
	pages_touch(self.recent, WALKS * sizeof(*self.recent));
}

struct recent *recent_of(const struct caller *caller)
{
	uint64_t mixed = (caller->sp ^ caller->ip << 20) * 0x9e3779b97f4a7c15ull;

	return &self.recent[mixed >> 32 & (self.walks - 1)];
}
