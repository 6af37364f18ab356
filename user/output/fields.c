// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output/fields.h"
#include "output/text.h"

void fields_begin(struct fields *fields, FILE *out, enum fields_form form, const char *schema)
{
	*fields = (struct fields) { .form = form, .json.out = out };
	if (form != FIELDS_JSON)
		return;
	json_open_flat(&fields->json, '{');
	json_put_schema(&fields->json, schema);
}

void fields_end(struct fields *fields)
{
	if (fields->form == FIELDS_JSON)
		json_close(&fields->json, '}');
	else
		fputc('\n', fields->json.out);
}

/* Return: true if the value is to follow as CSV, false for JSON, and for a header. */
static bool csv_follows(struct fields *fields, const char *name)
{
	if (fields->form == FIELDS_JSON) {
		json_key(&fields->json, name);
		return false;
	}
	if (fields->count++)
		fputc(',', fields->json.out);
	if (fields->form == FIELDS_CSV)
		return true;
	fputs(name, fields->json.out);
	return false;
}

/* What begins so is a formula to spreadsheets; it may run programs (OWASP, "CSV Injection"). */
static bool is_formula(const char *text)
{
	return text[0] && text[1] && strchr("=+-@", text[0]);
}

/* Cleaned, for CSV is looked at in terminals too; quoted where it must be. */
static void put_text(FILE *out, const char *text)
{
	char *clean = text_clean(text), *at;
	size_t size = strlen(clean);
	bool quoted = clean[strcspn(clean, "\",")] ||
		      (size && (clean[0] == ' ' || clean[size - 1] == ' '));

	if (quoted)
		fputc('"', out);
	if (is_formula(clean))
		fputc('\'', out);
	for (at = clean; *at; at++) {
		fputc(*at, out);
		if (*at == '"')
			fputc('"', out);
	}
	if (quoted)
		fputc('"', out);
	free(clean);
}

void field_text(struct fields *fields, const char *name, const char *text)
{
	if (csv_follows(fields, name) && text)
		put_text(fields->json.out, text);
	else if (fields->form == FIELDS_JSON)
		json_string(&fields->json, text);
}

void field_count(struct fields *fields, const char *name, uint64_t count)
{
	field_known(fields, name, true, count);
}

void field_known(struct fields *fields, const char *name, bool known, uint64_t count)
{
	if (csv_follows(fields, name) && known)
		fprintf(fields->json.out, "%" PRIu64, count);
	else if (fields->form == FIELDS_JSON && known)
		json_count(&fields->json, count);
	else if (fields->form == FIELDS_JSON)
		json_null(&fields->json);
}

void field_number(struct fields *fields, const char *name, bool known, double number)
{
	char text[32];

	number_text(text, number);
	if (csv_follows(fields, name) && known)
		fputs(text, fields->json.out);
	else if (fields->form == FIELDS_JSON && known)
		json_number(&fields->json, number);
	else if (fields->form == FIELDS_JSON)
		json_null(&fields->json);
}

void field_address(struct fields *fields, const char *name, bool known, uint64_t address)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	field_text(fields, name, known ? text : NULL);
}
