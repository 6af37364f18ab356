# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Sessions of the kernel's events, while it keeps CPU 1 for eight seconds and another task waits.
. /common.sh

kernel_busy() # STATE AND REASON, ARGUMENTS...
{
	ended=$1
	shift
	taskset 2 sh -c 'while :; do :; done' &
	waiting=$!
	drive /dev/null 1 flags=3 event=0x83d0 burst=1 batch=16 period=1000 -- \
		insmod /busy.ko seconds=8 "$@" >/tmp/line
	kill $waiting
	wait $waiting
	rmmod busy
	cat /tmp/line
	interrupts=$(sed 's/.* interrupts \([0-9]*\) .*/\1/' /tmp/line)
	[ "$interrupts" -gt 1000 ] && grep -q "state $ended " /tmp/line
}

try "a task switch that does not come for seconds ends it" kernel_busy '2 reason 4'
try "a kernel that is as busy, and switches, does not" kernel_busy '0 reason 0' pauses=1
