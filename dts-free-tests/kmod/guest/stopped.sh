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

# The counter: whichever perf took.
sampling_counter()
{
	case $(sampling) in
	0 | 01*) echo 0 ;;
	1 | 02*) echo 1 ;;
	2 | 04*) echo 2 ;;
	3 | 08*) echo 3 ;;
	10*) echo 4 ;;
	20*) echo 5 ;;
	esac
}

# Local timer interrupts of CPU 1.
ticks()
{
	awk '$1 == "LOC:" { print $3 }' /proc/interrupts
}

ticked() # UNTIL
{
	[ "$(ticks)" -ge "$1" ]
}

# Is a counter far behind its overflow? Until its record it is, by some events.
stands() # NUMBER
{
	value=$(register 1 "$1")
	value=$((0x$(echo "$value" | sed -E 's/(..)(..)(..)(..)(..)(..).*/\6\5\4\3\2\1/')))
	[ "$value" -gt 64 ] && [ "$value" -lt $((1 << 47)) ]
}

# The counter stands behind its overflow, and PEBS is not armed: what a switch of PEBS may leave, many
# times. The program makes no system calls and the reader no CHECK: what notices it is the tick.
# (Task switches, and what looks once a second, would let it stand most of the times.) Three ticks
# later it stands no more. Who has set it again is counted, at least once: where a counter is armed for
# long (early-pmi, pebs-arm, keep-armed), the register is often written while it is, and the record
# then sets it. Where the reader was so late that slots were dropped, their events are published by none.
past_overflow() # ARGUMENTS...
{
	drive /dev/null 1 fifo=1 period=2000 spread=100 "$@" -- sweep 512 512 1000000 >/tmp/line 2>&1 &
	until_true began
	sleep 0.5
	counter=$((0xc1 + $(sampling_counter)))
	stood=0
	for _ in $(seq 20); do
		write_register "$counter" 0010000000000000
		until=$(($(ticks) + 3))
		sleep 0.02
		until_true ticked $until
		! stands "$counter" || stood=$((stood + 1))
	done
	end_sweep $! || echo "# drive ended with status $?"
	cat /tmp/line
	echo "# stood $stood times"
	set -- $(sed -n 's/.* overruns \([0-9]*\) .* state 0 reason 0 .* rearmed \([0-9]*\) .* events \([0-9]*\) unpublished \([0-9]*\).*/\1 \2 \3 \4/p' /tmp/line)
	[ $stood = 0 ] && [ "$2" -ge 1 ] && [ "$3" -gt 20000 ] && { [ "$4" -lt 10000 ] || [ "$1" -gt 0 ]; }
}

pebs_switched_off()
{
	drive /dev/null 1 -- sweep 512 512 1000000 >/tmp/line &
	until_true began
	sleep 0.5
	if [ $area = 0x600 ]; then
		write_register 0x3f1 0000000000000000
	else
		write_register $((0x1903 + 4 * $(sampling_counter))) 0000000000000000
	fi
	until_true given_back
	end_sweep $!
	cat /tmp/line
	grep -q 'state 2 reason 3 ' /tmp/line
}

# An interrupt each few hundred loads and stores of the kernel ($STORM): it ends soon, and the machine
# lives.
kernel_storm()
{
	drive /dev/null 1 flags=3 event=0x83d0 burst=1 $STORM spread=0 -- \
		sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; ls -lR /sys/devices >/dev/null' >/tmp/line
	cat /tmp/line
	grep -q 'state 2 reason 4 ' /tmp/line || return 1
	[ "$(sed 's/.* interrupts \([0-9]*\).*/\1/' /tmp/line)" -le 6100 ]
}

try "a counter past its overflow is set again" past_overflow
try "the same of single samples" past_overflow burst=1 batch=16
try "PEBS switched off by somebody ends the session" pebs_switched_off
try "a storm of the kernel's own events ends the session" kernel_storm
