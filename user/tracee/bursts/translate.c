// SPDX-License-Identifier: GPL-2.0-only
/* Translates blocks; see translate.h. */
#include <string.h>

#include "tracee/bursts/text.h"
#include "tracee/bursts/translate.h"
#include "tracee/decode/decode.h"
#include "tracee/decode/derive.h"
#include "tracee/x86/emit.h"
#include "tracee/x86/rseq.h"
#include "tracee/x86/safe.h"

#define REF_WORDS	18		/* at most, of a gather */
#define TURNS_WORDS	12		/* not written: the log counts the time of some turns */
#define LOW_REGISTERS	0x00ff		/* those that need no extension in the encoding */
#define UNCOUNTED_MOST	64u		/* instructions in a row, about */

/* The block being translated. One at a time: the owner of the burst translates. */
static struct insn insns[BLOCK_INSNS];
static uint8_t bytes[BLOCK_SOURCE + INSN_ROOM];
static unsigned int count;		/* instructions */
static unsigned int counted, uncounted;	/* ... by a timed part; up to here, and not yet */
static bool quiet;			/* nothing is logged or counted */
static bool timed;			/* nothing is logged */
static uint64_t stop;			/* where the block was cut, if its last one goes on */
static struct derive derive;
static struct emit e;
static uint8_t base, temporary;
static const struct exit *came;		/* from the block that leads here */
static const struct block *twin;	/* the same, if this one is timed logged, else timed */
static unsigned int words, refs;
static struct burst_ref *ref_out;

uint64_t translated;

/* --- what belongs to the block --- */

/* The instruction keeps its form, but for the base of its operand. */
static bool needs_low_register(const struct insn *insn)
{
	return insn->rip_relative && insn->flow == FLOW_NEXT && insn->lea_register == NO_REGISTER;
}

/* ... or the logging needs it. */
static bool needs_register(const struct insn *insn)
{
	switch (insn->flow) {
	case FLOW_NEXT:
		return needs_low_register(insn);
	case FLOW_CALL:
	case FLOW_CALL_INDIRECT:
	case FLOW_RETURN:
		return true;
	default:
		return insn->flow == FLOW_JUMP_INDIRECT && insn->jump_register == NO_REGISTER;
	}
}

/* Two registers that the block does not use, the second encoded without extension if need be. */
static bool choose_scratch(uint16_t used, bool low)
{
	int reg;

	used |= 1u << RSP;
	base = temporary = NO_REGISTER;
	if (came && came->inner && !(used & (1u << came->scratch[0] | 1u << came->scratch[1])) &&
	    (!low || LOW_REGISTERS & 1u << came->scratch[1])) {
		base = came->scratch[0];
		temporary = came->scratch[1];
		return true;
	}
	for (reg = 0; reg < 16 && temporary == NO_REGISTER; reg++) {
		if (!(used & 1u << reg) && (!low || LOW_REGISTERS & 1u << reg))
			temporary = reg;
	}
	for (reg = 15; reg >= 0 && base == NO_REGISTER; reg--) {
		if (!(used & 1u << reg) && reg != temporary)
			base = reg;
	}
	return base != NO_REGISTER && temporary != NO_REGISTER;
}

/* Return: 0, or enum burst_reason + 1. */
static int collect(uint64_t address)
{
	uint16_t used = 0;
	unsigned int size, at = 0, most = 0;
	bool low = false;
	struct text text;
	int reason = text_at(address, &text);

	if (reason)
		return reason;
	quiet = text.quiet;
	size = text.end - address < BLOCK_SOURCE ? text.end - address : BLOCK_SOURCE;
	if (!safe_copy(bytes, (const void *)address, size)) {
		text_forget();
		return BURST_UNTRUSTED_CODE + 1;
	}
	for (count = 0; count < BLOCK_INSNS && at < size; count++) {
		struct insn *insn = &insns[count];
		bool needs_low;

		if (!decode_insn(address + at, bytes + at, size - at, insn))
			return count ? 0 : insn->reason;
		if (rseq_begins(insn->constant, text.file_start, text.file_end))
			return count ? 0 : BURST_RSEQ + 1;
		needs_low = low || needs_low_register(insn);
		most += insn->refs * REF_WORDS;
		if ((count && most > BLOCK_WORDS) || !choose_scratch(used | insn->used, needs_low))
			break;
		used |= insn->used;
		low = needs_low;
		at += insn->length;
		stop = address + at;
		if (insn->flow != FLOW_NEXT) {
			count++;
			break;
		}
	}
	return count && choose_scratch(used, low) ? 0 : BURST_INSTRUCTION + 1;
}

