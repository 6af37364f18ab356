// SPDX-License-Identifier: GPL-2.0-only
/*
 * brute SIZE,WAYS,LINE... < trace: runs caches over a lackey memory trace and
 * prints a line of totals for each. Every way bears the time of its last use and
 * the oldest goes: slow, plain, and written apart from user/cache.
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
	unsigned long fills = 0;

	for (; line <= end; line++)
		fills += use_line(c, line);
	c->fills += fills;
	if (store) {
		c->stores++;
		c->store_misses += fills > 0;
	} else {
		c->loads++;
		c->load_misses += fills > 0;
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
		printf("loads %lu stores %lu load_misses %lu store_misses %lu fills %lu instructions %lu\n",
		       caches[i].loads, caches[i].stores, caches[i].load_misses,
		       caches[i].store_misses, caches[i].fills, instructions);
	return 0;
}
