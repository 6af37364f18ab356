// SPDX-License-Identifier: GPL-2.0-only
/*
 * The plan, and which of its rules an allocation falls under. All of it is read before main();
 * only counters change afterwards.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pads/counts.h"
#include "tracee/pads/pads.h"
#include "tracee/preload/sys.h"

#define PLAN_MOST	(16l << 20)	/* bytes */
#define HASH_SLOTS	(2 * PADS_SITES_MOST)
#define NOTE_ALIGN	4u

size_t least_block = SIZE_MAX;
size_t least_new = SIZE_MAX;

/* Of the library for native runs, which wraps us: where the program's call returns to, 0 = none. */
extern uintptr_t ccsample_sideband_caller(void) __attribute__((weak));

static struct pads_plan plan;
static EACH_PROCESS struct pads_counts *counts;	/* NULL = not asked for */
static uint64_t numbers[PADS_SITES_MOST + 1];	/* of blocks, by site */
static EACH_PROCESS uint32_t stack_step;	/* 0 until the plan is read */
static uint32_t stacks;				/* of threads, so far */
static uint16_t slots[HASH_SLOTS];		/* sites by offset, + 1 */
static char program_name[256];
static EACH_PROCESS bool maps;	/* the rule of a site may be one of mappings */
static EACH_PROCESS bool trying, reached;	/* whether malloc() comes to us */

/* Where an object that is a module was last found, and one that is not. */
static struct {
	uintptr_t is, is_not;
	uint32_t said;
} found[PADS_MODULES_MOST];

/* One line on standard error, in one piece. */
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
	char text[512] = "ccsample: ";
	size_t size = strlen(text);
	va_list list;

	va_start(list, format);
	vsnprintf(text + size, sizeof(text) - size - 1, format, list);
	va_end(list);
	size = strlen(text);
	text[size++] = '\n';
	sys3(write, STDERR_FILENO, text, size);
}

/* --- objects --- */

struct object {
	uintptr_t start;		/* where its first page is mapped */
	uintptr_t bias;
	const char *name;		/* without directories */
};

static const char *without_directories(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Without a lock where the C library can (2.35). */
extern int _dl_find_object(void *address, struct dl_find_object *result) __attribute__((weak));

static bool find_object(const void *address, struct object *object)
{
	struct dl_find_object fast;
	struct link_map *map;
	Dl_info info;

	if (_dl_find_object) {
		if (_dl_find_object((void *)address, &fast))
			return false;
		object->start = (uintptr_t)fast.dlfo_map_start;
		map = fast.dlfo_link_map;
	} else {
		if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP))
			return false;
		object->start = (uintptr_t)info.dli_fbase;
	}
	object->bias = map->l_addr;
	object->name = *map->l_name ? without_directories(map->l_name) : program_name;
	return true;
}

/* The build-id among the notes. Return: its size, 0 if there is none. */
static uint32_t build_id_in(const char *notes, size_t size, const uint8_t **id)
{
	while (size >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)notes;
		size_t name = (note->n_namesz + NOTE_ALIGN - 1ul) & -(size_t)NOTE_ALIGN;
		size_t whole = sizeof(*note) + name +
			       ((note->n_descsz + NOTE_ALIGN - 1ul) & -(size_t)NOTE_ALIGN);

		if (whole > size)
			return 0;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof("GNU") &&
		    !memcmp(note + 1, "GNU", sizeof("GNU"))) {
			*id = (const uint8_t *)(note + 1) + name;
			return note->n_descsz;
		}
		notes += whole;
		size -= whole;
	}
	return 0;
}

/* By the headers in the object's first page. */
static uint32_t build_id_of(const struct object *object, const uint8_t **id)
{
	const ElfW(Ehdr) *header = (const void *)object->start;
	const ElfW(Phdr) *segment = (const void *)(object->start + header->e_phoff);
	uint32_t i, size = 0;

	if (memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_phoff + header->e_phnum * sizeof(*segment) > PADS_SPAN)
		return 0;
	for (i = 0; i < header->e_phnum && !size; i++)
		if (segment[i].p_type == PT_NOTE)
			size = build_id_in((const char *)object->bias + segment[i].p_vaddr,
					   segment[i].p_memsz, id);
	return size;
}

static bool is_same_build(const struct pads_module *module, const struct object *object)
{
	const uint8_t *id = NULL;

	return build_id_of(object, &id) == module->build_id_size &&
	       !memcmp(id, module->build_id, module->build_id_size);
}

