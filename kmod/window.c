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
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "compat/tlb.h"
#include "memory.h"
#include "window.h"

#define CPUS_A_SLOT	4	/* with 256 MiB each, the most that a session may have */

static DEFINE_MUTEX(window_lock);
static unsigned long *window_used;	/* a bit for each chunk */
static unsigned int window_chunks;
static unsigned long window_base;
static pud_t *window_first;		/* of `window_slots` in a row, of a table of chunks each */
static unsigned int window_slots;

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

/*
 * The last `wanted` free slots in a row below `end`, or as many as there are. Return: the first's
 * number.
 */
static unsigned int find_slots(const pud_t *slots, unsigned int end, unsigned int wanted,
			       unsigned int *found)
{
	unsigned int run = 0, first = 0;

	*found = 0;
	for (unsigned int i = end - 1; i > 0 && *found < wanted; i--) {
		run = pud_none(slots[i]) ? run + 1 : 0;
		if (run <= *found)
			continue;
		*found = run;
		first = i;
	}
	return first;
}

static pmd_t *entry_of(unsigned long chunk)
{
	pud_t *slot = &window_first[chunk / PTRS_PER_PMD];

	return (pmd_t *)__va(pud_val(*slot) & PTE_PFN_MASK) + chunk % PTRS_PER_PMD;
}

static void flush_here(void *unused)
{
	ccsample_flush_tlb_all();
}

static void flush_everywhere(void)
{
	on_each_cpu(flush_here, NULL, 1);
}

static bool make_tables(unsigned int wanted)
{
	for (window_slots = 0; window_slots < wanted; window_slots++) {
		unsigned long table = get_zeroed_page(GFP_KERNEL);

		if (!table)
			return false;
		native_set_pud(&window_first[window_slots], __pud(_KERNPG_TABLE | __pa(table)));
	}
	return true;
}

const char *ccsample_window_init(void)
{
	unsigned int wanted = DIV_ROUND_UP(num_possible_cpus(), CPUS_A_SLOT);
	pud_t *slots = entry_area_slots();
	unsigned int first, found;

	if (!slots)
		return "the kernel's CPU entry area is not where it should be";
	/*
	 * At a random place, as the CPUs' own parts since 6.2: what programs have in registers
	 * comes to the window, and nobody shall know where (97e3d26b5e5f, "x86/mm: Randomize
	 * per-cpu entry area").
	 */
	first = find_slots(slots, 2 + get_random_u32() % (PTRS_PER_PUD - 1), wanted, &found);
	if (found < wanted)
		first = find_slots(slots, PTRS_PER_PUD, wanted, &found);
	if (!found)
		return "the kernel's CPU entry area has no free slot";
	window_base = CPU_ENTRY_AREA_BASE + first * PUD_SIZE;
	window_first = &slots[first];
	window_chunks = found * PTRS_PER_PMD;
	window_used = bitmap_zalloc(window_chunks, GFP_KERNEL);
	if (window_used && make_tables(found))
		return NULL;
	ccsample_window_exit();
	return "no memory for page tables";
}

void ccsample_window_exit(void)
{
	for (unsigned int i = 0; i < window_slots; i++) {
		unsigned long table = (unsigned long)entry_of(i * PTRS_PER_PMD);

		native_set_pud(&window_first[i], __pud(0));
		flush_everywhere();
		free_page(table);
	}
	bitmap_free(window_used);
}

/* A random place in a random one of the free areas, of the most that a session has each. */
static bool find_random(unsigned int nr, unsigned long *first)
{
	unsigned int areas = window_chunks / CCSAMPLE_CHUNKS_MAX, random = get_random_u32();

	for (unsigned int i = 0; i < areas; i++) {
		unsigned long area = (random + i) % areas * CCSAMPLE_CHUNKS_MAX;

		if (find_next_bit(window_used, window_chunks, area) < area + CCSAMPLE_CHUNKS_MAX)
			continue;
		*first = area + get_random_u32() % (CCSAMPLE_CHUNKS_MAX - nr + 1);
		return true;
	}
	return false;
}

/* Return: chunks in a row from *first on, marked as used; halved until there are so many. */
static unsigned int take(unsigned int nr, unsigned long *first)
{
	mutex_lock(&window_lock);
	for (; nr && !find_random(nr, first); nr /= 2) {
		*first = bitmap_find_next_zero_area(window_used, window_chunks, 0, nr, 0);
		if (*first < window_chunks)
			break;
	}
	bitmap_set(window_used, *first, nr);
	mutex_unlock(&window_lock);
	return nr;
}

unsigned int ccsample_window_map(struct page **chunks, unsigned int nr, unsigned long *at)
{
	unsigned long first;

	nr = take(nr, &first);
	for (unsigned int i = 0; i < nr; i++)
		native_set_pmd(entry_of(first + i),
			       __pmd(page_to_phys(chunks[i]) | pgprot_val(PAGE_KERNEL_LARGE)));
	*at = window_base + first * PMD_SIZE;
	return nr;
}

void ccsample_window_unmap(unsigned long at, unsigned int nr)
{
	unsigned long first = (at - window_base) / PMD_SIZE;

	for (unsigned int i = 0; i < nr; i++)
		native_set_pmd(entry_of(first + i), __pmd(0));
	/* Once a session, not while it samples; a flush of the range alone is not exported. */
	flush_everywhere();
	mutex_lock(&window_lock);
	bitmap_clear(window_used, first, nr);
	mutex_unlock(&window_lock);
}
