/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which bursts of recordings are read. A recording of hours holds more than anyone waits for, and
 * what the first hundreds say of a program its thousands hardly say better: the interval is by
 * the square root of their number. So where there are very many, one of each so many in a row is
 * read, chosen at random: shares and ratios are as of all, and intervals are by those read. As long
 * ones are few, and spreads over recordings are by the bursts of each, some of each recording are
 * read, however many references they have.
 */
#ifndef CCSAMPLE_BURSTS_BURST_CHOICE_H
#define CCSAMPLE_BURSTS_BURST_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

/* Of a burst, and of a long one: their bytes may claim any number. */
#define BURST_REFERENCES_MOST	(1u << 22)
#define LONG_REFERENCES_MOST	(1u << 25)

#define BURSTS_READ_MOST	24000000ull	/* references, so that no report takes very long */
#define BURSTS_READ_LEAST	100		/* of each recording and kind, if it has as many */
#define BURSTS_READ_ALL		UINT64_MAX

struct ccs_burst;
struct inputs;

/* Of short bursts, or of long ones. */
struct burst_choice {
	uint64_t every;		/* one in so many is read */
	uint64_t seen;
	uint64_t next;		/* of those seen, the one to be read */
	uint64_t random;
	uint64_t passed;	/* not read */
	uint64_t passed_ns;	/* CPU time that these stand for */
};

struct burst_choices {
	struct burst_choice bursts, long_ones;
};

/**
 * burst_choices_count() - looks through recordings for the number of their references.
 * @most: to be read of short bursts, and a third as many of long ones, which cost more, unless
 *	  those would be fewer bursts than BURSTS_READ_LEAST of a recording; 0 = BURSTS_READ_MOST
 *
 * What can be read but once (a pipe) is not looked through, and is read whole.
 *
 * Return: 0, or -1 after one line: one cannot be opened.
 */
int burst_choices_count(struct burst_choices *choices, const struct inputs *inputs,
			uint64_t most);

/* The next burst comes. Return: whether it is read. */
bool burst_choice_takes(struct burst_choice *choice, const struct ccs_burst *burst);

#endif /* CCSAMPLE_BURSTS_BURST_CHOICE_H */
