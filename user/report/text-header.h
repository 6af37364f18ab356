/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_REPORT_TEXT_HEADER_H
#define CCSAMPLE_REPORT_TEXT_HEADER_H

#include <stdbool.h>
#include <stdio.h>

#include "findings/findings.h"
#include "report/rows.h"

/* The head of the whole text report. */
void report_header(FILE *out, const struct findings *findings, bool colour);

/*
 * Of the short one: only what its figures rest on, and what speaks against them. Return: does it
 * say what tells more, as the intervals of the misses are wide?
 */
bool report_short_header(FILE *out, const struct findings *findings,
			 const struct view_options *options);

/*
 * Parts of it, to be freed: the recording; its caches, and what the sets of the outer ones rest on;
 * how often it misses; how much of that is conflicts, of all code together; how many references
 * could gain. NULL = nothing is known.
 */
char *report_recording_text(const struct findings *findings, const struct view_options *options);
char *report_caches_text(const struct findings *findings, const struct view_options *options);
char *report_misses_text(const struct findings *findings, const struct view_options *options);
char *report_conflicts_text(const struct findings *findings, const struct view_options *options);
char *report_worth_text(const struct findings *findings, const struct view_options *options);

/* An event's samples that were lost, or lack something. @all: what is 0, too */
void report_losses(FILE *out, const struct event_totals *event, bool all, bool colour);

/* The command line, shortened to as much as @lines lines hold; allocated. */
char *report_command_text(const struct findings *findings, size_t lines);
void report_command(FILE *out, const struct findings *findings, size_t lines, bool colour);

#endif /* CCSAMPLE_REPORT_TEXT_HEADER_H */
