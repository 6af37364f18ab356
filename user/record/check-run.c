// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/forward-signals.h"
#include "base/memory.h"
#include "record/check-run.h"
#include "format/pass.h"
#include "host/program.h"

/* The command line of `record`. */
struct words {
	char **word;
	size_t count, room;
};

/* A baseline may give any option any number of times. */
static void add(struct words *words, char *word)
{
	words->word = grow(words->word, words->count, &words->room, sizeof(*words->word));
	words->word[words->count++] = word;
}

static void add_option(struct words *words, const char *name, const char *value, size_t size)
{
	add(words, xasprintf("--%s=%.*s", name, (int)size, value));
}

/* What a recording's head says of how it was made. */
struct head {
	struct words *words;
	struct ccs_cache caches[3];	/* by level - 1 */
	unsigned int layout;
	bool ended;
};

static void take_layout(struct head *head, const char *value, size_t size)
{
	char *text = xasprintf("%.*s", (int)size, value);

	head->layout = strtoul(text, NULL, 10);
	free(text);
}

/* Options that change what is counted; the others are the run's own. */
static void take_meta(void *context, const struct ccs_record *record)
{
	const struct ccs_meta *meta = (const struct ccs_meta *)record;
	struct words *words = ((struct head *)context)->words;
	static const char *const taken[] = {
		"event", "period", "spread", "burst", "machine", "D1", "L2", "L3", "pages", "seed",
		"overhead", "max-size",
	};
	const char *value = (const char *)(meta + 1) + meta->key_size;
	char *key;

	if (meta_is(meta, "source"))
		add_option(words, "source", value, meta->value_size);
	if (meta_is(meta, "option.layout"))
		take_layout(context, value, meta->value_size);
	for (size_t i = 0; i < ARRAY_SIZE(taken); i++) {
		key = xasprintf("option.%s", taken[i]);
		if (meta_is(meta, key))
			add_option(words, taken[i], value, meta->value_size);
		free(key);
	}
}

static bool has(const struct words *words, const char *name)
{
	for (size_t i = 0; i < words->count; i++)
		if (!strncmp(words->word[i], name, strlen(name)))
			return true;
	return false;
}

/* Where the baseline's caches were its machine's, this machine's may be others. */
static void add_caches(struct words *words, const struct ccs_cache caches[3])
{
	static const char *const names[] = { "D1", "L2", "L3" };
	bool engine = has(words, "--source=engine"), given = has(words, "--machine=") ||
		      has(words, "--D1=") || has(words, "--L2=") || has(words, "--L3=");

	for (size_t i = 0; i < ARRAY_SIZE(names) && engine && !given; i++) {
		const struct ccs_cache *cache = &caches[i];

		if (!cache->ways || !(cache->flags & CCS_CACHE_SIMULATED) || cache->slices != 1)
			continue;
		add(words, xasprintf("--%s=%" PRIu64 ",%" PRIu32 ",%" PRIu32, names[i],
				     (uint64_t)cache->ways * cache->sets * cache->line,
				     cache->ways, cache->line));
	}
}

static void take_cache(void *context, const struct ccs_record *record)
{
	const struct ccs_cache *cache = (const struct ccs_cache *)record;
	struct head *head = context;

	if (cache->level >= 1 && cache->level <= ARRAY_SIZE(head->caches))
		head->caches[cache->level - 1] = *cache;
}

static void take_process(void *context, const struct ccs_record *record)
{
	((struct head *)context)->ended = true;
}

static int has_ended(void *context, const struct recording *recording)
{
	return ((struct head *)context)->ended;
}

static const struct record_consumer head_consumer = {
	.take = {
		[CCS_META] = take_meta, [CCS_CACHE] = take_cache, [CCS_PROCESS] = take_process,
	},
	.after = has_ended,
};

/* Return: 0, or -1 after one line. */
static int read_baseline(struct words *words, const char *baseline, unsigned int layout)
{
	struct recording *recording = recording_open(baseline);
	struct head head = { .words = words };

	if (!recording)
		return -1;
	recording_pass(recording, &head_consumer, &head);
	recording_close(recording);
	add_caches(words, head.caches);
	if (head.layout + layout)
		add(words, xasprintf("--layout=%u", (head.layout + layout) % CCS_LAYOUT_MOST));
	return has(words, "--source=perf.data") ?
	       fail("%s was imported: record the program again as it was, and check both "
		    "recordings", baseline) : 0;
}

/* @again: what the program prints is known, and what it reads from a file is read once more. */
static void become(char **words, bool again)
{
	if (again) {
		lseek(STDIN_FILENO, 0, SEEK_SET);
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
	}
	forward_signals_end();
	dup2(STDERR_FILENO, STDOUT_FILENO);
	execv("/proc/self/exe", words);
	_exit(127);
}

static int run(struct words *words, char **argv, bool again)
{
	const char *program = argv[0];
	pid_t child;
	int status;

	for (; *argv; argv++)
		add(words, xstrdup(*argv));
	add(words, NULL);
	forward_signals_begin();
	child = fork();
	if (!child)
		become(words->word, again);
	status = forward_signals_wait(child, "ccsample record");
	if (status <= 0)
		return status;
	return fail("%s failed, or could not be recorded%s (status %d): there is nothing to check",
		    program, again ? " with stack and heap in another place" : "", status);
}

static void drop(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->word[i]);
	free(words->word);
}

int check_run(const char *baseline, const char *output, unsigned int layout, char **argv)
{
	struct words words = { .count = 0 };
	char *path;
	int status;

	add(&words, xstrdup("ccsample"));
	add(&words, xstrdup("record"));
	add(&words, xstrdup("--quiet"));
	add(&words, xasprintf("--output=%s", output));
	status = read_baseline(&words, baseline, layout);
	add(&words, xstrdup("--"));
	path = status ? NULL : program_find_or_say(argv[0]);
	if (!path)
		status = -1;
	free(path);
	if (!status)
		status = run(&words, argv, layout);
	drop(&words);
	return status;
}

int check_run_places(const char *baseline)
{
	struct words words = { .count = 0 };
	int status = read_baseline(&words, baseline, 0);

	if (!status)
		status = has(&words, "--source=engine");
	drop(&words);
	return status;
}
