// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is mapped: all of it when an image begins, later what the linker loads (and what the program
 * maps: mapped.c).
 *
 * The linker's own mappings cannot be wrapped, and dlopen() cannot either: it
 * asks who called it. But the linker allocates whenever it loads an object, for
 * whomever. So an allocation by the linker is a hint, and with the next call
 * from elsewhere (constructors of what was loaded come first) its count of
 * objects is compared; after a change /proc/self/maps is read again.
 */
#include <limits.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tracee/preload/maps-text.h"
#include "tracee/preload/marker.h"
#include "tracee/preload/native.h"
#include "tracee/preload/real.h"
#include "tracee/preload/sys.h"

#define KNOWN_FIRST	4096		/* mappings that there is room for; doubled as needed */

struct known {
	uintptr_t start, end;
	uint64_t offset, hash;
};

/* In the order of addresses. */
struct list {
	struct known *at;
	size_t count, room;
};

struct watched_maps maps;

static struct list lists[2];
static unsigned int current;		/* which of them holds */
static unsigned long long loads;	/* of the linker, as last seen */
static uint32_t busy;
static bool wanted, gone_wanted;	/* a scan, and one that reports what is gone */

/* --- records --- */

void maps_write(const struct mapping *m, uint64_t since)
{
	struct ccs_map *r;
	uint64_t now;

	if (m->path_size > PATH_MAX) {
		ring_missed();
		return;
	}
	r = ring_reserve(CCS_MAP, sizeof(*r) + m->path_size, &now);
	if (!r)
		return;
	r->record.tid = 0;
	r->time = since ? since : now;
	r->start = m->start;
	r->end = m->end;
	r->offset = m->offset;
	r->protection = m->protection;
	r->path_size = m->path_size;
	memcpy(r + 1, m->path, m->path_size);
	ring_commit(r);
}

void maps_write_gone(uintptr_t start, uintptr_t end)
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

/* --- what is known --- */

/* Rings, and what the library of bursts shares with the recorder. */
static bool is_ours(const struct mapping *m)
{
	static const char path[] = "/memfd:ccsample";

	return m->path_size >= sizeof(path) - 1 && !memcmp(m->path, path, sizeof(path) - 1);
}

static bool is_heap(const struct mapping *m)
{
	return m->path_size == 6 && !memcmp(m->path, "[heap]", 6);
}

static bool same(const struct known *known, const struct mapping *m)
{
	return known->start == m->start && known->end == m->end && known->offset == m->offset &&
	       known->hash == m->hash;
}

static bool is_known(const struct mapping *m, size_t *from)
{
	const struct list *known = &lists[current];

	while (*from < known->count && known->at[*from].start < m->start)
		++*from;
	return *from < known->count && same(&known->at[*from], m);
}

static void send_gone(const struct list *found)
{
	const struct list *known = &lists[current];
	size_t i, at = 0;

	for (i = 0; i < known->count; i++) {
		const struct known *old = &known->at[i];

		while (at < found->count && found->at[at].end <= old->start)
			at++;
		if (at == found->count || found->at[at].start >= old->end)
			maps_write_gone(old->start, old->end);
	}
}

static bool list_grow(struct list *list)
{
	size_t room = list->room ? list->room * 2 : KNOWN_FIRST, size = sizeof(*list->at);
	long memory;

	if (list->room)
		memory = sys4(mremap, list->at, list->room * size, room * size, MREMAP_MAYMOVE);
	else
		memory = sys6(mmap, NULL, room * size, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sys_failed(memory))
		return false;
	list->at = (struct known *)memory;
	list->room = room;
	return true;
}

/* What there is no memory for is reported again by the next scan, and its end is not: counted. */
static void list_add(struct list *list, const struct mapping *m)
{
	if (list->count == list->room && !list_grow(list)) {
		ring_missed();
		return;
	}
	list->at[list->count++] = (struct known){ m->start, m->end, m->offset, m->hash };
}

/*
 * Files, and memory that follows one: what it has beyond its file (.bss). With
 * @all everything, as an image begins.
 */
