// SPDX-License-Identifier: GPL-2.0-only
#include "report/json-parts.h"

static void put_kinds(struct json *json, const char *key, const uint64_t kinds[BURST_KINDS])
{
	json_open_flat_under(json, key, '{');
	json_put_count(json, "loads", kinds[1]);
	json_put_count(json, "stores", kinds[2]);
	json_put_count(json, "both", kinds[3]);
	json_close(json, '}');
}

/* The parts of loads and stores in the misses, weighted. */
static void put_miss_shares(struct json *json, const struct burst_totals *bursts)
{
	const double *kinds = bursts->weighted_kinds;
	double all = kinds[1] + kinds[2] + kinds[3];

	json_open_flat_under(json, "miss_shares", '{');
	json_put_number(json, "loads", kinds[1] / all);
	json_put_number(json, "stores", kinds[2] / all);
	json_put_number(json, "both", kinds[3] / all);
	json_close(json, '}');
}

/* What bursts of any length end with. */
static void put_burst_lines(struct json *json, const struct findings *findings,
			    const struct burst_totals *bursts, uint32_t level)
{
	struct miss_ratio ratio = findings_miss_ratio(findings, level);

	json_put_count(json, "recorded", bursts->recorded);
	json_put_known(json, "recorded_cpu_ns", bursts->recorded_cpu_ns);
	json_put_known(json, "cpu_ns", bursts->cpu_ns);
	json_put_count(json, "first_uses", bursts->first);
	json_put_count(json, "lines", bursts->lines);
	json_put_count(json, "unknown", bursts->unknown);
	json_put_number(json, "miss_ratio", ratio.ratio);
	json_put_number(json, "miss_ratio_low", ratio.low);
	json_put_number(json, "miss_ratio_high", ratio.high);
}

/* Of those that are long enough for L2. */
static void put_long_bursts(struct json *json, const struct findings *findings)
{
	const struct burst_totals *bursts = &findings->long_bursts;

	if (!bursts->bursts)
		return;
	json_open_under(json, "long", '{');
	json_put_count(json, "level", 2);
	json_put_count(json, "count", bursts->bursts);
	json_put_count(json, "warm", bursts->warm);
	json_put_count(json, "no_cache", bursts->no_cache);
	json_put_known(json, "instructions", bursts->instructions);
	json_put_count(json, "references", bursts->references[1]);
	json_put_count(json, "counted", bursts->counted);
	put_kinds(json, "misses", bursts->misses);
	put_burst_lines(json, findings, bursts, 2);
	json_close(json, '}');
}

void json_put_bursts(struct json *json, const struct findings *findings)
{
	const struct burst_totals *bursts = &findings->bursts;

	if (!bursts->known)
		return;
	json_open_under(json, "bursts", '{');
	json_put_count(json, "count", bursts->bursts);
	json_put_count(json, "bad", bursts->bad);
	json_put_count(json, "no_cache", bursts->no_cache);
	json_put_string(json, "kept", bursts->classes ? "classes" : "references");
	json_put_known(json, "instructions", bursts->instructions);
	put_kinds(json, "references", bursts->references);
	json_put_count(json, "counted", bursts->counted);
	put_kinds(json, "misses", bursts->misses);
	put_miss_shares(json, bursts);
	put_burst_lines(json, findings, bursts, 1);
	put_long_bursts(json, findings);
	json_close(json, '}');
}
