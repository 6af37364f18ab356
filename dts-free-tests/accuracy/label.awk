# SPDX-License-Identifier: GPL-2.0-only
#
# The rule: a loop is conflicting if what it pays for misses would fall by at least a tenth were the
# caches fully associative, or with one of the pads. At L1 and at L2 it pays a miss each; in
# all, by latency beyond the level inside: 10 cycles for a miss of L1, 30 of L2, 180 of L3.
#
# In: "exact" lines of exact.txt. Out, for each loop:
#   label LOOP name l1 l2 whole miss-rate share1 share2 reason reason reason
# A reason is "full", the pad, or "-" for the clean. At L2 a loop may be "idle": it misses there
# less than once in 200 references, and is not scored.

function cost(first)
{
	return 10 * $(first) + 30 * $(first + 1) + 180 * $(first + 2)
}

function judge(loop, kind, before, after, reason)
{
	if (!((loop, kind) in why) && before > 0 && after <= 0.9 * before)
		why[loop, kind] = reason
}

$1 == "exact" && $4 == "as-is" {
	loop = $2
	if (!(loop in name))
		order[++loops] = loop
	name[loop] = $3
	references[loop] = $5
	base[loop, 1] = $6
	base[loop, 2] = $7
	base[loop, 3] = cost(6)
	share1[loop] = $12 ? $14 / $12 : 0
	share2[loop] = $13 ? $15 / $13 : 0
	judge(loop, 1, $6, $9, "full")
	judge(loop, 2, $7, $10, "full")
	judge(loop, 3, cost(6), cost(9), "full")
}

$1 == "exact" && $4 != "as-is" {
	judge($2, 1, base[$2, 1], $6, $4)
	judge($2, 2, base[$2, 2], $7, $4)
	judge($2, 3, base[$2, 3], cost(6), $4)
}

function word(loop, kind)
{
	if (kind == 2 && base[loop, 2] < 0.005 * references[loop])
		return "idle"
	return (loop, kind) in why ? "conflicting" : "clean"
}

END {
	for (i = 1; i <= loops; i++) {
		loop = order[i]
		printf "label %s %s", loop, name[loop]
		for (kind = 1; kind <= 3; kind++)
			printf " %s", word(loop, kind)
		printf " %.4f %.4f %.4f", base[loop, 1] / references[loop], share1[loop], share2[loop]
		for (kind = 1; kind <= 3; kind++)
			printf " %s", (loop, kind) in why ? why[loop, kind] : "-"
		printf "\n"
	}
}
