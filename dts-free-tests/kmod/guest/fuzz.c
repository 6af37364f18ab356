// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random calls of the device, from several processes that share its files.
 *
 *	fuzz SECONDS SEED [PROCESSES]
 *
 * What is called how often, and how often it succeeded, is printed. Processes 0 and 1 are
 * root's, the others are those of users 1000 and 1001, with CAP_PERFMON and without.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <linux/capability.h>
#include <linux/perf_event.h>

#include "genl.h"
#include "session.h"

#define FILES		6		/* of each process */
#define MAPS		4
#define PROCESSES_MOST	16
#define MEMORY		(4 << 20)

static uint64_t state;
static int files[FILES];
static struct { void *at; size_t bytes; int writable; } maps[MAPS];
static char *walked;
static unsigned int self;

/* Counted in memory that all processes share. */
enum { OPENED, ENABLED, DISABLED, CHECKED, FLUSHED, PERIODS, READ_COUNTS, QUERIED, GARBAGE, MAPPED, POLLED,
       DUPLICATED, FORKED, PERF, NETLINK, HOTPLUG, MOVED, KINDS };
static const char *const kinds[KINDS] = { "open", "enable", "disable", "check", "flush",
	"period", "read", "query", "garbage", "mmap", "poll", "dup", "fork", "perf", "netlink", "hotplug",
	"affinity" };
static struct { uint64_t tried, worked; } (*tally);

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t draw(uint64_t below)
{
	uint64_t z = state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (z ^ z >> 31) % below;
}

static void count(unsigned int kind, int worked)
{
	__atomic_add_fetch(&tally[kind].tried, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&tally[kind].worked, !!worked, __ATOMIC_RELAXED);
}

static int *some_file(void)
{
	return &files[draw(FILES)];
}

static void renew(void)
{
	int *fd = some_file();

	if (*fd >= 0)
		close(*fd);
	*fd = open(CCSAMPLE_DEVICE, O_RDWR | O_CLOEXEC);
}

/* A value that is likely to be at a limit of something. */
static uint64_t odd(void)
{
	static const uint64_t values[] = { 0, 1, 2, 255, 256, 4095, 4096, 4097, 1u << 20, 1u << 31,
					   UINT32_MAX, 1ull << 40, 1ull << 63, UINT64_MAX };

	return values[draw(sizeof(values) / sizeof(*values))] + draw(3) - 1;
}

static void change_request(struct ccsample_open *ask)
{
	uint8_t *bytes = (uint8_t *)ask;
	uint64_t value = odd();
	size_t at = draw(sizeof(*ask) / 4) * 4;

	memcpy(bytes + at, &value, at + 8 <= sizeof(*ask) && draw(2) ? 8 : 4);
}

static void open_session(void)
{
	static const uint32_t events[] = { 0x8d1, 0x10d1, 0x20d1, 0x81d0, 0x83d0, 0x1cd };
	struct ccsample_open ask = plain_request(draw(2));

	ask.flags = 1 + draw(3);
	if (!draw(3)) {
		ask.flags |= CCSAMPLE_TASK | (draw(2) ? CCSAMPLE_FROM_EXEC : 0);
		ask.pid = draw(2) ? getpid() : (int)draw(400);
	}
	ask.flags |= draw(16) ? 0 : CCSAMPLE_VALUES;
	ask.events = 1 + draw(CCSAMPLE_EVENTS_MAX);
	ask.burst = draw(2) ? 1 : 2 + draw(200);
	ask.batch = ask.burst == 1 ? draw(64) : 0;
	ask.first_burst = ask.burst > 1 && draw(2) ? 1 + draw(ask.burst) : 0;
	ask.memory = draw(2) ? 0 : draw(MEMORY);
	ask.marks = draw(2) ? 0 : 1 << draw(17);
	ask.references = draw(2) ? 0 : 0x83d0;
	for (unsigned int i = 0; i < CCSAMPLE_EVENTS_MAX; i++) {
		uint64_t period = 1 + draw(draw(2) ? 300 : 20000);

		ask.event[i] = (struct ccsample_event){ 0 };
		if (i < ask.events)
			ask.event[i] = (struct ccsample_event){ .config = events[draw(6)],
				.period = ask.burst + period, .spread = draw(period) };
	}
	while (!draw(4))
		change_request(&ask);
	count(OPENED, !ioctl(*some_file(), CCSAMPLE_OPEN, &ask));
}

static void query(void)
{
	struct ccsample_query_event event = { .size = sizeof(event), .index = draw(5) };
	struct ccsample_query q = { .size = draw(300), .cpu = draw(3) };

	count(QUERIED, !ioctl(*some_file(), CCSAMPLE_QUERY_EVENT, &event));
	count(QUERIED, !ioctl(*some_file(), CCSAMPLE_QUERY, &q));
}

