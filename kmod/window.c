// SPDX-License-Identifier: GPL-2.0-only
/*
 * Under page table isolation (PTI) the PEBS assist writes through the user page
 * tables while user code runs, and these map next to nothing of the kernel. But
 * they share the whole top-level entry of the CPU entry area with the kernel's
 * (pti_clone_p4d() in arch/x86/mm/pti.c), 512 GiB of which little is used. So a
 * table of our own under an empty slot there shows in every page table at once.
 */
#include <linux/bitmap.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pgtable.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <asm/tlbflush.h>

#include "window.h"

static DEFINE_MUTEX(window_lock);
static DECLARE_BITMAP(window_used, PTRS_PER_PMD);
static unsigned long window_base;
static pud_t *window_slot;
static pmd_t *window_table;

static pud_t *entry_area_slots(void)
{
	pgd_t *pgd = pgd_offset(current->active_mm, CPU_ENTRY_AREA_BASE);
	p4d_t *p4d;

	if (pgd_none(*pgd))
		return NULL;
	p4d = p4d_offset(pgd, CPU_ENTRY_AREA_BASE);
	if (p4d_none(*p4d))
		return NULL;
	return pud_offset(p4d, CPU_ENTRY_AREA_BASE);
}

const char *ccsample_window_init(void)
{
	pud_t *slots = entry_area_slots();
	unsigned int i;

	if (!slots)
		return "the kernel's CPU entry area is not where it should be";
	/* From the end: 6.2 and later spread the CPUs' parts over the area at boot. */
	for (i = PTRS_PER_PUD - 1; i > 0 && !pud_none(slots[i]); i--)
		;
	if (!i)
		return "the kernel's CPU entry area has no free slot";
	window_table = (pmd_t *)get_zeroed_page(GFP_KERNEL);
	if (!window_table)
		return "no memory for a page table";
	window_base = CPU_ENTRY_AREA_BASE + i * PUD_SIZE;
	window_slot = &slots[i];
	native_set_pud(window_slot, __pud(_KERNPG_TABLE | __pa(window_table)));
	return NULL;
}

static void flush_here(void *unused)
{
	__flush_tlb_all();
}

void ccsample_window_exit(void)
{
	native_set_pud(window_slot, __pud(0));
	on_each_cpu(flush_here, NULL, 1);
	free_page((unsigned long)window_table);
}

unsigned long ccsample_window_map(struct page **chunks, unsigned int nr)
{
	unsigned long first;

	mutex_lock(&window_lock);
	first = bitmap_find_next_zero_area(window_used, PTRS_PER_PMD, 0, nr, 0);
	if (first < PTRS_PER_PMD)
		bitmap_set(window_used, first, nr);
	mutex_unlock(&window_lock);
	if (first >= PTRS_PER_PMD)
		return 0;
	for (unsigned int i = 0; i < nr; i++)
		native_set_pmd(&window_table[first + i],
			       __pmd(page_to_phys(chunks[i]) | pgprot_val(PAGE_KERNEL_LARGE)));
	return window_base + first * PMD_SIZE;
}

void ccsample_window_unmap(unsigned long at, unsigned int nr)
{
	unsigned long first = (at - window_base) / PMD_SIZE;

	for (unsigned int i = 0; i < nr; i++)
		native_set_pmd(&window_table[first + i], __pmd(0));
	on_each_cpu(flush_here, NULL, 1);
	mutex_lock(&window_lock);
	bitmap_clear(window_used, first, nr);
	mutex_unlock(&window_lock);
}
