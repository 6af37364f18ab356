/* SPDX-License-Identifier: GPL-2.0-only */
/* Task switches, forks, execs, exits and interrupts, through the kernel's tracepoints. */
#ifndef CCSAMPLE_KMOD_SCHED_H
#define CCSAMPLE_KMOD_SCHED_H

#include "session.h"

/* Finds the tracepoints: they are not exported, but listed. Return: 0 or -ENOENT. */
int ccsample_sched_init(void);

/* The probes stand while somebody has asked for them. May sleep. */
int ccsample_sched_get(void);
void ccsample_sched_put(void);

/**
 * ccsample_enter() - keep interrupts (NMI) from switching buffers.
 *
 * On the session's CPU, interrupts off. What comes meanwhile waits for
 * ccsample_leave(), which switches buffers where a PMI was turned away.
 */
void ccsample_enter(struct ccsample_session *s);

/* The same, of a session that samples. Return: false where it does not; it is not entered then. */
bool ccsample_enter_begun(struct ccsample_session *s);
void ccsample_leave(struct ccsample_session *s);

/* Between the two. */

/* Takes up who runs now. */
void ccsample_sched_begin(struct ccsample_session *s);

/* All counters stop, one after the other, until the next ccsample_sched_begin(). */
void ccsample_sched_halt(struct ccsample_session *s);

/**
 * ccsample_sched_look() - verify everything, close a slot that a lost PMI has left.
 *
 * What is not as it was ends the session, here and now.
 *
 * Return: false where it did.
 */
bool ccsample_sched_look(struct ccsample_session *s);

#endif /* CCSAMPLE_KMOD_SCHED_H */
