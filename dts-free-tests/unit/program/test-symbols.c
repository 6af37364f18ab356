// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols against binutils: every instruction of small programs, compiled in
 * many ways, against addr2line(1); every variable against nm(1) and the source.
 */
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/random.h"
#include "format/format.h"
#include "program/demangle.h"
#include "program/symbols.h"

#include "fixture.h"
#include "tap.h"

static const char c_source[] =
	"#include <stdio.h>\n"
	"static double table[64][8];\n"
	"int counter = 3; /* COUNTER */\n"
	"const char title[] = \"title\";\n"
	"static inline __attribute__((always_inline)) double square(double x)\n"
	"{\n"
	"	return x * x; /* SQUARE */\n"
	"}\n"
	"static inline __attribute__((always_inline)) double length(double x, double y)\n"
	"{\n"
	"	double sum = square(x);\n"
	"	sum += square(y);\n"
	"	return sum;\n"
	"}\n"
	"__attribute__((noinline)) double rows(double *cells, int n)\n"
	"{\n"
	"	static int calls; /* CALLS */\n"
	"	double sum = 0;\n"
	"	calls++;\n"
	"	for (int i = 0; i < n; i++)\n"
	"		sum += length(cells[i], table[i & 63][i & 7]); /* ROWS */\n"
	"	if (calls > 1000000)\n"
	"		printf(\"%s %d\\n\", title, counter);\n"
	"	return sum;\n"
	"}\n"
	"__attribute__((noinline)) int columns(int n)\n"
	"{\n"
	"	for (int j = 0; j < n; j++)\n"
	"		table[j & 63][1] += j; /* COLUMNS */\n"
	"	return n;\n"
	"}\n";
static const char main_source[] =
	"double rows(double *cells, int n);\n"
	"int columns(int n);\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	double cells[16] = { argc };\n"
	"	return columns(argc) + rows(cells, 16) > 5;\n"
	"}\n";
static const char cxx_source[] =
	"#include <vector>\n"
	"namespace shapes {\n"
	"double scale = 2; /* SCALE */\n"
	"template <class T> struct Grid {\n"
	"	std::vector<T> cells;\n"
	"	explicit Grid(int n) : cells(n) {}\n"
	"	__attribute__((noipa)) T sum(T first) const\n"
	"	{\n"
	"		for (T cell : cells)\n"
	"			first += cell * scale; /* SUM */\n"
	"		return first;\n"
	"	}\n"
	"};\n"
	"}\n"
	"namespace { __attribute__((noinline)) int hidden(int n) { return n * 3; } }\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	shapes::Grid<double> grid(argc);\n"
	"	return grid.sum(1) + hidden(argc) > 7;\n"
	"}\n";

static struct symbols *symbols;

static struct module *module_of(const char *name)
{
	return symbols_module(symbols, fixture_path(name), NULL, 0);
}

/* What addr2line says of an address: innermost function, without usual arguments, and its line. */
struct said {
	char function[1024];
	char file[1024];
	uint32_t line;
};

static bool next_said(FILE *from, struct said *said)
{
	char text[1024], *colon;

	if (!fgets(said->function, sizeof(said->function), from) ||
	    !fgets(text, sizeof(text), from))
		return false;
	said->function[strcspn(said->function, "\n")] = '\0';
	cxx_shorten(said->function);
	colon = strrchr(text, ':');
	said->line = colon ? strtoul(colon + 1, NULL, 10) : 0;
	if (colon)
		*colon = '\0';
	strcpy(said->file, basename(text));
	return true;
}

/*
 * Without arguments: binutils and the C++ ABI print some differently. DWARF has
 * no linker's names for functions in nameless namespaces, binutils have them.
 */
static bool same_function(const char *ours, const char *theirs)
{
	static const char nameless[] = "(anonymous namespace)::";

	if (!strncmp(theirs, nameless, strlen(nameless)))
		theirs += strlen(nameless);
	return ours && strcspn(ours, "(") == strcspn(theirs, "(") &&
	       !strncmp(ours, theirs, strcspn(theirs, "("));
}

