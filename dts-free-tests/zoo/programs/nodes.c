// SPDX-License-Identifier: GPL-2.0-only
/*
 * A tree whose nodes are pages, allocated one by one.
 *
 * Thread: https://github.com/mratsim/weave/issues/176
 * Loop: search
 * Cure: resize
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define FANOUT	16
#define NODES	(1 + FANOUT + FANOUT * FANOUT)

struct node {
	uint64_t hits;
	struct node *children[FANOUT];
	char data[4096 - 8 - FANOUT * sizeof(void *)];
};

static struct node *nodes[NODES];

static struct node *new_node(size_t number)
{
	return zoo_later(aligned_alloc(4096, sizeof(struct node) + (PAD ? 4096 : 0)), number % 60);
}

static uint64_t search(struct node *root, int passes)
{
	uint64_t key = 1;

	for (passes *= 256; passes > 0; passes--) {
		struct node *node = root;

		for (int depth = 0; depth < 3; depth++) {
			node->hits++;
			if (depth < 2)
				node = node->children[key >> 60];
			key = key * 6364136223846793005u + (node->hits & 2) + 1;
		}
	}
	return key;
}

int main(int argc, char **argv)
{
	uint64_t sum;
	size_t i, j;

	for (i = 0; i < NODES; i++) {
		nodes[i] = new_node(i);
		nodes[i]->hits = 0;
	}
	for (i = 0; i < 1 + FANOUT; i++)
		for (j = 0; j < FANOUT; j++)
			nodes[i]->children[j] = nodes[i * FANOUT + j + 1];
	sum = search(nodes[0], zoo_passes(argc, argv, 130000));
	for (i = 0; i < NODES; i++)
		sum += nodes[i]->hits * i;
	printf("%ju\n", (uintmax_t)sum);
	return 0;
}
