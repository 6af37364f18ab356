/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a number is spread over many recordings (ranks), in memory that does not grow with them:
 * the least and the most, and the median of all, or of 128 drawn at random.
 */
#ifndef CCSAMPLE_RCD_SPREAD_H
#define CCSAMPLE_RCD_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

#define SPREAD_KEPT 128

/* Zeroed to begin with: for recordings that do not report the number it is 0. */
struct spread {
	uint64_t before;		/* a running total, at the end of the last recording */
	uint64_t in;			/* recordings in which it was not 0 */
	double least, most;
	uint32_t least_file, most_file;
	double kept[SPREAD_KEPT];	/* numbers of the recordings drawn */
};

/* Which recordings count, and which of them were drawn: the same for many spreads. */
struct spread_files {
	uint32_t count;
	uint32_t first;			/* the first of them */
	uint32_t slot;			/* of the latest, SPREAD_KEPT = it was not drawn */
	uint32_t drawn[SPREAD_KEPT];	/* those that were, by slot */
};

/* What is shown of a spread. */
struct spread_findings {
	uint64_t files;			/* recordings that count, 0 = there is but one */
	uint64_t in;
	double least, median, most;
	const char *least_name, *most_name;
	bool drawn;			/* the median is of SPREAD_KEPT of them */
};

/* One more recording counts. */
void spread_files_add(struct spread_files *files, uint32_t file);

/* The number of the recording added last; it must be given to a spread as soon as it is known. */
void spread_add(struct spread *spread, const struct spread_files *files, uint32_t file,
		double number);

struct wire;

/* Which slots take the numbers of the recordings that another process read. */
struct spread_move {
	uint32_t before, more;		/* recordings that count: here, and there */
	uint32_t first, more_first;	/* of these */
	uint32_t kept;			/* drawn there */
	uint8_t to[SPREAD_KEPT];	/* their slots, SPREAD_KEPT = it is not drawn any more */
};

/* Writes which recordings count, or adds those that another process read after ours. */
void spread_files_wire(struct spread_files *files, struct wire *wire, struct spread_move *move);

/* The same for a spread over them; spread_without(): unknown there, all its numbers are 0. */
void spread_wire(struct spread *spread, struct wire *wire, const struct spread_move *move);
void spread_without(struct spread *spread, const struct spread_move *move);

/* @name: what a recording is called */
struct spread_findings spread_result(const struct spread *spread, const struct spread_files *files,
				     const char *(*name)(const void *context, uint32_t file),
				     const void *context);

#endif /* CCSAMPLE_RCD_SPREAD_H */
