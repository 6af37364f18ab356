// SPDX-License-Identifier: GPL-2.0-only
/* The views, on findings made up here: what is written is well-formed, complete and fits. */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <locale.h>
#include <unistd.h>
#include <wchar.h>

#include "tap.h"
#include "view-fixture.h"
#include "plot/plots.h"
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

/* ---- what is common ---- */

static bool valid_utf8(const char *text)
{
	mbstate_t state = { 0 };
	size_t size = mbsrtowcs(NULL, &text, 0, &state);

	return size != (size_t)-1;
}

/* What is wrong with a report's lines, or NULL; columns as the C library counts them. */
static const char *line_error(const char *text)
{
	static wchar_t wide[4096];

	while (*text) {
		size_t size = strcspn(text, "\n");
		char *line = strndup(text, size);
		size_t count = mbstowcs(wide, line, 4096);
		int width = count < 4096 ? wcswidth(wide, count) : -1;
		bool blank = size && line[size - 1] == ' ';

		if (width < 0 || width > TEXT_WIDE || blank) {
			printf("# %s\n", line);
			free(line);
			return width < 0 ? "unprintable" : blank ? "ends in a blank" : "too wide";
		}
		free(line);
		text += size + (text[size] == '\n');
	}
	return NULL;
}

static const struct view_options folded = { .top = 20, .fold = true, .full = true };
static const struct view_options brief = { .top = 20, .fold = true };
static const struct view_options everything = { .full = true };

/* ---- names that nobody should have ---- */

static char *hostile_name(size_t most)
{
	static const char *const pieces[] = {
		"a", "Zz", "operator<<", "operator()", "::", "<", ">", "(", ")", " ", ",", "\"",
		"'", "\\", "\n", "\r\n", "\t", "\033[31m", "\x7f", "\xff", "\xc3", "\xe2\x82",
		"\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\xaf", "\xc3\xa9", "\xe4\xb8\xad",
		"e\xcc\x81", "\xf0\x9f\x98\x80", "\xe2\x80\xae", "`id`", "$(id)", "%s%n", "/", "_",
		"{", "}", "@", "|", "std::vector<int, std::allocator<int> >",
		"(anonymous namespace)", "const&", "=", "-", "0", "\xc2\x85",
		"\xef\xbf\xbd", "]", "[",
	};
	size_t count = fixture_random(most) + 1, size;
	char *name = NULL;
	FILE *out = open_memstream(&name, &size);

	while (count--)
		fputs(pieces[fixture_random(sizeof(pieces) / sizeof(*pieces))], out);
	fclose(out);
	return name;
}

static double hostile_number(void)
{
	static const double numbers[] = { 0, 1, 0.5, 1e-300, 0.9996, 1e-7, NAN, INFINITY, 1.0 / 3 };

	return numbers[fixture_random(sizeof(numbers) / sizeof(*numbers))];
}

struct hostile {
	struct findings *findings;
	struct object *objects;
	char *names[512];
	size_t name_count;
	char *command[4];
	struct remark remark;
};

static char *keep_name(struct hostile *hostile, size_t most)
{
	return hostile->names[hostile->name_count++] = hostile_name(most);
}

/* Parents that may be anything, even the context itself; pairs, strides and lines at will. */
static void hostile_nest(struct hostile *hostile, uint32_t id, size_t most)
{
	struct context *context = &hostile->findings->contexts[id - 1];
	struct level_findings *level = context->levels;

	fixture_nest(hostile->findings, id, fixture_random(id + 1), hostile_number(),
		     hostile_number());
	context->region.depth = fixture_random(2) ? context->region.depth :
		fixture_random(0x7fffffff);
	context->region.end_line = fixture_random(2) * 0xffffffffu;
	for (size_t i = 0; i < context->object_count; i++)
		level->objects[i].stride = fixture_random(2) * 0xffffffffffffffffull;
	level->pair_count = fixture_random(FINDINGS_PAIRS + 1);
	level->pairs = xcalloc(FINDINGS_PAIRS, sizeof(*level->pairs));
	for (size_t i = 0; i < level->pair_count; i++)
		level->pairs[i] = (struct pair_share){
			&hostile->objects[fixture_random(12)],
			&hostile->objects[fixture_random(12)], hostile_number(),
		};
	context->line_count = fixture_random(3);
	context->lines = xcalloc(FINDINGS_LINES, sizeof(*context->lines));
	for (size_t i = 0; i < context->line_count; i++)
		context->lines[i] = (struct line_share){
			fixture_random(2) ? keep_name(hostile, most) : NULL, 0xffffffffu,
			hostile_number(),
		};
}

