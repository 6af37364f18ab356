// SPDX-License-Identifier: GPL-2.0-only
/* Build-ids: libdw's of this program; of damaged copies of it none, or one that fits. */
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program/build-id.h"
#include "draw.h"
#include "tap.h"

#define COPIES	3000
#define HEAD	4096			/* bytes that are damaged: headers and notes are there */

static const struct mapped_file *read_id(struct build_ids *ids, const char *path)
{
	return build_ids_of(ids, path, strlen(path));
}

static void test_own(struct build_ids *ids, const char *path)
{
	const struct mapped_file *file = read_id(ids, path);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	const void *id = NULL;
	ssize_t size = dwelf_elf_gnu_build_id(elf, &id);

	ok(size > 0 && file->build_id_size == size && !memcmp(file->build_id, id, size),
	   "this program's is the one that libdw finds, of %zd bytes", size);
	elf_end(elf);
	close(fd);
}

/* The notes are made long, short and overlapping; offsets point anywhere. */
static void test_damaged(const char *path)
{
	char copy[] = "/tmp/ccsample-test-build-id-XXXXXX";
	static uint8_t head[HEAD], bytes[HEAD];
	int fd = open(path, O_RDONLY | O_CLOEXEC), to = mkstemp(copy), found = 0, i, n;
	bool fits = to >= 0 && read(fd, head, HEAD) == HEAD;

	for (i = 0; i < COPIES && fits; i++) {
		struct build_ids *ids = build_ids_new();
		const struct mapped_file *file;

		memcpy(bytes, head, HEAD);
		for (n = 1 + draw(4); n; n--)
			bytes[draw(2) ? draw(HEAD) : draw(1024)] = draw(2) ? draw(256) : 255;
		fits = pwrite(to, bytes, HEAD, 0) == HEAD && !ftruncate(to, draw(4) ? HEAD : draw(HEAD));
		file = read_id(ids, copy);
		fits = fits && file->build_id_size <= CCS_BUILD_ID_MAX;
		found += !!file->build_id_size;
		build_ids_free(ids);
	}
	ok(fits && found && found < COPIES, "%d damaged copies: %d have one", COPIES, found);
	unlink(copy);
	close(to);
	close(fd);
}

int main(void)
{
	struct build_ids *ids = build_ids_new();
	char path[4096];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);

	state = 0x9e3779b97f4a7c15;
	path[size > 0 ? size : 0] = '\0';
	test_own(ids, path);
	test_damaged(path);
	ok(!read_id(ids, "/dev/null")->build_id_size && !read_id(ids, "/tmp")->build_id_size &&
	   !read_id(ids, "[vdso]")->build_id_size && !read_id(ids, "/nonexistent")->build_id_size,
	   "what is no file has none");
	build_ids_free(ids);
	return done();
}
