// SPDX-License-Identifier: GPL-2.0-only
/* Files of many sizes, read whole or cut at as many bytes; random bytes, seed 1. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/random.h"
#include "base/read-file.h"
#include "tap.h"

#define MOST 20000

static bool same(const char *bytes, size_t count, size_t from, size_t most)
{
	int fd = memfd_create("bytes", MFD_CLOEXEC);
	size_t size = MOST + 1, left = count - from;
	bool good = fd >= 0 && write(fd, bytes, count) == (ssize_t)count &&
		    lseek(fd, from, SEEK_SET) == (off_t)from;
	char *text = read_rest(fd, most, &size);

	good = good && text && size == (left < most ? left : most) &&
	       !memcmp(text, bytes + from, size) && !text[size];
	free(text);
	close(fd);
	return good;
}

int main(void)
{
	static const size_t counts[] = { 0, 1, 4095, 4096, 4097, 8192, 8193, MOST };
	static char bytes[MOST];
	uint64_t seed = 1;
	bool whole = true, cut = true, rest = true;
	size_t size;

	for (size_t i = 0; i < MOST; i++)
		bytes[i] = random_next(&seed);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		whole = whole && same(bytes, counts[i], 0, MOST);
		rest = rest && same(bytes, counts[i], counts[i] / 3, MOST);
		for (size_t j = 0; j < ARRAY_SIZE(counts); j++)
			cut = cut && same(bytes, counts[i], 0, counts[j]);
	}
	ok(whole, "files of 0 to %d bytes, whole", MOST);
	ok(cut, "... cut where they have more than is asked for");
	ok(rest, "... from where they are on");
	ok(!read_named("/", MOST, &size) && errno == EISDIR, "a directory is no file");
	ok(!read_named("/none/such", MOST, &size) && errno == ENOENT, "none is none");
	return done();
}
