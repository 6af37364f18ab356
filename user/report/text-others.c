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

/* What is said of several levels follows what was said of inner ones. */
static void begin_level(char **text)
{
	if (*text)
		prose_append(text, "; ");
}

/* What would decide more of a level, if anything would. */
struct remedy {
	bool more;			/* bursts, samples */
	uint32_t longer;		/* bursts of so many misses at least, 0 = they are */
};

/* How much could not be judged, and why. */
static void append_undecided(char **text, const struct findings *findings,
			     const struct others *others, struct remedy *remedy)
{
	struct undecided undecided = undecided_of(others->rows, others->row_count);
	uint32_t lines = lines_beyond_bursts(findings, others->level);
	char *reasons;

	if (undecided.all < REPORT_SMALL)
		return;
	reasons = reasons_text(&undecided);
	begin_level(text);
	prose_append_free(text, prose_percent(undecided.all));
	prose_append(text, " of the L%" PRIu32 " misses, in ", others->level);
	prose_append_free(text, text_count(undecided.count));
	prose_append(text, " piece%s of code%s", undecided.count == 1 ? "" : "s",
		     reasons ? reasons : "");
	remedy->more |= undecided.all - undecided.shares[RCD_HITS_BETWEEN] >= REPORT_SMALL;
	if (undecided.shares[RCD_SHORT_BURSTS] >= REPORT_SMALL && lines > remedy->longer)
		remedy->longer = lines;
	free(reasons);
}

