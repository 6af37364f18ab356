# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the tests on the virtual core share; sourced with the test's own
# arguments. Guests run two at a time.
# shellcheck source=dts-free-tests/tap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

emulator=$("$here/build" --path)
[ -x "$emulator/qemu-system-x86_64" ] || skip_all "the virtual core is not built (make vcore)"
tools=$("$here/tools" "${1:-build}") || exit 1
oracle=$tools/oracle

# guest NAME OPTIONS... -- COMMAND: into $work/NAME and $work/NAME.truth. The
# timeout only ends what hangs: a busy machine may take many times as long.
guest()
{
	local name=$1

	shift
	mkdir -p "$work/$name"
	"$here/run" --timeout 600 --out "$work/$name" --truth "$work/$name.truth" \
		--dmesg "$work/$name.dmesg" --add "$tools/sweep" --add "$tools/mark" \
		--add "$tools/pebs-raw" "$@"
}

# start NAME COMMAND...: in the background, two at a time
start()
{
	local name=$1

	shift
	while [ "$(jobs -rp | wc -l)" -ge 2 ]; do
		wait -n
	done
	{
		"$@" >"$work/$name.stdout" 2>"$work/$name.stderr"
		echo $? >"$work/$name.status"
	} &
}

# The command started as NAME ended well.
ended()
{
	cat "$work/$1.stderr"
	[ "$(cat "$work/$1.status")" = 0 ]
}

# The columns that `oracle check` wants, and `again`, out of perf script's lines.
lines()
{
	sed -E 's/[][]//g; s/ABI.* AX:0x([0-9a-f]*) .*CX:0x([0-9a-f]*) .*SI:0x([0-9a-f]*) .*R15:0x[0-9a-f]*( +XMM.*XMM15:0x[0-9a-f]*)?/\1 \2 \3/' \
		"$work/$1/$2" | awk -f "$here/repeats.awk"
}

# exact GUEST MARK PERIOD COLUMNS [OPTION=VALUE...]
exact()
{
	local lost

	cat "$work/$1/errors" 2>/dev/null
	lost=$(cat "$work/$1/$2.lost" 2>/dev/null)
	lines "$1" "$2" | "$oracle" check "$work/$1.truth" "$2" "$3" "$4,again" \
		"lost=$(printf %x "${lost:-0}")" "${@:5}"
}

