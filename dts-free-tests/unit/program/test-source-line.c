// SPDX-License-Identifier: GPL-2.0-only
/* The variable that a source line allocates for; where the text is not plain, none. */
#include <string.h>
#include <sys/stat.h>
#include <utime.h>

#include "base/random.h"
#include "program/source-line.h"

#include "fixture.h"
#include "tap.h"

static const struct {
	const char *above;
	const char *line;
	bool library;
	const char *name;		/* NULL = none */
	size_t number;			/* of the call on the line */
	const char *function;		/* called by it */
	uint32_t column;		/* in a constructor */
} lines[] = {
	{ "", "double *grid = malloc(n * sizeof(double));", false, "grid" },
	{ "", "	grid = malloc(n);", false, "grid" },
	{ "", "	grid = (double *)calloc(n, sizeof(*grid));", false, "grid" },
	{ "", "	p->cells = malloc(n);", false, "cells" },
	{ "", "	p.cells = xmalloc(n);", false, "cells" },
	{ "", "	this->cells_ = new double[n];", false, "cells_" },
	{ "", "	rows[i] = malloc(n);", false, "rows" },
	{ "", "	rows[f(i, 2)][j] = malloc(n);", false, "rows" },
	{ "", "	(*rows)[i] = malloc(n);", false, "rows" },
	{ "", "	*out = malloc(n);", false, "out" },
	{ "", "	if (!(grid = malloc(n)))", false, "grid" },
	{ "", "	if ((grid = malloc(n)) == NULL) {", false, "grid" },
	{ "", "	for (i = 0; i < n; i++) rows[i] = malloc(n);", false, "rows" },
	{ "", "	double *a = require(malloc(n * sizeof(double)));", false, "a" },
	{ "", "	p = realloc(p, 2 * n);", false, "p" },
	{ "	double *grid =", "		malloc(n);", false, "grid" },
	{ "	grid = require(", "		malloc(n));", false, "grid" },
	{ "	free(old);", "		malloc(n);", false, NULL },
	{ "	int x = 3;", "	keep(malloc(n));", false, NULL },
	{ "	a = malloc(1);", "	return malloc(n);", false, NULL },
	{ "", "	a = malloc(n); b = malloc(n);", false, "a" },
	{ "", "	a = malloc(n); b = malloc(n);", false, "b", 1 },
	{ "", "	a = malloc(n); b = malloc(n);", false, NULL, 2 },
	{ "", "	double *a = malloc(n), *b = malloc(n);", false, "b", 1 },
	{ "", "	double *a = malloc(n), *b = malloc(n);", false, NULL, SIZE_MAX },
	{ "", "    let mut grid = vec![0.0; n];", true, "grid" },
	{ "", "    let grid: Vec<f64> = (0..n).map(f).collect();", true, "grid" },
	{ "", "    let (a, b) = make(n);", true, NULL },
	{ "", "	grid = vec(n);", false, NULL },
	{ "", "	grid = vec(n);", false, "grid", 0, "vec" },
	{ "", "	a = vec(n), b = vec(n);", false, "b", 1, "vec" },
	{ "", "	grid = vector(n);", false, NULL, 0, "vec" },
	{ "", "	a = malloc(n); if (!a) a = malloc(m);", false, "a" },
	{ "", "	// a = malloc(n);", false, NULL },
	{ "", "	say(\"a = malloc(n)\");", false, NULL },
	{ "", "	/* a = malloc(n) */ b = malloc(n);", false, "b" },
	{ "", "	x = 3; keep(malloc(n));", false, NULL },
	{ "", "	x += size(malloc(n));", false, NULL },
	{ "", "	if (x == malloc(n))", false, NULL },
	{ "", "	posix_memalign((void **)&grid, 64, n);", false, "grid" },
	{ "", "	if (posix_memalign((void **)&p->grid, 64, n))", false, "grid" },
	{ "", "	void *area = mmap(NULL, n, PROT_READ, flags, -1, 0);", false, "area" },
	{ "", "	name = strdup(argv[1]);", false, "name" },
	{ "", "	total = count(argv[1]);", false, NULL },
	{ "", "	Grid *grid = new Grid(3);", false, "grid" },
	{ "", "	auto grid = std::make_unique<double[]>(n);", false, "grid" },
	{ "", "	std::vector<double> m(n);", true, "m" },
	{ "", "	std::vector<std::pair<int, double>> m(n, {0, 1});", true, "m" },
	{ "", "	std::vector<double> m{1, 2, 3};", true, "m" },
	{ "", "	grid::Field<double> a(n, n), b(n, 2);", true, "a" },
	{ "", "	grid::Field<double> a(n, n), b(n, 2);", true, "b", 1 },
	{ "", "	void f(std::vector<double> a, int n);", true, "a" },
	{ "", "	cells.resize(n);", true, "cells" },
	{ "", "	grid->cells.push_back(3);", true, "cells" },
	{ "", "	lists[i].push_back(3);", true, "lists" },
	{ "", "	auto m = std::vector<double>(n);", true, "m" },
	{ "", "	  : data_(n * n), w_(n) { w_[i] = std::polar(1.0, i); }", true, NULL },
	{ "", "	auto m = std::make_unique<double[]>(n);", true, "m" },
	{ "", "	cells.resize(n);", false, NULL },
	{ "", "	run(n);", true, NULL },
	{ "", "  allocate(a(n,n), b(n,n), stat=error)", false, "b", 1 },
	{ "", "  allocate(grid%w(n,n), grid%cells(k)%c(n), x(2))", false, "grid%w" },
	{ "", "  allocate(grid%w(n,n), grid%cells(k)%c(n), x(2))", false, "grid%cells(k)%c", 1 },
	{ "", "  allocate(one%w(n), two%w(n))", false, "two%w", 1 },
	{ "", "  allocate(b, c, source=a)", false, "c", 1 },
	{ "", "  allocate(real(8) :: b(n))", false, "b" },
	{ "", "  deallocate(b)", false, NULL },
	{ "", "A(int n) : a(n), b(n) {", true, "a", .column = 12 },
	{ "", "A(int n) : a(n), b(n) {", true, "b", .column = 18 },
	{ "", "A(int n) : a(n), b{new double[n]}, n(n)", false, "b", .column = 20 },
	{ "", "A(int n) : a(n) { b = new double[n]; }", false, "b", .column = 23 },
	{ "", "  b(std::move(c), f(\")\", n)) { }", true, "b", .column = 3 },
	/* Without an initialiser, so the compiler says, behind the last one's arguments. */
	{ "", "A(int n) : a(n) { }", true, NULL, .column = 15 },
	{ "", "  keep(std::vector<double>(n));", true, NULL, .column = 8 },
	{ "", "  f(a, b(n), c);", true, NULL, .column = 8 },
	{ "", "  : std::vector<double>(n), b(n)", true, NULL, .column = 10 },
	{ "", "  : ns::base(n), b(n)", true, NULL, .column = 9 },
	{ "", "A(int n) : a(n", true, NULL, .column = 12 },
	{ "", "A(int n) : a(n)", true, NULL, .column = 4000000000u },
	{ "", "", false, NULL },
	{ "", "= = = [ ] ) ( malloc(", false, NULL },
	{ "", "] = malloc(n);", false, NULL },
	{ "", "3 = malloc(n);", false, NULL },
	{ "", "\"\\", false, NULL },
	{ "", "/* malloc(", false, NULL },
};

