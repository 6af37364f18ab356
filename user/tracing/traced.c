// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "findings/contexts.h"
#include "tracing/internal.h"
#include "base/fail.h"
#include "base/allocator.h"
#include "base/memory.h"
#include "base/progress.h"
#include "prsd/compress.h"
#include "prsd/expand.h"

#define SLOTS_BETWEEN (1u << 20)	/* two looks at the clock */

static bool has_changes(const struct traced_options *options)
{
	return options->scale_count || options->pad_count;
}

/* --- nodes --- */

/* Return: why to go no further, or NULL. */
static const char *look_up(void *context)
{
	const struct traced_run *run = context;
	uint64_t simulated = run->simulated + (run->busy ? run->busy->simulated : 0);

	if (progress_due())
		progress("%.0f million references simulated", simulated / 1e6);
	if (run->options->limit && simulated > run->options->limit)
		return "the limit of simulated references is reached (--limit)";
	return run->options->interrupted && run->options->interrupted() ? "interrupted" : NULL;
}

int traced_stop(struct traced_run *run, const char *error)
{
	if (!run->traced->error)
		run->traced->error = error;
	return -1;
}

static int stop(struct traced_stream *s, const char *error)
{
	return traced_stop(s->run, error);
}

/* What a plan makes of a node. Return: its counts by slot, or NULL with the error. */
static const struct trace_counts *analyse_with(struct traced_stream *s, size_t plan,
					       const struct trace_shapes *shapes, uint32_t shape,
					       const uint64_t *addresses)
{
	struct trace_analysis *a = &s->analyses[plan];
	uint64_t simulated = a->simulated;

	s->run->simulated -= simulated;
	s->run->busy = a;
	if (analysis_node(a, shapes, shape, addresses) < 0) {
		stop(s, a->error);
		return NULL;
	}
	s->run->simulated += a->simulated;
	s->run->busy = NULL;
	s->run->traced->totals[plan].simulated += a->simulated - simulated;
	return a->counts;
}

static const struct trace_counts *estimate_with(struct traced_stream *s, size_t plan,
						const struct trace_shapes *shapes, uint32_t shape,
						const uint64_t *addresses)
{
	struct trace_estimate *e = &s->estimates[plan];

	if (!estimate_node(e, shapes, shape, addresses))
		return e->counts;
	stop(s, e->error);
	return NULL;
}

/* A node whose objects are known, through the caches. */
static int analyse(struct traced_stream *s, enum traced_kind kind,
		   const struct trace_shapes *shapes, uint32_t shape, const uint64_t *addresses)
{
	const struct trace_counts *counts[TRACED_PLANS];
	struct traced *traced = s->run->traced;
	uint32_t slots = shape_slots(shapes, shape), slot;
	size_t i;

	traced_number(s, kind, shapes, shape);
	for (i = 0; i < s->run->options->plan_count; i++) {
		counts[i] = (s->estimates ? estimate_with : analyse_with)(s, i, shapes, shape,
									  addresses);
		if (!counts[i])
			return -1;
	}
	for (i = 0; i < s->run->options->plan_count; i++) {
		traced->totals[i].references += shape_references(shapes, shape);
		if (!i)
			traced_count(s, kind, shapes, shape, counts[i]);
		for (slot = 0; i && slot < slots; slot++)
			counts_add(&traced->totals[i].counts, &counts[i][slot]);
	}
	return 0;
}

static void forget_analyses(struct traced_stream *s, enum traced_kind kind)
{
	size_t i;

	for (i = 0; s->analyses && i < s->run->options->plan_count; i++)
		analysis_forget(&s->analyses[i]);
	if (s->ids[kind].ids)
		memset(s->ids[kind].ids, 0, s->ids[kind].room * sizeof(*s->ids[kind].ids));
}

/* --- nodes that a pad takes apart --- */

