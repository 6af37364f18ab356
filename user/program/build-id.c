// SPDX-License-Identifier: GPL-2.0-only
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "program/build-id.h"

#define BUCKETS	1024

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

static void read_build_id(struct mapped_file *file)
{
	int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	const void *id;
	ssize_t size = 0;
	Elf *elf;

	file->build_id_size = 0;
	if (fd < 0)
		return;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		size = dwelf_elf_gnu_build_id(elf, &id);
	if (size > 0 && size <= CCS_BUILD_ID_MAX) {
		memcpy(file->build_id, id, size);
		file->build_id_size = size;
	}
	elf_end(elf);
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
