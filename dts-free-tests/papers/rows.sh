# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The commands of docs/papers.md, a function for each: it prints what came out, and fails where that
# is not what the page says. quick_*: seconds; slow_*: minutes to hours, by `make papers` alone.
# Each names its geometry, page model and seed. $tool and $programs are set by the caller, who runs
# them in an empty directory.

# Every L1 miss of a program, on 32K,8,64.
recorded() # program arguments...
{
	local name=$1

	shift
	"$tool" record --source engine --D1 32K,8,64 --period 1 --seed 1 -q -o "$name.ccs" -- "$programs/$name" "$@" >/dev/null
}

simulated() # out options... -- program arguments...
{
	local out=$1

	shift
	"$tool" sim -q -o "$out.sim" "$@" >/dev/null && "$tool" sim -i "$out.sim" --json >"$out"
}

# ---- CCProf ----

quick_ccprof_equation_1()
{
	recorded symmetrize -r 2 && "$tool" report --json --threshold 8 --by-set symmetrize.ccs >found &&
		jq -re '.loops[0].levels[0] | select(((([.sets[].cf] | add) - .cf) | fabs) < 1e-9) |
			"cf \(.cf) is the sum over \(.sets | length) sets, T = \(.threshold)"' found
}

quick_ccprof_table_1()
{
	recorded symmetrize -r 20 && "$tool" report --json symmetrize.ccs >high &&
		recorded symmetrize -r 20 -p 64 && "$tool" report --json symmetrize.ccs >low &&
		jq -rse '[.[].loops[0].levels[0]] | select(.[0].verdict == "conflict" and .[1].verdict != "conflict" and
			.[0].cf > 2 * .[1].cf) | "cf \(.[0].cf): \(.[0].verdict); padded cf \(.[1].cf): \(.[1].verdict)"' high low
}

# Figures 4 and 6: how long a set keeps its RCD.
quick_ccprof_conflict_periods()
{
	recorded stencil19 -r 2 && "$tool" report --json stencil19.ccs >found &&
		jq -re '.loops[0].levels[0] | . as $level | [.conflict_periods[] | select(.from == 64) | .misses] | add /
			$level.samples | select(. > 0.85 and . < 0.95) |
			"\(. * 1000 | round / 10)% of the misses in runs over 64 to 127 misses"' found
}

quick_sma_reduction()
{
	local rank root=

	[ -e "$(dirname "$tool")/mpi/libccsample-mpi.so" ] || { echo "not run: no mpicc when this was built"; return 0; }
	[ "$(id -u)" != 0 ] || root=--allow-run-as-root
	for rank in 0 1 2; do
		PMI_RANK=$rank "$tool" record --source engine --D1 32K,8,64 --seed 1 -q -o run.%r.ccs \
			-- "$programs/tiled-dp" -r $((rank + 1)) >/dev/null
	done
	"$tool" report --csv run.*.ccs >one &&
		ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 timeout 120 mpirun $root --oversubscribe -n 3 "$tool" report --csv run.*.ccs >three && cmp one three &&
		echo "3 recordings by three processes: the $(wc -l <one) lines of one"
}

# Pages random:1; L1 does not depend on them.
quick_ccprof_listing_1()
{
	simulated plain --D1 32K,8,64 -- "$programs/nw" -r 1 && simulated padded --D1 32K,8,64 -- "$programs/nw" -r 1 -p 60 &&
		"$tool" record --source engine --D1 32K,8,64 --seed 1 -q -o nw.ccs -- "$programs/nw" -r 1 >/dev/null &&
		"$tool" record --source bursts --overhead 20% --D1 32K,8,64 --seed 1 -q -o bursts.ccs -- "$programs/nw" -r 96 >/dev/null &&
		"$tool" report nw.ccs >engine.txt && "$tool" report bursts.ccs >bursts.txt &&
		grep -q '^conflict .* in copy_back: ' engine.txt && grep -q '^conflict .* in copy_back: ' bursts.txt &&
		grep -q '  data  *input_itemsets' engine.txt && grep -q '  data  *referrence' engine.txt &&
		grep -q 'make the rows of input_itemsets [0-9,]* B long instead of 8,196' bursts.txt &&
		jq -rse '[.[].levels[0]] | select(.[0].conflict > 400000 and .[1].conflict < 4000) |
			"misses \(.[0].misses), padded \(.[1].misses); conflicts \(.[0].conflict), \(.[1].conflict)"' plain padded
}

slow_ccprof_overhead()
{
	"$top/dts-free-tests/bench/overhead" "$build"
}

slow_ccprof_tables_and_figures()
{
	make --no-print-directory -C "$top" reproduce
}

# ---- C2Sim ----

