// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "report/json-parts.h"

void json_put_lab(struct json *json, const struct findings *findings)
{
	json_key(json, "lab");
	json_open_flat(json, '{');
	for (size_t i = 0; i < findings->lab_count; i++)
		json_put_string(json, findings->lab[i].name, findings->lab[i].value);
	json_close(json, '}');
}

void json_put_command(struct json *json, const struct findings *findings)
{
	json_key(json, "command");
	json_open_flat(json, '[');
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
