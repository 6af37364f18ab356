// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library that is put into a running process: as the dynamic linker would have it there, and
 * such whose relocations cannot be read or done, which would end the process.
 */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/image.h"
#include "tap.h"

static char copy[] = "/tmp/ccsample-test-image-XXXXXX";

enum damage { NONE, RELOCATIONS, PACKED, SECTIONS };

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
	for (i = 0; damage == PACKED && i < file->e_shnum; i++)
		if (section[i].sh_type == SHT_GNU_HASH || section[i].sh_type == SHT_HASH) {
			section[i].sh_type = SHT_RELR;
			section[i].sh_entsize = sizeof(Elf64_Addr);
		}
	if (damage == SECTIONS)
		file->e_shoff = file->e_shnum = file->e_shstrndx = 0;
	munmap(file, info.st_size);
	close(from);
	close(to);
	return true;
}

/* Return: what relocating says; 1 = it could not be tried. */
static int relocated(const char *library, enum damage damage)
{
	struct attach_image image;
	int result = 1;

	if (!make_copy(library, damage))
		return 1;
	if (!attach_image_read(&image, copy))
		result = attach_image_relocate(&image);
	attach_image_free(&image);
	return result;
}

/* Each segment byte for byte, but for .dynamic, where the linker keeps its own notes. */
static bool equal(struct attach_image *image)
{
	const Elf64_Ehdr *file = (const void *)image->bytes;
	const Elf64_Phdr *segment = (const void *)(image->bytes + file->e_phoff);
	const char *linked = (const char *)image->base;
	int i, loads = 0;

	for (i = 0; i < file->e_phnum; i++)
		if (segment[i].p_type == PT_DYNAMIC)
			memcpy(image->bytes + segment[i].p_vaddr, linked + segment[i].p_vaddr,
			       segment[i].p_memsz);
	for (i = 0; i < file->e_phnum; i++) {
		if (segment[i].p_type != PT_LOAD)
			continue;
		loads++;
		if (memcmp(image->bytes + segment[i].p_vaddr, linked + segment[i].p_vaddr,
			   segment[i].p_memsz))
			return false;
	}
	return loads;
}

/* The dynamic linker loads it, we relocate another one for the same place. */
static void compare(const char *library)
{
	void *handle = dlopen(library, RTLD_NOW);
	struct attach_image image;
	struct link_map *map;
	bool read;

	if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map)) {
		ok(false, "%s", dlerror());
		return;
	}
	read = !attach_image_read(&image, library);
	image.base = map->l_addr;
	ok(read && !attach_image_relocate(&image), "a library as it is");
	ok(read && equal(&image), "... lies there as the dynamic linker lays it out");
	ok(read && attach_image_symbol(&image, "attach_begin") ==
	   (uint64_t)dlsym(handle, "attach_begin"), "... and has its symbols where that finds them");
	ok(!attach_image_symbol(&image, "attach_nothing"), "... and no others");
	attach_image_free(&image);
	dlclose(handle);
}

int main(int argc, char **argv)
{
	const char *build = argc > 1 ? argv[1] : "build";
	char library[4096], dependent[4096];

	snprintf(library, sizeof(library), "%s/bursts/libccsample-attach.so", build);
	snprintf(dependent, sizeof(dependent), "%s/pads/libccsample-pads.so", build);
	if (access(library, R_OK) || access(dependent, R_OK)) {
		skip("the libraries are not built", "relocations");
		return done();
	}
	compare(library);
	close(mkstemp(copy));
	ok(relocated(library, RELOCATIONS) == -1,
	   "relocations beyond the end of the file: refused");
	ok(relocated(library, PACKED) == -1, "packed ones beside the others: refused");
	ok(relocated(library, SECTIONS) == -1, "no sections: refused");
	ok(relocated(dependent, NONE) == -1, "one that needs another library: refused");
	unlink(copy);
	return done();
}
