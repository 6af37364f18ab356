/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fully associative cache with least-recently-used replacement, of any size:
 * the shadow of an outer level, which separates conflict from capacity misses
 * (Hill and Smith, IEEE ToC 38(12), 1989).
 *
 * A line's words (cachesim/lines.h) have the time of its last use, and the shadow holds
 * just the lines used since some time, @oldest. So a look-up is one comparison, and
 * a line that leaves is not written to. A log records which line was used when. To evict
 * one, the log's entries from @oldest on are skipped until one is its line's last use:
 * each entry is skipped once, so this costs a constant per use. A full log is reduced to
 * each line's last use. It starts when the first line has to leave; until then the lines'
 * times are enough.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_SHADOW_OUTER_H
#define CCSAMPLE_CACHESIM_SHADOW_OUTER_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/lines.h"
#include "base/allocator.h"

/* What an outer level knows of a line, in words of the line. */
struct line_at {
	uint32_t window;	/* of set pressure that the line last missed in, 0 = none */
	uint32_t time;		/* of its last use, 0 = none, or taken out */
	uint32_t whereabouts;	/* its place in the sets and LINE_HELD, else its evictor */
};

#define LINE_HELD	LINES_END	/* no evictor is as large */

static inline bool line_held(const struct line_at *at)
{
	return at->whereabouts & LINE_HELD;
}

/* The place of a line that is held. */
static inline uint32_t line_place(const struct line_at *at)
{
	return at->whereabouts & ~LINE_HELD;
}

#define LINE_AT_WORDS	3u

struct shadow_outer {
	const struct line_words *words;
	uint32_t offset;	/* of a struct line_at in a line's words */
	uint32_t now, oldest;	/* times: the last use, and the first that still counts */
	uint32_t full_at;	/* the log is, after a use at this time */
	uint32_t held, capacity;
	bool logs;		/* lines leave, so the log is kept */
	uint32_t *log;		/* numbers of lines, by the last bits of the time */
	uint32_t last;		/* place of the log */
	uint32_t end;		/* times never come to this */
};

/**
 * shadow_outer_open() - an empty shadow.
 * @words: of the lines; must outlive the shadow
 * @offset: where in a line's words its struct line_at is
 * @capacity: lines
 *
 * Return: false without memory; what was allocated is given back by shadow_outer_close().
 */
bool shadow_outer_open(struct shadow_outer *shadow, const struct line_words *words, uint32_t offset,
		  uint32_t capacity, const struct allocator *memory);
void shadow_outer_close(struct shadow_outer *shadow, const struct allocator *memory);

/* What the level knows of a line. */
static inline struct line_at *shadow_outer_at(const struct shadow_outer *shadow, uint32_t number)
{
	return (struct line_at *)(line_words_at(shadow->words, number) + shadow->offset);
}

static inline bool shadow_outer_holds(const struct shadow_outer *shadow, const struct line_at *at)
{
	return at->time >= shadow->oldest;
}

/* Makes room in the log. */
void shadow_outer_make_room(struct shadow_outer *shadow);

/* One line too many: the oldest leaves. */
void shadow_outer_evict(struct shadow_outer *shadow);

/**
 * shadow_outer_use() - an access: the line is the newest afterwards.
 * @at: of the line with that @number
 *
 * Return: whether it was there.
 */
static inline bool shadow_outer_use(struct shadow_outer *shadow, uint32_t number,
				    struct line_at *at)
{
	bool held = shadow_outer_holds(shadow, at);

	if (shadow->now == shadow->full_at)
		shadow_outer_make_room(shadow);
	at->time = ++shadow->now;
	if (shadow->logs)
		shadow->log[at->time & shadow->last] = number;
	if (!held && shadow->held++ == shadow->capacity)
		shadow_outer_evict(shadow);
	return held;
}

/* Takes a line out that is there. */
static inline void shadow_outer_remove(struct shadow_outer *shadow, struct line_at *at)
{
	at->time = 0;
	shadow->held--;
}

#endif /* CCSAMPLE_CACHESIM_SHADOW_OUTER_H */
