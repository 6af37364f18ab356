// SPDX-License-Identifier: GPL-2.0-only
/* Compiled into the module and into the tools: no kernel functions here. */
#include "models.h"

#define EVENT_AND_UMASK		0xffffULL

/*
 * What seeks lines: at L1 loads and stores, farther out the loads that miss the level inside.
 * Loads and stores are one event from Skylake on (MEM_INST_RETIRED.ANY); before, loads alone are
 * documented (MEM_UOPS_RETIRED.ALL_LOADS).
 */
#define LOADS			0x81d0
#define LOADS_AND_STORES	0x83d0

/*
 * MEM_UOPS_RETIRED.ALL_STORES, MEM_INST_RETIRED.ALL_STORES: from Haswell on bit 0 of the data
 * source says whether the store hit L1 (SDM volume 3, "PEBS Data Address Profiling": DCUHit; Linux,
 * precise_datala_hsw()). No event is precise and counts misses of stores alone.
 */
#define STORE_MISSES(references)	{ "l1-store-miss", 0x82d0, 1, references, "", .stores = 1 }

#define MISSES(references, l3_warning) { \
	{ "l1-miss", 0x08d1, 1, references, "" }, \
	{ "l2-miss", 0x10d1, 2, 0x08d1, "" }, \
	{ "l3-miss", 0x20d1, 3, 0x10d1, l3_warning }, \
	STORE_MISSES(references), \
}

static const struct ccsample_named_event misses[] = MISSES(LOADS_AND_STORES, "");
static const struct ccsample_named_event misses_bdw[] =
	MISSES(LOADS, "BDM100, BDE70: L3 misses may undercount");

/*
 * Where a thread counts memory events, its sibling must not (intel_hsw_event_constraints), so two
 * threads share four counters: enough for the misses, not for references as well.
 */
static const struct ccsample_named_event misses_hsw[] = {
	{ "l1-miss", 0x08d1, 1, 0, "" },
	{ "l2-miss", 0x10d1, 2, 0, "" },
	{ "l3-miss", 0x20d1, 3, 0, "HSD25, HSM26: L3 misses undercount" },
	STORE_MISSES(0),
};

/*
 * E-cores of Alder Lake (Gracemont), by Intel's list of events (perfmon, ADL, V1.40). 0x20d1 is of
 * loads that hit a modified line there. No store record is documented to say whether it hit L1.
 */
static const struct ccsample_named_event misses_grt[] = {
	{ "l1-miss", 0x08d1, 1, LOADS_AND_STORES, "" },
	{ "l2-miss", 0x10d1, 2, 0x08d1, "" },
	{ "l3-miss", 0x20d2, 3, 0x10d1, "" },
};

#define ROWS(list)	(sizeof(list) / sizeof((list)[0]))
#define EVENTS(list)	.events = (list), .nr_events = ROWS(list)
#define SPLIT		.split_latency = 1	/* as Linux has it: PMU_FL_INSTR_LATENCY */
#define NO_ADDRESS	"no data address in records of cache misses"
#define LEAKS		"HSD29, HSM30: events leak to the sibling thread"

/*
 * Linux, nhm_limit_period() and hsw_limit_period(): of two events of fewer in one NMI the second's
 * interrupt takes long. Linux has no limit for Westmere, whose core is Nehalem's; it gets the same.
 */
#define LEAST			.least_period = 32
#define NEHALEM			LEAST, .warning = NO_ADDRESS

/*
 * Golden Cove or Redwood Cove; Gracemont; Crestmont, whose cache misses are recorded without an
 * address (perfmon, MTL, V1.22). CPUID 0xa has what both kinds have; Golden Cove has two counters
 * more (Linux: intel_pmu_init()).
 */
#define P_CORE		.core = CCSAMPLE_CORE_CORE, .counters = 8, SPLIT, EVENTS(misses), \
			.bursts = 1
#define E_CORE		.core = CCSAMPLE_CORE_ATOM, .counters = 6, SPLIT, EVENTS(misses_grt), \
			.bursts = 1
#define E_CORE_CMT	.core = CCSAMPLE_CORE_ATOM, .counters = 8, SPLIT, .warning = NO_ADDRESS

/*
 * Intel SDM volume 4, table 2-1; errata as in the parts' specification updates. Of hybrids P-cores
 * come first. Lion Cove is not here: its l1-miss is of a second L1 of 192 KiB behind the one whose
 * sets decide on conflicts (perfmon, LNL, V1.26: L1_HIT_L0, L1_HIT_L1).
 */
