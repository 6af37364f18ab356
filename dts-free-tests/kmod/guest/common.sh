# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# What the scripts in guests share. Lines "ok NAME" and "not ok NAME".
insmod /modules/msr.ko allow_writes=on

try() # NAME COMMAND...
{
	name=$1
	shift
	if "$@"; then echo "ok $name"; else echo "not ok $name"; fi
}

register() # CPU NUMBER: as 16 hexadecimal digits, low byte first
{
	dd if="/dev/cpu/$1/msr" bs=8 count=1 iflag=skip_bytes skip=$(($2)) 2>/dev/null | hexdump -v -e '8/1 "%02x"'
}

samples() # perf's, in the file
{
	perf script -i "$1" -F ip 2>/dev/null | grep -c .
}

as_found()
{
	[ "$(register 1 0x600)" = "$found_ds" ] && [ "$(register 1 0x3f1)" = 0000000000000000 ]
}

found_ds=$(register 1 0x600)
echo "# DS_AREA $found_ds"
