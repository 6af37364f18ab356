// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"
#include "import/stream.h"

struct stream {
	char *path;
	int fd;
	bool ended;
	ZSTD_DStream *zstd;	/* NULL = plain */
	size_t frame_left;	/* 0 = at the end of a zstd frame */
	ZSTD_inBuffer input;
	size_t capacity;
	char *bytes;		/* what input points to */
};

/* Reads on once the last bytes are used up. Return: 0, or -1 after one line. */
static int refill(struct stream *stream)
{
	ssize_t got;

	if (stream->ended || stream->input.pos < stream->input.size)
		return 0;
	do
		got = read(stream->fd, stream->bytes, stream->capacity);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return fail("cannot read %s: %s", stream->path, strerror(errno));
	stream->ended = !got;
	stream->input = (ZSTD_inBuffer){ stream->bytes, got, 0 };
	return 0;
}

/* Chooses how to decode by the first bytes. */
static int begin(struct stream *stream)
{
	const unsigned char *start = (const unsigned char *)stream->bytes;

	if (refill(stream) < 0)
		return -1;
	if (stream->input.size >= 2 && start[0] == 0x1f && start[1] == 0x8b)
		return fail("%s is compressed with gzip: zcat %s | ccsample sim -i -", stream->path,
			    stream->path);
	if (stream->input.size >= 4 && !memcmp(start, "\x28\xb5\x2f\xfd", 4)) {
		stream->zstd = ZSTD_createDStream();
		if (!stream->zstd)
			return fail("out of memory for zstd");
	}
	return 0;
}

struct stream *stream_open(const char *path)
{
	bool standard = !strcmp(path, "-");
	struct stream *stream;
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		fail("cannot open %s: %s", path, strerror(errno));
		return NULL;
	}
	stream = xcalloc(1, sizeof(*stream));
	stream->path = xstrdup(shown_input(path));
	stream->fd = fd;
	stream->capacity = 1 << 18;
	stream->bytes = xmalloc(stream->capacity);
	if (begin(stream) < 0) {
		stream_close(stream);
		return NULL;
	}
	return stream;
}

void stream_close(struct stream *stream)
{
	if (stream->fd != STDIN_FILENO)
		close(stream->fd);
	ZSTD_freeDStream(stream->zstd);
	free(stream->bytes);
	free(stream->path);
	free(stream);
}

static long read_plain(struct stream *stream, char *buffer, size_t size)
{
	size_t left;

	if (refill(stream) < 0)
		return -1;
	left = stream->input.size - stream->input.pos;
	if (size > left)
		size = left;
	memcpy(buffer, stream->bytes + stream->input.pos, size);
	stream->input.pos += size;
	return size;
}

static long read_zstd(struct stream *stream, char *buffer, size_t size)
{
	ZSTD_outBuffer output = { buffer, size, 0 };

	while (!output.pos) {
		if (refill(stream) < 0)
			return -1;
		if (stream->ended && !stream->frame_left)
			return 0;
		stream->frame_left = ZSTD_decompressStream(stream->zstd, &output, &stream->input);
		if (ZSTD_isError(stream->frame_left))
			return fail("%s is damaged: %s", stream->path,
				    ZSTD_getErrorName(stream->frame_left));
		if (stream->ended && !output.pos && stream->frame_left)
			return fail("%s is cut off", stream->path);
	}
	return output.pos;
}

long stream_read(struct stream *stream, char *buffer, size_t size)
{
	return stream->zstd ? read_zstd(stream, buffer, size) : read_plain(stream, buffer, size);
}
