// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth: the exact classes of a program's load misses, from a lackey trace.
 *
 *   valgrind --tool=lackey --trace-mem=yes PROGRAM 2>&1 >/dev/null | truth -D 32768,8,64
 *
 * Written apart from everything in user/, to check it: shares no code with it.
 *
 * Every load and store goes, in the trace's order, through a set-associative
 * LRU cache (write-allocate, set = line number modulo sets, any number of
 * sets) and a fully associative LRU cache of the same capacity. A load that
 * misses in the first is
 *   cold      if its line was never touched before,
 *   conflict  if it hits in the second,
 *   capacity  otherwise.
 * A reference over several lines touches them in order; it is one miss if any
 * of them misses, of the class of the first that does. A modify (M) is a load,
 * then a store. lucky-hits are the touches where only the fully associative
 * cache misses.
 *
 * Options:
 *   -D SIZE,WAYS,LINE     geometry, bytes (32768,8,64)
 *   -i                    the instructions with most load misses
 *   -n COUNT              how many of them (20)
 *   -b PERIOD,BURST,SEED  also sample the load misses: bursts of BURST
 *                         consecutive ones, one in PERIOD on average; prints
 *                           cf       share of samples whose set missed at most
 *                                    WAYS samples before (RCD <= WAYS),
 *                           re-miss  share of samples whose line missed fewer
 *                                    samples before than the cache has lines,
 *                         both within the burst (with BURST 1 over all samples),
 *                           burst-sets  how many sets a burst meets on average.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE	UINT32_MAX

enum outcome { HIT, COLD, CAPACITY, CONFLICT, OUTCOMES };

struct geometry {
	uint64_t size, ways, line;
	uint64_t sets, lines;
	unsigned int shift;
};

/* A set-associative LRU cache: the tags of a set, most recent first. */
struct setcache {
	const struct geometry *geo;
	uint64_t *tags;		/* line number + 1; 0: empty */
};

/* A fully associative LRU cache: a list by age and a chained hash by line. */
struct fullcache {
	struct node {
		uint64_t line;
		uint32_t older, newer, chain;
	} *nodes;
	uint32_t *buckets;
	uint32_t capacity, used, newest, oldest;
	unsigned int bits;
};

/* A map from a 64-bit key to a row of counts: open addressing, doubling. */
struct table {
	struct row {
		uint64_t key;	/* key + 1; 0: empty */
		uint64_t loads;
		uint64_t count[OUTCOMES];
	} *rows;
	uint64_t used;
	unsigned int bits;
};

struct sampler {
	bool on;
	uint64_t period, burst, random;
	uint64_t gap, left;	/* misses to skip; samples left in this burst */
	uint64_t samples, bursts, close, again, sets;
	uint64_t start;		/* number of the current burst's first sample */
	uint64_t *set_last;	/* by set: number of its last sample + 1 */
	struct table line_last;	/* by line: the same, in .loads */
};

struct truth {
	struct geometry geo;
	struct setcache set;
	struct fullcache full;
	struct table seen;
	struct table instructions;
	struct sampler sampler;
	bool by_instruction;
	uint64_t top, ip;
	uint64_t loads, stores, store_misses, fills, lucky;
	uint64_t count[OUTCOMES];
};

static void die(const char *what)
{
	fprintf(stderr, "truth: %s\n", what);
	exit(2);
}

static void *zalloc(uint64_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory)
		die("out of memory");
	return memory;
}

static uint64_t slot(uint64_t key, unsigned int bits)
{
	return (key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - bits);
}

/* ---- the map ---- */

static void table_init(struct table *table)
{
	table->bits = 12;
	table->used = 0;
	table->rows = zalloc(UINT64_C(1) << table->bits, sizeof(*table->rows));
}

static struct row *table_probe(const struct table *table, uint64_t key)
{
	uint64_t mask = (UINT64_C(1) << table->bits) - 1;
	uint64_t at = slot(key, table->bits);

	while (table->rows[at].key && table->rows[at].key != key + 1)
		at = (at + 1) & mask;
	return &table->rows[at];
}

static void table_double(struct table *table)
{
	struct row *old = table->rows;
	uint64_t size = UINT64_C(1) << table->bits;

	table->bits++;
	table->rows = zalloc(2 * size, sizeof(*table->rows));
	for (uint64_t i = 0; i < size; i++)
		if (old[i].key)
			*table_probe(table, old[i].key - 1) = old[i];
	free(old);
}

