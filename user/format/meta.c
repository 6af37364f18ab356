// SPDX-License-Identifier: GPL-2.0-only

#include "base/memory.h"
#include "format/recording.h"

/* Each is ended by a NUL byte, the last one perhaps not. */
char **meta_command(const struct ccs_meta *meta)
{
	const char *value = (const char *)(meta + 1) + meta->key_size;
	size_t size = meta->value_size, count = 0, capacity = 0, length;
	char **command = NULL;

	for (; size; value += length, size -= length) {
		length = strnlen(value, size);
		command = grow(command, count, &capacity, sizeof(*command));
		command[count++] = xstrndup(value, length);
		length += length < size;
	}
	command = grow(command, count, &capacity, sizeof(*command));
	command[count] = NULL;
	return command;
}
