/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What works on this machine, and what to do about what does not.
 *
 *	doctor-tools.c		our own parts, caches, and other people's programs
 *	doctor-processor.c	the processor, its PEBS, what is between us and it
 *	doctor-module.c		the kernel module, and who may use it
 *	doctor-co-run.c		other users of the counters: perf, watchdog, noise, virtual machines
 *	doctor-program.c	what a report can show of a program, and which source can run it
 *	doctor-view.c		the findings as text and JSON
 */
#ifndef CCSAMPLE_HOST_DOCTOR_H
#define CCSAMPLE_HOST_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "host/system.h"

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_LIMITED,		/* works, less well than it could */
	DOCTOR_NO,
	DOCTOR_UNKNOWN,		/* cannot be known here */
	DOCTOR_STATES
};

struct doctor_finding {
	const char *topic;	/* one word or two, the same on each machine */
	enum doctor_state state;
	char *found;		/* what it is, and means */
	const char *advice;	/* what to do about it, NULL = nothing */
	bool optional;		/* it matters to the kernel module alone */
};

struct doctor {
	struct system system;
	struct doctor_finding *findings;
	size_t count, room;
	bool optional;		/* what is found now is */
	bool refused;		/* the module cannot sample this processor */
	bool pebs;		/* `record` would take PEBS */
	bool bursts;		/* ... could take bursts */
	bool engine;		/* ... or the engine */
};

/**
 * doctor_examine() - look at everything.
 * @root: "" for this machine, or a directory that stands for a machine's /
 *
 * Never fails: what cannot be known is reported as unknown.
 */
void doctor_examine(struct doctor *doctor, const char *root);
void doctor_free(struct doctor *doctor);

/* Adds a finding. @advice: lives as long as the doctor; NULL = there is nothing to do */
void doctor_find(struct doctor *doctor, const char *topic, enum doctor_state state,
		 const char *advice, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* "ok", "limited", "no", "unknown" */
const char *doctor_state_name(enum doctor_state state);

/* The parts, in this order. */
void doctor_tools(struct doctor *doctor);
void doctor_processor(struct doctor *doctor);
void doctor_module(struct doctor *doctor);
void doctor_co_run(struct doctor *doctor);

/* Does this process have a capability (capabilities(7), by number)? */
bool doctor_may(const struct doctor *doctor, unsigned int capability);

void doctor_text(FILE *out, const struct doctor *doctor, bool colour);
void doctor_json(FILE *out, const struct doctor *doctor);

/*
 * Adds what a report can show of a program: can it be recorded, has it lines, names? Return: false
 * where it cannot be run.
 */
bool doctor_program(struct doctor *doctor, const char *name);

#endif /* CCSAMPLE_HOST_DOCTOR_H */
