# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Sessions that go on sampling, whatever switches PEBS off and on, or end and say why. CPU 1 is
# sampled; /out/NUMBER are the dumps.
. /common.sh

session() # MARK ARGUMENTS... -- COMMAND
{
	number=$1
	shift
	drive "/out/$number" 1 "mark=$number" "$@" >/tmp/line
	cat /tmp/line
	grep -q 'state 0 reason 0' /tmp/line
}

# perf schedules its events all along, and switches PEBS off and on with them.
beside_perf() # MARK ARGUMENTS...
{
	: >/tmp/going
	while [ -e /tmp/going ]; do
		perf stat -a -e r8d1:u sleep 0.01
	done >/dev/null 2>&1 &
	session "$@"
	status=$?
	rm /tmp/going
	wait $!
	return $status
}

write_register() # NUMBER VALUE: on CPU 1; 16 hexadecimal digits, low byte first
{
	printf "$(echo "$2" | sed 's/../\\x&/g')" |
		dd of=/dev/cpu/1/msr bs=8 count=1 oflag=seek_bytes seek=$(($1)) conv=notrunc 2>/dev/null
}

# The counter stands behind its overflow, and PEBS is not armed. The program makes no system
# calls: what notices it is CHECK, or the module by itself.
past_overflow() # ARGUMENTS...
{
	drive /tmp/dump 1 period=2000 spread=100 "$@" -- sweep 512 512 1000000 >/tmp/line &
	sleep 0.5
	write_register 0xc1 0010000000000000
	sleep 2.5
	killall sweep
	wait $!
	cat /tmp/line
	grep -q 'state 0 reason 0 .* rearmed [1-9]' /tmp/line || return 1
	set -- $(sed 's/.* events \([0-9]*\) unpublished \([0-9]*\).*/\1 \2/' /tmp/line)
	[ "$2" -lt 10000 ] && [ "$1" -gt 100000 ]
}

pebs_switched_off()
{
	drive /tmp/dump 1 -- sweep 512 512 1000000 >/tmp/line &
	sleep 0.5
	write_register 0x3f1 0000000000000000
	sleep 2
	killall sweep
	wait $!
	cat /tmp/line
	grep -q 'state 2 reason 3 ' /tmp/line
}

# An interrupt each few hundred loads and stores of the kernel: it ends, and the machine lives.
kernel_storm()
{
	drive /tmp/dump 1 flags=3 event=0x83d0 burst=1 period=260 spread=0 -- \
		sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; ls -lR /sys/kernel >/dev/null' >/tmp/line
	cat /tmp/line
	grep -q 'state 2 reason 4 ' /tmp/line
}

try "spread, CHECK and FLUSH in turns" session 60 burst=1 period=101 spread=10 poke=1 -- sweep 192 256 1
try "bursts, CHECK and FLUSH in turns" session 61 poke=1 -- sweep 256 256 1
try "spread, beside perf's scheduling" beside_perf 62 flags=13 burst=1 period=101 spread=10 -- sweep 384 512 4
try "the kernel's loads and stores" session 63 flags=3 event=0x83d0 burst=32 period=2000 spread=1700 -- \
	sweep 128 256 1
try "the kernel's misses, spread" session 64 flags=3 burst=1 batch=128 period=3 spread=1 -- \
	sweep 128 256 1
try "a counter past its overflow is set again" past_overflow
try "the same of single samples" past_overflow burst=1 batch=16
try "PEBS switched off by somebody ends the session" pebs_switched_off
try "a storm of the kernel's own events ends the session" kernel_storm
