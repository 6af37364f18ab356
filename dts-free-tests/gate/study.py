# SPDX-License-Identifier: GPL-2.0-only
"""study.py BUILD DIRECTORY PAIRS RUNS COSTS [SEED]: how often `ccsample check` is right.

PAIRS programs of programs.py with a clean stride are baselines; the same with a power of two must
fail the check with a new conflict in the function that has the stride. RUNS runs of programs that
did not change, in random order, with environments of other sizes, with and without random addresses,
on one processor or all, from another directory and under another name, must not; the program's own
code has to have the very same misses and conflict misses. COSTS programs are timed: the CPU time of a
check, and of cachegrind with its cache simulation, in turns.

What the stride does is measured apart from ccsample: by cachegrind, as the misses in 8 ways less
those in one set of 512. L1D 32K,8,64, seed 1; L1 does not depend on pages. Results are lines in
DIRECTORY/pairs, runs and costs; the summary goes to standard output."""
import json
import os
import platform
import random
import re
import resource
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import programs  # noqa: E402

CACHES = ["--D1", "32K,8,64"]
KINDS = ["new-conflict", "conflict-up", "misses-up"]	# best first


class Study:
    def __init__(self, build, directory, seed):
        self.ccsample = os.path.join(os.path.abspath(build), "ccsample")
        self.directory = os.path.abspath(directory)
        self.seed = seed
        self.known = {}		# what figures() has found
        os.makedirs(self.directory, exist_ok=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def compile(self, count):
        """The programs as (number, shape, function), each with two binaries."""
        programs.main(self.seed, count, self.directory)
        made = []
        with open(self.path("list"), encoding="ascii") as listing:
            for line in listing:
                number, shape, function, options, clean, power = line.split()
                for name, stride in (("clean", clean), ("power", power)):
                    subprocess.run(["gcc", "-g", *options.split(","), f"-DSTRIDE={stride}", "-o",
                                    self.path(f"{number}.{name}"), self.path(f"{number}.c")], check=True)
                made.append((number, shape, function))
        return made

    def run(self, command, **options):
        """Its status, its output, and its CPU seconds with those of its children."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, cwd=options.pop("cwd", self.directory), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, **options)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return done, cpu

    def record(self, name):
        done, _ = self.run([self.ccsample, "record", "-q", "--source", "engine", "--seed", "1", *CACHES, "-o", name + ".ccs", "--", "./" + name])
        if done.returncode:
            sys.exit(f"{name} was not recorded: {done.stderr}")

    def check(self, baseline, program, *more, **options):
        done, cpu = self.run([*options.pop("before", []), self.ccsample, "check", "--json", "-b", self.path(baseline + ".ccs"), *more,
                              "--", program], **options)
        if done.returncode not in (0, 1):
            sys.exit(f"{program} was not checked: {done.stderr}")
        return done.returncode, json.loads(done.stdout), cpu

    # --- pairs ---

    def misses(self, name, ways):
        done, cpu = self.run(["valgrind", "--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null",
                              f"--D1=32768,{ways},64", "--I1=32768,8,64", "--LL=8388608,16,64", "./" + name])
        found = re.search(r"D1 +misses: +([\d,]+)", done.stderr)
        if not found:
            sys.exit(f"cachegrind did not run {name}: {done.stderr}")
        return int(found[1].replace(",", "")), cpu

    def conflicts(self, name):
        return self.misses(name, 8)[0] - self.misses(name, 512)[0]

    def pair(self, number, shape, function):
        clean, power = f"{number}.clean", f"{number}.power"
        self.record(clean)
        status, found, _ = self.check(clean, "./" + power, "-o", power + ".ccs")
        there = [issue for issue in found["issues"] if issue["function"] == function and issue["fails"]]
        kind = min((issue["kind"] for issue in there), key=KINDS.index, default=None)
        caught = kind or ("elsewhere" if status else "missed")
        back, _, _ = self.check(power, "./" + clean)
        share = there[0]["after"]["share"] if there else 0
        kinds = ",".join(f"{issue['kind']}:{issue['function']}:{issue['worse_in']}/{found['layouts']}" for issue in found["issues"]) or "-"
        return (f"{number} {shape} {function} {self.conflicts(clean)} {self.conflicts(power)} {caught} {share:.3f} "
                f"back:{'alarm' if back else 'ok'} {kinds}")

    # --- runs of what did not change ---

    def changed(self, rng, name):
        """A program's command, with what must make no difference."""
        environment = dict(os.environ)
        for _ in range(rng.randint(0, 20)):
            environment[f"VARIABLE_{rng.randrange(10 ** 6)}"] = "x" * rng.randrange(300)
        place = self.path("elsewhere-" + "d" * rng.randrange(60))
        os.makedirs(place, exist_ok=True)
        program = rng.choice(["./" + name, self.path(name), "relative", "copy"])
        if program == "relative":
            return ["../" + name], environment, place
        if program == "copy":
            shutil.copy(self.path(name), os.path.join(place, name))
            return ["./" + name], environment, place
        return [program], environment, self.directory

    def figures(self, recording):
        """Misses and conflict misses of all code and of each function, from the program's entry on."""
        if recording not in self.known:
            done, _ = self.run([self.ccsample, "check", "--benchmark", "figures", recording, recording])
            if done.returncode:
                sys.exit(f"{recording} has no figures: {done.stderr}")
            with open(self.path("figures"), encoding="utf-8") as file:
                self.known[recording] = file.read()
        return self.known[recording]

    def unchanged(self, rng, name):
        program, environment, place = self.changed(rng, name)
        fixed = rng.random() < 0.5
        before = ["setarch", platform.machine(), "-R"] if fixed else []
        if rng.random() < 0.3:
            before = ["taskset", "-c", str(min(os.sched_getaffinity(0))), *before]
        status, found, cpu = self.check(name, program[0], "-o", self.path("last.ccs"), before=before, env=environment, cwd=place)
        kinds = ",".join(f"{issue['kind']}:{issue['function']}" for issue in found["issues"]) or "-"
        done, _ = self.run([self.ccsample, "diff", "--json", name + ".ccs", "last.ccs"])
        levels = json.loads(done.stdout)["levels"]
        self.known.pop("last.ccs", None)
        same = self.figures(name + ".ccs") == self.figures("last.ccs")
        most = max((abs(level["misses_after"] / level["misses_before"] - 1) for level in levels if level["misses_before"]), default=0)
        return (f"{name} {'fixed' if fixed else 'random'} {'alarm' if status else 'ok'} {'same' if same else 'differs'} "
                f"{most:.6f} {found['undecided']} {cpu:.2f} {kinds}")

    # --- what it costs ---

    def cost(self, name):
        turns = []
        for _ in range(3):
            _, _, check = self.check(name, "./" + name)
            turns.append((check, self.misses(name, 8)[1]))
        check, grind = (sorted(values)[1] for values in zip(*turns))
        return f"{name} {check:.2f} {grind:.2f} {check / grind:.2f}"


def write(study, name, lines):
    """Line by line: a study takes long, and may be looked at meanwhile."""
    kept = []
    with open(study.path(name), "w", encoding="utf-8") as file:
        for line in lines:
            print(line, file=file, flush=True)
            kept.append(line.split())
    return kept


def main(build, directory, pairs, runs, costs, seed="1"):
    study = Study(build, directory, seed)
    made = study.compile(int(pairs))
    found = write(study, "pairs", (study.pair(*program) for program in made))
    caught = sum(row[5] in KINDS for row in found)
    print(f"pairs: {caught} of {len(found)} caught in the function with the stride, "
          f"{sum(row[5] == KINDS[0] for row in found)} of them as a new conflict; the other way "
          f"{sum(row[7] == 'back:alarm' for row in found)} alarms")
    for row in found:
        if row[5] != KINDS[0] or row[7] != "back:ok":
            print("      ", *row)

    rng = random.Random(f"{seed}/runs")
    names = [f"{number}.{kind}" for number, _, _ in made for kind in ("clean", "power")]
    order = [names[i % len(names)] for i in range(int(runs))]
    rng.shuffle(order)
    found = write(study, "runs", (study.unchanged(rng, name) for name in order))
    alarms = [row for row in found if row[2] == "alarm"]
    same = sum(row[3] == "same" for row in found)
    most = max((float(row[4]) for row in found), default=0)
    print(f"unchanged: {len(alarms)} alarms in {len(found)} runs; in {same} the very same misses and conflict misses, "
          f"in all code and in each function; with the loader's, up to {100 * most:.3f}% other")
    for row in alarms:
        print("      ", *row)

    found = write(study, "costs", (study.cost(f"{number}.clean") for number, _, _ in made[:int(costs)]))
    ratios = sorted(float(row[3]) for row in found)
    if ratios:
        print(f"cost: CPU time of a check to cachegrind's, {len(ratios)} programs: median {ratios[len(ratios) // 2]:.2f}, "
              f"{ratios[0]:.2f} to {ratios[-1]:.2f}")
    return 1 if caught < len(made) or alarms else 0


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
