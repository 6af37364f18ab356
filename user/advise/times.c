// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advise/critical.h"
#include "advise/own.h"
#include "advise/times.h"
#include "base/map.h"
#include "base/memory.h"
#include "gain/what-if.h"

#define PIECE		6000u		/* references: their code fits L1I */
#define LEAST_PIECE	1000u
#define BURSTS_MOST	18u		/* of which pieces are run */
#define PIECES		8u		/* of a burst, at most */
#define WARM_UP		4u		/* the first of so many parts of a burst warms caches */
#define PAGE_BITS	12
#define LINE		64u
#define TOUCHED		3u		/* bytes in all by those of the pages that bursts met */
#define NEAR_ALL	0.5		/* of L2: so much data stays there */
#define FAR_ALL		2.0		/* ... so much does not */
#define L2_DEFAULT	(1u << 20)

struct piece {
	const struct keep_burst *burst;
	size_t from, count;
};

/* An instruction, as in most of a piece. */
struct wait {
	uint32_t from;		/* site that its address waits for: + 1; 0 = none */
	uint32_t votes;
	uint32_t last;			/* its latest reference: + 1 */
	uint8_t delay;			/* ... cycles, at least */
	bool feeds;			/* the address of a site waits for it */
};

struct times {
	const struct keep *keep;
	struct latencies latencies;
	struct critical *critical;
	struct rerun_memory *memory;	/* NULL = none is left */
	double *own;			/* ns of a reference, by burst */
	struct wait *waits;		/* room, by site */
	struct piece *pieces;
	size_t count, capacity;
	double bytes;			/* of the data, as far as can be seen */
	double l2;
};

/* --- what is run --- */

static double bytes_of(const struct keep *keep)
{
	struct map pages = { .entries = NULL };
	double blocks = 0, touched;

	for (size_t i = 1; i < keep->block_count; i++)
		blocks += keep->blocks[i].high - keep->blocks[i].low;
	for (size_t i = 0; i < keep->burst_count; i++)
		for (size_t a = 0; a < keep->bursts[i].count; a++) {
			const struct keep_access *access = &keep->bursts[i].accesses[a];
			uint64_t *page = map_at(&pages, access->address >> PAGE_BITS);

			blocks += !*page && !access->block ? 1u << PAGE_BITS : 0;
			*page = 1;
		}
	touched = (double)TOUCHED * pages.count * (1u << PAGE_BITS);
	map_free(&pages);
	return fmin(blocks, touched);
}

static double own_of(const struct times *times, const struct keep_burst *burst)
{
	return times->own[burst - times->keep->bursts];
}

/* How many pieces of it are run: all but what warms caches, or evenly chosen ones. */
static size_t pieces_of(const struct times *times, const struct keep_burst *burst)
{
	size_t left = burst->count - burst->count / WARM_UP;

	if (own_of(times, burst) <= 0 || left < LEAST_PIECE)
		return 0;
	return left >= PIECES * PIECE ? PIECES : (left + PIECE - 1) / PIECE;
}

static void add_pieces(struct times *times, const struct keep_burst *burst)
{
	size_t count = pieces_of(times, burst), left = burst->count - burst->count / WARM_UP;

	for (size_t i = 0; i < count; i++) {
		size_t from = left * i / count, to = left * (i + 1) / count;

		times->pieces = grow(times->pieces, times->count, &times->capacity,
				     sizeof(*times->pieces));
		times->pieces[times->count++] = (struct piece){
			burst, burst->count / WARM_UP + from, to - from < PIECE ? to - from : PIECE,
		};
	}
}

/* Of bursts evenly chosen. */
static void choose_pieces(struct times *times)
{
	const struct keep *keep = times->keep;
	size_t all = 0, most, number = 0;

	for (size_t i = 0; i < keep->burst_count; i++)
		all += pieces_of(times, &keep->bursts[i]) > 0;
	most = all < BURSTS_MOST ? all : BURSTS_MOST;
	for (size_t i = 0; i < keep->burst_count; i++) {
		if (!pieces_of(times, &keep->bursts[i]))
			continue;
		if (number * most / all != (number + 1) * most / all)
			add_pieces(times, &keep->bursts[i]);
		number++;
	}
}

