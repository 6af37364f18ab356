// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recordings: what was written is what is read, and a file that was cut, damaged
 * or made up yields the records of its good chunks and nothing else.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/check.h"
#include "format/record-types.h"
#include "format/chunk.h"
#include "format/recording.h"
#include "draw.h"
#include "tap.h"

static char path[] = "/tmp/ccsample-test-recording-XXXXXX";
static int messages = -1;	/* a file that takes standard error */

/* Everything said on standard error since the last call; its number of lines. */
static int said(char *text, size_t size)
{
	ssize_t got = pread(messages, text, size - 1, 0);
	int lines = 0;

	text[got > 0 ? got : 0] = 0;
	for (const char *at = text; *at; at++)
		lines += *at == '\n';
	if (ftruncate(messages, 0) == 0)
		lseek(messages, 0, SEEK_SET);
	return lines;
}

static void forget(void)
{
	char text[4096];

	said(text, sizeof(text));
}

union any {
	struct ccs_record record;
	struct ccs_meta meta;
	struct ccs_cache cache;
	struct ccs_event event;
	struct ccs_process process;
	struct ccs_map map;
	struct ccs_unmap unmap;
	struct ccs_stack stack;
	struct ccs_alloc alloc;
	struct ccs_samples samples;
	struct ccs_end end;
	uint8_t bytes[CCS_RECORD_MAX];
};

static const size_t fixed[] = {
	0, sizeof(struct ccs_meta), sizeof(struct ccs_cache), sizeof(struct ccs_event),
	sizeof(struct ccs_process), sizeof(struct ccs_thread), sizeof(struct ccs_map),
	sizeof(struct ccs_unmap), sizeof(struct ccs_stack), sizeof(struct ccs_alloc),
	sizeof(struct ccs_free), sizeof(struct ccs_samples), sizeof(struct ccs_counts),
	sizeof(struct ccs_lost), sizeof(struct ccs_unsupported), sizeof(struct ccs_exit),
	sizeof(struct ccs_end),
};

static void text(uint8_t *to, size_t size)
{
	while (size--)
		*to++ = 1 + draw(255);
}

static size_t make_text_record(union any *any, size_t size)
{
	size_t first = size ? 1 + draw(size) : 0;

	switch (any->record.type) {
	case CCS_META:
		any->meta.key_size = first ? first : 1;
		any->meta.value_size = size - first;
		text(any->bytes + fixed[CCS_META], any->meta.key_size);
		return any->meta.key_size + any->meta.value_size;
	case CCS_PROCESS:
		any->process.path_size = size;
		break;
	default:
		any->map.path_size = size;
		any->map.build_id_size = draw(CCS_BUILD_ID_MAX + 1);
		any->map.end = any->map.start + draw(-any->map.start);
	}
	text(any->bytes + fixed[any->record.type], size);
	return size;
}

/* Bytes of its variable part. */
static size_t make_parts(union any *any)
{
	size_t size = draw(4) ? draw(300) : draw(CCS_RECORD_MAX - 200);

	switch (any->record.type) {
	case CCS_META:
	case CCS_PROCESS:
	case CCS_MAP:
		return make_text_record(any, size);
	case CCS_CACHE:
		any->cache.level = 1 + draw(3);
		any->cache.ways |= 1;
		any->cache.sets |= 1;
		any->cache.slices |= 1;
		any->cache.line = 1u << draw(32);
		return 0;
	case CCS_EVENT:
		any->event.level = draw(4);
		any->event.spread = draw(any->event.period |= 1);
		any->event.burst |= 1;
		any->event.name[31] = 0;
		return 0;
	case CCS_UNMAP:
		any->unmap.end = any->unmap.start + draw(-any->unmap.start);
		return 0;
	case CCS_STACK:
		any->stack.depth = size / 8;
		return size / 8 * 8;
	case CCS_ALLOC:
		any->alloc.size = draw(-any->alloc.address);
		return 0;
	case CCS_SAMPLES:
		any->samples.sample_size = 40 + 8 * draw(3);
		any->samples.count = size / any->samples.sample_size;
		any->samples.events |= 1ull << 40;
		return (size_t)any->samples.count * any->samples.sample_size;
	}
	return 0;
}