static void hostile_contexts(struct hostile *hostile, size_t most)
{
	for (size_t i = 0; i < 25; i++) {
		struct fixture_context context = {
			keep_name(hostile, most),
			fixture_random(4) ? keep_name(hostile, most) : NULL,
			fixture_random(4) ? keep_name(hostile, most) : NULL,
			fixture_random(2) * (0xffffffffu - i), (25 - i) / 400.0, hostile_number(),
			hostile_number(), fixture_random(2) ? fixture_random(100) / 100.0 : -1,
			i % 4, fixture_random(65), { 0.5, 0.3, 0.2 },
		};

		fixture_add(hostile->findings, &context);
		hostile_nest(hostile, i + 1, most);
	}
}

static struct hostile *hostile_new(size_t most)
{
	struct hostile *hostile = xcalloc(1, sizeof(*hostile));
	struct findings *findings = hostile->findings = fixture_empty();

	hostile->objects = xcalloc(12, sizeof(*hostile->objects));
	for (size_t i = 0; i < 12; i++)
		hostile->objects[i] = (struct object){
			i + 1, i % 4, keep_name(hostile, most), keep_name(hostile, most),
			fixture_random(2) * 0xffffffffffffffffull, fixture_random(9),
			keep_name(hostile, most), NULL,
		};
	fixture_objects(findings, hostile->objects, 12);
	for (size_t i = 0; i < 3; i++)
		hostile->command[i] = keep_name(hostile, most);
	findings->command = hostile->command;
	findings->cpu = keep_name(hostile, most);
	findings->path = keep_name(hostile, most);
	findings->source = keep_name(hostile, 3);
	findings->clock = keep_name(hostile, most);
	hostile->remark.text = keep_name(hostile, most);
	findings->remarks = xcalloc(1, sizeof(*findings->remarks));
	findings->remarks[0] = hostile->remark;
	findings->remark_count = 1;
	findings->events->samples = fixture_random(2) * 0xffffffffffffffffull;
	findings->events->lost = 0xffffffffffffffffull;
	hostile_contexts(hostile, most);
	fixture_map(&findings->map);
	return hostile;
}

static void hostile_free(struct hostile *hostile)
{
	fixture_free(hostile->findings);
	while (hostile->name_count)
		free(hostile->names[--hostile->name_count]);
	free(hostile->objects);
	free(hostile);
}

/* ---- text ---- */

