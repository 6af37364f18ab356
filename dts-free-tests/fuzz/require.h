/* SPDX-License-Identifier: GPL-2.0-only */
/* What a fuzzer's target has to keep; the fuzzer reports the end of the process. */
#ifndef CCSAMPLE_FUZZ_REQUIRE_H
#define CCSAMPLE_FUZZ_REQUIRE_H

#include <stdbool.h>
#include <stdlib.h>

static inline void require(bool fits)
{
	if (!fits)
		abort();
}

#endif /* CCSAMPLE_FUZZ_REQUIRE_H */
