// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the device refuses, and what its sessions live through. A line a check:
 * "ok NAME" or "not ok NAME"; CPU 1 is sampled.
 *
 *	api			all of it
 *	api lockdown		on a kernel that is locked down afterwards
 *	api periods		where counters are written by 32 bits
 *	api window CPUS		sessions of 256 MiB, until memory is short
 *	api kept		mappings of sessions that are closed
 *	api passing		what comes and goes between two looks; adaptive records
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/klog.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/mount.h>
#include <linux/capability.h>
#include <linux/perf_event.h>

#include "genl.h"
#include "session.h"

#define THREAD_EXECS	99	/* in place of so many generations */
#define READ_LOG	3	/* SYSLOG_ACTION_READ_ALL, syslog(2) */

static void check(bool passed, const char *name)
{
	printf("%s %s\n", passed ? "ok" : "not ok", name);
	fflush(stdout);
}

/* OPEN with what `ask` says fails with just this error. */
static void refused(struct ccsample_open ask, int error, const char *name)
{
	int fd = device();
	bool right = ioctl(fd, CCSAMPLE_OPEN, &ask) && errno == error;

	if (!right)
		printf("# %s: %s\n", name, strerror(errno));
	close(fd);
	check(right, name);
}

static struct ccsample_query offered(void)
{
	struct ccsample_query q = { .size = sizeof(q) };
	int fd = device();

	if (ioctl(fd, CCSAMPLE_QUERY, &q))
		die("CCSAMPLE_QUERY");
	close(fd);
	return q;
}

/* Where records do not tell events apart, loads and stores are not documented as one event. */
static uint64_t l1_references(void)
{
	return offered().features & CCSAMPLE_HAS_COUNTER ? 0x83d0 : 0x81d0;
}

/* Zeros, but for their size in front. */
static void *zeros_of(uint32_t size)
{
	uint32_t *zeros = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			       -1, 0);

	if (zeros == MAP_FAILED)
		die("mmap");
	zeros[0] = size;
	return zeros;
}

static void test_query(void)
{
	struct ccsample_query q = { .size = sizeof(q) };
	struct ccsample_query_event e = { .size = sizeof(e) };
	struct ccsample_read read = { .size = sizeof(read) };
	struct ccsample_period period = { .size = sizeof(period), .period = { 1000 } };
	struct { struct ccsample_query q; uint64_t more; } longer = { .q.size = sizeof(longer) };
	uint32_t shorter[6] = { 12, 0, 0, 77 };
	int fd = device();

	check(!ioctl(fd, CCSAMPLE_QUERY, &q) && q.abi == CCSAMPLE_ABI && q.pebs_format &&
	      q.named_events == 4 && q.features & CCSAMPLE_KNOWN_MODEL, "query");
	check(!ioctl(fd, CCSAMPLE_QUERY_EVENT, &e) && e.config == 0x8d1 && e.level == 1 &&
	      e.references == l1_references() && !strcmp((char *)e.name, "l1-miss"),
	      "query of an event");
	e.index = 3;
	check(!ioctl(fd, CCSAMPLE_QUERY_EVENT, &e) && e.config == 0x82d0 && e.level == 1 &&
	      e.flags == CCSAMPLE_EVENT_STORES, "query of the event of stores");
	e.index = 4;
	check(ioctl(fd, CCSAMPLE_QUERY_EVENT, &e) && errno == EINVAL, "query of no event");
	check(!ioctl(fd, CCSAMPLE_QUERY, shorter) && shorter[1] == CCSAMPLE_ABI && shorter[3] == 77,
	      "a shorter struct is filled as far as it goes");
	check(!ioctl(fd, CCSAMPLE_QUERY, &longer), "a longer struct whose rest is zero");
	longer.q.size = sizeof(longer);
	longer.more = 1;
	check(ioctl(fd, CCSAMPLE_QUERY, &longer) && errno == E2BIG, "a longer struct with more in "
								    "it");
	check(ioctl(fd, CCSAMPLE_QUERY, zeros_of(1 << 20)) && errno == E2BIG,
	      "a struct of more than a page, whatever is in it");
	q.size = 2;
	check(ioctl(fd, CCSAMPLE_QUERY, &q) && errno == EINVAL, "a struct without its size");
	q.size = sizeof(q);
	q.period_bits = 1;
	check(ioctl(fd, CCSAMPLE_QUERY, &q) && errno == EINVAL, "a reserved field that is set");
	q.period_bits = 0;
	q.cpu = 1 << 20;
	check(ioctl(fd, CCSAMPLE_QUERY, &q) && errno == EINVAL, "query of a CPU that cannot be");
	q.cpu = 1;
	check(!ioctl(fd, CCSAMPLE_QUERY, &q) && !q.device[0] && q.cpu == 1 && q.least_burst == 1,
	      "query of another CPU, of cores that are all alike");
	check(ioctl(fd, CCSAMPLE_QUERY, NULL) && errno == EFAULT, "no struct at all");
	check(ioctl(fd, _IO(0xcc, 99), NULL) && errno == ENOTTY, "an unknown request");
	check(ioctl(fd, _IOWR(0xcd, 1, struct ccsample_query), &q) && errno == ENOTTY,
	      "another device's request");
	check(ioctl(fd, CCSAMPLE_ENABLE, NULL) && errno == EINVAL, "ENABLE without a session");
	check(ioctl(fd, CCSAMPLE_DISABLE, NULL) && errno == EINVAL, "DISABLE without a session");
	check(ioctl(fd, CCSAMPLE_CHECK, NULL) && errno == EINVAL, "CHECK without a session");
	check(ioctl(fd, CCSAMPLE_FLUSH, NULL) && errno == EINVAL, "FLUSH without a session");
	check(ioctl(fd, CCSAMPLE_READ, &read) && errno == EINVAL, "READ without a session");
	check(ioctl(fd, CCSAMPLE_PERIOD, &period) && errno == EINVAL, "PERIOD without a session");
	check(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED,
	      "mmap without a session");
	close(fd);
}

#define REFUSED(field, value, error) do { \
	struct ccsample_open ask = plain_request(1); \
	ask.field = value; \
	refused(ask, error, "refused: " #field " = " #value); \
} while (0)

