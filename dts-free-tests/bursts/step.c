// SPDX-License-Identifier: GPL-2.0-only
/*
 * What each instruction refers to, from the registers before it, step by step:
 * written apart from the tracer, to judge it.
 */
#include <cpuid.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fuzz.h"
#include "step.h"

#define PENDING	64

static ZydisDecoder decoder;
ZydisDecodedInstruction step_insn;
ZydisDecodedOperand step_operands[ZYDIS_MAX_OPERAND_COUNT];
static struct burst_reference *out, pending[PENDING];
static size_t room, *count, pendings;
static const greg_t *registers;	/* in the order of enum REG_R8 ... */
static const uint8_t *vectors;

/* Asked once: in a guest the hypervisor answers. */
bool xsave_part(unsigned int part, unsigned int *offset, unsigned int *size)
{
	static struct {
		unsigned int size, offset;
		bool known;
	} parts[8];
	unsigned int c, d;

	if (!parts[part].known)
		__get_cpuid_count(0xd, part, &parts[part].size, &parts[part].offset, &c, &d);
	parts[part].known = true;
	*offset = parts[part].offset;
	*size = parts[part].size;
	return *size;
}

greg_t *numbered(greg_t *all, unsigned int number)
{
	static const uint8_t greg[] = {
		REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
		REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
	};

	return &all[greg[number]];
}

static uint64_t general(ZydisRegister reg)
{
	uint64_t value;

	if (reg == ZYDIS_REGISTER_NONE)
		return 0;
	if (reg == ZYDIS_REGISTER_RIP || reg == ZYDIS_REGISTER_EIP)
		return registers[REG_RIP] + step_insn.length;
	value = *numbered((greg_t *)registers, ZydisRegisterGetId(reg));
	if (ZydisRegisterGetClass(reg) == ZYDIS_REGCLASS_GPR32)
		return (uint32_t)value;
	return value;
}

/* 64 bytes of a vector register. */
static void vector(ZydisRegister reg, uint8_t *bytes)
{
	unsigned int number = ZydisRegisterGetId(reg), offset, size;

	memset(bytes, 0, 64);
	if (number < 16) {
		memcpy(bytes, vectors + 160 + 16 * number, 16);
		if (xsave_part(2, &offset, &size))
			memcpy(bytes + 16, vectors + offset + 16 * number, 16);
		if (xsave_part(6, &offset, &size))
			memcpy(bytes + 32, vectors + offset + 32 * number, 32);
	} else if (xsave_part(7, &offset, &size)) {
		memcpy(bytes, vectors + offset + 64 * (number - 16), 64);
	}
}

static uint64_t mask_register(ZydisRegister reg)
{
	unsigned int offset, size;
	uint64_t mask = 0;

	if (xsave_part(5, &offset, &size))
		memcpy(&mask, vectors + offset +
		       8 * ZydisRegisterGetId(reg), 8);
	return mask;
}

static uint64_t segment_base(const ZydisDecodedOperand *o)
{
	uint64_t base = 0;

	if (o->mem.segment == ZYDIS_REGISTER_FS)
		syscall(SYS_arch_prctl, 0x1003, &base);
	return base;
}

static uint64_t address_of(const ZydisDecodedOperand *o, uint64_t index)
{
	uint64_t address = general(o->mem.base) + index * (o->mem.scale ? o->mem.scale : 1) +
			   (uint64_t)o->mem.disp.value;

	/* What a push, a call or leave have of the stack is whole whatever the prefix. */
	if (step_insn.address_width == 32 && ZydisRegisterGetClass(o->mem.base) != ZYDIS_REGCLASS_GPR64)
		address = (uint32_t)address;
	return address + segment_base(o);
}

static void add(uint64_t address, unsigned int size, unsigned int kind)
{
	const struct burst_reference r = { registers[REG_RIP], address, size, kind };

	if (pendings < PENDING)
		pending[pendings++] = r;
}

