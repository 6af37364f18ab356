// SPDX-License-Identifier: GPL-2.0-only
/*
 * Process images and their threads: what begins, what ends, and the totals.
 *
 * A connection carries: PROCESS, [MAP... at a start], THREAD, then whatever
 * happens, then COUNTS, EXIT. An exec sends COUNTS and no EXIT: if it succeeds
 * the connection closes and the new image opens another under the same pid
 * (cause EXEC); if it fails the image simply goes on, and later COUNTS replace
 * those. A connection that closes without EXIT and is not followed by such an
 * image belongs to a process that was killed.
 */
#include "pub_tool_basics.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vkiscnums.h"
#include "pub_tool_xarray.h"

#include "tracee/valgrind/engine.h"
#include "tracee/valgrind-lib/pages.h"
#include "tracee/valgrind-lib/tallies.h"
#include "tracee/valgrind/caches.h"
#include "tracee/valgrind/simulate.h"

#define PATH_SIZE	4096

/* Valgrind's core: the program's file. */
extern Int VG_(cl_exec_fd);

struct engine_thread *engine_now;

static struct engine_thread **threads;	/* by Valgrind's thread id */
static struct engine_counts retired;	/* of threads that ended */
static ThreadId highest;		/* thread id in use so far */
static UInt ordinal;			/* threads created so far */
static ULong resumed;			/* the running thread's instructions when its turn began */
static Bool leaving;			/* exit was called */
static UInt exit_code;			/* with this */

struct engine_thread *process_thread(ThreadId id)
{
	return id < VG_N_THREADS ? threads[id] : NULL;
}

static void counts_add(struct engine_counts *sum, const struct engine_counts *c)
{
	UInt n;

	sum->instructions += c->instructions;
	sum->loads += c->loads;
	sum->stores += c->stores;
	for (n = 0; n < CACHE_LEVELS; n++) {
		sum->misses[n].loads += c->misses[n].loads;
		sum->misses[n].stores += c->misses[n].stores;
		sum->misses[n].fills += c->misses[n].fills;
		sum->misses[n].unresolved += c->misses[n].unresolved;
	}
}

/* Totals, with what the running thread's shadow has. */
static struct engine_counts totals(void)
{
	struct engine_counts sum = retired;
	ThreadId id;

	if (engine_now)
		shadow_drain(engine_now);
	for (id = 1; id <= highest; id++)
		if (threads[id])
			counts_add(&sum, &threads[id]->counts);
	return sum;
}

/* Instructions of all threads but the running one, kept so that a sample need not add them up. */
static ULong others_instructions;

ULong process_time(void)
{
	if (!engine_now)
		return others_instructions;
	shadow_drain(engine_now);
	return others_instructions + engine_now->counts.instructions;
}

ULong process_time_drained(const struct engine_thread *t)
{
	return others_instructions + t->counts.instructions;
}

/*
 * Valgrind lets a thread run 100,000 blocks before another one does: caches of threads that share
 * lines would hardly meet. Generated code counts the blocks down, and goes back to the scheduler
 * below 0.
 */
static void limit_turn(ThreadId id)
{
	PtrdiffT counter = offsetof(VexGuestAMD64State, host_EvC_COUNTER);
	UInt left;

	VG_(get_shadow_regs_area)(id, (UChar *)&left, 0, counter, sizeof(left));
	if (left <= engine_options.turn)
		return;
	left = engine_options.turn;
	VG_(set_shadow_regs_area)(id, 0, counter, sizeof(left), (const UChar *)&left);
}

/* Called before thread code runs, on another thread perhaps. */
static void start_client_code(ThreadId id, ULong blocks)
{
	struct engine_thread *t = threads[id];

	if (t != engine_now) {
		if (engine_now)
			others_instructions += engine_now->counts.instructions;
		others_instructions -= t->counts.instructions;
		engine_now = t;
	}
	if (phases_sampled())
		phases_turn(t);
	if (t->l1)
		caches_resume(t);
	resumed = t->counts.instructions;
	shadow_load(t);
	t->runs = True;
	if (engine_options.turn)
		limit_turn(id);
}

static void stop_client_code(ThreadId id, ULong blocks)
{
	struct engine_thread *t = threads[id];

	shadow_drain(t);
	t->runs = False;
	if (t->l1)
		caches_ran(t->counts.instructions - resumed);
}

