// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/array.h"
#include "base/clean.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/text.h"

#define COLUMNS_MOST	1000	/* of a terminal */

/* Columns of a character: combining marks none, East Asian wide ones two. */
static size_t columns_of(uint32_t code)
{
	static const struct code_range none[] = {
		{ 0x300, 0x36f }, { 0x483, 0x489 }, { 0x591, 0x5bd }, { 0x610, 0x61a },
		{ 0x64b, 0x65f }, { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff }, { 0x200b, 0x200d },
		{ 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f }, { 0xfeff, 0xfeff },
		{ 0xe0100, 0xe01ef },
	};
	static const struct code_range wide[] = {
		{ 0x1100, 0x115f }, { 0x231a, 0x231b }, { 0x23e9, 0x23ec }, { 0x25fd, 0x25fe },
		{ 0x2614, 0x2615 }, { 0x2648, 0x2653 }, { 0x26a1, 0x26a1 }, { 0x2705, 0x2705 },
		{ 0x270a, 0x270b }, { 0x2728, 0x2728 }, { 0x274c, 0x274c }, { 0x2753, 0x2757 },
		{ 0x2795, 0x2797 }, { 0x2b1b, 0x2b1c }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf },
		{ 0xa960, 0xa97f }, { 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },
		{ 0xff00, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x16fe0, 0x18aff }, { 0x1b000, 0x1b2ff },
		{ 0x1f004, 0x1f004 }, { 0x1f18e, 0x1f19a }, { 0x1f200, 0x1faff },
		{ 0x20000, 0x3fffd },
	};

	if (code < 0x300)
		return 1;
	if (code_within(none, ARRAY_SIZE(none), code))
		return 0;
	return code_within(wide, ARRAY_SIZE(wide), code) ? 2 : 1;
}

size_t text_width(const char *text)
{
	size_t width = 0, size;
	uint32_t code;

	for (; (size = text_decode(text, &code)); text += size)
		width += columns_of(code);
	return width;
}

/* Bytes of the longest beginning that fits. */
static size_t head_bytes(const char *text, size_t width)
{
	size_t bytes = 0, size;
	uint32_t code;

	while ((size = text_decode(text + bytes, &code)) && columns_of(code) <= width) {
		width -= columns_of(code);
		bytes += size;
	}
	return bytes;
}

/* Where the longest end that fits begins. */
static const char *tail(const char *text, size_t width)
{
	size_t all = text_width(text), size;
	uint32_t code;

	for (; all > width && (size = text_decode(text, &code)); text += size)
		all -= columns_of(code);
	while ((size = text_decode(text, &code)) && !columns_of(code))
		text += size;
	return text;
}

/* The text with @kept columns, of them @front at its beginning, and dots between. */
static char *elide(const char *text, size_t width, size_t front_of_8)
{
	size_t dots = width > 12 ? 3 : width > 4 ? 2 : width ? 1 : 0;
	size_t kept = width - dots, front = kept * front_of_8 / 8;

	return xasprintf("%.*s%.*s%s", (int)head_bytes(text, front), text, (int)dots, "...",
			 tail(text, kept - front));
}

static bool ends_with_operator(const char *start, const char *end)
{
	static const char word[] = "operator";
	const char *before = end - sizeof(word);	/* the character before the word */

	if (before + 1 < start || memcmp(before + 1, word, sizeof(word) - 1))
		return false;
	return before < start || !of_word(*before);
}

/* Bytes of an operator's symbol, such as "<<=" or "()". */
static size_t operator_symbol(const char *text)
{
	return text[0] == '(' && text[1] == ')' ? 2 : strspn(text, "<>=-+*/%^&|~!,");
}

/* Behind @at. A bracket that nothing opened closes nothing. */
static int brackets_open(int depth, const char *name, const char *at)
{
	depth += name_bracket(name, at);
	return depth < 0 ? 0 : depth;
}

static bool anonymous_scope(const char *text)
{
	return !strncmp(text, "(anonymous", 10);
}

/* Where the parameter list begins: the first top-level parenthesis that is part of no name. */
static const char *parameters(const char *name)
{
	int depth = 0;

	for (const char *at = name; *at; at++) {
		if (ends_with_operator(name, at) && operator_symbol(at)) {
			at += operator_symbol(at) - 1;
			continue;
		}
		if (*at == '(' && !depth && at > name && !anonymous_scope(at))
			return at;
		depth = brackets_open(depth, name, at);
	}
	return NULL;
}

/* Cuts off the parameters, and what stands before the name: the return type. */
static void strip_signature(char *name)
{
	char *end = (char *)parameters(name), *start = name;
	int depth = 0;

	if (end)
		*end = '\0';
	for (char *at = name; *at; at++) {
		if (ends_with_operator(name, at))
			break;
		depth = brackets_open(depth, name, at);
		if (*at == ' ' && !depth && at[1])
			start = at + 1;
	}
	memmove(name, start, strlen(start) + 1);
}

static void strip_templates(char *name)
{
	char *to = name;
	int depth = 0;

	for (const char *at = name; *at; at++) {
		size_t symbol = to > name && !depth && ends_with_operator(name, to) ?
				operator_symbol(at) : 0;

		if (symbol) {
			memmove(to, at, symbol);
			to += symbol;
			at += symbol - 1;
			continue;
		}
		if (*at == '>' && depth && name_bracket(name, at))
			depth--;
		if (!depth)
			*to++ = *at;
		if (*at == '<')
			depth++;
	}
	*to = '\0';
}

