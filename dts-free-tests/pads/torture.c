// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random calls of every function of the allocator, by several threads that free one another's
 * blocks: alignment and contents are what was promised, and nothing is left at the end.
 *
 *	torture CALLS [THREADS [SEED [FORKS [FAULTS]]]]
 *
 * FAULTS: what the allocator underneath gets wrong by itself, and is not called for: p pvalloc()
 * (jemalloc 5.3 has none, and frees the C library's blocks), a alignments above 64 (mimalloc 2.0.9
 * misaligns small blocks), z blocks of no bytes (ThreadSanitizer says that they have one, and reports
 * who reads it). b: a block is read after it was freed, which a checking allocator ends.
 * Prints what went wrong, or how many blocks of 128 KiB and more began at how many places of a page.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SLOTS		256
#define THREADS_MOST	16
#define LARGE		(128u << 10)
#define STRIDE		256		/* bytes from one word that is checked to the next */
#define ENDS		(16u << 10)	/* the first and last bytes of a large block */
#define SPARSE		64		/* words that are checked between these */

/* Of libstdc++. */
void *_Znwm(size_t size);
void *_Znam(size_t size);
void *_ZnwmSt11align_val_t(size_t size, size_t align);
void *_ZnamSt11align_val_tRKSt9nothrow_t(size_t size, size_t align, const void *nothrow);
void *_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow);
void _ZdlPv(void *block);
void _ZdlPvm(void *block, size_t size);
void _ZdaPv(void *block);
void _ZdlPvSt11align_val_t(void *block, size_t align);
void _ZdaPvmSt11align_val_t(void *block, size_t size, size_t align);

/* Of the allocator of -fsanitize=address, which has no mallinfo2(). */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

enum family { C, NEW, NEW_ARRAY, NEW_ALIGNED, NEW_ARRAY_ALIGNED };

struct slot {
	pthread_mutex_t lock;
	char *block;
	size_t size, align;
	uint64_t key;
	enum family family;
};

static struct slot slots[SLOTS];
static unsigned long calls, seed = 1;
static int threads = 4, forks;
static bool no_pvalloc;
static size_t most_align = 8192, least_size;
static uint32_t places[256];
static unsigned long large;

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void wrong(const struct slot *slot, const char *what)
{
	printf("wrong: %s: block %p of %zu bytes, align %zu, seed %lu\n", what,
	       (void *)slot->block, slot->size, slot->align, seed);
	fflush(stdout);
	_exit(1);
}

/* --- contents --- */

static uint64_t word_for(uint64_t key, size_t at)
{
	return (key + at) * 0x9e3779b97f4a7c15ull;
}

/*
 * The word after the one at @at. A shift moves a block by a page at most: between the ends of most
 * large blocks few words do, of each 16th all are checked. Most of the time would be page faults.
 */
static size_t next_word(const struct slot *slot, size_t at)
{
	if (slot->size <= LARGE || !(slot->key >> 60) || at < ENDS || at > slot->size - ENDS)
		return at + STRIDE;
	return at + slot->size / SPARSE / STRIDE * STRIDE;
}

static void fill(const struct slot *slot)
{
	uint64_t word;
	size_t at;

	for (at = 0; at + sizeof(word) <= slot->size; at = next_word(slot, at)) {
		word = word_for(slot->key, at);
		memcpy(slot->block + at, &word, sizeof(word));
	}
	if (slot->size)
		slot->block[slot->size - 1] = slot->key;
}

/* @end: bytes to check, fewer than the block's after it shrank or grew. */
static void check(const struct slot *slot, size_t end, const char *what)
{
	size_t filled = slot->size < end ? slot->size : end, at;
	uint64_t word;

	for (at = 0; at + sizeof(word) <= filled; at = next_word(slot, at)) {
		/* The last byte may lie in the last word. */
		if (at + sizeof(word) >= slot->size)
			break;
		memcpy(&word, slot->block + at, sizeof(word));
		if (word != word_for(slot->key, at))
			wrong(slot, what);
	}
	if (slot->size && end >= slot->size && slot->block[slot->size - 1] != (char)slot->key)
		wrong(slot, what);
}

static void check_zero(const char *block, size_t size)
{
	size_t at;

	for (at = 0; block && at < size; at += size > LARGE ? 61 : 1)
		if (block[at]) {
			printf("wrong: calloc() of %zu bytes is not zero at %zu\n", size, at);
			fflush(stdout);
			_exit(1);
		}
}

