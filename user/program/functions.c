// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "program/functions.h"

#define STUB_STEPS 3	/* endbr64, jmp; or with a prefix */

/* Of the C and C++ libraries, the compiler's run time, glib and the kernel's habits. */
static const char *const endless_names[] = {
	"abort", "exit", "_exit", "_Exit", "quick_exit", "__assert", "__assert_fail",
	"__assert_perror_fail", "__assert_fail_base", "__stack_chk_fail", "__stack_chk_fail_local",
	"__fortify_fail", "__chk_fail", "__libc_fatal", "__libc_start_main", "longjmp", "_longjmp",
	"siglongjmp", "__longjmp_chk", "pthread_exit", "thrd_exit", "_Unwind_Resume",
	"__cxa_throw", "__cxa_rethrow", "__cxa_bad_cast",
	"__cxa_bad_typeid", "__cxa_throw_bad_array_new_length", "__cxa_pure_virtual",
	"__cxa_call_unexpected", "__cxa_deleted_virtual", "_ZSt9terminatev",
	"_ZSt10unexpectedv", "__clang_call_terminate",
	"g_assertion_message", "g_assertion_message_expr", "rust_panic", "Py_FatalError",
	"_Py_FatalErrorFunc", "Py_ExitStatusException",
};

static bool endless_name(const char *name)
{
	size_t length = strcspn(name, "@");

	for (size_t i = 0; i < sizeof(endless_names) / sizeof(*endless_names); i++)
		if (strlen(endless_names[i]) == length &&
		    !memcmp(endless_names[i], name, length))
			return true;
	/* std::__throw_out_of_range(char const*) and its like */
	return !strncmp(name, "_ZSt", 4) && strstr(name, "__throw_");
}

/* The name of what an entry of the PLT jumps to; NULL where the code is no such entry. */
static const char *stub_name(const struct flow_source *source, uint64_t at)
{
	for (int i = 0; i < STUB_STEPS; i++) {
		const uint8_t *bytes;
		struct move move;
		struct step step;
		size_t left;

		bytes = image_at(source->image, at, true, &left);
		if (!bytes || !decoder_step(source->decoder, bytes, left, at, &step))
			return NULL;
		if (step.kind == STEP_JUMP_AWAY) {
			if (!decoder_move(source->decoder, bytes, left, at, &move) ||
			    move.kind != MOVE_GO || move.from != NO_REGISTER ||
			    !move.place.absolute || move.place.index != NO_REGISTER)
				return NULL;
			return image_import(source->image, move.place.displacement);
		}
		/* endbr64 is a kind of nop. */
		if (step.kind != STEP_NEXT && step.kind != STEP_PADDING)
			return NULL;
		at += step.size;
	}
	return NULL;
}

static bool look_up_endless(const struct flow_source *source, uint64_t address)
{
	const struct extent *extent = extents_find(source->extents, address);
	const char *name = NULL;

	if (extent && extent->start == address)
		name = extent->name;
	if (!name)
		name = stub_name(source, address);
	return name && endless_name(name);
}

bool never_returns(const struct flow_source *source, uint64_t address)
{
	uint64_t *known = map_at(source->endless, address);

	if (!*known)
		*known = 1 + look_up_endless(source, address);
	return *known == 2;
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
