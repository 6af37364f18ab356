// SPDX-License-Identifier: GPL-2.0-only
/* Decodes with Zydis. */
#include <string.h>
#include <Zydis/Zydis.h>

#include "tracee/decode/decode.h"
#include "tracee/x86/cpu.h"
#include "tracee/x86/refuse.h"

static ZydisDecoder decoder;
static ZydisDecoderContext context;
static ZydisDecodedInstruction zydis;
static ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
static uint16_t xsave_size;
static bool wide_masks;			/* kmovq is there */

void decode_init(void)
{
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	xsave_size = cpu_xsave_bytes();
	wide_masks = cpu_wide_masks();
}

static bool is_gpr(ZydisRegister reg)
{
	switch (ZydisRegisterGetClass(reg)) {
	case ZYDIS_REGCLASS_GPR8:
	case ZYDIS_REGCLASS_GPR16:
	case ZYDIS_REGCLASS_GPR32:
	case ZYDIS_REGCLASS_GPR64:
		return true;
	default:
		return false;
	}
}

static uint8_t gpr(ZydisRegister reg)
{
	if (!is_gpr(reg))
		return NO_REGISTER;
	reg = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
	return reg - ZYDIS_REGISTER_RAX;
}

/* The stack's is whole where the prefix is before a push or a call (SDM volume 1, 6.2.3). */
static bool has_short_address(const ZydisDecodedOperand *o)
{
	return zydis.address_width == 32 &&
	       ZydisRegisterGetClass(o->mem.base) != ZYDIS_REGCLASS_GPR64;
}

static bool writes(const ZydisDecodedOperand *o)
{
	return o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
}

static bool reads(const ZydisDecodedOperand *o)
{
	return o->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
}

/* --- references --- */

static bool no_reference(void)
{
	switch (zydis.meta.category) {
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_PREFETCH:
	case ZYDIS_CATEGORY_PREFETCHWT1:
	case ZYDIS_CATEGORY_CLFLUSHOPT:
	case ZYDIS_CATEGORY_CLWB:
	case ZYDIS_CATEGORY_CLDEMOTE:
		return true;
	default:
		return zydis.mnemonic == ZYDIS_MNEMONIC_CLFLUSH;
	}
}

static bool string_repeats(void)
{
	return zydis.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
				   ZYDIS_ATTRIB_HAS_REPNE);
}

/* cmps and scas, of one byte or more. */
static bool string_compares(void)
{
	return (zydis.opcode & 0xf6) == 0xa6;
}

/*
 * Comparisons may end before the number of turns that rcx says, and it may be any. For others
 * processors take repne as rep.
 */
static bool has_turns(void)
{
	return zydis.meta.category == ZYDIS_CATEGORY_STRINGOP && string_repeats() &&
	       !string_compares();
}

/* The bit's number may reach far beyond the operand. */
static bool far_bit(void)
{
	switch (zydis.mnemonic) {
	case ZYDIS_MNEMONIC_BT:
	case ZYDIS_MNEMONIC_BTS:
	case ZYDIS_MNEMONIC_BTR:
	case ZYDIS_MNEMONIC_BTC:
		return operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
	default:
		return false;
	}
}

static bool vector_masked(void)
{
	switch (zydis.mnemonic) {
	case ZYDIS_MNEMONIC_VMASKMOVPS:
	case ZYDIS_MNEMONIC_VMASKMOVPD:
	case ZYDIS_MNEMONIC_VPMASKMOVD:
	case ZYDIS_MNEMONIC_VPMASKMOVQ:
		return true;
	default:
		return false;
	}
}

static uint8_t vector_number(ZydisRegister reg)
{
	return ZydisRegisterGetId(reg);
}

/* Masks of EVEX: which elements are touched. */
static bool masked(const ZydisDecodedOperand *o, struct reference *ref)
{
	ZydisRegister mask = zydis.avx.mask.reg;
	unsigned int element = o->element_size / 8;

	if (mask == ZYDIS_REGISTER_NONE || mask == ZYDIS_REGISTER_K0)
		return true;
	if (!wide_masks)
		return false;
	ref->mask = ZydisRegisterGetId(mask);
	ref->form = BURST_MASK;
	if (zydis.meta.category == ZYDIS_CATEGORY_COMPRESS ||
	    zydis.meta.category == ZYDIS_CATEGORY_EXPAND) {
		ref->form = BURST_MASK_PACKED;
	} else if (zydis.avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID) {
		ref->form = BURST_MASK_ANY;
		ref->count = operands[0].element_count < 64 ? operands[0].element_count : 64;
		return true;
	}
	if (!element || ref->size % element || ref->size / element > 64)
		return false;
	ref->count = ref->size / element;
	ref->size = element;
	return true;
}

