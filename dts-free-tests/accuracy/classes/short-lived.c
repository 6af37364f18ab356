// SPDX-License-Identifier: GPL-2.0-only
/* Class 6: processes and threads that end soon. */
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "variant.h"

#define CHILDREN 40

extern char **environ;

/* Twice the lines of a set; or, clean, a row of them. */
static NOINLINE double column(const double *data, unsigned int lines, unsigned long repeats)
{
	double sum = 0;

	while (repeats--)
		for (unsigned int k = 0; k < lines; k++)
			sum += data[k * (PAGE / 8)];
	return sum;
}

static NOINLINE double along(const double *data, size_t length, unsigned long repeats)
{
	double sum = 0;

	while (repeats--)
		for (size_t i = 0; i < length; i += 2)
			sum += data[i];
	return sum;
}

static void work(unsigned int ways, unsigned long repeats, int clean)
{
	double *data = variant_pages((size_t)4 * ways * PAGE);

	if (clean)
		variant_sink += along(data, (size_t)4 * ways * PAGE / 8, repeats / 400 + 1);
	else
		variant_sink += column(data, 2 * ways, repeats);
	free(data);
}

static void children_of(unsigned int ways, unsigned long repeats, int clean)
{
	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = fork();

		if (!child) {
			work(ways, repeats, clean);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

static void children(unsigned int ways, unsigned long repeats)
{
	children_of(ways, repeats, 0);
}

static void clean_children(unsigned int ways, unsigned long repeats)
{
	children_of(ways, repeats, 1);
}

/* Each is the parent of the next. */
static void line(unsigned int ways, unsigned long repeats)
{
	for (int i = 0; i < CHILDREN; i++) {
		pid_t child;

		work(ways, repeats, 0);
		child = fork();
		if (child) {
			waitpid(child, NULL, 0);
			return;
		}
	}
}

static void here(unsigned int ways, unsigned long repeats)
{
	work(ways, repeats, 0);
}

/* Programs of their own. */
static void programs(unsigned int ways, unsigned long repeats)
{
	char number[2][32], *words[] = { "short-lived", "here", number[0], number[1], NULL };

	snprintf(number[0], sizeof(number[0]), "%u", ways);
	snprintf(number[1], sizeof(number[1]), "%lu", repeats);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t child;

		if (posix_spawn(&child, program_invocation_name, NULL, NULL, words, environ))
			exit(1);
		waitpid(child, NULL, 0);
	}
}

static unsigned int thread_ways;
static unsigned long thread_repeats;

static void *thread(void *unused)
{
	work(thread_ways, thread_repeats, 0);
	return unused;
}

static void threads_of(unsigned int ways, unsigned long repeats, int together)
{
	pthread_t threads[CHILDREN];

	thread_ways = ways;
	thread_repeats = repeats;
	for (int i = 0; i < CHILDREN; i++) {
		pthread_create(&threads[i], NULL, thread, NULL);
		if (!together)
			pthread_join(threads[i], NULL);
	}
	for (int i = 0; together && i < CHILDREN; i++)
		pthread_join(threads[i], NULL);
}

static void threads(unsigned int ways, unsigned long repeats)
{
	threads_of(ways, repeats, 0);
}

static void threads_together(unsigned int ways, unsigned long repeats)
{
	threads_of(ways, repeats, 1);
}

static const struct variant variants[] = {
	{ "children", children }, { "clean-children", clean_children }, { "line", line },
	{ "programs", programs }, { "here", here }, { "threads", threads },
	{ "threads-together", threads_together },
};

VARIANT_MAIN(variants)