static struct row *table_row(struct table *table, uint64_t key)
{
	struct row *row = table_probe(table, key);

	if (row->key)
		return row;
	if (2 * ++table->used > UINT64_C(1) << table->bits) {
		table_double(table);
		row = table_probe(table, key);
	}
	row->key = key + 1;
	return row;
}

/* ---- the caches ---- */

/* Touch a line; was it there? */
static bool setcache_touch(struct setcache *cache, uint64_t line)
{
	uint64_t ways = cache->geo->ways, tag = line + 1, way;
	uint64_t *tags = cache->tags + line % cache->geo->sets * ways;
	bool hit;

	for (way = 0; way < ways - 1; way++)
		if (tags[way] == tag)
			break;
	hit = tags[way] == tag;
	memmove(tags + 1, tags, way * sizeof(*tags));
	tags[0] = tag;
	return hit;
}

static void fullcache_init(struct fullcache *cache, uint64_t lines)
{
	if (lines >= NONE)
		die("a cache of so many lines is not supported");
	cache->capacity = lines;
	cache->used = 0;
	cache->newest = NONE;
	cache->oldest = NONE;
	for (cache->bits = 1; UINT64_C(1) << cache->bits < 2 * lines; cache->bits++)
		;
	cache->nodes = zalloc(lines, sizeof(*cache->nodes));
	cache->buckets = zalloc(UINT64_C(1) << cache->bits, sizeof(*cache->buckets));
	memset(cache->buckets, 0xff, sizeof(*cache->buckets) << cache->bits);
}

static void fullcache_unlink(struct fullcache *cache, uint32_t at)
{
	struct node *node = &cache->nodes[at];

	if (node->newer == NONE)
		cache->newest = node->older;
	else
		cache->nodes[node->newer].older = node->older;
	if (node->older == NONE)
		cache->oldest = node->newer;
	else
		cache->nodes[node->older].newer = node->newer;
}

static void fullcache_push(struct fullcache *cache, uint32_t at)
{
	struct node *node = &cache->nodes[at];

	node->newer = NONE;
	node->older = cache->newest;
	if (cache->newest == NONE)
		cache->oldest = at;
	else
		cache->nodes[cache->newest].newer = at;
	cache->newest = at;
}

static void fullcache_unhash(struct fullcache *cache, uint32_t at)
{
	uint32_t *link = &cache->buckets[slot(cache->nodes[at].line, cache->bits)];

	while (*link != at)
		link = &cache->nodes[*link].chain;
	*link = cache->nodes[at].chain;
}

static bool fullcache_touch(struct fullcache *cache, uint64_t line)
{
	uint32_t *bucket = &cache->buckets[slot(line, cache->bits)];
	uint32_t at = *bucket;

	while (at != NONE && cache->nodes[at].line != line)
		at = cache->nodes[at].chain;
	if (at != NONE) {
		fullcache_unlink(cache, at);
		fullcache_push(cache, at);
		return true;
	}
	if (cache->used < cache->capacity) {
		at = cache->used++;
	} else {
		at = cache->oldest;
		fullcache_unlink(cache, at);
		fullcache_unhash(cache, at);
	}
	cache->nodes[at].line = line;
	cache->nodes[at].chain = *bucket;
	*bucket = at;
	fullcache_push(cache, at);
	return false;
}

/* ---- sampling ---- */

static uint64_t sampler_random(struct sampler *sampler)
{
	sampler->random ^= sampler->random << 13;
	sampler->random ^= sampler->random >> 7;
	sampler->random ^= sampler->random << 17;
	return sampler->random;
}

/* The next burst comes after a gap with mean burst * (period - 1), evenly spread from 0. */
static void sampler_next_burst(struct sampler *sampler)
{
	sampler->gap = sampler_random(sampler) %
		       (2 * sampler->burst * (sampler->period - 1) + 1);
	sampler->left = sampler->burst;
}

static void sampler_init(struct sampler *sampler, const struct geometry *geo)
{
	sampler->set_last = zalloc(geo->sets, sizeof(*sampler->set_last));
	table_init(&sampler->line_last);
	sampler->random = sampler->random * 2 + 1;
	for (int i = 0; i < 16; i++)
		sampler_random(sampler);
	sampler_next_burst(sampler);
}

