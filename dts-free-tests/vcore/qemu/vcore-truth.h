/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The oracle's file: records of 64 bytes, little endian, in the order of each
 * CPU. By kind:
 *
 *	E  an event was counted: ip, va, pa, level; extra has its EV_ bits
 *	A  a counter began to count: va is its value, extra its selection
 *	V  a counter ceased: va is its value
 *	R  a PEBS record was written: ip, va; extra is its size
 *	L  a PEBS record was lost, for want of a mapping or of room
 *	P  a PMI was delivered
 *	M  the guest executed CPUID with EAX = VCORE_MARK: extra is its ECX
 */
#ifndef VCORE_TRUTH_H
#define VCORE_TRUTH_H

#include <stdint.h>

#define VCORE_MARK 0x56434d4b

struct vcore_truth {
	uint8_t kind, cpu, cpl;
	uint8_t level;		/* 1, 2, 3; 4 is memory */
	uint16_t counters;	/* bit i: PMCi; 8 + i: fixed counter i */
	uint16_t pad;
	uint64_t insns;		/* instructions of this CPU so far */
	uint64_t tsc;		/* 0 under -icount */
	uint64_t ip, va, pa, cr3, extra;
};

#endif
