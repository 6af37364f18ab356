// SPDX-License-Identifier: GPL-2.0-only
/* The head of the text report: what was recorded, where, and what was lost. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/prose.h"
#include "report/text-bursts.h"
#include "report/text-header.h"
#include "report/text-spread.h"
#include "output/text.h"
#include "report/words.h"

static bool is_known(const char *text)
{
	return text && *text && strcmp(text, "unknown");
}

char *report_command_text(const struct findings *findings, size_t lines)
{
	char *command = join_words(findings->command), *clean, *fitted;

	clean = text_clean(prose_or_unknown(command));
	fitted = text_fit(clean, lines * (TEXT_COLUMNS - PROSE_KEY_COLUMNS), TEXT_FIT_MIDDLE);
	free(clean);
	free(command);
	return fitted;
}

void report_command(FILE *out, const struct findings *findings, size_t lines, bool colour)
{
	char *text = report_command_text(findings, lines);

	prose_line(out, "command", TINT_BOLD, colour, "%s", text);
	free(text);
}

static void put_recording(FILE *out, const struct findings *findings, bool colour)
{
	char *text = xasprintf("%s, source %s, ccsample %s", shown_input(findings->path),
			       prose_or_unknown(findings->source),
			       prose_or_unknown(findings->version));

	if (is_known(findings->start))
		prose_append(&text, ", %s", findings->start);
	if (findings->duration_ns) {
		prose_append(&text, ", ");
		prose_append_free(&text, text_duration(findings->duration_ns));
	}
	if (findings->processes > 1)
		prose_append(&text, ", %" PRIu64 " processes", findings->processes);
	prose_line(out, "recording", TINT_DIM, colour, "%s", text);
	free(text);
}

/* How the sets of a level are found: the address, and the slices. */
static char *index_text(const struct cache_level *cache)
{
	const char *address = cache->physical ? "physical" : "virtual";

	if (cache->slices > 1)
		return xasprintf("%s address, slices by %s", address,
				 cache->hash ? cache->hash->name : "an unpublished hash");
	if (cache->level == 3 && cache->physical)
		return xasprintf("%s address as one array: its slices are not known", address);
	return xasprintf("%s address", address);
}

/* What the machine has, where another L1 was asked for. */
static char *other_l1(const struct findings *findings, const struct cache_geometry *asked)
{
	const struct cache_level *l1 = findings->recorded_l1;
	char *size, *text;

	if (!l1 || !memcmp(&l1->geometry, asked, sizeof(*asked)))
		return xstrdup("");
	size = text_size(cache_size(&l1->geometry));
	text = xasprintf("; asked for, the machine has %s, %" PRIu32 " ways", size,
			 l1->geometry.ways);
	free(size);
	return text;
}

static void put_caches(FILE *out, const struct findings *findings, bool colour)
{
	for (size_t i = 0; i < findings->cache_count; i++) {
		const struct cache_level *cache = &findings->caches[i];
		char *text = NULL, *index = index_text(cache);
		char *other = cache->level == 1 ? other_l1(findings, &cache->geometry) :
							 xstrdup("");
		char key[16];

		snprintf(key, sizeof(key), cache->level == 1 ? "L1D" : "L%" PRIu32, cache->level);
		report_append_cache(&text, cache);
		prose_line(out, key, TINT_DIM, colour, "%s, %" PRIu32 " B lines, indexed by %s%s%s",
			   text, cache->geometry.line, index,
			   cache->simulated ? " (simulated)" : "", other);
		free(other);
		free(index);
		free(text);
	}
}

/* What the sets beyond L1 rest on. */
static void put_pages(FILE *out, const struct findings *findings, bool colour)
{
	const char *pages = findings->pages;

	if (!pages)
		return;
	if (!strcmp(pages, "real"))
		prose_line(out, "pages", TINT_DIM, colour,
			   "real: the frames of this run; another run may have others");
	else
		prose_line(out, "pages", TINT_CAUTION, colour,
			   "%s: a model of where pages lie, for all levels indexed by physical "
			   "address (%s --pages)", pages, findings->bursts.known ? "report" :
									      "record");
}

