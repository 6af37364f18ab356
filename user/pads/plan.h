/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plans of pads: which heap blocks begin later than the allocator placed them or lie in huge pages,
 * and whether threads begin later on their stacks. Pure, and without an allocator: the library that
 * runs inside programs reads plans before malloc() works. The text is described in
 * docs/howto/cure.md.
 */
#ifndef CCSAMPLE_PADS_PLAN_H
#define CCSAMPLE_PADS_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PADS_SPAN		4096u	/* shifts are below it: the sets of L1 repeat with it */
#define PADS_GRAIN		64u	/* shifts are multiples of it: a line */
#define PADS_HUGE		(2u << 20)	/* bytes of a huge page */
#define PADS_LEAST_BLOCK	1984u	/* bytes: smaller blocks are never shifted */
#define PADS_DEFAULT_LEAST	131072u	/* without a plan */
#define PADS_SITES_MOST		4096u
#define PADS_MODULES_MOST	256u
#define PADS_NAME_MOST		255u	/* bytes: NAME_MAX */
#define PADS_BUILD_ID_MOST	32u
#define PADS_VARIABLE		"CCSAMPLE_PADS"	/* environment: the plan's path */

/* Blocks of some sizes, and what becomes of them. */
struct pads_rule {
	uint64_t least, most;		/* bytes, both included */
	uint32_t step;			/* bytes between the shifts of one block and the next */
	uint32_t first;			/* the number of its first block */
	uint32_t align;			/* promises above it are not kept; 0 = all are kept */
	bool huge;			/* in huge pages: least >= PADS_HUGE; else step > 0 */
};

/* Blocks allocated by one call. */
struct pads_site {
	uint32_t module;		/* of the plan's */
	uint64_t offset;		/* ELF address that the call returns to */
	struct pads_rule rule;
};

/* A file that holds sites. */
struct pads_module {
	char name[PADS_NAME_MOST + 1];	/* as the file has it */
	uint32_t build_id_size;		/* 0 = any build */
	uint8_t build_id[PADS_BUILD_ID_MOST];
};

struct pads_plan {
	uint32_t module_count, site_count;
	bool has_all;
	struct pads_rule all;		/* of the sites that are not named */
	uint32_t stack_step;		/* bytes between threads on their stacks; 0 = none */
	struct pads_module modules[PADS_MODULES_MOST];
	struct pads_site sites[PADS_SITES_MOST];
};

/**
 * pads_plan_parse() - read a plan.
 * @text: @size bytes
 * @line: set to the number of the line that is wrong, from 1
 *
 * Return: NULL, or what is wrong and what is expected. The plan is then not to be used.
 */
const char *pads_plan_parse(struct pads_plan *plan, const char *text, size_t size, uint32_t *line);

/**
 * pads_name_escape() - a module's name as it stands in plans.
 * @text: room for 4 times the name, and the terminating zero
 *
 * Blanks, line ends, '#' and backslashes become a backslash and three octal digits, as in
 * /proc/mounts.
 *
 * Return: the length.
 */
size_t pads_name_escape(char *text, const char *name);

/* The plan where there is none: all blocks of at least PADS_DEFAULT_LEAST, a line apart. */
void pads_plan_default(struct pads_plan *plan);

/* The smallest block that any rule shifts; SIZE_MAX if none does. */
size_t pads_plan_least(const struct pads_plan *plan);

/* Blocks of this size are the rule's. */
static inline bool pads_rule_takes(const struct pads_rule *rule, size_t size)
{
	return size >= rule->least && size <= rule->most;
}

/*
 * The alignment that a shift must keep: what the call promised, unless the plan gives it up.
 * @align: promised, a power of two
 */
static inline size_t pads_kept_align(const struct pads_rule *rule, size_t align)
{
	if (rule->align && align > rule->align)
		align = rule->align;
	return align > PADS_GRAIN ? align : PADS_GRAIN;
}

/**
 * pads_shift() - how much later a block begins.
 * @number: of the block among its rule's, from 0
 * @align: as pads_kept_align() gives it
 *
 * Return: a multiple of @align below PADS_SPAN.
 */
static inline uint32_t pads_shift(uint64_t number, uint32_t step, size_t align)
{
	if (align >= PADS_SPAN)
		return 0;
	return number * ((step + align - 1) & ~(align - 1)) % PADS_SPAN;
}

/*
 * Bytes to ask for beyond the block: room for the largest shift. Not the shift itself: blocks of
 * one size would have many sizes, and the allocator could reuse the place of none for another.
 * Nor less than the span: of blocks one behind the other in the heap each would begin as much
 * earlier in it as its shift lets it begin later.
 */
static inline uint32_t pads_room(size_t align)
{
	return align >= PADS_SPAN ? 0 : PADS_SPAN;
}

#endif /* CCSAMPLE_PADS_PLAN_H */
