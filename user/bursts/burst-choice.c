// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <sys/stat.h>

#include "base/random.h"
#include "bursts/burst-choice.h"
#include "format/inputs.h"
#include "format/format.h"
#include "format/pass.h"
#include "format/recording.h"

#define SEED		1
#define SOURCE		"bursts"

struct kind_count {
	uint64_t references;
	uint64_t bursts;		/* of this recording */
	uint64_t fewest;		/* of a recording that has any; 0 = none has */
};

struct count {
	struct kind_count bursts, long_ones;
	bool samples;			/* it comes from another source */
};

/* @most: more than that cannot be, and is left out when it is read. */
static void add(struct kind_count *count, const struct ccs_burst *burst, uint64_t most)
{
	count->references += burst->references <= most ? burst->references : 0;
	count->bursts++;
}

static void take_burst(void *context, const struct ccs_record *record)
{
	struct count *count = context;

	if (!ccs_burst_is_none((const void *)record))
		add(&count->bursts, (const void *)record, BURST_REFERENCES_MOST);
}

static void take_long_burst(void *context, const struct ccs_record *record)
{
	const struct ccs_long_burst *burst = (const void *)record;
	struct count *count = context;

	add(&count->long_ones, &burst->burst, LONG_REFERENCES_MOST);
}

static void take_meta(void *context, const struct ccs_record *record)
{
	const struct ccs_meta *meta = (const void *)record;
	const char *value = (const char *)(meta + 1) + meta->key_size;
	struct count *count = context;

	if (meta_is(meta, "source"))
		count->samples = meta->value_size != strlen(SOURCE) ||
				 memcmp(value, SOURCE, strlen(SOURCE));
}

static int after(void *context, const struct recording *recording)
{
	return ((const struct count *)context)->samples;
}

static bool is_file(const char *path)
{
	struct stat status;

	return strcmp(path, "-") && !stat(path, &status) && S_ISREG(status.st_mode);
}

static void end_recording(struct kind_count *count)
{
	if (count->bursts && (!count->fewest || count->bursts < count->fewest))
		count->fewest = count->bursts;
	count->bursts = 0;
}

static int count_in(struct count *count, const char *path)
{
	static const struct record_consumer consumer = {
		.take = { [CCS_BURST] = take_burst, [CCS_LONG_BURST] = take_long_burst,
			  [CCS_META] = take_meta },
		.after = after,
	};
	struct recording *recording;

	if (!is_file(path))
		return 0;
	recording = recording_open(path);
	if (!recording)
		return -1;
	count->samples = false;
	recording_quiet(recording);
	recording_pass(recording, &consumer, count);
	recording_close(recording);
	end_recording(&count->bursts);
	end_recording(&count->long_ones);
	return 0;
}

/*
 * One in as many of all recordings, so that a burst stands for as much in each; the recording with
 * fewest says how many these may be.
 */
static void begin(struct burst_choice *choice, const struct kind_count *count, uint64_t most)
{
	uint64_t every = count->references ? (count->references - 1) / most + 1 : 1;
	uint64_t least = count->fewest / BURSTS_READ_LEAST;

	*choice = (struct burst_choice){ .every = every < least ? every : least, .random = SEED };
	if (!choice->every)
		choice->every = 1;
}

int burst_choices_count(struct burst_choices *choices, const struct inputs *inputs,
			uint64_t most)
{
	struct count count = { .samples = false };

	most = most ? most : BURSTS_READ_MOST;
	for (size_t i = 0; most != BURSTS_READ_ALL && i < inputs->count; i++)
		if (count_in(&count, inputs->paths[i]))
			return -1;
	begin(&choices->bursts, &count.bursts, most);
	begin(&choices->long_ones, &count.long_ones, most);
	return 0;
}

bool burst_choice_takes(struct burst_choice *choice, const struct ccs_burst *burst)
{
	uint64_t number = choice->seen++;

	if (number % choice->every == 0)
		choice->next = number + random_below(&choice->random, choice->every);
	if (number == choice->next)
		return true;
	choice->passed++;
	choice->passed_ns += burst->interval_ns;
	return false;
}