quick_c2sim_himeno()
{
	simulated found --D1 32K,8,64 --L2 256K,8,64 --L3 20M,20,64 --pages random:1 -- "$programs/stencil19" -r 4 &&
		jq -re '[.levels[] | 100 * .conflict / .misses | round] | select(.[0] > 85 and .[1] == 0 and .[2] == 0) |
			"conflict share at L1, L2, L3: \(.)%"' found
}

quick_c2sim_evictors()
{
	simulated found --D1 32K,8,64 -- "$programs/symmetrize" -r 1 &&
		jq -re '.levels[0].conflict as $all | [.pairs[].conflicts[0]] | add | select(. == $all and $all > 1000) |
			"\(.) conflicts, each with its victim and evictor"' found
}

# Twelve blocks of one place, eight lines of each on the same eight sets, 200 times over.
quick_c2sim_objects()
{
	cat >blocks.c <<-'END'
		#include <stdlib.h>
		#include <string.h>
		int main(void)
		{
			volatile double *row[12], sum = 0;

			for (int i = 0; i < 12; i++)
				row[i] = aligned_alloc(4096, 4096);
			for (int turn = 0; turn < 200; turn++)
				for (int k = 0; k < 64; k += 8)
					for (int i = 0; i < 12; i++)
						row[i][k] = turn;
			return sum;
		}
	END
	gcc -O1 -g -o blocks blocks.c && simulated found --D1 32K,8,64 --blocks 64 -- ./blocks &&
		"$tool" record --source engine --D1 32K,8,64 --period 1 --seed 1 -q -o blocks.ccs -- ./blocks &&
		"$tool" report --json blocks.ccs >report && jq -rse '[.[0].objects[] | select(.name | startswith("row[#")) |
			{ accesses, misses: .levels[0].misses }] as $blocks | .[1].loops[0].levels[0].pairs[0] as $told |
			[.[0].pairs[] | select(.victim.object // "" | startswith("row[#"))] | (map(.conflicts[0]) | add) as $all |
			(map(select(.kind == "inter").conflicts[0]) | add / $all) | select(. > 0.99 and $told.kind == "inter" and
			$told.share > 0.95 and ($blocks | length == 12 and all(.accesses == 1600 and .misses == 1600))) |
			"row[#1] to row[#12]: 1600 accesses, 1600 misses each; inter: \(. * 100 | round)%, report: \($told.share * 100 |
			round)%"' found report
}

quick_c2sim_controlled()
{
	"$tool" sim --D1 32K,8,64 --generate column:12x100 --json -o walk >expected &&
		"$tool" sim -i walk --D1 32K,8,64 --json >found &&
		jq -rse '[.[].levels[0] | [.cold, .capacity, .conflict]] | select(.[0] == .[1] and .[0] == [12, 0, 1188]) |
			"12 lines of one set, 100 times: cold, capacity, conflict \(.[0])"' expected found
}

quick_c2sim_fifo()
{
	simulated found --D1 32K,8,64 --classify fifo -- "$programs/twelve" -r 1 &&
		jq -re '[.levels[0].detectors[] | "\(.name) \(.error * 1000 | round / 10)%"] | select(length == 4) | join("; ")' found
}

quick_c2sim_prefetch()
{
	simulated off --D1 32K,8,64 --L2 256K,8,64 -- "$programs/stencil19" -r 1 &&
		simulated on --D1 32K,8,64 --L2 256K,8,64 --prefetch next-line,stride -- "$programs/stencil19" -r 1 &&
		jq -rse '[.[].levels[0]] | select(.[1].capacity < .[0].capacity / 4 and .[1].conflict > .[0].conflict * 0.95) |
			"off, on: capacity \(.[0].capacity), \(.[1].capacity); conflicts \(.[0].conflict), \(.[1].conflict)"' off on
}

# Pages random:1. What L2's two leave of its misses, by themselves.
quick_c2sim_prefetch_l2()
{
	simulated off --D1 32K,8,64 --L2 256K,8,64 --pages random:1 -- "$programs/stencil19" -r 1 &&
		simulated on --D1 32K,8,64 --L2 256K,8,64 --pages random:1 --prefetch adjacent,stream -- "$programs/stencil19" -r 1 &&
		jq -rse '[.[].levels[1].misses] as [$off, $on] | .[1].prefetches | select($on < $off / 4 and length == 2) |
			"misses of L2 \($off), \($on); adjacent: \(.[0].issued) lines, \(.[0].useful) used; streamer: \(.[1].issued), \(
			.[1].useful)"' off on
}

