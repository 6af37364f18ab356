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
	uint64_t device, inode;		/* 0 = no file */
	uint64_t file_start, file_end;	/* mappings of that file, one behind the other */
	bool own;			/* this library's */
	bool quiet;			/* the side band's */
	bool changes;			/* code that may: made at run time, writable, shared */
	bool alone;			/* so far: no other part of the file lies beside it */
};

struct table {
	struct range range[RANGES];
	unsigned int ranges, changing;
};

/* A mapping, as a line shows it. */
struct line {
	struct range at;
	char rights[4];			/* rwxp */
	const char *path;
};

#pragma weak ccsample_sideband_marker	/* NULL: that library is not there */
#pragma weak ccsample_sideband_asks

/*
 * The one that was read last, and the one before. Who changes mappings looks at it while another
 * thread may read the maps: the count is odd then.
 */
static struct table tables[2];
static struct table *table = tables;
static uint32_t reads;

static unsigned int bursts;
static bool read_before;
static bool changed;			/* it is to be read again */
static bool lost;			/* code of the last table may not be translated any more */
static uint64_t code_kb;		/* as the kernel counts it */

void text_forget(void)
{
	__atomic_store_n(&changed, true, __ATOMIC_RELAXED);
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

static uint64_t decimal(const char *at)
{
	uint64_t value = 0;

	while (*at == ' ' || *at == '\t')
		at++;
	for (; *at >= '0' && *at <= '9'; at++)
		value = value * 10 + (*at - '0');
	return value;
}

/* start-end rwxp offset device inode path. Return: false: it is none. */
static bool parse(const char *text, struct line *line)
{
	const char *at = text;

	memset(line, 0, sizeof(*line));
	line->at.start = hex(&at);
	if (*at++ != '-')
		return false;
	line->at.end = hex(&at);
	if (*at != ' ' || !strchr(at + 1, ' '))
		return false;
	memcpy(line->rights, at + 1, sizeof(line->rights));
	at = strchr(strchr(at + 1, ' ') + 1, ' ');
	if (!at)
		return false;
	at++;
	line->at.device = hex(&at) << 32;
	at += *at == ':';
	line->at.device |= hex(&at);
	line->at.inode = decimal(at);
	line->path = strchr(at, '/');
	return true;
}

static bool same_file(const struct range *a, const struct range *b)
{
	return a->inode && a->inode == b->inode && a->device == b->device;
}

static bool begins(const char *text, const char *with)
{
	while (*with && *text == *with) {
		text++;
		with++;
	}
	return !*with;
}

/* Files of memory: who has them mapped elsewhere, or writes them, makes code. */
static bool is_memory(const char *path)
{
	return path && (begins(path, "/memfd:") || begins(path, "/dev/shm/") ||
			begins(path, "/SYSV"));
}

/*
 * Linkers map several parts of a file, with several rights, one behind the other. Who maps one part
 * alone may well have it from what writes the file.
 */
static void look_beside(const struct line *last, struct line *line, struct table *into)
{
	struct range *at = &line->at;
	unsigned int i;

	at->alone = at->inode;
	at->file_start = at->start;
	at->file_end = at->end;
	if (!same_file(&last->at, at))
		return;
	at->alone = last->at.alone &&
		    !memcmp(last->rights, line->rights, sizeof(line->rights));
	at->file_start = last->at.file_start;
	for (i = into->ranges; i && into->range[i - 1].file_start == at->file_start; i--) {
		into->range[i - 1].alone &= at->alone;
		into->range[i - 1].file_end = at->end;
	}
}

static void keep(const struct line *line, bool vdso, struct table *into)
{
	struct range r = line->at;
	const char *rights = line->rights;

	r.changes = rights[0] != 'r' || rights[1] != '-' || rights[3] != 'p' ||
		    (!r.inode && !vdso) || is_memory(line->path);
	r.own = holds(&r, (uint64_t)parse);
	r.quiet = holds(&r, (uint64_t)ccsample_sideband_marker);
	into->changing += r.changes;
	if (into->ranges < RANGES && (!r.changes || into->changing <= CHANGING))
		into->range[into->ranges++] = r;
}

static struct line last;		/* the line before */
static bool some_shared;		/* files, of which any mapping may be written */

static bool take_line(const char *text, void *into)
{
	struct line line;

	if (!parse(text, &line))
		return true;
	look_beside(&last, &line, into);
	if (line.rights[2] == 'x')
		keep(&line, strstr(text, "[vdso]"), into);
	some_shared |= line.rights[3] == 's' && line.at.inode;
	last = line;
	return true;
}

static bool take_shared(const char *text, void *argument)
{
	struct table *into = argument;
	struct line line;
	unsigned int i;

	if (!parse(text, &line) || line.rights[3] != 's')
		return true;
	for (i = 0; i < into->ranges; i++)
		into->range[i].changes |= same_file(&into->range[i], &line.at);
	return true;
}

/* @take: returns false where no more is wanted. */
static void read_lines(const char *path, bool (*take)(const char *text, void *argument),
		       void *argument)
{
	static char buffer[8192];
	static char line[LINE];
	bool more = true;
	size_t used = 0;
	long fd, got, i;

	fd = sys4(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	while (more && (got = sys3(read, fd, buffer, sizeof(buffer))) > 0) {
		for (i = 0; more && i < got; i++) {
			if (buffer[i] != '\n') {
				if (used < LINE - 1)
					line[used++] = buffer[i];
				continue;
			}
			line[used] = 0;
			used = 0;
			more = take(line, argument);
		}
	}
	sys1(close, fd);
}

/* The first range that ends beyond an address: they come in their order. */
static unsigned int first_beyond(const struct table *in, uint64_t address)
{
	unsigned int low = 0, high = in->ranges;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (in->range[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct range *find(const struct table *in, uint64_t address)
{
	unsigned int i = first_beyond(in, address);

	return i < in->ranges && holds(&in->range[i], address) ? &in->range[i] : NULL;
}

/* Is all that could be translated still to be? Whether it is the same is seen by its bytes. */
static bool keeps(const struct table *after, const struct table *before)
{
	unsigned int i;

	for (i = 0; i < before->ranges; i++) {
		const struct range *was = &before->range[i], *is;

		if (was->changes)
			continue;
		is = find(after, was->start);
		if (!is || is->changes || is->end < was->end)
			return false;
	}
	return true;
}

static void read_maps(void)
{
	static const char maps[] = "/proc/thread-self/maps";
	struct table *next = table == tables ? &tables[1] : tables;
	unsigned int i;

	__atomic_store_n(&reads, reads | 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&changed, false, __ATOMIC_SEQ_CST);
	next->ranges = next->changing = 0;
	some_shared = false;
	memset(&last, 0, sizeof(last));
	read_lines(maps, take_line, next);
	if (some_shared)
		read_lines(maps, take_shared, next);
	for (i = 0; i < next->ranges; i++)
		next->range[i].changes |= next->range[i].alone;
	lost |= !keeps(next, table);
	table = next;
	__atomic_store_n(&reads, (reads | 1) + 1, __ATOMIC_SEQ_CST);
}

static bool take_code(const char *text, void *kb)
{
	if (!begins(text, "VmLib:"))
		return true;
	*(uint64_t *)kb = decimal(text + strlen("VmLib:"));
	return false;
}

/*
 * A range that has become writable is no code to the kernel: that tells of what was not seen
 * (wraps/code.c). All the maps take longer, those of large programs by far.
 */
static bool counts_otherwise(void)
{
	uint64_t before = code_kb;

	read_lines("/proc/thread-self/status", take_code, &code_kb);
	return code_kb != before;
}

bool text_burst(void)
{
	bool again = counts_otherwise(), kept;

	read_before = ++bursts % LOOK_AGAIN == 0 || again ||
		      __atomic_load_n(&changed, __ATOMIC_RELAXED);
	if (read_before)
		read_maps();
	kept = !lost;
	lost = false;
	return kept;
}

bool text_concerns(uintptr_t start, size_t size)
{
	uint32_t before = __atomic_load_n(&reads, __ATOMIC_SEQ_CST);
	const struct table *seen = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
	unsigned int i = first_beyond(seen, start);

	for (; i < seen->ranges && seen->range[i].start < start + size; i++)
		if (!seen->range[i].changes)
			return true;
	return before & 1 || __atomic_load_n(&reads, __ATOMIC_SEQ_CST) != before;
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
	const struct range *found = find(table, address);

	if (!found && !read_before) {
		read_before = true;
		read_maps();
		found = find(table, address);
	}
	if (!found || found->changes)
		return BURST_UNTRUSTED_CODE + 1;
	text->end = found->end;
	text->quiet = found->quiet;
	text->file_start = found->file_start;
	text->file_end = found->file_end;
	asked(address, text);
	return found->own ? BURST_OWN_CODE + 1 : 0;
}
