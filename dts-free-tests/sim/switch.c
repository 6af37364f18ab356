// SPDX-License-Identifier: GPL-2.0-only
/*
 * switch: what a change of phase must not disturb. Signals and what their handlers see of the
 * program counter, jumps to where no code is, code that is rewritten, jumps out of handlers,
 * wrapped allocators, children and threads. Prints what it saw; the same natively.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define PROGRAM_END	(1ull << 47)

static sigjmp_buf back;
static volatile uint64_t seen_ip, fault_ip;
static volatile int alarms, alarms_astray;

extern const char load_begins[], load_ends[];

static void fault(int number, siginfo_t *info, void *context)
{
	seen_ip = ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	fault_ip = (uintptr_t)info->si_addr;
	(void)number;
	siglongjmp(back, 1);
}

static void alarmed(int number, siginfo_t *info, void *context)
{
	uint64_t ip = ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];

	(void)number;
	(void)info;
	alarms++;
	alarms_astray += ip >= PROGRAM_END;
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART };

	sigaction(number, &action, NULL);
}

/* A fault in the first instruction of a superblock, and one further on. */
__attribute__((noinline)) static void load_from(volatile uint64_t *address)
{
	__asm__ volatile("jmp 1f\n1:\n.globl load_begins\nload_begins: movq (%0), %%rax\n\t"
			 ".globl load_ends\nload_ends: nop" : : "r"(address) : "rax");
}

static uint64_t steps(uint64_t state, int count)
{
	while (count--)
		state = state * 6364136223846793005u + (state >> 33);
	return state;
}

static void faults(int times)
{
	int right = 0, jumps = 0;

	handle(SIGSEGV, fault);
	for (volatile int i = 0; i < times; i++) {
		steps(i, 500);
		if (!sigsetjmp(back, 1))
			load_from((uint64_t *)64);
		right += seen_ip == (uintptr_t)load_begins && fault_ip == 64;
		if (!sigsetjmp(back, 1))
			((void (*)(void))(uintptr_t)(4096 + i))();
		jumps += seen_ip == 4096u + i && fault_ip == 4096u + i;
	}
	printf("faults %d jumps %d of %d\n", right, jumps, times);
}

static void timers(void)
{
	struct itimerval every = { { 0, 2000 }, { 0, 2000 } }, off = { 0 };
	uint64_t state = 1;

	handle(SIGALRM, alarmed);
	setitimer(ITIMER_REAL, &every, NULL);
	while (alarms < 5)
		state = steps(state, 1000);
	setitimer(ITIMER_REAL, &off, NULL);
	printf("alarms astray %d\n", alarms_astray);
}

/* mov $number, %eax; ret */
static void rewritten(int times)
{
	uint8_t *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int wrong = 0;

	for (int i = 0; i < times; i++) {
		uint8_t bytes[] = { 0xb8, i, i >> 8, 0, 0, 0xc3 };

		memcpy(code, bytes, sizeof(bytes));
		for (int n = 0; n < 40; n++)
			wrong += ((int (*)(void))code)() != i;
	}
	printf("rewritten, wrong %d of %d\n", wrong, times);
}

static void blocks(int times)
{
	uint64_t sum = 0;

	for (int i = 1; i < times; i++) {
		uint64_t *block = malloc(8 * i);

		block[i - 1] = i;
		block = realloc(block, 16 * i);
		sum += block[i - 1];
		free(block);
	}
	printf("blocks %llu\n", (unsigned long long)sum);
}

static void *thread(void *argument)
{
	return (void *)(uintptr_t)steps((uintptr_t)argument, 20000);
}

static void threads(void)
{
	pthread_t all[4];
	uint64_t sum = 0;
	void *result;

	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&all[i], NULL, thread, (void *)i);
	for (int i = 0; i < 4; i++) {
		pthread_join(all[i], &result);
		sum += (uintptr_t)result;
	}
	printf("threads %llx\n", (unsigned long long)sum);
}

static void children(int times)
{
	int status, good = 0;

	fflush(stdout);
	for (int i = 0; i < times; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(steps(i, 3000) & 63);
		waitpid(pid, &status, 0);
		good += WIFEXITED(status) && WEXITSTATUS(status) == (int)(steps(i, 3000) & 63);
	}
	printf("children %d of %d\n", good, times);
}

/* Without an argument, but for what depends on time. */
int main(int argc, char **argv)
{
	(void)argv;
	faults(300);
	rewritten(300);
	blocks(300);
	if (argc < 2)
		return 0;
	children(20);
	threads();
	timers();
	return 0;
}
