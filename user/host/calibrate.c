// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/fail.h"
#include "gain/calibration.h"
#include "host/calibrate.h"
#include "host/machine.h"

#define ROUNDS	15		/* of each kernel */

int machine_calibrate(FILE *out, const char *path)
{
	struct calibration calibration;
	struct machine machine;

	machine_read(&machine);
	memcpy(calibration.cpu, machine.cpu, sizeof(calibration.cpu));
	if (!*calibration.cpu)
		return fail("this machine does not say which processor it has (/proc/cpuinfo)");
	if (!calibrate(&calibration, ROUNDS))
		return fail("the system gives no memory to run code in: nothing can be measured");
	if (calibration_keep(path, &calibration))
		return -1;
	calibration_text(out, &calibration);
	return 0;
}
