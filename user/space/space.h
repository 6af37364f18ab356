/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The address spaces of a recording, replayed in the order of its records:
 * what was mapped, allocated and on whose stack when a sample was taken.
 */
#ifndef CCSAMPLE_SPACE_SPACE_H
#define CCSAMPLE_SPACE_SPACE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "format/format.h"
#include "program/symbols.h"

struct layout;
struct spaces;		/* all process images */
struct space;		/* one */

struct spaces *spaces_new(struct symbols *symbols);
void spaces_free(struct spaces *spaces);

/**
 * spaces_set_wrappers() - functions that allocate for their callers alone.
 * @names: comma-separated, valid as long as the spaces; NULL = those that look like it
 *
 * Before any record.
 */
void spaces_set_wrappers(struct spaces *spaces, const char *names);

/* All data is one unknown object: to look for its names takes longest. */
void spaces_leave_unnamed(struct spaces *spaces);

/**
 * spaces_replay() - take in a side-band record.
 *
 * CCS_PROCESS, THREAD, MAP, UNMAP, STACK, ALLOC, FREE and EXIT; others are
 * ignored. A fork's child begins with a copy of its parent's space. After EXIT
 * the space may be dropped (its objects' names are kept).
 */
void spaces_replay(struct spaces *spaces, const struct ccs_record *record);

/* A recording ends: its process images are gone, what is known of objects is kept. */
void spaces_end(struct spaces *spaces);

/* The space of a process image; made empty if no CCS_PROCESS was read for it. */
struct space *spaces_get(struct spaces *spaces, uint32_t process);

/* Grows whenever what an instruction address means may have changed (for caches of look-ups). */
uint64_t space_code_version(const struct space *space);

struct code {
	struct module *module;	/* NULL = in no mapped file */
	uint64_t address;	/* link-time address in the module, or the plain address */
	bool anonymous;		/* mapped, but of no file (JIT) */
};

/* What an instruction address means now. */
struct code space_code(struct space *space, uint64_t ip);

enum object_kind {
	OBJECT_HEAP,		/* blocks allocated at one place */
	OBJECT_GLOBAL,		/* one variable, or a module's data without symbols */
	OBJECT_STACK,		/* a variable on a stack, or the rest of it */
	OBJECT_MAPPING,		/* memory mapped by the program, a file, or unknown */
};

/* "heap", "global", "stack", "mapping": the words of `report --json`. */
const char *object_kind_name(enum object_kind kind);

#define OBJECT_CALLS 16		/* most calls known of an object */

/*
 * A data object as a person would name it: all heap blocks that one call chain
 * allocated are one object; a global is one; a function's variable on the stack
 * is one, whichever call's it is; what else lies on the stacks of a process is
 * one. The same object of several process images of the same program is
 * the same. Strings and objects live as long as @spaces.
 */
struct object {
	uint32_t id;		/* 1, 2, ... */
	enum object_kind kind;
	const char *name;	/* "grid", or "block of make_grid" without a variable's name */
	const char *where;	/* declaration or allocation: "stencil.c:41", "make_grid+0x1c"; "" =
				 * unknown
				 */
	uint64_t bytes;		/* largest total alive at once (a global: its size), 0 = unknown */
	uint64_t blocks;	/* heap: blocks ever allocated there */
	const char *type;	/* "double[129][128]"; of blocks, "double[]"; NULL = unknown */
	const struct layout *layout;	/* members and sub-arrays; NULL = none to distinguish */
	const char *chain;	/* of a block: its allocating function and place, and its callers';
				 * NULL = unknown
				 */
	uint64_t block_least;	/* bytes of its smallest block, 0 = unknown */
	uint64_t block_most;
	uint64_t block_first;	/* where the first one began */
	uint64_t block_bits;	/* set in the address of any */
	uint64_t block_apart;	/* set in the distance of any from the first */
	uint64_t element;		/* bytes of what blocks hold many of, of containers in
					 * containers of what the innermost hold; 0 = unknown
					 */
	/* Of blocks: the calls of malloc() or operator new, */
	struct code calls[OBJECT_CALLS];
	size_t call_count;			/* their last bytes */
	bool common;			/* of a Fortran COMMON block */
	bool rest;			/* several blocks of another object: space_block() */
};

