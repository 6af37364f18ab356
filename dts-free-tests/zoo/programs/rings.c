// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packet buffers of 2048 B: of each the header is read and changed.
 *
 * Thread: https://github.com/luigirizzo/netmap/issues/336
 * Loop: forward
 * Cure: rows
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define BUFFERS	256
#define SIZE	(2048 + PAD)

struct header {
	uint64_t from, to;
	uint32_t length, hops;
};

static uint64_t forward(char *ring, int passes)
{
	uint64_t next = 1;

	for (; passes-- > 0; )
		for (size_t i = 0; i < BUFFERS; i++) {
			struct header *header = (void *)(ring + next % BUFFERS * SIZE);

			header->hops++;
			header->from ^= header->to;
			next += header->length;
		}
	return next;
}

int main(int argc, char **argv)
{
	char *ring = malloc(BUFFERS * SIZE);
	uint64_t sum;
	size_t i;

	for (i = 0; i < BUFFERS; i++)
		*(struct header *)(ring + i * SIZE) = (struct header){ i, i * 3, 77, 0 };
	sum = forward(ring, zoo_passes(argc, argv, 300000));
	for (i = 0; i < BUFFERS; i++)
		sum += ((struct header *)(ring + i * SIZE))->hops * i;
	printf("%ju\n", (uintmax_t)sum);
	return 0;
}
