// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/wire-numbers.h"
#include "findings/build.h"
#include "findings/recordings.h"
#include "program/symbols.h"
#include "ranks/sums.h"

/* A pass on its way from or to another process. */
struct transfer {
	struct pass *pass;
	struct wire *wire;
	struct modules modules;
	struct wire_numbers numbers;
	struct spread_move moves[TALLY_LEVELS];
	bool *met;			/* reading: our contexts that are known there, too */
	bool bursts;			/* there are bursts of references: no sum is made */
	size_t files;			/* of all processes */
};

/* --- what belongs to no code and no data --- */

static void wire_labels(struct transfer *transfer)
{
	struct wire *wire = transfer->wire;
	struct pass *pass = transfer->pass;
	uint32_t first = 0, i, count;

	while (!wire->reads && first < pass->files && !pass->labels[first])
		first++;
	first = wire_number(wire, first, UINT32_MAX);
	count = wire_number(wire, pass->files - first, UINT32_MAX);
	if (wire->reads && !pass->files && first <= transfer->files)
		recordings_skip(pass, first);
	if (wire->reads && pass->files != first)
		wire->wrong = true;
	for (i = 0; i < count && !wire->wrong; i++) {
		char *label = wire_text(wire, wire->reads ? NULL : pass->labels[first + i]);

		if (!wire->reads)
			continue;
		pass->labels = grow(pass->labels, pass->files, &pass->label_capacity,
				    sizeof(*pass->labels));
		pass->labels[pass->files++] = label ? label : xstrdup("");
	}
}

static void wire_times(struct run_times *times, struct wire *wire)
{
	bool before = times->known;
	uint32_t runs = wire_number(wire, times->runs, UINT32_MAX);
	bool there = wire_flag(wire, times->known);

	wire_most(wire, &times->wall_ns);
	wire_add(wire, &times->user_ns, 1);
	wire_add(wire, &times->system_ns, 1);
	if (there && (!before || runs < times->runs))
		times->runs = runs;
	times->known |= there;
}

static void wire_event(struct event_totals *event, struct wire *wire)
{
	uint64_t *const sums[] = {
		&event->samples, &event->events, &event->bursts, &event->cuts,
		&event->burst_samples, &event->burst_events, &event->unresolved, &event->unnamed,
		&event->stores, &event->both,
	};

	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		wire_add(wire, sums[i], 1);
	wire_add(wire, event->by_class, sizeof(event->by_class) / sizeof(*event->by_class));
	wire_add_double(wire, &event->batch_squares, 1);
	wire_add_double(wire, &event->stands_for, 1);
	wire_or(wire, &event->uncounted);
	wire_or(wire, &event->no_accesses);
}

static void wire_totals(struct exact_totals *totals, struct wire *wire)
{
	wire_add(wire, &totals->instructions, 1);
	wire_add(wire, &totals->loads, 1);
	wire_add(wire, &totals->stores, 1);
	wire_add(wire, &totals->load_misses, 1);
	wire_add(wire, &totals->store_misses, 1);
	for (size_t i = 0; i < FINDINGS_LEVELS - 1; i++) {
		wire_or(wire, &totals->outer[i].known);
		wire_add(wire, &totals->outer[i].load_misses, 1);
		wire_add(wire, &totals->outer[i].store_misses, 1);
		wire_add(wire, &totals->outer[i].unresolved, 1);
	}
}

static void wire_unsupported(struct pass *pass, struct wire *wire)
{
	uint64_t before = pass->unsupported, ip;

	wire_add(wire, &pass->unsupported, 1);
	ip = wire_number(wire, pass->unsupported_ip, UINT64_MAX);
	if (pass->unsupported != before)
		pass->unsupported_ip = ip;
}

static void wire_counts(struct transfer *transfer)
{
	struct wire *wire = transfer->wire;
	struct pass *pass = transfer->pass;
	uint64_t *const sums[] = {
		&pass->processes, &pass->samples, &pass->strays, &pass->incomplete,
		&pass->skipped, &pass->other_programs, &pass->other_machines, &pass->other_pages,
	};

	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		wire_add(wire, sums[i], 1);
	wire_add(wire, pass->lost, PASS_LOST_KINDS);
	wire_add_double(wire, pass->weight, TALLY_LEVELS);
	wire_unsupported(pass, wire);
	wire_most(wire, &pass->duration_ns);
	wire_times(&pass->baseline, wire);
	wire_times(&pass->recorded, wire);
	wire_totals(&pass->totals, wire);
	for (size_t i = 0; i < pass->event_count; i++)
		wire_event(&pass->events[i], wire);
	for (size_t i = 0; i < pass->lab_count; i++)
		wire_or(wire, &pass->lab[i].varies);
	for (uint32_t level = 1; level < TALLY_LEVELS; level++) {
		spread_files_wire(&pass->spread_files[level], wire, &transfer->moves[level]);
		spread_wire(&pass->spread[level], wire, &transfer->moves[level]);
	}
}