struct times *times_new(const struct keep *keep)
{
	struct times *times = xcalloc(1, sizeof(*times));
	long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);

	times->keep = keep;
	latencies_measure(&times->latencies);
	times->critical = critical_new(keep, &times->latencies);
	times->memory = rerun_memory_new();
	times->own = own_times(keep);
	times->waits = xcalloc(keep->site_count + 1, sizeof(*times->waits));
	times->bytes = bytes_of(keep);
	times->l2 = l2 > 0 ? l2 : L2_DEFAULT;
	choose_pieces(times);
	return times;
}

void times_free(struct times *times)
{
	if (!times)
		return;
	critical_free(times->critical);
	rerun_memory_free(times->memory);
	free(times->own);
	free(times->waits);
	free(times->pieces);
	free(times);
}

size_t times_pieces(const struct times *times)
{
	return times->memory ? times->count : 0;
}

/* --- references --- */

struct references {
	struct rerun_reference before[PIECE], after[PIECE];
	struct critical_time times[PIECE];
	uint64_t near_before[PIECE], near_after[PIECE];
	size_t near;
};

static uint64_t moved(const struct remap *remaps, const struct keep_access *access)
{
	const struct remap *map = &remaps[access->block];

	return map->shift || map->row ? remap_address(map, access->address) : access->address;
}

static uint32_t site_of(const struct piece *piece, size_t reference)
{
	return piece->burst->accesses[piece->from + reference].site;
}

/*
 * Whom most references of a site wait for (Boyer and Moore's vote), and how long at least. What
 * came before a site's latest load is there.
 */
static void fill_waits(const struct times *times, const struct piece *piece,
		       struct critical_time *time)
{
	for (size_t i = 0; i < times->keep->site_count; i++)
		times->waits[i] = (struct wait){ .delay = UINT8_MAX };
	for (size_t i = 0; i < piece->count; i++) {
		struct wait *wait = &times->waits[site_of(piece, i)];
		uint32_t from = time[i].from ? site_of(piece, time[i].from - 1) + 1 : 0;

		if (from && times->waits[from - 1].last != time[i].from)
			from = time[i].from = 0;
		wait->last = i + 1;
		if (!wait->votes)
			wait->from = from;
		wait->votes += wait->from == from ? 1 : -1;
	}
	for (size_t i = 0; i < piece->count; i++) {
		struct wait *wait = &times->waits[site_of(piece, i)];
		const struct critical_time *load;
		uint32_t delay;

		if (!time[i].from || site_of(piece, time[i].from - 1) + 1 != wait->from)
			continue;
		load = &time[time[i].from - 1];
		delay = time[i].address > load->loaded ? time[i].address - load->loaded : 0;
		if (delay < wait->delay)
			wait->delay = delay;
		times->waits[wait->from - 1].feeds = true;
	}
}

static void fill(const struct times *times, const struct piece *piece, const struct remap *remaps,
		 struct references *references)
{
	uint32_t slots[RERUN_SLOTS] = { 0 };	/* site whose load was last in each: + 1 */

	fill_waits(times, piece, references->times);
	for (size_t i = 0; i < piece->count; i++) {
		const struct keep_access *access = &piece->burst->accesses[piece->from + i];
		const struct wait *wait = &times->waits[access->site];
		struct rerun_reference *before = &references->before[i];
		uint8_t slot = access->site % RERUN_SLOTS, from = (wait->from - 1) % RERUN_SLOTS;

		*before = (struct rerun_reference){
			.address = access->address, .bytes = access->last + 1u,
			.kind = access->kind, .site = access->site,
		};
		if (references->times[i].from && wait->from && slots[from] == wait->from) {
			before->from = from + 1;
			before->delay = wait->delay;
		}
		if (before->kind == RERUN_LOAD && wait->feeds) {
			before->to = slot + 1;
			slots[slot] = access->site + 1;
		}
		references->after[i] = *before;
		references->after[i].address = moved(remaps, access);
	}
}

/* The piece's lines that the burst used before it, the last one last. */
static void fill_near(const struct piece *piece, const struct remap *remaps,
		      struct references *references)
{
	const struct keep_access *accesses = piece->burst->accesses;
	struct map lines = { .entries = NULL };
	size_t room = 0;

