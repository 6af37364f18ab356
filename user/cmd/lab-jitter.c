// SPDX-License-Identifier: GPL-2.0-only
/* ccsample lab jitter: gaps between time stamps on one CPU, without sampling and with it. */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"
#include "cmd/lab.h"
#include "record/device-session.h"
#include "record/device.h"
#include "host/jitter.h"
#include "kmod/reasons.h"
#include "output/json.h"
#include "output/text.h"

#define USAGE		2
#define TURN_MS		250	/* without and with sampling in turns: both see the same machine */
#define BAR		40	/* columns of the histogram */

struct meter {
	const struct lab_options *options;
	struct jitter_walk *walk;
	struct jitter off, on;
	struct device_session session;	/* fd < 0: there is no sampling */
	struct ccsample_control seen;	/* at the end of the last turn */
	const char *absent;		/* why there is none */
};

static int open_session(struct meter *meter, int device, const struct ccsample_query *query)
{
	const struct lab_options *options = meter->options;
	bool bursts = query->features & CCSAMPLE_BURSTS;
	uint64_t burst = bursts ? options->burst : 1;
	struct ccsample_query_event event = { };
	struct ccsample_open how = {
		.size = sizeof(how), .cpu = options->cpu, .flags = CCSAMPLE_USER | CCSAMPLE_TASK,
		.pid = getpid(), .events = 1, .burst = burst, .batch = burst > 1 ? 0 : 1, .seed = 1,
	};

	if (!device_find_event(device, query, "l1-miss", &event)) {
		meter->absent = "this processor's table has no l1-miss";
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
	meter->absent = meter->options->root[0] ? "--root is another machine" : device_absent();
	if (meter->absent)
		return 0;
	device = device_query(&query);
	if (device < 0)
		return fail("cannot ask " CCSAMPLE_DEVICE ": %s", strerror(errno));
	result = open_session(meter, device, &query);
	close(device);
	return result;
}

static int turn_off(struct meter *meter)
{
	jitter_turn(&meter->off, meter->walk, TURN_MS);
	return 0;
}

/* Nobody reads the records: their slots are given back after the turn. */
static int turn_on(struct meter *meter)
{
	struct device_session *session = &meter->session;

	if (device_session_control(session, CCSAMPLE_ENABLE))
		return fail("cannot sample CPU %u: %s", session->cpu, errno == EBUSY ?
			    device_busy(session->control->reason) : strerror(errno));
	jitter_turn(&meter->on, meter->walk, TURN_MS);
	device_session_control(session, CCSAMPLE_DISABLE);
	meter->seen = *session->control;
	session->reader->mark_tail = meter->seen.mark_head;
	session->reader->tail = meter->seen.head;
	if (meter->seen.state == CCSAMPLE_ENDED)
		return fail("sampling CPU %u ended: %s", session->cpu,
			    ccsample_reason_text(meter->seen.reason));
	return 0;
}

static int measure(struct meter *meter)
{
	uint64_t turns = meter->options->seconds * 1000 / TURN_MS, i;

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

/* --- what was seen --- */

static void put_ns(const char *what, double ns)
{
	if (ns < 1e4)
		printf("  %s %.0f ns", what, ns);
	else if (ns < 1e7)
		printf("  %s %.1f us", what, ns / 1e3);
	else
		printf("  %s %.1f ms", what, ns / 1e6);
}

static void put_line(const char *name, const struct jitter *jitter)
{
	double seconds = jitter_ns(jitter, jitter->ticks) / 1e9;

	printf("%-13s %8.4f%% of %.1f s lost in %" PRIu64 " gaps (%.0f a second)", name,
	       100 * jitter_noise(jitter), seconds, jitter->gaps, jitter->gaps / seconds);
	put_ns("longest", jitter_ns(jitter, jitter->longest_ticks));
	putchar('\n');
}

static uint64_t most(const struct jitter *jitter)
{
	uint64_t count = 0;

	for (int i = 0; i < JITTER_CLASSES; i++)
		if (jitter->classes[i] > count)
			count = jitter->classes[i];
	return count;
}

static void put_classes(const struct meter *meter)
{
	bool both = meter->session.fd >= 0;
	uint64_t top = most(both ? &meter->on : &meter->off);

	printf("\n%14s %12s %s\n", "gap of", "without", both ? "        with" : "");
	for (int i = 0; i < JITTER_CLASSES; i++) {
		uint64_t off = meter->off.classes[i], on = meter->on.classes[i];
		uint64_t bar = both ? on : off;

		if (!off && !on)
			continue;
		printf("%10llu ns+ %12" PRIu64, 1ull << i, off);
		if (both)
			printf(" %12" PRIu64, on);
		printf("  %.*s\n", top ? (int)((bar * BAR + top - 1) / top) : 0,
		       "########################################");
	}
}

static void put_sampling(const struct meter *meter)
{
	const struct ccsample_control *seen = &meter->seen;
	double khz = meter->on.khz;

	printf("\nsampling took %.4f percentage points: %llu interrupts, %llu records, %llu more "
	       "dropped (nobody reads them)",
	       100 * (jitter_noise(&meter->on) - jitter_noise(&meter->off)), seen->interrupts,
	       seen->records, seen->overrun_records);
	if (seen->interrupts)
		printf(";\nin the module's handler %.0f ns each, %.0f ns the longest",
		       seen->handler_tsc * 1e6 / khz / seen->interrupts,
		       seen->handler_tsc_max * 1e6 / khz);
	putchar('\n');
}

static void print_text(const struct meter *meter)
{
	printf("CPU %u, gaps of %" PRIu64 " ns and more between two time stamps; the loop takes "
	       "%.0f ns\n\n", meter->options->cpu, meter->options->gap_ns,
	       jitter_ns(&meter->off, meter->off.ticks - meter->off.gap_ticks) /
	       (meter->off.steps - meter->off.gaps + 1));
	put_line("not sampling", &meter->off);
	if (meter->session.fd >= 0)
		put_line("sampling", &meter->on);
	else
		printf("%-13s not measured: " CCSAMPLE_DEVICE ": %s\n", "sampling", meter->absent);
	put_classes(meter);
	if (meter->session.fd >= 0)
		put_sampling(meter);
}

static void put_jitter(struct json *json, const char *key, const struct jitter *jitter)
{
	json_key(json, key);
	json_open(json, '{');
	json_put_number(json, "seconds", jitter_ns(jitter, jitter->ticks) / 1e9);
	json_put_count(json, "steps", jitter->steps);
	json_put_number(json, "noise", jitter_noise(jitter));
	json_put_count(json, "gaps", jitter->gaps);
	json_put_number(json, "longest_ns", jitter_ns(jitter, jitter->longest_ticks));
	json_key(json, "histogram");
	json_open(json, '[');
	for (int i = 0; i < JITTER_CLASSES; i++) {
		if (!jitter->classes[i])
			continue;
		json_open_flat(json, '{');
		json_put_count(json, "from_ns", 1ull << i);
		json_put_count(json, "gaps", jitter->classes[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void print_json(const struct meter *meter)
{
	const struct ccsample_control *seen = &meter->seen;
	struct json json = { .out = stdout };

	json_open(&json, '{');
	json_put_string(&json, "ccsample", CCSAMPLE_VERSION);
	json_put_count(&json, "cpu", meter->options->cpu);
	json_put_count(&json, "gap_ns", meter->options->gap_ns);
	json_put_count(&json, "tsc_khz", meter->off.khz);
	put_jitter(&json, "off", &meter->off);
	if (meter->session.fd < 0) {
		json_put_string(&json, "on", NULL);
		json_put_string(&json, "absent", meter->absent);
	} else {
		put_jitter(&json, "on", &meter->on);
		json_put_count(&json, "interrupts", seen->interrupts);
		json_put_count(&json, "records", seen->records);
		json_put_count(&json, "overrun_records", seen->overrun_records);
		json_put_count(&json, "handler_tsc", seen->handler_tsc);
		json_put_count(&json, "handler_tsc_max", seen->handler_tsc_max);
	}
	json_close(&json, '}');
}

int lab_jitter(const struct lab_options *options)
{
	struct meter meter = { .options = options };
	int status = 1;

	if (options->word_count)
		return fail("lab jitter takes no '%s': see ccsample lab --help",
			    options->words[0]), USAGE;
	if (pin(options->cpu) < 0 || find_sampling(&meter) < 0)
		return 1;
	/* A page that has to come in would be a gap; without the right to lock it may. */
	mlockall(MCL_CURRENT | MCL_FUTURE);
	meter.walk = jitter_walk_new();
	meter.off.khz = meter.on.khz = jitter_khz();
	meter.off.least_ns = meter.on.least_ns = options->gap_ns;
	if (!meter.off.khz) {
		fail("this machine's time stamps do not run");
	} else if (!measure(&meter)) {
		(options->json ? print_json : print_text)(&meter);
		status = 0;
	}
	device_session_close(&meter.session);
	jitter_walk_free(meter.walk);
	return status;
}
