// SPDX-License-Identifier: GPL-2.0-only
// operator new with the library of pads: failure throws, asks the handler and gives null where it
// should; in a plugin whose C++ library nobody else has loaded, too.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

static int asked;

static void handler()
{
	if (++asked == 2)
		std::set_new_handler(nullptr);
}

struct alignas(256) wide {
	char data[1 << 18];
};

static bool throws(size_t size)
{
	try {
		char *volatile block = static_cast<char *>(::operator new(size));

		::operator delete(block);
	} catch (const std::bad_alloc &) {
		return true;
	}
	return false;
}

extern "C" int check_operators()
{
	const size_t huge = SIZE_MAX / 2 - 4096;
	int places[64] = {};
	int distinct = 0;

	if (!throws(huge))
		return 1;
	if (::operator new(huge, std::nothrow))
		return 2;
	std::set_new_handler(handler);
	if (!throws(huge) || asked != 2)
		return 3;
	std::vector<std::unique_ptr<std::vector<double>>> arrays;
	for (int i = 0; i < 32; i++) {
		arrays.push_back(std::make_unique<std::vector<double>>(1 << 16));
		places[reinterpret_cast<uintptr_t>(arrays.back()->data()) / 64 % 64]++;
	}
	for (int place : places)
		distinct += place > 0;
	std::vector<std::unique_ptr<wide>> wides;
	for (int i = 0; i < 8; i++) {
		wides.push_back(std::make_unique<wide>());
		if (reinterpret_cast<uintptr_t>(wides.back().get()) % 256)
			return 4;
	}
	std::printf("%d places\n", distinct);
	return 0;
}

int main()
{
	return check_operators();
}
