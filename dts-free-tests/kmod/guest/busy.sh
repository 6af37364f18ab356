# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Sessions of the kernel's events, while it keeps CPU 1 for eight seconds.
. /common.sh

kernel_busy() # STATE AND REASON, PROGRAM...
{
	ended=$1
	shift
	drive /dev/null 1 flags=3 event=0x83d0 burst=1 batch=16 period=1000 -- "$@" >/tmp/line
	cat /tmp/line
	interrupts=$(sed 's/.* interrupts \([0-9]*\) .*/\1/' /tmp/line)
	[ "$interrupts" -gt 1000 ] && grep -q "state $ended " /tmp/line
}

beside_another() # STATE AND REASON, PROGRAM...
{
	taskset 2 sh -c 'while :; do :; done' &
	waiting=$!
	kernel_busy "$@"
	status=$?
	kill $waiting
	wait $waiting
	return $status
}

try "a task switch that does not come for seconds ends it" \
	beside_another '2 reason 4' insmod /busy.ko seconds=8
rmmod busy
try "a kernel that is as busy, and switches, does not" \
	beside_another '0 reason 0' insmod /busy.ko seconds=8 pauses=1
rmmod busy
try "a CPU that nobody waits for, with interrupts off for seconds: it ends" \
	kernel_busy '2 reason 4' insmod /busy.ko seconds=8 closed=1
rmmod busy
try "... with pauses it does not" kernel_busy '0 reason 0' insmod /busy.ko seconds=8 closed=1 pauses=1
rmmod busy
