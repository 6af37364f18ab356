# SPDX-License-Identifier: GPL-2.0-only
# Samples as lines "[CPU] TIME: FIELDS", in order of time: leaves the time out
# and adds a column, 1 where perf wrote the sample a second time. perf_mmap__push
# reads the ring's head, then perf_mmap__read_init reads it again; what came
# between is written, and again at the next turn, for that begins at the first
# head. So of one time and CPU a run of lines directly follows the same run.

function flush(cpu,	size, from, same, i)
{
	for (size = int(lines[cpu] / 2); size; size--) {
		for (from = 0; from + 2 * size <= lines[cpu]; from++) {
			for (same = 0; same < size; same++)
				if (line[cpu, from + same] != line[cpu, from + size + same])
					break
			if (same == size)
				break
		}
		if (from + 2 * size <= lines[cpu])
			break
	}
	for (i = 0; i < lines[cpu]; i++)
		print line[cpu, i], (size && i >= from + size && i < from + 2 * size) ? 1 : 0
	lines[cpu] = 0
}

{
	cpu = ""
	at = $1
	if ($1 !~ /:$/) {
		cpu = $1
		at = $2
	}
	if (at !~ /^[0-9]+\.[0-9]+:$/) {
		print "no time in", $0 >"/dev/stderr"
		exit 1
	}
	if (time[cpu] != at)
		flush(cpu)
	time[cpu] = at
	sub(/[0-9]+\.[0-9]+:/, "")
	line[cpu, lines[cpu]++] = $0
}

END {
	for (cpu in time)
		flush(cpu)
}