/* --- calls --- */

static size_t any_size(uint64_t *state)
{
	uint64_t r = next(state);
	size_t most;

	switch (r & 15) {
	case 0: return 0;
	case 1: case 2: case 3: case 4: most = 128; break;
	case 5: case 6: case 7: most = 4096; break;
	case 8: case 9: case 10: most = 1 << 16; break;
	case 11: return LARGE - 4200 + (r >> 8) % 8400;		/* at the threshold */
	case 12: return (1 + (r >> 8) % 24) * LARGE;
	default: most = 1 << 20; break;
	}
	return (r >> 8) % most;
}

static size_t random_size(uint64_t *state)
{
	size_t size = any_size(state);

	return size < least_size ? least_size : size;
}

static void allocate(struct slot *slot, uint64_t *state)
{
	static const struct { char unused; } nothrow;
	size_t size = random_size(state), align = 1ul << (3 + next(state) % 11);
	void *block = NULL;

	align = align < most_align ? align : most_align;
	slot->family = C;
	slot->align = size >= 16 ? 16 : 8;
	switch (next(state) % 15) {
	case 0: case 1: case 2:
		block = malloc(size);
		break;
	case 3: case 4:
		block = calloc(1 + size / 8, 8);
		size = (1 + size / 8) * 8;
		slot->align = size >= 16 ? 16 : 8;
		check_zero(block, size);
		break;
	case 5:
		block = realloc(NULL, size);
		break;
	case 6:
		block = reallocarray(NULL, 3, size / 3);
		size = size / 3 * 3;
		slot->align = size >= 16 ? 16 : 8;
		break;
	case 7:
		slot->align = align;
		block = memalign(align, size);
		break;
	case 8:
		slot->align = align;
		size = (size + align - 1) & -align;
		block = aligned_alloc(align, size);
		break;
	case 9:
		slot->align = align;
		if (posix_memalign(&block, align, size))
			block = NULL;
		break;
	case 10:
		slot->align = 4096;
		block = next(state) & 1 || no_pvalloc ? valloc(size) : pvalloc(size);
		break;
	case 11:
		slot->family = NEW;
		block = next(state) & 1 ? _Znwm(size) : _ZnwmRKSt9nothrow_t(size, &nothrow);
		break;
	case 12:
		slot->family = NEW_ARRAY;
		block = _Znam(size);
		break;
	case 13:
		slot->align = align < 32 ? 32 : align;
		slot->family = NEW_ALIGNED;
		size += !size;	/* jemalloc takes such a block for another size's */
		block = _ZnwmSt11align_val_t(size, slot->align);
		break;
	case 14:
		slot->align = align < 32 ? 32 : align;
		slot->family = NEW_ARRAY_ALIGNED;
		size += !size;
		block = _ZnamSt11align_val_tRKSt9nothrow_t(size, slot->align, &nothrow);
		break;
	}
	slot->block = block;
	slot->size = size;
	slot->key = next(state);
}

static void note_place(const struct slot *slot)
{
	__atomic_fetch_add(&large, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&places[(uintptr_t)slot->block >> 4 & 255], 1, __ATOMIC_RELAXED);
}

static void make(struct slot *slot, uint64_t *state)
{
	allocate(slot, state);
	if (!slot->block) {
		if (slot->size)
			wrong(slot, "no memory");
		return;
	}
	if (slot->size && (uintptr_t)slot->block % slot->align)
		wrong(slot, "alignment");
	if (malloc_usable_size(slot->block) < slot->size)
		wrong(slot, "malloc_usable_size()");
	if (slot->size >= LARGE)
		note_place(slot);
	fill(slot);
}

static void resize(struct slot *slot, uint64_t *state)
{
	size_t size = random_size(state), old = slot->size;
	char *block;

	block = next(state) & 1 ? realloc(slot->block, size) : reallocarray(slot->block, 1, size);
	if (!block && size)
		wrong(slot, "no memory to resize");
	slot->block = block;
	if (!block)
		return;
	if ((uintptr_t)block % (size >= 16 ? 16 : 8) || malloc_usable_size(block) < size)
		wrong(slot, "alignment or size after realloc()");
	check(slot, size < old ? size : old, "contents after realloc()");
	slot->size = size;
	slot->align = 8;
	fill(slot);
}

