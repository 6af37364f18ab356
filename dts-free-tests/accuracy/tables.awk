# SPDX-License-Identifier: GPL-2.0-only
#
# The tables of docs/explanation/accuracy-own.md, as Markdown: from loops.txt, labels.txt, scores.txt, and the
# models' files l1.model and whole.model (their cross-validation). With -v PLOT=FILE,
# the F1 scores as columns for gnuplot as well.

function ratio(a, b) { return b ? sprintf("%.3f", a / b) : "-" }

function f1(tp, fp, fn) { return ratio(2 * tp, 2 * tp + fp + fn) }

# F1, then precision and recall.
function cell(key)
{
	if (!(key in tp))
		return "-"
	return sprintf("%s (%s, %s)", f1(tp[key], fp[key], fn[key]),
		       ratio(tp[key], tp[key] + fp[key]), ratio(tp[key], tp[key] + fn[key]))
}

function keep(key, a, b, c, d, e, f)
{
	tp[key] = a; fp[key] = b; tn[key] = c; fn[key] = d; ug[key] = e; ui[key] = f
}

FNR == 1 { file = FILENAME; sub(".*/", "", file) }

file ~ /\.txt$/ && /\|/ && !/^#/ { split($0, field, "|"); arguments[++listed] = field[1] field[2]; next }
$1 == "label" { label_line[++loops] = $0; label_of[$2] = loops; next }
$1 == "excluded" { excluded[++exclusions] = $3 " (loop " $2 ")"; next }
$1 == "score" { keep($2 " " $3 " " $4 " " $5 " " $6, $7, $8, $9, $10, $11, $12); next }
$1 == "share" {
	key = $2 " " $3
	# Of loops: the mean estimate of those with enough samples in most runs.
	if (2 * $5 > $10) {
		large[key]++
		off_loop[key] += $7 - $8 > 0.1 || $8 - $7 > 0.1
	}
	large_runs[key] += $5
	off_runs[key] += $6
	covered[key] += $9
	all_runs[key] += $10
	if (key == "burst 1212") {
		estimate[$4] = sprintf("%.3f", $7)
		covers[$4] = sprintf("%d of %d", $9, $10)
	}
	next
}
$1 == "wrong" {
	key = $2 " " $3 " " $4 " " $5
	if ($5 == "verdict" && $3 != "single" && ($4 == 1212 || $4 == 10151))
		mistakes[key] = mistakes[key] (mistakes[key] ? ", " : "") $7 " (" $6 ": " $8 ")"
	next
}
/^L1 / {
	kind = file
	sub(/\.model$/, "", kind)
	keep("all " kind " " $2 " " $3 " model", $9, $12, $11, $10, 0, 0)
}

function scores(kind,   p, period, n, list, i)
{
	n = split("171 264 494 705 1212 4812 10151", list, " ")
	print "| period | cf, single | model, single | cf, bursts | model, bursts | **verdict, bursts** |"
	print "|---|---|---|---|---|---|"
	for (i = 1; i <= n; i++) {
		period = list[i]
		printf "| %d | %s | %s | %s | %s | **%s** |\n", period,
		       cell("all " kind " single " period " null"),
		       cell("all " kind " single " period " model"),
		       cell("all " kind " burst " period " null"),
		       cell("all " kind " burst " period " model"),
		       cell("all " kind " burst " period " verdict")
		if (PLOT && kind != "l2")
			printf "%s %d %s %s %s %s %s\n", kind, period,
			       plot("all " kind " single " period " null"),
			       plot("all " kind " single " period " model"),
			       plot("all " kind " burst " period " null"),
			       plot("all " kind " burst " period " model"),
			       plot("all " kind " burst " period " verdict") > PLOT
	}
	print ""
}

function plot(key) { return key in tp ? f1(tp[key], fp[key], fn[key]) : "nan" }

