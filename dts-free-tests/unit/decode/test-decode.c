// SPDX-License-Identifier: GPL-2.0-only
/* String instructions (tracee/decode/decode.c): which ones have as many turns as rcx says. */
#include <string.h>

#include "base/array.h"
#include "tap.h"
#include "tracee/decode/decode.h"
#include "tracee/decode/heads.h"
#include "tracee/x86/cpu.h"

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
}

void heads_restore_vectors(void)
{
}

int main(void)
{
	static const struct {
		const char *name;
		uint8_t bytes[3];
		bool turns;
	} all[] = {
		{ "movsb", { 0xa4 }, false },
		{ "rep movsb", { 0xf3, 0xa4 }, true },
		{ "rep movsq", { 0xf3, 0x48, 0xa5 }, true },
		{ "rep stosb", { 0xf3, 0xaa }, true },
		{ "rep lodsb", { 0xf3, 0xac }, true },
		/* Processors take f2 for f3 there. */
		{ "repne movsb", { 0xf2, 0xa4 }, true },
		{ "repne movsq", { 0xf2, 0x48, 0xa5 }, true },
		{ "repne stosb", { 0xf2, 0xaa }, true },
		{ "repne lodsb", { 0xf2, 0xac }, true },
		/* These may end before. */
		{ "repe cmpsb", { 0xf3, 0xa6 }, false },
		{ "repne cmpsb", { 0xf2, 0xa6 }, false },
		{ "repe scasb", { 0xf3, 0xae }, false },
		{ "repne scasb", { 0xf2, 0xae }, false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		uint8_t bytes[2 * INSN_ROOM] = { 0 };
		struct insn insn = { 0 };

		memcpy(bytes, all[i].bytes, sizeof(all[i].bytes));
		ok(decode_insn(0x1000, bytes, 15, &insn) && insn.turns == all[i].turns, "%s: %s",
		   all[i].name, all[i].turns ? "as rcx says" : "not as rcx says");
	}
	return done();
}
