# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# What the scripts in guests share. Lines "ok NAME" and "not ok NAME".
insmod /modules/msr.ko allow_writes=on
# On a busy host an interrupt takes long, and perf samples less and less (at boot
# already: the watchdog's).
echo 100000000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
# No test wants names: each perf would read those of the kernel.
mount --bind /dev/null /proc/kallsyms

try() # NAME COMMAND...
{
	name=$1
	shift
	if "$@"; then echo "ok $name"; else echo "not ok $name"; fi
}

register() # CPU NUMBER: as 16 hexadecimal digits, low byte first
{
	dd if="/dev/cpu/$1/msr" bs=8 count=1 iflag=skip_bytes skip=$(($2)) 2>/dev/null |
		hexdump -v -e '8/1 "%02x"'
}

samples() # perf's, in the file
{
	perf script -i "$1" -F ip 2>/dev/null | grep -c .
}

# On a busy host it may not have begun yet.
end_sweep() # PROCESS: drive
{
	while kill -0 "$1" 2>/dev/null; do
		killall -q sweep
		sleep 0.2
	done
	wait "$1"
}

# DS_AREA, or PEBS_BASE of architectural PEBS.
area=0x600
grep -qw dts /proc/cpuinfo || area=0x3f4

# PEBS_ENABLE of CPU 1; "" while nothing is sampled there. Of architectural PEBS the counters that
# count, with their own bit 63 of PEBS.
sampling()
{
	if [ $area = 0x600 ]; then
		register 1 0x3f1 | grep -v '^0*$'
		return
	fi
	for counter in 0 1 2 3; do
		case $(register 1 $((0x186 + counter))),$(register 1 $((0x1903 + 4 * counter))) in
		????[4567cdef]*,*[89abcdef]?) echo $counter ;;
		esac
	done
}

# On a busy host whatever is waited for may take long.
until_true() # COMMAND...
{
	for _ in $(seq 600); do
		"$@" && return
		sleep 0.1
	done
	return 1
}

began()
{
	[ -n "$(sampling)" ]
}

given_back()
{
	[ "$(register 1 $area)" = "$found_ds" ]
}

as_found()
{
	given_back && [ -z "$(sampling)" ]
}

found_ds=$(register 1 $area)
echo "# DS_AREA $found_ds"
