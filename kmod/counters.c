// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf owns EVTSEL, PEBS_ENABLE and PEBS_DATA_CFG, with all that it knows of
 * errata, constraints and virtual machines; we own DS_AREA and the counters'
 * values. An event of perf's that is merely counting would be reprogrammed by
 * the next one that comes; a precise one is left alone.
 */
#include <linux/bits.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/perf_event.h>
#include <linux/smp.h>

#include "archpebs.h"
#include "counters.h"
#include "cpu.h"
#include "ds.h"
#include "models.h"

/*
 * MSR_PEBS_DATA_CFG (SDM volume 3, "Adaptive PEBS", "Counters Snapshotting"): the memory group; the
 * counters' one, with a header and the counters that bits 47:32 name.
 */
#define PEBS_DATA_MEMORY	BIT_ULL(0)
#define PEBS_DATA_COUNTERS	BIT_ULL(4)
#define PEBS_DATA_COUNTER_0	32
#define PEBS_COUNTERS_HEADER	16
#define BEFORE_BEGIN	S32_MAX	/* events: more than pass until the session's gaps are set */

/* Records come to our DS area, never to perf's. */
static void no_overflow(struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs)
{
}

/*
 * Raw events of a hybrid belong to the perf device of their kind of core, whose number is the type
 * of an event; the P-cores' is PERF_TYPE_RAW. Devices are found by name on their bus, which is not
 * exported, but any event shows it.
 */
static int perf_type(const struct ccsample_session *s)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
	};
	const char *name = ccsample_core_device(s->kind->core);
	struct perf_event *event;
	struct device *device;
	int type = -EOPNOTSUPP;

	if (!name)
		return PERF_TYPE_RAW;
	event = perf_event_create_kernel_counter(&attr, s->cpu, NULL, NULL, NULL);
	if (IS_ERR(event))
		return PTR_ERR(event);
	device = event->pmu->dev ? bus_find_device_by_name(event->pmu->dev->bus, NULL, name) : NULL;
	if (device) {
		type = ((struct pmu *)dev_get_drvdata(device))->type;
		put_device(device);
	}
	perf_event_release_kernel(event);
	return type;
}

/*
 * sample_period: OPEN's, whatever CCSAMPLE_PERIOD made of it since. When perf reprograms the
 * counter it writes what is left of our gap, and this only to a counter past its overflow
 * (x86_perf_event_set_period()), so sampling goes on whatever it does. wakeup_events: no records
 * in batches of perf's own, no reloading by it. sample_type: the memory group of adaptive records
 * (pebs_update_adaptive_cfg()).
 */
static struct perf_event *create(const struct ccsample_session *s, u64 config, u64 period)
{
	struct perf_event_attr attr = {
		.type = s->perf_type,
		.size = sizeof(attr),
		.config = config,
		.disabled = 1,
		.pinned = 1,
		.exclude_guest = 1,
		.exclude_user = !(s->flags & CCSAMPLE_USER),
		.exclude_kernel = !(s->flags & CCSAMPLE_KERNEL),
	};

	if (period) {
		attr.precise_ip = s->kind->pebs_format >= 2 ? 2 : 1;
		attr.sample_period = period;
		attr.sample_type = PERF_SAMPLE_ADDR;
		attr.wakeup_events = 1;
	}
	return perf_event_create_kernel_counter(&attr, s->cpu, NULL, no_overflow, NULL);
}

/* No request is refused for lack of it. */
static void create_references(struct ccsample_session *s, struct ccsample_open *ask,
			      unsigned int left)
{
	struct perf_event *event = NULL;

	if (left && ask->references)
		event = create(s, ask->references, 0);
	if (IS_ERR_OR_NULL(event)) {
		ask->references = 0;
		return;
	}
	/* As x86_pmu_add() has it, before it was ever called: ccsample_is_on(). */
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	s->references.event = event;
}

int ccsample_counters_create(struct ccsample_session *s, struct ccsample_open *ask)
{
	unsigned int left = s->kind->carriers - s->events;
	int type = perf_type(s);

	if (type < 0)
		return type;
	s->perf_type = type;
	for (unsigned int i = 0; i < s->events; i++) {
		struct ccsample_counter *c = &s->counter[i];
		struct perf_event *event = create(s, ask->event[i].config, ask->event[i].period);

		if (IS_ERR(event))
			goto error;
		c->precise = event;
		if (!left)
			continue;
		left--;
		event = create(s, ask->event[i].config, 0);
		if (IS_ERR(event))
			goto error;
		c->plain = event;
		ask->event[i].plain = 1;
		continue;
error:
		ccsample_counters_release(s);
		return PTR_ERR(event);
	}
	create_references(s, ask, left);
	return 0;
}

