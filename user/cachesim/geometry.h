/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The shape of one cache level, and where an address lives in it.
 *
 * Freestanding: no libc, no globals. The Valgrind engine, the tools and the
 * tests share it.
 */
#ifndef CCSAMPLE_CACHESIM_GEOMETRY_H
#define CCSAMPLE_CACHESIM_GEOMETRY_H

#include <stdint.h>

#define CACHE_WAYS_MAX	4096u
#define CACHE_SETS_MAX	(1u << 24)

struct cache_geometry {
	uint32_t sets;		/* any number, powers of two or not */
	uint32_t ways;
	uint32_t line;		/* bytes, a power of two */
	uint32_t line_bits;	/* log2(line) */
};

/**
 * cache_geometry_init() - fill a geometry from what people write: size, ways, line.
 * @g: filled on success only
 * @size: bytes in total
 * @ways: associativity, 1 .. CACHE_WAYS_MAX
 * @line: bytes of a line, a power of two, 8 .. 4096
 *
 * The number of sets, size / (ways * line), need not be a power of two.
 *
 * Return: NULL, or what is wrong with the numbers.
 */
const char *cache_geometry_init(struct cache_geometry *g, uint64_t size,
				uint32_t ways, uint32_t line);

/**
 * cache_geometry_parse() - read "size,ways,line" as in `--D1 32K,8,64`.
 * @g: filled on success only
 * @text: size takes a suffix K, M or G (powers of 1024)
 *
 * Return: NULL, or what is wrong with the text.
 */
const char *cache_geometry_parse(struct cache_geometry *g, const char *text);

/**
 * cache_tlb_parse() - read "entries,ways,page" as in `--tlb 64,4,4K`: lines are pages.
 * @g: filled on success only
 * @text: page takes a suffix K, M or G
 *
 * Return: NULL, or what is wrong with the text.
 */
const char *cache_tlb_parse(struct cache_geometry *g, const char *text);

/**
 * cache_tlb_init() - the same of numbers.
 * @entries: 1 to 65,536
 * @ways: that many entries are a set; as many as @entries = fully associative
 * @page: bytes, a power of two from 4 KiB to 1 GiB
 */
const char *cache_tlb_init(struct cache_geometry *g, uint64_t entries, uint64_t ways,
			   uint64_t page);

/* Lines that the cache holds. */
static inline uint32_t cache_lines(const struct cache_geometry *g)
{
	return g->sets * g->ways;
}

static inline uint64_t cache_size(const struct cache_geometry *g)
{
	return (uint64_t)cache_lines(g) << g->line_bits;
}

/* The number of the line that an address lies in. */
static inline uint64_t cache_line_of(const struct cache_geometry *g, uint64_t address)
{
	return address >> g->line_bits;
}

/* The set of a line. */
static inline uint32_t cache_set_of(const struct cache_geometry *g, uint64_t line)
{
	if (!(g->sets & (g->sets - 1)))
		return line & (g->sets - 1);
	return line % g->sets;
}

#endif /* CCSAMPLE_CACHESIM_GEOMETRY_H */
