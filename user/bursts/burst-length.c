// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "bursts/burst-length.h"

#define REFERENCES	100000.0	/* of a burst, at most: they fill any L1 many times over */
#define WARM_UPS	4		/* bursts are so many times as long as a cache fills */
#define FIRST		10		/* half as long: a short program pays for few others */
#define WORDS_MOST	(100u << 10)	/* logged for them: a word each or less, mostly */
#define WORDS_LEAST	(8u << 10)
#define DENSEST		4.0		/* references a word: string instructions have more */
#define RECENT		16.0		/* bursts over which is averaged */
#define ASKED		8u		/* one in so many bursts shows when it had filled a cache */

void burst_length_open(struct burst_length *length)
{
	*length = (struct burst_length){ .density = 1 };
	warm_up_open(&length->warm_up, WARM_UP_LINES, REFERENCES / WARM_UPS);
	warm_up_begin(&length->warm_up);
}

void burst_length_close(struct burst_length *length)
{
	warm_up_close(&length->warm_up);
}

bool burst_length_asks(const struct burst_length *length)
{
	return length->bursts < FIRST || length->read % ASKED == 0;
}

bool burst_length_add(struct burst_length *length, const struct burst_reference *all, size_t count)
{
	for (size_t i = 0; i < count && !warm_up_done(&length->warm_up); i++)
		warm_up_add(&length->warm_up, &all[i]);
	return !warm_up_done(&length->warm_up);
}

void burst_length_end(struct burst_length *length, const struct burst *burst, uint64_t references)
{
	uint32_t words = burst->log_end - burst->log_begin;
	bool full = burst->reason == BURST_FULL;

	length->read++;
	length->bursts += full;
	if (full && length->warm_up.references)
		length->cold = fmax(length->warm_up.references, length->cold * (1 - 1 / RECENT));
	if (full && burst->log_end > burst->log_begin)
		length->density += (fmin((double)references / words, DENSEST) - length->density) /
				   fmin(length->bursts, RECENT);
	warm_up_begin(&length->warm_up);
}

uint32_t burst_length_words(const struct burst_length *length)
{
	double most = fmin(WARM_UPS * length->cold, REFERENCES);
	double references = fmax(length->bursts < FIRST ? most / 2 : most, BURST_LEAST_REFERENCES);

	return fmin(fmax(references / length->density, WORDS_LEAST), WORDS_MOST);
}
