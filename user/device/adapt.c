// SPDX-License-Identifier: GPL-2.0-only
/* Periods follow what was taken and what that cost, in all sessions at once. */
#include <math.h>

#include "base/fail.h"
#include "device/inside.h"
#include "device/session.h"

#define LOOK_NS		(4 * SECOND_NS / 1000)	/* between two looks, however often is polled */

void device_pace_start(struct device *device)
{
	const struct device_kind *kind = &device->plan.kinds[0];
	uint32_t i;

	device_pace_begin(&device->pace, device->request->overhead, kind->how.burst,
			  device->request->event_count, kind->stores);
	for (i = 0; i < device->request->event_count; i++)
		if (!(kind->adapts >> i & 1))
			device_pace_give(&device->pace, i,
					 kind->how.event[i].period / kind->how.burst);
}

static void add_session(struct device_spent *spent, const struct ccsample_control *control,
			const struct device_drain *drain)
{
	uint64_t slots = __atomic_load_n(&control->head, __ATOMIC_ACQUIRE) -
			 drain->session->reader->tail;
	uint32_t i;

	spent->records += control->records + control->overrun_records;
	spent->dropped += control->overrun_records;
	if (control->records > drain->records)
		spent->waiting += control->records - drain->records;
	spent->full = fmax(spent->full, (double)slots / control->slots);
	spent->interrupts += control->interrupts;
	for (i = 0; i < CCSAMPLE_EVENTS_MAX; i++) {
		spent->taken[i] += drain->taken[i];
		spent->stood_for[i] += drain->stood_for[i];
		spent->kept[i] += drain->samples[i];
	}
}

static void device_spent(const struct device *device, uint64_t cpu_ns, struct device_spent *spent)
{
	double khz = device->plan.kinds[0].query.tsc_khz, ticks = 0;
	const struct record_request *request = device->request;
	size_t i;

	*spent = (struct device_spent){ .cpu_ns = cpu_ns };
	for (i = 0; i < device->count; i++) {
		const struct ccsample_control *control = device->sampled[i].session.control;

		add_session(spent, control, &device->drains[i]);
		ticks += control->handler_tsc;
	}
	spent->handler_ns = khz > 0 ? ticks / khz * 1e6 : 0;
	for (i = 0; i < CCSAMPLE_EVENTS_MAX && request->max_size; i++)
		spent->written += PACE_SAMPLE_BYTES * spent->kept[i] / request->max_size;
}

int device_set_periods(struct device *device, size_t number)
{
	const struct device_session *session = &device->sampled[number].session;
	uint64_t adapted[CCSAMPLE_EVENTS_MAX];
	struct ccsample_period periods;
	struct device_periods samples;
	uint32_t i;

	for (i = 0; i < CCSAMPLE_EVENTS_MAX; i++)
		adapted[i] = device->pace.event[i].period;
	device_kind_periods(device_plan_of(&device->plan, session->cpu), adapted, &periods,
			    &samples);
	if (device_session_period(session, &periods))
		return -1;
	samples.from = periods.from;
	device_drain_periods(&device->drains[number], &samples);
	return 0;
}

void device_adapt(struct device *device, uint64_t now)
{
	struct device_spent spent;
	size_t i;

	if (!device_adapts(&device->plan) || now - device->paced < LOOK_NS)
		return;
	device->paced = now;
	device_spent(device, cpu_time_read(&device->cpu_time), &spent);
	if (!device_pace(&device->pace, &spent))
		return;
	/* A session that has ended keeps its own. */
	for (i = 0; i < device->count; i++)
		if (!device->sampled[i].ended)
			device_set_periods(device, i);
}

void device_say_cost(struct device *device)
{
	struct record_request *request = device->request;
	uint64_t cpu = request->pid ? cpu_time_read(&device->cpu_time) :
				      children_cpu_ns() - device->children_ns;
	struct device_spent spent;
	double own;

	device_spent(device, cpu, &spent);
	own = spent.cpu_ns - device_spent_ns(&spent);
	if (own < SECOND_NS / 1000)
		return;
	note("sampling cost %.2g%% of the program's CPU time (--overhead %.3g%%): %.2g%% in the "
	     "module's handler, measured; %.2g%% for records and interrupts, estimated",
	     100 * device_spent_ns(&spent) / own, 100 * request->overhead,
	     100 * spent.handler_ns / own, 100 * device_spent_estimated(&spent) / own);
}
