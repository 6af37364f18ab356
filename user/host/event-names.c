// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/libpfm.h"
#include "base/memory.h"
#include "host/event-names.h"
#include "host/system.h"
#include "output/prose.h"

/*
 * What a counter's control register has in addition to event, umask, edge, invert and
 * counter mask: USR, OS, PC, INT, ANY, EN (SDM volume 3, figure 20-6). The
 * kernel and the module set those.
 */
#define CONTROL	(1ull << 16 | 1ull << 17 | 1ull << 19 | 1ull << 20 | 1ull << 21 | 1ull << 22)

/*
 * A model of each of libpfm4's processors that the module's table may know. Proxies are for
 * models that not each version of libpfm4 knows, and have the same events (SDM volume 3, tables
 * of performance monitoring events).
 */
static const struct {
	const char *name;
	unsigned int model;
	bool proxy;
} models[] = {
	{ "snb", 0x2a, false }, { "snb_ep", 0x2d, false }, { "ivb", 0x3a, false },
	{ "ivb_ep", 0x3e, false }, { "hsw", 0x3c, false }, { "hsw_ep", 0x3f, false },
	{ "bdw", 0x3d, false }, { "bdw_ep", 0x4f, false }, { "skl", 0x5e, false },
	{ "skx", 0x55, false }, { "clx", 0x55, false }, { "icl", 0x7e, false },
	{ "icx", 0x6a, false }, { "spr", 0x8f, false },
	{ "skl", 0x8e, true }, { "skl", 0x9e, true }, { "skl", 0xa5, true },
	{ "icl", 0x8c, true }, { "icl", 0xa7, true }, { "icx", 0x6c, true },
	{ "spr", 0xcf, true },
};

static const struct libpfm *pfm;

static int start(void)
{
	if (!pfm)
		pfm = libpfm_load();
	return pfm ? 0 : -1;
}

static bool core_pmu(int number, pfm_pmu_info_t *pmu)
{
	*pmu = (pfm_pmu_info_t){ .size = sizeof(*pmu) };
	return pfm->get_pmu_info(number, pmu) == PFM_SUCCESS && pmu->type == PFM_PMU_TYPE_CORE &&
	       pmu->nevents;
}

static unsigned int row_here(void)
{
	const struct system system = { .root = system_root() };

	return system_model_row(&system, CCSAMPLE_CORE_ALIKE);
}

static unsigned int row_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (!strcmp(models[i].name, name))
			return ccsample_model_row(CCSAMPLE_MODEL_FAMILY, models[i].model,
						  CCSAMPLE_CORE_ALIKE);
	return ccsample_models_nr;
}

char *event_cpu_names(void)
{
	char *names = xstrdup("");
	pfm_pmu_info_t pmu;
	int number;

	for (number = 0; !start() && number < PFM_PMU_MAX; number++)
		if (core_pmu(number, &pmu))
			prose_append(&names, "%s%s", *names ? ", " : "", pmu.name);
	return names;
}

static int fail_unknown(const char *name)
{
	char *names = event_cpu_names();

	fail("--cpu %s: libpfm4 knows %s", name, names);
	free(names);
	return -1;
}

/* libpfm4 looks at the processor itself: not at one that is presented. */
static bool is_here(const pfm_pmu_info_t *pmu)
{
	return pmu->is_present && !*system_root();
}

static void take_pmu(int number, const pfm_pmu_info_t *pmu, struct event_cpu *cpu)
{
	*cpu = (struct event_cpu){
		.pmu = number,
		.name = pmu->name,
		.about = pmu->desc,
		.here = is_here(pmu),
		.row = is_here(pmu) ? row_here() : row_of(pmu->name),
	};
}

/* libpfm4 also has the events that all Intel processors share. */
static bool find_pmu(const char *name, struct event_cpu *cpu)
{
	pfm_pmu_info_t pmu;
	bool found = false;
	int number;

	for (number = 0; number < PFM_PMU_MAX; number++) {
		if (!core_pmu(number, &pmu) || (name ? strcmp(name, pmu.name) : !is_here(&pmu)))
			continue;
		take_pmu(number, &pmu, cpu);
		found = true;
		if (name || !pmu.is_dfl)
			break;
	}
	return found;
}

