#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""faults.py LIBRARY RUNS OUTPUT TOOL ARGUMENT... : lets calls of a run of the tool fail in turn.

Of each kind of call (faults.c) up to RUNS fail in turn, all of them if RUNS is 0: half of them the
first ones, the others spread evenly. After
each run: the tool was not killed; where it failed it said so in one line; where it did not, its
shares are those of a run without faults, or it warned, or has a note. OUTPUT ("-" = standard output) is compared,
or with "+" before its name only looked at: there, or not.
KINDS in the environment chooses kinds. Prints a line for each fault that was
not survived, and as the last one how many runs there were.
"""
import os
import re
import subprocess
import sys

KINDS = os.environ.get("KINDS", "memory map read write open process socket name").split()
library, most, output, tool = sys.argv[1], int(sys.argv[2]), sys.argv[3], os.path.realpath(sys.argv[4])
arguments = sys.argv[5:]
counter = "faults.count"


def run(kind, at):
    with open(counter, "wb") as file:
        file.write(bytes(4096))
    if output != "-":
        try:
            os.unlink(output.lstrip("+"))
        except FileNotFoundError:
            pass
    environment = dict(os.environ, LD_PRELOAD=library, FAULTS_TOOL=tool, FAULTS_KIND=kind,
                       FAULTS_AT=str(at), FAULTS_COUNT=os.path.abspath(counter))
    try:
        done = subprocess.run([tool] + arguments, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    except subprocess.TimeoutExpired:
        return "hangs", b"", b"", 0
    made = done.stdout
    if output != "-":
        made = b""
        if os.path.exists(output.lstrip("+")):
            with open(output.lstrip("+"), "rb") as file:
                made = b"there" if output[0] == "+" else file.read()
    with open(counter, "rb") as file:
        count = int.from_bytes(file.read(8), sys.byteorder)
    return done.returncode, made, done.stderr, count


def shares(made):
    """What must be the same: all but names, which libdw loses in silence where it finds no memory."""
    return re.findall(rb"[0-9.]+%", made) or made


def complaint(status, made, errors, reference):
    lines = [line for line in errors.decode(errors="replace").splitlines() if line.strip()]
    said = [line for line in lines if re.match(r"ccsample: ", line)]
    if status == "hangs":
        return "it hangs"
    if status < 0 or status > 125:
        return f"killed, or crashed: status {status}"
    if status and not said:
        return f"status {status} without a word"
    if status and sum("warning" not in line and "note" not in line for line in said) > 1:
        return f"status {status} with {len(said)} lines"
    if not status and shares(made) != shares(reference) and not said and b"\nnote " not in made:
        return "status 0, another output, and no word"
    if status and output not in ("-",) and output[0] != "+" and made and made != reference:
        return f"status {status}, and a part of the output"
    return None


runs = bad = 0
for kind in KINDS:
    status, reference, errors, total = run(kind, 0)
    if status:
        sys.exit(f"without faults: status {status}: {errors.decode()}")
    first = total if not most or total <= most else most // 2
    rest = [first + 1 + i * (total - first) // (most - first) for i in range(most - first)] if first < total else []
    for at in list(range(1, first + 1)) + rest:
        status, made, errors, _ = run(kind, at)
        why = complaint(status, made, errors, reference)
        runs += 1
        if why:
            bad += 1
            text = errors.decode(errors="replace").strip().replace("\n", " | ")[:300]
            print(f"{kind} {at} of {total}: {why}: {text}")
print(f"{runs} runs, {bad} bad")
sys.exit(bad != 0)
