/* SPDX-License-Identifier: GPL-2.0-only */
/* A file of the oracle's, or a dump, in memory: mapped, since each check reads one part of gigabytes. */
#ifndef VCORE_ORACLE_FILE_H
#define VCORE_ORACLE_FILE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Ends the program where the file cannot be read; of an empty one the bytes are none. */
static const void *map_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY);
	struct stat stat = { 0 };
	void *at = NULL;

	if (fd < 0 || fstat(fd, &stat) ||
	    (stat.st_size && (at = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0)) == MAP_FAILED)) {
		perror(path);
		exit(2);
	}
	close(fd);
	*size = stat.st_size;
	return at;
}

#endif /* VCORE_ORACLE_FILE_H */
