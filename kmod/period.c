// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other periods while a session runs. Only what gaps are drawn from is replaced: no register is
 * written, and the gap that is under way goes on.
 */
#include <linux/mutex.h>
#include <linux/smp.h>

#include "request.h"
#include "sched.h"
#include "session.h"

struct change {
	struct ccsample_session *s;
	struct ccsample_ranges ranges;
	u64 period;		/* of the first event, for who asks for the status */
	u64 from;
};

/* A slot that is closed on leaving is the last one with an old gap. */
static void change_here(void *argument)
{
	struct change *change = argument;
	struct ccsample_session *s = change->s;
	bool runs = this_cpu_read(ccsample_here) == s;

	if (runs)
		ccsample_enter(s);
	s->ranges = change->ranges;
	WRITE_ONCE(s->period, change->period);
	change->from = s->control->head + runs;
	if (runs)
		ccsample_leave(s);
}

int ccsample_session_period(struct ccsample_session *s, struct ccsample_period *ask)
{
	struct change change = { .s = s, .period = ask->period[0] };
	int error = ccsample_request_period(s, ask, &change.ranges);

	if (error)
		return error;
	mutex_lock(&s->lock);
	if (smp_call_function_single(s->cpu, change_here, &change, 1) || READ_ONCE(s->ended))
		error = -ESHUTDOWN;
	mutex_unlock(&s->lock);
	ask->from = change.from;
	return error;
}
