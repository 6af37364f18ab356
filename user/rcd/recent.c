// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which lines missed since a line did, in the current burst. Over all sets: a
 * bit for each of the latest samples says that its line has not missed since,
 * so the bits set after a sample are the distinct lines. In one set: its lines
 * in the order of their last misses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rcd/internal.h"

#define REACH		4u	/* samples remembered, in lines of the cache; as in remiss.c */
#define WORD_BITS	64u
#define BLOCK_WORDS	64u
#define BLOCK_BITS	(WORD_BITS * BLOCK_WORDS)
#define NO_LINE		(~(uint64_t)0)

/* Of each set as many as it holds, and one. */
static uint64_t row_lines(const struct rcd *rcd)
{
	return (uint64_t)rcd->sets * (rcd->ways + 1);
}

/* In the ring. */
static uint64_t ring_samples(const struct rcd *rcd)
{
	uint64_t samples = BLOCK_BITS, lines = rcd->lines;

	while (samples < REACH * lines + WORD_BITS && samples < 1u << 30)
		samples *= 2;
	return samples;
}

size_t recent_size(const struct rcd *rcd)
{
	uint64_t samples = ring_samples(rcd), lines = rcd->lines;

	return samples / 8 + samples / BLOCK_BITS * sizeof(uint32_t) +
	       (lines <= ROWS_MOST ? row_lines(rcd) * sizeof(uint64_t) : 0);
}

int recent_open(struct rcd_stream *stream)
{
	const struct rcd *rcd = stream->rcd;
	uint64_t samples = ring_samples(rcd), lines = rcd->lines;

	stream->marks = calloc(samples / WORD_BITS, sizeof(*stream->marks));
	stream->mark_counts = calloc(samples / BLOCK_BITS, sizeof(*stream->mark_counts));
	stream->mark_mask = samples - 1;
	if (lines <= ROWS_MOST)
		stream->rows = malloc(row_lines(rcd) * sizeof(*stream->rows));
	if (!stream->marks || !stream->mark_counts || (lines <= ROWS_MOST && !stream->rows))
		return -ENOMEM;
	if (stream->rows)
		memset(stream->rows, 0xff, row_lines(rcd) * sizeof(*stream->rows));
	return 0;
}

void recent_close(struct rcd_stream *stream)
{
	free(stream->rows);
	free(stream->marks);
	free(stream->mark_counts);
}

/* What was noted, not all of it: the ring of a large cache is larger than most of its bursts. */
static void clear_marks(struct rcd_stream *stream)
{
	uint32_t blocks = (stream->mark_mask + 1) / BLOCK_BITS;
	uint32_t first = stream->mark_first / BLOCK_BITS, last = stream->mark_last / BLOCK_BITS;
	uint32_t count = last - first + 1, i;

	for (i = 0; i < count && i < blocks; i++) {
		uint32_t block = (first + i) % blocks;

		memset(stream->marks + block * BLOCK_WORDS, 0, BLOCK_BITS / 8);
		stream->mark_counts[block] = 0;
	}
	stream->marked = false;
}

void recent_clear(struct rcd_stream *stream)
{
	if (!stream->marks)
		return;
	if (stream->marked)
		clear_marks(stream);
	if (stream->rows)
		memset(stream->rows, 0xff, row_lines(stream->rcd) * sizeof(*stream->rows));
}

uint32_t recent_in_set(struct rcd_stream *stream, uint32_t set, uint64_t line)
{
	uint32_t most = stream->rcd->ways + 1, way;
	uint64_t *row, moved = line;

	if (!stream->rows)
		return most;
	row = stream->rows + (uint64_t)set * most;
	for (way = 0; way < most; way++) {
		uint64_t tag = row[way];

		row[way] = moved;
		if (tag == line || tag == NO_LINE)
			return way;
		moved = tag;
	}
	return most;
}

static void mark(struct rcd_stream *stream, uint32_t at, bool on)
{
	uint64_t *word = &stream->marks[at / WORD_BITS], bit = 1ull << at % WORD_BITS;

	if (!(*word & bit) == !on)
		return;
	*word ^= bit;
	stream->mark_counts[at / BLOCK_BITS] += on ? 1 : -1;
}

/* Bits set from @at on, below @end; both in the ring. */
static uint32_t count_marks(const struct rcd_stream *stream, uint32_t at, uint32_t end)
{
	uint32_t count = 0, step;

	for (; at < end; at += step) {
		uint64_t word = stream->marks[at / WORD_BITS] >> at % WORD_BITS;

		step = BLOCK_BITS;
		if (at % BLOCK_BITS == 0 && end - at >= BLOCK_BITS) {
			count += stream->mark_counts[at / BLOCK_BITS];
			continue;
		}
		step = WORD_BITS - at % WORD_BITS;
		if (end - at < step) {
			step = end - at;
			word &= (1ull << step) - 1;
		}
		count += __builtin_popcountll(word);
	}
	return count;
}

uint32_t recent_forget(struct rcd_stream *stream, uint32_t since)
{
	uint32_t mask = stream->mark_mask, begin = since & mask, end = stream->samples & mask;

	/* Its place in the ring belongs to a later sample. */
	if (stream->samples - since > mask)
		return UINT32_MAX / 2;
	mark(stream, begin, false);
	if (begin <= end)
		return count_marks(stream, begin, end);
	return count_marks(stream, begin, mask + 1) + count_marks(stream, 0, end);
}

void recent_note(struct rcd_stream *stream, uint32_t sample)
{
	if (!stream->marked)
		stream->mark_first = sample;
	stream->mark_last = sample;
	stream->marked = true;
	mark(stream, sample & stream->mark_mask, true);
}
