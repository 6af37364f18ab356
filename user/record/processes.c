// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/search.h"
#include "base/timeline.h"
#include "host/proc.h"
#include "record/processes.h"

#define WAIT_NS		1000000000ull	/* for a library to report */
#define LOOK_NS		500000000ull	/* between two looks at what is mapped */
#define SELDOM		200		/* times the CPU time it takes, between two of them */

enum span_state {
	SPAN_WAITING,
	SPAN_REPORTED,			/* by its library */
	SPAN_OWN,			/* by us */
};

/* A process between two execs. */
struct span {
	struct span *before;		/* of the same process */
	pid_t pid, parent;
	uint32_t cause;			/* enum ccs_process_cause */
	enum span_state state;
	uint64_t begin, end;		/* TSC; end CCS_UNKNOWN while it goes on */
	uint64_t known;			/* samples from before come behind its first record */
	uint64_t deadline;		/* ns */
	uint32_t image;			/* of an own one, 0 until it was written */
	struct proc_maps maps;
	uint64_t refreshed;		/* ns: they are not read again before */
	char *path;
	bool exited;
};

/* Records of ours that wait for their turn. */
struct waiting {
	struct waiting *next;
	struct span *span;
	uint64_t time;
	size_t size;
	uint8_t message[];
};

struct processes {
	struct images *images;
	struct sideband *sideband;
	struct timeline spans;		/* which of all a process was */
	pid_t root;			/* whose status processes_status() gives */
	struct span **all;
	size_t count, room;
	struct span **open;		/* of all: those that wait or go on */
	size_t open_count, open_room;
	struct waiting *records, *added; /* by time; the one that came last, NULL = it is written */
	uint64_t taken;			/* TSC: records up to here were written */
	uint64_t looked;		/* ns */
};

struct processes *processes_new(struct images *images, struct sideband *sideband, pid_t root)
{
	struct processes *processes = xcalloc(1, sizeof(*processes));

	processes->images = images;
	processes->sideband = sideband;
	processes->root = root;
	return processes;
}

void processes_free(struct processes *processes)
{
	struct waiting *record;
	size_t i;

	while ((record = processes->records)) {
		processes->records = record->next;
		free(record);
	}
	for (i = 0; i < processes->count; i++) {
		proc_free_maps(&processes->all[i]->maps);
		free(processes->all[i]->path);
		free(processes->all[i]);
	}
	free(processes->all);
	free(processes->open);
	timeline_free(&processes->spans);
	free(processes);
}

static struct span *numbered(const struct processes *processes, uint32_t number)
{
	return number ? processes->all[number - 1] : NULL;
}

static struct span *latest(const struct processes *processes, pid_t pid)
{
	return numbered(processes, timeline_latest(&processes->spans, pid));
}

/* --- records of ours --- */

static void *add_record(struct processes *processes, struct span *span, uint16_t type,
			size_t fixed, const char *text, uint64_t time)
{
	size_t size = (fixed + strlen(text) + 7) & ~(size_t)7;
	struct waiting *record = xcalloc(1, sizeof(*record) + size), **at;
	struct ccs_record *header = (void *)record->message;

	header->size = size;
	header->type = type;
	((struct ccs_free *)header)->time = time;	/* every type added here has one */
	memcpy(record->message + fixed, text, strlen(text));
	record->span = span;
	record->size = size;
	record->time = time;
	/* A process may have many maps, all of one time. */
	at = processes->added && processes->added->time <= time ? &processes->added->next :
	     &processes->records;
	for (; *at && (*at)->time <= time; at = &(*at)->next)
		;
	record->next = *at;
	*at = processes->added = record;
	return header;
}

static void add_map(struct processes *processes, struct span *span, const struct proc_map *map,
		    uint64_t time)
{
	struct ccs_map *record = add_record(processes, span, CCS_MAP, sizeof(*record), map->path,
					    time);

	record->start = map->start;
	record->end = map->end;
	record->offset = map->offset;
	record->protection = map->protection;
	record->path_size = strlen(map->path);
}

static void add_unmap(struct processes *processes, struct span *span, const struct proc_map *map,
		      uint64_t time)
{
	struct ccs_unmap *record = add_record(processes, span, CCS_UNMAP, sizeof(*record), "",
					      time);

	record->start = map->start;
	record->end = map->end;
}