static void test_arguments(void)
{
	REFUSED(cpu, 4096, EINVAL);
	REFUSED(flags, 0, EINVAL);
	REFUSED(flags, 1 | 1 << 9, EINVAL);
	REFUSED(flags, CCSAMPLE_USER | CCSAMPLE_TASK, EINVAL);
	REFUSED(flags, CCSAMPLE_USER | CCSAMPLE_FROM_EXEC, EINVAL);
	REFUSED(flags, CCSAMPLE_USER | CCSAMPLE_VALUES, EOPNOTSUPP);
	REFUSED(pid, 1, EINVAL);
	REFUSED(events, 0, EINVAL);
	REFUSED(events, 4, EINVAL);
	REFUSED(burst, 0, EINVAL);
	REFUSED(burst, 4097, EINVAL);
	REFUSED(batch, 2, EINVAL);
	REFUSED(first_burst, 65, EINVAL);
	REFUSED(marks, 1000, EINVAL);
	REFUSED(marks, 1 << 20, EINVAL);
	REFUSED(memory, 1ull << 40, EINVAL);
	REFUSED(event[0].config, 1ull << 32, EINVAL);
	REFUSED(event[0].config, 0x4308d1, EINVAL);
	REFUSED(event[0].config, 0x408d1, EINVAL);
	REFUSED(event[0].config, 0x2008d1, EINVAL);
	REFUSED(event[0].config, 0x8008d1, EINVAL);
	REFUSED(event[0].config, 0x10008d1, EINVAL);
	REFUSED(event[0].config, 0x01cd, EOPNOTSUPP);
	REFUSED(event[0].config, 0x100b, EOPNOTSUPP);
	REFUSED(event[0].config, 0x01c0, EOPNOTSUPP);
	REFUSED(event[0].config, 0x05d0, EOPNOTSUPP);
	REFUSED(event[0].config, 0x06d0, EOPNOTSUPP);
	REFUSED(event[0].period, 0, EINVAL);
	REFUSED(event[0].period, 563, EINVAL);
	REFUSED(event[0].period, CCSAMPLE_PERIOD_MAX + 1, EINVAL);
	REFUSED(event[0].spread, 1000, EINVAL);
	REFUSED(event[0].plain, 1, EINVAL);
	REFUSED(event[0].reserved, 1, EINVAL);
	REFUSED(event[1].config, 0x10d1, EINVAL);
	REFUSED(event[2].reserved, 1, EINVAL);
	REFUSED(references, 1ull << 32, EINVAL);
	REFUSED(references, 0x4383d0, EINVAL);
	REFUSED(references, 0x2083d0, EINVAL);
	REFUSED(size, 3, EINVAL);
	REFUSED(storm_limit, CCSAMPLE_STORM_MAX + 1, EINVAL);
}

/* The kernel's interrupts make events themselves. */
static void test_kernel_periods(void)
{
	struct ccsample_open ask = plain_request(1);
	struct session s;

	ask.flags |= CCSAMPLE_KERNEL;
	ask.event[0].period = CCSAMPLE_KERNEL_LEAST - 1;
	ask.event[0].spread = 0;
	refused(ask, EINVAL, "refused: bursts of kernel events in fewer than an interrupt makes");
	ask.burst = 1;
	refused(ask, EINVAL, "refused: the same of single samples");
	ask.batch = 2;
	session_open(&s, &ask);
	check(s.open.batch == 2, "taken where a slot takes as many, and told");
	close(s.fd);
}

/* What is wrong only together. */
static void test_combinations(void)
{
	struct ccsample_open spread = plain_request(1), task = spread, two = spread;

	spread.burst = 1;
	spread.batch = CCSAMPLE_BURST_MAX + 1;
	refused(spread, EINVAL, "refused: a batch of 4097");
	spread.batch = 0;
	spread.first_burst = 1;
	refused(spread, EINVAL, "refused: single events, and a ladder");
	task.flags |= CCSAMPLE_TASK;
	task.pid = -1;
	refused(task, EINVAL, "refused: the task -1");
	two.events = 2;
	refused(two, offered().features & CCSAMPLE_HAS_COUNTER ? EINVAL : EOPNOTSUPP,
		"refused: a second event that is none, or any where records do not tell "
		"them apart");
}

/* Where records tell their events apart; elsewhere OPEN refuses them. */
static void test_several(struct ccsample_open more)
{
	struct session s;

	more.event[1] = more.event[0];
	more.event[1].config = 0x10d1;
	more.events = 2;
	if (!(offered().features & CCSAMPLE_HAS_COUNTER)) {
		refused(more, EOPNOTSUPP, "refused: two events");
		more.event[2] = more.event[0];
		more.events = 3;
		refused(more, EOPNOTSUPP, "refused: three events");
		return;
	}
	session_open(&s, &more);
	check(!s.open.references && s.open.event[0].plain && s.open.event[1].plain,
	      "two events: no counter is left for references, which is told");
	close(s.fd);
	more.event[2] = more.event[0];
	more.event[2].config = 0x20d1;
	more.events = 3;
	session_open(&s, &more);
	check(s.open.event[0].plain && !s.open.event[1].plain && !s.open.event[2].plain &&
	      !s.open.references, "three events: one is counted, which is told");
	close(s.fd);
}

/* Who gets one of the four counters for memory events is told. */
static void test_counters(void)
{
	struct ccsample_open one = plain_request(1), spread, old, masked;
	struct session s;

	one.references = l1_references();
	spread = old = masked = one;
	session_open(&s, &one);
	check(s.open.references == one.references && s.open.event[0].plain,
	      "one event: references are counted beside");
	close(s.fd);
	masked.references |= 1 << 18 | 1 << 23 | 2 << 24;
	session_open(&s, &masked);
	check(s.open.references == masked.references,
	      "references take edge, inversion and counter mask: they are only counted");
	close(s.fd);
	test_several(one);
	spread.burst = 1;
	session_open(&s, &spread);
	check(!s.open.references, "single samples: no references");
	close(s.fd);
	old.size = offsetof(struct ccsample_open, references);
	session_open(&s, &old);
	check(s.open.references == old.references && s.open.event[0].plain,
	      "an older caller's OPEN is understood, and nothing behind it written");
	close(s.fd);
}

