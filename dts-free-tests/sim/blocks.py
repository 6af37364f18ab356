# SPDX-License-Identifier: GPL-2.0-only
"""What walk() of blocks.c does to a cache of 64 sets, 8 ways and lines of 64 B, by lists.

blocks.py ROUNDS APART ADDRESS...	the addresses that it prints; the first APART blocks are told apart

Prints accesses, misses and conflicts of each block, then conflicts between two references of the
blocks: intra, inter, unknown.
"""
import sys
from collections import Counter, OrderedDict

SETS, WAYS, LINE, LINES = 64, 8, 64, 96


def main():
    rounds, apart = int(sys.argv[1]), int(sys.argv[2])
    array, *blocks = (int(word, 16) for word in sys.argv[3:])
    sets = [[] for _ in range(SETS)]    # lines, the newest last
    whole = OrderedDict()               # of a fully associative cache
    evictors = {}                       # line -> on what the reference was that evicted it
    accesses, misses, conflicts, kinds = Counter(), Counter(), Counter(), Counter()

    def touch(address, who):
        line = address // LINE
        lines = sets[line % SETS]
        accesses[who] += 1
        if line in lines:
            lines.remove(line)
        else:
            misses[who] += 1
            if line in whole:
                conflicts[who] += 1
                evictor = evictors[line]
                if who != "rows":
                    same = evictor == who
                    kinds["unknown" if same and who > apart else "intra" if same else "inter"] += 1
            if len(lines) == WAYS:
                evictors[lines.pop(0)] = who
        lines.append(line)
        whole[line] = True
        whole.move_to_end(line)
        if len(whole) > SETS * WAYS:
            whole.popitem(last=False)

    state = 1
    for _ in range(rounds):
        state = (state * 1103515245 + 12345) % 2**32
        block = (state >> 16) % len(blocks)
        touch(array + 8 * block, "rows")
        touch(blocks[block] + (state >> 20) % LINES * 512, min(block, apart) + 1)
    for who in sorted(key for key in accesses if key != "rows"):
        print(f"{who} {accesses[who]} {misses[who]} {conflicts[who]}")
    print(" ".join(f"{kind} {kinds[kind]}" for kind in ("intra", "inter", "unknown")))


main()
