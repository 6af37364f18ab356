// SPDX-License-Identifier: GPL-2.0-only
#include <cpuid.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "kmod/models.h"
#include "kmod/refusals.h"
#include "host/doctor.h"
#include "output/prose.h"

#define CPUINFO		"/proc/cpuinfo"
#define MSR		"/dev/cpu/0/msr"
#define CAPABILITIES	0x345		/* IA32_PERF_CAPABILITIES */
#define MISC_ENABLE	0x1a0
#define PEBS_OFF	(1ull << 12)	/* in it */
#define FORMAT		"/sys/module/ccsample/parameters/pebs_format"
#define PRECISE		"/sys/bus/event_source/devices/cpu/caps/max_precise"

struct processor {
	char *name, *flags;
	unsigned int family, model;
	uint64_t microcode;
	struct ccsample_features has;
	const struct ccsample_model *rows[2];	/* of each kind of cores; NULL = not in the table */
	size_t row_count;
};

/* For root, where the module msr is loaded. */
static bool read_msr(const struct system *system, uint32_t number, uint64_t *value)
{
	return system_bytes(system, MSR, number, value, sizeof(*value));
}

/* Leaf 7, subleaf 1, EAX bit 8; leaf 0x23, EAX bits 4 and 5: as kmod/cpu.c asks. */
static bool is_architectural(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid_max(0, NULL) >= 0x23 && __get_cpuid_count(7, 1, &a, &b, &c, &d) &&
	       a & 1u << 8 && __get_cpuid_count(0x23, 0, &a, &b, &c, &d) && a & 0x30;
}

static void read_features(const struct system *system, struct processor *processor)
{
	char *vendor = system_line(system, CPUINFO, "vendor_id");
	uint64_t misc;

	processor->has = (struct ccsample_features){
		.intel = vendor && !strcmp(vendor, "GenuineIntel"),
		.ds = system_lists(processor->flags, "dts"),
		.dtes64 = system_lists(processor->flags, "dtes64"),
		.pdcm = system_lists(processor->flags, "pdcm"),
		.driven = !system_says(system, PRECISE, "0"),
		.switched_off = read_msr(system, MISC_ENABLE, &misc) && misc & PEBS_OFF,
	};
	processor->has.architectural = processor->has.intel && !system->root[0] &&
				       is_architectural();
	free(vendor);
}

static void add_row(const struct system *system, struct processor *processor,
		    enum ccsample_core core)
{
	unsigned int row = system_model_row(system, core);
	bool known = row < ccsample_models_nr;

	processor->rows[processor->row_count++] = known ? &ccsample_models[row] : NULL;
	if (core != CCSAMPLE_CORE_ALIKE)
		processor->has.hybrid |= !known;
}

/* Hybrid processors have a perf device for each kind of core. */
static void find_rows(const struct system *system, struct processor *processor)
{
	static const enum ccsample_core cores[] = { CCSAMPLE_CORE_CORE, CCSAMPLE_CORE_ATOM };

	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		char *path = xasprintf("/sys/devices/%s", ccsample_core_device(cores[i]));

		if (system_has(system, path))
			add_row(system, processor, cores[i]);
		free(path);
	}
	if (!processor->row_count)
		add_row(system, processor, CCSAMPLE_CORE_ALIKE);
}

static bool read_processor(const struct system *system, struct processor *processor)
{
	*processor = (struct processor){
		.name = system_line(system, CPUINFO, "model name"),
		.flags = system_line(system, CPUINFO, "flags"),
		.family = system_cpu_number(system, "cpu family"),
		.model = system_cpu_number(system, "model"),
		.microcode = system_cpu_number(system, "microcode"),
	};
	if (!processor->name)
		processor->name = xstrdup("a processor without a name");
	read_features(system, processor);
	find_rows(system, processor);
	return processor->flags;
}

static enum ccsample_refusal judge(const struct system *system, const struct processor *processor)
{
	enum ccsample_refusal refusal = ccsample_judge_features(&processor->has);
	uint64_t capabilities;

	if (!refusal && read_msr(system, CAPABILITIES, &capabilities))
		refusal = ccsample_judge_format(&processor->has, capabilities);
	/* A hypervisor hides the true revision. */
	if (!refusal && processor->rows[0] &&
	    processor->microcode < processor->rows[0]->microcode &&
	    !system_lists(processor->flags, "hypervisor"))
		refusal = CCSAMPLE_OLD_MICROCODE;
	if (!refusal && system_says(system, "/sys/kernel/realtime", "1"))
		refusal = CCSAMPLE_REALTIME;
	return refusal;
}

static const char *advice_on(enum ccsample_refusal refusal, bool virtual)
{
	switch (refusal) {
	case CCSAMPLE_ARCHITECTURAL:
		return "boot a kernel of 6.19 or later, or record with the engine";
	case CCSAMPLE_OLD_MICROCODE:
		return "install the package intel-microcode, and boot again";
	case CCSAMPLE_REALTIME:
		return "boot a kernel without PREEMPT_RT, or record with the engine";
	case CCSAMPLE_SWITCHED_OFF:
		return "look for an option of the firmware's; record uses the engine until then";
	case CCSAMPLE_NO_DS:
	case CCSAMPLE_NO_DTES64:
	case CCSAMPLE_NO_PDCM:
		if (virtual)
			return "use the machine below this virtual one; record takes bursts of "
			       "references here, or the engine";
		break;
	default:
		break;
	}
	return "nothing to do: record takes bursts of references, or the engine, on any x86-64";
}

