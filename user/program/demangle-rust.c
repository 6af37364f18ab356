// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/demangle-rust.h"

#define DEPTH_MOST	200u		/* a name may refer to itself */
#define STEPS_MOST	20000u
#define TEXT_MOST	(1u << 15)	/* bytes of a result */

struct demangling {
	const char *at, *start;		/* behind "_R" */
	char *text;
	size_t size, room;
	uint32_t depth, steps;
	uint32_t bound;			/* lifetimes of the binders around */
	bool mute;			/* what is read is not shown */
	bool bad;
};

static void put_bytes(struct demangling *d, const char *bytes, size_t size)
{
	if (d->mute || d->bad)
		return;
	if (d->size + size > TEXT_MOST) {
		d->bad = true;
		return;
	}
	while (d->room < d->size + size + 1) {
		d->room = 2 * d->room + 64;
		d->text = xrealloc(d->text, d->room);
	}
	memcpy(d->text + d->size, bytes, size);
	d->size += size;
	d->text[d->size] = '\0';
}

static void put(struct demangling *d, const char *text)
{
	put_bytes(d, text, strlen(text));
}

static void put_number(struct demangling *d, uint64_t number)
{
	char *text = xasprintf("%llu", (unsigned long long)number);

	put(d, text);
	free(text);
}

static bool take(struct demangling *d, char wanted)
{
	if (d->bad || *d->at != wanted)
		return false;
	d->at++;
	return true;
}

static char take_any(struct demangling *d)
{
	if (d->bad || !*d->at) {
		d->bad = true;
		return '\0';
	}
	return *d->at++;
}

/* "_" is 0, "0_" 1, "Z_" 62, .. Hashes may be as large as 64 bits hold. */
static uint64_t take_base62(struct demangling *d)
{
	uint64_t number = 0;
	char c;

	if (take(d, '_'))
		return 0;
	while (!d->bad && !take(d, '_')) {
		c = take_any(d);
		if (!isalnum((unsigned char)c)) {
			d->bad = true;
			return 0;
		}
		number = 62 * number + (isdigit((unsigned char)c) ? c - '0' :
					islower((unsigned char)c) ? c - 'a' + 10 : c - 'A' + 36);
	}
	return number + 1;
}

/* What distinguishes things of one name. */
static uint64_t take_tagged(struct demangling *d, char tag)
{
	return take(d, tag) ? take_base62(d) + 1 : 0;
}

static uint64_t take_decimal(struct demangling *d)
{
	uint64_t number = 0;

	if (!isdigit((unsigned char)*d->at))
		d->bad = true;
	if (take(d, '0'))
		return 0;
	while (!d->bad && isdigit((unsigned char)*d->at) && number < TEXT_MOST)
		number = 10 * number + (*d->at++ - '0');
	return number;
}

struct identifier {
	const char *bytes;
	size_t size;
	uint64_t number;
};

/* Names with letters beyond ASCII stay in Punycode, as they are. */
static struct identifier take_identifier(struct demangling *d)
{
	struct identifier name = { .number = take_tagged(d, 's') };

	take(d, 'u');
	name.size = take_decimal(d);
	take(d, '_');
	if (d->bad || strnlen(d->at, name.size) < name.size) {
		d->bad = true;
		return (struct identifier) { .bytes = "" };
	}
	name.bytes = d->at;
	d->at += name.size;
	return name;
}

static bool enter(struct demangling *d)
{
	if (++d->depth > DEPTH_MOST || ++d->steps > STEPS_MOST)
		d->bad = true;
	return !d->bad;
}

typedef void part(struct demangling *d, bool value);

/* What stands at an earlier place stands here, too. */
static void follow(struct demangling *d, part *read, bool value)
{
	uint64_t here = d->at - 1 - d->start, back = take_base62(d);
	const char *next = d->at;

	if (back >= here)
		d->bad = true;
	if (d->bad || d->mute)
		return;
	d->at = d->start + back;
	read(d, value);
	d->at = next;
}

static void put_path(struct demangling *d, bool value);
static void put_type(struct demangling *d, bool value);
static void put_constant(struct demangling *d, bool value);

static void put_lifetime(struct demangling *d, uint64_t number)
{
	uint64_t depth = d->bound - number;
	char name[] = "'a";

	if (!number || number > d->bound) {
		put(d, "'_");
	} else if (depth < 26) {
		name[1] += depth;
		put(d, name);
	} else {
		put(d, "'_");
		put_number(d, depth);
	}
}

static void put_list(struct demangling *d, part *read, const char *between)
{
	for (bool first = true; !d->bad && !take(d, 'E'); first = false) {
		if (first == false)
			put(d, between);
		read(d, false);
	}
}

