// SPDX-License-Identifier: GPL-2.0-only
/*
 * pointer-chase: follows one cycle through 16 Ki lines in random order, once a
 * repeat.
 *
 * Shows: a negative where each miss waits for the last: every line comes again
 * only after all others.
 * Verdict: none.
 */
#include "kernel.h"

#define NODES	(16 * 1024)

struct node {
	struct node *next;
	uint64_t value;
	char rest[48];
};

static __attribute__((noinline)) uint64_t chase(const struct node *node)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < NODES; i++) {
		sum += node->value;
		node = node->next;
	}
	return sum;
}

/* Sattolo's shuffle: one cycle through all nodes. */
static void link_nodes(struct node *nodes, uint32_t *order)
{
	uint64_t state = 88172645463325252;

	for (uint32_t i = 0; i < NODES; i++)
		order[i] = i;
	for (uint32_t i = NODES - 1; i > 0; i--) {
		uint32_t other = kernel_random(&state) % i, index = order[i];

		order[i] = order[other];
		order[other] = index;
	}
	for (uint32_t i = 0; i < NODES; i++) {
		nodes[i].next = &nodes[order[i]];
		nodes[i].value = i * i;
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 1200, sizeof(struct node), 0, 0);
	struct node *nodes = kernel_require(aligned_alloc(64, NODES * sizeof(struct node)));
	uint32_t *order = kernel_require(malloc(NODES * sizeof(uint32_t)));
	uint64_t sum = 0;

	link_nodes(nodes, order);
	for (unsigned long r = 0; r < run.repeats; r++) {
		kernel_changed(nodes);
		sum += chase(nodes);
	}
	kernel_checksum(sum % 1000003);
	free(nodes);
	free(order);
	return 0;
}
