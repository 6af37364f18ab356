# SPDX-License-Identifier: GPL-2.0-only
# Scores rows of compare.sh; docs/explanation/accuracy-detail.md has the rule.
BEGIN {
	FS = "|"
	classes = split("1000 10000 100000 1000000", least, " ")
	kinds = split("gross net", kind, " ")
}

function abs(x) { return x < 0 ? -x : x }

function percent(a, b) { return b ? sprintf("%.1f%%", 100 * a / b) : "-" }

$1 == "ratio" {
	programs[$3]++
	near[$3] += abs($4 - $5) <= 0.01
	worst[$3] = abs($4 - $5) > worst[$3] ? abs($4 - $5) : worst[$3]
}

function count(k, exact)
{
	loops[k]++
	conflicting[k] += exact >= 0.1
	found[k] += exact >= 0.1 && $13 == "conflict"
	positive[k] += exact < 0.1 && $13 == "conflict"
	undecided[k] += $13 == "undecided"
	unseen[k] += $13 == "no sample"
	if ($13 == "no sample")
		return
	within[k] += abs(exact - $10) <= 0.1
	close_to[k] += abs(exact - $10) <= 0.05
	held[k] += $11 - 0.0005 <= exact && exact <= $12 + 0.0005
}

# The exact share of a row.
function exact_share(i) { return kind[i] == "gross" ? $8 : $15 }

$1 == "loop" && $7 >= 0.01 && $6 >= least[1] {
	wrong = ""
	for (i = 1; i <= kinds; i++) {
		groups[kind[i] " " $3 " " $4]
		for (c = 1; c <= classes && $6 >= least[c]; c++)
			count(kind[i] " " $3 " " $4 " " least[c], exact_share(i))
		if ((exact_share(i) >= 0.1) != ($13 == "conflict") || abs(exact_share(i) - $10) > 0.1)
			wrong = wrong (wrong ? ", " : "") kind[i]
	}
	if ($13 == "undecided" || $13 == "no sample" || wrong)
		missed[++misses] = sprintf("%-22s %-7s L%d %-36s %9d misses, exact %.2f, net %.2f, said %.2f [%.2f-%.2f] of %d: %s%s",
					   $2, $3, $4, $5, $6, $8, $15, $10, $11, $12, $9, $13, wrong ? " (" wrong ")" : "")
}

function line(which, source, level, c,   k, n, seen)
{
	k = which " " source " " level " " least[c]
	if (!loops[k])
		return
	n = found[k] + positive[k] + conflicting[k]
	seen = loops[k] - unseen[k]
	printf "| %s L%d | %d | %d | %d | %s | %d | %s | %s | %s | %s | %s |\n", source, level, least[c], loops[k],
	       conflicting[k], n ? sprintf("%.3f", 2 * found[k] / n) : "-", positive[k],
	       percent(undecided[k], loops[k]), percent(unseen[k], loops[k]), percent(within[k], seen),
	       percent(close_to[k], seen), percent(held[k], seen)
}

function table(which,   i, n, level, c)
{
	print "| " which " | misses, at least | loops | conflicting | F1 | false positives | undecided | no sample | share within 0.10 | 0.05 | interval holds |"
	print "|---|---|---|---|---|---|---|---|---|---|---|"
	n = split("engine bursts module", sources, " ")
	for (i = 1; i <= n; i++)
		for (level = 1; level <= 3; level++)
			for (c = 1; c <= classes && which " " sources[i] " " level in groups; c++)
				line(which, sources[i], level, c)
	print ""
}

END {
	for (i = 1; i <= kinds; i++)
		table(kind[i])
	for (source in programs)
		printf "%s: L1 miss ratio within 1 point in %d of %d programs, at worst %.1f points off\n\n", source,
		       near[source], programs[source], 100 * worst[source]
	print "Undecided, without a sample, not as simulated, or the share off by more than 0.10:"
	for (i = 1; i <= misses; i++)
		print missed[i]
}