static void sampler_miss(struct sampler *sampler, const struct geometry *geo, uint64_t line)
{
	uint64_t *set_last = &sampler->set_last[line % geo->sets];
	uint64_t *line_last, now;

	if (sampler->gap) {
		sampler->gap--;
		return;
	}
	now = ++sampler->samples;
	if (sampler->left == sampler->burst) {
		sampler->bursts++;
		if (sampler->burst > 1)
			sampler->start = now;
	}
	line_last = &table_row(&sampler->line_last, line)->loads;
	if (!*set_last || *set_last < sampler->start)
		sampler->sets++;
	else if (now - *set_last <= geo->ways)
		sampler->close++;
	if (*line_last && *line_last >= sampler->start && now - *line_last < geo->lines)
		sampler->again++;
	*set_last = now;
	*line_last = now;
	if (!--sampler->left)
		sampler_next_burst(sampler);
}

/* ---- references ---- */

static enum outcome touch_line(struct truth *truth, uint64_t line)
{
	bool hit = setcache_touch(&truth->set, line);
	bool full_hit = fullcache_touch(&truth->full, line);
	bool cold;

	if (hit) {
		truth->lucky += !full_hit;
		return HIT;
	}
	truth->fills++;
	if (full_hit)
		return CONFLICT;
	cold = !table_probe(&truth->seen, line)->key;
	if (cold)
		table_row(&truth->seen, line);
	return cold ? COLD : CAPACITY;
}

/* Touch all lines of a reference; the outcome of the first that misses, and which it was. */
static enum outcome touch(struct truth *truth, uint64_t address, uint64_t size, uint64_t *missing)
{
	uint64_t first = address >> truth->geo.shift;
	uint64_t last = (address + size - 1) >> truth->geo.shift;
	enum outcome outcome = HIT;

	for (uint64_t line = first; line <= last; line++) {
		enum outcome this = touch_line(truth, line);

		if (outcome == HIT && this != HIT) {
			outcome = this;
			*missing = line;
		}
	}
	return outcome;
}

static void load(struct truth *truth, uint64_t address, uint64_t size)
{
	uint64_t missing = 0;
	enum outcome outcome = touch(truth, address, size, &missing);

	truth->loads++;
	truth->count[outcome]++;
	if (truth->by_instruction) {
		struct row *row = table_row(&truth->instructions, truth->ip);

		row->loads++;
		row->count[outcome]++;
	}
	if (truth->sampler.on && outcome != HIT)
		sampler_miss(&truth->sampler, &truth->geo, missing);
}

static void store(struct truth *truth, uint64_t address, uint64_t size)
{
	uint64_t missing;

	truth->stores++;
	truth->store_misses += touch(truth, address, size, &missing) != HIT;
}

/* One line of the trace; whatever is no reference (valgrind's notes, say) is passed over. */
static void take_line(struct truth *truth, const char *text)
{
	bool data = text[0] == ' ' && text[1] && strchr("LSM", text[1]) && text[2] == ' ';
	uint64_t address, size;
	char *end;

	if (!data && strncmp(text, "I  ", 3))
		return;
	address = strtoull(text + 3, &end, 16);
	if (end == text + 3 || *end != ',')
		return;
	size = strtoull(end + 1, &end, 10);
	if ((*end != '\n' && *end) || !size || size > 1 << 20)
		return;
	if (!data) {
		truth->ip = address;
		return;
	}
	if (text[1] != 'S')
		load(truth, address, size);
	if (text[1] != 'L')
		store(truth, address, size);
}

/* ---- the report ---- */

static uint64_t misses(const uint64_t *count)
{
	return count[COLD] + count[CAPACITY] + count[CONFLICT];
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0;
}

static int by_misses(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	uint64_t ma = misses(a->count), mb = misses(b->count);

	if (ma != mb)
		return ma < mb ? 1 : -1;
	return a->key < b->key ? -1 : a->key > b->key;
}

static void print_instructions(struct truth *truth)
{
	struct table *table = &truth->instructions;
	uint64_t size = UINT64_C(1) << table->bits;

	qsort(table->rows, size, sizeof(*table->rows), by_misses);
	printf("\n%-18s %12s %12s %12s %12s %12s %9s\n", "instruction", "loads", "load-misses",
	       "cold", "capacity", "conflict", "conflict%");
	for (uint64_t i = 0; i < size && i < truth->top; i++) {
		const struct row *row = &table->rows[i];
		uint64_t all = misses(row->count);

		if (!all)
			break;
		printf("%#-18" PRIx64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64
		       " %12" PRIu64 " %9.2f\n", row->key - 1, row->loads, all, row->count[COLD],
		       row->count[CAPACITY], row->count[CONFLICT],
		       percent(row->count[CONFLICT], all));
	}
}