static void lose(unsigned int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		die("capget");
	data[capability / 32].effective &= ~(1u << capability % 32);
	data[capability / 32].permitted &= ~(1u << capability % 32);
	if (syscall(SYS_capset, &header, data))
		die("capset");
}

/* In a child, without some rights. */
static int opens_without(unsigned int nr, const unsigned int *capabilities,
			 struct ccsample_open ask)
{
	pid_t child = fork();
	int status;

	if (!child) {
		int fd = device();

		for (unsigned int i = 0; i < nr; i++)
			lose(capabilities[i]);
		_exit(ioctl(fd, CCSAMPLE_OPEN, &ask) ? errno : 0);
	}
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

static void test_rights(void)
{
	static const unsigned int all[] = { CAP_SYS_ADMIN, CAP_PERFMON, CAP_SYS_PTRACE };
	struct ccsample_open ask = plain_request(1), kernel = ask, task = ask, gone = ask;
	struct ccsample_open nothing = ask;
	pid_t other = fork();

	if (!other) {
		if (setuid(1000))
			_exit(2);
		pause();
	}
	usleep(100000);
	nothing.flags = 0;
	kernel.flags |= CCSAMPLE_KERNEL;
	task.flags |= CCSAMPLE_TASK;
	task.pid = other;
	gone.flags |= CCSAMPLE_TASK;
	gone.pid = 99999;
	check(opens_without(2, all, ask) == EPERM,
	      "no right: neither CAP_PERFMON nor CAP_SYS_ADMIN");
	check(opens_without(1, all, ask) == 0, "CAP_PERFMON is enough");
	check(opens_without(2, all, nothing) == EPERM && opens_without(1, all, nothing) == EINVAL,
	      "a request for nothing says whether the right is there");
	check(opens_without(1, all, kernel) == EPERM,
	      "no right: the kernel, without CAP_SYS_ADMIN");
	check(opens_without(1, all + 2, task) == EPERM, "no right: another's task, without "
							"CAP_SYS_PTRACE");
	check(opens_without(0, all, task) == 0, "another's task, with CAP_SYS_PTRACE");
	check(opens_without(0, all, gone) == ESRCH, "no such process");
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
}

/* A process that has exited and was not waited for: its name will be somebody else's. */
static void test_zombie(void)
{
	struct ccsample_open ask = plain_request(1);
	pid_t child = fork();

	if (!child)
		_exit(0);
	usleep(100000);
	ask.flags |= CCSAMPLE_TASK;
	ask.pid = child;
	refused(ask, ESRCH, "refused: a process that has exited");
	ask.flags |= CCSAMPLE_FROM_EXEC;
	refused(ask, ESRCH, "refused: the exec of a process that has exited");
	waitpid(child, NULL, 0);
}

/* ioctl() as a 32-bit program's, through the kernel's 32-bit entry. */
static int ioctl_32(int fd, unsigned long command, void *argument)
{
	int result;

	asm volatile("int $0x80" : "=a" (result)
		     : "a" (54), "b" (fd), "c" (command), "d" (argument)
		     : "memory", "r8", "r9", "r10", "r11");
	return result;
}

static void test_32_bit(void)
{
	struct ccsample_query *q = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	int fd = device(), result;

	if (q == MAP_FAILED)
		die("mmap");
	q->size = sizeof(*q);
	result = ioctl_32(fd, CCSAMPLE_QUERY, q);
	check(!result && q->abi == CCSAMPLE_ABI, "a 32-bit program's request");
	munmap(q, 4096);
	close(fd);
}

static void set_effective(bool on)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		die("capget");
	for (int i = 0; i < 2; i++)
		data[i].effective = on ? data[i].permitted : 0;
	if (syscall(SYS_capset, &header, data))
		die("capset");
}

/* A socket that was opened without the right, and is used by somebody who has it. */
static void test_netlink(void)
{
	int mine = genl_socket(), family = genl_family(mine), theirs;

	set_effective(false);
	theirs = genl_socket();
	check(genl_dump(mine, family) == -EPERM, "netlink: no answer without the right");
	set_effective(true);
	check(family > 0 && !genl_dump(mine, family), "netlink: an answer");
	check(genl_dump(theirs, family) == -EPERM,
	      "netlink: no answer to another's socket, opened without the right");
	close(mine);
	close(theirs);
}

/* Who opens the device for reading only may map it all, to read. */
static void test_read_only(void)
{
	struct ccsample_open ask = plain_request(1);
	int fd = open(CCSAMPLE_DEVICE, O_RDONLY | O_CLOEXEC);
	const uint64_t parts[] = { CCSAMPLE_MMAP_READER, CCSAMPLE_MMAP_CONTROL, CCSAMPLE_MMAP_RECORDS };
	bool all = true;
	void *at;

	if (fd < 0 || ioctl(fd, CCSAMPLE_OPEN, &ask))
		die("CCSAMPLE_OPEN");
	for (int i = 0; i < 3; i++) {
		at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, parts[i]);
		all &= at != MAP_FAILED && mprotect(at, 4096, PROT_READ | PROT_WRITE) &&
		       errno == EACCES;
	}
	check(all, "a file opened for reading: mappings, which cannot be written");
	at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, CCSAMPLE_MMAP_RECORDS);
	check(at == MAP_FAILED && errno == EINVAL, "... and no private one");
	close(fd);
}

/* epoll looks at a file's queue once, here before it has a session. */
static void test_epoll(void)
{
	struct epoll_event wanted = { .events = EPOLLIN | EPOLLET }, got = { };
	struct ccsample_open ask = plain_request(1);
	int poller = epoll_create1(EPOLL_CLOEXEC), fd = device();

	if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &wanted))
		die("epoll_ctl");
	check(epoll_wait(poller, &got, 1, 0) == 1 && got.events & EPOLLERR,
	      "epoll: a file without a session");
	if (ioctl(fd, CCSAMPLE_OPEN, &ask) || ioctl(fd, CCSAMPLE_ENABLE))
		die("CCSAMPLE_OPEN");
	check(!epoll_wait(poller, &got, 1, 0), "epoll: it samples");
	put_number("/sys/devices/system/cpu/cpu1/online", "0");
	check(epoll_wait(poller, &got, 1, 5000) == 1 && got.events & EPOLLHUP,
	      "epoll: who has waited since before OPEN is woken by the end");
	put_number("/sys/devices/system/cpu/cpu1/online", "1");
	close(fd);
	close(poller);
}

