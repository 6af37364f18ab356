// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <string.h>

#include "tracee/decode/decode.h"
#include "tracee/decode/heads.h"

#define HEAD_MOST	7u		/* bytes; EVEX's 4, opcode, ModRM and SIB are as many */
#define MANY_BLOCKS	16u		/* there are more of them */
#define LINE		64u		/* bytes of a cache line */
#define ESCAPE		0x0f		/* of opcodes of two bytes */
#define FACTS		sizeof(decode_heads->entry[0].facts)
#define NUMBER		0xffffu		/* the bits of an entry's in the index */

struct heads *decode_heads;

_Static_assert(offsetof(struct insn, ref) + sizeof(struct reference) == 8 * HEADS_WORDS, "facts");

/* --- by their heads --- */

static bool with_sib(uint8_t modrm)
{
	return modrm < 0xc0 && (modrm & 7) == 4;
}

/*
 * Its opcode, and whether an SIB would follow. Only where to look depends on it.
 * @prefixes: set: how many there are
 */
static unsigned int opcode_of(const uint8_t *bytes, unsigned int *prefixes)
{
	unsigned int i = 0;

	while (i < HEAD_MOST && (bytes[i] == 0x66 || (bytes[i] & 0xfe) == 0xf2 ||
				 (bytes[i] & 0xf0) == 0x40))
		i++;
	*prefixes = i;
	if (bytes[i] == ESCAPE)
		return (256 + bytes[i + 1]) * 2 + with_sib(bytes[i + 2]);
	return bytes[i] * 2 + with_sib(bytes[i + 1]);
}

static uint64_t head_of(const uint8_t *bytes, unsigned int size)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return (word & ((1ull << 8 * size) - 1)) | (uint64_t)size << 56;
}

/* Where in the index a head is, or would be. */
static uint32_t *index_of(struct heads *heads, uint64_t head, uint32_t *tag)
{
	uint64_t hash = head * 0x9e3779b97f4a7c15ull;
	unsigned int i = hash >> 48;

	*tag = hash >> 16 & ~NUMBER;
	for (;; i++) {
		uint32_t *at = &heads->index[i % HEADS_INDEX];

		if (!*at || ((*at & ~NUMBER) == *tag &&
			     heads->entry[(*at & NUMBER) - 1].head == head))
			return at;
	}
}

static bool find(struct heads *heads, const uint8_t *bytes, struct insn *insn)
{
	unsigned int prefixes, opcode = opcode_of(bytes, &prefixes);
	unsigned int sizes = heads->sizes[opcode] << prefixes;

	for (; sizes; sizes &= sizes - 1) {
		unsigned int size = __builtin_ctz(sizes);
		uint32_t tag, at;

		if (size > HEAD_MOST)
			return false;
		at = *index_of(heads, head_of(bytes, size), &tag);
		if (at) {
			memcpy(insn, heads->entry[(at & NUMBER) - 1].facts, FACTS);
			return true;
		}
	}
	return false;
}

/* Where there is no more room it begins anew: code has phases. */
static void keep(struct heads *heads, const uint8_t *bytes, const struct insn *insn)
{
	unsigned int prefixes, opcode = opcode_of(bytes, &prefixes);
	uint32_t tag, *at;

	if (insn->head <= prefixes || insn->head > HEAD_MOST || insn->refs > 1)
		return;
	if (heads->used == HEADS_MOST)
		memset(heads, 0, offsetof(struct heads, entry));
	at = index_of(heads, head_of(bytes, insn->head), &tag);
	/* Else it is there, from before other bytes behind it. */
	if (!*at) {
		heads->entry[heads->used].head = head_of(bytes, insn->head);
		memcpy(heads->entry[heads->used].facts, insn, FACTS);
		*at = ++heads->used | tag;
	}
	heads->sizes[opcode] |= 1u << (insn->head - prefixes);
}

void heads_fetch(struct heads *heads, uint64_t blocks)
{
	bool fetched = heads->fetched;
	uint32_t i;

	heads->fetched = blocks >= MANY_BLOCKS;
	if (fetched || !heads->fetched)
		return;
	for (i = 0; i < HEADS_INDEX; i += LINE / sizeof(heads->index[0]))
		__builtin_prefetch(&heads->index[i]);
	for (i = 0; i < heads->used; i++)
		__builtin_prefetch(&heads->entry[i]);
}

/* --- what is behind the head --- */

static uint64_t value(const uint8_t *bytes, unsigned int size, bool is_signed)
{
	unsigned int unused = 64 - 8 * size;
	uint64_t word;

	if (!size)
		return 0;
	memcpy(&word, bytes, sizeof(word));
	word <<= unused;
	return is_signed ? (uint64_t)((int64_t)word >> unused) : word >> unused;
}

static void use(struct insn *insn, unsigned int what, uint64_t number, uint64_t next)
{
	switch (what) {
	case USE_TARGET:
		insn->target = next + number;
		break;
	case USE_POPS:
		insn->pops = number;
		break;
	case USE_CONSTANT:
		insn->constant = number;
		break;
	case USE_ADDED:
		insn->delta += number;
		break;
	case USE_SUBTRACTED:
		insn->delta -= number;
		break;
	}
}

static void set_values(uint64_t address, const uint8_t *bytes, struct insn *insn)
{
	uint64_t next = address + insn->length, displacement;
	unsigned int i;

	memcpy(insn->bytes, bytes, INSN_ROOM);
	displacement = value(bytes + insn->disp, insn->disp_size, true) * insn->disp_scale;
	if (insn->rip_relative)
		displacement += next;
	insn->static_address = displacement;
	insn->delta = insn->step;
	insn->target = insn->constant = insn->pops = 0;
	use(insn, insn->disp_use, displacement, next);
	use(insn, insn->imm_use, value(bytes + insn->imm, insn->imm_size, insn->imm_signed), next);
	for (i = 0; i < insn->refs; i++) {
		struct reference *ref = &insn->ref[i];

		if (ref->displaced)
			ref->offset += displacement;
		if (ref->form == BURST_STATIC && ref->flags & BURST_ADDRESS_32)
			ref->offset = (uint32_t)ref->offset;
	}
}

bool decode_insn(uint64_t address, const uint8_t *bytes, unsigned int size, struct insn *insn)
{
	struct heads *heads = decode_heads;

	if (!heads || !find(heads, bytes, insn)) {
		bool traced;

		heads_save_vectors();
		traced = decode_head(bytes, size, insn);
		heads_restore_vectors();
		if (!traced)
			return false;
		if (heads)
			keep(heads, bytes, insn);
	}
	if (insn->length > size) {
		insn->reason = BURST_INSTRUCTION + 1;
		return false;
	}
	set_values(address, bytes, insn);
	return true;
}