static void test_numbers(void)
{
	static const struct {
		char *(*format)(uint64_t);
		uint64_t value;
		const char *text;
	} cases[] = {
		{ text_count, 0, "0" }, { text_count, 999, "999" }, { text_count, 1000, "1,000" },
		{ text_count, 1234567, "1,234,567" },
		{ text_count, UINT64_MAX, "18,446,744,073,709,551,615" },
		{ text_count_short, 999999, "999,999" }, { text_count_short, 1000000, "1.00 M" },
		{ text_count_short, 999600000, "1.00 G" }, { text_count_short, 345000321, "345 M" },
		{ text_size, 64, "64 B" }, { text_size, 49152, "48 KiB" },
		{ text_size, 3 << 19, "1.5 MiB" }, { text_size, 1 << 30, "1 GiB" },
		{ text_duration, 5000000, "5 ms" }, { text_duration, 3214000000, "3.21 s" },
		{ text_duration, 125000000000, "2 min 5 s" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text = cases[i].format(cases[i].value);

		ok(!strcmp(text, cases[i].text), "%" PRIu64 " is written '%s' ('%s')",
		   cases[i].value, cases[i].text, text);
		free(text);
	}
}

static void test_fit(void)
{
	static const struct {
		const char *text;
		size_t width;
		enum text_fit how;
		const char *fitted;
	} cases[] = {
		{ "main", 4, TEXT_FIT_FUNCTION, "main" },
		{ "ns::f(int, char const*)", 10, TEXT_FIT_FUNCTION, "ns::f" },
		{ "void ns::f<int>(int, char const*) const", 12, TEXT_FIT_FUNCTION, "ns::f<int>" },
		{ "void ns::f<int, std::pair<a, b> >(int)", 8, TEXT_FIT_FUNCTION, "ns::f<>" },
		{ "a::b::c::d::method(long)", 14, TEXT_FIT_FUNCTION, "..::d::method" },
		{ "a::b::c::d::method(long)", 7, TEXT_FIT_FUNCTION, "method" },
		{ "std::ostream& operator<< <char>(std::ostream&, char)", 26, TEXT_FIT_FUNCTION,
		  "operator<< <char>" },
		{ "walk::<for<'a> fn(&'a str) -> bool>", 8, TEXT_FIT_FUNCTION, "walk::<>" },
		{ "int f<decltype (a->b)>(int)", 6, TEXT_FIT_FUNCTION, "f<>" },
		{ "T* P<T>::operator->(int)", 16, TEXT_FIT_FUNCTION, "P<T>::operator->" },
		{ "A::operator()(int, int, int) const", 15, TEXT_FIT_FUNCTION, "A::operator()" },
		{ "(anonymous namespace)::helper(int)", 30, TEXT_FIT_FUNCTION,
		  "(anonymous namespace)::helper" },
		{ "/very/long/path/file.c:57", 12, TEXT_FIT_START, "...le.c:57" },
		{ "abcdefghijklmnopqrstuvwxyz", 13, TEXT_FIT_MIDDLE, "abcde...vwxyz" },
		{ "abcdefgh", 1, TEXT_FIT_END, "." },
		{ "abcdefgh", 0, TEXT_FIT_END, "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *fitted = text_fit(cases[i].text, cases[i].width, cases[i].how);

		ok(cases[i].how == TEXT_FIT_START ? text_width(fitted) <= cases[i].width &&
		   !strcmp(fitted + strlen(fitted) - 5, ".c:57") : !strcmp(fitted, cases[i].fitted),
		   "'%s' in %zu columns is '%s' ('%s')", cases[i].text, cases[i].width,
		   cases[i].fitted, fitted);
		free(fitted);
	}
}

static void test_fit_random(void)
{
	static const enum text_fit ways[] = {
		TEXT_FIT_END, TEXT_FIT_START, TEXT_FIT_MIDDLE, TEXT_FIT_FUNCTION,
	};
	size_t wide = 0, invalid = 0, lost = 0;

	for (size_t i = 0; i < 4000; i++) {
		char *name = hostile_name(i % 60 + 1), *clean = text_clean(name), *fitted;
		size_t width = fixture_random(40);

		fitted = text_fit(clean, width, ways[i % 4]);
		wide += text_width(fitted) > width;
		invalid += !valid_utf8(fitted) || !valid_utf8(clean);
		lost += text_width(clean) <= width && strcmp(clean, fitted);
		free(fitted);
		free(clean);
		free(name);
	}
	ok(!wide, "random names never exceed the columns that they were given (%zu did)", wide);
	ok(!invalid, "and stay UTF-8 (%zu did not)", invalid);
	ok(!lost, "and are whole where there is room (%zu were not)", lost);
}

static bool contains(const char *text, const char *piece)
{
	bool found = strstr(text, piece) != NULL;

	if (!found)
		printf("# not there: %s\n", piece);
	return found;
}

static void test_text(void)
{
	struct findings *findings = fixture_findings();
	char *text, *loss;

	findings->events->lost = 4321;
	findings->events->foreign = 77;
	findings->events->no_address = 88;
	findings->whole = false;
	text = capture(report_text, findings, &folded);
	ok(!line_error(text), "the report's lines fit");
	ok(contains(text, "32 KiB, 8 ways, 64 sets, 64 B lines") &&
	   contains(text, "./tiled 1024 0"), "it says what was recorded");
	loss = strstr(text, "losses");
	ok(loss && contains(loss, "4,321 (") && contains(loss, "77 (") && contains(loss, "88 (") &&
	   contains(loss, "240 (0.2%)") && contains(text, "cut short"),
	   "it says what was lost, and that the recording is incomplete");
	ok(contains(text, "tiled.c:57 in copy_tile: 61% of the L1 misses, 97% of them conflicts") &&
	   contains(text, "block of main tiled.c:102 (60%)"),
	   "it describes the conflict in words, and its data");
	ok(contains(text, "0.91  0.12  <1e-9      -  97% 94-99  conflict"),
	   "it has the conflict's numbers");
	ok(contains(text, "7.2% of the L1 misses, in ") && contains(text, " pieces of code: ") &&
	   contains(text, rcd_reason_text(RCD_FEW_SAMPLES)), "it says what is undecided, and why");
	ok(contains(text, "and 40 more with 5.4% of the samples"),
	   "small contexts are put together");
	ok(contains(text, "Data of conflict 1: /home/user/src/tiled.c:57 in copy_tile") &&
	   !strstr(text, "Data of conflict 2"), "conflicts have their data, others not");
	free(text);
	text = capture(report_text, findings, &everything);
	ok(contains(text, "helper_39") && !strstr(text, " more with "),
	   "all rows are there if asked");
	free(text);
	fixture_free(findings);
}

static size_t lines_of(const char *text)
{
	size_t lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

static bool fits(const char *text, size_t columns)
{
	for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
		char *copy;
		size_t width;

		end = line + strcspn(line, "\n");
		copy = xasprintf("%.*s", (int)(end - line), line);
		width = text_width(copy);
		free(copy);
		if (width > columns) {
			printf("# too long: %.*s\n", (int)(end - line), line);
			return false;
		}
	}
	return true;
}

/* One long burst: the interval of L2's miss ratio is 0 to 1. */
static void test_unknown(void)
{
	struct findings *findings = fixture_findings();
	struct rcd_summary *summary = &findings->contexts[0].levels[0].summary;
	char *text;

	findings->bursts = (struct burst_totals){
		.known = true, .bursts = 5, .weighted_counted = 1000, .weighted_misses = 20,
		.spread = 0.005,
	};
	findings->long_bursts = (struct burst_totals){
		.known = true, .bursts = 1, .references = { 0, 100, 0, 0 },
		.weighted_counted = 100, .weighted_misses = 1, .spread = 1,
	};
	text = capture(report_text, findings, &brief);
	ok(contains(text, "20 of 1,000 references miss in L1D (15 to 25), 10 in L2 (0 to 25: there is "
		      "only 1\n                 long burst), "),
	   "an interval that says no more than that of L1 has its reason");
	ok(contains(text, "  conflict      copy_tile "), "a row with a verdict is listed");
	free(text);
	text = capture(report_json, findings, &everything);
	ok(contains(strstr(text, "\"long\""), "\"miss_ratio\": 0.01,\n") &&
	   contains(strstr(text, "\"long\""), "\"miss_ratio_high\": 0.025"), "... in JSON, too");
	free(text);
	findings->long_bursts.weighted_unknown = 2;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "unknown in L2: 1 long"),
	   "... and no ratio where more may miss than are known to");
	free(text);
	findings->long_bursts.weighted_unknown = 60;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "unknown in L2: 1 long"),
	   "of what is hardly known there is no ratio");
	free(text);
	text = capture(report_json, findings, &everything);
	ok(contains(strstr(text, "\"long\""), "\"miss_ratio\": null"), "... null in JSON");
	ok(contains(text, "\"miss_ratio\": 0.02"), "... and what is known is not");
	free(text);
	findings->bursts.weighted_misses = 1000;
	summary->verdict = RCD_UNDECIDED;
	summary->reason = RCD_FEW_SAMPLES;
	summary->exact = true;
	summary->gross_share = 0.9;
	summary->conflict_share = 0.1;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "(90)") && contains(text, "in brackets all conflicts"),
	   "all conflicts are in brackets");
	free(text);
	summary->has_conflict_share = false;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "undecided     copy_tile "), "a row of many misses is listed in any case");
	ok(!strstr(text, "in brackets"), "... and no brackets are explained that are not there");
	free(text);
	findings->contexts[0].levels[0].share = 0.09;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "1,000 of 1,000 references miss in L1D (995 to 1,000)"), "plain numbers");
	ok(contains(text, " pieces of code: ") && !strstr(text, "  undecided      copy_tile ") &&
	   !strstr(text, "undecided     copy_tile "), "a row of which nothing is known is counted");
	free(text);
	fixture_free(findings);
}