/* The module knows, where it is loaded; else the register, for who may read it. */
static void find_format(struct doctor *doctor)
{
	char *format = system_text(&doctor->system, FORMAT);
	uint64_t capabilities;

	if (format)
		doctor_find(doctor, "PEBS", DOCTOR_OK, NULL,
			    "format %s, as the module found", format);
	else if (read_msr(&doctor->system, CAPABILITIES, &capabilities))
		doctor_find(doctor, "PEBS", DOCTOR_OK, NULL, "format %u",
			    CCSAMPLE_CAPABILITIES_FORMAT(capabilities));
	else if (system_says(&doctor->system, PRECISE, "0"))
		doctor_find(doctor, "PEBS", DOCTOR_NO,
			    "look in dmesg for PEBS: a hypervisor or the firmware keeps it, or the "
			    "microcode is too old", "perf finds none (" PRECISE " is 0)");
	else
		doctor_find(doctor, "PEBS", DOCTOR_OK, NULL,
			    "Debug Store of 64 bits; its format shows once the module is loaded%s",
			    system_has(&doctor->system, PRECISE) ? "; perf uses it" : "");
	free(format);
}

/* "l1-miss, l2-miss", to be freed. */
static char *events_of(const struct ccsample_model *row)
{
	char *text = xstrdup("");

	for (unsigned int i = 0; i < row->nr_events; i++)
		prose_append(&text, "%s%s", i ? ", " : "", row->events[i].name);
	return text;
}

static void find_model(struct doctor *doctor, const struct ccsample_model *row)
{
	char *events;

	if (!row) {
		doctor_find(doctor, "events", DOCTOR_LIMITED,
			    "give events by their codes, as in record -e r08d1 --burst 1 (Intel's "
			    "event lists: perfmon-events.intel.com)",
			    "the processor is not in the module's table: no names, single samples "
			    "only");
		return;
	}
	events = events_of(row);
	if (!row->nr_events)
		doctor_find(doctor, "events", DOCTOR_NO, row->core ?
			    "leave its CPUs out (record -C)" : "record with the engine",
			    "%s: %s", row->name, row->warning);
	else if (!row->bursts)
		doctor_find(doctor, "events", DOCTOR_LIMITED, "record with --burst 1",
			    "%s: single samples, a period of %u at least; bursts are not trusted",
			    row->name, row->least_period);
	else
		doctor_find(doctor, "events", DOCTOR_OK, NULL, "%s: %s", row->name, events);
	free(events);
	if (row->nr_events && row->warning)
		doctor_find(doctor, "errata", DOCTOR_LIMITED,
			    "switch the sibling thread off (/sys/devices/system/cpu/smt/control)",
			    "%s", row->warning);
	for (unsigned int i = 0; i < row->nr_events; i++)
		if (row->events[i].warning[0])
			doctor_find(doctor, "errata", DOCTOR_LIMITED, NULL, "%s",
				    row->events[i].warning);
}

static void find_surroundings(struct doctor *doctor, const char *flags)
{
	bool steady = system_lists(flags, "constant_tsc") && system_lists(flags, "nonstop_tsc");

	if (system_lists(flags, "hypervisor"))
		doctor_find(doctor, "machine", DOCTOR_LIMITED,
			    "for times and physical addresses that mean something, use a bare "
			    "machine",
			    "a virtual one: pages and time are the hypervisor's");
	else
		doctor_find(doctor, "machine", DOCTOR_OK, NULL, "bare, by CPUID");
	doctor_find(doctor, "page tables", DOCTOR_OK, NULL, system_lists(flags, "pti") ?
		    "isolated (PTI); the module needs no nopti" : "not isolated (no PTI)");
	doctor_find(doctor, "time stamps", steady ? DOCTOR_OK : DOCTOR_LIMITED,
		    steady ? NULL : "keep the program on one CPU (taskset)", steady ?
		    "the TSC runs evenly" : "the TSC may change its rate or stop");
}

void doctor_processor(struct doctor *doctor)
{
	struct processor processor;
	enum ccsample_refusal refusal;

	if (!read_processor(&doctor->system, &processor)) {
		doctor_find(doctor, "processor", DOCTOR_UNKNOWN, "mount /proc",
			    CPUINFO " does not list its features");
		doctor->refused = true;
		goto free;
	}
	refusal = judge(&doctor->system, &processor);
	doctor->refused = refusal;
	if (refusal) {
		doctor_find(doctor, "processor", DOCTOR_NO,
			    advice_on(refusal, system_lists(processor.flags, "hypervisor")),
			    "%s: cannot be sampled: %s", processor.name,
			    refusal == CCSAMPLE_NOT_INTEL ? "PEBS needs an Intel processor" :
			    ccsample_refusals[refusal]);
	} else {
		doctor_find(doctor, "processor", DOCTOR_OK, NULL, "%s (family %u, model 0x%x)",
			    processor.name, processor.family, processor.model);
		find_format(doctor);
		for (size_t i = 0; i < processor.row_count; i++)
			find_model(doctor, processor.rows[i]);
	}
	find_surroundings(doctor, processor.flags);
free:
	free(processor.name);
	free(processor.flags);
}