/* --- code --- */

static size_t wire_code(struct transfer *transfer, size_t number)
{
	struct contexts *contexts = transfer->pass->contexts;
	struct wire *wire = transfer->wire;
	struct code code = { .module = NULL };

	if (!wire->reads) {
		const struct code_site *site = contexts_site(contexts, number);

		code = (struct code){ site->module, site->address, site->anonymous };
	}
	code.module = module_wire(code.module, wire, &transfer->modules);
	code.address = wire_number(wire, code.address, UINT64_MAX);
	code.anonymous = wire_flag(wire, code.anonymous);
	return wire->reads && !wire->wrong ? contexts_site_of(contexts, &code) : number;
}

/* Sites, and which context each has there. */
static void wire_sites(struct transfer *transfer)
{
	struct wire_numbers *numbers = &transfer->numbers;
	struct contexts *contexts = transfer->pass->contexts;
	struct wire *wire = transfer->wire;
	size_t count = wire_number(wire, contexts_sites(contexts), UINT32_MAX), room = 0, i;

	for (i = 0; i < count && !wire->wrong; i++) {
		size_t site = wire_code(transfer, i);
		uint32_t context;
		uint64_t there;

		if (wire->wrong)
			return;
		context = contexts_site(contexts, site)->context;
		there = wire_number(wire, context, numbers->context_count);
		if (!wire->reads || wire->wrong)
			continue;
		numbers->sites = grow(numbers->sites, i, &room, sizeof(*numbers->sites));
		numbers->sites[i] = site;
		numbers->site_count = i + 1;
		if (numbers->contexts[there] == WIRE_NO_CONTEXT)
			numbers->contexts[there] = context;
	}
}

/* Contexts around others have higher numbers than none in them: found from the inside out. */
static void wire_parents(struct transfer *transfer)
{
	struct contexts *contexts = transfer->pass->contexts;
	uint32_t *ours = transfer->numbers.contexts;
	struct wire *wire = transfer->wire;

	for (size_t i = transfer->numbers.context_count; i-- && !wire->wrong; ) {
		struct tally *tally = wire->reads ? NULL : contexts_tally(contexts, i), *around;
		uint64_t parent = wire_number(wire, tally ? tally->region.parent : 0, i);

		if (!wire->reads || !parent || ours[i] == WIRE_NO_CONTEXT)
			continue;
		around = contexts_parent(contexts, contexts_tally(contexts, ours[i]));
		if (around && ours[parent - 1] == WIRE_NO_CONTEXT)
			ours[parent - 1] = around->region.id - 1;
	}
}

static void wire_rcd(struct transfer *transfer, uint32_t level, struct rcd_context **context)
{
	struct rcd *rcd = transfer->pass->levels[level].rcd;
	struct wire *wire = transfer->wire;

	if (!wire_flag(wire, *context))
		return;
	if (!rcd) {
		wire->wrong = true;
		return;
	}
	if (!*context)
		*context = rcd_context_new(rcd);
	if (!*context || rcd_context_wire(*context, wire))
		exit(-fail("out of memory for the counts of another process"));
}

static void wire_spread(struct transfer *transfer, uint32_t level, struct tally_spread **spread)
{
	struct wire *wire = transfer->wire;
	struct spread_move move;

	if (!wire_flag(wire, *spread)) {
		if (*spread && wire->reads)
			spread_without(&(*spread)->share, &transfer->moves[level]);
		return;
	}
	if (!*spread)
		*spread = xcalloc(1, sizeof(**spread));
	spread_wire(&(*spread)->share, wire, &transfer->moves[level]);
	spread_files_wire(&(*spread)->cf_files, wire, &move);
	spread_wire(&(*spread)->cf, wire, &move);
}

static void wire_counted(struct wire *wire, struct rcd_counted *counted)
{
	wire_add(wire, &counted->misses, 1);
	wire_add(wire, &counted->conflicts, 1);
	wire_add(wire, &counted->saved, 1);
}

static void wire_tally(struct transfer *transfer, struct tally *tally)
{
	struct wire *wire = transfer->wire;

	wire_add(wire, tally->samples, TALLY_LEVELS);
	wire_add(wire, tally->writes, TALLY_LEVELS);
	wire_add(wire, tally->both, TALLY_LEVELS);
	wire_add_double(wire, tally->weight, TALLY_LEVELS);
	for (uint32_t level = 1; level < TALLY_LEVELS; level++) {
		wire_rcd(transfer, level, &tally->rcd[level]);
		wire_rcd(transfer, level, &tally->around[level]);
		wire_counted(wire, &tally->counted[level]);
		wire_counted(wire, &tally->counted_around[level]);
		wire_spread(transfer, level, &tally->spread[level]);
	}
}

