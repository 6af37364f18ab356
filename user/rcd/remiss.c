// SPDX-License-Identifier: GPL-2.0-only
/*
 * Re-misses: lines that miss again before the cache could have filled. A
 * sample early in a burst sees only short distances back, so their distribution
 * is put together from bins, each over the samples whose past covers it.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "rcd/internal.h"

#define LINES_LEAST	64u
#define REACH		4.0	/* farthest distance looked at, in lines of the cache */
#define PIECE_WINDOWS	8	/* own misses, in cache fills, after which a burst counts as two */
#define STORED_MOST	1.25	/* lines filled a load miss; above, stores hide which set is full */
#define NEAR_FULL	(8.0 / 9)	/* by a column: a row of as many doubles is the rest */

static uint32_t pressure_sets(const struct rcd *rcd)
{
	return rcd->sets < PRESSURE_SETS ? rcd->sets : PRESSURE_SETS;
}

/* Of a large cache several sets share a counter. */
static int share_pressure(struct rcd *rcd)
{
	uint32_t set;

	rcd->pressure_shares = calloc(pressure_sets(rcd), sizeof(*rcd->pressure_shares));
	if (!rcd->pressure_shares)
		return -ENOMEM;
	for (set = 0; set < rcd->sets; set++)
		rcd->pressure_shares[set % PRESSURE_SETS] += rcd_chance(rcd, set);
	return 0;
}

/*
 * Bins of equal ratio over the distances 1 .. lines - 1, and some beyond: where few lines miss
 * over and over, one that comes back after more misses than that was still kept.
 */
int remiss_init(struct rcd *rcd)
{
	uint64_t last = rcd->lines > 1 ? (uint64_t)rcd->lines - 1 : 0;
	double piece = PIECE_WINDOWS * rcd->lines;
	uint32_t bin, bits;

	for (bin = 1; last && bin <= REMISS_BINS; bin++) {
		uint64_t edge = ceil(pow(last, (double)bin / REMISS_NEAR) - 1e-9);

		if (bin > REMISS_NEAR)
			edge = ceil(last * pow(REACH, (double)(bin - REMISS_NEAR) / REMISS_BEYOND));
		if (!rcd->bins || edge > rcd->edges[rcd->bins - 1])
			rcd->edges[rcd->bins++] = edge;
		if (bin == REMISS_NEAR)
			rcd->near_bins = rcd->bins;
	}
	for (bits = 0, bin = 0; bits <= 64; bits++) {
		while (bin + 1 < rcd->bins && bits && rcd->edges[bin] < 1ull << (bits - 1))
			bin++;
		rcd->octave[bits] = bin;
	}
	rcd->piece = piece < 1u << 30 ? piece : 1u << 30;
	return share_pressure(rcd);
}

static uint32_t bin_of(const struct rcd *rcd, double distance)
{
	uint64_t whole = ceil(distance);
	uint32_t bin = rcd->octave[whole ? 64 - __builtin_clzll(whole) : 0];

	while (bin < rcd->bins && rcd->edges[bin] < whole)
		bin++;
	return bin;
}

static struct line_slot *find_line(const struct rcd_stream *stream, uint64_t line, double since)
{
	uint32_t mask = stream->line_capacity - 1;
	uint32_t at = (line * 0x9e3779b97f4a7c15ull) >> 32 & mask;

	while (stream->lines[at].clock >= since && stream->lines[at].line != line)
		at = (at + 1) & mask;
	return &stream->lines[at];
}

static int set_capacity(struct rcd_stream *stream, uint32_t capacity, double since)
{
	struct rcd_stream wider = *stream;
	uint32_t i;

	wider.line_capacity = capacity;
	wider.line_used = 0;
	wider.lines = malloc(capacity * sizeof(*wider.lines));
	if (!wider.lines)
		return -ENOMEM;
	for (i = 0; i < capacity; i++)
		wider.lines[i].clock = -1;
	for (i = 0; i < stream->line_capacity; i++) {
		const struct line_slot *slot = &stream->lines[i];

		if (slot->clock < since)
			continue;
		*find_line(&wider, slot->line, 0) = *slot;
		wider.line_used++;
	}
	free(stream->lines);
	*stream = wider;
	return 0;
}

