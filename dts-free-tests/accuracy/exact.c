// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "findings/contexts.h"
#include "tracing/traced.h"
#include "base/fail.h"
#include "base/allocator.h"
#include "base/memory.h"
#include "cachesim/geometry.h"
#include "cachesim/shadow-l1.h"
#include "cachesim/lines.h"
#include "cachesim/lru.h"
#include "format/recording.h"
#include "../unit/shadow-use.h"
#include "exact.h"

/* A core of a size that is common; L2 and L3 by the same addresses as L1. */
static const struct {
	uint64_t size;
	uint32_t ways;
} caches[EXACT_LEVELS] = { { 32 << 10, 8 }, { 256 << 10, 8 }, { 2 << 20, 16 } };

#define LINE		64
#define LINE_BITS	6
#define IP_SLOTS	(1u << 16)

struct exact_names {
	struct symbols *symbols;
	struct spaces *spaces;
	struct contexts *contexts;
	uint32_t process;
	uint64_t ips[IP_SLOTS];
	uint32_t context_of[IP_SLOTS];
};

/*
 * The level's own cache; its fully associative shadow, fed with the same traffic; and the level of
 * a hierarchy where all are fully associative. At L1 the last two are one.
 */
struct run_level {
	struct cache_geometry geometry;
	uint64_t *rows;
	struct shadow_l1 shadow;
	struct shadow_l1 full;
};

struct run {
	struct exact *exact;
	struct run_level level[EXACT_LEVELS];
	struct lines lines;
	struct line_words words;	/* of each two by level: its nodes in shadow and full */
	uint64_t last_line;		/* newest everywhere */
};

/* What was mapped where; it is asked for after the end, so nothing is taken away. */
static int read_names(struct exact_names *names, const char *path)
{
	struct recording *recording = recording_open(path);
	const struct ccs_record *record;

	if (!recording)
		return -1;
	while (recording_next(recording, &record)) {
		if (record->type == CCS_PROCESS)
			names->process = record->process;
		if (record->type != CCS_EXIT && record->type != CCS_UNMAP &&
		    record->type != CCS_REFERENCES)
			spaces_replay(names->spaces, record);
	}
	recording_close(recording);
	return 0;
}

static struct exact_names *names_new(const char *path)
{
	struct exact_names *names = xcalloc(1, sizeof(*names));

	names->symbols = symbols_new();
	names->spaces = spaces_new(names->symbols);
	names->contexts = contexts_new();
	if (!read_names(names, path))
		return names;
	exit(1);
}

static uint32_t resolve(struct exact *exact, uint64_t ip)
{
	struct exact_names *names = exact->names;
	size_t site = contexts_find(names->contexts, names->process,
				    spaces_get(names->spaces, names->process), ip);
	size_t count = contexts_count(names->contexts);

	if (count > exact->contexts) {
		exact->loops = xrealloc(exact->loops, count * sizeof(*exact->loops));
		memset(exact->loops + exact->contexts, 0,
		       (count - exact->contexts) * sizeof(*exact->loops));
		exact->contexts = count;
	}
	return contexts_site(names->contexts, site)->context;
}

static uint32_t context_at(struct exact *exact, uint64_t ip)
{
	struct exact_names *names = exact->names;
	uint32_t slot = (ip * 0x9e3779b97f4a7c15ull) >> 48;

	if (names->ips[slot] != ip) {
		names->context_of[slot] = resolve(exact, ip);
		names->ips[slot] = ip;
	}
	return names->context_of[slot];
}

/* The first line that a load misses on, of each level. */
struct first_miss {
	bool is;
	bool conflict;
	uint64_t line;
};

/* Return: true if L1's shadow has the line. */
static bool touch_full(struct run *run, struct exact_loop *loop, uint64_t line, uint32_t *nodes)
{
	bool hit;
	int level;

	for (level = 0; level < EXACT_LEVELS; level++) {
		shadow_use(&run->level[level].full, line, &nodes[2 * level + 1], &hit);
		if (hit)
			break;
		loop->full_misses[level]++;
	}
	return level == 0;
}

static void touch(struct run *run, uint64_t line, struct exact_loop *loop,
		  struct first_miss *first)
{
	uint32_t *nodes = line_words_at(&run->words, line_words_reach(&run->words,
						     lines_number(&run->lines, line)));
	bool shadow_hit = touch_full(run, loop, line, nodes);
	uint64_t evicted;

