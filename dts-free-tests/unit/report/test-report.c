// SPDX-License-Identifier: GPL-2.0-only
/* JSON and CSV, on findings made up here: well-formed and complete. */
#include <ctype.h>

#include "tap.h"
#include "hostile-findings.h"
#include "output/text.h"
#include "report/views.h"

/* ---- a strict reader of JSON (RFC 8259), written apart from the writer ---- */

enum json_kind {
	JSON_BAD, JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT
};

struct value {
	enum json_kind kind;
	double number;
	char *text;		/* of a string, a bool, a number */
	char **keys;		/* of an object */
	struct value *items;	/* of an array or object */
	size_t count;
};

static bool read_value(const char **at, struct value *value);

static void blanks(const char **at)
{
	*at += strspn(*at, " \t\r\n");
}

static int hex4(const char *at)
{
	int code = 0;

	for (int i = 0; i < 4; i++) {
		if (!isxdigit((unsigned char)at[i]))
			return -1;
		code = code * 16 + (isdigit((unsigned char)at[i]) ? at[i] - '0' :
				    tolower(at[i]) - 'a' + 10);
	}
	return code;
}

static void put_utf8(FILE *out, int code)
{
	if (code < 0x80)
		fputc(code, out);
	else if (code < 0x800)
		fprintf(out, "%c%c", 0xc0 | code >> 6, 0x80 | (code & 63));
	else
		fprintf(out, "%c%c%c", 0xe0 | code >> 12, 0x80 | (code >> 6 & 63),
			0x80 | (code & 63));
}

static bool read_escape(const char **at, FILE *out)
{
	static const char names[] = "\"\\/bfnrt", codes[] = "\"\\/\b\f\n\r\t";
	const char *name;
	int code;

	if (**at == 'u') {
		code = hex4(*at + 1);
		if (code <= 0 || (code >= 0xd800 && code < 0xe000))
			return false;
		put_utf8(out, code);
		*at += 5;
		return true;
	}
	name = **at ? strchr(names, **at) : NULL;
	if (!name)
		return false;
	fputc(codes[name - names], out);
	(*at)++;
	return true;
}

static bool read_string(const char **at, char **text)
{
	size_t size;
	FILE *out;
	bool good = true;

	if (**at != '"')
		return false;
	(*at)++;
	out = open_memstream(text, &size);
	while (good && **at != '"') {
		if ((unsigned char)**at < 0x20)
			good = false;
		else if (**at == '\\')
			good = (*at)++, read_escape(at, out);
		else
			fputc(*(*at)++, out);
	}
	fclose(out);
	(*at)++;
	return good;
}

static bool read_number(const char **at, struct value *value)
{
	const char *start = *at;
	size_t digits;

	*at += **at == '-';
	digits = strspn(*at, "0123456789");
	if (!digits || (digits > 1 && **at == '0'))
		return false;
	*at += digits;
	if (**at == '.') {
		digits = strspn(++*at, "0123456789");
		if (!digits)
			return false;
		*at += digits;
	}
	if (**at == 'e' || **at == 'E') {
		(*at)++;
		*at += **at == '+' || **at == '-';
		digits = strspn(*at, "0123456789");
		if (!digits)
			return false;
		*at += digits;
	}
	value->kind = JSON_NUMBER;
	value->text = strndup(start, *at - start);
	value->number = strtod(value->text, NULL);
	return true;
}

static bool read_container(const char **at, struct value *value)
{
	bool object = **at == '{';
	char close = object ? '}' : ']';

	value->kind = object ? JSON_OBJECT : JSON_ARRAY;
	(*at)++;
	blanks(at);
	if (**at == close)
		return (*at)++, true;
	for (;;) {
		size_t i = value->count++;

		value->items = realloc(value->items, value->count * sizeof(*value->items));
		memset(&value->items[i], 0, sizeof(*value->items));
		value->keys = realloc(value->keys, value->count * sizeof(*value->keys));
		value->keys[i] = NULL;
		blanks(at);
		if (object) {
			if (!read_string(at, &value->keys[i]))
				return false;
			for (size_t j = 0; j < i; j++)
				if (!strcmp(value->keys[j], value->keys[i]))
					return false;
			blanks(at);
			if (*(*at)++ != ':')
				return false;
		}
		if (!read_value(at, &value->items[i]))
			return false;
		blanks(at);
		if (**at == close)
			return (*at)++, true;
		if (*(*at)++ != ',')
			return false;
	}
}

