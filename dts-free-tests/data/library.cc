// SPDX-License-Identifier: GPL-2.0-only
/* Loops that are inlined from the C++ library's headers, and what its containers hold. */
#include <cstdio>
#include <numeric>
#include <vector>

static const int rows = 512, length = 1024;

__attribute__((noinline)) static double columns(const std::vector<double> &grid)
{
	double sum = 0;

	for (int column = 0; column < 64; column++)
		for (int row = 0; row < rows; row++)
			sum += grid[row * length + column];
	return sum;
}

__attribute__((noinline)) static double product(const std::vector<double> &a,
						const std::vector<double> &b)
{
	return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

int main(int argc, char **argv)
{
	std::vector<double> grid(rows * length, 1.5);
	std::vector<double> left(rows * length);
	std::vector<double> right;
	double sum = 0;

	right.resize(rows * length, argc);
	for (int i = 0; i < 8; i++) {
		sum += columns(grid);
		sum += product(left, right);
	}
	std::printf("%g\n", sum);
	return argv[1] != nullptr;
}
