// SPDX-License-Identifier: GPL-2.0-only
#include "base/divisor.h"
#include "prsd/region.h"

#define FAR ((uint64_t)1 << 61)		/* beyond any address of ours: a hostile trace's */

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Pieces that fall on each other, the longer stride being a multiple: one row of them. */
static void merge(struct region *r)
{
	uint32_t i, j;

	for (i = 0; i + 1 < r->dims;) {
		struct region_dim *in = &r->dim[i], *out = in + 1;

		if (out->stride % in->stride || in->stride * in->count < out->stride) {
			i++;
			continue;
		}
		in->count += out->stride / in->stride * (out->count - 1);
		for (j = i + 1; j + 1 < r->dims; j++)
			r->dim[j] = r->dim[j + 1];
		r->dims--;
	}
}

/* The innermost strides that leave no line out make the piece longer. */
static void join(struct region *r, uint32_t line)
{
	uint32_t i, joined = 0;

	while (joined < r->dims && r->dim[joined].stride <= larger(r->extent, line)) {
		r->extent += r->dim[joined].stride * (r->dim[joined].count - 1);
		joined++;
	}
	for (i = joined; i < r->dims; i++)
		r->dim[i - joined] = r->dim[i];
	r->dims -= joined;
}

void region_repeat(struct region *r, int64_t stride, uint64_t count, uint32_t line)
{
	struct region_dim dim = { stride < 0 ? -(uint64_t)stride : stride, count };
	uint32_t at;

	if (!stride || count < 2)
		return;
	if (stride < 0)
		r->first -= dim.stride * (count - 1);
	if (r->dims == REGION_DIMS)	/* no nest is so odd: the gaps count as well */
		r->extent = dim.stride;
	for (at = r->dims == REGION_DIMS ? r->dims - 1 : r->dims++;
	     at && r->dim[at - 1].stride > dim.stride; at--)
		r->dim[at] = r->dim[at - 1];
	r->dim[at] = dim;
	merge(r);
	join(r, line);
}

double region_lines(const struct region *r, uint32_t line)
{
	double lines = ((r->first & (line - 1)) + r->extent + line - 1) / line;
	uint32_t i;

	for (i = 0; i < r->dims; i++)
		lines *= r->dim[i].count;
	return lines;
}

static uint64_t end_of(const struct region *r)
{
	uint64_t end = r->first + r->extent;
	uint32_t i;

	for (i = 0; i < r->dims; i++)
		end += r->dim[i].stride * (r->dim[i].count - 1);
	return end;
}

/* The part of first .. end that lies outside of a dense region. */
static double outside(uint64_t first, uint64_t end, const struct region *dense, uint32_t line)
{
	uint64_t from = dense->first, to = dense->first + dense->extent;
	double left = from > first ? from - first : 0, right = end > to ? end - to : 0;
	double part = (left + right) / larger(end - first, line);

	return part < 1 ? part : 1;
}

static bool same_form(const struct region *a, const struct region *b)
{
	uint32_t i;

	for (i = 0; i < a->dims; i++)
		if (a->dim[i].stride != b->dim[i].stride || a->dim[i].count != b->dim[i].count)
			return false;
	return a->dims == b->dims && a->extent == b->extent;
}

/* Both are of one form: what is left of it under a shift. */
static double shifted(const struct region *r, int64_t by, uint32_t line)
{
	double same = 1, width = larger(r->extent, line);
	uint32_t i = r->dims;
	int64_t whole;

	if (by > (int64_t)FAR || by < -(int64_t)FAR)
		return 1;
	while (i--) {
		int64_t stride = r->dim[i].stride;

		if (r->dim[i].stride > FAR)
			return 1;
		whole = (by + (by < 0 ? -stride : stride) / 2) / stride;
		by -= whole * stride;
		whole = whole < 0 ? -whole : whole;
		if ((uint64_t)whole >= r->dim[i].count)
			return 1;
		same *= 1 - (double)whole / r->dim[i].count;
	}
	by = by < 0 ? -by : by;
	return by < width ? 1 - same * (1 - by / width) : 1;
}

