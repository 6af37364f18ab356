// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "host/doctor.h"

void doctor_find(struct doctor *doctor, const char *topic, enum doctor_state state,
		 const char *advice, const char *format, ...)
{
	va_list args;

	doctor->findings = grow(doctor->findings, doctor->count, &doctor->room,
				sizeof(*doctor->findings));
	va_start(args, format);
	doctor->findings[doctor->count++] = (struct doctor_finding){
		.topic = topic,
		.state = state,
		.found = xvasprintf(format, args),
		.advice = advice,
		.optional = doctor->optional,
	};
	va_end(args);
}

const char *doctor_state_name(enum doctor_state state)
{
	static const char *const names[DOCTOR_STATES] = { "ok", "limited", "no", "unknown" };

	return names[state];
}

bool doctor_may(const struct doctor *doctor, unsigned int capability)
{
	char *effective = system_line(&doctor->system, "/proc/self/status", "CapEff");
	bool may = effective && strtoull(effective, NULL, 16) >> capability & 1;

	free(effective);
	return may;
}

void doctor_examine(struct doctor *doctor, const char *root)
{
	*doctor = (struct doctor){ .system.root = root };
	doctor_tools(doctor);
	doctor->optional = true;
	doctor_processor(doctor);
	doctor_module(doctor);
	doctor_co_run(doctor);
	doctor->optional = false;
}

void doctor_free(struct doctor *doctor)
{
	for (size_t i = 0; i < doctor->count; i++)
		free(doctor->findings[i].found);
	free(doctor->findings);
}