static bool read_value(const char **at, struct value *value)
{
	static const struct {
		const char *word;
		enum json_kind kind;
	} words[] = { { "null", JSON_NULL }, { "true", JSON_BOOL }, { "false", JSON_BOOL } };

	blanks(at);
	if (**at == '{' || **at == '[')
		return read_container(at, value);
	if (**at == '"') {
		value->kind = JSON_STRING;
		return read_string(at, &value->text);
	}
	for (size_t i = 0; i < 3; i++) {
		if (strncmp(*at, words[i].word, strlen(words[i].word)))
			continue;
		value->kind = words[i].kind;
		value->text = strdup(words[i].word);
		*at += strlen(words[i].word);
		return true;
	}
	return read_number(at, value);
}

static void free_value(struct value *value)
{
	for (size_t i = 0; i < value->count; i++) {
		free_value(&value->items[i]);
		free(value->keys[i]);
	}
	free(value->keys);
	free(value->items);
	free(value->text);
}

/* The value at a path such as "loops.0.levels.0.cf", of kind JSON_BAD where there is none. */
static const struct value *find(const struct value *value, const char *path)
{
	static const struct value none;

	while (*path) {
		size_t size = strcspn(path, "."), i;

		for (i = 0; i < value->count; i++)
			if (value->kind == JSON_ARRAY ? (size_t)atoi(path) == i :
			    strlen(value->keys[i]) == size && !strncmp(value->keys[i], path, size))
				break;
		if (i == value->count)
			return &none;
		value = &value->items[i];
		path += size + (path[size] == '.');
	}
	return value;
}

static const struct view_options everything = { .full = true };

static void test_json(void)
{
	static const struct {
		const char *path;
		enum json_kind kind;
		const char *text;	/* NULL = whatever */
	} cases[] = {
		{ "ccsample", JSON_STRING, NULL }, { "source", JSON_STRING, "engine" },
		{ "complete", JSON_BOOL, "true" }, { "command.1", JSON_STRING, "1024" },
		{ "machine.cpu", JSON_STRING, NULL },
		{ "machine.caches.0.level", JSON_NUMBER, "1" },
		{ "machine.caches.0.size", JSON_NUMBER, "32768" },
		{ "machine.caches.0.ways", JSON_NUMBER, "8" },
		{ "machine.caches.0.sets", JSON_NUMBER, "64" },
		{ "machine.caches.0.line", JSON_NUMBER, "64" },
		{ "machine.caches.0.indexed", JSON_STRING, "virtual" },
		{ "machine.caches.0.slices", JSON_NUMBER, "1" },
		{ "events.0.name", JSON_STRING, "l1-miss" },
		{ "events.0.period", JSON_NUMBER, "1212" },
		{ "events.0.samples", JSON_NUMBER, "120000" },
		{ "events.0.lost", JSON_NUMBER, "0" }, { "events.0.foreign", JSON_NUMBER, "0" },
		{ "events.0.unresolved", JSON_NUMBER, "17" },
		{ "events.0.unnamed", JSON_NUMBER, "240" },
		{ "loops.0.id", JSON_NUMBER, "1" }, { "loops.0.parent", JSON_NULL, NULL },
		{ "loops.0.depth", JSON_NUMBER, "0" },
		{ "loops.0.function", JSON_STRING, "copy_tile" },
		{ "loops.0.file", JSON_STRING, "/home/user/src/tiled.c" },
		{ "loops.0.line", JSON_NUMBER, "57" }, { "loops.0.end_line", JSON_NULL, NULL },
		{ "loops.0.dso", JSON_STRING, "/home/user/bin/tiled" },
		{ "loops.0.address", JSON_STRING, "0x1149" },
		{ "loops.0.samples", JSON_NUMBER, "73440" },
		{ "loops.0.share", JSON_NUMBER, "0.612" },
		{ "loops.0.levels.0.level", JSON_NUMBER, "1" },
		{ "loops.0.levels.0.samples", JSON_NUMBER, "73440" },
		{ "loops.0.levels.0.sets_used", JSON_NUMBER, "64" },
		{ "loops.0.levels.0.cf", JSON_NUMBER, "0.912" },
		{ "loops.0.levels.0.expected_cf", JSON_NUMBER, "0.118" },
		{ "loops.0.levels.0.p_value", JSON_NUMBER, "0" },
		{ "loops.0.levels.0.conflict_share", JSON_NUMBER, "0.971" },
		{ "loops.0.levels.0.conflict_low", JSON_NUMBER, NULL },
		{ "loops.0.levels.0.conflict_high", JSON_NUMBER, NULL },
		{ "loops.0.levels.0.verdict", JSON_STRING, "conflict" },
		{ "loops.0.levels.0.rcd_cdf.0.0", JSON_NUMBER, "1" },
		{ "loops.0.levels.0.rcd_cdf.59.1", JSON_NUMBER, NULL },
		{ "loops.0.objects.0.id", JSON_NUMBER, "1" },
		{ "loops.0.objects.0.share", JSON_NUMBER, "0.603" },
		{ "loops.0.objects.0.stride", JSON_NULL, NULL },
		{ "loops.0.levels.0.objects.0.share", JSON_NUMBER, "0.603" },
		{ "machine.pages", JSON_NULL, NULL },
		{ "machine.caches.0.slice_hash", JSON_NULL, NULL },
		{ "loops.0.pairs", JSON_ARRAY, NULL },
		{ "loops.1.levels.0.verdict", JSON_STRING, "concentrated" },
		{ "loops.1.levels.0.reason", JSON_NULL, NULL },
		{ "loops.4.levels.0.reason", JSON_STRING, NULL },
		{ "loops.4.file", JSON_NULL, NULL }, { "loops.4.line", JSON_NULL, NULL },
		{ "loops.4.levels.0.conflict_share", JSON_NULL, NULL },
		{ "loops.4.levels.0.conflict_low", JSON_NULL, NULL },
		{ "loops.44.id", JSON_NUMBER, "45" },
		{ "objects.0.id", JSON_NUMBER, "1" },
		{ "objects.2.name", JSON_STRING, "lookup_table" },
		{ "objects.2.kind", JSON_STRING, "global" },
		{ "objects.2.where", JSON_STRING, "tables.c:12" },
		{ "objects.2.bytes", JSON_NUMBER, "49152" }, { "objects.4.bytes", JSON_NULL, NULL },
		{ "objects.2.samples", JSON_NUMBER, NULL },
		{ "objects.2.share", JSON_NUMBER, NULL },
	};
	struct findings *findings = fixture_findings();
	char *text = capture(report_json, findings, &everything);
	struct value root = { 0 };
	const char *at = text;
	bool good = read_value(&at, &root);

	ok(good && !strcmp(at, "\n"), "the report is JSON");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct value *value = find(&root, cases[i].path);

		ok(value->kind == cases[i].kind &&
		   (!cases[i].text || !strcmp(value->text, cases[i].text)), "JSON has %s",
		   cases[i].path);
	}
	free_value(&root);
	free(text);
	fixture_free(findings);
}

