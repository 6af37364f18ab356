# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the scripts of the virtual core share: the cache outside the tree, and
# downloads through a private apt configuration made from the machine's own.

vcore_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vcore_cache=${XDG_CACHE_HOME:-$HOME/.cache}/ccsample

vcore_die()
{
	echo "vcore: $*" >&2
	exit 1
}

# Waits until nobody else makes what is to be cached; until this script ends.
vcore_lock()
{
	mkdir -p "$vcore_cache"
	exec {vcore_lock}>"$vcore_cache/lock"
	flock "$vcore_lock"
}

# The directory of the emulator that our files and this release make.
vcore_key()
{
	# shellcheck disable=SC1091 # not ours
	(. /etc/os-release && echo "$VERSION_CODENAME"
	 cd "$vcore_dir" && cat build hooks.patch qemu/*) | sha256sum | cut -c1-16
}

vcore_emulator()
{
	echo "$vcore_cache/vcore-$(vcore_key)"
}

# The machine's main archive under another suite, without sources, from its apt sources in $1.
vcore_other_suite() # DIRECTORY SUITE
{
	awk -v suite="$2" '
		BEGIN { RS = ""; FS = "\n" }
		!/(^|\n)(URIs:|deb )[^\n]*\/debian\/?( |\n|$)/ { next }
		{ for (i = 1; i <= NF; i++) {
			sub(/^Suites:.*/, "Suites: " suite, $i)
			sub(/^Types:.*/, "Types: deb", $i)
			if ($i ~ /^deb-src/ || ($i ~ /^deb/ && !sub(/\/debian\/? +[^ ]+/, "/debian " suite, $i)))
				continue
			print $i
		}
		exit }' "$1"/* >"$1.suite" || return 1
	rm -f "$1"/*
	if grep -q '^Suites:' "$1.suite"; then
		mv "$1.suite" "$1/suite.sources"
	else
		mv "$1.suite" "$1/suite.list"
	fi
}

# Runs an apt command with indices of its own, sources among them: $1 is its
# directory, made on first use; /etc/apt is read and left alone. With $vcore_suite set
# it has that suite alone.
vcore_apt()
{
	local apt=$1 list

	shift
	if [ ! -d "$apt/lists" ]; then
		mkdir -p "$apt/sources" "$apt/lists/partial" "$apt/cache/archives/partial"
		for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
			[ -f "$list" ] || continue
			sed -n 's/^deb\( .*\)$/deb\1\ndeb-src\1/p' \
				"$list" >"$apt/sources/${list##*/}"
		done
		for list in /etc/apt/sources.list.d/*.sources; do
			[ -f "$list" ] || continue
			sed 's/^Types:.*/Types: deb deb-src/' "$list" >"$apt/sources/${list##*/}"
		done
		# Packages of others than the distribution have nothing for us.
		grep -LE 'debian|ubuntu' "$apt"/sources/* 2>/dev/null | xargs -r rm -f
		[ -z "${vcore_suite:-}" ] || vcore_other_suite "$apt/sources" "$vcore_suite"
		cat >"$apt/apt.conf" <<-EOF
			Dir::Etc::sourcelist "/dev/null";
			Dir::Etc::sourceparts "$apt/sources";
			Dir::State::lists "$apt/lists";
			Dir::Cache "$apt/cache";
			APT::Sandbox::User "root";
		EOF
		APT_CONFIG=$apt/apt.conf nice -n 19 apt-get update -qq >&2
	fi
	APT_CONFIG=$apt/apt.conf nice -n 19 "$@"
}

# vcore_made OUT NAME FILE... -- COMMAND ARGUMENT...: COMMAND fills the directory that is its first
# argument; it becomes OUT/NAME. Not where OUT/NAME was made of these files' contents before: several
# tests ask for the same.
vcore_made()
{
	local out=$1 name=$2 files=() lock key

	shift 2
	while [ "$1" != -- ]; do
		files+=("$1")
		shift
	done
	mkdir -p "$out"
	exec {lock}>"$out/$name.lock"
	flock "$lock"
	key=$({ gcc --version; cat "${files[@]}"; } | sha256sum)
	if [ "$(cat "$out/$name/made-of" 2>/dev/null)" != "$key" ]; then
		rm -rf "${out:?}/$name"
		mkdir "$out/$name"
		"$2" "$out/$name" "${@:3}"
		echo "$key" >"$out/$name/made-of"
	fi
	exec {lock}>&-
}

# The host's time stamp counter in kHz.
vcore_tsc_khz()
{
	vcore_made "$vcore_cache" tsc "$vcore_dir/tsc-khz.c" -- vcore_tsc_program
	"$vcore_cache/tsc/tsc-khz"
}

vcore_tsc_program() # DIRECTORY
{
	gcc -O2 -Wall -Wextra -Werror -o "$1/tsc-khz" "$vcore_dir/tsc-khz.c"
}
