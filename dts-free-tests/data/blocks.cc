// SPDX-License-Identifier: GPL-2.0-only
/* Heap blocks behind C++'s containers, arrays of objects with destructors, and class members. */
#include <memory>
#include <vector>

struct body {
	double x, y, z, mass;
	double rest[60];
};

struct owner {
	~owner() { }		/* new[] keeps the count in front of the elements */
	double first, second;
	double rest[62];
};

class field {
	size_t size_;
	std::vector<double> cells_, edges_;
	double *own_;

public:
	explicit field(size_t n)
		: size_(n), edges_(n), own_(new double[n])
	{
		cells_.resize(n);
	}
	~field() { delete[] own_; }
	const double *cells() const { return cells_.data(); }
	const double *edges() const { return edges_.data(); }
	const double *own() const { return own_; }
};

static volatile double sink;

template <typename T>
__attribute__((noinline)) static void walk(const T *array, size_t step, size_t count)
{
	for (int r = 0; r < 1600; r++)
		for (size_t i = 0; i < count; i++)
			sink = ((const volatile double *)array)[i * step];
}

int main()
{
	std::vector<body> swarm(1024);
	auto grid = std::make_unique<double[]>(64 * 1024);
	owner *owners = new owner[1024];
	field f(64 * 1024);

	walk(&swarm[0].mass, sizeof(body) / 8, 1024);
	walk(grid.get(), 64, 1024);
	walk(&owners[0].second, sizeof(owner) / 8, 1024);
	walk(f.cells(), 64, 1024);
	walk(f.edges(), 64, 1024);
	walk(f.own(), 64, 1024);
	delete[] owners;
	return 0;
}
