// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "format/pass.h"

void record_take(const struct record_consumer *consumer, void *context,
		 const struct ccs_record *record)
{
	if (record->type < RECORD_TYPES && consumer->take[record->type])
		consumer->take[record->type](context, record);
	else if (consumer->other)
		consumer->other(context, record);
}

int recording_pass(struct recording *recording, const struct record_consumer *consumer,
		   void *context)
{
	const struct ccs_record *record;
	int result = 0;

	while (!result && recording_next(recording, &record)) {
		record_take(consumer, context, record);
		if (consumer->after)
			result = consumer->after(context, recording);
	}
	return result;
}

bool recording_is(const char *path)
{
	char magic[sizeof(CCS_FILE_MAGIC) - 1];
	FILE *file = strcmp(path, "-") ? fopen(path, "re") : NULL;
	bool is;

	if (!file)
		return false;
	is = fread(magic, 1, sizeof(magic), file) == sizeof(magic) &&
	     !memcmp(magic, CCS_FILE_MAGIC, sizeof(magic));
	fclose(file);
	return is;
}
