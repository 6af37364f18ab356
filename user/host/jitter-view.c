// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "host/jitter-view.h"
#include "output/json.h"

#define BAR		40	/* columns of the histogram */

static void put_longest(FILE *out, double ns)
{
	if (ns < 1e4)
		fprintf(out, "  longest %.0f ns\n", ns);
	else if (ns < 1e7)
		fprintf(out, "  longest %.1f us\n", ns / 1e3);
	else
		fprintf(out, "  longest %.1f ms\n", ns / 1e6);
}

static void put_line(FILE *out, const char *name, const struct jitter *jitter)
{
	double seconds = jitter_ns(jitter, jitter->ticks) / 1e9;

	fprintf(out, "%-13s %8.4f%% of %.1f s lost in %" PRIu64 " gaps (%.0f a second)", name,
	       100 * jitter_noise(jitter), seconds, jitter->gaps, jitter->gaps / seconds);
	put_longest(out, jitter_ns(jitter, jitter->longest_ticks));
}

static uint64_t most(const struct jitter *jitter)
{
	uint64_t count = 0;

	for (int i = 0; i < JITTER_CLASSES; i++)
		if (jitter->classes[i] > count)
			count = jitter->classes[i];
	return count;
}

static void put_classes(FILE *out, const struct jitter_result *result)
{
	bool both = !result->absent;
	uint64_t top = most(both ? &result->on : &result->off);

	fprintf(out, "\n%14s %12s %s\n", "gap of", "without", both ? "        with" : "");
	for (int i = 0; i < JITTER_CLASSES; i++) {
		uint64_t off = result->off.classes[i], on = result->on.classes[i];
		uint64_t bar = both ? on : off;

		if (!off && !on)
			continue;
		fprintf(out, "%10llu ns+ %12" PRIu64, 1ull << i, off);
		if (both)
			fprintf(out, " %12" PRIu64, on);
		fprintf(out, "  %.*s\n", top ? (int)((bar * BAR + top - 1) / top) : 0,
		       "########################################");
	}
}

static void put_sampling(FILE *out, const struct jitter_result *result)
{
	const struct ccsample_control *seen = &result->seen;
	double khz = result->on.khz;

	fprintf(out, "\nsampling took %.4f percentage points: %llu interrupts, %llu records, %llu "
	       "more dropped (none is read)",
	       100 * (jitter_noise(&result->on) - jitter_noise(&result->off)), seen->interrupts,
	       seen->records, seen->overrun_records);
	if (seen->interrupts)
		fprintf(out, ";\nin the module's handler %.0f ns each, %.0f ns the longest",
		       seen->handler_tsc * 1e6 / khz / seen->interrupts,
		       seen->handler_tsc_max * 1e6 / khz);
	putc('\n', out);
}

void jitter_text(FILE *out, const struct jitter_result *result)
{
	fprintf(out, "CPU %u, gaps of %" PRIu64 " ns and more between two time stamps; the loop "
	       "takes %.0f ns\n\n", result->cpu, result->gap_ns,
	       jitter_ns(&result->off, result->off.ticks - result->off.gap_ticks) /
	       (result->off.steps - result->off.gaps + 1));
	put_line(out, "not sampling", &result->off);
	if (!result->absent)
		put_line(out, "sampling", &result->on);
	else
		fprintf(out, "%-13s not measured: " CCSAMPLE_DEVICE ": %s\n", "sampling",
			result->absent);
	put_classes(out, result);
	if (!result->absent)
		put_sampling(out, result);
}

static void put_jitter(struct json *json, const char *key, const struct jitter *jitter)
{
	json_open_under(json, key, '{');
	json_put_number(json, "seconds", jitter_ns(jitter, jitter->ticks) / 1e9);
	json_put_count(json, "steps", jitter->steps);
	json_put_number(json, "noise", jitter_noise(jitter));
	json_put_count(json, "gaps", jitter->gaps);
	json_put_number(json, "longest_ns", jitter_ns(jitter, jitter->longest_ticks));
	json_open_under(json, "histogram", '[');
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

void jitter_json(FILE *out, const struct jitter_result *result)
{
	const struct ccsample_control *seen = &result->seen;
	struct json json = { .out = out };

	json_begin(&json, "jitter");
	json_put_count(&json, "cpu", result->cpu);
	json_put_count(&json, "gap_ns", result->gap_ns);
	json_put_count(&json, "tsc_khz", result->off.khz);
	put_jitter(&json, "off", &result->off);
	if (result->absent) {
		json_put_string(&json, "on", NULL);
		json_put_string(&json, "absent", result->absent);
	} else {
		put_jitter(&json, "on", &result->on);
		json_put_count(&json, "interrupts", seen->interrupts);
		json_put_count(&json, "records", seen->records);
		json_put_count(&json, "overrun_records", seen->overrun_records);
		json_put_count(&json, "handler_tsc", seen->handler_tsc);
		json_put_count(&json, "handler_tsc_max", seen->handler_tsc_max);
	}
	json_close(&json, '}');
}
