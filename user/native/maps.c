// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is mapped: all of it when an image begins, later what the linker loads.
 *
 * The linker's own mappings cannot be wrapped, and dlopen() cannot either: it
 * asks who called it. But the linker allocates whenever it loads an object, for
 * whomever. So an allocation by the linker is a hint, and with the next call
 * from elsewhere (constructors of what was loaded come first) its count of
 * objects is compared; after a change /proc/self/maps is read anew.
 */
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "native/native.h"
#include "native/sys.h"

#define FILES		8192		/* mappings of files that are remembered */
#define TEXT_SIZE	(1u << 20)	/* of /proc/self/maps: more is counted as lost */

struct mapping {
	uintptr_t start, end;
	uint64_t offset;
	uint32_t protection;
	uint32_t path_size;
	const char *path;		/* in the text read */
	uint64_t hash;			/* of the path */
};

struct known {
	uintptr_t start, end;
	uint64_t offset, hash;
};

struct memory {
	struct known known[2][FILES];
	char text[TEXT_SIZE];
};

bool maps_dirty;
uintptr_t maps_linker, maps_linker_size;
uintptr_t maps_heap, maps_heap_end;

static struct memory *memory;
static unsigned int current;		/* which of memory->known holds */
static size_t known_count;
static unsigned long long loads;	/* of the linker, as last seen */
static uint32_t busy;

/* --- /proc/self/maps --- */