static void test_mappings(void)
{
	struct ccsample_open ask = plain_request(1);
	struct session s;
	void *at;
	pid_t child;
	int status;

	session_open(&s, &ask);
	at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, s.fd, CCSAMPLE_MMAP_CONTROL);
	check(at == MAP_FAILED && errno == EACCES, "no writing to the control area");
	at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, s.fd, CCSAMPLE_MMAP_RECORDS);
	check(at == MAP_FAILED && errno == EACCES, "no writing to the records");
	check(mprotect((void *)s.records, 4096, PROT_READ | PROT_WRITE) && errno == EACCES,
	      "nor by mprotect");
	check(mprotect((void *)s.control, 4096, PROT_READ | PROT_EXEC), "nor executing");
	at = mmap(NULL, 8192, PROT_READ, MAP_SHARED, s.fd, CCSAMPLE_MMAP_READER);
	check(at == MAP_FAILED && errno == EINVAL, "no mapping of more than there is");
	at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, s.fd, 0x5000);
	check(at == MAP_FAILED && errno == EINVAL, "no mapping of another offset");
	at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, s.fd, CCSAMPLE_MMAP_CONTROL);
	check(at == MAP_FAILED && errno == EINVAL, "no private mapping");
	child = fork();
	if (!child) {
		signal(SIGSEGV, SIG_DFL);
		_exit(((volatile uint8_t *)s.records)[0]);
	}
	waitpid(child, &status, 0);
	check(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "a child has no mapping");
	check(!s.records[0] && !s.records[s.open.records_bytes - 1], "records are zeroed");
	SESSION_CALL(&s, CCSAMPLE_ENABLE);
	close(s.fd);
	check(s.control->cpu == 1 && !s.records[0], "mappings outlive the session");
	session_open(&s, &ask);
	check(true, "a closed session has left its CPU");
	close(s.fd);
}

static void test_one_a_cpu(void)
{
	struct ccsample_open ask = plain_request(1), zero = plain_request(0);
	struct ccsample_read counts = { .size = sizeof(counts), .reserved = 1 };
	struct session s, t;
	int fd;

	session_open(&s, &ask);
	check(ioctl(s.fd, CCSAMPLE_OPEN, &ask) && errno == EBUSY, "a file is one session");
	fd = device();
	check(ioctl(fd, CCSAMPLE_OPEN, &ask) && errno == EBUSY, "a CPU has one session");
	close(fd);
	ask.flags |= CCSAMPLE_TASK;
	ask.pid = 4000000;
	refused(ask, EBUSY, "which is said before anything is made for it");
	session_open(&t, &zero);
	SESSION_CALL(&s, CCSAMPLE_ENABLE);
	SESSION_CALL(&t, CCSAMPLE_ENABLE);
	check(s.control->state == CCSAMPLE_RUNNING && t.control->state == CCSAMPLE_RUNNING,
	      "two sessions on two CPUs");
	SESSION_CALL(&s, CCSAMPLE_CHECK);
	SESSION_CALL(&t, CCSAMPLE_CHECK);
	check(ioctl(s.fd, CCSAMPLE_READ, &counts) && errno == EINVAL, "READ with a reserved field "
								      "set");
	SESSION_CALL(&s, CCSAMPLE_DISABLE);
	check(s.control->state == CCSAMPLE_STOPPED, "stopped");
	SESSION_CALL(&s, CCSAMPLE_ENABLE);
	check(s.control->state == CCSAMPLE_RUNNING, "and started again");
	close(s.fd);
	close(t.fd);
}

#define PERIOD_REFUSED(fd, field, value) do { \
	struct ccsample_period ask = { .size = sizeof(ask), .period = { 1000 }, .spread = { 10 } }; \
	ask.field = value; \
	check(ioctl(fd, CCSAMPLE_PERIOD, &ask) && errno == EINVAL, \
	      "PERIOD refused: " #field " = " #value); \
} while (0)

static void test_period(void)
{
	struct ccsample_period period = { .size = sizeof(period), .period = { 2000 } };
	struct ccsample_open ask = plain_request(1);
	struct session s;
	uint64_t before;

	session_open(&s, &ask);
	PERIOD_REFUSED(s.fd, size, 3);
	PERIOD_REFUSED(s.fd, reserved, 1);
	PERIOD_REFUSED(s.fd, from, 1);
	PERIOD_REFUSED(s.fd, period[0], 0);
	PERIOD_REFUSED(s.fd, period[0], CCSAMPLE_PERIOD_MAX + 1);
	PERIOD_REFUSED(s.fd, spread[0], 1000 - 63);
	PERIOD_REFUSED(s.fd, period[1], 1000);
	check(!ioctl(s.fd, CCSAMPLE_PERIOD, &period) && period.from == 0,
	      "PERIOD before ENABLE is of all slots");
	SESSION_CALL(&s, CCSAMPLE_ENABLE);
	before = head_of(&s);
	period.from = 0;
	check(!ioctl(s.fd, CCSAMPLE_PERIOD, &period) && period.from > before &&
	      period.from <= head_of(&s) + 1, "PERIOD is of the slots behind the current one");
	close(s.fd);
}

/* Somebody else's precise event on CPU 1. */
static int foreign_pebs(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = 0x8d1,
		.sample_period = 1000000,
		.precise_ip = 2,
		.exclude_kernel = 1,
		.pinned = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, 1, -1, 0);

	if (fd < 0)
		die("perf_event_open");
	return fd;
}

/* An ENABLE that was refused is forgotten by the next one. */
static void test_refused_once(void)
{
	struct ccsample_open ask = plain_request(1);
	struct session s;
	int other;

	session_open(&s, &ask);
	other = foreign_pebs();
	check(ioctl(s.fd, CCSAMPLE_ENABLE) && errno == EBUSY &&
	      s.control->reason == CCSAMPLE_FOREIGN_PEBS, "ENABLE beside somebody's PEBS");
	close(other);
	SESSION_CALL(&s, CCSAMPLE_ENABLE);
	SESSION_CALL(&s, CCSAMPLE_DISABLE);
	check(s.control->state == CCSAMPLE_STOPPED && s.control->reason == CCSAMPLE_NOT_ENDED,
	      "the next ENABLE has no reason to end");
	close(s.fd);
}

