# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# The end of a guest: what the kernel has to say, and what a kernel that looks
# for mistakes has found.
rmmod ccsample 2>/dev/null
mount -t debugfs none /sys/kernel/debug 2>/dev/null
if [ -e /sys/kernel/debug/kmemleak ]; then
	# Younger ones than 5 seconds it does not report.
	sleep 6
	echo scan >/sys/kernel/debug/kmemleak
	echo scan >/sys/kernel/debug/kmemleak
	cat /sys/kernel/debug/kmemleak >/out/leaks || echo "kmemleak is off" >/out/leaks
	cat /proc/lockdep_stats >/out/lockdep
fi
dmesg >/out/dmesg
