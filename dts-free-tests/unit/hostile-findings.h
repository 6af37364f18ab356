/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings of names, numbers and nesting that no program should have. */
#ifndef CCSAMPLE_HOSTILE_FINDINGS_H
#define CCSAMPLE_HOSTILE_FINDINGS_H

#include <inttypes.h>
#include <locale.h>
#include <wchar.h>

#include "view-fixture.h"

/* Text is UTF-8; the seed is the program's first argument. */
static void fixture_begin(int argc, char **argv)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	fixture_state ^= (argc > 1 ? strtoull(argv[1], NULL, 0) : 1) << 20;
	printf("# seed %" PRIu64 "\n", fixture_state);
}

__attribute__((unused))
static bool valid_utf8(const char *text)
{
	mbstate_t state = { 0 };
	size_t size = mbsrtowcs(NULL, &text, 0, &state);

	return size != (size_t)-1;
}

static char *hostile_name(size_t most)
{
	static const char *const pieces[] = {
		"a", "Zz", "operator<<", "operator()", "::", "<", ">", "(", ")", " ", ",", "\"",
		"'", "\\", "\n", "\r\n", "\t", "\033[31m", "\x7f", "\xff", "\xc3", "\xe2\x82",
		"\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\xaf", "\xc3\xa9", "\xe4\xb8\xad",
		"e\xcc\x81", "\xf0\x9f\x98\x80", "\xe2\x80\xae", "`id`", "$(id)", "%s%n", "/", "_",
		"{", "}", "@", "|", "std::vector<int, std::allocator<int> >",
		"(anonymous namespace)", "const&", "=", "-", "0", "\xc2\x85",
		"\xef\xbf\xbd", "]", "[",
	};
	size_t count = fixture_random(most) + 1, size;
	char *name = NULL;
	FILE *out = open_memstream(&name, &size);

	while (count--)
		fputs(pieces[fixture_random(sizeof(pieces) / sizeof(*pieces))], out);
	fclose(out);
	return name;
}

static double hostile_number(void)
{
	static const double numbers[] = { 0, 1, 0.5, 1e-300, 0.9996, 1e-7, NAN, INFINITY, 1.0 / 3 };

	return numbers[fixture_random(sizeof(numbers) / sizeof(*numbers))];
}

struct hostile {
	struct findings *findings;
	struct object *objects;
	char *names[512];
	size_t name_count;
	char *command[4];
	struct remark remark;
};

static char *keep_name(struct hostile *hostile, size_t most)
{
	return hostile->names[hostile->name_count++] = hostile_name(most);
}

/* Parents that may be anything, even the context itself; pairs, strides and lines at will. */
static void hostile_nest(struct hostile *hostile, uint32_t id, size_t most)
{
	struct context *context = &hostile->findings->contexts[id - 1];
	struct level_findings *level = context->levels;

	fixture_nest(hostile->findings, id, fixture_random(id + 1), hostile_number(),
		     hostile_number());
	context->region.depth = fixture_random(2) ? context->region.depth :
		fixture_random(0x7fffffff);
	context->region.end_line = fixture_random(2) * 0xffffffffu;
	for (size_t i = 0; i < context->object_count; i++)
		level->objects[i].stride = fixture_random(2) * 0xffffffffffffffffull;
	level->pair_count = fixture_random(FINDINGS_PAIRS + 1);
	level->pairs = xcalloc(FINDINGS_PAIRS, sizeof(*level->pairs));
	for (size_t i = 0; i < level->pair_count; i++)
		level->pairs[i] = (struct pair_share){
			&hostile->objects[fixture_random(12)],
			&hostile->objects[fixture_random(12)], hostile_number(),
		};
	context->line_count = fixture_random(3);
	context->lines = xcalloc(FINDINGS_LINES, sizeof(*context->lines));
	for (size_t i = 0; i < context->line_count; i++)
		context->lines[i] = (struct line_share){
			fixture_random(2) ? keep_name(hostile, most) : NULL, 0xffffffffu,
			hostile_number(),
		};
}

static void hostile_contexts(struct hostile *hostile, size_t most)
{
	for (size_t i = 0; i < 25; i++) {
		struct fixture_context context = {
			keep_name(hostile, most),
			fixture_random(4) ? keep_name(hostile, most) : NULL,
			fixture_random(4) ? keep_name(hostile, most) : NULL,
			fixture_random(2) * (0xffffffffu - i), (25 - i) / 400.0, hostile_number(),
			hostile_number(), fixture_random(2) ? fixture_random(100) / 100.0 : -1,
			i % 4, fixture_random(65), { 0.5, 0.3, 0.2 },
		};

		fixture_add(hostile->findings, &context);
		hostile_nest(hostile, i + 1, most);
	}
}
__attribute__((unused))
static struct hostile *hostile_new(size_t most)
{
	struct hostile *hostile = xcalloc(1, sizeof(*hostile));
	struct findings *findings = hostile->findings = fixture_empty();

	hostile->objects = xcalloc(12, sizeof(*hostile->objects));
	for (size_t i = 0; i < 12; i++)
		hostile->objects[i] = (struct object){
			i + 1, i % 4, keep_name(hostile, most), keep_name(hostile, most),
			fixture_random(2) * 0xffffffffffffffffull, fixture_random(9),
			keep_name(hostile, most), NULL,
		};
	fixture_objects(findings, hostile->objects, 12);
	for (size_t i = 0; i < 3; i++)
		hostile->command[i] = keep_name(hostile, most);
	findings->command = hostile->command;
	findings->cpu = keep_name(hostile, most);
	findings->path = keep_name(hostile, most);
	findings->source = keep_name(hostile, 3);
	findings->clock = keep_name(hostile, most);
	hostile->remark.text = keep_name(hostile, most);
	findings->remarks = xcalloc(1, sizeof(*findings->remarks));
	findings->remarks[0] = hostile->remark;
	findings->remark_count = 1;
	findings->events->samples = fixture_random(2) * 0xffffffffffffffffull;
	findings->events->lost = 0xffffffffffffffffull;
	hostile_contexts(hostile, most);
	fixture_map(&findings->map);
	return hostile;
}
__attribute__((unused))
static void hostile_free(struct hostile *hostile)
{
	fixture_free(hostile->findings);
	while (hostile->name_count)
		free(hostile->names[--hostile->name_count]);
	free(hostile->objects);
	free(hostile);
}

#endif /* CCSAMPLE_HOSTILE_FINDINGS_H */
