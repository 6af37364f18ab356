# SPDX-License-Identifier: GPL-2.0-only
# Tables 2 to 4, as Markdown, of metrics.csv.

function percent(x)
{
	if (x == "-")
		return x
	return sprintf("%.1f%%", x > -0.0005 && x < 0 ? 0 : 100 * x)	# no "-0.0%"
}
function faster(a, b) { return b > 0 ? a / b : 0 }
function gone(a, b) { return a > 0 ? percent(1 - b / a) : "-" }
NR == 1 { next }
{ name[$1] = 1; if ($2 == "original") order[++n] = $1; row[$1, $2] = $0 }
END {
	print "# Table 2: the applications\n"
	print "| application | active inner loops | target loop, its share of L1 misses | sampling, CPU time over native | simulation |"
	print "|---|---|---|---|---|"
	for (i = 1; i <= n; i++) {
		split(row[order[i], "original"], f)
		printf "| %s | %d | line %s, %s | %.1f | %.1f |\n", order[i], f[3], f[10], percent(f[4]), f[12], f[13]
	}
	print "\n# Table 3: what the cure did\n"
	print "| application | speedup (CPU time, this machine) | L1 misses less | L2 | L3 |"
	print "|---|---|---|---|---|"
	for (i = 1; i <= n; i++) {
		split(row[order[i], "original"], f); split(row[order[i], "better"], g)
		printf "| %s | %.2f | %s | %s | %s |\n", order[i], faster(f[11], g[11]), gone(f[14], g[14]), gone(f[15], g[15]), gone(f[16], g[16])
	}
	print "\n# Table 4: the target loops at L1\n"
	print "| application | | share of misses | sets used | cf | conflict share | verdict |"
	print "|---|---|---|---|---|---|---|"
	for (i = 1; i <= n; i++)
		for (s = 1; s <= 2; s++) {
			side = s == 1 ? "original" : "better"
			split(row[order[i], side], f)
			printf "| %s | %s | %s | %s | %.3f | %s | %s |\n", s == 1 ? order[i] : "", side, percent(f[4]), f[6], f[7], percent(f[8]), f[9]
		}
}
