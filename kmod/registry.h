/* SPDX-License-Identifier: GPL-2.0-only */
/* The sessions that there are, one a CPU. Not from interrupts. */
#ifndef CCSAMPLE_KMOD_REGISTRY_H
#define CCSAMPLE_KMOD_REGISTRY_H

#include <linux/types.h>

#include "ccsample.h"

struct ccsample_session;
struct ccsample_status;

/*
 * A CPU is one session's, and has the memory of one, until it is given back.
 *
 * Return: 0, -EBUSY: it is another's; -ENODEV: it is offline; -ESHUTDOWN: none may begin
 */
int ccsample_registry_claim(int cpu);
void ccsample_registry_disclaim(int cpu);

/*
 * Who ends sessions, or asks for their state, finds this one from now on, until it is withdrawn.
 *
 * Return: 0, or as ccsample_registry_claim()
 */
int ccsample_registry_publish(struct ccsample_session *s);
void ccsample_registry_withdraw(struct ccsample_session *s);

/* No new sessions from now on, for this reason; CCSAMPLE_NOT_ENDED allows them again. */
void ccsample_registry_refuse(enum ccsample_reason reason);

/* End whatever session there is on a CPU, running or not. */
void ccsample_registry_end(int cpu, enum ccsample_reason reason);

/**
 * ccsample_registry_status() - a copy of what the session of a CPU is and has counted.
 *
 * Return: false if it has none.
 */
bool ccsample_registry_status(int cpu, struct ccsample_status *status);

#endif /* CCSAMPLE_KMOD_REGISTRY_H */