/* Does the program go back from the block, perhaps? From no other one for ever, see timed.h. */
static bool goes_back(const struct insn *last)
{
	switch (last->flow) {
	case FLOW_NEXT:
		return false;
	case FLOW_JUMP:
	case FLOW_BRANCH:
	case FLOW_LOOP:
	case FLOW_CALL:
		return last->target < stop;
	default:
		return true;
	}
}

/* Long strings are to end a timed part as well: theirs are counted. */
static bool is_counted(void)
{
	unsigned int i;

	for (i = 0; i < count && !insns[i].turns; i++)
		;
	return i < count || goes_back(&insns[count - 1]);
}

/* With those of blocks before it, the way that came first. Timed and logged it is the same. */
static void count_timed(void)
{
	uncounted = count + (came ? came->uncounted : 0);
	counted = is_counted() || uncounted > UNCOUNTED_MOST ? uncounted : 0;
	if (twin)
		counted = twin->counted;
	if (counted)
		uncounted = 0;
}

/* A quiet block borrows what it needs and no more. */
static void keep_registers(void)
{
	unsigned int i;

	base = NO_REGISTER;
	for (i = 0; i < count && !needs_register(&insns[i]); i++)
		;
	if (i == count)
		temporary = NO_REGISTER;
}

/* --- logging --- */

static struct operand operand_of(const struct reference *ref)
{
	struct operand o = { ref->base, ref->index, ref->scale, ref->offset };

	return o;
}

static void log_register(uint8_t reg)
{
	struct operand o = { base, NO_REGISTER, 1, 8 * ++words };

	emit_store(&e, o, reg);
}

/* Return: the word that it went into. */
static uint8_t log_address(const struct reference *ref)
{
	uint8_t slot = words;

	if (ref->base == NO_REGISTER && ref->index == NO_REGISTER)
		emit_constant(&e, temporary, ref->offset);
	else
		emit_lea(&e, temporary, operand_of(ref), ref->flags & BURST_ADDRESS_32);
	log_register(temporary);
	return slot;
}

static void log_mask(uint8_t mask)
{
	emit_store_mask(&e, base, 8 * ++words, mask);
}

static void log_vector(uint8_t vector, unsigned int size, unsigned int kept)
{
	emit_store_vector(&e, base, 8 * (words + 1), vector, size);
	words += kept;
}

static struct burst_ref *define(const struct insn *insn, const struct reference *ref, unsigned at)
{
	struct burst_ref *out = &ref_out[refs++];

	memset(out, 0, sizeof(*out));
	out->at = at;
	out->size = ref->size;
	out->kind = ref->kind;
	out->form = ref->form;
	out->flags = ref->flags;
	out->count = ref->count;
	out->scale = ref->scale;
	return out;
}

static void log_reference(const struct insn *insn, const struct reference *ref, unsigned int at)
{
	struct burst_ref *out = define(insn, ref, at);

	if (ref->form == BURST_STATIC) {
		out->offset = ref->offset;
		return;
	}
	if (ref->form == BURST_STRING) {
		out->slot = words;
		log_register(ref->base);
		words++;		/* its value after: log_strings() */
		return;
	}
	if (ref->form == BURST_PLAIN && derive_find(&derive, ref, &out->slot, &out->offset))
		return;
	out->slot = log_address(ref);
	if (ref->form == BURST_PLAIN)
		derive_add(&derive, ref, out->slot);
	switch (ref->form) {
	case BURST_BIT:
		log_register(ref->vector);
		break;
	case BURST_MASK:
	case BURST_MASK_ANY:
	case BURST_MASK_PACKED:
		log_mask(ref->mask);
		break;
	case BURST_MASK_VECTOR:
		log_vector(ref->mask, 32, 4);
		break;
	case BURST_GATHER:
		log_mask(ref->mask);
		log_vector(ref->vector, ref->vector_bytes, 8);
		break;
	case BURST_GATHER_VECTOR:
		log_vector(ref->mask, 32, 4);
		log_vector(ref->vector, 32, 4);
		break;
	}
}

/* Where the registers of a repeated string instruction are now. */
static void log_strings(const struct insn *insn, unsigned int first_ref)
{
	unsigned int i, kept = words;

	for (i = 0; i < insn->refs; i++) {
		if (insn->ref[i].form != BURST_STRING)
			continue;
		words = ref_out[first_ref + i].slot + 1;
		log_register(insn->ref[i].base);
	}
	words = kept + (insn->turns ? TURNS_WORDS : 0);
}

/* --- the instruction --- */

/* rip + displacement becomes [temporary + 0], which is as long. */
static void emit_rip_relative(const struct insn *insn)
{
	uint8_t *at;

	if (insn->lea_register != NO_REGISTER) {
		emit_constant(&e, insn->lea_register, insn->static_address);
		return;
	}
	emit_constant(&e, temporary, insn->static_address);
	at = e.at;
	emit_insn(&e, insn->bytes, insn->length);
	at[insn->modrm] = 0x80 | (at[insn->modrm] & 0x38) | temporary;
	memset(at + insn->disp, 0, 4);
	if (insn->extension != NO_EXTENSION) {
		at[insn->extension] &= ~insn->extension_clear;
		at[insn->extension] |= insn->extension_set;
	}
}

