// SPDX-License-Identifier: GPL-2.0-only
/*
 * Drives the performance monitoring unit by hand, through /dev/cpu/0/msr, with
 * the DS area in memory of its own: what stock perf never does to it.
 *
 *	pebs-raw gp                          which writes are refused
 *	pebs-raw sample EVENTS PERIOD {WHERE MARK}...  events, records at once and
 *	                                     after a while; then its lines "record
 *	                                     MARK IP ADDRESS TSC" (format 3 on)
 *	pebs-raw armed                       status bit between overflow and record
 *	pebs-raw pmi EVENTS                  a plain overflow's interrupt
 *	pebs-raw masked                      the same while LVTPC is masked
 *	pebs-raw cycles                      bit 33 of PEBS_ENABLE: load latency's (formats 1 to
 *	                                     3), or a record every 64 cycles (format 4)
 *	pebs-raw zero                        physical address of the page of zeros
 *
 * WHERE is the DS area and its buffer: `user` (memory of the program), `direct`,
 * the kernel's alias of the same memory (nokaslr), which page table isolation
 * hides while user code runs, or `window`, an alias in the top-level entry of
 * cpu_entry_area, which it does not (/window.ko).
 * Marks: MARK (1) before, 2 behind what is counted. The event is a load that
 * misses the L3: a line touched for the first time since the core counts; so all
 * of a guest's samples are one process's: the next may get the same memory.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE		4096ul
#define DIRECT_MAP	0xffff888000000000ul
#define EVNTSEL0	0x186
#define PMC0		0x4c1
#define STATUS		0x38e
#define CTRL		0x38f
#define OVF_CTRL	0x390
#define CAPABILITIES	0x345
#define FIXED1		0x30a
#define FIXED_CTRL	0x38d
#define FIXED1_BIT	(1ul << 33)
#define FIXED1_USER	(2 << 4)
#define PEBS_ENABLE	0x3f1
#define DATA_CFG	0x3f2
#define DS_AREA		0x600
#define L3_MISS		0x20d1
#define USER		(1 << 16)
#define INT		(1 << 20)
#define ENABLE		(1 << 22)
#define ADAPTIVE	(1ul << 34)
#define MEMORY_GROUP	1
#define LVTPC		0xfee00340ul

static int msr;
static volatile char *lines;	/* not touched while the core counts, but once each */
static size_t next_line;

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static int try_write(uint32_t reg, uint64_t value)
{
	return pwrite(msr, &value, 8, reg) == 8;
}

static void write_msr(uint32_t reg, uint64_t value)
{
	if (!try_write(reg, value))
		die("wrmsr");
}

static uint64_t read_msr(uint32_t reg)
{
	uint64_t value;

	if (pread(msr, &value, 8, reg) != 8)
		die("rdmsr");
	return value;
}

static void mark(unsigned int number)
{
	unsigned int a, b, c, d;

	__cpuid_count(0x56434d4b, number, a, b, c, d);
}

static char *populated(size_t bytes)
{
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (at == MAP_FAILED || mlock(at, bytes))
		die("mmap");
	memset(at, 1, bytes);
	return at;
}

static void touch(size_t nr)
{
	while (nr--)
		lines[64 * next_line++];
}

/* One pass with PEBS off: the program's own lines are in the caches then. */
static void warm(void)
{
	write_msr(EVNTSEL0, L3_MISS | USER | ENABLE);
	for (int i = 0; i < 3; i++) {
		write_msr(PMC0, 0);
		write_msr(CTRL, 1);
		touch(10);
		write_msr(CTRL, 0);
		read_msr(PMC0);
	}
}

static uint64_t physical(void *at)
{
	int fd = open("/proc/self/pagemap", O_RDONLY);
	uint64_t entry;

	if (fd < 0 || pread(fd, &entry, 8, (uintptr_t)at / PAGE * 8) != 8)
		die("pagemap");
	close(fd);
	return (entry & ((1ul << 55) - 1)) * PAGE;
}

/* Has the module map the page; its address there. */
static uint64_t window(void *page)
{
	FILE *file;
	char parameters[64];
	uint64_t address;
	int fd = open("/window.ko", O_RDONLY);

	snprintf(parameters, sizeof(parameters), "physical=%lu", physical(page));
	if (fd < 0 || syscall(SYS_finit_module, fd, parameters, 0))
		die("/window.ko");
	close(fd);
	file = fopen("/sys/module/window/parameters/address", "r");
	if (!file || fscanf(file, "%lu", &address) != 1)
		die("window's address");
	fclose(file);
	return address;
}

