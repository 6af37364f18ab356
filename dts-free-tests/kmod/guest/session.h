/* SPDX-License-Identifier: GPL-2.0-only */
/* What the guest programs share: one session of /dev/ccsample and its reader. */
#ifndef CCSAMPLE_TEST_SESSION_H
#define CCSAMPLE_TEST_SESSION_H

#include <cpuid.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ccsample.h"

struct session {
	int fd;
	struct ccsample_open open;
	struct ccsample_reader *reader;
	const struct ccsample_control *control;
	const struct ccsample_slot *slots;
	const struct ccsample_mark *marks;
	const uint8_t *records;
};

static inline void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(2);
}

/* A place in the oracle's file. */
static inline void oracle_mark(unsigned int number)
{
	unsigned int a, b, c, d;

	__cpuid_count(0x56434d4b, number, a, b, c, d);
}

static inline void pin(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		die("sched_setaffinity");
}

static inline void put_number(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(path);
	close(fd);
}

static inline struct ccsample_open plain_request(int cpu)
{
	return (struct ccsample_open){
		.size = sizeof(struct ccsample_open),
		.cpu = cpu,
		.flags = CCSAMPLE_USER,
		.events = 1,
		.burst = 64,
		.seed = 1,
		.event[0] = { .config = 0x08d1, .period = 1000, .spread = 500 },
	};
}

static inline void *map_part(int fd, uint64_t offset, size_t bytes, int protection)
{
	void *at = mmap(NULL, bytes, protection, MAP_SHARED, fd, offset);

	if (at == MAP_FAILED)
		die("mmap");
	return at;
}

static inline void session_map(struct session *s)
{
	s->reader = map_part(s->fd, CCSAMPLE_MMAP_READER, 4096, PROT_READ | PROT_WRITE);
	s->control = map_part(s->fd, CCSAMPLE_MMAP_CONTROL, s->open.control_bytes, PROT_READ);
	s->records = map_part(s->fd, CCSAMPLE_MMAP_RECORDS, s->open.records_bytes, PROT_READ);
	s->slots = (const void *)((const uint8_t *)s->control + s->control->size);
	s->marks = (const void *)(s->slots + s->control->slots);
}

static inline int device(void)
{
	int fd = open(CCSAMPLE_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die(CCSAMPLE_DEVICE);
	return fd;
}

static inline void session_open(struct session *s, const struct ccsample_open *ask)
{
	s->fd = device();
	s->open = *ask;
	if (ioctl(s->fd, CCSAMPLE_OPEN, &s->open))
		die("CCSAMPLE_OPEN");
	session_map(s);
}

static inline void session_call(struct session *s, unsigned long command, const char *name)
{
	if (ioctl(s->fd, command, NULL))
		die(name);
}

#define SESSION_CALL(s, command) session_call(s, command, #command)

static inline uint64_t head_of(const struct session *s)
{
	return __atomic_load_n(&s->control->head, __ATOMIC_ACQUIRE);
}

static inline const struct ccsample_slot *slot_of(const struct session *s, uint64_t number)
{
	return &s->slots[number & (s->open.slots - 1)];
}

static inline const uint8_t *records_of(const struct session *s, uint64_t number)
{
	return s->records + (number & (s->open.slots - 1)) * s->open.slot_bytes;
}

#endif /* CCSAMPLE_TEST_SESSION_H */
