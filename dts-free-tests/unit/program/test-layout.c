// SPDX-License-Identifier: GPL-2.0-only
/* Parts and types of variables, as compilers write them down, against where the source has them. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "program/layout.h"
#include "program/symbols.h"

#include "fixture.h"
#include "tap.h"

static const char cxx_source[] =
	"template <class T> struct Base { };\n"
	"struct Vec : Base<Vec> { double x, y, z; };\n"
	"struct Counted { static int number; double x, y; };\n"
	"struct Flags { double x; unsigned a : 3, b : 29; unsigned c; };\n"
	"Vec vecs[100];\n"
	"Counted counteds[100];\n"
	"Flags flags[100];\n"
	"double grids[3][64][64];\n"
	"double __attribute__((vector_size(32))) lanes[100];\n"
	"int Counted::number;\n"
	"int main() { return 0; }\n";
static const char c_source[] =
	"struct { long number; double array[]; } tail = { 3, { 1, 2, 3 } };\n"
	"int main() { return 0; }\n";
static const char fortran_source[] =
	"module m\n"
	"  real(8) :: few_first(5, 100, 100), few_last(0:99, 100, 2:4)\n"
	"end module\n"
	"program p\n"
	"  use m\n"
	"  print *, few_first(1, 1, 1), few_last(1, 1, 2)\n"
	"end program\n";
static const char rust_source[] =
	"#[no_mangle] static mut GRID: [[f64; 128]; 64] = [[0.0; 128]; 64];\n"
	"#[derive(Clone, Copy)] struct Body { a: u8, x: f64, y: f64 }\n"
	"#[no_mangle] static mut BODIES: [Body; 64] = [Body { a: 0, x: 0.0, y: 0.0 }; 64];\n"
	"fn main() { unsafe { GRID[1][2] = 1.0; BODIES[3].x = GRID[3][4];\n"
	"	println!(\"{} {}\", BODIES[4].y, BODIES[4].a); } }\n";

static struct symbols *symbols;

static uint64_t address_of(const char *program, const char *symbol)
{
	unsigned long long address = 0;
	char command[512];
	FILE *from;

	snprintf(command, sizeof(command), "nm %s | awk '$3 == \"%s\" { print $1 }'",
		 fixture_path(program), symbol);
	from = popen(command, "r");
	if (from && fscanf(from, "%llx", &address) != 1)
		address = 0;
	if (from)
		pclose(from);
	return address;
}

/* @part: NULL = none */
static void check(const char *program, const char *symbol, uint64_t offset, const char *type,
		  uint64_t bytes, const char *part)
{
	struct module *module = symbols_module(symbols, fixture_path(program), NULL, 0);
	uint64_t address = address_of(program, symbol);
	uint32_t found = LAYOUT_NONE;
	struct variable variable;

	if (!address || module_variable(module, address + offset, &variable)) {
		ok(false, "%s: %s is found", program, symbol);
		return;
	}
	if (variable.layout)
		found = layout_part(variable.layout, offset);
	ok(same_text(variable.type, type) && variable.size == bytes &&
	   variable.low <= address + offset && address + offset < variable.high,
	   "%s: %s is %s, %llu B", program, symbol, variable.type ? variable.type : "unknown",
	   (unsigned long long)variable.size);
	ok(found == LAYOUT_NONE ? !part :
	   same_text(layout_name(variable.layout, found), part),
	   "%s: %llu bytes from its beginning lies %s", program, (unsigned long long)offset,
	   found == LAYOUT_NONE ? "no part" : layout_name(variable.layout, found));
}

static bool compile(const char *program, const char *source, const char *file, const char *how)
{
	fixture_write(file, source);
	if (fixture_run("command -v %.*s >/dev/null", (int)strcspn(how, " "), how))
		return fixture_run("%s -o %s %s 2>/dev/null", how, program, file);
	ok(true, "%s # SKIP not installed", how);
	return false;
}

static void check_cxx(const char *program, const char *how)
{
	if (!compile(program, cxx_source, "layout.cc", how))
		return;
	/* An empty base and a static member take no place. */
	check(program, "vecs", 24, "struct Vec[100]", 2400, "[].x");
	check(program, "vecs", 16, "struct Vec[100]", 2400, "[].z");
	check(program, "counteds", 32, "struct Counted[100]", 1600, "[].x");
	check(program, "flags", 11, "struct Flags[100]", 1600, "[].a");
	check(program, "flags", 12, "struct Flags[100]", 1600, "[].c");
	check(program, "grids", 32768, "double[3][64][64]", 98304, "[1]");
	/* An array of arrays. */
	check(program, "lanes", 32, "double[100][4]", 3200, NULL);
}

int main(void)
{
	symbols = symbols_new();
	fixture_begin();
	check_cxx("g++", "g++ -g");
	check_cxx("g++-4", "g++ -g -gdwarf-4");
	check_cxx("clang", "clang++ -g");
	check_cxx("clang-4", "clang++ -g -gdwarf-4");
	if (compile("gcc", c_source, "tail.c", "gcc -g")) {
		check("gcc", "tail", 0, "struct ", 32, ".number");
		check("gcc", "tail", 24, "struct ", 32, ".array");
	}
	if (compile("gfortran", fortran_source, "layout.f90", "gfortran -g")) {
		/* The last index has the largest steps. */
		check("gfortran", "__m_MOD_few_first", 8, "real(kind=8)(5,100,100)", 400000, NULL);
		check("gfortran", "__m_MOD_few_last", 80008, "real(kind=8)(0:99,100,2:4)", 240000,
		      "(:,:,3)");
	}
	if (compile("rustc", rust_source, "layout.rs", "rustc -g")) {
		check("rustc", "GRID", 1024, "f64[64][128]", 65536, NULL);
		check("rustc", "BODIES", 24, "struct Body[64]", 1536, "[].x");
		check("rustc", "BODIES", 40, "struct Body[64]", 1536, "[].a");
	}
	symbols_free(symbols);
	return done();
}
