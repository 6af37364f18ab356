// SPDX-License-Identifier: GPL-2.0-only
/* Random sequences: any instruction that Zydis knows, with jumps of all kinds between. */
#include <cpuid.h>
#include <string.h>
#include <Zydis/Zydis.h>

#include "fuzz.h"

#define ITEMS	9
#define TRIES	128

static ZydisDecoder decoder;
static ZydisDecodedInstruction insn;
static ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
static bool has_fp16;
static uint32_t kinds;			/* EVEX among them, or hardly */

/* Not the same twice, or the end of the test. */
static bool left_out_family(void)
{
	switch (insn.meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_IO:
	case ZYDIS_CATEGORY_IOSTRINGOP:
	case ZYDIS_CATEGORY_VTX:
	case ZYDIS_CATEGORY_SGX:
	case ZYDIS_CATEGORY_RDRAND:
	case ZYDIS_CATEGORY_RDSEED:
	case ZYDIS_CATEGORY_RDPID:
	case ZYDIS_CATEGORY_RDPRU:
	case ZYDIS_CATEGORY_RDWRFSGS:
	case ZYDIS_CATEGORY_PKU:
	case ZYDIS_CATEGORY_SEGOP:
	case ZYDIS_CATEGORY_AMX_TILE:
	case ZYDIS_CATEGORY_UINTR:
	case ZYDIS_CATEGORY_WAITPKG:
	case ZYDIS_CATEGORY_PADLOCK:
	case ZYDIS_CATEGORY_KNC:
	case ZYDIS_CATEGORY_CET:
	case ZYDIS_CATEGORY_XSAVE:
	case ZYDIS_CATEGORY_XSAVEOPT:
		return true;
	default:
		break;
	}
	switch (insn.meta.isa_ext) {
	case ZYDIS_ISA_EXT_RTM:
	case ZYDIS_ISA_EXT_SVM:
	case ZYDIS_ISA_EXT_SMX:
	case ZYDIS_ISA_EXT_MONITOR:
	case ZYDIS_ISA_EXT_MONITORX:
	case ZYDIS_ISA_EXT_MCOMMIT:
		return true;
	default:
		break;
	}
	switch (insn.mnemonic) {
	case ZYDIS_MNEMONIC_RDTSC:
	case ZYDIS_MNEMONIC_RDTSCP:
	case ZYDIS_MNEMONIC_RDPMC:
	case ZYDIS_MNEMONIC_CPUID:
	case ZYDIS_MNEMONIC_POPF:
	case ZYDIS_MNEMONIC_POPFQ:
	case ZYDIS_MNEMONIC_POPFD:
	case ZYDIS_MNEMONIC_FNSTENV:		/* x87's instruction pointer */
	case ZYDIS_MNEMONIC_FNSAVE:
	case ZYDIS_MNEMONIC_FXSAVE:
	case ZYDIS_MNEMONIC_FXSAVE64:
	case ZYDIS_MNEMONIC_FXRSTOR:
	case ZYDIS_MNEMONIC_FXRSTOR64:
	/* the kernel emulates them, and does not step over them */
	case ZYDIS_MNEMONIC_SGDT:
	case ZYDIS_MNEMONIC_SIDT:
	case ZYDIS_MNEMONIC_SLDT:
	case ZYDIS_MNEMONIC_STR:
	case ZYDIS_MNEMONIC_SMSW:
		return true;
	default:
		return insn.attributes & ZYDIS_ATTRIB_IS_PRIVILEGED;
	}
}

