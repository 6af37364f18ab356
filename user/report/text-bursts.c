// SPDX-License-Identifier: GPL-2.0-only
/* What the head says of bursts: how much was seen, how often it missed, how sure that is. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/prose.h"
#include "output/text.h"
#include "report/text-bursts.h"
#include "report/words.h"

/* "80% loads, 18% stores, 2% both": by enum burst_kind. */
static void append_kinds(char **text, const double kinds[BURST_KINDS])
{
	static const char *const names[BURST_KINDS] = {
		[1] = "loads", [2] = "stores", [3] = "read-modify-writes",
	};
	double all = kinds[1] + kinds[2] + kinds[3];
	bool first = true;

	for (size_t kind = 1; kind < BURST_KINDS && all > 0; kind++) {
		if (kinds[kind] <= 0)
			continue;
		prose_append(text, "%s", first ? ": " : ", ");
		prose_append_free(text, prose_percent(kinds[kind] / all));
		prose_append(text, " %s", names[kind]);
		first = false;
	}
}

static void put_bursts(FILE *out, const struct burst_totals *bursts, bool colour)
{
	uint64_t references = burst_sum(bursts->references), loads;
	char *text = text_count(bursts->bursts);

	prose_append(&text, " of ");
	prose_append_free(&text, text_count(bursts->bursts ? references / bursts->bursts : 0));
	prose_append(&text, " references on average");
	if (bursts->recorded_cpu_ns) {
		prose_append(&text, ", spread over ");
		prose_append_free(&text, text_duration(bursts->recorded_cpu_ns));
		prose_append(&text, " of CPU time");
		if (bursts->timed) {
			prose_append(&text, "; weighted by the program's own speed, timed in ");
			prose_append_free(&text, text_count(bursts->timed));
		}
	}
	prose_line(out, "bursts", TINT_DIM, colour, "%s", text);
	free(text);
	/* What reads and writes is two references, as in the counts of other sources. */
	loads = bursts->references[1] + bursts->references[3];
	text = text_count_short(loads + bursts->references[2] + bursts->references[3]);
	append_kinds(&text, (double[BURST_KINDS]){
		[1] = loads, [2] = bursts->references[2] + bursts->references[3] });
	prose_append(&text, "; the first ones of each burst warm the cache, ");
	prose_append_free(&text, text_count_short(bursts->counted));
	prose_append(&text, " count");
	prose_line(out, "references", TINT_DIM, colour, "%s", text);
	free(text);
}

static void put_misses(FILE *out, const struct findings *findings, bool colour)
{
	const struct burst_totals *bursts = &findings->bursts;
	char *text = text_count_short(burst_sum(bursts->misses));

	prose_append(&text, ", ");
	report_append_ratio(&text, findings, 1, " of 1,000 references",
			    " by the spread between bursts");
	append_kinds(&text, bursts->weighted_kinds);
	prose_line(out, "misses", TINT_DIM, colour, "%s", text);
	free(text);
}

static void put_classes(FILE *out, const struct findings *findings, bool colour)
{
	const struct burst_totals *bursts = &findings->bursts;
	bool wide = findings_unknown_matters(bursts);
	char *text = xstrdup("exact in the bursts");

	if (bursts->unknown) {
		prose_append(&text, ", but for what the cache held before: ");
		prose_append_free(&text, text_percent((double)bursts->unknown / bursts->counted));
		prose_append(&text, " of the references (");
		prose_append_free(&text, prose_percent((double)bursts->unknown / bursts->first));
		prose_append(&text, " of the first uses of a line) hit or miss");
	}
	prose_line(out, "classes", wide ? TINT_CAUTION : TINT_DIM, colour, "%s", text);
	free(text);
}

/* An outer level that a burst does not fill says nothing of hits and misses. */
static void put_no_l2(FILE *out, const struct findings *findings, bool colour)
{
	const struct burst_totals *bursts = &findings->bursts;
	const struct cache_level *l1 = findings_cache(findings, 1);
	const struct cache_level *l2 = findings_cache(findings, 2);
	char *text = xasprintf("not %s: a burst touches ", l2 ? "known" : "simulated");

	if (!l1) {
		free(text);
		return;
	}
	prose_append_free(&text, text_size((bursts->lines / bursts->bursts) <<
					   l1->geometry.line_bits));
	prose_append(&text, " on average");
	if (l2) {
		prose_append(&text, ", and L2 holds ");
		prose_append_free(&text, text_size(cache_size(&l2->geometry)));
	}
	prose_line(out, "outer levels", TINT_DIM, colour, "%s; longer runs and a larger --overhead "
		   "have bursts that are long enough; record -e l2-miss samples its misses, with "
		   "the engine 3 to 40 times slower", text);
	free(text);
}

/* How much of L2 was seen, and what is not known of it. */
static void put_l2(FILE *out, const struct findings *findings, bool colour)
{
	const struct burst_totals *bursts = &findings->long_bursts;
	bool wide = findings_unknown_matters(bursts);
	char *text = text_count(bursts->bursts);

	prose_append(&text, " long burst%s of ", bursts->bursts == 1 ? "" : "s");
	prose_append_free(&text, text_count_short(burst_sum(bursts->references) / bursts->bursts));
	prose_append(&text, " references on average");
	prose_append(&text, ", ");
	report_append_ratio(&text, findings, 2, " of 1,000 miss", "");
	if (bursts->warm < bursts->bursts) {
		prose_append(&text, "; ");
		prose_append_free(&text, text_count(bursts->bursts - bursts->warm));
		prose_append(&text, " of them touch less than it holds");
	}
	prose_line(out, "L2", wide ? TINT_CAUTION : TINT_DIM, colour, "%s", text);
	free(text);
}

/* Code without a name, as of samples. */
static void put_unnamed(FILE *out, const struct event_totals *event, bool colour)
{
	char *share;

	if (!event->unnamed)
		return;
	share = text_percent((double)event->unnamed / event->samples);
	prose_line(out, "losses", TINT_CAUTION, colour, "%s of the misses in code without a name",
		   share);
	free(share);
}

void report_burst_head(FILE *out, const struct findings *findings, const struct event_totals *event,
		       bool colour)
{
	if (event->level > 1) {
		if (findings->long_bursts.bursts)
			put_l2(out, findings, colour);
		return;
	}
	if (!findings->bursts.bursts) {
		prose_line(out, "bursts", TINT_CAUTION, colour, "none");
		return;
	}
	put_bursts(out, &findings->bursts, colour);
	put_misses(out, findings, colour);
	put_classes(out, findings, colour);
	if (event->level == 1 && findings_burst_levels(findings) < 2)
		put_no_l2(out, findings, colour);
	put_unnamed(out, event, colour);
}