static int take_again(void *context, const struct trace_shapes *shapes, uint32_t shape,
		      const uint64_t *addresses)
{
	struct traced_stream *s = context;
	uint32_t slots = shape_slots(shapes, shape), i;

	for (i = 0; i < slots; i++) {
		const struct object *padded = traced_padded(s->run, addresses[i]);

		s->objects[i] = padded ? padded : space_object(s->image->space, addresses[i]);
	}
	return analyse(s, TRACED_AGAIN, shapes, shape, addresses);
}

static int forget_again(void *context)
{
	forget_analyses(context, TRACED_AGAIN);
	return 0;
}

static int refer_again(void *context, const struct trace_slot *slot, uint64_t address)
{
	struct traced_stream *s = context;
	uint64_t *shape = map_at(&s->again_shapes, (uintptr_t)slot), base;
	const struct object *object = space_object_base(s->image->space, address, &base);
	uint32_t pad = traced_pad(s->run, object);
	const char *error;

	if (!*shape)
		*shape = compress_define(s->again, slot, 1) + 1u;
	if (!*shape)
		return stop(s, "the loops that are padded have too many instructions");
	if (pad) {
		s->run->layouts[pad - 1].object = object;
		address = traced_moved(s->run, pad - 1, base, address);
	}
	if (++s->run->traced->repeated % SLOTS_BETWEEN == 0) {
		error = look_up(s->run);
		if (error)
			return stop(s, error);
	}
	return compress_block(s->again, *shape - 1, &address);
}

static int take_apart(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape)
{
	struct trace_sink sink = { take_again, forget_again, s };
	struct trace_expander x = { refer_again, s };

	if (!s->again) {
		s->again = xcalloc(1, sizeof(*s->again));
		if (!compress_open(s->again, &sink, &libc_allocator))
			return stop(s, "there is no memory");
	}
	/* The other nodes' plans are by numbers of other loops. */
	forget_analyses(s, TRACED_AGAIN);
	if (expand(&x, shapes, shape, s->addresses) || compress_cut(s->again))
		return stop(s, "a padded loop could not be compressed again");
	forget_analyses(s, TRACED_AGAIN);
	return 0;
}

/* --- what the decoder hands over --- */

static int change(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape)
{
	bool whole = traced_pads(s, shapes, shape);
	uint32_t changed = traced_change(s, shapes, shape);

	if (changed == SHAPE_NONE) {
		shapes_forget(&s->rewriter.shapes);
		forget_analyses(s, TRACED_CHANGED);
		changed = traced_change(s, shapes, shape);
	}
	if (changed == SHAPE_NONE)
		return stop(s, "a changed loop is beyond the limits");
	if (!whole)
		return take_apart(s, &s->rewriter.shapes, changed);
	return analyse(s, TRACED_CHANGED, &s->rewriter.shapes, changed, s->addresses);
}

int traced_node(void *context, const struct trace_shapes *shapes, uint32_t shape,
		const uint64_t *addresses)
{
	struct traced_stream *s = context;
	uint32_t slots = shape_slots(shapes, shape), i;
	const char *error = NULL;

	s->run->traced->nodes++;
	s->run->slots += slots + 1;
	if (s->run->slots >= SLOTS_BETWEEN) {
		s->run->slots = 0;
		error = look_up(s->run);
	}
	if (error)
		return stop(s, error);
	memcpy(s->addresses, addresses, slots * sizeof(*addresses));
	for (i = 0; i < slots; i++)
		s->objects[i] = space_object_base(s->image->space, addresses[i], &s->bases[i]);
	if (s->run->measuring) {
		traced_measure(s, shapes, shape);
		return 0;
	}
	if (s->run->options->dump) {
		traced_number(s, TRACED_READ, shapes, shape);
		traced_dump(s, shapes, shape);
		return 0;
	}
	if (!has_changes(s->run->options))
		return analyse(s, TRACED_READ, shapes, shape, addresses);
	traced_number(s, TRACED_READ, shapes, shape);
	return change(s, shapes, shape);
}