static bool left_out(void)
{
	bool evex = insn.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
	int i;

	/* A bit's number reaches far: see near_bit(). */
	if (insn.meta.category == ZYDIS_CATEGORY_BITBYTE &&
	    operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY)
		return true;
	for (i = 0; i < insn.operand_count; i++) {
		const ZydisDecodedOperand *o = &operands[i];

		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    ZydisRegisterGetClass(o->reg.value) == ZYDIS_REGCLASS_SEGMENT)
			return true;
		/*
		 * A Zen 5 (family 26, model 2) was seen to take rsp from before the last push, where
		 * EVEX.X says more of it than it should: push rax; 62 b3 ad 08 22 cc d0, a vpinsrq.
		 */
		if (evex && o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    (o->reg.value == ZYDIS_REGISTER_RSP ||
		     o->reg.value == ZYDIS_REGISTER_ESP))
			return true;
		if (o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.segment == ZYDIS_REGISTER_FS)
			return true;		/* the test's own thread-local data */
	}
	return false;
}

static size_t legacy(uint8_t *out)
{
	static const uint8_t prefix[] = { 0x66, 0xf2, 0xf3, 0x67, 0x65, 0xf0 };
	static const uint8_t map[][2] = { { 0x0f, 0 }, { 0x0f, 0x38 }, { 0x0f, 0x3a } };
	size_t n = 0;
	uint32_t which;

	while (!below(4))
		out[n++] = prefix[below(below(3) ? 3 : 6)];
	if (below(3))
		out[n++] = 0x40 | below(16);
	which = below(5);
	if (which >= 2) {
		out[n++] = 0x0f;
		if (which >= 3 && map[which - 2][1])
			out[n++] = map[which - 2][1];
	}
	return n;
}

/* --- VEX and EVEX: of random bytes few are an instruction, so it is learnt which may be --- */

struct opcode {
	uint8_t map, prefix, opcode;
};

static struct {
	struct opcode opcode[5 * 4 * 256];
	uint32_t count;
} vex_opcodes, evex_opcodes;

/* @out is random. Of an instruction without a second source its field has to be all ones. */
static void vex(uint8_t *out, const struct opcode *opcode)
{
	uint8_t unused = below(4) ? 0 : 0x78;

	if (opcode->map == 1 && !below(3)) {
		out[0] = 0xc5;
		out[1] = (out[1] & 0xfc) | opcode->prefix | unused;
		out[2] = opcode->opcode;
		return;
	}
	out[0] = 0xc4;
	out[1] = (out[1] & 0xe0) | opcode->map;
	out[2] = (out[2] & 0xfc) | opcode->prefix | unused;
	out[3] = opcode->opcode;
}

static void evex(uint8_t *out, const struct opcode *opcode)
{
	bool unused = !below(4);

	out[0] = 0x62;
	out[1] = (out[1] & 0xf0) | opcode->map;
	out[2] = (out[2] & 0xf8) | 4 | opcode->prefix | (unused ? 0x78 : 0);
	out[3] |= unused ? 8 : 0;
	if (below(2))
		out[3] &= ~7;		/* no mask */
	out[4] = opcode->opcode;
}

static void xop(uint8_t *out)
{
	out[0] = 0x8f;
	out[1] = (out[1] & 0xe0) | (8 + below(3));
}

static void fill(uint8_t *bytes)
{
	for (int i = 0; i < 3; i++) {
		uint64_t random = random64();

		memcpy(bytes + 8 * i, &random, sizeof(random));
	}
}

/* Is it one in any of its forms? */
static bool may_be(const struct opcode *opcode, bool is_evex)
{
	uint8_t bytes[24];
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		ZydisDecoderContext context;

		fill(bytes);
		(is_evex ? evex : vex)(bytes, opcode);
		if (ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, &context, bytes, 15,
							       &insn)))
			return true;
	}
	return false;
}

static void learn(const uint8_t *maps, unsigned int count, bool is_evex)
{
	uint32_t i, all = count * 4 * 256;

	for (i = 0; i < all; i++) {
		struct opcode opcode = { maps[i / 1024], i / 256 % 4, i };

		if (!may_be(&opcode, is_evex))
			continue;
		if (is_evex)
			evex_opcodes.opcode[evex_opcodes.count++] = opcode;
		else
			vex_opcodes.opcode[vex_opcodes.count++] = opcode;
	}
}

