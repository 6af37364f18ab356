/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Marks in a program, of what ccsample profile and ccsample sim are to count with --phases marked:
 *
 *	#include <ccsample-marks.h>
 *	CCSAMPLE_BEGIN();
 *	... what is of interest; all threads', and what came before warmed the caches ...
 *	CCSAMPLE_END();
 *
 * A mark is a few instructions that do nothing outside of ccsample's engine: Valgrind's client
 * request on x86-64 (valgrind.h: rdi rotated by 128 bits in total, then an exchange of rbx with
 * itself, which no compiler writes).
 */
#ifndef CCSAMPLE_MARKS_H
#define CCSAMPLE_MARKS_H

#define CCSAMPLE_REQUEST_BEGIN	0x434d0000ul	/* 'C', 'M' */
#define CCSAMPLE_REQUEST_END	0x434d0001ul

/* Returns 1 where marks are heeded, else 0. */
static inline unsigned long ccsample_mark(unsigned long request)
{
	unsigned long arguments[6] = { request };
	unsigned long result = 0;

	__asm__ volatile("rolq $3, %%rdi ; rolq $13, %%rdi\n\t"
			 "rolq $61, %%rdi ; rolq $51, %%rdi\n\t"
			 "xchgq %%rbx, %%rbx"
			 : "+d" (result) : "a" (arguments) : "cc", "memory");
	return result;
}

#define CCSAMPLE_BEGIN()	((void)ccsample_mark(CCSAMPLE_REQUEST_BEGIN))
#define CCSAMPLE_END()		((void)ccsample_mark(CCSAMPLE_REQUEST_END))

#endif /* CCSAMPLE_MARKS_H */
