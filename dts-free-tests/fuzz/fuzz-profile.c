// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profile files for `ccsample share`: any text, or lines that the input's bytes
 * choose from a grammar, so that keys repeat and come in any order. A profile that
 * is read must be written and read again as it was, and shared without a crash.
 */
#include <math.h>

#include "base/fail.h"
#include "image.h"
#include "recipe.h"
#include "require.h"
#include "sharing/prediction.h"
#include "sharing/profile-file.h"

#define TEXT_MOST	65536u
#define SETS_SHARED	64u	/* larger caches only without their sets: the model takes long */

/* --- the grammar --- */

static void put_row(struct recipe *recipe, FILE *file)
{
	static const uint8_t counts[] = { 2, 2, 3, 5, 5, 9, 17, 65 };
	static const char *const numbers[] = {
		"0", "1", "7", "1e6", "0.5", "1e300", "1e-300", "-1", "nan", "inf", "x",
	};
	uint32_t count = counts[byte(recipe) & 7], odd = byte(recipe);

	for (uint32_t i = 0; i < count; i++)
		if (odd % 64 == i)
			fprintf(file, " %s", numbers[odd % 11]);
		else
			fprintf(file, " %u", i * odd);
	fputc('\n', file);
}

static void put_line(struct recipe *recipe, FILE *file)
{
	static const char *const lines[] = {
		"instructions = 1000000\n", "ipc = 1.5\n", "penalty = 100\n", "level = 2\n",
		"instructions = 18446744073709551615\n", "ipc = 1e-300\n", "penalty = 1e300\n",
		"cache = 4096,1,64\n", "cache = 1048576,16,64\n", "cache = 8192,4,64\n",
		"cache = 1M,64,64\n", "cache = 128,2,64\n", "cache = 512K,8\n", "cache =\n",
		"command = a = b\n", "source = s\n", "pages = identity\n", "timing = given\n",
		"# text\n", "\n", "unknown = 1\n", "ipc = 0\n", "level = 9\n", "instructions = 0\n",
	};
	static const char *const sets[] = {
		"0", "1", "15", "63", "900", "1023", "16777215", "-1", "18446744073709551616", " 2",
	};
	uint8_t choice = byte(recipe);

	switch (choice & 3) {
	case 0:
		fputs("distances =", file);
		put_row(recipe, file);
		return;
	case 1:
		fprintf(file, "set %s =", sets[(choice >> 2) % 10]);
		put_row(recipe, file);
		return;
	default:
		fputs(lines[(choice >> 2) % 24], file);
	}
}

static struct image image;

static void write_input(const uint8_t *data, size_t size)
{
	static char text[TEXT_MOST + 4096];	/* a row more, and a line */
	struct recipe recipe = { data, data + size };
	FILE *file;

	image_clear(&image);
	if (!(byte(&recipe) & 1)) {
		image_bytes(&image, recipe.at, recipe.end - recipe.at);
		return;
	}
	file = fmemopen(text, sizeof(text), "w");
	while (recipe.at < recipe.end && ftell(file) < TEXT_MOST)
		put_line(&recipe, file);
	size = ftell(file);
	fclose(file);
	image_bytes(&image, text, size);
}

/* --- what comes of it --- */

static void require_close(const double *a, const double *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		require(fabs(a[i] - b[i]) <= 1e-14 * a[i]);
}

static void write_again(const struct profile *profile)
{
	const char *written = written_clear();
	size_t row = profile->cache.ways + 1;
	struct profile again;

	require(!profile_write(profile, written));
	require(!profile_read(&again, written));
	require(!memcmp(&again.cache, &profile->cache, sizeof(again.cache)));
	require(again.instructions == profile->instructions && again.level == profile->level);
	require_close(profile->distances, again.distances, row);
	if (profile->sets && again.sets)	/* empty sets are not written */
		require_close(profile->sets, again.sets, row * profile->cache.sets);
	profile_free(&again);
}

static void share(const struct profile *profile)
{
	const struct profile pair[] = { *profile, *profile };
	static const char *const names[] = { "a", "b" };
	bool by_set = profile->sets && profile->cache.sets <= SETS_SHARED;
	struct sharing *sharing;

	if (profile->cache.ways > 16)
		return;		/* slow */
	sharing = sharing_new(pair, names, 2,
			      &(struct sharing_request){ .reuse = REUSE_RACE, .by_set = by_set });
	if (sharing)
		sharing_free(sharing);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile profile;

	write_input(data, size);
	if (!profile_read(&profile, image.path)) {
		write_again(&profile);
		share(&profile);
		profile_free(&profile);
	}
	return 0;
}