void sequence_init(void)
{
	static const uint8_t vex_maps[] = { 1, 2, 3 }, evex_maps[] = { 1, 2, 3, 5, 6 };
	unsigned int a, b, c, d;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	learn(vex_maps, sizeof(vex_maps), false);
	/* the last two are those of FP16 (SDM, CPUID.7:EDX[23]) */
	if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
		b = d = 0;
	has_fp16 = d & 1u << 23;
	kinds = b & bit_AVX512F ? 100 : 72;
	learn(evex_maps, sizeof(evex_maps) - (has_fp16 ? 0 : 2), true);
}

/* Displacements that lead into the data, half of them to where vectors are aligned. */
static void aim(uint8_t *out, uint64_t address, uint64_t data)
{
	int32_t displacement, grain = below(2) ? ~63 : ~0;
	int i;

	if (insn.raw.disp.size == 8 && grain != ~0)
		out[insn.raw.disp.offset] &= 0xf0;
	if (insn.raw.disp.size != 32)
		return;
	displacement = ((int32_t)below(1024) - 512) & grain;
	for (i = 0; i < insn.operand_count; i++) {
		if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    operands[i].mem.base == ZYDIS_REGISTER_RIP)
			displacement = data + (below(DATA - 64) & grain) - address - insn.length;
	}
	memcpy(out + insn.raw.disp.offset, &displacement, 4);
}

/* Most processors lack them: they say little, and in a guest an invalid one takes long. */
static bool is_lacking(void)
{
	switch (insn.meta.isa_ext) {
	case ZYDIS_ISA_EXT_AMD3DNOW:
	case ZYDIS_ISA_EXT_ENQCMD:
	case ZYDIS_ISA_EXT_FMA4:
	case ZYDIS_ISA_EXT_KEYLOCKER:
	case ZYDIS_ISA_EXT_KEYLOCKER_WIDE:
	case ZYDIS_ISA_EXT_KNC:
	case ZYDIS_ISA_EXT_TBM:
	case ZYDIS_ISA_EXT_XOP:
		return true;
	default:
		break;
	}
	switch (insn.meta.isa_set) {
	case ZYDIS_ISA_SET_AVX512_4FMAPS_512:
	case ZYDIS_ISA_SET_AVX512_4FMAPS_SCALAR:
	case ZYDIS_ISA_SET_AVX512_4VNNIW_512:
	case ZYDIS_ISA_SET_AVX512ER_512:
	case ZYDIS_ISA_SET_AVX512ER_SCALAR:
	case ZYDIS_ISA_SET_AVX512PF_512:
		return true;
	case ZYDIS_ISA_SET_AVX512_FP16_128:
	case ZYDIS_ISA_SET_AVX512_FP16_256:
	case ZYDIS_ISA_SET_AVX512_FP16_512:
	case ZYDIS_ISA_SET_AVX512_FP16_SCALAR:
		return !has_fp16;
	default:
		return insn.mnemonic == ZYDIS_MNEMONIC_UD0 || insn.mnemonic == ZYDIS_MNEMONIC_UD1 ||
		       insn.mnemonic == ZYDIS_MNEMONIC_UD2;
	}
}

/* They end a burst, or the processor may lack them: see refused() of the tracer. */
static bool refused(void)
{
	switch (insn.meta.category) {
	case ZYDIS_CATEGORY_KEYLOCKER:
	case ZYDIS_CATEGORY_KEYLOCKER_WIDE:
	case ZYDIS_CATEGORY_ENQCMD:
	case ZYDIS_CATEGORY_MOVDIR:
	case ZYDIS_CATEGORY_CLZERO:
	case ZYDIS_CATEGORY_MPX:
		return true;
	default:
		return insn.mnemonic == ZYDIS_MNEMONIC_ENTER ||
		       insn.mnemonic == ZYDIS_MNEMONIC_XLAT;
	}
}