int traced_forget(void *context)
{
	struct traced_stream *s = context;

	forget_analyses(s, TRACED_READ);
	if (has_changes(s->run->options)) {
		shapes_forget(&s->rewriter.shapes);
		forget_analyses(s, TRACED_CHANGED);
	}
	return 0;
}

/* --- streams --- */

static struct traced_image *image_of(struct traced_run *run, uint32_t process)
{
	uint64_t *image = map_at(&run->images, process);
	size_t plans = run->options->plan_count, i;
	struct traced_image *made;

	if (*image)
		return (void *)(uintptr_t)*image;
	made = xcalloc(1, sizeof(*made));
	made->pages = xcalloc(plans + 1, sizeof(*made->pages));
	for (i = 0; i < plans; i++)
		if (!pages_open(&made->pages[i], &run->options->pages, &libc_allocator))
			exit(-fail("out of memory for the pages of a process"));
	made->process = process;
	made->space = spaces_get(run->traced->spaces, process);
	*image = (uintptr_t)made;
	run->image_list = grow(run->image_list, run->image_count, &run->image_capacity,
			       sizeof(*run->image_list));
	run->image_list[run->image_count++] = made;
	return made;
}

/* The caches of all plans, or what estimates them. Return: false without memory. */
static bool open_caches(struct traced_stream *s)
{
	const struct traced_options *options = s->run->options;
	bool open = true;
	size_t i;

	if (options->compositional)
		s->estimates = xcalloc(options->plan_count + 1, sizeof(*s->estimates));
	else
		s->analyses = xcalloc(options->plan_count + 1, sizeof(*s->analyses));
	for (i = 0; i < options->plan_count && open; i++) {
		if (s->estimates) {
			open = estimate_open(&s->estimates[i], &options->plans[i], &libc_allocator);
			s->estimates[i].stop = look_up;
			s->estimates[i].context = s->run;
			continue;
		}
		open = analysis_open(&s->analyses[i], &options->plans[i], &s->image->pages[i],
				     &s->run->budget, &libc_allocator);
		s->analyses[i].plain = options->plain;
		s->analyses[i].stop = look_up;
		s->analyses[i].context = s->run;
	}
	return open;
}

struct traced_stream *traced_stream_new(struct traced_run *run, uint32_t process)
{
	struct traced_stream *s = xcalloc(1, sizeof(*s));
	struct trace_sink sink = { traced_node, traced_forget, s };

	s->run = run;
	s->image = image_of(run, process);
	s->process = process;
	if (!decoder_open(&s->decoder, &sink) ||
	    !rewriter_open(&s->rewriter, &libc_allocator) || !open_caches(s)) {
		fail("out of memory for the caches of a thread");
		exit(1);
	}
	run->all = grow(run->all, run->count, &run->capacity, sizeof(*run->all));
	run->all[run->count++] = s;
	return s;
}

static void stream_free(struct traced_stream *s)
{
	size_t i;

	for (i = 0; i < s->recent_room; i++)
		free(s->recent[i]);
	free(s->recent);
	decoder_close(&s->decoder);
	rewriter_close(&s->rewriter);
	for (i = 0; s->analyses && i < s->run->options->plan_count; i++)
		analysis_close(&s->analyses[i]);
	for (i = 0; s->estimates && i < s->run->options->plan_count; i++)
		estimate_close(&s->estimates[i]);
	for (i = 0; i < TRACED_KINDS; i++)
		free(s->ids[i].ids);
	if (s->again)
		compress_close(s->again);
	map_free(&s->again_shapes);
	free(s->again);
	free(s->analyses);
	free(s->estimates);
	free(s);
}