static void read_counts(void)
{
	struct ccsample_read counts = { .size = sizeof(counts) };

	count(READ_COUNTS, !ioctl(*some_file(), CCSAMPLE_READ, &counts));
}

/* Of so many events as OPEN mostly has; some of them it would not take. */
static void change_period(void)
{
	struct ccsample_period ask = { .size = sizeof(ask) };
	uint64_t events = 1 + draw(CCSAMPLE_EVENTS_MAX);

	for (unsigned int i = 0; i < events; i++) {
		ask.period[i] = draw(8) ? 200 + draw(20000) : odd();
		ask.spread[i] = draw(8) ? draw(200) : odd();
	}
	count(PERIODS, !ioctl(*some_file(), CCSAMPLE_PERIOD, &ask));
}

/* Numbers and arguments that mean nothing. */
static void garbage(void)
{
	uint64_t bytes[64];

	for (unsigned int i = 0; i < 64; i++)
		bytes[i] = draw(2) ? odd() : draw(UINT64_MAX);
	count(GARBAGE,
	      !ioctl(*some_file(), draw(2) ? _IOC(draw(4), 0xcc, draw(12), draw(512)) : odd(),
			      draw(4) ? (void *)bytes : (void *)odd()));
}

/* A mapping may become smaller, and must not grow (VM_DONTEXPAND). */
static void resize(unsigned int i, size_t bytes)
{
	void *at = mremap(maps[i].at, maps[i].bytes, bytes, MREMAP_MAYMOVE);

	if (at == MAP_FAILED)
		return;
	if (bytes > maps[i].bytes)
		exit(3);
	maps[i].at = at;
	maps[i].bytes = bytes;
}

static void map_something(void)
{
	static const uint64_t offsets[] = { CCSAMPLE_MMAP_READER, CCSAMPLE_MMAP_CONTROL,
					    CCSAMPLE_MMAP_RECORDS };
	unsigned int i = draw(MAPS), part = draw(4);
	int protection = part ? PROT_READ : PROT_READ | PROT_WRITE;
	size_t bytes = 4096 * (1 + (part ? draw(64) : 0));
	void *at;

	if (maps[i].at)
		munmap(maps[i].at, maps[i].bytes);
	if (!draw(8))
		protection = draw(8);
	at = mmap(NULL, bytes, protection, draw(8) ? MAP_SHARED : MAP_PRIVATE, *some_file(),
		  part < 3 ? offsets[part] : odd() & ~4095ull);
	count(MAPPED, at != MAP_FAILED);
	maps[i].at = at == MAP_FAILED ? NULL : at;
	maps[i].bytes = bytes;
	maps[i].writable = protection & PROT_WRITE;
	if (maps[i].at && !draw(4))
		resize(i, 4096 * (1 + draw(128)));
}

/* The reader's page is its own: whatever stands there is no harm but its own. */
static void scribble(void)
{
	unsigned int i = draw(MAPS);

	if (maps[i].at && maps[i].writable)
		((volatile uint64_t *)maps[i].at)[draw(2)] = draw(2) ? odd() : draw(1000);
}

static void look_at_files(void)
{
	struct pollfd poller[FILES];

	for (int i = 0; i < FILES; i++)
		poller[i] = (struct pollfd){ .fd = files[i], .events = POLLIN };
	count(POLLED, poll(poller, FILES, draw(3)) >= 0);
}

static void duplicate(void)
{
	int *to = some_file(), from = *some_file();

	if (*to >= 0 && *to != from)
		close(*to);
	if (*to != from)
		*to = dup(from);
	count(DUPLICATED, *to >= 0);
}

static void spawn(void)
{
	pid_t child = fork();

	if (!child) {
		if (draw(2))
			execl("/bin/busybox", "true", NULL);
		for (uint64_t i = draw(1 << 16); i; i--)
			((volatile char *)walked)[draw(MEMORY)]++;
		if (draw(2))
			ioctl(*some_file(), CCSAMPLE_DISABLE);
		_exit(0);
	}
	count(FORKED, child > 0);
	if (child > 0 && draw(2))
		kill(child, draw(2) ? SIGKILL : SIGSTOP);
	if (child > 0) {
		kill(child, SIGCONT);
		waitpid(child, NULL, 0);
	}
}