	for (size_t i = 0; i < piece->count; i++)
		*map_at(&lines, accesses[piece->from + i].address / LINE) = 1;
	for (size_t i = piece->from; i-- > 0; ) {
		uint64_t line = accesses[i].address / LINE;

		if (map_get(&lines, line) != 1)
			continue;
		*map_at(&lines, line) = 2;
		room++;
		references->near_before[PIECE - room] = accesses[i].address;
		references->near_after[PIECE - room] = moved(remaps, &accesses[i]);
	}
	references->near = room;
	map_free(&lines);
}

/* --- shares --- */

/* How much of the data lies beyond L2, at most. */
static double far_of(const struct times *times)
{
	return fmax(0, fmin(1, (times->bytes / times->l2 - NEAR_ALL) / (FAR_ALL - NEAR_ALL)));
}

static bool try_piece(const struct times *times, const struct piece *piece,
		      const struct remap *remaps, struct references *references,
		      struct what_if_times *result)
{
	double cycles = critical_cycles(times->critical, piece->burst, piece->from, piece->count,
					references->times);
	struct what_if input = {
		.memory = times->memory,
		.before = references->before, .after = references->after, .count = piece->count,
		.own = own_of(times, piece->burst), .instructions = piece->burst->instructions,
		.cycles = cycles,
		.far = far_of(times) > 0,
	};

	fill(times, piece, remaps, references);
	fill_near(piece, remaps, references);
	input.near_before = &references->near_before[PIECE - references->near];
	input.near_after = &references->near_after[PIECE - references->near];
	input.near = references->near;
	return what_if(&input, result);
}

/* Pieces of a burst that were run. */
struct tried {
	struct what_if_times times[PIECES];
	double ns[PIECES];		/* that they take, as rerun */
	double references[PIECES];
	size_t count;
};

/* What they share out of the burst's time is as in the rerun: its slow code has few references. */
static struct burst_share share_of(const struct times *times, const struct tried *tried,
				   const struct keep_burst *burst)
{
	double own = own_of(times, burst), far = far_of(times);
	struct burst_share sum = { .time = burst->time };
	double ns = 0, references = 0;

	for (size_t i = 0; i < tried->count; i++) {
		ns += tried->ns[i];
		references += tried->references[i];
	}
	for (size_t i = 0; i < tried->count; i++) {
		double part = tried->ns[i] / ns;
		struct what_if_share share =
			what_if_share(&tried->times[i],
				      own * part * references / tried->references[i], far);

		sum.low += part * share.low;
		sum.share += part * share.share;
		sum.high += part * share.high;
	}
	return sum;
}

/* All pieces of the burst that @first begins. Return: how many there are. */
static size_t try_burst(const struct times *times, size_t first, const struct remap *remaps,
			struct references *references, struct tried *tried)
{
	const struct keep_burst *burst = times->pieces[first].burst;
	double own = own_of(times, burst), far = far_of(times);
	size_t at;

	tried->count = 0;
	for (at = first; at < times->count && times->pieces[at].burst == burst; at++) {
		struct what_if_times *result = &tried->times[tried->count];
		double ns;

		if (!try_piece(times, &times->pieces[at], remaps, references, result))
			continue;
		ns = what_if_rerun(result, own, far) * times->pieces[at].count;
		if (!(ns > 0))
			continue;
		tried->references[tried->count] = times->pieces[at].count;
		tried->ns[tried->count++] = ns;
	}
	return at - first;
}

struct time_share times_try(const struct times *times, const struct remap *remaps)
{
	struct references *references = xmalloc(sizeof(*references));
	struct burst_share shares[BURSTS_MOST];
	size_t count = 0, pieces = 0;
	struct time_share share;
	struct tried tried;

	for (size_t i = 0, first; i < times->count; ) {
		first = i;
		i += try_burst(times, first, remaps, references, &tried);
		pieces += tried.count;
		if (tried.count)
			shares[count++] = share_of(times, &tried, times->pieces[first].burst);
	}
	free(references);
	share = shares_mean(shares, count);
	share.pieces = pieces;
	return share;
}
