// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clean.h"
#include "base/memory.h"

size_t text_decode(const char *text, uint32_t *code)
{
	const unsigned char *byte = (const unsigned char *)text;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t value;
	size_t size, i;

	*code = byte[0];
	if (byte[0] < 0x80)
		return byte[0] != 0;
	*code = TEXT_REPLACEMENT;
	if (byte[0] < 0xc2 || byte[0] > 0xf4)
		return 1;
	size = byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
	value = byte[0] & (0x7f >> size);
	for (i = 1; i < size; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 1;
		value = value << 6 | (byte[i] & 0x3f);
	}
	if (value < least[size] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 1;
	*code = value;
	return size;
}

bool code_within(const struct code_range *ranges, size_t count, uint32_t code)
{
	for (size_t i = 0; i < count; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

/*
 * Characters that move the cursor, or the reading direction (as in CVE-2021-42574), and those that
 * no text may hold (XML 1.0, 2.2).
 */
bool text_unprintable(uint32_t code)
{
	static const struct code_range ranges[] = {
		{ 0x00, 0x1f }, { 0x7f, 0x9f }, { 0x61c, 0x61c }, { 0x200e, 0x200f },
		{ 0x2028, 0x202e }, { 0x2066, 0x2069 }, { 0xfffe, 0xffff },
	};

	return code_within(ranges, ARRAY_SIZE(ranges), code);
}

char *text_clean(const char *text)
{
	char *clean, *end;
	uint32_t code;
	size_t size;

	if (!text)
		return xstrdup("");
	clean = end = xmalloc(3 * strlen(text) + 1);
	for (; (size = text_decode(text, &code)); text += size) {
		if (text_unprintable(code)) {
			*end++ = code == '\n' || code == '\t' ? ' ' : '?';
		} else if (code == TEXT_REPLACEMENT) {
			memcpy(end, "\xef\xbf\xbd", 3);
			end += 3;
		} else {
			memcpy(end, text, size);
			end += size;
		}
	}
	*end = '\0';
	return clean;
}

char *text_clean_format(const char *format, va_list args)
{
	char *text = xvasprintf(format, args), *clean = text_clean(text);

	free(text);
	return clean;
}
