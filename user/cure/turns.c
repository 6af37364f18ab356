// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program in turns without and with the cure. Whatever changes slowly on the machine meets both
 * kinds of run, and which of a pair is first changes. Where stack and heap lie depends on the
 * environment's size and on the kernel's chance: both differ from run to run, so that a lucky
 * place of one build is not taken for a gain.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/await-child.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/forward-signals.h"
#include "base/memory.h"
#include "base/random.h"
#include "cure/cure.h"

#define LAYOUT_VARIABLE	"CCSAMPLE_LAYOUT"
#define LAYOUT_MOST	4096u
#define LAYOUT_STEP	16u

struct turn {
	const struct cure *cure;
	bool cured;			/* with the cure */
	bool shown;			/* with the program's output */
	bool output_taken;		/* which then goes to standard error */
	uint32_t layout;		/* bytes that the environment is longer */
	int input;	/* what the program reads from the beginning; -1 = nothing */
};

/* --- the child --- */

static void set_layout(uint32_t size)
{
	char text[LAYOUT_MOST + 1];

	memset(text, 'x', size);
	text[size] = 0;
	setenv(LAYOUT_VARIABLE, text, 1);
}

static void set_streams(const struct turn *turn)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (turn->input >= 0)
		lseek(turn->input, 0, SEEK_SET);
	dup2(turn->input >= 0 ? turn->input : null, STDIN_FILENO);
	if (!turn->shown)
		dup2(null, STDERR_FILENO);
	if (!turn->shown || turn->output_taken)
		dup2(turn->shown ? STDERR_FILENO : null, STDOUT_FILENO);
}

/* @go: closed when the counter is there */
static void become(const struct turn *turn, int go)
{
	const struct cure *cure = turn->cure;
	char byte;

	forward_signals_end();
	while (read(go, &byte, 1) < 0 && errno == EINTR)
		;
	set_layout(turn->layout);
	if (turn->cured)
		cure_environment(cure);
	set_streams(turn);
	execv(cure->program, cure->argv);
	_exit(127);
}

/* --- one run --- */

/*
 * Of user mode, from the exec on, of all its threads and children. Return: -1 = not counted here.
 */
static int open_misses(pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HW_CACHE, .size = sizeof(attr),
		.config = PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_READ << 8 |
			  PERF_COUNT_HW_CACHE_RESULT_MISS << 16,
		.disabled = 1, .inherit = 1, .exclude_kernel = 1, .exclude_hv = 1,
		.enable_on_exec = 1,
	};

	return syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void read_misses(int fd, struct cure_sample *sample)
{
	uint64_t misses;

	sample->value[CURE_MISSES] = -1;
	if (fd < 0)
		return;
	if (read(fd, &misses, sizeof(misses)) == sizeof(misses))
		sample->value[CURE_MISSES] = misses;
	close(fd);
}

static int check_status(const struct turn *turn, int status)
{
	const char *kind = turn->cured ? "with the cure" : "without the cure";

	if (WIFSIGNALED(status))
		return fail("%s was ended by signal %d %s: nothing is compared",
			    turn->cure->argv[0], WTERMSIG(status), kind);
	if (WEXITSTATUS(status) == 127)
		return fail("cannot run %s", turn->cure->argv[0]);
	if (WEXITSTATUS(status))
		return fail("%s failed with status %d %s: nothing is compared",
			    turn->cure->argv[0], WEXITSTATUS(status), kind);
	return 0;
}

static int wait_for(const struct turn *turn, pid_t pid, struct cure_sample *sample)
{
	uint64_t begin = now_ns();
	struct rusage usage;
	int status;

	if (await_child(pid, turn->cure->argv[0], &status, &usage))
		return -1;
	sample->value[CURE_WALL] = now_ns() - begin;
	sample->value[CURE_CPU] = usage_ns(&usage);
	sample->value[CURE_MEMORY] = usage.ru_maxrss * 1024.0;
	return check_status(turn, status);
}

