// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data prefetchers of Intel's Core and Xeon processors: bits 0 to 3 of
 * MSR_MISC_FEATURE_CONTROL switch one off each (SDM volume 4, MSRs of Nehalem
 * and of what followed). Both threads of a core share them. Other models have
 * other bits there, or none: only those of the module's table are touched.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "host/lab.h"

#define MISC_FEATURE_CONTROL	0x1a4

static const char *const prefetchers[] = { "l2", "l2-adjacent", "l1", "l1-ip" };

#define PREFETCHERS ARRAY_SIZE(prefetchers)

static bool find_model(const struct lab *lab)
{
	unsigned int row = system_model_row(&lab->system, CCSAMPLE_CORE_ALIKE);

	/* A hybrid's E-cores have other bits there. */
	return row < ccsample_models_nr && !ccsample_models[row].core;
}

/* Looked up once: /proc/cpuinfo is long where there are many CPUs. */
static bool is_known(struct lab *lab)
{
	if (!lab->prefetchers)
		lab->prefetchers = find_model(lab) ? 1 : -1;
	return lab->prefetchers > 0;
}

void lab_look_prefetchers(struct lab *lab, const struct lab_knob *knob)
{
	char *path = xasprintf("/dev/cpu/%u/msr", lab->cpu);
	bool known = is_known(lab), there = system_has(&lab->system, path), read;
	uint64_t bits;

	read = known && there && system_bytes(&lab->system, path, MISC_FEATURE_CONTROL, &bits,
					      sizeof(bits));
	for (size_t i = 0; i < PREFETCHERS; i++) {
		struct lab_item *item = lab_add(lab, knob, prefetchers[i]);

		if (!known)
			continue;
		item->state = there ? LAB_DENIED : LAB_ABSENT;
		if (!there) {
			item->advice = "modprobe msr";
			continue;
		}
		item->path = xstrdup(path);
		if (!read)
			continue;
		item->value = xstrdup(bits >> i & 1 ? "off" : "on");
		lab_settle(item);
	}
	free(path);
}

int lab_set_prefetcher(const struct lab *lab, const struct lab_item *item, const char *value)
{
	const char *suffix = strchr(item->name, '.') + 1;
	uint64_t bits, bit = 1;

	for (size_t i = 0; strcmp(prefetchers[i], suffix); i++)
		bit <<= 1;
	if (!system_bytes(&lab->system, item->path, MISC_FEATURE_CONTROL, &bits, sizeof(bits)))
		return EACCES;
	bits = strcmp(value, "off") ? bits & ~bit : bits | bit;
	return system_put_bytes(&lab->system, item->path, MISC_FEATURE_CONTROL, &bits,
				sizeof(bits));
}
