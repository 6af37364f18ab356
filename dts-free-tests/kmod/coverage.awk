# SPDX-License-Identifier: GPL-2.0-only
# At which of a function's instructions did interrupts come?
#
#	awk -v functions="NAME..." -v kind=came|wanted -f coverage.awk PRODS DISASSEMBLY
#
# PRODS: the core's file of places (vcore-prod.c): what was executed outside of NMIs,
# and in them, where PMIs came, and where one was wanted while LVTPC was masked.
# DISASSEMBLY: objdump -d of the same code. No instruction that was executed outside
# of NMIs (wanted: in them) may be without one, and of each function some was.

BEGIN {
	split(functions, words, " ")
	for (i in words)
		want[words[i]] = 1
}

FNR == NR {
	executed[$1] = kind == "came" ? $3 : $5
	interrupted[$1] = kind == "came" ? $7 : $9
	next
}

/^[0-9a-f]+ <.*>:$/ {
	name = substr($2, 2, length($2) - 3)
	next
}

name in want && /^ *[0-9a-f]+:\t/ {
	at = substr($1, 1, length($1) - 1)
	all++
	if (!executed[at])
		next
	seen[name] = 1
	reached++
	interrupts += interrupted[at]
	if (!interrupted[at]) {
		print "no interrupt in " name " at " at
		failed = 1
	}
}

END {
	for (i in want) {
		if (!seen[i]) {
			print "not executed, or no such function: " i
			failed = 1
		}
	}
	printf "%d interrupts at %d instructions; %d more were not executed\n",
		interrupts, reached, all - reached
	exit failed
}
