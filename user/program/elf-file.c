// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

#include "base/array.h"
#include "program/elf-file.h"

#define DEBUG_DIRECTORY	"/usr/lib/debug"

static const char *why_not_elf(Elf *elf)
{
	GElf_Ehdr header;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
		return "is no ELF file";
	if (header.e_machine != EM_X86_64 || header.e_ident[EI_CLASS] != ELFCLASS64)
		return "is no x86-64 program";
	return NULL;
}

const char *elf_file_open(struct elf_file *file, const char *path)
{
	const char *reason;
	const void *id;
	struct stat status;
	ssize_t size;
	int fd;

	*file = (struct elf_file) { 0 };
	elf_version(EV_CURRENT);
	/* Not blocking: a recording may name a FIFO. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return errno == ENOENT ? "does not exist any more" : strerror(errno);
	if (fstat(fd, &status) || !S_ISREG(status.st_mode)) {
		close(fd);
		return "is no regular file";
	}
	file->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	file->time = status.st_mtime;
	reason = why_not_elf(file->elf);
	if (!reason && elf_cntl(file->elf, ELF_C_FDDONE))
		reason = "cannot be read";
	close(fd);
	if (reason) {
		elf_file_close(file);
		return reason;
	}
	size = dwelf_elf_gnu_build_id(file->elf, &id);
	if (size > 0) {
		file->build_id = id;
		file->build_id_size = size;
	}
	return NULL;
}

void elf_file_close(struct elf_file *file)
{
	if (file->elf)
		elf_end(file->elf);
	*file = (struct elf_file) { 0 };
}

Elf_Scn *elf_file_section(const struct elf_file *file, const char *name)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	const char *its;
	size_t strings;

	if (!file->elf || elf_getshdrstrndx(file->elf, &strings))
		return NULL;
	while ((section = elf_nextscn(file->elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		its = elf_strptr(file->elf, strings, header.sh_name);
		if (its && !strcmp(its, name))
			return section;
	}
	return NULL;
}

/* The checksum of .gnu_debuglink: CRC-32 as in Ethernet, over the whole file. */
static bool file_has_crc(const char *path, uint32_t wanted)
{
	static uint32_t table[256];
	unsigned char bytes[65536];
	uint32_t crc = ~0u;
	FILE *stream;
	size_t n;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
	stream = fopen(path, "re");
	if (!stream)
		return false;
	while ((n = fread(bytes, 1, sizeof(bytes), stream)))
		for (size_t i = 0; i < n; i++)
			crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];
	fclose(stream);
	return ~crc == wanted;
}

/* @crc: of the link, or NULL where the build-id led here. */
static bool try_debug(const struct elf_file *file, const char *path, const GElf_Word *crc,
		      struct elf_file *debug)
{
	bool belongs;

	if (elf_file_open(debug, path))
		return false;
	if (file->build_id_size)
		belongs = file->build_id_size == debug->build_id_size &&
			  !memcmp(file->build_id, debug->build_id, file->build_id_size);
	else
		belongs = crc && file_has_crc(path, *crc);
	if (!belongs)
		elf_file_close(debug);
	return belongs;
}

static bool debug_by_build_id(const struct elf_file *file, struct elf_file *debug)
{
	char path[sizeof(DEBUG_DIRECTORY) + 64 + 2 * 64], *end = path;

	if (file->build_id_size < 2 || file->build_id_size > 64)
		return false;
	end += sprintf(end, DEBUG_DIRECTORY "/.build-id/%02x/", file->build_id[0]);
	for (size_t i = 1; i < file->build_id_size; i++)
		end += sprintf(end, "%02x", file->build_id[i]);
	strcpy(end, ".debug");
	return try_debug(file, path, NULL, debug);
}

static bool debug_by_link(const struct elf_file *file, const char *path, struct elf_file *debug)
{
	static const char *const places[] = { "%s/%s", "%s/.debug/%s", DEBUG_DIRECTORY "%s/%s" };
	bool found = false;
	const char *link;
	char *directory, *slash, *candidate;
	GElf_Word crc;

	link = dwelf_elf_gnu_debuglink(file->elf, &crc);
	if (!link || !*link || strchr(link, '/'))
		return false;
	directory = realpath(path, NULL);
	slash = directory ? strrchr(directory, '/') : NULL;
	if (slash)
		*slash = '\0';
	for (size_t i = 0; slash && !found && i < ARRAY_SIZE(places); i++) {
		if (asprintf(&candidate, places[i], directory, link) < 0)
			break;
		found = try_debug(file, candidate, &crc, debug);
		free(candidate);
	}
	free(directory);
	return found;
}

bool elf_file_debug(const struct elf_file *file, const char *path, struct elf_file *debug)
{
	return debug_by_build_id(file, debug) || debug_by_link(file, path, debug);
}
