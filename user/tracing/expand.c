// SPDX-License-Identifier: GPL-2.0-only
/* A trace's references one by one, for what reads streams. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracing/traced.h"
#include "base/fail.h"
#include "base/allocator.h"
#include "base/map.h"
#include "base/memory.h"
#include "format/recording.h"
#include "prsd/decode.h"
#include "prsd/expand.h"

struct expansion {
	int (*reference)(void *context, uint64_t ip, uint64_t address, uint32_t size, bool store);
	void *context;
	uint64_t addresses[TRACE_SLOTS_MAX];
};

static int give(void *context, const struct trace_slot *slot, uint64_t address)
{
	const struct expansion *x = context;

	return x->reference(x->context, slot->ip, address, slot->size, slot->store);
}

static int give_node(void *context, const struct trace_shapes *shapes, uint32_t shape,
		     const uint64_t *addresses)
{
	struct expansion *x = context;
	struct trace_expander expander = { give, x };

	memcpy(x->addresses, addresses, shape_slots(shapes, shape) * sizeof(*addresses));
	return expand(&expander, shapes, shape, x->addresses);
}

static int forget(void *context)
{
	return 0;
}

static struct trace_decoder *decoder_of(struct map *decoders, const struct ccs_record *record,
					struct expansion *x)
{
	uint64_t *decoder = map_at(decoders, (uint64_t)record->process << 32 | record->tid);
	struct trace_sink sink = { give_node, forget, x };

	if (!*decoder) {
		*decoder = (uintptr_t)xcalloc(1, sizeof(struct trace_decoder));
		if (!decoder_open((void *)(uintptr_t)*decoder, &sink, &libc_allocator))
			exit(-fail("out of memory for the trace of a thread"));
	}
	return (void *)(uintptr_t)*decoder;
}

static int take(struct map *decoders, const struct ccs_references *r, struct expansion *x,
		const char *path)
{
	struct trace_decoder *decoder = decoder_of(decoders, &r->record, x);
	const char *wrong = decode(decoder, (const uint8_t *)(r + 1), r->bytes_size);

	if (!wrong)
		return 0;
	return decoder->error ? -1 : fail("%s holds %s: trace the program again", path, wrong);
}

int traced_expand(const char *path,
		  int (*reference)(void *context, uint64_t ip, uint64_t address, uint32_t size,
				   bool store),
		  void *context)
{
	struct expansion *x = xcalloc(1, sizeof(*x));
	struct recording *recording = recording_open(path);
	struct map decoders = { NULL };
	const struct ccs_record *record;
	int result = recording ? 0 : -1;
	size_t i;

	x->reference = reference;
	x->context = context;
	while (!result && recording_next(recording, &record))
		if (record->type == CCS_REFERENCES)
			result = take(&decoders, (const void *)record, x, path);
	if (recording)
		recording_close(recording);
	for (i = 0; decoders.entries && i <= decoders.mask; i++)
		if (decoders.entries[i].value) {
			decoder_close((void *)(uintptr_t)decoders.entries[i].value);
			free((void *)(uintptr_t)decoders.entries[i].value);
		}
	map_free(&decoders);
	free(x);
	return result;
}

static bool has_magic(const char *path)
{
	char magic[8] = "";
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	bool is = fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) &&
		  !memcmp(magic, CCS_FILE_MAGIC, sizeof(magic));

	if (fd >= 0)
		close(fd);
	return is;
}

bool traced_is(const char *path)
{
	const struct ccs_record *record = NULL;
	struct recording *recording;
	bool is = false;

	if (!has_magic(path))
		return false;
	recording = recording_open(path);
	while (recording && !is && recording_next(recording, &record))
		is = record->type == CCS_REFERENCES;
	if (recording)
		recording_close(recording);
	return is;
}
