/* SPDX-License-Identifier: GPL-2.0-only */
/* What space.c, which replays records, and space-object.c, which answers, share. */
#ifndef CCSAMPLE_SPACE_SPACE_INSIDE_H
#define CCSAMPLE_SPACE_SPACE_INSIDE_H

#include "base/map.h"
#include "space/objects.h"
#include "space/ranges.h"
#include "space/site.h"
#include "space/space.h"
#include "space/totals.h"

/* What is mapped in one or more ranges: the pieces of one CCS_MAP, of all forks together. */
struct mapping {
	struct module *module;		/* NULL = anonymous, or no file */
	struct object *object;		/* where it is not the module's data */
	uint64_t start;
	uint64_t offset;		/* of @start in the file */
	uint64_t bias;
	uint32_t protection;
	uint32_t pieces;		/* entries in ranges, 0 = free */
	enum { BIAS_UNKNOWN, BIAS_NONE, BIAS_KNOWN } bias_state;
};

/* A call stack; a fork's child shares it. */
struct stack {
	uint32_t users;			/* entries in ranges */
	uint32_t depth;
	struct object *object[2];	/* by enum ccs_alloc_kind, NULL = not asked for yet */
	uint64_t frames[];
};

/* A fork's child shares all that it does not change with its parent. */
struct space {
	struct spaces *spaces;
	char *program;
	struct ranges maps;		/* value: index in @mappings */
	struct ranges heap;		/* value: object id */
	uint64_t least_block;	/* bytes: smaller blocks of the heap may have been freed unseen */
	struct ranges blocks;		/* mapped by the program; value: object id */
	struct ranges threads;		/* stacks */
	struct ranges stacks;		/* call stacks, by id; value: index in @stacks */
	struct totals alive;		/* bytes, by object id */
	uint64_t code_version;
	uint64_t object_version;
	uint64_t salt;			/* where its answers are kept */
};

/* Elements of an array that come and go. */
struct numbers {
	uint32_t *free;
	size_t free_count;
	size_t free_capacity;
	size_t count;			/* ever in use at once */
};

struct spaces {
	struct symbols *symbols;
	struct objects objects;
	struct sites *sites;
	struct frames *frames;
	struct map by_process;		/* -> struct space */
	struct mapping *mappings;
	size_t mapping_capacity;
	struct numbers mapping_numbers;
	struct stack **stacks;
	size_t stack_capacity;
	struct numbers stack_numbers;
	uint64_t code_version;		/* the newest of all, so that none comes twice */
	uint64_t object_version;	/* likewise */
	uint64_t least_block;		/* bytes: smaller heap blocks are unknown in some process */
	uint64_t least_mapping;		/* ... smaller mappings */
	bool unnamed;			/* all data is one object */
	uint32_t last_process;
	struct space *last;
	struct object_cache *answers;	/* of all spaces; both made by the first question */
	struct code_slot *code;
};

/* space-frame.c: what is known of calls' frames. */
struct frames *frames_new(void);
void frames_free(struct frames *frames);

/* Takes back all answers of space_object(). */
void space_forget(struct space *space);

/* Takes back what was answered for [start, end). */
void space_forget_range(struct space *space, uint64_t start, uint64_t end);

/* An object that every program has one of: "[stack]", "[unknown]". */
struct object *space_own_object(struct space *space, enum object_kind kind, const char *name);

/* The object of a global or stack variable, with the type and size that its module has. */
struct object *space_variable(struct space *space, enum object_kind kind,
			      struct module *module, const struct variable *variable);

#endif /* CCSAMPLE_SPACE_SPACE_INSIDE_H */
