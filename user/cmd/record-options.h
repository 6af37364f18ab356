/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of `ccsample record`: what each option means, and all together. */
#ifndef CCSAMPLE_CMD_RECORD_OPTIONS_H
#define CCSAMPLE_CMD_RECORD_OPTIONS_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "cmd/record-caches.h"
#include "cmd/record-device.h"
#include "cmd/record-events.h"
#include "format/format.h"
#include "device/device.h"

enum record_source { SOURCE_AUTO, SOURCE_PEBS, SOURCE_BURSTS, SOURCE_ENGINE };

extern const char *const record_sources[];	/* their names */

struct record_options {
	struct record_request request;
	char **arguments;		/* of a running process, to be freed */
	struct record_events events;
	struct cache_options caches;
	struct record_device device;
	struct machine machine;
	enum record_source source;	/* as given */
	enum record_source chosen;	/* never SOURCE_AUTO */
	char *no_bursts;		/* why it is the engine, unasked; else NULL */
	const char *pid;		/* as given, NULL = not */
	const char *overhead, *max_size; /* of bursts or PEBS, as given; NULL = not */
	enum { KEEP_REFERENCES, KEEP_CLASSES } keep;	/* of bursts */
	const char *layout;		/* of the engine, the same */
	const char *absent;		/* why there is no hardware, NULL = there is */
	const char *output;
	uint64_t runs;			/* to time, 0 = none */
	struct ccs_times times;		/* of these */
	struct ccs_times before;	/* what children took up to the recording */
};

/* Runs `ccsample record` with its struct record_options. */
int record_main(void *options);

/* The CPUs that the program may run on. Return: whether they are known. */
bool record_cpus(const struct record_options *options, cpu_set_t *cpus);

#endif /* CCSAMPLE_CMD_RECORD_OPTIONS_H */
