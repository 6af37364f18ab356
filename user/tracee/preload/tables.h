/* SPDX-License-Identifier: GPL-2.0-only */
/* The program's unwind tables, read for one address. */
#ifndef CCSAMPLE_TRACEE_PRELOAD_TABLES_H
#define CCSAMPLE_TRACEE_PRELOAD_TABLES_H

#include <stdint.h>

enum rule_base {
	BASE_NONE,		/* no rule that we follow: the walk ends */
	BASE_SP,		/* the frame's address (CFA) is rsp + cfa */
	BASE_BP,		/* rbp + cfa */
	BASE_BP_DEREF,		/* what lies at rbp + cfa */
};

enum rule_bp {
	BP_SAME,		/* the caller's rbp is rbp */
	BP_CFA,			/* it lies at CFA + bp_at */
	BP_BP,			/* at rbp + bp_at */
};

/* How the caller's frame is found; the return address always lies below the CFA. */
struct frame_rule {
	int32_t cfa;
	int16_t bp_at;
	uint8_t base : 4;	/* enum rule_base */
	uint8_t bp : 4;		/* enum rule_bp */
	uint8_t unused;
};
_Static_assert(sizeof(struct frame_rule) == sizeof(uint64_t), "a rule is a word");

/* The rule at an instruction, BASE_NONE if there is none. */
struct frame_rule tables_rule(uintptr_t ip);

/**
 * tables_extent() - the function that holds an address.
 * @header: .eh_frame_hdr of its object
 * @start, @end: left alone if it is in no function
 */
void tables_extent(const uint8_t *header, uintptr_t ip, uintptr_t *start, uintptr_t *end);

#endif /* CCSAMPLE_TRACEE_PRELOAD_TABLES_H */
