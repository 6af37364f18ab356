// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the engine sends becomes images: their numbers, where they came from,
 * how they ended; and what must not be sent is refused.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/recording.h"
#include "record/images.h"
#include "tap.h"

static char path[] = "/tmp/ccsample-test-images-XXXXXX";
static struct recording_writer *writer;
static struct images *images;
static uint64_t message[CCS_RECORD_MAX / 8];
static size_t used;

static void *add(uint16_t type, size_t size)
{
	struct ccs_record *record = (void *)message + used;

	memset(record, 0, size);
	record->size = size;
	record->type = type;
	used += size;
	return record;
}

static int send_as(uint32_t *image, pid_t peer)
{
	int result = images_message(images, image, peer, message, used);

	used = 0;
	return result;
}

static void add_process(uint32_t pid, uint32_t ppid, uint32_t cause)
{
	struct ccs_process *process = add(CCS_PROCESS, sizeof(*process) + 8);

	process->pid = pid;
	process->ppid = ppid;
	process->cause = cause;
	process->path_size = 5;
	memcpy(process + 1, "/prog", 5);
}

static uint32_t begin(uint32_t pid, uint32_t ppid, uint32_t cause)
{
	uint32_t image = 0;

	add_process(pid, ppid, cause);
	send_as(&image, getpid());
	return image;
}

static void end(uint32_t image, pid_t peer)
{
	add(CCS_EXIT, sizeof(struct ccs_exit));
	send_as(&image, peer);
	images_closed(images, image);
}

static void open_recording(void)
{
	writer = recording_create(path);
	images = images_new(writer, NULL);
	used = 0;
}

/* Reads back; calls @see with each record. */
static void close_recording(void (*see)(const struct ccs_record *record))
{
	const struct ccs_record *record;
	struct recording *recording;

	images_free(images);
	recording_finish(writer, 0);
	recording = recording_open(path);
	while (recording_next(recording, &record))
		if (see)
			see(record);
	ok(recording_end(recording) == RECORDING_WHOLE, "the recording is whole");
	recording_close(recording);
}

#define IMAGES	16
static uint32_t parents[IMAGES], exits[IMAGES], lost[IMAGES][LOST_KINDS];

static void see_family(const struct ccs_record *record)
{
	if (record->process >= IMAGES)
		return;
	if (record->type == CCS_PROCESS)
		parents[record->process] = ((const struct ccs_process *)record)->parent;
	else if (record->type == CCS_EXIT)
		exits[record->process]++;
	else if (record->type == CCS_LOST)
		lost[record->process][((const struct ccs_lost *)record)->kind]++;
}

static void test_family(void)
{
	uint32_t shell, child, program, grandchild, again;
	bool once = true;
	uint32_t i;

	open_recording();
	shell = begin(100, 1, CCS_PROCESS_START);
	child = begin(101, 100, CCS_PROCESS_FORK);
	images_closed(images, child);
	program = begin(101, 100, CCS_PROCESS_EXEC);
	grandchild = begin(102, 101, CCS_PROCESS_FORK);
	end(grandchild, getpid());
	end(program, getpid());
	again = begin(101, 100, CCS_PROCESS_FORK);	/* the same pid, another process */
	end(again, getpid());
	end(shell, getpid());
	ok(!images_settle(images, false), "nothing is left unsettled");
	ok(images_totals(images).images == 5, "five images");
	close_recording(see_family);
	ok(!parents[shell] && parents[child] == shell && parents[program] == child &&
	   parents[grandchild] == program && parents[again] == shell,
	   "each knows where it came from");
	for (i = 1; i <= 5; i++)
		once &= exits[i] == 1 && !lost[i][CCS_LOST_KILLED];
	ok(once, "each ends once, and none was killed");
}

static void test_origin(void)
{
	uint32_t shell, child;

	open_recording();
	shell = begin(100, 1, CCS_PROCESS_START);
	add_process(101, 100, CCS_PROCESS_FORK);
	ok(images_origin(images, message, used) == shell, "a fork's origin is its parent");
	used = 0;
	child = begin(101, 100, CCS_PROCESS_FORK);
	add_process(101, 100, CCS_PROCESS_EXEC);
	ok(images_origin(images, message, used) == child, "an exec's origin is the image before");
	used = 0;
	add_process(300, 299, CCS_PROCESS_FORK);
	ok(!images_origin(images, message, used), "unknown parents are none");
	ok(!images_origin(images, message, 20), "a cut record has none");
	close_recording(NULL);
}