static void check_lines(void)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct source_call by = {
			lines[i].library, lines[i].function, lines[i].number, lines[i].column,
		};
		char *name = source_line_variable(lines[i].above, lines[i].line, &by);

		ok(lines[i].name ? name && !strcmp(name, lines[i].name) : !name,
		   "'%s%s': %s (%s)", lines[i].above, lines[i].line,
		   lines[i].name ? lines[i].name : "none", name ? name : "none");
		free(name);
	}
}

static void check_words(void)
{
	static const char *const yes[] = {
		"malloc", "xmalloc", "PyMem_RawMalloc", "alloc_grid", "node_new", "newNode",
		"nodeNew", "new", "sqlite3MemMalloc", "xstrdup_dup", "g_memdup", "my_mmap",
	};
	static const char *const no[] = {
		"main", "make_grid", "renewal", "newton", "knew", "duplex", "", "news",
	};

	for (size_t i = 0; i < sizeof(yes) / sizeof(*yes); i++)
		ok(word_allocates(yes[i], strlen(yes[i])), "%s allocates", yes[i]);
	for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
		ok(!word_allocates(no[i], strlen(no[i])), "'%s' does not", no[i]);
}

static char *variable_at(const char *path, uint32_t line, int64_t time)
{
	struct sources *sources = sources_new();
	struct source_place place = { NULL, path, line, time };
	char *name = sources_variable(sources, &place, &(struct source_call) { 0 });

	sources_free(sources);
	return name;
}

