# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Does a report say of a program what a table like programs/cases.txt expects? The
# script that sources this has $cases, $table, check and report_of; row and
# print_once where there is $table; simulated where stores are seen, which the
# table says nothing of.

# The functions that simulation finds in conflict.
simulated() # name arguments
{
	:
}

source_of()
{
	case $1 in
	cxx-*) echo "dts-free-tests/programs/cxx/${1#cxx-}.cc" ;;
	*) echo "dts-free-tests/programs/$1.c" ;;
	esac
}

# The loop with most samples in the function (C++: without namespace and
# arguments) that holds one of the lines.
hot() # json function lines
{
	jq -c --arg function "$2" --argjson lines "[$3]" '
		[.loops[] | select(.function | sub("\\(.*"; "") | sub(".*::"; "") == $function)
			| select(.line as $first | .end_line as $last
				| any($lines[]; $first <= . and . <= $last))]
		| max_by(.samples) // empty | . + .levels[0]' "$1"
}

# The contexts in conflict, but for those in functions that are expected to be, and for single
# lines, which may be evicted time and again beside the hot loop.
strays() # json functions
{
	jq -r --arg expected "$2" '[.loops[] | select(.levels[0].verdict == "conflict" and .share >= 0.001)
		| select(.function as $f | $expected | split(" ") | index($f) | not)
		| "\(.function):\(.line), \(.share * 1000 | round / 10)% of samples"]
		| join("; ")' "$1"
}

# The arrays that the report does not name among the hot context's objects.
missing() # json hot arrays
{
	local array

	for array in $3; do
		jq -e --arg array "$array" --argjson hot "${2:-null}" '
			any(.objects[]; .name == $array and
				(.id as $id | [$hot.objects[]?.id] | index($id)))' \
					"$1" >/dev/null ||
			echo "$array"
	done | paste -sd' '
}

examine() # name arguments expected function lines arrays
{
	local json found verdict stray absent

	json=$(report_of "$1" "$2")
	found=$(hot "$json" "$4" "$5")
	verdict=$(jq -r .verdict <<<"${found:-null}")
	[ -z "$table" ] || [ -z "$found" ] || print_once "$(row "$1" "$2" "$found" "$3")"
	check "$([ "$verdict" = "$3" ] && echo 1)" "$1 $2: $4 is '$3' (said '$verdict')"
	if [ "$3" = conflict ]; then
		absent=$(missing "$json" "$found" "$6")
		check "${absent:+0}${absent:-1}" "$1 $2: names $6 (does not: ${absent:-none})"
	fi
	stray=$(strays "$json" "$(conflicting "$1" "$2")")
	[ -z "$stray" ] ||
		stray=$(strays "$json" "$(conflicting "$1" "$2") $(simulated "$1" "$2")")
	check "${stray:+0}${stray:-1}" "$1 $2: no other code is in conflict (${stray:-none})"
}

# The lines of a table, with \037 for its bars, for `IFS=$'\037' read`; '-' is nothing.
rows() # file
{
	awk -F'|' -v OFS='\037' '/^#/ || NF < 2 { next }
		{ for (i = 1; i <= NF; i++) { gsub(/^[ \t]+|[ \t]+$/, "", $i); if ($i == "-") $i = "" } print }' "$1"
}

# The functions that the table expects to be in conflict in a run.
conflicting() # name arguments
{
	rows "$cases" | awk -F'\037' -v run="$1 $2" '
		($1 " " $2 == run && $4 == "conflict") || ($3 != "" && $1 " " $3 == run && $5 == "conflict") { print $6 }' |
		paste -sd' '
}

examine_all()
{
	local name before after expect_before expect_after function pattern arrays lines

	while IFS=$'\037' read -r name before after expect_before expect_after function pattern arrays; do
		lines=$(grep -nF -- "$pattern" "$(source_of "$name")" | cut -d: -f1 | paste -sd,)
		examine "$name" "$before" "$expect_before" "$function" "$lines" "${arrays//,/ }"
		[ -z "$after" ] || examine "$name" "$after" "$expect_after" "$function" "$lines" ""
	done < <(rows "$cases")
}
