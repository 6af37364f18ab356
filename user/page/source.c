// SPDX-License-Identifier: GPL-2.0-only
/* The lines of a piece of code, with what misses on each. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/html.h"
#include "output/text.h"
#include "page/internal.h"

#define AROUND		2	/* lines shown before and after one that misses */
#define WHOLE		48	/* lines of a loop that is shown from its first to its last */
#define LINES_MOST	100	/* of a table */
#define COLUMNS_MOST	160	/* of a line */

struct line_sum {
	uint64_t samples, conflicts;
	double evictions;
};

/* What a table is of. */
struct listing {
	struct page *page;
	const struct code_region *region;
	const struct site_tally *sites;		/* of one file, in the order of lines */
	size_t count;
	uint64_t samples, conflicts;		/* of the region */
	double evictions;
	uint64_t line_most;			/* samples of a line */
	struct source_place place;		/* without a line */
	bool readable;
	size_t shown;
};

static struct line_sum line_sum(const struct listing *listing, uint32_t line)
{
	struct line_sum sum = { 0 };

	for (size_t i = 0; i < listing->count; i++) {
		if (listing->sites[i].line != line)
			continue;
		sum.samples += listing->sites[i].samples;
		sum.conflicts += listing->sites[i].conflicts;
		sum.evictions += listing->sites[i].evictions;
	}
	return sum;
}

static void put_code(struct listing *listing, uint32_t line)
{
	struct source_place place = listing->place;
	char *text, *fitted;

	if (!listing->readable)
		return;
	place.line = line;
	text = sources_line(listing->page->sources, &place);
	if (!text)
		return;
	fitted = strlen(text) > COLUMNS_MOST ? text_fit(text, COLUMNS_MOST, TEXT_FIT_END) :
					       xstrdup(text);
	/* A tab is white space, not a sign to be cleaned. */
	for (char *part = fitted, *tab; part; part = tab) {
		tab = strchr(part, '\t');
		if (tab)
			*tab++ = '\0';
		html_text(listing->page->out, part);
		if (tab)
			fputc('\t', listing->page->out);
	}
	free(fitted);
	free(text);
}

static void put_line(struct listing *listing, uint32_t line)
{
	struct line_sum sum = line_sum(listing, line);
	FILE *out = listing->page->out;

	fprintf(out, "<tr><th class=\"num muted\" scope=\"row\">%" PRIu32 "</th>", line);
	page_part_share(out, sum.samples, listing->samples, listing->line_most);
	page_part_share(out, sum.conflicts, listing->conflicts, 0);
	page_part_share(out, sum.evictions, listing->evictions, 0);
	fputs("<td class=\"code\">", out);
	put_code(listing, line);
	fputs("</td></tr>\n", out);
	listing->shown++;
}

/* Is it near a line that misses, or of a loop that is short enough to be shown whole? */
static bool is_wanted(const struct listing *listing, uint32_t line)
{
	const struct code_region *region = listing->region;

	if (listing->readable && same_text(region->file, listing->sites[0].file) &&
	    region->end_line >= region->line && region->end_line - region->line < WHOLE &&
	    line + 1 >= region->line && line <= region->end_line + 1)
		return true;
	for (size_t i = 0; i < listing->count; i++) {
		uint32_t at = listing->sites[i].line, around = listing->readable ? AROUND : 0;

		if (at && line + around >= at && line <= at + around)
			return true;
	}
	return false;
}

static void put_lines(struct listing *listing)
{
	const struct code_region *region = listing->region;
	uint32_t first = UINT32_MAX, last = 0, before = 0;

	for (size_t i = 0; i < listing->count; i++) {
		uint32_t line = listing->sites[i].line;

		first = line && line < first ? line : first;
		last = line > last ? line : last;
	}
	if (same_text(region->file, listing->sites[0].file)) {
		first = region->line && region->line < first ? region->line : first;
		last = region->end_line > last ? region->end_line : last;
	}
	first = first > AROUND ? first - AROUND : 1;
	for (uint32_t line = first; line <= last + AROUND && line - first < 20000 &&
	     listing->shown < LINES_MOST; line++) {
		if (!is_wanted(listing, line))
			continue;
		if (before && line > before + 1)
			fputs("<tr class=\"gap\"><td "
			      "class=\"num\">...</td><td></td><td></td><td></td><td></td></tr>\n",
			      listing->page->out);
		put_line(listing, line);
		before = line;
	}
	if (listing->shown == LINES_MOST)
		fputs("<tr class=\"gap\"><td class=\"num\">...</td><td></td><td></td><td></td>"
		      "<td>further lines are left out</td></tr>\n", listing->page->out);
}

