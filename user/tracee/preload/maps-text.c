// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads /proc/self/maps in pieces, however long it is. Whole lines come from each
 * read, and the kernel goes on at the address where the last one ended: what is
 * mapped meanwhile may be missed, nothing comes twice.
 */
#include <fcntl.h>
#include <string.h>

#include "format/format.h"
#include "tracee/preload/maps-text.h"
#include "tracee/preload/native.h"
#include "tracee/preload/sys.h"

#define PIECE	65536	/* above the longest line: a path of 4096 bytes, each four as \012 */

static char text[PIECE];
static size_t used, taken;	/* bytes of it */
static int fd = -1;

static uint64_t hexadecimal(const char **at, const char *end)
{
	uint64_t value = 0;

	for (; *at < end; ++*at) {
		char c = **at;

		if (c >= '0' && c <= '9')
			value = value * 16 + (c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value * 16 + (c - 'a' + 10);
		else
			break;
	}
	return value;
}

static const char *skip_word(const char *at, const char *end)
{
	while (at < end && *at != ' ')
		at++;
	while (at < end && *at == ' ')
		at++;
	return at;
}

/* "start-end rwxp offset device inode   path" */
static void parse_line(const char *at, const char *end, struct mapping *m)
{
	size_t i;

	m->start = hexadecimal(&at, end);
	at += at < end;
	m->end = hexadecimal(&at, end);
	at += at < end;
	m->protection = 0;
	if (end - at > 4)
		m->protection = (at[0] == 'r' ? CCS_MAP_READ : 0) |
				(at[1] == 'w' ? CCS_MAP_WRITE : 0) |
				(at[2] == 'x' ? CCS_MAP_EXEC : 0);
	at = skip_word(at, end);
	m->offset = hexadecimal(&at, end);
	at = skip_word(at, end);
	at = skip_word(at, end);
	at = skip_word(at, end);
	m->path = at;
	m->path_size = end - at;
	m->hash = 14695981039346656037ull;	/* FNV-1a */
	for (i = 0; i < m->path_size; i++)
		m->hash = (m->hash ^ (uint8_t)at[i]) * 1099511628211ull;
}

/* Moves what is left to the beginning, and reads on behind it. Return: there was more. */
static bool read_on(void)
{
	long got;

	memmove(text, text + taken, used - taken);
	used -= taken;
	taken = 0;
	got = used < PIECE ? sys3(read, fd, text + used, PIECE - used) : 0;
	if (got > 0)
		used += got;
	else if (used)
		ring_missed();	/* a line without an end, or an error */
	return got > 0;
}

bool maps_text_open(void)
{
	/* The first thread's is found faster, but has none where it has ended. */
	const char *path = self.tid == live->pid ? "/proc/self/maps" : "/proc/thread-self/maps";
	long opened = sys3(open, path, O_RDONLY | O_CLOEXEC, 0);

	if (opened < 0)
		return false;
	fd = opened;
	used = taken = 0;
	return true;
}

bool maps_text_next(struct mapping *m)
{
	const char *end;

	while (!(end = memchr(text + taken, '\n', used - taken)))
		if (!read_on())
			return false;
	parse_line(text + taken, end, m);
	taken = end + 1 - text;
	return true;
}

void maps_text_close(void)
{
	if (fd >= 0)
		sys1(close, fd);
	fd = -1;
}