/* By its build-id where the plan has one: a library may be loaded by the name of a link. */
static bool look_at_object(uint32_t index, const struct object *object)
{
	const struct pads_module *module = &plan.modules[index];
	bool named = !strcmp(object->name, module->name);

	if (!module->build_id_size)
		return named;
	if (is_same_build(module, object))
		return true;
	if (named && !__atomic_exchange_n(&found[index].said, 1, __ATOMIC_RELAXED))
		say("pads: %s is not the build that the plan was made for: its sites are left "
		    "alone; make the plan again", object->name);
	return false;
}

static bool is_module(uint32_t index, const struct object *object)
{
	bool is;

	if (__atomic_load_n(&found[index].is, __ATOMIC_RELAXED) == object->start)
		return true;
	if (__atomic_load_n(&found[index].is_not, __ATOMIC_RELAXED) == object->start)
		return false;
	is = look_at_object(index, object);
	__atomic_store_n(is ? &found[index].is : &found[index].is_not, object->start,
			 __ATOMIC_RELAXED);
	return is;
}

/* --- sites --- */

static uint32_t hash(uint64_t offset)
{
	return offset * 0x9e3779b97f4a7c15ull >> 32 & (HASH_SLOTS - 1);
}

static void enter_site(uint32_t index)
{
	uint32_t slot = hash(plan.sites[index].offset);

	while (slots[slot])
		slot = (slot + 1) & (HASH_SLOTS - 1);
	slots[slot] = index + 1;
}

/* The first site of the plan at this address and of this size. Return: it, or the rule `all`. */
static uint32_t site_of(const void *caller, size_t size)
{
	struct object object;
	uint64_t offset;
	uint32_t slot;

	if (!find_object(caller, &object))
		return PADS_RULE_ALL;
	offset = (uintptr_t)caller - object.bias;
	for (slot = hash(offset); slots[slot]; slot = (slot + 1) & (HASH_SLOTS - 1)) {
		const struct pads_site *site = &plan.sites[slots[slot] - 1];

		if (site->offset == offset && pads_rule_takes(&site->rule, size) &&
		    is_module(site->module, &object))
			return slots[slot] - 1;
	}
	return PADS_RULE_ALL;
}

/* Where the program's call returns to, behind the library for native runs. */
static const void *program_caller(const void *caller)
{
	if (unlikely(ccsample_sideband_caller && ccsample_sideband_caller()))
		return (const void *)ccsample_sideband_caller();
	return caller;
}

const struct pads_rule *sites_rule(const void *caller, size_t size, uint64_t *number,
				   uint32_t *index)
{
	const struct pads_rule *rule = &plan.all;

	if (unlikely(trying)) {
		reached = true;
		return NULL;
	}
	caller = program_caller(caller);
	*index = plan.site_count ? site_of(caller, size) : PADS_RULE_ALL;
	if (*index != PADS_RULE_ALL)
		rule = &plan.sites[*index].rule;
	else if (!plan.has_all || !pads_rule_takes(rule, size))
		return NULL;
	*number = __atomic_fetch_add(&numbers[*index], 1, __ATOMIC_RELAXED);
	return rule;
}

static bool is_of_maps(const struct pads_rule *rule)
{
	return rule->align || rule->huge;
}

const struct pads_rule *sites_map_rule(const void *caller, size_t size, uint64_t *number,
				       uint32_t *index)
{
	if (likely(!maps))
		return NULL;
	*index = site_of(program_caller(caller), size);
	if (*index == PADS_RULE_ALL || !is_of_maps(&plan.sites[*index].rule))
		return NULL;
	*number = __atomic_fetch_add(&numbers[*index], 1, __ATOMIC_RELAXED);
	return &plan.sites[*index].rule;
}

void sites_count(uint32_t index)
{
	if (counts)
		__atomic_fetch_add(&counts->blocks[index], 1, __ATOMIC_RELAXED);
}

void sites_count_huge(uint32_t made, uint32_t hinted)
{
	if (!counts)
		return;
	__atomic_fetch_add(&counts->huge, made, __ATOMIC_RELAXED);
	__atomic_fetch_add(&counts->huge_hinted, hinted, __ATOMIC_RELAXED);
}

uint32_t sites_stack(void)
{
	uint32_t step = __atomic_load_n(&stack_step, __ATOMIC_RELAXED);

	return step ? __atomic_fetch_add(&stacks, 1, __ATOMIC_RELAXED) * step % PADS_SPAN : 0;
}

void sites_count_stack(void)
{
	if (counts)
		__atomic_fetch_add(&counts->stacks, 1, __ATOMIC_RELAXED);
}

/* --- the beginning --- */

