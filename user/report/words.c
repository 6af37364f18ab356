// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cachesim/classes.h"
#include "output/prose.h"
#include "output/text.h"
#include "report/text-data.h"
#include "report/words.h"

#define WIDE	0.2	/* an interval that is shown */
#define CONCENTRATED	0.05	/* share of the misses of code that is no conflict, and matters */
#define EXACT		0.002	/* width of an interval that is not worth its room */

double report_stake(const struct rcd_summary *summary, double share)
{
	return rcd_share_known(summary) ? share * fmax(summary->conflict_share, 0) : share;
}

bool report_is_small(const struct rcd_summary *summary, double share)
{
	if (summary->verdict == RCD_CONCENTRATED)
		return share < CONCENTRATED;
	return summary->verdict == RCD_CONFLICT && report_stake(summary, share) < REPORT_SMALL;
}

enum tint report_tint(const struct rcd_summary *summary, double share)
{
	if (report_is_small(summary, share))
		return TINT_DIM;
	switch (summary->verdict) {
	case RCD_CONFLICT:
		return TINT_BAD;
	case RCD_CONCENTRATED:
		return TINT_CAUTION;
	case RCD_NONE:
		return TINT_GOOD;
	default:
		return TINT_DIM;
	}
}

bool report_is_wide(const struct interval *share)
{
	return share->high - share->low > WIDE;
}

char *report_share(const struct level_findings *level)
{
	char *text = text_percent(level->share);

	if (report_is_wide(&level->share_interval))
		prose_append(&text, " %2.0f-%.0f", 100 * level->share_interval.low,
			     100 * level->share_interval.high);
	return text;
}

bool report_gross(const struct rcd_summary *summary)
{
	return summary->exact && rcd_share_known(summary) &&
	       outcomes_net_differs(summary->gross_share, summary->conflict_share);
}

char *report_conflict_share(const struct rcd_summary *summary)
{
	char *text;

	if (!rcd_share_known(summary))
		return xstrdup("-");
	text = xasprintf("%.0f%%", 100 * summary->conflict_share);
	if (!summary->counted)
		prose_append(&text, " %2.0f-%.0f", 100 * summary->conflict_low,
			     100 * summary->conflict_high);
	if (report_gross(summary))
		prose_append(&text, " (%.0f)", 100 * summary->gross_share);
	return text;
}

char *report_share_legend(bool net, bool gross, bool counted)
{
	return xasprintf("share that would hit in a fully associative cache%s; %s%s",
			 net ? ", less hits that would miss there" : "",
			 counted ? "all misses were counted" : "95% interval",
			 gross ? "; in brackets all conflicts" : "");
}

char *report_program_conflicts(const struct findings *findings, uint32_t level)
{
	struct miss_ratio share = findings_conflicts(findings, level);
	char *text;

	if (isnan(share.ratio))
		return NULL;
	text = prose_percent(share.ratio);
	if (share.high - share.low < EXACT)
		return text;
	prose_append(&text, " (%.0f to ", 100 * share.low);
	prose_append_free(&text, prose_percent(share.high));
	prose_append(&text, ")");
	return text;
}

void report_append_cache(char **text, const struct cache_level *cache)
{
	const struct cache_geometry *geometry = &cache->geometry;

	prose_append_free(text, text_size(cache_size(geometry) * cache->slices));
	prose_append(text, ", %" PRIu32 " ways, %" PRIu32 " sets", geometry->ways, geometry->sets);
	if (cache->slices > 1)
		prose_append(text, " in each of %" PRIu32 " slices", cache->slices);
}

char *report_ratio_vague(const struct findings *findings, uint32_t level)
{
	const char *kind = level > 1 ? "long " : "";
	size_t count = findings_bursts(findings, level)->bursts;

	switch (findings_ratio_doubt(findings, level)) {
	case RATIO_NO_BURST:
		return xasprintf("no burst touches as much as L%" PRIu32 " holds", level);
	case RATIO_UNFILLED:
		return xasprintf("%zu %sburst%s too little of what L%" PRIu32 " holds", count, kind,
				 count == 1 ? " touches" : "s touch", level);
	case RATIO_ONE_BURST:
		return xasprintf("there is only 1 %sburst", kind);
	case RATIO_DIFFER:
		return xasprintf("the %zu %sbursts differ", count, kind);
	default:
		return NULL;
	}
}

void report_append_ratio(char **text, const struct findings *findings, uint32_t level,
			 const char *words, const char *more)
{
	struct miss_ratio ratio = findings_miss_ratio(findings, level);
	char *vague = report_ratio_vague(findings, level);

	if (isfinite(ratio.ratio)) {
		prose_append_free(text, text_number(1000 * ratio.ratio));
		prose_append(text, "%s (", words);
		prose_append_free(text, text_number(1000 * ratio.low));
		prose_append(text, " to ");
		prose_append_free(text, text_number(1000 * ratio.high));
		prose_append(text, "%s%s)", vague ? ": " : more, vague ? vague : "");
	} else {
		prose_append(text, "unknown in L%" PRIu32 "%s: %s", level, level == 1 ? "D" : "",
			     prose_or_unknown(vague));
	}
	free(vague);
}
