// SPDX-License-Identifier: GPL-2.0-only
/*
 * Small files and options of text, by the first byte: policies of gates, machines, models and the
 * rows that they are trained on, calibrations, figures of a history, traces of other tools, values
 * of options, labels of a recording's loops. Any bytes, or words of that kind's grammar that the input's bytes choose. What is read
 * is what its reader promises; what is written of it is read again.
 */
#include <math.h>

#include "base/array.h"
#include "base/cpu-list.h"
#include "base/fail.h"
#include "base/number.h"
#include "classify/model.h"
#include "classify/training.h"
#include "files.h"
#include "gain/calibration.h"
#include "gate/check.h"
#include "history/figures.h"
#include "host/machine-file.h"
#include "image.h"
#include "import/trace.h"
#include "recipe.h"
#include "require.h"
#include "simulate/request-text.h"

#include <stdlib.h>

#define TEXT_MOST	32768u
#define ROWS_MOST	64u	/* fitted: the work grows with them */

static struct file *file;

static void try_policy(void)
{
	struct check_policy policy;
	size_t i;

	check_policy_default(&policy);
	if (!check_policy_read(&policy, file->path))
		require(policy.share >= 0 && policy.conflict_up >= 0 && policy.misses_up >= 0);
	for (i = 0; i < policy.ignore_count; i++)
		require(*policy.ignores[i].pattern && *policy.ignores[i].reason);
	check_policy_drop(&policy);
}

static void require_level(const struct cache_geometry *cache)
{
	require(cache->ways && cache->sets && cache->line && !(cache->line & (cache->line - 1)));
}

static void try_machine(void)
{
	struct hierarchy_plan plan;
	uint32_t i;

	if (machine_plan(file->path, &plan))
		return;
	require(plan.levels >= 1 && plan.levels <= CACHE_LEVELS);
	for (i = 0; i < plan.levels; i++)
		require_level(&plan.level[i].geometry);
	hierarchy_error(&plan);
}

static void try_model(void)
{
	struct model *model = model_read(file->path), *again;
	char *text;
	size_t size;
	FILE *out;

	if (!model)
		return;
	out = open_memstream(&text, &size);
	model_write(out, model);
	fclose(out);
	file->size = 0;
	file_add(file, text, size);
	free(text);
	again = model_read(file->path);
	require(again && again->count == model->count);
	model_free(again);
	model_free(model);
}

static void try_training(void)
{
	struct training training = { .rows = NULL };
	struct model *model = NULL;

	if (!training_read_values(&training, file->path) && training.count <= ROWS_MOST)
		model = training_fit(&training, 2);
	if (model)
		model_free(model);
	training_drop(&training);
}

/* 200 misses at one level, of code that lies in no file. */
static void make_recording(struct image *image)
{
	struct {
		struct ccs_samples head;
		struct ccs_sample samples[100];
	} batch = { .head = { .record = { sizeof(batch), CCS_SAMPLES, 0, 1, 1 }, .count = 100, .events = 100000,
			      .sample_size = sizeof(struct ccs_sample) } };
	static const struct ccs_cache cache = { { sizeof(cache), CCS_CACHE }, .level = 1, .line = 64, .sets = 64,
						.ways = 8, .slices = 1 };
	static const struct ccs_event event = { { sizeof(event), CCS_EVENT }, .level = 1, .period = 1000, .burst = 1 };
	static const struct ccs_process process = { { sizeof(process), CCS_PROCESS, 0, 1, 1 }, .pid = 1 };
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(batch.samples); i++)
		batch.samples[i] = (struct ccs_sample){ i, 0x400000, 4096 * i, CCS_UNKNOWN };
	image_begin(image);
	image_put(image, &cache.record);
	image_put(image, &event.record);
	image_put(image, &process.record);
	image_put(image, &batch.head.record);
	image_put(image, &batch.head.record);
	image_end(image);
	require(image->records == 6);
}

/* @recording is /memory/1, as the words have it. */
static void try_labels(void)
{
	static struct image recording;
	struct training training = { .rows = NULL };

	if (!recording.path)
		make_recording(&recording);
	training_read_labels(&training, file->path);
	require(training.count <= file->size);
	training_drop(&training);
}

