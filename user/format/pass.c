// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/fail.h"
#include "base/output-file.h"
#include "base/reserved.h"
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
	return strcmp(path, "-") && file_begins(path, CCS_FILE_MAGIC);
}

int recording_may_replace(const char *path)
{
	return output_may_replace(path, CCS_FILE_MAGIC, "recording or trace of ccsample");
}

int result_may_replace(const char *path)
{
	if (!path || !recording_is(path))
		return 0;
	return fail("%s is a recording, and is not replaced: give another name, or remove it",
		    path);
}

int reserve_result(const char *path)
{
	return result_may_replace(path) ? -1 : reserve_file(path);
}
