// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach/thread.h"
#include "base/clock.h"
#include "host/proc.h"

#define WAIT_NS		(2 * SECOND_NS)	/* for a thread that runs for us: a step, and all of them */
#define LOOK_US		50
#define XSTATE		16384		/* an XSAVE area with AMX's tiles has 11 KiB */
#define TRIES		1000		/* to stop outside of a restartable sequence, or a fault */
#define SYSCALL_STOP	(SIGTRAP | 0x80)
#define SYSCALL_BYTES	2		/* of the instruction */
#define FAULTS		(1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1) | 1ull << (SIGILL - 1) | \
			 1ull << (SIGFPE - 1) | 1ull << (SIGTRAP - 1))

#ifndef PTRACE_GET_RSEQ_CONFIGURATION
#define PTRACE_GET_RSEQ_CONFIGURATION 0x420f
#endif

/* The kernel's struct ptrace_rseq_configuration. */
struct rseq_place {
	uint64_t area;
	uint32_t size, signature, flags, reserved;
};

/* All that a thread is put back to. */
struct state {
	struct user_regs_struct regs;
	uint8_t vector[XSTATE];
	size_t vector_size;
	uint64_t mask;
};

static int call(long request, pid_t tid, uint64_t address, void *data)
{
	return ptrace(request, tid, (void *)address, data) == -1 ? -1 : 0;
}

static int go_on(long request, pid_t tid, int signal)
{
	return call(request, tid, 0, (void *)(long)signal);
}

/* The status of a child of ours is for those who wait for its end. */
static bool is_child(pid_t tid)
{
	return proc_status(tid, "Tgid") == (uint64_t)tid &&
	       proc_status(tid, "PPid") == (uint64_t)getpid();
}

/* Return: 0 when it has stopped, or an errno. */
static int wait_stop(pid_t tid, int *status, uint64_t wait_ns)
{
	uint64_t begun = now_ns();
	siginfo_t what = { 0 };

	while (!waitid(P_PID, tid, &what, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) &&
	       !what.si_pid) {
		if (now_ns() - begun > wait_ns)
			return EBUSY;
		usleep(LOOK_US);
	}
	if (what.si_pid != tid ||
	    ((what.si_code == CLD_EXITED || what.si_code == CLD_KILLED ||
	      what.si_code == CLD_DUMPED) && is_child(tid)))
		return ESRCH;
	return waitpid(tid, status, __WALL | WNOHANG) == tid && WIFSTOPPED(*status) ? 0 : ESRCH;
}

static bool is_event(int status)
{
	return status >> 16 == PTRACE_EVENT_STOP;
}

/* Once interrupted, to where it leaves the kernel: signals that come before are delivered. */
static int wait_event(pid_t tid, uint64_t wait_ns)
{
	int status, error;

	while (!(error = wait_stop(tid, &status, wait_ns)) && !is_event(status))
		if (go_on(PTRACE_CONT, tid, WSTOPSIG(status) == SYSCALL_STOP ? 0 :
				WSTOPSIG(status)))
			return errno;
	return error;
}

/* A thread that has stopped elsewhere goes on to that place; or it runs. */
static int interrupt(pid_t tid)
{
	if (call(PTRACE_INTERRUPT, tid, 0, NULL))
		return errno;
	go_on(PTRACE_CONT, tid, 0);
	return wait_event(tid, WAIT_NS);
}

/*
 * With its registers changed the kernel would not see that it is within a restartable sequence.
 * The kernel clears the pointer to one that was left, when the thread goes on.
 */
static bool in_sequence(pid_t tid)
{
	struct rseq_place place = { 0 };

	if (ptrace(PTRACE_GET_RSEQ_CONFIGURATION, tid, sizeof(place), &place) <= 0 || !place.area)
		return false;
	errno = 0;
	return ptrace(PTRACE_PEEKDATA, tid, place.area + 8, NULL) && !errno;
}

int attach_thread_registers(pid_t tid, struct user_regs_struct *regs)
{
	return call(PTRACE_GETREGS, tid, 0, regs);
}

int attach_thread_mask(pid_t tid, uint64_t *mask)
{
	return call(PTRACE_GETSIGMASK, tid, sizeof(*mask), mask);
}

int attach_thread_set_mask(pid_t tid, uint64_t mask)
{
	return call(PTRACE_SETSIGMASK, tid, sizeof(mask), &mask);
}

/* A fault of its own that was not delivered yet: what we had it do would end by that. */
static bool in_fault(pid_t tid)
{
	uint64_t blocked = 0;

	attach_thread_mask(tid, &blocked);
	return proc_signals(tid, "SigPnd") & FAULTS & ~blocked;
}

static bool in_between(pid_t tid)
{
	return in_sequence(tid) || in_fault(tid);
}

/*
 * These end with EINTR when a thread is stopped, although no signal came (signal(7), "Interruption
 * of system calls and library functions by stop signals").
 */
static bool ends_when_stopped(uint64_t number)
{
	switch (number) {
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2:
	case SYS_rt_sigtimedwait:
	case SYS_semop:
	case SYS_semtimedop:
	case SYS_io_getevents:
	case SYS_io_uring_enter:
	case SYS_fallocate:	/* of files of memory, in some kernels: what was begun is undone */
	/*
	 * Of sockets with a time-out (SO_RCVTIMEO, SO_SNDTIMEO). Without one the kernel makes each
	 * of these again, connect() as well: it waits for the connection that was begun.
	 */
	case SYS_read:
	case SYS_readv:
	case SYS_preadv2:
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_recvmmsg:
	case SYS_write:
	case SYS_writev:
	case SYS_pwritev2:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendmmsg:
	case SYS_accept:
	case SYS_accept4:
	case SYS_connect:
	case SYS_sendfile:
	case SYS_splice:
		return true;
	default:
		return false;
	}
}

