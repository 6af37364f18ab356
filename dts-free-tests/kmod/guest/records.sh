# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# One session a line, dumped for the host: the number is mark and file. $SEVERAL:
# the part's records tell several events apart; $VALUES: they may hold values of counters.
# $REFERENCES: the event of its loads, and stores.
session() # MARK ARGUMENTS... -- COMMAND
{
	number=$1
	shift
	drive "/out/$number" 1 "mark=$number" "$@" >>/out/lines 2>&1
}

session 20 references=$REFERENCES -- sweep 256 256 1
session 21 burst=1 -- sweep 128 256 1
session 22 burst=1 batch=16 -- sweep 128 256 1
session 23 references=$REFERENCES first_burst=8 burst=128 -- sweep 192 256 1
session 24 flags=5 -- sweep 128 256 1
session 25 flags=13 -- sh -c 'sweep 128 256 1 & sweep 128 512 1; wait'
session 26 references=$REFERENCES stall=1 memory=0x200000 burst=256 period=300 spread=10 \
	-- sweep 384 256 1
session 27 flags=3 burst=32 -- sweep 128 256 1
session 28 flags=13 burst=16 period=100 spread=20 -- sh \
	-c 'for i in 1 2 3 4 5 6; do sweep 32 256 1 & done; wait'
session 33 event=0x82d0 burst=64 -- sweep 64 256 1
session 36 changes=1000 burst=4 period=40 spread=5 -- relay 1000000000 40
session 37 changes=300 burst=1 batch=4 period=40 spread=5 -- relay 1000000000 40
session 38 changes=300 flags=13 first_burst=4 burst=64 period=640 spread=64 -- relay 1000000000 40
if [ "$VALUES" = 1 ]; then
	session 34 flags=17 references=$REFERENCES -- sweep 128 256 1
	session 35 flags=29 references=$REFERENCES event=0x10d108d1 burst=32 -- sh \
		-c 'sweep 64 256 1 & sweep 128 512 1; wait'
fi
if [ "$SEVERAL" = 1 ]; then
	session 29 event=0x10d108d1 -- sweep 256 512 1
	session 30 event=0x20d110d108d1 burst=32 -- sweep 256 512 1
	session 39 changes=300 event=0x10d108d1 burst=4 period=40 spread=5 \
		-- relay 1000000000 40
	session 31 references=$REFERENCES event=0x10d108d1 burst=1 -- sweep 256 512 1
fi
