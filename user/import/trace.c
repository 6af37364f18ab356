// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"
#include "import/stream.h"
#include "import/trace.h"

#define BUFFER	(1 << 18)	/* a longer line is bad */
#define HEAD	(64u << 20)	/* bytes in which a trace has a reference */

struct trace {
	char *path;
	struct stream *stream;
	const struct trace_format *format;	/* NULL = not known yet */
	char *buffer;
	size_t from, to;	/* bytes of the buffer not parsed yet */
	bool ended;
	bool overlong;		/* inside of a line longer than the buffer */
	bool any;		/* there was a reference */
	uint64_t read;		/* bytes */
	uint64_t lines, bad, first_bad;
};

int trace_hex(const char **text, const char *end, uint64_t *value)
{
	const char *start = *text, *at = start;
	uint64_t number = 0;

	for (; at < end; at++) {
		unsigned int digit = (unsigned char)*at - '0';

		if (digit > 9) {
			digit = ((unsigned char)*at | 0x20) - 'a' + 10;
			if (digit < 10 || digit > 15)
				break;
		}
		number = number << 4 | digit;
	}
	*text = at;
	*value = number;
	return at > start && at - start <= 16;
}

int trace_decimal(const char **text, const char *end, uint64_t *value)
{
	const char *start = *text, *at = start;
	uint64_t number = 0;

	for (; at < end && *at >= '0' && *at <= '9'; at++)
		number = number * 10 + (*at - '0');
	*text = at;
	*value = number;
	return at > start && at - start <= 10;
}

enum trace_line trace_fill(struct reference *reference, enum reference_kind kind,
			   uint64_t address, uint64_t size)
{
	if (!size || size > REFERENCE_SIZE_MAX || address > UINT64_MAX - size)
		return TRACE_BAD;
	*reference = (struct reference){ address, size, kind };
	return TRACE_REFERENCE;
}

static int choose_format(struct trace *trace, const char *name)
{
	if (!strcmp(name, "lackey"))
		trace->format = &trace_lackey;
	else if (!strcmp(name, "din"))
		trace->format = &trace_din;
	else if (strcmp(name, "auto"))
		return fail("--format takes lackey, din or auto, not '%s'", name);
	return 0;
}

struct trace *trace_open(const char *path, const char *format)
{
	struct trace *trace = xcalloc(1, sizeof(*trace));

	trace->path = xstrdup(shown_input(path));
	trace->buffer = xmalloc(BUFFER);
	if (choose_format(trace, format) == 0)
		trace->stream = stream_open(path);
	if (!trace->stream) {
		trace_close(trace);
		return NULL;
	}
	return trace;
}

void trace_close(struct trace *trace)
{
	if (trace->stream)
		stream_close(trace->stream);
	free(trace->buffer);
	free(trace->path);
	free(trace);
}

/* Moves what is left to the front and reads on. Return: 0, or -1 after one line. */
static int refill(struct trace *trace)
{
	long got;

	if (trace->from == 0 && trace->to == BUFFER) {
		trace->overlong = true;
		trace->to = 0;
	}
	memmove(trace->buffer, trace->buffer + trace->from, trace->to - trace->from);
	trace->to -= trace->from;
	trace->from = 0;
	got = stream_read(trace->stream, trace->buffer + trace->to, BUFFER - trace->to);
	if (got < 0)
		return -1;
	trace->ended = !got;
	trace->to += got;
	trace->read += got;
	return 0;
}

static void count_bad(struct trace *trace)
{
	if (!trace->bad++)
		trace->first_bad = trace->lines;
}

static enum trace_line parse_line(struct trace *trace, const char *text, const char *end,
				  struct reference *reference)
{
	enum trace_line what;

	if (end > text && end[-1] == '\r')
		end--;
	if (trace->format)
		return trace->format->parse(text, end, reference);
	what = trace_lackey.parse(text, end, reference);
	if (what == TRACE_REFERENCE)
		trace->format = &trace_lackey;
	if (what != TRACE_BAD)
		return what;
	what = trace_din.parse(text, end, reference);
	if (what == TRACE_REFERENCE)
		trace->format = &trace_din;
	return what;
}

/* Parses the lines that the buffer holds whole. Return: references found. */
static size_t parse_buffer(struct trace *trace, struct reference *references, size_t most)
{
	size_t count = 0;

	while (count < most && trace->from < trace->to) {
		const char *text = trace->buffer + trace->from;
		const char *end = memchr(text, '\n', trace->to - trace->from);
		enum trace_line what;

		if (!end && !trace->ended)
			break;
		if (!end)
			end = trace->buffer + trace->to;
		trace->from = end - trace->buffer + (end < trace->buffer + trace->to);
		trace->lines++;
		what = trace->overlong ? TRACE_BAD :
					 parse_line(trace, text, end, &references[count]);
		trace->overlong = false;
		if (what == TRACE_BAD)
			count_bad(trace);
		count += what == TRACE_REFERENCE;
	}
	return count;
}

long trace_read(struct trace *trace, struct reference *references, size_t most)
{
	size_t count = parse_buffer(trace, references, most);

	while (!count && !trace->ended && (trace->any || trace->read < HEAD)) {
		if (refill(trace) < 0)
			return -1;
		count = parse_buffer(trace, references, most);
	}
	trace->any |= count;
	if (!count && (!trace->ended || !trace->format || trace->bad == trace->lines))
		return fail("%s holds no line of a %s trace", trace->path,
			    trace->format ? trace->format->name : "lackey or din");
	return count;
}

const char *trace_format_name(const struct trace *trace)
{
	return trace->format ? trace->format->name : "unknown";
}

uint64_t trace_lines(const struct trace *trace)
{
	return trace->lines;
}

uint64_t trace_bad_lines(const struct trace *trace)
{
	return trace->bad;
}

uint64_t trace_first_bad(const struct trace *trace)
{
	return trace->first_bad;
}
