// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/check.h"
#include "format/chunk.h"
#include "format/record-types.h"
#include "format/recording.h"

#define HEADER_MAX	4096	/* most bytes of a file header, of any minor version */
#define WAIT_MS		100	/* between looks at a file that is still written */
#define PERF_MAGIC	"PERFILE2"	/* of perf.data, files and pipes */

struct recording {
	char *name;
	int fd;
	uint64_t size;			/* of the file, 0 = unknown */
	bool file;			/* no pipe */
	void (*wait)(void *context);	/* NULL = what is not there is the end */
	void *wait_context;
	uint64_t offset;		/* bytes read */
	uint64_t chunk;			/* where the current chunk begins */
	uint64_t sequence;
	uint64_t skipped;
	uint64_t records, samples;
	enum recording_end end;
	bool stopped;
	bool quiet;
	ZSTD_DCtx *zstd;
	uint8_t *stored, *raw;		/* as large as the largest chunk so far */
	size_t stored_room, raw_room;
	uint8_t *payload;		/* the current chunk's records: raw, or stored if plain */
	size_t at, used;
};

void recording_follow(struct recording *recording, void (*wait)(void *context), void *context)
{
	recording->wait = wait;
	recording->wait_context = context;
}

/* Its writer holds a lock as long as it has the file open. */
static bool is_written(const struct recording *recording)
{
	if (flock(recording->fd, LOCK_SH | LOCK_NB))
		return true;
	flock(recording->fd, LOCK_UN);
	return false;
}

/* As read(); 0 = there will be no more. */
static ssize_t read_some(struct recording *recording, void *data, size_t size)
{
	struct pollfd input = { .fd = recording->fd, .events = POLLIN };
	ssize_t done;

	while (recording->wait && !recording->file && !poll(&input, 1, WAIT_MS))
		recording->wait(recording->wait_context);
	done = read(recording->fd, data, size);
	while (!done && recording->wait && recording->file) {
		recording->wait(recording->wait_context);
		poll(NULL, 0, WAIT_MS);
		/* Its last bytes may have come just before. */
		if (!is_written(recording))
			recording->wait = NULL;
		done = read(recording->fd, data, size);
	}
	return done;
}

/* Reads all of @size bytes. Return: bytes read, less at the end of the file, -1 on error. */
static ssize_t read_all(struct recording *recording, void *data, size_t size)
{
	size_t got = 0;

	while (got < size) {
		ssize_t done = read_some(recording, (uint8_t *)data + got, size - got);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		if (done == 0)
			break;
		got += done;
	}
	recording->offset += got;
	return got;
}

/* Ends the reading. Return: 0, for recording_next() to return. */
static int stop(struct recording *recording, enum recording_end end)
{
	recording->stopped = true;
	recording->end = end;
	return 0;
}

static int cut(struct recording *recording)
{
	if (!recording->quiet)
		warning("%s is cut off at byte %llu (recorder killed, disk full or copy cut "
			"short): "
			"what came before it is used, what was lost after it is not known",
			recording->name, (unsigned long long)recording->chunk);
	return stop(recording, RECORDING_CUT);
}

static int damaged(struct recording *recording, const char *what)
{
	if (!recording->quiet)
		warning("%s is damaged at byte %llu (%s): what came before it is used, the rest is "
			"not; "
			"copy the file again or record again",
			recording->name, (unsigned long long)recording->chunk, what);
	return stop(recording, RECORDING_DAMAGED);
}

/* What to do where a file that no option named is missing. */
static const char *written_by(const char *path)
{
	if (errno == ENOENT && !strcmp(path, "ccsample.data"))
		return " (ccsample record -- PROGRAM writes it)";
	if (errno == ENOENT && !strcmp(path, "ccsample.trace"))
		return " (ccsample trace -- PROGRAM writes it)";
	return "";
}

static int open_file(struct recording *recording, const char *path)
{
	struct stat status;

	recording->name = xstrdup(shown_input(path));
	recording->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (recording->fd < 0 || fstat(recording->fd, &status))
		return fail("cannot open %s: %s%s", path, strerror(errno), written_by(path));
	recording->file = S_ISREG(status.st_mode);
	if (recording->file)
		recording->size = status.st_size;
	return 0;
}

/* Newer minor versions may have a longer header: its rest is passed over. */
static int skip_header_rest(struct recording *recording, uint32_t header_size)
{
	uint8_t rest[HEADER_MAX];
	size_t size = header_size - sizeof(struct ccs_file_header);

	if (header_size < sizeof(struct ccs_file_header) || header_size > HEADER_MAX ||
	    header_size % 8 || read_all(recording, rest, size) != (ssize_t)size)
		return fail("%s has a damaged file header: copy it again or record again",
			    recording->name);
	return 0;
}

static int read_header(struct recording *recording)
{
	struct ccs_file_header header;
	ssize_t got = read_all(recording, &header, sizeof(header));

	if (got < 0)
		return fail("cannot read %s: %s", recording->name, strerror(errno));
	if (got == 0)
		return fail("%s is empty: nothing was recorded", recording->name);
	if (got >= sizeof(header.magic) && !memcmp(header.magic, PERF_MAGIC, sizeof(header.magic)))
		return fail("%s is perf's, not a recording of ccsample: ccsample import makes one "
			    "of it", recording->name);
	if (got < sizeof(header) || memcmp(header.magic, CCS_FILE_MAGIC, sizeof(header.magic)))
		return fail("%s is not a recording of ccsample", recording->name);
	if (header.major != CCS_VERSION_MAJOR)
		return fail("%s has version %u of the recording format, this ccsample reads "
			    "version %u: use the ccsample that recorded it",
			    recording->name, header.major, CCS_VERSION_MAJOR);
	return skip_header_rest(recording, header.header_size);
}

