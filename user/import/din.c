// SPDX-License-Identifier: GPL-2.0-only
#include "import/trace.h"

static void skip_blanks(const char **text, const char *end)
{
	while (*text < end && (**text == ' ' || **text == '\t'))
		++*text;
}

static void skip_prefix(const char **text, const char *end)
{
	if (end - *text > 2 && (*text)[0] == '0' && ((*text)[1] | 0x20) == 'x')
		*text += 2;
}

static enum trace_line parse(const char *text, const char *end, struct reference *reference)
{
	static const enum reference_kind kinds[] = {
		REFERENCE_LOAD, REFERENCE_STORE, REFERENCE_FETCH,
	};
	uint64_t address, size = 1;
	char label;

	skip_blanks(&text, end);
	if (text == end)
		return TRACE_REMARK;
	label = *text++;
	if (label < '0' || label > '2' || text == end || (*text != ' ' && *text != '\t'))
		return TRACE_BAD;
	skip_blanks(&text, end);
	skip_prefix(&text, end);
	if (!trace_hex(&text, end, &address))
		return TRACE_BAD;
	skip_blanks(&text, end);
	if (text != end && !trace_decimal(&text, end, &size))
		return TRACE_BAD;
	skip_blanks(&text, end);
	if (text != end)
		return TRACE_BAD;
	return trace_fill(reference, kinds[label - '0'], address, size);
}

const struct trace_format trace_din = { "din", parse };
