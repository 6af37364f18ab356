/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long bursts are to be: each long enough for code that seldom misses to fill an L1, and no
 * longer, for bursts differ more from one another than their halves do: many short ones say more of
 * a program than a few long ones.
 */
#ifndef CCSAMPLE_BURSTS_BURST_LENGTH_H
#define CCSAMPLE_BURSTS_BURST_LENGTH_H

#include "bursts/warm-up.h"
#include "tracee/burst-log/log.h"

#define BURST_LEAST_REFERENCES	20000u

struct burst_length {
	struct warm_up warm_up;
	double cold;		/* references until a burst had filled an L1, lately at most */
	double density;		/* references a word of the log, lately */
	uint64_t bursts;	/* full ones */
	uint64_t read;		/* all */
};

void burst_length_open(struct burst_length *length);
void burst_length_close(struct burst_length *length);

/* Is it to be given the references of the next burst, at least the first ones? */
bool burst_length_asks(const struct burst_length *length);

/* Return: false if it needs no more of them */
bool burst_length_add(struct burst_length *length, const struct burst_reference *all, size_t count);

/* A burst of @references was read: the next one's may follow. */
void burst_length_end(struct burst_length *length, const struct burst *burst, uint64_t references);

/* Words of the log that the next ones are to have. */
uint32_t burst_length_words(const struct burst_length *length);

#endif /* CCSAMPLE_BURSTS_BURST_LENGTH_H */
