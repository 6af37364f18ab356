#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figures.py DIR PICTURE: scatter plots as figures 1 to 7, 9 and 10 of Babka et al. (ICPE 2012), and one more, from what
evaluate left in DIR, by gnuplot; PICTURE ends in .svg or .png. Each point is a program beside another."""
import subprocess
import sys

import errors

HEAD = """set encoding utf8
set multiplot layout 4, 3
set grid lc rgb '#dddddd'
set key top left Left reverse samplen 0.5 spacing 0.9 noenhanced
set tics nomirror scale 0.5
set tmargin 2.2
"""
DIAGONAL = ", x with lines lc rgb '#888888' notitle"
AXIS = ", 0 with lines lc rgb '#888888' notitle"


def against_slowdown(rows, method):
    return [(errors.slowdown(row), errors.slowdown(row, method)) for row in rows]


def against_partner(rows, method):
    """Both programs of a pair stand in rows that follow each other."""
    signed = [float(row["ipc_" + method]) / float(row["ipc"]) - 1 for row in rows]
    return list(zip(signed[0::2], signed[1::2]))


def against_increase(rows, method):
    return [(errors.miss_increase(row), errors.miss_error(row, method)) for row in rows]


def panel(out, number, title, axes, rows, points, line):
    """Sensitive results are drawn over the others."""
    if not rows:
        out.append(f"set title '{number}: not run'\nset xrange [0:1]\nset yrange [0:1]\nplot NaN notitle")
        return
    few = {id(row) for row in errors.sensitive(rows)}
    marks = [id(row) in few for row in rows]
    if len(points) < len(rows):
        marks = [a or b for a, b in zip(marks[0::2], marks[1::2])]
    for name, wanted in (("others", False), ("few", True)):
        out.append(f"${name}{number} << EOD")
        out += [f"{x:.6g} {y:.6g}" for (x, y), mark in zip(points, marks) if mark == wanted]
        out.append("EOD")
    out.append(f"set title '{number}: {title}' offset 0,-0.5\nset xlabel '{axes[0]}' offset 0,0.6\n"
               f"set ylabel '{axes[1]}' offset 1\nset xrange {axes[2]}\nset yrange {axes[3]}")
    out.append(f"plot $others{number} with points pt 7 ps 0.35 lc rgb '#0072B2' title 'others', "
               f"$few{number} with points pt 7 ps 0.35 lc rgb '#D55E00' title 'sensitive quarter'" + line)


def script(directory):
    out = [HEAD]
    pairs = errors.read(f"{directory}/pairs.csv")
    stressed = errors.read(f"{directory}/stressed.csv")
    proxies = errors.read(f"{directory}/proxies.csv")
    both = errors.read(f"{directory}/proxies-stressed.csv")
    originals = errors.read(f"{directory}/by-proxies.csv")
    slow = ("slowdown, simulated", "predicted", "[0:0.6]", "[0:0.8]")
    partner = ("relative error of one program", "of its partner", "[-0.5:0.5]", "[-0.5:0.5]")
    misses = ("increase of the miss ratio", "error", "[0:1]", "[-0.6:0.6]")
    for number, title, rows, method in (
            (1, "profiles of the engine", pairs, "race"),
            (2, "profiles by the stressmark", stressed, "stressed")):
        panel(out, number, title, slow, rows, against_slowdown(rows, method), DIAGONAL)
    panel(out, 3, "errors of partners", partner, pairs, against_partner(pairs, "race"), AXIS)
    panel(out, 4, "profiles of the engine", misses, pairs, against_increase(pairs, "race"), AXIS)
    panel(out, 5, "profiles by the stressmark", misses, stressed,
          against_increase(stressed, "stressed"), AXIS)
    for number, title, rows, method in (
            (6, "true speeds given", pairs, "with_ipc"),
            (7, "true miss ratios given", pairs, "with_misses"),
            (9, "by the stressmark of proxies", originals, "stressed"),
            (10, "proxies, by the stressmark", both, "stressed"),
            ("own", "proxies, their own profiles", proxies, "race")):
        panel(out, number, title, slow, rows, against_slowdown(rows, method), DIAGONAL)
    return "\n".join(out) + "\nunset multiplot\n"


def main():
    directory, picture = sys.argv[1:]
    terminal = "svg size 1200,1530 font 'sans,11'" if picture.endswith(".svg") else \
        "pngcairo size 1200,1530 font 'sans,9'"
    subprocess.run(["gnuplot"], check=True, text=True, input=f"set terminal {terminal} "
                   f"background rgb 'white'\nset output '{picture}'\n" + script(directory))


main()