/*
 * Which file is a source is up to a program's debug information, and pages are handed on: a key or
 * a password in a private file must not get into one, whatever a program calls its source.
 */
static bool is_source(const struct location *location)
{
	static const char *const suffixes[] = {
		".c", ".h", ".cc", ".cpp", ".cxx", ".C", ".c++", ".hh", ".hpp", ".hxx", ".tcc",
		".ipp", ".inl", ".inc", ".def", ".f", ".F", ".for", ".f90", ".F90", ".f95", ".f03",
		".f08", ".rs", ".go", ".d", ".zig", ".m", ".mm", ".cu", ".s", ".S", ".asm", ".ads",
		".adb", ".pas", ".nim", ".swift", ".ml", ".hs", ".y", ".l",
	};
	char *joined = location->directory && location->source[0] != '/' ?
		       xasprintf("%s/%s", location->directory, location->source) :
		       xstrdup(location->source);
	char *real = realpath(joined, NULL);
	const char *suffix = real ? strrchr(base_name(real), '.') : NULL;
	/* Headers of the C++ library have no suffix. */
	bool found = real && !strncmp(real, "/usr/include/", strlen("/usr/include/"));

	for (size_t i = 0; suffix && i < ARRAY_SIZE(suffixes); i++)
		found |= !strcmp(suffix, suffixes[i]);
	free(real);
	free(joined);
	return found;
}

/* Where the text of the file is, if it is what was compiled. */
static void find_text(struct listing *listing)
{
	const struct site_tally *site = &listing->sites[0];
	struct location location;
	char *text;

	if (!site->module || module_own_line(site->module, site->address, &location))
		return;
	if (!same_text(location.file, site->file) &&
	    module_locate(site->module, site->address, &location))
		return;
	if (!location.source || !same_text(location.file, site->file) || !is_source(&location))
		return;
	listing->place = (struct source_place){
		.directory = location.directory, .path = location.source, .line = site->line,
		.time = module_time(site->module),
	};
	text = sources_line(listing->page->sources, &listing->place);
	listing->readable = text;
	free(text);
}

static void put_file(struct listing *listing)
{
	static const struct page_column columns[] = {
		{ "line", true }, { "misses", true }, { "conflicts", true }, { "evictions", true },
		{ "source", false }, { NULL, false }
	};
	char *name = text_fit(listing->sites[0].file, PAGE_NAME, TEXT_FIT_START), *title;
	FILE *out = listing->page->out;

	find_text(listing);
	fputs("<p class=\"caption\">Lines of <bdi>", out);
	html_text(out, name);
	fputs("</bdi>: shares of this code's misses, of its conflicts, and of the evictions that "
	      "its misses cause.", out);
	if (!listing->readable)
		fputs(" <span class=\"warn\">The text is not shown: the file cannot be read, was "
		      "changed after the program was built, or has no name of a source.</span>",
		      out);
	fputs("</p>\n", out);
	title = xasprintf("Lines of %s", name);
	page_table(listing->page, title, NULL, "source full tall", columns);
	put_lines(listing);
	page_table_end(listing->page);
	free(title);
	free(name);
}

void page_lines(struct page *page, const struct code_region *region,
		const struct site_tally *sites, size_t count)
{
	struct listing listing = { .page = page, .region = region };
	size_t from, to;

	for (size_t i = 0; i < count; i++) {
		uint64_t line = 0;

		for (size_t j = i; j < count && sites[j].line == sites[i].line &&
		     same_text(sites[j].file, sites[i].file); j++)
			line += sites[j].samples;
		listing.line_most = line > listing.line_most ? line : listing.line_most;
		listing.samples += sites[i].samples;
		listing.conflicts += sites[i].conflicts;
		listing.evictions += sites[i].evictions;
	}
	for (from = 0; from < count; from = to) {
		for (to = from; to < count && same_text(sites[to].file, sites[from].file); to++)
			;
		if (!sites[from].file || !sites[to - 1].line || listing.shown >= LINES_MOST)
			continue;
		listing.sites = sites + from;
		listing.count = to - from;
		listing.readable = false;
		put_file(&listing);
	}
	if (!listing.shown)
		fputs("<p class=\"note\">No lines are known: compile with -g to see the "
		      "source.</p>\n",
		      page->out);
}

void page_source(struct page *page, const struct context *context, uint32_t level)
{
	size_t count;
	const struct site_tally *sites = tallies_sites(page->tallies, context, level, &count);

	page_lines(page, &context->region, sites, count);
}
