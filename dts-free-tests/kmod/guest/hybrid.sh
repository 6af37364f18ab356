# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# A hybrid: CPU 0 is a P-core, CPU 1 an E-core, offline when the module was loaded.
api hybrid
session() # MARK CPU ARGUMENTS... -- COMMAND
{
	number=$1 cpu=$2
	shift 2
	drive "/out/$number" "$cpu" "mark=$number" "$@" >>/out/drive 2>&1 || echo "not ok drive $number"
}
session 20 0 references=0x83d0 -- sweep 128 256 1
session 21 1 references=0x83d0 -- sweep 128 256 1
session 22 0 event=0x20d110d1 burst=16 period=100 spread=20 -- sweep 512 8200 1
session 23 1 event=0x20d210d1 burst=16 period=100 spread=20 -- sweep 512 8200 1
session 24 1 burst=1 batch=16 period=60 spread=20 -- sweep 96 256 1
dmesg | grep 'ccsample: Alder Lake' | sed 's/.*ccsample: //' >/out/kinds