/* A table half full: lines too long ago are dropped, and it grows if that does not help. */
static int make_room(struct rcd_stream *stream)
{
	double since = stream->clock - REACH * stream->rcd->lines;
	uint32_t capacity = stream->line_capacity, live = 0, i;

	if (since < stream->origin)
		since = stream->origin;
	for (i = 0; i < capacity; i++)
		live += stream->lines[i].clock >= since;
	return set_capacity(stream, live < capacity / 4 ? capacity : capacity * 2, since);
}

struct remiss_group *remiss_group_at(struct rcd_context *context, uint32_t number)
{
	struct remiss_group **groups;
	uint32_t room = context->group_room ? context->group_room : 1, i;

	while (room <= number)
		room *= 2;
	if (room > context->group_room) {
		groups = realloc(context->groups, room * sizeof(*groups));
		if (!groups)
			return NULL;
		for (i = context->group_room; i < room; i++)
			groups[i] = NULL;
		context->groups = groups;
		context->group_room = room;
	}
	if (!context->groups[number])
		context->groups[number] = calloc(1, sizeof(**context->groups));
	return context->groups[number];
}

/* A context's next group of bursts. */
struct remiss_group *remiss_group(struct rcd_context *context)
{
	struct remiss_group *group = remiss_group_at(context, context->bursts % REMISS_GROUPS);

	context->bursts += !!group;
	return group;
}

size_t remiss_size(const struct rcd *rcd)
{
	return pressure_sets(rcd) * sizeof(uint32_t);
}

static int stream_prepare(struct rcd_stream *stream)
{
	if (!stream->in_set) {
		stream->in_set = calloc(pressure_sets(stream->rcd), sizeof(*stream->in_set));
		if (!stream->in_set || recent_open(stream))
			return -ENOMEM;
	}
	if (stream->line_used < stream->line_capacity / 2)
		return 0;
	return stream->lines ? make_room(stream) : set_capacity(stream, LINES_LEAST, 0);
}

/* Lines filled by stores are in no sample: they may have put pressure on any set. */
static bool hides_stores(const struct rcd_stream *stream)
{
	return !stream->rcd->stores_apart && stream->step > STORED_MOST * stream->weight;
}

/* Misses between a line's miss and its re-miss, and those on its set. */
static void count_between(const struct rcd_stream *stream, struct rcd_context *context,
			  uint32_t set)
{
	if (hides_stores(stream))
		return;
	exact_add(&context->between_by_chance,
		  stream->seen.between * stream->rcd->pressure_shares[set % PRESSURE_SETS]);
	context->between_in_set += stream->seen.in_set;
	context->between++;
}

/*
 * The line left because its set used `ways` others. If fewer missed, the rest were used by hits.
 * If all sets used as many lines by hits, sets x (ways - in_set) more were used in total, which
 * makes fewer than the cache holds only if the set took more than its share of the misses.
 */
static bool kept_by_misses(const struct rcd_stream *stream, uint32_t set, uint32_t lines,
			   uint32_t in_set)
{
	const struct rcd *rcd = stream->rcd;

	if (!stream->rows || hides_stores(stream))
		return true;
	return in_set * stream->step >= rcd->ways || in_set >= lines * rcd_chance(rcd, set);
}

/*
 * Whether a fully associative cache would have kept a line that misses again:
 * @lines others missed since, @in_set of them in its own set; the cache had @accesses accesses.
 *
 * Lines that hit are in no sample, but there are no more of them than accesses. Where that
 * leaves it open, a set that only one line too many was used of may be one of all that the
 * program's lines fill evenly. One that still more of missed is fuller than it should be; but if
 * the lines that missed nearly fill the cache by themselves, those that hit may well be the rest.
 */
