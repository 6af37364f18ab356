# SPDX-License-Identifier: GPL-2.0-only
# What the engine's test scripts share. They are called with the build directory.

# shellcheck source=dts-free-tests/tap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# compile SOURCE [options...] -> $work/NAME
compile()
{
	local source=$1 name

	shift
	name=$(basename "$source" .c)
	${CC:-gcc} -D_GNU_SOURCE -O2 -I"$here/../../user" -o "$work/$name" "$source" "$@"
}
