// SPDX-License-Identifier: GPL-2.0-only
/*
 * After Linux's driver (7.3: union arch_pebs_index, ARCH_PEBS_*, intel_pmu_enable_event_ext(),
 * init_arch_pebs_on_cpu()).
 */
#include <linux/bits.h>
#include <linux/io.h>
#include <linux/log2.h>

#include "compat/archpebs.h"
#include "archpebs.h"
#include "cpu.h"
#include "ds.h"
#include "gaps.h"
#include "marks.h"
#include "pmi.h"

#define INDEX_POSITION	GENMASK_ULL(26, 4)	/* bytes */
#define INDEX_ENABLE	BIT_ULL(32)
#define INDEX_THRESHOLD	GENMASK_ULL(58, 36)	/* position << 32 */
#define INDEX_UNIT	16

#define CFG_RELOAD	GENMASK_ULL(31, 0)
#define CFG_MEMORY	BIT_ULL(62)
#define CFG_ENABLE	BIT_ULL(63)

#define FIXED_COUNTERS	4	/* bits of each in the fixed counters' control */
#define FIXED_ON	3	/* of them: for the kernel, for users */

static u32 configuration(int counter)
{
	return MSR_IA32_PMC_V6_GP0_CFG_C + MSR_IA32_PMC_V6_STEP * counter;
}

/*
 * A unit less than the slot's full size: the same record reaches it, and perf's own (1, or all of
 * its buffer but a page) are never of that number. While PEBS is off it is out of reach: records in
 * flight must not set the status, at which perf's handler drains its own buffer by our position.
 */
static u64 threshold(const struct ccsample_session *s)
{
	return (u64)(s->slot_full - INDEX_UNIT) << 32;
}

/* PEBS_BASE: address, and 4096 times which power of two. */
static u64 base_of(const struct ccsample_session *s, u64 slot)
{
	return virt_to_phys((void *)slot) | ilog2(s->slot_bytes / CCSAMPLE_ARCH_SLOT);
}

void ccsample_arch_take(struct ccsample_session *s)
{
	s->saved_ds_area = ccsample_rdmsr(MSR_IA32_PEBS_BASE);
	s->saved_index = ccsample_rdmsr(MSR_IA32_PEBS_INDEX);
	ccsample_arch_point(s, ccsample_slot_base(s, s->control->head));
	ccsample_arch_on(s);
}

void ccsample_arch_give(struct ccsample_session *s)
{
	u64 index = ccsample_rdmsr(MSR_IA32_PEBS_INDEX);

	for (unsigned int i = 0; i < s->events; i++) {
		if (s->counter[i].index >= 0)
			ccsample_arch_cease(&s->counter[i]);
	}
	if (!ccsample_arch_ours(s))
		return;
	/* Whoever has changed the threshold wants it; without records no position is lost. */
	if (s->quenched || !ccsample_arch_disturbed(s))
		index = s->saved_index;
	ccsample_wrmsr(MSR_IA32_PEBS_INDEX, 0);
	ccsample_wrmsr(MSR_IA32_PEBS_BASE, s->saved_ds_area);
	ccsample_wrmsr(MSR_IA32_PEBS_INDEX, index & (INDEX_ENABLE | INDEX_THRESHOLD));
}

bool ccsample_arch_ours(const struct ccsample_session *s)
{
	return ccsample_rdmsr(MSR_IA32_PEBS_BASE) == base_of(s, s->slot_at);
}

u32 ccsample_arch_position(void)
{
	return ccsample_rdmsr(MSR_IA32_PEBS_INDEX) & INDEX_POSITION;
}

/* When the record was made that a place of a slot has; 0 where none fits. */
static u64 time_at(const struct ccsample_session *s, u64 slot, u64 position)
{
	return position + s->record_bytes <= s->slot_bytes ?
	       ccsample_record_tsc(s, slot + position) : 0;
}

