// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs of two CPUs and what processes tell of themselves, merged: the recording
 * is read back and held against the rules of docs/format.md, and against what the
 * fake devices know. The side band is one of our own (it is linked in place of
 * record/sideband.c); the processes are real ones that sleep.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/recording.h"
#include "fake-device.h"
#include "device/merge.h"
#include "tap.h"

#define PROCESSES	4
#define TOLD_MAX	4096
#define SAMPLES_MAX	200000
#define REFERENCES	7		/* for each event */
#define PERIOD		19		/* of CPU 1's session, which adapts; the other's stays */

/* --- the side band --- */

union told_record {
	struct ccs_record record;
	struct ccs_process process;
	struct ccs_alloc alloc;
	struct ccs_free free;
	struct ccs_exit exit;
};

struct told {
	uint64_t time;
	pid_t pid;
	union told_record record;
};

struct sideband {
	struct images *images;
	struct told told[TOLD_MAX];
	size_t count, written;
	uint32_t image[PROCESSES];
	int left;
};

static pid_t pids[PROCESSES];

static int number_of(pid_t pid)
{
	int i;

	for (i = 0; i < PROCESSES; i++)
		if (pids[i] == pid)
			return i;
	return -1;
}

uint64_t sideband_next(struct sideband *s)
{
	return s->written < s->count ? s->told[s->written].time : CCS_UNKNOWN;
}

void sideband_take(struct sideband *s, uint64_t until)
{
	for (; s->written < s->count && s->told[s->written].time <= until; s->written++) {
		struct told *told = &s->told[s->written];

		images_message(s->images, &s->image[number_of(told->pid)], told->pid,
			       &told->record, told->record.record.size);
	}
}

uint64_t sideband_began(struct sideband *s, pid_t pid, uint64_t after)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (s->told[i].pid == pid && s->told[i].time >= after &&
		    s->told[i].record.record.type == CCS_PROCESS)
			return s->told[i].time;
	return CCS_UNKNOWN;
}

void sideband_poll(struct sideband *s)
{
}

void sideband_left(struct sideband *s, pid_t pid)
{
	s->left++;
}

static void tell(struct sideband *s, uint64_t time, pid_t pid, uint16_t type)
{
	struct told *told = &s->told[s->count++];

	memset(told, 0, sizeof(*told));
	told->time = time;
	told->pid = pid;
	told->record.record.type = type;
	told->record.process.time = time;	/* of all kinds that we tell */
	told->record.record.size = sizeof(struct ccs_free);
	if (type == CCS_PROCESS) {
		told->record.record.size = sizeof(struct ccs_process);
		told->record.process.pid = pid;
	} else if (type == CCS_ALLOC) {
		told->record.record.size = sizeof(struct ccs_alloc);
		told->record.alloc.address = rnd(1 << 20);
		told->record.alloc.size = 64;
	}
}

/* --- the world: two CPUs, one clock --- */

struct world {
	struct fake *cpus[2];
	struct device_drain drains[2];
	struct sideband sideband;
	struct images *images;
	struct recording_writer *writer;
	struct processes *processes;
	struct device_merge merge;
	uint64_t clock;
	uint64_t now;			/* ns, for deadlines */
};

static struct fake *on(struct world *w, int cpu)
{
	w->cpus[cpu]->clock = ++w->clock;
	return w->cpus[cpu];
}

static void event(struct world *w, int cpu)
{
	struct fake *f = on(w, cpu);

	fake_event(f, 0x400000 + rnd(1 << 20), 0x7f0000000000 + rnd(1 << 30));
	w->clock = f->clock;
}

static void mark(struct world *w, int cpu, uint16_t kind, pid_t pid, uint32_t other)
{
	/* Each process has a thread on each CPU. */
	fake_mark(on(w, cpu), kind, pid, pid + cpu * 10000000, other);
}

