// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "export/export-stack.h"
#include "output/text.h"

static void empty(struct stack *stack)
{
	while (stack->count)
		free(stack->frames[--stack->count].name);
}

void stack_drop(struct stack *stack)
{
	empty(stack);
	free(stack->frames);
}

/* @name: allocated, taken */
static void push(struct stack *stack, char *name, const char *file, uint32_t line)
{
	stack->frames = grow(stack->frames, stack->count, &stack->capacity,
			     sizeof(*stack->frames));
	stack->frames[stack->count++] = (struct stack_frame) { text_clean(name), file, line };
	free(name);
}

/* A function, where it is another one than that before. */
static void push_function(struct stack *stack, const char **last, const char *function,
			  const char *file)
{
	if (!function || (*last && !strcmp(*last, function)))
		return;
	push(stack, xstrdup(function), file, 0);
	*last = function;
}

/* What is around comes first. */
static void push_loops(struct stack *stack, const struct costs *costs, size_t number,
		       const char **last)
{
	const struct code_region *loop;
	struct code_region place;
	char *lines;

	if (number >= costs->loop_count)
		return;
	loop = &costs->loops[number];
	if (loop->parent)
		push_loops(stack, costs, loop->parent - 1, last);
	push_function(stack, last, loop->function, loop->file);
	if (loop->kind != REGION_LOOP)
		return;
	place = *loop;
	place.apart = false;	/* the frames around it tell, and names are to be the same in all */
	lines = region_text(&place, false);
	push(stack, xasprintf("loop %s", lines), loop->file, loop->line);
	free(lines);
}

static void push_line(struct stack *stack, const struct cost_code *code)
{
	const struct cost_frame *frame = &code->frames[0];

	if (frame->path && frame->line)
		push(stack, xasprintf("%s:%" PRIu32, base_name(frame->path), frame->line),
		     frame->path, frame->line);
	else
		push(stack, xasprintf("%s+0x%" PRIx64, base_name(code->dso ? code->dso : "?"),
				      code->address), NULL, 0);
}

void stack_fill(struct stack *stack, const struct costs *costs, const struct cost_site *site)
{
	const struct cost_code *code = &costs->codes[site->code];
	const char *last = NULL;

	empty(stack);
	push_loops(stack, costs, code->loop, &last);
	if (!last)
		push_function(stack, &last, code->frames[code->frame_count - 1].function, NULL);
	push_function(stack, &last, code->frames[0].function, code->frames[0].path);
	push_line(stack, code);
	if (site->object)
		push(stack, xstrdup(site->object->name), NULL, 0);
}
