// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "cache/words.h"
#include "view/json.h"
#include "view/simulation.h"

static void put_address(struct json *json, const char *key, uint64_t address)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	json_put_string(json, key, text);
}

static void put_outcomes(struct json *json, const uint64_t *outcomes)
{
	uint64_t misses = outcomes_missed(outcomes);

	json_put_count(json, "hits", outcomes[CLASS_HIT]);
	json_put_count(json, "misses", misses);
	json_put_count(json, "cold", outcomes[CLASS_COLD]);
	json_put_count(json, "capacity", outcomes[CLASS_CAPACITY]);
	json_put_count(json, "conflict", outcomes[CLASS_CONFLICT]);
}

static void put_geometry(struct json *json, const struct level_plan *plan, uint32_t n)
{
	json_put_count(json, "size", cache_size(&plan->geometry));
	json_put_count(json, "ways", plan->geometry.ways);
	json_put_count(json, "sets", plan->geometry.sets);
	json_put_count(json, "line", plan->geometry.line);
	json_put_string(json, "policy", policy_name(plan->policy));
	json_put_string(json, "inclusion", n ? inclusion_name(plan->inclusion) : NULL);
	json_put_string(json, "hash", plan->hash ? plan->hash->name : NULL);
	json_put_count(json, "slices", plan->hash ? plan->hash->slices : 1);
}

static void put_classified(struct json *json, const struct simulation *simulation, uint32_t n)
{
	struct classified results[CLASSIFIED_MAX];
	size_t count = simulation_classified(simulation, n, results), i;

	if (!count)
		return;
	json_key(json, "detectors");
	json_open(json, '[');
	for (i = 0; i < count; i++) {
		json_open_flat(json, '{');
		json_put_string(json, "name", results[i].name);
		put_outcomes(json, results[i].outcomes);
		json_put_number(json, "error", results[i].error);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_level(struct json *json, const struct simulation *simulation, uint32_t n)
{
	const struct level *level = &simulation->hierarchy.level[n];
	const struct level_counts *counts = &level->counts;

	json_open(json, '{');
	json_put_count(json, "level", n + 1);
	json_put_count(json, "accesses", counts->outcomes[CLASS_HIT] + level_misses(counts));
	put_outcomes(json, counts->outcomes);
	json_put_count(json, "anticonflicts", counts->anticonflicts);
	json_put_count(json, "writebacks", counts->writebacks);
	json_put_count(json, "inclusion_victims", counts->inclusion_victims);
	json_put_number(json, "pressure", pressure_peak(&level->pressure));
	json_put_number(json, "crowded", pressure_crowded(&level->pressure));
	put_geometry(json, &simulation->plan.level[n], n);
	put_classified(json, simulation, n);
	json_close(json, '}');
}

static void put_kind(struct json *json, const char *key, const struct kind_counts *kind)
{
	json_key(json, key);
	json_open_flat(json, '{');
	json_put_count(json, "references", kind->references);
	put_outcomes(json, kind->outcomes);
	json_close(json, '}');
}

static void put_instruction(struct json *json, const struct simulation *simulation, uint32_t number)
{
	if (number)
		put_address(json, "address", simulation->sites[number].address);
	else
		json_put_string(json, "address", NULL);
}

/* An instruction; a trace has no more of it than the address. */
static void put_place(struct json *json, const struct simulation *simulation, uint32_t number)
{
	json_open_flat(json, '{');
	json_put_string(json, "function", NULL);
	json_put_string(json, "file", NULL);
	json_put_string(json, "line", NULL);
	json_put_string(json, "object", NULL);
	put_instruction(json, simulation, number);
	json_close(json, '}');
}

static void put_site(struct json *json, const struct simulation *simulation,
		     const struct site *site)
{
	json_open(json, '{');
	put_instruction(json, simulation, site - simulation->sites);
	json_put_count(json, "references", site->references);
	put_address(json, "low", site->low);
	put_address(json, "high", site->high);
	json_key(json, "levels");
	json_open(json, '[');
	for (uint32_t n = 0; n < simulation->plan.levels; n++) {
		json_open_flat(json, '{');
		json_put_count(json, "level", n + 1);
		json_put_count(json, "accesses",
			       site->outcomes[n][CLASS_HIT] + site_misses(site, n));
		put_outcomes(json, site->outcomes[n]);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void put_pair(struct json *json, const struct simulation *simulation,
		     const struct pair *pair)
{
	json_open(json, '{');
	json_key(json, "victim");
	put_place(json, simulation, pair->victim);
	json_key(json, "originator");
	put_place(json, simulation, pair->originator);
	json_put_string(json, "kind", NULL);
	json_key(json, "conflicts");
	json_open_flat(json, '[');
	for (uint32_t n = 0; n < simulation->plan.levels; n++)
		json_count(json, pair->conflicts[n]);
	json_close(json, ']');
	json_close(json, '}');
}

static void put_sites(struct json *json, const struct simulation *simulation, size_t top)
{
	size_t count, i;
	const struct site **sites = simulation_ranking(simulation, &count);

	json_key(json, "sites");
	json_open(json, '[');
	for (i = 0; i < count && (!top || i < top); i++)
		put_site(json, simulation, sites[i]);
	json_close(json, ']');
	free(sites);
}

static void put_pairs(struct json *json, const struct simulation *simulation, size_t top)
{
	size_t count, i;
	const struct pair **pairs = simulation_pairs(simulation, &count);

	json_key(json, "pairs");
	json_open(json, '[');
	for (i = 0; i < count && (!top || i < top); i++)
		put_pair(json, simulation, pairs[i]);
	json_close(json, ']');
	free(pairs);
}

void simulation_json(FILE *out, const struct simulation *simulation,
		     const struct simulation_view *view)
{
	struct json json = { .out = out };

	json_open(&json, '{');
	json_put_string(&json, "ccsample", CCSAMPLE_VERSION);
	json_put_string(&json, "input", view->input);
	json_put_string(&json, "format", view->format);
	json_put_string(&json, "pages", "identity");
	json_put_count(&json, "bad_lines", view->bad_lines);
	json_put_count(&json, "instructions", simulation->instructions);
	json_put_count(&json, "references", simulation->references);
	put_kind(&json, "loads", &simulation->loads);
	put_kind(&json, "stores", &simulation->stores);
	json_key(&json, "levels");
	json_open(&json, '[');
	for (uint32_t n = 0; n < simulation->plan.levels; n++)
		put_level(&json, simulation, n);
	json_close(&json, ']');
	json_key(&json, "loops");
	json_open(&json, '[');
	json_close(&json, ']');
	put_sites(&json, simulation, view->top);
	put_pairs(&json, simulation, view->top);
	json_close(&json, '}');
}
