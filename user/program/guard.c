// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/forward-signals.h"
#include "base/memory.h"
#include "base/reserved.h"
#include "base/sandbox.h"
#include "program/guard.h"

#define RUNS_MOST	32		/* files may be damaged; each costs two runs at most */
#define CPU_MOST	60		/* seconds in one call: the largest units take a few */
#define OUTPUT		(16u << 20)	/* bytes of standard output that are kept until the end */
#define PATH_MOST	4096

/* What the child says of itself. */
struct place {
	char path[PATH_MOST];
	volatile uint64_t calls;	/* so far */
	volatile bool inside;		/* of one */
};

static struct place *place;		/* NULL = not guarded */
static uint32_t depth;

static struct damaged {
	char *path;
	enum guard_damage damage;
} *damaged;
static size_t damaged_count, damaged_room;

/* --- in the child --- */

enum guard_damage guard_damage(const char *path)
{
	size_t i;

	for (i = 0; i < damaged_count; i++)
		if (!strcmp(damaged[i].path, path))
			return damaged[i].damage;
	return GUARD_SOUND;
}

void guard_enter(const char *path)
{
	size_t size = strlen(path);

	if (!place || depth++)
		return;
	if (size >= PATH_MOST)
		size = PATH_MOST - 1;
	memcpy(place->path, path, size);
	place->path[size] = '\0';
	place->calls++;
	place->inside = true;
}

void guard_leave(void)
{
	if (place && !--depth)
		place->inside = false;
}

static void become_child(uint64_t memory, pid_t parent)
{
	struct rlimit limit = { memory, memory };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	if (memory)
		setrlimit(RLIMIT_DATA, &limit);
	sandbox_enter(&(struct sandbox){ reserved_directory(), reserved_program() });
	/* By itself the C library would choose the size. */
	setvbuf(stdout, malloc(OUTPUT), _IOFBF, OUTPUT);
}

/* --- in the parent --- */

static double cpu_seconds(pid_t pid)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &time))
		return 0;
	return time.tv_sec + time.tv_nsec * 1e-9;
}

/* Ends a child that stays in one call. @children: SIGCHLD, blocked */
static int wait_for(pid_t child, const sigset_t *children)
{
	const struct timespec second = { .tv_sec = 1 };
	uint64_t call = 0;
	double since = 0;
	int status;
	pid_t ended;

	while (!(ended = waitpid(child, &status, WNOHANG)) || (ended < 0 && errno == EINTR)) {
		if (!place->inside || place->calls != call) {
			call = place->calls;
			since = cpu_seconds(child);
		} else if (cpu_seconds(child) - since > CPU_MOST) {
			kill(child, SIGABRT);
		}
		sigtimedwait(children, NULL, &second);
	}
	return ended < 0 ? -1 : status;
}

/* Did it end by what it read? A user who ends it is no damage. */
static bool is_damage(int status)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGSYS };
	size_t i;

	if (!place->inside || !status)
		return false;
	if (WIFEXITED(status))
		return true;
	for (i = 0; i < ARRAY_SIZE(crashes) && crashes[i] != WTERMSIG(status); i++)
		;
	return i < ARRAY_SIZE(crashes);
}

/* The file is worse than we thought. */
static void add_damage(void)
{
	const char *path = place->path;
	struct damaged *known = NULL;
	size_t i;

	for (i = 0; i < damaged_count; i++)
		if (!strcmp(damaged[i].path, path))
			known = &damaged[i];
	if (known) {
		known->damage = GUARD_NOTHING;
		warning("%s cannot be read at all: it is damaged", path);
		return;
	}
	damaged = grow(damaged, damaged_count, &damaged_room, sizeof(*damaged));
	damaged[damaged_count++] = (struct damaged){ xstrdup(path), GUARD_NO_DEBUG };
	warning("the debug information of %s cannot be read: it is damaged, its lines and "
		"variables are left out", path);
}

static int ended_by;		/* the signal that ended a child; 0 = none */

int guard_status(int status)
{
	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	ended_by = WTERMSIG(status);
	return -1;
}

void guard_end(void)
{
	if (!ended_by)
		return;
	signal(ended_by, SIG_DFL);
	raise(ended_by);
}

static int run_once(int (*run)(void *), void *context, uint64_t memory, const sigset_t *children)
{
	pid_t parent = getpid(), child;

	place->inside = false;
	fflush(NULL);
	child = fork();
	if (child < 0)
		return -1;
	if (!child) {
		int result;

		forward_signals_end();
		sigprocmask(SIG_UNBLOCK, children, NULL);
		become_child(memory, parent);
		result = run(context);
		exit(result < 0 ? 1 : result);
	}
	forward_signals_to(child);
	return wait_for(child, children);
}

int guard_run(int (*run)(void *), void *context, uint64_t memory)
{
	sigset_t children;
	int status = 0, runs;

	place = mmap(NULL, sizeof(*place), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (place == MAP_FAILED) {
		place = NULL;
		return run(context);
	}
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	sigprocmask(SIG_BLOCK, &children, NULL);
	forward_signals_begin();
	for (runs = 0; runs < RUNS_MOST; runs++) {
		status = run_once(run, context, memory, &children);
		if (status < 0 || !is_damage(status))
			break;
		add_damage();
		reserved_again();
		lseek(STDIN_FILENO, 0, SEEK_SET);
	}
	forward_signals_end();
	sigprocmask(SIG_UNBLOCK, &children, NULL);
	return status < 0 ? fail("cannot run a process: %s", strerror(errno)) :
			    guard_status(status);
}