static void drop_streams(struct traced_run *run)
{
	size_t i, n;

	run->traced->threads = run->count;
	for (i = 0; i < run->count; i++)
		stream_free(run->all[i]);
	for (i = 0; i < run->image_count; i++) {
		for (n = 0; n < run->options->plan_count; n++)
			pages_close(&run->image_list[i]->pages[n]);
		free(run->image_list[i]->pages);
		map_free(&run->image_list[i]->sites);
		free(run->image_list[i]);
	}
	if (run->merged)
		decoder_close(run->merged);
	free(run->merged);
	run->merged = NULL;
	members_end(&run->members);
	free(run->all);
	free(run->image_list);
	run->all = NULL;
	run->image_list = NULL;
	run->count = run->capacity = run->image_count = run->image_capacity = 0;
	map_free(&run->streams);
	map_free(&run->images);
	run->streams = run->images = (struct map){ NULL };
}

static void begin(struct traced_run *run)
{
	struct traced *traced = run->traced;

	traced->contexts = contexts_new();
	traced->symbols = symbols_new();
	traced->spaces = spaces_new(traced->symbols);
	if (traced->loop_count)
		return;
	traced->loops = grow(NULL, 0, &traced->loop_capacity, sizeof(*traced->loops));
	traced->loops[0] = (struct traced_loop){ 0 };
	traced->loop_count = 1;
}

/* The first pass, for what pads need; names are resolved again in the second. */
static int measure(struct traced_run *run)
{
	struct traced_options none = *run->options;
	const struct traced_options *options = run->options;
	uint32_t i;
	int result;

	if (!options->pad_count)
		return 0;
	for (i = 0; i < run->path_count; i++)
		if (!strcmp(run->paths[i], "-"))
			return fail("--pad reads the trace twice: give a file, not standard "
				    "input");
	none.plan_count = 0;
	run->options = &none;
	run->measuring = true;
	result = traced_read(run);
	drop_streams(run);
	if (!result)
		result = traced_measured(run);
	run->options = options;
	run->measuring = false;
	run->traced->nodes = 0;
	contexts_free(run->traced->contexts);
	spaces_free(run->traced->spaces);
	symbols_free(run->traced->symbols);
	begin(run);
	return result;
}

/* Each reference was counted in one row. */
static void sum_up(struct traced *traced)
{
	size_t i;

	for (i = 0; i < traced->row_count; i++)
		counts_add(&traced->totals[0].counts, &traced->rows[i].counts);
	for (i = 0; i < traced->plan_count; i++)
		traced->totals[i].cycles = estimate_cycles(&traced->totals[i].counts,
							   traced->plans[i].levels);
}

struct traced *traced_run(const char *const *paths, uint32_t count,
			  const struct traced_options *options)
{
	struct traced_run run = {
		.options = options, .budget = TOUCHED_PAGES_MAX,
		.paths = paths, .path_count = count,
	};
	int result;
	size_t i;

	run.traced = xcalloc(1, sizeof(*run.traced));
	memcpy(run.traced->plans, options->plans, sizeof(options->plans));
	run.traced->plan_count = options->plan_count;
	begin(&run);
	result = measure(&run);
	if (!result)
		result = traced_read(&run);
	drop_streams(&run);
	if (!result && !run.traced->error)
		result = traced_scaled(&run);
	traced_order(&run);
	sum_up(run.traced);
	traced_code_fill(run.traced);
	map_free(&run.loop_ids);
	map_free(&run.site_loops);
	map_free(&run.rows);
	for (i = 0; i < TRACED_CHANGES; i++)
		map_free(&run.layouts[i].strides);
	if (!result)
		return run.traced;
	traced_free(run.traced);
	return NULL;
}

void traced_free(struct traced *traced)
{
	free(traced->function);
	free(traced->code);
	contexts_free(traced->contexts);
	spaces_free(traced->spaces);
	symbols_free(traced->symbols);
	free(traced->sites);
	free(traced->loops);
	free(traced->rows);
	free(traced);
}