static bool has(const char *name, const char *part)
{
	return strstr(name, part);
}

/* Elements of gathers and scatters, by their names: v[p]gather + index size + data size. */
static void scattered(const ZydisDecodedOperand *o, unsigned int kind)
{
	const char *name = ZydisMnemonicGetString(step_insn.mnemonic), *sizes = strstr(name, "er") + 2;
	bool wide_index = sizes[0] == 'q', wide_data;
	bool k = step_insn.avx.mask.reg != ZYDIS_REGISTER_NONE;
	unsigned int i, n, vl = step_insn.avx.vector_length / 8;
	uint8_t index[64], mask[64];
	uint64_t bits = 0;

	/* pd and dq, qq are of 8 bytes; ps and dd, qd of 4 */
	if (has(name, "vpgather") || has(name, "vpscatter"))
		wide_data = sizes[1] == 'q';
	else
		wide_data = sizes[2] == 'd';
	n = vl / (wide_index || wide_data ? 8 : 4);
	vector(o->mem.index, index);
	if (k) {
		bits = mask_register(step_insn.avx.mask.reg);
	} else {
		vector(step_operands[2].reg.value, mask);
		for (i = 0; i < n; i++)
			bits |= (uint64_t)(mask[(i + 1) * (wide_data ? 8 : 4) - 1] >> 7) << i;
	}
	for (i = 0; i < n; i++) {
		int64_t wide;
		int32_t narrow;

		memcpy(&wide, index + 8 * (i % 8), 8);
		memcpy(&narrow, index + 4 * i, 4);
		if (bits >> i & 1)
			add(address_of(o, wide_index ? wide : narrow), wide_data ? 8 : 4, kind);
	}
}

/* From the first element with its bit set to the last. */
static void span(uint64_t address, uint64_t bits, unsigned int elements, unsigned int size,
		 unsigned int kind)
{
	unsigned int i, first = elements, last = 0;

	for (i = 0; i < elements; i++) {
		if (!(bits >> i & 1))
			continue;
		if (first == elements)
			first = i;
		last = i;
	}
	if (first < elements)
		add(address + first * size, (last - first + 1) * size, kind);
}

static void masked(const ZydisDecodedOperand *o, unsigned int kind)
{
	uint64_t bits = mask_register(step_insn.avx.mask.reg), address;
	unsigned int size = o->element_size / 8, elements = o->size / o->element_size, i, set = 0;

	address = address_of(o, general(o->mem.index));
	if (step_insn.meta.category == ZYDIS_CATEGORY_COMPRESS ||
	    step_insn.meta.category == ZYDIS_CATEGORY_EXPAND) {
		for (i = 0; i < elements; i++)
			set += bits >> i & 1;
		if (set)
			add(address, set * size, kind);
	} else if (step_insn.avx.broadcast.mode) {
		/* as many bits as the destination has elements */
		elements = step_operands[0].element_count;
		if (elements < 64)
			bits &= (1ull << elements) - 1;
		if (bits)
			add(address, o->size / 8, kind);
	} else {
		span(address, bits, elements, size, kind);
	}
}

static void vector_masked(const ZydisDecodedOperand *o, unsigned int kind)
{
	unsigned int size = step_insn.mnemonic == ZYDIS_MNEMONIC_VMASKMOVPD ||
			    step_insn.mnemonic == ZYDIS_MNEMONIC_VPMASKMOVQ ? 8 : 4;
	unsigned int elements = step_insn.avx.vector_length / 8 / size, i;
	uint8_t mask[64];
	uint64_t bits = 0;

	vector(step_operands[1].reg.value, mask);
	for (i = 0; i < elements; i++)
		bits |= (uint64_t)(mask[(i + 1) * size - 1] >> 7) << i;
	span(address_of(o, general(o->mem.index)), bits, elements, size, kind);
}

