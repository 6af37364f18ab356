// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the virtual core counted (../vcore/qemu/vcore-truth.h), each load and
 * store once, as a trace in lackey's format, or its totals.
 *
 *	core-trace FILE counts
 *	core-trace FILE va|pa [kernel] [SKIP,WARM,EVALUATE]
 *
 * counts: accesses of user code, and how many missed L1, L2, L3. va, pa: virtual
 * or physical addresses, of user code alone or with the kernel's. With three
 * numbers of accesses those to skip are left out, and the instructions of those
 * that only warm caches are moved up by 2^60, so that they can be told apart.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../vcore/qemu/vcore-truth.h"

#define EV_LOAD		1u	/* ../vcore/qemu/vcore-internal.h */
#define EV_STORE	2u
#define USER		3
#define WARMING		(1ull << 60)

struct wanted {
	bool counts, physical, kernel;
	uint64_t skip, warm, evaluate;
};

static uint64_t taken, missed[4];	/* accesses of user code; by level, 1 .. 3 */

static void count(const struct vcore_truth *t)
{
	taken++;
	for (int level = 1; level < t->level && level <= 3; level++)
		missed[level]++;
}

static void put(const struct vcore_truth *t, const struct wanted *wanted, uint64_t number)
{
	uint64_t round = wanted->skip + wanted->warm + wanted->evaluate;
	uint64_t at = round ? number % round : 0, ip = t->ip;

	if (round && at < wanted->skip)
		return;
	if (round && at < wanted->skip + wanted->warm)
		ip |= WARMING;
	printf("I  %" PRIx64 ",1\n %c %" PRIx64 ",1\n", ip, t->extra & EV_STORE ? 'S' : 'L',
	       wanted->physical ? t->pa : t->va);
}

static bool parse(int argc, char **argv, struct wanted *wanted)
{
	if (argc < 3)
		return false;
	wanted->counts = !strcmp(argv[2], "counts");
	wanted->physical = !strcmp(argv[2], "pa");
	for (int i = 3; i < argc; i++) {
		if (!strcmp(argv[i], "kernel"))
			wanted->kernel = true;
		else if (sscanf(argv[i], "%" SCNu64 ",%" SCNu64 ",%" SCNu64, &wanted->skip,
				&wanted->warm, &wanted->evaluate) != 3)
			return false;
	}
	return wanted->counts || wanted->physical || !strcmp(argv[2], "va");
}

int main(int argc, char **argv)
{
	struct wanted wanted = { false };
	struct vcore_truth t;
	uint64_t number = 0;
	FILE *file;

	if (!parse(argc, argv, &wanted)) {
		fprintf(stderr, "usage: core-trace FILE counts | va | pa [kernel] [S,W,E]\n");
		return 2;
	}
	file = fopen(argv[1], "rb");
	if (!file) {
		perror(argv[1]);
		return 1;
	}
	while (fread(&t, sizeof(t), 1, file) == 1) {
		if (t.kind != 'E' || !(t.extra & (EV_LOAD | EV_STORE)))
			continue;
		if (t.cpl != USER && (wanted.counts || !wanted.kernel))
			continue;
		if (wanted.counts)
			count(&t);
		else
			put(&t, &wanted, number++);
	}
	fclose(file);
	if (wanted.counts)
		printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", taken, missed[1],
		       missed[2], missed[3]);
	return 0;
}
