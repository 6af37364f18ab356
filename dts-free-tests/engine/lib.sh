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

# The engine beside Valgrind's own tools, in $work/lib: without its wrappers, whose library would move all after it.
place_tools()
{
	local tools

	tools=$(dirname "$(find /usr/libexec/valgrind /usr/lib -name lackey-amd64-linux 2>/dev/null | head -1)")
	mkdir "$work/lib"
	ln -s "$tools"/* "$work/lib/"
	ln -sf "$build/engine/ccsample-amd64-linux" "$work/lib/"
}

# Any tool of $work/lib, in the same environment.
quiet_valgrind()
{
	env -i PATH="$PATH" VALGRIND_LIB="$work/lib" LD_BIND_NOW=1 LC_ALL=C valgrind \
		-q --vgdb=no "$@"
}

# lackey COMMAND: its references, as Valgrind's own tool lackey traces them
lackey()
{
	quiet_valgrind --px-default=allregs-at-mem-access --tool=lackey --trace-mem=yes --log-fd=9 \
		"$@" 9>&1 >/dev/null 2>/dev/null | awk -f "$here/lackey-refs.awk"
}