/* NULL = hardly anything */
static char *undecided_text(const struct findings *findings, const struct others *levels,
			    size_t level_count, bool told)
{
	struct remedy remedy = { .more = false };
	char *text = NULL;

	for (size_t i = 0; i < level_count; i++)
		append_undecided(&text, findings, &levels[i], &remedy);
	if (text && remedy.more && !told)
		prose_append(&text, findings->bursts.known ? "; %s helps" :
			     "; more samples help (a longer run, or a smaller -c)",
			     findings_more_bursts(findings));
	if (text && remedy.longer)
		prose_append(&text, ", or bursts of at least %" PRIu32 ": --burst",
			     remedy.longer);
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

/* "28% of the L1 misses": of code without conflicts. Return: do bursts say too little? */
static bool append_clean(char **text, const struct findings *findings, const struct others *others)
{
	const struct interval *wide = wide_clean(findings, others->level);
	double clean = clean_share(others->rows, others->row_count);

	if (clean < REPORT_SMALL)
		return false;
	prose_append(text, *text ? " and " : "the code behind ");
	prose_append_free(text, prose_percent(clean));
	if (wide)
		prose_append(text, " (%.0f to %.0f%%)", 100 * wide->low, 100 * wide->high);
	prose_append(text, " of the L%" PRIu32 " misses", others->level);
	return wide && wide->low < 0.5 * clean;
}

/* Conflicts of such code. @only: there is none at another level */
static void append_balanced(char **text, const struct others *others, bool only)
{
	double balanced = balanced_share(others->rows, others->row_count);

	if (balanced < REPORT_SMALL)
		return;
	prose_append(text, *text ? " and " :
		     " that another layout would save: behind ");
	prose_append_free(text, prose_percent(balanced));
	if (!only)
		prose_append(text, " of the L%" PRIu32 " misses", others->level);
}

/* How much shows no conflicts; NULL = hardly anything. */
static char *clean_text(const struct findings *findings, const struct others *levels,
			size_t level_count, bool told)
{
	char *text = NULL, *balanced = NULL;
	bool little = false;
	size_t clean = 0;

	for (size_t i = 0; i < level_count; i++) {
		clean += clean_share(levels[i].rows, levels[i].row_count) >= REPORT_SMALL;
		little |= append_clean(&text, findings, &levels[i]);
	}
	for (size_t i = 0; i < level_count; i++)
		append_balanced(&balanced, &levels[i], clean == 1);
	if (!text) {
		free(balanced);
		return NULL;
	}
	prose_append(&text, " shows no conflicts");
	if (balanced)
		prose_append(&text, "%s there are some, but it would lose as many hits", balanced);
	if (little && !told)
		prose_append(&text, "; bursts met too little of the program to say more: %s helps",
			     findings_more_bursts(findings));
	free(balanced);
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
static char *more_text(const struct others *levels, size_t level_count, enum rcd_verdict verdict)
{
	char *text = NULL;

	for (size_t i = 0; i < level_count; i++) {
		struct counted more = count_entries(&levels[i], verdict, false);

		if (!more.count)
			continue;
		begin_level(&text);
		prose_append(&text, "%zu more with ", more.count);
		prose_append_free(&text, prose_percent(more.share));
		prose_append(&text, " of the L%" PRIu32 " misses%s", levels[i].level,
			     more.nests ? ", with the loops in them" : "");
	}
	return text;
}

static void append_small(char **text, const struct others *others)
{
	struct counted conflicts = count_entries(others, RCD_CONFLICT, true);
	struct counted concentrated = count_entries(others, RCD_CONCENTRATED, true);

	if (conflicts.count) {
		begin_level(text);
		prose_append(text, "%zu piece%s of code in conflict, with conflicts of ",
			     conflicts.count, conflicts.count == 1 ? "" : "s");
		prose_append_free(text, prose_percent(conflicts.stake));
		prose_append(text, " of the L%" PRIu32 " misses%s: %s", others->level,
			     conflicts.count == 1 ? "" : " together",
			     conflicts.stake < REPORT_SMALL ? "nothing to gain" :
			     "little to gain from each");
	}
	if (concentrated.count) {
		begin_level(text);
		prose_append(text, "%zu concentrated, with ", concentrated.count);
		prose_append_free(text, prose_percent(concentrated.share));
		prose_append(text, " of the L%" PRIu32 " misses", others->level);
	}
}

/* Those that do not. NULL = none */
static char *small_text(const struct others *levels, size_t level_count)
{
	char *text = NULL;

	for (size_t i = 0; i < level_count; i++)
		append_small(&text, &levels[i]);
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
	char *vague, *text;

	if (untraced)
		return xasprintf("how often L%" PRIu32 " misses: %.1f s of CPU time had no burst, "
				 "in programs that are static, in a container or begun without "
				 "LD_PRELOAD (record -p PID can), or in processes and threads that "
				 "end after milliseconds",
				 level, untraced * 1e-9);
	if (findings->bursts.anonymous_cpu_ns > findings->bursts.met_cpu_ns / 2)
		return xasprintf("how often L%" PRIu32 " misses: most of the CPU time is in code "
				 "made at run time (JIT); record --source engine sees it", level);
	if (!findings->bursts.bursts)
		return xasprintf("how often L%" PRIu32 " misses: there is no burst; a longer run, "
				 "or record --overhead 20%%, helps", level);
	vague = report_ratio_vague(findings, level);
	text = xasprintf("how often L%" PRIu32 " misses: %s; %s helps%s", level,
			 prose_or_unknown(vague),
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

size_t report_others(const struct findings *findings, const struct others *levels,
		     size_t level_count, bool told, struct sentence sentences[OTHERS_MOST])
{
	const struct sentence all[] = {
		{ "conflict", TINT_DIM, more_text(levels, level_count, RCD_CONFLICT) },
		{ "concentrated", TINT_DIM, more_text(levels, level_count, RCD_CONCENTRATED) },
		{ "none", TINT_GOOD, clean_text(findings, levels, level_count, told) },
		{ "undecided", TINT_DIM, undecided_text(findings, levels, level_count, told) },
		{ "small", TINT_DIM, small_text(levels, level_count) },
	};
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i].text)
			sentences[count++] = all[i];
	for (size_t i = 0; i < level_count; i++)
		if (!levels[i].row_count)
			sentences[count++] = nothing(findings, levels[i].level);
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
