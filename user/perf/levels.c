// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/memory.h"
#include "kmod/models.h"
#include "perf/levels.h"

#define CODE	0xffffu		/* event and umask; what else there is changes the meaning */

static const char *pmu_name(const struct perf_facts *facts, uint32_t type)
{
	size_t i;

	for (i = 0; i < facts->pmu_count; i++)
		if (facts->pmus[i].type == type)
			return facts->pmus[i].name;
	return NULL;
}

char *perf_event_name(const struct perf_facts *facts, const struct perf_event *event)
{
	const char *pmu = pmu_name(facts, event->attr.type);

	if (event->name && *event->name)
		return xstrdup(event->name);
	if (event->attr.type == PERF_TYPE_RAW || (pmu && !strcmp(pmu, "cpu")))
		return xasprintf("r%04llx", (unsigned long long)event->attr.config);
	if (pmu)
		return xasprintf("%s/config=0x%llx/", pmu, (unsigned long long)event->attr.config);
	return xasprintf("type%u-0x%llx", event->attr.type,
			 (unsigned long long)event->attr.config);
}

/* "...L2_MISS", "...l2-miss": whose. Return: 0 if it is none of these. */
static uint32_t level_named(const char *name)
{
	static const char *const before[] = { "mem_load_retired.", "mem_load_uops_retired.", };
	const char *at = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(before) && !at; i++) {
		at = strcasestr(name, before[i]);
		at = at ? at + strlen(before[i]) : NULL;
	}
	at = at ? at : name;
	if (tolower(at[0]) != 'l' || at[1] < '1' || at[1] > '3')
		return 0;
	if (strncasecmp(at + 2, at == name ? "-miss" : "_miss", 5))
		return 0;
	return isalnum((unsigned char)at[7]) || at[7] == '_' ? 0 : at[1] - '0';
}

/* As the module would take this code on such cores of that processor. */
static uint32_t level_coded(const struct perf_facts *facts, enum ccsample_core core,
			    uint64_t config)
{
	unsigned int family, model;

	if (!facts->cpuid || sscanf(facts->cpuid, "GenuineIntel,%u,%u", &family, &model) != 2)
		return 0;
	return ccsample_model_level(ccsample_model_row(family, model, core), config);
}

enum perf_meaning perf_event_meaning(const struct perf_facts *facts,
				     const struct perf_event *event, uint32_t *level)
{
	const char *pmu = pmu_name(facts, event->attr.type);
	uint64_t config = event->attr.config;
	bool atom = pmu && !strcmp(pmu, ccsample_core_device(CCSAMPLE_CORE_ATOM));
	enum ccsample_core core = atom ? CCSAMPLE_CORE_ATOM : CCSAMPLE_CORE_ALIKE;
	bool coded = event->attr.type == PERF_TYPE_RAW || atom || (pmu && !strcmp(pmu, "cpu"));

	*level = event->name ? level_named(event->name) : 0;
	if (!*level && !(config & ~(uint64_t)CODE) && coded)
		*level = level_coded(facts, core, config);
	if (*level)
		return PERF_MEANING_MISSES;
	if (event->attr.type == PERF_TYPE_SOFTWARE || event->attr.type == PERF_TYPE_TRACEPOINT ||
	    event->attr.type == PERF_TYPE_BREAKPOINT)
		return PERF_MEANING_OTHER;
	return event->attr.sample_type & PERF_SAMPLE_DATA_SRC ? PERF_MEANING_SOURCES :
								PERF_MEANING_OTHER;
}

/* By the newer field: a level's number, or what lies beyond the caches. */
static bool missed_by_number(const union perf_mem_data_src *source, uint32_t *missed)
{
	switch (source->mem_lvl_num) {
	case PERF_MEM_LVLNUM_L1:
	case PERF_MEM_LVLNUM_LFB:
		*missed = 0;
		return true;
	case PERF_MEM_LVLNUM_L2:
	case PERF_LEVEL_L2_MHB:
		*missed = 1;
		return true;
	case PERF_MEM_LVLNUM_L3:
		*missed = source->mem_remote ? 3 : 2;
		return true;
	case PERF_MEM_LVLNUM_L4:
	case PERF_MEM_LVLNUM_RAM:
	case PERF_MEM_LVLNUM_PMEM:
	case PERF_MEM_LVLNUM_CXL:
		*missed = 3;
		return true;
	case PERF_MEM_LVLNUM_ANY_CACHE:
		*missed = 3;
		return source->mem_remote;
	default:
		return false;
	}
}

static bool missed_by_bits(uint64_t bits, uint32_t *missed)
{
	const uint64_t beyond = PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_REM_RAM1 |
				PERF_MEM_LVL_REM_RAM2 | PERF_MEM_LVL_REM_CCE1 |
				PERF_MEM_LVL_REM_CCE2;
	bool hit = bits & PERF_MEM_LVL_HIT;

	if (!hit && !(bits & PERF_MEM_LVL_MISS))
		return false;
	if (bits & beyond)
		*missed = 3;
	else if (bits & PERF_MEM_LVL_L3)
		*missed = hit ? 2 : 3;
	else if (bits & PERF_MEM_LVL_L2)
		*missed = hit ? 1 : 2;
	else if (bits & PERF_MEM_LVL_L1)
		*missed = hit ? 0 : 1;
	else if (bits & PERF_MEM_LVL_LFB)
		*missed = 0;
	else
		return false;
	return true;
}

struct perf_source perf_source_of(uint64_t data_source)
{
	union perf_mem_data_src source = { .val = data_source };
	struct perf_source found = { .store = source.mem_op & PERF_MEM_OP_STORE };

	if (source.mem_op & PERF_MEM_OP_LOAD)
		found.kind = PERF_SOURCE_LOAD;
	else if (source.mem_op & ~(uint64_t)PERF_MEM_OP_NA)
		found.kind = PERF_SOURCE_OTHER;
	if (found.kind == PERF_SOURCE_LOAD && !missed_by_bits(source.mem_lvl, &found.missed) &&
	    !missed_by_number(&source, &found.missed))
		found.kind = PERF_SOURCE_UNKNOWN;
	return found;
}
