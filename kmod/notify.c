// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/printk.h>

#include "session.h"

static const char *const reasons[] = {
	[CCSAMPLE_FOREIGN_PEBS] = "somebody else samples there",
	[CCSAMPLE_DS_CHANGED] = "somebody else wrote DS_AREA",
	[CCSAMPLE_COUNTER_CHANGED] = "somebody else took or wrote its counter",
	[CCSAMPLE_STORM] = "too many interrupts",
	[CCSAMPLE_CPU_OFFLINE] = "the CPU went offline",
	[CCSAMPLE_SUSPEND] = "the machine is suspended",
	[CCSAMPLE_SHUTDOWN] = "the machine shuts down",
	[CCSAMPLE_VIRTUAL_MACHINE] = "a virtual machine runs there",
};

void ccsample_notify(const struct ccsample_session *s, enum ccsample_news news)
{
	unsigned int reason = READ_ONCE(s->ended);

	if (news == CCSAMPLE_FINISHED && reason)
		pr_info("session on CPU %d ended: %s\n", s->cpu, reasons[reason]);
}
