/* SPDX-License-Identifier: GPL-2.0-only */
/* Words with commas between them. */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_WORDS_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_WORDS_H

#include "pub_tool_basics.h"

/* The word before the next comma, at most @room bytes with its end; *at moves past it. */
static inline const HChar *words_next(const HChar **at, HChar *word, UInt room)
{
	UInt size = 0;

	while (**at && **at != ',' && size + 1 < room)
		word[size++] = *(*at)++;
	word[size] = 0;
	*at += **at == ',';
	return word;
}

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_WORDS_H */
