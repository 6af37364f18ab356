// SPDX-License-Identifier: GPL-2.0-only
/* Data and unified caches as their makers publish them, as one core sees them. */
#include "base/array.h"
#include "host/machine-file.h"

static const struct known_machine machines[] = {
	{ "snb",
	  "name = Sandy Bridge-EP, 8 cores (Xeon E5-2680), the machine of the C2Sim paper\n"
	  "source = Intel 64 and IA-32 Optimization Reference Manual, Sandy Bridge; ark.intel.com\n"
	  "L1 = 32K,8,64\n"
	  "L2 = 256K,8,64\n"
	  "L3 = 20M,20,64\n"
	  "L3.inclusion = inclusive\n"
	  "L3.hash = intel-8\n" },
	{ "hsw",
	  "name = Haswell, 4 cores (Core i7-4790)\n"
	  "source = Intel Optimization Reference Manual, Haswell; slices as measured (slices.c)\n"
	  "L1 = 32K,8,64\n"
	  "L2 = 256K,8,64\n"
	  "L3 = 8M,16,64\n"
	  "L3.inclusion = inclusive\n"
	  "L3.hash = intel-4\n" },
	{ "bdw",
	  "name = Broadwell, 2 cores (Core i7-5600U)\n"
	  "source = Intel Optimization Reference Manual, Broadwell; ark.intel.com\n"
	  "L1 = 32K,8,64\n"
	  "L2 = 256K,8,64\n"
	  "L3 = 4M,16,64\n"
	  "L3.inclusion = inclusive\n"
	  "L3.hash = intel-2\n" },
	{ "skl",
	  "name = Skylake, 4 cores (Core i7-6700)\n"
	  "source = Intel Optimization Reference Manual, Skylake; slices as measured (slices.c)\n"
	  "L1 = 32K,8,64\n"
	  "L2 = 256K,4,64\n"
	  "L3 = 8M,16,64\n"
	  "L3.inclusion = inclusive\n"
	  "L3.hash = intel-4\n" },
	{ "skx",
	  "name = Skylake-SP, 16 cores (Xeon Gold 6142)\n"
	  "source = Intel Optimization Reference Manual, Skylake Server; ark.intel.com\n"
	  "L1 = 32K,8,64\n"
	  "L2 = 1M,16,64\n"
	  "L3 = 22M,11,64\n"
	  "L3.hash = skx-16\n" },
	{ "icx",
	  "name = Ice Lake-SP, 32 cores (Xeon Platinum 8358); its slice hash is not published\n"
	  "source = Intel Optimization Reference Manual, Ice Lake Server; ark.intel.com\n"
	  "L1 = 48K,12,64\n"
	  "L2 = 1280K,20,64\n"
	  "L3 = 48M,12,64\n" },
	{ "zen",
	  "name = Zen 2, one core complex (EPYC 7002); its slice hash is not published\n"
	  "source = AMD, Software Optimization Guide for Family 17h Models 30h and Greater\n"
	  "L1 = 32K,8,64\n"
	  "L2 = 512K,8,64\n"
	  "L2.inclusion = inclusive\n"
	  "L3 = 16M,16,64\n"
	  "L3.inclusion = exclusive\n" },
};

const struct known_machine *known_machine_at(size_t place)
{
	return place < ARRAY_SIZE(machines) ? &machines[place] : NULL;
}
