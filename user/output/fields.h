/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of named fields, written as CSV (RFC 4180, lines end in LF) or as JSON Lines: the same
 * walk over a row gives the header, a line of CSV, or an object.
 */
#ifndef CCSAMPLE_OUTPUT_FIELDS_H
#define CCSAMPLE_OUTPUT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "output/json.h"

enum fields_form {
	FIELDS_NAMES,			/* the header of CSV: values are not looked at */
	FIELDS_CSV,
	FIELDS_JSON,
};

struct fields {
	enum fields_form form;
	struct json json;
	size_t count;			/* of this row, so far */
};

/* @schema: of JSON Lines, as json_begin() has it; columns of CSV have names alone. */
void fields_begin(struct fields *fields, FILE *out, enum fields_form form, const char *schema);
void fields_end(struct fields *fields);

/* What is unknown is empty in CSV and null in JSON. */
void field_text(struct fields *fields, const char *name, const char *text);	/* NULL: unknown */
void field_count(struct fields *fields, const char *name, uint64_t count);
void field_known(struct fields *fields, const char *name, bool known, uint64_t count);
void field_number(struct fields *fields, const char *name, bool known, double number);
void field_address(struct fields *fields, const char *name, bool known, uint64_t address);

#endif /* CCSAMPLE_OUTPUT_FIELDS_H */
