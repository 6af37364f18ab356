# SPDX-License-Identifier: GPL-2.0-only
#
# Scores runs.txt by labels.txt (read first). Loops that miss less than once in 200
# references are left out. Out:
#
#   score HALF KIND SAMPLES PERIOD CLASSIFIER tp fp tn fn undecided-conflicting undecided-clean
#     KIND l1, l2, whole; SAMPLES single, burst, burst+1, +2, +4 (lost after each);
#     CLASSIFIER null (cf against the null), verdict (the tools' own)
#   share SAMPLES PERIOD LOOP runs-with-10000-samples off-by-0.1 mean-estimate truth covered runs
#   wrong KIND SAMPLES PERIOD CLASSIFIER LOOP times
#
# and, into VALUES-l1 and VALUES-whole, what `ccsample train --values` learns from.

function half(program,   i, j, t)
{
	if (!sorted) {
		for (i = 2; i <= programs; i++)
			for (j = i; j > 1 && program_at[j] < program_at[j - 1]; j--) {
				t = program_at[j]
				program_at[j] = program_at[j - 1]
				program_at[j - 1] = t
			}
		for (i = 1; i <= programs; i++)
			half_of[program_at[i]] = i % 2 ? "development" : "held-out"
		sorted = 1
	}
	return half_of[program]
}

function count(loop, kind, samples, period, classifier, verdict,   is, key, h, n)
{
	if (label[loop, kind] == "idle")
		return
	is = label[loop, kind] == "conflicting"
	for (n = 1; n <= 2; n++) {
		h = n == 1 ? "all" : half(name[loop])
		key = h " " kind " " samples " " period " " classifier
		keys[key] = 1
		tp[key] += is && verdict == "conflict"
		fn[key] += is && verdict != "conflict"
		fp[key] += !is && verdict == "conflict"
		tn[key] += !is && verdict != "conflict"
		ug[key] += is && verdict == "undecided"
		ui[key] += !is && verdict == "undecided"
	}
	if (is != (verdict == "conflict"))
		wrong[kind " " samples " " period " " classifier " " loop " " name[loop]]++
}

$1 == "label" {
	if ($7 < 0.005) {
		print "excluded", $2, $3, $7
		next
	}
	name[$2] = $3
	if (!($3 in half_of)) {
		half_of[$3] = "?"
		program_at[++programs] = $3
	}
	label[$2, "l1"] = $4
	label[$2, "l2"] = $5
	label[$2, "whole"] = $6
	truth[$2, 1] = $8
	next
}

$1 != "run" || !($2 in name) { next }

{
	loop = $2; level = $3; period = $4
	samples = $5 == 1 ? "single" : "burst"
	if ($6 > 0)
		samples = samples "+" $6
	null = $8 < 30 ? "undecided" : $10 < 0.01 && $9 > 0.168 ? "conflict" : "none"
	verdict = $11
	kind = "l" level
	count(loop, kind, samples, period, "null", null)
	count(loop, kind, samples, period, "verdict", verdict)
	key = loop " " samples " " period " " $7
	if (level == 1) {
		first_null[key] = null
		first_verdict[key] = verdict
		if (samples == "single") {	# L1 alone
			count(loop, "whole", samples, period, "null", null)
			count(loop, "whole", samples, period, "verdict", verdict)
		}
		if ($6 == 0 && $8 >= 30) {
			printf "1 %s %d %s %.6f %s\n", samples, period, name[loop], $9,
			       label[loop, "l1"] > (VALUES "-l1")
			printf "1 %s %d %s %.6f %s\n", samples, period, name[loop], $9,
			       label[loop, "whole"] > (VALUES "-whole")
		}
	} else if ($6 == 0) {
		v = first_verdict[key]
		if (v != "conflict" && (verdict == "conflict" || v == "undecided" ||
					verdict == "undecided"))
			v = verdict == "conflict" ? verdict : "undecided"
		count(loop, "whole", samples, period, "verdict", v)
		count(loop, "whole", samples, period, "null", first_null[key])
	}
	if (level == 1 && $5 > 1 && $8 >= 30) {
		key = samples " " period " " loop
		shares[key] = 1
		runs[key]++
		covered[key] += truth[loop, 1] >= $13 - 0.00005 && truth[loop, 1] <= $14 + 0.00005
		sum[key] += $12
		if ($8 >= 10000) {
			large[key]++
			away = $12 - truth[loop, 1]
			off[key] += away > 0.1 || away < -0.1
		}
	}
}

END {
	for (key in keys)
		print "score", key, tp[key], fp[key], tn[key], fn[key], ug[key], ui[key]
	for (key in shares) {
		split(key, part, " ")
		print "share", key, large[key] + 0, off[key] + 0, sum[key] / runs[key],
		      truth[part[3], 1], covered[key], runs[key], name[part[3]]
	}
	for (key in wrong)
		print "wrong", key, wrong[key]
}