/* A record of random bytes whose sizes and checked values are right. */
static const struct ccs_record *make(union any *any, uint32_t type)
{
	size_t size, room = draw(8) ? 2048 : CCS_RECORD_MAX;

	for (size_t i = 0; i < room / 8; i++)
		((uint64_t *)any)[i] = draw(~0ull) | 1ull << 63;
	any->record.type = type;
	size = make_parts(any);
	any->record.size = (fixed[type] + size + 7) / 8 * 8;
	return &any->record;
}

/* A list of records, to compare with. */
struct list {
	uint8_t *bytes;
	size_t size, count;
	uint64_t samples;
};

static void add(struct list *list, const struct ccs_record *record)
{
	list->bytes = realloc(list->bytes, list->size + record->size);
	memcpy(list->bytes + list->size, record, record->size);
	list->size += record->size;
	list->count++;
	if (record->type == CCS_SAMPLES)
		list->samples += ((const struct ccs_samples *)record)->count;
}

/* Random records of every type but END, and META first. */
static struct list *make_list(size_t count)
{
	static union any any;
	struct list *list = calloc(1, sizeof(*list));

	for (size_t i = 0; i < count; i++)
		add(list, make(&any, i < 15 ? i + 1 : 1 + draw(15)));
	return list;
}

static void drop(struct list *list)
{
	free(list->bytes);
	free(list);
}

static struct recording_writer *write_list(const struct list *list, size_t flush_every)
{
	struct recording_writer *writer = recording_create(path);
	size_t i = 0, at = 0;

	while (writer && at < list->size) {
		const struct ccs_record *record = (const void *)(list->bytes + at);

		if (recording_write(writer, record))
			break;
		at += record->size;
		if (flush_every && ++i % flush_every == 0)
			recording_flush(writer);
	}
	return writer;
}

/*
 * Reads the file. Return: the number of records, END not counted, if they are the
 * first ones of the list; -1 if any differs; -2 if it cannot be opened.
 */
static long read_list(const struct list *list, enum recording_end *end)
{
	struct recording *recording = recording_open(path);
	const struct ccs_record *record;
	size_t at = 0;
	long count = 0;

	if (!recording)
		return -2;
	while (recording_next(recording, &record)) {
		if (record->type == CCS_END && at == list->size)
			continue;
		if (at >= list->size || memcmp(record, list->bytes + at, record->size)) {
			count = -1;
			break;
		}
		at += record->size;
		count++;
	}
	*end = recording_end(recording);
	recording_close(recording);
	return count;
}

static uint8_t *load(size_t *size)
{
	int fd = open(path, O_RDONLY);
	struct stat status;
	uint8_t *bytes;

	if (fd < 0 || fstat(fd, &status))
		abort();
	*size = status.st_size;
	bytes = malloc(*size + 1);
	if (read(fd, bytes, *size) != (ssize_t)*size)
		abort();
	close(fd);
	return bytes;
}

static void store(const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	close(fd);
}

static void test_round_trip(void)
{
	struct list *list = make_list(5000);
	struct recording_writer *writer = write_list(list, 700);
	enum recording_end end = RECORDING_CUT;
	uint64_t written;
	size_t size;
	char text_said[4096];

	ok(writer && recording_flush(writer) == 0, "5000 random records (%zu bytes) written",
	   list->size);
	written = recording_written(writer);
	free(load(&size));
	ok(size == written, "recording_written() is the size of the file");
	ok(recording_finish(writer, 12345) == 0, "finished");
	forget();
	ok(read_list(list, &end) == (long)list->count && end == RECORDING_WHOLE,
	   "read again, all of them, whole");
	ok(said(text_said, sizeof(text_said)) == 0, "and nothing said");
	drop(list);
}