static void try_calibration(void)
{
	char *text = strndup((const char *)file->bytes, file->size);
	struct calibration calibration;
	int level, class;

	if (!calibration_parse("fuzz", text, &calibration))
		for (level = 0; level < PRICE_LEVELS; level++)
			for (class = 0; class < PRICE_CLASSES; class++) {
				const struct price *cost = &calibration.cost[level][class];

				require(cost->low >= 0 && cost->low <= cost->middle &&
					cost->middle <= cost->high && isfinite(cost->high));
			}
	free(text);
}

static void try_figures(void)
{
	struct figures figures = { .list = NULL }, again = { .list = NULL };
	FILE *in = fmemopen(file->bytes, file->size, "r");
	char *text;
	size_t size;

	if (!figures_read(in, &figures) && figures.count) {
		FILE *out = open_memstream(&text, &size);

		figures_write(out, &figures);
		fclose(out);
		fclose(in);
		in = fmemopen(text, size, "r");
		require(!figures_read(in, &again) && again.count == figures.count);
		free(text);
	}
	fclose(in);
	figures_drop(&figures);
	figures_drop(&again);
}

static void try_trace(void)
{
	static const char *const formats[] = { "auto", "lackey", "din" };
	struct reference references[64];
	struct trace *trace = trace_open(file->path, formats[file->size % 3]);
	long got, i;

	if (!trace)
		return;
	while ((got = trace_read(trace, references, ARRAY_SIZE(references))) > 0)
		for (i = 0; i < got; i++)
			require(references[i].size && references[i].size <= REFERENCE_SIZE_MAX &&
				references[i].address + (references[i].size - 1) >=
					references[i].address);
	require(trace_bad_lines(trace) <= trace_lines(trace) &&
		!trace_first_bad(trace) == !trace_bad_lines(trace));
	trace_close(trace);
}

static void try_options(void)
{
	char *text = strndup((const char *)file->bytes, file->size), names[256], *again;
	struct hierarchy_plan plan = { .levels = 1 };
	uint32_t prefetchers = 0, same = 0;
	struct phases phases;
	cpu_set_t cpus, back;
	uint64_t number;
	double real;

	if (!plan_level(&plan, 0, text))
		require_level(&plan.level[0].geometry);
	plan.levels = CACHE_LEVELS;
	plan_inclusion(&plan, text);
	plan_policy(&plan, text);
	phases_parse(&phases, text);
	read_number(text, &number);
	if (read_real(text, &real))
		require(isfinite(real));
	if (!plan_prefetchers(&prefetchers, text)) {
		plan_prefetchers_text(prefetchers, names, sizeof(names));
		require(!prefetchers || (!plan_prefetchers(&same, names) && same == prefetchers));
	}
	if (!cpus_parse(text, &cpus)) {
		again = cpus_text(&cpus);
		require(!CPU_COUNT(&cpus) || (!cpus_parse(again, &back) && CPU_EQUAL(&cpus, &back)));
		free(again);
	}
	free(text);
}

