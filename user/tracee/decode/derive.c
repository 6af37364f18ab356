// SPDX-License-Identifier: GPL-2.0-only
/* Addresses derived from others. */
#include <string.h>

#include "tracee/decode/derive.h"

void derive_begin(struct derive *d)
{
	d->count = 0;
	memset(d->version, 0, sizeof(d->version));
	memset(d->delta, 0, sizeof(d->delta));
}

/* 32-bit addresses wrap: they are always logged. */
static bool fits(const struct reference *ref)
{
	return !(ref->flags & BURST_ADDRESS_32);
}

static uint32_t version(const struct derive *d, uint8_t reg)
{
	return reg == NO_REGISTER ? 0 : d->version[reg];
}

static int64_t sum(const struct derive *d, const struct reference *ref)
{
	return ref->offset + (ref->base == NO_REGISTER ? 0 : d->delta[ref->base]) +
	       (ref->index == NO_REGISTER ? 0 : d->delta[ref->index] * ref->scale);
}

bool derive_find(const struct derive *d, const struct reference *ref, uint8_t *slot,
		 int64_t *offset)
{
	unsigned int i;

	if (!fits(ref))
		return false;
	for (i = 0; i < d->count; i++) {
		if (d->known[i].base != ref->base || d->known[i].index != ref->index ||
		    (ref->index != NO_REGISTER && d->known[i].scale != ref->scale) ||
		    d->known[i].base_version != version(d, ref->base) ||
		    d->known[i].index_version != version(d, ref->index))
			continue;
		*slot = d->known[i].slot;
		*offset = sum(d, ref) - d->known[i].sum;
		return true;
	}
	return false;
}

void derive_add(struct derive *d, const struct reference *ref, uint8_t slot)
{
	unsigned int i = d->count;

	if (!fits(ref) || i == DERIVE_KNOWN)
		return;
	d->known[i].base = ref->base;
	d->known[i].index = ref->index;
	d->known[i].scale = ref->scale;
	d->known[i].slot = slot;
	d->known[i].base_version = version(d, ref->base);
	d->known[i].index_version = version(d, ref->index);
	d->known[i].sum = sum(d, ref);
	d->count++;
}

void derive_ran(struct derive *d, const struct insn *insn)
{
	unsigned int written = insn->written;

	if (insn->delta_register != NO_REGISTER) {
		d->delta[insn->delta_register] += insn->delta;
		written &= ~(1u << insn->delta_register);
	}
	for (; written; written &= written - 1) {
		unsigned int reg = __builtin_ctz(written);

		d->version[reg]++;
		d->delta[reg] = 0;
	}
}