static void test_short(void)
{
	struct findings *findings = fixture_findings();
	struct object matrix;
	char *text;

	findings->contexts[0].levels[0].objects[0].stride = 8192;
	setenv("COLUMNS", "80", 1);
	text = capture(report_text, findings, &brief);
	unsetenv("COLUMNS");
	ok(fits(text, 80) && lines_of(text) <= 40, "the short report fits 80 columns and 40 lines (%zu)",
	   lines_of(text));
	free(text);
	text = capture(report_text, findings, &brief);
	ok(contains(text, "tiled.c:57 in copy_tile: 61% of the L1 misses, 97% of them conflicts") &&
	   contains(text, "block of main (heap, tiled.c:102, 8 MiB): 60%, every 8,192 B"),
	   "it has the verdict and the data");
	/* 64 sets of lines of 64 bytes: 8,192 is twice their span. */
	ok(contains(text, "addresses in block of main advance by 8,192 B: they lie in 1 of the 64 sets") &&
	   contains(text, "make the rows of block of main 8,256 B long instead of 8,192"),
	   "why they meet, and what to try");
	ok(contains(text, "7.2% of the L1 misses, in ") && contains(text, " pieces of code: ") && contains(text, " more with ") &&
	   contains(text, "conflict      copy_tile "), "what is undecided, and the loops");
	ok(contains(text, "--full") && !strstr(text, "inclusive") && !strstr(text, "exp.") &&
	   !strstr(text, "evictors"), "and explains nothing that is not there");
	free(text);
	findings->contexts[0].levels[0].objects[0].stride = 1024;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "they lie in 4 of the 64 sets"), "steps of 1,024 B use 4 sets");
	free(text);
	matrix = *findings->contexts[0].levels[0].objects[0].object;
	matrix.type = "double[][128]";
	findings->contexts[0].levels[0].objects[0].object = &matrix;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "rows of 1,024 B: a column of block of main lies in 4 of the 64 sets"),
	   "by its type it is a matrix");
	free(text);
	findings->contexts[0].levels[0].objects[0].stride = 1024 + 64;
	text = capture(report_text, findings, &brief);
	ok(contains(text, "is walked in steps of 1,088 B"), "rows of 1,088 B use all");
	free(text);
	findings->events[0].period = 0;
	text = capture(report_text, findings, &everything);
	ok(contains(text, "l1-miss (loads), none sampled") && !strstr(text, "1 in 0"),
	   "an event that adapts and was never sampled has no period");
	free(text);
	fixture_free(findings);
	findings = fixture_padded();
	text = capture(report_text, findings, &brief);
	ok(contains(text, "the code behind 99% of the L1 misses shows no conflicts") &&
	   !strstr(text, "  try"), "without conflicts it says so");
	free(text);
	findings->clean[0] = (struct interval){ 0.31, 1 };
	text = capture(report_text, findings, &brief);
	ok(contains(text, "the code behind 99% (31 to 100%) of the L1 misses") &&
	   contains(text, "to say more"),
	   "... and how sure it is, where bursts met little");
	free(text);
	fixture_free(findings);
	findings = fixture_empty();
	findings->event_count = findings->cache_count = 0;
	findings->cpu = findings->kernel = findings->start = findings->source = NULL;
	findings->command = NULL;
	text = capture(report_text, findings, &brief);
	ok(!line_error(text), "a recording that says nothing has a short report");
	free(text);
	fixture_free(findings);
}

