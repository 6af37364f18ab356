// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_aspacehl.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/engine.h"
#include "tracee/valgrind/places.h"

#define PRELOAD_NAME	"/vgpreload_ccsample-amd64-linux.so"

/* Valgrind's core: where the program's brk area begins. */
extern Addr VG_(brk_base);

static Addr preload_start, preload_end;	/* text of the wrappers */
static Bool begun;			/* what is mapped from the start was sent */

Bool maps_is_preload(Addr address)
{
	return address >= preload_start && address < preload_end;
}

static Bool ends_with(const HChar *text, const HChar *end)
{
	SizeT size = VG_(strlen)(text), end_size = VG_(strlen)(end);

	return size >= end_size && VG_STREQ(text + size - end_size, end);
}

static const HChar *name_of(const NSegment *seg)
{
	const HChar *file = seg->kind == SkFileC ? VG_(am_get_filename)(seg) : NULL;
	Addr stack = VG_(thread_get_stack_max)(1);

	if (file)
		return file;
	if (VG_(brk_base) >= seg->start && VG_(brk_base) <= seg->end)
		return "[heap]";
	if (stack >= seg->start && stack <= seg->end)
		return "[stack]";
	return "";
}

static UInt protection_of(const NSegment *seg)
{
	return (seg->hasR ? CCS_MAP_READ : 0) | (seg->hasW ? CCS_MAP_WRITE : 0) |
	       (seg->hasX ? CCS_MAP_EXEC : 0);
}

/* Sends [start, end) of a segment. */
static void map_record(const NSegment *seg, Addr start, Addr end)
{
	const HChar *name = name_of(seg);
	UInt size = VG_(strlen)(name);
	struct ccs_map *r;

	if (seg->hasX && ends_with(name, PRELOAD_NAME)) {
		preload_start = start;
		preload_end = end;
	}
	if (!records_on())
		return;
	r = record_add(CCS_MAP, 0, sizeof(*r), size);
	r->time = process_time();
	r->start = start;
	r->end = end;
	r->offset = seg->kind == SkFileC ? seg->offset + (start - seg->start) : 0;
	r->protection = protection_of(seg);
	r->path_size = size;
	VG_(memcpy)(r + 1, name, size);
}

/* Sends what is mapped in [start, start + size). */
static void send_range(Addr start, SizeT size)
{
	Addr at = start, end = start + size, to;
	const NSegment *seg;

	if (!begun)
		return;
	process_cut();
	process_tallies(start, size);
	for (; at < end; at = to) {
		seg = VG_(am_find_nsegment)(at);
		if (!seg)
			return;
		to = seg->end + 1 < end && seg->end + 1 ? seg->end + 1 : end;
		if (seg->kind & (SkFileC | SkAnonC | SkShmC))
			map_record(seg, at, to);
	}
}

static void unmapped(Addr start, SizeT size)
{
	struct ccs_unmap *r;

	if (engine_options.simulate)
		places_forget(start, size);
	if (!begun || !records_on())
		return;
	process_cut();
	process_tallies(start, size);
	r = record_add(CCS_UNMAP, 0, sizeof(*r), 0);
	r->time = process_time();
	r->start = start;
	r->end = start + size;
}

static void mapped(Addr start, SizeT size, Bool r, Bool w, Bool x, ULong debug)
{
	if (engine_options.simulate)
		places_forget(start, size);
	send_range(start, size);
}

/* Without execution a change of protection changes nothing that a report shows. */
static void protected(Addr start, SizeT size, Bool r, Bool w, Bool x)
{
	if (x)
		send_range(start, size);
}

static void moved(Addr from, Addr to, SizeT size)
{
	const NSegment *seg = VG_(am_find_nsegment)(to);

	if (engine_options.simulate)
		places_forget(to, size);
	send_range(to, seg && seg->end + 1 - to > size ? seg->end + 1 - to : size);
}

/* The heap grew: one record of the whole. */
static void heap_grown(Addr start, SizeT size, ThreadId id)
{
	send_range(VG_(brk_base), start + size - VG_(brk_base));
}

Bool maps_is_code(Addr address)
{
	const NSegment *seg = VG_(am_find_nsegment)(address);

	return seg && seg->kind & (SkFileC | SkAnonC | SkShmC) && seg->hasX;
}

const HChar *maps_program(const HChar *path)
{
	const HChar *first = NULL, *name = NULL;
	Int count, i;
	Addr *starts = VG_(get_segment_starts)(SkFileC, &count);

	for (i = 0; i < count; i++) {
		name = VG_(am_get_filename)(VG_(am_find_nsegment)(starts[i]));
		if (name && VG_STREQ(name, path))
			break;
		if (name && !first)
			first = name;
	}
	VG_(free)(starts);
	return i < count || !first ? path : first;
}

void maps_begin(void)
{
	Int count, i;
	Addr *starts = VG_(get_segment_starts)(SkFileC | SkAnonC | SkShmC, &count);

	for (i = 0; i < count; i++) {
		const NSegment *seg = VG_(am_find_nsegment)(starts[i]);

		if (seg)
			map_record(seg, seg->start, seg->end + 1);
	}
	VG_(free)(starts);
	begun = True;
}

void maps_init(void)
{
	VG_(track_new_mem_mmap)(mapped);
	VG_(track_change_mem_mprotect)(protected);
	VG_(track_copy_mem_remap)(moved);
	VG_(track_new_mem_brk)(heap_grown);
	VG_(track_die_mem_brk)(unmapped);
	VG_(track_die_mem_munmap)(unmapped);
}
