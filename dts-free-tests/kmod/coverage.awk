# SPDX-License-Identifier: GPL-2.0-only
# At which of a function's instructions did interrupts come?
#
#	awk -v text=HEX -v functions="NAME..." -v least=N -f coverage.awk DISASSEMBLY PMIS
#
# DISASSEMBLY: objdump -d of the module's .text, which lies at `text` in the
# guest. PMIS: addresses, a line each. Code is taken in runs that are executed
# from their first to their last instruction: from a target of a jump or behind
# one to the next. Of each run that was hit `least` times an instruction on
# average every instruction must have been hit, and that must be most of what was
# hit at all.

function end_run(	i, hit, holes)
{
	for (i = run; i < n; i++) {
		hit += hits[at[i]]
		holes = hits[at[i]] ? holes : holes " " at[i]
	}
	if (n > run && hit >= least * (n - run)) {
		taken += n - run
		if (holes != "") {
			print "no interrupt in " name " at" holes
			failed = 1
		}
	} else if (hit) {
		rare += n - run
	} else {
		never += n - run
	}
	run = n
}

function number(hex,	i, value)
{
	hex = tolower(hex)
	for (i = 1; i <= length(hex); i++)
		value = value * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return value
}

# An address in the guest as an offset; 48 bits of it fit a double.
function offset(hex)
{
	return number(substr(hex, length(hex) - 11)) - number(substr(text, length(text) - 11))
}

BEGIN {
	split(functions, wanted, " ")
	for (i in wanted)
		want[wanted[i]] = 1
	while ((getline line < ARGV[2]) > 0)
		hits[sprintf("%x", offset(line))]++
	ARGV[2] = ""
	# First what jumps where, then the code.
	while ((getline line < ARGV[1]) > 0) {
		if (match(line, /\tj[a-z]+ +[0-9a-f]+ </)) {
			split(substr(line, RSTART + 1, RLENGTH), word, " ")
			target[word[2]] = 1
		}
	}
}

/^[0-9a-f]+ <.*>:$/ {
	if (name in want)
		end_run()
	name = substr($2, 2, length($2) - 3)
	n = run = 0
	next
}

name in want && /^ *[0-9a-f]+:\t/ {
	address = $1
	sub(":", "", address)
	if (target[address])
		end_run()
	at[n++] = address
	code = $0
	sub(/^[^\t]*\t/, "", code)
	if (code ~ /^(j|ret|ud2|int3|call.*__stack_chk_fail|cs nop|nop|data16|xchg +%ax,%ax)/)
		end_run()
	seen[name] = 1
}

END {
	if (name in want)
		end_run()
	for (i in want) {
		if (!seen[i]) {
			print "no such function: " i
			failed = 1
		}
	}
	printf "%d instructions in code often interrupted, %d in code seldom so, %d where no interrupt came\n",
		taken, rare, never
	exit failed || taken <= rare
}
