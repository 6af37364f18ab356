/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An image's connection to the recorder: a socket with a name. All by bare system calls: a program
 * may fork with any of its locks held.
 */
#ifndef CCSAMPLE_TRACEE_PRELOAD_CONNECTION_H
#define CCSAMPLE_TRACEE_PRELOAD_CONNECTION_H

#include <stdbool.h>

/* The socket is called so. Return: false if no socket is */
bool connection_name(const char *value);

/*
 * In place of that of an image before this one, of a fork's parent.
 * @ring_fd: handed over; -1 = there could be none, which the recorder knows by this connection
 */
bool connection_open(int ring_fd);
void connection_close(void);

/*
 * Until the recorder has looked at our memory, or is gone, or a second has passed. The kernel
 * takes from its limit what has passed when a signal interrupts.
 */
void connection_goodbye(void);

#endif /* CCSAMPLE_TRACEE_PRELOAD_CONNECTION_H */
