// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process image begins, forks, calls exec, ends; and its threads.
 *
 * A fork's child needs a ring of its own. Its parent's is not mapped in it
 * (MADV_DONTFORK), and the page that points to it is cleared by the kernel
 * (MADV_WIPEONFORK), so that even a child made by a bare system call cannot
 * write into its parent's ring. The C library's fork calls us in the child; other
 * children begin with the first thing that they do with memory.
 *
 * What a parent does after a fork must not be written before its child has begun,
 * since a child begins with what its parent had: the parent waits (for 0.1 s at
 * most) until the child has connected.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "tracee/preload/connection.h"
#include "tracee/preload/keep.h"
#include "tracee/preload/marker.h"
#include "tracee/preload/native.h"
#include "tracee/preload/recent.h"
#include "tracee/preload/sys.h"

#define FORKS		1024		/* under way at once; more wait in vain, no harm done */
#define FORK_WAIT_NS	100000000
#define FORK_WAITS	4		/* a signal may cut a wait short */
#define STACK_MOST	(128ul << 20)	/* the kernel keeps that much free below the main stack */
#define PATH_SIZE	4096
#define STATUS_SIZE	8192		/* of /proc/self/status */

enum child_state {
	CHILD_STARTS = 0,
	CHILD_READY = 1,
	CHILD_ORPHAN = 2,		/* it could not even connect */
};

/* The library of pads, which we call, staggers blocks by who asked for them. */
EXPORT uintptr_t ccsample_sideband_caller(void);
EXPORT uintptr_t ccsample_sideband_caller(void)
{
	return self.guard && self.guard != UINTPTR_MAX ? ((const uintptr_t *)self.guard)[-1] : 0;
}

static struct live not_live;
struct live *live = &not_live;
bool recording;
__thread struct thread self __attribute__((tls_model("initial-exec")));

static bool leaving;			/* the recorder wants to look at our memory then */
static bool connected;			/* the recorder knows of this image */
static uint32_t *children;		/* shared with them: FORKS words of enum child_state */
static uint32_t forks;

/* --- records --- */

static void send_process(uint32_t cause, uint64_t since)
{
	char path[PATH_SIZE];
	long size = sys3(readlink, "/proc/self/exe", path, sizeof(path));
	struct ccs_process *r;
	uint64_t now;

	if (size < 0)
		size = 0;
	r = ring_reserve(CCS_PROCESS, sizeof(*r) + size, &now);
	if (!r)
		return;
	r->record.tid = 0;
	r->time = since ? since : now;
	r->pid = live->pid;
	r->ppid = sys0(getppid);
	r->cause = cause;
	r->path_size = size;
	memcpy(r + 1, path, size);
	ring_commit(r);
}

static void send_thread(void)
{
	struct ccs_thread *r;
	uint64_t now;

	r = ring_reserve(CCS_THREAD, sizeof(*r), &now);
	if (!r)
		return;
	r->time = now;
	r->stack_low = self.stack_high ? self.stack_low : CCS_UNKNOWN;
	r->stack_high = self.stack_high ? self.stack_high : CCS_UNKNOWN;
	ring_commit(r);
}

static void send_exit(int status)
{
	struct ccs_exit *r;
	uint64_t now;

	r = ring_reserve(CCS_EXIT, sizeof(*r), &now);
	if (!r)
		return;
	r->record.tid = 0;
	r->time = now;
	r->status = (status & 0xff) << 8;
	ring_commit(r);
}

/* --- threads --- */

