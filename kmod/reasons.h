/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why a session ended: one list, for the module's line in the kernel log and for
 * what the tools print.
 */
#ifndef CCSAMPLE_KMOD_REASONS_H
#define CCSAMPLE_KMOD_REASONS_H

#include "ccsample.h"

/* Return: a clause for enum ccsample_reason, "the CPU went offline". */
static inline const char *ccsample_reason_text(__u32 reason)
{
	switch (reason) {
	case CCSAMPLE_NOT_ENDED:
		return "it was asked to stop";
	case CCSAMPLE_FOREIGN_PEBS:
		return "another program samples precisely on this CPU (PEBS)";
	case CCSAMPLE_DS_CHANGED:
		return "something else changed the DS area";
	case CCSAMPLE_COUNTER_CHANGED:
		return "something else changed or took its counter";
	case CCSAMPLE_STORM:
		return "interrupts came too often, or took too long: ask for a longer period";
	case CCSAMPLE_CPU_OFFLINE:
		return "the CPU went offline";
	case CCSAMPLE_SUSPEND:
		return "the machine was suspended";
	case CCSAMPLE_SHUTDOWN:
		return "the machine shuts down";
	case CCSAMPLE_VIRTUAL_MACHINE:
		return "a virtual machine runs on this CPU (KVM)";
	case CCSAMPLE_BRANCH_TRACE:
		return "something traces branches on this CPU (BTS)";
	}
	return "for a reason that this version does not know";
}

#endif /* CCSAMPLE_KMOD_REASONS_H */
