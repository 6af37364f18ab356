// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/security.h>
#include <linux/string.h>

#include "archpebs.h"
#include "counters.h"
#include "cpu.h"
#include "filter.h"
#include "models.h"
#include "request.h"

/*
 * Records that may follow the one that asks for the PMI. Of the kernel the NMI makes some itself:
 * on its way in, and in bursts, whose gap may be over by then, after perf's handler, which lets the
 * counters go on. Where that took long Linux reports it there (nmi_check_duration()): 148 were
 * seen, and more than there is room for; they are counted.
 */
#define SLACK			16
#define SLACK_KERNEL		64
#define SLACK_KERNEL_BURSTS	256
#define SLOT_ALIGN	64
#define SLOTS_LEAST	2
#define SLOTS_MOST	65536
#define MARKS_MOST	65536U
#define SAMPLED_CONFIG	(ARCH_PERFMON_EVENTSEL_EVENT | ARCH_PERFMON_EVENTSEL_UMASK)
#define COUNTED_CONFIG	(SAMPLED_CONFIG | ARCH_PERFMON_EVENTSEL_EDGE | \
			 ARCH_PERFMON_EVENTSEL_INV | ARCH_PERFMON_EVENTSEL_CMASK)

static unsigned int memory_mib = 8;
module_param(memory_mib, uint, 0644);
MODULE_PARM_DESC(memory_mib, "memory for records where a session asks for none, MiB (8)");

static unsigned int marks = 8192;
module_param(marks, uint, 0644);
MODULE_PARM_DESC(marks, "room for owner marks where a session asks for none (8192)");

static unsigned int storm_limit = 200000;
module_param(storm_limit, uint, 0644);
MODULE_PARM_DESC(storm_limit,
		 "interrupts a second that end a session that names no limit (200000); 0: any number");

static bool force_bursts;
module_param(force_bursts, bool, 0644);
MODULE_PARM_DESC(force_bursts, "allow bursts on models on which they are not trusted (0)");

/*
 * As perf_event_open() has it: CAP_PERFMON is the right to look at a whole CPU, whoever runs there
 * (perf_allow_cpu()). The kernel's registers and addresses are more than that. On a kernel that is
 * locked down nobody gets them, nor may registers be sampled (LOCKDOWN_PERF): records hold some,
 * and beside somebody's precise event for a moment the kernel's, whatever a session samples. The
 * hook of security modules that perf_event_open() asks is not exported; capable() asks them all the
 * same.
 */
