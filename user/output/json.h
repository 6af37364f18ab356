/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON (RFC 8259), written as it goes: always valid UTF-8, never a number that is none. */
#ifndef CCSAMPLE_OUTPUT_JSON_H
#define CCSAMPLE_OUTPUT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH 16

struct json {
	FILE *out;
	size_t depth;
	size_t flat;			/* depth of the container written on one line, 0 = none */
	bool filled[JSON_DEPTH];	/* the container has an element */
	bool keyed;			/* a key was written, its value follows */
};

/* The form of all JSON that is printed; a new one where keys change their meaning or go. */
#define JSON_VERSION 1

/**
 * json_begin() - open the object that is the whole output.
 * @schema: its name in docs/schema, "report"
 *
 * Its first keys are "ccsample", the program's version, and "schema", "report/1".
 */
void json_begin(struct json *json, const char *schema);

/* The same key of a row that is an object by itself. */
void json_put_schema(struct json *json, const char *schema);

/* A value's key comes first inside an object: json_key(), then the value. */
void json_key(struct json *json, const char *key);

/* @bracket: '{' or '['. json_open_flat() keeps the container on one line. */
void json_open(struct json *json, char bracket);
void json_open_flat(struct json *json, char bracket);
void json_close(struct json *json, char bracket);

void json_string(struct json *json, const char *text);	/* NULL gives null */
void json_count(struct json *json, uint64_t count);
void json_number(struct json *json, double number);	/* not finite gives null */
void json_bool(struct json *json, bool value);
void json_null(struct json *json);

/* A key and its value. */
void json_put_string(struct json *json, const char *key, const char *text);
void json_put_count(struct json *json, const char *key, uint64_t count);
void json_put_number(struct json *json, const char *key, double number);
void json_put_bool(struct json *json, const char *key, bool value);
void json_put_known(struct json *json, const char *key, uint64_t count);	/* 0 gives null */
void json_put_named(struct json *json, const char *key, const char *text);	/* "" gives null */
void json_put_address(struct json *json, const char *key, uint64_t address);	/* "0x401136" */

/* A key, and its container opened. */
void json_open_under(struct json *json, const char *key, char bracket);
void json_open_flat_under(struct json *json, const char *key, char bracket);

/* A number that reads back as the same double; "" where it is not finite. @text: 32 bytes. */
void number_text(char *text, double number);

#endif /* CCSAMPLE_OUTPUT_JSON_H */
