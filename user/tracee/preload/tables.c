// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unwind tables: .eh_frame_hdr (a sorted table; LSB 5.0, 10.6), its entry's FDE
 * and CIE, and their instructions (DWARF 5, 6.4.2), those that concern rbp
 * and the return address.
 *
 * The linker says which object an address lies in (_dl_find_object, of glibc 2.35
 * and later; it takes no lock and allocates nothing). Before that, stacks
 * have one frame.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "tracee/preload/tables.h"

#define REGISTER_BP	6
#define REGISTER_SP	7
#define REGISTER_RA	16
#define STATES		8	/* remembered at once */

#pragma weak _dl_find_object

/* Pointer encodings: the low half is the form, the high what it is relative to. */
enum encoding {
	ENC_ABSOLUTE = 0x00,
	ENC_UDATA4 = 0x03,
	ENC_UDATA8 = 0x04,
	ENC_SDATA4 = 0x0b,
	ENC_SDATA8 = 0x0c,
	ENC_PC = 0x10,
	ENC_DATA = 0x30,
	ENC_TABLE = ENC_DATA | ENC_SDATA4,
	ENC_NONE = 0xff,
};

enum where {
	WHERE_SAME,
	WHERE_CFA,		/* at CFA + offset */
	WHERE_BP,		/* at rbp + offset */
	WHERE_OTHER,		/* somewhere that we do not follow, or nowhere */
};

struct saved {
	enum where where;
	int64_t offset;
};

struct state {
	enum rule_base base;
	int64_t cfa;
	struct saved bp, ra;
};

struct machine {
	struct state now, initial, kept[STATES];
	unsigned int kept_count;
	uint64_t code_factor;
	int64_t data_factor;
	uint8_t encoding;	/* of FDE's pointers */
	bool has_data;		/* FDE's carry augmentation data */
	uint64_t pc, ip;
};

/* Bytes that are read on; past the end they are zeros. */
struct cursor {
	const uint8_t *at, *end;
};

static uint64_t fixed(struct cursor *c, size_t size)
{
	uint64_t value = 0;

	if (c->end - c->at < size) {
		c->at = c->end;
		return 0;
	}
	memcpy(&value, c->at, size);
	c->at += size;
	return value;
}

/* LEB128 (DWARF 4, 7.6). @shift: bits read, for the sign's extension. */
static uint64_t leb(struct cursor *c, unsigned int *shift)
{
	uint64_t value = 0, byte;

	*shift = 0;
	do {
		byte = fixed(c, 1);
		if (*shift < 64)
			value |= (byte & 0x7f) << *shift;
		*shift += 7;
	} while (byte & 0x80);
	return value;
}

static uint64_t uleb(struct cursor *c)
{
	unsigned int shift;

	return leb(c, &shift);
}

static int64_t sleb(struct cursor *c)
{
	unsigned int shift;
	uint64_t value = leb(c, &shift);

	if (shift < 64 && value >> (shift - 1))
		value |= ~0ull << shift;
	return value;
}

static size_t encoded_size(uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case ENC_UDATA4:
	case ENC_SDATA4:
		return 4;
	case ENC_ABSOLUTE:
	case ENC_UDATA8:
	case ENC_SDATA8:
		return 8;
	}
	return 0;
}

static uint64_t encoded(struct cursor *c, uint8_t encoding)
{
	uint64_t here = (uintptr_t)c->at;
	uint64_t value = fixed(c, encoded_size(encoding));

	if ((encoding & 0x0f) == ENC_SDATA4)
		value = (int64_t)(int32_t)value;
	return (encoding & 0x70) == ENC_PC ? value + here : value;
}

/* --- instructions --- */

/* A CFA that lies at rbp + n: DW_OP_breg6 n, DW_OP_deref. */
static void cfa_expression(struct machine *m, struct cursor *c)
{
	uint64_t size = uleb(c);
	struct cursor e = { c->at, c->at + (size < c->end - c->at ? size : c->end - c->at) };
	uint8_t first = fixed(&e, 1);
	int64_t offset = sleb(&e);

	c->at += size < c->end - c->at ? size : c->end - c->at;
	m->now.base = BASE_NONE;
	if (first != 0x70 + REGISTER_BP || fixed(&e, 1) != 0x06 || e.at != e.end)
		return;
	m->now.base = BASE_BP_DEREF;
	m->now.cfa = offset;
}

static void set_saved(struct machine *m, uint64_t reg, enum where where, int64_t offset)
{
	if (reg == REGISTER_BP)
		m->now.bp = (struct saved){ where, offset };
	else if (reg == REGISTER_RA)
		m->now.ra = (struct saved){ where, offset };
}

