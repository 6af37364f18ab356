// SPDX-License-Identifier: GPL-2.0-only
/* Which loads addresses wait for, in pieces of code assembled by hand. */
#include <string.h>

#include "loops/code.h"
#include "loops/uses.h"
#include "loops/waits.h"
#include "tap.h"

#define FLAGS	(1ull << USES_FLAGS)

static struct decoder *decoder;

static void test_uses(void)
{
	static const uint8_t load[] = { 0x48, 0x8b, 0x44, 0xcb, 0x08 };	/* mov rax, [rbx+rcx*8+8] */
	static const uint8_t lea[] = { 0x48, 0x8d, 0x44, 0x0b, 0x08 };	/* lea rax, [rbx+rcx+8] */
	static const uint8_t store[] = { 0x89, 0x07 };			/* mov [rdi], eax */
	static const uint8_t zero[] = { 0x31, 0xc0 };			/* xor eax, eax */
	static const uint8_t add[] = { 0x01, 0x10 };			/* add [rax], edx */
	struct register_uses uses;

	ok(decoder_uses(decoder, load, sizeof(load), &uses) && uses.size == 5 && uses.loads &&
	   uses.address == (1 << 3 | 1 << 1) && !uses.read && uses.written == 1,
	   "a load: its address from rbx and rcx, its value to rax");
	ok(decoder_uses(decoder, lea, sizeof(lea), &uses) && !uses.loads && !uses.address &&
	   uses.read == (1 << 3 | 1 << 1) && uses.written == 1, "an address that is only computed");
	ok(decoder_uses(decoder, store, sizeof(store), &uses) && !uses.loads &&
	   uses.address == 1 << 7 && uses.read == 1 && !uses.written, "a store");
	ok(decoder_uses(decoder, zero, sizeof(zero), &uses) && !uses.read && uses.written == (1 | FLAGS),
	   "a register less itself comes from nothing");
	ok(decoder_uses(decoder, add, sizeof(add), &uses) && uses.loads && uses.address == 1 &&
	   uses.read == 1 << 2 && uses.written == FLAGS, "memory that is added to");
	ok(!decoder_uses(decoder, load, 2, &uses), "half an instruction is none");
}

/* Vectors have bits from 16 on. */
static void test_vectors(void)
{
	static const uint8_t sum[] = { 0xf2, 0x0f, 0x58, 0x03 };	/* addsd xmm0, [rbx] */
	static const uint8_t root[] = { 0xf2, 0x0f, 0x51, 0xca };	/* sqrtsd xmm1, xmm2 */
	static const uint8_t zero[] = { 0x66, 0x0f, 0xef, 0xdb };	/* pxor xmm3, xmm3 */
	static const uint8_t same[] = { 0xc5, 0xe1, 0xef, 0xdb };	/* vpxor xmm3, xmm3, xmm3 */
	static const uint8_t put[] = { 0xc5, 0xfd, 0x11, 0x27 };	/* vmovupd [rdi], ymm4 */
	static const uint8_t words[] = { 0xf3, 0x48, 0xa5 };		/* rep movsq */
	static const uint8_t gather[] = {	/* vgatherdpd ymm1, [rax+xmm2*8], ymm3 */
		0xc4, 0xe2, 0xe5, 0x92, 0x0c, 0xd0,
	};
	struct register_uses uses;

	ok(decoder_uses(decoder, sum, sizeof(sum), &uses) && uses.loads && !uses.stores &&
	   uses.address == 1 << 3 && uses.read == 1 << 16 && uses.written == 1 << 16 &&
	   uses.cycles == 3 && !uses.divides, "a sum comes from itself and memory, 3 cycles later");
	ok(decoder_uses(decoder, root, sizeof(root), &uses) && uses.written == 1 << 17 &&
	   uses.read & 1 << 18 && uses.cycles == 15 && uses.divides == 4, "a root takes the divider");
	ok(decoder_uses(decoder, zero, sizeof(zero), &uses) && !uses.read &&
	   uses.written == 1 << 19 && decoder_uses(decoder, same, sizeof(same), &uses) &&
	   !uses.read, "a vector and itself, exclusive or: comes from nothing");
	ok(decoder_uses(decoder, put, sizeof(put), &uses) && uses.stores && !uses.loads &&
	   uses.read == 1 << 20 && uses.address == 1 << 7 && !uses.cycles, "a vector stored");
	ok(decoder_uses(decoder, words, sizeof(words), &uses) && uses.repeats &&
	   decoder_uses(decoder, gather, sizeof(gather), &uses) && uses.repeats &&
	   uses.address == (1 | 1 << 18), "strings and gathers refer to memory more than once");
}

static void test_list(void)
{
	/* 0: movsd xmm0, [rax+8]; 5: addsd xmm1, xmm0; 9: mov rax, [rax]; 12: test rax, rax; jne 0 */
	static const uint8_t code[] = {
		0xf2, 0x0f, 0x10, 0x40, 0x08, 0xf2, 0x0f, 0x58, 0xc8, 0x48, 0x8b, 0x00,
		0x48, 0x85, 0xc0, 0x75, 0xef,
	};
	static const uint32_t offsets[] = { 0, 9 };
	uint64_t waits[2];

	waits_find(decoder, code, sizeof(code), offsets, 2, waits);
	ok(waits[0] == 2 && waits[1] == 2, "a list: key and next wait for the load of next");
}

static void test_index(void)
{
	/* 0: mov ecx, [rsi+rdx*4]; 3: shl rcx, 3; 7: mov rax, [rdi+rcx]; 11: add rdx, 1; 15: mov [rbx+rdx*8], rax */
	static const uint8_t code[] = {
		0x8b, 0x0c, 0x96, 0x48, 0xc1, 0xe1, 0x03, 0x48, 0x8b, 0x04, 0x0f,
		0x48, 0x83, 0xc2, 0x01, 0x48, 0x89, 0x04, 0xd3,
	};
	static const uint32_t offsets[] = { 0, 7, 15 };
	uint64_t waits[3];

	waits_find(decoder, code, sizeof(code), offsets, 3, waits);
	ok(!waits[0] && waits[1] == 1 && !waits[2],
	   "an index that is loaded: what it indexes waits for it, and nothing else");
	waits_find(decoder, code, 3, offsets, 3, waits);
	ok(!waits[0] && !waits[1] && !waits[2], "code that ends early");
}

static void test_close(void)
{
	uint64_t waits[] = { 1 << 2, 1 << 0, 1 << 1, 1 << 1, 0 };

	waits_close(waits, 5);
	ok(waits[0] == 7 && waits[1] == 7 && waits[2] == 7 && waits[3] == 7 && !waits[4],
	   "a circle of three, one that hangs on it, one apart");
}

int main(void)
{
	decoder = decoder_new();
	test_uses();
	test_vectors();
	test_list();
	test_index();
	test_close();
	decoder_free(decoder);
	return done();
}
