// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "program/build-id.h"

#define BUCKETS		1024
#define HEAD		(16u << 10)	/* bytes of a file that its segments are looked for in */
#define NOTES_MOST	(64u << 10)	/* bytes of notes in one place */
#define SECTIONS_MOST	128

struct build_ids {
	struct mapped_file *buckets[BUCKETS];
};

struct build_ids *build_ids_new(void)
{
	elf_version(EV_CURRENT);
	return xcalloc(1, sizeof(struct build_ids));
}

static struct mapped_file *find(struct build_ids *ids, const char *path, size_t size)
{
	struct mapped_file **bucket, *file;
	uint32_t hash = 2166136261;	/* FNV-1a */
	size_t i;

	for (i = 0; i < size; i++)
		hash = (hash ^ (uint8_t)path[i]) * 16777619;
	bucket = &ids->buckets[hash % BUCKETS];
	for (file = *bucket; file; file = file->next)
		if (!strncmp(file->path, path, size) && !file->path[size])
			return file;
	file = xcalloc(1, sizeof(*file));
	file->path = xmalloc(size + 1);
	memcpy(file->path, path, size);
	file->path[size] = 0;
	file->next = *bucket;
	*bucket = file;
	return file;
}

/* elf(5), "Notes (Nhdr)". Return: whether the build-id was among them. */
static bool take_note(struct mapped_file *file, const uint8_t *notes, size_t size, size_t align)
{
	size_t at = 0, name, end;
	GElf_Nhdr note;

	while (size - at >= sizeof(note)) {
		memcpy(&note, notes + at, sizeof(note));
		name = at + sizeof(note);
		at = (name + note.n_namesz + align - 1) & ~(align - 1);
		end = at + note.n_descsz;
		if (end > size)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(notes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) &&
		    note.n_descsz && note.n_descsz <= CCS_BUILD_ID_MAX) {
			memcpy(file->build_id, notes + at, note.n_descsz);
			file->build_id_size = note.n_descsz;
			return true;
		}
		at = (end + align - 1) & ~(align - 1);
		if (at > size)
			return false;
	}
	return false;
}

static bool take_notes(struct mapped_file *file, int fd, uint64_t offset, uint64_t size,
		       uint64_t align)
{
	uint8_t *notes = xmalloc(NOTES_MOST);
	ssize_t got = pread(fd, notes, size < NOTES_MOST ? size : NOTES_MOST, offset);
	bool taken = got > 0 && take_note(file, notes, got, align == 8 ? 8 : 4);

	free(notes);
	return taken;
}

/* Go's linker leaves it out of the segments. */
static void take_sections(struct mapped_file *file, int fd, const GElf_Ehdr *header)
{
	Elf64_Shdr sections[SECTIONS_MOST];
	ssize_t got = header->e_ident[EI_CLASS] == ELFCLASS64 ?
		      pread(fd, sections, sizeof(sections), header->e_shoff) : 0;
	size_t count = got > 0 ? got / sizeof(*sections) : 0, i;

	for (i = 0; i < count && i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_NOTE &&
		    take_notes(file, fd, sections[i].sh_offset, sections[i].sh_size,
			       sections[i].sh_addralign))
			break;
}

/*
 * Bytes are copied: the file may be another user's, who could cut it while it is mapped, and what
 * is mapped into the recorder would end it by SIGBUS.
 */
static void read_notes(struct mapped_file *file, int fd, char *head)
{
	ssize_t got = pread(fd, head, HEAD, 0);
	Elf *elf = got > 0 ? elf_memory(head, got) : NULL;
	GElf_Ehdr header;
	GElf_Phdr segment;
	bool taken = false;
	size_t i;

	if (elf && gelf_getehdr(elf, &header)) {
		for (i = 0; i < header.e_phnum && gelf_getphdr(elf, i, &segment) && !taken; i++)
			taken = segment.p_type == PT_NOTE &&
				take_notes(file, fd, segment.p_offset, segment.p_filesz,
					   segment.p_align);
		if (!taken)
			take_sections(file, fd, &header);
	}
	elf_end(elf);
}

static void read_build_id(struct mapped_file *file)
{
	int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char *head;

	file->build_id_size = 0;
	if (fd < 0)
		return;
	head = xmalloc(HEAD);
	read_notes(file, fd, head);
	free(head);
	close(fd);
}

const struct mapped_file *build_ids_of(struct build_ids *ids, const char *path, size_t size)
{
	struct mapped_file *file = find(ids, path, size);
	struct stat status;
	uint64_t changed;

	if (path[0] != '/' || stat(file->path, &status) || !S_ISREG(status.st_mode)) {
		file->build_id_size = 0;
		file->inode = 0;
		return file;
	}
	changed = status.st_ctim.tv_sec * 1000000000ull + status.st_ctim.tv_nsec;
	if (file->device == status.st_dev && file->inode == status.st_ino &&
	    file->changed == changed)
		return file;
	file->device = status.st_dev;
	file->inode = status.st_ino;
	file->changed = changed;
	read_build_id(file);
	return file;
}

void build_ids_free(struct build_ids *ids)
{
	struct mapped_file *file, *next;
	int i;

	for (i = 0; i < BUCKETS; i++) {
		for (file = ids->buckets[i]; file; file = next) {
			next = file->next;
			free(file->path);
			free(file);
		}
	}
	free(ids);
}
