// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "output/prose.h"
#include "output/text.h"
#include "report/text-data.h"
#include "report/text-others.h"
#include "report/words.h"

#define UNTRACED_NS	500000000u	/* CPU time: there would be bursts */
#define BALANCED_LEAST	0.1	/* gross share of conflicts that is worth a remark */

static double verdict_share(const struct row *rows, size_t count, enum rcd_verdict verdict)
{
	double share = 0;

	for (size_t i = 0; i < count; i++)
		if (rows[i].level->summary.verdict == verdict)
			share += rows[i].level->share;
	return share;
}

/* Bursts of a level that are shorter than its cache has lines cannot rule a conflict out. */
static uint32_t lines_beyond_bursts(const struct findings *findings, uint32_t level)
{
	const struct cache_level *cache = findings_cache(findings, level);
	uint32_t lines = cache ? cache_lines(&cache->geometry) * cache->slices : 0;

	for (size_t i = 0; i < findings->event_count; i++)
		if (findings->events[i].level == level && findings->events[i].burst >= lines)
			return 0;
	return lines;
}

/* Misses that could not be judged, by the reason. */
struct undecided {
	size_t count;			/* of pieces of code */
	double all;
	double shares[RCD_REASONS];
};

static struct undecided undecided_of(const struct row *rows, size_t count)
{
	struct undecided undecided = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct rcd_summary *summary = &rows[i].level->summary;

		if (summary->verdict != RCD_UNDECIDED)
			continue;
		undecided.shares[summary->reason] += rows[i].level->share;
		undecided.all += rows[i].level->share;
		undecided.count++;
	}
	return undecided;
}

/* Each with its share, where there are several. */
static char *reasons_text(const struct undecided *undecided)
{
	char *text = NULL;

	for (size_t i = RCD_DECIDED + 1; i < RCD_REASONS; i++) {
		if (undecided->shares[i] < REPORT_SMALL)
			continue;
		prose_append(&text, "%s%s", text ? ", " : ": ", rcd_reason_text(i));
		if (undecided->all - undecided->shares[i] < REPORT_SMALL)
			continue;
		prose_append(&text, " (");
		prose_append_free(&text, prose_percent(undecided->shares[i]));
		prose_append(&text, ")");
	}
	return text;
}

char *report_undecided_text(const struct findings *findings, const struct row *rows, size_t count,
			    uint32_t level)
{
	struct undecided undecided = undecided_of(rows, count);
	uint32_t lines = lines_beyond_bursts(findings, level);
	char *text = prose_percent(undecided.all), *reasons = reasons_text(&undecided);

	prose_append(&text, " of the L%" PRIu32 " misses, in ", level);
	prose_append_free(&text, text_count(undecided.count));
	prose_append(&text, " piece%s of code%s", undecided.count == 1 ? "" : "s",
		     reasons ? reasons : "");
	if (undecided.all - undecided.shares[RCD_HITS_BETWEEN] >= REPORT_SMALL)
		prose_append(&text, findings->bursts.known ? "; %s helps" :
			     "; more samples help (a longer run, or a smaller -c)",
			     findings_more_bursts(findings));
	if (lines && undecided.shares[RCD_SHORT_BURSTS] >= REPORT_SMALL)
		prose_append(&text, ", or bursts of at least %" PRIu32 ": --burst", lines);
	free(reasons);
	return text;
}

/* Of code that is clean since hits saved make up for its conflicts. */
static double balanced_share(const struct row *rows, size_t count)
{
	double share = 0;

	for (size_t i = 0; i < count; i++) {
		const struct rcd_summary *summary = &rows[i].level->summary;

		if (summary->verdict == RCD_NONE && summary->gross_share >= BALANCED_LEAST &&
		    report_gross(summary))
			share += rows[i].level->share;
	}
	return share;
}

/* Not where it is known well, or not known. */
static const struct interval *wide_clean(const struct findings *findings, uint32_t level)
{
	if (level > ARRAY_SIZE(findings->clean) || !report_is_wide(&findings->clean[level - 1]))
		return NULL;
	return &findings->clean[level - 1];
}