# Pages identity. Two threads count in one line, 400,000 times each, in turns of 100 blocks: in words of their own, then in one.
quick_c2sim_coherence()
{
	gcc -O1 -g -pthread -o share "$top/dts-free-tests/sim/share.c" &&
		"$tool" sim -q --json -n 0 --D1 32K,8,64 --L2 256K,8,64 --pages identity --coherence mesi -- ./share 20000 100 >found &&
		jq -re '[.objects[] | {key: .name, value: .sharing}] | from_entries | select(.neighbours.misses == 198 and
			.neighbours.true_sharing == 0 and .same.misses == 198 and .same.false_sharing == 0 and .apart.misses == 0) |
			"coherence misses: neighbours \(.neighbours.misses), all false; the same word \(.same.misses), all true; a line each 0"' found
}

# Pages identity; 4K,4,64 and 8K,8,64 of each, and an L3 of 64K,16,64.
quick_c2sim_shared()
{
	local caches="--D1 4K,4,64 --L2 8K,8,64 --L3 64K,16,64"

	# shellcheck disable=SC2086 # words
	"$tool" sim $caches --generate row:600x50 -o walk >/dev/null && "$tool" sim $caches -q --json -i walk >apart &&
		"$tool" sim $caches -q --json -i walk --with walk >together &&
		jq -rse '[.[].levels[2].misses] | select(. == [600, 30000]) |
			"misses of L3 apart \(.[0]), together \(.[1])"' apart together
}

slow_c2sim_table_2()
{
	"$top/dts-free-tests/bench/ablation" "$build"
}

slow_c2sim_optimizations()
{
	"$top/dts-free-tests/bench/optimizations" "$build"
}

slow_c2sim_table_4()
{
	"$top/dts-free-tests/bench/cases" "$build" && "$top/dts-free-tests/bench/cases" "$build" 15 2
}

# POLYBENCH: a directory of the kernels that the user has built. 32K,8,64 and 256K,8,64, pages random:1.
slow_c2sim_polybench()
{
	if [ -z "${POLYBENCH:-}" ]; then
		echo "not run: POLYBENCH=DIR names PolyBench's kernels as you built them; they are not in this tree"
		return
	fi
	"$top/dts-free-tests/papers/polybench" "$build" "$POLYBENCH"
}

# Where retired loads are counted by level; elsewhere it says why not.
slow_c2sim_table_3()
{
	"$top/scripts/lab/rates" --build "$build" || echo "not measured here"
}

slow_detectors()
{
	"$top/dts-free-tests/bench/detectors" "$build"
}

# ---- MACPO ----

quick_macpo_reuse()
{
	simulated found --D1 32K,8,64 --classify reuse -- "$programs/stencil19" -r 2 &&
		jq -re '.levels[0] | (.conflict / .misses) as $exact | [.detectors[].error] | select($exact > 0.8 and .[0] > 0.3) |
			"exact \($exact * 1000 | round / 10)%; off by \(.[0] * 1000 | round / 10) points by set, \(
			.[1] * 1000 | round / 10) over all lines"' found
}

quick_macpo_function()
{
	"$tool" trace -q --function relax_row -o one -- "$programs/stencil19" -r 1 >/dev/null &&
		"$tool" analyze one --D1 32K,8,64 --json | jq -re 'select(.function == "relax_row" and .complete) |
			"\(.references) references of relax_row"'
}

# Twelve columns of one set that three instructions go through: the 11 others lie between two uses of a line.
quick_macpo_dot()
{
	"$tool" sim -q --dot --classify reuse -n 0 --D1 32K,8,64 -- "$programs/twelve" -r 20 >graph 2>/dev/null &&
		grep -q '^digraph' graph && grep -q 'in the set 11\.[01]; 100% beyond the ways.*dashed' graph &&
		echo "twelve: $(grep -- '->' graph | grep -vc dashed) arrows of evictions, $(grep -c dashed graph) edges of reuse, $(
			grep -c '^[[:space:]]*n[0-9]* \[label' graph) instructions on $(grep -c subgraph graph) objects"
}

# ---- Babka et al. ----

quick_babka_equations()
{
	"$top/dts-free-tests/share/test-given" "$build" >out && head -1 out && ! grep -q '^not ok' out
}

slow_babka_figures()
{
	make --no-print-directory -C "$top" sharing
}

# ---- ScalaMemTrace, SMA, SMA-ML ----

quick_sma_size()
{
	local steps size

	for steps in 8 64; do
		"$tool" trace -q -o trace.$steps -- "$programs/adi" -r $steps >/dev/null || return 1
	done
	size=$(($(stat -c %s trace.64) - $(stat -c %s trace.8)))
	[ "${size#-}" -lt 4000 ] && echo "adi, 8 and 64 steps: $(stat -c %s trace.8) and $(stat -c %s trace.64) bytes"
}