/* DS area and buffer in one page. */
static uint64_t *setup_ds(const char *where, uint64_t period)
{
	uint64_t *ds = (uint64_t *)populated(PAGE);
	uint64_t base = (uintptr_t)ds;

	if (!strcmp(where, "direct"))
		base = DIRECT_MAP + physical(ds);
	else if (!strcmp(where, "window"))
		base = window(ds);
	memset(ds, 0, PAGE);
	ds[4] = ds[5] = base + 512;
	ds[6] = ds[7] = base + PAGE;
	ds[8] = -period & ((1ul << 48) - 1);
	write_msr(DS_AREA, base);
	return ds;
}

static uint64_t bytes_of(const volatile uint64_t *ds)
{
	return ds[5] - ds[4];
}

static unsigned int pebs_format(void)
{
	return read_msr(CAPABILITIES) >> 8 & 0xf;
}

/* Formats 2 and 3 are fixed; of format 4 the groups basic and memory. */
static void print_records(const volatile uint64_t *ds, unsigned int number)
{
	unsigned int format = pebs_format(), bytes = format < 3 ? 192 : format == 3 ? 200 : 64;

	for (uint64_t offset = 512; offset < 512 + bytes_of(ds); offset += bytes) {
		const volatile uint64_t *r = ds + offset / 8;

		if (format >= 4)
			printf("record %u %lx %lx %lu\n", number, r[1], r[4], r[3]);
		else if (format == 3)
			printf("record %u %lx %lx %lu\n", number, r[22], r[19], r[24]);
		else
			printf("record %u %lx %lx\n", number, r[22], r[19]);
	}
}

static void sample(size_t events, uint64_t period, const char *where, unsigned int number)
{
	volatile uint64_t *ds = setup_ds(where, period);
	uint64_t value, at_once;

	warm();
	if (pebs_format() >= 4) {
		write_msr(EVNTSEL0, L3_MISS | USER | ENABLE | ADAPTIVE);
		write_msr(DATA_CFG, MEMORY_GROUP);
	}
	write_msr(PMC0, ds[8]);
	write_msr(PEBS_ENABLE, 1);
	mark(number);
	write_msr(CTRL, 1);
	touch(events);
	write_msr(CTRL, 0);
	at_once = bytes_of(ds);
	value = read_msr(PMC0);
	usleep(20000);
	write_msr(CTRL, 0);
	mark(2);
	printf("bytes %lu later %lu counter %ld\n", at_once, bytes_of(ds),
	       (int64_t)(value << 16) >> 16);
	write_msr(PEBS_ENABLE, 0);
	print_records(ds, number);
}

static int armed(void)
{
	volatile uint64_t *ds = setup_ds("user", 1000);
	uint64_t status[2], bytes[2];

	/* The first time only warms the path. */
	warm();
	for (int precise = 0; precise < 2; precise++) {
		write_msr(PMC0, precise ? -1ul >> 16 : 0);
		write_msr(PEBS_ENABLE, precise);
		mark(precise);
		for (int i = 0; i < 2; i++) {
			write_msr(CTRL, 1);
			touch(1);
			write_msr(CTRL, 0);
			status[i] = read_msr(STATUS) & 1;
			bytes[i] = bytes_of(ds);
		}
	}
	mark(2);
	for (int i = 0; i < 2; i++)
		printf("events %d status %lu bytes %lu\n", i + 1, status[i], bytes[i]);
	write_msr(PEBS_ENABLE, 0);
	return 0;
}

static int pmi(size_t events)
{
	warm();
	write_msr(EVNTSEL0, L3_MISS | USER | ENABLE | INT);
	write_msr(PMC0, -1ul >> 16);
	mark(1);
	write_msr(CTRL, 1);
	touch(events);
	write_msr(CTRL, 0);
	mark(2);
	write_msr(OVF_CTRL, 1);
	return 0;
}

