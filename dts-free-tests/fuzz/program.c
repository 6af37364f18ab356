// SPDX-License-Identifier: GPL-2.0-only
/* What fuzzed recordings name: small, with debug information, a loop, an inlined function and data. */
struct pair {
	double left[4], right[4];
};

static struct pair pairs[64];
int table[32][16];

static inline double sum(const struct pair *pair, int i)
{
	return pair->left[i & 3] + pair->right[i & 3];
}

int main(int argc, char **argv)
{
	double total = 0;

	for (int i = 0; i < 64; i++)
		for (int j = 0; j < argc; j++)
			total += sum(&pairs[i], j) + table[i & 31][j & 15];
	return total > 1;
}
