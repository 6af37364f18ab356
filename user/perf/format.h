/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What perf adds to the kernel's records (linux/perf_event.h) in a perf.data
 * file: headers, records of its own, features. As Linux's
 * tools/perf/Documentation/perf.data-file-format.txt, tools/perf/util/header.h
 * and tools/lib/perf/include/perf/event.h have them. Little-endian here; fields
 * need not be aligned.
 */
#ifndef CCSAMPLE_PERF_FORMAT_H
#define CCSAMPLE_PERF_FORMAT_H

#include <linux/perf_event.h>

#define PERF_MAGIC		0x32454c4946524550ull	/* "PERFILE2" */
#define PERF_MAGIC_SWAPPED	0x50455246494c4532ull	/* of a big-endian machine */
#define PERF_MAGIC_OLD		0x454c494646524550ull	/* "PERFFILE": of 2009 */

#define PERF_FILE_HEADER	104	/* bytes; the same of a file without features: 72 */
#define PERF_FILE_HEADER_OLD	72
#define PERF_PIPE_HEADER	16
#define PERF_RECORD_HEADER	8	/* struct perf_event_header */

/* Records of perf's own. Those that say nothing to us are skipped by their size. */
enum perf_own_record {
	PERF_OWN_ATTR = 64,
	PERF_OWN_TRACING_DATA = 66,	/* in a pipe bytes follow that no record holds */
	PERF_OWN_BUILD_ID = 67,
	PERF_OWN_FINISHED_ROUND = 68,
	PERF_OWN_AUXTRACE = 71,		/* bytes follow that no record holds */
	PERF_OWN_EVENT_UPDATE = 78,
	PERF_OWN_FEATURE = 80,
	PERF_OWN_COMPRESSED = 81,
	PERF_OWN_COMPRESSED2 = 83,
};

enum perf_feature {
	PERF_FEATURE_BUILD_ID = 2,
	PERF_FEATURE_HOSTNAME = 3,
	PERF_FEATURE_OSRELEASE = 4,
	PERF_FEATURE_VERSION = 5,
	PERF_FEATURE_ARCH = 6,
	PERF_FEATURE_CPUDESC = 8,
	PERF_FEATURE_CPUID = 9,
	PERF_FEATURE_CMDLINE = 11,
	PERF_FEATURE_EVENT_DESC = 12,
	PERF_FEATURE_PMU_MAPPINGS = 16,
	PERF_FEATURE_CACHE = 20,
	PERF_FEATURE_DIR_FORMAT = 24,
};

#define PERF_FEATURES		256	/* bits in the file header */

#define PERF_UPDATE_NAME	2	/* of EVENT_UPDATE */

#define PERF_BUILD_ID_SIZED	(1u << 15)	/* misc of BUILD_ID: the size is there */
#define PERF_LOST_BY_FILTER	(1u << 15)	/* misc of LOST_SAMPLES: dropped as asked for */

/* Newer than the oldest headers that we build with. */
#define PERF_BRANCH_COUNTERS	(1u << 19)	/* PERF_SAMPLE_BRANCH_COUNTERS, Linux 6.8 */
#define PERF_READ_LOST		(1u << 4)	/* PERF_FORMAT_LOST, Linux 6.0 */
#define PERF_LEVEL_L2_MHB	0x05		/* PERF_MEM_LVLNUM_L2_MHB, Linux 6.11 */
#define PERF_LEVEL_MSC		0x06		/* PERF_MEM_LVLNUM_MSC */
#define PERF_LEVEL_UNCACHED	0x08		/* PERF_MEM_LVLNUM_UNC, Linux 6.6 */

#endif /* CCSAMPLE_PERF_FORMAT_H */
