// SPDX-License-Identifier: GPL-2.0-only
/* An allocator, to be preloaded, each of whose blocks begins a page behind one without access. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE	4096ul

/* By system calls: mmap() is wrapped, and these are no mappings of the program's. */
void *malloc(size_t size)
{
	size_t all = 2 * PAGE + ((size + PAGE - 1) & ~(PAGE - 1));
	long at = syscall(SYS_mmap, NULL, all, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == -1)
		return NULL;
	*(size_t *)at = size;
	syscall(SYS_mprotect, at + PAGE, PAGE, PROT_NONE);
	return (char *)at + 2 * PAGE;
}

void free(void *block)
{
	char *at = (char *)block - 2 * PAGE;

	if (block)
		syscall(SYS_munmap, at, 2 * PAGE + ((*(size_t *)at + PAGE - 1) & ~(PAGE - 1)));
}

void *calloc(size_t count, size_t size)
{
	return malloc(count * size);
}

size_t malloc_usable_size(void *block)
{
	return block ? *(size_t *)((char *)block - 2 * PAGE) : 0;
}

void *realloc(void *block, size_t size)
{
	size_t old = malloc_usable_size(block);
	void *new = malloc(size);

	if (new && block)
		memcpy(new, block, old < size ? old : size);
	free(block);
	return new;
}