struct comparison {
	size_t addresses;
	size_t functions;	/* that differ */
	size_t lines;
};

static void compare(struct module *module, uint64_t address, const struct said *said,
		    struct comparison *sums)
{
	struct location location;
	bool known = !module_locate(module, address, &location);

	sums->addresses++;
	/* Without a line it is a symbol's name, of which the C library has several. */
	if (said->line && !(known && same_function(location.function, said->function))) {
		if (!sums->functions++)
			printf("# %llx: %s, should be %s\n", (unsigned long long)address,
			       known && location.function ? location.function : "-",
			       said->function);
	}
	if (said->line && !(known && location.file && location.line == said->line &&
			    !strcmp(basename(location.file), said->file))) {
		if (!sums->lines++)
			printf("# %llx: %s:%u, should be %s:%u\n", (unsigned long long)address,
			       known && location.file ? location.file : "-", location.line,
			       said->file, said->line);
	}
}

/* Writes every address that a function has; how many there are. */
static size_t write_addresses(const char *debug)
{
	unsigned long long start, size;
	char command[512], type;
	size_t count = 0;
	FILE *from, *to;

	snprintf(command, sizeof(command), "nm -S %s", fixture_path(debug));
	from = popen(command, "r");
	to = fopen(fixture_path("addresses"), "w");
	while (from && to && fgets(command, sizeof(command), from)) {
		if (sscanf(command, "%llx %llx %c", &start, &size, &type) != 3 ||
		    !strchr("tTwW", type))
			continue;
		for (uint64_t at = start; at < start + size && count < 100000; at++, count++)
			fprintf(to, "%llx\n", (unsigned long long)at);
	}
	if (from)
		pclose(from);
	if (to)
		fclose(to);
	return count;
}

/* Every byte of code that nm knows, @debug being where binutils read. */
static void check_text(const char *name, const char *debug, const char *how)
{
	struct module *module = module_of(name);
	struct comparison sums = { 0 };
	size_t count = write_addresses(debug);
	unsigned long long at;
	FILE *from, *addresses;
	struct said said;

	fixture_run("addr2line -f -C -e %s < addresses > said", debug);
	addresses = fopen(fixture_path("addresses"), "r");
	from = fopen(fixture_path("said"), "r");
	while (addresses && from && fscanf(addresses, "%llx", &at) == 1 && next_said(from, &said))
		compare(module, at, &said, &sums);
	if (addresses)
		fclose(addresses);
	if (from)
		fclose(from);
	ok(count && sums.addresses == count && !sums.functions,
	   "%s: functions of %zu addresses as addr2line's (%zu differ)", how, sums.addresses,
	   sums.functions);
	ok(count && sums.addresses == count && !sums.lines,
	   "%s: lines as addr2line's (%zu differ)", how, sums.lines);
}

/* A variable by its name in the source: every byte, and the bytes around it. */
static void check_variable(const char *name, const char *symbol, const char *shown,
			   const char *source, const char *mark, const char *how)
{
	struct module *module = module_of(name);
	uint64_t address, size, wrong = 0;
	struct variable variable;

	if (!fixture_symbol(name, symbol, &address, &size)) {
		ok(false, "%s: nm knows %s", how, symbol);
		return;
	}
	for (uint64_t at = address; at < address + size; at++)
		wrong += module_variable(module, at, &variable) ||
			 strcmp(variable.name, shown) || variable.address != address ||
			 variable.size != size || variable.low > at || variable.high <= at;
	ok(!wrong, "%s: %s is %s in all its %llu bytes", how, symbol, shown,
	   (unsigned long long)size);
	ok(module_variable(module, address - 1, &variable) || strcmp(variable.name, shown),
	   "%s: and not the byte before", how);
	ok(module_variable(module, address + size, &variable) || strcmp(variable.name, shown),
	   "%s: and not the byte after", how);
	if (!mark)
		return;
	module_variable(module, address, &variable);
	ok(variable.file && !strcmp(variable.file, "rows.c") &&
	   variable.line == fixture_line(source, mark), "%s: %s is declared at rows.c:%u (%s:%u)",
	   how, shown, fixture_line(source, mark), variable.file ? variable.file : "-",
	   variable.line);
}

