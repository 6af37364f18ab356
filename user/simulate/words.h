/* SPDX-License-Identifier: GPL-2.0-only */
/* A simulation in words. All text is allocated, and not cleaned. */
#ifndef CCSAMPLE_SIMULATE_WORDS_H
#define CCSAMPLE_SIMULATE_WORDS_H

#include "simulate/views.h"

/* "32 KiB, 8 ways, 64 sets, lru". @n: level - 1 */
char *simulation_cache_text(const struct level_plan *plan, uint32_t n);

/* What was simulated, and how much of it. */
char *simulation_summary(const struct sim_findings *findings, const struct simulation_view *view);

#define SIMULATION_DOUBTS	10

/* What the reader must know before trusting the numbers. Return: how many texts */
size_t simulation_doubts(const struct sim_findings *findings, const struct simulation_view *view,
			 char *doubts[SIMULATION_DOUBTS]);

#endif /* CCSAMPLE_SIMULATE_WORDS_H */
