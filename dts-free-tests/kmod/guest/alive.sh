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

# ... or ends for a storm, where the core keeps no gap (QUIRKS): an interrupt's own events make the
# next one then.
kernel_session() # MARK ARGUMENTS... -- COMMAND
{
	session "$@" || { [ -n "${QUIRKS:-}" ] && grep -q 'state 2 reason 4' /tmp/line; }
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

try "spread, CHECK and FLUSH in turns" session 60 burst=1 period=101 spread=10 poke=1 \
	-- sweep 192 256 4
try "bursts, CHECK and FLUSH in turns" session 61 poke=1 -- sweep 256 256 3
try "spread, beside perf's scheduling" beside_perf 62 flags=13 burst=1 period=101 spread=10 \
	-- sweep 384 512 4
try "the kernel's loads and stores" kernel_session 63 flags=3 event=0x83d0 burst=32 period=2000 \
	spread=1700 -- \
	sweep 128 256 1
try "the kernel's misses, spread" kernel_session 64 flags=3 burst=1 batch=128 period=3 spread=1 -- \
	sweep 128 256 1