static uint32_t protection_of(const Elf64_Phdr *phdr)
{
	return (phdr->p_flags & PF_R ? CCS_MAP_READ : 0) |
	       (phdr->p_flags & PF_W ? CCS_MAP_WRITE : 0) |
	       (phdr->p_flags & PF_X ? CCS_MAP_EXEC : 0);
}

/* Offsets in the file against the program headers. */
static void check_offsets(const char *name, const char *how)
{
	struct module *module = module_of(name);
	int fd = open(fixture_path(name), O_RDONLY), wrong = 0;
	Elf64_Ehdr header;
	Elf64_Phdr phdr;
	uint64_t bias;

	if (fd < 0 || pread(fd, &header, sizeof(header), 0) != sizeof(header)) {
		ok(false, "%s: can be read", how);
		return;
	}
	for (int i = 0; i < header.e_phnum; i++) {
		pread(fd, &phdr, sizeof(phdr), header.e_phoff + i * sizeof(phdr));
		if (phdr.p_type != PT_LOAD)
			continue;
		for (uint64_t at = 0; at < phdr.p_filesz; at += 13)
			wrong += !module_bias(module, 0, phdr.p_offset + at,
					      protection_of(&phdr), &bias) ||
				 -bias != phdr.p_vaddr + at;
	}
	close(fd);
	ok(!wrong, "%s: offsets in the file are the program headers' addresses", how);
	ok(!module_bias(module, 0, 1ull << 40, CCS_MAP_READ, &bias),
	   "%s: no segment far past the end", how);
}

static void check_c(const char *compiler, const char *flags)
{
	static int number;
	char name[32], how[256];
	struct location location;
	uint64_t address, size;

	snprintf(name, sizeof(name), "c%d", number++);
	snprintf(how, sizeof(how), "%s %s", compiler, flags);
	if (!fixture_run("%s %s -o %s rows.c main.c", compiler, flags, name)) {
		ok(false, "%s: compiles", how);
		return;
	}
	ok(!module_error(module_of(name)), "%s: no error", how);
	/* Not all versions of addr2line know all of DWARF 5. */
	fixture_run("%s %s -gno-split-dwarf -gdwarf-4 -o compared rows.c main.c", compiler, flags);
	check_text(name, "compared", how);
	check_offsets(name, how);
	check_variable(name, "table", "table", c_source, "double table", how);
	check_variable(name, "counter", "counter", c_source, "COUNTER", how);
	ok(fixture_symbol(name, "rows", &address, &size) &&
	   !module_locate(module_of(name), address, &location) && location.entry == address &&
	   location.file && !strcmp(location.file, "rows.c") &&
	   !strcmp(location.source, fixture_path("rows.c")),
	   "%s: entry, file as given and file to open of rows", how);
}

static void check_static_local(const char *flags)
{
	uint64_t address, size;
	struct variable variable;
	char command[256], symbol[64] = "";
	FILE *from;

	fixture_run("gcc %s -o local rows.c main.c", flags);
	snprintf(command, sizeof(command), "nm %s | sed -n 's/.* \\(calls\\.[0-9]*\\)$/\\1/p'",
		 fixture_path("local"));
	from = popen(command, "r");
	if (!from || fscanf(from, "%63s", symbol) != 1)
		printf("# no calls.N\n");
	if (from)
		pclose(from);
	ok(fixture_symbol("local", symbol, &address, &size) &&
	   !module_variable(module_of("local"), address, &variable) &&
	   !strcmp(variable.name, "calls") && variable.line == fixture_line(c_source, "CALLS"),
	   "%s: a function's static variable (%s) is `calls`, line %u", flags, symbol,
	   fixture_line(c_source, "CALLS"));
	fixture_run("gcc %s -g0 -o plain-local rows.c main.c", flags);
	ok(fixture_symbol("plain-local", symbol, &address, &size) &&
	   !module_variable(module_of("plain-local"), address, &variable) &&
	   !strcmp(variable.name, "calls") && !variable.file,
	   "%s -g0: the same without a line", flags);
}

