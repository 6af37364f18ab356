// SPDX-License-Identifier: GPL-2.0-only
/* ccsample topology: this machine's caches, as a machine file for `sim --machine` or as JSON. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "cmd/commands.h"
#include "host/machine.h"
#include "output/json.h"

static const char help[] =
	"usage: ccsample topology [--json]\n"
	"\n"
	"Prints this machine's data caches as the kernel tells them, in the form that\n"
	"ccsample sim --machine FILE reads. Inclusion and slices are not told by the kernel.\n"
	"\n"
	"      --json         for scripts\n"
	"  -h, --help         this text\n";

static void print_text(const struct machine *machine)
{
	printf("name = %s\n", machine->cpu);
	for (uint32_t i = 0; i < machine->cache_count; i++) {
		const struct machine_cache *cache = &machine->caches[i];

		printf("L%" PRIu32 " = %" PRIu64 "K,%" PRIu32 ",%" PRIu32 "\n", cache->level,
		       cache->size >> 10, cache->geometry.ways, cache->geometry.line);
	}
}

static void print_json(const struct machine *machine)
{
	struct json json = { .out = stdout };

	json_open(&json, '{');
	json_put_string(&json, "cpu", machine->cpu);
	json_key(&json, "caches");
	json_open(&json, '[');
	for (uint32_t i = 0; i < machine->cache_count; i++) {
		const struct machine_cache *cache = &machine->caches[i];

		json_open_flat(&json, '{');
		json_put_count(&json, "level", cache->level);
		json_put_count(&json, "size", cache->size);
		json_put_count(&json, "ways", cache->geometry.ways);
		json_put_count(&json, "sets", cache->geometry.sets);
		json_put_count(&json, "line", cache->geometry.line);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
}

int cmd_topology(int argc, char **argv)
{
	bool json = argc == 2 && !strcmp(argv[1], "--json");
	struct machine machine;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(help, stdout);
		return 0;
	}
	if (argc > 1 && !json) {
		fail("topology does not know %s: see ccsample topology --help", argv[argc - 1]);
		return 2;
	}
	machine_read(&machine);
	if (!machine.cache_count)
		return fail("the kernel does not tell this machine's caches") < 0;
	(json ? print_json : print_text)(&machine);
	if (fflush(stdout) || ferror(stdout))
		return fail("cannot write the result: %s", strerror(errno)) < 0;
	return 0;
}
