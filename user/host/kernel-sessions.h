/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel module's sessions as `status` and `monitor` show them. */
#ifndef CCSAMPLE_HOST_KERNEL_SESSIONS_H
#define CCSAMPLE_HOST_KERNEL_SESSIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "host/kernel-status.h"

struct kernel_sessions {
	struct kernel_session *list;	/* to be freed */
	size_t count, room;
};

/* Adds the sessions that there are. Return: 0, or -1 after one line. */
int kernel_sessions_collect(struct kernel_sessions *sessions);

void kernel_sessions_text(FILE *out, const struct kernel_sessions *sessions, bool colour);
void kernel_sessions_json(FILE *out, const struct kernel_sessions *sessions);

/* Prints what happened to a session as one line; a callback of kernel_monitor(). */
int kernel_session_line(enum ccsample_nl_command command, const struct kernel_session *session,
			void *data);

#endif /* CCSAMPLE_HOST_KERNEL_SESSIONS_H */
