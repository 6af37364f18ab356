// SPDX-License-Identifier: GPL-2.0-only
/* Threads come and go all the time, for a minute: many are just ending when the process is stopped. */
#include <pthread.h>
#include <time.h>

#define AT_ONCE	4

static volatile int sink;

static void *run(void *unused)
{
	for (int i = 0; i < 2000; i++)
		sink += i;
	return unused;
}

int main(void)
{
	time_t begun = time(NULL);
	pthread_t thread[AT_ONCE];

	while (time(NULL) - begun < 60) {
		for (int i = 0; i < AT_ONCE; i++)
			pthread_create(&thread[i], NULL, run, NULL);
		for (int i = 0; i < AT_ONCE; i++)
			pthread_join(thread[i], NULL);
	}
	return 0;
}
