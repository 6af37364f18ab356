# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the study and the test of the zoo share. Needs $programs.
# shellcheck disable=SC2154

# A line of a program's head.
zoo_head() # file field
{
	sed -n "s/^[ !]\**  *$2: //p; s/^! $2: //p" "$1" | head -1
}

zoo_file() # name
{
	local file

	for file in "$programs/$1".*; do
		[ -e "$file" ] && echo "$file"
	done
}

# The program with this pad. Return: 1 where there is no compiler for it.
zoo_build() # name pad output [flag...]
{
	local file flags=(-g -O2 -falign-loops=64 -falign-functions=64 "${@:4}")

	file=$(zoo_file "$1")
	case $file in
	*.c) ${CC:-gcc} -std=gnu11 -Wall -Wextra -D_GNU_SOURCE "${flags[@]}" "-DPAD=$2" -o "$3" "$file" \
		-lm -pthread ;;
	*.cc) ${CXX:-g++} -Wall -Wextra "${flags[@]}" "-DPAD=$2" -o "$3" "$file" ;;
	*.f90) command -v "${FC:-gfortran}" >/dev/null &&
		${FC:-gfortran} -cpp -Wall "${flags[@]}" "-DZOO_PAD=$2" -o "$3" "$file" ;;
	esac
}

# Whether the loop named in the head has the verdict conflict: of its function, or of a part of it.
zoo_found() # report.json loop
{
	jq -r --arg loop "$2" '[.loops[] | select(.function | startswith($loop)) | .levels[0].verdict] |
		if any(. == "conflict") then "yes" else (map(strings) | first) // "no" end' "$1"
}

# The cure named in the head, among those of the report and of advise.
zoo_named() # cure report.json advice.json
{
	local kinds

	case $1 in
	rows) kinds='["rows", "pad_rows", "spread", "resize"]' ;;
	stagger | map) kinds='["stagger", "shift"]' ;;
	stack) kinds='["stagger", "shift", "stacks"]' ;;
	resize) kinds='["resize", "stagger", "unalign"]' ;;
	lengthen) kinds='["lengthen", "shift"]' ;;
	none) echo - && return ;;
	esac
	jq -rs --argjson kinds "$kinds" '[.[0] | .. | .try? // empty | .[].kind] +
		[.[1].cures[].changes[].change] | if any(IN($kinds[])) then "yes" else "no" end' "$2" "$3"
}