/* A process that is gone was killed; one that lives may be on its way through exec. */
static void test_killed(void)
{
	pid_t gone = fork();
	uint32_t dead = 0, living;

	if (!gone)
		_exit(0);
	waitpid(gone, NULL, 0);
	memset(lost, 0, sizeof(lost));
	memset(exits, 0, sizeof(exits));
	open_recording();
	add_process(200, 1, CCS_PROCESS_START);
	send_as(&dead, gone);
	living = begin(201, 1, CCS_PROCESS_START);
	images_closed(images, dead);
	images_closed(images, living);
	ok(images_settle(images, false) == 1, "the dead one is settled, the living one waits");
	ok(!images_settle(images, true), "but not for ever");
	close_recording(see_family);
	ok(lost[dead][CCS_LOST_KILLED] == 1 && !lost[dead][CCS_LOST_UNRECORDED],
	   "the dead one counts as killed");
	ok(lost[living][CCS_LOST_UNRECORDED] == 1 && !lost[living][CCS_LOST_KILLED],
	   "the living one as unrecorded");
	ok(exits[dead] == 1 && exits[living] == 1, "both have an EXIT");
}

/* One that sends what it may not is lost once, whatever becomes of its process. */
static void test_given_up(void)
{
	uint32_t image;

	memset(lost, 0, sizeof(lost));
	memset(exits, 0, sizeof(exits));
	open_recording();
	image = begin(250, 1, CCS_PROCESS_START);
	images_give_up(images, image);
	images_closed(images, image);
	ok(!images_settle(images, true), "one given up is settled");
	images_give_up(images, 0);
	close_recording(see_family);
	ok(lost[image][CCS_LOST_UNRECORDED] == 1 && !lost[image][CCS_LOST_KILLED] &&
	   exits[image] == 1, "it is lost once, and ends once");
	ok(lost[0][CCS_LOST_UNRECORDED] == 1, "one that had not begun is lost as well");
}

static uint64_t ended;

static void see_end(const struct ccs_record *record)
{
	if (record->type == CCS_EXIT)
		ended = ((const struct ccs_exit *)record)->time;
}

static void add_times(uint64_t counts, uint64_t sample, uint64_t free)
{
	struct ccs_samples *samples;

	((struct ccs_counts *)add(CCS_COUNTS, sizeof(struct ccs_counts)))->time = counts;
	samples = add(CCS_SAMPLES, sizeof(*samples) + 2 * sizeof(struct ccs_sample));
	samples->events = samples->count = 2;
	samples->sample_size = sizeof(struct ccs_sample);
	((struct ccs_sample *)(samples + 1))[1].time = sample;
	((struct ccs_free *)add(CCS_FREE, sizeof(struct ccs_free)))->time = free;
}

/* The EXIT that we add comes no earlier than what the image has told. */
static void test_end_time(void)
{
	static const uint64_t times[3][3] = { { 9, 5, 5 }, { 5, 9, 5 }, { 5, 5, 9 } };
	uint32_t image, i;

	for (i = 0; i < 3; i++) {
		open_recording();
		image = begin(300, 1, CCS_PROCESS_START);
		add_times(times[i][0], times[i][1], times[i][2]);
		send_as(&image, getpid());
		images_closed(images, image);
		images_settle(images, true);
		close_recording(see_end);
		ok(ended == 9, "ends at its latest time: that of %s",
		   i == 0 ? "COUNTS" : i == 1 ? "a sample" : "a block");
	}
	for (i = 7; i <= 11; i += 4) {
		open_recording();
		image = begin(300, 1, CCS_PROCESS_START);
		add_times(5, 9, 5);
		send_as(&image, getpid());
		images_ended(images, image, i);
		close_recording(see_end);
		ok(ended == (i < 9 ? 9 : i), "... that has been told, where it is said to end at %u", i);
	}
}

/* Of a type without a time, the first field is no time. */
static void test_untimed(void)
{
	static const uint16_t types[] = {
		CCS_STACK, CCS_LOST, CCS_FRAMES, CCS_ACCESSES, CCS_REFERENCES, CCS_SIM_LEVEL,
		CCS_SIM_ROW, CCS_SIM_SETS, CCS_SIM_DATA, CCS_SIM_PAIR, CCS_SIM_REUSE,
		CCS_SIM_SET_REUSE, CCS_SIM_ALIAS, CCS_SIM_DEPTHS, CCS_SIM_THREAD,
		CCS_SIM_PREFETCH, CCS_SIM_CORE, CCS_SIM_SHARING,
	};
	uint32_t image, i, word;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		uint32_t *body;

		open_recording();
		image = begin(300, 1, CCS_PROCESS_START);
		add_times(5, 5, 5);
		body = add(types[i], 1024);
		for (word = sizeof(struct ccs_record) / 4; word < 1024 / 4; word++)
			body[word] = 1;
		send_as(&image, getpid());
		images_closed(images, image);
		images_settle(images, true);
		close_recording(see_end);
		ok(ended == 5, "type %u has no time", types[i]);
	}
}

