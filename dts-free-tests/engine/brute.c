// SPDX-License-Identifier: GPL-2.0-only
/*
 * brute SIZE,WAYS,LINE[+SIZE,WAYS,LINE...]... < trace: runs caches over a lackey
 * memory trace and prints a line of totals for each; + puts a cache behind
 * another, to be asked for the lines absent there. Every way bears the time of
 * its last use and the oldest goes: slow, plain, and written apart from user/cachesim.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct way {
	unsigned long line;
	unsigned long used;	/* 0 = empty */
};

struct cache {
	unsigned long sets, ways, line_size;
	struct way *way;
	struct cache *behind;
	unsigned long absent;	/* lines of the reference at hand */
	unsigned long loads, stores, load_misses, store_misses, fills;
};

static unsigned long now;

/* Returns 1 if the line had to be brought in. */
static int use_line(struct cache *c, unsigned long line)
{
	struct way *set = c->way + line % c->sets * c->ways, *oldest = set;
	unsigned long i;

	now++;
	for (i = 0; i < c->ways; i++) {
		if (set[i].used && set[i].line == line) {
			set[i].used = now;
			return 0;
		}
		if (set[i].used < oldest->used)
			oldest = &set[i];
	}
	oldest->line = line;
	oldest->used = now;
	return 1;
}

static void use(struct cache *c, unsigned long address, unsigned long size, int store)
{
	unsigned long line = address / c->line_size, end = (address + size - 1) / c->line_size;
	struct cache *at;

	for (; line <= end; line++)
		for (at = c; at && use_line(at, line); at = at->behind)
			at->absent++;
	c->stores += store;
	c->loads += !store;
	for (at = c; at; at = at->behind) {
		at->fills += at->absent;
		*(store ? &at->store_misses : &at->load_misses) += at->absent > 0;
		at->absent = 0;
	}
}

static void make(struct cache *c, char *text)
{
	unsigned long size = strtoul(text, &text, 10);

	if (*text == 'K') {
		size *= 1024;
		text++;
	}
	c->ways = strtoul(text + 1, &text, 10);
	c->line_size = strtoul(text + 1, &text, 10);
	c->sets = size / c->ways / c->line_size;
	c->way = calloc(c->sets * c->ways, sizeof(*c->way));
	if (*text != '+')
		return;
	c->behind = calloc(1, sizeof(*c));
	make(c->behind, text + 1);
}

static void print(const struct cache *c, unsigned long instructions)
{
	int level = 2;

	printf("loads %lu stores %lu load_misses %lu store_misses %lu fills %lu instructions %lu",
	       c->loads, c->stores, c->load_misses, c->store_misses, c->fills, instructions);
	for (c = c->behind; c; c = c->behind, level++)
		printf(" L%d_load_misses %lu L%d_store_misses %lu L%d_fills %lu L%d_unresolved 0",
		       level, c->load_misses, level, c->store_misses, level, c->fills, level);
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct cache *caches = calloc(argc, sizeof(*caches));
	unsigned long instructions = 0, address, size;
	char line[256], kind;
	int i, n = argc - 1;

	for (i = 0; i < n; i++)
		make(&caches[i], argv[i + 1]);
	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, " %c %lx,%lu", &kind, &address, &size) != 3)
			continue;
		instructions += kind == 'I';
		for (i = 0; i < n; i++) {
			if (kind == 'L' || kind == 'M')
				use(&caches[i], address, size, 0);
			if (kind == 'S' || kind == 'M')
				use(&caches[i], address, size, 1);
		}
	}
	for (i = 0; i < n; i++)
		print(&caches[i], instructions);
	return 0;
}