/* A name behind "block of" or "blocks of": without these words where it begins with them. */
static inline const char *object_of_blocks(const char *name)
{
	return strncmp(name, "block of ", strlen("block of ")) ? name : name + strlen("block of ");
}

/* By name; of equal names the one that was found first comes first. As strcmp(). */
int object_order(const struct object *a, const struct object *b);

enum language { LANGUAGE_OTHER, LANGUAGE_CXX, LANGUAGE_FORTRAN, LANGUAGE_PYTHON };

/*
 * What declares or allocates it is written in, by the name of its source; what a module of Python's
 * allocates is a Python program's.
 */
enum language object_language(const struct object *object);

/* What lies together in memory is the first dimension. */
static inline bool object_is_fortran(const struct object *object)
{
	return object && object_language(object) == LANGUAGE_FORTRAN;
}

/* What a pad of it makes longer, in its language's words: "rows", "leading dimension". */
const char *object_rows(const struct object *object);

/* The power of two that all its blocks begin at a multiple of; 0 = unknown. */
static inline uint64_t object_alignment(const struct object *object)
{
	return object->block_bits & -object->block_bits;
}

/* The power of two that all its blocks begin a multiple of apart; 0 = there are no two. */
static inline uint64_t object_spacing(const struct object *object)
{
	return object->block_apart & -object->block_apart;
}

/**
 * space_object() - the data object that holds an address now.
 *
 * Never NULL: what is unknown is an object of kind mapping named "[unknown]".
 * Costs a few nanoseconds when the last answer still holds.
 */
const struct object *space_object(struct space *space, uint64_t address);

/*
 * As space_object(); @base receives where its variable or block begins, which distinguishes blocks
 * of an object apart; 0 = unknown. Where the object has a layout, that begins there.
 */
const struct object *space_object_base(struct space *space, uint64_t address, uint64_t *base);

/**
 * space_frame_object() - the variable on the stack that holds an address.
 * @frame: of a call under way
 * @base: receives where the variable begins, 0 = unknown
 *
 * What lies in the frame but in no variable known is an object of the function.
 *
 * Return: NULL if the address is not in this frame, or it is unknown.
 */
const struct object *space_frame_object(struct space *space, const struct ccs_frame *frame,
					uint64_t address, uint64_t *base);

/* Does it lie on the stack of a thread that the program created? */
bool space_on_thread(const struct space *space, uint64_t address);

/* As space_object(); the answer is the same for all of [*low, *high). */
const struct object *space_object_range(struct space *space, uint64_t address, uint64_t *low,
					uint64_t *high);

/**
 * space_block() - a block of an object as an object of its own: "rows[#3]".
 * @number: 1, 2, .. in the order in which its blocks were allocated
 * @rest: it and all that came later, "rows[#4..]"
 */
const struct object *space_block(struct space *space, const struct object *object,
				 uint32_t number, bool rest);

struct wire;

/*
 * spaces_wire() - writes all objects, or adds those of another process to ours.
 * @ids: reading, receives what its ids, from 1 to the number returned, are here; to be freed
 */
size_t spaces_wire(struct spaces *spaces, struct wire *wire, const struct modules *modules,
		   uint32_t **ids);

/* Bytes: smaller heap blocks were given up by a process that made very many (CCS_FORGET); or 0. */
uint64_t spaces_least_block(const struct spaces *spaces);

/* ... smaller mappings (CCS_FORGET_MAPS). */
uint64_t spaces_least_mapping(const struct spaces *spaces);

/* Objects are numbered from 1. */
const struct object *spaces_object(const struct spaces *spaces, uint32_t id);

#endif /* CCSAMPLE_SPACE_SPACE_H */