/* Inlined in one another: the chain of callers of the innermost. */
static void check_inlines(void)
{
	struct location chain[8], first;
	uint64_t address, size;
	size_t chains = 0, wrong = 0;

	fixture_run("gcc -O2 -g -o inlines rows.c main.c");
	if (!fixture_symbol("inlines", "rows", &address, &size))
		size = 0;
	for (uint64_t at = address; at < address + size; at++) {
		size_t count = module_inlines(module_of("inlines"), at, chain, 8);

		if (!count || module_locate(module_of("inlines"), at, &first) ||
		    first.function != chain[0].function || first.line != chain[0].line)
			wrong++;
		if (count != 3)
			continue;
		chains++;
		wrong += strcmp(chain[0].function, "square") ||
			 strcmp(chain[1].function, "length") ||
			 strcmp(chain[2].function, "rows") ||
			 chain[0].line != fixture_line(c_source, "SQUARE") ||
			 chain[2].line != fixture_line(c_source, "ROWS") ||
			 chain[0].entry != address || chain[2].entry != address;
	}
	ok(chains && !wrong, "square in length in rows: all three with their lines (%zu addresses)",
	   chains);
	ok(module_inlines(module_of("inlines"), address, chain, 1) == 1, "no more than asked for");
}

static void check_cxx(const char *compiler, const char *flags)
{
	static int number;
	char name[32], how[128];
	struct location chain[8];
	struct variable variable;
	uint64_t address, size;
	size_t count;

	snprintf(name, sizeof(name), "cxx%d", number++);
	snprintf(how, sizeof(how), "%s %s", compiler, flags);
	if (!fixture_run("%s %s -o %s shapes.cc", compiler, flags, name)) {
		ok(false, "%s: compiles", how);
		return;
	}
	fixture_run("%s %s -gdwarf-4 -o compared shapes.cc", compiler, flags);
	check_text(name, "compared", how);
	ok(fixture_symbol(name, "_ZN6shapes5scaleE", &address, &size) &&
	   !module_variable(module_of(name), address, &variable) &&
	   !strcmp(variable.name, "shapes::scale") &&
	   variable.line == fixture_line(cxx_source, "SCALE"),
	   "%s: shapes::scale and its line", how);
	ok(fixture_symbol(name, "_ZNK6shapes4GridIdE3sumEd", &address, &size) &&
	   (count = module_inlines(module_of(name), address, chain, 8)) &&
	   !strcmp(chain[count - 1].function, "shapes::Grid<double>::sum(double) const"),
	   "%s: shapes::Grid<double>::sum(double) const", how);
}

static void check_separate(void)
{
	struct location location;
	uint64_t address, size;

	fixture_run("gcc -O2 -g -o whole rows.c main.c && cp whole whole.debug");
	fixture_symbol("whole", "columns", &address, &size);
	fixture_run("objcopy --only-keep-debug whole apart.debug && "
		    "objcopy --strip-all --add-gnu-debuglink=apart.debug whole apart && "
		    "mkdir -p hidden/.debug && cp apart.debug hidden/.debug/ && cp apart hidden/");
	ok(!module_error(module_of("apart")), "debug file beside: no error");
	check_text("apart", "whole", "debug file beside the program");
	check_text("hidden/apart", "whole", "debug file in .debug/");
	fixture_run("mkdir -p alone && cp apart alone/ && gcc -O1 -g -o other main.c rows.c && "
		    "objcopy --only-keep-debug other alone/apart.debug");
	ok(module_locate(module_of("alone/apart"), address, &location) &&
	   module_error(module_of("alone/apart")),
	   "the debug file of another build is refused: %s",
	   module_error(module_of("alone/apart")));
	fixture_run("gcc -O2 -g -Wl,--build-id=none -o noid rows.c main.c && cp noid noid.whole && "
		    "objcopy --only-keep-debug noid noid.debug && "
		    "objcopy --strip-all --add-gnu-debuglink=noid.debug noid && "
		    "mkdir -p wrong && cp noid wrong/ && cp apart.debug wrong/noid.debug");
	check_text("noid", "noid.whole", "debug file by its checksum alone");
	ok(module_locate(module_of("wrong/noid"), address, &location),
	   "the debug file with another checksum is refused");
}

