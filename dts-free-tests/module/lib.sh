# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Guests that record through the module, and what is asked of their recordings.
# The script that sources this has sourced tap.sh.
# shellcheck disable=SC2154 # what that has set

vcore=dts-free-tests/vcore
recorded=0 taken=0 placed=0 moved=0

# The module, for a guest's kernel.
build_module() # series
{
	local tree=$work/module-$1

	[ ! -f "$tree/ccsample.ko" ] || return 0
	mkdir -p "$tree"
	cp -r Kbuild kmod uapi "$tree/"
	make -C "$("$vcore/kernel" "$1")/build" M="$tree" modules >"$tree/make.log" 2>&1
	if [ ! -f "$tree/ccsample.ko" ]; then
		check '' "the module builds for the guest's kernel $1"
		sed 's/^/# /' "$tree/make.log" | tail -n 20
		return 1
	fi
	strip -g "$tree/ccsample.ko"
}

# What the guest gets: the installed tools, which $build/ccsample leads to, and programs.
pack_tree() # cases
{
	pack_tools && pack_programs "$1"
}

pack_tools()
{
	local tree=$work/tree

	make -s install BUILD="$build" DESTDIR="$tree" \
		PREFIX="$build/installed" >"$work/install.log" 2>&1 ||
		{ sed 's/^/# /' "$work/install.log"; return 1; }
	ln -sf installed/bin/ccsample "$tree$build/ccsample"
}

