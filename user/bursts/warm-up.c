// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bursts/warm-up.h"

#define BURST_BITS	16
#define SPARSE		4		/* slots for a line */

void warm_up_open(struct warm_up *warm_up, uint32_t lines, uint64_t patience)
{
	*warm_up = (struct warm_up){
		.slots = SPARSE * lines, .most = lines, .patience = patience,
	};
	warm_up->slot = xcalloc(warm_up->slots, sizeof(*warm_up->slot));
}

void warm_up_close(struct warm_up *warm_up)
{
	free(warm_up->slot);
	warm_up->slot = NULL;
}

void warm_up_begin(struct warm_up *warm_up)
{
	if (!++warm_up->burst) {
		memset(warm_up->slot, 0, warm_up->slots * sizeof(*warm_up->slot));
		warm_up->burst = 1;
	}
	warm_up->lines = 0;
	warm_up->references = 0;
	burst_strip_begin(&warm_up->recent);
}

void warm_up_line(struct warm_up *warm_up, uint64_t line)
{
	uint64_t key = line << BURST_BITS | warm_up->burst;
	uint32_t at = (line * 0x9e3779b97f4a7c15ull >> 32) * warm_up->slots >> 32;

	while (warm_up->slot[at] != key && (uint16_t)warm_up->slot[at] == warm_up->burst)
		at = at + 1 == warm_up->slots ? 0 : at + 1;
	if (warm_up->slot[at] == key)
		return;
	warm_up->slot[at] = key;
	warm_up->lines++;
}