/*
 * perf writes PEBS_DATA_CFG when its books change (active_pebs_data_cfg, intel_pmu_pebs_enable()),
 * and keeps these while a CPU is offline, which loses the register: then it is put right.
 */
static bool has_memory_group(void)
{
	u64 groups = ccsample_rdmsr(MSR_PEBS_DATA_CFG);

	if (!groups)
		ccsample_wrmsr(MSR_PEBS_DATA_CFG, PEBS_DATA_MEMORY);
	return !groups || groups == PEBS_DATA_MEMORY;
}

u32 ccsample_values_bytes(const struct ccsample_cpu *kind)
{
	return PEBS_COUNTERS_HEADER + kind->carriers * sizeof(u64);
}

static u64 groups_with_values(const struct ccsample_session *s)
{
	return PEBS_DATA_MEMORY | PEBS_DATA_COUNTERS |
	       GENMASK_ULL(PEBS_DATA_COUNTER_0 + s->kind->carriers - 1, PEBS_DATA_COUNTER_0);
}

u64 ccsample_groups(const struct ccsample_session *s)
{
	return s->kind->baseline && !s->architectural ? PEBS_DATA_MEMORY : 0;
}

void ccsample_values_on(struct ccsample_session *s)
{
	s->groups = groups_with_values(s);
	ccsample_wrmsr(MSR_PEBS_DATA_CFG, s->groups);
}

void ccsample_values_off(struct ccsample_session *s)
{
	if (ccsample_rdmsr(MSR_PEBS_DATA_CFG) == s->groups)
		ccsample_wrmsr(MSR_PEBS_DATA_CFG, PEBS_DATA_MEMORY);
	s->groups = ccsample_groups(s);
}

static bool has_its_records(const struct ccsample_session *s)
{
	if (!s->architectural)
		return !s->kind->baseline || has_memory_group();
	for (unsigned int i = 0; i < s->events; i++) {
		if (!ccsample_arch_fits(s->counter[i].precise->hw.idx))
			return false;
	}
	return true;
}

struct verdict {
	const struct ccsample_session *s;
	int error;
};

/*
 * On general-purpose counters all, and records of the size that was asked for? References may
 * have found none.
 */
static void verify(void *argument)
{
	struct verdict *verdict = argument;
	const struct ccsample_session *s = verdict->s;

	for (unsigned int i = 0; i < s->events; i++) {
		const struct ccsample_counter *c = &s->counter[i];

		/* A pinned event that finds no counter is given up. */
		if (c->precise->state != PERF_EVENT_STATE_ACTIVE ||
		    (c->plain && c->plain->state != PERF_EVENT_STATE_ACTIVE))
			verdict->error = -EBUSY;
		else if (c->precise->hw.idx >= (int)s->kind->counters)
			verdict->error = -EOPNOTSUPP;
	}
	if (!verdict->error && !has_its_records(s))
		verdict->error = -EBUSY;
}

int ccsample_counters_enable(struct ccsample_session *s)
{
	struct verdict verdict = { .s = s };

	/* Nothing is recorded before the first gap: perf goes on from where a counter stood. */
	for (unsigned int i = 0; i < s->events; i++)
		local64_set(&s->counter[i].precise->hw.period_left, BEFORE_BEGIN);

	for (unsigned int i = 0; i < s->events; i++) {
		if (s->counter[i].plain)
			perf_event_enable(s->counter[i].plain);
	}
	for (unsigned int i = 0; i < s->events; i++)
		perf_event_enable(s->counter[i].precise);
	if (s->references.event)
		perf_event_enable(s->references.event);
	if (smp_call_function_single(s->cpu, verify, &verdict, 1))
		return -ESHUTDOWN;
	return verdict.error;
}

void ccsample_counters_disable_precise(struct ccsample_session *s)
{
	for (unsigned int i = 0; i < s->events; i++)
		perf_event_disable(s->counter[i].precise);
}

void ccsample_counters_disable(struct ccsample_session *s)
{
	ccsample_counters_disable_precise(s);
	for (unsigned int i = 0; i < s->events; i++) {
		if (s->counter[i].plain)
			perf_event_disable(s->counter[i].plain);
	}
	if (s->references.event)
		perf_event_disable(s->references.event);
}

void ccsample_counters_release(struct ccsample_session *s)
{
	for (unsigned int i = 0; i < s->events; i++) {
		struct ccsample_counter *c = &s->counter[i];

		if (c->precise)
			perf_event_release_kernel(c->precise);
		if (c->plain)
			perf_event_release_kernel(c->plain);
		c->precise = NULL;
		c->plain = NULL;
	}
	if (s->references.event)
		perf_event_release_kernel(s->references.event);
	s->references.event = NULL;
}