static void test_quiet(void)
{
	struct findings *findings = fixture_padded();
	char *text = capture(report_text, findings, &folded);

	ok(contains(text, "the code behind 99% of the L1 misses shows no conflicts") &&
	   !strstr(text, "Data of"), "without conflicts the report says so");
	free(text);
	fixture_free(findings);
	findings = fixture_empty();
	findings->samples = findings->events->samples = 0;
	text = capture(report_text, findings, &folded);
	ok(contains(text, "no samples") && !line_error(text), "without samples it says so");
	free(text);
	findings->event_count = findings->cache_count = 0;
	findings->cpu = findings->kernel = findings->start = findings->source = NULL;
	findings->command = NULL;
	text = capture(report_text, findings, &folded);
	ok(!line_error(text), "a recording that says nothing has a report");
	free(text);
	fixture_free(findings);
}

/* Takes out the terminal's codes. */
static void strip_codes(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text == '\033')
			text += strcspn(text, "m");
		else
			*to++ = *text;
	}
	*to = '\0';
}

static void test_colour(void)
{
	struct findings *findings = fixture_findings();
	struct view_options coloured = folded;
	char *plain = capture(report_text, findings, &folded), *colour;

	coloured.colour = true;
	colour = capture(report_text, findings, &coloured);
	ok(!strchr(plain, '\033') && strchr(colour, '\033'), "colours come only when asked for");
	strip_codes(colour);
	ok(!strcmp(plain, colour), "and change nothing else");
	free(plain);
	free(colour);
	fixture_free(findings);
}