const struct ccsample_model ccsample_models[] = {
	{ .first = 0x1a, .last = 0x1a, .name = "Nehalem-EP", NEHALEM },
	{ .first = 0x1e, .last = 0x1f, .name = "Nehalem", NEHALEM },
	{ .first = 0x2e, .last = 0x2e, .name = "Nehalem-EX", NEHALEM },
	{ .first = 0x25, .last = 0x25, .name = "Westmere", NEHALEM },
	{ .first = 0x2c, .last = 0x2c, .name = "Westmere-EP", NEHALEM },
	{ .first = 0x2f, .last = 0x2f, .name = "Westmere-EX", NEHALEM },
	{ .first = 0x2a, .last = 0x2a, .name = "Sandy Bridge", .microcode = 0x28,
	  .warning = NO_ADDRESS },
	{ .first = 0x2d, .last = 0x2d, .name = "Sandy Bridge-EP", .microcode = 0x618,
	  .warning = NO_ADDRESS },
	{ .first = 0x3a, .last = 0x3a, .name = "Ivy Bridge",
	  .warning = NO_ADDRESS "; counts leak to the sibling" },
	{ .first = 0x3e, .last = 0x3e, .name = "Ivy Bridge-EP",
	  .warning = NO_ADDRESS "; counts leak to the sibling" },
	{ .first = 0x3c, .last = 0x3c, .name = "Haswell", EVENTS(misses_hsw),
	  LEAST, .warning = LEAKS },
	{ .first = 0x3f, .last = 0x3f, .name = "Haswell-EP", EVENTS(misses_hsw),
	  LEAST, .warning = LEAKS },
	{ .first = 0x45, .last = 0x46, .name = "Haswell", EVENTS(misses_hsw),
	  LEAST, .warning = LEAKS },
	{ .first = 0x3d, .last = 0x3d, .name = "Broadwell",
	  EVENTS(misses_bdw), .bursts = 1 },
	{ .first = 0x47, .last = 0x47, .name = "Broadwell",
	  EVENTS(misses_bdw), .bursts = 1 },
	{ .first = 0x4f, .last = 0x4f, .name = "Broadwell-EP",
	  EVENTS(misses_bdw), .bursts = 1 },
	{ .first = 0x56, .last = 0x56, .name = "Broadwell-DE",
	  EVENTS(misses_bdw), .bursts = 1 },
	{ .first = 0x4e, .last = 0x4e, .name = "Skylake",
	  EVENTS(misses), .bursts = 1 },
	{ .first = 0x5e, .last = 0x5e, .name = "Skylake",
	  EVENTS(misses), .bursts = 1 },
	{ .first = 0x55, .last = 0x55, .name = "Skylake-SP",
	  EVENTS(misses), .bursts = 1 },
	{ .first = 0x8e, .last = 0x8e, .name = "Kaby Lake",
	  EVENTS(misses), .bursts = 1 },
	{ .first = 0x9e, .last = 0x9e, .name = "Kaby Lake",
	  EVENTS(misses), .bursts = 1 },
	{ .first = 0xa5, .last = 0xa6, .name = "Comet Lake",
	  EVENTS(misses), .bursts = 1 },
	{ .first = 0x7d, .last = 0x7e, .name = "Ice Lake",
	  EVENTS(misses), .bursts = 1 },
	{ .first = 0x6a, .last = 0x6a, .name = "Ice Lake-SP",
	  EVENTS(misses), .bursts = 1 },
	{ .first = 0x6c, .last = 0x6c, .name = "Ice Lake-D",
	  EVENTS(misses), .bursts = 1 },
	{ .first = 0x8c, .last = 0x8d, .name = "Tiger Lake",
	  EVENTS(misses), .bursts = 1 },
	{ .first = 0xa7, .last = 0xa7, .name = "Rocket Lake",
	  EVENTS(misses), .bursts = 1 },
	{ .first = 0x8f, .last = 0x8f, .name = "Sapphire Rapids",
	  EVENTS(misses), SPLIT, .bursts = 1 },
	{ .first = 0xcf, .last = 0xcf, .name = "Emerald Rapids",
	  EVENTS(misses), SPLIT, .bursts = 1 },
	{ .first = 0xad, .last = 0xae, .name = "Granite Rapids",
	  EVENTS(misses), SPLIT, .bursts = 1 },
	{ .first = 0xbe, .last = 0xbe, .name = "Alder Lake-N",
	  EVENTS(misses_grt), SPLIT, .bursts = 1 },
	{ .first = 0x97, .last = 0x97, .name = "Alder Lake P-core", P_CORE },
	{ .first = 0x97, .last = 0x97, .name = "Alder Lake E-core", E_CORE },
	{ .first = 0x9a, .last = 0x9a, .name = "Alder Lake P-core", P_CORE },
	{ .first = 0x9a, .last = 0x9a, .name = "Alder Lake E-core", E_CORE },
	{ .first = 0xb7, .last = 0xb7, .name = "Raptor Lake P-core", P_CORE },
	{ .first = 0xb7, .last = 0xb7, .name = "Raptor Lake E-core", E_CORE },
	{ .first = 0xba, .last = 0xba, .name = "Raptor Lake P-core", P_CORE },
	{ .first = 0xba, .last = 0xba, .name = "Raptor Lake E-core", E_CORE },
	{ .first = 0xbf, .last = 0xbf, .name = "Raptor Lake P-core", P_CORE },
	{ .first = 0xbf, .last = 0xbf, .name = "Raptor Lake E-core", E_CORE },
	{ .first = 0xaa, .last = 0xaa, .name = "Meteor Lake P-core", P_CORE },
	{ .first = 0xaa, .last = 0xaa, .name = "Meteor Lake E-core", E_CORE_CMT },
	{ .first = 0xac, .last = 0xac, .name = "Meteor Lake P-core", P_CORE },
	{ .first = 0xac, .last = 0xac, .name = "Meteor Lake E-core", E_CORE_CMT },
	{ .first = 0xb5, .last = 0xb5, .name = "Arrow Lake-U P-core", P_CORE },
	{ .first = 0xb5, .last = 0xb5, .name = "Arrow Lake-U E-core", E_CORE_CMT },
};

