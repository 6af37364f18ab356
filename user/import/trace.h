/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traces of memory references that other tools wrote, as text:
 *
 *   lackey  Valgrind's `--tool=lackey --trace-mem=yes`: "I  addr,size", " L addr,size",
 *           " S addr,size", " M addr,size"; hexadecimal addresses, decimal sizes
 *   din     Dinero's: "0|1|2 addr [size]" for read, write, instruction fetch; without a size
 *           a reference touches one byte
 *
 * Plain or zstd. Nothing is trusted: lines that are none of these are counted and passed over.
 */
#ifndef CCSAMPLE_IMPORT_TRACE_H
#define CCSAMPLE_IMPORT_TRACE_H

#include <stddef.h>
#include <stdint.h>

enum reference_kind { REFERENCE_FETCH, REFERENCE_LOAD, REFERENCE_STORE, REFERENCE_MODIFY };

#define REFERENCE_SIZE_MAX (1u << 20)

struct reference {
	uint64_t address;	/* its last byte lies below 2^64 */
	uint32_t size;		/* bytes, 1 .. REFERENCE_SIZE_MAX */
	enum reference_kind kind;
};

enum trace_line {
	TRACE_REFERENCE,
	TRACE_REMARK,		/* the tool's own words, or nothing */
	TRACE_BAD,
};

struct trace_format {
	const char *name;

	/* @text .. @end: a line without its end. @reference is filled for TRACE_REFERENCE. */
	enum trace_line (*parse)(const char *text, const char *end, struct reference *reference);
};

extern const struct trace_format trace_lackey, trace_din;

struct trace;

/**
 * trace_open() - begin to read a trace.
 * @path: "-" = standard input
 * @format: "lackey", "din" or "auto", which takes the first line that either knows
 *
 * Return: the trace, or NULL after one line on standard error.
 */
struct trace *trace_open(const char *path, const char *format);
void trace_close(struct trace *trace);

/* Return: references read, 0 at the end, -1 after one line on standard error. */
long trace_read(struct trace *trace, struct reference *references, size_t most);

const char *trace_format_name(const struct trace *trace);
uint64_t trace_lines(const struct trace *trace);	/* read so far */
uint64_t trace_bad_lines(const struct trace *trace);
uint64_t trace_first_bad(const struct trace *trace);	/* its number, from 1; 0 = none */

/* For formats: a number up to a character that is none of its digits; false if there is none. */
int trace_hex(const char **text, const char *end, uint64_t *value);
int trace_decimal(const char **text, const char *end, uint64_t *value);

/* For formats: checks address and size, and fills. */
enum trace_line trace_fill(struct reference *reference, enum reference_kind kind,
			   uint64_t address, uint64_t size);

#endif /* CCSAMPLE_IMPORT_TRACE_H */
