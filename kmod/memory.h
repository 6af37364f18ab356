/* SPDX-License-Identifier: GPL-2.0-only */
/* A session's pages: what user space maps, and the DS area. */
#ifndef CCSAMPLE_KMOD_MEMORY_H
#define CCSAMPLE_KMOD_MEMORY_H

#include <linux/kref.h>
#include <linux/mm_types.h>
#include <linux/pgtable.h>

#include "ccsample.h"

#define CCSAMPLE_CHUNKS_MAX	128		/* of 2 MiB, a session */
#define CCSAMPLE_CONTROL_MAX	(4 << 20)	/* what the page allocator gives in one piece */

struct ccsample_ds;
struct file;

struct ccsample_memory {
	struct kref users;		/* the session, and the file that mappings hold */
	struct ccsample_reader *reader;
	struct ccsample_control *control;
	size_t control_bytes;		/* whole pages */
	size_t records_bytes;		/* whole pages */
	struct file *file;		/* what mappings hold instead of the device's file */
	unsigned long window;		/* where the processor sees the first chunk, 0 = nowhere */
	u32 records_at;			/* offset of the first record, 0 without a DS area */
	unsigned int nr;
	struct page *chunk[CCSAMPLE_CHUNKS_MAX];
};

/* The first page of the first chunk is the DS area, which no one maps; records follow. */
#define CCSAMPLE_RECORDS_AT	PAGE_SIZE

/**
 * ccsample_memory_new() - pages for records, zeroed and mapped in the window.
 * @cpu: near which the records lie
 * @chunks: 1 .. CCSAMPLE_CHUNKS_MAX; it gets fewer (`nr`) where memory is fragmented or the
 *	    window has no room for as many. All that there are, mappings of sessions that have
 *	    ended included, are at most as many for each possible CPU
 * @ds: with a DS area; else the processor writes by physical address, and there is no window
 *
 * Return: the memory or an error pointer: -ENOMEM, -ENOSPC where the window is full.
 */
struct ccsample_memory *ccsample_memory_new(int cpu, unsigned int chunks, bool ds);

/* Adds the control area, zeroed, of CCSAMPLE_CONTROL_MAX at most. Return: 0 or -ENOMEM. */
int ccsample_memory_control(struct ccsample_memory *memory, size_t bytes);

/* Zeroes a part of the chunks. */
void ccsample_memory_clear(struct ccsample_memory *memory, size_t offset, size_t bytes);

/* Ends the session's use: takes the pages out of the window; mappings are kept. */
void ccsample_memory_drop(struct ccsample_memory *memory);

/**
 * ccsample_memory_mmap() - map the part that an offset names.
 *
 * The mapping holds the memory but not the session: closing the device's file
 * ends that, whatever is mapped.
 *
 * Return: 0, -EINVAL for an offset or size that is no part, -EACCES for writing.
 */
int ccsample_memory_mmap(struct ccsample_memory *memory, struct vm_area_struct *vma);

/* The kernel's address of byte `offset` of the chunks. */
static inline void *ccsample_memory_at(const struct ccsample_memory *memory, size_t offset)
{
	return page_address(memory->chunk[offset >> PMD_SHIFT]) + (offset & (PMD_SIZE - 1));
}

#endif /* CCSAMPLE_KMOD_MEMORY_H */