static enum kept kept(const struct rcd_stream *stream, uint32_t set, uint32_t lines,
		      uint32_t in_set, double accesses)
{
	const struct rcd *rcd = stream->rcd;

	if ((lines + 1) * stream->step >= rcd->lines)
		return KEPT_NOT;
	if (accesses <= rcd->lines)
		return KEPT_SURELY;
	if (!isfinite(accesses) && !kept_by_misses(stream, set, lines, in_set))
		return KEPT_NOT;
	if ((lines + 1) * stream->step >= NEAR_FULL * rcd->lines)
		return KEPT_PERHAPS;
	return !isfinite(accesses) || in_set * stream->weight > rcd->ways ? KEPT_SURELY :
									     KEPT_PERHAPS;
}

double remiss_pressure(const struct rcd_context *context)
{
	double by_chance = exact_value(&context->between_by_chance);

	return by_chance > 0 ? context->between_in_set / by_chance : NAN;
}

/* Where misses are lost, so are as many of the turns after which a line comes back. */
double remiss_set_lines(const struct rcd_context *context)
{
	return context->between ? 1 + context->between_in_set / context->between : NAN;
}

/*
 * Would a fully associative cache have kept the line? Of misses with a class it is known.
 * @slot: of the line's miss before, if @again
 */
static void estimate_kept(struct rcd_stream *stream, uint32_t set, uint64_t line,
			  const struct line_slot *slot, bool again)
{
	const struct rcd *rcd = stream->rcd;
	uint32_t in_row = recent_in_set(stream, set, line);
	double back = stream->clock - stream->origin;
	uint32_t lines = again ? recent_forget(stream, slot->samples) : 0;

	while (stream->covered < rcd->bins && rcd->edges[stream->covered] <= back)
		stream->covered++;
	recent_note(stream, stream->samples);
	stream->seen.bin = again ? bin_of(rcd, stream->clock - slot->clock) : rcd->bins;
	stream->seen.kept =
		stream->seen.bin < stream->covered ?
			kept(stream, set, lines, in_row, stream->accesses - slot->accesses) :
			KEPT_NOT;
}

int remiss_see(struct rcd_stream *stream, uint32_t set, uint64_t line)
{
	struct line_slot *slot;
	uint32_t in_set;
	bool again;

	if (stream_prepare(stream))
		return -ENOMEM;
	stream->clock += stream->step;
	stream->accesses += stream->accesses_step;
	stream->samples++;
	in_set = ++stream->in_set[set % PRESSURE_SETS];
	slot = find_line(stream, line, stream->origin);
	again = slot->clock >= stream->origin;
	if (!stream->classed)
		estimate_kept(stream, set, line, slot, again);
	stream->seen.again = again && stream->clock - slot->clock < stream->rcd->lines;
	if (again) {
		stream->seen.between = stream->samples - slot->samples - 1;
		stream->seen.in_set = in_set - slot->in_set - 1;
	}
	stream->line_used += !again;
	*slot = (struct line_slot){line, stream->clock, stream->samples, in_set, stream->accesses};
	return 0;
}

static void count_kept(const struct rcd_stream *stream, struct strand *strand)
{
	const struct seen_miss *seen = &stream->seen;
	struct remiss_group *group = strand->group;
	double weight = stream->stands_for;

	strand->context->looks += weight;
	strand->context->squares += weight * weight;
	group->look[stream->covered] += weight;
	if (seen->kept == KEPT_SURELY)
		group->again[seen->bin] += weight;
	else if (seen->kept == KEPT_PERHAPS)
		group->perhaps[seen->bin] += weight;
}

void remiss_count(const struct rcd_stream *stream, struct strand *strand, uint32_t set)
{
	if (!stream->classed)
		count_kept(stream, strand);
	if (stream->seen.again)
		count_between(stream, strand->context, set);
}
