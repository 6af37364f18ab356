// SPDX-License-Identifier: GPL-2.0-only
/* The order of a set's ways in a word against a list. */
#include <stdio.h>

#include "cache-memory.h"
#include "cachesim/order.h"
#include "tap.h"

static void list_move(uint32_t *list, uint32_t from, uint32_t to)
{
	uint32_t way = list[from];

	for (; from > to; from--)
		list[from] = list[from - 1];
	for (; from < to; from++)
		list[from] = list[from + 1];
	list[to] = way;
}

static uint64_t word_of(const uint32_t *list, uint32_t ways)
{
	uint64_t order = 0;

	while (ways--)
		order = order << 4 | list[ways];
	return order;
}

static void check(uint32_t ways)
{
	uint32_t list[ORDER_WAYS_MAX], at;
	uint64_t order = order_of(ways);
	int i;

	for (at = 0; at < ways; at++)
		list[at] = ways - 1 - at;
	for (i = 0; i < 20000 && order == word_of(list, ways); i++) {
		if (order_oldest(order, ways) != list[ways - 1])
			break;
		at = test_random(ways);
		switch (test_random(3)) {
		case 0:
			order = order_renew(order, list[at]);
			list_move(list, at, 0);
			break;
		case 1:
			order = order_turn(order, ways);
			list_move(list, ways - 1, 0);
			break;
		default:
			order = order_drop(order, ways, list[at]);
			list_move(list, at, ways - 1);
		}
	}
	ok(i == 20000, "%u ways: renewed, turned and dropped as the list (%d)", ways, i);
}

int main(void)
{
	uint32_t ways;

	test_random_state = 7;
	printf("# seed %llu\n", (unsigned long long)test_random_state);
	for (ways = 1; ways <= ORDER_WAYS_MAX; ways++)
		check(ways);
	return done();
}