static void wire_program(struct transfer *transfer)
{
	for (uint32_t level = 1; level < TALLY_LEVELS; level++) {
		struct pass_level *all = &transfer->pass->levels[level];

		wire_rcd(transfer, level, &all->all);
		wire_counted(transfer->wire, &all->counted);
	}
}

/* A context that we cannot have: code that could be read there, and cannot be read here. */
static void pass_over(struct transfer *transfer)
{
	struct tally tally = { .named = false };

	wire_tally(transfer, &tally);
	for (uint32_t level = 0; level < TALLY_LEVELS; level++)
		free(tally.spread[level]);
}

static void wire_tallies(struct transfer *transfer)
{
	struct contexts *contexts = transfer->pass->contexts;
	const uint32_t *ours = transfer->numbers.contexts;
	struct wire *wire = transfer->wire;
	size_t i;

	transfer->met = xcalloc(contexts_count(contexts) + 1, sizeof(*transfer->met));
	for (i = 0; i < transfer->numbers.context_count && !wire->wrong; i++) {
		if (!wire->reads) {
			wire_tally(transfer, contexts_tally(contexts, i));
		} else if (ours[i] == WIRE_NO_CONTEXT) {
			pass_over(transfer);
		} else {
			wire_tally(transfer, contexts_tally(contexts, ours[i]));
			transfer->met[ours[i]] = true;
		}
	}
	for (i = 0; wire->reads && i < contexts_count(contexts); i++)
		for (uint32_t level = 1; !transfer->met[i] && level < TALLY_LEVELS; level++)
			if (contexts_tally(contexts, i)->spread[level])
				spread_without(&contexts_tally(contexts, i)->spread[level]->share,
					       &transfer->moves[level]);
}

static void wire_contexts(struct transfer *transfer)
{
	struct wire_numbers *numbers = &transfer->numbers;
	struct wire *wire = transfer->wire;

	numbers->context_count = wire_number(wire, contexts_count(transfer->pass->contexts),
					     wire->reads ? wire->size : UINT32_MAX);
	numbers->contexts = xmalloc((numbers->context_count + 1) * sizeof(*numbers->contexts));
	memset(numbers->contexts, 0xff, (numbers->context_count + 1) * sizeof(*numbers->contexts));
	wire_sites(transfer);
	wire_parents(transfer);
	wire_tallies(transfer);
}

/* --- data --- */

static void wire_sets(struct transfer *transfer, struct object_tally *tally, uint32_t level)
{
	const struct cache_level *cache = transfer->pass->levels[level].cache;
	struct wire *wire = transfer->wire;
	size_t size;

	if (!wire_flag(wire, tally->sets[level]))
		return;
	if (!cache) {
		wire->wrong = true;
		return;
	}
	size = cache_level_sets(cache) / 8 + 1;
	if (!tally->sets[level])
		tally->sets[level] = xcalloc(size, 1);
	for (size_t i = 0; i < size; i++) {
		uint8_t bits = tally->sets[level][i];

		wire_bytes(wire, &bits, 1);
		tally->sets[level][i] |= bits;
	}
}

static void wire_objects(struct transfer *transfer)
{
	struct wire_numbers *numbers = &transfer->numbers;
	struct pass *pass = transfer->pass;
	struct wire *wire = transfer->wire;
	size_t i;

	numbers->object_count = spaces_wire(pass->spaces, wire, &transfer->modules,
					    &numbers->objects);
	for (i = 0; i < numbers->object_count && !wire->wrong; i++) {
		uint32_t id = wire->reads ? numbers->objects[i] : i + 1;
		struct object_tally *tally = pass_object_tally(pass, id);

		wire_add(wire, tally->samples, TALLY_LEVELS);
		wire_add_double(wire, tally->weight, TALLY_LEVELS);
		for (uint32_t level = 1; level < TALLY_LEVELS; level++)
			wire_sets(transfer, tally, level);
	}
}

static void wire_places(struct transfer *transfer, struct places *places)
{
	struct wire *wire = transfer->wire;
	size_t count = wire_number(wire, places->count, UINT32_MAX);

	for (size_t i = 0; i < count && !wire->wrong; i++) {
		struct miss_place none = { .object = 1 }, *place = wire->reads ? &none :
								  &places->all[i];
		uint32_t site = wire_site(wire, place->site, &transfer->numbers);
		uint32_t object = wire_object(wire, place->object, &transfer->numbers);

		if (wire->wrong)
			return;
		place = places_at(places, site, object);
		wire_add(wire, &place->samples, 1);
		wire_add(wire, &place->near, 1);
		wire_add(wire, &place->again, 1);
	}
}

