// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "host/doctor.h"
#include "output/json.h"
#include "output/prose.h"
#include "output/table.h"
#include "output/text.h"

#define FOUND_AT	25	/* column */

static const enum tint tints[DOCTOR_STATES] = {
	[DOCTOR_OK] = TINT_GOOD,
	[DOCTOR_LIMITED] = TINT_CAUTION,
	[DOCTOR_NO] = TINT_BAD,
	[DOCTOR_UNKNOWN] = TINT_CAUTION,
};

/* What `record` does here; NULL = it cannot. */
static const char *source_of(const struct doctor *doctor)
{
	return doctor->pebs ? "pebs" : doctor->bursts ? "bursts" : doctor->engine ? "engine" : NULL;
}

static const char *summary(const struct doctor *doctor)
{
	if (doctor->pebs)
		return "ccsample record samples on the hardware here (PEBS).";
	if (doctor->bursts)
		return "ccsample record traces bursts of references here, at near native speed.";
	if (doctor->engine)
		return "ccsample record simulates the caches here (the engine).";
	return "ccsample record does not work here yet: bursts and the engine say why.";
}

static void print_finding(FILE *out, const struct doctor_finding *finding, bool colour)
{
	char *found = text_clean(finding->found);

	fprintf(out, "%s%-9s%s%-*s", tint_code(tints[finding->state], colour),
	       doctor_state_name(finding->state), tint_code(TINT_NONE, colour), FOUND_AT - 9,
	       finding->topic);
	text_paragraph(out, found, FOUND_AT);
	if (finding->advice) {
		fprintf(out, "%*s> ", FOUND_AT, "");
		text_paragraph(out, finding->advice, FOUND_AT + 2);
	}
	free(found);
}

void doctor_text(FILE *out, const struct doctor *doctor, bool colour)
{
	fprintf(out, "%s\n\n", summary(doctor));
	for (int optional = 0; optional <= 1; optional++) {
		if (optional)
			prose_heading(out, colour, "Optional: misses sampled by the processor "
						   "(PEBS), which needs the kernel module");
		for (size_t i = 0; i < doctor->count; i++)
			if (doctor->findings[i].optional == optional)
				print_finding(out, &doctor->findings[i], colour);
	}
}

void doctor_json(FILE *out, const struct doctor *doctor)
{
	struct json json = { .out = out };

	json_begin(&json, "doctor");
	json_put_string(&json, "record", source_of(doctor));
	json_open_under(&json, "findings", '[');
	for (size_t i = 0; i < doctor->count; i++) {
		const struct doctor_finding *finding = &doctor->findings[i];

		json_open_flat(&json, '{');
		json_put_string(&json, "topic", finding->topic);
		json_put_string(&json, "state", doctor_state_name(finding->state));
		json_put_string(&json, "found", finding->found);
		json_put_string(&json, "advice", finding->advice);
		json_put_bool(&json, "optional", finding->optional);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
}
