// SPDX-License-Identifier: GPL-2.0-only
/* ccsample lab jitter: gaps between time stamps on one CPU, without sampling and with it. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"
#include "cmd/lab.h"
#include "device/device.h"
#include "device/plan.h"
#include "device/session.h"
#include "host/jitter-view.h"
#include "kmod/reasons.h"

#define USAGE		2
#define TURN_MS		250	/* without and with sampling in turns: both see the same machine */

struct meter {
	const struct lab_options *options;
	struct jitter_walk *walk;
	struct device_session session;	/* fd < 0: there is no sampling */
	struct jitter_result result;
};

static int open_session(struct meter *meter, int device, const struct ccsample_query *query)
{
	const struct lab_options *options = meter->options;
	uint64_t burst = device_burst(query, options->burst);
	struct ccsample_query_event event = { };
	struct ccsample_open how = {
		.size = sizeof(how), .cpu = options->lab.cpu,
		.flags = CCSAMPLE_USER | CCSAMPLE_TASK, .pid = getpid(),
		.events = 1, .burst = burst, .seed = 1,
	};

	if (!device_find_event(device, query, "l1-miss", &event)) {
		meter->result.absent = "this processor's table has no l1-miss";
		return 0;
	}
	how.event[0].config = event.config;
	how.event[0].period = options->period * burst;
	if (how.event[0].period < query->least_period + burst - 1)
		how.event[0].period = query->least_period + burst - 1;
	return device_session_open(&meter->session, query, &how);
}

/* Sampling, if there is a module. Return: -1 after one line if there is and it cannot. */
static int find_sampling(struct meter *meter)
{
	struct ccsample_query query;
	int device, result;

	meter->session.fd = -1;
	meter->result.absent = meter->options->lab.root[0] ? "--root is another machine" :
							     device_absent();
	if (meter->result.absent)
		return 0;
	device = device_descriptor_open();
	if (device < 0 || device_query(device, &query, meter->options->lab.cpu))
		result = fail("cannot ask " CCSAMPLE_DEVICE ": %s", strerror(errno));
	else
		result = open_session(meter, device, &query);
	if (device >= 0)
		close(device);
	return result;
}

static int turn_off(struct meter *meter)
{
	jitter_turn(&meter->result.off, meter->walk, TURN_MS);
	return 0;
}

/* The records are not read: their slots are released after the turn. */
static int turn_on(struct meter *meter)
{
	struct device_session *session = &meter->session;

	if (device_session_control(session, CCSAMPLE_ENABLE))
		return fail("cannot sample CPU %u: %s", session->cpu, errno == EBUSY ?
			    device_busy(session->control->reason) : strerror(errno));
	jitter_turn(&meter->result.on, meter->walk, TURN_MS);
	device_session_control(session, CCSAMPLE_DISABLE);
	meter->result.seen = *session->control;
	session->reader->mark_tail = meter->result.seen.mark_head;
	session->reader->tail = meter->result.seen.head;
	if (meter->result.seen.state == CCSAMPLE_ENDED)
		return fail("sampling CPU %u ended: %s", session->cpu,
			    ccsample_reason_text(meter->result.seen.reason));
	return 0;
}

static int measure(struct meter *meter)
{
	uint64_t turns = ceil(meter->options->seconds * 1000 / TURN_MS), i;

	for (i = 0; i < turns; i++)
		if (turn_off(meter) || (meter->session.fd >= 0 && turn_on(meter)))
			return -1;
	return 0;
}

static int pin(uint32_t cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus) ?
	       fail("cannot run on CPU %u: %s (-C names another)", cpu, strerror(errno)) : 0;
}

int lab_jitter(const struct lab_options *options)
{
	struct meter meter = {
		.options = options,
		.result = { .cpu = options->lab.cpu, .gap_ns = options->gap_ns },
	};
	struct jitter_result *result = &meter.result;
	int status = 1;

	if (options->lab.word_count)
		return fail("lab jitter takes no '%s': see ccsample lab --help",
			    options->lab.words[0]), USAGE;
	if (pin(options->lab.cpu) < 0 || find_sampling(&meter) < 0)
		return 1;
	/* A page fault would be a gap; without the right to lock pages there may be some. */
	mlockall(MCL_CURRENT | MCL_FUTURE);
	meter.walk = jitter_walk_new();
	result->off.khz = result->on.khz = jitter_khz();
	result->off.least_ns = result->on.least_ns = options->gap_ns;
	if (!result->off.khz) {
		fail("this machine's time stamps do not run");
	} else if (!measure(&meter)) {
		(options->json ? jitter_json : jitter_text)(stdout, result);
		status = 0;
	}
	device_session_close(&meter.session);
	jitter_walk_free(meter.walk);
	return status;
}