static void load_target(const struct insn *insn)
{
	const struct reference *ref = &insn->ref[0];
	struct operand o = operand_of(ref);

	if (insn->jump_register != NO_REGISTER) {
		emit_store_variable(&e, &variables->target, insn->jump_register);
		return;
	}
	if (ref->base == NO_REGISTER && ref->index == NO_REGISTER) {
		emit_constant(&e, temporary, ref->offset);
		o.base = temporary;
		o.offset = 0;
	}
	emit_load(&e, temporary, o, ref->flags & BURST_FS ? 0x64 : ref->flags & BURST_GS ? 0x65 : 0,
		  ref->flags & BURST_ADDRESS_32);
	emit_store_variable(&e, &variables->target, temporary);
}

static void emit_call(uint64_t next)
{
	emit_constant(&e, temporary, next);
	emit_push(&e, temporary);
}

static void emit_return(const struct insn *insn)
{
	struct operand top = { RSP, NO_REGISTER, 1, 0 };

	emit_load(&e, temporary, top, 0, 0);
	emit_store_variable(&e, &variables->target, temporary);
	top.offset = 8 + insn->pops;
	emit_lea(&e, RSP, top, 0);
}

static void emit_instruction(const struct insn *insn)
{
	switch (insn->flow) {
	case FLOW_NEXT:
		if (insn->rip_relative)
			emit_rip_relative(insn);
		else
			emit_insn(&e, insn->bytes, insn->length);
		break;
	case FLOW_CALL_INDIRECT:
		load_target(insn);
		emit_call(stop);
		break;
	case FLOW_CALL:
		emit_call(stop);
		break;
	case FLOW_JUMP_INDIRECT:
		load_target(insn);
		break;
	case FLOW_RETURN:
		emit_return(insn);
		break;
	}
}

/* --- the frame around --- */

/* Return: where blocks come in that have borrowed the same registers. */
static uint8_t *emit_prologue(uint32_t number)
{
	uint8_t *inner;

	if (temporary != NO_REGISTER)
		emit_store_variable(&e, &variables->save[1], temporary);
	if (quiet)
		return e.at;
	emit_store_variable(&e, &variables->save[0], base);
	emit_load_variable(&e, base, &variables->log);
	inner = e.at;
	if (timed && counted)
		emit_load(&e, temporary, (struct operand){ base, NO_REGISTER, 1, 0 }, 0, 0);
	else if (!timed)
		emit_store_constant(&e, base, 0, number);
	return inner;
}

/* The log goes on behind the block: for whatever block follows with the same registers borrowed. */
static void emit_advance(void)
{
	struct operand o = { base, NO_REGISTER, 1, timed ? counted : 8 * (words + 1) };

	if (!quiet && o.offset)
		emit_lea(&e, base, o, 0);
}

static void emit_epilogue(void)
{
	if (!quiet) {
		emit_store_variable(&e, &variables->log, base);
		emit_load_variable(&e, base, &variables->save[0]);
	}
	if (temporary != NO_REGISTER)
		emit_load_variable(&e, temporary, &variables->save[1]);
}

/* movzx leaves the flags alone, and so do the comparisons of cache_link_indirect(). */
static void emit_indirect(void)
{
	static const uint8_t jump[] = { 0x0f, 0xb7, 0xc8,	/* movzx ecx, ax */
					0xff, 0x24, 0xca };	/* jmp [rdx + 8 * rcx] */

	emit_store_variable(&e, &variables->rax, RAX);
	emit_store_variable(&e, &variables->rcx, RCX);
	emit_store_variable(&e, &variables->rdx, RDX);
	emit_load_variable(&e, RAX, &variables->target);
	emit_constant(&e, RDX, (uint64_t)indirect_table[timed]);
	emit_bytes(&e, jump, sizeof(jump));
}

/* jrcxz and its like: bytes, over a jump to what follows */
static uint8_t *emit_loop(const struct insn *insn, uint8_t **follows)
{
	emit_insn(&e, insn->bytes, insn->length);
	e.at[-1] = 5;
	*follows = emit_jump(&e, e.at);
	return emit_jump(&e, e.at);
}

/*
 * What an exit falls back on: the epilogue, and a jump. With no register to give back the way here
 * is the jump. @from: its displacement
 */