/* A register that lies at rbp + n: DW_OP_breg6 n. */
static void saved_expression(struct machine *m, struct cursor *c)
{
	uint64_t reg = uleb(c), size = uleb(c);
	struct cursor e = { c->at, c->at + (size < c->end - c->at ? size : c->end - c->at) };
	uint8_t first = fixed(&e, 1);
	int64_t offset = sleb(&e);

	c->at += size < c->end - c->at ? size : c->end - c->at;
	if (first == 0x70 + REGISTER_BP && e.at == e.end)
		set_saved(m, reg, WHERE_BP, offset);
	else
		set_saved(m, reg, WHERE_OTHER, 0);
}

static void restore(struct machine *m, uint64_t reg)
{
	if (reg == REGISTER_BP)
		m->now.bp = m->initial.bp;
	else if (reg == REGISTER_RA)
		m->now.ra = m->initial.ra;
}

static void set_base(struct machine *m, uint64_t reg)
{
	m->now.base = reg == REGISTER_SP ? BASE_SP : reg == REGISTER_BP ? BASE_BP : BASE_NONE;
}

/* Return: false at what is not understood. */
static bool other_instruction(struct machine *m, struct cursor *c, uint8_t op)
{
	uint64_t reg;

	switch (op) {
	case 0x00:	/* nop */
		return true;
	case 0x01:	/* set_loc */
		m->pc = encoded(c, m->encoding);
		return true;
	case 0x02:	/* advance_loc1, 2, 4 */
		m->pc += fixed(c, 1) * m->code_factor;
		return true;
	case 0x03:
		m->pc += fixed(c, 2) * m->code_factor;
		return true;
	case 0x04:
		m->pc += fixed(c, 4) * m->code_factor;
		return true;
	case 0x05:	/* offset_extended */
		reg = uleb(c);
		set_saved(m, reg, WHERE_CFA, uleb(c) * m->data_factor);
		return true;
	case 0x06:	/* restore_extended */
		restore(m, uleb(c));
		return true;
	case 0x07:	/* undefined */
		set_saved(m, uleb(c), WHERE_OTHER, 0);
		return true;
	case 0x08:	/* same_value */
		set_saved(m, uleb(c), WHERE_SAME, 0);
		return true;
	case 0x09:	/* register */
		set_saved(m, uleb(c), WHERE_OTHER, 0);
		uleb(c);
		return true;
	case 0x0a:	/* remember_state */
		if (m->kept_count == STATES)
			return false;
		m->kept[m->kept_count++] = m->now;
		return true;
	case 0x0b:	/* restore_state */
		if (!m->kept_count)
			return false;
		m->now = m->kept[--m->kept_count];
		return true;
	case 0x0c:	/* def_cfa */
		set_base(m, uleb(c));
		m->now.cfa = uleb(c);
		return true;
	case 0x0d:	/* def_cfa_register */
		set_base(m, uleb(c));
		return true;
	case 0x0e:	/* def_cfa_offset */
		m->now.cfa = uleb(c);
		return true;
	case 0x0f:	/* def_cfa_expression */
		cfa_expression(m, c);
		return true;
	case 0x10:	/* expression */
		saved_expression(m, c);
		return true;
	case 0x11:	/* offset_extended_sf */
		reg = uleb(c);
		set_saved(m, reg, WHERE_CFA, sleb(c) * m->data_factor);
		return true;
	case 0x12:	/* def_cfa_sf */
		set_base(m, uleb(c));
		m->now.cfa = sleb(c) * m->data_factor;
		return true;
	case 0x13:	/* def_cfa_offset_sf */
		m->now.cfa = sleb(c) * m->data_factor;
		return true;
	case 0x2e:	/* GNU_args_size */
		uleb(c);
		return true;
	}
	return false;
}

/* Up to the instruction in question. */
static bool execute(struct machine *m, struct cursor c)
{
	while (c.at < c.end && m->pc <= m->ip) {
		uint8_t op = fixed(&c, 1), low = op & 0x3f;

		switch (op >> 6) {
		case 1:		/* advance_loc */
			m->pc += low * m->code_factor;
			break;
		case 2:		/* offset */
			set_saved(m, low, WHERE_CFA, uleb(&c) * m->data_factor);
			break;
		case 3:		/* restore */
			restore(m, low);
			break;
		default:
			if (!other_instruction(m, &c, op))
				return false;
		}
	}
	return true;
}

/* --- entries --- */

/* An entry without its length. Return: false for the end mark and 64-bit DWARF. */
static bool entry_at(const uint8_t *at, struct cursor *c)
{
	uint32_t size;

	memcpy(&size, at, sizeof(size));
	*c = (struct cursor){ at + sizeof(size), at + sizeof(size) + size };
	return size && size < 0xfffffff0u;
}

