/* SPDX-License-Identifier: GPL-2.0-only */
/* A socket of the kind SOCK_SEQPACKET, within a tool. Calls go on after signals. */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_SOCKET_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_SOCKET_H

#include "pub_tool_basics.h"

/**
 * socket_connect() - connect to a listener of our own user.
 * @path: its name
 * @fd: receives the descriptor, out of the program's reach; -1 if there is none
 * @error: receives an error's number if there is one: negative
 *
 * Return: NULL, or what failed.
 */
const HChar *socket_connect(const HChar *path, Int *fd, Long *error);

/* Return: as the system calls, negative numbers of errors. */
Long socket_send(Int fd, const void *message, UInt size);
Long socket_receive(Int fd, void *message, UInt size);

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_SOCKET_H */