static void test_end_record(void)
{
	struct list *list = make_list(200);
	struct recording_writer *writer = write_list(list, 0);
	struct recording *recording;
	const struct ccs_record *record;
	struct ccs_end end = { 0 };
	double last = 0;

	recording_finish(writer, 987654321);
	recording = recording_open(path);
	while (recording_next(recording, &record)) {
		if (record->type == CCS_END)
			end = *(const struct ccs_end *)record;
		if (recording_position(recording) < last)
			break;
		last = recording_position(recording);
	}
	ok(end.records == list->count && end.samples == list->samples &&
	   end.duration_ns == 987654321, "END holds the totals");
	ok(last == 1, "the position goes from 0 to 1");
	ok(!recording_next(recording, &record), "the end stays the end");
	recording_close(recording);
	drop(list);
}

static void test_meta(void)
{
	static char huge[200000];
	struct recording_writer *writer = recording_create(path);
	const struct ccs_record *record;
	struct recording *recording;
	const struct ccs_meta *meta;
	bool same, cut;

	memset(huge, 'x', sizeof(huge));
	recording_meta(writer, "command", "a\0b", 4);
	recording_meta(writer, "command", huge, sizeof(huge));
	recording_finish(writer, 0);
	recording = recording_open(path);
	recording_next(recording, &record);
	meta = (const void *)record;
	same = record->type == CCS_META && meta->key_size == 7 && meta->value_size == 4 &&
	       !memcmp(meta + 1, "commanda\0b", 11);
	recording_next(recording, &record);
	meta = (const void *)record;
	cut = record->size <= CCS_RECORD_MAX && meta->value_size > 60000;
	ok(same, "recording_meta() keeps a value with zeros");
	ok(cut, "a value longer than a record is cut to fit");
	recording_close(recording);
}

/* Chunks' ends in a file, by the headers' own words. */
static size_t chunk_after(const uint8_t *bytes, size_t at)
{
	struct ccs_chunk_header header;

	memcpy(&header, bytes + at, sizeof(header));
	return at + sizeof(header) + header.stored_size + chunk_padding(&header);
}

/* Records that lie in whole chunks before @size. */
static long whole_records(const uint8_t *bytes, size_t size, size_t per_chunk)
{
	size_t at = sizeof(struct ccs_file_header), chunks = 0;

	while (at + sizeof(struct ccs_chunk_header) <= size && chunk_after(bytes, at) <= size) {
		at = chunk_after(bytes, at);
		chunks++;
	}
	return chunks * per_chunk;
}

static void test_cuts(void)
{
	struct list *list = make_list(28);
	struct recording_writer *writer = write_list(list, 7);
	enum recording_end end;
	bool right = true, told = true;
	char words[4096];
	size_t size;
	uint8_t *bytes;

	recording_finish(writer, 0);
	bytes = load(&size);
	for (size_t cut = 0; cut < size; cut += cut < 4096 || cut + 4096 > size ? 1 : 13) {
		long expect = cut < sizeof(struct ccs_file_header) ? -2 :
			      whole_records(bytes, cut, 7);

		store(bytes, cut);
		end = RECORDING_WHOLE;
		forget();
		right &= read_list(list, &end) == expect;
		right &= expect == -2 || end == RECORDING_CUT;
		told &= said(words, sizeof(words)) == 1 &&
			(expect == -2 || strstr(words, "cut off at byte"));
	}
	ok(right, "a file of %zu bytes cut at any byte yields its whole chunks", size);
	ok(told, "each time with one line that says so");
	free(bytes);
	drop(list);
}

/* Which chunk a byte lies in. */
static size_t chunk_of(const uint8_t *bytes, size_t byte)
{
	size_t at = sizeof(struct ccs_file_header), chunk = 0;

	while (chunk_after(bytes, at) <= byte) {
		at = chunk_after(bytes, at);
		chunk++;
	}
	return chunk;
}