static int run(const struct turn *turn, struct cure_sample *sample)
{
	int go[2], misses, status;
	pid_t pid;

	if (pipe2(go, O_CLOEXEC))
		return fail("cannot start %s: %s", turn->cure->argv[0], strerror(errno));
	forward_signals_begin();
	pid = fork();
	if (!pid) {
		close(go[1]);
		become(turn, go[0]);
	}
	forward_signals_to(pid);
	close(go[0]);
	if (pid < 0) {
		forward_signals_end();
		close(go[1]);
		return fail("cannot start %s: %s", turn->cure->argv[0], strerror(errno));
	}
	misses = open_misses(pid);
	close(go[1]);
	status = wait_for(turn, pid, sample);
	forward_signals_end();
	read_misses(misses, sample);
	return status;
}

/* --- all of them --- */

/* A file is read again by each run; a terminal or a pipe cannot be. */
static int find_input(void)
{
	if (lseek(STDIN_FILENO, 0, SEEK_CUR) < 0 || isatty(STDIN_FILENO))
		return -1;
	return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

static bool is_fixed(void)
{
	int setting = '2', file = open("/proc/sys/kernel/randomize_va_space", O_RDONLY | O_CLOEXEC);
	char byte;

	if (file >= 0) {
		if (read(file, &byte, 1) == 1)
			setting = byte;
		close(file);
	}
	return setting == '0' || personality(0xffffffff) & ADDR_NO_RANDOMIZE;
}

/* One of each that do not count: the first has the output, the second says what is staggered. */
static int warm_up(struct turn turn, struct cure_trial *trial)
{
	struct cure_sample sample;
	const struct pads_counts *counts = turn.cure->counts;
	uint64_t before = cure_blocks(turn.cure);
	uint64_t huge = counts->huge, hinted = counts->huge_hinted;
	uint32_t first;

	turn.shown = true;
	if (run(&turn, &sample))
		return -1;
	turn.shown = false;
	turn.cured = true;
	if (run(&turn, &sample))
		return -1;
	trial->blocks = cure_blocks(turn.cure) - before;
	trial->huge = counts->huge - huge;
	trial->huge_hinted = counts->huge_hinted - hinted;
	trial->unmet = cure_unmet(turn.cure, &first);
	if (!trial->blocks || !turn.cure->quiet)
		cure_say(turn.cure);
	if (trial->blocks)
		return 0;
	return fail("there is nothing to compare: the cure changes nothing in %s",
		    turn.cure->argv[0]);
}

static int run_pair(struct turn turn, struct cure_trial *trial, uint32_t pair, uint64_t *state)
{
	int i;

	for (i = 0; i < 2; i++) {
		turn.cured = (i ^ pair) & 1;
		turn.layout = random_below(state, LAYOUT_MOST / LAYOUT_STEP) * LAYOUT_STEP;
		if (run(&turn, turn.cured ? &trial->cured[pair] : &trial->plain[pair]))
			return -1;
	}
	trial->has_misses &= trial->plain[pair].value[CURE_MISSES] > 0 &&
			     trial->cured[pair].value[CURE_MISSES] > 0;
	return 0;
}

int cure_measure(const struct cure *cure, uint32_t runs, bool output_taken,
		 struct cure_trial *trial)
{
	struct turn turn = { .cure = cure, .output_taken = output_taken, .input = find_input() };
	uint64_t state = now_ns();
	int status;
	uint32_t i;

	*trial = (struct cure_trial){
		.runs = runs, .has_misses = true, .fixed_layout = is_fixed(),
		.plain = xcalloc(runs, sizeof(*trial->plain)),
		.cured = xcalloc(runs, sizeof(*trial->cured)),
	};
	status = warm_up(turn, trial);
	for (i = 0; i < runs && !status; i++)
		status = run_pair(turn, trial, i, &state);
	if (turn.input >= 0)
		close(turn.input);
	if (status)
		cure_trial_free(trial);
	return status;
}

void cure_trial_free(struct cure_trial *trial)
{
	free(trial->plain);
	free(trial->cured);
}
