# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# What the referee's guest does on each model, behind record.sh.
mark 10
taskset 1 perf stat -x, -e r8d1:u,r10d1:u,r81d0:u,r82d0:u sweep 128 512 1 2>/out/10
mark 999
for rounds in 1 2 3; do
	taskset 1 perf stat -x, -e instructions:u sweep 64 64 $rounds 2>>/out/11
done
taskset 1 perf stat -x, -e cycles,instructions sweep 64 64 1 2>/out/12

record 20 cpu,addr,ip,iregs,phys_addr -c 101 -e cpu/event=0xd1,umask=0x8/ppu -d --phys-data \
	--sample-cpu -I taskset 1 sweep 256 256 1
record 21 cpu,addr,ip -c 101 -e cpu/event=0xd1,umask=0x8/pp -d --sample-cpu \
	taskset 2 sweep 256 256 1
record 22 cpu,addr,ip -c 53 -e cpu/event=0xd1,umask=0x8/ppk -d --sample-cpu \
	taskset 1 dd if=/dev/zero of=/dev/null bs=64k count=100
record 23 cpu,addr,ip -a -c 61 -e cpu/event=0xd1,umask=0x8/pp -d sweep 128 512 1 2
record 24 cpu,addr,ip -c 37 -e cpu/event=0xd1,umask=0x10/pp -d --sample-cpu \
	taskset 1 sweep 384 512 1
record 25 cpu,addr,ip -c 7 -e cpu/event=0xd1,umask=0x20/pp -d --sample-cpu \
	taskset 1 sweep 128 512 1
record 26 cpu,addr,weight,ip -c 97 -e cpu/mem-loads,ldlat=3/ppu -d -W --sample-cpu \
	taskset 1 sweep 384 512 1
record 27 cpu,addr,ip -c 97 -e cpu/mem-stores/ppu -d --sample-cpu taskset 1 sweep 256 256 1
record 29 cpu,addr,ip -c 101 -e cpu/event=0xd1,umask=0x8/ppu -d --sample-cpu \
	taskset 1 sweep 384 512 1
# Last: where the PMI of a record finds perf's counters stopped (`unheard`), the record stays in the buffer,
# and perf makes a sample of it in the next session on that CPU.
mark 28
perf mem record -o /out/28.data sweep 384 512 1 >/dev/null 2>>/out/errors
mark 999
echo addr,ip >/out/28.fields
dmesg | grep -iE 'nmi|perf|unknown|oops|bug:' >/out/complaints
cat /proc/uptime >/out/uptime