/* How the machine was set; what is not there is left out. */
static void put_lab(FILE *out, const struct findings *findings, bool colour)
{
	char *text = NULL;

	for (size_t i = 0; i < findings->lab_count; i++)
		if (strcmp(findings->lab[i].value, "none"))
			prose_append(&text, "%s%s %s%s", text ? "; " : "", findings->lab[i].name,
				     findings->lab[i].value,
				     findings->lab[i].varies ? " (not in all recordings)" : "");
	if (text)
		prose_line(out, "lab", TINT_DIM, colour, "%s", text);
	free(text);
}

static void put_machine(FILE *out, const struct findings *findings, bool colour)
{
	prose_line(out, "machine", TINT_DIM, colour, "%s%s%s", prose_or_unknown(findings->cpu),
		   is_known(findings->kernel) ? ", Linux " : "",
		   is_known(findings->kernel) ? findings->kernel : "");
	put_lab(out, findings, colour);
	put_caches(out, findings, colour);
	put_pages(out, findings, colour);
}

/* What an event's name leaves out. */
static const char *event_kind(const struct event_totals *event)
{
	if (!event->level)
		return "";
	if (event->no_loads)
		return " (stores)";
	return event->sees_stores ? " (loads and stores)" : " (loads)";
}

static void put_sampling(FILE *out, const struct event_totals *event, bool colour)
{
	char *period = text_count(event->period), *burst = text_count(event->burst);

	if (!event->period)
		prose_line(out, "event", TINT_DIM, colour, "%s%s, none sampled", event->name,
			   event_kind(event));
	else if (event->burst > 1)
		prose_line(out, "event", TINT_DIM, colour,
			   "%s%s, 1 in %s sampled on average, in bursts of up to %s in a row",
			   event->name, event_kind(event), period, burst);
	else
		prose_line(out, "event", TINT_DIM, colour,
			   "%s%s, 1 in %s sampled (+-%" PRIu64 "), one at a time", event->name,
			   event_kind(event), period, event->spread);
	free(period);
	free(burst);
}

/* "60% loads, 30% stores, 10% read-modify-writes" */
static void append_kinds(char **text, const struct event_totals *event)
{
	const struct {
		const char *name;
		uint64_t count;
	} kinds[] = {
		{ "loads", event->samples - event->stores - event->both },
		{ "stores", event->stores }, { "read-modify-writes", event->both },
	};
	const char *before = ": ";

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!kinds[i].count)
			continue;
		prose_append(text, "%s", before);
		prose_append_free(text, text_percent((double)kinds[i].count / event->samples));
		prose_append(text, " %s", kinds[i].name);
		before = ", ";
	}
}

static void put_samples(FILE *out, const struct event_totals *event, bool colour)
{
	char *samples = text_count(event->samples), *text = xasprintf("%s", samples);

	free(samples);
	if (event->events) {
		prose_append(&text, " of ");
		prose_append_free(&text, text_count(event->events));
		prose_append(&text, " events");
	}
	if (event->burst > 1) {
		prose_append(&text, ", in ");
		prose_append_free(&text, text_count(event->bursts));
		prose_append(&text, " bursts");
		if (event->cuts) {
			prose_append(&text, ", cut ");
			prose_append_free(&text, text_count(event->cuts));
			prose_append(&text, " times by interrupts and task switches");
		}
		if (event->burst_samples < event->burst_events) {
			prose_append(&text, ", ");
			prose_append_free(&text, text_percent((double)event->burst_samples /
							      event->burst_events));
			prose_append(&text, " of the events in them");
		}
	}
	if (event->sees_stores && event->samples)
		append_kinds(&text, event);
	prose_line(out, "samples", TINT_DIM, colour, "%s", text);
	free(text);
}

static void put_classes(FILE *out, const struct event_totals *event, bool colour)
{
	static const char *const names[] = { NULL, "cold", "capacity", "conflict" };
	char *text = xstrdup("exact");

	for (size_t i = 1; event->samples && i < ARRAY_SIZE(names); i++) {
		prose_append(&text, i > 1 ? ", " : ": ");
		prose_append_free(&text, text_percent((double)event->by_class[i] / event->samples));
		prose_append(&text, " %s", names[i]);
	}
	prose_line(out, "classes", TINT_DIM, colour, "%s of the samples", text);
	free(text);
}

