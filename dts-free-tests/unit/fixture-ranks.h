/* SPDX-License-Identifier: GPL-2.0-only */
/* The program that rank-recordings.h names, compiled by the test. */
#ifndef CCSAMPLE_FIXTURE_RANKS_H
#define CCSAMPLE_FIXTURE_RANKS_H

#include "fixture.h"
#include "rank-recordings.h"

static void fixture_ranks(void)
{
	static char program[256];

	fixture_write("app.c",
		"int a[4096];\n"
		"int main(int n, char **v)\n"
		"{\n"
		"	int s = 0;\n"
		"	for (int i = 0; i < n * 64; i++)\n"
		"		for (int j = 0; j < 64; j++)\n"
		"			s += a[j * 64 + i];\n"
		"	for (int i = 0; i < n; i++)\n"
		"		s ^= a[i] * a[s & 4095];\n"
		"	return s;\n"
		"}\n"
		"int other(int n)\n"
		"{\n"
		"	int s = 1;\n"
		"	while (n-- > 0)\n"
		"		s += a[s & 4095];\n"
		"	return s;\n"
		"}\n");
	/* At 0x1100, where samples begin. */
	if (!fixture_run("gcc -g -O1 -static -nostdlib -ffreestanding -Wl,-e,main "
			 "-Wl,-Ttext=0x401100 -o app app.c"))
		exit(1);
	snprintf(program, sizeof(program), "%s", fixture_path("app"));
	rank_program = program;
}

#endif /* CCSAMPLE_FIXTURE_RANKS_H */
