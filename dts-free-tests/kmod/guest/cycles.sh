# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Loads and unloads the module $CYCLES times, with $PARAMETERS; after common.sh.

# In each cycle the module is loaded, samples (PMIs and all), and goes.
cycles()
{
	n=0
	while [ $n -lt "$1" ]; do
		rmmod ccsample && insmod /ccsample.ko ${PARAMETERS:-} &&
			drive /tmp/dump 1 burst=16 period=100 spread=10 -- sweep 64 64 \
			2 >/tmp/line &&
			grep -q 'interrupts [1-9]' /tmp/line || return 1
		n=$((n + 1))
	done
}

try "insmod and rmmod, $CYCLES times" cycles "$CYCLES"
try "DS_AREA and PEBS_ENABLE are as found" as_found
