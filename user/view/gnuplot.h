/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures: a data file and a script for gnuplot, and gnuplot run on them. */
#ifndef CCSAMPLE_VIEW_GNUPLOT_H
#define CCSAMPLE_VIEW_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/findings.h"

struct comparison;

struct plot_options {
	const char *out;	/* the picture; its extension says the format: .svg, .png, .pdf */
	const char *title;	/* NULL = one that tells what was recorded, "" = none */
	uint32_t level;		/* 0 = the first level sampled */
	uint32_t loop;		/* id of the only context to show, 0 = the top ones */
	size_t top;		/* most contexts of an input */
	const struct comparison *matched;	/* which code of two inputs is the same; NULL = by
						 * function and line
						 */
	bool keep;		/* leave data and script beside the picture */
};

/* NULL, or why no picture can be written to this file. */
const char *plot_trouble(const char *out);

/**
 * plot_cdf() - distributions of RCD, a curve a context, all inputs in one picture.
 * @findings: @count of them
 *
 * Return: 0, or -1 after one line on standard error.
 */
int plot_cdf(const struct findings *const *findings, size_t count,
	     const struct plot_options *options);

/* plot_sets() - misses by set and time: findings->map. Return: as plot_cdf(). */
int plot_sets(const struct findings *findings, const struct plot_options *options);

/* For the two above: a picture in the making. */
struct picture {
	const char *out;
	bool beside;		/* data and script stand beside the picture and stay */
	bool runnable;		/* there is a gnuplot */
	bool svg;
	char *directory;	/* temporary, NULL = none */
	char *data_path;
	char *script_path;
	FILE *data;
	FILE *script;
};

/**
 * picture_begin() - open data and script; the script sets terminal and output.
 * @width: of the picture as an SVG, in pixels
 *
 * Return: 0, or -1 after one line on standard error.
 */
int picture_begin(struct picture *picture, const struct plot_options *options, int width,
		  int height);

/* Runs gnuplot, cleans up. Return: 0, or -1 after one line on standard error. */
int picture_end(struct picture *picture);

/* The colour of a picture's curve @number, from 0; they come round again after PICTURE_COLOURS. */
#define PICTURE_COLOURS 7
const char *picture_colour(size_t number);

/* Writes a string as gnuplot reads it, quotes included. */
void picture_quote(FILE *script, const char *text);

#endif /* CCSAMPLE_VIEW_GNUPLOT_H */
