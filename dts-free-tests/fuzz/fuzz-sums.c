// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on what another process counted: the sums of two recordings, with bytes changed as the
 * input says. Whatever comes in: no crash, no undefined behaviour, no run without end.
 */
#include "base/fail.h"
#include "ranks/sums.h"
#include "rank-recordings.h"
#include "recipe.h"
#include "report/views.h"

static const struct analysis_options none;
static struct inputs inputs;
static struct wire whole;
static char files[2][64];

static void drop_files(void)
{
	for (int i = 0; i < 2; i++)
		unlink(files[i]);
}

static void begin(void)
{
	rank_program = FUZZ_PROGRAM;
	for (int i = 0; i < 2; i++) {
		struct kind kind = { .seed = i, .bursts = 1 };

		snprintf(files[i], sizeof(files[i]), "/dev/shm/fuzz-sums.%d.%d", getpid(), i);
		inputs_add(&inputs, write_rank(files[i], &kind));
	}
	atexit(drop_files);
	if (sums_read(&inputs, &none, 0, 1, &whole))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct view_options views = { .top = 5 };
	struct wire broken = { .reads = true };
	struct findings *findings;
	static FILE *null;

	if (!whole.size)
		begin();
	if (!null)
		null = fopen("/dev/null", "w");
	broken.size = whole.size;
	broken.bytes = memcpy(malloc(whole.size), whole.bytes, whole.size);
	/* Where, and what: three bytes each. The version is left as it is. */
	for (size_t i = 0; i + 3 <= size; i += 3) {
		size_t at = (data[i] << 8 | data[i + 1]) % (whole.size - 8);

		broken.bytes[8 + at] = data[i + 2];
	}
	if (!sums_add(&inputs, &none, &broken, 1, NULL, &findings) && findings) {
		report_json(null, findings, &views);
		findings_free(findings);
	}
	wire_drop(&broken);
	return 0;
}
