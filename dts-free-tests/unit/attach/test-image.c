// SPDX-License-Identifier: GPL-2.0-only
/*
 * Libraries that are put into a running process: as they are, and such whose relocations cannot be
 * read, which would end the process.
 */
#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/image.h"
#include "attach/process.h"
#include "tap.h"

static char copy[] = "/tmp/ccsample-test-image-XXXXXX";

enum damage { NONE, RELOCATIONS, SECTIONS };

/* A copy of a library, whose segments are sound. */
static bool make_copy(const char *path, enum damage damage)
{
	int from = open(path, O_RDONLY | O_CLOEXEC), to = open(copy, O_RDWR | O_TRUNC | O_CLOEXEC);
	struct stat info = { .st_size = 0 };
	Elf64_Ehdr *file;
	Elf64_Shdr *section;
	int i;

	if (from < 0 || to < 0 || fstat(from, &info) || ftruncate(to, info.st_size))
		return false;
	file = mmap(NULL, info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, to, 0);
	if (file == MAP_FAILED || read(from, file, info.st_size) != info.st_size)
		return false;
	section = (void *)((char *)file + file->e_shoff);
	for (i = 0; damage == RELOCATIONS && i < file->e_shnum; i++)
		if (section[i].sh_type == SHT_RELA)
			section[i].sh_offset = info.st_size;
	if (damage == SECTIONS)
		file->e_shoff = file->e_shnum = file->e_shstrndx = 0;
	munmap(file, info.st_size);
	close(from);
	close(to);
	return true;
}

/* Return: what relocating says; 1 = it could not be tried. */
static int relocated(const char *library, const char *zydis, enum damage damage)
{
	struct attach_image images[ATTACH_IMAGES] = { { .path = NULL } };
	int result = 1, i;

	if (make_copy(library, damage) && !attach_image_read(&images[0], copy) &&
	    !attach_image_read(&images[1], zydis))
		result = attach_image_relocate(&images[0], images, ATTACH_IMAGES);
	for (i = 0; i < ATTACH_IMAGES; i++)
		attach_image_free(&images[i]);
	return result;
}

int main(int argc, char **argv)
{
	void *decode = (void *)ZydisDecoderInit;
	char library[4096];
	Dl_info zydis;

	snprintf(library, sizeof(library), "%s/bursts/libccsample-attach.so",
		 argc > 1 ? argv[1] : "build");
	if (access(library, R_OK) || !dladdr(decode, &zydis)) {
		skip("the library is not built", "relocations");
		return done();
	}
	close(mkstemp(copy));
	ok(!relocated(library, zydis.dli_fname, NONE), "a library as it is");
	ok(relocated(library, zydis.dli_fname, RELOCATIONS) == -1,
	   "relocations beyond the end of the file: refused");
	ok(relocated(library, zydis.dli_fname, SECTIONS) == -1, "no sections: refused");
	unlink(copy);
	return done();
}
