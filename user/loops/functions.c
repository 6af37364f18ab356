// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/array.h"
#include "loops/functions.h"

#define STUB_STEPS	3	/* endbr64, jmp; or with a prefix */
#define SEARCH_BYTES	1024	/* of a function that is looked at for returns */
#define SEARCH_PATHS	64	/* of it at a time */
#define SEARCH_DEPTH	6	/* calls within calls */

/* Of the C, C++ and Fortran libraries, the compiler's run time, glib and the kernel's habits. */
static const char *const endless_names[] = {
	"abort", "exit", "_exit", "_Exit", "quick_exit", "__assert", "__assert_fail",
	"__assert_perror_fail", "__assert_fail_base", "__stack_chk_fail", "__stack_chk_fail_local",
	"__fortify_fail", "__chk_fail", "__libc_fatal", "__libc_start_main", "longjmp", "_longjmp",
	"siglongjmp", "__longjmp_chk", "pthread_exit", "thrd_exit", "_Unwind_Resume",
	"__cxa_throw", "__cxa_rethrow", "__cxa_bad_cast",
	"__cxa_bad_typeid", "__cxa_throw_bad_array_new_length", "__cxa_pure_virtual",
	"__cxa_call_unexpected", "__cxa_deleted_virtual", "_ZSt9terminatev",
	"_ZSt10unexpectedv", "__clang_call_terminate",
	"err", "errx", "verr", "verrx", "_ZSt21__glibcxx_assert_failPKciS0_S0_",
	"_gfortran_runtime_error", "_gfortran_runtime_error_at", "_gfortran_os_error",
	"_gfortran_os_error_at", "_gfortran_stop_numeric", "_gfortran_stop_string",
	"_gfortran_error_stop_numeric", "_gfortran_error_stop_string",
	"g_assertion_message", "g_assertion_message_expr", "rust_panic", "Py_FatalError",
	"_Py_FatalErrorFunc", "Py_ExitStatusException",
};

static bool endless_name(const char *name)
{
	size_t length = strcspn(name, "@");

	for (size_t i = 0; i < ARRAY_SIZE(endless_names); i++)
		if (strlen(endless_names[i]) == length &&
		    !memcmp(endless_names[i], name, length))
			return true;
	/* std::__throw_out_of_range(char const*) and its like */
	return !strncmp(name, "_ZSt", 4) && strstr(name, "__throw_");
}

/* The name of what a jump or call goes to by a slot that the dynamic linker fills in, or NULL. */
static const char *slot_name(const struct flow_source *source, uint64_t at)
{
	const uint8_t *bytes;
	struct move move;
	size_t left;

	bytes = image_at(source->image, at, true, &left);
	if (!bytes || !decoder_move(source->decoder, bytes, left, at, &move) ||
	    move.kind != MOVE_GO || move.from != NO_REGISTER || !move.place.absolute ||
	    move.place.index != NO_REGISTER)
		return NULL;
	return image_import(source->image, move.place.displacement);
}

/* The name of what an entry of the PLT jumps to; NULL where the code is no such entry. */
static const char *stub_name(const struct flow_source *source, uint64_t at)
{
	for (int i = 0; i < STUB_STEPS; i++) {
		const uint8_t *bytes;
		struct step step;
		size_t left;

		bytes = image_at(source->image, at, true, &left);
		if (!bytes || !decoder_step(source->decoder, bytes, left, at, &step))
			return NULL;
		if (step.kind == STEP_JUMP_AWAY)
			return slot_name(source, at);
		/* endbr64 is a kind of nop. */
		if (step.kind != STEP_NEXT && step.kind != STEP_PADDING)
			return NULL;
		at += step.size;
	}
	return NULL;
}

/* A function while it is followed to its returns. */
struct search {
	const struct flow_source *source;
	const struct extent *extent;
	const uint8_t *bytes;		/* of all of it */
	unsigned int depth;		/* of calls */
	uint8_t seen[SEARCH_BYTES];	/* instructions, by where they begin */
	uint64_t work[SEARCH_PATHS];	/* addresses to go on from */
	size_t count;
};

static bool endless(const struct flow_source *source, uint64_t address, unsigned int depth);

static bool endless_slot(const struct flow_source *source, uint64_t at)
{
	const char *name = slot_name(source, at);

	return name && endless_name(name);
}

/* A path leads to an address. Return: false if the function may return by that. */
static bool search_there(struct search *search, uint64_t to)
{
	const struct extent *extent = search->extent;

	if (to < extent->start || to >= extent->end)
		return endless(search->source, to, search->depth + 1);
	if (search->count == SEARCH_PATHS)
		return false;
	search->work[search->count++] = to;
	return true;
}