static void test_flips(void)
{
	struct list *list = make_list(28);
	struct recording_writer *writer = write_list(list, 7);
	enum recording_end end;
	long wrong = 0, silent = 0, tried = 0;
	char words[4096];
	size_t size;
	uint8_t *bytes;

	recording_finish(writer, 0);
	bytes = load(&size);
	for (size_t byte = sizeof(struct ccs_file_header); byte < size;
	     byte += byte < 2048 || byte + 2048 > size ? 1 : 1 + draw(60)) {
		size_t chunk = chunk_of(bytes, byte);
		uint8_t bit = 1 << draw(8);

		bytes[byte] ^= bit;
		store(bytes, size);
		bytes[byte] ^= bit;
		forget();
		wrong += read_list(list, &end) != 7 * (long)chunk || end == RECORDING_WHOLE;
		silent += said(words, sizeof(words)) != 1;
		tried++;
	}
	ok(!wrong, "%ld flipped bits: the chunks before, nothing from the damaged one", tried);
	ok(!silent, "each time with one line");
	free(bytes);
	drop(list);
}

static void test_header_flips(void)
{
	struct list *list = make_list(20);
	struct recording_writer *writer = write_list(list, 7);
	enum recording_end end;
	bool right = true;
	size_t size;
	uint8_t *bytes;

	recording_finish(writer, 0);
	bytes = load(&size);
	for (size_t bit = 0; bit < sizeof(struct ccs_file_header) * 8; bit++) {
		bool harmless = bit / 8 == 10 || bit / 8 == 11 || bit / 8 >= 16;
		long count;

		bytes[bit / 8] ^= 1 << bit % 8;
		store(bytes, size);
		bytes[bit / 8] ^= 1 << bit % 8;
		count = read_list(list, &end);
		right &= harmless ? count == 20 && end == RECORDING_WHOLE : count <= 0;
	}
	ok(right, "flips in the file header: refused, or harmless (minor version, reserved)");
	bytes[8] = CCS_VERSION_MAJOR + 1;
	store(bytes, size);
	forget();
	ok(read_list(list, &end) == -2, "another major version is refused");
	bytes[8] = CCS_VERSION_MAJOR;
	bytes[10] = 77;
	bytes[12] = 40;
	memmove(bytes + 40, bytes + 32, size - 40);
	store(bytes, chunk_after(bytes, 40));
	ok(read_list(list, &end) == 7, "a longer header of a newer minor version is passed over");
	free(bytes);
	drop(list);
	forget();
}

/* Writes a file of one chunk of made-up bytes with a right checksum. */
static void craft_chunk(const void *payload, size_t size, struct ccs_chunk_header header)
{
	struct ccs_file_header file = {
		.magic = CCS_FILE_MAGIC, .major = CCS_VERSION_MAJOR, .header_size = sizeof(file),
	};
	size_t whole = sizeof(file) + sizeof(header) + size;
	uint8_t *bytes = calloc(1, whole + 8);

	header.magic = CCS_CHUNK_MAGIC;
	header.stored_size = header.stored_size ? header.stored_size : size;
	header.raw_size = header.raw_size ? header.raw_size : size;
	if (header.stored_size <= size)
		header.checksum = chunk_checksum(&header, payload);
	memcpy(bytes, &file, sizeof(file));
	memcpy(bytes + sizeof(file), &header, sizeof(header));
	memcpy(bytes + sizeof(file) + sizeof(header), payload, size);
	store(bytes, whole + (-size & 7));
	free(bytes);
}

static void craft(const void *payload, size_t size)
{
	craft_chunk(payload, size, (struct ccs_chunk_header){ 0 });
}