/* The personality and the encodings behind "z". A signal's frame ("S") is not followed. */
static bool read_augmentation(struct machine *m, const char *letters, struct cursor *c)
{
	uint8_t encoding;

	m->encoding = ENC_ABSOLUTE;
	m->has_data = *letters == 'z';
	if (!*letters)
		return true;
	if (!m->has_data)
		return false;
	for (letters++; *letters; letters++) {
		switch (*letters) {
		case 'R':
			m->encoding = fixed(c, 1);
			break;
		case 'L':
			fixed(c, 1);
			break;
		case 'P':
			encoding = fixed(c, 1);
			fixed(c, encoded_size(encoding));
			break;
		default:
			return false;
		}
	}
	return true;
}

static bool read_cie(struct machine *m, const uint8_t *at)
{
	struct cursor c, data;
	const char *letters;
	uint8_t version;
	uint64_t size = 0;

	if (!entry_at(at, &c) || fixed(&c, 4))
		return false;
	version = fixed(&c, 1);
	letters = (const char *)c.at;
	while (fixed(&c, 1))
		;
	m->code_factor = uleb(&c);
	m->data_factor = sleb(&c);
	if ((version == 1 ? fixed(&c, 1) : uleb(&c)) != REGISTER_RA)
		return false;
	if (*letters == 'z')
		size = uleb(&c);
	data = (struct cursor){ c.at, c.end };
	if (!read_augmentation(m, letters, &data))
		return false;
	c.at += size;
	m->pc = 0;
	if (!execute(m, c))
		return false;
	m->initial = m->now;
	return true;
}

static struct frame_rule rule_of(const struct state *s)
{
	static const struct frame_rule none;
	struct frame_rule rule = { .base = s->base };

	if (s->ra.where != WHERE_CFA || s->ra.offset != -8 || s->bp.where == WHERE_OTHER ||
	    s->cfa != (int32_t)s->cfa || s->bp.offset != (int16_t)s->bp.offset)
		return none;
	rule.cfa = s->cfa;
	rule.bp = s->bp.where == WHERE_SAME ? BP_SAME : s->bp.where == WHERE_CFA ? BP_CFA : BP_BP;
	rule.bp_at = s->bp.offset;
	return rule;
}

/* @c: set to behind the function's extent. Return: the address is in it. */
static bool read_fde(struct machine *m, const uint8_t *fde, struct cursor *c, uint64_t *size)
{
	const uint8_t *cie;

	if (!entry_at(fde, c))
		return false;
	cie = c->at;
	cie -= fixed(c, 4);
	if (!read_cie(m, cie) || !encoded_size(m->encoding) || m->encoding & 0x80)
		return false;
	m->pc = encoded(c, m->encoding);
	*size = encoded(c, m->encoding & 0x0f);
	return m->ip - m->pc < *size;
}

static struct frame_rule rule_from(const uint8_t *fde, uint64_t ip)
{
	static const struct frame_rule none;
	struct machine m = { .ip = ip };
	struct cursor c;
	uint64_t size;

	if (!read_fde(&m, fde, &c, &size))
		return none;
	if (m.has_data) {
		size = uleb(&c);
		c.at += size;
	}
	return execute(&m, c) ? rule_of(&m.now) : none;
}

/* --- the sorted table --- */

struct table_entry {
	int32_t start, fde;	/* from the header's beginning */
};

static const uint8_t *find_fde(const uint8_t *header, uint64_t ip)
{
	struct cursor c = { header + 4, header + 4096 };
	const struct table_entry *table;
	int64_t offset = ip - (uintptr_t)header;
	uint64_t count, low = 0, high;

	if (header[0] != 1 || header[3] != ENC_TABLE || !encoded_size(header[1]) ||
	    !encoded_size(header[2]))
		return NULL;
	encoded(&c, header[1]);
	count = encoded(&c, header[2]);
	table = (const void *)c.at;
	for (high = count; low < high; ) {
		uint64_t middle = (low + high) / 2;

		if (table[middle].start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? header + table[low - 1].fde : NULL;
}

struct frame_rule tables_rule(uintptr_t ip)
{
	static const struct frame_rule none;
	struct dl_find_object object;
	const uint8_t *fde;

	if (!_dl_find_object || _dl_find_object((void *)ip, &object) || !object.dlfo_eh_frame)
		return none;
	fde = find_fde(object.dlfo_eh_frame, ip);
	return fde ? rule_from(fde, ip) : none;
}

void tables_extent(const uint8_t *header, uintptr_t ip, uintptr_t *start, uintptr_t *end)
{
	const uint8_t *fde = find_fde(header, ip);
	struct machine m = { .ip = ip };
	struct cursor c;
	uint64_t size;

	if (!fde || !read_fde(&m, fde, &c, &size))
		return;
	*start = m.pc;
	*end = m.pc + size;
}