static size_t read_text(void)
{
	int fd = sys3(open, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	size_t used = 0;
	long got;

	if (fd < 0)
		return 0;
	while (used < TEXT_SIZE &&
	       (got = sys3(read, fd, memory->text + used, TEXT_SIZE - used)) > 0)
		used += got;
	sys1(close, fd);
	return used;
}

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

/* The next mapping of the text. "[heap]" and "[stack]" are names, other memory has none. */
static const char *next_mapping(const char *at, const char *end, struct mapping *m)
{
	const char *line_end = at < end ? memchr(at, '\n', end - at) : NULL;

	if (!line_end)
		return NULL;
	parse_line(at, line_end, m);
	return line_end + 1;
}

/* --- records --- */

static void tell_map(const struct mapping *m)
{
	struct ccs_map *r;
	uint64_t now;

	if (m->path_size > PATH_MAX)
		return;
	r = ring_reserve(CCS_MAP, sizeof(*r) + m->path_size, &now);
	if (!r)
		return;
	r->record.tid = 0;
	r->time = now;
	r->start = m->start;
	r->end = m->end;
	r->offset = m->offset;
	r->protection = m->protection;
	r->path_size = m->path_size;
	memcpy(r + 1, m->path, m->path_size);
	ring_commit(r);
}

static void tell_unmap(uintptr_t start, uintptr_t end)
{
	struct ccs_unmap *r;
	uint64_t now;

	r = ring_reserve(CCS_UNMAP, sizeof(*r), &now);
	if (!r)
		return;
	r->record.tid = 0;
	r->time = now;
	r->start = start;
	r->end = end;
	ring_commit(r);
}

/* --- the program's own calls --- */

static size_t whole_pages(size_t size)
{
	return (size + 4095) & ~4095ul;
}

void maps_mapped(uintptr_t start, size_t size, int protection, int fd, uint64_t offset)
{
	char path[PATH_MAX], link[32] = "/proc/self/fd/";
	struct mapping m = {
		.start = start,
		.end = start + whole_pages(size),
		.offset = offset,
		.protection = (protection & PROT_READ ? CCS_MAP_READ : 0) |
			      (protection & PROT_WRITE ? CCS_MAP_WRITE : 0) |
			      (protection & PROT_EXEC ? CCS_MAP_EXEC : 0),
		.path = path,
	};
	char digits[12];
	size_t at = sizeof(digits), used = strlen(link);
	long got = 0;

	if (fd >= 0) {
		do
			digits[--at] = '0' + fd % 10;
		while (fd /= 10);
		memcpy(link + used, digits + at, sizeof(digits) - at);
		got = sys3(readlink, link, path, sizeof(path));
	}
	m.path_size = got > 0 && *path == '/' ? got : 0;
	tell_map(&m);
}

void maps_unmapped(uintptr_t start, size_t size)
{
	tell_unmap(start, start + whole_pages(size));
}

/* --- what is known --- */

static bool is_ours(const struct mapping *m)
{
	static const char path[] = "/memfd:ccsample (deleted)";

	return m->path_size == sizeof(path) - 1 && !memcmp(m->path, path, sizeof(path) - 1);
}

static bool same(const struct known *known, const struct mapping *m)
{
	return known->start == m->start && known->end == m->end && known->offset == m->offset &&
	       known->hash == m->hash;
}

/* Both lists are in the order of addresses. */
static bool is_known(const struct mapping *m, size_t *from)
{
	const struct known *known = memory->known[current];

	while (*from < known_count && known[*from].start < m->start)
		++*from;
	return *from < known_count && same(&known[*from], m);
}

static void tell_gone(const struct known *found, size_t count)
{
	const struct known *known = memory->known[current];
	size_t i, at = 0;

	for (i = 0; i < known_count; i++) {
		while (at < count && found[at].end <= known[i].start)
			at++;
		if (at == count || found[at].start >= known[i].end)
			tell_unmap(known[i].start, known[i].end);
	}
}

/*
 * Files, and memory that follows one: what it has beyond its file (.bss). With
 * @all everything, as an image begins.
 */
static void scan(bool all, bool gone)
{
	const char *at = memory->text, *end = at + read_text();
	struct known *found = memory->known[!current];
	struct mapping m;
	uintptr_t file_end = 0;
	size_t count = 0, from = 0;

	while ((at = next_mapping(at, end, &m))) {
		bool file = m.path_size && *m.path == '/';

		if (is_ours(&m))
			continue;
		if (!all && !file && (m.path_size || m.start != file_end))
			continue;
		file_end = m.end;
		if (all || !is_known(&m, &from))
			tell_map(&m);
		if (count < FILES)
			found[count++] = (struct known){ m.start, m.end, m.offset, m.hash };
	}
	if (gone)
		tell_gone(found, count);
	current = !current;
	known_count = count;
}

static bool take_turn(void)
{
	uint32_t nobody = 0;

	return __atomic_compare_exchange_n(&busy, &nobody, 1, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

/* Somebody else's turn: the next look finds what this one would have. */
void maps_scan(bool gone)
{
	if (!take_turn()) {
		maps_dirty = true;
		return;
	}
	if (gone)
		unwind_forget();
	scan(false, gone);
	__atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

static int count_loads(struct dl_phdr_info *info, size_t size, void *count)
{
	*(unsigned long long *)count = info->dlpi_adds + info->dlpi_subs;
	return 1;
}

void maps_look(void)
{
	unsigned long long now = loads;

	maps_dirty = false;
	dl_iterate_phdr(count_loads, &now);
	if (now == loads)
		return;
	loads = now;
	maps_scan(false);
}

/* --- the heap --- */

void maps_heap_grown(void)
{
	struct mapping m = {
		.start = maps_heap,
		.end = (uintptr_t)sbrk(0),
		.protection = CCS_MAP_READ | CCS_MAP_WRITE,
		.path_size = 6,
		.path = "[heap]",
	};

	if (m.end <= maps_heap_end || m.end - maps_heap > HEAP_MOST)
		return;
	maps_heap_end = m.end;
	tell_map(&m);
}

/* --- begin --- */

/* The linker's code: the mapping of its file that is executable. */
static void find_linker(void)
{
	const char *at = memory->text, *end = at + read_text();
	uintptr_t inside = (uintptr_t)&_r_debug;
	struct mapping m;
	uint64_t hash = 0;

	while ((at = next_mapping(at, end, &m)))
		if (inside >= m.start && inside < m.end)
			hash = m.hash;
	for (at = memory->text; (at = next_mapping(at, end, &m)); )
		if (m.hash == hash && m.protection & CCS_MAP_EXEC) {
			maps_linker = m.start;
			maps_linker_size = m.end - m.start;
		}
}

static void find_heap(void)
{
	const char *at = memory->text, *end = at + read_text();
	struct mapping m;

	maps_heap = maps_heap_end = (uintptr_t)sbrk(0);
	while ((at = next_mapping(at, end, &m)))
		if (m.path_size == 6 && !memcmp(m.path, "[heap]", 6))
			maps_heap = m.start;
}

bool maps_init(void)
{
	long space = sys6(mmap, NULL, sizeof(*memory), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if ((unsigned long)space > -4096ul)
		return false;
	memory = (struct memory *)space;
	find_linker();
	find_heap();
	return true;
}

void maps_begin(void)
{
	dl_iterate_phdr(count_loads, &loads);
	scan(true, false);
}

void maps_child(void)
{
	busy = 0;
}
