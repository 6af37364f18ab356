// SPDX-License-Identifier: GPL-2.0-only
/*
 * place [NAME=VALUE...] COMMAND...: runs a command, as env does, with its stack pointer at the
 * beginning of a page: where `sim --repeatable` puts it (docs/explanation/engine.md). What lies on
 * the stack then meets other data in the same sets. Without random addresses (setarch -R) only.
 *
 * The kernel (fs/exec.c, fs/binfmt_elf.c) lays strings at the end of the stack, of which the
 * lowest is argv[0]; below them, from a multiple of 16 on, constants, the auxiliary vector and the
 * pointers, as many as there are strings; the stack pointer is rounded down to 16 again. All of
 * this is known of this process, so that of the command is as far off as its strings are longer.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define PAGE	4096u
#define PADDING	"CCSAMPLE_PLACE="

extern char **environ;

struct strings {
	size_t bytes, count;		/* with that of the file that is run; without it */
};

static void add(struct strings *strings, char *const *all)
{
	for (; *all; all++, strings->count++)
		strings->bytes += strlen(*all) + 1;
}

static struct strings strings_of(const char *file, char *const *argv)
{
	struct strings strings = { .bytes = strlen(file) + 1 };

	add(&strings, argv);
	add(&strings, environ);
	return strings;
}

static uintptr_t down_to_16(uintptr_t address)
{
	return address & ~(uintptr_t)15;
}

int main(int argc, char **argv)
{
	static char padding[sizeof(PADDING) + PAGE];
	struct strings own = strings_of((const char *)getauxval(AT_EXECFN), argv), its;
	/* The stack pointer was at the count of arguments, right before their pointers. */
	uintptr_t lowest = (uintptr_t)argv[0], pointer = (uintptr_t)argv - sizeof(long), begins;
	char **command = argv + 1;
	size_t length;

	while (*command && strchr(*command, '=') && !putenv(*command))
		command++;
	if (argc < 2 || !*command || !strchr(*command, '/')) {
		fprintf(stderr, "usage: place [NAME=VALUE...] /PATH/OF/COMMAND [ARGUMENT...]\n");
		return 2;
	}
	strcpy(padding, PADDING);
	putenv(padding);
	/* As many pointers more or fewer are whole steps of 16, or one more makes them so. */
	if ((strings_of(*command, command).count - own.count) % 2)
		putenv("CCSAMPLE_EVEN=");
	its = strings_of(*command, command);
	for (length = 0; length < PAGE; length++) {
		begins = down_to_16(lowest + own.bytes - its.bytes - length) - down_to_16(lowest) +
			 pointer - (its.count - own.count) * sizeof(char *);
		if (begins % PAGE == 0)
			break;
	}
	memset(padding + sizeof(PADDING) - 1, '.', length);
	execv(*command, command);
	perror(*command);
	return 127;
}
