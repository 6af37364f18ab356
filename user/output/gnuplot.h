/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures: a data file and a script for gnuplot, and gnuplot run on them. */
#ifndef CCSAMPLE_OUTPUT_GNUPLOT_H
#define CCSAMPLE_OUTPUT_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/output-file.h"

struct picture_options {
	const char *out;	/* the picture; its extension says the format: .svg, .png, .pdf */
	const char *title;	/* NULL = one that says what was recorded, "" = none */
	bool keep;		/* keep data and script next to the picture */
};

/* Whether a picture can be written to this file, NULL = none. Return: 0, or -1 after one line. */
int picture_check(const char *out);

/*
 * In the parent of a sandbox: what picture_begin() and picture_end() need there. Return: as above.
 */
int picture_reserve(const struct picture_options *options);

/* A picture in the making. */
struct picture {
	const char *out;
	bool kept;		/* data and script are kept next to the picture */
	bool runnable;		/* there is a gnuplot */
	bool svg;
	char *directory;	/* temporary, NULL = none */
	char *errors_path;	/* gnuplot's complaints, in it */
	char *data_path;
	char *script_path;
	struct output_file data_file, script_file;
	FILE *data;		/* the streams of these, NULL = not open */
	FILE *script;
};

/**
 * picture_begin() - open data and script; the script sets terminal and output.
 * @width: of the picture as an SVG, in pixels
 *
 * Return: 0, or -1 after one line on standard error.
 */
int picture_begin(struct picture *picture, const struct picture_options *options, int width,
		  int height);

/* Runs gnuplot, cleans up. Return: 0, or -1 after one line on standard error. */
int picture_end(struct picture *picture);

/* The colour of a picture's curve @number, from 0; they come round again after PICTURE_COLOURS. */
#define PICTURE_COLOURS 7
const char *picture_colour(size_t number);

/* Writes a string as gnuplot reads it, quotes included. */
void picture_quote(FILE *script, const char *text);

#endif /* CCSAMPLE_OUTPUT_GNUPLOT_H */
