// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs whose speed a counter tells: what it needs of a process is not to be seen in them.
 *
 *	counted MODE TURNS
 *
 * plain: walks memory. elsewhere: on CPU 1. looks: at the handler of SIGURG, all the time. handler: has one, and sends
 * SIGURG to itself. blocked: blocks it. threads: four of them walk. exec: children walk, each for longer, and become
 * /bin/true. All end with "fine", or say what is wrong.
 */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS	4096
#define SENT	1000
#define THREADS	4

static unsigned long words[WORDS];
static volatile sig_atomic_t came;

static void on_signal(int signal)
{
	came++;
}

/* A wrong register or flag makes another sum. */
static unsigned long __attribute__((noipa)) walk(unsigned long turns)
{
	unsigned long sum = 0;

	for (unsigned long turn = 0; turn < turns; turn++)
		for (unsigned int i = 0; i < WORDS; i++)
			sum = (sum << 1 | sum >> 63) + words[i];
	return sum;
}

static int wrong(const char *what)
{
	printf("wrong: %s\n", what);
	return 1;
}

static int mapped(const char *what)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[4096];
	int found = 0;

	while (maps && fgets(line, sizeof(line), maps))
		found |= !!strstr(line, what);
	if (maps)
		fclose(maps);
	return found;
}

static int descriptors(void)
{
	DIR *fds = opendir("/proc/self/fd");
	int count = -1;			/* its own */

	while (fds && readdir(fds))
		count++;
	if (fds)
		closedir(fds);
	return count - 2;
}

static void *thread(void *turns)
{
	return (void *)walk(*(unsigned long *)turns);
}

static int threads(unsigned long turns)
{
	unsigned long expected = walk(turns);
	pthread_t id[THREADS];
	void *sum;
	int bad = 0;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&id[i], NULL, thread, &turns))
			return wrong("no thread");
	for (int i = 0; i < THREADS; i++) {
		pthread_join(id[i], &sum);
		bad |= (unsigned long)sum != expected;
	}
	return bad ? wrong("a thread's sum") : 0;
}

static int children(unsigned long turns)
{
	for (unsigned long i = 0; i < turns; i++) {
		int status = -1;
		pid_t pid = fork();

		if (!pid) {
			walk(i * 8);
			execl("/bin/true", "true", NULL);
			_exit(1);
		}
		if (waitpid(pid, &status, 0) != pid || status)
			return wrong("a child that became another program");
	}
	return 0;
}

static int handler(unsigned long turns)
{
	signal(SIGURG, on_signal);
	for (int i = 0; i < SENT; i++) {
		walk(turns / SENT + 1);
		raise(SIGURG);
	}
	return came == SENT ? 0 : wrong("signals that were sent");
}

static int looks(unsigned long turns)
{
	struct sigaction now;

	for (unsigned long i = 0; i < turns; i++) {
		walk(1);
		sigaction(SIGURG, NULL, &now);
		if (now.sa_handler != SIG_DFL)
			return wrong("a handler that is not the program's");
	}
	return 0;
}

static int blocked(unsigned long turns)
{
	sigset_t urgent, pending;

	sigemptyset(&urgent);
	sigaddset(&urgent, SIGURG);
	sigprocmask(SIG_BLOCK, &urgent, NULL);
	walk(turns);
	sigpending(&pending);
	return sigismember(&pending, SIGURG) ? wrong("a signal is pending") : 0;
}

/* What is there for half a millisecond is not left. */
static const char *left(int open)
{
	const char *what = NULL;
	struct sigaction now;

	for (int i = 0; i < 100; i++) {
		sigaction(SIGURG, NULL, &now);
		what = descriptors() != open ? "a descriptor is left" :
		       mapped("perf_event") ? "a mapping is left" :
		       now.sa_handler != SIG_DFL ? "a handler is left" : NULL;
		if (!what)
			break;
		walk(100);
	}
	return what;
}

static int plain(unsigned long turns)
{
	int open = descriptors();

	if (walk(turns) != walk(turns))
		return wrong("the sum");
	return left(open) ? wrong(left(open)) : 0;
}

/* On an E-core, which the event of P-cores does not count on. */
static int elsewhere(unsigned long turns)
{
	cpu_set_t second;

	CPU_ZERO(&second);
	CPU_SET(1, &second);
	if (sched_setaffinity(0, sizeof(second), &second))
		return wrong("no second CPU");
	return walk(turns) != walk(turns) ? wrong("the sum") : 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(unsigned long turns);
	} modes[] = {
		{ "plain", plain }, { "looks", looks }, { "handler", handler }, { "blocked", blocked },
		{ "elsewhere", elsewhere }, { "threads", threads }, { "exec", children },
	};

	for (unsigned int i = 0; i < WORDS; i++)
		words[i] = i * 2654435761u;
	for (size_t i = 0; argc == 3 && i < sizeof(modes) / sizeof(*modes); i++) {
		if (strcmp(argv[1], modes[i].name))
			continue;
		if (modes[i].run(strtoul(argv[2], NULL, 10)))
			return 1;
		puts("fine");
		return 0;
	}
	return 2;
}