	for (int level = 0; level < EXACT_LEVELS; level++) {
		struct run_level *at = &run->level[level];
		uint32_t ways = at->geometry.ways;

		if (level)
			shadow_use(&at->shadow, line, &nodes[2 * level], &shadow_hit);
		if (lru_access(at->rows + (size_t)cache_set_of(&at->geometry, line) * ways, ways,
			       line, &evicted))
			return;
		loop->misses[level]++;
		if (level >= EXACT_STREAMS)
			continue;
		run->exact->streams[level].fills++;
		if (level + 1 < EXACT_STREAMS)
			run->exact->streams[level + 1].accesses++;
		if (!first[level].is)
			first[level] = (struct first_miss){ true, shadow_hit, line };
	}
}

static void add_miss(struct exact_stream *stream, uint64_t line, uint32_t context)
{
	stream->misses = grow(stream->misses, stream->count, &stream->capacity,
			      sizeof(*stream->misses));
	stream->misses[stream->count++] = (struct exact_miss){
		line, stream->fills, context, stream->accesses,
	};
}

static int take(void *data, uint64_t thread, uint64_t ip, uint64_t address, uint32_t size,
		bool store)
{
	struct run *run = data;
	uint32_t context = context_at(run->exact, ip);
	struct exact_loop *loop = &run->exact->loops[context];
	struct first_miss first[EXACT_STREAMS] = { { .is = false } };
	uint64_t line = address >> LINE_BITS, last = (address + (size ? size - 1 : 0)) >> LINE_BITS;

	loop->references++;
	run->exact->streams[0].accesses++;
	if (line == last && line == run->last_line)
		return 0;
	run->last_line = last;
	for (; line <= last; line++)
		touch(run, line, loop, first);
	for (int level = 0; level < EXACT_STREAMS && first[level].is && !store; level++) {
		loop->load_misses[level]++;
		loop->conflicts[level] += first[level].conflict;
		add_miss(&run->exact->streams[level], first[level].line, context);
	}
	return 0;
}

static void open_caches(struct run *run)
{
	if (!lines_open(&run->lines, &libc_allocator) ||
	    !line_words_open(&run->words, 2 * EXACT_LEVELS, &libc_allocator))
		exit(-fail("out of memory for the caches"));
	for (int level = 0; level < EXACT_LEVELS; level++) {
		struct run_level *at = &run->level[level];
		struct cache_geometry *geometry = &at->geometry;
		const char *wrong = cache_geometry_init(geometry, caches[level].size,
							caches[level].ways, LINE);

		if (wrong)
			exit(-fail("level %d: %s", level + 1, wrong));
		at->rows = xmalloc(cache_lines(geometry) * sizeof(*at->rows));
		for (uint64_t i = 0; i < cache_lines(geometry); i++)
			at->rows[i] = LRU_EMPTY;
		if (!shadow_l1_open(&at->shadow, cache_lines(geometry), &libc_allocator) ||
		    !shadow_l1_open(&at->full, cache_lines(geometry), &libc_allocator))
			exit(-fail("out of memory for the caches"));
		if (level >= EXACT_STREAMS)
			continue;
		run->exact->streams[level].sets = geometry->sets;
		run->exact->streams[level].ways = geometry->ways;
	}
}

static void close_caches(struct run *run)
{
	line_words_close(&run->words);
	lines_close(&run->lines);
	for (int level = 0; level < EXACT_LEVELS; level++) {
		free(run->level[level].rows);
		shadow_l1_close(&run->level[level].shadow, &libc_allocator);
		shadow_l1_close(&run->level[level].full, &libc_allocator);
	}
}

struct exact *exact_run(const char *trace)
{
	struct exact *exact = xcalloc(1, sizeof(*exact));
	struct run run = { .exact = exact, .last_line = ~0ull };
	int status;

	exact->names = names_new(trace);
	open_caches(&run);
	status = traced_expand(trace, take, &run);
	close_caches(&run);
	if (!status)
		return exact;
	exact_free(exact);
	return NULL;
}

size_t exact_find(const struct exact *exact, const char *function, uint32_t line)
{
	struct contexts *contexts = exact->names->contexts;
	size_t found = SIZE_MAX;
	uint32_t depth = 0;

	for (size_t i = 0; i < exact->contexts; i++) {
		const struct code_region *region = &contexts_tally(contexts, i)->region;

		if (strcmp(region->function, function) || region->kind == REGION_FUNCTION ||
		    line < region->line || line > region->end_line || region->depth < depth)
			continue;
		/* Of a loop that the compiler made two of, the one that runs. */
		if (region->depth == depth && found != SIZE_MAX &&
		    exact->loops[i].references <= exact->loops[found].references)
			continue;
		found = i;
		depth = region->depth;
	}
	return found;
}

void exact_free(struct exact *exact)
{
	for (int i = 0; i < EXACT_STREAMS; i++)
		free(exact->streams[i].misses);
	contexts_free(exact->names->contexts);
	spaces_free(exact->names->spaces);
	symbols_free(exact->names->symbols);
	free(exact->names);
	free(exact->loops);
	free(exact);
}
