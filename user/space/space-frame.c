// SPDX-License-Identifier: GPL-2.0-only
/* Variables on the stack, by the frame of the call that they belong to. */
#include <stdlib.h>

#include "base/memory.h"
#include "space/space-inside.h"

#define RED_ZONE	128	/* below the stack pointer, a leaf function's (psABI 3.2.2) */

/* A frame at one instruction; calls differ in where their rbp points. */
struct frame {
	struct module *module;
	uint64_t address;		/* link-time */
	int64_t bp;			/* less the stack pointer */
	struct frame_layout *layout;	/* NULL = unknown */
	struct object **objects;	/* of its variables, NULL = not asked for yet */
	struct object *rest;		/* of the function */
};

struct frames {
	struct frame **all;
	size_t count;
	size_t capacity;
	struct map by_place;		/* hash -> number in @all + 1 */
};

struct frames *frames_new(void)
{
	return xcalloc(1, sizeof(struct frames));
}

void frames_free(struct frames *frames)
{
	for (size_t i = 0; i < frames->count; i++) {
		if (frames->all[i]->layout)
			frame_layout_free(frames->all[i]->layout);
		free(frames->all[i]->objects);
		free(frames->all[i]);
	}
	free(frames->all);
	map_free(&frames->by_place);
	free(frames);
}

static struct frame *new_frame(struct frames *frames, const struct code *code, int64_t bp)
{
	struct frame *frame = xcalloc(1, sizeof(*frame));

	*frame = (struct frame){ .module = code->module, .address = code->address, .bp = bp };
	frame->layout = module_frame(code->module, code->address, bp);
	if (frame->layout)
		frame->objects = xcalloc(frame->layout->count + 1, sizeof(*frame->objects));
	frames->all = grow(frames->all, frames->count, &frames->capacity, sizeof(*frames->all));
	frames->all[frames->count++] = frame;
	return frame;
}

static struct frame *frame_of(struct frames *frames, const struct code *code, int64_t bp)
{
	uint64_t key = code->address * 0x9e3779b97f4a7c15u ^ (uintptr_t)code->module ^
		       (uint64_t)bp * 0xd6e8feb86659fd93u;

	for (;; key++) {
		uint64_t *number = map_at(&frames->by_place, key);
		struct frame *frame;

		if (!*number) {
			frame = new_frame(frames, code, bp);
			*number = frames->count;
			return frame;
		}
		frame = frames->all[*number - 1];
		if (frame->module == code->module && frame->address == code->address &&
		    frame->bp == bp)
			return frame;
	}
}

/* Saved registers, arguments of calls, variables of a computed size. */
static struct object *rest_object(struct space *space, struct frame *frame)
{
	char *name;

	if (frame->rest)
		return frame->rest;
	name = frame->layout->function ? xasprintf("[frame of %s]", frame->layout->function) :
					 xstrdup("[frame]");
	frame->rest = objects_of_module(&space->spaces->objects, OBJECT_STACK, name, "",
					frame->module);
	free(name);
	return frame->rest;
}

const struct object *space_frame_object(struct space *space, const struct ccs_frame *call,
					uint64_t address, uint64_t *base)
{
	struct code code = space_code(space, call->ip);
	int64_t at = address - call->sp;
	struct frame *frame;

	if (!code.module || at < -RED_ZONE)
		return NULL;
	frame = frame_of(space->spaces->frames, &code, call->bp - call->sp);
	if (!frame->layout || at >= frame->layout->end)
		return NULL;
	*base = 0;
	for (size_t i = 0; i < frame->layout->count; i++) {
		const struct frame_variable *variable = &frame->layout->variables[i];

		if (at < variable->low || at >= variable->high)
			continue;
		if (!frame->objects[i])
			frame->objects[i] = space_variable(space, OBJECT_STACK, frame->module,
							  &variable->variable);
		*base = call->sp + variable->low;
		return frame->objects[i];
	}
	return rest_object(space, frame);
}
