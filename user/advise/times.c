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
#include "base/student.h"
#include "gain/what-if.h"

#define PIECE		6000u		/* references: their code fits L1I */
#define LEAST_PIECE	1000u
#define PIECES_MOST	18u		/* that are run */
#define PIECES		3u		/* of a burst */
#define PAGE_BITS	12
#define LINE		64u
#define TOUCHED		3u		/* bytes in all by those of the pages that bursts met */
#define LEAST_BURSTS	2		/* that say something */
#define NEAR_ALL	0.5		/* of L2: so much data stays there */
#define FAR_ALL		2.0		/* ... so much does not */
#define MODEL		0.10		/* the rerun's own error: docs/explanation/advice.md */
#define SHOWS		0.02	/* of the time: a difference */
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

static void add_pieces(struct times *times, const struct keep_burst *burst)
{
	for (size_t i = 0; i < PIECES; i++) {
		size_t from = burst->count / (PIECES + 1) * (i + 1), left = burst->count - from;

		if (left < LEAST_PIECE || burst->own <= 0)
			return;
		times->pieces = grow(times->pieces, times->count, &times->capacity,
				     sizeof(*times->pieces));
		times->pieces[times->count++] = (struct piece){
			burst, from, left < PIECE ? left : PIECE,
		};
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
	for (size_t i = 0; i < keep->burst_count; i++)
		add_pieces(times, &keep->bursts[i]);
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

/* --- sums --- */

/* Of pieces: shares of their time, weighted by the time that they stand for. */
struct sums {
	double time, low, share, high;
	size_t pieces;
	const struct keep_burst *last;
	struct {
		double time, share;
	} bursts[PIECES_MOST];
	size_t count;			/* of bursts */
};

static void add(struct sums *sums, const struct keep_burst *burst,
		const struct what_if_share *share)
{
	double weight = burst->time;

	sums->time += weight;
	sums->low += weight * share->low;
	sums->share += weight * share->share;
	sums->high += weight * share->high;
	sums->pieces++;
	sums->count += burst != sums->last;
	sums->last = burst;
	sums->bursts[sums->count - 1].time += weight;
	sums->bursts[sums->count - 1].share += weight * share->share;
}

/* Half the interval of a ratio of sums over bursts (Cochran, Sampling Techniques, 6.4). */
static double spread_of(const struct sums *sums)
{
	double squares = 0, ratio = sums->share / sums->time;

	for (size_t i = 0; i < sums->count; i++) {
		double residue = sums->bursts[i].share - sums->bursts[i].time * ratio;

		squares += residue * residue;
	}
	return student_975(sums->count - 1) *
	       sqrt(squares * sums->count / (sums->count - 1)) / sums->time;
}

static struct time_share share_of(const struct sums *sums)
{
	double spread, half;

	if (sums->count < LEAST_BURSTS || sums->time <= 0)
		return (struct time_share){ NAN, NAN, NAN };
	spread = spread_of(sums);
	half = hypot(spread, MODEL);
	return (struct time_share){
		.low = sums->low / sums->time - half, .share = sums->share / sums->time,
		.high = fmin(1, sums->high / sums->time + half), .pieces = sums->pieces,
		/* What else runs here makes reruns slower than the program: wider bounds. */
		.noise = spread + (sums->high - sums->low) / (2 * sums->time),
	};
}

bool time_saves_more(const struct time_share *time, const struct time_share *than)
{
	return isfinite(time->share) &&
	       time->share - than->share >= fmax(SHOWS, hypot(time->noise, than->noise));
}

/* How much of the data lies beyond L2, at most. */
static double far_of(const struct times *times)
{
	return fmax(0, fmin(1, (times->bytes / times->l2 - NEAR_ALL) / (FAR_ALL - NEAR_ALL)));
}

static bool try_piece(const struct times *times, const struct piece *piece,
		      const struct remap *remaps, struct references *references,
		      struct what_if_share *share)
{
	double own = times->own[piece->burst - times->keep->bursts];
	double cycles = critical_cycles(times->critical, piece->burst, piece->from, piece->count,
					references->times);
	struct what_if input = {
		.memory = times->memory,
		.before = references->before, .after = references->after, .count = piece->count,
		.own = own, .instructions = piece->burst->instructions,
		.cycles = cycles,
		.far = far_of(times) > 0,
	};
	struct what_if_times result;

	fill(times, piece, remaps, references);
	fill_near(piece, remaps, references);
	input.near_before = &references->near_before[PIECE - references->near];
	input.near_after = &references->near_after[PIECE - references->near];
	input.near = references->near;
	if (!what_if(&input, &result))
		return false;
	*share = what_if_share(&result, own, far_of(times));
	return true;
}

struct time_share times_try(const struct times *times, const struct remap *remaps)
{
	struct references *references = xmalloc(sizeof(*references));
	size_t most = times_pieces(times) < PIECES_MOST ? times_pieces(times) : PIECES_MOST;
	struct sums sums = { .count = 0 };
	struct what_if_share share;

	for (size_t i = 0; i < most; i++) {
		const struct piece *piece = &times->pieces[i * times->count / most];

		if (try_piece(times, piece, remaps, references, &share))
			add(&sums, piece->burst, &share);
	}
	free(references);
	return share_of(&sums);
}