/* "12 (0.1%) lost", the share being of all samples that were or should have been. */
static void append_loss(char **text, uint64_t count, uint64_t of, bool every, const char *what)
{
	if (!count && !every)
		return;
	prose_append(text, "%s", *text ? ", " : "");
	prose_append_free(text, text_count(count));
	if (count && of) {
		prose_append(text, " (");
		prose_append_free(text, text_percent((double)count / of));
		prose_append(text, ")");
	}
	prose_append(text, " %s", what);
}

void report_losses(FILE *out, const struct event_totals *event, bool every, bool colour)
{
	uint64_t gone = event->lost + event->foreign + event->no_address;
	uint64_t all = event->samples + gone;
	bool caution = gone || event->unresolved;
	char *text = NULL;

	append_loss(&text, event->lost, all, every, "lost");
	append_loss(&text, event->foreign, all, every, "foreign");
	append_loss(&text, event->no_address, all, every, "without an address");
	append_loss(&text, event->unresolved, event->samples, every, "without a set");
	append_loss(&text, event->unnamed, event->samples, every, "in code without a name");
	prose_line(out, "losses", caution ? TINT_CAUTION : TINT_DIM, colour, "%s", text);
	free(text);
}

static void append_misses(char **text, const char *what, uint64_t references, uint64_t misses)
{
	prose_append(text, "%s", *text ? ", " : "");
	prose_append_free(text, text_count_short(references));
	prose_append(text, " %s", what);
	if (misses) {
		prose_append(text, " (");
		prose_append_free(text, text_percent((double)misses / references));
		prose_append(text, " missed)");
	}
}

static void put_program(FILE *out, const struct findings *findings, bool colour)
{
	char *text = NULL;

	if (findings->instructions) {
		prose_append_free(&text, text_count_short(findings->instructions));
		prose_append(&text, " instructions");
	}
	if (findings->loads) {
		append_misses(&text, "loads", findings->loads, findings->load_misses);
	} else if (findings->load_misses) {
		prose_append(&text, text ? ", " : "");
		prose_append_free(&text, text_count_short(findings->load_misses));
		prose_append(&text, " loads missed");
	}
	if (findings->stores)
		append_misses(&text, "stores", findings->stores, findings->store_misses);
	for (size_t i = 0; i < ARRAY_SIZE(findings->outer); i++) {
		if (!findings->outer[i].known)
			continue;
		prose_append(&text, text ? ", " : "");
		prose_append_free(&text, text_count_short(findings->outer[i].load_misses));
		prose_append(&text, " loads and ");
		prose_append_free(&text, text_count_short(findings->outer[i].store_misses));
		prose_append(&text, " stores missed in L%zu", i + 2);
	}
	if (text)
		prose_line(out, "program", TINT_DIM, colour, "%s", text);
	free(text);
}

void report_header(FILE *out, const struct findings *findings, bool colour)
{
	report_command(out, findings, 3, colour);
	put_recording(out, findings, colour);
	report_spread_head(out, findings, colour);
	put_machine(out, findings, colour);
	put_program(out, findings, colour);
	for (size_t i = 0; i < findings->event_count; i++) {
		if (findings->events[i].made) {
			report_burst_head(out, findings, &findings->events[i], colour);
			continue;
		}
		put_sampling(out, &findings->events[i], colour);
		put_samples(out, &findings->events[i], colour);
		if (findings->events[i].classes)
			put_classes(out, &findings->events[i], colour);
		report_losses(out, &findings->events[i], true, colour);
	}
	if (!findings->whole)
		prose_line(out, "incomplete", TINT_CAUTION, colour,
			   "the recording was cut short or damaged: this is what came before");
	for (size_t i = 0; i < findings->remark_count; i++)
		prose_line(out, "note", TINT_CAUTION, colour, "%s", findings->remarks[i].text);
}