static void emit_way_out(struct exit *exit, uint8_t *from, uint64_t target)
{
	exit->target = target;
	exit->inner = quiet ? NULL : from;
	exit->jump = from;
	if (temporary != NO_REGISTER) {
		patch_jump(from, e.at);
		emit_epilogue();
		exit->jump = emit_jump(&e, e.at);
	}
	exit->scratch[0] = base;
	exit->scratch[1] = temporary;
	exit->timed = timed;
	exit->uncounted = uncounted;
}

static void emit_exits(const struct insn *last)
{
	uint8_t *taken = NULL, *follows = NULL;
	struct exit out[2];
	unsigned int i, count_out = 0;

	emit_advance();
	switch (last->flow) {
	case FLOW_JUMP_INDIRECT:
	case FLOW_CALL_INDIRECT:
	case FLOW_RETURN:
		emit_epilogue();
		emit_indirect();
		return;
	case FLOW_JUMP:
	case FLOW_CALL:
		taken = emit_jump(&e, e.at);
		break;
	case FLOW_BRANCH:
		taken = emit_branch(&e, last->condition, e.at);
		follows = emit_jump(&e, e.at);
		break;
	case FLOW_LOOP:
		taken = emit_loop(last, &follows);
		break;
	default:
		follows = emit_jump(&e, e.at);
	}
	if (follows)
		emit_way_out(&out[count_out++], follows, stop);
	if (taken)
		emit_way_out(&out[count_out++], taken, last->target);
	for (i = 0; i < count_out; i++)
		e.at = cache_exit(&out[i], e.at);
}

static void emit_body(const struct block *block)
{
	struct place *places = cache_places(block);
	uint8_t *begin = cache_code + block->code;
	unsigned int i, j, source = 0;
	bool logs = !quiet && !timed;

	for (i = 0; i < count; i++) {
		const struct insn *insn = &insns[i];
		unsigned int first = refs;

		places[i].code = i ? e.at - begin : 0;
		places[i].source = source;
		places[i].refs = refs;
		if (insn->turns && !quiet)
			emit_turns(&e, &variables->rcx, cache_trap);
		for (j = 0; j < insn->refs && logs; j++)
			log_reference(insn, &insn->ref[j], source);
		emit_instruction(insn);
		places[i].after = e.at - begin;
		if (logs)
			log_strings(insn, first);
		if (insn->turns && logs)
			emit_enough(&e, &variables->rcx, &variables->enough, cache_trap);
		derive_ran(&derive, insn);
		source += insn->length;
	}
}

/* Of code that runs timed and logged: one block's bytes will be compared. */
static const struct block *find_twin(uint64_t address)
{
	const struct block *other = cache_find(address, !timed);

	if (!other || other->bytes != stop - address ||
	    !safe_equal(cache_source(other), bytes, other->bytes))
		return NULL;
	return other;
}

static void write_definition(struct definitions *d, const struct block *block)
{
	struct burst_block *out = (struct burst_block *)d->at;

	out->size = sizeof(*out) + refs * sizeof(struct burst_ref);
	out->number = block->number;
	out->address = block->address;
	out->bytes = block->bytes;
	out->instructions = block->insns;
	out->counted = block->counted;
	out->words = block->words;
	out->refs = block->refs;
	d->at += out->size;
}

int translate(uint64_t address, bool is_timed, struct definitions *definitions,
	      const struct exit *from, struct block **found)
{
	const size_t most = sizeof(struct burst_block) +
			    BLOCK_INSNS * INSN_REFS * sizeof(struct burst_ref);
	struct block *block = cache_find(address, is_timed);
	uint8_t *begin;
	int reason;

	*found = block;
	if (block)
		return 0;
	if (!is_timed && definitions->end - definitions->at < most)
		return BURST_DEFINITIONS_FULL + 1;
	came = from;
	timed = is_timed;
	reason = collect(address);
	if (reason)
		return reason;
	block = cache_new();
	if (!block)
		return -1;
	twin = find_twin(address);
	count_timed();
	quiet |= timed && !counted && !(came && exit_keeps(came, base, temporary));
	if (quiet)
		keep_registers();
	e.at = begin = cache_code + block->code;
	words = refs = 0;
	ref_out = (struct burst_ref *)(definitions->at + sizeof(struct burst_block));
	derive_begin(&derive);
	block->inner = emit_prologue(block->number) - begin;
	emit_body(block);
	block->code_end = e.at - cache_code;
	block->address = address;
	block->bytes = stop - address;
	block->insns = count;
	block->counted = counted;
	block->refs = refs;
	block->words = words;
	block->scratch[0] = base;
	block->scratch[1] = temporary;
	block->quiet = quiet;
	block->timed = timed;
	emit_exits(&insns[count - 1]);
	memcpy(cache_source(block), bytes, block->bytes);
	block->twin = twin;
	if (!quiet && !timed)
		write_definition(definitions, block);
	cache_keep(block, e.at);
	translated++;
	*found = block;
	return 0;
}