static void plain(const ZydisDecodedOperand *o, unsigned int kind)
{
	uint64_t address = address_of(o, general(o->mem.index));
	unsigned int size = o->size / 8;
	int64_t bit;

	if (step_insn.mnemonic == ZYDIS_MNEMONIC_PUSH || step_insn.mnemonic == ZYDIS_MNEMONIC_PUSHF ||
	    step_insn.mnemonic == ZYDIS_MNEMONIC_PUSHFQ || step_insn.mnemonic == ZYDIS_MNEMONIC_CALL) {
		if (o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN)
			address -= size;
	}
	if (step_insn.mnemonic == ZYDIS_MNEMONIC_POP && o->mem.base == ZYDIS_REGISTER_RSP &&
	    o->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN)
		address += size;
	if ((step_insn.mnemonic == ZYDIS_MNEMONIC_BT || step_insn.mnemonic == ZYDIS_MNEMONIC_BTS ||
	     step_insn.mnemonic == ZYDIS_MNEMONIC_BTR || step_insn.mnemonic == ZYDIS_MNEMONIC_BTC) &&
	    step_operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER) {
		bit = general(step_operands[1].reg.value);
		bit = size == 8 ? bit : size == 4 ? (int32_t)bit : (int16_t)bit;
		/* floor(bit / bits of an operand) step_operands away */
		address += (bit - (bit % (8 * size) + 8 * size) % (8 * size)) / (8 * (int)size) *
			   (int)size;
	}
	add(address, size, kind);
}

static void references(void)
{
	bool repeats = step_insn.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
					  ZYDIS_ATTRIB_HAS_REPNE);
	int i;

	if (step_insn.meta.category == ZYDIS_CATEGORY_NOP ||
	    step_insn.meta.category == ZYDIS_CATEGORY_WIDENOP ||
	    step_insn.meta.category == ZYDIS_CATEGORY_PREFETCH ||
	    step_insn.meta.category == ZYDIS_CATEGORY_PREFETCHWT1 ||
	    step_insn.meta.category == ZYDIS_CATEGORY_CLDEMOTE ||
	    step_insn.meta.category == ZYDIS_CATEGORY_CLWB ||
	    step_insn.meta.category == ZYDIS_CATEGORY_CLFLUSHOPT ||
	    step_insn.mnemonic == ZYDIS_MNEMONIC_CLFLUSH)
		return;
	if (step_insn.meta.category == ZYDIS_CATEGORY_STRINGOP && repeats &&
	    !registers[REG_RCX])
		return;
	for (i = 0; i < step_insn.operand_count; i++) {
		const ZydisDecodedOperand *o = &step_operands[i];
		unsigned int kind = (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ ? BURST_LOAD : 0) |
				    (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE ? BURST_STORE :
				     0);

		if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || o->mem.type == ZYDIS_MEMOP_TYPE_AGEN)
			continue;
		if (o->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
			scattered(o, kind);
		else if (has(ZydisMnemonicGetString(step_insn.mnemonic), "maskmovp") ||
			 has(ZydisMnemonicGetString(step_insn.mnemonic), "pmaskmov"))
			vector_masked(o, kind);
		else if (step_insn.avx.mask.reg != ZYDIS_REGISTER_NONE &&
			 step_insn.avx.mask.reg != ZYDIS_REGISTER_K0)
			masked(o, kind);
		else
			plain(o, kind);
	}
}

void step_begin(struct burst_reference *to, size_t most, size_t *counted)
{
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	out = to;
	room = most;
	count = counted;
	*count = pendings = 0;
}

bool step(const greg_t *its_registers, const uint8_t *its_vectors)
{
	size_t i;

	for (i = 0; i < pendings && *count < room; i++)
		out[(*count)++] = pending[i];
	pendings = 0;
	registers = its_registers;
	vectors = its_vectors;
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, (const void *)registers[REG_RIP], 15,
						 &step_insn, step_operands)))
		return false;
	references();
	return true;
}