void process_cut(void)
{
	ThreadId id;

	for (id = 1; id <= highest; id++)
		if (threads[id]) {
			sampler_cut(threads[id]);
			tracing_cut(threads[id]);
		}
}

/* The totals of a level beyond L1. */
static void level_record(const struct engine_counts *c, UInt level)
{
	const struct engine_misses *misses = &c->misses[level - 1];
	struct ccs_level_counts *r;

	r = record_add(CCS_LEVEL_COUNTS, 0, sizeof(*r), 0);
	r->time = c->instructions;
	r->level = level;
	r->load_misses = misses->loads;
	r->store_misses = misses->stores;
	r->fills = misses->fills;
	r->unresolved = misses->unresolved;
}

void process_tallies(Addr start, SizeT size)
{
	const struct engine_event *e = engine_options.events;
	UInt ids[CACHE_LEVELS] = { e[0].id, e[1].id, e[2].id };

	if (records_on() && tallies_hold(start, size))
		tallies_send(ids, record_add);
}

void process_counts(void)
{
	struct engine_counts c = totals();
	struct ccs_counts *r;
	UInt n;

	if (!records_on() || engine_options.simulate)
		return;
	r = record_add(CCS_COUNTS, 0, sizeof(*r), 0);
	r->time = c.instructions;
	r->instructions = c.instructions;
	r->loads = c.loads;
	r->stores = c.stores;
	r->load_misses = c.misses[0].loads;
	r->store_misses = c.misses[0].stores;
	r->fills = c.misses[0].fills;
	for (n = 0; n < CACHE_LEVELS - 1; n++)
		if (engine_options.outer[n].geometry.ways)
			level_record(&c, n + 2);
	if (tallies_due())
		process_tallies(0, ~0ul);
}

void process_entry(void)
{
	struct engine_counts c = totals();
	struct ccs_entry *r;
	UInt n;

	if (!records_on())
		return;
	r = record_add(CCS_ENTRY, 0, sizeof(*r), 0);
	r->time = c.instructions;
	r->instructions = c.instructions;
	r->loads = c.loads;
	r->stores = c.stores;
	for (n = 0; n < CACHE_LEVELS; n++) {
		r->load_misses[n] = c.misses[n].loads;
		r->store_misses[n] = c.misses[n].stores;
	}
}

/* --- what images hand on --- */

static ULong chance, children;
static HChar birth[96] = "--birth=";

ULong process_chance(void)
{
	return chance;
}

/* Another image: its own chance, which depends on nothing but the one before it. */
static void renew_chance(ULong number)
{
	chance = (chance ^ number) * 0xd6e8feb86659fd93ull + 0x9e3779b97f4a7c15ull;
	chance ^= chance >> 32;
}

static void take_birth(const HChar *text)
{
	ULong bursts[CACHE_LEVELS];
	HChar *end;
	UInt n;

	chance = VG_(strtoull16)(text, &end);
	for (n = 0; n < CACHE_LEVELS; n++) {
		if (*end != ',')
			return;
		bursts[n] = VG_(strtoull10)(end + 1, &end);
	}
	sampler_ramp(bursts, True);
}

/* What an exec hands on to the next image's engine: its cause, and what it goes on with. */
static void mark_successors(void)
{
	static const HChar mark[] = "--exec=yes";
	const HChar *text = mark, *handed = birth;
	XArray *args = VG_(args_for_valgrind);
	Word i;

	if (!engine_options.exec)
		VG_(addToXA)(args, &text);
	for (i = 0; i < VG_(sizeXA)(args); i++) {
		const HChar **arg = VG_(indexXA)(args, i);

		if (!VG_(strncmp)(*arg, "--birth=", 8)) {
			*arg = handed;
			return;
		}
	}
	VG_(addToXA)(args, &handed);
}

static void hand_on(void)
{
	ULong bursts[CACHE_LEVELS];

	renew_chance(++children | 1ull << 32);
	sampler_ramp(bursts, False);
	VG_(snprintf)(birth, sizeof(birth), "--birth=%llx,%llu,%llu,%llu", chance, bursts[0],
		      bursts[1], bursts[2]);
}

/* --- threads --- */