/* What addresses are made of: mostly it is to lead to the data. */
static void note(struct sequence *sequence)
{
	int i;

	for (i = 0; i < insn.operand_count; i++) {
		const ZydisDecodedOperand *o = &operands[i];

		if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || o->mem.type == ZYDIS_MEMOP_TYPE_AGEN)
			continue;
		if (ZydisRegisterGetClass(o->mem.base) == ZYDIS_REGCLASS_GPR64)
			sequence->bases |= 1u << ZydisRegisterGetId(o->mem.base);
		if (o->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
			sequence->vectors |= 1u << ZydisRegisterGetId(o->mem.index);
		else if (o->mem.index != ZYDIS_REGISTER_NONE)
			sequence->indices |= 1u << ZydisRegisterGetId(o->mem.index);
	}
	sequence->refused |= refused();
}

static bool decode(const uint8_t *bytes)
{
	ZydisDecoderContext context;

	return ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, &context, bytes, 15, &insn)) &&
	       !left_out_family() &&
	       ZYAN_SUCCESS(ZydisDecoderDecodeOperands(&decoder, &context, &insn, operands,
						       insn.operand_count));
}

/* Prefixes and opcode over random bytes. Return: where a ModRM byte may be. */
static size_t any_bytes(uint8_t *bytes, uint32_t kind)
{
	fill(bytes);
	if (kind == 0)
		xop(bytes);
	else if (kind <= 40)
		return legacy(bytes) + 1;
	else if (kind <= 70)
		vex(bytes, &vex_opcodes.opcode[below(vex_opcodes.count)]);
	else
		evex(bytes, &evex_opcodes.opcode[below(evex_opcodes.count)]);
	return bytes[0] == 0xc5 ? 3 : bytes[0] == 0x62 ? 5 : 4;
}

static size_t any(uint8_t *out, uint64_t address, uint64_t data, struct sequence *sequence)
{
	uint32_t kind = below(kinds);
	uint8_t bytes[24];
	size_t modrm;

	for (;;) {
		modrm = any_bytes(bytes, kind);
		if (!below(4))
			bytes[modrm] = (bytes[modrm] & 0x38) | 5;	/* rip-relative */
		if (!decode(bytes) || left_out())
			continue;
		if (is_lacking() && below(16)) {
			kind = below(kinds);
			continue;
		}
		aim(bytes, address, data);
		note(sequence);
		memcpy(out, bytes, insn.length);
		return insn.length;
	}
}

static uint8_t *put32(uint8_t *at, uint64_t from_end, uint64_t target)
{
	int32_t distance = target - from_end;

	memcpy(at, &distance, 4);
	return at + 4;
}

/* lea reg, [rip + target] */
static uint8_t *lea(uint8_t *at, uint64_t address, uint8_t reg, uint64_t target)
{
	*at++ = 0x48 | (reg & 8) >> 1;
	*at++ = 0x8d;
	*at++ = (reg & 7) << 3 | 5;
	return put32(at, address + 7, target);
}

/*
 * A jump over @over bytes that follow it. @address is where it will run. Ways:
 * jcc, jmp, jmp reg, jmp [mem], call, call reg, push and ret, jrcxz and loops.
 */
