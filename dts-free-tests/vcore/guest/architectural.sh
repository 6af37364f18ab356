# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# ... and on a model with architectural PEBS.
record 20 cpu,addr,ip,iregs,phys_addr -c 101 -e cpu/event=0xd1,umask=0x8/ppu -d --phys-data \
	--sample-cpu -I taskset 1 sweep 256 256 1
record 21 cpu,addr,ip -c 101 -e cpu/event=0xd1,umask=0x8/pp -d --sample-cpu \
	taskset 2 sweep 256 256 1
record 26 cpu,addr,weight,ip -c 97 -e cpu/mem-loads,ldlat=3/ppu -d -W --sample-cpu \
	taskset 1 sweep 384 512 1
record 29 cpu,addr,ip -c 101 -e cpu/event=0xd1,umask=0x8/ppu -d --sample-cpu \
	taskset 1 sweep 384 512 1
# Each record with the values of two counters: perf makes two samples of it, with how much each
# counted since the last.
record 40 cpu,period,event -c 101 --sample-cpu -d \
	-e '{cpu/event=0xd1,umask=0x8,name=misses/ppu,cpu/event=0xd0,umask=0x83,name=refs/u}:S' \
	taskset 1 sweep 256 256 1
dmesg | grep -iE 'nmi|perf|unknown|oops|bug:' >/out/complaints
cat /proc/uptime >/out/uptime
