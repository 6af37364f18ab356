// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "report/words.h"
#include "output/text.h"

enum tint report_tint(enum rcd_verdict verdict)
{
	switch (verdict) {
	case RCD_CONFLICT:
		return TINT_BAD;
	case RCD_CONCENTRATED:
		return TINT_CAUTION;
	case RCD_NONE:
		return TINT_GOOD;
	default:
		return TINT_DIM;
	}
}

char *report_function(const struct context *context, size_t width)
{
	const char *name = context->region.function;
	char *clean = text_clean(name && *name ? name : "?");
	char *fitted = text_fit(clean, width, TEXT_FIT_FUNCTION);

	free(clean);
	return fitted;
}
