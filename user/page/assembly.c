// SPDX-License-Identifier: GPL-2.0-only
/* The instructions of a piece of code, with what misses on each: closed until it is asked for. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "output/html.h"
#include "output/text.h"
#include "page/internal.h"
#include "program/guard.h"
#include "program/image.h"

#define INSTRUCTIONS_MOST	150
#define GAP			256u	/* bytes between two that miss, which are shown */
#define AFTER			24u	/* bytes shown behind the last */

struct assembly {
	struct page *page;
	const struct site_tally *sites;	/* by address */
	size_t count;
	uint64_t samples, conflicts;	/* of the context */
	uint64_t most;			/* samples of an instruction */
	size_t shown;
};

static void put_row(struct assembly *assembly, uint64_t address, const struct site_tally *site,
		    const char *text)
{
	FILE *out = assembly->page->out;

	fprintf(out, "<tr><th class=\"num muted mono\" scope=\"row\">%" PRIx64 "</th>", address);
	page_part_share(out, site ? site->samples : 0, assembly->samples, assembly->most);
	page_part_share(out, site ? site->conflicts : 0, assembly->conflicts, 0);
	fputs("<td class=\"num muted\">", out);
	if (site && site->line)
		fprintf(out, "%" PRIu32, site->line);
	fputs("</td><td class=\"code\">", out);
	html_text(out, text);
	fputs("</td></tr>\n", out);
	assembly->shown++;
}

static void put_gap(struct assembly *assembly)
{
	fputs("<tr class=\"gap\"><td class=\"num\">"
	      "...</td><td></td><td></td><td></td><td></td></tr>\n",
	      assembly->page->out);
}

/* Instructions from an address on, before another. Return: where they end. */
static uint64_t put_range(struct assembly *assembly, const struct image *image, uint64_t address,
			  uint64_t end, const struct site_tally *site)
{
	char text[INSTRUCTION_TEXT];
	size_t left, size;

	while (address < end && assembly->shown < INSTRUCTIONS_MOST) {
		const uint8_t *bytes = image_at(image, address, true, &left);

		size = bytes ?
		       decoder_text(assembly->page->decoder, bytes, left, address, text) : 0;
		if (!size)
			break;
		put_row(assembly, address, site && address == site->address ? site : NULL, text);
		address += size;
	}
	return address;
}

/* From one that misses to the next, if that is near; from the last, some more. */
static void put_from(struct assembly *assembly, const struct image *image, size_t index)
{
	const struct site_tally *site = &assembly->sites[index];
	bool last = index + 1 == assembly->count;
	uint64_t next = last ? site->address + AFTER : site[1].address;

	if (next - site->address > GAP)
		next = site->address + 1;
	next = put_range(assembly, image, site->address, next, site);
	if (!last && next < site[1].address)
		put_gap(assembly);
}

static int by_address(const void *a, const void *b)
{
	const struct site_tally *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static void put_table(struct assembly *assembly, const struct image *image, uint64_t first)
{
	static const struct page_column columns[] = {
		{ "address", true }, { "misses", true }, { "conflicts", true }, { "line", true },
		{ "instruction", false }, { NULL, false }
	};
	struct page *page = assembly->page;

	fputs("<details class=\"assembly\"><summary>Instructions</summary>\n", page->out);
	page_table(page, "Instructions", "Instructions around those that miss: shares of this "
		   "code's misses and conflicts. Addresses are those of the file.",
		   "asm full tall", columns);
	/*
	 * A loop's first instruction comes before those that miss, or behind, where it was turned.
	 */
	if (first < assembly->sites[0].address && assembly->sites[0].address - first < GAP)
		put_range(assembly, image, first, assembly->sites[0].address, NULL);
	for (size_t i = 0; i < assembly->count && assembly->shown < INSTRUCTIONS_MOST; i++)
		put_from(assembly, image, i);
	if (assembly->shown == INSTRUCTIONS_MOST)
		put_gap(assembly);
	page_table_end(page);
	fputs("</details>\n", page->out);
}

void page_assembly(struct page *page, const struct context *context, uint32_t level)
{
	struct assembly assembly = { .page = page };
	const struct site_tally *sites = tallies_sites(page->tallies, context, level,
						       &assembly.count);
	const struct elf_file *file;
	struct site_tally *sorted;
	struct image image = { .bytes = NULL };
	const char *path;

	if (!assembly.count || !sites->module)
		return;
	file = module_file(sites->module);
	if (!file)
		return;
	sorted = xcalloc(assembly.count, sizeof(*sorted));
	memcpy(sorted, sites, assembly.count * sizeof(*sorted));
	qsort(sorted, assembly.count, sizeof(*sorted), by_address);
	assembly.sites = sorted;
	for (size_t i = 0; i < assembly.count; i++) {
		assembly.samples += sorted[i].samples;
		assembly.conflicts += sorted[i].conflicts;
		if (sorted[i].samples > assembly.most)
			assembly.most = sorted[i].samples;
	}
	path = module_path(sites->module);
	guard_enter(path);
	if (image_open(&image, file)) {
		put_table(&assembly, &image, context->region.address);
		image_close(&image);
	}
	guard_leave();
	free(sorted);
}
