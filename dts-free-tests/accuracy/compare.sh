# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # $build and the like are its caller's
# Programs recorded, and simulated as a whole for the truth; sourced. Its caller sets $build, $d1, $l2
# (may be empty), $pages, $seed and options (an array, of recordings), and stands in a directory for the files, which are kept: what is
# there is not made again, but for reports.
#
# A row of what compare_rows prints has these fields between bars:
#
#   loop  NAME SOURCE LEVEL WHERE MISSES PART EXACT SAMPLES SHARE LOW HIGH VERDICT SAVED NET
#         PART: of its program's misses of the level; EXACT: conflict share as simulated;
#         SAVED: hits saved, a miss, as reported, which SHARE is net of; NET: the part of the misses
#         that a fully associative level in place of this one has not, which its shadow says exactly
#   ratio NAME SOURCE EXACT SAID BURSTS
#         L1 misses of all references; of bursts only

# The same addresses each time, where that is allowed.
compare_at=()
! setarch -R true 2>/dev/null || compare_at=(setarch -R)

# A command's words; what it prints is lost. One that a signal ends is named: what it did before is scored.
compare_run() # ccsample's arguments... -- COMMAND
{
	local argv status=0

	read -ra argv <<<"${*: -1}"
	"${compare_at[@]}" "$build/ccsample" "${@:1:$#-1}" "${argv[@]}" \
		>/dev/null 2>"$compare_name.err" </dev/null || status=$?
	[ $status -le 128 ] || [ $status -gt 192 ] || echo "$compare_name: ended by signal $((status - 128)) in $1" >&2
	return $status
}

# A command's words with its stack where `sim --repeatable` has it, which the engine does by itself.
compare_placed() # COMMAND
{
	local argv

	read -ra argv <<<"$1"
	[ "${argv[0]##*/}" != env ] || argv=("${argv[@]:1}")
	echo "$build/dts-free-tests/accuracy/place ${argv[*]}"
}

# Whole simulation. Fails if there is none.
compare_truth() # NAME COMMAND
{
	compare_name=$1
	[ ! -s "$1.sim" ] || return 0
	compare_run sim --quiet --repeatable --D1 "$d1" ${l2:+--L2 "$l2"} --pages "$pages" -o "$1.results" -- "$2" ||
		[ -s "$1.results" ] || return 1
	"$build/ccsample" sim --json -i "$1.results" >"$1.sim"
	rm -f "$1.results"
}

# A recording at default settings, and its report. Fails if there is none.
compare_record() # NAME SOURCE COMMAND
{
	local name=$1 source=$2 command levels=() asked=()

	compare_name=$1
	command=$(compare_placed "$3")
	[ "$source" = engine ] && command=$3 levels=(-e "l1-miss${l2:+,l2-miss}" ${l2:+--L2 "$l2"} --pages "$pages")
	[ "$source" != bursts ] || levels=(${l2:+--L2 "$l2"}) asked=(${l2:+--pages "$pages"})
	[ -s "$name.$source.ccs" ] || [ "$source" = module ] ||
		compare_run record --source "$source" --quiet --seed "$seed" --D1 "$d1" "${levels[@]}" "${options[@]}" \
			-o "$name.$source.ccs" -- "$command" || :
	"$build/ccsample" report --json "${asked[@]}" "$name.$source.ccs" >"$name.$source.json" 2>/dev/null
}

# Loops of a program are the same by address; the C library chooses by processor between several
# of the same source lines.
compare_keys='def base: sub(".*/"; "");
	def key: if (.dso // "") | test("\\.so") | not then .address
		else ((.file // .dso // "?") | base) + ":" + ((.line // .address) | tostring) end;
	def where: ((.file // .dso // "?") | base) + ":" + ((.line // .address) | tostring) + " " + (.function // "?");'

compare_rows() # NAME SOURCE
{
	jq -r "$compare_keys"' (.levels | map({key: "\(.level)", value: .misses}) | from_entries) as $all |
		[.loops[] | . as $loop | .levels[] | select(.misses > 0) |
			{level, key: ($loop | key), where: ($loop | where), misses, conflict, net: (.conflict - .anticonflicts)}] |
		group_by([.level, .key])[] | (map(.misses) | add) as $misses |
		["loop", .[0].level, .[0].key, .[0].where, $misses, $misses / $all["\(.[0].level)"],
			(map(.conflict) | add) / $misses, (map(.net) | add) / $misses] | @tsv' \
		"$1.sim" >"$1.truth"
	jq -r '["ratio", .levels[0].misses / .references] | @tsv' "$1.sim" >>"$1.truth"
	jq -r "$compare_keys"' (.loops | sort_by(-.samples)[] | . as $loop | .levels[] | ["loop", .level, ($loop | key), .samples,
			.conflict_share // 0, .conflict_low // 0, .conflict_high // 1, .verdict, .saved_share // 0] | @tsv),
		(select(.bursts) | ["ratio", .bursts.miss_ratio // 0, .bursts.count // 0] | @tsv)' "$1.$2.json" >"$1.$2.said"
	# Bursts answer for L2, too; without a long one they have no sample of it.
	awk -F'\t' -v OFS='|' -v name="$1" -v source="$2" '
		BEGIN { if (source == "bursts") levels[2] }
		NR == FNR && $1 == "loop" {
			if (!(($2, $3) in said))
				said[$2, $3] = $4 OFS $5 OFS $6 OFS $7 OFS $8 OFS $9
			levels[$2]
		}
		NR == FNR && $1 == "ratio" { ratio = $2; bursts = $3 }
		NR == FNR { next }
		$1 == "loop" && $2 in levels {
			print "loop", name, source, $2, $4, $5, $6, $7, ($2, $3) in said ? said[$2, $3] : "0|0|0|1|no sample|0",
				($8 > 0 ? $8 : 0)
		}
		$1 == "ratio" && bursts { print "ratio", name, source, $2, ratio, bursts }' "$1.$2.said" "$1.truth"
}
