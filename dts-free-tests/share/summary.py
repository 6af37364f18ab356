#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""summary.py pairs.csv [DIR]: tables of errors; with DIR, data for the scatter plots."""
import csv
import statistics
import sys

METHODS = [("race", "random reuse times (ours)"), ("mean", "mean reuse times (the paper)"),
           ("sets", "random reuse times, set by set (ours)"), ("shares", "steady shares (Xu et al.)"),
           ("with_ipc", "ours, true speeds given"), ("with_misses", "true miss ratios given")]


def quartiles(values):
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def slowdown(row, ipc):
    alone = float(row["ipc_alone"])
    return (alone - float(row[ipc])) / alone


def ipc_error(row, method):
    return abs(float(row["ipc_" + method]) - float(row["ipc"])) / float(row["ipc"])


def miss_error(row, method):
    return abs(float(row["miss_ratio_" + method]) - float(row["miss_ratio"]))


def sensitive(rows):
    """The quarter that sharing slows most."""
    ordered = sorted(rows, key=lambda row: slowdown(row, "ipc"))
    return ordered[len(ordered) * 3 // 4:]


def line(name, rows, error, method):
    low, middle, high = quartiles([100 * error(row, method) for row in rows])
    return f"| {name} | {middle:.2f} | {low:.2f} to {high:.2f} |"


def table(title, rows, error):
    print(f"\n**{title}** ({len(rows)} results, {len(sensitive(rows))} sensitive)\n")
    print("| model | all: median | quartiles | sensitive: median | quartiles |")
    print("|---|---|---|---|---|")
    for method, name in METHODS:
        if error is miss_error and method == "with_misses":
            continue
        print(line(name, rows, error, method) + line("", sensitive(rows), error, method)[4:])


def main():
    with open(sys.argv[1], newline="") as file:
        rows = list(csv.DictReader(file))
    for policy in ("lru", "plru"):
        pairs = [row for row in rows if row["policy"] == policy and row["programs"] == "2"]
        table(f"Pairs, {policy.upper()}: error of instructions per cycle, %", pairs, ipc_error)
        table(f"Pairs, {policy.upper()}: error of the miss ratio, points", pairs, miss_error)
    triples = [row for row in rows if row["programs"] == "3"]
    if len(triples) > 3:
        table("Triples, LRU: error of instructions per cycle, %", triples, ipc_error)


main()
