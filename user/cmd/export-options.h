/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of `ccsample export`. */
#ifndef CCSAMPLE_CMD_EXPORT_OPTIONS_H
#define CCSAMPLE_CMD_EXPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "findings/inputs.h"
#include "export/export.h"
#include "report/views.h"

/* What each format is made from. */
struct export_format {
	const char *name;
	/* Counts by instruction and object, or: */
	void (*costs)(FILE *out, const struct costs *costs, const struct export_about *about);
	/* a row for each loop and level. */
	void (*rows)(FILE *out, const struct findings *findings,
		     const struct view_options *options);
	enum fields_form form;		/* of these rows */
	/* The same of a simulation. */
	void (*simulation)(FILE *out, const struct sim_findings *findings, uint32_t level);
	/* Or sample by sample, without a look at what they show. */
	void (*samples)(FILE *out, struct recording *recording, struct export_perf_totals *totals);
};

struct export_options {
	const struct export_format *format;
	struct inputs inputs;
	const char *output;
	uint32_t level;			/* 0 = all */
	enum cost_kind weight;
	bool samples;
};

/**
 * export_options_parse() - read the command line.
 * @options: zeroed; its inputs are to be dropped
 *
 * Return: 0, 1 after help was asked for, -1 after one line through fail().
 */
int export_options_parse(struct export_options *options, int argc, char **argv);

#endif /* CCSAMPLE_CMD_EXPORT_OPTIONS_H */