static void test_sort(void)
{
	static const struct {
		enum row_sort sort;
		const char *first, *second;
	} cases[] = {
		{ SORT_SAMPLES, "update_cells", "copy_tile" },
		{ SORT_CF, "copy_tile", "update_cells" },
		{ SORT_CONFLICT, "update_cells", "copy_tile" },
		{ SORT_NAME, "copy_tile", "stream_in" },
	};
	struct findings *findings = fixture_padded();

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t count;
		struct row *rows = rows_new(findings, 1, cases[i].sort, &count);

		ok(count == 3 && !strcmp(rows[0].context->region.function, cases[i].first) &&
		   !strcmp(rows[1].context->region.function, cases[i].second), "sorted by key %d",
		   cases[i].sort);
		free(rows);
	}
	fixture_free(findings);
}

/* ---- JSON and CSV ---- */

/* Loops in loops: the larger first, each in its parent, deeper ones further right. */
static void test_tree(void)
{
	static const struct fixture_context contexts[] = {
		{ "sweep", "sweep.c", "/bin/sweep", 30, 0.6, 0.9, 1e-10, 0.8,
		  RCD_CONFLICT, 64, { 1 } },
		{ "sweep", "sweep.c", "/bin/sweep", 20, 0.3, 0.1, 0.5, 0,
		  RCD_NONE, 64, { 1 } },
		{ "cell", "cell.h", "/bin/sweep", 7, 0.1, 0.1, 0.5, 0,
		  RCD_NONE, 64, { 1 } },
		{ "sweep", "sweep.c", "/bin/sweep", 10, 0, 0, 0.5, 0,
		  RCD_NONE, 64, { 1 } },
	};
	struct findings *findings = fixture_empty();
	struct view_options options = { .full = true };
	const char *tree, *first, *second, *third;
	char *text;

	for (size_t i = 0; i < 4; i++)
		fixture_add(findings, &contexts[i]);
	findings->contexts[0].region.end_line = 33;
	fixture_nest(findings, 4, 0, 1, 0.5);
	fixture_nest(findings, 2, 4, 1, 0.5);
	fixture_nest(findings, 1, 2, 0.6, 0.8);
	fixture_nest(findings, 3, 2, 0.1, -1);
	text = capture(report_text, findings, &options);
	tree = strstr(text, "Loops in loops, L1");
	first = tree ? strstr(tree, "sweep  sweep.c:10") : NULL;
	second = tree ? strstr(tree, "    sweep.c:30-33") : NULL;
	third = tree ? strstr(tree, "    cell  cell.h:7") : NULL;
	ok(first && second && third && first < second && second < third,
	   "loops stand in their parents, the larger first; an inlined function's bears its name");
	ok(strstr(text, "  sweep.c:20\n") &&
	   strstr(text, " 60.0%  60.0%  64/64        80%  conflict"),
	   "with inclusive and self shares");
	free(text);
	fixture_free(findings);
}

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
	size_t quiet = 0, json = 0, csv = 0, text = 0, rounds = 60;

	for (size_t i = 0; i < rounds; i++) {
		struct hostile *hostile = hostile_new(i == 0 ? 3000 : i % 40 + 1);
		char *written = capture(report_text, hostile->findings, &everything);

		text += !line_error(written);
		free(written);
		written = capture(report_text, hostile->findings, &brief);
		text += !line_error(written);
		free(written);
		written = capture(report_json, hostile->findings, &everything);
		json += json_holds(written, hostile->findings);
		quiet += no_controls(written);
		free(written);
		written = capture(report_csv, hostile->findings, &everything);
		csv += csv_holds(written, hostile->findings) && no_controls(written);
		free(written);
		hostile_free(hostile);
	}
	ok(text == 2 * rounds, "hostile names: text fits in %zu of %zu", text, 2 * rounds);
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

