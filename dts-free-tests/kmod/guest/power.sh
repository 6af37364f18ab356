# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Suspend while a session runs. Lines "ok NAME" and "not ok NAME".
. /common.sh

interrupts() # NMI, on CPU 1: perf does not count ours as PMIs
{
	awk '$1 == "NMI:" { print $3 }' /proc/interrupts
}

# A session in the background, that has had interrupts.
begin()
{
	before=$(interrupts)
	drive /tmp/dump 1 -- sweep 512 512 1000000 >/tmp/line &
	session=$!
	while [ "$(interrupts)" -lt $((before + 20)) ]; do
		sleep 0.1
	done
}

# The machine sleeps while CPU 1 is sampled; its clock wakes it, later than a busy
# host takes to send it to sleep: an alarm that has passed wakes nobody. A kernel that
# has no such clock plays at it: down to LEVEL, 5 seconds, and up again.
sleeps() # STATE [LEVEL]
{
	begin
	if [ $# = 1 ] && [ -e /sys/class/rtc/rtc0/wakealarm ]; then
		echo 0 >/sys/class/rtc/rtc0/wakealarm
		echo +40 >/sys/class/rtc/rtc0/wakealarm
	else
		echo "${2:-core}" >/sys/power/pm_test
	fi
	echo "$1" >/sys/power/state || echo "# the machine did not sleep"
	killall sweep
	wait $session
	cat /tmp/line
	grep -q 'interrupts [1-9].* state 2 reason 6 ' /tmp/line
}

perf_gets_samples()
{
	perf record -B -N -q -c 101 -e cpu/event=0xd1,umask=0x8/ppu -o /tmp/data taskset 2 \
		sweep 256 256 2
	n=$(samples /tmp/data)
	echo "# perf has $n samples"
	[ "$n" -gt 500 ]
}

session() # MARK
{
	drive "/out/$1" 1 "mark=$1" -- sweep 192 256 1 >/tmp/line
	cat /tmp/line
	grep -q 'state 0 reason 0' /tmp/line
}

# What is to hold after each of them.
afterwards() # NAME MARK
{
	try "$1: DS_AREA and PEBS_ENABLE are as found" as_found
	try "$1: perf samples afterwards" perf_gets_samples
	try "$1: a session samples afterwards" session "$2"
}

suspend()
{
	try "suspend to memory: the session ends, and says why" sleeps mem
	afterwards "suspend to memory" 40
	if grep -q disk /sys/power/state; then
		try "a hibernation without room for it: the session ends, and says why" sleeps disk
		afterwards "hibernation" 41
	fi
	# Where the kernel can play at it: nothing wakes this machine from `freeze`, which
	# has no deeper level.
	[ -e /sys/power/pm_test ] || return
	try "suspend to idle, in play: the session ends, and says why" sleeps freeze platform
	afterwards "suspend to idle" 42
}