static void other_events(void)
{
	static const uint64_t raw[] = { 0x8d1, 0x10d1, 0x81d0, 0x3c, 0xc0 };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = raw[draw(5)],
		.sample_period = draw(2) ? 0 : 1000 + draw(100000),
		.precise_ip = draw(8) ? 0 : 2,
		/*
		 * As the module's, for records of one size: Linux before 6.13 reads those of two by
		 * one, and warns (3e812a70732d, "Unconditionally drain PEBS DS when changing
		 * PEBS_DATA_CFG").
		 */
		.sample_type = PERF_SAMPLE_ADDR,
		.pinned = draw(2),
		.exclude_kernel = draw(2),
	};
	int fd = syscall(SYS_perf_event_open, &attr, draw(2) ? 0 : -1, (int)draw(2), -1, 0);

	count(PERF, fd >= 0);
	if (fd < 0)
		return;
	for (uint64_t i = draw(1 << 14); i; i--)
		((volatile char *)walked)[draw(MEMORY)]++;
	close(fd);
}

static void ask_netlink(void)
{
	int fd = genl_socket(), family = genl_family(fd);

	count(NETLINK, family > 0 && !genl_dump(fd, family));
	if (draw(2))
		genl_send(fd, family, draw(8), draw(2) ? NLM_F_DUMP : 0, draw(2) ? "x" : NULL);
	close(fd);
}

static void switch_cpu(void)
{
	const char *path = "/sys/devices/system/cpu/cpu1/online";
	int fd = open(path, O_WRONLY);

	if (fd < 0)
		return;
	count(HOTPLUG, write(fd, "0", 1) == 1);
	usleep(draw(20000));
	count(HOTPLUG, write(fd, "1", 1) == 1);
	close(fd);
}

static void move(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(draw(2), &set);
	count(MOVED, !sched_setaffinity(0, sizeof(set), &set));
	for (uint64_t i = draw(1 << 16); i; i--)
		((volatile char *)walked)[draw(MEMORY)]++;
}

static void control(unsigned long command, unsigned int kind)
{
	count(kind, !ioctl(*some_file(), command));
}

static void step(void)
{
	switch (draw(20)) {
	case 0:
		return renew();
	case 1: case 2: case 3:
		return open_session();
	case 4: case 5: case 6:
		return control(CCSAMPLE_ENABLE, ENABLED);
	case 7:
		return control(CCSAMPLE_DISABLE, DISABLED);
	case 8:
		return control(CCSAMPLE_CHECK, CHECKED);
	case 9:
		return control(CCSAMPLE_FLUSH, FLUSHED);
	case 10:
		return draw(2) ? read_counts() : change_period();
	case 11:
		return query();
	case 12:
		return garbage();
	case 13:
		return map_something();
	case 14:
		return scribble();
	case 15:
		return look_at_files();
	case 16:
		return draw(4) ? duplicate() : spawn();
	case 17:
		return other_events();
	case 18:
		return draw(8) || self ? ask_netlink() : switch_cpu();
	default:
		return move();
	}
}

static void keep_perfmon(int uid, int keep)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };

	if (prctl(PR_SET_KEEPCAPS, 1) || setuid(uid))
		die("setuid");
	data[CAP_PERFMON / 32].permitted = keep ? 1u << CAP_PERFMON % 32 : 0;
	data[CAP_PERFMON / 32].effective = data[CAP_PERFMON / 32].permitted;
	if (syscall(SYS_capset, &header, data))
		die("capset");
}

static void process(unsigned int number, time_t end, uint64_t seed)
{
	self = number;
	state = seed * PROCESSES_MOST + number;
	walked = malloc(MEMORY);
	for (int i = 0; i < FILES; i++)
		files[i] = open(CCSAMPLE_DEVICE, O_RDWR | O_CLOEXEC);
	if (number > 1)
		keep_perfmon(1000 + number % 2, number % 2);
	while (time(NULL) < end)
		step();
	exit(0);
}

int main(int argc, char **argv)
{
	unsigned int processes = argc > 3 ? atoi(argv[3]) : 4, failed = 0;
	time_t end = time(NULL) + (argc > 2 ? atoi(argv[1]) : 10);
	int status;

	tally = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (argc < 3 || tally == MAP_FAILED || processes > PROCESSES_MOST)
		return 2;
	for (unsigned int i = 0; i < processes; i++) {
		if (!fork())
			process(i, end, strtoull(argv[2], NULL, 0));
	}
	while (wait(&status) > 0)
		failed += status != 0;
	for (unsigned int i = 0; i < KINDS; i++)
		printf("# %s: %" PRIu64 " of %" PRIu64 " succeeded\n", kinds[i], tally[i].worked,
		       tally[i].tried);
	/* On a busy host there may be few of the others. */
	failed += !tally[OPENED].worked || !tally[ENABLED].worked || !tally[QUERIED].worked;
	printf("%s sessions were opened and enabled, and no process died\n",
	       failed ? "not ok" : "ok");
	return failed != 0;
}
