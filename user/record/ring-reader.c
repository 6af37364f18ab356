// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "format/check.h"
#include "format/record-types.h"
#include "tracee/preload/ring.h"
#include "record/ring-reader.h"

#define PIECE	(64u << 10)	/* space given back at once */

struct ring_reader {
	struct ring *ring;
	uint8_t *data;
	uint64_t tail;			/* ours: the program's copy of it is never read */
	uint64_t given;			/* tail as the program sees it */
	uint64_t lost, orphans;		/* as @ring has them, when last asked */
	uint64_t passed;		/* records passed over, not yet reported */
	bool ended;
	bool held;			/* @record holds the one at tail */
	const char *broken;
	uint32_t size;			/* of it, in the ring */
	union {
		struct ccs_record head;
		uint64_t bytes[CCS_RECORD_MAX / 8];
	} record;
};

/* Sealed, so that a program cannot shrink it under us (SIGBUS). */
static const char *check_file(int fd)
{
	struct stat status;
	int seals = fcntl(fd, F_GET_SEALS);

	if (fstat(fd, &status) || !S_ISREG(status.st_mode) || status.st_size != RING_FILE)
		return "of another size than this version's";
	if (seals < 0 || (seals & (F_SEAL_SHRINK | F_SEAL_GROW)) != (F_SEAL_SHRINK | F_SEAL_GROW))
		return "not sealed";
	return NULL;
}

static struct ring *map_twice(int fd)
{
	uint8_t *base = mmap(NULL, RING_MAPPED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const int protection = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_FIXED;

	if (base == MAP_FAILED)
		return NULL;
	if (mmap(base, RING_FILE, protection, flags, fd, 0) != MAP_FAILED &&
	    mmap(base + RING_FILE, RING_DATA, protection, flags, fd, RING_HEADER) != MAP_FAILED)
		return (struct ring *)base;
	munmap(base, RING_MAPPED);
	return NULL;
}

struct ring_reader *ring_reader_open(int fd, const char **wrong)
{
	struct ring_reader *reader;
	struct ring *ring;

	*wrong = check_file(fd);
	if (*wrong)
		return NULL;
	ring = map_twice(fd);
	if (!ring) {
		*wrong = "not to be mapped";
		return NULL;
	}
	if (ring->magic != RING_MAGIC || ring->data_size != RING_DATA) {
		*wrong = "of another version";
		munmap(ring, RING_MAPPED);
		return NULL;
	}
	reader = xcalloc(1, sizeof(*reader));
	reader->ring = ring;
	reader->data = (uint8_t *)ring + RING_HEADER;
	return reader;
}

void ring_reader_close(struct ring_reader *reader)
{
	if (!reader)
		return;
	munmap(reader->ring, RING_MAPPED);
	free(reader);
}

uint64_t ring_reader_head(struct ring_reader *reader)
{
	uint64_t head = __atomic_load_n(&reader->ring->head, __ATOMIC_ACQUIRE);

	if (head - reader->tail <= RING_DATA)
		return head;
	if (!reader->broken)
		reader->broken = "past the end of its ring";
	return reader->tail;
}

static void *at_tail(const struct ring_reader *reader)
{
	return reader->data + reader->tail % RING_DATA;
}

/* Clears it, for whoever writes there next. */
static void pass(struct ring_reader *reader, uint32_t size)
{
	memset(at_tail(reader), 0, size);
	reader->tail += size;
	if (reader->tail - reader->given >= PIECE)
		ring_reader_give_back(reader);
}

/* Return: bytes of the record at tail; 0 if it is not there yet, or is no record. */
static uint32_t next_size(struct ring_reader *reader, uint64_t room)
{
	uint32_t size = __atomic_load_n((uint32_t *)at_tail(reader), __ATOMIC_ACQUIRE);
	uint32_t plain = size & ~RING_BUSY;

	if (!size || (size & RING_BUSY && !reader->ended))
		return 0;	/* not yet */
	if (plain >= sizeof(struct ccs_record) && plain % 8 == 0 && plain <= CCS_RECORD_MAX &&
	    plain <= room)
		return size;
	reader->broken = "of an impossible size";
	return 0;
}

static void check_record(struct ring_reader *reader)
{
	const struct record_type *type = record_type_find(reader->record.head.type);

	if (!type || !(type->senders & RECORD_OF_LIBRARY))
		reader->broken = "none that programs send";
	else
		reader->broken = record_check(&reader->record.head, reader->size);
}

/* Space that was reserved, and its size never stored: where the next record begins is unknown. */
static void pass_rest(struct ring_reader *reader, uint64_t head)
{
	if (!reader->ended || reader->broken || reader->tail >= head ||
	    __atomic_load_n((uint32_t *)at_tail(reader), __ATOMIC_RELAXED))
		return;
	reader->passed++;
	reader->tail = head;
}

struct ccs_record *ring_reader_peek(struct ring_reader *reader, uint64_t limit)
{
	uint64_t head = ring_reader_head(reader);
	uint32_t size = 0;

	if (reader->held)
		return reader->tail < limit ? &reader->record.head : NULL;
	while (!reader->broken && reader->tail < head && reader->tail < limit) {
		size = next_size(reader, head - reader->tail);
		if (!(size & RING_BUSY))
			break;
		reader->passed++;
		pass(reader, size & ~RING_BUSY);
		size = 0;
	}
	if (!size) {
		pass_rest(reader, head);
		return NULL;
	}
	memcpy(&reader->record, at_tail(reader), size);
	reader->record.head.size = size;
	reader->size = size;
	check_record(reader);
	reader->held = !reader->broken;
	return reader->held ? &reader->record.head : NULL;
}

void ring_reader_drop(struct ring_reader *reader)
{
	reader->held = false;
	pass(reader, reader->size);
}

void ring_reader_give_back(struct ring_reader *reader)
{
	reader->given = reader->tail;
	__atomic_store_n(&reader->ring->tail, reader->tail, __ATOMIC_RELEASE);
}

void ring_reader_ended(struct ring_reader *reader)
{
	reader->ended = true;
}

uint64_t ring_reader_left(struct ring_reader *reader)
{
	return ring_reader_head(reader) - reader->tail;
}

uint64_t ring_reader_lost(struct ring_reader *reader)
{
	uint64_t lost = __atomic_load_n(&reader->ring->lost, __ATOMIC_RELAXED);
	uint64_t more = lost - reader->lost + reader->passed;

	reader->lost = lost;
	reader->passed = 0;
	return more;
}

uint64_t ring_reader_orphans(struct ring_reader *reader)
{
	uint64_t orphans = __atomic_load_n(&reader->ring->orphans, __ATOMIC_RELAXED);
	uint64_t more = orphans - reader->orphans;

	reader->orphans = orphans;
	return more;
}

uint64_t ring_reader_exec_time(const struct ring_reader *reader)
{
	return __atomic_load_n(&reader->ring->exec_time, __ATOMIC_ACQUIRE);
}

const char *ring_reader_broken(const struct ring_reader *reader)
{
	return reader->broken;
}