/* Lines of the kernel's log that say so. */
static unsigned int lines_of_an_end(void)
{
	static char log[1 << 20];
	int bytes = klogctl(READ_LOG, log, sizeof(log) - 1);
	unsigned int lines = 0;

	if (bytes < 0)
		die("klogctl");
	log[bytes] = 0;
	for (char *at = log; (at = strstr(at, "session on CPU 1 ended: ")); at++)
		lines++;
	return lines;
}

/* Nothing but interrupts comes to CPU 1, but what the kernel lets through now and then. */
static pid_t occupy(void)
{
	struct sched_param first = { .sched_priority = 1 };
	pid_t pid = fork();

	if (pid)
		return pid;
	pin(1);
	if (sched_setscheduler(0, SCHED_FIFO, &first))
		die("sched_setscheduler");
	for (;;)
		;
}

/* A file that is closed before the work item that says why its session ended has run. */
static void test_end_is_said(void)
{
	struct ccsample_open ask = plain_request(1);
	unsigned int before = lines_of_an_end(), ended = 0;
	pid_t pid = occupy();

	for (int i = 0; i < 3; i++) {
		struct session s;
		int other;

		session_open(&s, &ask);
		SESSION_CALL(&s, CCSAMPLE_ENABLE);
		other = foreign_pebs();
		ended += ioctl(s.fd, CCSAMPLE_CHECK) && errno == ESHUTDOWN;
		close(s.fd);
		close(other);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	check(ended == 3 && lines_of_an_end() == before + 3,
	      "closed at once: the log says that the session has ended");
}

/* More marks than there may be, by default. */
static void test_many_marks(void)
{
	struct ccsample_open ask = plain_request(1);
	struct session s;

	put_number("/sys/module/ccsample/parameters/marks", "3000000000");
	session_open(&s, &ask);
	check(s.open.marks == 65536 && s.control->marks == 65536,
	      "a default of too many marks is the most there may be");
	close(s.fd);
	put_number("/sys/module/ccsample/parameters/marks", "8192");
}

static void test_offline(void)
{
	struct ccsample_period period = { .size = sizeof(period), .period = { 1000 } };
	struct ccsample_open ask = plain_request(1);
	struct pollfd poller;
	struct session s;
	int fd;

	session_open(&s, &ask);
	SESSION_CALL(&s, CCSAMPLE_ENABLE);
	poller = (struct pollfd){ .fd = s.fd, .events = POLLIN };
	check(poll(&poller, 1, 0) >= 0 && !(poller.revents & POLLHUP), "poll: it samples");
	put_number("/sys/devices/system/cpu/cpu1/online", "0");
	check(poll(&poller, 1, 5000) == 1 && poller.revents & POLLHUP, "CPU offline: POLLHUP");
	check(s.control->state == CCSAMPLE_ENDED && s.control->reason == CCSAMPLE_CPU_OFFLINE,
	      "CPU offline: the reason");
	check(ioctl(s.fd, CCSAMPLE_ENABLE, NULL) && errno == ESHUTDOWN, "what has ended does not "
									"start");
	check(ioctl(s.fd, CCSAMPLE_PERIOD, &period) && errno == ESHUTDOWN, "nor has it periods");
	fd = device();
	check(ioctl(fd, CCSAMPLE_OPEN, &ask) && errno == ENODEV, "no session on a CPU offline");
	close(fd);
	put_number("/sys/devices/system/cpu/cpu1/online", "1");
	close(s.fd);
	session_open(&s, &ask);
	SESSION_CALL(&s, CCSAMPLE_ENABLE);
	check(s.control->state == CCSAMPLE_RUNNING, "CPU online again");
	close(s.fd);
}

/* Sessions whose owner is killed at some moment. */
static void test_killed(void)
{
	struct ccsample_open ask = plain_request(1);
	struct session s;

	for (int i = 0; i < 30; i++) {
		pid_t child = fork();

		if (!child) {
			session_open(&s, &ask);
			for (;;) {
				SESSION_CALL(&s, CCSAMPLE_ENABLE);
				SESSION_CALL(&s, CCSAMPLE_DISABLE);
			}
		}
		usleep(1000 + 1777 * i % 20000);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	session_open(&s, &ask);
	SESSION_CALL(&s, CCSAMPLE_ENABLE);
	check(s.control->state == CCSAMPLE_RUNNING, "after 30 owners killed");
	close(s.fd);
}

/* Misses on CPU 1 until it is killed. */
static void miss_for_ever(void)
{
	static volatile char lines[1 << 20];

	pin(1);
	for (;;) {
		for (size_t i = 0; i < sizeof(lines); i += 64)
			lines[i]++;
	}
}

/* A process of so many generations more, each waiting for the next; the last one misses. */
static void descend(unsigned int generations)
{
	while (generations--) {
		if (fork())
			pause();
	}
	miss_for_ever();
}

static void *run_again(void *unused)
{
	execl("/proc/self/exe", "api", "miss", NULL);
	return unused;
}

/* A thread beside the first one calls exec, and becomes the first one. */
static void exec_by_thread(void)
{
	pthread_t thread;

	pin(1);
	if (pthread_create(&thread, NULL, run_again, NULL))
		die("pthread_create");
	for (;;)
		pause();
}

/* A family of its own group: killpg() ends it. Once something comes through `go`, it begins. */
static pid_t family(unsigned int generations, int go[2], bool by_exec)
{
	pid_t pid;
	char any;

	if (pipe(go))
		die("pipe");
	pid = fork();
	if (pid) {
		setpgid(pid, pid);
		close(go[0]);
		return pid;
	}
	setpgid(0, 0);
	if (read(go[0], &any, 1) != 1)
		die("read");
	if (generations == THREAD_EXECS)
		exec_by_thread();
	if (by_exec)
		execl("/proc/self/exe", "api", "miss", NULL);
	descend(generations);
	return 0;
}

static void begin_family(int go[2])
{
	if (write(go[1], "", 1) != 1)
		die("write");
	close(go[1]);
	usleep(200000);
}

static void end_family(pid_t pid)
{
	killpg(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	usleep(50000);
}

static void follow(struct session *s, int cpu, pid_t pid, uint32_t flags)
{
	struct ccsample_open ask = plain_request(cpu);

	ask.flags |= CCSAMPLE_TASK | flags;
	ask.pid = pid;
	session_open(s, &ask);
	SESSION_CALL(s, CCSAMPLE_ENABLE);
}

/* Has it records, within so many times 10 ms? Before it is asked they may have filled its slots. */
static bool samples_within(const struct session *s, int most)
{
	for (int i = 0; i < most && !head_of(s); i++)
		usleep(10000);
	return head_of(s);
}

static bool samples(const struct session *s)
{
	return samples_within(s, 1000);
}

static bool is_zero(const struct session *s, uint64_t slot)
{
	const uint8_t *records = records_of(s, slot);

	for (uint32_t i = 0; i < s->open.slot_bytes; i++) {
		if (records[i])
			return false;
	}
	return true;
}

/* The slot that somebody's PEBS may have written to is not for the reader. */
static void test_foreign_slot(void)
{
	struct ccsample_open ask = plain_request(1);
	struct session s;
	pid_t pid = fork();
	int other;

	if (!pid)
		miss_for_ever();
	ask.burst = 4096;
	ask.event[0] = (struct ccsample_event){ .config = 0x08d1, .period = 5000 };
	session_open(&s, &ask);
	SESSION_CALL(&s, CCSAMPLE_ENABLE);
	for (int i = 0; i < 10000 && is_zero(&s, head_of(&s)); i++)
		usleep(1000);
	other = foreign_pebs();
	ioctl(s.fd, CCSAMPLE_CHECK);
	for (int i = 0; i < 500 && !is_zero(&s, head_of(&s)); i++)
		usleep(10000);
	check(s.control->reason == CCSAMPLE_FOREIGN_PEBS && is_zero(&s, head_of(&s)),
	      "the slot beside somebody's PEBS is cleared");
	close(s.fd);
	close(other);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/*
 * A precise event comes to CPU 1 and goes again, while nothing there looks around: its records, with
 * the registers that it asked for, are larger than ours, and so are ours from then on.
 */
static void test_passing_pebs(void)
{
	struct ccsample_open ask = plain_request(1);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = 0x8d1,
		.sample_period = 1000000,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_REGS_INTR,
		.sample_regs_intr = 1,
		.precise_ip = 2,
		.pinned = 1,
	};
	pid_t pid = occupy();
	struct session s;
	int other;

	ask.event[0].period = 1 << 30;
	session_open(&s, &ask);
	SESSION_CALL(&s, CCSAMPLE_ENABLE);
	other = syscall(SYS_perf_event_open, &attr, -1, 1, -1, 0);
	if (other < 0)
		die("perf_event_open");
	close(other);
	check(ioctl(s.fd, CCSAMPLE_CHECK) && errno == ESHUTDOWN &&
	      s.control->reason == CCSAMPLE_FOREIGN_PEBS,
	      "somebody's PEBS that has gone again ends the session");
	close(s.fd);
	session_open(&s, &ask);
	check(!ioctl(s.fd, CCSAMPLE_ENABLE) && !ioctl(s.fd, CCSAMPLE_CHECK), "the next one samples");
	close(s.fd);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Pinned events that wait: an older one goes before ours when it is enabled. */
static int waiting(uint64_t config)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = config,
		.exclude_kernel = 1,
		.pinned = 1,
		.disabled = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, 1, -1, 0);

	if (fd < 0)
		die("perf_event_open");
	return fd;
}

static void enable(int event)
{
	if (ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
		die("PERF_EVENT_IOC_ENABLE");
}

/* Three of the four counters go to others, so the event that only counts has none. */
static void test_given_up(void)
{
	struct ccsample_open ask = plain_request(1);
	int others[] = { waiting(0x10d1), waiting(0x20d1), waiting(0x01d1) };
	struct session s;
	bool stayed;

	ask.event[0].period = 1 << 30;
	session_open(&s, &ask);
	SESSION_CALL(&s, CCSAMPLE_ENABLE);
	enable(others[0]);
	enable(others[1]);
	stayed = s.open.event[0].plain && !ioctl(s.fd, CCSAMPLE_CHECK);
	enable(others[2]);
	check(stayed && ioctl(s.fd, CCSAMPLE_CHECK) && errno == ESHUTDOWN &&
	      s.control->reason == CCSAMPLE_COUNTER_CHANGED,
	      "a session whose second counter is taken ends");
	for (int i = 0; i < 3; i++)
		close(others[i]);
	close(s.fd);
}

#define LINE		64
#define LINES		(1 << 16)
#define RECORD		64	/* bytes of an adaptive one */
#define RECORD_ADDRESS	32

/*
 * A process that has CPU 1 for itself and misses when it is told to, line after line, round a buffer
 * larger than L1. @wanted: misses in all, @made: those behind it
 */
static pid_t miss_on_demand(const uint64_t *wanted, uint64_t *made)
{
	static volatile char lines[LINES * LINE];
	pid_t pid = fork();

	if (pid)
		return pid;
	memset((void *)lines, 1, sizeof(lines));
	pin(1);
	if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 }))
		die("sched_setscheduler");
	for (uint64_t n = 0;; __atomic_store_n(made, n, __ATOMIC_RELEASE)) {
		for (; n < __atomic_load_n(wanted, __ATOMIC_ACQUIRE); n++)
			(void)lines[n % LINES * LINE];
	}
}