static void thread_create(ThreadId parent, ThreadId id)
{
	struct engine_thread *t = VG_(calloc)("ccsample.thread", 1, sizeof(*t));

	tl_assert(id < VG_N_THREADS && !threads[id]);
	t->id = id;
	if (id > highest)
		highest = id;
	threads[id] = t;
	if (engine_options.simulate) {
		sim_open(t);
		return;
	}
	if (!engine_options.trace)
		caches_open(t);
	sampler_open(t, ordinal++);
	tracing_open(t);
	threads[id] = t;
}

static void thread_record(struct engine_thread *t)
{
	Addr high = VG_(thread_get_stack_max)(t->id) + 1;
	SizeT size = VG_(thread_get_stack_size)(t->id);
	struct ccs_thread *r;

	if (!records_on())
		return;
	process_cut();
	r = record_add(CCS_THREAD, t->kernel_tid, sizeof(*r), 0);
	r->time = process_time();
	r->stack_low = size ? high - size : CCS_UNKNOWN;
	r->stack_high = size ? high : CCS_UNKNOWN;
}

static void thread_begin(ThreadId id)
{
	struct engine_thread *t = threads[id];

	t->kernel_tid = VG_(gettid)();
	thread_record(t);
	if (t->id != 1)
		return;
	start_begin(id);
	maps_begin();
}

/* Forgets a thread; its counts are kept in the image's totals. */
static void thread_drop(struct engine_thread *t)
{
	if (engine_options.simulate)
		sim_close(t);
	if (t == engine_now) {
		others_instructions += t->counts.instructions;
		engine_now = NULL;
	}
	counts_add(&retired, &t->counts);
	caches_close(t);
	sampler_free(t);
	tracing_close(t);
	threads[t->id] = NULL;
	VG_(free)(t);
}

static void thread_end(ThreadId id)
{
	struct engine_thread *t = threads[id];

	if (!t)
		return;
	process_cut();
	sampler_close(t);
	thread_drop(t);
}

/* --- images --- */

/* What was executed: its absolute path where Valgrind still has the file open. */
static void executed(HChar *path)
{
	HChar link[64];
	SSizeT size;

	VG_(sprintf)(link, "/proc/self/fd/%d", VG_(cl_exec_fd));
	size = VG_(cl_exec_fd) < 0 ? -1 : VG_(readlink)(link, path, PATH_SIZE - 1);
	if (size > 0 && path[0] == '/')
		path[size] = 0;
	else
		VG_(client_fname)(path, PATH_SIZE, True);
}

static void process_record(UInt cause)
{
	static HChar path[PATH_SIZE];	/* a fork's child has its parent's */
	struct ccs_process *r;
	const HChar *program;
	UInt size;

	if (!records_on())
		return;
	if (cause != CCS_PROCESS_FORK)
		executed(path);
	program = cause == CCS_PROCESS_FORK ? path : maps_program(path);
	size = VG_(strlen)(program);
	r = record_add(CCS_PROCESS, 0, sizeof(*r), size);
	r->pid = VG_(getpid)();
	r->ppid = VG_(getppid)();
	r->cause = cause;
	r->path_size = size;
	VG_(memcpy)(r + 1, program, size);
	if (program != path)
		VG_(strncpy)(path, program, PATH_SIZE - 1);
}

void process_begin(void)
{
	mark_successors();
	records_connect();
	process_record(engine_options.exec ? CCS_PROCESS_EXEC : CCS_PROCESS_START);
	if (engine_options.birth)
		take_birth(engine_options.birth);
	sampler_begin();
	records_flush();
}

/* The child begins with what its parent has sent: that must not come later. */
static void before_fork(ThreadId id)
{
	process_cut();
	records_flush();
	children++;
}

static void fork_parent(ThreadId id)
{
	frames_forked(False);
}

/* The parent's buffer, threads and totals are none of the child's. */
static void fork_child(ThreadId id)
{
	struct engine_thread *t = threads[id];
	ThreadId other;

	phases_forked(process_time());
	records_disconnect();
	frames_forked(True);
	for (other = 1; other <= highest; other++)
		if (other != id && threads[other])
			thread_drop(threads[other]);
	tallies_clear();
	VG_(memset)(&retired, 0, sizeof(retired));
	VG_(memset)(&t->counts, 0, sizeof(t->counts));
	others_instructions = 0;
	engine_now = t;
	renew_chance(children);
	children = 0;
	tracing_close(t);
	tracing_open(t);
	shadow_load(t);
	t->kernel_tid = VG_(gettid)();
	leaving = False;
	records_connect();
	process_record(CCS_PROCESS_FORK);
	sampler_begin();
	sampler_fork(t);
	thread_record(t);
	if (engine_options.simulate)
		sim_fork();
	records_flush();
}

