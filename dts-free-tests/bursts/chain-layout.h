/* SPDX-License-Identifier: GPL-2.0-only */
/* Where things are that chain-run.S and chain.c share. Offsets are checked in chain.c. */
#ifndef CCSAMPLE_TEST_CHAIN_LAYOUT_H
#define CCSAMPLE_TEST_CHAIN_LAYOUT_H

#define CODE		0x1000000	/* bytes: the driver, then sequences */
#define GUARD		0x1000000	/* between code and data: no access */
#define VARIABLES	0x1000		/* bytes, behind the guard; a stack at the end */

/* struct chain_variables */
#define V_BEGIN		0
#define V_END		8
#define V_OUT		16
#define V_TARGET	24
#define V_RDI		32
#define V_LEFT		40
#define V_MASK		44

/* struct state */
#define S_RDI		64
#define S_RSP		120
#define S_RIP		128		/* to go to; unchanged at the end */
#define S_FLAGS		136
#define S_LOAD		144		/* al, that an addition of 1 makes overflow or not; ah */
#define S_DOWN		146		/* the direction flag */
#define S_SIGNAL	148
#define S_VECTOR	192
#define STATE		4096

#endif /* CCSAMPLE_TEST_CHAIN_LAYOUT_H */
