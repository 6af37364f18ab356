// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plans of pads: any text, or words that the input's bytes choose. What is read is a plan whose
 * rules hold what the library relies on; what is refused has a line of the text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pads/plan.h"
#include "recipe.h"
#include "require.h"

#define TEXT_MOST	65536u

static struct pads_plan plan;

static size_t by_recipe(struct recipe *recipe, char *text)
{
	static const char *const words[] = {
		"site", "all", "module", "app+0x12", "lib.so.1+0xffffffffffffffff", "a+b+0x0",
		"size", "4096", "128K", "4K-8K", "1G-2M", "17179869183G", "stagger", "64", "4032",
		"65", "align", "16", "4096", "3", "build-id", "00ff", "abcdef0123456789", "app",
		"#", "\n", "\n", "a\\040b\\043+0x1", "\\000+0x1", "0x", "-", "huge",
	};
	size_t size = 0;

	while (recipe->at < recipe->end && size < TEXT_MOST - 64)
		size += sprintf(text + size, "%s ", words[byte(recipe) % 32]);
	return size;
}

static void check_rule(const struct pads_rule *rule)
{
	require(rule->least >= PADS_LEAST_BLOCK && rule->most >= rule->least);
	require((rule->step || rule->huge) && rule->step < PADS_SPAN &&
		rule->step % PADS_GRAIN == 0);
	require(!(rule->align & (rule->align - 1)) && rule->align <= PADS_SPAN);
	require(pads_plan_least(&plan) <= rule->least);
}

static void check_plan(void)
{
	uint32_t i;

	require(plan.site_count <= PADS_SITES_MOST && plan.module_count <= PADS_MODULES_MOST);
	for (i = 0; i < plan.module_count; i++) {
		const struct pads_module *module = &plan.modules[i];

		require(*module->name && memchr(module->name, 0, sizeof(module->name)));
		require(module->build_id_size <= PADS_BUILD_ID_MOST);
	}
	for (i = 0; i < plan.site_count; i++) {
		require(plan.sites[i].module < plan.module_count);
		check_rule(&plan.sites[i].rule);
	}
	if (plan.has_all)
		check_rule(&plan.all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recipe recipe = { data, data + size };
	bool grammar = byte(&recipe) & 1;
	char *text = malloc(grammar ? TEXT_MOST : size);
	uint32_t line, lines = 1;
	size_t i;

	if (grammar) {
		size = by_recipe(&recipe, text);
	} else {
		size = recipe.end - recipe.at;
		memcpy(text, recipe.at, size);
	}
	for (i = 0; i < size; i++)
		lines += text[i] == '\n';
	if (pads_plan_parse(&plan, text, size, &line))
		require(line >= 1 && line <= lines);
	else
		check_plan();
	free(text);
	return 0;
}
