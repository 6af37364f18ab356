/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits of what interrupts may take; a session that goes beyond ends with CCSAMPLE_STORM. */
#ifndef CCSAMPLE_KMOD_STORM_H
#define CCSAMPLE_KMOD_STORM_H

#include "session.h"

/* While a session with these flags (enum ccsample_flag) is open. They may sleep. */
int ccsample_storm_get(u32 flags);
void ccsample_storm_put(u32 flags);

/* The session is new. */
void ccsample_storm_init(struct ccsample_session *s);

/* Interrupts, and what they take, are limited from now on. On the session's CPU. */
void ccsample_storm_begin(struct ccsample_session *s);

/* In an NMI, the first one after s->storm_at interrupts. Return: too many, or too long. */
bool ccsample_storm(struct ccsample_session *s, u64 now);

/* In each NMI of a session with kernel events that finds the kernel. Return: it gets nowhere. */
bool ccsample_storm_in_kernel(struct ccsample_session *s, const struct pt_regs *regs);

#endif /* CCSAMPLE_KMOD_STORM_H */
