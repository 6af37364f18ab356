// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpu.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#include "guard.h"
#include "registry.h"
#include "sched.h"
#include "session.h"

static DEFINE_SPINLOCK(lock);
static DEFINE_PER_CPU(bool, claimed);	/* from before a session's memory is laid until it is gone */
static DEFINE_PER_CPU(struct ccsample_session *, published);
static enum ccsample_reason refused;

/* Under the lock. */
static int may_come(int cpu)
{
	if (refused)
		return -ESHUTDOWN;
	return cpu_online(cpu) ? 0 : -ENODEV;
}

int ccsample_registry_claim(int cpu)
{
	int error;

	spin_lock(&lock);
	error = may_come(cpu) ?: per_cpu(claimed, cpu) ? -EBUSY : 0;
	if (!error)
		per_cpu(claimed, cpu) = true;
	spin_unlock(&lock);
	return error;
}

void ccsample_registry_disclaim(int cpu)
{
	spin_lock(&lock);
	per_cpu(claimed, cpu) = false;
	spin_unlock(&lock);
}

int ccsample_registry_publish(struct ccsample_session *s)
{
	int error;

	/* A CPU on its way out is waited for: cpu_goes_offline() has not seen us. */
	cpus_read_lock();
	spin_lock(&lock);
	error = may_come(s->cpu);
	if (!error)
		per_cpu(published, s->cpu) = s;
	spin_unlock(&lock);
	cpus_read_unlock();
	return error;
}

void ccsample_registry_withdraw(struct ccsample_session *s)
{
	spin_lock(&lock);
	per_cpu(published, s->cpu) = NULL;
	spin_unlock(&lock);
}

void ccsample_registry_refuse(enum ccsample_reason reason)
{
	spin_lock(&lock);
	refused = reason;
	spin_unlock(&lock);
}

static void end_here(void *reason)
{
	struct ccsample_session *s = this_cpu_read(ccsample_here);

	if (!s)
		return;
	ccsample_enter(s);
	ccsample_guard_stop(s, *(enum ccsample_reason *)reason);
	ccsample_session_end(s, *(enum ccsample_reason *)reason);
	ccsample_leave(s);
}

void ccsample_registry_end(int cpu, enum ccsample_reason reason)
{
	smp_call_function_single(cpu, end_here, &reason, 1);
	spin_lock(&lock);
	if (per_cpu(published, cpu))
		ccsample_session_end(per_cpu(published, cpu), reason);
	spin_unlock(&lock);
}

bool ccsample_registry_status(int cpu, struct ccsample_status *status)
{
	const struct ccsample_session *s;

	spin_lock(&lock);
	s = per_cpu(published, cpu);
	if (s)
		ccsample_session_status(s, status);
	spin_unlock(&lock);
	return s;
}