quick_sma_latency()
{
	"$tool" trace -q -o trace -- "$programs/adi" -r 2 >/dev/null &&
		"$tool" analyze trace --method compositional --D1 16K,4,32 --L2 64K,4,32 --json >estimate &&
		"$tool" analyze trace --D1 16K,4,32 --L2 64K,4,32 --json >exact &&
		jq -rse '[.[] | .levels as [$a, $b] | .geometries[0].cycles as $cycles |
			select($cycles == $a.hits + 12 * $b.hits + 50 * $b.misses) | $a.misses / $a.accesses] |
			select(length == 2) | "miss rate at L1: estimated \(.[0] * 1000 | round / 10)%, exact \(.[1] * 1000 | round / 10)%"' \
			estimate exact
}

# The thesis's sweep, 16 KB and 64 KB: how many of the 18 are more than 23 points off, by level.
quick_sma_accuracy()
{
	"$build/dts-free-tests/bench/compositional" sweep >sweep || return 1
	awk '/^line/ { count++; above[1] += $9 > 23; above[2] += $12 > 23 }
		/^error/ { sub(/^error, /, ""); print above[1] " and " above[2] " of " count " above 23 points; " $0 }
		END { exit count != 18 || above[1] != 0 || above[2] > 2 }' sweep
}

quick_sma_ranks()
{
	local rank

	gcc -O1 -g -o parts "$top/dts-free-tests/trace/parts.c" -pthread || return 1
	for rank in 0 2 3; do
		PMI_RANK=$rank "$tool" trace -q -o "rank.%r" -- ./parts 4$rank >/dev/null || return 1
	done
	"$tool" analyze rank.? --merge ranks 2>/dev/null &&
		[ "$(stat -c %s ranks)" -lt $((2 * $(stat -c %s rank.0))) ] &&
		echo "three ranks of three threads: $(cat rank.? | wc -c) bytes, merged $(stat -c %s ranks)"
}

# walk() is called from near(), from far() and at the end of recursions of 3 and 30 calls.
quick_sma_stacks()
{
	gcc -O1 -g -fno-optimize-sibling-calls -o callers "$top/dts-free-tests/trace/callers.c" &&
		"$tool" trace -q --stacks -o stacks -- ./callers >/dev/null && "$tool" analyze stacks --D1 32K,8,64 --json |
		jq -re '[.references_by[] | select(.function == "walk" and .object == "area")] | group_by(.stack) |
			map([.[].references] | add) | sort | select(. == [4000, 5000, 10000]) | "references of walk() by callers: \(.)"'
}

# Loads whose values nobody uses are references: 4 x 1,024 x 10 by how the function is written, and its return. So are two
# loads and two stores of locked read-modify-writes to each four.
quick_sma_references()
{
	gcc -O2 -g -o unused "$top/dts-free-tests/engine/unused.c" && "$tool" trace -q --function touch -o traced -- ./unused >/dev/null &&
		"$tool" analyze traced --D1 32K,8,64 --json |
		jq -re '[.references_by[] | select(.function == "touch").references] | add | select(. == 81921) | "\(.) references of touch()"'
}

# 1 to 64 ranks, which differ in what they are given alone.
slow_sma_ranks()
{
	local rank count

	gcc -O1 -g -o parts "$top/dts-free-tests/trace/parts.c" -pthread || return 1
	for ((rank = 10; rank < 74; rank++)); do
		PMI_RANK=$rank "$tool" trace -q -o "many.%r" -- ./parts $rank >/dev/null || return 1
	done
	for ((count = 2; count <= 64; count *= 2)); do
		"$tool" analyze $(seq -f 'many.%g' 10 $((9 + count))) --merge ranks 2>/dev/null || return 1
		echo "$count ranks of three threads: $(stat -c %s ranks) bytes; one $(stat -c %s many.10)"
	done
	[ "$(stat -c %s ranks)" -lt $((2 * $(stat -c %s many.10))) ]
}

# Sizes up to 96; figures 4.1 to 4.4 up to 256 by slow_sma_figures. No time is compared: machines are busy.
quick_sma_figures()
{
	"$top/dts-free-tests/bench/thesis-figures" "$build" times.svg 96 && [ -s times.svg ] &&
		[ "$(grep -c '^[0-9]' times.svg.txt)" = 16 ] && sed -n 's/^96 //p' times.svg.txt | head -n 1 |
		awk '{ print "matrix product 96: " $1 " references; simulated " $2 " s, exact " $3 " s, estimated " $4 " s; times.svg" }'
}

slow_sma_figures()
{
	"$top/dts-free-tests/bench/thesis-figures" "$build" "$build/thesis-figures.pdf" 256 && cat "$build/thesis-figures.pdf.txt"
}

slow_sma_bench()
{
	make --no-print-directory -C "$top" bench
}
