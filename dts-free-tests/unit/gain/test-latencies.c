// SPDX-License-Identifier: GPL-2.0-only
/* Whole cycles of chains. What this processor takes is only looked at for being a number of cycles. */
#include <stdbool.h>

#include "gain/latencies.h"
#include "tap.h"

int main(void)
{
	struct latencies latencies;
	bool cycles = true;

	ok(latency_cycles(2.1, 3) == 2 && latency_cycles(0.8, 0.6) == 4, "rounded to whole cycles");
	ok(latency_cycles(0.1, 3) == 1 && latency_cycles(100, 3) == 20 && latency_cycles(1, 0) == 1,
	   "1 to 20, whatever was measured");
	latencies_measure(&latencies);
	for (int i = LATENCY_TYPICAL + 1; i < LATENCY_CLASSES; i++)
		cycles &= latencies.cycles[i] <= 20 && (latencies.cycles[i] || i == LATENCY_FUSED);
	ok(cycles && !latencies.cycles[LATENCY_TYPICAL], "each class that this processor has is measured");
	return done();
}