/* A good FREE record, then the hostile one, which must stop the reader. */
static bool refuses(const union any *hostile, size_t size)
{
	static uint8_t payload[CCS_RECORD_MAX * 2];
	struct ccs_free good = { .record = { .size = sizeof(good), .type = CCS_FREE } };
	struct list list = { .bytes = payload, .size = sizeof(good), .count = 1 };
	enum recording_end end;

	memcpy(payload, &good, sizeof(good));
	memcpy(payload + sizeof(good), hostile, size);
	craft(payload, sizeof(good) + size);
	return read_list(&list, &end) == 1 && end == RECORDING_DAMAGED;
}

#define HOSTILE(type_, what, change)							\
	do {										\
		make(&any, type_);							\
		size = any.record.size;							\
		change;									\
		ok(refuses(&any, size), "hostile %s", what);				\
	} while (0)

static void test_hostile_sizes(void)
{
	static union any any;
	size_t size;

	HOSTILE(CCS_FREE, "size 0", any.record.size = 0);
	HOSTILE(CCS_FREE, "size 8", any.record.size = 8);
	HOSTILE(CCS_FREE, "odd size", any.record.size = 33);
	HOSTILE(CCS_FREE, "size past the chunk", any.record.size += 8);
	HOSTILE(CCS_FREE, "size ~0", any.record.size = ~7u);
	HOSTILE(CCS_END, "header cut by the chunk", size = 8);
	HOSTILE(CCS_META, "key + value overflow", (any.meta.key_size = ~0u,
						   any.meta.value_size = 2));
	HOSTILE(CCS_META, "value past the end", any.meta.value_size += 8);
	HOSTILE(CCS_META, "empty key", any.meta.key_size = 0);
	HOSTILE(CCS_PROCESS, "path ~0", any.process.path_size = ~0u);
	HOSTILE(CCS_PROCESS, "path past the end", any.process.path_size += 8);
	HOSTILE(CCS_MAP, "path past the end", any.map.path_size += 8);
	HOSTILE(CCS_MAP, "build-id too long", any.map.build_id_size = 21);
	HOSTILE(CCS_MAP, "range", (any.map.start = 2, any.map.end = 1));
	HOSTILE(CCS_UNMAP, "range", (any.unmap.start = 2, any.unmap.end = 1));
	HOSTILE(CCS_STACK, "depth past the end", any.stack.depth++);
	HOSTILE(CCS_STACK, "depth 2^29 (x 8 overflows)", any.stack.depth = 1u << 29);
	HOSTILE(CCS_ALLOC, "block around the end", (any.alloc.address = ~0ull,
						    any.alloc.size = 2));
	HOSTILE(CCS_SAMPLES, "count", any.samples.count += 2);
	HOSTILE(CCS_SAMPLES, "count x size overflow", (any.samples.count = 1u << 31,
						       any.samples.sample_size = 1u << 31));
	HOSTILE(CCS_SAMPLES, "small samples", any.samples.sample_size = 32);
	HOSTILE(CCS_SAMPLES, "odd samples", (any.samples.count = 0,
					     any.samples.sample_size = 41));
	HOSTILE(CCS_SAMPLES, "fewer events than samples", (any.record.size = size = 104,
							   any.samples.sample_size = 40,
							   any.samples.count = 1,
							   any.samples.events = 0));
	HOSTILE(CCS_CACHE, "cache without sets", any.cache.sets = 0);
	HOSTILE(CCS_CACHE, "cache without ways", any.cache.ways = 0);
	HOSTILE(CCS_CACHE, "cache line 48", any.cache.line = 48);
	HOSTILE(CCS_CACHE, "cache level 4", any.cache.level = 4);
	HOSTILE(CCS_EVENT, "period 0", any.event.period = 0);
	HOSTILE(CCS_EVENT, "burst 0", any.event.burst = 0);
	HOSTILE(CCS_EVENT, "endless name", any.event.name[31] = 'x');
	for (uint32_t type = CCS_META; type <= CCS_END; type++) {
		make(&any, type);
		any.record.size = size = fixed[type] - 8;
		ok(refuses(&any, size), "type %u too short", type);
	}
	forget();
}

