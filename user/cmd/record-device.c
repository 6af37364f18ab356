// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/number.h"
#include "cmd/record-device.h"

#define POLL_MS		4	/* a slot of the default memory takes far longer to come round */
#define POLL_MOST	1000
#define MEMORY_MOST	65536	/* MiB */

const char *record_device_given(const struct record_device *options)
{
	if (options->cpus)
		return "-C";
	if (options->memory)
		return "--memory";
	if (options->poll)
		return "--poll";
	return options->kernel ? "--kernel" : NULL;
}

static int parse_poll(const char *text, uint32_t *poll_ms)
{
	uint64_t number;

	*poll_ms = POLL_MS;
	if (!text)
		return 0;
	*poll_ms = DEVICE_POLL_BUSY;
	if (!strcmp(text, "busy"))
		return 0;
	if (parse_number("--poll (milliseconds, or busy)", text, 1, POLL_MOST, &number) < 0)
		return -1;
	*poll_ms = number;
	return 0;
}

int record_device_parse(const struct record_device *options, struct device_request *request)
{
	uint64_t memory = 0;

	if (options->memory &&
	    parse_number("--memory", options->memory, 1, MEMORY_MOST, &memory) < 0)
		return -1;
	request->cpus = options->cpus;
	request->memory = memory << 20;
	request->kernel = options->kernel;
	return parse_poll(options->poll, &request->poll_ms);
}
