// SPDX-License-Identifier: GPL-2.0-only
/*
 * What was decoded before is decoded alike (tracee/decode/heads.c): each instruction, as it is and with other bytes
 * behind its head, by what is kept and by Zydis alone. Random bytes with the prefixes of all encodings, and this
 * program's own code. Seed 11.
 */
#include <stdio.h>
#include <string.h>

#include "tap.h"
#include "tracee/decode/decode.h"
#include "tracee/decode/heads.h"
#include "tracee/bursts/miss.h"
#include "tracee/x86/cpu.h"

#define SEED	11
#define RANDOM	3000000u
#define TIMES	4u		/* other bytes behind a head */
#define ADDRESS	0x7f0012345678

extern const uint8_t etext[];

static struct heads heads;
static unsigned long decoded, kept, zydis;
static uint64_t state = SEED;

/* What decode_insn() needs of the tracer. */
uint16_t cpu_xsave_bytes(void)
{
	return 2696;
}

bool cpu_wide_masks(void)
{
	return true;
}

void heads_save_vectors(void)
{
	zydis++;
}

void heads_restore_vectors(void)
{
}

static uint64_t random64(void)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return state ^ state >> 29;
}

static bool decode_with(struct heads *with, const uint8_t *bytes, unsigned int size, struct insn *insn)
{
	decode_heads = with;
	memset(insn, 0, sizeof(*insn));
	return decode_insn(ADDRESS, bytes, size, insn);
}

/* Return: the length, 0 = both say no; @same: cleared where they differ. */
static unsigned int both(const uint8_t *bytes, unsigned int size, bool *same)
{
	struct insn by_zydis, by_head;
	bool first = decode_with(NULL, bytes, size, &by_zydis);
	bool second = decode_with(&heads, bytes, size, &by_head);

	*same &= first == second && (first ? !memcmp(&by_zydis, &by_head, sizeof(by_head)) :
					     by_zydis.reason == by_head.reason);
	decoded += first;
	return first ? by_zydis.length : 0;
}

/* With other bytes behind the head. */
static bool others(const uint8_t *bytes)
{
	uint8_t changed[2 * INSN_ROOM];
	struct insn insn;
	bool same = true;
	unsigned int i, j;

	if (!decode_with(NULL, bytes, 15, &insn) || !insn.head)
		return true;
	for (i = 0; i < TIMES; i++) {
		unsigned long before = zydis;

		memcpy(changed, bytes, sizeof(changed));
		for (j = insn.head; j < sizeof(changed); j++)
			changed[j] = i ? random64() >> 33 : 0xff;
		both(changed, 15, &same);
		kept += zydis == before + 1;
		both(changed, insn.length - random64() % 2, &same);
	}
	return same;
}

static void print(const char *what, const uint8_t *bytes)
{
	printf("# %s:", what);
	for (int i = 0; i < 15; i++)
		printf(" %02x", bytes[i]);
	printf("\n");
}

/* A VEX, EVEX or XOP prefix, some legacy ones, or none. */
static void fill(uint8_t *bytes)
{
	static const uint8_t prefix[] = {
		0xc4, 0xc5, 0x62, 0x8f, 0x66, 0xf2, 0xf3, 0x67, 0x64, 0x48, 0x4c, 0x41, 0x0f, 0xe8,
	};
	unsigned int i, n = random64() >> 40 & 3;

	for (i = 0; i < 2 * INSN_ROOM; i++)
		bytes[i] = random64() >> 33;
	for (i = 0; i < n; i++)
		bytes[i] = prefix[(random64() >> 40) % sizeof(prefix)];
	if (bytes[0] == 0x62)	/* else few are any */
		bytes[1] = (bytes[1] & 0xf3) | (random64() >> 40 & 1), bytes[2] |= 4;
}

static void of_random_bytes(void)
{
	uint8_t bytes[2 * INSN_ROOM];
	unsigned int i, failed = 0;

	for (i = 0; i < RANDOM && failed < 10; i++) {
		bool same = true;

		/* What is kept is not kept for ever: room for others. */
		if (heads.used == HEADS_MOST)
			memset(&heads, 0, sizeof(heads));
		fill(bytes);
		both(bytes, 15, &same);
		if (same && others(bytes))
			continue;
		print("differs", bytes);
		failed++;
	}
	ok(!failed, "%u random instructions, %lu decoded, %lu by what was kept; seed %u", RANDOM, decoded, kept,
	   SEED);
	ok(kept > decoded / 8, "... which were many");
}

static void of_code(void)
{
	const uint8_t *at = (const uint8_t *)done, *end = (const uint8_t *)((uintptr_t)etext - 2 * INSN_ROOM);
	unsigned int failed = 0;
	unsigned long calls, insns;

	memset(&heads, 0, sizeof(heads));
	calls = zydis;
	insns = decoded;
	while (at < end && failed < 10) {
		bool same = true;
		unsigned int length = both(at, 15, &same);

		if (!same)
			print("differs", at);
		failed += !same;
		at += length ? length : 1;
	}
	insns = decoded - insns;
	calls = zydis - calls;
	ok(!failed && insns > 1000, "%lu instructions of this program", insns);
	/* One is Zydis's alone. */
	ok(calls < insns + insns / 2 + HEADS_MOST, "... of which most were kept: Zydis was asked %lu times", calls);
}

int main(void)
{
	decode_init();
	of_random_bytes();
	of_code();
	return done();
}
