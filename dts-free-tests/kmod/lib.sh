# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the tests of the module on the virtual core share; sourced. They print
# TAP.
# shellcheck source=dts-free-tests/tap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vcore=$here/../vcore
[ -x "$("$vcore/build" --path)/qemu-system-x86_64" ] ||
	skip_all "the virtual core is not built (make vcore)"

# The programs, and the module for each kernel.
prepare() # KERNEL...
{
	local parts series

	# Some of those who ask have arguments other than a build directory.
	parts=$("$here/parts" "$top/build" "$@") || return 1
	cp "$parts"/programs/* "$work/"
	for series; do
		cp -r "$parts/$series" "$work/"
	done
}

# guest NAME MODEL KERNEL OPTIONS... SCRIPT: into $work/NAME, .truth, .dmesg. At
# the end the kernel tells of itself (guest/leave.sh).
guest()
{
	local name=$1 model=$2 kernel=$3 script add=()

	shift 3
	for script in "$here"/guest/*.sh; do
		add+=(--add "$script")
	done
	mkdir -p "$work/$name"
	"$vcore/run" --cpu "$model" --kernel "$kernel" --smp 2 --out "$work/$name" \
		--truth "$work/$name.truth" --dmesg "$work/$name.dmesg" \
		--timeout "${GUEST_TIMEOUT:-700}" --add "$work/$kernel/ccsample.ko" \
		--add "$work/$kernel/busy.ko" --add "$work/$kernel/branches.ko" \
		--add "$work/drive" --add "$work/api" --add "$work/sweep" --add "$work/mark" \
		"${add[@]}" "${@:1:$#-1}" -- "${*: -1}
		. /leave.sh"
}

check() # NAME MARK [exact] [owners] ... (check.c)
{
	grep "^slots" "$work/$1/lines" | tail -n 2
	"$work/check" "$work/$1.truth" "$2" "$work/$1/$2" "${@:3}"
}

# The kernel does not complain; one that looks for mistakes did so to the end.
complaints='\bBUG|deprecated workqueue|WARNING: [^S]|Oops|nknown reason|unchecked MSR|dazed|KASAN|CFI failure|suspected memory leak|DEBUG_LOCKS'
quiet() # NAME
{
	local out=$work/$1

	[ -s "$out/dmesg" ] && ! grep -E -A 60 "$complaints" "$out/dmesg" || return 1
	[ ! -e "$out/leaks" ] || ! grep . "$out/leaks" || return 1
	[ ! -e "$out/lockdep" ] || grep -q 'debug_locks: *1' "$out/lockdep"
}

# Of sessions without perf beside them.
standing() # NAME
{
	awk '{ writes += $NF } END { print writes + 0 " writes to counters that count"; exit !NR || writes }' \
		"$work/$1.truth.counts"
}

records() # NAME MODEL KERNEL PTI SEVERAL
{
	local name=$1 references=0x83d0 values=0

	[ "$2" != bdw ] || references=0x81d0
	[ "$2" != lnc ] || values=1
	try "$name: the guest runs" guest "$name" "$2" "$3" --kargs "pti=$4" \
		--add "$work/relay" "insmod /ccsample.ko || exit 1; SEVERAL=$5; VALUES=$values; REFERENCES=$references
		. /records.sh"
	try "$name: bursts: records, events, gaps" check "$name" 20 exact owners
	try "$name: spread" check "$name" 21 exact
	try "$name: spread, 16 records a slot" check "$name" 22 exact
	try "$name: bursts that grow" check "$name" 23 exact
	try "$name: a task" check "$name" 24 exact owners
	try "$name: a task from its exec, and its children" check "$name" 25 owners
	try "$name: a reader that does not read: what is dropped is counted" \
		check "$name" 26 owners bursts
	try "$name: the kernel's events" check "$name" 27 kernel
	try "$name: many children" check "$name" 28
	try "$name: all stores, each with whether it hit L1" check "$name" 33 exact
	try "$name: a thousand changes of the period" check "$name" 36 exact periods lossless
	try "$name: the same of single samples" check "$name" 37 exact periods lossless
	try "$name: the same of bursts that grow, of a task and its child" check "$name" 38 periods lossless owners
	if [ $values = 1 ]; then
		try "$name: records with values of counters" check "$name" 34 exact owners
		try "$name: the same of two events, of a task" check "$name" 35
	fi
	if [ "$5" = 1 ]; then
		try "$name: two events at once" check "$name" 29
		try "$name: three events at once" check "$name" 30
		try "$name: two events, spread" check "$name" 31
		try "$name: two events whose periods change" check "$name" 39 periods lossless
	fi
	try "$name: counters stand while they are written" standing "$name"
	try "$name: the kernel is content" quiet "$name"
}

# Lines "ok NAME", "not ok NAME" of a guest's, as checks of ours.
lines() # NAME LEAST
{
	local status what n=0

	while read -r line; do
		case $line in
		"ok "*) status=0 what=${line#ok } ;;
		"not ok "*) status=1 what=${line#not ok } ;;
		*)
			echo "# $line"
			continue ;;
		esac
		n=$((n + 1))
		ok $status "$1: $what"
	done <"$work/$1/lines"
	try "$1: all of $2 checks were made" [ $n = "$2" ]
}

# What a session lives through, or ends of; OPTIONS are the core's, $PARAMETERS the module's.
alive() # NAME MODEL KERNEL OPTIONS...
{
	local name=$1 mark storm=period=260

	# Slots have no fewer records there.
	[ "$2" != dmr ] || storm="batch=9 period=29"
	try "$name: the guest runs" guest "$name" "$2" "$3" --kargs pti=on "${@:4}" \
		"insmod /ccsample.ko ${PARAMETERS:-}; QUIRKS=${QUIRKS:-}; . /alive.sh >/out/lines"
	lines "$name" 5
	for mark in 60 61; do
		try "$name: session $mark against the core" check "$name" $mark alive
	done
	try "$name: session 62 against the core" check "$name" 62 task alive
	for mark in 63 64; do
		try "$name: session $mark against the core" check "$name" $mark kernel alive
	done
	try "$name-stopped: the guest runs" guest "$name-stopped" "$2" \
		"$3" --kargs pti=on "${@:4}" \
		--truth '' "insmod /ccsample.ko ${PARAMETERS:-}; STORM='$storm'; . /stopped.sh >/out/lines"
	lines "$name-stopped" 4
	try "$name-stopped: the kernel is content" quiet "$name-stopped"
	try "$name: the kernel is content" quiet "$name"
}

# A CPU that the kernel keeps for itself.
busy() # NAME MODEL KERNEL
{
	try "$1: the guest runs" guest "$1" "$2" "$3" --truth '' \
		'insmod /ccsample.ko; . /busy.sh >/out/lines'
	lines "$1" 4
	try "$1: the kernel is content" quiet "$1"
}

device() # NAME MODEL KERNEL PTI
{
	try "$1: the guest runs" guest "$1" "$2" "$3" --kargs "pti=$4" \
		'insmod /ccsample.ko; api >/out/lines'
	lines "$1" 140
	try "$1: the kernel is content" quiet "$1"
}

# What is gone, or elsewhere, when the module looks again.
passing() # NAME MODEL KERNEL
{
	try "$1: the guest runs" guest "$1" "$2" "$3" --truth '' \
		'insmod /ccsample.ko; api passing >/out/lines'
	lines "$1" 5
	try "$1: the kernel is content" quiet "$1"
}

# Two kinds of cores, each with its own events, as CPU 0 and CPU 1.
hybrid() # NAME KERNEL
{
	local name=$1

	try "$name: the guest runs" guest "$name" adl "$2" --kargs maxcpus=1 \
		'insmod /ccsample.ko || exit 1; . /hybrid.sh >/out/lines'
	lines "$name" 9
	try "$name: P-core: bursts" check "$name" 20 exact owners
	try "$name: E-core: bursts" check "$name" 21 exact owners
	try "$name: P-core: misses of L2 and L3" check "$name" 22
	try "$name: E-core: misses of L2 and L3" check "$name" 23
	try "$name: E-core: spread" check "$name" 24 exact
	try "$name: each kind was found" eval '[ "$(sort "$work/'"$name"'/kinds")" = \
"Alder Lake E-core, PEBS format 4 (adaptive), 6 counters
Alder Lake P-core, PEBS format 4 (adaptive), 8 counters" ]'
	try "$name: the kernel is content" quiet "$name"
}

# What a locked down kernel keeps; and more memory asked for than there is, on eight CPUs.
limits() # NAME MODEL KERNEL
{
	try "$1: the guest runs" guest "$1" "$2" "$3" \
		'insmod /ccsample.ko; api lockdown >/out/lines'
	lines "$1" 3
	try "$1-periods: the guest runs" guest "$1-periods" snb 6.1 \
		'insmod /ccsample.ko; api periods >/out/lines'
	lines "$1-periods" 3
	try "$1-memory: the guest runs" guest "$1-memory" "$2" "$3" --smp 8 --memory 1800 \
		'insmod /ccsample.ko; api window 8 >/out/lines'
	lines "$1-memory" 3
	try "$1-kept: the guest runs" guest "$1-kept" "$2" "$3" --memory 1800 \
		'insmod /ccsample.ko; api kept >/out/lines'
	lines "$1-kept" 2
	try "$1: the kernel is content" quiet "$1"
	try "$1-memory: the kernel is content" quiet "$1-memory"
	try "$1-kept: the kernel is content" quiet "$1-kept"
}

# Beside perf, whatever it does with the counters: every event of the task counted.
beside() # NAME MODEL KERNEL PTI CYCLES
{
	local name=$1 mark

	try "$name: the guest runs" guest "$name" "$2" "$3" --kargs "pti=$4" \
		"insmod /ccsample.ko; CYCLES=$5; . /beside.sh >/out/lines"
	lines "$name" 20
	for mark in 30 31 32 33 34 35 36 37; do
		try "$name: session $mark against the core" check "$name" $mark task
	done
	try "$name: the kernel is content" quiet "$name"
}