static void check_split_off(void)
{
	const char *error;
	char name[16];

	for (int version = 4; version <= 5; version++) {
		snprintf(name, sizeof(name), "split%d", version);
		fixture_run("gcc -O1 -gdwarf-%d -gsplit-dwarf -o %s rows.c main.c && rm *.dwo",
			    version, name);
		error = module_error(module_of(name));
		ok(error && strstr(error, "2 of its .dwo files"),
		   "DWARF %d: .dwo files that are gone: %s", version, error);
	}
}

static void check_without_lines(void)
{
	struct location location = { 0 };
	struct variable variable;
	uint64_t bias, address, size, hidden;

	fixture_run("gcc -O2 -fPIC -shared -o libplain.so rows.c && cp libplain.so libbare.so && "
		    "strip libbare.so && gcc -O2 -o plain rows.c main.c && cp plain bare && "
		    "strip bare");
	fixture_symbol("plain", "columns", &address, &size);
	ok(!module_locate(module_of("plain"), address + 3, &location) && !location.file &&
	   !strcmp(location.function, "columns") && location.entry == address,
	   "without -g: the function of the symbol table, no line");
	ok(module_error(module_of("plain")) &&
	   strstr(module_error(module_of("plain")), "no debug information"), "and says so: %s",
	   module_error(module_of("plain")));
	fixture_run("echo noise >noise && objcopy --add-section .debug_info=noise plain odd");
	ok(module_error(module_of("odd")) && strstr(module_error(module_of("odd")), "cannot be read"),
	   "what is there and cannot be read is not called missing: %s", module_error(module_of("odd")));
	ok(module_locate(module_of("bare"), address, &location), "stripped: nothing known");
	ok(module_error(module_of("bare")) &&
	   strstr(module_error(module_of("bare")), "stripped"), "and says so");
	ok(module_bias(module_of("bare"), 0, 0x1000, CCS_MAP_READ, &bias),
	   "stripped: segments are known");
	fixture_symbol("libplain.so", "columns", &address, &size);
	fixture_symbol("libplain.so", "table", &hidden, &size);
	ok(!module_locate(module_of("libbare.so"), address + 3, &location) &&
	   !strcmp(location.function, "columns"), "stripped library: its exported functions");
	ok(module_variable(module_of("libbare.so"), hidden, &variable),
	   "stripped library: its own data have no name");
	fixture_symbol("libplain.so", "counter", &address, &size);
	ok(!module_variable(module_of("libbare.so"), address, &variable) &&
	   !strcmp(variable.name, "counter"), "stripped library: its exported data");
}

static const char labels_source[] =
	"	.data\n"
	"sized:	.quad 1, 2\n"
	"	.type sized, @object\n"
	"	.size sized, 16\n"
	"first:	.quad 1, 2, 3\n"
	"	.type first, @object\n"
	"second:	.quad 4\n"
	"	.type second, @object\n"
	"	.size second, 8\n"
	"	.quad 5\n"
	"	.text\n"
	"	.globl main, walk\n"
	"	.type main, @function\n"
	"main:	xor %eax, %eax\n"
	"inner:	ret\n"
	"	.size main, . - main\n"
	"walk:	nop\n"
	"	nop\n"
	"	ret\n"
	"	.section .note.GNU-stack,\"\",@progbits\n";

