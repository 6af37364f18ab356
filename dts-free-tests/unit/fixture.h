/* SPDX-License-Identifier: GPL-2.0-only */
/* Small programs that a test compiles for itself, in a directory of its own. */
#ifndef CCSAMPLE_FIXTURE_H
#define CCSAMPLE_FIXTURE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char fixture_directory[] = "/tmp/ccsample-test-XXXXXX";

/* Runs a shell command in the directory; its exit status is 0? */
__attribute__((format(printf, 1, 2), unused))
static bool fixture_run(const char *format, ...)
{
	char *command, *whole;
	va_list args;
	bool good;

	va_start(args, format);
	if (vasprintf(&command, format, args) < 0)
		abort();
	va_end(args);
	if (asprintf(&whole, "cd %s && %s", fixture_directory, command) < 0)
		abort();
	good = !system(whole);
	if (!good)
		printf("# failed: %s\n", command);
	free(whole);
	free(command);
	return good;
}

static void fixture_remove(void)
{
	if (fixture_run("true"))
		fixture_run("rm -rf %s", fixture_directory);
}

__attribute__((unused))
static void fixture_begin(void)
{
	if (!mkdtemp(fixture_directory)) {
		perror(fixture_directory);
		exit(1);
	}
	atexit(fixture_remove);
}

/* The path of a file in the directory; good until the eighth call after. */
__attribute__((unused))
static const char *fixture_path(const char *name)
{
	static char paths[8][256];
	static int next;
	char *path = paths[next++ % 8];

	snprintf(path, 256, "%s/%s", fixture_directory, name);
	return path;
}

__attribute__((unused))
static void fixture_write(const char *name, const char *text)
{
	FILE *file = fopen(fixture_path(name), "w");

	if (!file || fputs(text, file) < 0 || fclose(file))
		abort();
}

/* The number of the line of a text that holds a mark, from 1. */
__attribute__((unused))
static uint32_t fixture_line(const char *text, const char *mark)
{
	const char *at = strstr(text, mark);
	uint32_t line = 1;

	if (!at) {
		printf("# no mark %s\n", mark);
		abort();
	}
	while (at > text)
		line += *--at == '\n';
	return line;
}

/* Address and size of a symbol, from nm(1); false if it has none. */
__attribute__((unused))
static bool fixture_symbol(const char *file, const char *name, uint64_t *address, uint64_t *size)
{
	char command[512], line[1024], its[512];
	unsigned long long a, s;
	bool found = false;
	FILE *nm;

	snprintf(command, sizeof(command), "nm -S %s", fixture_path(file));
	nm = popen(command, "r");
	while (nm && fgets(line, sizeof(line), nm)) {
		if (sscanf(line, "%llx %llx %*c %511s", &a, &s, its) != 3 || strcmp(its, name))
			continue;
		*address = a;
		*size = s;
		found = true;
	}
	if (nm)
		pclose(nm);
	return found;
}

#endif /* CCSAMPLE_FIXTURE_H */
