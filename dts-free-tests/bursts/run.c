// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a program with the library of bursts and prints what came of it:
 *
 *	run [-l LIBRARY] [-n WORDS] [-i MICROSECONDS] [-f MICROSECONDS]
 *	    [-c MICROSECONDS] [-a BURSTS] [-r BURSTS] [-t INSTRUCTIONS] [-m PARTS] [-k BURSTS] [-b] [-p] [-o FILE]
 *	    PROGRAM...
 *
 * -n: log words of a burst, -i: CPU time between bursts, -f: before the first, -c: changes -i to
 * this after 0.1 s and -a bursts, -r: so many bursts in a row, of changing lengths up to -n, -t: timed before each (with -r: up to so many, before half of them), -m: each burst may have so many parts more, of -n words (with -r: one in a while, up to so many parts of changing lengths), -k: after so many bursts all blocks are to be defined again, -u: the processor's counter times them where there is one, -b: print a line
 * for each burst, -p: and the references, -o: where the counts go (standard error). The library goes before what is preloaded already. The
 * status is the program's, 128 + its signal, or 125 if a burst was bad.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bursts/log.h"

static FILE *out;

static bool print(void *context, const struct burst_reference *all, size_t count)
{
	const struct burst_reference *at;

	for (at = all; at < all + count; at++)
		fprintf(out, "%llx %c %llx %u\n", (unsigned long long)at->ip,
			"?LSM"[at->kind & 3],
			(unsigned long long)at->address, at->size);
	return true;
}

static uint64_t ticks, spent;

static void drain(struct burst_log *log, bool lines, bool references)
{
	uint64_t before = log->references;
	struct burst burst;

	for (; burst_log_next(log, &burst); before = log->references) {
		burst_log_read(log, &burst, NULL, references ? print : NULL, NULL);
		ticks += burst.end - burst.start;
		spent += burst.cpu_spent;
		if (lines || references)
			fprintf(out, "burst %llu of %u/%u: %s at %llx, %u of %u blocks, "
				"%llu references, %llu ticks, %llu ns, "
				"%llu timed%s in %llu ns after %llu, %llu of %llu ticks for missing blocks, part %u%s\n",
				(unsigned long long)burst.number, burst.pid, burst.tid,
				burst_reason_name(burst.reason), (unsigned long long)burst.end_rip,
				burst.translated, burst.blocks,
				(unsigned long long)(log->references - before),
				(unsigned long long)(burst.end - burst.start),
				(unsigned long long)burst.cpu_spent,
				(unsigned long long)burst.timed_instructions,
				burst.by_counter ? " by the counter" : "",
				(unsigned long long)burst.timed_ns,
				(unsigned long long)burst.settle_ns,
				(unsigned long long)burst.timed_missing,
				(unsigned long long)burst.missing, burst.part,
				burst.more ? " of more" : "");
		if (log->why)
			fprintf(out, "bad: %s\n", log->why);
	}
	burst_log_reclaim(log);
}

static void counts(const struct burst_log *log)
{
	unsigned int i;

	fprintf(out, "images %llu threads %llu bursts %llu bad %llu references %llu instructions "
		"%llu blocks %zu flushes %llu restarted %llu ticks %llu "
		"ns %llu idle %llu\n",
		(unsigned long long)log->area->images, (unsigned long long)log->area->threads,
		(unsigned long long)log->bursts, (unsigned long long)log->bad,
		(unsigned long long)log->references, (unsigned long long)log->instructions,
		log->known.count, (unsigned long long)log->area->flushes,
		(unsigned long long)log->area->restarted, (unsigned long long)ticks,
		(unsigned long long)spent, (unsigned long long)log->area->idle_ns);
	for (i = 0; i < BURST_REASONS; i++) {
		if (log->area->reasons[i])
			fprintf(out, "%s: %llu\n", burst_reason_name(i),
				(unsigned long long)log->area->reasons[i]);
	}
}

