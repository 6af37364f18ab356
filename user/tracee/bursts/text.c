// SPDX-License-Identifier: GPL-2.0-only
/* Reads the maps with bare system calls: it runs in handlers. The first thread may have ended. */
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include "tracee/burst-log/log.h"
#include "tracee/bursts/text.h"
#include "tracee/preload/marker.h"
#include "tracee/preload/sys.h"

#define RANGES	1024
#define CHANGING	512		/* of these, at most, of code that may change */
#define LOOK_AGAIN	64u		/* bursts: what is kept may have been mapped anew */
#define LINE	512		/* of a longer one only the beginning counts */

struct range {
	uint64_t start, end;
	bool own;			/* this library's */
	bool quiet;			/* the side band's */
	bool changes;			/* code that may: made at run time, writable, shared */
};

#pragma weak ccsample_sideband_marker	/* NULL: that library is not there */
#pragma weak ccsample_sideband_asks

static struct range range[RANGES];
static unsigned int ranges, changing, bursts;
static bool read_before;

void text_forget(void)
{
	ranges = 0;
}

void text_burst(void)
{
	read_before = false;
	if (!(++bursts % LOOK_AGAIN))
		text_forget();
}

static bool holds(const struct range *r, uint64_t address)
{
	return address >= r->start && address < r->end;
}

static uint64_t hex(const char **at)
{
	uint64_t value = 0;

	for (;; (*at)++) {
		char c = **at;

		if (c >= '0' && c <= '9')
			value = value << 4 | (c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value << 4 | (c - 'a' + 10);
		else
			return value;
	}
}

/* start-end rwxp offset device inode path */
static void take_line(const char *line)
{
	struct range r;
	const char *at = line;
	int field;

	r.start = hex(&at);
	if (*at++ != '-')
		return;
	r.end = hex(&at);
	if (at[0] != ' ' || at[3] != 'x')
		return;
	r.changes = at[1] != 'r' || at[2] != '-' || at[4] != 'p';
	for (field = 0; field < 3; field++) {
		at = strchr(at + 1, ' ');
		if (!at)
			return;
	}
	at++;
	if (*at == '0' && (at[1] == ' ' || !at[1]) && !strstr(at, "[vdso]"))
		r.changes = true;
	r.own = holds(&r, (uint64_t)take_line);
	r.quiet = holds(&r, (uint64_t)ccsample_sideband_marker);
	changing += r.changes;
	if (ranges < RANGES && (!r.changes || changing <= CHANGING))
		range[ranges++] = r;
}

static void read_maps(void)
{
	static char buffer[8192];
	static char line[LINE];
	size_t used = 0;
	long fd, got, i;

	ranges = changing = 0;
	fd = sys4(openat, AT_FDCWD, "/proc/thread-self/maps", O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	while ((got = sys3(read, fd, buffer, sizeof(buffer))) > 0) {
		for (i = 0; i < got; i++) {
			if (buffer[i] != '\n') {
				if (used < LINE - 1)
					line[used++] = buffer[i];
				continue;
			}
			line[used] = 0;
			used = 0;
			take_line(line);
		}
	}
	sys1(close, fd);
}

static const struct range *find(uint64_t address)
{
	unsigned int low = 0, high = ranges;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (range[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < range[low - 1].end ? &range[low - 1] : NULL;
}

/* What the side band calls for itself, which the program hardly does. */
static void asked(uint64_t address, struct text *text)
{
	const struct extent *asks = &ccsample_sideband_asks;

	if (!asks || address < asks->start || address >= asks->end)
		return;
	text->quiet = true;
	if (asks->end < text->end)
		text->end = asks->end;
}

int text_at(uint64_t address, struct text *text)
{
	const struct range *found = find(address);

	if (!found && !read_before) {
		read_before = true;
		read_maps();
		found = find(address);
	}
	if (!found || found->changes)
		return BURST_UNTRUSTED_CODE + 1;
	text->end = found->end;
	text->quiet = found->quiet;
	asked(address, text);
	return found->own ? BURST_OWN_CODE + 1 : 0;
}