static void test_hostile_chunks(void)
{
	struct ccs_free good = { .record = { .size = sizeof(good), .type = CCS_FREE } };
	struct list list = { .bytes = (void *)&good, .size = sizeof(good), .count = 1 };
	static const struct ccs_chunk_header hostile[] = {
		{ .compression = 2 },
		{ .compression = CCS_COMPRESSION_ZSTD },
		{ .raw_size = 40 },
		{ .raw_size = 8 },
		{ .raw_size = 36 },
		{ .raw_size = ~0u, .compression = CCS_COMPRESSION_ZSTD },
		{ .raw_size = CCS_CHUNK_MAX + 8, .compression = CCS_COMPRESSION_ZSTD },
		{ .stored_size = CCS_CHUNK_MAX + 8, .compression = CCS_COMPRESSION_ZSTD },
		{ .stored_size = ~0u, .compression = CCS_COMPRESSION_ZSTD },
		{ .sequence = 1 },
	};
	enum recording_end end;

	craft(&good, sizeof(good));
	ok(read_list(&list, &end) == 1 && end == RECORDING_CUT, "a made-up good chunk is read");
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		craft_chunk(&good, sizeof(good), hostile[i]);
		ok(read_list(&list, &end) == 0 && end == RECORDING_DAMAGED, "hostile chunk %zu", i);
	}
	forget();
}

static void test_chunk_gap(void)
{
	struct list *list = make_list(28);
	enum recording_end end;
	size_t size, second, third;
	uint8_t *bytes;

	recording_finish(write_list(list, 7), 0);
	bytes = load(&size);
	second = chunk_after(bytes, sizeof(struct ccs_file_header));
	third = chunk_after(bytes, second);
	memmove(bytes + second, bytes + third, size - third);
	store(bytes, size - (third - second));
	forget();
	ok(read_list(list, &end) == 7 && end == RECORDING_DAMAGED, "a missing chunk is damage");
	free(bytes);
	drop(list);
	forget();
}

static void test_unknown(void)
{
	static union any any;
	struct recording_writer *writer = recording_create(path);
	struct recording *recording;
	const struct ccs_record *record;
	long known = 0;

	for (int i = 0; i < 30; i++) {
		make(&any, CCS_FREE);
		any.record.type = i % 3 ? CCS_FREE : i % 2 ? 0 : 100 + i;
		recording_write(writer, &any.record);
	}
	make(&any, CCS_FREE);
	any.record.size = 16;
	any.record.type = 0xffff;
	recording_write(writer, &any.record);
	recording_finish(writer, 0);
	recording = recording_open(path);
	while (recording_next(recording, &record))
		known += record->type == CCS_FREE;
	ok(known == 20 && recording_skipped(recording) == 11 &&
	   recording_end(recording) == RECORDING_WHOLE, "unknown types are skipped and counted");
	recording_close(recording);
}

/* The end mark is last, and right. */
static void test_hostile_end(void)
{
	struct ccs_end ends[2] = {
		{ .record = { .size = sizeof(ends[0]), .type = CCS_END } },
		{ .record = { .size = sizeof(ends[0]), .type = CCS_END } },
	};
	struct list nothing = { 0 };
	enum recording_end end;
	size_t size;
	uint8_t *bytes;

	craft(ends, sizeof(ends[0]));
	ok(read_list(&nothing, &end) == 0 && end == RECORDING_WHOLE, "an empty whole recording");
	bytes = load(&size);
	store(bytes, size + 1);
	free(bytes);
	ok(read_list(&nothing, &end) == 0 && end == RECORDING_DAMAGED, "bytes after the end mark");
	craft(ends, sizeof(ends));
	ok(read_list(&nothing, &end) == 0 && end == RECORDING_DAMAGED, "a record after it");
	ends[0].records = 1;
	craft(ends, sizeof(ends[0]));
	ok(read_list(&nothing, &end) == 0 && end == RECORDING_DAMAGED, "wrong totals in it");
	forget();
}