/* The stack that the C library gave this thread; it allocates on the way, from our arena. */
static void find_stack(void)
{
	char room[2048] __attribute__((aligned(16)));
	uint64_t all = ~0ull, before = 0;
	pthread_attr_t attributes;
	void *low;
	size_t size;

	/* What a signal handler allocates must not come from there. */
	sys4(rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(all));
	self.stack_low = self.stack_high = 0;
	self.arena = self.arena_next = room;
	self.arena_end = room + sizeof(room);
	self.guard = UINTPTR_MAX;
	if (!pthread_getattr_np(pthread_self(), &attributes)) {
		if (!pthread_attr_getstack(&attributes, &low, &size)) {
			self.stack_low = (uintptr_t)low;
			self.stack_high = (uintptr_t)low + size;
		}
		pthread_attr_destroy(&attributes);
	}
	self.arena = self.arena_next = self.arena_end = NULL;
	self.guard = 0;
	sys4(rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
}

/* It grows down to its limit; that of /proc/self/maps is only what it uses. */
static void find_main_stack(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	struct rlimit limit;
	uintptr_t size = STACK_MOST;

	extern void *__libc_stack_end;

	if (!sys4(prlimit64, 0, RLIMIT_STACK, NULL, &limit) && limit.rlim_cur < size)
		size = limit.rlim_cur;
	self.stack_high = ((uintptr_t)__libc_stack_end + 4095) & ~4095ul;
	self.stack_low = self.stack_high > size ? self.stack_high - size : 0;
	if (here < self.stack_low || here >= self.stack_high)
		self.stack_low = self.stack_high = 0;
}

void image_thread(void)
{
	if (!live->ring)
		return;
	self.tid = sys0(gettid);
	find_stack();
	recent_thread();
	send_thread();
}

/* --- an image begins --- */

static bool begin(uint32_t cause, uint64_t since)
{
	struct ring *ring;
	int fd;

	ring = ring_make(&fd);
	if (!ring) {
		/*
		 * A filter of system calls forbids it: this connection is how the recorder knows.
		 */
		connected = connection_open(-1);
		connection_close();
		return false;
	}
	live->pid = sys0(getpid);
	live->tail = live->stalled = 0;
	self.tid = sys0(gettid);
	recent_thread();
	ring->lost = __atomic_load_n(&live->missed, __ATOMIC_RELAXED);
	__atomic_store_n(&live->ring, ring, __ATOMIC_RELEASE);
	send_process(cause, since);
	connected = connection_open(fd);
	if (connected) {
		sys1(close, fd);
		send_thread();
		return true;
	}
	sys1(close, fd);
	live->ring = NULL;
	ring_unmap(ring);
	return false;
}

static void begin_child(void)
{
	uint32_t none = 0;

	if (!__atomic_compare_exchange_n(&live->claimed, &none, 1, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_RELAXED)) {
		ring_missed();
		return;
	}
	maps_child();
	recent_child();
	recording = begin(CCS_PROCESS_FORK, self.fork_time);
}

bool image_ready_slow(void)
{
	if (!live->ring)
		begin_child();
	if (live->ring && !self.tid)
		image_thread();
	return live->ring && self.tid;
}

static void *anonymous(size_t size, int flags)
{
	long memory = sys6(mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);

	return sys_failed(memory) ? NULL : (void *)memory;
}

static bool make_memory(void)
{
	struct live *page = anonymous(4096, MAP_PRIVATE);

	children = anonymous(FORKS * sizeof(*children), MAP_SHARED);
	if (!page || !children || sys3(madvise, page, 4096, MADV_WIPEONFORK))
		return false;
	live = page;
	return true;
}

/* --- forks --- */

static void before_fork(void)
{
	if (!live->ring)
		return;
	self.fork = __atomic_fetch_add(&forks, 1, __ATOMIC_RELAXED) % FORKS + 1;
	self.fork_time = __rdtsc();
	__atomic_store_n(&children[self.fork - 1], 0, __ATOMIC_RELEASE);
}

static void after_fork(void)
{
	const struct timespec limit = { .tv_nsec = FORK_WAIT_NS };
	struct ring *ring = live->ring;
	uint32_t *child;
	int i;

	if (!self.fork)
		return;
	child = &children[self.fork - 1];
	self.fork = 0;
	self.fork_time = 0;
	for (i = 0; i < FORK_WAITS && !__atomic_load_n(child, __ATOMIC_ACQUIRE); i++) {
		if (sys4(futex, child, FUTEX_WAIT, 0, &limit) == -ETIMEDOUT)
			return;
	}
	/* It knows no way to say so itself. */
	if (__atomic_load_n(child, __ATOMIC_ACQUIRE) == CHILD_ORPHAN && ring)
		__atomic_fetch_add(&ring->orphans, 1, __ATOMIC_RELAXED);
}

EXPORT uint64_t ccsample_sideband_took;

static void in_child(void)
{
	uint32_t *word = self.fork ? &children[self.fork - 1] : NULL;
	uint32_t state = CHILD_READY;
	uint64_t begun;

	if (!recording)
		return;
	begun = current_cpu_ns();
	/* A handler of a signal may have begun it. */
	if (!live->ring) {
		connected = false;
		begin_child();
	}
	state = connected ? CHILD_READY : CHILD_ORPHAN;
	self.fork = 0;
	self.fork_time = 0;
	if (word) {
		__atomic_store_n(word, state, __ATOMIC_RELEASE);
		sys3(futex, word, FUTEX_WAKE, 1);
	}
	ccsample_sideband_took = current_cpu_ns() - begun;
}

/* --- an image ends --- */

/* In a child of vfork all memory is its parent's, which goes on. */
static bool is_this_process(void)
{
	return live->ring && live->pid == sys0(getpid);
}

void image_exit(int status)
{
	if (!is_this_process())
		return;
	send_exit(status);
	recording = false;
	live->ring = NULL;
	if (leaving)
		connection_goodbye();
}

/* Another thread may exit meanwhile, or end our recording. */
static void note_exec(uint64_t time)
{
	struct ring *ring = __atomic_load_n(&live->ring, __ATOMIC_ACQUIRE);

	if (ring)
		__atomic_store_n(&ring->exec_time, time, __ATOMIC_RELEASE);
}

bool image_exec(void)
{
	if (!is_this_process())
		return false;
	if (leaving)
		connection_goodbye();
	note_exec(__rdtsc());
	return true;
}

void image_exec_failed(void)
{
	note_exec(0);
}

EXPORT void ccsample_sideband_stop(void)
{
	recording = false;
	live->ring = NULL;
}

static void at_exit(int status, void *unused)
{
	image_exit(status);
}

/* --- the library is loaded --- */

EXPORT void ccsample_sideband_marker(void)
{
}

/* @variable: with its "=". Return: its value, NULL if it is not set. */
static const char *find_variable(char **environment, const char *variable)
{
	const size_t size = strlen(variable);

	for (; environment && *environment; environment++)
		if (!strncmp(*environment, variable, size))
			return *environment + size;
	return NULL;
}

static bool find_name(char **environment)
{
	const char *value = find_variable(environment, RING_ENVIRONMENT "=");
	const char *least = find_variable(environment, RING_LEAST_ENVIRONMENT "=");
	const char *wanted = find_variable(environment, RING_LEAVING_ENVIRONMENT "=");

	leaving = wanted && *wanted == '1';
	if (least)
		heap_rate.least = strtoul(least, NULL, 10);
	if (heap_rate.least)
		map_rate.least = 4096;
	return value && connection_name(value);
}

static void begin_program(char **environment)
{
	if (!real_ready() || !find_name(environment) || !make_memory() || !unwind_init() ||
	    !recent_init() || !stacks_init())
		return;
	keep_init(environment);
	maps_init();
	find_main_stack();
	if (pthread_atfork(before_fork, after_fork, in_child) || on_exit(at_exit, NULL))
		return;
	/* Whether it is a start or an exec, the recorder knows. */
	if (!begin(CCS_PROCESS_START, 0))
		return;
	recording = true;
	maps_begin();
}

EXPORT enum sideband_refusal ccsample_sideband_refuses;
EXPORT int64_t ccsample_sideband_filters = -1;

/* The calls here the linker has just made itself. Return: -1 = not known */
static int64_t count_filters(void)
{
	static const char field[] = "\nSeccomp_filters:\t";
	char text[STATUS_SIZE];
	const char *at;
	long fd, size;

	fd = sys4(openat, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	size = sys3(read, fd, text, sizeof(text) - 1);
	sys1(close, fd);
	text[size > 0 ? size : 0] = 0;
	at = strstr(text, field);
	return at ? strtoll(at + strlen(field), NULL, 10) : -1;
}

/* Filters that are not the recorder's may end the process for what we ask of the kernel. */
static bool is_filtered(char **environment)
{
	const char *recorders = find_variable(environment, RING_FILTERS_ENVIRONMENT "=");

	if (!recorders)
		return false;
	ccsample_sideband_filters = count_filters();
	return ccsample_sideband_filters > strtoll(recorders, NULL, 10);
}

/* The linker calls this before all other constructors (-z initfirst). */
__attribute__((constructor)) static void load(int argc, char **argv, char **environment)
{
	uint64_t begun;

	if (is_filtered(environment))
		ccsample_sideband_refuses = SIDEBAND_FILTERED;
	else if (real_ready() && real_is_sanitized())
		ccsample_sideband_refuses = SIDEBAND_SANITIZED;
	if (ccsample_sideband_refuses)
		return;
	begun = current_cpu_ns();
	begin_program(environment);
	ccsample_sideband_took = current_cpu_ns() - begun;
}