static void check_files(void)
{
	const char *path = fixture_path("lines.c");
	struct utimbuf times = { 1000, 1000 };
	char *name;

	fixture_write("lines.c", "a = malloc(1);\nb =\n  malloc(2);\nreturn;");
	utime(path, &times);
	name = variable_at(path, 1, 1000);
	ok(name && !strcmp(name, "a"), "first line of a file");
	free(name);
	name = variable_at(path, 3, 2000);
	ok(name && !strcmp(name, "b"), "a line that goes on from the one above");
	free(name);
	ok(!variable_at(path, 4, 2000), "a line without");
	fixture_write("lines.f90", "  allocate( & ! of the grid\n    & a(n, &\n    n))\n  x = a(1)\n");
	utime(fixture_path("lines.f90"), &times);
	name = variable_at(fixture_path("lines.f90"), 3, 1000);
	ok(name && !strcmp(name, "a"), "a Fortran statement of several lines, by its last: %s", name ? name : "none");
	free(name);
	ok(!variable_at(path, 5, 2000) && !variable_at(path, 4000000000u, 2000),
	   "lines past the end");
	ok(!variable_at(path, 1, 999), "a file younger than its program is not read");
	fixture_run("mkfifo fifo");
	ok(!variable_at(fixture_path("fifo"), 1, 1ll << 40) &&
	   !variable_at(fixture_path("missing"), 1, 1ll << 40) &&
	   !variable_at(fixture_path("."), 1, 1ll << 40), "no file, no name");
}

/* However many files there are, each has its lines, also when it is read once more. */
static void check_many_files(void)
{
	struct source_place place = { NULL, NULL, 1, 1ll << 40 };
	struct sources *sources = sources_new();
	char *name, wanted[16], line[32];
	size_t wrong = 0;

	for (int i = 0; i < 600; i++) {
		snprintf(wanted, sizeof(wanted), "name%d", i % 300);
		place.path = fixture_path(wanted);
		snprintf(line, sizeof(line), "%s = malloc(1);", wanted);
		fixture_write(wanted, line);
		name = sources_variable(sources, &place, &(struct source_call) { 0 });
		wrong += !name || strcmp(name, wanted);
		free(name);
	}
	sources_free(sources);
	ok(!wrong, "300 files, twice: %zu names are wrong", wrong);
}

/* Does the function give back what its line allocates? */
static bool returned(const char *text, uint32_t line, const char *name)
{
	struct sources *sources = sources_new();
	struct source_place place = { NULL, fixture_path("back.c"), line, 1ll << 40 };
	bool found;

	fixture_write("back.c", text);
	found = sources_returned(sources, &place, name, &(struct source_call) { 0 });
	sources_free(sources);
	return found;
}

static void check_returned(void)
{
	ok(returned("f(n)\n{\n	return malloc(n);\n}\n", 3, NULL), "returned at once");
	ok(returned("f(n)\n{\n	return (double *)xmalloc(n);\n}\n", 3, NULL), "with a cast");
	ok(!returned("f(n)\n{\n	keep(malloc(n));\n	return g();\n}\n", 3, NULL),
	   "something else is returned");
	ok(returned("{\n	p = malloc(n);\n	if (!p)\n		abort();\n	return p;\n}\n", 2, "p"),
	   "returned at the end");
	ok(returned("{\n	p = malloc(n);\n	return (double *)p;\n}\n", 2, "p"), "with a cast");
	ok(!returned("{\n	p = malloc(n);\n	return;\n}\nq()\n{\n	return p;\n}\n", 2, "p"),
	   "returned by another function");
	ok(!returned("{\n	p = malloc(n);\n	return p == q;\n}\n", 2, "p"), "compared");
	ok(!returned("{\n	p = malloc(n);\n	return pp;\n}\n", 2, "p"), "another variable");
}

/* Any bytes are somebody's source. */
static void check_noise(void)
{
	static const char letters[] = "ab=(){}[]<>*&;,.-\"'/\\ \nmalloc new";
	uint64_t state = 88172645463325252u;
	struct source_call by;
	char text[2][64], *name;

	for (int round = 0; round < 200000; round++) {
		for (int t = 0; t < 2; t++) {
			for (int i = 0; i < 63; i++) {
				text[t][i] = letters[random_below(&state, sizeof(letters) - 1)];
			}
			text[t][random_below(&state, 64)] = '\0';
			text[t][63] = '\0';
		}
		by = (struct source_call) { round & 1, round & 2 ? "b" : NULL, round % 3 };
		name = source_line_variable(text[0], text[1], &by);
		if (name && !*name)
			break;
		free(name);
		if (round == 199999)
			ok(true, "noise gives names or none");
	}
}

int main(void)
{
	fixture_begin();
	check_lines();
	check_words();
	check_files();
	check_many_files();
	check_returned();
	check_noise();
	return done();
}
