/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sequences one after the other: code loads the state that each begins with and stores the
 * one that it ends with. Natively only a sequence that faults takes a signal. In the tracer
 * the code between sequences is traced, too: a burst runs through as many as its log has room for,
 * and through the first that faults; another begins behind that.
 */
#ifndef CCSAMPLE_TEST_CHAIN_H
#define CCSAMPLE_TEST_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "chain-layout.h"

#define CHAIN		16u		/* sequences, at most */
#define STATE_VECTOR	(STATE - S_VECTOR)

/* What a sequence begins or ends with. Signal 0: its last instruction was reached. */
struct state {
	greg_t gpr[REG_EFL + 1];	/* REG_R8 to REG_EFL */
	uint8_t load[2], down;		/* the flags to begin with: chain_begin_flags() */
	int32_t signal, code;
	void *address;
	uint8_t room[24];
	uint8_t vector[STATE_VECTOR];	/* as XSAVE stores it */
} __attribute__((aligned(64)));

extern struct state chain_begin[CHAIN], chain_native[CHAIN], chain_traced[CHAIN];

/* Where code runs; it is written by chain_write(). */
extern uint8_t *code_in;
void chain_write(uint64_t address, const void *bytes, size_t size);
/* That of sequence @i: DATA bytes between pages that cannot be accessed. */
uint8_t *chain_data(unsigned int i);

/* What XSAVE stores: its components. */
extern uint32_t chain_mask;

/* How it is traced. Words, instructions and parts as in struct bursts_area. */
struct chain_bursts {
	uint32_t log_words, timed, part_words, parts, repeat;
};

struct burst_log;

/* First: is XSAVE there? */
bool chain_is_possible(void);

/* Return: false if memory cannot be had. */
bool chain_init(struct burst_log *log);

/* Sets what loads these flags. */
void chain_begin_flags(struct state *state, uint64_t flags);

/* A sequence's last instruction, at @address: 5 bytes. */
size_t chain_put_end(uint8_t *out, uint64_t address);

/* Runs @count of chain_begin, to chain_native. */
void chain_run_natively(unsigned int count);

/**
 * chain_run_traced() - the same, to chain_traced.
 * @drain: reads what bursts have logged; called from a handler, too
 *
 * Return: false if there was no burst.
 */
bool chain_run_traced(unsigned int count, const struct chain_bursts *how, void (*drain)(void));

/* Runs from @from until the end or a fault; to @to. */
void chain_run_one(const struct state *from, struct state *to);

/*
 * Single-steps from @from to the end, or to a fault; @each before each instruction.
 *
 * Return: false if there were more than @most.
 */
bool chain_step(const struct state *from,
		bool (*each)(const greg_t *registers, const uint8_t *vector), unsigned int most);

/* Is it an address of the code between sequences? */
bool chain_is_driver(uint64_t address);

#endif /* CCSAMPLE_TEST_CHAIN_H */
