// SPDX-License-Identifier: GPL-2.0-only
/*
 * make-sources FILE: a perf.data as perf record -d -e ibs_op// writes it on AMD,
 * made by the rules of linux/perf_event.h for want of such a processor. Its
 * samples, 100 of each kind, with addresses 0x1000 * (number of the kind) + n:
 *
 *	1 load that hit L1	5 load from RAM		 9 load, address 0
 *	2 load from L2		6 load on its way (LFB)	10 load from L2, in the kernel
 *	3 load from L3		7 store that missed	11 load from L2, kernel's memory
 *	4 load, nobody knows	8 neither		12 load from another socket
 *
 * 7 samples lost in a buffer (LOST; perf's own sum at the end says 7 again), 5 by
 * the kernel (LOST_SAMPLES), 2 by a filter, 3 times throttled.
 */
#include <stdio.h>

#include "dts-free-tests/unit/perf-maker.h"

#define PID	77

static struct bytes records;
static uint64_t now = 1000;

static void put_record(struct truth *truth)
{
	put(&records, truth->record.data, truth->record.size);
	free(truth->record.data);
}

static void put_load(const struct maker_event *event, uint64_t source, uint64_t address,
		     uint16_t misc)
{
	struct truth truth = {
		.time = now++, .misc = misc, .ip = 0x401000, .pid = PID, .tid = PID,
		.address = address, .data_source = source, .physical = address + 0x100000,
		.weight = 30, .period = 1000,
	};

	put_sample(&truth, event);
	put_record(&truth);
}

static void put_other(const struct maker_event *event, uint32_t type, uint64_t count, uint64_t time,
		      uint16_t misc)
{
	struct truth truth = { .type = type, .time = time, .count = count, .misc = misc };

	put_told(&truth, event);
	put_record(&truth);
}

static void put_kinds(const struct maker_event *event)
{
	const uint64_t load = PERF_MEM_S(OP, LOAD), hit = PERF_MEM_S(LVL, HIT);
	const uint64_t l2 = load | hit | PERF_MEM_S(LVL, L2);
	const struct {
		uint64_t source;
		uint16_t mode;
		uint64_t base;
	} kinds[] = {
		{ load | hit | PERF_MEM_S(LVL, L1), PERF_RECORD_MISC_USER, 0x1000 },
		{ l2, PERF_RECORD_MISC_USER, 0x2000 },
		{ load | hit | PERF_MEM_S(LVL, L3), PERF_RECORD_MISC_USER, 0x3000 },
		{ load | PERF_MEM_S(LVL, NA) | PERF_MEM_S(LVLNUM, NA), PERF_RECORD_MISC_USER,
		  0x4000 },
		{ load | hit | PERF_MEM_S(LVL, LOC_RAM), PERF_RECORD_MISC_USER, 0x5000 },
		{ load | hit | PERF_MEM_S(LVL, LFB), PERF_RECORD_MISC_USER, 0x6000 },
		{ PERF_MEM_S(OP, STORE) | hit | PERF_MEM_S(LVL, L2), PERF_RECORD_MISC_USER,
		  0x7000 },
		{ PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA), PERF_RECORD_MISC_USER, 0x8000 },
		{ l2, PERF_RECORD_MISC_USER, 0 },
		{ l2, PERF_RECORD_MISC_KERNEL, 0xa000 },
		{ l2, PERF_RECORD_MISC_USER, 0xffff888000000000 },
		{ load | hit | PERF_MEM_S(LVL, REM_CCE1), PERF_RECORD_MISC_USER, 0xc000 },
	};
	size_t i, n;

	for (n = 0; n < 100; n++)
		for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			put_load(event, kinds[i].source, kinds[i].base ? kinds[i].base + n : 0,
				 kinds[i].mode);
}

static void put_texts(struct feature *features, const struct maker_event *event)
{
	struct bytes *bytes = &features[1].bytes;

	features[0].number = 9;
	put_text(&features[0].bytes, "AuthenticAMD,25,17,1");
	features[1].number = 12;
	put_u32(bytes, 1);
	put_u32(bytes, 128);
	put_attr(bytes, event, 128);
	put_u32(bytes, event->id_count);
	put_text(bytes, "ibs_op//");
	put(bytes, event->ids, 8ull * event->id_count);
	features[2].number = 16;
	put_u32(&features[2].bytes, 1);
	put_u32(&features[2].bytes, 11);
	put_text(&features[2].bytes, "ibs_op");
}

int main(int argc, char **argv)
{
	struct maker_event event = { .ids = { 5 }, .id_count = 1 };
	struct feature features[3] = { { 0 } };
	FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;
	struct bytes file;
	int i;

	if (!out)
		return 1;
	event.attr.type = 11;
	event.attr.sample_period = 1000;
	event.attr.sample_id_all = 1;
	event.attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				 PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |
				 PERF_SAMPLE_PHYS_ADDR;
	put_kinds(&event);
	put_other(&event, PERF_RECORD_LOST, 7, now++, 0);
	put_other(&event, PERF_RECORD_LOST_SAMPLES, 5, now++, 0);
	put_other(&event, PERF_RECORD_LOST_SAMPLES, 2, now++, 1u << 15);
	for (i = 0; i < 3; i++)
		put_other(&event, PERF_RECORD_THROTTLE, 0, now++, 0);
	put_round(&records);
	put_other(&event, PERF_RECORD_LOST_SAMPLES, 7, 0, 0);
	put_texts(features, &event);
	file = make_file(&event, 1, 128, &records, features, 3);
	return fwrite(file.data, file.size, 1, out) != 1 || fclose(out);
}