const unsigned int ccsample_models_nr = ROWS(ccsample_models);

unsigned int ccsample_model_level(unsigned int row, __u64 config)
{
	const struct ccsample_named_event *event;
	unsigned int i;

	for (i = 0; row < ccsample_models_nr && i < ccsample_models[row].nr_events; i++) {
		event = &ccsample_models[row].events[i];
		if (event->config == config)
			return event->stores ? 0 : event->level;
	}
	return 0;
}

/*
 * "PEBS events are only valid when the following fields of IA32_PERFEVTSELx are all zero:
 * AnyThread, Edge, Invert, CMask" (SDM volume 3, "Processor Event Based Sampling (PEBS) Facility").
 *
 * Latencies: MEM_TRANS_RETIRED.LOAD_LATENCY, before Sandy Bridge
 * MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD (0x100b); of E-cores MEM_UOPS_RETIRED.LOAD_LATENCY and
 * STORE_LATENCY. Other cores have nothing for these codes. The threshold stands in a register of its
 * own (MSR_PEBS_LD_LAT), where zero is no value that is documented, and from Golden Cove on a counter
 * beside it has to count an auxiliary event (SDM volume 3, "Load Latency Performance Monitoring
 * Facility"; Linux, is_mem_loads_event()).
 *
 * INST_RETIRED.ALL, later PREC_DIST: periods of less than 100 are not safe on Haswell and Broadwell
 * (HSW11, BDM11), and Broadwell wants their low 6 bits zero (BDM55; Linux, bdw_limit_period()): a
 * burst's is 1, and what is left of a gap is any number. No model's records of it have an address.
 */
const char *ccsample_model_unfit(__u64 config)
{
	if (config & ~EVENT_AND_UMASK)
		return "PEBS takes an event and its unit mask alone (r08d1), without edge, "
		       "inversion, counter mask or any thread: sample misses (-e l1-miss), or "
		       "import what perf record takes";
	if (config == 0x01cd || config == 0x100b || config == 0x05d0 || config == 0x06d0)
		return "latencies are not sampled: they need a threshold, and on newer processors "
		       "a second event, which are not set here: sample misses (-e l1-miss), or "
		       "import what perf mem record takes";
	if (config == 0x01c0)
		return "instructions are not sampled: they have no data address, and Haswell and "
		       "Broadwell want periods that bursts cannot have: sample misses (-e l1-miss), "
		       "or import what perf record takes";
	return (void *)0;
}

unsigned int ccsample_model_row(unsigned int family, unsigned int model, enum ccsample_core core)
{
	const struct ccsample_model *at;
	unsigned int row;

	if (family != CCSAMPLE_MODEL_FAMILY)
		return ccsample_models_nr;
	for (row = 0; row < ccsample_models_nr; row++) {
		at = &ccsample_models[row];
		if (model >= at->first && model <= at->last &&
		    (core == CCSAMPLE_CORE_ALIKE || at->core == core))
			break;
	}
	return row;
}

const char *ccsample_core_device(enum ccsample_core core)
{
	switch (core) {
	case CCSAMPLE_CORE_CORE:
		return "cpu_core";
	case CCSAMPLE_CORE_ATOM:
		return "cpu_atom";
	default:
		return (void *)0;
	}
}
