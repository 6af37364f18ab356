// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach/image.h"
#include "attach/process.h"
#include "attach/thread.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/map.h"
#include "base/memory.h"
#include "host/proc.h"

#define STACK		(64ul << 10)
#define CODE_32		0x23		/* code segment of 32-bit programs */
#define CANARY		0x28		/* from fs: what Zydis's functions check their stack by */
#define STOP_NS		SECOND_NS	/* for a process that only waits to stop */
#define ROUNDS		100		/* of looking for threads that began meanwhile */

/* --- may we? --- */

static const char yama[] = "/proc/sys/kernel/yama/ptrace_scope";

/* Return: it was said. */
static bool say_traced(pid_t pid)
{
	pid_t tracer = proc_status(pid, "TracerPid");
	char *program = tracer ? proc_executable(tracer) : NULL;

	if (tracer)
		fail("process %d is traced by %s%sprocess %d: end that first", (int)pid, program,
		     *program ? ", " : "", (int)tracer);
	free(program);
	return tracer;
}

static int refused(pid_t pid, int error)
{
	uid_t owner = proc_owner(pid);
	int scope = 0;
	FILE *file;

	if (say_traced(pid))
		return -1;
	if (error == ESRCH)
		return fail("process %d has ended", (int)pid);
	if (error == EAGAIN)
		return fail("process %d cannot be stopped: a thread of it is always in a "
			    "restartable sequence, or at a fault; try again", (int)pid);
	if (owner != geteuid() && geteuid())
		return fail("process %d is another user's (uid %u): only root may attach to it: "
			    "run record -p by sudo", (int)pid, owner);
	file = fopen(yama, "re");
	if (file && fscanf(file, "%d", &scope) != 1)
		scope = 0;
	if (file)
		fclose(file);
	if (scope)
		return fail("process %d cannot be attached to, since %s is %d: run as root, or set "
			    "it to 0", (int)pid, yama, scope);
	return fail("process %d cannot be attached to: %s (ptrace: a container needs SYS_PTRACE); "
		    "record -- PROGRAM needs no such right", (int)pid, strerror(error));
}

static int say_no_memory(pid_t pid)
{
	if (proc_is_kernel_thread(pid))
		return fail("process %d is a kernel thread: it has no program", (int)pid);
	if (proc_is_zombie(pid))
		return fail("process %d goes on without its first thread: it cannot be attached to",
			    (int)pid);
	return fail("process %d is just ending", (int)pid);
}

int attach_process_check(pid_t pid)
{
	uint64_t filters = proc_status(pid, "Seccomp_filters");
	pid_t first = proc_status(pid, "Tgid");

	if (proc_why_not())
		return fail("process %d cannot be looked at: %s", (int)pid, proc_why_not());
	if (proc_is_gone(pid))
		return proc_is_zombie(pid) ?
		       fail("process %d has ended: its parent has not waited for it yet (a zombie)",
			    (int)pid) : fail("-p %d: there is no such process", (int)pid);
	if (first != pid)
		return fail("-p %d is a thread of process %d: -p %d records that, with all its "
			    "threads", (int)pid, (int)first, (int)first);
	if (!proc_status(pid, "VmSize"))
		return say_no_memory(pid);
	if (pid == getpid())
		return fail("-p %d is ccsample itself", (int)pid);
	if (say_traced(pid))
		return -1;
	if (proc_status(pid, "Seccomp") && filters != proc_status(getpid(), "Seccomp_filters"))
		return fail("process %d has its system calls restricted by seccomp: it cannot be "
			    "attached to", (int)pid);
	return 0;
}

bool attach_process_allowed(void)
{
	pid_t child = fork();
	bool allowed;

	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	if (child < 0)
		return false;
	allowed = !attach_thread_stop(child, false, STOP_NS);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return allowed;
}

/* --- threads --- */

static void add(pid_t **all, size_t *count, size_t *room, pid_t tid)
{
	*all = grow(*all, *count, room, sizeof(**all));
	(*all)[(*count)++] = tid;
}

static void put_all(struct map *map, const pid_t *all, size_t count)
{
	while (count)
		*map_at(map, all[--count]) = 1;
}

