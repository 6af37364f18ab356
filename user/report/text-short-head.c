// SPDX-License-Identifier: GPL-2.0-only
/* The head of the short report. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "output/prose.h"
#include "output/text.h"
#include "report/text-header.h"
#include "report/text-spread.h"
#include "report/words.h"

#define LOSS_LEAST	0.01	/* of an event's samples, that is worth a line */
#define REMARKS_SHOWN	4
#define WORTH_LEAST	0.001	/* of the references, that could gain */

static bool shows(const struct event_totals *event, const struct view_options *options)
{
	return event->level && (!options->level || event->level == options->level);
}

static void append_event(char **text, const struct event_totals *event)
{
	char *samples = text_count(event->samples);

	prose_append(text, ", %s", samples);
	free(samples);
	if (event->events) {
		prose_append(text, " of ");
		prose_append_free(text, text_count_short(event->events));
	}
	prose_append(text, " %s events sampled", event->name);
	if (event->bursts > 1) {
		prose_append(text, " in ");
		prose_append_free(text, text_count(event->bursts));
		prose_append(text, " bursts");
	}
}

char *report_recording_text(const struct findings *findings, const struct view_options *options)
{
	char *text = NULL;

	prose_append(&text, "%s, source %s", shown_input(findings->path),
		     prose_or_unknown(findings->source));
	if (findings->duration_ns) {
		prose_append(&text, ", ");
		prose_append_free(&text, text_duration(findings->duration_ns));
	}
	for (size_t i = 0; i < findings->event_count; i++)
		if (shows(&findings->events[i], options) && !findings->events[i].made)
			append_event(&text, &findings->events[i]);
	if (findings->bursts.known) {
		prose_append(&text, ", ");
		prose_append_free(&text, text_count_short(burst_sum(findings->bursts.references)));
		prose_append(&text, " references in ");
		prose_append_free(&text, text_count(findings->bursts.bursts));
		prose_append(&text, " burst%s%s", findings->bursts.bursts == 1 ? "" : "s",
			     findings->bursts.classes ? " (classes kept)" : "");
	}
	return text;
}

static bool level_sampled(const struct findings *findings, uint32_t level,
			  const struct view_options *options)
{
	for (size_t i = 0; i < findings->event_count; i++)
		if (findings->events[i].level == level && shows(&findings->events[i], options))
			return true;
	return false;
}

char *report_caches_text(const struct findings *findings, const struct view_options *options)
{
	bool outer = false;
	char *text = NULL;

	for (size_t i = 0; i < findings->cache_count; i++) {
		const struct cache_level *cache = &findings->caches[i];

		if (!level_sampled(findings, cache->level, options))
			continue;
		outer |= cache->physical;
		prose_append(&text, "%sL%" PRIu32 "%s ", text ? "; " : "", cache->level,
			     cache->level == 1 ? "D" : "");
		report_append_cache(&text, cache);
		if (cache->simulated)
			prose_append(&text, ", simulated");
	}
	if (outer && findings->pages)
		prose_append(&text, strcmp(findings->pages, "real") ? "; pages as the model %s" :
							"; %s page frames", findings->pages);
	return text;
}

static void append_ratio(char **text, uint64_t loads, uint64_t misses, const char *what)
{
	if (!loads)
		return;
	prose_append(text, "%s", *text ? ", " : "");
	prose_append_free(text, text_percent((double)misses / loads));
	prose_append(text, " of ");
	prose_append_free(text, text_count_short(loads));
	prose_append(text, " %s", what);
}

/* Of bursts. Return: allocated, or NULL. */
static char *burst_misses_text(const struct findings *findings)
{
	char *text = NULL;

	if (!findings_burst_levels(findings))
		return NULL;
	report_append_ratio(&text, findings, 1, " of 1,000 references miss in L1D", "");
	if (findings_burst_levels(findings) < 2 &&
	    !level_samples(findings->events, findings->event_count, 2))
		return text;
	prose_append(&text, ", ");
	report_append_ratio(&text, findings, 2, " in L2", "");
	return text;
}

char *report_misses_text(const struct findings *findings, const struct view_options *options)
{
	char *text = burst_misses_text(findings);

	append_ratio(&text, findings->loads, findings->load_misses, "loads");
	append_ratio(&text, findings->stores, findings->store_misses, "stores");
	if (findings->loads)
		prose_append(&text, " miss in L1D");
	for (uint32_t level = 2; level <= FINDINGS_LEVELS; level++) {
		const struct level_totals *totals = &findings->outer[level - 2];

		if (!totals->known || !level_sampled(findings, level, options))
			continue;
		prose_append(&text, text ? ", " : "");
		prose_append_free(&text, text_count_short(totals->load_misses));
		prose_append(&text, " loads and ");
		prose_append_free(&text, text_count_short(totals->store_misses));
		prose_append(&text, " stores in L%" PRIu32, level);
	}
	return text;
}

