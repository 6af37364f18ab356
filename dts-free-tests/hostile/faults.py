#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""faults.py LIBRARY RUNS OUTPUT TOOL ARGUMENT... : lets calls of a run of the tool fail in turn.

Of each kind of call (faults.c) up to RUNS fail in turn, all of them if RUNS is 0: half of them the
first ones, the others spread evenly. With EACH=place in the environment these are not all calls, but
the first and the last one of each stack of callers. FROM=N and TO=N choose some of these by
their place in the order. After each run: the tool was not killed; where it failed it said so in one line; where it did not, its
shares are those of a run without faults, or it warned, or has a note. OUTPUT ("-" = standard output) is compared,
or with "+" before its name only looked at: there, or not.
KINDS in the environment chooses kinds; SURVIVOR is a process that must go on in the state in which it was. Prints a line for each fault that was
not survived, and as the last one how many runs there were.
"""
import os
import re
import struct
import subprocess
import sys

KINDS = os.environ.get("KINDS", "memory map read write open process socket name").split()
library, most, output, tool = sys.argv[1], int(sys.argv[2]), sys.argv[3], os.path.realpath(sys.argv[4])
arguments = sys.argv[5:]
counter = "faults.count"
PLACES = 1 << 16        # struct counter of faults.c


def run(kind, at):
    with open(counter, "wb") as file:
        file.truncate(8 + 24 * PLACES)
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
        return "hangs", b"", b""
    made = done.stdout
    if output != "-":
        made = b""
        if os.path.exists(output.lstrip("+")):
            with open(output.lstrip("+"), "rb") as file:
                made = b"there" if output[0] == "+" else file.read()
    return done.returncode, made, done.stderr


def counted():
    """Numbers of the calls that may fail, after a run without faults."""
    with open(counter, "rb") as file:
        count, = struct.unpack("Q", file.read(8))
        places = [place for place in struct.iter_unpack("QQQ", file.read()) if place[0]]
    if os.environ.get("EACH") != "place":
        return list(range(1, count + 1))
    return sorted({number for _, first, last in places for number in (first, last)})


def shares(made):
    """What must be the same: all but names, which libdw loses in silence where it finds no memory."""
    return re.findall(rb"[0-9.]+%", made) or made


def survivor():
    """State of the process that the tool is attached to; nothing without one."""
    pid = os.environ.get("SURVIVOR")
    if not pid:
        return None
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return "goes on" if file.read().rsplit(")", 1)[1].split()[0] in "RSD" else "stands"
    except FileNotFoundError:
        return "has ended"


def complaint(status, made, errors, reference):
    lines = [line for line in errors.decode(errors="replace").splitlines() if line.strip()]
    said = [line for line in lines if re.match(r"ccsample: ", line)]
    if status == "hangs":
        return "it hangs"
    if survivor() not in (None, "goes on"):
        return f"the process that it was attached to {survivor()}"
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
    status, reference, errors = run(kind, 0)
    if status:
        sys.exit(f"without faults: status {status}: {errors.decode()}")
    calls = counted()
    total = len(calls)
    first = total if not most or total <= most else most // 2
    rest = [first + i * (total - first) // (most - first) for i in range(most - first)] if first < total else []
    chosen = calls[:first] + [calls[i] for i in rest]
    for at in chosen[int(os.environ.get("FROM", "1")) - 1:int(os.environ.get("TO", len(chosen)))]:
        status, made, errors = run(kind, at)
        why = complaint(status, made, errors, reference)
        runs += 1
        if why:
            bad += 1
            text = errors.decode(errors="replace").strip().replace("\n", " | ")[:300]
            print(f"{kind} {at} of {total}: {why}: {text}", flush=True)
print(f"{runs} runs, {bad} bad")
sys.exit(bad != 0)
