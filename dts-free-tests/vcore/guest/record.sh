# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# How the referee's guests begin, and how they record; the host reads /out and the oracle.
echo 100000000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
# Only addresses are wanted; perf would spend seconds on the kernel's symbols.
mount --bind /dev/null /proc/kallsyms
insmod /modules/msr.ko allow_writes=on
dmesg >/out/dmesg
pebs-raw gp >/out/gp
pebs-raw zero >/out/zero

# record MARK FIELDS OPTIONS... -- COMMAND: stock perf's samples. Their lines are made outside, where
# perf starts at once. With $only no other mark's.
record()
{
	number=$1
	[ "${only:-$1}" = "$1" ] || return 0
	echo "$2" >"/out/$1.fields"
	shift 2
	mark "$number"
	perf record -B -N -q -o "/out/$number.data" "$@" 2>>/out/errors ||
		echo "$number: the status of perf was $?" >>/out/errors
	mark 999
}

