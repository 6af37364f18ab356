// SPDX-License-Identifier: GPL-2.0-only
/*
 * Maps one page of memory where page table isolation lets the core write while
 * user code runs: under the top-level entry of cpu_entry_area, which user page
 * tables share with the kernel's (pti_clone_p4d). A free slot below it takes
 * tables of ours.
 *
 *	insmod window.ko physical=0x...
 *	cat /sys/module/window/parameters/address
 */
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <asm/cpu_entry_area.h>
#include <asm/pgtable.h>
#include <asm/tlbflush.h>

static unsigned long physical;
module_param(physical, ulong, 0444);
MODULE_PARM_DESC(physical, "physical address of the page to map");

static unsigned long address;
module_param(address, ulong, 0444);
MODULE_PARM_DESC(address, "where it is mapped (set by the module)");

static pud_t *slot;
static unsigned long pmd_page, pte_page;

static pud_t *first_pud(void)
{
	pgd_t *pgd = (pgd_t *)__va(read_cr3_pa()) + pgd_index(CPU_ENTRY_AREA_BASE);

	return pud_offset(p4d_offset(pgd, CPU_ENTRY_AREA_BASE), CPU_ENTRY_AREA_BASE);
}

static void flush(void *unused)
{
	__flush_tlb_all();
}

static int __init window_init(void)
{
	pud_t *pud = first_pud();
	int i;

	for (i = 0; i < PTRS_PER_PUD && !pud_none(pud[i]); i++)
		;
	if (!physical || i == PTRS_PER_PUD)
		return -ENOSPC;
	pmd_page = get_zeroed_page(GFP_KERNEL);
	pte_page = get_zeroed_page(GFP_KERNEL);
	if (!pmd_page || !pte_page) {
		free_page(pmd_page);
		free_page(pte_page);
		return -ENOMEM;
	}
	set_pte((pte_t *)pte_page, pfn_pte(PHYS_PFN(physical), PAGE_KERNEL));
	set_pmd((pmd_t *)pmd_page, __pmd(_PAGE_TABLE | __pa(pte_page)));
	slot = pud + i;
	set_pud(slot, __pud(_PAGE_TABLE | __pa(pmd_page)));
	address = CPU_ENTRY_AREA_BASE + i * PUD_SIZE;
	return 0;
}

static void __exit window_exit(void)
{
	pud_clear(slot);
	on_each_cpu(flush, NULL, 1);
	free_page(pmd_page);
	free_page(pte_page);
}

module_init(window_init);
module_exit(window_exit);
MODULE_DESCRIPTION("A page that user page tables map for the kernel");
MODULE_LICENSE("GPL");
