// SPDX-License-Identifier: GPL-2.0-only
/*
 * speedscope's own format (its file-format-schema.json): one table of frames, and a profile of
 * weighted stacks for the misses and for the conflicts of each level.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "export/export-stack.h"
#include "export/export.h"
#include "output/json.h"

struct frames {
	struct stack_frame *all;	/* names are their own */
	size_t count, capacity;
	struct map numbers;		/* hash -> number + 1 */
};

/* A site's stack, by numbers of frames. */
struct numbered {
	size_t *frames;
	size_t count;
};

static size_t frame_number(struct frames *frames, const struct stack_frame *frame)
{
	uint64_t hash = XXH3_64bits_withSeed(frame->name, strlen(frame->name), frame->line);
	const struct stack_frame *other;
	uint64_t *value;

	for (;; hash++) {
		value = map_at(&frames->numbers, hash);
		if (!*value)
			break;
		other = &frames->all[*value - 1];
		if (frame->line == other->line && !strcmp(frame->name, other->name) &&
		    same_text(frame->file, other->file))
			return *value - 1;
	}
	frames->all = grow(frames->all, frames->count, &frames->capacity, sizeof(*frames->all));
	frames->all[frames->count] = *frame;
	frames->all[frames->count].name = xstrdup(frame->name);
	*value = ++frames->count;
	return *value - 1;
}

static struct numbered *number_stacks(const struct costs *costs, struct frames *frames)
{
	struct numbered *stacks = xcalloc(costs->site_count + 1, sizeof(*stacks));
	struct stack stack = { .frames = NULL };

	for (size_t i = 0; i < costs->site_count; i++) {
		stack_fill(&stack, costs, &costs->sites[i]);
		stacks[i].count = stack.count;
		stacks[i].frames = xcalloc(stack.count + 1, sizeof(*stacks[i].frames));
		for (size_t j = 0; j < stack.count; j++)
			stacks[i].frames[j] = frame_number(frames, &stack.frames[j]);
	}
	stack_drop(&stack);
	return stacks;
}

static void put_frames(struct json *json, const struct frames *frames)
{
	json_open_under(json, "shared", '{');
	json_open_under(json, "frames", '[');
	for (size_t i = 0; i < frames->count; i++) {
		const struct stack_frame *frame = &frames->all[i];

		json_open_flat(json, '{');
		json_put_string(json, "name", frame->name);
		if (frame->file)
			json_put_string(json, "file", frame->file);
		if (frame->line)
			json_put_count(json, "line", frame->line);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void put_samples(struct json *json, const struct costs *costs,
			const struct numbered *stacks, size_t event)
{
	json_open_under(json, "samples", '[');
	for (size_t i = 0; i < costs->site_count; i++) {
		if (!costs->sites[i].counts[event])
			continue;
		json_open_flat(json, '[');
		for (size_t j = 0; j < stacks[i].count; j++)
			json_count(json, stacks[i].frames[j]);
		json_close(json, ']');
	}
	json_close(json, ']');
	json_open_flat_under(json, "weights", '[');
	for (size_t i = 0; i < costs->site_count; i++)
		if (costs->sites[i].counts[event])
			json_count(json, costs->sites[i].counts[event]);
	json_close(json, ']');
}

static void put_profile(struct json *json, const struct costs *costs,
			const struct numbered *stacks, size_t event)
{
	static const char *const names[] = {
		[COST_MISSES] = "misses", [COST_NEAR] = "misses with a short RCD (cf)",
		[COST_AGAIN] = "re-misses", [COST_CONFLICTS] = "conflict misses",
	};
	char *name = xasprintf("L%" PRIu32 " %s", costs->events[event]->level,
			       names[costs->events[event]->kind]);

	json_open(json, '{');
	json_put_string(json, "type", "sampled");
	json_put_string(json, "name", name);
	json_put_string(json, "unit", "none");
	json_put_count(json, "startValue", 0);
	json_put_count(json, "endValue", costs->totals[event]);
	put_samples(json, costs, stacks, event);
	json_close(json, '}');
	free(name);
}

/* The profile of a column, among those written. */
static size_t profile_number(const struct costs *costs, size_t event)
{
	size_t number = 0;

	for (size_t i = 0; i < event; i++)
		number += costs->events[i]->kind != COST_OTHER;
	return number;
}

void export_speedscope(FILE *out, const struct costs *costs, const struct export_about *about)
{
	struct json json = { .out = out };
	struct frames frames = { .all = NULL };
	struct numbered *stacks = number_stacks(costs, &frames);

	json_open(&json, '{');
	json_put_string(&json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_put_string(&json, "exporter", "ccsample " CCSAMPLE_VERSION);
	json_put_string(&json, "name", about->command);
	json_put_count(&json, "activeProfileIndex", profile_number(costs, about->event));
	put_frames(&json, &frames);
	json_open_under(&json, "profiles", '[');
	for (size_t i = 0; i < costs->event_count; i++)
		if (costs->events[i]->kind != COST_OTHER)
			put_profile(&json, costs, stacks, i);
	json_close(&json, ']');
	json_close(&json, '}');
	for (size_t i = 0; i < costs->site_count; i++)
		free(stacks[i].frames);
	for (size_t i = 0; i < frames.count; i++)
		free(frames.all[i].name);
	map_free(&frames.numbers);
	free(frames.all);
	free(stacks);
}
