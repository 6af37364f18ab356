/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of a page share. */
#ifndef CCSAMPLE_PAGE_INTERNAL_H
#define CCSAMPLE_PAGE_INTERNAL_H

#include <stdbool.h>
#include <stdio.h>

#include "loops/code.h"
#include "output/text.h"
#include "page/page.h"
#include "program/source-line.h"
#include "report/advice.h"
#include "report/entry.h"

#define PAGE_LEVELS	8
#define PAGE_NAME	90	/* columns of a name of code or data */

struct page {
	FILE *out;
	const struct findings *findings;
	const struct view_options *view;
	const struct tallies *tallies;
	const struct keep *keep;	/* NULL = there are no bursts of references */
	struct sources *sources;	/* of programs */
	struct decoder *decoder;
	uint32_t levels[PAGE_LEVELS];	/* shown */
	size_t level_count;
	size_t ids;			/* given so far, to titles and captions */
};

/* --- frame.c: what all pages begin and end with --- */

/* @title, @heading: any text; of the document, and shown. @lead: below, NULL = nothing */
void page_begin(FILE *out, const char *title, const char *heading, const char *lead);
void page_end(FILE *out);

/*
 * report.c: the same of findings of a program. @about: in the title, behind the program's name;
 * @heading: before it
 */
void page_begin_of(FILE *out, const struct findings *findings, const char *about,
		   const char *heading);

/* Its command line, cut to some lines. */
char *page_command(const struct findings *findings);

/* A link to each part that there is. @parts: pairs of id and name, ended by NULL */
void page_contents(FILE *out, const char *const *parts);

/* A heading of a part of the page. */
void page_part(FILE *out, const char *id, const char *heading);

/* --- words.c --- */

/* "conflict", as a coloured word; report_is_small() has no colour. @share: of the misses */
void page_badge(FILE *out, const struct rcd_summary *summary, double share);

/*
 * Texts, quoted and freed, within markup. A name and its text, as an entry of a <dl class="facts">,
 * or of another <dl>; nothing for NULL
 */
void page_fact(FILE *out, const char *name, char *text);
void page_pair(FILE *out, const char *name, char *text);

/* A finding in one sentence. @class: its colour, a verdict's name or "" */
void page_lead(FILE *out, const char *class, char *text);

/* A paragraph that warns. */
void page_warn(FILE *out, char *text);

/* <li> */
void page_item(FILE *out, char *text);

/* A row up to its first cell, with a name of code or data; and a further cell with one, or NULL. */
void page_row_name(FILE *out, char *text);
void page_name(FILE *out, char *text);

/* Below a table: that so many rows were left out; nothing for 0. */
void page_more(FILE *out, size_t count);

/* <td> with a number that sorts as @value; quoted, freed. @class: more classes, or "" */
void page_number(FILE *out, double value, char *text, const char *class);

/* The same of a share, with a bar. */
void page_share(FILE *out, double share);

/* <td> with the share that a part has, or empty. @most: coloured by its share of that, unless 0 */
void page_part_share(FILE *out, double part, double whole, double most);

/* Texts, quoted, as a list; frees each. */
void page_list(FILE *out, char **texts, size_t count);

/* A conflict share with its interval. */
void page_conflicts(FILE *out, const struct rcd_summary *summary);

/* Text in at most PAGE_NAME columns; what is given is freed. */
char *page_fit(char *text, enum text_fit how);

/* Names in at most PAGE_NAME columns, freed by the caller. */
char *page_function(const struct code_region *region);
char *page_place(const struct code_region *region);
char *page_object(const struct object *object);

/* "place in function"; of a function without a name, that alone. Return: to be freed. */
char *page_site(const struct code_region *region);

/* With the place, where others in the list are called the same. Return: to be freed. */
char *page_object_among(const struct object *object, const struct object *const *others,
			size_t count);

/* 1 to 8: a class of colour, 0 = none, by how much of @most it is. */
unsigned int page_heat(double value, double most);

/* What stands where a level's name does: "L1D", "L2". */
char *page_level_name(uint32_t level);

/* --- table.c --- */

struct page_column {
	const char *name;
	bool right;			/* of numbers */
};

/**
 * page_table() - begin a table, up to its first row.
 * @caption: what it shows, quoted; NULL = the caller wrote it before
 * @classes: of the table: "sortable", "source", "tall" for one that scrolls by itself
 * @columns: ended by one without a name
 */
