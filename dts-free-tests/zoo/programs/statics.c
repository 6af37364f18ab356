// SPDX-License-Identifier: GPL-2.0-only
/*
 * Static arrays of equal size, each a power of two, updated in lockstep.
 *
 * Thread: https://github.com/jhonnold/berserk/pull/564
 * Loop: advance
 * Cure: lengthen
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define SIZE	4096			/* doubles: 32 KiB */

#define ARRAY(name)	static double name[SIZE + PAD / sizeof(double)]

ARRAY(a);
ARRAY(b);
ARRAY(c);
ARRAY(d);
ARRAY(e);
ARRAY(f);
ARRAY(g);
ARRAY(h);
ARRAY(p);
ARRAY(q);
ARRAY(r);
ARRAY(s);
ARRAY(t);
ARRAY(u);
ARRAY(v);
ARRAY(w);

static void advance(int passes)
{
	while (passes-- > 0)
		for (size_t i = 0; i < SIZE; i++) {
			a[i] += 1, b[i] += 2, c[i] += 1, d[i] += 2;
			e[i] += 1, f[i] += 2, g[i] += 1, h[i] += 2;
			p[i] += 1, q[i] += 2, r[i] += 1, s[i] += 2;
			t[i] += 1, u[i] += 2, v[i] += 1, w[i] += 2;
		}
}

int main(int argc, char **argv)
{
	advance(zoo_passes(argc, argv, 5000));
	printf("%.17g\n", zoo_sum(a, SIZE) + zoo_sum(b, SIZE) + zoo_sum(c, SIZE) +
	       zoo_sum(d, SIZE) + zoo_sum(e, SIZE) + zoo_sum(f, SIZE) + zoo_sum(g, SIZE) +
	       zoo_sum(h, SIZE) + zoo_sum(p, SIZE) + zoo_sum(q, SIZE) + zoo_sum(r, SIZE) +
	       zoo_sum(s, SIZE) + zoo_sum(t, SIZE) + zoo_sum(u, SIZE) + zoo_sum(v, SIZE) +
	       zoo_sum(w, SIZE));
	return 0;
}