/* What device/device.c does at each turn. */
static void step(struct world *w, bool last)
{
	uint64_t watermark = CCS_UNKNOWN, own;
	size_t i, n;

	for (i = 0; i < 2; i++) {
		struct device_marks *marks = &w->drains[i].marks;

		device_drain(&w->drains[i], ++w->clock, 0);
		for (n = 0; n < marks->life_count; n++)
			processes_mark(w->processes, &marks->life_events[n], w->now);
		marks->life_count = 0;
		if (w->drains[i].watermark < watermark)
			watermark = w->drains[i].watermark;
	}
	processes_look(w->processes, w->clock, w->now, last);
	own = processes_watermark(w->processes);
	if (own < watermark)
		watermark = own;
	device_merge(&w->merge, watermark - 1);
}

static void begin(struct world *w, const char *path, uint32_t format)
{
	size_t i;

	memset(w, 0, sizeof(*w));
	w->clock = 5000;
	w->writer = recording_create(path);
	w->images = images_new(w->writer, NULL);
	w->sideband.images = w->images;
	w->processes = processes_new(w->images, &w->sideband, 0);
	for (i = 0; i < 2; i++) {
		w->cpus[i] = fake_new(i, format, 24, 40);
		w->cpus[i]->references_each = REFERENCES;
		w->cpus[i]->session.accesses[0] = DEVICE_REFERENCES;
		device_drain_begin(&w->drains[i], &w->cpus[i]->session, i);
	}
	device_drain_periods(&w->drains[1], &(struct device_periods){ .of = { PERIOD } });
	w->merge = (struct device_merge){
		.images = w->images,
		.processes = w->processes,
		.sideband = &w->sideband,
		.drains = w->drains,
		.count = 2,
	};
}

static void end(struct world *w)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		fake_publish(on(w, i), CCSAMPLE_SLOT_PARTIAL);
		device_drain_ended(&w->drains[i]);
	}
	step(w, true);
	images_settle(w->images, true);
	recording_finish(w->writer, 0);
	images_free(w->images);
	processes_free(w->processes);
	device_merge_free(&w->merge);
}

static void forget(struct world *w)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		device_drain_free(&w->drains[i]);
		fake_free(w->cpus[i]);
	}
}

/* --- the recording, read back --- */

struct read_sample {
	uint64_t time, ip;
	uint32_t pid, tid, image, cpu;
	size_t place;			/* of its batch, among all records */
	bool continues, cut, first;
};

struct read_told {
	uint64_t time;
	uint32_t image;
	uint16_t type;
	size_t place;
};

struct read_back {
	uint32_t format;		/* of the devices' records */
	struct read_sample *samples;
	size_t count;
	struct read_told *told;
	size_t told_count;
	uint64_t weight;
	bool whole;
	struct ccs_frames *frames;	/* that wait for their samples */
	size_t frame_count, wrong_frames;
	struct ccs_accesses accesses;	/* that waits for its samples; size 0 = none */
	uint64_t period;		/* with it, 0 = none */
	size_t wrong_accesses, wrong_periods;
};

/*
 * Every event has as many; before a burst's first, or the first behind a cut, nothing is of it; an
 * eighth more is told, but where records have the counter's values.
 */
static void read_accesses(struct read_back *r, const struct ccs_samples *batch)
{
	bool joins = (batch->flags & (CCS_BATCH_CONTINUES | CCS_BATCH_CUT)) ==
		     CCS_BATCH_CONTINUES;
	uint64_t references = REFERENCES * (batch->events - !joins);

	if (r->format < 6)
		references = (references * 9 + 7) / 8;
	r->wrong_accesses += !r->accesses.record.size ||
		r->accesses.lines != references ||
			   r->accesses.record.process != batch->record.process ||
			   r->accesses.record.tid != batch->record.tid;
	r->wrong_periods += r->period != (batch->cpu ? PERIOD : 0);
	r->accesses.record.size = 0;
}

