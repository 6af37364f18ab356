// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads and forked children that allocate, map memory and look for functions, through the
 * wrappers of the native library, which are linked into this program by other names: so
 * ThreadSanitizer, whose own wrappers would take their place, sees what the library does.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCKS		100
#define THREADS		8
#define CHILDREN	4
#define SIZE		(64u << 10)

void *native_malloc(size_t size);
void *native_realloc(void *block, size_t size);
void native_free(void *block);
void *native_mmap(void *start, size_t size, int protection, int flags, int fd, off_t offset);
int native_munmap(void *start, size_t size);
void *native_dlsym(void *handle, const char *name);
int native_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*run)(void *), void *argument);

static void *work(void *argument)
{
	void *block[BLOCKS], *map;
	uintptr_t round;
	int i;

	for (round = 0; round < (uintptr_t)argument; round++) {
		for (i = 0; i < BLOCKS; i++)
			block[i] = native_malloc(16 + i * 400);
		for (i = 0; i < BLOCKS; i++) {
			if (i % 3 == 0)
				block[i] = native_realloc(block[i], SIZE);
			native_free(block[i]);
		}
		map = native_mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		native_munmap(map, SIZE);
		native_dlsym(NULL, "qsort");
	}
	return NULL;
}

static void work_together(int count, uintptr_t rounds)
{
	pthread_t thread[THREADS];
	int i;

	for (i = 0; i < count; i++)
		native_pthread_create(&thread[i], NULL, work, (void *)rounds);
	work((void *)rounds);
	for (i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
}

int main(void)
{
	int i;

	work_together(THREADS, 50);
	for (i = 0; i < CHILDREN; i++)
		if (!fork()) {
			work_together(THREADS / 2, 20);
			return 0;
		}
	work_together(THREADS / 2, 50);
	while (wait(NULL) > 0)
		;
	return 0;
}