/* Symbols without sizes, labels in functions, bytes that nobody names. */
static void check_sizes(void)
{
	uint64_t base = 0, walk = 0;
	struct variable variable;
	struct location location;
	char text[1024];
	unsigned long long at;
	FILE *from;

	fixture_write("labels.s", labels_source);
	fixture_run("gcc -no-pie -o labels labels.s && nm labels > labels.nm");
	from = fopen(fixture_path("labels.nm"), "r");
	while (from && fgets(text, sizeof(text), from)) {
		if (sscanf(text, "%llx", &at) == 1 && strstr(text, " sized\n"))
			base = at;
		if (sscanf(text, "%llx", &at) == 1 && strstr(text, " walk\n"))
			walk = at;
	}
	if (from)
		fclose(from);
	ok(!module_variable(module_of("labels"), base + 15, &variable) &&
	   !strcmp(variable.name, "sized"), "a symbol with a size");
	ok(!module_variable(module_of("labels"), base + 16 + 23, &variable) &&
	   !strcmp(variable.name, "first") && variable.size == 24,
	   "one without a size lasts to the next");
	ok(module_variable(module_of("labels"), base + 16 + 24 + 8, &variable),
	   "behind the last size nobody's bytes begin");
	ok(!module_locate(module_of("labels"), walk + 2, &location) &&
	   !strcmp(location.function, "walk"), "a function without size or type");
	ok(!module_locate(module_of("labels"), walk - 1, &location) &&
	   !strcmp(location.function, "main"), "a label in a function is not another one");
}

static void check_build_id(void)
{
	uint8_t id[20] = { 1, 2, 3 };
	struct location location;
	struct module *module;
	uint64_t address, size;
	char text[64];
	FILE *from;

	fixture_run("gcc -O2 -g -Wl,--build-id=0x000102030405060708090a0b0c0d0e0f10111213 "
		    "-o identified rows.c main.c");
	fixture_symbol("identified", "columns", &address, &size);
	module = symbols_module(symbols, fixture_path("identified"), id, sizeof(id));
	ok(module_locate(module, address, &location), "another build-id: no names");
	ok(module_error(module) && strstr(module_error(module), "build-id differs"), "%s",
	   module_error(module));
	ok(symbols_module(symbols, fixture_path("identified"), id, sizeof(id)) == module,
	   "the same path and build-id is the same module");
	for (int i = 0; i < 20; i++)
		id[i] = i;
	module = symbols_module(symbols, fixture_path("identified"), id, sizeof(id));
	ok(!module_locate(module, address, &location) && !module_error(module),
	   "the right build-id: names");
	snprintf(text, sizeof(text), "%s (deleted)", fixture_path("identified"));
	ok(!module_locate(symbols_module(symbols, text, id, sizeof(id)), address, &location),
	   "a deleted file that has come back with its build-id");
	ok(module_locate(symbols_module(symbols, text, NULL, 0), address, &location),
	   "but not where the build-id is unknown");
	/* Files are closed once they are open. */
	from = popen("ls -l /proc/$PPID/fd", "r");
	while (from && fgets(text, sizeof(text), from))
		if (strstr(text, fixture_directory))
			break;
	ok(from && feof(from), "no file is held open");
	if (from)
		pclose(from);
}

static void check_odd_files(void)
{
	static const char *const names[] = {
		"missing", ".", "empty", "text", "fifo", "[vdso]", "object32", "/dev/zero", "",
	};
	struct location location;
	struct variable variable;
	uint64_t bias;

	fixture_run(": > empty; echo text > text; mkfifo fifo; "
		    "head -c 64 c0 | sed 's/ELF\\x02/ELF\\x01/' > object32");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct module *module = strchr("[/", names[i][0]) ?
			symbols_module(symbols, names[i], NULL, 0) : module_of(names[i]);

		ok(module_locate(module, 0x1000, &location) &&
		   module_variable(module, 0x1000, &variable) &&
		   !module_segment(module, 0x1000) &&
		   !module_bias(module, 0x1000, 0, 0, &bias) && module_error(module),
		   "nothing known, and why: %s", module_error(module));
	}
}

static uint64_t seed;

static uint64_t number(void)
{
	return random_next(&seed);
}

