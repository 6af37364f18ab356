// SPDX-License-Identifier: GPL-2.0-only
/*
 * rename IN OUT NAME: a copy of a recording in which whatever is a name of no file is NAME:
 * events (as much as fits), what is known of the machine, the command.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/recording.h"

static void put_meta(struct recording_writer *writer, const struct ccs_meta *meta,
		     const char *name)
{
	const char *text = (const char *)(meta + 1);
	char key[256] = "";

	if (meta->key_size >= sizeof(key) || meta_is(meta, "source") || meta_is(meta, "clock") ||
	    meta_is(meta, "pages") || strstr(text, ".hash")) {
		recording_write(writer, &meta->record);
		return;
	}
	memcpy(key, text, meta->key_size);
	recording_meta(writer, key, name, strlen(name));
}

static void put_event(struct recording_writer *writer, const struct ccs_event *event,
		      const char *name)
{
	struct ccs_event renamed = *event;
	size_t most = sizeof(renamed.name) - 1, size = strlen(name) < most ? strlen(name) : most;

	memset(renamed.name, 0, sizeof(renamed.name));
	memcpy(renamed.name, name, size);
	recording_write(writer, &renamed.record);
}

int main(int argc, char **argv)
{
	const struct ccs_record *record;
	struct recording_writer *writer;
	struct recording *recording;

	if (argc != 4)
		return 2;
	recording = recording_open(argv[1]);
	writer = recording ? recording_create(argv[2]) : NULL;
	if (!writer)
		return 1;
	while (recording_next(recording, &record)) {
		if (record->type == CCS_META)
			put_meta(writer, (const void *)record, argv[3]);
		else if (record->type == CCS_EVENT)
			put_event(writer, (const void *)record, argv[3]);
		else if (record->type != CCS_END)
			recording_write(writer, record);
	}
	recording_close(recording);
	return recording_finish(writer, 1000000) ? 1 : 0;
}
