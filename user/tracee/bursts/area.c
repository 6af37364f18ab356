// SPDX-License-Identifier: GPL-2.0-only
/* The memory shared with the recorder; see log.h. */
#include <fcntl.h>
#include <sys/mman.h>

#include "tracee/bursts/bursts.h"
#include "tracee/x86/cpu.h"

struct bursts_area *area;

#define WORDS_PAGE	(BURSTS_PAGE / sizeof(uint64_t))

static uint32_t guarded;		/* slots whose guard page is set here */

static bool map(int fd, size_t size)
{
	long at = sys6(mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (sys_failed(at))
		return false;
	area = (struct bursts_area *)at;
	cpu_share(&area->cpu);
	return true;
}

static void unmap(size_t size)
{
	cpu_share(NULL);
	sys2(munmap, area, size);
	area = NULL;
}

/* There is no room for all of it: one page is enough to say so. */
static void say_no_room(int fd)
{
	if (!map(fd, BURSTS_PAGE))
		return;
	if (area->magic == BURSTS_MAGIC)
		area_count(BURST_MEMORY);
	unmap(BURSTS_PAGE);
}

bool area_map(int fd)
{
	if (!map(fd, BURSTS_FILE)) {
		say_no_room(fd);
		return false;
	}
	if (area->magic == BURSTS_MAGIC)
		return true;
	area_unmap();
	return false;
}

void area_unmap(void)
{
	unmap(BURSTS_FILE);
}

bool area_open(const char *path)
{
	long fd = sys4(openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
	bool mapped;

	if (fd < 0)
		return false;
	mapped = area_map(fd);
	sys1(close, fd);
	return mapped;
}

/* By this name a process finds its number for whom /proc was mounted, whatever its namespace is. */
uint32_t area_process(void)
{
	uint32_t pid = 0;
	char text[16];
	long size, i;

	if (area->process)
		return area->process;
	size = sys3(readlink, "/proc/self", text, sizeof(text));
	for (i = 0; i < size && text[i] >= '0' && text[i] <= '9'; i++)
		pid = pid * 10 + text[i] - '0';
	return pid ? pid : sys0(getpid);
}

void area_count(enum burst_reason reason)
{
	/* A filter may end whoever asks for a number that is not known yet. */
	if (!area->first[reason] && (here.pid || reason != BURST_SECCOMP))
		area->first[reason] = here.pid ? here.pid : area_process();
	__atomic_fetch_add(&area->reasons[reason], 1, __ATOMIC_RELAXED);
}

/* In the state of one that this process writes. */
static uint64_t writing(void)
{
	return BURST_WRITING | (uint64_t)here.pid << 32;
}

void area_image(void)
{
	unsigned int i;

	for (i = 0; i < BURSTS_SLOTS; i++) {
		uint64_t taken = writing();

		__atomic_compare_exchange_n(&area->taken[i].both, &taken, 0, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
}

struct burst *area_claim(void)
{
	uint64_t ours = writing();
	unsigned int i;

	for (i = 0; i < BURSTS_SLOTS; i++) {
		struct burst *burst = bursts_slot(area, i);
		uint64_t taken = 0;

		if (!__atomic_compare_exchange_n(&area->taken[i].both, &taken, ours, false,
						 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		if (!(guarded & 1u << i) &&
		    sys3(mprotect, bursts_slot_guard(burst), BURSTS_PAGE, PROT_NONE)) {
			area_release(burst);
			return NULL;
		}
		guarded |= 1u << i;
		return burst;
	}
	return NULL;
}

struct burst *area_claim_spare(void)
{
	unsigned int i, spare = 0;

	for (i = 0; i < BURSTS_SLOTS; i++)
		spare += !__atomic_load_n(&area->taken[i].both, __ATOMIC_RELAXED);
	return spare > BURSTS_SPARE ? area_claim() : NULL;
}

void area_populate(struct burst *burst)
{
	uint32_t *there = &here.populated[bursts_slot_number(area, burst)];
	uint32_t begin = burst->log_begin / WORDS_PAGE * WORDS_PAGE;
	uint32_t words = BURSTS_LOG_WORDS - begin;

	if (words <= *there)
		return;
	sys3(madvise, bursts_slot_log(burst) + begin, (words - *there) * sizeof(uint64_t),
	     POPULATE_WRITE);
	*there = words;
}

void area_publish(struct burst *burst)
{
	__atomic_store_n(&bursts_taken(area, burst)->state, BURST_READY, __ATOMIC_RELEASE);
}

void area_release(struct burst *burst)
{
	__atomic_store_n(&bursts_taken(area, burst)->both, 0, __ATOMIC_RELEASE);
}
