// SPDX-License-Identifier: GPL-2.0-only
#include "output/json.h"
#include "sharing/views.h"

static void put_numbers(struct json *json, const char *key, const double *numbers, size_t count)
{
	json_open_flat_under(json, key, '[');
	for (size_t i = 0; i < count; i++)
		json_number(json, numbers[i]);
	json_close(json, ']');
}

static void put_cache(struct json *json, const struct sharing *sharing)
{
	json_open_flat_under(json, "cache", '{');
	json_put_count(json, "level", sharing->programs[0].profile->level);
	json_put_count(json, "size", cache_size(&sharing->cache));
	json_put_count(json, "ways", sharing->cache.ways);
	json_put_count(json, "sets", sharing->cache.sets);
	json_put_count(json, "line", sharing->cache.line);
	json_close(json, '}');
}

static void put_steady(struct json *json, const struct shared_program *program)
{
	json_open_flat_under(json, "steady_share", '{');
	json_put_number(json, "ways", program->steady.ways);
	json_put_number(json, "miss_ratio", program->steady.miss_ratio);
	json_put_number(json, "ipc", program->steady.ipc);
	json_close(json, '}');
}

static void put_sensitivity(struct json *json, const struct shared_program *program)
{
	json_open_flat_under(json, "sensitivity", '{');
	json_put_number(json, "own_speed", program->sensitivity.own_speed);
	json_put_number(json, "other_speed", program->sensitivity.other_speed);
	json_put_number(json, "penalty", program->sensitivity.penalty);
	json_close(json, '}');
}

static void put_program(struct json *json, const struct sharing *sharing,
			const struct shared_program *program)
{
	const struct profile *profile = program->profile;

	json_open(json, '{');
	json_put_string(json, "profile", program->name);
	json_put_string(json, "command", profile->command);
	json_put_string(json, "source", profile->source);
	json_put_string(json, "pages", profile->pages);
	json_put_string(json, "timing", profile->timing);
	json_put_count(json, "instructions", profile->instructions);
	json_put_number(json, "accesses_per_instruction", program->api);
	json_put_number(json, "penalty", profile->penalty);
	json_put_number(json, "miss_ratio_alone", program->miss_ratio_alone);
	json_put_number(json, "miss_ratio", program->miss_ratio);
	json_put_number(json, "ipc_alone", profile->ipc);
	json_put_number(json, "ipc", program->ipc);
	json_put_number(json, "slowdown", program->slowdown);
	if (!sharing->given)
		put_numbers(json, "slowdown_by_one", program->by_one, sharing->count);
	put_steady(json, program);
	if (!sharing->given)
		put_sensitivity(json, program);
	put_numbers(json, "distances_alone", program->alone, sharing->cache.ways + 1);
	put_numbers(json, "distances", program->together, sharing->cache.ways + 1);
	json_close(json, '}');
}

void sharing_json(FILE *out, const struct sharing *sharing)
{
	struct json json = { .out = out };

	json_begin(&json, "share");
	put_cache(&json, sharing);
	json_put_string(&json, "reuse", reuse_name(sharing->reuse));
	json_put_count(&json, "groups", sharing->groups);
	json_put_bool(&json, "given", sharing->given);
	json_put_count(&json, "rounds", sharing->end.rounds);
	json_put_bool(&json, "stable", sharing->end.stable);
	json_open_under(&json, "programs", '[');
	for (size_t i = 0; i < sharing->count; i++)
		put_program(&json, sharing, &sharing->programs[i]);
	json_close(&json, ']');
	json_close(&json, '}');
}
