// SPDX-License-Identifier: GPL-2.0-only
/* Code that changes, by name, in ways of which bursts once ran what was there before; as life.c. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE	4096
#define TIMES	20000
#define LONG	3000000		/* turns, in which bursts find code alone */
#define CHECK(x) do { if (!(x)) { perror(#x); exit(3); } } while (0)

typedef int function(void);

static volatile unsigned int sink;
static unsigned int table[1024];

static void work(unsigned int rounds)
{
	for (unsigned int i = 0; i < rounds; i++)
		sink += table[i * 17 % 1024]++;
}

/* --- a page of the program's own code: mov $0x11223344, %eax; ret --- */

__asm__(".pushsection .text.patched, \"ax\", @progbits\n\t.balign 4096\n"
	"patched:\tmov $0x11223344, %eax\n\tret\n\t.balign 4096\n\t.popsection");
extern uint8_t patched[];

static void set(uint8_t *code, int value)
{
	memcpy(code + 1, &value, sizeof(value));
}

static int by_library(int protection)
{
	return mprotect(patched, PAGE, protection);
}

static int by_key(int protection)
{
	return pkey_mprotect(patched, PAGE, protection, -1);
}

static int by_number(int protection)
{
	return syscall(SYS_mprotect, patched, PAGE, protection);
}

static int by_itself(int protection)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "0"(SYS_mprotect), "D"(patched), "S"(PAGE),
			 "d"(protection) : "rcx", "r11", "memory");
	return result;
}

static int calls(int value, int times)
{
	int wrong = 0;

	while (times--) {
		wrong += ((function *)patched)() != value;
		work(10);
	}
	return wrong;
}

/*
 * It is code alone for a while; then it is changed again and again, and back for most of the time:
 * bursts that begin find it as it was.
 */
static void patch(int (*protect)(int protection), int times, int changes)
{
	const int usual = 0x11223344;
	int wrong = calls(usual, LONG);

	for (int i = 0; i < times; i++) {
		wrong += calls(usual, changes);
		CHECK(!protect(PROT_READ | PROT_WRITE | PROT_EXEC));
		for (int j = 0; j < changes; j++) {
			wrong += calls(usual, 300);
			set(patched, j);
			wrong += calls(j, 10);
			set(patched, usual);
		}
		CHECK(!protect(PROT_READ | PROT_EXEC));
	}
	printf("%d wrong\n", wrong);
}

static void do_patch(void)
{
	patch(by_library, 10000, 1);
	patch(by_library, 10, 3000);
}

static void do_keys(void)
{
	patch(by_key, 10, 3000);
}

static void do_number(void)
{
	patch(by_number, 10, 3000);
}

static void do_raw(void)
{
	patch(by_itself, 10, 3000);
}

/* --- one thread changes what another one runs --- */

static volatile int asked, done;
static void (*change)(int value);

static void *changes(void *unused)
{
	for (int i = 1; i <= TIMES; i++) {
		while (asked != i)
			;
		change(i);
		done = i;
	}
	return NULL;
}

/* It runs the code up to the change, and at once behind it. */
static void by_another_thread(function *code, void (*how)(int value))
{
	int wrong = 0, value = code();
	pthread_t id;

	change = how;
	asked = done = 0;
	pthread_create(&id, NULL, changes, NULL);
	for (int i = 1; i <= TIMES; i++) {
		work(500);
		wrong += code() != value;
		asked = i;
		while (done != i)
			work(1);
		value = code();
		wrong += value != i;
	}
	pthread_join(id, NULL);
	printf("%d wrong\n", wrong);
}

static void patch_one(int value)
{
	CHECK(!mprotect(patched, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC));
	set(patched, value);
	CHECK(!mprotect(patched, PAGE, PROT_READ | PROT_EXEC));
}

static void do_thread(void)
{
	by_another_thread((function *)patched, patch_one);
}

/* --- made at run time: written, then code --- */

static void do_flips(void)
{
	uint8_t *code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int wrong = 0;

	memcpy(code, patched, 16);
	for (int i = 0; i < TIMES; i++) {
		CHECK(!mprotect(code, PAGE, PROT_READ | PROT_WRITE));
		set(code, i);
		CHECK(!mprotect(code, PAGE, PROT_READ | PROT_EXEC));
		wrong += ((function *)code)() != i;
		work(1000);
	}
	printf("%d wrong\n", wrong);
}

/* --- a file's private mapping shows what is written to the file --- */

static int file;
static uint8_t *written;