static void print_count(const char *name, uint64_t count)
{
	printf("%-14s %14" PRIu64 "\n", name, count);
}

static void print_class(const char *name, uint64_t count, uint64_t all)
{
	printf("%-14s %14" PRIu64 " %8.2f%%\n", name, count, percent(count, all));
}

static void report(struct truth *truth)
{
	const struct geometry *geo = &truth->geo;
	const struct sampler *sampler = &truth->sampler;
	uint64_t all = misses(truth->count);

	printf("geometry       %" PRIu64 ",%" PRIu64 ",%" PRIu64 " (%" PRIu64 " sets)\n",
	       geo->size, geo->ways, geo->line, geo->sets);
	print_count("loads", truth->loads);
	print_count("stores", truth->stores);
	print_count("load-misses", all);
	print_count("store-misses", truth->store_misses);
	print_count("fills", truth->fills);
	print_class("cold", truth->count[COLD], all);
	print_class("capacity", truth->count[CAPACITY], all);
	print_class("conflict", truth->count[CONFLICT], all);
	print_count("lucky-hits", truth->lucky);
	if (sampler->on) {
		print_count("samples", sampler->samples);
		print_count("bursts", sampler->bursts);
		print_class("cf", sampler->close, sampler->samples);
		print_class("re-miss", sampler->again, sampler->samples);
		printf("%-14s %14.1f\n", "burst-sets",
		       sampler->bursts ? (double)sampler->sets / sampler->bursts : 0);
	}
	if (truth->by_instruction)
		print_instructions(truth);
}

/* ---- options ---- */

static void parse_numbers(const char *text, uint64_t *numbers, int count, const char *usage)
{
	char *end;

	for (int i = 0; i < count; i++) {
		errno = 0;
		numbers[i] = strtoull(text, &end, 10);
		if (end == text || *end != (i + 1 < count ? ',' : '\0') || errno)
			die(usage);
		text = end + 1;
	}
}

static void set_geometry(struct geometry *geo, const char *text)
{
	uint64_t n[3];

	parse_numbers(text, n, 3, "-D takes SIZE,WAYS,LINE, for example 32768,8,64");
	*geo = (struct geometry){ .size = n[0], .ways = n[1], .line = n[2] };
	if (!geo->line || geo->line & (geo->line - 1))
		die("-D: the line must be a power of two");
	if (!geo->ways || !geo->size || geo->size % geo->line || geo->size / geo->line % geo->ways)
		die("-D: the size must be sets x ways x line");
	geo->lines = geo->size / geo->line;
	geo->sets = geo->lines / geo->ways;
	geo->shift = __builtin_ctzll(geo->line);
}

static void set_sampler(struct sampler *sampler, const char *text)
{
	uint64_t n[3];

	parse_numbers(text, n, 3, "-b takes PERIOD,BURST,SEED, for example 1212,1024,1");
	if (!n[0] || !n[1] || n[0] > UINT32_MAX || n[1] > UINT32_MAX)
		die("-b: period and burst must be between 1 and 4294967295");
	*sampler = (struct sampler){ .on = true, .period = n[0], .burst = n[1], .random = n[2] };
}

int main(int argc, char **argv)
{
	static struct truth truth = { .top = 20 };
	char text[4096];
	int option;

	set_geometry(&truth.geo, "32768,8,64");
	while ((option = getopt(argc, argv, "D:in:b:")) != -1) {
		if (option == 'D')
			set_geometry(&truth.geo, optarg);
		else if (option == 'i')
			truth.by_instruction = true;
		else if (option == 'n')
			parse_numbers(optarg, &truth.top, 1, "-n takes a count");
		else if (option == 'b')
			set_sampler(&truth.sampler, optarg);
		else
			die("options: -D SIZE,WAYS,LINE  -i  -n COUNT  -b PERIOD,BURST,SEED");
	}
	if (optind != argc)
		die("the trace is read from standard input");
	truth.set.geo = &truth.geo;
	truth.set.tags = zalloc(truth.geo.lines, sizeof(*truth.set.tags));
	fullcache_init(&truth.full, truth.geo.lines);
	table_init(&truth.seen);
	table_init(&truth.instructions);
	if (truth.sampler.on)
		sampler_init(&truth.sampler, &truth.geo);
	while (fgets(text, sizeof(text), stdin))
		take_line(&truth, text);
	report(&truth);
	return 0;
}