static void finish(void)
{
	process_cut();
	if (engine_options.simulate)
		results_end();
	process_tallies(0, ~0ul);
	process_counts();
	records_flush();
}

static void exit_record(UInt status)
{
	struct ccs_exit *r;

	if (!records_on())
		return;
	r = record_add(CCS_EXIT, 0, sizeof(*r), 0);
	r->time = process_time();
	r->status = status;
	records_flush();
}

static void totals_write(void)
{
	struct engine_counts c = totals();
	HChar line[512];
	UInt size = VG_(snprintf)(line, sizeof(line), "loads %llu stores %llu load_misses %llu "
				  "store_misses %llu fills %llu instructions %llu", c.loads,
				  c.stores, c.misses[0].loads, c.misses[0].stores,
				  c.misses[0].fills, c.instructions);
	Int fd, n;

	if (engine_options.simulate)
		size = results_text(line, sizeof(line) - 2);
	for (n = 1; n < CACHE_LEVELS && !engine_options.simulate &&
	     engine_options.outer[n - 1].geometry.ways; n++)
		size += VG_(snprintf)(line + size, sizeof(line) - size, " L%d_load_misses %llu "
				      "L%d_store_misses %llu L%d_fills %llu L%d_unresolved %llu",
				      n + 1, c.misses[n].loads, n + 1, c.misses[n].stores, n + 1,
				      c.misses[n].fills, n + 1, c.misses[n].unresolved);
	line[size++] = '\n';
	line[size] = 0;
	if (VG_STREQ(engine_options.totals, "yes")) {
		VG_(umsg)("%s", line);
		return;
	}
	fd = VG_(fd_open)(engine_options.totals, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_APPEND, 0666);
	if (fd < 0 || VG_(write)(fd, line, size) != size)
		VG_(umsg)("ccsample: cannot write the totals to %s\n", engine_options.totals);
	if (fd >= 0)
		VG_(close)(fd);
}

void process_end(Int unused)
{
	finish();
	if (leaving)
		exit_record(exit_code << 8);
	if (engine_options.totals)
		totals_write();
}

/*
 * Valgrind's last act when a signal ends the program, after the tool's last
 * call, which does not get the signal. The linker puts ours in front (--wrap).
 */
void __real_vgPlain_kill_self(Int signal);
void __wrap_vgPlain_kill_self(Int signal);

void __wrap_vgPlain_kill_self(Int signal)
{
	exit_record(signal & 0x7f);
	__real_vgPlain_kill_self(signal);
}

static UInt live_threads(void)
{
	UInt live = 0;
	ThreadId id;

	for (id = 1; id <= highest; id++)
		live += threads[id] != NULL;
	return live;
}

/* Valgrind does not give its tools the exit code. */
static void leave(UWord code)
{
	leaving = True;
	exit_code = code & 0xff;
}

static void before_syscall(ThreadId id, UInt number, UWord *args, UInt count)
{
	if (number == __NR_execve || number == __NR_execveat) {
		finish();
		hand_on();
	}
	else if (number == __NR_exit_group || (number == __NR_exit && live_threads() == 1))
		leave(args[0]);
}

static void after_syscall(ThreadId id, UInt number, UWord *args, UInt count, SysRes result)
{
	frames_syscall(number, args, result);
}

void process_init(void)
{
	threads = VG_(calloc)("ccsample.threads", VG_N_THREADS, sizeof(*threads));
	VG_(track_pre_thread_ll_create)(thread_create);
	VG_(track_pre_thread_first_insn)(thread_begin);
	VG_(track_pre_thread_ll_exit)(thread_end);
	VG_(track_start_client_code)(start_client_code);
	VG_(track_stop_client_code)(stop_client_code);
	VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
	VG_(atfork)(before_fork, fork_parent, fork_child);
}