struct recording *recording_open(const char *path)
{
	struct recording *recording = xcalloc(1, sizeof(*recording));

	if (open_file(recording, path) || read_header(recording)) {
		recording_close(recording);
		return NULL;
	}
	return recording;
}

void recording_quiet(struct recording *recording)
{
	recording->quiet = true;
}

/* Return: NULL, or what is wrong. */
static const char *check_chunk_header(const struct recording *recording,
				      const struct ccs_chunk_header *header)
{
	if (header->magic != CCS_CHUNK_MAGIC)
		return "no chunk begins there";
	if (header->raw_size < sizeof(struct ccs_record) || header->raw_size > CCS_CHUNK_MAX ||
	    header->raw_size % 8 || !header->stored_size || header->stored_size > CCS_CHUNK_MAX)
		return "a chunk of an impossible size";
	if (header->compression != CCS_COMPRESSION_NONE &&
	    header->compression != CCS_COMPRESSION_ZSTD)
		return "a chunk compressed in an unknown way";
	if (header->compression == CCS_COMPRESSION_NONE &&
	    header->stored_size != header->raw_size)
		return "a chunk of two sizes";
	if (header->sequence != recording->sequence)
		return "chunks are missing before it";
	return NULL;
}

static void make_room(uint8_t **bytes, size_t *room, size_t size)
{
	if (size <= *room)
		return;
	free(*bytes);
	*bytes = xmalloc(size);
	*room = size;
}

/* Most recordings have few chunks, and a set of ranks has many recordings. */
static const char *decompress(struct recording *recording, const struct ccs_chunk_header *header)
{
	if (!recording->zstd)
		recording->zstd = ZSTD_createDCtx();
	if (!recording->zstd)
		exit(-fail("out of memory to decompress %s", recording->name));
	make_room(&recording->raw, &recording->raw_room, header->raw_size);
	return ZSTD_decompressDCtx(recording->zstd, recording->raw, header->raw_size,
				   recording->stored, header->stored_size) == header->raw_size ?
	       NULL : "a chunk does not decompress";
}

static const char *unpack(struct recording *recording, const struct ccs_chunk_header *header)
{
	const uint64_t zeros = 0;
	const char *wrong;

	if (chunk_checksum(header, recording->stored) != header->checksum ||
	    memcmp(recording->stored + header->stored_size, &zeros, chunk_padding(header)))
		return "a checksum does not match";
	recording->payload = recording->stored;
	if (header->compression == CCS_COMPRESSION_NONE)
		return NULL;
	wrong = decompress(recording, header);
	recording->payload = recording->raw;
	return wrong;
}

/* Return: 1 with a chunk ready, 0 at the end. */
static int next_chunk(struct recording *recording)
{
	struct ccs_chunk_header header;
	const char *wrong;
	ssize_t got;
	size_t size;

	recording->chunk = recording->offset;
	if (recording->wait)
		recording->wait(recording->wait_context);
	got = read_all(recording, &header, sizeof(header));
	if (got < 0)
		return damaged(recording, strerror(errno));
	if (got < sizeof(header))
		return cut(recording);
	wrong = check_chunk_header(recording, &header);
	if (wrong)
		return damaged(recording, wrong);
	size = header.stored_size + chunk_padding(&header);
	make_room(&recording->stored, &recording->stored_room, size);
	got = read_all(recording, recording->stored, size);
	if (got < 0)
		return damaged(recording, strerror(errno));
	if (got < size)
		return cut(recording);
	wrong = unpack(recording, &header);
	if (wrong)
		return damaged(recording, wrong);
	recording->sequence++;
	recording->at = 0;
	recording->used = header.raw_size;
	return 1;
}

/* CCS_END is the last record, and its totals are right. Return: NULL, or what is wrong. */
static const char *check_end(struct recording *recording, const struct ccs_record *record)
{
	const struct ccs_end *end = (const void *)record;
	uint8_t byte;

	recording->wait = NULL;
	if (recording->at != recording->used)
		return "records follow the end mark";
	if (end->records != recording->records || end->samples != recording->samples)
		return "the totals in the end mark do not match";
	if (read_all(recording, &byte, 1) > 0)
		return "bytes follow the end mark";
	return NULL;
}

int recording_next(struct recording *recording, const struct ccs_record **out)
{
	const struct ccs_record *record;
	const char *wrong;
	bool known;

	do {
		if (recording->stopped)
			return 0;
		if (recording->at == recording->used && !next_chunk(recording))
			return 0;
		record = (const void *)(recording->payload + recording->at);
		wrong = record_check(record, recording->used - recording->at);
		if (wrong)
			return damaged(recording, wrong);
		recording->at += record->size;
		if (record->type == CCS_END) {
			wrong = check_end(recording, record);
			if (wrong)
				return damaged(recording, wrong);
			stop(recording, RECORDING_WHOLE);
		}
		recording->records++;
		if (record->type == CCS_SAMPLES)
			recording->samples += ((const struct ccs_samples *)record)->count;
		known = record_type_find(record->type);
		recording->skipped += !known;
	} while (!known);
	*out = record;
	return 1;
}

enum recording_end recording_end(const struct recording *recording)
{
	return recording->end;
}

uint64_t recording_skipped(const struct recording *recording)
{
	return recording->skipped;
}

double recording_position(const struct recording *recording)
{
	if (!recording->size)
		return -1;
	return recording->offset < recording->size ?
	       (double)recording->offset / recording->size : 1;
}

void recording_close(struct recording *recording)
{
	if (recording->fd > STDIN_FILENO)
		close(recording->fd);
	ZSTD_freeDCtx(recording->zstd);
	free(recording->stored);
	free(recording->raw);
	free(recording->name);
	free(recording);
}
