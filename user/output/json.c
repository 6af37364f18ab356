// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "output/json.h"
#include "output/text.h"

static void new_line(struct json *json)
{
	if (json->flat) {
		fputc(' ', json->out);
		return;
	}
	fprintf(json->out, "\n%*s", (int)(2 * json->depth), "");
}

/* What stands between the last value and the next one. */
static void separate(struct json *json)
{
	if (json->keyed) {
		json->keyed = false;
		return;
	}
	if (!json->depth)
		return;
	if (json->filled[json->depth])
		fputc(',', json->out);
	if (json->filled[json->depth] || !json->flat)
		new_line(json);
	json->filled[json->depth] = true;
}

static void write_string(FILE *out, const char *text)
{
	uint32_t code;
	size_t size;

	fputc('"', out);
	for (; (size = text_decode(text, &code)); text += size) {
		if (code == TEXT_REPLACEMENT)
			fputs("\\ufffd", out);
		else if (text_unprintable(code))
			fprintf(out, "\\u%04" PRIx32, code);
		else if (code == '"' || code == '\\')
			fprintf(out, "\\%c", (int)code);
		else
			fwrite(text, 1, size, out);
	}
	fputc('"', out);
}

void json_key(struct json *json, const char *key)
{
	separate(json);
	write_string(json->out, key);
	fputs(": ", json->out);
	json->keyed = true;
}

void json_open(struct json *json, char bracket)
{
	separate(json);
	fputc(bracket, json->out);
	json->filled[++json->depth] = false;
}

void json_open_flat(struct json *json, char bracket)
{
	json_open(json, bracket);
	if (!json->flat)
		json->flat = json->depth;
}

void json_close(struct json *json, char bracket)
{
	bool filled = json->filled[json->depth], flat = json->flat;

	if (json->flat == json->depth)
		json->flat = 0;
	json->depth--;
	if (filled && !flat)
		new_line(json);
	fputc(bracket, json->out);
	if (!json->depth)
		fputc('\n', json->out);
}

void json_put_schema(struct json *json, const char *schema)
{
	char text[64];

	snprintf(text, sizeof(text), "%s/%d", schema, JSON_VERSION);
	json_put_string(json, "schema", text);
}

void json_begin(struct json *json, const char *schema)
{
	json_open(json, '{');
	json_put_string(json, "ccsample", CCSAMPLE_VERSION);
	json_put_schema(json, schema);
}

void json_string(struct json *json, const char *text)
{
	if (!text) {
		json_null(json);
		return;
	}
	separate(json);
	write_string(json->out, text);
}

void json_count(struct json *json, uint64_t count)
{
	separate(json);
	fprintf(json->out, "%" PRIu64, count);
}

void number_text(char *text, double number)
{
	text[0] = '\0';
	if (!isfinite(number))
		return;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, 32, "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			return;
	}
}

void json_number(struct json *json, double number)
{
	char text[32];

	if (!isfinite(number)) {
		json_null(json);
		return;
	}
	number_text(text, number);
	separate(json);
	fputs(text, json->out);
}

void json_bool(struct json *json, bool value)
{
	separate(json);
	fputs(value ? "true" : "false", json->out);
}

void json_null(struct json *json)
{
	separate(json);
	fputs("null", json->out);
}

void json_put_string(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_string(json, text);
}

void json_put_count(struct json *json, const char *key, uint64_t count)
{
	json_key(json, key);
	json_count(json, count);
}

void json_put_number(struct json *json, const char *key, double number)
{
	json_key(json, key);
	json_number(json, number);
}

void json_put_bool(struct json *json, const char *key, bool value)
{
	json_key(json, key);
	json_bool(json, value);
}

void json_put_known(struct json *json, const char *key, uint64_t count)
{
	json_key(json, key);
	if (count)
		json_count(json, count);
	else
		json_null(json);
}

void json_put_named(struct json *json, const char *key, const char *text)
{
	json_put_string(json, key, text && *text ? text : NULL);
}

void json_put_address(struct json *json, const char *key, uint64_t address)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	json_put_string(json, key, text);
}

void json_open_under(struct json *json, const char *key, char bracket)
{
	json_key(json, key);
	json_open(json, bracket);
}

void json_open_flat_under(struct json *json, const char *key, char bracket)
{
	json_key(json, key);
	json_open_flat(json, bracket);
}
