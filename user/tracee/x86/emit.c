// SPDX-License-Identifier: GPL-2.0-only
/* The few instructions that translated code adds. Encodings: SDM volume 2, 2.1 to 2.7. */
#include <string.h>

#include "tracee/x86/emit.h"
#include "tracee/x86/registers.h"

#define REX	0x40
#define REX_W	0x48

void emit_bytes(struct emit *e, const void *bytes, size_t size)
{
	memcpy(e->at, bytes, size);
	e->at += size;
}

void emit_insn(struct emit *e, const uint8_t room[16], size_t size)
{
	memcpy(e->at, room, 16);
	e->at += size;
}

void emit_u8(struct emit *e, uint8_t value)
{
	*e->at++ = value;
}

static void emit_u32(struct emit *e, uint32_t value)
{
	emit_bytes(e, &value, sizeof(value));
}

void emit_u64(struct emit *e, uint64_t value)
{
	emit_bytes(e, &value, sizeof(value));
}

void emit_constant(struct emit *e, uint8_t reg, uint64_t value)
{
	if (value <= UINT32_MAX) {
		if (reg & 8)
			emit_u8(e, REX | 1);
		emit_u8(e, 0xb8 | (reg & 7));
		emit_u32(e, value);
		return;
	}
	emit_u8(e, REX_W | reg >> 3);
	emit_u8(e, 0xb8 | (reg & 7));
	emit_u64(e, value);
}

static void variable(struct emit *e, uint8_t opcode, uint8_t reg, const void *at)
{
	emit_u8(e, REX_W | (reg >> 3) << 2);
	emit_u8(e, opcode);
	emit_u8(e, (reg & 7) << 3 | 5);
	emit_u32(e, (const uint8_t *)at - (e->at + 4));
}

void emit_load_variable(struct emit *e, uint8_t reg, const void *at)
{
	variable(e, 0x8b, reg, at);
}

void emit_store_variable(struct emit *e, const void *at, uint8_t reg)
{
	variable(e, 0x89, reg, at);
}

void emit_store_variable_32(struct emit *e, const void *at, uint32_t value)
{
	emit_u8(e, 0xc7);
	emit_u8(e, 0x05);
	emit_u32(e, (const uint8_t *)at - (e->at + 8));
	emit_u32(e, value);
}

static uint8_t log2_scale(uint8_t scale)
{
	return scale == 8 ? 3 : scale == 4 ? 2 : scale == 2 ? 1 : 0;
}

/* ModRM, SIB, displacement; the low bits of the registers. */
static void modrm(struct emit *e, uint8_t reg, struct operand o)
{
	uint8_t field = (reg & 7) << 3, mod;

	if (o.base == NO_REGISTER) {
		emit_u8(e, field | 4);
		emit_u8(e, log2_scale(o.scale) << 6 |
			(o.index == NO_REGISTER ? 4 : o.index & 7) << 3 | 5);
		emit_u32(e, o.offset);
		return;
	}
	mod = !o.offset && (o.base & 7) != RBP ? 0 : o.offset == (int8_t)o.offset ? 1 : 2;
	if (o.index != NO_REGISTER || (o.base & 7) == RSP) {
		emit_u8(e, mod << 6 | field | 4);
		emit_u8(e, log2_scale(o.scale) << 6 |
			(o.index == NO_REGISTER ? 4 : o.index & 7) << 3 | (o.base & 7));
	} else {
		emit_u8(e, mod << 6 | field | (o.base & 7));
	}
	if (mod == 1)
		emit_u8(e, o.offset);
	else if (mod == 2)
		emit_u32(e, o.offset);
}

static uint8_t extensions(uint8_t reg, struct operand o)
{
	return (reg & 8) >> 1 | (o.index != NO_REGISTER ? (o.index & 8) >> 2 : 0) |
	       (o.base != NO_REGISTER ? (o.base & 8) >> 3 : 0);
}

static void instruction(struct emit *e, uint8_t opcode, uint8_t reg, struct operand o)
{
	emit_u8(e, REX_W | extensions(reg, o));
	emit_u8(e, opcode);
	modrm(e, reg, o);
}

void emit_lea(struct emit *e, uint8_t reg, struct operand operand, int narrow)
{
	if (narrow)
		emit_u8(e, 0x67);
	instruction(e, 0x8d, reg, operand);
}

void emit_load(struct emit *e, uint8_t reg, struct operand operand, uint8_t segment, int narrow)
{
	if (segment)
		emit_u8(e, segment);
	if (narrow)
		emit_u8(e, 0x67);
	instruction(e, 0x8b, reg, operand);
}

void emit_store(struct emit *e, struct operand operand, uint8_t reg)
{
	instruction(e, 0x89, reg, operand);
}