/* So many have landed at a place, and behind it, where a record was made at @before until then. */
static u32 landed_at(const struct ccsample_session *s, u64 slot, u64 position, u64 before)
{
	u64 newest = time_at(s, slot, position), time = newest;
	u32 landed = 0;

	if (newest == before)
		return 0;
	while (time >= newest && ++landed < CCSAMPLE_LATE_MAX) {
		newest = time;
		time = time_at(s, slot, position + landed * s->record_bytes);
	}
	return landed;
}

/*
 * The core, too, writes the position, at each record. One that lands between our reading and our
 * writing is written over by the next; it is known by its time, as what its place had before is
 * older. Where the position has moved since, and not gone back by more than what may be in flight,
 * it landed behind our writing, and is kept (one before, and one behind: the first is missed). The
 * index stands still at last: records in flight are few, and the slot has an end.
 * Return: the position that was read.
 */
static u32 write_index(struct ccsample_session *s, u64 slot, u64 keep, u64 set)
{
	u64 index = ccsample_rdmsr(MSR_IA32_PEBS_INDEX), before, was;
	u32 lost, kept;

	do {
		was = index;
		before = time_at(s, slot, was & INDEX_POSITION);
		index = ccsample_rdmsr(MSR_IA32_PEBS_INDEX);
	} while (index != was);
	ccsample_wrmsr(MSR_IA32_PEBS_INDEX, (index & keep) | set);
	lost = landed_at(s, slot, index & INDEX_POSITION, before);
	kept = index & keep & INDEX_POSITION;
	if (lost && ((index & INDEX_POSITION) > kept + CCSAMPLE_LATE_MAX * s->record_bytes ||
		     ccsample_arch_position() == kept))
		ccsample_records_lost(s, lost);
	return index & INDEX_POSITION;
}

u32 ccsample_arch_point(struct ccsample_session *s, u64 slot)
{
	u32 position = ccsample_arch_position(), reached;

	ccsample_wrmsr(MSR_IA32_PEBS_BASE, base_of(s, slot));
	reached = write_index(s, slot, 0, INDEX_THRESHOLD);
	if (reached > position)
		ccsample_records_lost(s, (u64)(reached - position) * s->record_reciprocal >> 32);
	s->slot_at = slot;
	return position;
}

void ccsample_arch_off(struct ccsample_session *s)
{
	write_index(s, s->slot_at, INDEX_POSITION, INDEX_THRESHOLD);
}

void ccsample_arch_on(struct ccsample_session *s)
{
	write_index(s, s->slot_at, INDEX_POSITION, INDEX_ENABLE | threshold(s));
}

/* perf leaves a counter's configuration as it was when it takes its event away. */
u64 ccsample_arch_enabled(const struct ccsample_session *s, u64 ours)
{
	u64 control = ccsample_rdmsr(MSR_CORE_PERF_FIXED_CTR_CTRL), bits = 0;

	for (unsigned int i = 0; i < s->kind->counters; i++) {
		u32 select = MSR_IA32_PMC_V6_GP0_CFG_A + MSR_IA32_PMC_V6_STEP * i;

		if (ccsample_rdmsr(configuration(i)) & CFG_ENABLE &&
		    (ours & BIT_ULL(i) || ccsample_rdmsr(select) & ARCH_PERFMON_EVENTSEL_ENABLE))
			bits |= BIT_ULL(i);
	}
	for (unsigned int i = 0; i < s->kind->fixed; i++) {
		u32 at = MSR_IA32_PMC_V6_FX0_CFG_C + MSR_IA32_PMC_V6_STEP * i;

		if (control >> (FIXED_COUNTERS * i) & FIXED_ON && ccsample_rdmsr(at) & CFG_ENABLE)
			bits |= BIT_ULL(INTEL_PMC_IDX_FIXED + i);
	}
	return bits;
}

void ccsample_arch_reload(struct ccsample_counter *c, u64 value)
{
	u64 perfs = ccsample_rdmsr(configuration(c->index)) & ~CFG_RELOAD;

	c->reload = value & CFG_RELOAD;
	ccsample_wrmsr(configuration(c->index), perfs | c->reload);
}