/* ---- pictures ---- */

static char directory[] = "/tmp/ccsample-view-XXXXXX";

static size_t files_left(void)
{
	DIR *open = opendir(directory);
	struct dirent *entry;
	size_t count = 0;

	while ((entry = readdir(open)))
		count += entry->d_name[0] != '.';
	closedir(open);
	return count;
}

static bool begins_with(const char *path, const char *magic)
{
	char bytes[16] = "";
	FILE *file = fopen(path, "r");
	bool same;

	if (!file)
		return false;
	same = fread(bytes, 1, strlen(magic), file) == strlen(magic) && !strcmp(bytes, magic);
	fseek(file, 0, SEEK_END);
	same = same && ftell(file) > 1000;
	fclose(file);
	return same;
}

static bool file_holds(const char *path, const char *piece)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t capacity = 0;
	bool found = false;

	while (file && !found && getline(&line, &capacity, file) > 0)
		found = strstr(line, piece) != NULL;
	free(line);
	if (file)
		fclose(file);
	return found;
}

static const struct picture_case {
	const char *name, *magic;
} picture_cases[] = {
	{ "a.svg", "<?xml" }, { "a.png", "\x89PNG" }, { "a.pdf", "%PDF-" },
	{ "it's `id` \"x\" $y %s.SVG", "<?xml" }, { "| true.svg", "<?xml" },
};

static void test_picture(const struct findings *const *findings, size_t count, bool sets,
			 const struct picture_case *picture)
{
	char *out = xasprintf("%s/%s", directory, picture->name);
	struct plot_options options = { .picture.out = out, .top = 5 };
	int status = sets ? plot_sets(findings[0], &options) : plot_cdf(findings, count, &options);

	ok(!status && begins_with(out, picture->magic) && files_left() == 1,
	   "%s of %zu input(s) draws %s and leaves nothing else", sets ? "set map" : "CDF", count,
	   picture->name);
	unlink(out);
	free(out);
}

static void test_pictures(void)
{
	struct findings *before = fixture_findings(), *after = fixture_padded();
	const struct findings *both[] = { before, after };

	after->path = "it's padded.data";
	for (size_t i = 0; i < sizeof(picture_cases) / sizeof(*picture_cases); i++) {
		test_picture(both, 1, false, &picture_cases[i]);
		test_picture(both, 2, false, &picture_cases[i]);
		test_picture(both, 1, true, &picture_cases[i]);
	}
	fixture_free(before);
	fixture_free(after);
}

static void test_labels(void)
{
	struct findings *before = fixture_findings(), *after = fixture_padded();
	const struct findings *both[] = { before, after };
	char *out = xasprintf("%s/kept.svg", directory), *script = xasprintf("%s.gp", out);
	char *data = xasprintf("%s.dat", out);
	struct plot_options options = { .picture.out = out, .top = 3, .picture.keep = true,
					.picture.title = "a_b^c 'd'" };

	ok(!plot_cdf(both, 2, &options) && files_left() == 3, "--keep leaves data and script");
	ok(file_holds(out, "tiled.c:57 copy_tile: conflict, 61.2%") && file_holds(out, "a_b^c 'd'"),
	   "labels and title stand as they are, underscores and all");
	ok(file_holds(script, "#D55E00' dt solid title \"tiled.c:57 copy_tile: conflict") &&
	   file_holds(script, "#D55E00' dt (9,3) title \"tiled.c:57 copy_tile: none"),
	   "the same code has one colour in both inputs, and a line style for each");
	ok(file_holds(data, "1 0.411775"), "the data file holds the distribution");
	options.loop = 3;
	ok(!plot_cdf(both, 2, &options) && file_holds(out, "update_cells: none, 59.4%") &&
	   !file_holds(out, "copy_tile"), "--loop shows one piece of code of both inputs");
	unlink(out);
	unlink(script);
	unlink(data);
	free(out);
	free(script);
	free(data);
	fixture_free(before);
	fixture_free(after);
}