/* The interval that is to change: to @us, after @bursts. */
struct change {
	uint32_t us, bursts, naps;
};

static void change(struct burst_log *log, struct change *change)
{
	if (change->us && log->area->threads && log->bursts >= change->bursts &&
	    ++change->naps > 50)
		__atomic_store_n(&log->area->interval_us, change->us, __ATOMIC_RELAXED);
}

static uint64_t random64(void)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return state;
}

/* Most are short: every place in the code is where some burst, or its timed part, ends. */
static uint32_t random_length(uint32_t most)
{
	uint64_t random = random64();
	uint32_t words = most >> (random >> 60);

	return words ? (random >> 33) % words + 1 : 1;
}

static void change_length(struct burst_log *log, const struct burst_log_options *options,
			  uint32_t timed)
{
	uint64_t random = random64();

	log->area->log_words = random_length(options->words);
	log->area->part_words = random_length(options->words);
	log->area->timed = (timed >> (random >> 40 & 15)) * (random >> 32 & 1);
}

/* The next burst has so many parts more; of those in a row, one in a while. */
static void change_parts(struct burst_log *log, uint32_t most, bool in_a_row)
{
	if (!in_a_row || !(random64() >> 60))
		__atomic_store_n(&log->area->parts, 1 + log->bursts % most, __ATOMIC_RELAXED);
}

/* As where they have grown too many. */
static void forget(struct burst_log *log, uint32_t *after)
{
	if (!*after || log->bursts < *after)
		return;
	log->known.kept = UINT64_MAX / 2;
	*after = 0;
}

static void preload(const char *library)
{
	const char *others = getenv("LD_PRELOAD");
	char all[8192];

	snprintf(all, sizeof(all), "%s%s%s", library, others ? ":" : "", others ? others : "");
	setenv("LD_PRELOAD", all, 1);
}

int main(int argc, char **argv)
{
	struct burst_log_options options = { 65536, 10000, 2000 };
	struct timespec nap = { 0, 2000000 };
	struct change later = { 0 };
	uint32_t repeat = 0, timed = 0, parts = 0, forget_after = 0;
	const char *library = NULL;
	bool lines = false, references = false;
	struct burst_log log;
	int option, status;
	pid_t pid;

	out = stderr;
	while ((option = getopt(argc, argv, "+l:n:i:f:c:a:r:t:m:k:ubpo:")) != -1) {
		switch (option) {
		case 'l': library = optarg; break;
		case 'n': options.words = atoi(optarg); break;
		case 'i': options.interval_us = atoi(optarg); break;
		case 'f': options.first_us = atoi(optarg); break;
		case 'c': later.us = atoi(optarg); break;
		case 'a': later.bursts = atoi(optarg); break;
		case 'r': repeat = atoi(optarg); break;
		case 't': timed = atoi(optarg); break;
		case 'm': parts = atoi(optarg); break;
		case 'k': forget_after = atoi(optarg); break;
		case 'u': options.counter = true; break;
		case 'b': lines = true; break;
		case 'p': references = true; break;
		case 'o': out = fopen(optarg, "we"); break;
		default: return 125;
		}
	}
	if (!library || optind == argc || !out || burst_log_open(&log, &options))
		return 125;
	log.area->repeat = repeat;
	log.area->timed = timed;
	log.area->part_words = options.words;
	log.area->parts = parts;
	if (repeat)
		nap.tv_nsec = 200000;
	pid = fork();
	if (!pid) {
		setenv(BURSTS_ENVIRONMENT, log.path, 1);
		preload(library);
		execvp(argv[optind], argv + optind);
		_exit(127);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		drain(&log, lines, references);
		change(&log, &later);
		forget(&log, &forget_after);
		if (repeat)
			change_length(&log, &options, timed);
		if (parts)
			change_parts(&log, parts, repeat);
		nanosleep(&nap, NULL);
	}
	drain(&log, lines, references);
	counts(&log);
	if (log.bad)
		return 125;
	burst_log_close(&log);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