/* A string as JSON must hold it: bytes that are no UTF-8 replaced. */
static bool same_replaced(const char *given, const char *held)
{
	uint32_t a, b;
	size_t size_a, size_b;

	do {
		size_a = text_decode(given, &a);
		size_b = text_decode(held, &b);
		if (a != b)
			return false;
		given += size_a;
		held += size_b;
	} while (size_a && size_b);
	return !size_a && !size_b;
}

static bool same_number(const struct value *value, double number)
{
	return isfinite(number) ? value->kind == JSON_NUMBER && value->number == number :
				  value->kind == JSON_NULL;
}

static bool json_holds(const char *text, const struct findings *findings)
{
	struct value root = { 0 };
	const char *at = text;
	bool good = valid_utf8(text) && read_value(&at, &root) && !strcmp(at, "\n");
	const struct value *loops = find(&root, "loops");

	good = good && loops->count == findings->context_count;
	for (size_t i = 0; good && i < loops->count; i++) {
		const struct context *context = &findings->contexts[i];
		const struct value *cf = find(&loops->items[i], "levels.0.cf");

		good = same_replaced(context->region.function,
				     find(&loops->items[i], "function")->text) &&
		       same_number(cf, context->levels[0].summary.cf) &&
		       find(&loops->items[i], "levels.0.rcd_cdf")->count ==
		       context->levels[0].cdf_points;
	}
	good = good && same_replaced(findings->cpu, find(&root, "machine.cpu")->text);
	free_value(&root);
	return good;
}

/* One field of CSV, allocated; *end is what follows it: ',' or '\n', 0 where quotes are wrong. */
static char *csv_field(const char **at, char *end)
{
	char *field = NULL;
	size_t size;
	FILE *out = open_memstream(&field, &size);
	bool quoted = **at == '"';

	*at += quoted;
	for (;; (*at)++) {
		if (quoted && **at == '"' && (*at)[1] == '"')
			(*at)++;
		else if (!**at || (quoted ? **at == '"' : **at == ',' || **at == '\n'))
			break;
		else if (!quoted && (**at == '"' || **at == '\r'))
			break;
		fputc(**at, out);
	}
	fclose(out);
	*at += quoted && **at == '"';
	*end = **at == ',' || **at == '\n' ? *(*at)++ : 0;
	return field;
}

static size_t csv_header(const char **at, char **names, size_t most)
{
	size_t count = 0;
	char end = ',';

	while (end == ',' && count < most)
		names[count++] = csv_field(at, &end);
	return end == '\n' ? count : 0;
}

