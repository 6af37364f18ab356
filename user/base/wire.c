// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/wire.h"

#define NO_TEXT UINT32_MAX

static void append(struct wire *wire, const void *bytes, size_t size)
{
	if (wire->room - wire->size < size) {
		wire->room = 2 * wire->room + size;
		wire->bytes = xrealloc(wire->bytes, wire->room);
	}
	memcpy(wire->bytes + wire->size, bytes, size);
	wire->size += size;
}

void wire_bytes(struct wire *wire, void *bytes, size_t size)
{
	if (!size)
		return;
	if (!wire->reads) {
		append(wire, bytes, size);
		return;
	}
	wire->wrong |= wire->size - wire->at < size;
	if (wire->wrong) {
		memset(bytes, 0, size);
		return;
	}
	memcpy(bytes, wire->bytes + wire->at, size);
	wire->at += size;
}

uint64_t wire_number(struct wire *wire, uint64_t number, uint64_t most)
{
	wire_bytes(wire, &number, sizeof(number));
	if (number <= most)
		return number;
	wire->wrong = true;
	return 0;
}

bool wire_flag(struct wire *wire, bool flag)
{
	uint8_t byte = flag;

	wire_bytes(wire, &byte, sizeof(byte));
	return byte;
}

char *wire_text(struct wire *wire, const char *text)
{
	size_t size = wire_number(wire, text ? strlen(text) : NO_TEXT, NO_TEXT);
	char *read;

	if (!wire->reads) {
		if (text && size)
			append(wire, text, size);
		return NULL;
	}
	if (wire->wrong || size == NO_TEXT)
		return NULL;
	if (size > wire->size - wire->at) {
		wire->wrong = true;
		return NULL;
	}
	read = xmalloc(size + 1);
	wire_bytes(wire, read, size);
	read[size] = '\0';
	return read;
}

void wire_add(struct wire *wire, uint64_t *sums, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t number = wire_number(wire, sums[i], UINT64_MAX);

		sums[i] += wire->reads ? number : 0;
	}
}

void wire_add32(struct wire *wire, uint32_t *sums, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t number = sums[i];

		wire_bytes(wire, &number, sizeof(number));
		sums[i] += wire->reads ? number : 0;
	}
}

void wire_add_double(struct wire *wire, double *sums, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		double number = sums[i];

		wire_bytes(wire, &number, sizeof(number));
		sums[i] += wire->reads ? number : 0;
	}
}

void wire_add_exact(struct wire *wire, struct exact_sum *sum)
{
	struct exact_sum more = *sum;

	wire_bytes(wire, &more.sum, sizeof(more.sum));
	wire_bytes(wire, &more.rest, sizeof(more.rest));
	if (!wire->reads)
		return;
	exact_add(sum, more.sum);
	exact_add(sum, more.rest);
}

void wire_most(struct wire *wire, uint64_t *number)
{
	uint64_t other = wire_number(wire, *number, UINT64_MAX);

	*number = other > *number ? other : *number;
}

void wire_or(struct wire *wire, bool *flag)
{
	*flag |= wire_flag(wire, *flag);
}

void wire_drop(struct wire *wire)
{
	free(wire->bytes);
	*wire = (struct wire){ .bytes = NULL };
}