static void put_argument(struct demangling *d, bool value)
{
	if (take(d, 'L'))
		put_lifetime(d, take_base62(d));
	else if (take(d, 'K'))
		put_constant(d, value);
	else
		put_type(d, value);
}

/* The path of an implementation says where it stands; shown is what it is of. */
static void pass_path(struct demangling *d)
{
	bool mute = d->mute;

	d->mute = true;
	take_tagged(d, 's');
	put_path(d, false);
	d->mute = mute;
}

static void put_nested(struct demangling *d, bool value)
{
	char space = take_any(d), other[] = { space, '\0' };
	const char *kind = space == 'C' ? "closure" : space == 'S' ? "shim" : other;
	struct identifier name;

	put_path(d, value);
	name = take_identifier(d);
	if (isupper((unsigned char)space)) {
		put(d, "::{");
		put(d, kind);
		if (name.size) {
			put(d, ":");
			put_bytes(d, name.bytes, name.size);
		}
		put(d, "#");
		put_number(d, name.number);
		put(d, "}");
	} else if (name.size) {
		put(d, "::");
		put_bytes(d, name.bytes, name.size);
	}
}

static void put_qualified(struct demangling *d, bool as)
{
	put(d, "<");
	put_type(d, false);
	if (as) {
		put(d, " as ");
		put_path(d, false);
	}
	put(d, ">");
}

static void put_path(struct demangling *d, bool value)
{
	struct identifier name;
	char tag;

	if (!enter(d))
		return;
	tag = take_any(d);
	switch (tag) {
	case 'C':
		name = take_identifier(d);
		put_bytes(d, name.bytes, name.size);
		break;
	case 'N':
		put_nested(d, value);
		break;
	case 'M':
	case 'X':
		pass_path(d);
		put_qualified(d, tag == 'X');
		break;
	case 'Y':
		put_qualified(d, true);
		break;
	case 'I':
		put_path(d, value);
		put(d, value ? "::<" : "<");
		put_list(d, put_argument, ", ");
		put(d, ">");
		break;
	case 'B':
		follow(d, put_path, value);
		break;
	default:
		d->bad = true;
	}
	d->depth--;
}

static const char *basic_type(char tag)
{
	static const char *const names[26] = {
		['a' - 'a'] = "i8", ['b' - 'a'] = "bool", ['c' - 'a'] = "char",
		['d' - 'a'] = "f64", ['e' - 'a'] = "str", ['f' - 'a'] = "f32", ['h' - 'a'] = "u8",
		['i' - 'a'] = "isize", ['j' - 'a'] = "usize", ['l' - 'a'] = "i32",
		['m' - 'a'] = "u32", ['n' - 'a'] = "i128", ['o' - 'a'] = "u128",
		['p' - 'a'] = "_", ['s' - 'a'] = "i16", ['t' - 'a'] = "u16", ['u' - 'a'] = "()",
		['v' - 'a'] = "...", ['x' - 'a'] = "i64", ['y' - 'a'] = "u64", ['z' - 'a'] = "!",
	};

	return islower((unsigned char)tag) ? names[tag - 'a'] : NULL;
}

static uint64_t put_binder(struct demangling *d)
{
	uint64_t count = take_tagged(d, 'G');

	if (count > DEPTH_MOST)
		d->bad = true;
	for (uint64_t i = 0; !d->bad && i < count; i++) {
		put(d, i ? ", " : "for<");
		d->bound++;
		put_lifetime(d, 1);
	}
	if (count)
		put(d, "> ");
	return count;
}

static void put_abi(struct demangling *d)
{
	struct identifier name;

	put(d, "extern \"");
	if (take(d, 'C')) {
		put(d, "C");
	} else {
		name = take_identifier(d);
		for (size_t i = 0; i < name.size; i++)
			put_bytes(d, name.bytes[i] == '_' ? "-" : name.bytes + i, 1);
	}
	put(d, "\" ");
}

static void put_function(struct demangling *d)
{
	uint64_t bound = put_binder(d);

	if (take(d, 'U'))
		put(d, "unsafe ");
	if (take(d, 'K'))
		put_abi(d);
	put(d, "fn(");
	put_list(d, put_type, ", ");
	put(d, ")");
	if (!take(d, 'u')) {
		put(d, " -> ");
		put_type(d, false);
	}
	d->bound -= d->bad ? 0 : bound;
}