static void test_hostile_pictures(void)
{
	char *out = xasprintf("%s/h.svg", directory);
	size_t drawn = 0;

	for (size_t i = 0; i < 4; i++) {
		struct hostile *hostile = hostile_new(i ? 30 : 3000);
		const struct findings *findings = hostile->findings;
		struct plot_options options = { .picture.out = out, .top = 28,
						.picture.title = findings->cpu };

		hostile->findings->map.sets = 64;
		drawn += !plot_cdf(&findings, 1, &options);
		drawn += !plot_sets(findings, &options);
		hostile_free(hostile);
	}
	ok(drawn == 8, "hostile names are drawn (%zu of 8)", drawn);
	ok(files_left() == 1, "and do no harm");
	unlink(out);
	free(out);
}

static void test_large_map(void)
{
	struct findings *findings = fixture_findings();
	char *out = xasprintf("%s/large.svg", directory);
	struct plot_options options = { .picture.out = out };
	struct set_map *map = &findings->map;

	map->sets = 20001;
	map->rows = 256;
	map->counts = xrealloc(map->counts, (size_t)map->sets * map->rows * sizeof(*map->counts));
	for (size_t i = 0; i < (size_t)map->sets * map->rows; i++)
		map->counts[i] = i % 977 == 0;
	map->samples = xrealloc(map->samples, map->sets * sizeof(*map->samples));
	map->near = xrealloc(map->near, map->sets * sizeof(*map->near));
	for (size_t i = 0; i < map->sets; i++)
		map->samples[i] = map->near[i] = 1;
	map->slot = 1ull << 56;
	ok(!plot_sets(findings, &options) && begins_with(out, "<?xml"),
	   "a cache of 20001 sets has a set map, however long the time");
	unlink(out);
	free(out);
	fixture_free(findings);
}

/* These say why on standard error, as they should. */
static void test_refusals(void)
{
	struct findings *findings = fixture_findings(), *empty = fixture_empty();
	const struct findings *full_input = findings, *empty_input = empty;
	char *out = xasprintf("%s/none.svg", directory), *path = xstrdup(getenv("PATH"));
	struct plot_options options = { .picture.out = out, .top = 5 };

	ok(plot_cdf(&empty_input, 1, &options) == -1 && plot_sets(empty, &options) == -1 &&
	   !files_left(), "without samples there is an error and no picture");
	options.loop = 999;
	ok(plot_cdf(&full_input, 1, &options) == -1 && plot_sets(findings, &options) == -1 &&
	   !files_left(), "an unknown --loop is an error");
	options.loop = 0;
	setenv("PATH", "/nonexistent", 1);
	ok(plot_cdf(&full_input, 1, &options) == -1 && files_left() == 2,
	   "without gnuplot there is an error, and data and script remain");
	setenv("PATH", path, 1);
	out = strcat(strcpy(xrealloc(out, strlen(directory) + 32), directory), "/none.svg.dat");
	unlink(out);
	unlink(strcat(strcpy(out, directory), "/none.svg.gp"));
	ok(picture_check("a.gif") && picture_check("svg") && picture_check(".svg") &&
	   picture_check("a\nb.svg") && picture_check("dir/.png") && !picture_check("x.PnG"),
	   "other extensions are refused");
	free(out);
	free(path);
	fixture_free(findings);
	fixture_free(empty);
}

int main(int argc, char **argv)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	fixture_state ^= (argc > 1 ? strtoull(argv[1], NULL, 0) : 1) << 20;
	printf("# seed %" PRIu64 "\n", fixture_state);
	test_numbers();
	test_fit();
	test_fit_random();
	test_text();
	test_short();
	test_unknown();
	test_quiet();
	test_colour();
	test_sort();
	test_tree();
	test_json();
	test_csv();
	test_hostile();
	if (!mkdtemp(directory))
		return 1;
	test_refusals();
	if (system("command -v gnuplot >/dev/null 2>&1")) {
		skip("gnuplot is not installed", "pictures");
	} else {
		test_pictures();
		test_labels();
		test_hostile_pictures();
		test_large_map();
	}
	rmdir(directory);
	return done();
}