/* Each sample that the fake put on the stack has its frame, and no other has. */
static void read_frames(struct read_back *r, const struct ccs_samples *batch)
{
	const struct ccs_sample *sample = (const void *)(batch + 1);
	const struct ccs_frame *frame = r->frames ? (const void *)(r->frames + 1) : NULL;
	uint32_t left = r->frames ? r->frames->count : 0, i;

	r->wrong_frames += left && r->frames->record.tid != batch->record.tid;
	for (i = 0; i < batch->count; i++) {
		bool here = left && frame->sample == i;

		r->wrong_frames += here != (r->format < 4 && sample[i].ip % 3 != 0);
		if (!here)
			continue;
		r->wrong_frames += frame->ip != sample[i].ip || frame->bp != frame->ip + 5 ||
				   frame->sp != fake_sp(frame->ip, sample[i].address);
		r->frame_count++;
		frame++;
		left--;
	}
	r->wrong_frames += left;
	free(r->frames);
	r->frames = NULL;
}

static void read_samples(struct read_back *r, const struct ccs_samples *batch, size_t place)
{
	const struct ccs_sample *sample = (const void *)(batch + 1);
	uint32_t i;

	read_frames(r, batch);
	read_accesses(r, batch);
	r->weight += batch->gap + batch->events;
	for (i = 0; i < batch->count; i++)
		r->samples[r->count++] = (struct read_sample){
			.time = sample[i].time,
			.ip = sample[i].ip,
			.pid = batch->pid,
			.tid = batch->record.tid,
			.image = batch->record.process,
			.cpu = batch->cpu,
			.place = place,
			.continues = batch->flags & CCS_BATCH_CONTINUES,
			.cut = batch->flags & CCS_BATCH_CUT,
			.first = !i,
		};
}

static void read_accesses_of(struct read_back *r, const struct ccs_record *record)
{
	const struct ccs_accesses_period *accesses = (const void *)record;

	r->accesses = accesses->accesses;
	r->period = record->size >= sizeof(*accesses) ? accesses->period : 0;
}

static void read_back(struct read_back *r, const char *path, uint32_t format)
{
	struct recording *recording = recording_open(path);
	const struct ccs_record *record;
	size_t place = 0;

	*r = (struct read_back){
		.format = format,
		.samples = calloc(SAMPLES_MAX, sizeof(*r->samples)),
		.told = calloc(TOLD_MAX * 4, sizeof(*r->told)),
	};
	while (recording_next(recording, &record)) {
		place++;
		if (record->type == CCS_SAMPLES)
			read_samples(r, (const void *)record, place);
		else if (record->type == CCS_ACCESSES)
			read_accesses_of(r, record);
		else if (record->type == CCS_FRAMES)
			r->frames = memcpy(malloc(record->size), record, record->size);
		else if (record->process && record->type != CCS_STACK && record->type != CCS_LOST)
			r->told[r->told_count++] = (struct read_told){
				.time = ((const struct ccs_free *)record)->time,
				.image = record->process,
				.type = record->type,
				.place = place,
			};
	}
	r->whole = recording_end(recording) == RECORDING_WHOLE;
	recording_close(recording);
}

static void read_free(struct read_back *r)
{
	free(r->samples);
	free(r->told);
}

/* Samples that stand on the wrong side of something told of their image. */
static size_t misplaced(const struct read_back *r)
{
	size_t wrong = 0, i, n;

	for (i = 0; i < r->count; i++) {
		const struct read_sample *s = &r->samples[i];
		uint64_t began = 0;

		for (n = 0; n < r->told_count; n++)
			if (r->told[n].image == s->image && r->told[n].type == CCS_PROCESS)
				began = r->told[n].time;
		for (n = 0; n < r->told_count; n++) {
			const struct read_told *t = &r->told[n];
			uint64_t time = s->time < began ? began : s->time;

			/* An end that nobody told is that of the last sample. */
			if (t->image != s->image || (t->type == CCS_EXIT && t->time == time))
				continue;
			wrong += t->time <= time ? t->place > s->place : t->place < s->place;
		}
	}
	return wrong;
}

static int by_time(const void *a, const void *b)
{
	const struct read_sample *one = a, *other = b;

	return one->time < other->time ? -1 : one->time > other->time;
}