static void test_not_recordings(void)
{
	struct list nothing = { 0 };
	enum recording_end end;
	char words[4096];

	forget();
	store("", 0);
	ok(read_list(&nothing, &end) == -2, "an empty file is refused");
	store("\177ELF and so on, long enough to hold a header", 44);
	ok(read_list(&nothing, &end) == -2, "another file is refused");
	unlink(path);
	ok(read_list(&nothing, &end) == -2, "a missing file is refused");
	ok(!recording_open("/tmp"), "a directory is refused");
	ok(said(words, sizeof(words)) == 4, "with one line each");
}

static void test_pipe(void)
{
	struct list *list = make_list(500);
	struct recording *recording;
	const struct ccs_record *record;
	int fds[2], saved = dup(STDIN_FILENO), status;
	size_t at = 0;
	bool same = true;
	pid_t child;

	if (pipe(fds))
		abort();
	child = fork();
	if (!child) {
		struct recording_writer *writer;

		dup2(fds[1], STDOUT_FILENO);
		close(fds[0]);
		writer = recording_create("-");
		for (at = 0; at < list->size; at += record->size) {
			record = (const void *)(list->bytes + at);
			recording_write(writer, record);
		}
		_exit(recording_finish(writer, 0) ? 1 : 0);
	}
	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
	close(fds[1]);
	recording = recording_open("-");
	same = recording_position(recording) < 0;
	while (recording_next(recording, &record) && record->type != CCS_END) {
		same &= at < list->size && !memcmp(record, list->bytes + at, record->size);
		at += record->size;
	}
	recording_next(recording, &record);
	ok(same && at == list->size && recording_end(recording) == RECORDING_WHOLE,
	   "through a pipe");
	recording_close(recording);
	waitpid(child, &status, 0);
	ok(status == 0, "the writer to a pipe succeeded");
	dup2(saved, STDIN_FILENO);
	close(saved);
	drop(list);
}

static void test_closed_pipe(void)
{
	static union any any;
	struct recording_writer *writer;
	int fds[2], saved = dup(STDOUT_FILENO), failed = 0, result;
	char words[4096];

	if (pipe(fds))
		abort();
	fflush(stdout);
	dup2(fds[1], STDOUT_FILENO);
	close(fds[1]);
	writer = recording_create("-");
	close(fds[0]);
	forget();
	for (int i = 0; i < 3000; i++)
		failed += recording_write(writer, make(&any, 1 + draw(15))) != 0;
	result = recording_finish(writer, 0);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	ok(failed && result == -1, "a closed pipe: finish says -1, no signal kills");
	ok(said(words, sizeof(words)) == 1, "and one line is said");
}

/* A file size limit stands for a full disk: the last chunk is written in part. */
static void test_full_disk(void)
{
	struct list *list = make_list(3000);
	struct rlimit before, limit;
	struct recording_writer *writer;
	enum recording_end end;
	long count;
	int result;
	char words[4096];
	size_t size;

	ok(!recording_create("/dev/full"), "/dev/full is refused at once");
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = 1000003;
	setrlimit(RLIMIT_FSIZE, &limit);
	forget();
	writer = write_list(list, 100);
	result = recording_finish(writer, 0);
	setrlimit(RLIMIT_FSIZE, &before);
	ok(result == -1 && said(words, sizeof(words)) == 1,
	   "a full disk: one line, finish says -1");
	count = read_list(list, &end);
	ok(count > 100 && count < 3000 && end == RECORDING_CUT,
	   "what was written before reads (%ld records)", count);
	free(load(&size));
	ok(size < 1000003 && size % 8 == 0, "the chunk in part was taken away");
	drop(list);
	forget();
}