/* Both families: the index vector; how many elements of which size. */
static bool gathered(const ZydisDecodedOperand *o, struct reference *ref)
{
	bool k = zydis.avx.mask.reg != ZYDIS_REGISTER_NONE;
	ZydisRegisterClass class = ZydisRegisterGetClass(o->mem.index);
	const ZydisDecodedOperand *data = &operands[operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY ?
						    2 : 0];
	unsigned int indices, elements, index_bytes;

	if (k && !wide_masks)
		return false;
	switch (zydis.mnemonic) {
	case ZYDIS_MNEMONIC_VPGATHERQD:
	case ZYDIS_MNEMONIC_VPGATHERQQ:
	case ZYDIS_MNEMONIC_VGATHERQPS:
	case ZYDIS_MNEMONIC_VGATHERQPD:
	case ZYDIS_MNEMONIC_VPSCATTERQD:
	case ZYDIS_MNEMONIC_VPSCATTERQQ:
	case ZYDIS_MNEMONIC_VSCATTERQPS:
	case ZYDIS_MNEMONIC_VSCATTERQPD:
		index_bytes = 8;
		ref->flags |= BURST_INDEX_64;
		break;
	case ZYDIS_MNEMONIC_VPGATHERDD:
	case ZYDIS_MNEMONIC_VPGATHERDQ:
	case ZYDIS_MNEMONIC_VGATHERDPS:
	case ZYDIS_MNEMONIC_VGATHERDPD:
	case ZYDIS_MNEMONIC_VPSCATTERDD:
	case ZYDIS_MNEMONIC_VPSCATTERDQ:
	case ZYDIS_MNEMONIC_VSCATTERDPS:
	case ZYDIS_MNEMONIC_VSCATTERDPD:
		index_bytes = 4;
		break;
	default:
		return false;		/* prefetches of Xeon Phi */
	}
	ref->size = data->element_size / 8;
	if (ref->size != 4 && ref->size != 8)
		return false;
	ref->vector_bytes = class == ZYDIS_REGCLASS_XMM ? 16 : class == ZYDIS_REGCLASS_YMM ? 32 :
			    64;
	indices = ref->vector_bytes / index_bytes;
	/* Where data and indices differ in size the fewer count. */
	elements = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, data->reg.value) / 8 /
		   ref->size;
	ref->count = indices < elements ? indices : elements;
	ref->vector = vector_number(o->mem.index);
	ref->mask = k ? ZydisRegisterGetId(zydis.avx.mask.reg) :
			vector_number(operands[2].reg.value);
	ref->form = k ? BURST_GATHER : BURST_GATHER_VECTOR;
	ref->scale = o->mem.scale;
	return true;
}

static bool set_form(const ZydisDecodedOperand *o, struct reference *ref)
{
	if (zydis.meta.category == ZYDIS_CATEGORY_STRINGOP) {
		if (ref->flags)
			return false;
		ref->form = string_repeats() ? BURST_STRING : BURST_PLAIN;
		return true;
	}
	if (o->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
		return gathered(o, ref);
	if (far_bit()) {
		ref->form = BURST_BIT;
		ref->vector = gpr(operands[1].reg.value);
		return true;
	}
	if (vector_masked()) {
		ref->form = BURST_MASK_VECTOR;
		ref->mask = vector_number(operands[1].reg.value);
		ref->count = o->size / o->element_size;
		ref->size = o->element_size / 8;
		return true;
	}
	return masked(o, ref);
}

/* What a push or a pop does to rsp before the operand's address is formed. */
static int64_t stack_shift(const ZydisDecodedOperand *o)
{
	bool hidden = o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;

	if (o->mem.base != ZYDIS_REGISTER_RSP)
		return 0;
	if (hidden && (zydis.meta.category == ZYDIS_CATEGORY_PUSH ||
		       zydis.meta.category == ZYDIS_CATEGORY_CALL))
		return -(int64_t)(o->size / 8);
	if (!hidden && zydis.meta.category == ZYDIS_CATEGORY_POP)
		return o->size / 8;
	return 0;
}

static bool set_reference(const ZydisDecodedOperand *o, struct insn *insn)
{
	struct reference *ref = &insn->ref[insn->refs];

	if (insn->refs == INSN_REFS)
		return false;
	memset(ref, 0, sizeof(*ref));
	ref->kind = (reads(o) ? BURST_LOAD : 0) | (writes(o) ? BURST_STORE : 0);
	ref->size = o->size / 8;
	if (zydis.meta.category == ZYDIS_CATEGORY_XSAVE ||
	    zydis.meta.category == ZYDIS_CATEGORY_XSAVEOPT)
		ref->size = ref->size == 512 ? 512 : xsave_size;
	ref->base = gpr(o->mem.base);
	ref->index = o->mem.type == ZYDIS_MEMOP_TYPE_VSIB ? NO_REGISTER : gpr(o->mem.index);
	ref->scale = o->mem.scale ? o->mem.scale : 1;
	ref->displaced = o->mem.disp.has_displacement;
	ref->offset = stack_shift(o);
	ref->flags = (o->mem.segment == ZYDIS_REGISTER_FS ? BURST_FS : 0) |
		     (o->mem.segment == ZYDIS_REGISTER_GS ? BURST_GS : 0) |
		     (has_short_address(o) ? BURST_ADDRESS_32 : 0);
	if (!ref->kind || !ref->size || !set_form(o, ref))
		return false;
	if (ref->base == NO_REGISTER && ref->index == NO_REGISTER && ref->form == BURST_PLAIN)
		ref->form = BURST_STATIC;
	insn->refs++;
	return true;
}

/* Loads come before stores. */
static bool set_references(struct insn *insn)
{
	int pass, i;

	if (no_reference())
		return true;
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < zydis.operand_count; i++) {
			const ZydisDecodedOperand *o = &operands[i];

			if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || writes(o) != pass ||
			    o->mem.type == ZYDIS_MEMOP_TYPE_AGEN)
				continue;
			if (!set_reference(o, insn))
				return false;
		}
	}
	return true;
}

