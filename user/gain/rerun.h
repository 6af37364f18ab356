/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recorded references as machine code of our own, run on memory of our own: what they cost on this
 * processor, with all that it hides: as loops where instructions come in rounds, so that code comes
 * as fast as the program's, and prefetching by instruction sees the program's steps. Addresses keep
 * their low 21 bits, and which loads they wait for, how long; between them lie as many instructions
 * as the program had. All memory holds zeros, and stays so.
 */
#ifndef CCSAMPLE_GAIN_RERUN_H
#define CCSAMPLE_GAIN_RERUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RERUN_SLOTS	6		/* registers that loads may hand addresses on in */

enum rerun_kind { RERUN_LOAD = 1, RERUN_STORE = 2, RERUN_LOAD_STORE = 3 };

struct rerun_reference {
	uint64_t address;
	uint16_t bytes;			/* at least 1 */
	uint8_t kind;			/* enum rerun_kind */
	uint8_t from;			/* slot + 1 that the address waits for, 0 = none */
	uint8_t delay;			/* cycles from there to the address */
	uint8_t to;			/* slot + 1 that the loaded value goes to, 0 = none */
	uint32_t site;			/* which instruction: any numbers */
};

/* What the program does besides, by reference. */
struct rerun_mix {
	double fillers;			/* instructions that wait for nothing */
	double cycles;			/* that a chain of others takes */
};

/* Where references go: always zeros, so that reruns share it. */
struct rerun_memory;

/* Return: NULL where the system gives none. */
struct rerun_memory *rerun_memory_new(void);
void rerun_memory_free(struct rerun_memory *memory);

struct rerun;

/**
 * rerun_new() - references as machine code.
 * @memory: outlives it
 *
 * Return: NULL where the system gives no such memory, or they are too far apart.
 */
struct rerun *rerun_new(struct rerun_memory *memory, const struct rerun_reference *references,
			size_t count, const struct rerun_mix *mix);
void rerun_free(struct rerun *rerun);

/* Runs them once, with what the caches hold. Return: ns. */
double rerun_once(const struct rerun *rerun);

/**
 * rerun_cold() - the same with the data in none of the nearer caches, but the code there.
 * @near: addresses, of lines that references use, that are brought back, the last one last
 */
double rerun_cold(const struct rerun *rerun, const uint64_t *near, size_t count);

#endif /* CCSAMPLE_GAIN_RERUN_H */
