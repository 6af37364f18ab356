// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "view/prose.h"
#include "view/report-words.h"
#include "view/text.h"

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
	char *clean = text_clean(context->function && *context->function ? context->function : "?");
	char *fitted = text_fit(clean, width, TEXT_FIT_FUNCTION);

	free(clean);
	return fitted;
}

char *report_object_name(const struct object *object, size_t width)
{
	const char *where = object->where ? object->where : "";
	char *name = text_clean(prose_or_unknown(object->name)), *fitted;
	size_t size = strlen(name), tail = strlen(where);

	if (tail && size > tail + 1 && name[size - tail - 1] == ' ' &&
	    !strcmp(name + size - tail, where))
		name[size - tail - 1] = '\0';
	fitted = text_fit(name, width, object->kind == OBJECT_MAPPING ? TEXT_FIT_START :
				       TEXT_FIT_FUNCTION);
	free(name);
	return fitted;
}

char *report_sets(uint32_t used, uint32_t sets)
{
	if (!sets)
		return xstrdup("-");
	if (sets > 9999)
		return text_percent((double)used / sets);
	return xasprintf("%" PRIu32 "/%" PRIu32, used, sets);
}

void report_object_cells(struct table *table, const struct object *object)
{
	table_cell(table, xstrdup(object_kind_name(object->kind)), TINT_NONE);
	table_cell(table, object->bytes ? text_size(object->bytes) : xstrdup("-"), TINT_NONE);
	table_cell(table, report_object_name(object, object->kind == OBJECT_MAPPING ? 400 : 44),
		   TINT_NONE);
	table_cell(table, xstrdup(object->where ? object->where : ""), TINT_NONE);
}

void report_rest(FILE *out, size_t count, double share, const char *of)
{
	char *percent = prose_percent(share);

	if (count)
		fprintf(out, "  and %zu more with %s of the %s\n", count, percent, of);
	free(percent);
}

void report_heading(FILE *out, bool colour, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(out, "\n%s", tint_code(TINT_BOLD, colour));
	vfprintf(out, format, args);
	fprintf(out, "%s\n", tint_code(TINT_NONE, colour));
	va_end(args);
}