/* --- registers --- */

static void use(struct insn *insn, ZydisRegister reg, bool written)
{
	uint8_t number = gpr(reg);

	if (number == NO_REGISTER)
		return;
	insn->used |= 1u << number;
	if (written)
		insn->written |= 1u << number;
}

static void set_registers(struct insn *insn)
{
	int i;

	for (i = 0; i < zydis.operand_count; i++) {
		const ZydisDecodedOperand *o = &operands[i];

		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER) {
			use(insn, o->reg.value, writes(o));
		} else if (o->type == ZYDIS_OPERAND_TYPE_MEMORY) {
			use(insn, o->mem.base, false);
			use(insn, o->mem.index, false);
		}
	}
	/* Not all of these are operands of their own. */
	if (zydis.meta.category == ZYDIS_CATEGORY_STRINGOP) {
		insn->used |= 1u << RSI | 1u << RDI | 1u << RCX;
		insn->written |= 1u << RSI | 1u << RDI | 1u << RCX;
	}
}

/* Changes of a register by a constant: references after it still derive from those before. */
static void set_delta(struct insn *insn)
{
	const ZydisDecodedOperand *to = &operands[0], *from = &operands[1];
	bool whole = to->type == ZYDIS_OPERAND_TYPE_REGISTER && to->size == 64 &&
		     is_gpr(to->reg.value);

	insn->delta_register = NO_REGISTER;
	switch (zydis.mnemonic) {
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
		if (!whole || from->type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
			return;
		insn->imm_use = zydis.mnemonic == ZYDIS_MNEMONIC_ADD ? USE_ADDED : USE_SUBTRACTED;
		break;
	case ZYDIS_MNEMONIC_INC:
	case ZYDIS_MNEMONIC_DEC:
		if (!whole)
			return;
		insn->step = zydis.mnemonic == ZYDIS_MNEMONIC_INC ? 1 : -1;
		break;
	case ZYDIS_MNEMONIC_LEA:
		if (!whole || from->mem.base != to->reg.value ||
		    from->mem.index != ZYDIS_REGISTER_NONE)
			return;
		insn->disp_use = USE_ADDED;
		break;
	case ZYDIS_MNEMONIC_PUSH:
	case ZYDIS_MNEMONIC_PUSHFQ:
		insn->delta_register = RSP;
		insn->step = -(zydis.operand_width == 16 ? 2 : 8);
		return;
	case ZYDIS_MNEMONIC_POP:
		if (gpr(to->type == ZYDIS_OPERAND_TYPE_REGISTER ? to->reg.value :
			ZYDIS_REGISTER_NONE) == RSP)
			return;
		insn->delta_register = RSP;
		insn->step = zydis.operand_width == 16 ? 2 : 8;
		return;
	default:
		return;
	}
	insn->delta_register = gpr(to->reg.value);
}

/* --- where it goes on --- */

static bool set_flow(struct insn *insn)
{
	const ZydisDecodedOperand *to = &operands[0];

	switch (zydis.meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		if (zydis.opcode_map == ZYDIS_OPCODE_MAP_0F || (zydis.opcode & 0xf0) == 0x70)
			insn->flow = FLOW_BRANCH;
		else
			insn->flow = FLOW_LOOP;
		insn->condition = zydis.opcode & 15;
		break;
	case ZYDIS_CATEGORY_UNCOND_BR:
		insn->flow = to->type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? FLOW_JUMP :
									FLOW_JUMP_INDIRECT;
		break;
	case ZYDIS_CATEGORY_CALL:
		insn->flow = to->type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? FLOW_CALL :
									FLOW_CALL_INDIRECT;
		break;
	case ZYDIS_CATEGORY_RET:
		insn->flow = FLOW_RETURN;
		if (to->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			insn->imm_use = USE_POPS;
		return true;
	default:
		insn->flow = FLOW_NEXT;
		return true;
	}
	insn->jump_register = NO_REGISTER;
	if (to->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		insn->imm_use = USE_TARGET;
		return to->imm.is_relative;
	}
	if (to->type == ZYDIS_OPERAND_TYPE_REGISTER)
		insn->jump_register = gpr(to->reg.value);
	return true;
}

/* Which byte holds the extension of the base register: it has to say "none". */
static void set_extension(struct insn *insn)
{
	switch (zydis.encoding) {
	case ZYDIS_INSTRUCTION_ENCODING_LEGACY:
		if (!(zydis.attributes & ZYDIS_ATTRIB_HAS_REX))
			return;
		insn->extension = zydis.raw.rex.offset;
		insn->extension_clear = 1;
		return;
	case ZYDIS_INSTRUCTION_ENCODING_XOP:
		insn->extension = zydis.raw.xop.offset + 1;
		break;
	case ZYDIS_INSTRUCTION_ENCODING_VEX:
		if (zydis.raw.vex.size != 3)
			return;
		insn->extension = zydis.raw.vex.offset + 1;
		break;
	case ZYDIS_INSTRUCTION_ENCODING_EVEX:
		insn->extension = zydis.raw.evex.offset + 1;
		break;
	default:
		return;
	}
	insn->extension_set = 0x20;
}

static void set_rip_relative(struct insn *insn)
{
	int i;

	insn->lea_register = NO_REGISTER;
	insn->extension = NO_EXTENSION;
	for (i = 0; i < zydis.operand_count; i++) {
		const ZydisDecodedOperand *o = &operands[i];

		if (o->type != ZYDIS_OPERAND_TYPE_MEMORY ||
		    (o->mem.base != ZYDIS_REGISTER_RIP && o->mem.base != ZYDIS_REGISTER_EIP))
			continue;
		insn->rip_relative = true;
		insn->modrm = zydis.raw.modrm.offset;
		set_extension(insn);
		if (zydis.mnemonic != ZYDIS_MNEMONIC_LEA)
			continue;
		insn->disp_use = USE_CONSTANT;
		if (operands[0].size == 64 && zydis.address_width == 64)
			insn->lea_register = gpr(operands[0].reg.value);
	}
	if (zydis.mnemonic == ZYDIS_MNEMONIC_MOV &&
	    operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		insn->imm_use = USE_CONSTANT;
}

/* Where displacement and immediate are, and what is before them. */
static void set_head(struct insn *insn)
{
	insn->length = zydis.length;
	insn->disp = zydis.raw.disp.offset;
	insn->disp_size = zydis.raw.disp.size / 8;
	/* EVEX: "disp8*N" (SDM 2, 2.7.5) */
	insn->disp_scale = insn->disp_size == 1 && context.cd8_scale ? context.cd8_scale : 1;
	insn->imm = zydis.raw.imm[0].offset;
	insn->imm_size = zydis.raw.imm[0].size / 8;
	insn->imm_signed = zydis.raw.imm[0].is_signed;
	/* 3DNow! has its opcode last. */
	if (zydis.raw.imm[1].size || zydis.encoding == ZYDIS_INSTRUCTION_ENCODING_3DNOW)
		return;
	insn->head = insn->disp_size ? insn->disp : insn->imm_size ? insn->imm : insn->length;
}

static bool look(const uint8_t *bytes, unsigned int size)
{
	return ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, &context, bytes, size,
							  &zydis)) &&
	       ZYAN_SUCCESS(ZydisDecoderDecodeOperands(&decoder, &context, &zydis, operands,
						       zydis.operand_count));
}

bool decode_head(const uint8_t *bytes, unsigned int size, struct insn *insn)
{
	memset(insn, 0, sizeof(*insn));
	insn->reason = BURST_INSTRUCTION + 1;
	if (!look(bytes, size))
		return false;
	if (zydis.meta.category == ZYDIS_CATEGORY_SYSCALL) {
		insn->reason = BURST_SYSTEM_CALL + 1;
		return false;
	}
	if (refuse(&zydis, operands))
		return false;
	set_head(insn);
	set_rip_relative(insn);
	set_registers(insn);
	set_delta(insn);
	insn->turns = has_turns();
	if (!set_flow(insn) || !set_references(insn))
		return false;
	insn->reason = 0;
	return true;
}