/* Asks all that can be asked of a broken file. */
static void question(const char *path)
{
	struct symbols *own = symbols_new();
	struct module *module = symbols_module(own, path, NULL, 0);
	struct location chain[8];
	struct variable variable;
	uint64_t bias;

	module_error(module);
	for (uint64_t at = 0x1000; at < 0x1400; at += 7)
		module_inlines(module, at, chain, 8);
	for (uint64_t at = 0x3d00; at < 0x5000; at += 16)
		module_variable(module, at, &variable);
	for (int i = 0; i < 64; i++) {
		module_locate(module, number(), chain);
		module_variable(module, number(), &variable);
		module_bias(module, number(), number() % 65536, number() % 8, &bias);
	}
	symbols_free(own);
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
		abort();
}

/* Each broken file in a process of its own: a crash is counted, and is not ours to survive. */
static bool survives(const uint8_t *bytes, size_t size, int round)
{
	const char *path = fixture_path("broken");
	int status;
	pid_t pid;

	write_bytes(path, bytes, size);
	pid = fork();
	if (!pid) {
		alarm(20);
		question(path);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (status)
		printf("# round %d: status %d\n", round, status);
	return !status;
}

static void check_hostile(const char *name, int rounds)
{
	static uint8_t bytes[1 << 17], broken[1 << 17];
	FILE *file = fopen(fixture_path(name), "r");
	size_t size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
	int failed = 0;
	uint64_t begun = seed;

	if (file)
		fclose(file);
	for (int i = 0; i < rounds; i++) {
		size_t length = i % 4 ? size : number() % size;
		int flips = 1 << number() % 7;

		memcpy(broken, bytes, size);
		/* Past the identification, or it would be no ELF file at all. */
		for (int f = 0; f < flips; f++)
			broken[i % 3 ? number() % size : 16 + number() % 1024] = number();
		memcpy(broken, bytes, 16);
		failed += !survives(broken, length, i);
	}
	ok(size && !failed, "%s: %d broken copies, no crash (%d did; seed %llu)", name, rounds,
	   failed, (unsigned long long)begun);
}

/* Nobody but this machine's disk is asked. */
static void check_offline(void)
{
	char text[4096];
	bool loaded = false;
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(text, sizeof(text), maps))
		loaded |= strstr(text, "debuginfod") != NULL;
	if (maps)
		fclose(maps);
	ok(!loaded && access(fixture_path("debuginfod"), F_OK),
	   "with DEBUGINFOD_URLS set nothing is fetched");
}

int main(void)
{
	static const char *const flags[] = {
		"-O0 -gdwarf-4", "-O0 -gdwarf-5", "-O2 -gdwarf-4", "-O2 -gdwarf-5",
		"-O3 -gdwarf-5 -no-pie", "-O2 -gdwarf-4 -no-pie -static",
		"-O2 -gdwarf-5 -fPIC -shared", "-O2 -g -gz", "-O2 -g -gsplit-dwarf",
		"-O2 -g -gno-as-loc-support -fno-var-tracking",
	};

	seed = 20261121;
	fixture_begin();
	setenv("DEBUGINFOD_URLS", "http://127.0.0.1:9/", 1);
	setenv("DEBUGINFOD_CACHE_PATH", fixture_path("debuginfod"), 1);
	symbols = symbols_new();
	fixture_write("rows.c", c_source);
	fixture_write("main.c", main_source);
	fixture_write("shapes.cc", cxx_source);
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		check_c("gcc", flags[i]);
	if (fixture_run("command -v clang > clang.path 2>&1")) {
		check_c("clang", "-O2 -g");
		check_c("clang", "-O1 -gdwarf-4");
	} else {
		skip("no clang", "clang, which writes no .debug_aranges");
	}
	check_static_local("-O2 -g");
	check_inlines();
	if (fixture_run("command -v g++ > g++.path 2>&1")) {
		check_cxx("g++", "-O0 -gdwarf-5");
		check_cxx("g++", "-O2 -gdwarf-4");
		check_cxx("g++", "-O3 -gdwarf-5");
	} else {
		skip("no g++", "C++");
	}
	check_separate();
	check_split_off();
	check_without_lines();
	check_sizes();
	check_build_id();
	check_odd_files();
	check_hostile("c3", 150);
	check_hostile("cxx1", 100);
	check_hostile("libplain.so", 50);
	check_offline();
	symbols_free(symbols);
	return done();
}
