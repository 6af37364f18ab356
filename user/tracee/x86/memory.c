// SPDX-License-Identifier: GPL-2.0-only
/*
 * What compilers call for copies and the like. Vector registers are the program's where a block is
 * translated (miss.h): the C library's functions would use them.
 */
#include <stdint.h>
#include <string.h>

struct word {
	uint64_t value;
} __attribute__((packed, may_alias));

void *memcpy(void *to, const void *from, size_t size)
{
	const uint8_t *in = from;
	uint8_t *out = to;

	for (; size >= sizeof(struct word); size -= sizeof(struct word)) {
		((struct word *)out)->value = ((const struct word *)in)->value;
		in += sizeof(struct word);
		out += sizeof(struct word);
	}
	while (size--)
		*out++ = *in++;
	return to;
}

void *memset(void *to, int value, size_t size)
{
	void *at = to;

	__asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(value) : "memory");
	return to;
}

size_t strlen(const char *text)
{
	size_t length = 0;

	while (text[length])
		length++;
	return length;
}

char *strchr(const char *text, int wanted)
{
	for (;; text++) {
		if (*text == (char)wanted)
			return (char *)text;
		if (!*text)
			return NULL;
	}
}

char *strstr(const char *text, const char *wanted)
{
	size_t i;

	for (;; text++) {
		for (i = 0; wanted[i] && text[i] == wanted[i]; i++)
			;
		if (!wanted[i])
			return (char *)text;
		if (!*text)
			return NULL;
	}
}
