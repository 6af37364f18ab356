// SPDX-License-Identifier: GPL-2.0-only
/* The head of a file whose events say that they have the same ids, and build-ids by path. */
#include <stdlib.h>
#include <string.h>

#include "perf/cursor.h"
#include "perf/file.h"
#include "tap.h"

#define EACH	(PERF_ATTR_SIZE_VER0 + 16)
#define IDS	64

static uint8_t file[PERF_FILE_HEADER + IDS * EACH + IDS * 8 + 8];

static void put_u64(size_t at, uint64_t value)
{
	memcpy(file + at, &value, 8);
}

/* So many events; the ids of each begin @step ids behind those of the one before. */
static const char *read_events(uint32_t events, uint32_t ids, uint32_t step)
{
	size_t table = PERF_FILE_HEADER, end = table + IDS * EACH, i;
	struct perf_attrs attrs = { .count = 0 };
	struct perf_facts facts = { .host = NULL };
	struct perf_extent records;
	const char *wrong;

	memset(file, 0, sizeof(file));
	put_u64(0, PERF_MAGIC);
	put_u64(8, PERF_FILE_HEADER);
	put_u64(16, EACH);
	put_u64(24, table);
	put_u64(32, events * EACH);
	put_u64(40, sizeof(file) - 8);
	put_u64(48, 8);
	for (i = 0; i < events; i++) {
		put_u64(table + (i + 1) * EACH - 16, end + 8 * step * i);
		put_u64(table + (i + 1) * EACH - 8, 8 * ids);
	}
	for (i = 0; i < IDS; i++)
		put_u64(end + 8 * i, i + 1);
	wrong = perf_file_read(&attrs, &facts, file, sizeof(file), &records);
	if (!wrong && (attrs.count != events || attrs.ids.count != events * step))
		wrong = "ids are missing";
	perf_attrs_drop(&attrs);
	perf_facts_drop(&facts);
	return wrong;
}

static void put_build_id(struct perf_facts *facts, const char *path, uint8_t first)
{
	struct perf_event_header header = { .type = PERF_OWN_BUILD_ID };
	uint8_t record[128] = { 0 };

	header.size = 36 + strlen(path) + 1;
	memcpy(record, &header, sizeof(header));
	record[12] = first;
	strcpy((char *)record + 36, path);
	perf_facts_build_id(facts, record, header.size);
}

static uint8_t build_id(const struct perf_facts *facts, const char *path)
{
	const struct perf_build_id *found = perf_facts_find(facts, path, strlen(path));

	return found ? found->bytes[0] : 0;
}

int main(void)
{
	struct perf_facts facts = { .host = NULL };
	const char *wrong = read_events(IDS / 4, 4, 4);

	ok(!wrong, "ids of each event: %s", wrong ? wrong : "all");
	wrong = read_events(IDS, IDS, 0);
	ok(wrong && strstr(wrong, "one another"), "all ids of all events: %s", wrong ? wrong : "");
	put_build_id(&facts, "/a", 1);
	put_build_id(&facts, "/a/b", 2);
	put_build_id(&facts, "/a", 3);
	ok(build_id(&facts, "/a") == 1 && build_id(&facts, "/a/b") == 2 && !build_id(&facts, "/b"),
	   "a path has its first build-id");
	perf_facts_drop(&facts);
	return done();
}
