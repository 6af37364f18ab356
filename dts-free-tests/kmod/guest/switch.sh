# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Sessions whose CPU is interrupted before every instruction of the module's that
# it executes ($BYTES of them). First one after the other, then one at a time.
. /common.sh
insmod /ccsample.ko
text=$(cat /sys/module/ccsample/sections/.text)

prodded() # MARK TIMES APART ROUNDS SESSION-ARGUMENTS...
{
	number=$1 times=$2 apart=$3 rounds=$4
	shift 4
	prod 1 "$text" "$BYTES" "$times" "$apart" drive "/out/$number" 1 "mark=$number" \
		storm_limit=1000000 "$@" -- relay "$rounds" 20 >>/out/lines
}

# So little memory that the ring goes round.
prodded 40 1 0 500 flags=13 burst=4 period=16 spread=8 memory=0x200000
prodded 41 2 0 100 flags=13 burst=1 period=16 spread=8
prodded 42 3 0 100 flags=3 burst=16 period=1000 spread=500
prodded 43 8 800 2000 flags=13 burst=4 period=16 spread=8
prodded 44 12 800 2000 flags=13 burst=1 period=16 spread=8
# The NMIs' own events: a slot has room for those of one while a switch is under way.
prodded 45 16 4000 3000 flags=3 burst=16 period=1000 spread=500
