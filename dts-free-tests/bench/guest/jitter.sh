# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# One CPU and nothing that depends on time: what a session adds to two programs
# that share it, between the oracle's marks. $PART: what this boot does, since the
# books of interrupts are a whole boot's.
# shellcheck disable=SC2154 # the caller sets PART
echo 100000000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
mount --bind /dev/null /proc/kallsyms
# The reader sleeps meanwhile: its instructions are another CPU's.
cat >/program <<'P'
[ "$2" = stop ] && kill -STOP $PPID
mark $1
sweep 192 256 12 &
sweep 192 256 12
wait
mark 999
[ "$2" = stop ] && kill -CONT $PPID
exit 0
P

session() # MARK ARGUMENTS...
{
	number=$1
	shift
	drive /tmp/dump 0 memory=0x8000000 references=0x83d0 "$@" -- sh /program \
		"$number" stop >/tmp/line || exit 1
	echo "$number $(cat /tmp/line)" >>/out/lines
	rm /tmp/dump
}

stock() # MARK ARGUMENTS...
{
	number=$1
	shift
	perf record -B -N -q -m 4096 -o /tmp/data -C 0 -c 101 -e cpu/event=0xd1,umask=0x8/ppu "$@" \
		sh /program "$number" 2>>/out/errors || exit 1
	echo "$number records $(perf script -i /tmp/data -F ip 2>>/out/errors |
		grep -c .)" >>/out/lines
	rm /tmp/data
}

plain()
{
	for number in 1 2 3 4; do
		sh /program $number
	done
}

bursts()
{
	session 11 burst=32
	session 12 burst=64
	session 13 burst=256
	session 14 burst=1024 period=2048 spread=500
}

spread()
{
	session 15 burst=1 batch=1 period=101 spread=50
	session 16 burst=1 batch=16 period=101 spread=50
}

case $PART in
bursts | spread)
	insmod /ccsample.ko || exit 1
	plain
	$PART ;;
own)
	insmod /ccsample.ko || exit 1
	bursts
	spread ;;
one)
	plain
	stock 21 -k mono ;;
large)
	plain
	stock 22 ;;
empty)
	perf stat -a -e cpu/event=0xd1,umask=0x8/ insmod /empty-nmi.ko cpu=0 \
		count=200 2>/out/stat ;;
bare)
	insmod /empty-nmi.ko cpu=0 count=200 ;;
esac
