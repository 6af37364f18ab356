// SPDX-License-Identifier: GPL-2.0-only
/* A row for each sample, as CSV or JSON Lines, while a recording is read. */
#include "export/export.h"
#include "findings/contexts.h"
#include "output/fields.h"

static void put_code(struct fields *fields, const struct miss_row *miss)
{
	const struct code_region *region = miss->region;

	field_address(fields, "ip", true, miss->sample->ip);
	field_text(fields, "dso", region->dso);
	field_address(fields, "code", true, miss->site->address);
	field_text(fields, "function", region->function);
	field_text(fields, "file", miss->site->file);
	field_known(fields, "line", miss->site->line, miss->site->line);
	field_text(fields, "kind", region_kind_name(region->kind));
	field_known(fields, "loop_line", region->line, region->line);
	field_known(fields, "loop_end_line", region->end_line, region->end_line);
}

static const char *const classes[] = {
	[RCD_CLASS_UNKNOWN] = NULL, [RCD_CLASS_OPEN] = "open", [RCD_CLASS_OTHER] = "other",
	[RCD_CLASS_CONFLICT] = "conflict",
};

static void put_data(struct fields *fields, const struct miss_row *miss)
{
	const struct ccs_sample *sample = miss->sample;

	field_address(fields, "address", sample->address != CCS_UNKNOWN, sample->address);
	field_address(fields, "physical", sample->physical != CCS_UNKNOWN, sample->physical);
	field_text(fields, "object", miss->object->name);
	field_text(fields, "object_kind", object_kind_name(miss->object->kind));
	field_known(fields, "set", miss->placed, miss->set);
	field_known(fields, "near", miss->placed, miss->near);
	field_known(fields, "re_miss", miss->placed, miss->again);
	field_known(fields, "weight", sample->weight, sample->weight);
	field_count(fields, "store", !!(sample->flags & CCS_SAMPLE_STORE));
	field_count(fields, "kernel", !!(sample->flags & CCS_SAMPLE_KERNEL));
	field_text(fields, "class", classes[miss->class]);
}

static void put_row(struct fields *fields, const struct miss_row *miss)
{
	const struct ccs_samples *batch = miss->batch;

	field_text(fields, "recording", miss->recording);
	field_text(fields, "event", miss->event);
	field_known(fields, "level", miss->level, miss->level);
	field_count(fields, "time", miss->sample->time);
	field_count(fields, "process", batch->record.process);
	field_count(fields, "pid", batch->pid);
	field_count(fields, "tid", batch->record.tid);
	field_known(fields, "cpu", batch->cpu != UINT32_MAX, batch->cpu);
	field_count(fields, "begins", miss->begins);
	put_code(fields, miss);
	put_data(fields, miss);
	fields_end(fields);
}

void export_sample(FILE *out, enum fields_form form, const struct miss_row *miss)
{
	static const struct object object;
	static const struct ccs_samples batch;
	static const struct ccs_sample sample;
	static const struct code_region region;
	static const struct code_site site;
	static const struct miss_row none = {
		.batch = &batch, .sample = &sample, .object = &object, .region = &region,
		.site = &site,
	};
	struct fields fields;

	if (!miss && form == FIELDS_JSON)
		return;
	fields_begin(&fields, out, miss ? form : FIELDS_NAMES, "sample-rows");
	put_row(&fields, miss ? miss : &none);
}
