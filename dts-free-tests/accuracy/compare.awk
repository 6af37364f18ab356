# SPDX-License-Identifier: GPL-2.0-only
# Scores rows of compare.sh; docs/explanation/accuracy.md has the rule. With -v ALL=1 each row, too.
BEGIN {
	FS = "|"
	classes = split("1000 10000 100000 1000000", least, " ")
}

function abs(x) { return x < 0 ? -x : x }

function percent(a, b) { return b ? sprintf("%.1f%%", 100 * a / b) : "-" }

$1 == "ratio" {
	programs[$3]++
	near[$3] += abs($4 - $5) <= 0.01
	worst[$3] = abs($4 - $5) > worst[$3] ? abs($4 - $5) : worst[$3]
}

$1 == "loop" && $7 >= 0.01 && $6 >= least[1] {
	is = $8 >= 0.1
	unknown = $13 == "undecided" || $13 == "no sample"
	wrong = is != ($13 == "conflict") || unknown
	if (wrong || abs($8 - $10) > 0.1)
		missed[++misses] = sprintf("%-22s %-7s L%d %-36s %9d misses, exact %.2f, said %.2f [%.2f-%.2f] of %d: %s",
					   $2, $3, $4, $5, $6, $8, $10, $11, $12, $9, $13)
	groups[$3 " " $4]
	for (c = 1; c <= classes && $6 >= least[c]; c++) {
		k = $3 " " $4 " " least[c]
		loops[k]++
		conflicting[k] += is
		found[k] += is && $13 == "conflict"
		positive[k] += !is && $13 == "conflict"
		undecided[k] += $13 == "undecided"
		unseen[k] += $13 == "no sample"
		if ($13 == "no sample")
			continue
		within[k] += abs($8 - $10) <= 0.1
		close_to[k] += abs($8 - $10) <= 0.05
		net = $8 > $14 ? $8 - $14 : 0
		held_net[k] += $11 - 0.0005 <= net && net <= $12 + 0.0005
		held[k] += $11 - 0.0005 <= $8 && $8 <= $12 + 0.0005
	}
}

function line(source, level, c,   k, n, seen)
{
	k = source " " level " " least[c]
	if (!loops[k])
		return
	n = 2 * found[k] + positive[k] + conflicting[k] - found[k]
	seen = loops[k] - unseen[k]
	printf "| %s L%d | %d | %d | %d | %s | %d | %s | %s | %s | %s | %s | %s |\n", source, level, least[c], loops[k],
	       conflicting[k], n ? sprintf("%.3f", 2 * found[k] / n) : "-", positive[k],
	       percent(undecided[k], loops[k]), percent(unseen[k], loops[k]), percent(within[k], seen),
	       percent(close_to[k], seen), percent(held[k], seen), percent(held_net[k], seen)
}

END {
	print "| source | misses, at least | loops | conflicting | F1 | false positives | undecided | no sample | share within 0.10 | 0.05 | interval holds | net |"
	print "|---|---|---|---|---|---|---|---|---|---|---|---|"
	n = split("engine bursts", sources, " ")
	for (i = 1; i <= n; i++)
		for (level = 1; level <= 3; level++)
			for (c = 1; c <= classes && sources[i] " " level in groups; c++)
				line(sources[i], level, c)
	for (source in programs)
		printf "\n%s: L1 miss ratio within 1 point in %d of %d programs, at worst %.1f points off\n", source,
		       near[source], programs[source], 100 * worst[source]
	print "\nNot as simulated, or the share off by more than 0.10:"
	for (i = 1; i <= misses; i++)
		print missed[i]
}
