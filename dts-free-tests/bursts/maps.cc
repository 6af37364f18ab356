// SPDX-License-Identifier: GPL-2.0-only
// A program that does little but allocate: maps of strings, filled and thinned out.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

static unsigned long state = 1;

static unsigned long next()
{
	state = state * 6364136223846793005ul + 1442695040888963407ul;
	return state >> 33;
}

static void fill(std::map<unsigned long, std::string> &map)
{
	for (int i = 0; i < 2000; i++)
		map[next() % 4000] = std::string(20 + next() % 100, 'a' + i % 26);
}

static void thin(std::map<unsigned long, std::string> &map)
{
	for (int i = 0; i < 1500; i++)
		map.erase(next() % 4000);
}

int main()
{
	std::map<unsigned long, std::string> map;
	unsigned long sum = 0;

	for (int round = 0; round < 300; round++) {
		fill(map);
		thin(map);
		for (const auto &entry : map)
			sum = sum * 31 + entry.first + entry.second.size();
	}
	std::printf("%lu %zu\n", sum, map.size());
}
