// SPDX-License-Identifier: GPL-2.0-only
/* Loaded by odd.c. */
#include <stdlib.h>

static volatile char table[100000];

int plugin_work(void)
{
	void *volatile block = malloc(1014);
	int i;

	for (i = 0; i < sizeof(table); i += 64)
		table[i]++;
	free(block);
	return 0;
}