static void miss_until(uint64_t *shared, uint64_t wanted)
{
	__atomic_store_n(&shared[0], wanted, __ATOMIC_RELEASE);
	while (__atomic_load_n(&shared[1], __ATOMIC_ACQUIRE) < wanted)
		usleep(1000);
}

static uint64_t address_of(const struct session *s, uint64_t slot, uint32_t record)
{
	uint64_t address;

	memcpy(&address, records_of(s, slot) + record * RECORD + RECORD_ADDRESS, sizeof(address));
	return address;
}

/* Between two records of a burst the program has missed on one line, with few exceptions of its own. */
static unsigned int far_in(const struct session *s, uint64_t slot)
{
	unsigned int far = 0;

	for (uint32_t i = 1; i < slot_of(s, slot)->bytes / RECORD; i++) {
		uint64_t apart = address_of(s, slot, i) - address_of(s, slot, i - 1);

		far += apart % (LINES * LINE) > 2 * LINE;
	}
	return far;
}

/*
 * In the middle of a burst the event goes to another counter, for an older one has the first: what
 * this one records a period apart is not published as a burst.
 */
static void test_moved(void)
{
	struct ccsample_open ask = plain_request(1);
	uint64_t *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				-1, 0);
	unsigned int far = 0, without = 0, others = 0;
	int other = waiting(0x10d1);
	uint64_t wanted = 0;
	struct session s;
	pid_t pid;

	put_number("/proc/sys/kernel/sched_rt_runtime_us", "-1");
	pid = miss_on_demand(&shared[0], &shared[1]);
	ask.event[0].period = 2000;
	ask.event[0].spread = 0;
	session_open(&s, &ask);
	miss_until(shared, wanted += 10);
	SESSION_CALL(&s, CCSAMPLE_ENABLE);
	while (!address_of(&s, 0, 9) && wanted < 4000)
		miss_until(shared, ++wanted);
	check(!head_of(&s) && address_of(&s, 0, 9), "a burst has begun");
	enable(other);
	for (int i = 0; i < 100 && head_of(&s) < 10; i++)
		miss_until(shared, wanted += 2000);
	SESSION_CALL(&s, CCSAMPLE_DISABLE);
	for (uint64_t slot = 0; slot < head_of(&s); slot++) {
		unsigned int apart = far_in(&s, slot);

		printf("# slot %" PRIu64 ": %u records of counter %u, %u far apart\n", slot,
		       slot_of(&s, slot)->bytes / RECORD, slot_of(&s, slot)->counter[0], apart);
		without += slot_of(&s, slot)->counter[0] == CCSAMPLE_NO_COUNTER;
		others += slot_of(&s, slot)->counter[0] == 1;
		far += slot_of(&s, slot)->counter[0] == CCSAMPLE_NO_COUNTER ? 0 : apart;
	}
	check(s.control->rewrites && others > 2 && !far && without == 1,
	      "a burst in which perf has moved its counter is of none");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(other);
	close(s.fd);
}

