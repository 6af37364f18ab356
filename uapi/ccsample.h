/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The contract of ccsample.ko and its users.
 *
 * This version of the module looks at the processor and says what it could
 * sample; it opens no device. What it found stands in read-only parameters:
 *
 *	/sys/module/ccsample/parameters/pebs_format	1 .. 5
 *	/sys/module/ccsample/parameters/pebs_counters	general-purpose counters
 *
 * A processor that cannot be sampled is refused at load, with one line in the
 * kernel log that begins with CCSAMPLE_REFUSAL.
 */
#ifndef _UAPI_CCSAMPLE_H
#define _UAPI_CCSAMPLE_H

#define CCSAMPLE_DEVICE		"/dev/ccsample"
#define CCSAMPLE_REFUSAL	"this processor cannot be sampled: "

#endif /* _UAPI_CCSAMPLE_H */
