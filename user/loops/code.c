// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include <Zydis/Zydis.h>

#include "base/memory.h"
#include "loops/code.h"
#include "loops/latency.h"
#include "loops/uses.h"

/* What a called function may change (x86-64 psABI, 3.2.1): all but rbx, rsp, rbp, r12 to r15. */
#define CALL_CHANGES 0x0fc7u
#define VECTOR_FIRST 16

struct decoder {
	ZydisDecoder quick;	/* only lengths and branches */
	ZydisDecoder full;	/* operands */
};

struct decoder *decoder_new(void)
{
	struct decoder *decoder = xcalloc(1, sizeof(*decoder));

	ZydisDecoderInit(&decoder->quick, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	ZydisDecoderEnableMode(&decoder->quick, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
	ZydisDecoderInit(&decoder->full, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	return decoder;
}

void decoder_free(struct decoder *decoder)
{
	free(decoder);
}

static enum step_kind kind_of(const ZydisDecodedInstruction *instruction)
{
	switch (instruction->mnemonic) {
	case ZYDIS_MNEMONIC_CALL:
		return instruction->raw.imm[0].is_relative ? STEP_CALL : STEP_CALL_AWAY;
	case ZYDIS_MNEMONIC_JMP:
		return instruction->raw.imm[0].is_relative ? STEP_JUMP : STEP_JUMP_AWAY;
	case ZYDIS_MNEMONIC_RET:
	case ZYDIS_MNEMONIC_IRET:
	case ZYDIS_MNEMONIC_IRETD:
	case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_SYSRET:
	case ZYDIS_MNEMONIC_SYSEXIT:
		return STEP_END;
	case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
		return STEP_TRAP;
	case ZYDIS_MNEMONIC_INT3:
	case ZYDIS_MNEMONIC_NOP:
		return STEP_PADDING;
	case ZYDIS_MNEMONIC_XCHG:
		return instruction->length == 2 && instruction->opcode == 0x90 ? STEP_PADDING :
										 STEP_NEXT;
	default:
		/* Conditional jumps, loop, jrcxz, xbegin. */
		return instruction->raw.imm[0].is_relative ? STEP_BRANCH : STEP_NEXT;
	}
}

bool decoder_step(const struct decoder *decoder, const uint8_t *bytes, size_t left,
		  uint64_t address, struct step *step)
{
	ZydisDecodedInstruction instruction;

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder->quick, NULL, bytes, left,
							&instruction)))
		return false;
	step->size = instruction.length;
	step->kind = kind_of(&instruction);
	step->target = instruction.raw.imm[0].is_relative ?
		       address + instruction.length + instruction.raw.imm[0].value.s : 0;
	return true;
}

size_t decoder_text(const struct decoder *decoder, const uint8_t *bytes, size_t left,
		    uint64_t address, char text[INSTRUCTION_TEXT])
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction instruction;
	ZydisFormatter formatter;

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder->full, bytes, left, &instruction,
						 operands)) ||
	    !ZYAN_SUCCESS(ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL)) ||
	    !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &instruction, operands,
							  instruction.operand_count_visible, text,
							  INSTRUCTION_TEXT, address, NULL)))
		return 0;
	return instruction.length;
}

static int number_of(ZydisRegister name)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);

	if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15)
		return NO_REGISTER;
	return whole - ZYDIS_REGISTER_RAX;
}

static int register_of(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER ? number_of(operand->reg.value) :
							      NO_REGISTER;
}

static struct place place_of(const ZydisDecodedOperand *operand, uint64_t next)
{
	struct place place = {
		.base = number_of(operand->mem.base),
		.index = number_of(operand->mem.index),
		.scale = operand->mem.scale,
		.displacement = operand->mem.disp.value,
	};

	if (operand->mem.base == ZYDIS_REGISTER_RIP)
		place.displacement += next;
	place.absolute = operand->mem.base == ZYDIS_REGISTER_RIP ||
			 operand->mem.base == ZYDIS_REGISTER_NONE;
	return place;
}

