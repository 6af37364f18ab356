# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# The kernel has no memory for whoever cannot wait for it (failslab).
mount -t debugfs none /sys/kernel/debug
slab=/sys/kernel/debug/failslab
echo Y >$slab/task-filter
echo Y >$slab/ignore-gfp-wait
echo 0 >$slab/verbose
echo -1 >$slab/times
echo 100 >$slab/probability

# What the sampled task runs has no memory, from before its exec on.
drive /out/50 1 mark=50 flags=13 fail=1 -- \
	sh -c 'sweep 128 256 1; sweep 128 256 1; sweep 128 256 1; i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done' >/tmp/line
echo 0 >$slab/probability
cat /tmp/line
if grep -q 'records [1-9]' /tmp/line; then
	echo "ok the exec was seen"
else
	echo "not ok the exec was seen"
fi
if grep -q 'lost_tasks 3 ' /tmp/line; then
	echo "ok three children were not taken up, and counted"
else
	echo "not ok three children were not taken up, and counted"
fi