static void add_process(struct processes *processes, struct span *span)
{
	struct ccs_process *record = add_record(processes, span, CCS_PROCESS, sizeof(*record),
						span->path, span->begin);

	record->pid = span->pid;
	record->ppid = span->parent;
	record->cause = span->cause;
	record->path_size = strlen(span->path);
}

static void add_thread(struct processes *processes, struct span *span)
{
	struct ccs_thread *record = add_record(processes, span, CCS_THREAD, sizeof(*record), "",
					       span->begin);
	size_t i;

	record->record.tid = span->pid;
	record->stack_low = record->stack_high = CCS_UNKNOWN;
	for (i = 0; i < span->maps.count; i++) {
		if (strcmp(span->maps.all[i].path, "[stack]"))
			continue;
		record->stack_low = span->maps.all[i].start;
		record->stack_high = span->maps.all[i].end;
	}
}

static void add_exit(struct processes *processes, struct span *span, uint32_t status,
		     uint64_t time)
{
	struct ccs_exit *record;

	if (span->state != SPAN_OWN || span->exited)
		return;
	span->exited = true;
	record = add_record(processes, span, CCS_EXIT, sizeof(*record), "", time);
	record->status = status;
}

uint64_t processes_next(const struct processes *processes)
{
	return processes->records ? processes->records->time : CCS_UNKNOWN;
}

void processes_take(struct processes *processes, uint64_t until)
{
	struct waiting *record;

	if (until > processes->taken)
		processes->taken = until;
	while ((record = processes->records) && record->time <= until) {
		const struct ccs_record *header = (const void *)record->message;
		bool ends = header->type == CCS_EXIT;

		processes->records = record->next;
		if (processes->added == record)
			processes->added = NULL;
		images_message(processes->images, &record->span->image, record->span->pid,
			       record->message, record->size);
		if (ends)
			images_closed(processes->images, record->span->image);
		free(record);
	}
}

/* --- what is mapped --- */

static bool same_map(const struct proc_map *a, const struct proc_map *b)
{
	return a->start == b->start && a->end == b->end && a->offset == b->offset &&
	       a->protection == b->protection && !strcmp(a->path, b->path);
}

static bool has_map(const struct proc_maps *maps, const struct proc_map *wanted)
{
	size_t above = search_above(maps->all, maps->count, sizeof(*maps->all),
				    offsetof(struct proc_map, start), wanted->start);

	return above && same_map(&maps->all[above - 1], wanted);
}

static bool overlaps(const struct proc_maps *maps, const struct proc_map *map)
{
	size_t above = search_above(maps->all, maps->count, sizeof(*maps->all),
				    offsetof(struct proc_map, start), map->end - 1);

	return above && maps->all[above - 1].end > map->start;
}

/* Those in whose place others are, or those that left nothing. */
static void add_unmaps(struct processes *processes, struct span *span,
		       const struct proc_maps *maps, bool replaced, uint64_t time)
{
	size_t i;

	for (i = 0; i < span->maps.count; i++)
		if (!has_map(maps, &span->maps.all[i]) &&
		    overlaps(maps, &span->maps.all[i]) == replaced)
			add_unmap(processes, span, &span->maps.all[i], time);
}

/*
 * What is new came at some time since the last look: as early as what is written allows, for what
 * refers to it comes behind that. What is gone, and nothing in its place, was there until now.
 */
static void read_maps(struct processes *processes, struct span *span, uint64_t time)
{
	uint64_t early = span->begin > processes->taken ? span->begin : processes->taken;
	struct proc_maps maps;
	size_t i;

	if (proc_read_maps(span->pid, &maps)) {
		proc_free_maps(&maps);
		return;
	}
	add_unmaps(processes, span, &maps, true, early);
	for (i = 0; i < maps.count; i++)
		if (!has_map(&span->maps, &maps.all[i]))
			add_map(processes, span, &maps.all[i], early);
	add_unmaps(processes, span, &maps, false, time);
	proc_free_maps(&span->maps);
	span->maps = maps;
}

/* Not again for a time, unless it is the last: that of a process with very many maps takes long. */
static void refresh(struct processes *processes, struct span *span, uint64_t time, bool last)
{
	uint64_t begun = now_ns(), spent = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	if (begun < span->refreshed && !last)
		return;
	read_maps(processes, span, time);
	spent = clock_ns(CLOCK_THREAD_CPUTIME_ID) - spent;
	span->refreshed = begun + SELDOM * spent;
}