/* Return: false where the path may return; what else it leads to is left for later. */
static bool search_path(struct search *search, uint64_t at)
{
	const struct extent *extent = search->extent;
	struct step step;

	for (; at < extent->end && !search->seen[at - extent->start]; at += step.size) {
		search->seen[at - extent->start] = 1;
		if (!decoder_step(search->source->decoder, search->bytes + (at - extent->start),
				  extent->end - at, at, &step))
			return false;
		switch (step.kind) {
		case STEP_TRAP:
			return true;
		case STEP_END:
			return false;
		case STEP_JUMP_AWAY:
			return endless_slot(search->source, at);
		case STEP_JUMP:
			return search_there(search, step.target);
		case STEP_BRANCH:
			if (!search_there(search, step.target))
				return false;
			break;
		case STEP_CALL:
			if (endless(search->source, step.target, search->depth + 1))
				return true;
			break;
		case STEP_CALL_AWAY:
			if (endless_slot(search->source, at))
				return true;
			break;
		default:
			break;
		}
	}
	return at < extent->end;
}

/* Does no path through a function's code lead to a return, or out of what is read here? */
static bool endless_code(const struct flow_source *source, const struct extent *extent,
			 unsigned int depth)
{
	struct search search = { .source = source, .extent = extent, .depth = depth };
	size_t left;

	if (depth == SEARCH_DEPTH || extent->end - extent->start > SEARCH_BYTES)
		return false;
	search.bytes = image_at(source->image, extent->start, true, &left);
	if (!search.bytes || left < extent->end - extent->start)
		return false;
	search.work[search.count++] = extent->start;
	while (search.count)
		if (!search_path(&search, search.work[--search.count]))
			return false;
	return true;
}

static bool look_up_endless(const struct flow_source *source, uint64_t address, unsigned int depth)
{
	const struct extent *extent = extents_find(source->extents, address);
	const char *name = NULL;

	if (extent && extent->start == address)
		name = extent->name;
	if (!name)
		name = stub_name(source, address);
	if (name && endless_name(name))
		return true;
	return extent && extent->start == address && endless_code(source, extent, depth);
}

static bool endless(const struct flow_source *source, uint64_t address, unsigned int depth)
{
	uint64_t *known = map_at(source->endless, address);
	bool is;

	if (*known)
		return *known == 2;
	/* One that calls itself on the way may return by that. */
	*known = 1;
	is = look_up_endless(source, address, depth);
	*map_at(source->endless, address) = 1 + is;
	return is;
}

bool never_returns(const struct flow_source *source, uint64_t at, const struct step *call)
{
	return call->kind == STEP_CALL ? endless(source, call->target, 0) :
					 endless_slot(source, at);
}

/* The first extent that a part jumps into the middle of. */
static const struct extent *look_up_owner(const struct flow_source *source,
					  const struct extent *part)
{
	const struct extent *extent;
	const uint8_t *bytes;
	struct step step;
	uint64_t at;
	size_t left;

	bytes = image_at(source->image, part->start, true, &left);
	if (!bytes)
		return NULL;
	if (part->end - part->start < left)
		left = part->end - part->start;
	for (at = part->start; left; at += step.size, bytes += step.size, left -= step.size) {
		if (!decoder_step(source->decoder, bytes, left, at, &step)) {
			step.size = 1;
			continue;
		}
		if (step.kind != STEP_JUMP && step.kind != STEP_BRANCH)
			continue;
		extent = extents_find(source->extents, step.target);
		if (extent && extent != part && extent->start != step.target)
			return extent;
	}
	return NULL;
}

const struct extent *function_owner(const struct flow_source *source, const struct extent *part)
{
	uint64_t *known = map_at(source->owners, part->start);
	const struct extent *owner;

	if (!*known) {
		owner = look_up_owner(source, part);
		*known = owner ? owner->start : 1;
	}
	return *known == 1 ? NULL : extents_find(source->extents, *known);
}

static bool split_off(const char *name)
{
	return name && strstr(name, ".cold");
}

bool function_owns(const struct flow_source *source, const struct extent *function,
		   const struct extent *extent, uint64_t target)
{
	const struct extent *owner;

	if (extent->name)
		return split_off(extent->name) && !split_off(function->name);
	if (split_off(function->name))
		return false;
	/* An entry of the PLT, which has one extent for all, is jumped to in its middle. */
	if (stub_name(source, target))
		return false;
	owner = function_owner(source, extent);
	return owner ? owner == function : target != extent->start;
}