static function *map_file(int fd)
{
	uint8_t *code;

	file = fd;
	CHECK(fd >= 0 && pwrite(fd, patched, 16, 0) == 16 && !ftruncate(fd, 2 * PAGE));
	code = mmap(NULL, 2 * PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	CHECK(code != MAP_FAILED);
	work(1000000);		/* it is met before the second mapping */
	((function *)code)();
	return (function *)code;
}

static int temporary(void)
{
	char name[] = "odd-XXXXXX";
	int fd = mkstemp(name);

	unlink(name);
	return fd;
}

static int memory(void)
{
	return memfd_create("odd", 0);
}

static void store_shared(int value)
{
	set(written, value);
}

static void write_file(int value)
{
	CHECK(pwrite(file, &value, sizeof(value), 1) == sizeof(value));
}

static void map_shared(void)
{
	written = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	CHECK(written != MAP_FAILED);
}

/*
 * What was stored at another address the processor may run as it was before until an instruction
 * serializes (SDM volume 3, 9.1.3), as now and then without any bursts: then it is called again.
 */
static bool is_old(function *code, int value)
{
	unsigned int a = 0, b, c, d;

	if (code() == value)
		return false;
	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d) : : "memory");
	return code() != value;
}

static void do_shared(void)
{
	int (*const files[])(void) = { temporary, memory };

	for (int i = 0; i < 2; i++) {
		function *code = map_file(files[i]());
		int wrong = 0;

		map_shared();
		for (int j = 0; j < 3000000; j++) {
			store_shared(j);
			wrong += is_old(code, j);
			work(10);
		}
		printf("%d wrong\n", wrong);
		by_another_thread(code, store_shared);
	}
}

static void do_written(void)
{
	by_another_thread(map_file(temporary()), write_file);
	by_another_thread(map_file(memory()), write_file);
}

/* A file that is mapped as a library is: its parts beside each other. */
static void do_beside(void)
{
	function *code = map_file(temporary());
	int wrong = 0;

	CHECK(!mprotect((uint8_t *)code + PAGE, PAGE, PROT_READ));
	work(3000000);
	for (int i = 0; i < 300000; i++)
		wrong += code() != 0x11223344;
	map_shared();
	for (int i = 0; i < 3000000; i++) {
		store_shared(i);
		wrong += is_old(code, i);
		work(10);
	}
	printf("%d wrong\n", wrong);
	by_another_thread(code, store_shared);
}

/* --- another library, or other code, where one was --- */

static void do_libraries(void)
{
	int wrong = 0;

	for (int i = 0; i < 3000; i++) {
		void *library = dlopen(i & 1 ? "./odd-1.so" : "./odd-0.so", RTLD_NOW);
		function *code = (function *)dlsym(library, "number");
		uint8_t *page = (uint8_t *)((uintptr_t)code & -PAGE);
		uint8_t *inside = (uint8_t *)code;

		for (int j = 0; j < 20; j++) {
			wrong += code() != (i & 1);
			work(500);
		}
		dlclose(library);
		if (i % 10)
			continue;
		if (mmap(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS |
			 MAP_FIXED_NOREPLACE, -1, 0) != page)
			continue;
		memcpy(inside, patched, 16);
		for (int j = 0; j < 3000; j++) {
			set(inside, j);
			wrong += code() != j;
			work(10);
		}
		munmap(page, PAGE);
	}
	printf("%d wrong\n", wrong);
}

/* --- descriptors of restartable sequences, and addresses that could be of some --- */

__asm__(".pushsection .data.sequences, \"aw\"\n\t.balign 32\n"
	"sequence:\t.long 0, 0\n\t.quad 1f, 2f - 1f, 3f\n\t.popsection\n"
	".pushsection .text.sequences, \"ax\"\n"
	"in_sequence:\tlea sequence(%rip), %rax\n1:\tmov $7, %eax\n2:\tret\n"
	"\t.long 0x53053053\n3:\tud2\n\t.popsection");
extern int in_sequence(void);

static void do_sequences(void)
{
	int sum = 0;

	for (int i = 0; i < 100000000; i++)
		sum += in_sequence() - 7;
	printf("%d\n", sum);
}

#define UNSEEN	0x12340000

/* A page that was never there stays so, though its address is used. */
static void do_unseen(void)
{
	unsigned char there = 1;
	unsigned int sum = 0, at;

	CHECK(mmap((void *)UNSEEN, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
		   MAP_FIXED_NOREPLACE, -1, 0) == (void *)UNSEEN);
	for (int i = 0; i < 100000000; i++) {
		__asm__ volatile("mov $0x12340020, %0" : "=r"(at));
		sum += at;
	}
	CHECK(!mincore((void *)UNSEEN, PAGE, &there));
	printf("%u, %s\n", sum, there ? "there" : "not there");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {
		{ "patch", do_patch }, { "keys", do_keys }, { "number", do_number }, { "raw", do_raw },
		{ "thread", do_thread }, { "flips", do_flips }, { "shared", do_shared },
		{ "written", do_written }, { "beside", do_beside }, { "libraries", do_libraries },
		{ "sequences", do_sequences }, { "unseen", do_unseen },
	};

	for (size_t i = 0; argc > 1 && i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(argv[1], all[i].name))
			continue;
		all[i].run();
		return 0;
	}
	return 2;
}