void processes_refresh(struct processes *processes, uint64_t time)
{
	size_t i;

	for (i = 0; i < processes->open_count; i++)
		if (processes->open[i]->state == SPAN_OWN &&
		    processes->open[i]->end == CCS_UNKNOWN)
			refresh(processes, processes->open[i], time, false);
}

/* --- how spans begin and end --- */

static void snapshot(struct span *span)
{
	proc_free_maps(&span->maps);
	free(span->path);
	proc_read_maps(span->pid, &span->maps);
	span->path = proc_executable(span->pid);
}

/* No library will report it. A fork's child has its parent's maps. */
static void make_own(struct processes *processes, struct span *span)
{
	size_t i;

	span->state = SPAN_OWN;
	if (processes->sideband && span->cause != CCS_PROCESS_FORK)
		sideband_left(processes->sideband, span->pid);
	if (!span->path)
		snapshot(span);
	add_process(processes, span);
	add_thread(processes, span);
	for (i = 0; i < span->maps.count && span->cause != CCS_PROCESS_FORK; i++)
		add_map(processes, span, &span->maps.all[i], span->begin);
}

static struct span *begin_span(struct processes *processes, pid_t pid, uint32_t cause,
			       uint64_t time)
{
	struct span *span = xcalloc(1, sizeof(*span));

	*span = (struct span){
		.pid = pid,
		.cause = cause,
		.begin = time,
		.end = CCS_UNKNOWN,
		.before = latest(processes, pid),
	};
	if (span->before && span->before->end == CCS_UNKNOWN) {
		span->before->end = time;
		span->before->exited = true;	/* the next image's first record ends it */
	}
	if (span->before)
		span->parent = span->before->parent;
	else if (pid == processes->root)
		span->parent = getpid();
	processes->all = grow(processes->all, processes->count, &processes->room,
			      sizeof(*processes->all));
	processes->all[processes->count++] = span;
	timeline_add(&processes->spans, pid, time, processes->count);
	processes->open = grow(processes->open, processes->open_count, &processes->open_room,
			       sizeof(*processes->open));
	processes->open[processes->open_count++] = span;
	return span;
}

/* A child's library reports the time at which its parent called fork: before the mark. */
static uint64_t earliest_report(const struct span *span)
{
	if (span->cause != CCS_PROCESS_FORK)
		return span->begin;
	return span->before ? span->before->end : 0;
}

static bool has_reported(struct processes *processes, struct span *span)
{
	uint64_t began = CCS_UNKNOWN;

	if (processes->sideband)
		began = sideband_began(processes->sideband, span->pid, earliest_report(span));
	if (began >= span->end)
		return false;
	span->state = SPAN_REPORTED;
	span->known = began;
	return true;
}

/* Its library has reported, or there will be no report. Return: whether it waits on. */
static bool waits(struct processes *processes, struct span *span, uint64_t now, bool last)
{
	if (has_reported(processes, span))
		return false;
	if (processes->sideband && !last && now < span->deadline && span->end == CCS_UNKNOWN &&
	    !proc_is_gone(span->pid))
		return true;
	/* What it said before it went may have come since we listened. */
	if (processes->sideband)
		sideband_poll(processes->sideband);
	if (!has_reported(processes, span))
		make_own(processes, span);
	return false;
}

void processes_add(struct processes *processes, pid_t pid, uint64_t time)
{
	if (!latest(processes, pid))
		make_own(processes, begin_span(processes, pid, CCS_PROCESS_START, time));
}

static void begin_waiting(struct processes *processes, struct span *span, uint64_t now)
{
	const struct span *parent = latest(processes, span->parent);

	span->deadline = now;
	if (span->cause != CCS_PROCESS_FORK)
		snapshot(span);
	else if (parent && parent->path)
		span->path = xstrdup(parent->path);
	if (span->cause == CCS_PROCESS_FORK || !proc_runs_alone(&span->maps))
		span->deadline += WAIT_NS;
}

static void exec_mark(struct processes *processes, const struct ccsample_mark *mark, uint64_t now)
{
	struct span *before = latest(processes, mark->pid);
	struct span *span = begin_span(processes, mark->pid,
				       before ? CCS_PROCESS_EXEC : CCS_PROCESS_START, mark->tsc);

	begin_waiting(processes, span, now);
}

static void fork_mark(struct processes *processes, const struct ccsample_mark *mark, uint64_t now)
{
	struct span *span;

	if (mark->pid == mark->other)
		return;		/* a thread */
	span = begin_span(processes, mark->pid, CCS_PROCESS_FORK, mark->tsc);
	span->parent = mark->other;
	begin_waiting(processes, span, now);
}