static void scan(bool all, bool gone)
{
	struct list *found = &lists[!current];
	struct mapping m;
	uintptr_t file_end = 0;
	size_t from = 0;

	found->count = 0;
	if (!maps_text_open()) {
		ring_missed();
		return;
	}
	while (maps_text_next(&m)) {
		bool file = m.path_size && *m.path == '/';

		if (is_ours(&m))
			continue;
		if (all && is_heap(&m))
			maps.heap = m.start;
		if (!all && !file && (m.path_size || m.start != file_end))
			continue;
		file_end = m.end;
		if (all || !is_known(&m, &from))
			maps_write(&m, 0);
		list_add(found, &m);
	}
	maps_text_close();
	if (gone)
		send_gone(found);
	current = !current;
}

static bool take_turn(void)
{
	uint32_t none = 0;

	return __atomic_compare_exchange_n(&busy, &none, 1, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

/* Where it is somebody else's turn, that one looks once more when it is through. */
void maps_scan(bool gone)
{
	if (gone)
		__atomic_store_n(&gone_wanted, true, __ATOMIC_SEQ_CST);
	__atomic_store_n(&wanted, true, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&wanted, __ATOMIC_SEQ_CST) && take_turn()) {
		__atomic_store_n(&wanted, false, __ATOMIC_SEQ_CST);
		gone = __atomic_exchange_n(&gone_wanted, false, __ATOMIC_SEQ_CST);
		if (gone)
			unwind_forget();
		scan(false, gone);
		__atomic_store_n(&busy, 0, __ATOMIC_SEQ_CST);
	}
}

static int count_loads(struct dl_phdr_info *info, size_t size, void *count)
{
	*(unsigned long long *)count = info->dlpi_adds + info->dlpi_subs;
	return 1;
}

void maps_look(void)
{
	unsigned long long now = __atomic_load_n(&loads, __ATOMIC_RELAXED);

	__atomic_store_n(&maps.dirty, false, __ATOMIC_RELAXED);
	real.dl_iterate_phdr(count_loads, &now);
	if (__atomic_exchange_n(&loads, now, __ATOMIC_RELAXED) != now)
		maps_scan(false);
}

/* --- the heap --- */

void maps_heap_grown(uint64_t since)
{
	struct mapping m = {
		.start = maps.heap,
		.end = (uintptr_t)sbrk(0),
		.protection = CCS_MAP_READ | CCS_MAP_WRITE,
		.path_size = 6,
		.path = "[heap]",
	};

	if (m.end <= __atomic_load_n(&maps.heap_end, __ATOMIC_RELAXED) ||
	    m.end - maps.heap > HEAP_MOST)
		return;
	__atomic_store_n(&maps.heap_end, m.end, __ATOMIC_RELAXED);
	maps_write(&m, since);
}

EXPORT void ccsample_sideband_tick(uint64_t time)
{
	if (live->ring)
		maps_heap_grown(time);
}

/* --- begin --- */

/* The linker's code: its executable segment. */
static void find_linker(void)
{
	const uint8_t *base = (const void *)_r_debug.r_ldbase;
	const ElfW(Ehdr) *header = (const void *)base;
	const ElfW(Phdr) *segment;
	int i;

	/* Of a linker that was made for another address this is no address. */
	if (!base || memcmp(base, ELFMAG, SELFMAG))
		return;
	segment = (const void *)(base + header->e_phoff);
	for (i = 0; i < header->e_phnum; i++, segment++)
		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X) {
			maps.linker = (uintptr_t)base + segment->p_vaddr;
			maps.linker_size = segment->p_memsz;
		}
}

/* The heap grows from there on, unless the first scan finds more of it. */
void maps_init(void)
{
	find_linker();
	maps.heap = maps.heap_end = (uintptr_t)sbrk(0);
}

void maps_begin(void)
{
	real.dl_iterate_phdr(count_loads, &loads);
	scan(true, false);
}

void maps_child(void)
{
	busy = 0;
	wanted = gone_wanted = false;
	maps_text_close();
}
