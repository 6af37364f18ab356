/* SPDX-License-Identifier: GPL-2.0-only */
/* Traces of ranks, and of the threads of each, as one (ScalaMemTrace, appendix A). */
#ifndef CCSAMPLE_TRACING_MERGE_H
#define CCSAMPLE_TRACING_MERGE_H

#include <stddef.h>
#include <stdint.h>

struct traces_merged {
	uint64_t references;		/* of all */
	uint64_t read, written;		/* bytes */
};

/**
 * traces_merge() - write one trace that stands for several.
 * @paths: traces, one a rank
 * @out: the merged trace, a recording with MEMBERS records
 *
 * All of them are kept in memory, in the form in which they are written.
 *
 * Return: 0, or -1 after one line.
 */
int traces_merge(const char *const *paths, uint32_t count, const char *out,
		 struct traces_merged *merged);

#endif /* CCSAMPLE_TRACING_MERGE_H */