static struct operand at(uint8_t base, int32_t offset)
{
	struct operand o = { base, NO_REGISTER, 1, offset };

	return o;
}

void emit_store_constant(struct emit *e, uint8_t base, int32_t offset, int32_t value)
{
	instruction(e, 0xc7, 0, at(base, offset));
	emit_u32(e, value);
}

/* kmovq: VEX.L0.0F.W1 91 */
void emit_store_mask(struct emit *e, uint8_t base, int32_t offset, uint8_t mask)
{
	emit_u8(e, 0xc4);
	emit_u8(e, 0xe1 & ~((base & 8) << 2));
	emit_u8(e, 0xf8);
	emit_u8(e, 0x91);
	modrm(e, mask, at(base, offset));
}

/* vmovdqu: VEX.F3.0F.WIG 7F */
static void store_vex(struct emit *e, uint8_t base, int32_t offset, uint8_t vector, int wide)
{
	emit_u8(e, 0xc4);
	emit_u8(e, 0xe1 & ~((vector & 8) << 4 | (base & 8) << 2));
	emit_u8(e, 0x7a | wide << 2);
	emit_u8(e, 0x7f);
	modrm(e, vector, at(base, offset));
}

void emit_store_vector(struct emit *e, uint8_t base, int32_t offset, uint8_t vector,
		       unsigned int bytes)
{
	uint8_t length = bytes == 64 ? 2 : bytes == 32 ? 1 : 0;

	if (vector < 16 && bytes < 64) {
		store_vex(e, base, offset, vector, length);
		return;
	}
	/* vmovdqu64: EVEX.F3.0F.W1 7F; a displacement of 32 bits, which is not scaled */
	emit_u8(e, 0x62);
	emit_u8(e, 0xf1 & ~((vector & 8) << 4 | (base & 8) << 2 | (vector & 16)));
	emit_u8(e, 0xfe);
	emit_u8(e, 0x08 | length << 5);
	emit_u8(e, 0x7f);
	if ((base & 7) == RSP) {
		emit_u8(e, 0x80 | (vector & 7) << 3 | 4);
		emit_u8(e, 0x24);
	} else {
		emit_u8(e, 0x80 | (vector & 7) << 3 | (base & 7));
	}
	emit_u32(e, offset);
}

void emit_push(struct emit *e, uint8_t reg)
{
	if (reg & 8)
		emit_u8(e, REX | 1);
	emit_u8(e, 0x50 | (reg & 7));
}

void emit_trap(struct emit *e, const void *page)
{
	emit_u8(e, 0x88);
	emit_u8(e, 0x05);
	emit_u32(e, (const uint8_t *)page - (e->at + 4));
}

/* jrcxz over a trap: a program's jrcxz jumps over 5 bytes (translate.c) */
static const uint8_t check[] = { 0xe3, TRAP_BYTES, 0x88, 0x05 };

static void emit_check(struct emit *e, const void *count, const void *page)
{
	emit_bytes(e, check, 2);
	emit_trap(e, page);
	emit_load_variable(e, RCX, count);
}

void emit_turns(struct emit *e, const void *count, const void *page)
{
	emit_store_variable(e, count, RCX);
	emit_u8(e, 0x8b);	/* mov ecx, [rip + d] */
	emit_u8(e, RCX << 3 | 5);
	emit_u32(e, (const uint8_t *)count + 2 - (e->at + 4));
	emit_check(e, count, page);
}

void emit_enough(struct emit *e, const void *count, const void *enough, const void *page)
{
	emit_store_variable(e, count, RCX);
	emit_load_variable(e, RCX, enough);
	emit_check(e, count, page);
}

bool emit_rcx_is_away(const uint8_t *at)
{
	return !memcmp(at, check, sizeof(check)) || !memcmp(at - 2, check, sizeof(check)) ||
	       !memcmp(at - 2 - TRAP_BYTES, check, sizeof(check));
}

void patch_jump(uint8_t *displacement, const uint8_t *target)
{
	int32_t distance = target - (displacement + 4);

	__atomic_store_n((int32_t *)displacement, distance, __ATOMIC_RELAXED);
}

uint8_t *emit_jump(struct emit *e, const uint8_t *target)
{
	uint8_t *displacement;

	emit_u8(e, 0xe9);
	displacement = e->at;
	e->at += 4;
	patch_jump(displacement, target);
	return displacement;
}

uint8_t *emit_branch(struct emit *e, uint8_t condition, const uint8_t *target)
{
	uint8_t *displacement;

	emit_u8(e, 0x0f);
	emit_u8(e, 0x80 | condition);
	displacement = e->at;
	e->at += 4;
	patch_jump(displacement, target);
	return displacement;
}
