// SPDX-License-Identifier: GPL-2.0-only
/*
 * The source that needs no help of the hardware: a library in the program (tracee/bursts/) traces
 * all of its loads and stores for a short time now and then. What is mapped and allocated comes by
 * the side band; of a process that runs already /proc says what is mapped. All are TSC-stamped.
 */
#include <math.h>
#include <stdlib.h>
#include <x86intrin.h>

#include "base/clock.h"
#include "base/fail.h"
#include "base/map.h"
#include "base/memory.h"
#include "bursts/burst-length.h"
#include "bursts/burst-times.h"
#include "bursts/log.h"
#include "bursts/long-plan.h"
#include "bursts/outcomes-pack.h"
#include "bursts/pack.h"
#include "burst-source/burst-program.h"
#include "burst-source/burst-queue.h"
#include "burst-source/burst-reasons.h"
#include "burst-source/classes.h"
#include "burst-source/size-limit.h"
#include "record/head.h"

#define PACKED_MOST	200000u		/* references recorded of a burst: memset() has millions */
#define TIMED		(256u << 10)	/* instructions, before them: 20 us of fast code and more */
#define FIRST_US	10000u		/* between a thread's first bursts */
#define LEAST_US	4000u		/* timers of CPU time tick at HZ */
#define MOST_US		10000000u
#define BEGIN_US	100000u		/* until costs are known */
#define GRACE_NS	(SECOND_NS / 200) /* on bursts: until then first ones come close */
#define FEW		10		/* bursts: until there are so many, five times that */
#define LONG_SHARE	(1 / 3.0)	/* of the budget, for long bursts at the most */
#define LINES_MOST	(64u << 10)	/* of an L2 */
#define HELD_NS		(SECOND_NS / 20) /* no burst takes longer than that to be there */
#define WAIT_MS		20u
#define WAIT_STEP_MS	5u
#define LOOK_MOST	(64 * BURSTS_SLOTS)	/* bursts: a writer may go on for ever */
#define WAIT_LEAST_MS	5u
#define WAIT_MOST_MS	100u
#define AIM		0.7		/* of the budget: the rest no clock of ours shows */
#define END_NS		1000000u	/* ... nor our own end */
#define SHORT_NS	(SECOND_NS / 2)	/* runs of less cost more than they should */
#define MUCH		1.25		/* times the budget: why is said */
#define DEBT_MOST	4.0		/* times the interval, until it is paid back */
#define RECENT		16		/* bursts over which costs are averaged */

struct bursts {
	const struct record_request *request;
	struct source_run *run;
	struct burst_program *program;
	struct burst_log log;
	struct burst at;		/* that is read */
	struct long_plan *long_bursts;	/* NULL = no L2 is known */
	uint64_t long_ns;		/* of @program_ns, at the last long burst */
	bool ended;			/* the program that we started */
	struct burst_packer *packer;
	struct burst_classes *classes;	/* NULL = references are kept */
	struct burst_queue queue;
	struct size_limit size_limit;
	struct map cpu;	/* process and thread -> its CPU time at its last burst + 1 */
	double ticks_ns;		/* TSC ticks in a nanosecond */
	uint64_t begun_ns, begun_tsc;
	/* of all bursts read */
	uint64_t program_ns;		/* CPU time of the program up to its threads' last bursts */
	uint64_t in_bursts_ns;
	uint64_t ours_ns;		/* our own on bursts: read, packed, written */
	double new_code_ns;		/* of the bursts', on code that they met first */
	double cost_ns;			/* of a burst, lately, the program's and ours */
	double debt;			/* all cost by what is allowed until now, at least 1 */
	uint64_t by_counter;		/* timed by the processor's counter */
	uint64_t spent_ns;		/* on all of them, when that was last looked at */
	uint32_t wait_ms;		/* between two looks for bursts */
	struct burst_length length;
	uint64_t incomplete;
};

/* --- open, close --- */

