# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Sessions whose CPU is interrupted all along, wherever its kernel is. Where the
# module lies goes to /out/text.
. /common.sh
insmod /ccsample.ko
cat /sys/module/ccsample/sections/.text >/out/text
for ask in "burst=4 period=16 spread=8" "burst=1 period=16 spread=8"; do
	mark=$((${mark:-39} + 1))
	prod 1 "$PERIOD" drive /out/$mark 1 mark=$mark flags=13 storm_limit=10000000 $ask -- \
		relay "$ROUNDS" 20 >>/out/lines
done