# The programs of a list in the places where they are here: names in recordings stay true.
pack_programs() # cases
{
	local tree=$work/tree name

	mkdir -p "$tree$build/programs" "$tree$PWD/dts-free-tests/programs/cxx"
	cp dts-free-tests/programs/*.[ch] "$tree$PWD/dts-free-tests/programs/"
	cp dts-free-tests/programs/cxx/*.cc "$tree$PWD/dts-free-tests/programs/cxx/"
	sed -n 's/^\([a-z0-9-]*\) *|.*/\1/p' "$1" | sort -u | while read -r name; do
		cp "$build/programs/$name" "$tree$build/programs/"
	done
	gcc -O2 -static -o "$tree$build/programs/mark" $vcore/guest/mark.c || return 1
	gcc -O2 -g -static -Idts-free-tests/programs -o "$tree$build/programs/static" \
		dts-free-tests/programs/symmetrize.c -lm || return 1
	gcc -O2 -g -pthread -o "$tree$build/programs/adapts" dts-free-tests/engine/adapts.c || return 1
	cp -L "$(type -P bash)" "$tree$build/programs/bash"
	pack_libraries "$build/ccsample" "$build"/programs/* "$(type -P bash)"
}

# The libraries of programs; then the tree is whole.
pack_libraries() # program...
{
	local tree=$work/tree file library

	for file in "$@"; do
		ldd "$file" 2>/dev/null
	done | grep -o '/[^ ]*' | sort -u | while read -r library; do
		mkdir -p "$tree${library%/*}"
		cp -L "$library" "$tree$library"
	done
	tar -C "$tree" -cf "$work/tree.tar" .
}

run_guest() # options...; of guest()
{
	$vcore/run --cpu "$model" --kernel "$series" --smp 2 --kargs "pti=$pti norandmaps" \
		--timeout 600 --memory 2048 --truth "$work/$name.truth" \
		--set truth-references=off --out "$work/$name" \
		--dmesg "$work/$name.dmesg" "$@" --add "$work/module-$series/ccsample.ko" \
		--add "$work/tree.tar" -- "$(cat "$work/$name.script")" >"$work/$name.log" 2>&1
	status=$?
}

# Boots and runs a script, which finds $build, $record, $report and $mark; what it
# leaves goes into $work/NAME. SETTINGS are `MODEL SERIES PTI`, and options of vcore/run.
guest() # name settings... <script
{
	local name=$1 model=$2 series=$3 pti=$4 l1=32K,8,64 status

	shift 4
	case $model in icx | lnc) l1=48K,12,64 ;; esac
	build_module "$series" || return 1
	{
		echo "tar -xf /tree.tar -C / && rm /tree.tar"
		echo "build=$build; record=\"\$build/ccsample record -q --source pebs --D1 $l1 --seed 1\""
		echo "mark=\$build/programs/mark; report=\"\$build/ccsample report --json -i\""
		echo "insmod /ccsample.ko || { dmesg | tail -5; exit 1; }"
		echo "cd /out"
		cat
	} >"$work/$name.script"
	run_guest "$@"
	if grep -q "emulator's status 124" "$work/$name.log"; then
		echo "# $name: the guest stood still, and is run once more"
		tail -n 5 "$work/$name.dmesg" | sed 's/^/# /'
		run_guest "$@"
	fi
	try "$name: the guest's script ends well" test $status = 0
	grep -v '^checksum ' "$work/$name.log" | sed 's/^/# /' | tail -n 15
	try "$name: no warning of the kernel" sh \
		-c "! grep -qE 'WARNING|BUG|Oops' '$work/$name.dmesg'"
}

# Holds a guest's recordings against the core's book; it is not needed again.
read_book() # guest mark=recording...
{
	local name=$1

	shift
	"$build/dts-free-tests/module/check" "$work/$name.truth" "$@" >"$work/$name.found" \
		2>"$work/$name.complaints"
	sed 's/^/# /' "$work/$name.complaints"
	[ -n "${KEEP:-}" ] || rm -f "$work/$name.truth"
}

# A number that read_book found, -1 where there is none.
value() # guest mark name
{
	local number

	number=$(sed -n "s/^$2 $3 //p" "$work/$1.found")
	echo "${number:--1}"
}

# Samples, owners, losses.
are_records() # guest mark what least-samples
{
	local guest=$1 mark=$2 what=$3 samples

	samples=$(value "$guest" "$mark" samples)
	try "$what: $samples samples" test "$samples" -ge "$4"
	try "$what: each is a record that the core wrote ($(value "$guest" \
		"$mark" strangers) are not)" \
		test "$(value "$guest" "$mark" strangers)" = 0
	try "$what: each is of its process's memory ($(value "$guest" "$mark" misowned) are not)" \
		test "$(value "$guest" "$mark" misowned)" = 0
	try "$what: what is not there was told ($(value "$guest" "$mark" lost) lost, $(value \
		"$guest" "$mark" foreign) foreign)" \
		test "$((samples - $(value "$guest" "$mark" shared)))-$(value "$guest" \
		"$mark" foreign)" = \
		"$(($(value "$guest" "$mark" records) - $(value "$guest" "$mark" lost)))-0"
	recorded=$((recorded + $(value "$guest" "$mark" records)))
	taken=$((taken + samples))
	moved=$((moved + $(value "$guest" "$mark" moved)))
	placed=$((placed + samples - $(value "$guest" "$mark" unplaced)))
}

# What stretches and gaps do not stand for is what came behind the last record, but for the
# events until its slot was closed: few, but where records come late. Then the last ones may lie
# in the slot behind their burst's, which the session's end closes. That is less than a gap and a
# burst on each of two CPUs, unless the recording tells of losses: the last slots may be among those
# that were dropped.
are_weighed() # guest mark what period burst
{
	local guest=$1 mark=$2 what=$3 lost rest after most=$((2 * (3 * $4 * $5 / 2 + $5))) \
		open=$((2 * $5))

	[ "$guest" != late ] || open=$most
	lost=$(value "$guest" "$mark" lost)
	after=$(value "$guest" "$mark" after)
	rest=$(($(value "$guest" "$mark" counted) - $(value "$guest" "$mark" weight)))
	try "$what: gaps and stretches are all events but $rest of the $after behind the last records" \
		test $rest -ge 0 -a $rest -le "$after" -a $((after - rest)) -le $open
	try "$what: these are less than a gap and a burst a CPU, or of $lost lost samples" \
		test "$lost" != 0 -o "$rest" -le $most
}

are_counted() # guest mark what
{
	try "$3: the core's $(value "$1" "$2" events) events were counted ($(value "$1" \
		"$2" counted))" \
		test "$(value "$1" "$2" events)" = "$(value "$1" "$2" counted)"
}

# What the processes had that were recorded; others run while sessions are opened.
are_own() # guest mark what
{
	try "$3: their $(value "$1" "$2" own) events were counted ($(value "$1" "$2" counted))" \
		test "$(value "$1" "$2" own)" = "$(value "$1" "$2" counted)"
}

against_book() # guest mark what least-samples period burst
{
	are_records "$1" "$2" "$3" "$4"
	are_counted "$1" "$2" "$3"
	are_weighed "$1" "$2" "$3" "$5" "$6"
}
