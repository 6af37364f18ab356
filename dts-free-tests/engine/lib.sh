# SPDX-License-Identifier: GPL-2.0-only
# What the engine's test scripts share. They are called with the build directory.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${1:-build}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests=0 failures=0

# ok CONDITION-STATUS DESCRIPTION [detail lines]
ok()
{
	tests=$((tests + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tests - $2"
		return
	fi
	failures=$((failures + 1))
	echo "not ok $tests - $2"
	[ $# -lt 3 ] || sed 's/^/# /' <<<"$3"
}

# same EXPECTED GOT DESCRIPTION
same()
{
	[ "$1" = "$2" ]
	ok $? "$3" "expected: $1
got:      $2"
}

skip()
{
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

plan()
{
	echo "1..$tests"
	[ $failures = 0 ]
}

# compile SOURCE [options...] -> $work/NAME
compile()
{
	local source=$1 name

	shift
	name=$(basename "$source" .c)
	${CC:-gcc} -D_GNU_SOURCE -O2 -I"$here/../../user" -o "$work/$name" "$source" "$@"
}