static void set_move(struct move *move, const ZydisDecodedOperand *to,
		     const ZydisDecodedOperand *from, uint64_t next)
{
	move->to = register_of(to);
	move->from = register_of(from);
	if (to->type == ZYDIS_OPERAND_TYPE_MEMORY && move->from != NO_REGISTER) {
		move->kind = MOVE_STORE;
		move->place = place_of(to, next);
	}
	if (move->to == NO_REGISTER)
		return;
	if (from->type == ZYDIS_OPERAND_TYPE_MEMORY) {
		move->kind = MOVE_LOAD;
		move->size = from->size / 8;
		move->place = place_of(from, next);
	} else if (from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		move->kind = MOVE_CONSTANT;
		move->number = from->imm.value.u;
	} else if (move->from != NO_REGISTER) {
		move->kind = MOVE_COPY;
		move->size = from->size / 8;
	}
}

static void set_compare(struct move *move, const ZydisDecodedOperand *left,
			const ZydisDecodedOperand *right, uint64_t next)
{
	move->from = register_of(left);
	if (right->type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return;
	if (left->type == ZYDIS_OPERAND_TYPE_MEMORY)
		move->place = place_of(left, next);
	else if (move->from == NO_REGISTER)
		return;
	move->kind = MOVE_COMPARE;
	move->size = left->size / 8;
	move->number = right->imm.value.u;
	if (left->size < 64)
		move->number &= (1ull << left->size) - 1;
}

static void set_arithmetic(struct move *move, const ZydisDecodedInstruction *instruction,
			   const ZydisDecodedOperand *to, const ZydisDecodedOperand *from)
{
	move->to = register_of(to);
	move->from = register_of(from);
	if (move->to == NO_REGISTER)
		return;
	if (instruction->mnemonic == ZYDIS_MNEMONIC_AND &&
	    from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		move->kind = MOVE_MASK;
		move->number = from->imm.value.u;
	} else if (instruction->mnemonic == ZYDIS_MNEMONIC_ADD && move->from != NO_REGISTER) {
		move->kind = MOVE_ADD;
	}
}

static void set_kind(struct move *move, const ZydisDecodedInstruction *instruction,
		     const ZydisDecodedOperand *operands, uint64_t next)
{
	switch (instruction->mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVZX:
	case ZYDIS_MNEMONIC_MOVSX:
	case ZYDIS_MNEMONIC_MOVSXD:
		set_move(move, &operands[0], &operands[1], next);
		break;
	case ZYDIS_MNEMONIC_CDQE:
		move->kind = MOVE_COPY;
		move->to = move->from = 0;	/* rax = eax */
		move->size = 4;
		break;
	case ZYDIS_MNEMONIC_LEA:
		move->to = register_of(&operands[0]);
		move->kind = MOVE_ADDRESS;
		move->place = place_of(&operands[1], next);
		break;
	case ZYDIS_MNEMONIC_CMP:
		set_compare(move, &operands[0], &operands[1], next);
		break;
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_AND:
		set_arithmetic(move, instruction, &operands[0], &operands[1]);
		break;
	case ZYDIS_MNEMONIC_CALL:
		move->changed |= CALL_CHANGES;
		ZYAN_FALLTHROUGH;
	case ZYDIS_MNEMONIC_JMP:
		move->kind = MOVE_GO;
		move->from = register_of(&operands[0]);
		if (operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY)
			move->place = place_of(&operands[0], next);
		else if (move->from == NO_REGISTER)
			move->kind = MOVE_OTHER;
		break;
	case ZYDIS_MNEMONIC_JB:
	case ZYDIS_MNEMONIC_JNB:
	case ZYDIS_MNEMONIC_JBE:
	case ZYDIS_MNEMONIC_JNBE:
		move->kind = MOVE_BRANCH;
		move->number = instruction->mnemonic == ZYDIS_MNEMONIC_JBE ||
			       instruction->mnemonic == ZYDIS_MNEMONIC_JNBE;
		break;
	default:
		break;
	}
}

bool decoder_move(const struct decoder *decoder, const uint8_t *bytes, size_t left,
		  uint64_t address, struct move *move)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT] = { 0 };
	ZydisDecodedInstruction instruction;
	int number;

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder->full, bytes, left, &instruction,
						 operands)))
		return false;
	*move = (struct move) { .to = NO_REGISTER, .from = NO_REGISTER };
	for (int i = 0; i < instruction.operand_count; i++) {
		number = register_of(&operands[i]);
		if (operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE && number != NO_REGISTER)
			move->changed |= 1u << number;
	}
	set_kind(move, &instruction, operands, address + instruction.length);
	return true;
}