static int check_rights(const struct ccsample_open *ask)
{
	if (!perfmon_capable())
		return -EPERM;
	if (ask->flags & CCSAMPLE_KERNEL && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	return security_locked_down(LOCKDOWN_PERF);
}

static int check_flags(const struct ccsample_open *ask)
{
	const u32 known = CCSAMPLE_USER | CCSAMPLE_KERNEL | CCSAMPLE_TASK | CCSAMPLE_FROM_EXEC |
			  CCSAMPLE_VALUES;

	if (ask->flags & ~known || !(ask->flags & (CCSAMPLE_USER | CCSAMPLE_KERNEL)))
		return -EINVAL;
	if (ask->flags & CCSAMPLE_TASK ? ask->pid <= 0 : ask->pid)
		return -EINVAL;
	if (ask->flags & CCSAMPLE_FROM_EXEC && !(ask->flags & CCSAMPLE_TASK))
		return -EINVAL;
	if (ask->cpu >= nr_cpu_ids || !cpu_possible(ask->cpu))
		return -EINVAL;
	return ask->storm_limit > CCSAMPLE_STORM_MAX ? -EINVAL : 0;
}

u32 ccsample_request_features(const struct ccsample_cpu *kind)
{
	return kind->features | (force_bursts ? CCSAMPLE_BURSTS : 0);
}

/* @records: 0 = not said */
static bool is_too_short(const struct ccsample_cpu *kind, u32 records)
{
	return records && records < kind->least_burst;
}

static int check_bursts(const struct ccsample_open *ask, const struct ccsample_cpu *kind)
{
	if (ask->flags & CCSAMPLE_VALUES && !(kind->features & CCSAMPLE_HAS_VALUES))
		return -EOPNOTSUPP;
	if (!ask->burst || ask->burst > CCSAMPLE_BURST_MAX || ask->batch > CCSAMPLE_BURST_MAX)
		return -EINVAL;
	if (ask->first_burst > ask->burst)
		return -EINVAL;
	if (is_too_short(kind, ask->batch) || is_too_short(kind, ask->first_burst))
		return -EINVAL;
	if (ask->burst == 1)
		return ask->first_burst ? -EINVAL : 0;
	if (ask->batch || is_too_short(kind, ask->burst))
		return -EINVAL;
	if (!(ccsample_request_features(kind) & CCSAMPLE_BURSTS))
		return -EOPNOTSUPP;
	return 0;
}

/*
 * The fewest events that a slot of such bursts may take. A gap is what is left of them after the
 * burst's other records. An interrupt makes kernel events itself: a few hundred loads and stores.
 */
static u64 least_events(const struct ccsample_cpu *kind, u32 flags, u32 burst)
{
	u64 least = kind->least_period + burst - 1;

	return flags & CCSAMPLE_KERNEL ? max_t(u64, least, CCSAMPLE_KERNEL_LEAST) : least;
}

/* A burst is of one period; in spread mode each record is. */
static u32 periods_a_slot(const struct ccsample_cpu *kind, const struct ccsample_open *ask)
{
	if (ask->burst > 1)
		return 1;
	return ask->batch ?: kind->least_burst;
}

static int check_event(const struct ccsample_open *ask, const struct ccsample_cpu *kind,
		       const struct ccsample_event *event)
{
	u64 shortest, least = least_events(kind, ask->flags, ask->burst);

	if (event->config & ~SAMPLED_CONFIG || event->plain || event->reserved)
		return -EINVAL;
	if (ccsample_model_unfit(event->config))
		return -EOPNOTSUPP;
	if (event->period > CCSAMPLE_PERIOD_MAX || event->spread >= event->period)
		return -EINVAL;
	if ((event->period + event->spread) >> kind->period_bits)
		return -EINVAL;
	shortest = event->period - event->spread;
	if (shortest < kind->least_period)
		return -EINVAL;
	return shortest * periods_a_slot(kind, ask) < least ? -EINVAL : 0;
}

static int check_events(const struct ccsample_open *ask, const struct ccsample_cpu *kind)
{
	if (!ask->events || ask->events > CCSAMPLE_EVENTS_MAX)
		return -EINVAL;
	if (ask->events > 1 && !(kind->features & CCSAMPLE_HAS_COUNTER))
		return -EOPNOTSUPP;
	if (ask->events > kind->carriers)
		return -EOPNOTSUPP;
	if (ask->references & ~COUNTED_CONFIG)
		return -EINVAL;
	for (unsigned int i = 0; i < ask->events; i++) {
		int error = check_event(ask, kind, &ask->event[i]);

		if (error)
			return error;
	}
	for (unsigned int i = ask->events; i < CCSAMPLE_EVENTS_MAX; i++) {
		if (memchr_inv(&ask->event[i], 0, sizeof(ask->event[i])))
			return -EINVAL;
	}
	return 0;
}

static int check_sizes(const struct ccsample_open *ask)
{
	if (ask->memory > CCSAMPLE_CHUNKS_MAX * PMD_SIZE)
		return -EINVAL;
	if (ask->marks && (!is_power_of_2(ask->marks) || ask->marks > MARKS_MOST))
		return -EINVAL;
	return 0;
}

int ccsample_request_check(const struct ccsample_open *ask)
{
	int error = check_rights(ask) ?: check_flags(ask);
	const struct ccsample_cpu *kind;

	if (error)
		return error;
	kind = ccsample_cpu_of(ask->cpu);
	if (!kind)
		return cpu_online(ask->cpu) ? -EOPNOTSUPP : -ENODEV;
	return check_bursts(ask, kind) ?: check_events(ask, kind) ?: check_sizes(ask);
}

/* Short bursts have short gaps: the sampled share is the same. */
static struct ccsample_gaps gaps_of(const struct ccsample_cpu *kind,
				    const struct ccsample_open *ask,
				    const struct ccsample_event *event, u32 burst)
{
	u64 period = mul_u64_u32_div(event->period, burst, ask->burst);
	u64 spread = mul_u64_u32_div(event->spread, burst, ask->burst);
	u64 least = ask->burst > 1 ? least_events(kind, ask->flags, burst) : kind->least_period;

	period = max(period, least);
	spread = min(spread, period - least);
	return (struct ccsample_gaps){
		.low = period - spread - (burst - 1),
		.choices = 2 * spread + 1,
	};
}

static void lay_ranges(const struct ccsample_session *s, const struct ccsample_open *ask,
		       struct ccsample_ranges *ranges)
{
	*ranges = (struct ccsample_ranges){ };
	for (unsigned int i = 0; i < ask->events; i++) {
		for (unsigned int n = 0; n < s->ramp_lengths; n++)
			ranges->of[i][n] = gaps_of(s->kind, ask, &ask->event[i], s->burst[n]);
	}
}

static void lay_ramp(struct ccsample_session *s, const struct ccsample_open *ask)
{
	u32 burst = ask->first_burst ?: ask->burst;

	for (;;) {
		s->burst[s->ramp_lengths++] = burst;
		if (burst == ask->burst)
			break;
		burst = min(2 * burst, ask->burst);
	}
	s->ramp_left = s->ramp_lengths - 1;
	lay_ranges(s, ask, &s->ranges);
}

static void lay_events(struct ccsample_session *s, struct ccsample_open *ask)
{
	s->kind = ccsample_cpu_of(s->cpu);
	s->flags = ask->flags;
	s->events = ask->events;
	s->spread = ask->burst == 1;
	s->values = ask->flags & CCSAMPLE_VALUES;
	s->architectural = s->kind->pebs_format == CCSAMPLE_FORMAT_ARCHITECTURAL;
	s->simple = s->events == 1 && !s->values && !s->architectural;
	s->batch = periods_a_slot(s->kind, ask);
	/* Single samples have no use for them. */
	if (s->spread)
		ask->references = 0;
	s->random = ask->seed;
	s->storm_limit = ask->storm_limit ?: storm_limit ?: U64_MAX;
	s->counter_mask = GENMASK_ULL(s->kind->counter_bits - 1, 0);
	for (unsigned int i = 0; i < CCSAMPLE_EVENTS_MAX; i++) {
		s->counter[i].index = -1;
		s->counter[i].range = s->ranges.of[i];
	}
	lay_ramp(s, ask);
}

static u64 slots_in(const struct ccsample_session *s, u64 memory)
{
	u64 slots = div_u64(memory - (s->architectural ? 0 : CCSAMPLE_RECORDS_AT), s->slot_bytes);

	return slots ? min_t(u64, rounddown_pow_of_two(slots), SLOTS_MOST) : 0;
}

static u32 slack(const struct ccsample_session *s)
{
	if (!(s->flags & CCSAMPLE_KERNEL))
		return SLACK;
	return s->spread ? SLACK_KERNEL : SLACK_KERNEL_BURSTS;
}

static int lay_records(struct ccsample_session *s, struct ccsample_open *ask)
{
	u64 bytes = ask->memory ?: (u64)clamp(memory_mib, 2U, 2U * CCSAMPLE_CHUNKS_MAX) << 20;
	u64 chunks = DIV_ROUND_UP(bytes, PMD_SIZE);
	u32 records = s->spread ? s->batch : ask->burst;
	struct ccsample_memory *memory;

	records += slack(s);
	s->tsc_at = s->kind->tsc_at;
	s->record_bytes = s->kind->record_bytes +
			  (s->values ? ccsample_values_bytes(s->kind) : 0);
	s->record_reciprocal = DIV_ROUND_UP_ULL(1ULL << 32, s->record_bytes);
	s->slot_full = (s->spread ? s->batch : s->burst[0]) * s->record_bytes;
	s->slot_room = records * s->record_bytes;
	s->slot_bytes = ALIGN(s->slot_room, SLOT_ALIGN);
	if (s->architectural) {
		/* Its end is where the processor finds no room. */
		s->slot_bytes = roundup_pow_of_two(max_t(u32, s->slot_room, CCSAMPLE_ARCH_SLOT));
		s->slot_room = rounddown(s->slot_bytes, s->record_bytes);
	}
	if (slots_in(s, chunks * PMD_SIZE) < SLOTS_LEAST)
		return -EINVAL;
	memory = ccsample_memory_new(s->cpu, chunks, !s->architectural);
	if (IS_ERR(memory))
		return PTR_ERR(memory);
	s->memory = memory;
	s->slots = slots_in(s, memory->nr * PMD_SIZE);
	return s->slots < SLOTS_LEAST ? -ENOMEM : 0;
}

static int lay_rings(struct ccsample_session *s, const struct ccsample_open *ask)
{
	size_t control;

	s->marks = ask->marks ?: roundup_pow_of_two(clamp(marks, 2U, MARKS_MOST));
	control = sizeof(*s->control) + s->slots * sizeof(*s->slot) + s->marks * sizeof(*s->mark);
	while (control > CCSAMPLE_CONTROL_MAX) {
		s->slots /= 2;
		control -= s->slots * sizeof(*s->slot);
	}
	return ccsample_memory_control(s->memory, control);
}

static void lay_control(struct ccsample_session *s)
{
	struct ccsample_control *control = s->memory->control;

	s->control = control;
	s->reader = s->memory->reader;
	s->slot = (struct ccsample_slot *)(control + 1);
	s->mark = (struct ccsample_mark *)(s->slot + s->slots);
	if (!s->architectural)
		s->ds = ccsample_memory_at(s->memory, 0);
	s->ds_area = s->memory->window;
	s->slots_end = s->ds_area + CCSAMPLE_RECORDS_AT + (u64)s->slots * s->slot_bytes;
	control->size = sizeof(*control);
	control->abi = CCSAMPLE_ABI;
	control->cpu = s->cpu;
	control->slots = s->slots;
	control->slot_bytes = s->slot_bytes;
	control->marks = s->marks;
}

static void answer(const struct ccsample_session *s, struct ccsample_open *ask)
{
	ask->memory = s->memory->nr * PMD_SIZE;
	ask->marks = s->marks;
	ask->batch = s->spread ? s->batch : 0;
	ask->record_bytes = s->record_bytes;
	ask->slot_bytes = s->slot_bytes;
	ask->slots = s->slots;
	ask->control_bytes = s->memory->control_bytes;
	ask->records_bytes = s->memory->records_bytes;
}

static int make_filter(struct ccsample_session *s, const struct ccsample_open *ask)
{
	s->follows.lost = &s->control->lost_tasks;
	return ccsample_filter_get(ask->pid, ask->flags & CCSAMPLE_FROM_EXEC, &s->follows);
}

int ccsample_request_apply(struct ccsample_session *s, struct ccsample_open *ask)
{
	int error;

	lay_events(s, ask);
	error = lay_records(s, ask);
	if (!error)
		error = lay_rings(s, ask);
	if (error)
		return error;
	lay_control(s);
	answer(s, ask);
	return ask->flags & CCSAMPLE_TASK ? make_filter(s, ask) : 0;
}

int ccsample_request_period(const struct ccsample_session *s, const struct ccsample_period *ask,
			    struct ccsample_ranges *ranges)
{
	struct ccsample_open as = {
		.flags = s->flags,
		.events = s->events,
		.burst = s->spread ? 1 : s->burst[s->ramp_lengths - 1],
		.batch = s->spread ? s->batch : 0,
	};

	if (ask->reserved || ask->from)
		return -EINVAL;
	for (unsigned int i = 0; i < CCSAMPLE_EVENTS_MAX; i++) {
		as.event[i].period = ask->period[i];
		as.event[i].spread = ask->spread[i];
		if (i >= s->events ? ask->period[i] || ask->spread[i] :
				     check_event(&as, s->kind, &as.event[i]))
			return -EINVAL;
	}
	lay_ranges(s, &as, ranges);
	return 0;
}