/* Without functions of the C library, each of which the linker would look up first. */
static const char *variable(char **environment, const char *name)
{
	size_t i;

	for (; *environment; environment++) {
		for (i = 0; name[i] && (*environment)[i] == name[i]; i++)
			;
		if (!name[i] && (*environment)[i] == '=')
			return *environment + i + 1;
	}
	return NULL;
}

static size_t read_all(int fd, char *text, size_t room)
{
	size_t size = 0;
	long got;

	while (size < room) {
		got = sys3(read, fd, text + size, room - size);
		if (got <= 0)
			break;
		size += got;
	}
	return size;
}

/* The plan's text, which stays. Return: NULL after one line. */
static const char *read_plan(const char *path, size_t *size)
{
	long fd = sys4(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0), memory = -1;

	if (!sys_failed(fd))
		memory = sys6(mmap, NULL, PLAN_MOST, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sys_failed(fd) || sys_failed(memory)) {
		say("pads: cannot read the plan %s: %s; the program runs without it", path,
		    strerrordesc_np(sys_failed(fd) ? -fd : -memory));
		return NULL;
	}
	*size = read_all(fd, (char *)memory, PLAN_MOST);
	sys1(close, fd);
	if (*size == PLAN_MOST) {
		say("pads: the plan %s has more than 16 MiB; the program runs without it", path);
		return NULL;
	}
	return (const char *)memory;
}

static bool load_plan(const char *path)
{
	const char *text, *wrong;
	uint32_t line, i;
	size_t size;

	if (!path || !*path) {
		pads_plan_default(&plan);
		return true;
	}
	text = read_plan(path, &size);
	if (!text)
		return false;
	wrong = pads_plan_parse(&plan, text, size, &line);
	if (wrong) {
		say("pads: %s:%u: %s; the program runs without it", path, line, wrong);
		return false;
	}
	for (i = 0; i < plan.site_count; i++) {
		enter_site(i);
		numbers[i] = plan.sites[i].rule.first;
		maps |= is_of_maps(&plan.sites[i].rule);
	}
	numbers[PADS_RULE_ALL] = plan.all.first;
	return true;
}

static void open_counts(const char *path)
{
	long fd = sys4(openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0), memory;
	struct stat status;

	if (sys_failed(fd))
		return;
	memory = sys2(fstat, fd, &status);
	if (!sys_failed(memory) && status.st_size == sizeof(*counts))
		memory = sys6(mmap, NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			      0);
	else
		memory = -1;
	if (!sys_failed(memory))
		counts = (struct pads_counts *)memory;
	sys1(close, fd);
}

static void find_program_name(void)
{
	char path[4096];
	long size = sys4(readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof(path) - 1);

	if (sys_failed(size))
		return;
	path[size] = 0;
	strncpy(program_name, without_directories(path), sizeof(program_name) - 1);
}

/* Whether a malloc() before ours calls us: then it is a wrapper, and no allocator. */
static bool is_reached(void)
{
	void *block;

	if (!real_is_hidden())
		return true;
	trying = true;
	least_block = PADS_DEFAULT_LEAST;
	/* Headers say that malloc() does not call into this file. */
	__asm__ volatile("" ::: "memory");
	block = malloc(PADS_DEFAULT_LEAST);
	__asm__ volatile("" ::: "memory");
	free(block);
	least_block = SIZE_MAX;
	trying = false;
	return reached;
}

/* Another library's malloc is called instead: that is not for each process of a script to say. */
static void say_hidden(const char *asked)
{
	if (counts)
		__atomic_fetch_add(&counts->blocked, 1, __ATOMIC_RELAXED);
	else if (asked)
		say("pads: %s has a malloc() before ours: nothing is staggered; name "
		    "libccsample-pads.so first in LD_PRELOAD", program_name);
}

static void start(const char *path)
{
	if (!load_plan(path))
		return;
	__atomic_store_n(&stack_step, plan.stack_step, __ATOMIC_RELAXED);
	if (!real_is_hidden())
		__atomic_store_n(&least_new, pads_plan_least(&plan), __ATOMIC_RELEASE);
	__atomic_store_n(&least_block, pads_plan_least(&plan), __ATOMIC_RELEASE);
}

/* The environment is an argument: the C library may not have set its own yet. */
static __attribute__((constructor)) void begin(int argc, char **argv, char **environment)
{
	const char *shared = variable(environment, PADS_COUNTS_VARIABLE);
	const char *path = variable(environment, PADS_VARIABLE);

	if (path)
		find_program_name();
	if (shared)
		open_counts(shared);
	if (!real_ready())
		return;
	if (!is_reached()) {
		say_hidden(path);
		return;
	}
	if (counts)
		__atomic_fetch_add(&counts->processes, 1, __ATOMIC_RELAXED);
	start(path);
}