char *report_conflicts_text(const struct findings *findings, const struct view_options *options)
{
	char *text = NULL;

	for (uint32_t level = 1; level <= FINDINGS_LEVELS; level++) {
		char *share = report_program_conflicts(findings, level);

		if (share && level_sampled(findings, level, options))
			prose_append(&text, "%s%s of the L%" PRIu32 " %smisses%s", text ? ", " : "",
				     share, level,
				     findings_event(findings, level)->sees_stores ? "" : "load ",
				     findings->bursts.known && level > 1 ? " of long bursts" : "");
		free(share);
	}
	return text;
}

static void append_range(char **text, const struct miss_ratio *of)
{
	prose_append_free(text, text_number(1000 * of->low));
	prose_append(text, " to ");
	prose_append_free(text, text_number(1000 * of->high));
}

/* Where there may be something to gain, or nothing, the range alone says so. */
static void append_how_many(char **text, const struct miss_ratio *worth)
{
	if (worth->high < WORTH_LEAST) {
		prose_append(text, "fewer than ");
		prose_append_free(text, text_number(1000 * WORTH_LEAST));
	} else if (worth->ratio < WORTH_LEAST) {
		append_range(text, worth);
	} else {
		prose_append(text, "at most ");
		prose_append_free(text, text_number(1000 * worth->ratio));
	}
}

/* The first level has the whole sentence. */
static void append_worth(char **text, const struct miss_ratio *worth, uint32_t level)
{
	bool first = !*text;

	prose_append(text, "%s", first ? "" : "; ");
	append_how_many(text, worth);
	prose_append(text, "%sL%" PRIu32 "%s%s",
		     first ? " more of 1,000 references would hit " : " in ", level,
		     level == 1 ? "D" : "", first ? " without conflicts" : "");
	if (worth->high < WORTH_LEAST) {
		prose_append(text, ": nothing to gain");
	} else if (worth->ratio >= WORTH_LEAST) {
		prose_append(text, " (");
		append_range(text, worth);
		prose_append(text, ")");
	}
}

char *report_worth_text(const struct findings *findings, const struct view_options *options)
{
	char *text = NULL;

	for (uint32_t level = 1; level <= FINDINGS_LEVELS; level++) {
		struct miss_ratio worth = findings_worth(findings, level);

		if (isfinite(worth.ratio) && level_sampled(findings, level, options))
			append_worth(&text, &worth, level);
	}
	return text;
}

/* The bursts' ratio of a level might be half as large again, or half as small. */
static bool is_wide(const struct findings *findings, uint32_t level)
{
	struct miss_ratio ratio = findings_miss_ratio(findings, level);

	return level <= findings_burst_levels(findings) && isfinite(ratio.ratio) &&
	       ratio.high - ratio.low > ratio.ratio;
}

static bool put_few(FILE *out, const struct findings *findings, bool colour)
{
	bool wide = is_wide(findings, 1) || is_wide(findings, 2);

	if (wide)
		prose_line(out, "note", TINT_CAUTION, colour, "%s narrows the intervals and "
			   "decides more", findings_more_bursts(findings));
	return wide;
}

static void put_text(FILE *out, const char *key, char *text, bool colour)
{
	if (text)
		prose_line(out, key, TINT_DIM, colour, "%s", text);
	free(text);
}

/* What speaks against the figures. */
static void put_cautions(FILE *out, const struct findings *findings,
			 const struct view_options *options)
{
	bool colour = options->colour;

	for (size_t i = 0; i < findings->event_count; i++) {
		const struct event_totals *event = &findings->events[i];
		uint64_t gone = event->lost + event->foreign + event->no_address +
				event->unresolved + event->unnamed;

		if (shows(event, options) && !event->made &&
		    gone > LOSS_LEAST * (event->samples + gone))
			report_losses(out, event, false, colour);
	}
	if (!findings->whole)
		prose_line(out, "incomplete", TINT_CAUTION, colour,
			   "the recording was cut short or damaged: this is what came before");
	for (size_t i = 0; i < findings->remark_count && i < REMARKS_SHOWN; i++)
		prose_line(out, "note", TINT_CAUTION, colour, "%s", findings->remarks[i].text);
	if (findings->remark_count > REMARKS_SHOWN)
		prose_line(out, "", TINT_NONE, colour, "and %zu more notes (--full)",
			   findings->remark_count - REMARKS_SHOWN);
}

bool report_short_header(FILE *out, const struct findings *findings,
			 const struct view_options *options)
{
	bool told;

	report_command(out, findings, 1, options->colour);
	put_text(out, "recording", report_recording_text(findings, options), options->colour);
	report_spread_head(out, findings, options->colour);
	put_text(out, "cache", report_caches_text(findings, options), options->colour);
	put_text(out, "misses", report_misses_text(findings, options), options->colour);
	put_text(out, "conflicts", report_conflicts_text(findings, options), options->colour);
	put_text(out, "worth", report_worth_text(findings, options), options->colour);
	told = put_few(out, findings, options->colour);
	put_cautions(out, findings, options);
	return told;
}
