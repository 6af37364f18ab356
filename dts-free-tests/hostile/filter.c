// SPDX-License-Identifier: GPL-2.0-only
/*
 * filter NUMBER...: denies itself these system calls (EPERM), then forks a child that allocates,
 * and waits for it. Status 0 if all went as it would without a recorder.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int deny(unsigned int number)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
	void *volatile block;
	int status;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	for (int i = 1; i < argc; i++)
		if (deny(atoi(argv[i])))
			return 77;
	if (!fork()) {
		for (int i = 0; i < 1000; i++) {
			block = malloc(10000);
			free(block);
		}
		_exit(3);
	}
	wait(&status);
	return WIFEXITED(status) && WEXITSTATUS(status) == 3 ? 0 : 1;
}
