# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Sessions that something stops: they go on or end, and say so. CPU 1 is sampled. The programs
# run until they are killed, so the oracle's file would be gigabytes: there is none.
. /common.sh

write_register() # NUMBER VALUE: on CPU 1; 16 hexadecimal digits, low byte first
{
	printf "$(echo "$2" | sed 's/../\\x&/g')" |
		dd of=/dev/cpu/1/msr bs=8 count=1 oflag=seek_bytes seek=$(($1)) \
		conv=notrunc 2>/dev/null
}

# The counter's register: whichever perf took.
sampling_counter()
{
	case $(sampling) in
	01*) echo 0xc1 ;;
	02*) echo 0xc2 ;;
	04*) echo 0xc3 ;;
	08*) echo 0xc4 ;;
	esac
}

# The counter stands behind its overflow, and PEBS is not armed: what a switch of PEBS may leave, many
# times. The program makes no system calls and the reader no CHECK: what notices it is the tick, each
# 4 ms. (What looks once a second, and task switches, set it again two or three times.) Not each
# time: where a PMI comes before its record (early-pmi, pebs-arm), the register is mostly written as soon
# as it has returned, while PEBS is armed, and the record then sets the counter.
past_overflow() # ARGUMENTS...
{
	drive /tmp/dump 1 fifo=1 period=2000 spread=100 "$@" -- sweep 512 512 1000000 >/tmp/line &
	until_true began
	sleep 0.5
	counter=$(sampling_counter)
	for _ in $(seq 20); do
		write_register "$counter" 0010000000000000
		sleep 0.03
	done
	end_sweep $!
	cat /tmp/line
	set -- $(sed -n 's/.* state 0 reason 0 .* rearmed \([0-9]*\) .* events \([0-9]*\) unpublished \([0-9]*\).*/\1 \2 \3/p' /tmp/line)
	[ "$1" -ge 8 ] && [ "$2" -gt 20000 ] && [ "$3" -lt 10000 ]
}

pebs_switched_off()
{
	drive /tmp/dump 1 -- sweep 512 512 1000000 >/tmp/line &
	until_true began
	sleep 0.5
	write_register 0x3f1 0000000000000000
	until_true given_back
	end_sweep $!
	cat /tmp/line
	grep -q 'state 2 reason 3 ' /tmp/line
}

# An interrupt each few hundred loads and stores of the kernel: it ends soon, and the machine lives.
kernel_storm()
{
	drive /tmp/dump 1 flags=3 event=0x83d0 burst=1 period=260 spread=0 -- \
		sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; ls -lR /sys/devices >/dev/null' >/tmp/line
	cat /tmp/line
	grep -q 'state 2 reason 4 ' /tmp/line || return 1
	[ "$(sed 's/.* interrupts \([0-9]*\).*/\1/' /tmp/line)" -le 6100 ]
}

try "a counter past its overflow is set again" past_overflow
try "the same of single samples" past_overflow burst=1 batch=16
try "PEBS switched off by somebody ends the session" pebs_switched_off
try "a storm of the kernel's own events ends the session" kernel_storm
