/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of `ccsample sim`. */
#ifndef CCSAMPLE_CMD_SIM_OPTIONS_H
#define CCSAMPLE_CMD_SIM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "options/caches.h"
#include "record/request.h"
#include "simulate/findings.h"
#include "simulate/request-text.h"
#include "simulate/results.h"

#define SIM_WITH_MAX 7

struct sim_arguments {
	const char *input;
	const char *format;
	struct cache_options caches;
	struct phases phases;
	const char *function;
	char *with[SIM_WITH_MAX + 1];	/* traces of programs that share L3, NULL-terminated */
	const char *output;
	const char *html;		/* a page */
	const char *generate;		/* a plan of walks, NULL = none */
	char **argv;			/* the program and its arguments */
	uint64_t blocks;		/* of a place that are objects of their own, 0 = none */
	uint64_t alias;			/* stores that loads are compared with, 0 = none */
	enum detector detector;
	uint32_t coherence;		/* 0 = none, 1 = by MESI */
	uint64_t turn;			/* blocks that a thread runs in one go, with it */
	uint32_t prefetchers;		/* a bit for each enum prefetcher */
	struct show_options show;
	bool dot;
	bool quiet;
	bool repeatable;		/* the stack lies where record puts it */
};

#define LEVELS_HEADING "Caches; without --machine only the levels given are simulated"

#define PHASES_HELP \
	"only parts of a program: skip S instructions, warm the caches with W, count E, " \
	"and repeat; auto is 4600K,200K,200K, with less warming once L2 has been filled; marked: " \
	"the program marks what is counted (ccsample-marks.h), the rest warms the caches [all is " \
	"counted]"

/* Parser of --phases; the target is a struct phases. */
int sim_phases(const struct option_row *row, const char *value, void *phases);

extern const char *const trace_formats[];	/* choices of --format */

/* "full", "fifo", "reuse": as --classify takes them. */
const char *sim_detector_name(enum detector detector);

/* Runs `ccsample sim` with its struct sim_arguments. */
int sim_main(void *options);

/**
 * sim_request() - what a recorder is asked for.
 * @plan: what is simulated
 *
 * Return: 0, or -1 after one line on standard error.
 */
int sim_request(const struct sim_arguments *arguments, const struct hierarchy_plan *plan,
		struct record_request *request);

/**
 * sim_run() - run a program through the engine, simulated.
 * @listener: takes its records
 *
 * Return: its status as a shell gives it, or -1 after one line on standard error.
 */
int sim_run(const struct sim_arguments *arguments, struct record_request *request,
	    const struct images_listener *listener);

/* What was found: the results are its own from now on. @pages: that were asked for */
struct sim_findings *sim_found(const struct sim_arguments *arguments, struct sim_results *results,
			       const struct page_plan *pages);

#endif /* CCSAMPLE_CMD_SIM_OPTIONS_H */