/* The kernel's ptrace_attach() refuses a thread that is ending as one that it may not have. */
static bool has_ended(pid_t tid, int error)
{
	return error == ESRCH || (error == EPERM && proc_is_gone(tid));
}

/* The late ones stop when they can; those that have ended are no longer waited for. */
static int take_late(struct attach_process *process)
{
	size_t i, left = 0;
	int error = 0;

	for (i = 0; i < process->late_count; i++) {
		pid_t tid = process->late[i];
		int its = attach_thread_stop(tid, true, 0);

		if (its == EBUSY)
			process->late[left++] = tid;
		else if (!its)
			add(&process->stopped, &process->count, &process->room, tid);
		else if (!has_ended(tid, its))
			error = its;
	}
	process->late_count = left;
	return error;
}

/* Return: how many more were asked to stop, -1 after one line. */
static int stop_more(struct attach_process *process, bool (*known)(void *context, pid_t tid),
		     void *context, uint64_t wait_ns)
{
	int asked = 0, error = take_late(process);
	struct proc_threads threads;
	struct map held = { NULL };
	size_t i;

	put_all(&held, process->stopped, process->count);
	put_all(&held, process->late, process->late_count);
	proc_read_threads(process->pid, &threads);
	for (i = 0; i < threads.count && !error; i++) {
		pid_t tid = threads.all[i];

		if (map_get(&held, tid) || (known && known(context, tid)))
			continue;
		*map_at(&held, tid) = 1;
		error = attach_thread_stop(tid, false, wait_ns);
		if (threads.count > 1 && has_ended(tid, error)) {
			error = 0;
			continue;
		}
		asked++;
		if (!error)
			add(&process->stopped, &process->count, &process->room, tid);
		if (error == EBUSY) {
			add(&process->late, &process->late_count, &process->late_room, tid);
			error = 0;
		}
	}
	proc_free_threads(&threads);
	map_free(&held);
	return error ? refused(process->pid, error) : asked;
}

int attach_process_stop(struct attach_process *process, bool (*known)(void *context, pid_t tid),
			void *context, uint64_t wait_ns)
{
	int rounds, more = 1;

	for (rounds = 0; more > 0 && rounds < ROUNDS; rounds++)
		more = stop_more(process, known, context, wait_ns);
	if (!more)
		return 0;
	attach_process_go(process);
	return more < 0 ? -1 : fail("process %d makes threads faster than they are stopped",
				    (int)process->pid);
}

void attach_process_go(struct attach_process *process)
{
	while (process->count)
		attach_thread_release(process->stopped[--process->count]);
	free(process->stopped);
	process->stopped = NULL;
	process->room = 0;
}

void attach_process_release_late(struct attach_process *process)
{
	if (!process->late_count)
		return;
	take_late(process);
	attach_process_go(process);
}

void attach_process_close(struct attach_process *process)
{
	free(process->late);
	process->late = NULL;
	process->late_count = process->late_room = 0;
}

/* --- memory --- */

int attach_process_descriptor(pid_t pid, int fd)
{
	int process = syscall(SYS_pidfd_open, pid, 0), ours, error;

	if (process < 0)
		return -1;
	ours = syscall(SYS_pidfd_getfd, process, fd, 0);
	error = errno;
	close(process);
	errno = error;
	return ours;
}

