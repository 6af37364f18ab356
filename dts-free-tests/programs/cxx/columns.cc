// SPDX-License-Identifier: GPL-2.0-only
/*
 * cxx-columns: matrix (256 x 512 doubles) times vector, column by column, in
 * C++.
 *
 * Shows: the columns case where the standard library allocates: the matrix is
 * a std::vector, the vector is from new[].
 * Conflict: a row is 4096 bytes, so the 256 lines of a column meet in one set.
 * The heap block behind the vector `cells`, on the line of `sum +=`.
 * Pad: bytes a row. 64 give each row of a column the next set.
 * Verdict: conflict; none with -p 64.
 */
#include <vector>
#include "../kernel.h"

namespace {

class Matrix {
public:
	Matrix(std::size_t rows, std::size_t columns, std::size_t pad)
		: height(rows), width(columns), row(columns + pad)
	{
		cells.resize(rows * row);
		for (std::size_t i = 0; i < height; i++)
			for (std::size_t j = 0; j < width; j++)
				cells[i * row + j] = kernel_value(i * width + j);
	}

	double operator()(std::size_t i, std::size_t j) const { return cells[i * row + j]; }

	std::size_t height, width;

private:
	std::size_t row;
	std::vector<double> cells;
};

__attribute__((noinline)) void multiply_columns(const Matrix &matrix, const double *weights,
						std::vector<double> &sums)
{
	for (std::size_t j = 0; j < matrix.width; j++) {
		double sum = 0;

		for (std::size_t i = 0; i < matrix.height; i++)
			sum += weights[i] * matrix(i, j);
		sums[j] += sum;
	}
}

}

int main(int argc, char **argv)
{
	kernel_run run = kernel_options(argc, argv, 180, sizeof(double), 0, 0);
	Matrix matrix(256, 512, run.pad / sizeof(double));
	std::vector<double> sums(matrix.width);
	double *weights = new double[matrix.height];
	double sum = 0;

	for (std::size_t i = 0; i < matrix.height; i++)
		weights[i] = kernel_value(3 * i);
	for (unsigned long r = 0; r < run.repeats; r++)
		multiply_columns(matrix, weights, sums);
	for (std::size_t j = 0; j < matrix.width; j++)
		sum += sums[j] * kernel_value(j);
	kernel_checksum(sum);
	delete[] weights;
	return 0;
}
