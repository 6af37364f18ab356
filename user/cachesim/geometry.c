// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stddef.h>

#include "cachesim/geometry.h"

#define PAGE_LEAST	4096u
#define PAGE_MOST	(1u << 30)
#define TLB_MOST	65536u

static uint32_t log2_exact(uint32_t power)
{
	uint32_t bits = 0;

	while (power >>= 1)
		bits++;
	return bits;
}

const char *cache_geometry_init(struct cache_geometry *g, uint64_t size,
				uint32_t ways, uint32_t line)
{
	uint64_t way_bytes = (uint64_t)ways * line;

	if (line < 8 || line > 4096 || line & (line - 1))
		return "the line must be a power of two from 8 to 4096 bytes";
	if (!ways || ways > CACHE_WAYS_MAX)
		return "the ways must be from 1 to 4096";
	if (!size || size % way_bytes)
		return "the size must be a multiple of ways x line";
	if (size / way_bytes > CACHE_SETS_MAX || size / line > CACHE_SETS_MAX)
		return "the cache may have at most 16777216 lines";
	g->sets = size / way_bytes;
	g->ways = ways;
	g->line = line;
	g->line_bits = log2_exact(line);
	return NULL;
}

/* Reads a decimal number with an optional suffix; *text moves past it. */
static int parse_number(const char **text, uint64_t *value)
{
	const char *s = *text;
	uint64_t n = 0;

	if (*s < '0' || *s > '9')
		return -1;
	for (; *s >= '0' && *s <= '9'; s++) {
		if (n > UINT64_MAX / 10 - 1)
			return -1;
		n = n * 10 + (*s - '0');
	}
	switch (*s) {
	case 'G': case 'g':
		n = n > UINT32_MAX ? 0 : n << 10;
		/* fall through */
	case 'M': case 'm':
		n = n > UINT32_MAX ? 0 : n << 10;
		/* fall through */
	case 'K': case 'k':
		n = n > UINT32_MAX ? 0 : n << 10;
		s++;
		break;
	}
	*text = s;
	*value = n;
	return 0;
}

/* Three numbers, commas between. */
static bool parse_three(const char *text, uint64_t number[3])
{
	for (int i = 0; i < 3; i++) {
		if (parse_number(&text, &number[i]) || *text != (i < 2 ? ',' : '\0'))
			return false;
		text += i < 2;
	}
	return true;
}

const char *cache_geometry_parse(struct cache_geometry *g, const char *text)
{
	uint64_t number[3];

	if (!parse_three(text, number))
		return "expected size,ways,line as in 32K,8,64";
	if (number[1] > UINT32_MAX || number[2] > UINT32_MAX)
		return "ways and line must be small numbers";
	return cache_geometry_init(g, number[0], number[1], number[2]);
}

const char *cache_tlb_init(struct cache_geometry *g, uint64_t entries, uint64_t ways,
			   uint64_t page)
{
	if (page < PAGE_LEAST || page > PAGE_MOST || page & (page - 1))
		return "the page must be a power of two from 4K to 1G";
	if (!entries || entries > TLB_MOST)
		return "the entries must be from 1 to 65536";
	if (!ways || ways > CACHE_WAYS_MAX || entries % ways)
		return "the ways must be from 1 to 4096, and the entries a multiple of them";
	g->sets = entries / ways;
	g->ways = ways;
	g->line = page;
	g->line_bits = log2_exact(page);
	return NULL;
}

const char *cache_tlb_parse(struct cache_geometry *g, const char *text)
{
	uint64_t number[3];

	if (!parse_three(text, number))
		return "expected entries,ways,page as in 64,4,4K";
	return cache_tlb_init(g, number[0], number[1], number[2]);
}