/* A system call that ended by our stop alone is made again when the thread goes on. */
static void call_again(pid_t tid)
{
	struct user_regs_struct regs;
	uint64_t blocked;

	if (attach_thread_registers(tid, &regs) || (long)regs.rax != -EINTR ||
	    !ends_when_stopped(regs.orig_rax) || attach_thread_mask(tid, &blocked) ||
	    (proc_signals(tid, "SigPnd") | proc_signals(tid, "ShdPnd")) & ~blocked)
		return;
	regs.rax = regs.orig_rax;
	regs.orig_rax = -1;
	regs.rip -= SYSCALL_BYTES;
	call(PTRACE_SETREGS, tid, 0, &regs);
}

/*
 * A thread that is interrupted before it has run stops where it was: its fault is delivered behind
 * the stop (get_signal()). So it gets time to run where a first try was in vain.
 */
static int stop_elsewhere(pid_t tid, uint64_t wait_ns, bool again)
{
	if (go_on(PTRACE_CONT, tid, 0))
		return errno;
	if (again)
		usleep(LOOK_US);
	return call(PTRACE_INTERRUPT, tid, 0, NULL) ? errno : wait_event(tid, wait_ns);
}

int attach_thread_stop(pid_t tid, bool asked, uint64_t wait_ns)
{
	int tries, error;

	if (!asked && (call(PTRACE_SEIZE, tid, 0, (void *)PTRACE_O_TRACESYSGOOD) ||
		       call(PTRACE_INTERRUPT, tid, 0, NULL)))
		return errno;
	error = wait_event(tid, wait_ns);
	for (tries = 0; !error && in_between(tid) && tries < TRIES; tries++)
		error = stop_elsewhere(tid, wait_ns, tries > 0);
	if (!error && in_between(tid)) {
		attach_thread_release(tid);
		error = EAGAIN;
	}
	if (!error)
		call_again(tid);
	return error;
}

static int save(pid_t tid, struct state *state)
{
	struct iovec vector = { state->vector, sizeof(state->vector) };

	if (attach_thread_registers(tid, &state->regs) || attach_thread_mask(tid, &state->mask) ||
	    call(PTRACE_GETREGSET, tid, NT_X86_XSTATE, &vector))
		return -1;
	state->vector_size = vector.iov_len;
	return 0;
}

static int restore(pid_t tid, struct state *state)
{
	struct iovec vector = { state->vector, state->vector_size };

	return call(PTRACE_SETREGS, tid, 0, &state->regs) |
	       call(PTRACE_SETREGSET, tid, NT_X86_XSTATE, &vector) |
	       attach_thread_set_mask(tid, state->mask);
}

/*
 * Runs until a system call has returned. The code is in memory that others may change meanwhile.
 * SIGSTOP cannot be blocked: its process is stopped for others then, and again when it is released.
 *
 * Return: 0, or an errno. EBUSY: it would go on.
 */
static int run(pid_t tid, long last, struct user_regs_struct *regs)
{
	uint64_t begun = now_ns();
	bool inside = false;
	int status, error, signal = 0;

	while (now_ns() - begun <= WAIT_NS) {
		if (go_on(PTRACE_SYSCALL, tid, signal))
			return errno;
		signal = 0;
		error = wait_stop(tid, &status, WAIT_NS);
		if (error)
			return error;
		if (is_event(status))
			continue;
		if (WSTOPSIG(status) == SIGSTOP) {
			signal = SIGSTOP;
			continue;
		}
		if (WSTOPSIG(status) != SYSCALL_STOP || attach_thread_registers(tid, regs))
			return EFAULT;
		inside = !inside;
		if (!inside && (long)regs->orig_rax == last)
			return 0;
	}
	return EBUSY;
}

static void prepare(const struct attach_call *call, struct user_regs_struct *regs)
{
	regs->rip = call->at;
	regs->rax = call->stack ? 0 : call->number;
	regs->orig_rax = -1;			/* nothing is restarted */
	regs->rdi = call->argument[0];
	regs->rsi = call->argument[1];
	regs->rdx = call->argument[2];
	regs->r10 = call->argument[3];
	regs->r8 = call->argument[4];
	regs->r9 = call->argument[5];
	regs->eflags &= ~0x500ul;		/* no trap, direction as the ABI has it */
	if (call->stack)
		regs->rsp = call->stack;
}

int attach_thread_call(pid_t tid, const struct attach_call *wanted, long *result)
{
	struct user_regs_struct regs;
	struct state state;
	int error;

	if (save(tid, &state))
		return -1;
	regs = state.regs;
	prepare(wanted, &regs);
	error = attach_thread_set_mask(tid, ~FAULTS) || call(PTRACE_SETREGS, tid, 0, &regs) ?
		EFAULT : run(tid, wanted->stack ? ATTACH_LAST_CALL : wanted->number, &regs);
	*result = wanted->stack ? regs.rdi : regs.rax;
	/* To a stop of the kind that it was in: only there calls are restarted. */
	if ((!error || error == EBUSY) && interrupt(tid))
		error = ESRCH;
	return restore(tid, &state) || error ? -1 : 0;
}

void attach_thread_release(pid_t tid)
{
	go_on(PTRACE_DETACH, tid, 0);
}
