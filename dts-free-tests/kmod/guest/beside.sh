# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Sessions beside perf, the watchdog and others who write the same registers.
# Lines "ok NAME" and "not ok NAME"; dumps for the host in /out.
. /common.sh
busy="sweep 256 256 2"

# A session that samples its task from the exec on: the core knows its events.
session() # MARK COMMAND...
{
	number=$1
	shift
	drive "/out/$number" 1 "mark=$number" flags=13 references=0x83d0 -- "$@" >/tmp/line
	cat /tmp/line
	grep -q 'state 0 reason 0' /tmp/line
}

# An event of perf's in the background while a session runs.
beside() # MARK PERF-ARGUMENTS...
{
	number=$1
	shift
	perf "$@" sleep 1000 >/dev/null 2>&1 &
	while ! ls -l /proc/$!/fd | grep -q perf_event; do
		sleep 0.1
	done
	sleep 0.3
	session "$number" $busy
	status=$?
	kill -TERM $!
	wait $!
	return $status
}

# perf's events come and go all along, on counters of ours as well.
beside_many() # MARK
{
	: >/tmp/going
	while [ -e /tmp/going ]; do
		perf stat -a -e r8d1:u,r81d0:u,r82d0:u,r10d1:u sleep 0.01
		perf record -a -e cycles:D -o /tmp/other sleep 0.01
	done >/dev/null 2>&1 &
	session "$1" sweep 384 512 2
	status=$?
	rm /tmp/going
	wait $!
	return $status
}

# perf counts the task itself: its events go wherever that goes.
beside_task() # MARK
{
	perf stat -o /tmp/stat -e r8d1:u,r81d0:u,r82d0:u \
		drive "/out/$1" 1 "mark=$1" flags=13 references=0x83d0 -- $busy >/tmp/line
	cat /tmp/line
	grep -q 'state 0 reason 0' /tmp/line
}

perf_gets_samples()
{
	perf record -B -N -q -c 101 -e cpu/event=0xd1,umask=0x8/ppu -o /tmp/data taskset 2 $busy
	n=$(samples /tmp/data)
	echo "# perf has $n samples"
	[ "$n" -gt 1000 ]
}

# perf's PEBS comes while a session runs: that ends, and perf has its samples. What is sampled
# pauses: perf's start takes seconds, of whose every miss the core's file would tell.
foreign() # PERF-ARGUMENTS...
{
	: >/tmp/going
	drive /tmp/dump 1 -- sh -c 'while [ -e /tmp/going ]; do sweep 128 512 1; sleep 0.1; done' \
		>/tmp/line &
	until_true began
	perf record "$@" -B -N -q -c 101 -e cpu/event=0xd1,umask=0x8/ppu -o /tmp/data taskset 2 \
		sweep 384 512 1
	rm /tmp/going
	wait $!
	cat /tmp/line
	n=$(samples /tmp/data)
	echo "# perf has $n samples"
	grep -q 'state 2 reason 1 ' /tmp/line && [ "$n" -gt 1000 ]
}

refused_beside_pebs()
{
	perf record -a -B -N -q -c 10007 -e cpu/event=0xd1,umask=0x8/ppu -o /tmp/data sleep 1000 &
	until_true began
	drive /tmp/dump 1 -- $busy 2>/tmp/line
	kill -TERM $!
	wait $!
	grep -q 'CCSAMPLE_ENABLE: Device or resource busy' /tmp/line
}

storm()
{
	drive /tmp/dump 1 storm_limit=10 burst=16 period=100 spread=0 -- $busy >/tmp/line
	cat /tmp/line
	grep -q 'state 2 reason 4 ' /tmp/line
}

write_register() # REGISTER VALUE, low byte first: of CPU 1
{
	printf "$(echo "$2" | sed 's/../\\x&/g')" |
		dd of=/dev/cpu/1/msr bs=8 count=1 oflag=seek_bytes seek=$(($1)) \
		conv=notrunc 2>/dev/null
}

# Branches are traced already (DEBUGCTL: TR, BTS).
refused_beside_bts()
{
	[ $area = 0x600 ] || return 0
	for bit in 40 80; do
		write_register 0x1d9 ${bit}00000000000000
		drive /tmp/dump 1 -- $busy 2>/tmp/line
		status=$?
		write_register 0x1d9 0000000000000000
		[ $status != 0 ] && grep -q 'CCSAMPLE_ENABLE: Device or resource busy' /tmp/line ||
			return 1
	done
}

# They are traced while a session runs: by hand, as this core does not.
beside_bts() # MARK
{
	session "$1" sweep 512 512 8 &
	until_true began
	traced=0
	while [ $area = 0x600 ] && began; do
		if taskset 2 insmod /branches.ko 2>/tmp/line; then
			traced=$((traced + 1))
			rmmod branches
		elif began; then
			echo "# the buffer is not as it must be"
			traced=-1000
		fi
	done
	wait $! || return 1
	echo "# branches were traced $traced times"
	[ $area != 0x600 ] || [ $traced -gt 1 ]
}

# Somebody writes a register of ours on CPU 1: DS_AREA 0x600, EVNTSEL0 0x186.
overwritten() # REGISTER VALUE REASON
{
	drive /tmp/dump 1 -- sweep 512 512 1000000 >/tmp/line &
	until_true began
	write_register "$1" "$2"
	sleep 0.5
	end_sweep $!
	cat /tmp/line
	grep -q "state 2 reason $3 " /tmp/line
}

watchdog() # MARK
{
	: >/tmp/going
	while [ -e /tmp/going ]; do
		for on in 0 1; do
			echo $on >/proc/sys/kernel/nmi_watchdog
			sleep 0.1
		done
	done &
	session "$1" sweep 384 512 2
	status=$?
	rm /tmp/going
	wait $!
	return $status
}

removal()
{
	drive /tmp/dump 1 -- sleep 4 >/dev/null &
	until_true began
	! rmmod ccsample 2>/tmp/line
	busy_then=$?
	wait $!
	return $busy_then
}

try "beside perf stat -a" beside 30 stat -a -e r8d1:u,r81d0:u
try "beside perf record -a -e cycles" beside 31 record -a -e cycles -o /tmp/other
try "beside perf record -e cycles:D" beside 32 record -a -e cycles:D -o /tmp/other
try "beside perf stat of more events than counters" beside 33 stat \
	-a -e r8d1:u,r81d0:u,r82d0:u,r10d1:u,r20d1:u
try "beside the watchdog going on and off" watchdog 34
try "beside perf's events that come and go" beside_many 35
try "beside perf stat of the task" beside_task 36
try "branches are traced while a session runs" beside_bts 37
try "no session where branches are traced" refused_beside_bts
try "perf's PEBS comes: the session ends, perf samples its task" foreign
try "the same with perf on the whole CPU" foreign -a -C 1
try "no session where perf's PEBS is on" refused_beside_pebs
try "perf samples afterwards" perf_gets_samples
try "a storm of interrupts ends the session" storm
try "DS_AREA overwritten" overwritten $area "$found_ds" 2
try "a counter's selection overwritten" overwritten 0x186 0000000000000000 3
try "perf samples after that" perf_gets_samples
try "rmmod with a session: busy" removal
. /cycles.sh
