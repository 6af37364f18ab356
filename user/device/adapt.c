// SPDX-License-Identifier: GPL-2.0-only
/* The period follows what was taken and what that cost, in all sessions at once. */
#include <errno.h>

#include "base/fail.h"
#include "device/inside.h"
#include "device/session.h"

#define LOOK_NS		(4 * SECOND_NS / 1000)	/* between two looks, however often is polled */

/* Of published records that wait to be taken as many are samples as of those taken. */
static void device_spent(const struct device *device, uint64_t cpu_ns, struct device_spent *spent)
{
	double khz = device->plan.kinds[0].query.tsc_khz, ticks = 0, part;
	uint64_t taken = 0, published = 0;
	size_t i;

	*spent = (struct device_spent){ .cpu_ns = cpu_ns };
	for (i = 0; i < device->count; i++) {
		const struct ccsample_control *control = device->sampled[i].session.control;

		spent->samples += device->drains[i].samples;
		taken += device->drains[i].records;
		published += control->records;
		spent->records += control->records + control->overrun_records;
		spent->interrupts += control->interrupts;
		ticks += control->handler_tsc;
	}
	part = taken ? (double)spent->samples / taken : 1;
	if (published > taken)
		spent->samples += part * (published - taken);
	spent->handler_ns = khz > 0 ? ticks / khz * 1e6 : 0;
}

int device_set_period(struct device *device, size_t number, uint64_t period)
{
	const struct device_session *session = &device->sampled[number].session;
	struct ccsample_period periods;
	struct device_periods samples;

	device_kind_periods(device_plan_of(&device->plan, session->cpu), period, &periods,
			    &samples);
	if (device_session_period(session, &periods))
		return -1;
	samples.from = periods.from;
	device_drain_periods(&device->drains[number], &samples);
	return 0;
}

void device_adapt(struct device *device, uint64_t now)
{
	uint64_t before = device->pace.period, period;
	struct device_spent spent;
	size_t i;

	if (!device_adapts(&device->plan) || now - device->paced < LOOK_NS)
		return;
	device->paced = now;
	device_spent(device, cpu_time_read(&device->cpu_time), &spent);
	period = device_pace(&device->pace, &spent);
	/* A session that has ended keeps its own. */
	for (i = 0; period != before && i < device->count; i++)
		if (!device->sampled[i].ended)
			device_set_period(device, i, period);
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