bool attach_process_read(pid_t pid, uint64_t at, void *to, size_t size)
{
	struct iovec local = { to, size }, remote = { (void *)at, size };

	return process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static bool write_memory(pid_t pid, uint64_t at, const void *from, size_t size)
{
	struct iovec local = { (void *)from, size }, remote = { (void *)at, size };

	return process_vm_writev(pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static bool gate_in(pid_t pid, const struct proc_map *map, uint64_t *gate)
{
	static const uint8_t instruction[] = { 0x0f, 0x05 };
	size_t size = map->end - map->start;
	uint8_t *code = xmalloc(size), *found = NULL;

	if (attach_process_read(pid, map->start, code, size))
		found = memmem(code, size, instruction, sizeof(instruction));
	if (found)
		*gate = map->start + (found - code);
	free(code);
	return found;
}

/* A system call instruction: the vDSO's, for clocks that need the kernel. */
static bool find_gate(struct attach_process *process)
{
	struct proc_maps maps;
	size_t i;

	proc_read_maps(process->pid, &maps);
	for (i = 0; i < maps.count && !process->gate; i++)
		if (!strcmp(maps.all[i].path, "[vdso]"))
			gate_in(process->pid, &maps.all[i], &process->gate);
	proc_free_maps(&maps);
	return process->gate;
}

/* --- calls --- */

/* By the first thread that is stopped. Return: what the call returns, -ESRCH: the thread is gone */
static long system_call(const struct attach_process *process, long number, const long argument[6])
{
	struct attach_call call = { .at = process->gate, .number = number };
	long result = 0;

	memcpy(call.argument, argument, sizeof(call.argument));
	return attach_thread_call(process->stopped[0], &call, &result) ? -ESRCH : result;
}

long attach_process_call(struct attach_process *process, pid_t tid, uint64_t function,
			 long argument)
{
	struct attach_call call = {
		.at = function,
		.stack = process->stack - 8,
		.argument = { argument },
	};
	long result = 0;

	if (!write_memory(process->pid, call.stack, &process->back, sizeof(process->back)))
		return -ESRCH;
	return attach_thread_call(tid, &call, &result) ? -ESRCH : result;
}

/* --- the library --- */

static bool is_error(long result)
{
	return (unsigned long)result > -4096ul;
}

static int put(struct attach_process *process, const struct attach_image *image)
{
	const long protect[6] = { image->base + image->code, image->code_size,
				  PROT_READ | PROT_EXEC };

	if (!write_memory(process->pid, image->base, image->bytes, image->size) ||
	    system_call(process, SYS_mprotect, protect))
		return fail("process %d: its memory cannot be written", (int)process->pid);
	return 0;
}

static int place(struct attach_process *process, struct attach_image *image)
{
	long map[6] = { 0, STACK + image->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0 };
	long at = system_call(process, SYS_mmap, map);

	if (is_error(at))
		return fail("process %d: there is no room for the library in it: %s",
			    (int)process->pid, strerror(-at));
	process->memory = at;
	process->size = map[1];
	process->stack = image->base = at + STACK;
	return attach_image_relocate(image) || put(process, image) ? -1 : 0;
}

static int ask(const struct attach_image *image, const char *const *names, uint64_t *addresses)
{
	for (; *names; names++, addresses++) {
		*addresses = attach_image_symbol(image, *names);
		if (!*addresses)
			return fail("%s has no %s: is it of another version?", image->path, *names);
	}
	return 0;
}

/* A 32-bit program, or a thread without thread-local data. */
static int check_threads(const struct attach_process *process)
{
	struct user_regs_struct regs;
	uint64_t canary;
	size_t i;

	for (i = 0; i < process->count; i++) {
		if (attach_thread_registers(process->stopped[i], &regs))
			return refused(process->pid, ESRCH);
		if (regs.cs == CODE_32)
			return fail("process %d is a 32-bit program", (int)process->pid);
		if (!attach_process_read(process->pid, regs.fs_base + CANARY, &canary,
					 sizeof(canary)))
			return fail("process %d: thread %d has no thread-local data: it is not "
				    "attached to", (int)process->pid, (int)process->stopped[i]);
	}
	return 0;
}

int attach_process_load(struct attach_process *process, const char *path, const char *back,
			const char *const *names, uint64_t *addresses)
{
	const char *const return_point[] = { back, NULL };
	struct attach_image image;
	int failed = check_threads(process);

	if (!failed && !find_gate(process))
		failed = fail("process %d has no vDSO with a system call", (int)process->pid);
	if (failed)
		return -1;
	failed = attach_image_read(&image, path) || place(process, &image) ||
		 ask(&image, names, addresses) || ask(&image, return_point, &process->back);
	if (failed)
		attach_process_unload(process);
	attach_image_free(&image);
	return failed ? -1 : 0;
}

void attach_process_unload(struct attach_process *process)
{
	const long unmap[6] = { process->memory, process->size };

	if (process->memory && process->count)
		system_call(process, SYS_munmap, unmap);
	process->memory = 0;
}