/* Whether a dense region lies in a piece of the other. */
static bool in_piece(const struct region *dense, const struct region *other)
{
	uint64_t offset = dense->first - other->first;
	uint32_t i = other->dims;

	if (dense->first < other->first)
		return false;
	while (i--) {
		uint64_t times = offset / other->dim[i].stride;

		times = times < other->dim[i].count ? times : other->dim[i].count - 1;
		offset -= times * other->dim[i].stride;
	}
	return offset + dense->extent <= other->extent;
}

double region_new(const struct region *r, const struct region *other, uint32_t line)
{
	if (r->first >= end_of(other) + line || other->first >= end_of(r) + line)
		return 1;
	if (!other->dims)
		return outside(r->first, end_of(r), other, line);
	if (same_form(r, other))
		return shifted(r, r->first - other->first, line);
	return !r->dims && in_piece(r, other) ? 0 : 1;
}

/* Repeats what the sets have at a stride of so many sets: sums along each orbit of the stride. */
static void repeat_sets(double *sets, double *orbit, uint64_t count, uint32_t step, uint32_t size)
{
	uint32_t orbits = step ? common_divisor(step, size) : size;
	uint32_t length = size / orbits, start, i;
	uint64_t rounds = count / length, rest = count % length;

	for (start = 0; start < orbits; start++) {
		double all = 0, window = 0;

		for (i = 0; i < length; i++) {
			orbit[i] = sets[(start + (uint64_t)i * step) % size];
			all += orbit[i];
		}
		for (i = 0; i < rest; i++)
			window += orbit[(length - i) % length];
		for (i = 0; i < length; i++) {
			sets[(start + (uint64_t)i * step) % size] = rounds * all + window;
			window += orbit[(i + 1) % length] - orbit[(i + 1 + length - rest) % length];
		}
	}
}

/*
 * A stride that is no multiple of a line, times as many as make it one, is: each of those pieces is
 * repeated by itself.
 */
static void repeat_dim(const struct region *r, const struct region_dim *dim,
		       const struct cache_geometry *g, double *sets, double *scratch)
{
	uint64_t line = (uint64_t)1 << g->line_bits, offset = r->first & (line - 1);
	uint64_t odd = dim->stride & (line - 1);
	uint64_t phases = odd ? line / common_divisor(odd, line) : 1, i;
	double *one = scratch + g->sets, *all = one + g->sets;
	uint32_t step = (dim->stride * phases >> g->line_bits) % g->sets, shift, n;

	if (phases == 1) {
		repeat_sets(sets, scratch, dim->count, step, g->sets);
		return;
	}
	__builtin_memset(all, 0, g->sets * sizeof(*all));
	for (i = 0; i < phases && i < dim->count; i++) {
		__builtin_memcpy(one, sets, g->sets * sizeof(*one));
		repeat_sets(one, scratch, (dim->count - i + phases - 1) / phases, step, g->sets);
		shift = ((offset + i * dim->stride) >> g->line_bits) % g->sets;
		for (n = 0; n < g->sets; n++)
			all[(n + shift) % g->sets] += one[n];
	}
	__builtin_memcpy(sets, all, g->sets * sizeof(*all));
}

void region_sets(const struct region *r, const struct cache_geometry *g, double *sets,
		 double *scratch)
{
	uint64_t line = r->first >> g->line_bits, i;
	uint64_t lines = ((r->first & (g->line - 1)) + r->extent + g->line - 1) >> g->line_bits;

	for (i = 0; i < g->sets; i++)
		sets[i] = lines / g->sets;
	for (i = 0; i < lines % g->sets; i++)
		sets[(line + i) % g->sets] += 1;
	for (i = 0; i < r->dims; i++)
		repeat_dim(r, &r->dim[i], g, sets, scratch);
}
