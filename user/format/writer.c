// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "base/text.h"
#include "format/check.h"
#include "format/chunk.h"
#include "format/recording.h"

#define CHUNK_SIZE	(256u << 10)	/* payload of a full chunk: fits a reader's L2 cache */
#define LEVEL		1		/* of zstd: misses come in millions */
#define LEVEL_BURSTS	(-10)		/* they are packed before: a third of the time */

struct recording_writer {
	char *name;
	int fd;
	bool opened;			/* by us: we may truncate and close it */
	bool named;			/* it had a name: without one it is nobody's any more */
	bool failed;			/* it was said; the file takes no more */
	bool refused;			/* a record was not written */
	uint64_t written;		/* bytes of whole chunks */
	uint64_t sequence;
	uint64_t records, samples;
	int level;			/* of zstd, from this chunk on */
	ZSTD_CCtx *zstd;
	uint8_t *raw;
	size_t used;
	uint8_t *chunk;			/* header, payload, padding: written at once */
};

/*
 * write() of everything. The signals of a closed pipe and of a file size limit
 * would end the process; they are kept off and taken away.
 */
static int write_all(int fd, const void *data, size_t size)
{
	const struct timespec at_once = { 0 };
	const uint8_t *at = data, *end = at + size;
	sigset_t signals, before;
	int error = 0;

	sigemptyset(&signals);
	sigaddset(&signals, SIGPIPE);
	sigaddset(&signals, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &signals, &before);
	while (at < end && !error) {
		ssize_t done = write(fd, at, end - at);

		if (done > 0)
			at += done;
		else if (done == 0 || errno != EINTR)
			error = done ? errno : ENOSPC;
	}
	if (error == EPIPE || error == EFBIG)
		sigtimedwait(&signals, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

static bool is_removed(const struct recording_writer *writer)
{
	struct stat status;

	return writer->named && !fstat(writer->fd, &status) && !status.st_nlink;
}

/* The file takes no more: says so, and takes away what is half written. */
static int give_up(struct recording_writer *writer, int error)
{
	if (writer->failed)
		return -1;
	writer->failed = true;
	if (is_removed(writer))
		return fail("%s was removed or replaced while it was written: the recording is "
			    "lost", writer->name);
	if (writer->opened && ftruncate(writer->fd, writer->written) == 0)
		lseek(writer->fd, writer->written, SEEK_SET);
	if (error == EPIPE)
		return fail("%s: its reader has gone; the rest of the recording is dropped",
			    writer->name);
	return fail("cannot write %s: %s; its first %llu bytes remain readable, the rest is "
		    "dropped%s", writer->name, strerror(error), (unsigned long long)writer->written,
		    error == ENOSPC || error == EDQUOT || error == EFBIG ?
		    " (record to a file system with room, see -o)" : "");
}

static void release(struct recording_writer *writer)
{
	ZSTD_freeCCtx(writer->zstd);
	free(writer->raw);
	free(writer->chunk);
	free(writer->name);
	free(writer);
}

static int write_header(struct recording_writer *writer)
{
	struct ccs_file_header header = {
		.magic = CCS_FILE_MAGIC,
		.major = CCS_VERSION_MAJOR,
		.minor = CCS_VERSION_MINOR,
		.header_size = sizeof(header),
	};
	int error = write_all(writer->fd, &header, sizeof(header));

	if (error)
		return fail("cannot write %s: %s", writer->name, strerror(error));
	writer->written = sizeof(header);
	return 0;
}

/* Two writers at once would leave a file that neither has written: emptied once it is ours. */
static int make_ours(struct recording_writer *writer, bool made)
{
	struct stat status;

	if (fstat(writer->fd, &status) || !S_ISREG(status.st_mode))
		return 0;
	if (!made && status.st_uid != geteuid())
		return fail("%s belongs to another user, who could read the recording: remove it, "
			    "or name another file (-o)", writer->name);
	if (flock(writer->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return fail("%s is being written by another ccsample: name another file (-o)",
			    writer->name);
	writer->named = writer->opened && status.st_nlink;
	fchmod(writer->fd, RECORDING_MODE);	/* fails where a file system has no modes */
	if (ftruncate(writer->fd, 0))
		return fail("cannot write %s: %s", writer->name, strerror(errno));
	return 0;
}

static int open_file(struct recording_writer *writer, const char *path)
{
	bool made;

	writer->name = xstrdup(shown_output(path));
	if (!strcmp(path, "-")) {
		writer->fd = STDOUT_FILENO;
		if (isatty(writer->fd))
			return fail("a recording is not for a terminal: name a file, or use a "
				    "pipe");
		return 0;
	}
	writer->fd = output_descriptor(path, RECORDING_MODE, &made);
	if (writer->fd < 0)
		return fail("cannot create %s: %s", path, errno == ELOOP ?
			    "it is a symbolic link of another user" : strerror(errno));
	writer->opened = true;
	return make_ours(writer, made);
}

struct recording_writer *recording_create(const char *path)
{
	struct recording_writer *writer = xcalloc(1, sizeof(*writer));

	if (open_file(writer, path) || write_header(writer)) {
		if (writer->opened)
			close(writer->fd);
		release(writer);
		return NULL;
	}
	writer->level = LEVEL;
	writer->zstd = ZSTD_createCCtx();
	writer->raw = xmalloc(CHUNK_SIZE);
	writer->chunk = xmalloc(sizeof(struct ccs_chunk_header) + CHUNK_SIZE + 8);
	return writer;
}

/* Fills the payload behind the header: compressed, or plain where that is not smaller. */
static void store_payload(struct recording_writer *writer, struct ccs_chunk_header *header)
{
	uint8_t *payload = writer->chunk + sizeof(*header);
	size_t size = 0;

	if (writer->zstd)
		size = ZSTD_compressCCtx(writer->zstd, payload, writer->used - 1, writer->raw,
					 writer->used, writer->level);
	if (!size || ZSTD_isError(size)) {
		memcpy(payload, writer->raw, writer->used);
		header->compression = CCS_COMPRESSION_NONE;
		header->stored_size = writer->used;
	} else {
		header->compression = CCS_COMPRESSION_ZSTD;
		header->stored_size = size;
	}
	memset(payload + header->stored_size, 0, chunk_padding(header));
	header->checksum = chunk_checksum(header, payload);
}

int recording_flush(struct recording_writer *writer)
{
	struct ccs_chunk_header header = {
		.magic = CCS_CHUNK_MAGIC,
		.raw_size = writer->used,
		.sequence = writer->sequence,
	};
	size_t size;
	int error;

	if (writer->failed)
		return -1;
	if (!writer->used)
		return 0;
	store_payload(writer, &header);
	memcpy(writer->chunk, &header, sizeof(header));
	size = sizeof(header) + header.stored_size + chunk_padding(&header);
	error = write_all(writer->fd, writer->chunk, size);
	if (error || is_removed(writer))
		return give_up(writer, error);
	writer->written += size;
	writer->sequence++;
	writer->used = 0;
	return 0;
}

int recording_write(struct recording_writer *writer, const struct ccs_record *record)
{
	const char *wrong = record_check(record, record->size);

	if (writer->failed)
		return -1;
	if (wrong) {
		if (!writer->refused)
			fail("%s: a record of type %u is not written: it is %s", writer->name,
			     record->type, wrong);
		writer->refused = true;
		return -1;
	}
	if (writer->used + record->size > CHUNK_SIZE && recording_flush(writer))
		return -1;
	memcpy(writer->raw + writer->used, record, record->size);
	writer->used += record->size;
	writer->records++;
	if (record->type == CCS_BURST_PIECE)
		writer->level = LEVEL_BURSTS;
	if (record->type == CCS_SAMPLES)
		writer->samples += ((const struct ccs_samples *)record)->count;
	return 0;
}

int recording_meta(struct recording_writer *writer, const char *key,
		   const void *value, size_t size)
{
	size_t key_size = strlen(key);
	size_t room = CCS_RECORD_MAX - sizeof(struct ccs_meta) - key_size;
	size_t value_size = size < room ? size : room;
	size_t whole = (sizeof(struct ccs_meta) + key_size + value_size + 7) & ~(size_t)7;
	struct ccs_meta *meta = xcalloc(1, whole);
	char *text = (char *)(meta + 1);
	int result;

	meta->record.size = whole;
	meta->record.type = CCS_META;
	meta->key_size = key_size;
	meta->value_size = value_size;
	memcpy(text, key, key_size);
	memcpy(text + key_size, value, value_size);
	result = recording_write(writer, &meta->record);
	free(meta);
	return result;
}

uint64_t recording_written(const struct recording_writer *writer)
{
	return writer->written + writer->used;
}

void recording_discard(struct recording_writer *writer)
{
	struct stat ours, named;

	/* Not a pipe or a device, and not what somebody has put in its place. */
	if (writer->opened && !fstat(writer->fd, &ours) && S_ISREG(ours.st_mode) &&
	    !lstat(writer->name, &named) && named.st_dev == ours.st_dev &&
	    named.st_ino == ours.st_ino && unlink(writer->name) && !ftruncate(writer->fd, 0))
		writer->written = 0;	/* in a sandbox: its parent takes away what is empty */
	if (writer->opened)
		close(writer->fd);
	release(writer);
}

int recording_finish(struct recording_writer *writer, uint64_t duration_ns)
{
	struct ccs_end end = {
		.record = { .size = sizeof(end), .type = CCS_END },
		.samples = writer->samples,
		.records = writer->records,
		.duration_ns = duration_ns,
	};
	int result;

	recording_write(writer, &end.record);
	recording_flush(writer);
	if (writer->opened && close(writer->fd) && errno != EINTR)
		give_up(writer, errno);
	result = writer->failed || writer->refused ? -1 : 0;
	release(writer);
	return result;
}