char *report_clean_text(const struct findings *findings, const struct row *rows, size_t count,
			uint32_t level)
{
	const struct interval *wide = wide_clean(findings, level);
	double balanced = balanced_share(rows, count);
	char *text = NULL;

	prose_append(&text, "the code behind ");
	prose_append_free(&text, prose_percent(verdict_share(rows, count, RCD_NONE)));
	if (wide)
		prose_append(&text, " (%.0f to %.0f%%)", 100 * wide->low, 100 * wide->high);
	prose_append(&text, " of the L%" PRIu32 " misses shows no conflicts", level);
	if (balanced >= REPORT_SMALL) {
		prose_append(&text, " that another layout would save: those behind ");
		prose_append_free(&text, prose_percent(balanced));
		prose_append(&text, " are made up for by hits that would be lost without them");
	}
	if (wide && wide->low < 0.5)
		prose_append(&text, "; bursts met too little of the program to say more: %s helps",
			     findings_more_bursts(findings));
	return text;
}

double report_undecided(const struct row *rows, size_t count)
{
	return verdict_share(rows, count, RCD_UNDECIDED);
}

void report_others(FILE *out, const struct findings *findings, const struct row *rows,
		   size_t count, uint32_t level, size_t found, bool colour)
{
	double undecided = report_undecided(rows, count);
	char *text;

	if (!found && undecided < 0.5) {
		text = report_clean_text(findings, rows, count, level);
		prose_line(out, "none", TINT_GOOD, colour, "%s", text);
		free(text);
	}
	if (undecided >= REPORT_SMALL) {
		text = report_undecided_text(findings, rows, count, level);
		prose_line(out, "undecided", TINT_DIM, colour, "%s", text);
		free(text);
	}
}

/* CPU time that no burst stands for, ns; 0 = little, or not known. */
static uint64_t untraced_ns(const struct findings *findings)
{
	uint64_t all = findings->recorded.user_ns + findings->recorded.system_ns;
	uint64_t traced = findings->bursts.recorded_cpu_ns;
	uint64_t rest = all > traced ? all - traced : 0;

	if (findings->bursts.bad || findings->bursts.no_cache)
		return 0;
	return rest > UNTRACED_NS && rest > all / 2 ? rest : 0;
}

/* Is there no miss that is certain, and nothing that speaks against more? */
static bool is_unknown(const struct findings *findings, uint32_t level)
{
	return untraced_ns(findings) || !findings->bursts.bursts ||
	       !isfinite(findings_miss_ratio(findings, level).ratio);
}

const char *report_nothing_key(const struct findings *findings, uint32_t level)
{
	if (!findings->bursts.known)
		return "no samples";
	return is_unknown(findings, level) ? "unknown" : "no misses";
}

/* The bursts leave it open whether the level misses. */
static char *unknown_text(const struct findings *findings, uint32_t level)
{
	uint64_t untraced = untraced_ns(findings);
	struct miss_ratio ratio;
	char *vague, *text;

	if (untraced)
		return xasprintf("how often L%" PRIu32 " misses: %.1f s of CPU time had no burst, "
				 "in programs that are static, in a container or begun without "
				 "LD_PRELOAD (record -p PID can), or that end after milliseconds",
				 level, untraced * 1e-9);
	if (!findings->bursts.bursts)
		return xasprintf("how often L%" PRIu32 " misses: there is no burst; a longer run, "
				 "or record --overhead 20%%, helps", level);
	vague = report_ratio_vague(findings, level, &ratio);
	text = xasprintf("how often L%" PRIu32 " misses: %s; %s helps%s", level, vague,
			 findings_more_bursts(findings), level > 1 ?
			 ", or record -e l2-miss, with which the engine samples it" : "");
	free(vague);
	return text;
}

char *report_nothing_text(const struct findings *findings, uint32_t level)
{
	if (!findings->bursts.known)
		return xasprintf("at L%" PRIu32 ": record longer, or with a shorter period (record "
				 "-c)", level);
	if (is_unknown(findings, level))
		return unknown_text(findings, level);
	return xasprintf("in L%" PRIu32 " that are certain, in any of the bursts", level);
}

bool report_nothing_good(const struct findings *findings, uint32_t level)
{
	return findings->bursts.known && !is_unknown(findings, level);
}

void report_nothing(FILE *out, const struct findings *findings, uint32_t level, bool colour)
{
	bool good = report_nothing_good(findings, level);
	const char *key = report_nothing_key(findings, level);
	char *text = report_nothing_text(findings, level);

	prose_line(out, key, good ? TINT_GOOD : TINT_CAUTION, colour, "%s", text);
	free(text);
}
