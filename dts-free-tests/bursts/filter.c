// SPDX-License-Identifier: GPL-2.0-only
/*
 * filter KIND PROGRAM...: runs a program under a filter of system calls:
 *
 *	docker	all are allowed but some that fail, as containers have it
 *	kill	timer_create() kills
 *	errno	timer_settime() fails
 *	memory	memory that is writable and executable fails, as services may have it
 *	few	what a program that needs little does not call kills, as sandboxes have it
 *
 * A PROGRAM of - is this one: it allocates, forks and ends by exit() under the filter.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NUMBER		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define ARGUMENT(n)	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]))
#define RETURN(what)	BPF_STMT(BPF_RET | BPF_K, what)
#define IF(value, then)	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1), RETURN(then)
#define FAIL(error)	(SECCOMP_RET_ERRNO | (error))
#define KILL(call)	IF(SYS_##call, SECCOMP_RET_KILL_PROCESS)
#define NEW_NAMESPACES	0x7e020000	/* CLONE_NEWNS ... CLONE_NEWNET */

static struct sock_filter docker[] = {
	NUMBER,
	IF(SYS_process_vm_readv, FAIL(EPERM)), IF(SYS_process_vm_writev, FAIL(EPERM)),
	IF(SYS_ptrace, FAIL(EPERM)), IF(SYS_mount, FAIL(EPERM)), IF(SYS_unshare, FAIL(EPERM)),
	IF(SYS_setns, FAIL(EPERM)), IF(SYS_add_key, FAIL(EPERM)), IF(SYS_keyctl, FAIL(EPERM)),
	IF(SYS_bpf, FAIL(EPERM)), IF(SYS_userfaultfd, FAIL(EPERM)),
	IF(SYS_perf_event_open, FAIL(EPERM)), IF(SYS_clone3, FAIL(ENOSYS)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
	ARGUMENT(0),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NEW_NAMESPACES, 0, 1),
	RETURN(FAIL(EPERM)),
	RETURN(SECCOMP_RET_ALLOW),
};

static struct sock_filter killing[] = {
	NUMBER, IF(SYS_timer_create, SECCOMP_RET_KILL_PROCESS), RETURN(SECCOMP_RET_ALLOW),
};

static struct sock_filter failing[] = {
	NUMBER, IF(SYS_timer_settime, FAIL(EPERM)), RETURN(SECCOMP_RET_ALLOW),
};

static struct sock_filter memory[] = {
	NUMBER,
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 4),
	ARGUMENT(2),
	BPF_STMT(BPF_ALU | BPF_AND | BPF_K, PROT_WRITE | PROT_EXEC),
	IF(PROT_WRITE | PROT_EXEC, FAIL(EPERM)),
	RETURN(SECCOMP_RET_ALLOW),
};

static struct sock_filter few[] = {
	NUMBER,
	KILL(getpid), KILL(getppid), KILL(gettid), KILL(geteuid), KILL(socket), KILL(connect),
	KILL(sendmsg), KILL(setsockopt), KILL(getsockopt), KILL(memfd_create), KILL(ftruncate),
	KILL(fcntl), KILL(madvise), KILL(readlink), KILL(sched_yield), KILL(nanosleep),
	KILL(ppoll), KILL(timer_create), KILL(timer_settime), KILL(timer_delete),
	KILL(sigaltstack), KILL(rt_sigpending), KILL(clock_gettime), KILL(clock_getres),
	RETURN(SECCOMP_RET_ALLOW),
};

static const struct {
	const char *name;
	struct sock_filter *filter;
	unsigned short size;
} kinds[] = {
	{ "docker", docker, sizeof(docker) / sizeof(docker[0]) },
	{ "kill", killing, sizeof(killing) / sizeof(killing[0]) },
	{ "errno", failing, sizeof(failing) / sizeof(failing[0]) },
	{ "memory", memory, sizeof(memory) / sizeof(memory[0]) },
	{ "few", few, sizeof(few) / sizeof(few[0]) },
};

static int install(const char *name)
{
	struct sock_fprog program;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(name, kinds[i].name))
			continue;
		program.filter = kinds[i].filter;
		program.len = kinds[i].size;
		return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	}
	return 1;
}

static void allocate(void)
{
	char *volatile block = malloc(100000);

	memset(block, 1, 100000);
	free(block);
}

static int go_on(void)
{
	pid_t pid;
	int status;

	allocate();
	pid = fork();
	if (!pid) {
		allocate();
		_exit(4);
	}
	waitpid(pid, &status, 0);
	printf("%x\n", status);
	exit(3);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 125;
	if (install(argv[1])) {
		perror("filter");
		return 125;
	}
	if (!strcmp(argv[2], "-"))
		return go_on();
	execvp(argv[2], argv + 2);
	return 127;
}