static int test_passing(void)
{
	test_passing_pebs();
	test_given_up();
	test_moved();
	return 0;
}

/* Have all records behind the exec the process's number, of all that is left of it? */
static bool is_first_thread(const struct session *s, uint32_t pid)
{
	uint64_t head = __atomic_load_n(&s->control->mark_head, __ATOMIC_ACQUIRE);
	unsigned int switches = 0;
	bool behind = false;

	for (uint64_t i = 0; i < head; i++) {
		const struct ccsample_mark *mark = &s->marks[i & (s->open.marks - 1)];

		behind |= mark->kind == CCSAMPLE_MARK_EXEC;
		if (!behind || mark->kind != CCSAMPLE_MARK_SWITCH || mark->pid != pid)
			continue;
		if (mark->tid != pid)
			return false;
		switches++;
	}
	return switches;
}

/* Sessions that follow a process. */
static void test_followers(void)
{
	struct session s, t;
	pid_t pid, other;
	int go[2], to_other[2];

	pid = family(0, go, true);
	follow(&s, 0, pid, CCSAMPLE_FROM_EXEC);
	follow(&t, 1, pid, CCSAMPLE_FROM_EXEC);
	close(s.fd);
	begin_family(go);
	check(samples(&t), "two follow a process from its exec: one goes on without the other");
	follow(&s, 0, pid, CCSAMPLE_FROM_EXEC);
	close(t.fd);
	follow(&t, 1, pid, CCSAMPLE_FROM_EXEC);
	check(!samples_within(&t, 30), "behind the exec another one waits for the next");
	close(t.fd);
	follow(&t, 1, pid, 0);
	check(samples(&t), "or follows it at once");
	close(s.fd);
	close(t.fd);
	end_family(pid);

	pid = family(THREAD_EXECS, go, false);
	follow(&t, 1, pid, 0);
	begin_family(go);
	check(samples(&t) && is_first_thread(&t, pid),
	      "a thread's exec: it has the first one's number");
	close(t.fd);
	end_family(pid);

	pid = family(3, go, false);
	other = family(3, to_other, false);
	begin_family(go);
	follow(&t, 1, pid, 0);
	check(samples(&t), "three generations that live");
	close(t.fd);
	follow(&t, 1, other, 0);
	check(!samples_within(&t, 30), "but nobody else's");
	follow(&s, 0, other, 0);
	close(s.fd);
	begin_family(to_other);
	check(samples(&t), "three generations born later, after another session's end");
	close(t.fd);
	end_family(pid);
	end_family(other);
}

static void lock_down(void)
{
	if (mount("none", "/sys/kernel/security", "securityfs", 0, NULL) && errno != EBUSY)
		die("securityfs");
	put_number("/sys/kernel/security/lockdown", "confidentiality");
}

static int test_lockdown(void)
{
	struct ccsample_open user = plain_request(1), kernel = user;
	struct session s;

	kernel.flags |= CCSAMPLE_KERNEL;
	session_open(&s, &kernel);
	check(true, "the kernel's events, where nothing is locked down");
	close(s.fd);
	lock_down();
	refused(kernel, EPERM, "refused: the kernel's events, locked down");
	refused(user, EPERM, "refused: a program's events, locked down");
	return 0;
}

/* More than a gibibyte in all; then less than was asked for, where memory is short. */
static int test_window(int cpus)
{
	const uint64_t wanted = 256ull << 20;
	uint64_t got = wanted;
	struct session s;
	int cpu;

	for (cpu = 0; cpu < cpus && got == wanted; cpu++) {
		struct ccsample_open ask = plain_request(cpu);

		ask.memory = wanted;
		session_open(&s, &ask);
		got = s.open.memory;
		printf("# CPU %d: %" PRIu64 " MiB, %u slots\n", cpu, got >> 20, s.open.slots);
	}
	check(cpu > 5, "five sessions and more of 256 MiB");
	check(got && got < wanted, "the one for which memory is short gets less");
	check(s.open.records_bytes + 4096 == got &&
	      (uint64_t)s.open.slots * s.open.slot_bytes < got, "and slots as fit in it");
	return 0;
}

