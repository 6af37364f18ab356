# SPDX-License-Identifier: GPL-2.0-only
# The references that a program makes, of what lackey --trace-mem=yes says: without those by which Valgrind tests a bit
# of a register, in memory below the stack (guest_amd64_toIR.c, dis_bt_G_E()). No other instruction stores first, then
# loads of the same 16 bytes. And without the load before a locked read-modify-write: Valgrind loads, then compares and
# exchanges, which is a load and a store, too.
function give(  i)
{
	for (i = 1; i <= count && !spills; i++)
		if (kind[i] != "L" || !(place[i] in modified))
			print ref[i]
	count = spills = 0
	stored = ""
	delete modified
}
/^I/ { give(); print; next }
/^ [LSM] / {
	block = substr($2, 1, index($2, ",") - 2)
	if ($1 != "S")
		spills = spills || block == stored
	else if (!count)
		stored = block
	if ($1 == "M")
		modified[$2]
	ref[++count] = $0
	kind[count] = $1
	place[count] = $2
	next
}
{ print }
END { give() }
