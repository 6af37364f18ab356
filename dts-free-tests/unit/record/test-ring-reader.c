// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reader of a program's ring: all that was written comes out as it was, over
 * the ring's end and beside a writer; and whatever else lies there, no record
 * comes out that is not well-formed, nothing is read past the head, and it ends.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/check.h"
#include "tracee/preload/ring.h"
#include "record/ring-reader.h"
#include "draw.h"
#include "tap.h"

#define SEED	20240611u

static struct ring *ring;
static struct ring_reader *reader;

static int make_memory(size_t size, int seals)
{
	int fd = memfd_create("test", MFD_ALLOW_SEALING);

	if (fd < 0 || ftruncate(fd, size) || (seals && fcntl(fd, F_ADD_SEALS, seals)))
		abort();
	return fd;
}

static const char *refusal(int fd)
{
	const char *wrong = NULL;
	struct ring_reader *r = ring_reader_open(fd, &wrong);

	ring_reader_close(r);
	close(fd);
	return r ? NULL : wrong;
}

static uint8_t *data(uint64_t at)
{
	return (uint8_t *)ring + RING_HEADER + at % RING_DATA;
}

static void open_ring(void)
{
	const char *wrong;
	int fd = make_memory(RING_FILE, F_SEAL_SHRINK | F_SEAL_GROW);
	uint8_t *base = mmap(NULL, RING_MAPPED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mmap(base, RING_FILE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	mmap(base + RING_FILE, RING_DATA, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
	     RING_HEADER);
	ring = (struct ring *)base;
	ring->magic = RING_MAGIC;
	ring->data_size = RING_DATA;
	reader = ring_reader_open(fd, &wrong);
	close(fd);
	if (!reader)
		abort();
}

static void close_ring(void)
{
	ring_reader_close(reader);
	munmap(ring, RING_MAPPED);
}

/* As tracee/preload/ring.c writes. Return: there was room. */
static bool write_record(const struct ccs_record *record)
{
	uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
	struct ccs_record *at = (void *)data(ring->head);

	if (ring->head + record->size - tail > RING_DATA)
		return false;
	__atomic_store_n(&ring->head, ring->head + record->size, __ATOMIC_RELEASE);
	__atomic_store_n(&at->size, record->size | RING_BUSY, __ATOMIC_RELAXED);
	memcpy((uint8_t *)at + 4, (const uint8_t *)record + 4, record->size - 4);
	__atomic_store_n(&at->size, record->size, __ATOMIC_RELEASE);
	return true;
}

static uint64_t buffer[CCS_RECORD_MAX / 8];

/* A stack of random depth, whose frames are numbered from @n. */
static struct ccs_record *stack(uint64_t n, uint32_t depth)
{
	struct ccs_stack *s = (void *)buffer;
	uint32_t i;

	*s = (struct ccs_stack){
		.record = { .size = sizeof(*s) + depth * 8, .type = CCS_STACK },
		.id = n,
		.depth = depth,
	};
	for (i = 0; i < depth; i++)
		((uint64_t *)(s + 1))[i] = n + i;
	return &s->record;
}

static bool is_stack(const struct ccs_record *record, uint64_t n)
{
	const struct ccs_stack *s = (const void *)record;
	uint32_t i;

	if (record->type != CCS_STACK || s->id != (uint32_t)n)
		return false;
	for (i = 0; i < s->depth; i++)
		if (((const uint64_t *)(s + 1))[i] != n + i)
			return false;
	return true;
}

static void test_refusals(void)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW;
	int pipes[2];

	ok(refusal(make_memory(RING_FILE, 0)), "memory that is not sealed");
	ok(refusal(make_memory(RING_FILE, F_SEAL_GROW)), "memory that may shrink");
	ok(refusal(make_memory(4096, seals)), "too small");
	ok(refusal(make_memory(RING_FILE + 4096, seals)), "too large");
	ok(refusal(make_memory(RING_FILE, seals)), "without the magic number");
	ok(!pipe(pipes) && refusal(pipes[0]), "a pipe");
	close(pipes[1]);
}

/* Several times around the ring, read in pieces. */
static void test_order(void)
{
	uint64_t written = 0, read = 0;
	struct ccs_record *record;
	bool good = true;

	open_ring();
	while (written < 60000) {
		uint64_t n = draw(400);

		while (n-- && write_record(stack(written, draw(2000))))
			written++;
		for (n = draw(400); n && (record = ring_reader_peek(reader, UINT64_MAX)); n--) {
			good = good && is_stack(record, read++);
			ring_reader_drop(reader);
		}
		ring_reader_give_back(reader);
	}
	while ((record = ring_reader_peek(reader, UINT64_MAX))) {
		good = good && is_stack(record, read++);
		ring_reader_drop(reader);
	}
	ok(good && read == written, "%llu records come out as they went in",
	   (unsigned long long)read);
	ok(ring->head > 4 * RING_DATA && !ring_reader_left(reader), "over the end of the ring");
	ok(!ring_reader_broken(reader) && !ring_reader_lost(reader), "and none is lost");
	close_ring();
}

static void *write_many(void *count)
{
	uint64_t n;

	for (n = 0; n < *(uint64_t *)count; )
		n += write_record(stack(n, n % 50));
	return NULL;
}

static void test_threads(void)
{
	uint64_t count = 300000, read = 0;
	struct ccs_record *record;
	pthread_t writer;
	bool good = true;

	open_ring();
	pthread_create(&writer, NULL, write_many, &count);
	while (read < count && good) {
		record = ring_reader_peek(reader, ring_reader_head(reader));
		if (!record) {
			ring_reader_give_back(reader);
			continue;
		}
		good = is_stack(record, read++);
		ring_reader_drop(reader);
	}
	pthread_join(writer, NULL);
	ok(good && read == count, "beside a writer");
	close_ring();
}

/* What a killed writer leaves. */
static void test_holes(void)
{
	struct ccs_record *record = NULL;

	open_ring();
	write_record(stack(1, 3));
	write_record(stack(2, 3));
	((struct ccs_record *)data(0))->size |= RING_BUSY;
	ok(!ring_reader_peek(reader, UINT64_MAX), "a record that is being written is waited for");
	ring_reader_ended(reader);
	record = ring_reader_peek(reader, UINT64_MAX);
	ok(record && is_stack(record, 2), "after the end it is passed over");
	ok(ring_reader_lost(reader) == 1, "and counted");
	ring_reader_drop(reader);
	ring->head += 64;
	ok(!ring_reader_peek(reader, UINT64_MAX) && !ring_reader_left(reader) &&
	   ring_reader_lost(reader) == 1, "space reserved and not used is one loss");
	close_ring();
}

static void test_limit(void)
{
	uint64_t limit;

	open_ring();
	write_record(stack(1, 3));
	limit = ring_reader_head(reader);
	write_record(stack(2, 3));
	ok(ring_reader_peek(reader, limit), "before the limit");
	ring_reader_drop(reader);
	ok(!ring_reader_peek(reader, limit), "at the limit");
	ok(ring_reader_peek(reader, UINT64_MAX), "beyond it later");
	ok(!ring_reader_peek(reader, limit), "a record held is kept back by a limit too");
	close_ring();
}

/* A record that was read does not change with the ring. */
static void test_copy(void)
{
	const struct ccs_record *record;

	open_ring();
	write_record(stack(7, 9));
	record = ring_reader_peek(reader, UINT64_MAX);
	memset(data(0), 0xff, 4096);
	ok(record && is_stack(record, 7) && is_stack(ring_reader_peek(reader, UINT64_MAX), 7),
	   "a program that changes what was read changes nothing");
	ring_reader_drop(reader);
	close_ring();
}

/* Bytes of all kinds of malice: noise, records with a wrong word here and there. */
static void fill(uint64_t size)
{
	uint64_t at, n;

	for (at = 0; at < size; at += 8) {
		n = draw(1 << 20) << draw(44);
		memcpy(data(at), &n, 8);
	}
	if (draw(4) == 0)
		return;
	for (at = 0; at + 4096 < size; ) {
		struct ccs_record *r = stack(draw(100), draw(100));

		r->type = draw(3) ? r->type : draw(20);
		memcpy(data(at), r, r->size);
		at += draw(50) ? r->size : r->size + 8 * draw(3);
	}
	for (n = draw(30); n--; ) {
		uint32_t word = draw(2) ? draw(300) : draw(1ull << 32);

		memcpy(data(draw(size) & ~3ull), &word, 4);
	}
}

static bool read_hostile(uint64_t head)
{
	uint64_t steps = 0, bytes = 0;
	struct ccs_record *record;

	while ((record = ring_reader_peek(reader, UINT64_MAX))) {
		if (record_check(record, CCS_RECORD_MAX) || record->type < CCS_PROCESS ||
		    record->type > CCS_EXIT || record->type == CCS_SAMPLES)
			return false;
		bytes += record->size;
		ring_reader_drop(reader);
		if (++steps > RING_DATA || bytes > head)
			return false;
	}
	ring_reader_give_back(reader);
	return ring->tail <= head || head > RING_DATA;
}

static void test_hostile(void)
{
	int round, broken = 0, read = 0, good = 0;

	for (round = 0; round < 400; round++) {
		uint64_t head = draw(8) ? draw(60000) & ~7ull : draw(1ull << 40);

		open_ring();
		fill(65536);
		ring->head = head;
		if (draw(2))
			ring_reader_ended(reader);
		ring->lost = draw(1000);
		good += read_hostile(head);
		broken += ring_reader_broken(reader) != NULL;
		read += ring->tail > 0;
		ring_reader_lost(reader);
		close_ring();
	}
	ok(good == round, "hostile rings: only well-formed records, and an end (seed %u)", SEED);
	ok(broken > round / 4 && read > round / 4, "hostile rings: some records, then a refusal");
}

int main(void)
{
	state = SEED;
	test_refusals();
	test_order();
	test_threads();
	test_holes();
	test_limit();
	test_copy();
	test_hostile();
	return done();
}
