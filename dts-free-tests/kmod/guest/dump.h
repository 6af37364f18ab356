/* SPDX-License-Identifier: GPL-2.0-only */
/* What guest/drive writes and check.c reads: pieces, each behind such a header. */
#ifndef CCSAMPLE_TEST_DUMP_H
#define CCSAMPLE_TEST_DUMP_H

#include <stdint.h>

struct piece {
	/* 'O' ccsample_open, 'S' ccsample_slot and records, 'M' mark, 'C' control, 'R' read, 'P' period */
	uint32_t kind;
	uint32_t bytes;
};

#endif /* CCSAMPLE_TEST_DUMP_H */