/* By the table of models, for this machine's processor. */
static void find_by_model(struct event_cpu *cpu)
{
	unsigned int row = row_here();

	for (size_t i = 0; row < ccsample_models_nr && i < ARRAY_SIZE(models); i++)
		if (ccsample_model_row(CCSAMPLE_MODEL_FAMILY, models[i].model,
				       CCSAMPLE_CORE_ALIKE) == row &&
		    find_pmu(models[i].name, cpu)) {
			cpu->proxy_for = models[i].proxy ? ccsample_models[row].name : NULL;
			cpu->here = true;
			cpu->row = row;
			return;
		}
	*cpu = (struct event_cpu){
		.pmu = -1, .name = "unknown", .about = "not a processor that libpfm4 knows",
		.here = true, .row = row,
	};
}

int event_cpu_find(const char *name, struct event_cpu *cpu)
{
	if (start())
		return -1;
	if (find_pmu(name, cpu))
		return 0;
	if (name)
		return fail_unknown(name);
	find_by_model(cpu);
	return 0;
}

/* Return: how many codes it has; those behind the first are other registers' values. */
static int encode(const struct event_cpu *cpu, const char *name, struct event_name *event)
{
	pfm_pmu_encode_arg_t encoded = { .size = sizeof(encoded) };
	char *full = xasprintf("%s::%s", cpu->name, name);
	int status = pfm->get_os_event_encoding(full, PFM_PLM3, PFM_OS_NONE, &encoded);

	if (status == PFM_SUCCESS && encoded.count)
		event->code = encoded.codes[0] & ~CONTROL;
	event->level = ccsample_model_level(cpu->row, event->code);
	free(encoded.codes);
	free(full);
	return status == PFM_SUCCESS ? encoded.count : 0;
}

struct listing {
	const struct event_cpu *cpu;
	void (*take)(void *context, const struct event_name *event);
	void *context;
};

static void list_one(const struct listing *listing, const char *name, const char *about,
		     bool precise)
{
	struct event_name event = { .name = name, .about = about };

	if (encode(listing->cpu, name, &event) != 1)
		return;
	event.precise = precise && !ccsample_model_unfit(event.code);
	listing->take(listing->context, &event);
}

/* Return: how many unit masks there were. */
static int list_masks(const struct listing *listing, const pfm_event_info_t *event)
{
	pfm_event_attr_info_t mask;
	int i, count = 0;
	char *name, *about;

	for (i = 0; i < event->nattrs; i++) {
		mask = (pfm_event_attr_info_t){ .size = sizeof(mask) };
		if (pfm->get_event_attr_info(event->idx, i, PFM_OS_NONE, &mask) != PFM_SUCCESS ||
		    mask.type != PFM_ATTR_UMASK)
			continue;
		count++;
		name = xasprintf("%s.%s", event->name, mask.name);
		about = xasprintf("%s: %s", event->desc, mask.desc);
		list_one(listing, name, about, mask.is_precise);
		free(name);
		free(about);
	}
	return count;
}

void event_names_each(const struct event_cpu *cpu,
		      void (*take)(void *context, const struct event_name *event), void *context)
{
	const struct listing listing = { cpu, take, context };
	pfm_pmu_info_t pmu;
	int index;

	if (cpu->pmu < 0 || !core_pmu(cpu->pmu, &pmu))
		return;
	for (index = pmu.first_event; index >= 0; index = pfm->get_event_next(index)) {
		pfm_event_info_t event = { .size = sizeof(event) };

		if (pfm->get_event_info(index, PFM_OS_NONE, &event) != PFM_SUCCESS)
			continue;
		if (!list_masks(&listing, &event))
			list_one(&listing, event.name, event.desc, event.is_precise);
	}
}

int event_name_resolve(const struct event_cpu *cpu, const char *name, struct event_name *event)
{
	*event = (struct event_name){ .name = NULL };
	/* An attribute, as in ":k", would be lost without a word. */
	return cpu->pmu < 0 || strpbrk(name, ":=") ? 0 : encode(cpu, name, event);
}