static const struct kind {
	void (*try)(void);
	const char *words[32];
} kinds[] = {
	{ try_policy, {
		"fail-on ", "levels ", "share ", "conflict-up ", "misses-up ", "ignore ", "new-conflict",
		"conflict-up", "misses-up", ",", " ", "1", "2,3", "4", "5%", "0.05", "-1", "nan", "inf%", "%",
		"lookup_* ", "hashing", "#", "\n", "\n", "\n", "\n", "\t", "\r\n", "1e308", "[", "\\",
	} },
	{ try_machine, {
		"L1", "L2", "L3", "L4", "L", ".inclusion", ".policy", ".hash", " = ", "=", "32K,8,64", "48K,12,64",
		"1M,16,64", "4G,64,64", "0,0,0", "18446744073709551615,1,1", "inclusive", "exclusive",
		"non-inclusive", "lru", "plru", "fifo", "intel-8", "client-6", "name", "source", "#", "\n", "\n",
		"\n", "L1 = 32K,8,64\n", "L2 = 256K,4,64\n",
	} },
	{ try_model, {
		"ccsample-model 1\n", "L1", "L3", "L0", " ", " ", " single ", " burst ", "8", "1000", "-3.5", "12.25",
		"1e308", "1e309", "nan", "inf", "18446744073709551616", "281474976710656", "-1", "#", "\n", "\n",
		"L1 single 100 -3 12 9 4 8 4 0 5 0\n", "L2 burst 8 -1e3 1e-3 9 4 8 4 0 5 0\n", "\t", "\r\n", "x", "0",
		" 9 4 8 4 0 5 0\n", "4294967296", ".", "L4294967297",
	} },
	{ try_training, {
		"1 single 100 a 0.1 clean\n", "1 single 100 a 0.9 conflicting\n", "1 single 100 b 0.2 clean\n",
		"1 single 100 b 0.8 conflicting\n", "3 burst 7 c 0 clean\n", "3 burst 7 d 1 conflicting\n", "1 ", "2 ",
		"0 ", "single ", "burst ", "100 ", "0 ", "app ", "0.5 ", "1 ", "0 ", "nan ", "1e-300 ", "-0 ", "1.0001 ",
		"clean", "conflicting", "#", "\n", "\n", "\n", "18446744073709551615 ", "\t", "x", "1e ", " ",
	} },
	{ try_calibration, {
		"cpu = x\n", "l1", "l2", ".near", ".far", ".chained", ".store", ".update", " = ", "=", "1.000 2.000 3.000\n",
		"0 0 0\n", "3 2 1\n", "-0 0 1\n", "nan nan nan\n", "1e6 1e6 1e6\n", "1 2\n", "1  2 3\n", "1 2 3 4\n", "#", "\n",
		"l1.near = 1 2 3\nl1.far = 1 2 3\nl1.chained = 1 2 3\n", "l1.store = 1 2 3\nl1.update = 1 2 3\n",
		"l2.near = 1 2 3\nl2.far = 1 2 3\nl2.chained = 1 2 3\n", "l2.store = 1 2 3\nl2.update = 1 2 3\n", "cpu =\n",
		"cpu = 0123456789012345678901234567890123456789012345678901234567890123", "\r", "\t", " ", "x", "1e-400",
	} },
	{ try_figures, {
		"1 0 1000 10\tf\tf.c\n", "2 1 0.5 nan\t\t\n", "1", "3", "4", "0", " ", " ", "\t", "\t", "\t", "\n", "\n", "nan", "inf",
		"-inf", "1e308", "-0", "f", "f.c", "/a/b", "\033[31m", "\xff", "18446744073709551617", "-1", "1 1 1 1", "=", "+1",
		"0x1p3", ".", "e", "f\\n",
	} },
	{ try_trace, {
		"I  04000a1b,3\n", " L 1ffeffe7e0,8\n", " S 04222cac,4\n", " M 0421c7cc,4\n", "==12== words\n", "0 1000 4\n",
		"1 2000\n", "2 0x3000 1\n", "I  ", " L ", " S ", " M ", "0 ", "1 ", "2 ", "3 ", "ffffffffffffffff", "0x", "0", ",8",
		",0", ",1048576", ",1048577", " 8", " ", "\t", "\n", "\n", "\n", "\r\n", "10000000000000000", "deadbeef",
	} },
	{ try_options, {
		"0", "1", "8", "64", "1023", "1024", "32K", "4G", "18446744073709551615", ",", ",", ",", "-", "-", "auto", "inclusive",
		"exclusive", "non-inclusive", "lru", "plru", "fifo", "next-line", "adjacent", "stride", "stream", "K", "M",
		"1e9", "nan", "marked", "G", " ",
	} },
	{ try_labels, {
		"/memory/1", "1", "/memory/0", "absent.ccs", " | ", " | ", "|", "|", "1", "2", "4", "0", "-", "[unknown]", "f", "17",
		"clean", "conflicting", "\n", "\n", "\n", "#", "\t", "4294967296", "-1", " ", "",
		"/memory/1 | 1 | [unknown] | - | clean\n", "/memory/1 | 1 | [unknown] | - | conflicting\n",
		"1 | 1 | f | 3 | clean\n", "x", "/",
	} },
};

static void by_recipe(struct recipe *recipe, const struct kind *kind)
{
	while (recipe->at < recipe->end && file->size < TEXT_MOST) {
		const char *word = kind->words[byte(recipe) % ARRAY_SIZE(kind->words)];

		file_add(file, word, strlen(word));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recipe recipe = { data, data + size };
	uint8_t how = byte(&recipe);
	const struct kind *kind = &kinds[how / 2 % ARRAY_SIZE(kinds)];

	if (!file)
		file = file_new();
	file->size = 0;
	if (how & 1)
		by_recipe(&recipe, kind);
	else
		file_add(file, recipe.at, recipe.end - recipe.at);
	if (file->size)
		kind->try();
	return 0;
}
