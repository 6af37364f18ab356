// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recordings read by several processes and added up along a tree: byte for byte what one process
 * shows that reads them all, as JSON and as text. What comes from another process is not trusted.
 */
#include <stdlib.h>
#include <string.h>

#include "findings/findings.h"
#include "fixture-ranks.h"
#include "ranks/sums.h"
#include "report/views.h"
#include "tap.h"

#define FILES	140		/* more than the median is of */
#define SMALL	7
#define MANY	20000

static const struct analysis_options options = { .by_set = true };

static char *show(const struct findings *findings, bool json)
{
	const struct view_options view = { .full = true };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!findings)
		exit(1);
	(json ? report_json : report_text)(out, findings, &view);
	fclose(out);
	return text;
}

static void to_read(struct wire *wire)
{
	wire->reads = true;
	wire->at = 0;
}

/* As reduce() does, without processes. Return: the findings, NULL where there are none. */
static struct findings *reduced(const struct inputs *inputs, uint32_t ranks)
{
	struct wire *wires = calloc(ranks, sizeof(*wires)), pair[2], sum;
	struct findings *findings = NULL;

	for (uint32_t i = 0; i < ranks; i++) {
		if (sums_read(inputs, &options, i, ranks, &wires[i]))
			exit(1);
		to_read(&wires[i]);
	}
	for (uint32_t step = 1; step < ranks; step *= 2) {
		for (uint32_t i = 0; i + step < ranks; i += 2 * step) {
			pair[0] = wires[i];
			pair[1] = wires[i + step];
			sum = (struct wire){ .bytes = NULL };
			if (sums_add(inputs, &options, pair, 2, &sum, NULL))
				exit(1);
			wire_drop(&wires[i]);
			wire_drop(&wires[i + step]);
			wires[i] = sum;
			to_read(&wires[i]);
		}
	}
	if (sums_add(inputs, &options, wires, 1, NULL, &findings))
		exit(1);
	wire_drop(&wires[0]);
	free(wires);
	return findings;
}

static void test_equal(const struct inputs *inputs, uint32_t ranks)
{
	struct findings *one = analyze_recordings((const char *const *)inputs->paths,
						  inputs->count, &options);
	struct findings *many = reduced(inputs, ranks);
	char *as_one = show(one, true), *as_many = show(many, true);

	ok(!strcmp(as_one, as_many), "%zu recordings, %u processes: the same JSON", inputs->count,
	   ranks);
	for (size_t i = 0; strcmp(as_one, as_many) && as_one[i]; i++) {
		if (as_one[i] == as_many[i])
			continue;
		printf("# %.80s\n# %.80s\n", as_one + (i > 40 ? i - 40 : 0),
		       as_many + (i > 40 ? i - 40 : 0));
		break;
	}
	free(as_one);
	free(as_many);
	as_one = show(one, false);
	as_many = show(many, false);
	ok(!strcmp(as_one, as_many), "the same text, of %zu bytes", strlen(as_one));
	free(as_one);
	free(as_many);
	findings_free(one);
	findings_free(many);
}

/* Cut short, and with bytes changed: refused, or something found; no crash, no endless run. */
static void test_hostile(const struct inputs *inputs)
{
	struct wire whole = { .bytes = NULL }, broken;
	struct findings *findings;
	uint64_t refused = 0, cut = 0, tries = 0;

	if (sums_read(inputs, &options, 0, 1, &whole))
		exit(1);
	freopen("/dev/null", "w", stderr);
	state = 1;
	for (size_t at = 0; at < whole.size; at += 1 + whole.size / 150, tries++) {
		broken = (struct wire){ .reads = true, .size = at };
		broken.bytes = memcpy(malloc(at + 1), whole.bytes, at);
		cut += sums_add(inputs, &options, &broken, 1, NULL, &findings) < 0;
		wire_drop(&broken);
		broken = (struct wire){ .reads = true, .size = whole.size };
		broken.bytes = memcpy(malloc(whole.size), whole.bytes, whole.size);
		for (int i = 0; i < 4; i++)
			broken.bytes[16 + draw(whole.size - 16)] = draw(256);
		if (sums_add(inputs, &options, &broken, 1, NULL, &findings))
			refused++;
		else if (findings)
			findings_free(findings);
		wire_drop(&broken);
	}
	ok(cut == tries, "%llu cut short: all refused", (unsigned long long)tries);
	ok(refused > 0 && refused < tries, "%llu of as many with bytes changed: refused",
	   (unsigned long long)refused);
	wire_drop(&whole);
}

/* One of many processes, which has nothing to read: its share is small, and says where it is. */
static void test_idle(const char *path)
{
	struct inputs inputs = { .paths = calloc(MANY, sizeof(*inputs.paths)), .count = MANY };
	struct wire idle = { .bytes = NULL }, sum = { .bytes = NULL };

	for (size_t i = 0; i < MANY; i++)
		inputs.paths[i] = (char *)path;
	if (sums_read(&inputs, &options, 2 * MANY - 2, 2 * MANY, &idle))
		exit(1);
	to_read(&idle);
	ok(!sums_add(&inputs, &options, &idle, 1, &sum, NULL), "a share of %zu bytes, behind "
	   "%u recordings", idle.size, MANY - 1);
	wire_drop(&idle);
	wire_drop(&sum);
	free(inputs.paths);
}

int main(void)
{
	struct inputs few = { .paths = NULL }, many = { .paths = NULL };
	char name[32];

	fixture_begin();
	fixture_ranks();
	for (uint64_t i = 0; i < FILES; i++) {
		struct kind kind = {
			.seed = i, .bursts = 1 + i % 3,
			.governor = i % 7 ? "performance" : "powersave",
			.unfinished = i == 5,
		};

		snprintf(name, sizeof(name), "r%u.ccs", (unsigned int)i);
		inputs_add(&many, write_rank(fixture_path(name), &kind));
		if (i < SMALL)
			inputs_add(&few, fixture_path(name));
	}
	test_equal(&few, 1);
	test_equal(&few, 2);
	test_equal(&few, 3);
	test_equal(&few, 8);
	test_equal(&many, 5);
	test_idle(few.paths[0]);
	test_hostile(&few);
	inputs_drop(&few);
	inputs_drop(&many);
	return done();
}
