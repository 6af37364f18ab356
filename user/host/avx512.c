// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "host/avx512.h"
#include "loops/code.h"

#define LINKER		"/lib64/ld-linux-x86-64.so.2"
#define LIBRARIES_MOST	500
#define LEGACY_MOST	4	/* prefixes before EVEX that make sense */

/* 0x62 begins EVEX alone in 64-bit mode; segment and address-size prefixes may stand before it. */
static bool is_evex(const uint8_t *bytes, size_t size)
{
	static const uint8_t prefixes[] = { 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, 0x67 };
	size_t at = 0;

	while (at < size && at < LEGACY_MOST && memchr(prefixes, bytes[at], sizeof(prefixes)))
		at++;
	return at < size && bytes[at] == 0x62;
}

static void look_through(const struct decoder *decoder, const Elf_Data *data, uint64_t address,
			 struct avx512 *found)
{
	const uint8_t *bytes = data->d_buf;
	struct step step;

	for (size_t at = 0; at < data->d_size; at += step.size) {
		if (!decoder_step(decoder, bytes + at, data->d_size - at, address + at, &step)) {
			step.size = 1;
			continue;
		}
		if (!is_evex(bytes + at, step.size))
			continue;
		if (!found->count++)
			found->first = address + at;
	}
}

static char *function_in(Elf_Scn *section, const GElf_Shdr *header, const struct elf_file *file,
			 uint64_t address)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	const char *name;
	GElf_Sym symbol;

	for (size_t i = 0; i < count; i++) {
		if (!gelf_getsym(data, i, &symbol) || address < symbol.st_value ||
		    address - symbol.st_value >= symbol.st_size)
			continue;
		name = elf_strptr(file->elf, header->sh_link, symbol.st_name);
		if (name && *name)
			return xstrdup(name);
	}
	return NULL;
}

static char *function_at(const struct elf_file *file, uint64_t address)
{
	Elf_Scn *section = NULL;
	char *function = NULL;
	GElf_Shdr header;

	while (!function && (section = elf_nextscn(file->elf, section)))
		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			function = function_in(section, &header, file, address);
	return function;
}

void avx512_find(const struct elf_file *file, struct avx512 *found)
{
	struct decoder *decoder = decoder_new();
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf_Data *data;

	*found = (struct avx512){ .count = 0 };
	while ((section = elf_nextscn(file->elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
		    !(header.sh_flags & SHF_EXECINSTR))
			continue;
		data = elf_getdata(section, NULL);
		if (data && data->d_buf)
			look_through(decoder, data, header.sh_addr, found);
	}
	if (found->count)
		found->function = function_at(file, found->first);
	decoder_free(decoder);
}

/*
 * The dynamic linker's list, as ldd has it; none of the program's code runs. Return: its output, or
 * NULL.
 */
static FILE *linker_list(const char *path, pid_t *linker)
{
	char *argv[] = { LINKER, "--list", (char *)path, NULL }, *environment[] = { NULL };
	posix_spawn_file_actions_t actions;
	int ends[2], error;
	FILE *out = NULL;

	if (pipe2(ends, O_CLOEXEC))
		return NULL;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	error = posix_spawn(linker, LINKER, &actions, NULL, argv, environment);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (!error)
		out = fdopen(ends[0], "r");
	if (!out)
		close(ends[0]);
	if (!error && !out)
		waitpid(*linker, NULL, 0);
	return out;
}

char **program_libraries(const char *path)
{
	char **libraries = xcalloc(LIBRARIES_MOST + 1, sizeof(*libraries)), *line = NULL, *name;
	size_t count = 0, room = 0;
	pid_t linker = 0;
	FILE *list = linker_list(path, &linker);

	if (!list)
		return libraries;
	/* "	libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f...)" */
	while (getline(&line, &room, list) >= 0 && count < LIBRARIES_MOST) {
		name = strstr(line, "=> /");
		if (!name)
			continue;
		name += strlen("=> ");
		name[strcspn(name, " \n")] = '\0';
		libraries[count++] = xstrdup(name);
	}
	free(line);
	fclose(list);
	waitpid(linker, NULL, 0);
	return libraries;
}

void program_libraries_free(char **libraries)
{
	for (size_t i = 0; libraries[i]; i++)
		free(libraries[i]);
	free(libraries);
}
