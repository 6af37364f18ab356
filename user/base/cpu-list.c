// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/memory.h"
#include "base/cpu-list.h"

int cpus_parse(const char *text, cpu_set_t *cpus)
{
	unsigned long low, high;
	char *end;

	CPU_ZERO(cpus);
	do {
		if (*text < '0' || *text > '9')
			return -1;
		low = high = strtoul(text, &end, 10);
		if (*end == '-') {
			text = end + 1;
			if (*text < '0' || *text > '9')
				return -1;
			high = strtoul(text, &end, 10);
		}
		if (low > high || high >= CPU_SETSIZE)
			return -1;
		for (; low <= high; low++)
			CPU_SET(low, cpus);
		text = end + 1;
	} while (*end == ',');
	return *end ? -1 : 0;
}

static void append(char **text, int low, int high)
{
	char *longer = low == high ? xasprintf("%s%s%d", *text, **text ? "," : "", low) :
		       xasprintf("%s%s%d-%d", *text, **text ? "," : "", low, high);

	free(*text);
	*text = longer;
}

char *cpus_text(const cpu_set_t *cpus)
{
	char *text = xstrdup("");
	int low, high;

	for (low = 0; low < CPU_SETSIZE; low = high + 1) {
		for (high = low; high < CPU_SETSIZE && CPU_ISSET(high, cpus); high++)
			;
		if (high > low)
			append(&text, low, high - 1);
	}
	if (*text)
		return text;
	free(text);
	return xstrdup("none");
}

int cpus_first(const cpu_set_t *cpus)
{
	int cpu;

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, cpus))
			return cpu;
	return -1;
}