/* Both in the order of time; no two records have the same. */
static size_t against_truth(struct world *w, struct read_back *r, uint32_t *image_of)
{
	size_t at[2] = { 0 }, wrong = 0, i;

	qsort(r->samples, r->count, sizeof(*r->samples), by_time);
	for (i = 0; i < r->count; i++) {
		const struct read_sample *s = &r->samples[i];
		const struct fake *f = w->cpus[s->cpu];
		const struct truth *t = &f->truth[at[s->cpu]];

		if (at[s->cpu]++ >= f->published)
			return r->count;
		wrong += t->time != s->time || t->ip != s->ip || t->pid != s->pid ||
			 t->tid != s->tid || image_of[number_of(s->pid)] != s->image;
	}
	return wrong + w->cpus[0]->published - at[0] + w->cpus[1]->published - at[1];
}

/*
 * A batch goes on if and only if the thread's last one was of the same slot, and is cut if there
 * was a switch or an interrupt between the two.
 */
static size_t wrong_edges(struct world *w, const struct read_back *r)
{
	uint64_t last[PROCESSES][2] = { { 0 } }, stay[PROCESSES][2] = { { 0 } };
	size_t at[2] = { 0 }, wrong = 0, i;

	for (i = 0; i < r->count; i++) {
		const struct read_sample *s = &r->samples[i];
		const struct truth *t = &w->cpus[s->cpu]->truth[at[s->cpu]++];
		uint64_t slot = (t->slot + 1) * 2 + s->cpu;
		int number = number_of(s->pid);
		bool goes_on = last[number][s->cpu] == slot;
		bool cut = goes_on && stay[number][s->cpu] != t->interval;

		wrong += s->first ? s->continues != goes_on || s->cut != cut : cut || !goes_on;
		last[number][s->cpu] = slot;
		stay[number][s->cpu] = t->interval;
	}
	return wrong;
}

static void start_processes(void)
{
	int i;

	for (i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		if (!pids[i])
			for (;;)
				pause();
	}
}

