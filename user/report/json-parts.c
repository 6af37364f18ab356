// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "report/json-parts.h"

void json_put_lab(struct json *json, const struct findings *findings)
{
	json_open_flat_under(json, "lab", '{');
	for (size_t i = 0; i < findings->lab_count; i++)
		json_put_string(json, findings->lab[i].name, findings->lab[i].value);
	json_close(json, '}');
}

void json_put_command(struct json *json, const struct findings *findings)
{
	json_open_flat_under(json, "command", '[');
	for (char **word = findings->command; word && *word; word++)
		json_string(json, *word);
	json_close(json, ']');
}

void json_put_conflicts(struct json *json, const struct rcd_summary *summary)
{
	bool known = rcd_share_known(summary);

	json_put_number(json, "conflict_share", known ? summary->conflict_share : NAN);
	json_put_number(json, "conflict_low", known ? summary->conflict_low : NAN);
	json_put_number(json, "conflict_high", known ? summary->conflict_high : NAN);
}

void json_put_program_conflicts(struct json *json, const struct miss_ratio *share)
{
	json_put_number(json, "share", share->ratio);
	json_put_number(json, "low", share->low);
	json_put_number(json, "high", share->high);
}

void json_put_sampled(struct json *json, const struct sampled_effect *sampled)
{
	json_key(json, "sampled");
	if (!sampled->misses) {
		json_null(json);
		return;
	}
	json_open_flat(json, '{');
	json_put_count(json, "misses", sampled->misses);
	json_put_number(json, "cf_before", sampled->before);
	json_put_number(json, "cf_after", sampled->after);
	json_put_number(json, "cf_after_low", sampled->interval.low);
	json_put_number(json, "cf_after_high", sampled->interval.high);
	json_close(json, '}');
}
