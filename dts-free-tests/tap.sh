# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the script tests share; sourced with the test's own arguments, of which the first is
# the build directory. Checks are lines of TAP; the last command of a test is plan.
#
# Sets $here (the script's directory), $top (the tree; the script goes on there), $build, and
# $work, an empty directory that is removed at the end; with KEEP=DIR it is DIR/NAME, and stays.
set -u
# Letters are the user's; numbers, order and messages of awk, sort and bash are those of C.
export LC_CTYPE="${LC_ALL:-${LC_CTYPE:-${LANG:-C}}}" LC_NUMERIC=C LC_COLLATE=C LC_MESSAGES=C LC_TIME=C
unset LC_ALL LANGUAGE
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(realpath -m -- "${1:-build}")
if [ -n "${KEEP:-}" ]; then
	work=$(realpath -m "$KEEP/${0##*/}")
	rm -rf "$work"
	mkdir -p "$work"
else
	work=$(mktemp -d)
	# shellcheck disable=SC2064 # this directory, whatever $work becomes
	trap "rm -rf '$work'" EXIT
fi
checks=0 failures=0
details=	# a file: its last lines are shown below a failed check
cd "$top" || exit 1

# As jq; with -e, nothing at all on standard output is a failure too: jq 1.6 calls an empty input
# a success, so that a tool that dies before its first byte would pass.
jq()
{
	local found

	case $1 in
	-e* | -[a-z]e*) found=$(command jq "$@") && [ -n "$found" ] && printf '%s\n' "$found" ;;
	*) command jq "$@" ;;
	esac
}

# One check. TEXT is shown where it fails.
ok() # status name [text]
{
	checks=$((checks + 1))
	if [ "$1" = 0 ]; then
		echo "ok $checks - $2"
		return
	fi
	failures=$((failures + 1))
	echo "not ok $checks - $2"
	[ $# -lt 3 ] || sed 's/^/# /' <<<"$3"
	[ ! -s "$details" ] || tail -n 20 "$details" | sed 's/^/# /'
}

# The same of what $( ) left: 1 where it passes.
check() # value name
{
	[ "$1" = 1 ]
	ok $? "$2"
}

# A command, which passes by its status; what it prints is shown where it fails.
try() # name command...
{
	local name=$1 status=0

	shift
	"$@" >"$work/tried" 2>&1 || status=1
	if [ $status = 0 ]; then
		ok 0 "$name"
	else
		ok 1 "$name" "$(tail -n 20 "$work/tried")"
	fi
}

same() # expected got name
{
	[ "$1" = "$2" ]
	ok $? "$3" "expected: $1
got:      $2"
}

# A command that ends with this status and one line of error, which matches.
refused() # status pattern name command...
{
	local wanted=$1 pattern=$2 name=$3 status=0

	shift 3
	"$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
	[ $status = "$wanted" ] && [ "$(wc -l <"$work/err")" = 1 ] &&
		grep -qE -- "$pattern" "$work/err"
	ok $? "$name" "status $status: $(head -n 20 "$work/err")"
}

skip() # name reason
{
	checks=$((checks + 1))
	echo "ok $checks - $1 # SKIP $2"
}

# The whole test, which ends here.
skip_all() # reason
{
	skip "${0##*/}" "$1"
	plan
	exit
}

# Programs without which the whole test is skipped.
needs() # program...
{
	local program

	for program; do
		command -v "$program" >/dev/null || skip_all "$program is not installed"
	done
}

plan()
{
	echo "1..$checks"
	[ $failures = 0 ]
}