static void end_processes(void)
{
	int i;

	for (i = 0; i < PROCESSES; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
}

/*
 * Processes 0 to 2 have the library, which reports a while after their exec;
 * they take turns on both CPUs, and allocate.
 */
static void told_processes(const char *path, uint32_t format)
{
	uint64_t exec[PROCESSES] = { 0 };
	bool reported[PROCESSES] = { 0 };
	struct read_back r;
	struct world w;
	uint32_t image[PROCESSES];
	int running[2] = { 0, 0 }, i;

	begin(&w, path, format);
	mark(&w, 0, CCSAMPLE_MARK_SWITCH, pids[0], 0);
	mark(&w, 1, CCSAMPLE_MARK_SWITCH, pids[0], 0);
	mark(&w, 0, CCSAMPLE_MARK_EXEC, pids[0], 0);
	exec[0] = w.clock;
	for (i = 0; i < 40000; i++) {
		int cpu = rnd(2), next = rnd(3);

		if (!rnd(100) && exec[next]) {
			mark(&w, cpu, CCSAMPLE_MARK_SWITCH, pids[next], 0);
			running[cpu] = next;
		}
		if (i == 10000 || i == 20000) {
			next = i / 10000;
			mark(&w, cpu, CCSAMPLE_MARK_SWITCH, pids[next], 0);
			running[cpu] = next;
			mark(&w, cpu, CCSAMPLE_MARK_EXEC, pids[next], 0);
			exec[next] = w.clock;
		}
		next = running[cpu];
		if (!rnd(60))	/* an interrupt: the same thread again */
			mark(&w, cpu, CCSAMPLE_MARK_SWITCH, pids[next], 0);
		if (!reported[next] && w.clock - exec[next] > 3000) {
			tell(&w.sideband, ++w.clock, pids[next], CCS_PROCESS);
			reported[next] = true;
		} else if (reported[next] && !rnd(30)) {
			tell(&w.sideband, ++w.clock, pids[next], rnd(2) ? CCS_ALLOC : CCS_FREE);
		}
		event(&w, cpu);
		if (!rnd(25))
			step(&w, false);
	}
	end(&w);
	memcpy(image, w.sideband.image, sizeof(image));
	read_back(&r, path, format);
	ok(r.whole && r.count > 1000 && r.told_count > 500 && !fake_control(w.cpus[0])->lost_marks,
	   "three processes on two CPUs, format %u: %zu samples, %zu records told", format,
	   r.count, r.told_count);
	ok(!misplaced(&r), "... each sample between what was told before and after it");
	ok(!against_truth(&w, &r, image), "... all are there, of the right image");
	ok(!wrong_edges(&w, &r), "... and bursts begin where they began");
	ok((format > 3 || r.frame_count > r.count / 2) && !r.wrong_frames,
	   "... the %zu on the stack have their frames", r.frame_count);
	ok(!r.wrong_accesses, "... before each batch the lines sought in it");
	ok(!r.wrong_periods, "... and its period, where the session's adapts");
	ok(r.weight + w.drains[0].carry[0] + w.drains[1].carry[0] == w.cpus[0]->total +
	   w.cpus[1]->total, "... gaps and events are the %llu",
	   (unsigned long long)(w.cpus[0]->total + w.cpus[1]->total));
	ok(!w.sideband.left && !w.merge.unattributed, "... nobody was given up");
	read_free(&r);
	forget(&w);
}

/* One that never reports is read from /proc, once a second has passed. */
static void silent_process(const char *path)
{
	uint32_t image[PROCESSES] = { 0, 0, 0, 1 };
	size_t maps = 0, processes = 0, exits = 0, i;
	struct read_back r;
	struct world w;

	begin(&w, path, 3);
	mark(&w, 0, CCSAMPLE_MARK_SWITCH, pids[3], 0);
	mark(&w, 0, CCSAMPLE_MARK_EXEC, pids[3], 0);
	for (i = 0; i < 3000; i++) {
		event(&w, 0);
		if (i % 10)
			continue;
		step(&w, false);
		w.now = i < 2000 ? 0 : 2000000000;
		if (i == 1990)
			ok(images_totals(w.images).samples == 0, "its samples wait");
	}
	ok(images_totals(w.images).samples > 0, "and come when nobody has told of it");
	mark(&w, 0, CCSAMPLE_MARK_EXIT, pids[3], 1);
	step(&w, false);
	end(&w);
	read_back(&r, path, 3);
	for (i = 0; i < r.told_count; i++) {
		maps += r.told[i].type == CCS_MAP;
		processes += r.told[i].type == CCS_PROCESS;
		exits += r.told[i].type == CCS_EXIT;
	}
	ok(maps > 5 && processes == 1 && exits == 1 && w.sideband.left == 1,
	   "one process, %zu maps, one exit", maps);
	ok(!misplaced(&r) && !against_truth(&w, &r, image), "in their order");
	read_free(&r);
	forget(&w);
}

/* One whose library reports when it was already read from /proc. */
static void late_report(const char *path)
{
	size_t before = 0, after = 0, i;
	uint64_t reported = 0;
	struct read_back r;
	struct world w;

	begin(&w, path, 3);
	mark(&w, 0, CCSAMPLE_MARK_SWITCH, pids[3], 0);
	mark(&w, 0, CCSAMPLE_MARK_EXEC, pids[3], 0);
	for (i = 0; i < 6000; i++) {
		event(&w, 0);
		if (i == 3000) {
			reported = ++w.clock;
			tell(&w.sideband, reported, pids[3], CCS_PROCESS);
		}
		if (i % 10)
			continue;
		step(&w, false);
		w.now = i < 1000 ? 0 : 2000000000;
	}
	end(&w);
	read_back(&r, path, 3);
	for (i = 0; i < r.count; i++) {
		before += r.samples[i].time < reported && r.samples[i].image == 1;
		after += r.samples[i].time >= reported && r.samples[i].image == 2;
	}
	ok(before > 500 && after > 500 && before + after == r.count,
	   "a late report: %zu samples of what we read, %zu of what it tells", before, after);
	ok(!misplaced(&r), "in their order");
	read_free(&r);
	forget(&w);
}

int main(void)
{
	char path[] = "/tmp/ccsample-test-merge-XXXXXX";
	int fd = mkstemp(path);

	close(fd);
	start_processes();
	told_processes(path, 3);
	told_processes(path, 6);
	silent_process(path);
	late_report(path);
	end_processes();
	unlink(path);
	return done();
}