/* --- all of it --- */

/* Of one version of ours, that reads the same files. */
static uint64_t kind_of(const struct inputs *inputs)
{
	uint64_t hash = XXH3_64bits(CCSAMPLE_VERSION, strlen(CCSAMPLE_VERSION));

	for (size_t i = 0; i < inputs->count; i++)
		hash = XXH3_64bits_withSeed(inputs->paths[i], strlen(inputs->paths[i]), hash);
	return hash;
}

static void wire_pass(struct transfer *transfer)
{
	struct pass *pass = transfer->pass;
	struct wire *wire = transfer->wire;

	wire_labels(transfer);
	if (wire_number(wire, pass->event_count, PASS_EVENTS) != pass->event_count ||
	    wire_number(wire, pass->lab_count, UINT32_MAX) != pass->lab_count)
		wire->wrong = true;
	wire_counts(transfer);
	symbols_wire(pass->symbols, wire, &transfer->modules);
	wire_contexts(transfer);
	wire_program(transfer);
	wire_objects(transfer);
	for (uint32_t level = 0; level < TALLY_LEVELS; level++)
		wire_places(transfer, &pass->places[level]);
	evidence_wire(pass->evidence, wire, &transfer->numbers);
	parts_wire(pass->parts, wire, pass->spaces, &transfer->numbers);
	free(transfer->modules.all);
	free(transfer->numbers.sites);
	free(transfer->numbers.contexts);
	free(transfer->numbers.objects);
	free(transfer->met);
}

/* Return: 0; 1: of bursts, nothing else was written or read; -1 after one line. */
static int wire_all(struct pass *pass, struct wire *wire, const struct inputs *inputs, bool bursts)
{
	struct transfer transfer = { .pass = pass, .wire = wire, .files = inputs->count };
	uint64_t kind = kind_of(inputs);

	if (wire_number(wire, kind, UINT64_MAX) != kind)
		return fail("another process was given other recordings, or is another version of "
			    "ccsample: all of mpirun's take the same arguments");
	if (wire_flag(wire, bursts))
		return 1;
	wire_pass(&transfer);
	return wire->wrong ? fail("what another process counted cannot be read: it is damaged") : 0;
}

static bool holds_bursts(const struct pass *pass)
{
	return (pass->source && !strcmp(pass->source, "bursts")) ||
	       bursts_totals(pass->bursts, 1).known || bursts_totals(pass->bursts, 2).known;
}

static struct pass *new_pass(const struct inputs *inputs, const struct analysis_options *options)
{
	struct pass *pass = pass_new(options);

	pass->map_context = SIZE_MAX;
	pass->several = true;
	if (!pass_head(pass, inputs->paths[0]))
		return pass;
	pass_free(pass);
	return NULL;
}

int sums_read(const struct inputs *inputs, const struct analysis_options *options, uint32_t rank,
	      uint32_t ranks, struct wire *sums)
{
	size_t first = inputs->count * rank / ranks, end = inputs->count * (rank + 1) / ranks;
	bool others = first || end == first;	/* the first recording is for others to read */
	struct pass *pass = new_pass(inputs, options);
	int status = 0;

	if (!pass)
		return -1;
	if (!holds_bursts(pass) && !others) {
		pass_free(pass);
		pass = pass_new(options);
		pass->several = true;
	} else {
		recordings_skip(pass, first);
	}
	if (!rank)
		progress_start();
	if (!holds_bursts(pass))
		status = recordings_read(pass, inputs, first, end);
	if (!rank)
		progress_clear();
	if (!status && wire_all(pass, sums, inputs, holds_bursts(pass)) < 0)
		status = -1;
	pass_free(pass);
	return status;
}

/* Return: as wire_all(). */
static int add_all(struct pass *pass, const struct inputs *inputs, struct wire *shares,
		   size_t count)
{
	int status = 0;

	recordings_skip(pass, 0);
	for (size_t i = 0; !status && i < count; i++)
		status = wire_all(pass, &shares[i], inputs, false);
	return status;
}

int sums_add(const struct inputs *inputs, const struct analysis_options *options,
	     struct wire *shares, size_t count, struct wire *sums, struct findings **findings)
{
	struct pass *pass = new_pass(inputs, options);
	int status;

	if (!pass)
		return -1;
	status = add_all(pass, inputs, shares, count);
	if (status >= 0 && sums)
		status = wire_all(pass, sums, inputs, status) < 0 ? -1 : 0;
	if (!status && !sums) {
		*findings = findings_build(inputs_name(inputs), pass);
		return 0;
	}
	pass_free(pass);
	if (!sums)
		*findings = NULL;
	return status < 0 ? -1 : 0;
}
