// SPDX-License-Identifier: GPL-2.0-only
#include <linux/anon_inodes.h>
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "compat/mm.h"
#include "memory.h"
#include "window.h"

#define CONTROL_CHUNKS	DIV_ROUND_UP(CCSAMPLE_CONTROL_MAX, PMD_SIZE)

/* Chunks of all sessions, and of those that have ended whose mappings are kept; control areas. */
static atomic_t chunks_used;

static bool take_chunks(int chunks)
{
	const int most = num_possible_cpus() * (CCSAMPLE_CHUNKS_MAX + CONTROL_CHUNKS);

	if (atomic_add_return(chunks, &chunks_used) <= most)
		return true;
	atomic_sub(chunks, &chunks_used);
	return false;
}

static void free_chunk(struct ccsample_memory *memory)
{
	__free_pages(memory->chunk[--memory->nr], PMD_SHIFT - PAGE_SHIFT);
	atomic_dec(&chunks_used);
}

static void memory_free(struct kref *users)
{
	struct ccsample_memory *memory = container_of(users, struct ccsample_memory, users);

	while (memory->nr) {
		/* Whoever gets these pages next must not find addresses in them. */
		memset(page_address(memory->chunk[memory->nr - 1]), 0, PMD_SIZE);
		free_chunk(memory);
	}
	if (memory->control)
		free_pages_exact(memory->control, memory->control_bytes);
	free_page((unsigned long)memory->reader);
	kfree(memory);
	atomic_sub(CONTROL_CHUNKS, &chunks_used);
}

static int file_release(struct inode *inode, struct file *file)
{
	struct ccsample_memory *memory = file->private_data;

	kref_put(&memory->users, memory_free);
	return 0;
}

static const struct file_operations file_operations = {
	.owner = THIS_MODULE,
	.release = file_release,
};

/* As many as there are, in memory that may be fragmented, and in the window. */
static int allocate(struct ccsample_memory *memory, int cpu, unsigned int chunks)
{
	const gfp_t flags = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN | __GFP_NORETRY;
	unsigned int mapped;

	memory->reader = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!memory->reader)
		return -ENOMEM;
	while (memory->nr < chunks && take_chunks(1)) {
		struct page *chunk = alloc_pages_node(cpu_to_node(cpu), flags,
						      PMD_SHIFT - PAGE_SHIFT);

		if (!chunk) {
			atomic_dec(&chunks_used);
			break;
		}
		memory->chunk[memory->nr++] = chunk;
	}
	if (!memory->nr)
		return -ENOMEM;
	if (!memory->records_at)
		return 0;
	mapped = ccsample_window_map(memory->chunk, memory->nr, &memory->window);
	while (memory->nr > mapped)
		free_chunk(memory);
	return mapped ? 0 : -ENOSPC;
}

static void unmap(struct ccsample_memory *memory)
{
	if (memory->window)
		ccsample_window_unmap(memory->window, memory->nr);
	memory->window = 0;
}

struct ccsample_memory *ccsample_memory_new(int cpu, unsigned int chunks, bool ds)
{
	struct ccsample_memory *memory;
	int error;

	if (!take_chunks(CONTROL_CHUNKS))
		return ERR_PTR(-ENOMEM);
	memory = kzalloc(sizeof(*memory), GFP_KERNEL);
	if (!memory) {
		atomic_sub(CONTROL_CHUNKS, &chunks_used);
		return ERR_PTR(-ENOMEM);
	}
	kref_init(&memory->users);
	memory->records_at = ds ? CCSAMPLE_RECORDS_AT : 0;
	error = allocate(memory, cpu, chunks);
	if (error)
		goto free;
	memory->records_bytes = memory->nr * PMD_SIZE - memory->records_at;
	memory->file = anon_inode_getfile("[ccsample]", &file_operations, memory, O_RDWR);
	if (IS_ERR(memory->file)) {
		error = PTR_ERR(memory->file);
		goto unmap;
	}
	kref_get(&memory->users);
	return memory;
unmap:
	unmap(memory);
free:
	kref_put(&memory->users, memory_free);
	return ERR_PTR(error);
}

int ccsample_memory_control(struct ccsample_memory *memory, size_t bytes)
{
	memory->control_bytes = PAGE_ALIGN(bytes);
	memory->control = alloc_pages_exact(memory->control_bytes, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	return memory->control ? 0 : -ENOMEM;
}

void ccsample_memory_clear(struct ccsample_memory *memory, size_t offset, size_t bytes)
{
	while (bytes) {
		size_t here = min(bytes, PMD_SIZE - (offset & (PMD_SIZE - 1)));

		memset(ccsample_memory_at(memory, offset), 0, here);
		offset += here;
		bytes -= here;
	}
}

void ccsample_memory_drop(struct ccsample_memory *memory)
{
	unmap(memory);
	fput(memory->file);
	kref_put(&memory->users, memory_free);
}

static int map_pages(struct vm_area_struct *vma, unsigned long offset, void *pages, size_t bytes)
{
	unsigned long at = vma->vm_start + offset;

	if (at >= vma->vm_end)
		return 0;
	return remap_pfn_range(vma, at, virt_to_phys(pages) >> PAGE_SHIFT,
			       min_t(size_t, bytes, vma->vm_end - at), vma->vm_page_prot);
}

static int map_records(struct ccsample_memory *memory, struct vm_area_struct *vma)
{
	size_t skip = memory->records_at, done = 0;

	for (unsigned int i = 0; i < memory->nr; i++, skip = 0) {
		int error = map_pages(vma, done, page_address(memory->chunk[i]) + skip,
				      PMD_SIZE - skip);

		if (error)
			return error;
		done += PMD_SIZE - skip;
	}
	return 0;
}

int ccsample_memory_mmap(struct ccsample_memory *memory, struct vm_area_struct *vma)
{
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	size_t bytes = vma->vm_end - vma->vm_start;
	size_t room = offset == CCSAMPLE_MMAP_READER ? PAGE_SIZE :
		      offset == CCSAMPLE_MMAP_CONTROL ? memory->control_bytes :
		      offset == CCSAMPLE_MMAP_RECORDS ? memory->records_bytes : 0;

	/* Of MAP_SHARED do_mmap() leaves only this where the file is open for reading only. */
	if (bytes > room || !(vma->vm_flags & VM_MAYSHARE))
		return -EINVAL;
	if (offset != CCSAMPLE_MMAP_READER) {
		if (vma->vm_flags & VM_WRITE)
			return -EACCES;
		vm_flags_mod(vma, 0, VM_MAYWRITE);
	}
	if (vma->vm_flags & VM_EXEC)
		return -EACCES;
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP, VM_MAYEXEC);
	vma_set_file(vma, memory->file);
	if (offset == CCSAMPLE_MMAP_READER)
		return map_pages(vma, 0, memory->reader, PAGE_SIZE);
	if (offset == CCSAMPLE_MMAP_CONTROL)
		return map_pages(vma, 0, memory->control, memory->control_bytes);
	return map_records(memory, vma);
}
