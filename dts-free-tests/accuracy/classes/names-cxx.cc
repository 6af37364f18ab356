// SPDX-License-Identifier: GPL-2.0-only
// Class 8: names where most of the code is the library's.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr std::size_t row = 512;
volatile double sink;

__attribute__((noinline)) double sum_columns(const std::vector<double> &data, unsigned rows)
{
	double sum = 0;

	for (unsigned column = 0; column < 8; column++)
		for (unsigned i = 0; i < rows; i++)
			sum += data.at(i * row + column * 8);
	return sum;
}

void vector(unsigned ways, unsigned long repeats)
{
	std::vector<double> data(3 * ways * row, 1.0);

	while (repeats--)
		sink = sink + sum_columns(data, 3 * ways);
}

__attribute__((noinline)) double sum_rows(const std::vector<std::unique_ptr<double[]>> &rows)
{
	double sum = 0;

	for (unsigned column = 0; column < 8; column++)
		for (const auto &one : rows)
			sum += one[column * 8];
	return sum;
}

void pointers(unsigned ways, unsigned long repeats)
{
	std::vector<std::unique_ptr<double[]>> rows;

	for (unsigned i = 0; i < 3 * ways; i++)
		rows.push_back(std::make_unique<double[]>(row - 2));	// malloc's head fills it up
	while (repeats--)
		sink = sink + sum_rows(rows);
}

} // namespace

int main(int argc, char **argv)
{
	unsigned ways = argc == 4 ? std::strtoul(argv[2], nullptr, 10) : 0;
	unsigned long repeats = argc == 4 ? std::strtoul(argv[3], nullptr, 10) : 0;

	if (argc == 4 && !std::strcmp(argv[1], "vector"))
		vector(ways, repeats);
	else if (argc == 4 && !std::strcmp(argv[1], "pointers"))
		pointers(ways, repeats);
	else
		return 2;
}
