// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "gate/views.h"
#include "output/json.h"
#include "output/region.h"
#include "report/json-parts.h"

#define SARIF_SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

/* ---- our own ---- */

static void put_side(struct json *json, const char *key, const struct level_findings *level,
		     double misses)
{
	json_key(json, key);
	if (!level) {
		json_null(json);
		return;
	}
	json_open_flat(json, '{');
	json_put_number(json, "misses", misses);
	json_put_number(json, "share", level->share);
	json_put_string(json, "verdict", rcd_verdict_name(level->summary.verdict));
	json_put_conflicts(json, &level->summary);
	json_close(json, '}');
}

static void put_issue(struct json *json, const struct check_issue *issue)
{
	const struct change *change = issue->change;
	char *text = check_what(issue);

	json_open(json, '{');
	json_put_string(json, "kind", check_kind_name(issue->kind));
	json_put_count(json, "level", issue->level);
	json_put_bool(json, "fails", check_fails(issue));
	json_put_count(json, "worse_in", issue->worse_in);
	json_put_bool(json, "depends_on_layout", issue->depends_on_layout);
	json_put_string(json, "ignored", issue->ignore ? issue->ignore->reason : NULL);
	json_put_string(json, "function", change ? change->after->region.function : NULL);
	json_put_string(json, "file", change ? change->after->region.file : NULL);
	json_put_known(json, "line", change ? change->after->region.line : 0);
	json_put_known(json, "end_line", change ? change->after->region.end_line : 0);
	json_put_number(json, "misses_before", change ? change->misses_before :
			issue->comparison->misses_before);
	json_put_number(json, "misses_after", change ? change->misses_after :
			issue->comparison->misses_after);
	json_put_string(json, "unit", issue->comparison->per_thousand ?
			"misses of 1,000 references" : "misses");
	put_side(json, "before", change ? change->level_before : NULL,
		 change ? change->misses_before : 0);
	put_side(json, "after", change ? change->level_after : NULL,
		 change ? change->misses_after : 0);
	json_put_string(json, "text", text);
	json_close(json, '}');
	free(text);
}

void check_json(FILE *out, const struct check_result *result)
{
	struct json json = { .out = out };

	json_begin(&json, "check");
	json_put_string(&json, "before", result->before->path);
	json_put_string(&json, "after", result->after->path);
	json_put_bool(&json, "passes", !result->failures);
	json_put_count(&json, "failures", result->failures);
	json_put_count(&json, "layouts", result->layouts);
	json_put_count(&json, "judged", result->judged);
	json_put_count(&json, "undecided", result->undecided);
	json_put_count(&json, "unclear", result->unclear);
	json_put_count(&json, "unknown", result->unknown);
	json_open_under(&json, "issues", '[');
	for (size_t i = 0; i < result->count; i++)
		put_issue(&json, &result->issues[i]);
	json_close(&json, ']');
	json_close(&json, '}');
}

/* ---- SARIF ---- */

/*
 * The file as a URI: relative to where we are, which is the tree's root in CI, where it lies in it.
 */
static char *uri_of(const char *file)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789-._~/";
	char here[PATH_MAX], *uri, *to;
	size_t size = getcwd(here, sizeof(here)) ? strlen(here) : 0;
	bool inside = size && !strncmp(file, here, size) && file[size] == '/';

	if (inside)
		file += size + 1;
	uri = xmalloc(3 * strlen(file) + sizeof("file://"));
	to = stpcpy(uri, *file == '/' ? "file://" : "");
	for (; *file; file++) {
		if (strchr(plain, *file))
			*to++ = *file;
		else
			to += sprintf(to, "%%%02X", (unsigned char)*file);
	}
	*to = '\0';
	return uri;
}

static void put_rules(struct json *json)
{
	static const char *const texts[CHECK_KINDS] = {
		[CHECK_NEW_CONFLICT] = "A loop has cache-conflict misses that it did not have.",
		[CHECK_CONFLICT_UP] = "More of a loop's cache misses are conflict misses.",
		[CHECK_MISSES_UP] = "Code misses more often in the cache.",
	};

	json_open_under(json, "rules", '[');
	for (size_t kind = 0; kind < CHECK_KINDS; kind++) {
		json_open(json, '{');
		json_put_string(json, "id", check_kind_name(kind));
		json_open_under(json, "shortDescription", '{');
		json_put_string(json, "text", texts[kind]);
		json_close(json, '}');
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_location(struct json *json, const struct code_region *region)
{
	char *uri = uri_of(region->file);

	json_open_under(json, "locations", '[');
	json_open(json, '{');
	json_open_under(json, "physicalLocation", '{');
	json_open_under(json, "artifactLocation", '{');
	json_put_string(json, "uri", uri);
	json_close(json, '}');
	if (region->line) {
		json_open_under(json, "region", '{');
		json_put_count(json, "startLine", region->line);
		json_put_count(json, "endLine", region->end_line > region->line ?
			       region->end_line : region->line);
		json_close(json, '}');
	}
	json_close(json, '}');
	if (region->function) {
		json_open_under(json, "logicalLocations", '[');
		json_open_flat(json, '{');
		json_put_string(json, "fullyQualifiedName", region->function);
		json_put_string(json, "kind", "function");
		json_close(json, '}');
		json_close(json, ']');
	}
	json_close(json, '}');
	json_close(json, ']');
	free(uri);
}

static void put_result(struct json *json, const struct check_issue *issue)
{
	const struct code_region *region = issue->change ? &issue->change->after->region : NULL;
	char *place = check_place(issue), *what = check_what(issue);
	char *text = xasprintf("L%" PRIu32 " cache, %s: %s", issue->level, place, what);

	json_open(json, '{');
	json_put_string(json, "ruleId", check_kind_name(issue->kind));
	json_put_count(json, "ruleIndex", issue->kind);
	json_put_string(json, "level", issue->depends_on_layout ? "note" : "error");
	json_open_under(json, "message", '{');
	json_put_string(json, "text", text);
	json_close(json, '}');
	if (region && region->file)
		put_location(json, region);
	if (issue->ignore) {
		json_open_under(json, "suppressions", '[');
		json_open_flat(json, '{');
		json_put_string(json, "kind", "external");
		json_put_string(json, "justification", issue->ignore->reason);
		json_close(json, '}');
		json_close(json, ']');
	}
	json_close(json, '}');
	free(text);
	free(place);
	free(what);
}

void check_sarif(FILE *out, const struct check_result *result)
{
	struct json json = { .out = out };

	json_open(&json, '{');
	json_put_string(&json, "$schema", SARIF_SCHEMA);
	json_put_string(&json, "version", "2.1.0");
	json_open_under(&json, "runs", '[');
	json_open(&json, '{');
	json_open_under(&json, "tool", '{');
	json_open_under(&json, "driver", '{');
	json_put_string(&json, "name", "ccsample");
	json_put_string(&json, "version", CCSAMPLE_VERSION);
	put_rules(&json);
	json_close(&json, '}');
	json_close(&json, '}');
	json_open_under(&json, "results", '[');
	for (size_t i = 0; i < result->count; i++)
		put_result(&json, &result->issues[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	json_close(&json, ']');
	json_close(&json, '}');
}