static void bursts_close(void *source)
{
	struct bursts *bursts = source;

	burst_program_close(bursts->program);
	burst_queue_free(&bursts->queue);
	if (bursts->log.area)
		burst_log_close(&bursts->log);
	if (bursts->packer)
		burst_packer_free(bursts->packer);
	burst_classes_free(bursts->classes);
	long_plan_free(bursts->long_bursts);
	burst_length_close(&bursts->length);
	map_free(&bursts->cpu);
	free(bursts);
}

static void *bursts_open(struct record_request *request)
{
	struct burst_program *program;
	struct bursts *bursts;

	if (request->classes && !burst_l1_fits(&request->caches.level[0].geometry)) {
		fail("--keep classes: so large an L1 is not simulated: --D1 gives another");
		return NULL;
	}
	program = burst_program_open(request);
	if (!program)
		return NULL;
	bursts = xcalloc(1, sizeof(*bursts));
	bursts->request = request;
	bursts->program = program;
	return bursts;
}

/* --- what bursts cost --- */

static uint64_t own_ns(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static double budget(const struct bursts *bursts)
{
	return AIM * bursts->request->overhead;	/* by our clocks */
}

/* What long bursts leave of it. */
static double budget_left(const struct bursts *bursts)
{
	double spent = 0;

	if (bursts->long_bursts && bursts->program_ns)
		spent = (double)long_plan_cost(bursts->long_bursts) / bursts->program_ns;
	return budget(bursts) - fmin(spent, LONG_SHARE * budget(bursts));
}

/* The program's time that bursts took, and timers that began none. */
static uint64_t in_program(const struct bursts *bursts)
{
	return bursts->in_bursts_ns + bursts->log.area->idle_ns;
}

/* All until now but long bursts: our start, waiting and the side band, too. */
static uint64_t whole_cost(const struct bursts *bursts)
{
	uint64_t ours = own_ns();

	if (bursts->long_bursts)
		ours -= long_plan_cost(bursts->long_bursts) -
			long_plan_in_program(bursts->long_bursts);
	return in_program(bursts) + bursts->log.area->begin_ns + ours + END_NS;
}

/* Lately: the last bursts count most. */
static void follow(const struct bursts *bursts, double *mean, double value, uint64_t fresh)
{
	double weight = bursts->log.bursts < RECENT ? fresh / (double)bursts->log.bursts :
						      1.0 / RECENT;

	*mean += (value - *mean) * (weight < 1 ? weight : 1);
}

static uint32_t within(double value, uint32_t least, uint32_t most)
{
	return fmin(fmax(value, least), most);
}

static uint64_t recording_size(const struct bursts *bursts)
{
	const struct recording_writer *writer = bursts->run->writer;

	return bursts->queue.bytes + (writer ? recording_written(writer) : 0);
}

/*
 * As many bursts as the budget has room for. The first ones of each thread come closer, so that
 * short programs have some, until that has cost too much. What is above the budget is paid back.
 */
static void set_interval(struct bursts *bursts, uint64_t fresh)
{
	struct bursts_area *area = bursts->log.area;
	double allowed = budget_left(bursts) * bursts->program_ns, pay, mean, rate;
	uint64_t now = in_program(bursts) + bursts->ours_ns;

	bursts->debt = fmax(whole_cost(bursts) / fmax(allowed, 1), 1);
	/* Steep: in the long run the debt is what it has to be for intervals to be longer. */
	pay = fmin(pow(bursts->debt, 3), DEBT_MOST);
	follow(bursts, &bursts->cost_ns, (double)(now - bursts->spent_ns) / fresh, fresh);
	bursts->spent_ns = now;
	rate = size_limit_rate(&bursts->size_limit, recording_size(bursts));
	area->limited = rate < 1;
	mean = within(pay * bursts->cost_ns / budget_left(bursts) / 1000, LEAST_US, MOST_US);
	area->interval_us = within(mean / rate, LEAST_US, BURSTS_INTERVAL_MOST);
	area->log_words = burst_length_words(&bursts->length);
	area->first_us = rate < 1 || now > (bursts->log.bursts < FEW ? 5 : 1) * GRACE_NS ?
			 within(area->interval_us, FIRST_US, BURSTS_INTERVAL_MOST) : FIRST_US;
}

/* --- from the log --- */

/* Is the burst that is read a part of a long one? */
static bool is_long(const struct bursts *bursts)
{
	return bursts->long_bursts && bursts->at.number && (bursts->at.part || bursts->at.more);
}

static bool take_references(void *context, const struct burst_reference *all, size_t count)
{
	struct bursts *bursts = context;

	return bursts->at.part ? long_plan_add_all(bursts->long_bursts, all, count) :
				 burst_length_add(&bursts->length, all, count);
}

/* Packed, and turned into references only where these are asked for. @before: what was read */
static struct part_read read_burst(struct bursts *bursts, const struct part_read *before)
{
	struct burst_log *log = &bursts->log;
	struct long_plan *plan = is_long(bursts) ? bursts->long_bursts : NULL;
	struct burst_packer *packer = plan ? long_plan_begin_part(plan, &bursts->at) : NULL;
	bool first = !bursts->at.part, asked = first ? burst_length_asks(&bursts->length) :
						       plan && long_plan_asks(plan);

	burst_log_read(log, &bursts->at, first ? bursts->packer : packer,
		       asked ? take_references : NULL, bursts);
	return (struct part_read){
		log->references - before->references, log->both - before->both,
		log->instructions - before->instructions, packer, log->why };
}

/* The first of a thread stands for those that ended before theirs, too (Horvitz, Thompson 1952). */
static uint64_t thread_interval(struct bursts *bursts, const struct burst *burst)
{
	uint64_t *last = map_at(&bursts->cpu, (uint64_t)burst->pid << 32 | burst->tid);
	uint64_t since = *last && *last <= burst->cpu_time ? burst->cpu_time - (*last - 1) :
							     burst->cpu_time;

	*last = burst->cpu_time + 1;
	return burst->first_us ? burst->first_us * 1000ull : since;
}

static void keep(struct bursts *bursts, struct queued_burst *burst, const uint8_t *bytes,
		 size_t size)
{
	burst_times_hold(&burst->whole.burst, __rdtsc());
	if (bursts->classes)
		bytes = burst_classes_of(bursts->classes, &burst->whole.burst, burst->pid, bytes,
					 &size);
	if (bursts->log.why || (size && !bytes) || size > CCS_BURST_MAX)
		bursts->incomplete++;
	else
		burst_queue_add(&bursts->queue, burst, bytes, size);
	size_limit_add(&bursts->size_limit, burst->whole.burst.references, size);
}

static void take_last(struct bursts *bursts, const struct burst *last)
{
	struct queued_burst waiting = queued_last(last, thread_interval(bursts, last));

	keep(bursts, &waiting, NULL, 0);
}

/* @burst: as its writer has it, believed in nothing but to be what it says */
static void take_burst(struct bursts *bursts, const struct burst *burst, uint64_t references,
		       uint64_t cut, uint64_t instructions)
{
	uint64_t packed = references < PACKED_MOST ? references : PACKED_MOST;
	struct queued_burst waiting = {
		.whole.burst = {
			.record = {
				.size = sizeof(waiting.whole.burst),
				.type = CCS_BURST,
				.tid = burst->tid,
			},
			.time = burst->start,
			.end = burst->end < burst->start ? burst->start : burst->end,
			.cpu_ns = burst->cpu_time,
			.interval_ns = thread_interval(bursts, burst),
			.spent_ns = burst->cpu_spent,
			.instructions = references ? (double)instructions * packed / references :
						     instructions,
			.references = packed,
			.reason = burst->reason,
		},
		.pid = burst->pid,
	};
	size_t size;
	const uint8_t *bytes = burst_packer_end(bursts->packer, &size);

	burst_times_take(burst, bursts->ticks_ns, &waiting.whole.burst);
	burst_times_strings(burst, references + cut, &waiting.whole.burst);
	queued_met(&waiting, burst);
	burst_length_end(&bursts->length, burst, references);
	if (burst->number == 1)
		bursts->log.area->timed_first = burst_times_first(burst);
	bursts->by_counter += burst->by_counter != 0;
	bursts->program_ns += waiting.whole.burst.interval_ns;
	bursts->in_bursts_ns += burst_times_traced(burst, &waiting.whole.burst, instructions,
						   bursts->ticks_ns);
	bursts->new_code_ns += waiting.whole.burst.missing_ns;
	keep(bursts, &waiting, bytes, size);
}

/* A part of a long burst: one of its own where it is the first, and the long one after the last. */
static void take_part(struct bursts *bursts, const struct burst *part, const struct part_read *read)
{
	struct queued_burst waiting = { .pid = part->pid };
	size_t size;
	const uint8_t *bytes = long_plan_part(bursts->long_bursts, part, read, bursts->ticks_ns,
					      &waiting.whole, &size);

	if (part->part)		/* no time that the program's next burst stands for */
		thread_interval(bursts, &(struct burst){
			.pid = part->pid, .tid = part->tid,
			.cpu_time = part->cpu_time + part->cpu_spent });
	if (!bytes)
		return;
	waiting.whole.burst.interval_ns = bursts->program_ns - bursts->long_ns;
	bursts->long_ns = bursts->program_ns;
	keep(bursts, &waiting, bytes, size);
}

/* Return: false if there was none. */
static bool take_next(struct bursts *bursts, uint64_t *begun)
{
	const struct burst_log *log = &bursts->log;
	struct part_read read = { log->references, log->both, log->instructions };
	uint64_t counted = log->counted, cut = log->cut, now;
	struct burst *at = &bursts->at;

	if (!burst_log_next(&bursts->log, at))
		return false;
	read = read_burst(bursts, &read);
	at->timed_instructions = burst_times_instructions(at, read.instructions,
							  log->counted - counted);
	if (!at->number)
		take_last(bursts, at);
	else if (!at->part)
		take_burst(bursts, at, read.references, log->cut - cut, read.instructions);
	if (is_long(bursts))
		take_part(bursts, at, &read);
	now = own_ns();
	if (at->part && bursts->long_bursts)
		long_plan_took(bursts->long_bursts, now - *begun);
	else
		bursts->ours_ns += now - *begun;
	*begun = now;
	return true;
}

/* Slots must not fill up; a look costs as much as reading a short burst. */
static void set_wait(struct bursts *bursts, uint64_t read)
{
	if (read > BURSTS_SLOTS / 4)
		bursts->wait_ms = within(bursts->wait_ms / 2, WAIT_LEAST_MS, WAIT_MOST_MS);
	else if (read <= 1)
		bursts->wait_ms = within(bursts->wait_ms + WAIT_STEP_MS, 0, WAIT_MOST_MS);
}

static void drain(struct bursts *bursts)
{
	uint64_t fresh = 0, all = 0, begun = own_ns();

	bursts->ticks_ns = burst_times_ticks(bursts->begun_tsc, bursts->begun_ns, bursts->ticks_ns);
	for (; all < LOOK_MOST && take_next(bursts, &begun); all++)
		fresh += bursts->at.number && !bursts->at.part;
	set_wait(bursts, all);
	if (!fresh)
		return;
	set_interval(bursts, fresh);
	if (bursts->long_bursts)
		long_plan_grant(bursts->long_bursts, bursts->log.area, LONG_SHARE * budget(bursts) *
				bursts->program_ns / bursts->debt, bursts->length.density,
				size_limit_long(&bursts->size_limit, recording_size(bursts),
						long_plan_references(bursts->long_bursts)));
}

/* --- to the recording --- */

static void write_first(struct bursts *bursts, const struct queued_burst *first)
{
	uint64_t begun;

	burst_program_take(bursts->program, first->whole.burst.time);
	burst_program_take_begun(bursts->program, first->pid, first->whole.burst.end);
	begun = own_ns();
	burst_queue_write(&bursts->queue, bursts->run->images);
	bursts->ours_ns += own_ns() - begun;
}

static void write_until(struct bursts *bursts, uint64_t until)
{
	const struct burst_queue *queue = &bursts->queue;
	const struct queued_burst *first;

	if (burst_queue_ended(queue, until))
		burst_program_refresh(bursts->program);
	while ((first = burst_queue_ended(queue, until)))
		write_first(bursts, first);
	if (burst_queue_time(queue) < until)
		until = burst_queue_time(queue);
	burst_program_take(bursts->program, until);
}

/* --- as a source --- */

/* NULL where there is no L2 that bursts could fill. */
static struct long_plan *long_plan_for(const struct hierarchy_plan *caches)
{
	uint64_t lines = caches->levels > 1 ? cache_lines(&caches->level[1].geometry) : 0;

	return lines && lines <= LINES_MOST ? long_plan_new(lines) : NULL;
}

/* By hand: what a thread took before is not what its first burst stands for. */
static void thread_armed(void *context, pid_t tid, uint64_t cpu_ns)
{
	struct bursts *bursts = context;
	uint64_t pid = bursts->run->program ? bursts->run->program : bursts->request->pid;

	*(uint64_t *)map_at(&bursts->cpu, pid << 32 | tid) = cpu_ns + 1;
}

static int bursts_start(void *source, struct source_run *run)
{
	const struct burst_log_options options = {
		.words = BURST_LEAST_REFERENCES, .interval_us = BEGIN_US, .first_us = FIRST_US,
		.references = PACKED_MOST, .timed = TIMED, .counter = true,
	};
	struct bursts *bursts = source;

	bursts->run = run;
	bursts->packer = burst_packer_new(false);
	bursts->queue.packing = run->request->classes ? BURST_OUTCOMES : BURST_PACKING;
	if (run->request->classes)
		bursts->classes = burst_classes_new(&run->request->caches);
	burst_length_open(&bursts->length);
	if (!bursts->classes || burst_classes_have_l2(bursts->classes))
		bursts->long_bursts = long_plan_for(&bursts->request->caches);
	bursts->size_limit.most = run->request->max_size;
	bursts->ticks_ns = 1;
	bursts->wait_ms = WAIT_MS;
	bursts->begun_ns = now_ns();
	bursts->begun_tsc = __rdtsc();
	return burst_program_start(bursts->program, run, &bursts->log, &options, thread_armed,
				   bursts);
}

/* Nobody waits for an answer: processes that begin and end are looked at together, in time. */
static int bursts_descriptor(const void *source)
{
	return -1;
}

static int bursts_wait_ms(const void *source)
{
	const struct bursts *bursts = source;
	uint32_t wait = bursts->ended ? WAIT_LEAST_MS : bursts->wait_ms;

	return bursts->long_bursts ?
	       long_plan_wait_ms(bursts->long_bursts, bursts->log.area, wait) : wait;
}

static void bursts_poll(void *source)
{
	struct bursts *bursts = source;
	/* What is not read yet may be later; reading takes its time. */
	uint64_t until = __rdtsc() - (bursts->ended ? 0 :
				      (uint64_t)(HELD_NS * bursts->ticks_ns));

	burst_log_reclaim(&bursts->log);
	drain(bursts);
	burst_program_look(bursts->program, false);
	write_until(bursts, until);
}

static void bursts_ended(void *source, int status)
{
	struct bursts *bursts = source;

	bursts->ended = true;
	burst_program_ended(bursts->program, status);
}

static bool bursts_childless(const void *source)
{
	const struct bursts *bursts = source;

	return burst_program_childless(bursts->program, bursts->log.area);
}

static bool bursts_idle(void *source)
{
	return burst_program_idle(((struct bursts *)source)->program);
}

/* Why it may be more than was asked for. */
static const char *why_cost(const struct bursts *bursts, double cost, double whole)
{
	if (bursts->log.area->begin_ns > cost / 2)
		return ": mostly the start of processes and threads";
	if (whole < SHORT_NS)
		return burst_program_by_hand(bursts->program) ?
		       ": attaching to it, and its first bursts, in so little of it" :
		       ": in a run as short, mostly our own start and the first bursts";
	if (cost < MUCH * bursts->request->overhead * whole)
		return "";
	return bursts->new_code_ns > cost / 2 ?
	       ": mostly code that is new in each burst; a longer run pays it back" :
	       ": the first bursts are not put off; a longer run pays them back";
}

/* A daemon is no child of ours, but its timers say how far it got. */
static double program_cpu(const struct bursts *bursts)
{
	double cpu = burst_program_cpu(bursts->program);

	return burst_program_by_hand(bursts->program) ? cpu : fmax(cpu, bursts->log.area->seen_ns);
}

/* What it cost, of what the program took by itself. */
static void say_cost(const struct bursts *bursts)
{
	uint64_t inside = in_program(bursts) + bursts->log.area->begin_ns;
	double whole, cost;

	if (bursts->long_bursts)
		inside += long_plan_in_program(bursts->long_bursts);
	whole = program_cpu(bursts) - inside;
	cost = inside + own_ns() + END_NS;
	if (whole > SECOND_NS / 1000)
		note("bursts cost %.1f%% of the program's CPU time (--overhead %.3g%%)%s%s",
		     100 * cost / whole, 100 * bursts->request->overhead,
		     why_cost(bursts, cost, whole),
		     bursts->by_counter ? "; the processor's counter timed them" : "");
}

/* All records of memory are written: and from which size on heap blocks were reported. */
static void end_memory(struct bursts *bursts)
{
	uint32_t least_block;
	char least[16];

	write_until(bursts, UINT64_MAX - 1);
	least_block = burst_program_finish(bursts->program);
	if (!least_block || !bursts->run->writer)
		return;
	snprintf(least, sizeof(least), "%u", least_block);
	beginning_text(bursts->run->writer, "least-block", least);
}

static int bursts_finish(void *source)
{
	struct bursts *bursts = source;
	const struct bursts_area *area = bursts->log.area;
	bool said;

	burst_program_leave(bursts->program);
	burst_log_reclaim(&bursts->log);
	drain(bursts);
	burst_program_look(bursts->program, true);
	end_memory(bursts);
	burst_reasons_write(bursts->run->writer, area);
	if (bursts->incomplete + bursts->queue.unattributed)
		images_lost(bursts->run->images, 0, CCS_LOST_SAMPLES,
			    bursts->incomplete + bursts->queue.unattributed);
	said = burst_reasons_say(area, bursts->run->images, bursts->queue.unattributed,
				 burst_program_nobody(bursts->program),
				 burst_program_by_hand(bursts->program) ? 0 :
				 burst_program_cpu(bursts->program));
	if (bursts->request->quiet)
		return 0;
	if (!said && area->images && !area->bursts)
		note("no bursts: too little CPU time; record it longer%s",
		     burst_program_by_hand(bursts->program) ? "" :
		     ", or record --source engine");
	say_cost(bursts);
	return 0;
}

const struct source_ops bursts_source = {
	.name = "bursts",
	.clock = "tsc",
	.grace_ns = SECOND_NS / 100,	/* a fork waits until its child has reported */
	.open = bursts_open,
	.start = bursts_start,
	.descriptor = bursts_descriptor,
	.wait_ms = bursts_wait_ms,
	.poll = bursts_poll,
	.ended = bursts_ended,
	.childless = bursts_childless,
	.idle = bursts_idle,
	.finish = bursts_finish,
	.close = bursts_close,
};