/* The name without outer scopes, as few as needed; NULL where that will not do. */
static char *inner_scopes(const char *name, size_t width)
{
	const char *at = width > 2 ? strstr(tail(name, width - 2), "::") : NULL;

	if (at && at[2])
		return xasprintf("..%s", at);
	at = strrchr(name, ':');
	return at && at[1] && text_width(at + 1) <= width ? xstrdup(at + 1) : NULL;
}

static char *fit_function(const char *text, size_t width)
{
	char *name = xstrdup(text), *fitted;

	strip_signature(name);
	if (text_width(name) > width)
		strip_templates(name);
	if (text_width(name) <= width && *name)
		return name;
	fitted = inner_scopes(name, width);
	if (!fitted)
		fitted = elide(*name ? name : text, width, 4);
	free(name);
	return fitted;
}

char *text_fit(const char *text, size_t width, enum text_fit how)
{
	char *clean = text_clean(text), *fitted;

	if (text_width(clean) <= width)
		return clean;
	if (how == TEXT_FIT_CUT) {
		clean[head_bytes(clean, width)] = '\0';
		return clean;
	}
	fitted = how == TEXT_FIT_FUNCTION ? fit_function(clean, width) :
		 elide(clean, width, how == TEXT_FIT_START ? 0 : how == TEXT_FIT_END ? 8 : 4);
	free(clean);
	return fitted;
}

void text_put(FILE *out, const char *text)
{
	char *clean = text_clean(text);

	fputs(clean, out);
	free(clean);
}

static int memory_file = -1;	/* that what is in memory will be written to */

void text_memory_for(FILE *out)
{
	if (fileno(out) >= 0)
		memory_file = fileno(out);
}

size_t text_columns(FILE *out)
{
	const char *wanted = getenv("COLUMNS");
	long columns = wanted ? strtol(wanted, NULL, 10) : 0;
	int file = fileno(out) >= 0 ? fileno(out) : memory_file;
	struct winsize size;

	if (columns <= 0)
		columns = ioctl(file, TIOCGWINSZ, &size) ? 0 : size.ws_col;
	if (columns > COLUMNS_MOST)
		return COLUMNS_MOST;
	return columns && columns < TEXT_LEAST ? TEXT_LEAST : columns;
}

static void put_paragraph(FILE *out, const char *text, size_t column)
{
	size_t columns = text_columns(out), room;

	if (!columns || columns > TEXT_COLUMNS)
		columns = TEXT_COLUMNS;
	room = columns - column;
	for (;;) {
		size_t bytes;

		text += strspn(text, " ");
		bytes = head_bytes(text, room);
		if (text[bytes] && text[bytes] != ' ') {
			size_t space = bytes;

			while (space && text[space - 1] != ' ')
				space--;
			if (space)
				bytes = space;
		}
		if (!bytes && text[0])
			bytes = strlen(text);
		while (bytes && text[bytes - 1] == ' ')
			bytes--;
		fprintf(out, "%.*s\n", (int)bytes, text);
		text += bytes;
		text += strspn(text, " ");
		if (!*text)
			return;
		fprintf(out, "%*s", (int)column, "");
	}
}

void text_paragraph(FILE *out, const char *text, size_t column)
{
	char *clean = text_clean(text);

	put_paragraph(out, clean, column);
	free(clean);
}

char *text_count(uint64_t count)
{
	char digits[24], grouped[32];
	size_t size = snprintf(digits, sizeof(digits), "%" PRIu64, count), to = 0;

	for (size_t i = 0; i < size; i++) {
		if (i && !((size - i) % 3))
			grouped[to++] = ',';
		grouped[to++] = digits[i];
	}
	grouped[to] = '\0';
	return xstrdup(grouped);
}

char *text_count_short(uint64_t count)
{
	static const char units[] = "MGTPE";
	double value = count / 1e6;
	size_t unit = 0;

	if (count < 1000000)
		return text_count(count);
	for (; value >= 999.5 && units[unit + 1]; unit++)
		value /= 1000;
	return xasprintf("%.*f %c", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[unit]);
}

char *text_size(uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double value = bytes;
	size_t unit = 0;

	for (; value >= 1023.5 && unit < 6; unit++)
		value /= 1024;
	if (value == floor(value) || value >= 99.95)
		return xasprintf("%.0f %s", value, units[unit]);
	return xasprintf("%.1f %s", value, units[unit]);
}

char *text_number(double value)
{
	if (!isfinite(value))
		return xstrdup("-");
	if (value >= 999.5 && value < 1e18)
		return text_count(llround(value));
	if (value > 0 && value < 0.0005)
		return xstrdup("<0.001");
	return xasprintf("%.3g", value);
}

char *text_percent(double share)
{
	if (!isfinite(share))
		return xstrdup("-");
	if (share > 0 && share < 0.0005)
		return xstrdup("<0.1%");
	return xasprintf("%.1f%%", share * 100);
}

char *text_duration(uint64_t ns)
{
	uint64_t seconds = ns / 1000000000;

	if (ns < 1000000000)
		return xasprintf("%.0f ms", ns / 1e6);
	if (seconds < 100)
		return xasprintf("%.2f s", ns / 1e9);
	if (seconds < 6000)
		return xasprintf("%" PRIu64 " min %" PRIu64 " s", seconds / 60, seconds % 60);
	return xasprintf("%" PRIu64 " h %" PRIu64 " min", seconds / 3600, seconds / 60 % 60);
}