/*
 * Our events have none of perf's own: it would reload another's with ours. What is not ours is that
 * of an event which has the counter by now.
 */
void ccsample_arch_cease(const struct ccsample_counter *c)
{
	u64 found = ccsample_rdmsr(configuration(c->index));

	if ((found & CFG_RELOAD) == c->reload)
		ccsample_wrmsr(configuration(c->index), found & ~CFG_RELOAD);
}

bool ccsample_arch_fits(int counter)
{
	return (ccsample_rdmsr(configuration(counter)) & ~CFG_RELOAD) == (CFG_ENABLE | CFG_MEMORY);
}

bool ccsample_arch_disturbed(const struct ccsample_session *s)
{
	return (ccsample_rdmsr(MSR_IA32_PEBS_INDEX) & (INDEX_ENABLE | INDEX_THRESHOLD)) !=
	       (INDEX_ENABLE | threshold(s));
}

bool ccsample_arch_nearly_full(const struct ccsample_session *s)
{
	return ccsample_arch_position() + CCSAMPLE_LATE_MAX * s->record_bytes >= s->slot_full;
}

/*
 * perf's handler would drain its own buffer up to the position in ours. Until it comes, and lets
 * the counters go on, no more events of the kernel: they would reach the threshold again.
 */
bool ccsample_arch_acknowledge(const struct ccsample_session *s)
{
	if (s->flags & CCSAMPLE_KERNEL)
		ccsample_wrmsr(MSR_CORE_PERF_GLOBAL_CTRL, 0);
	if (!(ccsample_rdmsr(MSR_CORE_PERF_GLOBAL_STATUS) & CCSAMPLE_ARCH_STATUS))
		return false;
	ccsample_wrmsr(MSR_CORE_PERF_GLOBAL_OVF_CTRL, CCSAMPLE_ARCH_STATUS);
	return true;
}

/*
 * So many records do the events make of which the slot has had a part, or all. Return: may there
 * have been any? An event without a second counter does not tell.
 */
static bool records_made(struct ccsample_session *s, u64 *made)
{
	bool told = true;

	*made = 0;
	ccsample_count(s);
	for (unsigned int i = 0; i < s->events; i++) {
		if (s->counter[i].plain)
			*made += ccsample_gap_records(s, &s->counter[i]);
		else
			told = false;
	}
	return *made || !told;
}

bool ccsample_arch_emptied(const struct ccsample_session *s)
{
	bool disturbed = ccsample_arch_disturbed(s);

	/* In this order: an NMI may turn PEBS off just now. It does so where there are records. */
	return READ_ONCE(s->quenched) ? !ccsample_arch_position() : disturbed;
}

void ccsample_arch_lose(struct ccsample_session *s)
{
	u64 made;

	if (records_made(s, &made))
		ccsample_slot_lost(s, made);
}

/* The next mark stands where the slot begins, whether records were lost or not. */
static void begin_again(struct ccsample_session *s)
{
	u64 before = s->control->overrun_records, counted, made;
	bool any = records_made(s, &made);

	ccsample_slot_open(s, s->control->head);
	counted = s->control->overrun_records - before;
	for (unsigned int i = 0; i < s->events; i++) {
		struct ccsample_counter *c = &s->counter[i];

		c->slot_counter = c->index;
		if (ccsample_in_place(c))
			ccsample_arch_reload(c, s->spread ? -c->gap : -1);
	}
	if (!any) {
		ccsample_interval_restart(s);
		return;
	}
	ccsample_slot_lost(s, made - min(made, counted));
	ccsample_gaps_begin(s);
}

bool ccsample_arch_mend(struct ccsample_session *s)
{
	u64 counting;

	if (!s->architectural || !s->begun || !ccsample_arch_emptied(s))
		return false;
	counting = ccsample_pebs_off(s);
	s->control->rewrites++;
	begin_again(s);
	ccsample_pebs_on(s, counting);
	return true;
}
