# SPDX-License-Identifier: GPL-2.0-only
"""Results of pairs and predict.py: what was predicted against what the exact simulation found."""
import csv
import os


def read(path, policy="lru", programs="2"):
    """Rows of one kind; none where the file is not there."""
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        return [row for row in csv.DictReader(file)
                if row["policy"] == policy and row["programs"] == programs]


def slowdown(row, method=None):
    """In parts of the speed alone; of the simulation, or as a method predicts."""
    alone = float(row["ipc_alone"])
    return 1 - float(row["ipc_" + method if method else "ipc"]) / alone


def ipc_error(row, method):
    """In parts of the true speed."""
    return abs(float(row["ipc_" + method]) - float(row["ipc"])) / float(row["ipc"])


def time_error(row, method):
    """Of the time of an instruction, in parts of the true one: the metric of Xu et al."""
    return abs(float(row["ipc"]) / float(row["ipc_" + method]) - 1)


def count_error(row, method):
    """Of the number of misses, in parts of the true one: the metric of Chandra et al. (HPCA 2005)."""
    ratio = float(row["miss_ratio"])
    return abs(miss_error(row, method)) / ratio if ratio else 0


def miss_error(row, method):
    return float(row["miss_ratio_" + method]) - float(row["miss_ratio"])


def miss_increase(row):
    return float(row["miss_ratio"]) - float(row["miss_ratio_alone"])


def sensitive(rows):
    """The quarter that sharing slows most."""
    ordered = sorted(rows, key=slowdown)
    return ordered[len(ordered) * 3 // 4:]
