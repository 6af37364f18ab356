// SPDX-License-Identifier: GPL-2.0-only
/* A program with an allocator of its own, which nothing preloaded can replace. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char memory[8 << 20] __attribute__((aligned(4096)));
static size_t used;

void *malloc(size_t size)
{
	size_t at = used;

	used += (size + 31) & ~15ul;
	return used <= sizeof(memory) ? memory + at : NULL;
}

void free(void *block)
{
	if (block && ((char *)block < memory || (char *)block >= memory + sizeof(memory)))
		abort();	/* somebody else's */
}

void *calloc(size_t count, size_t size)
{
	return malloc(count * size);
}

void *realloc(void *block, size_t size)
{
	void *new = malloc(size);

	return block && new ? memcpy(new, block, size) : new;
}

int main(void)
{
	/* reallocarray() is not defined here: it must end where malloc() does. */
	free(reallocarray(malloc(1 << 20), 2, 1 << 20));
	puts("own");
	return 0;
}
