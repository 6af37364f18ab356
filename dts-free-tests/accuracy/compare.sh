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
#         that a fully associative level has not, EXACT where it was not simulated (compare_net)
#   ratio NAME SOURCE EXACT SAID BURSTS
#         L1 misses of all references; of bursts only

# The same addresses each time, where that is allowed.
compare_at=()
! setarch -R true 2>/dev/null || compare_at=(setarch -R)

# A command's words; what it prints is lost.
compare_run() # ccsample's arguments... -- COMMAND
{
	local argv

	read -ra argv <<<"${*: -1}"
	"${compare_at[@]}" "$build/ccsample" "${@:1:$#-1}" "${argv[@]}" \
		>/dev/null 2>"$compare_name.err" </dev/null
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

# The fully associative shadow of a level in its place, where a loop's conflicts may be made up for by
# hits saved: it has a tenth of conflicts, and the level saves hits for more than 1% of its misses.
compare_net() # NAME COMMAND
{
	local level cache=(--D1 "$d1" ${l2:+--L2 "$l2"})

	compare_name=$1
	for level in $(jq -r '.levels as $all | [.loops[].levels[] | . as $l | $all[] | select(.level == $l.level) |
			select($l.misses >= 1000 and $l.conflict >= 0.1 * $l.misses and .anticonflicts > 0.01 * $l.misses) |
			.level] | unique[]' "$1.sim"); do
		[ ! -s "$1.net$level" ] || continue
		[ "$level" != 1 ] || cache=(--D1 "$(compare_full "$d1")")
		[ "$level" = 1 ] || cache=(--D1 "$d1" --L2 "$(compare_full "$l2")")
		compare_run sim --quiet --repeatable "${cache[@]}" --pages "$pages" -o "$1.results" -- "$2" || [ -s "$1.results" ] || return 1
		"$build/ccsample" sim --json -i "$1.results" >"$1.net$level"
		rm -f "$1.results"
	done
}

# 32K,8,64 -> 32K,512,64
compare_full() # CACHE
{
	local size ways line bytes

	IFS=, read -r size ways line <<<"$1"
	bytes=$(numfmt --from=iec "$size")
	echo "$size,$((bytes / line)),$line"
}

# A recording at default settings, and its report. Fails if there is none.
compare_record() # NAME SOURCE COMMAND
{
	local name=$1 source=$2 levels=()

	compare_name=$1
	[ "$source" = engine ] && levels=(-e "l1-miss${l2:+,l2-miss}" ${l2:+--L2 "$l2"} --pages "$pages")
	[ -s "$name.$source.ccs" ] || [ "$source" = module ] ||
		compare_run record --source "$source" --quiet --seed "$seed" --D1 "$d1" "${levels[@]}" "${options[@]}" \
			-o "$name.$source.ccs" -- "$3" || :
	"$build/ccsample" report --json "$name.$source.ccs" >"$name.$source.json" 2>/dev/null
}

# Loops of a program are the same by address; the C library chooses by processor between several
# of the same source lines.
compare_keys='def base: sub(".*/"; "");
	def key: if (.dso // "") | test("\\.so") | not then .address
		else ((.file // .dso // "?") | base) + ":" + ((.line // .address) | tostring) end;
	def where: ((.file // .dso // "?") | base) + ":" + ((.line // .address) | tostring) + " " + (.function // "?");'

compare_rows() # NAME SOURCE
{
	local level

	jq -r "$compare_keys"' (.levels | map({key: "\(.level)", value: .misses}) | from_entries) as $all |
		[.loops[] | . as $loop | .levels[] | select(.misses > 0) |
			{level, key: ($loop | key), where: ($loop | where), misses, conflict}] |
		group_by([.level, .key])[] | (map(.misses) | add) as $misses |
		["loop", .[0].level, .[0].key, .[0].where, $misses, $misses / $all["\(.[0].level)"], (map(.conflict) | add) / $misses] | @tsv' \
		"$1.sim" >"$1.truth"
	jq -r '["ratio", .levels[0].misses / .references] | @tsv' "$1.sim" >>"$1.truth"
	for level in 1 2; do
		[ ! -s "$1.net$level" ] || jq -r --argjson level $level "$compare_keys"' ["full", $level],
			([.loops[] | . as $loop | .levels[] | select(.level == $level) | {key: ($loop | key), misses}] |
				group_by(.key)[] | ["full", $level, .[0].key, (map(.misses) | add)]) | @tsv' "$1.net$level"
	done >"$1.full"
	jq -r "$compare_keys"' (.loops | sort_by(-.samples)[] | . as $loop | .levels[] | ["loop", .level, ($loop | key), .samples,
			.conflict_share // 0, .conflict_low // 0, .conflict_high // 1, .verdict, .saved_share // 0] | @tsv),
		(select(.bursts) | ["ratio", .bursts.miss_ratio // 0, .bursts.count // 0] | @tsv)' "$1.$2.json" >"$1.$2.said"
	awk -F'\t' -v OFS='|' -v name="$1" -v source="$2" '
		NR == FNR && $1 == "loop" {
			if (!(($2, $3) in said))
				said[$2, $3] = $4 OFS $5 OFS $6 OFS $7 OFS $8 OFS $9
			levels[$2]
		}
		$1 == "full" { full[$2, $3] = $4; next }
		NR == FNR && $1 == "ratio" { ratio = $2; bursts = $3 }
		NR == FNR { next }
		$1 == "loop" && $2 in levels {
			net = ($2, "") in full ? 1 - full[$2, $3] / $5 : $7
			print "loop", name, source, $2, $4, $5, $6, $7, ($2, $3) in said ? said[$2, $3] : "0|0|0|1|no sample|0",
				(net > 0 ? net : 0)
		}
		$1 == "ratio" && bursts { print "ratio", name, source, $2, ratio, bursts }' "$1.$2.said" "$1.full" "$1.truth"
}