static size_t jump(uint8_t *out, uint64_t address, size_t over)
{
	static const size_t sizes[] = { 6, 5, 10, 17, 5, 10, 10, 5, 12, 8 };
	uint32_t way = below(sizeof(sizes) / sizeof(sizes[0]));
	uint64_t target = address + sizes[way] + over;
	uint8_t reg = below(16), *at = out;

	if (reg == 4)
		reg = 0;
	switch (way) {
	case 0:
		*at++ = 0x0f;
		*at++ = 0x80 | below(16);
		put32(at, address + 6, target);
		break;
	case 1:
		*at++ = 0xe9;
		put32(at, address + 5, target);
		break;
	case 2:
		at = lea(at, address, reg, target);
		*at++ = 0x40 | reg >> 3;
		*at++ = 0xff;
		*at++ = 0xe0 | (reg & 7);
		break;
	case 3:
		at = lea(at, address, reg, target);
		*at++ = 0x48 | (reg & 8) >> 1;		/* mov [rsp - 64], reg */
		*at++ = 0x89;
		*at++ = 0x44 | (reg & 7) << 3;
		*at++ = 0x24;
		*at++ = 0xc0;
		*at++ = 0x40;				/* jmp [rsp - 64] */
		*at++ = 0xff;
		*at++ = 0x64;
		*at++ = 0x24;
		*at++ = 0xc0;
		break;
	case 4:
		*at++ = 0xe8;
		put32(at, address + 5, target);
		break;
	case 5:
		at = lea(at, address, reg, target);
		*at++ = 0x40 | reg >> 3;
		*at++ = 0xff;
		*at++ = 0xd0 | (reg & 7);
		break;
	case 6:
		at = lea(at, address, reg, target);
		*at++ = 0x40 | reg >> 3;		/* push reg */
		*at++ = 0x50 | (reg & 7);
		*at++ = 0xc3;
		break;
	case 7:
		if (over > 120)
			over = 0;
		*at++ = 0xe0 | below(4);
		*at++ = over + 3;
		memcpy(at, "\x0f\x1f\x00", 3);		/* a nop */
		break;
	case 8:
		at = lea(at, address, reg, target);
		*at++ = 0x40 | reg >> 3;		/* push reg; ret 24 */
		*at++ = 0x50 | (reg & 7);
		memcpy(at, "\xc2\x18\x00", 3);
		break;
	case 9:
		memcpy(at, "\x66\x66\x48\xe8", 4);	/* as linkers pad calls */
		put32(at + 4, address + 8, target);
		break;
	}
	return sizes[way];
}

/* mov rax, fs:[0x28]: no pointer, and the same for the whole process */
static size_t thread_local(uint8_t *out)
{
	static const uint8_t bytes[] = { 0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0 };

	memcpy(out, bytes, sizeof(bytes));
	return sizeof(bytes);
}

/*
 * movsx eax, al or movzx ecx, cl; then bt, bts, btr or btc
 * [rsp], with that register, of 2 to 8 bytes
 */
static size_t near_bit(uint8_t *out)
{
	static const uint8_t numbers[2][4] = { { 0x48, 0x0f, 0xbe, 0xc0 },
					       { 0x48, 0x0f, 0xb6, 0xc9 } };
	uint32_t reg = below(2), size = below(3);
	uint8_t *at = out;

	memcpy(at, numbers[reg], 4);
	at += 4;
	if (size == 0)
		*at++ = 0x66;
	if (size == 2)
		*at++ = 0x48;
	*at++ = 0x0f;
	*at++ = 0xa3 | below(4) << 3;
	*at++ = 0x04 | reg << 3;
	*at++ = 0x24;
	return at - out;
}

size_t sequence(uint8_t *out, uint64_t address, uint64_t data, struct sequence *sequence)
{
	uint32_t items = 1 + below(ITEMS), i;
	size_t at = 0;
	uint8_t skipped[3][16];
	size_t size[3], total;
	uint32_t j, count;

	memset(sequence, 0, sizeof(*sequence));
	for (i = 0; i < items; i++) {
		if (below(4)) {
			at += below(16) ? any(out + at, address + at, data, sequence) :
			      below(2) ? thread_local(out + at) : near_bit(out + at);
			continue;
		}
		/* over up to two instructions, which some ways run */
		count = below(3);
		for (j = total = 0; j < count; j++) {
			size[j] = any(skipped[j], address + at + 17 + total, data, sequence);
			total += size[j];
		}
		at += jump(out + at, address + at, total);
		for (j = 0; j < count; j++) {
			memcpy(out + at, skipped[j], size[j]);
			at += size[j];
		}
	}
	sequence->begin = address;
	sequence->end = address + at;
	return at;
}
