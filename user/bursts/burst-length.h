/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long bursts are to be: each long enough for code that seldom misses to fill an L1, and no
 * longer, for bursts differ more from one another than their halves do: many short ones say more of
 * a program than a few long ones.
 */
#ifndef CCSAMPLE_BURSTS_BURST_LENGTH_H
#define CCSAMPLE_BURSTS_BURST_LENGTH_H

#include "bursts/warm-up.h"
#include "tracee/bursts/log.h"

#define BURST_LEAST_REFERENCES	20000u

struct burst_length {
	struct warm_up warm_up;
	double cold;		/* references until a burst had filled an L1, lately at most */
	double density;		/* references a word of the log, lately */
	uint64_t bursts;	/* full ones */
};

void burst_length_open(struct burst_length *length);
void burst_length_close(struct burst_length *length);

/* A burst that was read, @references of it given to its warm_up: the next one's may follow. */
void burst_length_end(struct burst_length *length, const struct burst *burst, uint64_t references);

/* Words of the log that the next ones are to have. */
uint32_t burst_length_words(const struct burst_length *length);

#endif /* CCSAMPLE_BURSTS_BURST_LENGTH_H */
