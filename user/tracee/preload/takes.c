// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracee/preload/sys.h"
#include "tracee/preload/takes.h"

#define HEAD		1024		/* bytes: the program headers lie within */
#define MUSL		"/ld-musl"
#define SCRIPTS		4		/* that are one another's interpreters: as the kernel */
#define USUAL_PATH	"/bin:/usr/bin"

/* Return: bytes read; a 0 follows. */
static size_t read_head(int directory, const char *path, char *head, size_t size, size_t offset)
{
	long fd = *path ? sys3(openat, directory, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) :
			  directory, got;

	if (fd < 0)
		return 0;
	got = sys4(pread64, fd, head, size - 1, offset);
	if (*path)
		sys1(close, fd);
	if (got < 0)
		got = 0;
	head[got] = 0;
	return got;
}

/* The dynamic linker's place in the file, 0 = none is named. */
static size_t linker_at(const char *head, size_t size)
{
	Elf64_Ehdr file;
	Elf64_Phdr part;
	unsigned int i;

	memcpy(&file, head, sizeof(file));
	if (size < sizeof(file) || memcmp(file.e_ident, ELFMAG, SELFMAG) ||
	    file.e_phentsize != sizeof(part) || file.e_phoff > size)
		return 0;
	for (i = 0; i < file.e_phnum && file.e_phoff + (i + 1) * sizeof(part) <= size; i++) {
		memcpy(&part, head + file.e_phoff + i * sizeof(part), sizeof(part));
		if (part.p_type == PT_INTERP)
			return part.p_offset;
	}
	return 0;
}

/* Return: false if it is no script. @path: of its interpreter, in @head */
static bool is_script(char *head, char **path)
{
	if (strncmp(head, "#!", 2))
		return false;
	*path = head + 2 + strspn(head + 2, " \t");
	(*path)[strcspn(*path, " \t\n")] = 0;
	return **path;
}

bool takes_libraries(int directory, const char *path)
{
	char heads[2][HEAD], linker[64];
	unsigned int scripts = 0;
	char *next = NULL;
	size_t size, at;

	if (!path)
		return true;
	size = read_head(directory, path, heads[0], HEAD, 0);
	while (scripts < SCRIPTS && is_script(heads[scripts % 2], &next)) {
		directory = AT_FDCWD;
		path = next;
		scripts++;
		size = read_head(directory, path, heads[scripts % 2], HEAD, 0);
	}
	at = linker_at(heads[scripts % 2], size);
	return !at || !read_head(directory, path, linker, sizeof(linker), at) ||
	       !strstr(linker, MUSL);
}

bool takes_libraries_by_name(const char *file)
{
	const char *next = getenv("PATH");
	char path[PATH_MAX];
	size_t size;

	if (!file || !*file || strchr(file, '/'))
		return takes_libraries(AT_FDCWD, file);
	for (next = next ? next : USUAL_PATH; ; next += size + 1) {
		size = strcspn(next, ":");
		if (size + strlen(file) + 2 <= sizeof(path)) {
			memcpy(path, next, size);
			path[size] = '/';
			strcpy(path + size + !!size, file);
			if (!sys4(faccessat, AT_FDCWD, path, X_OK, 0))
				return takes_libraries(AT_FDCWD, path);
		}
		if (!next[size])
			return true;
	}
}
