/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/ccsample: what user space asks, as uapi/ccsample.h has it. */
#ifndef CCSAMPLE_KMOD_CHARDEV_H
#define CCSAMPLE_KMOD_CHARDEV_H

int ccsample_chardev_init(void);
void ccsample_chardev_exit(void);

#endif /* CCSAMPLE_KMOD_CHARDEV_H */
