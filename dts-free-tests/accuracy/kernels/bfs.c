// SPDX-License-Identifier: GPL-2.0-only
/*
 * A breadth-first search of a random graph of -n nodes with eight edges each.
 */
#include "kernel.h"

#include <string.h>

#define EDGES	8

static size_t search(uint32_t *depth, uint32_t *queue, const uint32_t *edges, size_t nodes)
{
	size_t head = 0, tail = 1;

	memset(depth, 0xff, nodes * sizeof(*depth));
	queue[0] = 0;
	depth[0] = 0;
	while (head < tail) {
		uint32_t node = queue[head++];

		for (size_t k = 0; k < EDGES; k++) {
			uint32_t next = edges[node * EDGES + k];

			if (depth[next] != ~0u)
				continue;
			depth[next] = depth[node] + 1;
			queue[tail++] = next;
		}
	}
	return tail + depth[queue[tail - 1]];
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 8, 1, 50000, 1 << 22);
	uint32_t *edges = kernel_require(calloc(run.size * EDGES, sizeof(uint32_t)));
	uint32_t *depth = kernel_require(calloc(run.size, sizeof(uint32_t)));
	uint32_t *queue = kernel_require(calloc(run.size, sizeof(uint32_t)));
	uint64_t state = 88172645463325252ull;
	double sum = 0;

	for (size_t i = 0; i < run.size * EDGES; i++)
		edges[i] = kernel_random(&state) % run.size;
	for (unsigned long r = 0; r < run.repeats; r++)
		sum += search(depth, queue, edges, run.size);
	kernel_checksum(sum);
	free(queue);
	free(depth);
	free(edges);
	return 0;
}
