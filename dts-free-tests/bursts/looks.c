// SPDX-License-Identifier: GPL-2.0-only
/* An allocator may call mprotect(), a thread may hold the linker's lock: nothing calls the linker there. */
#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <threads.h>

static volatile int within;
static volatile unsigned int met, sink;

/* A jump, since it asks who called. */
void *dlsym(void *handle, const char *name)
{
	static void *(*next)(void *, const char *);

	if (!next)
		next = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	if (!next)
		next = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	met += within;
	return next(handle, name);
}

static int nothing(void *unused)
{
	return 0;
}

int main(void)
{
	void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	thrd_t thread;

	within = 1;
	mprotect(page, 4096, PROT_NONE);
	pkey_mprotect(page, 4096, PROT_READ, -1);
	thrd_create(&thread, nothing, NULL);
	within = 0;
	thrd_join(thread, NULL);
	for (unsigned int i = 0; i < 100000000; i++)
		sink += i;
	printf("looked up %u times\n", met);
	return 0;
}