static uint64_t bit_of(ZydisRegister name)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
	int number = number_of(name);

	if (name == ZYDIS_REGISTER_RFLAGS)
		return 1ull << USES_FLAGS;
	if (whole >= ZYDIS_REGISTER_ZMM0 && whole <= ZYDIS_REGISTER_ZMM31)
		return 1ull << (whole - ZYDIS_REGISTER_ZMM0 + VECTOR_FIRST);
	return number == NO_REGISTER ? 0 : 1ull << number;
}

static void add_memory(struct register_uses *uses, const ZydisDecodedOperand *operand)
{
	uint64_t registers = bit_of(operand->mem.base) | bit_of(operand->mem.index);
	bool hidden = operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;

	if (operand->mem.type == ZYDIS_MEMOP_TYPE_AGEN) {
		uses->read |= registers;
		return;
	}
	uses->address |= registers;
	uses->loads |= !hidden && operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	uses->stores |= !hidden && operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	uses->repeats |= operand->mem.type == ZYDIS_MEMOP_TYPE_VSIB;
}

static void add_operand(struct register_uses *uses, const ZydisDecodedOperand *operand)
{
	if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY) {
		add_memory(uses, operand);
	} else if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER) {
		/* What is written conditionally keeps its value elsewhere. */
		if (operand->actions & (ZYDIS_OPERAND_ACTION_MASK_READ |
					ZYDIS_OPERAND_ACTION_CONDWRITE))
			uses->read |= bit_of(operand->reg.value);
		if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			uses->written |= bit_of(operand->reg.value);
	}
}

/* Exclusive or, and the difference, of a register and itself are 0, whatever it holds. */
static bool is_zero(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
	switch (instruction->mnemonic) {
	case ZYDIS_MNEMONIC_XOR:
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_PXOR:
	case ZYDIS_MNEMONIC_XORPS:
	case ZYDIS_MNEMONIC_XORPD:
		break;
	case ZYDIS_MNEMONIC_VPXOR:
	case ZYDIS_MNEMONIC_VXORPS:
	case ZYDIS_MNEMONIC_VXORPD:
		operands++;
		break;
	default:
		return false;
	}
	return operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       operands[0].reg.value == operands[1].reg.value;
}

bool decoder_uses(const struct decoder *decoder, const uint8_t *bytes, size_t left,
		  struct register_uses *uses)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT] = { 0 };
	ZydisDecodedInstruction instruction;
	struct latency latency;

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder->full, bytes, left, &instruction,
						 operands)))
		return false;
	latency = latency_of(ZydisMnemonicGetString(instruction.mnemonic));
	*uses = (struct register_uses) {
		.size = instruction.length, .cycles = latency.cycles, .class = latency.class,
		.divides = latency.divides,
		.repeats = instruction.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
						     ZYDIS_ATTRIB_HAS_REPNE),
	};
	for (int i = 0; i < instruction.operand_count; i++)
		add_operand(uses, &operands[i]);
	if (is_zero(&instruction, operands))
		uses->read = 0;
	uses->computes = uses->cycles && uses->read && uses->written & USES_VECTORS;
	if (instruction.mnemonic == ZYDIS_MNEMONIC_CALL)
		uses->written |= CALL_CHANGES | USES_VECTORS;
	return true;
}
