/* SPDX-License-Identifier: GPL-2.0-only */
/* How far an instruction steps from one miss to its next: the distances that stand out. */
#ifndef CCSAMPLE_RCD_STEPS_H
#define CCSAMPLE_RCD_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#define STEPS_KEPT 12

/* The most frequent distances (Misra and Gries, 1982): counts are at most a 13th of all too low. */
struct steps {
	uint64_t total;
	uint64_t lines;			/* of these, to another line of 64 B */
	uint64_t distance[STEPS_KEPT];	/* bytes, > 0 */
	uint64_t count[STEPS_KEPT];	/* 0 = free */
	uint32_t last;			/* of them, that was counted last */
};

/* Takes in the distance of two misses that follow one another; none where it is 0. */
void steps_add(struct steps *steps, uint64_t from, uint64_t to);

struct wire;

/* Writes them, or adds those of another one (Agarwal and others, Mergeable Summaries, 2012). */
void steps_wire(struct steps *steps, struct wire *wire);

/**
 * steps_stride() - the distance that the misses keep to.
 *
 * The one that at least half of them have, or if that is a whole number of lines, more than one, a
 * frequent one less than a line off; or else what the frequent ones (a twentieth each, three
 * quarters together) are multiples of, if that is at least a cache line.
 *
 * Return: bytes; 0 = irregular, or fewer than 16 distances.
 */
uint64_t steps_stride(const struct steps *steps, uint32_t line);

/*
 * Do instructions use most lines that lie between the steps of one of them? Then they go along what
 * they walk through, as through small matrices of which each instruction has an element.
 * @together: the steps of all; @stride: of @one, bytes
 */
bool steps_fill(const struct steps *together, const struct steps *one, uint64_t stride,
		uint32_t line);

#endif /* CCSAMPLE_RCD_STEPS_H */
