#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""predict.py CCSAMPLE PAIRS.csv DIR OUT.csv: the pairs of programs of PAIRS.csv (in LRU), predicted by
`ccsample share` from the profiles DIR/NAME.profile, in columns of their own."""
import csv
import json
import subprocess
import sys


def predict(tool, directory, names):
    paths = [f"{directory}/{name}.profile" for name in names]
    done = subprocess.run([tool, "share", "--json", *paths], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)["programs"]


def main():
    tool, pairs, directory, out = sys.argv[1:]
    with open(pairs, newline="") as file:
        rows = [row for row in csv.DictReader(file)
                if row["policy"] == "lru" and row["programs"] == "2"]
    known = {}
    for row in rows:
        names = row["program"], row["others"]
        if names not in known:
            for first, second in (names, names[::-1]):
                program = predict(tool, directory, (first, second))[0]
                known[first, second] = program["ipc"], program["miss_ratio"]
        row["ipc_stressed"], row["miss_ratio_stressed"] = known[names]
    with open(out, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


main()