static int possible_cpus(void)
{
	char text[64] = "";
	int first = 0, last = 0, fd = open("/sys/devices/system/cpu/possible", O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		die("possible CPUs");
	close(fd);
	return sscanf(text, "%d-%d", &first, &last) == 2 ? last + 1 : 1;
}

static void unmap(struct session *s)
{
	munmap(s->reader, 4096);
	munmap((void *)s->control, s->open.control_bytes);
	munmap((void *)s->records, s->open.records_bytes);
}

/* The memory of sessions that are closed, and whose mappings are not, counts. */
static int test_kept(void)
{
	const uint64_t wanted = 256ull << 20, most = possible_cpus() * wanted;
	struct ccsample_open ask = plain_request(1);
	struct session s[8];
	uint64_t kept = 0;
	int n;

	ask.memory = wanted;
	for (n = 0; n < 8; n++) {
		s[n].fd = device();
		s[n].open = ask;
		if (ioctl(s[n].fd, CCSAMPLE_OPEN, &s[n].open))
			break;
		session_map(&s[n]);
		close(s[n].fd);
		kept += s[n].open.memory;
		printf("# kept: %" PRIu64 " of at most %" PRIu64 " MiB\n", kept >> 20, most >> 20);
	}
	check(n < 8 && errno == ENOMEM && kept == most,
	      "mappings that are kept have 256 MiB for each CPU, and no more");
	close(s[n].fd);
	while (n--)
		unmap(&s[n]);
	for (n = 0; n < 2; n++) {
		session_open(&s[n], &ask);
		kept = s[n].open.memory;
		close(s[n].fd);
		unmap(&s[n]);
	}
	check(kept == wanted, "and when they are gone it is there again");
	return 0;
}

static bool opens(uint64_t period, uint64_t spread)
{
	struct ccsample_open ask = plain_request(1);
	int fd = device();
	bool opened;

	ask.burst = 1;
	ask.event[0].period = period;
	ask.event[0].spread = spread;
	opened = !ioctl(fd, CCSAMPLE_OPEN, &ask);
	close(fd);
	return opened;
}

/* On a processor whose counters are written by 32 bits. */
static int test_short_counters(void)
{
	struct ccsample_query q = { .size = sizeof(q) };
	int fd = device();

	check(!ioctl(fd, CCSAMPLE_QUERY, &q) && q.period_bits == 31, "query: the longest period");
	close(fd);
	check(opens(0x7fffffff, 0) && !opens(0x80000000, 0), "periods up to 2^31 - 1");
	check(opens(0x7ffffff0, 15) && !opens(0x7ffffff0, 16), "... with their spread");
	return 0;
}

/* Return: whether CPU @cpu of a hybrid is of such cores, with so many counters and events. */
static bool is_kind(uint32_t cpu, const char *name, unsigned int counters, unsigned int events)
{
	struct ccsample_query q = { .size = sizeof(q), .cpu = cpu };
	int fd = device();
	bool right = !ioctl(fd, CCSAMPLE_QUERY, &q) && !strcmp((char *)q.device, name) &&
		     q.counters == counters && q.named_events == events && q.pebs_format == 4 &&
		     q.features & CCSAMPLE_BURSTS;

	printf("# CPU %u: %s, %s, %u counters, %u events\n", cpu, q.device, q.model, q.counters,
	       q.named_events);
	close(fd);
	return right;
}

static uint64_t config_of(uint32_t cpu, uint32_t index)
{
	struct ccsample_query_event e = { .size = sizeof(e), .cpu = cpu, .index = index };
	int fd = device(), failed = ioctl(fd, CCSAMPLE_QUERY_EVENT, &e);

	close(fd);
	return failed ? 0 : e.config;
}

/* CPU 0 is a P-core of Alder Lake, CPU 1 an E-core that was offline when the module was loaded. */
static int test_hybrid(void)
{
	struct ccsample_query q = { .size = sizeof(q), .cpu = 1 };
	struct ccsample_open ask = plain_request(1);
	int fd = device();

	check(ioctl(fd, CCSAMPLE_QUERY, &q) && errno == ENODEV, "query of a CPU never online");
	check(ioctl(fd, CCSAMPLE_OPEN, &ask) && errno == ENODEV, "a session on a CPU never online");
	check(is_kind(0, "cpu_core", 8, 4), "CPU 0 is a P-core");
	put_number("/sys/devices/system/cpu/cpu1/online", "1");
	check(is_kind(1, "cpu_atom", 6, 3), "CPU 1, now online, is an E-core");
	check(config_of(0, 0) == 0x8d1 && config_of(1, 0) == 0x8d1, "L1 misses have one code");
	check(config_of(0, 2) == 0x20d1 && config_of(1, 2) == 0x20d2,
	      "L3 misses have another on each kind");
	check(config_of(0, 3) == 0x82d0 && !config_of(1, 3), "no event of store misses on E-cores");
	put_number("/sys/devices/system/cpu/cpu1/online", "0");
	check(is_kind(1, "cpu_atom", 6, 3), "offline again, it is what it was");
	check(ioctl(fd, CCSAMPLE_OPEN, &ask) && errno == ENODEV, "and has no session");
	put_number("/sys/devices/system/cpu/cpu1/online", "1");
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	pin(0);
	if (argc == 2 && !strcmp(argv[1], "hybrid"))
		return test_hybrid();
	if (argc == 2 && !strcmp(argv[1], "lockdown"))
		return test_lockdown();
	if (argc == 2 && !strcmp(argv[1], "kept"))
		return test_kept();
	if (argc == 2 && !strcmp(argv[1], "passing"))
		return test_passing();
	if (argc == 2 && !strcmp(argv[1], "miss"))
		miss_for_ever();
	if (argc == 2 && !strcmp(argv[1], "periods"))
		return test_short_counters();
	if (argc == 3 && !strcmp(argv[1], "window"))
		return test_window(atoi(argv[2]));
	test_query();
	test_arguments();
	test_combinations();
	test_counters();
	test_kernel_periods();
	test_rights();
	test_zombie();
	test_32_bit();
	test_netlink();
	test_mappings();
	test_read_only();
	test_one_a_cpu();
	test_period();
	test_refused_once();
	test_end_is_said();
	test_many_marks();
	test_offline();
	test_epoll();
	test_killed();
	test_foreign_slot();
	test_followers();
	return 0;
}
