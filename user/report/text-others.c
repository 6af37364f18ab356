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

static double clean_share(const struct row *rows, size_t count)
{
	double share = 0;

	for (size_t i = 0; i < count; i++)
		if (rows[i].level->summary.verdict == RCD_NONE)
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

/* How much could not be judged, why, and what would help; NULL = hardly anything. */
static char *undecided_text(const struct findings *findings, const struct row *rows, size_t count,
			    uint32_t level)
{
	struct undecided undecided = undecided_of(rows, count);
	uint32_t lines = lines_beyond_bursts(findings, level);
	char *text, *reasons;

	if (undecided.all < REPORT_SMALL)
		return NULL;
	text = prose_percent(undecided.all);
	reasons = reasons_text(&undecided);
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

/* How much shows no conflicts; NULL = hardly anything. */
static char *clean_text(const struct findings *findings, const struct row *rows, size_t count,
			uint32_t level)
{
	const struct interval *wide = wide_clean(findings, level);
	double clean = clean_share(rows, count), balanced = balanced_share(rows, count);
	char *text = NULL;

	if (clean < REPORT_SMALL)
		return NULL;
	prose_append(&text, "the code behind ");
	prose_append_free(&text, prose_percent(clean));
	if (wide)
		prose_append(&text, " (%.0f to %.0f%%)", 100 * wide->low, 100 * wide->high);
	prose_append(&text, " of the L%" PRIu32 " misses shows no conflicts", level);
	if (balanced >= REPORT_SMALL) {
		prose_append(&text, " that another layout would save: those behind ");
		prose_append_free(&text, prose_percent(balanced));
		prose_append(&text, " are made up for by hits that would be lost without them");
	}
	if (wide && wide->low < 0.5 * clean)
		prose_append(&text, "; bursts met too little of the program to say more: %s helps",
			     findings_more_bursts(findings));
	return text;
}

/* Entries of a verdict that are not described, counted. */
struct counted {
	size_t count;
	double stake;			/* of all of them: report_stake() */
	double share;			/* of the misses: nests and loops do not hold one another */
	bool nests;			/* are among them */
};

static struct counted count_entries(const struct others *others, enum rcd_verdict verdict,
				    bool small)
{
	struct counted counted = { 0 };

	for (size_t i = 0; i < others->entry_count; i++) {
		const struct entry *entry = &others->entries[i];

		if (entry->summary->verdict != verdict || entry_is_small(entry) != small)
			continue;
		counted.count++;
		counted.stake += report_stake(entry->summary, entry->share);
		counted.share += entry->share;
		counted.nests |= entry->nest;
	}
	return counted;
}

/* Those that matter. NULL = none */
static char *more_text(const struct others *others, enum rcd_verdict verdict)
{
	struct counted more = count_entries(others, verdict, false);
	char *text;

	if (!more.count)
		return NULL;
	text = xasprintf("%zu more with ", more.count);
	prose_append_free(&text, prose_percent(more.share));
	prose_append(&text, " of the L%" PRIu32 " misses%s", others->level,
		     more.nests ? ", with the loops in them" : "");
	return text;
}

/* Those that do not. NULL = none */
static char *small_text(const struct others *others)
{
	struct counted conflicts = count_entries(others, RCD_CONFLICT, true);
	struct counted concentrated = count_entries(others, RCD_CONCENTRATED, true);
	char *text = NULL;

	if (conflicts.count) {
		prose_append(&text, "%zu piece%s of code in conflict, with conflicts of ",
			     conflicts.count, conflicts.count == 1 ? "" : "s");
		prose_append_free(&text, prose_percent(conflicts.stake));
		prose_append(&text, " of the L%" PRIu32 " misses%s: %s", others->level,
			     conflicts.count == 1 ? "" : " together",
			     conflicts.stake < REPORT_SMALL ? "nothing to gain" :
			     "little to gain from each");
	}
	if (concentrated.count) {
		prose_append(&text, "%s%zu concentrated, with ", text ? "; " : "",
			     concentrated.count);
		prose_append_free(&text, prose_percent(concentrated.share));
		prose_append(&text, " of the L%" PRIu32 " misses", others->level);
	}
	return text;
}

/* CPU time that no burst stands for and no timer met, ns; 0 = little, or not known. */
static uint64_t untraced_ns(const struct findings *findings)
{
	uint64_t all = findings->recorded.user_ns + findings->recorded.system_ns;
	uint64_t traced = fmax(findings->bursts.recorded_cpu_ns, findings->bursts.met_cpu_ns);
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
	if (findings->bursts.anonymous_cpu_ns > findings->bursts.met_cpu_ns / 2)
		return xasprintf("how often L%" PRIu32 " misses: most of the CPU time is in code "
				 "made at run time (JIT); record --source engine sees it", level);
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

/* Why a level that was sampled shows nothing. */
static struct sentence nothing(const struct findings *findings, uint32_t level)
{
	if (!findings->bursts.known)
		return (struct sentence){ "no samples", TINT_CAUTION,
			xasprintf("at L%" PRIu32 ": record longer, or with a shorter period "
				  "(record -c)", level) };
	if (is_unknown(findings, level))
		return (struct sentence){ "unknown", TINT_CAUTION, unknown_text(findings, level) };
	return (struct sentence){ "no misses", TINT_GOOD,
		xasprintf("in L%" PRIu32 " that are certain, in any of the bursts", level) };
}

size_t report_others(const struct findings *findings, const struct others *others,
		     struct sentence sentences[OTHERS_MOST])
{
	const struct row *rows = others->rows;
	size_t row_count = others->row_count, count = 0;
	const struct sentence all[OTHERS_MOST] = {
		{ "conflict", TINT_DIM, more_text(others, RCD_CONFLICT) },
		{ "concentrated", TINT_DIM, more_text(others, RCD_CONCENTRATED) },
		{ "none", TINT_GOOD, clean_text(findings, rows, row_count, others->level) },
		{ "undecided", TINT_DIM, undecided_text(findings, rows, row_count,
							others->level) },
		{ "small", TINT_DIM, small_text(others) },
	};

	for (size_t i = 0; i < OTHERS_MOST; i++)
		if (all[i].text)
			sentences[count++] = all[i];
	if (!row_count)
		sentences[count++] = nothing(findings, others->level);
	return count;
}

void report_sentences(FILE *out, const struct sentence *sentences, size_t count, bool colour)
{
	for (size_t i = 0; i < count; i++) {
		prose_line(out, sentences[i].key, sentences[i].tint, colour, "%s",
			   sentences[i].text);
		free(sentences[i].text);
	}
}
