// SPDX-License-Identifier: GPL-2.0-only
/* Numbers as text, and names cut to columns. */
#include "tap.h"
#include "hostile-findings.h"
#include "output/text.h"

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

int main(int argc, char **argv)
{
	fixture_begin(argc, argv);
	test_numbers();
	test_fit();
	test_fit_random();
	return done();
}