/* A trait, and what its associated types are: Iterator<Item = u8>. */
static void put_trait(struct demangling *d, bool value)
{
	struct identifier name;
	bool open = false;

	put_path(d, value);
	while (take(d, 'p')) {
		/* Into the list of generic arguments, where there is one. */
		if (!open && !d->mute && d->size && d->text[d->size - 1] == '>')
			d->size--, put(d, ", ");
		else
			put(d, open ? ", " : "<");
		open = true;
		name = take_identifier(d);
		put_bytes(d, name.bytes, name.size);
		put(d, " = ");
		put_type(d, false);
	}
	if (open)
		put(d, ">");
}

static void put_dynamic(struct demangling *d)
{
	uint64_t bound, lifetime;

	put(d, "dyn ");
	bound = put_binder(d);
	put_list(d, put_trait, " + ");
	d->bound -= d->bad ? 0 : bound;
	if (!take(d, 'L')) {
		d->bad = true;
		return;
	}
	lifetime = take_base62(d);
	if (lifetime) {
		put(d, " + ");
		put_lifetime(d, lifetime);
	}
}

static void put_tuple(struct demangling *d)
{
	size_t count = 0;

	put(d, "(");
	for (; !d->bad && !take(d, 'E'); count++) {
		if (count)
			put(d, ", ");
		put_type(d, false);
	}
	put(d, count == 1 ? ",)" : ")");
}

static void put_reference(struct demangling *d, bool writable)
{
	uint64_t lifetime;

	put(d, "&");
	if (take(d, 'L')) {
		lifetime = take_base62(d);
		if (lifetime) {
			put_lifetime(d, lifetime);
			put(d, " ");
		}
	}
	if (writable)
		put(d, "mut ");
	put_type(d, false);
}

static void put_array(struct demangling *d, bool sized)
{
	put(d, "[");
	put_type(d, false);
	if (sized) {
		put(d, "; ");
		put_constant(d, true);
	}
	put(d, "]");
}

static void put_type(struct demangling *d, bool value)
{
	const char *basic = basic_type(*d->at);

	if (!enter(d))
		return;
	if (basic) {
		d->at++;
		put(d, basic);
		d->depth--;
		return;
	}
	switch (take_any(d)) {
	case 'A':
		put_array(d, true);
		break;
	case 'S':
		put_array(d, false);
		break;
	case 'T':
		put_tuple(d);
		break;
	case 'R':
		put_reference(d, false);
		break;
	case 'Q':
		put_reference(d, true);
		break;
	case 'P':
		put(d, "*const ");
		put_type(d, false);
		break;
	case 'O':
		put(d, "*mut ");
		put_type(d, false);
		break;
	case 'F':
		put_function(d);
		break;
	case 'D':
		put_dynamic(d);
		break;
	case 'B':
		follow(d, put_type, value);
		break;
	default:
		d->at--;
		put_path(d, false);
	}
	d->depth--;
}

/* Hexadecimal digits up to "_"; as a number where they are one of 64 bits. */
static void put_digits(struct demangling *d, char type)
{
	const char *digits = d->at;
	size_t size = strspn(digits, "0123456789abcdef");
	uint64_t number = size <= 16 ? strtoull(digits, NULL, 16) : 0;
	char letter[] = { number, '\0' };

	d->at += size;
	if (!take(d, '_')) {
		d->bad = true;
	} else if (type == 'b') {
		put(d, number ? "true" : "false");
	} else if (type == 'c' && number >= ' ' && number < 127) {
		put(d, "'");
		put(d, letter);
		put(d, "'");
	} else if (size > 16 || type == 'c') {
		put(d, "0x");
		put_bytes(d, digits, size);
	} else {
		put_number(d, number);
	}
}

static void put_constant(struct demangling *d, bool value)
{
	char type;

	if (!enter(d))
		return;
	type = take_any(d);
	if (type == 'B') {
		follow(d, put_constant, value);
	} else if (type == 'p') {
		put(d, "_");
	} else if (strchr("aslxnihtmyojbc", type)) {
		if (take(d, 'n'))
			put(d, "-");
		put_digits(d, type);
	} else {
		d->bad = true;	/* strings and structures: not before generic_const_exprs */
	}
	d->depth--;
}

char *demangle_rust(const char *name)
{
	struct demangling d = { .at = name + 2, .start = name + 2 };

	if (strncmp(name, "_R", 2))
		return NULL;
	put_path(&d, true);
	if (!d.bad && isupper((unsigned char)*d.at)) {
		d.mute = true;	/* the crate that this instance was made in */
		put_path(&d, false);
	}
	if (d.bad || (*d.at && *d.at != '.' && *d.at != '$')) {
		free(d.text);
		return NULL;
	}
	return d.text;
}
