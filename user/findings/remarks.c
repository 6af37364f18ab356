// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "findings/remarks.h"
#include "base/memory.h"
#include "base/text.h"

static void remark(struct findings *findings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void remark(struct findings *findings, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	findings->remarks = xrealloc(findings->remarks, (findings->remark_count + 1) *
							sizeof(*findings->remarks));
	findings->remarks[findings->remark_count++] = (struct remark){ .text = text };
}

/* One line for each of the first modules whose samples lack names, lines or variables. */
static void remark_modules(struct findings *findings)
{
	const char *said[4], *error;
	size_t count = 0, i, j;

	for (i = 0; i < findings->context_count && count < 4; i++) {
		const struct context *context = &findings->contexts[i];

		if (!context->region.module || context->share < 0.01)
			continue;
		error = module_error(context->region.module);
		for (j = 0; error && j < count; j++)
			if (!strcmp(said[j], error))
				error = NULL;
		if (!error)
			continue;
		said[count++] = error;
		remark(findings, "%s", error);
		findings->remarks[findings->remark_count - 1].unread =
			module_unread(context->region.module);
	}
}

/* What lay in unknown sets. */
static void remark_places(struct findings *findings, const struct pass *pass)
{
	uint64_t unresolved = 0;
	uint32_t level;
	size_t i;

	for (i = 0; i < findings->event_count; i++)
		unresolved += findings->events[i].unresolved;
	if (unresolved)
		remark(findings, "%" PRIu64 " samples have no known set (no physical address, or "
		       "no geometry): they count, but say nothing of conflicts", unresolved);
	for (level = 2; level < TALLY_LEVELS; level++)
		if (findings->outer[level - 2].unresolved)
			remark(findings, "%" PRIu64 " accesses to L%" PRIu32 " have no known "
			       "set (no physical address, or no slice): they are not counted as "
			       "its misses", findings->outer[level - 2].unresolved, level);
	for (i = 0; i < pass->cache_count; i++)
		if (pass->caches[i].slices > 1 && !pass->caches[i].hash &&
		    level_samples(findings->events, findings->event_count, pass->caches[i].level))
			remark(findings, "it is not published how this L%" PRIu32 " chooses among "
			       "its %" PRIu32 " slices: its misses are counted, not analysed",
			       pass->caches[i].level, pass->caches[i].slices);
}

/* Code in no file, or in one that is gone or has changed, is known by lines at best. */
static void remark_lines(struct findings *findings)
{
	uint64_t samples = 0;
	size_t i;

	for (i = 0; i < findings->context_count; i++)
		if (findings->contexts[i].region.kind == REGION_LINE)
			samples += findings->contexts[i].samples;
	if (samples)
		remark(findings, "%" PRIu64 " sample%s in code that cannot be read (in no file, "
		       "or the file is gone or has changed): shown by source line or address, not "
		       "by loop", samples, samples == 1 ? " is" : "s are");
}

/* Events whose misses (@accesses: cache accesses) no counter counted. Allocated; NULL = none. */
static char *list_events(const struct findings *findings, bool accesses)
{
	char *list = NULL, *longer;
	size_t i;

	for (i = 0; i < findings->event_count; i++) {
		if (!(accesses ? findings->events[i].no_accesses : findings->events[i].uncounted))
			continue;
		longer = xasprintf("%s%s%s", list ? list : "", list ? ", " : "",
				   findings->events[i].name);
		free(list);
		list = longer;
	}
	return list;
}

/* What no counter was left for. */
static void remark_counters(struct findings *findings)
{
	char *misses = list_events(findings, false);
	char *lines = list_events(findings, true);

	if (misses)
		remark(findings, "captured share of bursts not known: no counter was left for %s; "
		       "all of each burst is taken to be recorded", misses);
	if (lines)
		remark(findings, "cache accesses not counted: no counter was left for those of %s; "
		       "sweeps and look-ups a little larger than the cache may be called "
		       "conflicts%s", lines, findings->event_count > 1 ?
		       " (record one event alone, as -e l1-miss, and they are counted)" : "");
	free(misses);
	free(lines);
}

#define UNSEEN_LEAST	0.05	/* of a level's misses, or of the time, that is worth a line */

/* What an event of load misses says nothing of. */
static void remark_unseen(struct findings *findings)
{
	for (size_t i = 0; i < findings->event_count; i++) {
		const struct event_totals *event = &findings->events[i];
		double unseen = findings_unseen(findings, event->level);

		if (unseen >= UNSEEN_LEAST)
			remark(findings, "%.0f%% of the L%" PRIu32 " misses are stores', which %s "
			       "does not count: no conflicts here means none of the loads",
			       100 * unseen, event->level, event->name);
	}
}

/* What the way of sampling leaves unknown. */
static void remark_sampling(struct findings *findings, const struct pass *pass)
{
	bool bursts = !findings->samples, even = false, classes = false;
	size_t i;

	for (i = 0; i < findings->event_count; i++) {
		const struct event_totals *event = &findings->events[i];

		bursts |= event->burst > 1;
		classes |= event->classes;
		even |= event->burst == 1 && event->period > 1 && !event->spread;
	}
	if (!bursts && !classes)
		remark(findings, "single samples, no bursts: conflict shares are unknown, and "
		       "verdicts rest only on re-conflict distances, which take few sets at a time "
		       "for a conflict");
	if (!bursts && even)
		remark(findings, "evenly spaced samples can keep in step with a loop, and then "
		       "show a conflict where there is none: check with ccsample import --spread "
		       "4, or with another period");
	if (findings->source && !strcmp(findings->source, "perf.data"))
		remark(findings, "perf records no heap blocks: what lies in them is named after "
		       "its mapping ([heap], [anonymous])");
	if (pass->lost[CCS_LOST_THROTTLED])
		remark(findings, "the event was throttled %" PRIu64 " time(s): how many samples "
		       "are missing there is not known", pass->lost[CCS_LOST_THROTTLED]);
}

/* Of very many bursts. */
static void remark_read(struct findings *findings, const struct burst_totals *bursts,
			const char *kind)
{
	if (bursts->passed)
		remark(findings, "%" PRIu64 " of %" PRIu64 " %sbursts were read, chosen at random: "
		       "--all-bursts reads all", bursts->recorded - bursts->passed,
		       bursts->recorded, kind);
}

/* "columns (st.c:4)"; to be freed. */
static char *place_of(const struct pass *pass, size_t context)
{
	const struct code_region *region = &contexts_tally(pass->contexts, context)->region;
	const char *function = region->function ? region->function : "unknown code";

	return region->file ? xasprintf("%s (%s:%" PRIu32 ")", function, base_name(region->file),
					region->line) :
			      xstrdup(function);
}

/* Loops of much of the time without a burst: its misses are not in the report. */
static void remark_missed(struct findings *findings, const struct pass *pass)
{
	const struct burst_totals *bursts = &findings->bursts;
	char *where;

	if (bursts->missed_part <= UNSEEN_LEAST)
		return;
	where = place_of(pass, bursts->missed_context);
	remark(findings, "%.0f%% of the CPU time is in code that no burst met, most of it in %s: "
	       "its misses are not known; %s sees it", 100 * bursts->missed_part, where,
	       findings_more_bursts(findings));
	free(where);
}

/* Misses that the state of the cache before each burst may hide, where they are many. */
static void remark_unknown(struct findings *findings, const struct pass *pass)
{
	const struct burst_totals *bursts = &findings->bursts;
	char *where;

	if (!findings_unknown_matters(bursts))
		return;
	where = place_of(pass, bursts->unknown_context);
	remark(findings, "what L1 held before each burst is unknown, and matters: up to %.3g more "
	       "of 1,000 references may miss, %.0f%% of these in %s; record --source engine "
	       "sees all", 1000 * bursts->weighted_unknown / bursts->weighted_counted,
	       100 * bursts->unknown_most / bursts->weighted_unknown, where);
	free(where);
}

/* What bursts say nothing of. */
static void remark_bursts(struct findings *findings, const struct pass *pass)
{
	const struct burst_totals *bursts = &findings->bursts;
	uint64_t least = spaces_least_block(pass->spaces);
	uint64_t mapping = spaces_least_mapping(pass->spaces);

	remark_missed(findings, pass);
	remark_unknown(findings, pass);
	if (least)
		remark(findings, "a process made so many heap blocks that those of less than %"
		       PRIu64 " bytes have no names any more: their data is [heap]; record "
		       "--source engine names them", least);
	if (mapping)
		remark(findings, "a process mapped memory so often that mappings of less than %"
		       PRIu64 " bytes have no names any more: their data is [unknown]; record "
		       "--source engine names them", mapping);
	if (bursts->anonymous_cpu_ns > UNSEEN_LEAST * bursts->met_cpu_ns)
		remark(findings, "%.0f%% of the CPU time is in code that bursts do not see, for it "
		       "is in no file (made at run time: JIT); record --source engine sees it",
		       100.0 * bursts->anonymous_cpu_ns / bursts->met_cpu_ns);
	if (bursts->bad)
		remark(findings, "%" PRIu64 " burst(s) cannot be read and are left out (%s)",
		       bursts->bad, bursts->why);
	remark_read(findings, bursts, "");
	remark_read(findings, &findings->long_bursts, "long ");
	if (bursts->no_cache)
		remark(findings, "%" PRIu64 " burst(s) are left out: the recording has no L1 that "
		       "could be simulated (--D1 names one), or samples of its misses",
		       bursts->no_cache);
}

/* What is not the same in all recordings, though they can be added up. */
static void remark_recordings(struct findings *findings)
{
	if (findings->recordings == 1)
		return;
	if (findings->incomplete)
		remark(findings, "%" PRIu64 " of %" PRIu64 " recordings were cut short or damaged",
		       findings->incomplete, findings->recordings);
	if (findings->other_programs)
		remark(findings, "%" PRIu64 " of %" PRIu64 " recordings are of another program "
		       "than the first", findings->other_programs, findings->recordings);
	if (findings->other_machines)
		remark(findings, "%" PRIu64 " of %" PRIu64 " recordings come from another "
		       "processor than the first, with the same caches", findings->other_machines,
		       findings->recordings);
	if (findings->other_pages)
		remark(findings, "%" PRIu64 " of %" PRIu64 " recordings have pages elsewhere than "
		       "the first (another --pages)", findings->other_pages, findings->recordings);
}

/* Of a hybrid processor (record/cores.h): caches that stand for those of other cores as well. */
static void remark_cores(struct findings *findings)
{
	const char *cores = findings_lab(findings, "cores");
	bool simulated = findings->source && !strcmp(findings->source, "engine");

	if (cores && strchr(cores, '(') && !simulated)
		remark(findings, "the program may have run on cores of several kinds, with other "
		       "sets: %s", cores);
}

static void remark_processes(struct findings *findings, uint64_t count, const char *what)
{
	if (count)
		remark(findings, "%" PRIu64 " process%s %s", count, count == 1 ? "" : "es", what);
}

void remarks_fill(struct findings *findings, const struct pass *pass)
{
	remark_recordings(findings);
	remark_cores(findings);
	remark_processes(findings, pass->lost[CCS_LOST_KILLED],
			 "died before the last samples came");
	remark_processes(findings, pass->lost[CCS_LOST_UNRECORDED], "could not be recorded");
	if (pass->lost[CCS_LOST_EVENTS])
		remark(findings, "%" PRIu64 " map or allocation records lost: some data unnamed",
		       pass->lost[CCS_LOST_EVENTS]);
	if (pass->unsupported)
		remark(findings, "the program ran an instruction that the source cannot run, "
		       "at 0x%" PRIx64 ": it did not run to its end", pass->unsupported_ip);
	if (pass->skipped)
		remark(findings, "%" PRIu64 " records of a newer ccsample were skipped",
		       pass->skipped);
	if (pass->strays)
		remark(findings, "%" PRIu64 " samples of undeclared events were skipped",
		       pass->strays);
	remark_bursts(findings, pass);
	remark_sampling(findings, pass);
	remark_counters(findings);
	remark_unseen(findings);
	remark_places(findings, pass);
	remark_lines(findings);
	remark_modules(findings);
}