static void test_killed(void)
{
	struct list *list = make_list(300);
	enum recording_end end;
	int status;
	pid_t child = fork();

	if (!child) {
		struct recording_writer *writer = write_list(list, 100);

		recording_meta(writer, "lost", "x", 1);
		raise(SIGKILL);
	}
	waitpid(child, &status, 0);
	ok(WIFSIGNALED(status) && read_list(list, &end) == 300 && end == RECORDING_CUT,
	   "kill -9 of a writer: what was flushed reads");
	drop(list);
	forget();
}

static void test_two_writers(void)
{
	struct list *list = make_list(300), nothing = { 0 };
	struct recording_writer *writer = write_list(list, 100);
	enum recording_end end;
	char text[4096];

	said(text, sizeof(text));
	ok(!recording_create(path) && said(text, sizeof(text)) == 1 &&
	   strstr(text, "another ccsample"), "a second writer is refused");
	ok(!recording_finish(writer, 0) && read_list(list, &end) == 300 && end == RECORDING_WHOLE,
	   "what the first one writes is whole");
	writer = recording_create(path);
	ok(writer && !recording_finish(writer, 0) && read_list(&nothing, &end) == 0,
	   "one that comes later begins anew");
	drop(list);
	forget();
}

/* The writer refuses what the reader would refuse. */
static void test_writer_checks(void)
{
	static union any any;
	struct recording_writer *writer = recording_create(path);
	struct list nothing = { 0 };
	enum recording_end end;

	make(&any, CCS_MAP);
	any.map.path_size = ~0u;
	ok(recording_write(writer, &any.record) == -1, "a malformed record is not written");
	ok(recording_finish(writer, 0) == -1, "and finish says so");
	ok(read_list(&nothing, &end) == 0 && end == RECORDING_WHOLE, "the file is good");
	forget();
}

/* Random bytes with random repairs: no crash, no malformed record. */
static void test_noise(void)
{
	static union any any;
	static uint8_t payload[8192];
	struct recording *recording;
	const struct ccs_record *record;
	bool right = true;
	long read = 0;

	for (int round = 0; round < 1000; round++) {
		size_t used = 0;

		while (used + 2048 < sizeof(payload)) {
			make(&any, 1 + draw(15));
			if (any.record.size > 2048)
				continue;
			if (draw(4) == 0)
				((uint8_t *)&any)[draw(fixed[any.record.type])] = draw(256);
			memcpy(payload + used, &any, any.record.size & 2040);
			used += any.record.size & 2040;
		}
		if (!used)
			continue;
		craft(payload, used);
		recording = recording_open(path);
		while (recording_next(recording, &record)) {
			right &= !record_check(record, record->size) &&
				 record_type_find(record->type);
			read++;
		}
		recording_close(recording);
		forget();
	}
	ok(right, "1000 noisy chunks: every record returned (%ld) is well-formed", read);
}

int main(int argc, char **argv)
{
	char *given = getenv("SEED");
	int real = dup(STDERR_FILENO), fd = mkstemp(path);

	state = 0x9e3779b97f4a7c15;
	if (given)
		state = strtoull(given, NULL, 0) | 1;
	printf("# SEED=%llu\n", (unsigned long long)state);
	fflush(stdout);
	messages = memfd_create("messages", MFD_CLOEXEC);
	dup2(messages, STDERR_FILENO);
	close(fd);
	test_round_trip();
	test_end_record();
	test_meta();
	test_cuts();
	test_flips();
	test_header_flips();
	test_hostile_sizes();
	test_hostile_chunks();
	test_chunk_gap();
	test_unknown();
	test_hostile_end();
	test_not_recordings();
	test_pipe();
	test_closed_pipe();
	test_full_disk();
	test_killed();
	test_two_writers();
	test_writer_checks();
	test_noise();
	dup2(real, STDERR_FILENO);
	unlink(path);
	return done();
}
