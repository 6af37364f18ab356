// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/text.h"
#include "host/avx512.h"
#include "host/doctor.h"
#include "program/elf-file.h"
#include "host/program.h"

/* DWARF, plain or compressed in the old way. */
static bool has_lines(const struct elf_file *file)
{
	return elf_file_section(file, ".debug_info") || elf_file_section(file, ".zdebug_info");
}

static void find_debug(struct doctor *doctor, const struct elf_file *file, const char *path)
{
	struct elf_file debug = { };

	if (has_lines(file)) {
		doctor_find(doctor, "debug info", DOCTOR_OK, NULL,
			    "in the program: lines and variables");
	} else if (elf_file_debug(file, path, &debug)) {
		doctor_find(doctor, "debug info", DOCTOR_OK, NULL, "in a file of its own");
		elf_file_close(&debug);
	} else {
		doctor_find(doctor, "debug info", DOCTOR_LIMITED,
			    "compile with -g, or install its -dbgsym package",
			    "none: reports name %s, not lines", elf_file_section(file, ".symtab") ?
			    "functions" : "addresses and exported functions");
	}
}

static void find_kind(struct doctor *doctor, const char *path)
{
	struct stat status;

	if (!stat(path, &status) && status.st_mode & (S_ISUID | S_ISGID))
		doctor_find(doctor, "program", DOCTOR_LIMITED, "run a copy without those bits",
			    "%s is setuid or setgid: the engine refuses it, and under PEBS its "
			    "heap blocks have no names", path);
	else if (program_takes_no_library(path) == program_is_static)
		doctor_find(doctor, "program", DOCTOR_LIMITED, "link it dynamically",
			    "%s is static: its heap blocks have no names, and bursts do not follow "
			    "its children", path);
	else
		doctor_find(doctor, "program", DOCTOR_OK, NULL, "%s", path);
}

/* Libraries that ask CPUID before they use it. */
static bool asks(const char *path)
{
	static const char *const names[] = {
		"libc.so", "libm.so", "libmvec.so", "libpthread.so", "ld-linux", "libcrypto.so",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(base_name(path), names[i], strlen(names[i])))
			return true;
	return false;
}

/* Return: was there any, which is said? */
static bool has_avx512(struct doctor *doctor, const struct elf_file *file, const char *path)
{
	struct avx512 found;

	avx512_find(file, &found);
	if (found.count)
		doctor_find(doctor, "AVX-512", DOCTOR_LIMITED,
			    "record it by bursts (the default; a static one with -p) or PEBS; for "
			    "the engine and sim compile with -mno-avx512f",
			    "%s has such instructions (%zu), the first in %s (0x%" PRIx64 "): the "
			    "engine ends there with SIGILL, unless the code asks CPUID before",
			    path,
			    found.count, found.function ? found.function : "unnamed code",
			    found.first);
	free(found.function);
	return found.count;
}

/* In the program or the libraries that it is linked with. */
static void find_avx512(struct doctor *doctor, const struct elf_file *file, const char *path)
{
	bool some = has_avx512(doctor, file, path);
	char **libraries = program_libraries(path);
	size_t count = 0;

	for (char **library = libraries; *library; library++) {
		struct elf_file opened = { };

		if (asks(*library) || elf_file_open(&opened, *library))
			continue;
		some |= has_avx512(doctor, &opened, *library);
		elf_file_close(&opened);
		count++;
	}
	program_libraries_free(libraries);
	if (!some)
		doctor_find(doctor, "AVX-512", DOCTOR_OK, NULL, "none in the program and in %zu "
			    "libraries (those of the C library ask CPUID): the engine can run it",
			    count);
}

/* What is no ELF program for x86-64. */
static void find_other(struct doctor *doctor, const char *path, const char *problem)
{
	if (program_takes_no_library(path))
		doctor_find(doctor, "program", DOCTOR_NO, "name the x86-64 program that it starts",
			    "%s %s: it is not traced", path, problem);
	else
		doctor_find(doctor, "program", DOCTOR_OK, NULL,
			    "%s is a script: what it runs is traced", path);
}

bool doctor_program(struct doctor *doctor, const char *name)
{
	struct elf_file file = { };
	int error;
	char *path = program_find(name, &error);
	const char *problem;

	if (!path) {
		doctor_find(doctor, "program", DOCTOR_NO, NULL, "cannot run %s: %s", name,
			    strerror(error));
		return false;
	}
	problem = elf_file_open(&file, path);
	if (problem) {
		find_other(doctor, path, problem);
	} else {
		find_kind(doctor, path);
		find_debug(doctor, &file, path);
		find_avx512(doctor, &file, path);
		elf_file_close(&file);
	}
	free(path);
	return true;
}
