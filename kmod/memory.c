// SPDX-License-Identifier: GPL-2.0-only
#include <linux/anon_inodes.h>
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

static void memory_free(struct kref *users)
{
	struct ccsample_memory *memory = container_of(users, struct ccsample_memory, users);

	for (unsigned int i = 0; i < memory->nr; i++) {
		/* Whoever gets these pages next must not find addresses in them. */
		memset(page_address(memory->chunk[i]), 0, PMD_SIZE);
		__free_pages(memory->chunk[i], PMD_SHIFT - PAGE_SHIFT);
	}
	if (memory->control)
		free_pages_exact(memory->control, memory->control_bytes);
	free_page((unsigned long)memory->reader);
	kfree(memory);
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

static int allocate(struct ccsample_memory *memory, int cpu, unsigned int chunks)
{
	memory->reader = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	memory->control = alloc_pages_exact(memory->control_bytes, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!memory->reader || !memory->control)
		return -ENOMEM;
	while (memory->nr < chunks) {
		struct page *chunk = alloc_pages_node(cpu_to_node(cpu),
						      GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN,
						      PMD_SHIFT - PAGE_SHIFT);

		if (!chunk)
			return -ENOMEM;
		memory->chunk[memory->nr++] = chunk;
	}
	return 0;
}

struct ccsample_memory *ccsample_memory_new(int cpu, unsigned int chunks, size_t control_bytes)
{
	struct ccsample_memory *memory = kzalloc(sizeof(*memory), GFP_KERNEL);
	int error;

	if (!memory)
		return ERR_PTR(-ENOMEM);
	kref_init(&memory->users);
	memory->control_bytes = PAGE_ALIGN(control_bytes);
	memory->records_bytes = chunks * PMD_SIZE - CCSAMPLE_RECORDS_AT;
	error = allocate(memory, cpu, chunks);
	if (error)
		goto free;
	memory->file = anon_inode_getfile("[ccsample]", &file_operations, memory, O_RDWR);
	if (IS_ERR(memory->file)) {
		error = PTR_ERR(memory->file);
		goto free;
	}
	kref_get(&memory->users);
	memory->window = ccsample_window_map(memory->chunk, memory->nr);
	if (memory->window)
		return memory;
	error = -ENOSPC;
	fput(memory->file);
free:
	kref_put(&memory->users, memory_free);
	return ERR_PTR(error);
}

void ccsample_memory_drop(struct ccsample_memory *memory)
{
	ccsample_window_unmap(memory->window, memory->nr);
	memory->window = 0;
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
	size_t skip = CCSAMPLE_RECORDS_AT, done = 0;

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

	if (bytes > room || !(vma->vm_flags & VM_SHARED))
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