/* As CSV has names: what steers a terminal replaced, and nothing that is a formula. */
static bool same_shown(const char *name, const char *field)
{
	static const char *const steering[] = { "\r", "\033", "\x7f", "\xe2\x80\xae", "\xc2\x85" };
	char *shown = NULL;
	size_t size, i;
	FILE *out = open_memstream(&shown, &size);
	bool same;

	if (name[0] && name[1] && strchr("=+-@", name[0]))
		fputc('\'', out);
	while (*name) {
		for (i = 0; i < 5 && strncmp(name, steering[i], strlen(steering[i])); i++)
			;
		if (i < 5)
			fputc('?', out);
		else
			fputc(*name == '\n' || *name == '\t' ? ' ' : *name, out);
		name += i < 5 ? strlen(steering[i]) : 1;
	}
	fclose(out);
	same = same_replaced(shown, field);
	free(shown);
	return same;
}

static bool csv_cell(const struct findings *findings, size_t row, const char *name,
		     const char *field)
{
	const struct context *context = &findings->contexts[row];
	const struct rcd_summary *summary = &context->levels[0].summary;

	if (!strcmp(name, "function"))
		return same_shown(context->region.function, field);
	if (!strcmp(name, "file"))
		return same_shown(context->region.file ? context->region.file : "", field);
	if (!strcmp(name, "object"))
		return same_shown(context->levels[0].objects[0].object->name, field);
	if (!strcmp(name, "pressure"))
		return isfinite(summary->pressure) ? strtod(field, NULL) == summary->pressure :
						     !*field;
	if (!strcmp(name, "set_lines"))
		return isfinite(summary->set_lines) ? strtod(field, NULL) == summary->set_lines :
						      !*field;
	if (!strcmp(name, "cf"))
		return isfinite(summary->cf) ? strtod(field, NULL) == summary->cf : !*field;
	if (!strcmp(name, "conflict_share"))
		return summary->has_conflict_share ?
		       strtod(field, NULL) == summary->conflict_share : !*field;
	if (!strcmp(name, "samples"))
		return strtoull(field, NULL, 10) == context->levels[0].samples;
	if (!strcmp(name, "verdict"))
		return !strcmp(field, rcd_verdict_name(summary->verdict));
	return true;
}

static bool csv_holds(const char *text, const struct findings *findings)
{
	char *names[64], end = 0;
	const char *at = text;
	size_t columns = csv_header(&at, names, 64), row = 0, column;
	bool good = valid_utf8(text) && columns > 20;

	for (row = 0; good && *at; row++) {
		for (column = 0; good && column < columns; column++) {
			char *field = csv_field(&at, &end);

			good = end == (column + 1 == columns ? '\n' : ',') &&
			       row < findings->context_count &&
			       csv_cell(findings, row, names[column], field);
			if (!good)
				printf("# row %zu, %s: '%s'\n", row, names[column], field);
			free(field);
		}
	}
	while (columns)
		free(names[--columns]);
	return good && row == findings->context_count;
}

/* What a terminal would obey: C0 and DEL, and C1 as UTF-8. */
static bool no_controls(const char *text)
{
	for (const unsigned char *at = (const unsigned char *)text; *at; at++)
		if ((*at < 0x20 && *at != '\n') || *at == 0x7f ||
		    (*at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0))
			return false;
	return true;
}

static void test_hostile(void)
{
	size_t quiet = 0, json = 0, csv = 0, rounds = 60;

	for (size_t i = 0; i < rounds; i++) {
		struct hostile *hostile = hostile_new(i == 0 ? 3000 : i % 40 + 1);
		char *written = capture(report_json, hostile->findings, &everything);

		json += json_holds(written, hostile->findings);
		quiet += no_controls(written);
		free(written);
		written = capture(report_csv, hostile->findings, &everything);
		csv += csv_holds(written, hostile->findings) && no_controls(written);
		free(written);
		hostile_free(hostile);
	}
	ok(json == rounds, "hostile names: JSON holds them in %zu of %zu", json, rounds);
	ok(quiet == rounds, "hostile names: JSON holds no control characters in %zu of %zu", quiet,
	   rounds);
	ok(csv == rounds, "hostile names: CSV holds them in %zu of %zu", csv, rounds);
}

static void test_csv(void)
{
	struct findings *findings = fixture_findings();
	struct view_options two = { .top = 2 };
	char *text = capture(report_csv, findings, &everything);
	size_t lines = 0;

	ok(csv_holds(text, findings), "CSV holds all contexts in full precision");
	free(text);
	text = capture(report_csv, findings, &two);
	for (const char *at = text; *at; at++)
		lines += *at == '\n';
	ok(lines == 3, "--top holds for CSV");
	free(text);
	fixture_free(findings);
}

int main(int argc, char **argv)
{
	fixture_begin(argc, argv);
	test_json();
	test_csv();
	test_hostile();
	return done();
}
