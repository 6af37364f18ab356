// SPDX-License-Identifier: GPL-2.0-only
#include "import/trace.h"

/* The letters are in the first column for instructions, in the second for data. */
static int kind_of(const char *text, enum reference_kind *kind)
{
	if (text[0] == 'I' && text[1] == ' ')
		*kind = REFERENCE_FETCH;
	else if (text[0] != ' ')
		return 0;
	else if (text[1] == 'L')
		*kind = REFERENCE_LOAD;
	else if (text[1] == 'S')
		*kind = REFERENCE_STORE;
	else if (text[1] == 'M')
		*kind = REFERENCE_MODIFY;
	else
		return 0;
	return text[2] == ' ';
}

/* Empty lines and what Valgrind says on its own: "==pid== ...", "--pid-- ...". */
static int remark(const char *text, const char *end)
{
	if (end - text < 2)
		return end == text;
	return (text[0] == '=' && text[1] == '=') || (text[0] == '-' && text[1] == '-');
}

static enum trace_line parse(const char *text, const char *end, struct reference *reference)
{
	enum reference_kind kind;
	uint64_t address, size;

	if (end - text < 6 || !kind_of(text, &kind))
		return remark(text, end) ? TRACE_REMARK : TRACE_BAD;
	text += 3;
	if (!trace_hex(&text, end, &address) || text == end || *text++ != ',')
		return TRACE_BAD;
	if (!trace_decimal(&text, end, &size) || text != end)
		return TRACE_BAD;
	return trace_fill(reference, kind, address, size);
}

const struct trace_format trace_lackey = { "lackey", parse };
