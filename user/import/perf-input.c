// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"
#include "import/perf-input.h"

#define STEP	(1u << 20)		/* bytes at a time */

struct perf_input {
	char *name;
	int fd;
	enum perf_kind kind;
	uint8_t *data;			/* all of it, or of a pipe what is not used yet */
	uint64_t size;
	size_t room;			/* of @data; 0 = mapped */
	bool whole;			/* @data is all of it */
};

/* Return: bytes, at least one but at the end; -1 after one line. */
static ssize_t read_once(struct perf_input *input, void *bytes, size_t size)
{
	ssize_t got;

	do {
		got = read(input->fd, bytes, size);
	} while (got < 0 && errno == EINTR);
	return got < 0 ? fail("cannot read %s: %s", input->name, strerror(errno)) : got;
}

/* Return: bytes, fewer at the end; -1 after one line. */
static ssize_t read_some(struct perf_input *input, void *bytes, size_t size)
{
	size_t done = 0;
	ssize_t got;

	do {
		got = read_once(input, (uint8_t *)bytes + done, size - done);
		if (got < 0)
			return -1;
		done += got;
	} while (got && done < size);
	return done;
}

static int map_file(struct perf_input *input, uint64_t size)
{
	void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, input->fd, 0);

	if (data == MAP_FAILED)
		return fail("cannot read %s: %s", input->name, strerror(errno));
	madvise(data, size, MADV_SEQUENTIAL);
	input->data = data;
	input->size = size;
	input->whole = true;
	return 0;
}

/* A file that comes through a pipe has what we need first at its end. */
static int read_whole(struct perf_input *input)
{
	ssize_t got;

	do {
		if (input->room - input->size < STEP) {
			input->room = 2 * input->room + 2 * STEP;
			input->data = xrealloc(input->data, input->room);
		}
		got = read_some(input, input->data + input->size, STEP);
		if (got < 0)
			return -1;
		input->size += got;
	} while (got);
	input->whole = true;
	return 0;
}

static int begin_pipe(struct perf_input *input)
{
	ssize_t got;

	input->room = 2 * STEP;
	input->data = xmalloc(input->room);
	got = read_some(input, input->data, PERF_PIPE_HEADER);
	input->size = got > 0 ? got : 0;
	return got < 0 ? -1 : 0;
}

static int begin(struct perf_input *input)
{
	struct stat status;
	const char *wrong;

	if (fstat(input->fd, &status))
		return fail("cannot read %s: %s", input->name, strerror(errno));
	if (S_ISDIR(status.st_mode))
		return fail("%s is a directory (perf record --threads): record without that",
			    input->name);
	if (S_ISREG(status.st_mode) && !status.st_size)
		return fail("%s is empty", input->name);
	if ((S_ISREG(status.st_mode) ? map_file(input, status.st_size) : begin_pipe(input)) < 0)
		return -1;
	wrong = perf_kind(input->data, input->size, &input->kind);
	if (wrong)
		return fail("%s cannot be imported: %s", input->name, wrong);
	return input->whole || input->kind == PERF_KIND_PIPE ? 0 : read_whole(input);
}

struct perf_input *perf_input_open(const char *path)
{
	bool standard = !strcmp(path, "-");
	struct perf_input *input = xcalloc(1, sizeof(*input));

	input->name = xstrdup(shown_input(path));
	input->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (input->fd < 0)
		fail("cannot open %s: %s (it is what perf record writes: see ccsample import "
		     "--help)", path, strerror(errno));
	else if (!begin(input))
		return input;
	perf_input_close(input);
	return NULL;
}

void perf_input_close(struct perf_input *input)
{
	if (input->room)
		free(input->data);
	else if (input->data)
		munmap(input->data, input->size);
	if (input->fd > STDIN_FILENO)
		close(input->fd);
	free(input->name);
	free(input);
}

const char *perf_input_name(const struct perf_input *input)
{
	return input->name;
}

bool perf_input_again(const struct perf_input *input)
{
	return input->whole;
}

const char *perf_input_attrs(const struct perf_input *input, struct perf_attrs *attrs)
{
	struct perf_facts facts = { .host = NULL };
	struct perf_extent records;
	const char *wrong;

	if (input->kind != PERF_KIND_FILE)
		return NULL;
	wrong = perf_file_read(attrs, &facts, input->data, input->size, &records);
	perf_facts_drop(&facts);
	return wrong;
}

struct perf_feed {
	struct perf_reader *reader;
	bool (*stop)(void *context, double position);
	void *context;
	struct perf_input_end *end;
};

static void feed_whole(struct perf_input *input, const struct perf_feed *feed,
		       struct perf_extent records)
{
	uint64_t at = 0, piece, used;

	while (at < records.size && !feed->stop(feed->context, (double)at / records.size)) {
		/* A record straddles a piece's end: it comes again with the next one. */
		piece = records.size - at < STEP ? records.size - at : STEP;
		used = perf_reader_take(feed->reader, input->data + records.offset + at, piece);
		at += used;
		if (perf_reader_wrong(feed->reader) || !used)
			break;
	}
	feed->end->bytes = records.offset + at;
	feed->end->cut |= at < records.size;
}

/* Return: 0, or -1 after one line. */
static int feed_pipe(struct perf_input *input, const struct perf_feed *feed)
{
	size_t left = 0, used;
	ssize_t got;

	feed->end->bytes = PERF_PIPE_HEADER;
	while (!perf_reader_wrong(feed->reader) && !feed->stop(feed->context, -1)) {
		got = read_once(input, input->data + left, STEP);
		if (got < 0)
			return -1;
		if (!got)
			break;
		used = perf_reader_take(feed->reader, input->data, left + got);
		left += got - used;
		memmove(input->data, input->data + used, left);
		feed->end->bytes += used;
	}
	feed->end->cut = left;
	return 0;
}

int perf_input_read(struct perf_input *input, struct perf_reader *reader,
		    bool (*stop)(void *context, double position), void *context,
		    struct perf_input_end *end)
{
	const struct perf_feed feed = { reader, stop, context, end };
	struct perf_extent records = {
		.offset = PERF_PIPE_HEADER, .size = input->size - PERF_PIPE_HEADER,
	};
	const char *wrong = NULL;
	int status = 0;

	*end = (struct perf_input_end){ .cut = false };
	if (input->kind == PERF_KIND_FILE)
		wrong = perf_reader_file(reader, input->data, input->size, &records);
	if (wrong)
		return fail("%s cannot be imported: %s", input->name, wrong);
	end->cut = records.cut;
	if (input->whole)
		feed_whole(input, &feed, records);
	else
		status = feed_pipe(input, &feed);
	perf_reader_end(reader);
	end->wrong = perf_reader_wrong(reader);
	end->cut |= perf_reader_waits(reader);
	return status;
}
