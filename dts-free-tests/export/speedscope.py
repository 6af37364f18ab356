# SPDX-License-Identifier: GPL-2.0-only
"""speedscope.py FILE: what speedscope's file-format-schema.json demands of a file of sampled
profiles, and what its importer relies on. Prints "name weight" of each profile, or what is wrong."""
import json
import sys

TOP = {"$schema", "shared", "profiles", "name", "activeProfileIndex", "exporter"}
FRAME = {"name", "file", "line", "col"}
PROFILE = {"type", "name", "unit", "startValue", "endValue", "samples", "weights"}
UNITS = {"none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"}


def demand(condition, what):
    if not condition:
        sys.exit(f"not as the schema has it: {what}")


def is_index(value, below):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below


def check_frame(frame):
    demand(isinstance(frame, dict) and set(frame) <= FRAME, f"frame {frame}")
    demand(isinstance(frame.get("name"), str) and frame["name"], f"frame's name {frame}")
    demand(isinstance(frame.get("file", ""), str), f"frame's file {frame}")
    demand(isinstance(frame.get("line", 0), int), f"frame's line {frame}")


def check_profile(profile, frames):
    demand(isinstance(profile, dict) and set(profile) == PROFILE, "a profile's keys")
    demand(profile["type"] == "sampled" and isinstance(profile["name"], str), "a profile's type")
    demand(profile["unit"] in UNITS, "a profile's unit")
    demand(len(profile["samples"]) == len(profile["weights"]), "as many weights as samples")
    for stack in profile["samples"]:
        demand(stack and all(is_index(frame, frames) for frame in stack), f"stack {stack}")
    for weight in profile["weights"]:
        demand(isinstance(weight, (int, float)) and weight > 0, f"weight {weight}")
    total = sum(profile["weights"])
    demand(profile["endValue"] - profile["startValue"] == total, "weights fill the range")
    print(profile["name"], total)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    demand(set(data) <= TOP and {"$schema", "shared", "profiles"} <= set(data), "keys")
    demand(data["$schema"] == "https://www.speedscope.app/file-format-schema.json", "$schema")
    demand(set(data["shared"]) == {"frames"}, "shared")
    frames = data["shared"]["frames"]
    for frame in frames:
        check_frame(frame)
    demand(len({json.dumps(frame) for frame in frames}) == len(frames), "each frame once")
    for profile in data["profiles"]:
        check_profile(profile, len(frames))
    demand(is_index(data.get("activeProfileIndex", 0), len(data["profiles"])), "the active one")


main()
