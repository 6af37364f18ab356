#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""real.py CCSAMPLE PROGRAMS DIR [REPEATS]: how much real pairs slow each other on this machine, beside
what `ccsample share` predicts. By turns alone and together, processor time, medians and quartiles;
at real-time priority where that may be had, for elsewise neighbours take the place of the partner."""
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time

TOOL, PROGRAMS, DIR = sys.argv[1:4]
REPEATS = int(sys.argv[4]) if len(sys.argv) > 4 else 9
INSTRUCTIONS = 19		# of ccsample emulate, an access
ACCESSES = 3000000


def caches():
    text = subprocess.run([TOOL, "topology"], capture_output=True, text=True, check=True).stdout
    return dict(re.findall(r"^(L[123]) = (\S+)", text, re.M))


def proxy(name, cache, reach, misses):
    """A profile of equal shares of distances up to @reach, and of misses."""
    ways = int(cache.split(",")[1])
    shares = [(1 - misses) / reach if i < reach else 0 for i in range(ways)] + [misses]
    with open(f"{DIR}/{name}.profile", "w") as file:
        file.write(f"level = 3\ncache = {cache}\ninstructions = {INSTRUCTIONS * ACCESSES}\nipc = 1\n"
                   f"penalty = 1\ndistances = {' '.join(f'{s * ACCESSES:.0f}' for s in shares)}\n")
    return [TOOL, "emulate", "-q", "--accesses", str(ACCESSES), f"{DIR}/{name}.profile"]


def flood(name, cache):
    """Accesses to twice the cache, in a round: all miss, whatever is replaced."""
    proxy(name, cache, 1, 1)
    return [TOOL, "stress", "-q", "--ways", str(2 * int(cache.split(",")[1])), "--accesses",
            str(ACCESSES)]


def program(name, cache, command):
    path = f"{DIR}/{name}.profile"
    if not os.path.exists(path):
        subprocess.run([TOOL, "profile", "-q", "--D1", cache["L1"], "--L2", cache["L2"], "--L3",
                        cache["L3"], "-o", path, "--", *command], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return command


def pinned(cpu):
    def prepare():
        os.setsid()
        os.sched_setaffinity(0, {cpu})
        try:
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
        except PermissionError:
            pass
    return prepare


def start(command, cpu):
    return subprocess.Popen(command, preexec_fn=pinned(cpu), stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run(command, cpu):
    """Processor time in ns, and its part of the time on the clock."""
    begun = time.monotonic()
    child = start(command, cpu)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status:
        sys.exit(f"{command[0]} failed")
    cpu_time = usage.ru_utime + usage.ru_stime
    return cpu_time * 1e9, cpu_time / (time.monotonic() - begun)


def beside(command, partner, cpus):
    """The same, while the partner runs again and again."""
    loop = start(["sh", "-c", 'while :; do "$@"; done', "loop", *partner], cpus[1])
    time.sleep(0.05)
    try:
        return run(command, cpus[0])
    finally:
        os.killpg(loop.pid, signal.SIGKILL)
        loop.wait()


def price(cache, cpu):
    """What a miss costs more than a hit, ns: accesses to twice the cache, and to a quarter of it."""
    ways = int(cache.split(",")[1])
    each = {}
    for name, lines in (("hit", ways // 4), ("miss", 2 * ways)):
        few, many = (statistics.median(
            run([TOOL, "stress", "-q", "--ways", str(lines), "--accesses", str(n)], cpu)[0]
            for _ in range(3)) for n in (1000000, 4000000))
        each[name] = (many - few) / 3000000
    return each["miss"] - each["hit"], each


def predict(names, alone, penalty):
    """With a nanosecond for a cycle."""
    paths = []
    for name in names:
        with open(f"{DIR}/{name}.profile") as file:
            text = file.read()
        instructions = int(re.search(r"^instructions = (\d+)", text, re.M)[1])
        text = re.sub(r"^ipc = .*", f"ipc = {instructions / alone[name]:.9g}", text, flags=re.M)
        text = re.sub(r"^penalty = .*", f"penalty = {penalty:.9g}", text, flags=re.M)
        paths.append(f"{DIR}/{name}.timed")
        with open(paths[-1], "w") as file:
            file.write(text)
    done = subprocess.run([TOOL, "share", "--json", *paths], stdout=subprocess.PIPE, check=True)
    return [program["slowdown"] for program in json.loads(done.stdout)["programs"]]


def main():
    os.makedirs(DIR, exist_ok=True)
    cache = caches()
    with open("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list") as file:
        print(f"L3 {cache['L3']}, shared by processors {file.read().strip()} as the machine tells; "
              f"load {os.getloadavg()[0]:.1f}", flush=True)
    commands = {
        "half": proxy("half", cache["L3"], 8, 0.02),
        "most": proxy("most", cache["L3"], 14, 0.02),
        "flood": flood("flood", cache["L3"]),
        "hash-join": program("hash-join", cache, [f"{PROGRAMS}/hash-join"]),
        "triad": program("triad", cache, [f"{PROGRAMS}/triad"]),
        "pointer-chase": program("pointer-chase", cache, [f"{PROGRAMS}/pointer-chase"]),
    }
    cpus = sorted(os.sched_getaffinity(0))[:2]
    penalty, each = price(cache["L3"], cpus[0])
    print(f"an access of the stressmark: {each['hit']:.1f} ns within a quarter of L3, "
          f"{each['miss']:.1f} ns in twice its size\n")
    print("| program | beside | alone, ms | quartiles | slowdown, % | quartiles | predicted, % | "
          "had its processor |\n|---|---|---|---|---|---|---|---|")
    for pair in (("half", "half"), ("half", "flood"), ("most", "most"), ("most", "flood"),
                 ("hash-join", "triad"), ("hash-join", "most"), ("pointer-chase", "triad")):
        runs = {(name, where): [] for name in pair for where in ("alone", "beside")}
        busy = []
        for _ in range(REPEATS):
            for self, other in (pair, pair[::-1])[:1 if pair[0] == pair[1] else 2]:
                runs[self, "alone"].append(run(commands[self], cpus[0])[0])
                taken, part = beside(commands[self], commands[other], cpus)
                runs[self, "beside"].append(taken)
                busy.append(part)
        alone = {name: statistics.median(runs[name, "alone"]) for name in pair}
        predicted = predict(pair, alone, penalty)
        for k, (self, other) in enumerate((pair, pair[::-1])[:1 if pair[0] == pair[1] else 2]):
            base = statistics.quantiles(runs[self, "alone"], n=4)
            slow = statistics.quantiles([1 - a / b for a, b in zip(runs[self, "alone"],
                                                                   runs[self, "beside"])], n=4)
            print(f"| {self} | {other} | {base[1] / 1e6:.1f} | {base[0] / 1e6:.1f} to "
                  f"{base[2] / 1e6:.1f} | {100 * slow[1]:.1f} | {100 * slow[0]:.1f} to "
                  f"{100 * slow[2]:.1f} | {100 * predicted[k]:.1f} | "
                  f"{100 * statistics.median(busy):.0f}% |", flush=True)


main()