/* The buffer is soon full, and its threshold is never reached. */
static int cycles(void)
{
	volatile uint64_t *ds = setup_ds("user", 64);
	volatile unsigned int turns = 0;

	write_msr(CTRL, 0);
	ds[7] += PAGE;
	ds[8 + (pebs_format() < 4 ? 4 : 8) + 1] = ds[8];
	write_msr(FIXED1, ds[8]);
	write_msr(FIXED_CTRL, FIXED1_USER);
	write_msr(PEBS_ENABLE, FIXED1_BIT);
	write_msr(CTRL, FIXED1_BIT);
	while (turns < 1000)
		turns++;
	write_msr(CTRL, 0);
	printf("status %d records %s\n", !!(read_msr(STATUS) & FIXED1_BIT),
	       bytes_of(ds) ? "some" : "none");
	write_msr(OVF_CTRL, FIXED1_BIT);
	write_msr(PEBS_ENABLE, 0);
	return 0;
}

/* What an anonymous page is until it is written. */
static int zero(void)
{
	volatile char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED || *page)
		die("mmap");
	printf("%lx\n", physical((void *)page));
	return 0;
}

static int masked(void)
{
	int fd = open("/dev/mem", O_RDWR | O_SYNC);
	volatile uint32_t *apic = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
				       LVTPC & ~(PAGE - 1));

	if (apic == MAP_FAILED)
		die("/dev/mem");
	apic[(LVTPC & (PAGE - 1)) / 4] = 0x10400;
	pmi(3);
	mark(3);
	apic[(LVTPC & (PAGE - 1)) / 4] = 0x400;
	mark(4);
	return 0;
}

struct attempt {
	const char *name;
	uint32_t reg;
	uint64_t value;
};

static int gp(void)
{
	static const struct attempt attempts[] = {
		{ "ds_area_user", DS_AREA, 0x7000 },
		{ "ds_area_kernel", DS_AREA, 0xfffffe0000000000 },
		{ "ds_area_noncanonical", DS_AREA, 1ul << 63 },
		{ "pebs_enable_0", PEBS_ENABLE, 1 },
		{ "pebs_enable_4", PEBS_ENABLE, 1 << 4 },
		{ "pebs_enable_63", PEBS_ENABLE, 1ul << 63 },
		{ "evntsel_adaptive", EVNTSEL0, 1ul << 34 },
		{ "evntsel_35", EVNTSEL0, 1ul << 35 },
		{ "pmc_47", PMC0, 1ul << 47 },
		{ "pmc_48", PMC0, 1ul << 48 },
		{ "global_ctrl_4", CTRL, 1 << 4 },
		{ "global_ctrl_8", CTRL, 1 << 8 },
		{ "global_status", STATUS, 0 },
		{ "status_set", 0x391, 0 },
		{ "perf_capabilities", 0x345, 0 },
		{ "data_cfg", 0x3f2, 1 },
		{ "data_cfg_8", 0x3f2, 1 << 8 },
		{ "fixed_ctrl", FIXED_CTRL, 0x333 },
		{ "fixed_ctrl_20", FIXED_CTRL, 1 << 20 },
		/* Of architectural PEBS; other parts' registers that the core does not know. */
		{ "pebs_base_5", 0x3f4, 1 << 5 },
		{ "pebs_index_0", 0x3f5, 1 },
		{ "cfg_c_32", 0x1903, 1ul << 32 },
		{ "cfg_b", 0x1902, 0 },
	};

	for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
		const struct attempt *a = &attempts[i];
		uint64_t was = 0;
		int known = pread(msr, &was, 8, a->reg) == 8;

		printf("%s %s\n", a->name, try_write(a->reg, a->value) ? "taken" : "refused");
		/* perf's, its DS area among them, as they were. */
		if (known)
			try_write(a->reg, was);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	msr = open("/dev/cpu/0/msr", O_RDWR);
	if (msr < 0)
		die("/dev/cpu/0/msr");
	mlockall(MCL_CURRENT);
	lines = populated(4 << 20);
	if (!strcmp(verb, "gp"))
		return gp();
	if (!strcmp(verb, "sample")) {
		for (int i = 4; i + 1 < argc; i += 2)
			sample(atoi(argv[2]), atoi(argv[3]), argv[i], atoi(argv[i + 1]));
		return argc < 6;
	}
	if (!strcmp(verb, "armed"))
		return armed();
	if (!strcmp(verb, "pmi") && argc > 2)
		return pmi(atoi(argv[2]));
	if (!strcmp(verb, "masked"))
		return masked();
	if (!strcmp(verb, "cycles"))
		return cycles();
	if (!strcmp(verb, "zero"))
		return zero();
	return 2;
}