static void exit_mark(struct processes *processes, const struct ccsample_mark *mark)
{
	struct span *span = latest(processes, mark->pid);

	if (!mark->other || !span || span->end != CCS_UNKNOWN)
		return;
	span->end = mark->tsc;
	if (mark->pid != processes->root)
		add_exit(processes, span, ~0u, mark->tsc);
}

void processes_mark(struct processes *processes, const struct ccsample_mark *mark, uint64_t now)
{
	if (!mark->pid)
		return;
	switch (mark->kind) {
	case CCSAMPLE_MARK_FORK:
		fork_mark(processes, mark, now);
		break;
	case CCSAMPLE_MARK_EXEC:
		exec_mark(processes, mark, now);
		break;
	case CCSAMPLE_MARK_EXIT:
		exit_mark(processes, mark);
		break;
	}
}

void processes_status(struct processes *processes, pid_t pid, int status, uint64_t time)
{
	struct span *span = latest(processes, pid);

	if (!span)
		return;
	if (span->end == CCS_UNKNOWN)
		span->end = time;
	add_exit(processes, span, status, span->end);
}

/* A library that took longer than we waited reports its process from then on. */
static void notice_late(struct processes *processes, struct span *span)
{
	struct span *late;
	uint64_t began;

	if (!processes->sideband || span->state != SPAN_OWN || span->end != CCS_UNKNOWN)
		return;
	began = sideband_began(processes->sideband, span->pid, earliest_report(span));
	if (began == CCS_UNKNOWN)
		return;
	late = begin_span(processes, span->pid, span->cause, began);
	late->state = SPAN_REPORTED;
	late->known = began;
}

static void look_at(struct processes *processes, struct span *span, uint64_t time, uint64_t now,
		    bool last)
{
	if (span->state == SPAN_WAITING && waits(processes, span, now, last))
		return;
	if (span->end == CCS_UNKNOWN && proc_is_gone(span->pid))
		span->end = time;
	if (span->state != SPAN_OWN)
		return;
	if (span->end == CCS_UNKNOWN)
		refresh(processes, span, time, last);
	else if (last || span->pid != processes->root)
		add_exit(processes, span, ~0u, span->end);
}

void processes_look(struct processes *processes, uint64_t time, uint64_t now, bool last)
{
	bool due = last || now - processes->looked >= LOOK_NS;
	size_t kept = 0, i;

	if (due)
		processes->looked = now;
	for (i = 0; i < processes->open_count; i++) {
		struct span *span = processes->open[i];

		notice_late(processes, span);
		if (due)
			look_at(processes, span, time, now, last);
		else if (span->state == SPAN_WAITING)
			waits(processes, span, now, last);
		if (span->state == SPAN_WAITING || span->end == CCS_UNKNOWN ||
		    (span->state == SPAN_OWN && !span->exited))
			processes->open[kept++] = span;
	}
	processes->open_count = kept;
}

/* --- questions --- */

uint64_t processes_watermark(const struct processes *processes)
{
	uint64_t watermark = CCS_UNKNOWN;
	size_t i;

	for (i = 0; i < processes->open_count; i++)
		if (processes->open[i]->state == SPAN_WAITING &&
		    processes->open[i]->begin < watermark)
			watermark = processes->open[i]->begin;
	return watermark;
}

/* The span that a time lies in; the first one for times before it. */
static const struct span *span_at(const struct processes *processes, pid_t pid, uint64_t time)
{
	uint64_t first = timeline_next(&processes->spans, pid, 0);

	return numbered(processes,
			timeline_at(&processes->spans, pid, time < first ? first : time));
}

uint64_t processes_when(const struct processes *processes, pid_t pid, uint64_t time)
{
	const struct span *span = span_at(processes, pid, time);

	return span && span->known > time ? span->known : time;
}

uint32_t processes_image(const struct processes *processes, pid_t pid, uint64_t time)
{
	const struct span *span = span_at(processes, pid, time);
	uint64_t when = processes_when(processes, pid, time);

	if (span && span->state == SPAN_OWN)
		return span->image;
	return images_at(processes->images, pid, when);
}

bool processes_alive(const struct processes *processes)
{
	size_t i;

	for (i = 0; i < processes->open_count; i++)
		if (processes->open[i]->end == CCS_UNKNOWN &&
		    !proc_is_gone(processes->open[i]->pid))
			return true;
	return false;
}
