/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The oracle's file: records of 64 bytes, little endian, in the order of each
 * CPU. By kind:
 *
 *	E  an event was counted: ip, va, pa, level; extra has its EV_ bits
 *	A  a counter began to count: va is its value, extra its selection
 *	V  a counter ceased: va is its value
 *	R  a PEBS record was written. All is of the instruction recorded, as E has
 *	   it, though the record may land later; the TSC is the record's own
 *	   (formats 3 and 4) and never 0; extra is its size in bytes
 *	L  likewise, of one that was lost, for want of a mapping or of room
 *	P  a PMI was delivered; ip is the instruction before which it came
 *	p  a PMI found LVTPC masked: lost, or latched (latch-pmi); ip likewise
 *	M  the guest executed CPUID with EAX = VCORE_MARK: extra is its ECX
 */
#ifndef VCORE_TRUTH_H
#define VCORE_TRUTH_H

#include <stdint.h>

#define VCORE_MARK 0x56434d4b

/*
 * CPUID with EAX = VCORE_PROD: PMIs (of fixed counter 0, which must be on, with its
 * interrupt) before each instruction of RCX bytes of code from RBX on; so many times
 * outside of NMIs and so many times in them (EDX), each but an instruction's first that
 * many instructions after the last (RDX bits 32 and up). Where they came is in
 * FILE.prods, by offset.
 */
#define VCORE_PROD 0x56434d50

struct vcore_truth {
	uint8_t kind, cpu, cpl;
	uint8_t level;		/* 1, 2, 3; 4 is memory */
	uint16_t counters;	/* bit i: PMCi; 8 + i: fixed counter i */
	uint16_t pad;
	uint64_t insns;		/* instructions of this CPU so far */
	uint64_t tsc;		/* under -icount 0 but of R, L */
	uint64_t ip, va, pa, cr3, extra;
};

#endif
