#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""summary.py DIR: tables of errors, from what evaluate left in DIR."""
import statistics
import sys

import errors

METHODS = [("sets", "set by set (ours)"), ("race", "random reuse times (ours, the default)"),
           ("mean", "mean reuse times (Babka et al.)"), ("shares", "steady shares (Xu et al.)"),
           ("with_ipc", "ours, true speeds given"), ("with_misses", "true miss ratios given"),
           ("nested", "ours, two others combined first"), ("stressed", "ours, profiles by the stressmark")]


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive")


def cells(rows, error, method):
    low, middle, high = quartiles([100 * abs(error(row, method)) for row in rows])
    return f" {middle:.2f} | {low:.2f} to {high:.2f} |"


def table(title, rows, methods):
    if len(rows) < 4:
        return
    few = errors.sensitive(rows)
    print(f"\n**{title}** ({len(rows)} results, {len(few)} sensitive): error of instructions per "
          "cycle, %, and of the miss ratio, points\n")
    print("| | IPC, all: median | quartiles | sensitive | quartiles | misses, all | quartiles "
          "| sensitive | quartiles |")
    print("|---|---|---|---|---|---|---|---|---|")
    for method, name in methods:
        if "ipc_" + method in rows[0]:
            print(f"| {name} |" + cells(rows, errors.ipc_error, method)
                  + cells(few, errors.ipc_error, method) + cells(rows, errors.miss_error, method)
                  + cells(few, errors.miss_error, method))


def means(title, rows, methods):
    """The metrics of works that Babka et al. cite, which report means."""
    if len(rows) < 4:
        return
    few = errors.sensitive(rows)
    print(f"\n**{title}**: means of relative errors, %\n")
    print("| | instructions per cycle, all | sensitive | time per instruction (Xu et al.), all "
          "| sensitive | misses (Chandra et al.), all | sensitive |")
    print("|---|---|---|---|---|---|---|")
    for method, name in methods:
        if "ipc_" + method in rows[0]:
            print(f"| {name} |" + "".join(
                f" {100 * statistics.mean(error(row, method) for row in some):.2f} |"
                for error in (errors.ipc_error, errors.time_error, errors.count_error)
                for some in (rows, few)))


def three_ways(rows):
    """Some threes, program by program: slowdown in percent."""
    ways = (("simulated", None), ("at once", "race"), ("two combined first", "nested"))
    print("\n**Threes**: slowdown of each, %\n\n| | " + " | ".join(name for name, _ in ways)
          + " |\n|---|---|---|---|")
    for first in range(0, len(rows), 15):
        three = rows[first:first + 3]
        names = ", ".join(row["program"] for row in three)
        cells = [", ".join(f"{100 * errors.slowdown(row, method):.1f}" for row in three)
                 for _, method in ways]
        print(f"| {names} | " + " | ".join(cells) + " |")


def main():
    directory = sys.argv[1]
    stressed = METHODS[-1:]
    table("Pairs, LRU", errors.read(f"{directory}/pairs.csv"), METHODS)
    means("Pairs, LRU", errors.read(f"{directory}/pairs.csv"), METHODS)
    table("Pairs, LRU, by the stressmark", errors.read(f"{directory}/stressed.csv"), stressed)
    table("Pairs, LRU, by the stressmark of their proxies", errors.read(f"{directory}/by-proxies.csv"),
          stressed)
    table("Pairs, tree-PLRU", errors.read(f"{directory}/pairs.csv", "plru"), METHODS)
    threes = errors.read(f"{directory}/threes.csv", programs="3")
    table("Threes, LRU", threes, METHODS)
    three_ways(threes)
    table("Proxies, LRU", errors.read(f"{directory}/proxies.csv"), METHODS)
    table("Proxies, LRU, by the stressmark", errors.read(f"{directory}/proxies-stressed.csv"),
          stressed)


main()