static void give_back(struct slot *slot, uint64_t *state)
{
	bool sized = next(state) & 1;

	switch (slot->family) {
	case C:
		free(slot->block);
		break;
	case NEW:
		if (sized)
			_ZdlPvm(slot->block, slot->size);
		else
			_ZdlPv(slot->block);
		break;
	case NEW_ARRAY:
		_ZdaPv(slot->block);
		break;
	case NEW_ALIGNED:
		_ZdlPvSt11align_val_t(slot->block, slot->align);
		break;
	case NEW_ARRAY_ALIGNED:
		_ZdaPvmSt11align_val_t(slot->block, slot->size, slot->align);
		break;
	}
	slot->block = NULL;
}

static void one_call(struct slot *slot, uint64_t *state)
{
	if (!slot->block) {
		make(slot, state);
		return;
	}
	check(slot, slot->size, "contents");
	if (slot->family == C && next(state) % 3 == 0)
		resize(slot, state);
	else
		give_back(slot, state);
}

static void *work(void *number)
{
	uint64_t state = (seed * 1000 + (uintptr_t)number + 1) * 0x9e3779b97f4a7c15ull;
	unsigned long i;

	for (i = 0; i < calls / threads; i++) {
		struct slot *slot = &slots[next(&state) % SLOTS];

		pthread_mutex_lock(&slot->lock);
		one_call(slot, &state);
		pthread_mutex_unlock(&slot->lock);
	}
	return NULL;
}

/* --- forks beside threads that allocate --- */

/* Frees a block of the parent's, and allocates its own. */
static void in_child(struct slot *slot, uint64_t state)
{
	int i;

	for (i = 0; i < 50; i++)
		one_call(slot, &state);
	_exit(0);
}

static void fork_some(void)
{
	uint64_t state = seed * 77 + 1;
	int i, status;

	for (i = 0; i < forks; i++) {
		struct slot *slot = &slots[next(&state) % SLOTS];
		pid_t child;

		pthread_mutex_lock(&slot->lock);
		child = fork();
		if (!child)
			in_child(slot, state);
		pthread_mutex_unlock(&slot->lock);
		if (child < 0 || waitpid(child, &status, 0) != child || status) {
			printf("wrong: a child ended with status %x\n", status);
			exit(1);
		}
	}
}

static size_t left(void)
{
	struct mallinfo2 info = mallinfo2();

	return __sanitizer_get_current_allocated_bytes ?
	       __sanitizer_get_current_allocated_bytes() : info.uordblks + info.hblkhd;
}

/* What a freed block holds. */
static int freed(void)
{
	volatile char *block = malloc(3u << 20);

	block[LARGE] = 1;
	free((char *)block);
	return block[LARGE];
}

static void summary(void)
{
	size_t distinct = 0, i;

	for (i = 0; i < 256; i++)
		distinct += places[i] > 0;
	printf("%lu blocks of 128 KiB and more at %zu places of a page\n", large, distinct);
}

int main(int argc, char **argv)
{
	pthread_t ids[THREADS_MOST];
	uint64_t state = 1;
	uintptr_t i;

	calls = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;
	threads = argc > 2 ? atoi(argv[2]) : 4;
	seed = argc > 3 ? strtoul(argv[3], NULL, 0) : 1;
	forks = argc > 4 ? atoi(argv[4]) : 0;
	no_pvalloc = argc > 5 && strchr(argv[5], 'p');
	if (argc > 5 && strchr(argv[5], 'a'))
		most_align = 64;
	if (argc > 5 && strchr(argv[5], 'b'))
		return freed();
	least_size = argc > 5 && strchr(argv[5], 'z') ? 8 : 0;
	if (threads < 1 || threads > THREADS_MOST)
		return 2;
	for (i = 0; i < SLOTS; i++)
		pthread_mutex_init(&slots[i].lock, NULL);
	for (i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, work, (void *)i);
	fork_some();
	for (i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	for (i = 0; i < SLOTS; i++)
		if (slots[i].block) {
			check(&slots[i], slots[i].size, "contents at the end");
			give_back(&slots[i], &state);
		}
	malloc_trim(0);
	printf("left: %zu\n", left());
	summary();
	return 0;
}
