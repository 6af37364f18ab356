// SPDX-License-Identifier: GPL-2.0-only
/*
 * Goes on with another kernel, through the reboot notifiers and past firmware.
 *
 *	kexec KERNEL INITRAMFS COMMAND-LINE
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/reboot.h>

int main(int argc, char **argv)
{
	int kernel, initramfs;

	if (argc != 4)
		return 2;
	kernel = open(argv[1], O_RDONLY);
	initramfs = open(argv[2], O_RDONLY);
	if (syscall(SYS_kexec_file_load, kernel, initramfs, strlen(argv[3]) + 1, argv[3], 0L)) {
		perror("kexec_file_load");
		return 1;
	}
	reboot(LINUX_REBOOT_CMD_KEXEC);
	perror("reboot");
	return 1;
}
