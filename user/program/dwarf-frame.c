// SPDX-License-Identifier: GPL-2.0-only
/* Stack frames: where they end (.eh_frame, .debug_frame) and which variables lie in them. */
#include <dwarf.h>
#include <stdlib.h>

#include "base/memory.h"
#include "program/dwarf-inside.h"
#include "program/type-text.h"

/* DWARF's numbers of registers (System V ABI, AMD64 supplement, figure 3.36). */
#define REGISTER_BP	6
#define REGISTER_SP	7

#define VARIABLES_MOST	4096	/* of a frame */

/* The registers of a call, all in bytes from its stack pointer. */
struct registers {
	uint64_t address;
	int64_t bp;
	int64_t cfa;
};

/* A register plus a number, as bregN or bregx. */
static bool register_plus(const Dwarf_Op *op, int64_t bp, int64_t *value)
{
	uint64_t number = op->atom - DW_OP_breg0;
	int64_t offset = op->number;

	if (op->atom == DW_OP_bregx) {
		number = op->number;
		offset = op->number2;
	}
	if (number != REGISTER_BP && number != REGISTER_SP)
		return false;
	*value = offset + (number == REGISTER_BP ? bp : 0);
	return true;
}

static bool cfa_of(Dwarf_CFI *cfi, struct registers *registers)
{
	Dwarf_Frame *frame;
	Dwarf_Op *ops;
	size_t count;
	bool known;

	if (!cfi || dwarf_cfi_addrframe(cfi, registers->address, &frame))
		return false;
	known = !dwarf_frame_cfa(frame, &ops, &count) && count == 1 &&
		register_plus(ops, registers->bp, &registers->cfa);
	free(frame);
	return known;
}

static void read_frames(struct dwarf_file *file, Elf *elf)
{
	if (file->frames_read)
		return;
	file->frames_read = true;
	file->elf_frames = dwarf_getcfi_elf(elf);
	if (file->dwarf)
		file->frames = dwarf_getcfi(file->dwarf);
}

void dwarf_frame_close(struct dwarf_file *file)
{
	if (file->elf_frames)
		dwarf_cfi_end(file->elf_frames);
}

/* DW_AT_frame_base: what the places of variables are counted from. */
static bool base_of(Dwarf_Die *function, const struct registers *registers, int64_t *base)
{
	Dwarf_Attribute attribute;
	size_t count;
	Dwarf_Op *ops;

	if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) ||
	    dwarf_getlocation_addr(&attribute, registers->address, &ops, &count, 1) != 1 ||
	    count != 1)
		return false;
	switch (ops->atom) {
	case DW_OP_call_frame_cfa:
		*base = registers->cfa;
		return true;
	case DW_OP_reg0 + REGISTER_BP:
		*base = registers->bp;
		return true;
	case DW_OP_reg0 + REGISTER_SP:
		*base = 0;
		return true;
	default:
		return register_plus(ops, registers->bp, base);
	}
}

static bool place_of(Dwarf_Die *die, const struct registers *registers, const int64_t *base,
		     int64_t *place)
{
	Dwarf_Attribute attribute;
	size_t count;
	Dwarf_Op *ops;

	if (!dwarf_attr(die, DW_AT_location, &attribute) ||
	    dwarf_getlocation_addr(&attribute, registers->address, &ops, &count, 1) != 1 ||
	    count != 1)
		return false;
	if (ops->atom != DW_OP_fbreg)
		return register_plus(ops, registers->bp, place);
	if (!base)
		return false;
	*place = *base + (int64_t)ops->number;
	return true;
}

static void add_variable(struct dwarf_file *file, struct frame_layout *frame, Dwarf_Die *die,
			 int64_t place)
{
	struct frame_variable *variable;
	Dwarf_Attribute attribute;
	Dwarf_Word size;
	Dwarf_Die type;

	if (!type_plain(die, &type) || dwarf_aggregate_size(&type, &size) || !size ||
	    frame->count == VARIABLES_MOST)
		return;
	frame->variables = grow(frame->variables, frame->count, &frame->capacity,
				sizeof(*variable));
	variable = &frame->variables[frame->count++];
	*variable = (struct frame_variable){
		.low = place,
		.high = place + (int64_t)size,
		.type = type_text(die),
	};
	variable->variable = (struct variable){
		.name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute)),
		.size = size,
		.type = variable->type,
		.layout = dwarf_layout(file, &type, false),
	};
	dwarf_declaration(die, &variable->variable);
}

/* Scopes that do not hold the instruction may use the same bytes for something else. */
static void add_variables(struct dwarf_file *file, struct frame_layout *frame,
			  Dwarf_Die *function, const struct registers *registers)
{
	struct walk walk = { 0 };
	struct step step;
	int64_t base, place;
	bool based = base_of(function, registers, &base);
	int tag;

	walk_into(&walk, function, 0, 0);
	while (walk_next(&walk, &step)) {
		tag = dwarf_tag(&step.die);
		if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
		    dwarf_haspc(&step.die, registers->address) > 0)
			walk_into(&walk, &step.die, 0, 0);
		if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) &&
		    place_of(&step.die, registers, based ? &base : NULL, &place))
			add_variable(file, frame, &step.die, place);
	}
	free(walk.open);
}

bool dwarf_file_frame(struct dwarf_file *file, Elf *elf, uint64_t address, int64_t bp,
		      struct frame_layout *frame)
{
	struct registers registers = { .address = address, .bp = bp };
	struct unit *unit;
	uint32_t index;

	read_frames(file, elf);
	if (!cfa_of(file->elf_frames, &registers) && !cfa_of(file->frames, &registers))
		return false;
	frame->end = registers.cfa;
	unit = dwarf_unit_at(file, address);
	index = unit ? spans_find(&unit->by_address, address, NULL, NULL) : SPANS_NONE;
	if (index == SPANS_NONE)
		return true;
	while (unit->functions[index].outer != SPANS_NONE)
		index = unit->functions[index].outer;
	frame->function = dwarf_function_name(&unit->functions[index]);
	add_variables(file, frame, &unit->functions[index].die, &registers);
	return true;
}
