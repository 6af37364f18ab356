// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "host/program.h"

int program_why_not(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return errno;
	if (S_ISDIR(status.st_mode))
		return EISDIR;
	if (!S_ISREG(status.st_mode))
		return EACCES;
	return access(path, X_OK) ? errno : 0;
}

char *program_find(const char *name, int *error)
{
	const char *at = getenv("PATH");
	char *path;
	int why;

	*error = ENOENT;
	if (strchr(name, '/')) {
		*error = program_why_not(name);
		return *error ? NULL : xstrdup(name);
	}
	for (at = at ? at : "/bin:/usr/bin"; *name; at++) {
		int size = strcspn(at, ":");

		path = size ? xasprintf("%.*s/%s", size, at, name) : xstrdup(name);
		why = program_why_not(path);
		if (!why)
			return path;
		free(path);
		if (why == EACCES)
			*error = EACCES;
		at += size;
		if (!*at)
			break;
	}
	return NULL;
}

/* The kernel blames a script whose interpreter is missing. */
static int check_interpreter(const char *name, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[256] = "", *interpreter = line + 2;
	int error;

	if (!file)
		return 0;	/* it may be executed, and not be read */
	if (!fgets(line, sizeof(line), file))
		line[0] = 0;
	fclose(file);
	if (strncmp(line, "#!", 2))
		return 0;
	interpreter += strspn(interpreter, " \t");
	interpreter[strcspn(interpreter, " \t\n")] = 0;
	error = program_why_not(interpreter);
	return error ? fail("cannot run %s: its interpreter %s: %s", name, interpreter,
			    strerror(error)) : 0;
}

char *program_find_or_say(const char *name)
{
	int error;
	char *path = program_find(name, &error);

	if (!*name)
		fail("the program's name is empty");
	else if (!path && error == ENOENT && !strchr(name, '/'))
		fail("cannot run %s: there is no such program in PATH", name);
	else if (!path)
		fail("cannot run %s: %s", name, strerror(error));
	if (!path || !check_interpreter(name, path))
		return path;
	free(path);
	return NULL;
}

const char program_is_static[] = "it is statically linked";
const char program_uses_musl[] = "its C library is musl, which cannot load our libraries";

/* The dynamic linker that the program names. Return: NULL if there is none. */
static const char *interpreter_of(Elf *elf)
{
	size_t count, size, i;
	const char *file = elf_rawfile(elf, &size);
	GElf_Phdr header;

	if (!file || elf_getphdrnum(elf, &count))
		return NULL;
	for (i = 0; i < count; i++)
		if (gelf_getphdr(elf, i, &header) && header.p_type == PT_INTERP &&
		    header.p_offset < size && header.p_filesz &&
		    header.p_filesz <= size - header.p_offset &&
		    !file[header.p_offset + header.p_filesz - 1])
			return file + header.p_offset;
	return NULL;
}

static const char *elf_takes_no_library(Elf *elf)
{
	const char *interpreter;
	GElf_Ehdr header;

	if (!gelf_getehdr(elf, &header))
		return "its ELF header cannot be read";
	if (header.e_machine != EM_X86_64 || header.e_ident[EI_CLASS] != ELFCLASS64)
		return "it is no x86-64 program";
	interpreter = interpreter_of(elf);
	if (!interpreter)
		return program_is_static;
	return strstr(interpreter, "/ld-musl") ? program_uses_musl : NULL;
}

static bool is_of_sanitizer(const char *name)
{
	return !strcmp(name, "__asan_init") || !strcmp(name, "__tsan_init") ||
	       !strcmp(name, "__msan_init") || !strcmp(name, "__hwasan_init");
}

/* By the symbols that the dynamic linker sees. */
static const char *symbols_keep_allocator(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;
	int i;

	for (i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);

		if (name && is_of_sanitizer(name))
			return "it is built with a sanitizer, which has an allocator of its own";
		if (name && symbol.st_shndx != SHN_UNDEF && !strcmp(name, "malloc"))
			return "it has a malloc() of its own, which is called instead of ours";
	}
	return NULL;
}

static const char *elf_keeps_allocator(Elf *elf, int fd)
{
	Elf_Scn *section = NULL;
	const char *why = NULL;
	GElf_Shdr header;

	while (!why && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
			why = symbols_keep_allocator(elf, section, &header);
	return why;
}

static const char *elf_takes_signals(Elf *elf, int fd)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	const char *name;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) :
							NULL;
		if (name && !strcmp(name, ".go.buildinfo"))
			return "its runtime is Go's, which takes all signals";
	}
	return NULL;
}

static const char *file_takes_no_library(Elf *elf, int fd)
{
	char magic[2] = "";
	struct stat status;

	if (geteuid() && !fstat(fd, &status) && status.st_mode & (S_ISUID | S_ISGID))
		return "it runs with another user's or group's rights";
	if (elf_kind(elf) == ELF_K_ELF)
		return elf_takes_no_library(elf);
	if (pread(fd, magic, sizeof(magic), 0) == sizeof(magic) && !memcmp(magic, "#!", 2))
		return NULL;
	return "it is neither an ELF program nor a script that begins with #!";
}

/*
 * Return: the answer, NULL where the file cannot be read. @question: gets NULL, or a descriptor
 * without sections, of what is no ELF file
 */
static const char *ask(const char *path, const char *(*question)(Elf *elf, int fd))
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const char *why;
	Elf *elf;

	if (fd < 0)
		return NULL;
	elf_version(EV_CURRENT);
	/* Mapped: elf_rawfile() would read all of it, which takes 0.1 s for node. */
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	why = question(elf, fd);
	elf_end(elf);
	close(fd);
	return why;
}

const char *program_keeps_allocator(const char *path)
{
	return ask(path, elf_keeps_allocator);
}

const char *program_takes_signals(const char *path)
{
	return ask(path, elf_takes_signals);
}

const char *program_takes_no_library(const char *path)
{
	return ask(path, file_takes_no_library);
}