static char map_id[64];

static void see_map(const struct ccs_record *record)
{
	const struct ccs_map *map = (const void *)record;
	uint32_t i;

	if (record->type != CCS_MAP)
		return;
	for (i = 0; i < map->build_id_size; i++)
		sprintf(map_id + 2 * i, "%02x", map->build_id[i]);
}

static void test_build_id(void)
{
	static const char file[] = "/proc/self/exe";
	uint32_t image;
	struct ccs_map *map;
	char command[128], expect[64] = "";
	FILE *readelf;

	open_recording();
	image = begin(100, 1, CCS_PROCESS_START);
	map = add(CCS_MAP, sizeof(*map) + 16);
	map->end = 4096;
	map->path_size = strlen(file);
	memcpy(map + 1, file, strlen(file));
	send_as(&image, getpid());
	close_recording(see_map);
	snprintf(command, sizeof(command), "readelf -n /proc/%d/exe | sed -n 's/.*Build ID: //p'",
		 (int)getpid());
	readelf = popen(command, "r");
	if (!readelf || fscanf(readelf, "%63s", expect) != 1)
		skip("readelf gives none", "build-ids");
	else
		ok(!strcmp(map_id, expect), "a map gets its build-id, as readelf reads it");
	if (readelf)
		pclose(readelf);
}

static void test_totals(void)
{
	uint32_t image;
	struct ccs_samples *samples;
	struct ccs_counts *counts;
	struct ccs_lost *losses;
	struct images_totals totals;
	int i;

	open_recording();
	image = begin(100, 1, CCS_PROCESS_START);
	for (i = 0; i < 3; i++) {
		samples = add(CCS_SAMPLES, sizeof(*samples) + 2 * sizeof(struct ccs_sample));
		samples->flags = CCS_BATCH_BURST | (i == 1 ? CCS_BATCH_CONTINUES : 0);
		samples->events = samples->count = 2;
		samples->sample_size = sizeof(struct ccs_sample);
		counts = add(CCS_COUNTS, sizeof(*counts));
		counts->load_misses = 10 * (i + 1);
	}
	losses = add(CCS_LOST, sizeof(*losses));
	losses->kind = CCS_LOST_SAMPLES;
	losses->count = 5;
	send_as(&image, getpid());
	totals = images_totals(images);
	ok(totals.samples == 6 && totals.bursts == 2, "samples and bursts are counted");
	ok(totals.load_misses == 30, "the last COUNTS hold");
	ok(totals.lost[CCS_LOST_SAMPLES] == 5, "losses add up");
	close_recording(NULL);
}

static void test_hostile(void)
{
	uint32_t none = 0, image;
	struct ccs_samples *samples;
	uint16_t type;

	open_recording();
	add(CCS_FREE, sizeof(struct ccs_free));
	ok(send_as(&none, 1) == -1 && !none, "no PROCESS at first");
	image = begin(100, 1, CCS_PROCESS_START);
	add_process(100, 1, CCS_PROCESS_START);
	ok(send_as(&image, 1) == -1, "a second PROCESS");
	for (type = 0; type < 0x20; type = type == CCS_EVENT ? CCS_END : type + 1) {
		if (type == CCS_REFERENCES || type == CCS_FRAMES || type == CCS_ACCESSES ||
		    type == CCS_FORGET || type == CCS_SAVED || type == CCS_ENTRY ||
		    type == CCS_FORGET_MAPS || type == CCS_CLASS_COUNTS)
			continue;	/* a program's */
		add(type, 88);
		ok(send_as(&image, 1) == -1, "type %u", type);
	}
	samples = add(CCS_SAMPLES, sizeof(*samples));
	samples->sample_size = sizeof(struct ccs_sample);
	samples->events = samples->count = 1;
	ok(send_as(&image, 1) == -1, "samples past the end of the message");
	add(CCS_FREE, sizeof(struct ccs_free));
	used -= 8;
	ok(send_as(&image, 1) == -1, "a record cut by the message");
	add(CCS_FREE, sizeof(struct ccs_free));
	used -= 24;
	ok(send_as(&image, 1) == -1, "a header cut by the message");
	add(CCS_LOST, sizeof(struct ccs_lost));
	((struct ccs_lost *)message)->kind = 12345;
	ok(send_as(&image, 1) == 0, "an unknown kind of loss is passed on");
	close_recording(NULL);
}

int main(int argc, char **argv)
{
	int null = open("/dev/null", O_WRONLY), fd = mkstemp(path);

	dup2(null, STDERR_FILENO);
	close(fd);
	test_family();
	test_origin();
	test_killed();
	test_given_up();
	test_end_time();
	test_untimed();
	test_build_id();
	test_totals();
	test_hostile();
	unlink(path);
	return done();
}