void page_table(struct page *page, const char *name, const char *caption, const char *classes,
		const struct page_column *columns);

/*
 * The same, and behind @first, for each of the page's levels, columns of @each: "L2 misses". Both
 * are ended by one without a name
 */
void page_level_table(struct page *page, const char *name, const char *caption,
		      const char *classes, const struct page_column *first,
		      const struct page_column *each);
void page_table_end(struct page *page);

/* --- svg.c --- */

/* A picture with a title and a description for those who do not see it; both are quoted. */
void svg_begin(struct page *page, int width, int height, const char *title, const char *text);
void svg_end(struct page *page);

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

void svg_text(struct page *page, double x, double y, enum svg_anchor anchor, const char *text);
void svg_text_free(struct page *page, double x, double y, enum svg_anchor anchor, char *text);

/* A rectangle, as part of a path's "d"; and a line across, a path of a class. */
void svg_rectangle(struct page *page, double x, double y, double width, double height);
void svg_line(struct page *page, const char *class, double x, double y, double width);

/* Columns of colour: counts[row * columns + column], from the top left. */
struct svg_heat {
	const double *values;
	size_t rows, columns;
	double most;			/* what has the strongest colour; 0 = the largest */
	double x, y, width, height;
};

void svg_heat(struct page *page, const struct svg_heat *heat);

/* A round distance of ticks on an axis from 0 to @most, which is more than 0. */
double svg_step(double most);

/* Below an area that is @count sets wide: numbers of sets. */
void svg_set_axis(struct page *page, double x, double y, double width, uint32_t sets);

/* --- code.c, loop.c: what the script finds pieces of code by --- */

/* A field that filters the table of class code-table. */
void page_search(FILE *out);

/* The first three cells of its rows: id, function, where. @detailed: it has a part of its own */
void page_row_begin(FILE *out, const struct code_region *region, bool detailed);

/* Which part is shown. */
void page_choice(FILE *out, const struct code_region *const *regions, size_t count);

/* Such a part, <section class="loop">, up to its heading. */
void page_loop_begin(FILE *out, const struct code_region *region);

/* --- the parts of a report, each nothing where there is nothing to show --- */

void page_verdict(struct page *page);				/* verdict.c */
void page_code(struct page *page, size_t details);		/* code.c */
size_t page_details(struct page *page);				/* code.c: how many have one */
void page_loop(struct page *page, const struct context *context);	/* loop.c */
void page_source(struct page *page, const struct context *context, uint32_t level);
/* source.c; @sites: of one level, in the order of files and lines */
void page_lines(struct page *page, const struct code_region *region,
		const struct site_tally *sites, size_t count);
void page_assembly(struct page *page, const struct context *context, uint32_t level);
void page_sets(struct page *page, const struct level_findings *level);	/* sets.c */
/* @near: what the misses in rcd_set.near are, "on a set ..." */
void page_set_bars(struct page *page, const struct rcd_set *by_set, uint32_t sets,
		   const char *near);
/* cdf.c; @before: of another recording, to compare with, NULL = none */
void page_cdf(struct page *page, const struct level_findings *level,
	      const struct level_findings *before);
void page_folds(struct page *page, const struct context *context,
		const struct level_findings *level);		/* folds.c */
void page_evictors(struct page *page, const struct level_findings *level);

#define MATRIX_MOST	(2 * FINDINGS_PAIRS)

/* Objects by the lines that they evict: shares[victim][evictor]. Zeroed, it is empty. */
struct matrix {
	const struct object *objects[MATRIX_MOST];
	double shares[MATRIX_MOST][MATRIX_MOST], most;
	size_t count;
};

/* Objects beyond MATRIX_MOST are left out: the largest shares come first. */
void matrix_add(struct matrix *matrix, const struct object *victim, const struct object *evictor,
		double share);
void page_matrix(struct page *page, const struct matrix *matrix, const char *caption);

void page_layout(struct page *page, const struct entry *entry);	/* layout.c */
void page_cure_layout(struct page *page, const struct cure *cure);
void page_set_map(struct page *page);				/* set-map.c */
void page_data(struct page *page);				/* data.c */
void page_machine(struct page *page);				/* machine.c */
void page_recordings(struct page *page);			/* recordings.c */
void page_losses(struct page *page);				/* losses.c */

#endif /* CCSAMPLE_PAGE_INTERNAL_H */