function halves(   kinds, k, i, n, list, kind, key)
{
	split("l1 l2 whole", kinds, " ")
	n = split("171 1212 4812 10151", list, " ")
	print "| scored | period | F1, development | F1, held out | false positives | conflicting, undecided | clean, undecided |"
	print "|---|---|---|---|---|---|---|"
	for (k = 1; k <= 3; k++)
		for (i = 1; i <= n; i++) {
			key = kinds[k] " burst " list[i] " verdict"
			kind = "all " key
			printf "| %s | %d | %s | %s | %s | %s | %s |\n", kinds[k], list[i],
			       plot("development " key), plot("held-out " key),
			       percent(fp[kind], fp[kind] + tn[kind]),
			       percent(ug[kind], tp[kind] + fn[kind]),
			       percent(ui[kind], fp[kind] + tn[kind])
		}
	print ""
}

function percent(a, b) { return b ? sprintf("%.1f%%", 100 * a / b) : "-" }

function shares(   list, n, i, key)
{
	n = split("burst 171,burst 264,burst 494,burst 705,burst 1212,burst 4812,burst 10151,burst+1 1212,burst+2 1212,burst+4 1212", list, ",")
	print "| samples, period | loops of 10,000 samples | mean within 0.10 | their runs within 0.10 | exact share inside the interval, all runs | F1 of the verdict, L1 |"
	print "|---|---|---|---|---|---|"
	for (i = 1; i <= n; i++) {
		key = list[i]
		split(key, part, " ")
		printf "| %s | %d | %s | %s | %s | %s |\n", key, large[key],
		       percent(large[key] - off_loop[key], large[key]),
		       percent(large_runs[key] - off_runs[key], large_runs[key]),
		       percent(covered[key], all_runs[key]), plot("all l1 " part[1] " " part[2] " verdict")
	}
	print ""
}

function reason(word, why) { return word == "conflicting" ? "**" why "**" : word == "idle" ? "idle" : "-" }

function wrongs(   kinds, k, i, list, n, key, part)
{
	split("l1 l2 whole", kinds, " ")
	n = split("burst 1212,burst 10151,burst+1 1212,burst+2 1212,burst+4 1212", list, ",")
	for (k = 1; k <= 3; k++)
		for (i = 1; i <= n; i++) {
			key = kinds[k] " " list[i] " verdict"
			split(list[i], part, " ")
			if (key in mistakes)
				printf "- %s, %s, %d: %s\n", kinds[k], part[1], part[2], mistakes[key]
		}
	print ""
}

function known(text) { return text == "" ? "-" : text }

function loop_table(   i, f)
{
	print "| | program | misses a reference | L1 | L2 | whole | exact L1 conflict share | estimated, 1212 | inside its interval |"
	print "|---|---|---|---|---|---|---|---|---|"
	for (i = 1; i <= loops; i++) {
		split(label_line[i], f, " ")
		printf "| %d | %s | %s | %s | %s | %s | %s | %s | %s |\n", f[2],
		       arguments[f[2]], f[7],
		       reason(f[4], f[10]), reason(f[5], f[11]), reason(f[6], f[12]), f[8],
		       known(estimate[f[2]]), known(covers[f[2]])
	}
	print ""
}

END {
	print "Against labels of L1: F1 (precision, recall)\n"
	scores("l1")
	print "Against labels of the whole hierarchy: cf and model of L1's samples, verdict of L1's and L2's\n"
	scores("whole")
	print "Against labels of L2, on L2's samples\n"
	scores("l2")
	print "The verdict in bursts, by half of the programs\n"
	halves()
	print "The estimated conflict share; +1, +2, +4: so many misses lost after each sample\n"
	shares()
	print "The loops; a label says what would help: full associativity, or a pad of so many bytes\n"
	loop_table()
	if (exclusions) {
		printf "Left out, because they miss less than once in 200 references:"
		for (i = 1; i <= exclusions; i++)
			printf "%s %s", (i > 1 ? "," : ""), excluded[i]
		print ".\n"
	}
	print "Wrong verdicts in bursts, with loop and how many of 20 runs\n"
	wrongs()
}
