// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output-file.h"
#include "base/read-file.h"
#include "base/text.h"
#include "gain/calibration.h"

#define FILE_NAME	"ccsample/calibration"
#define TEXT_MOST	65536u	/* bytes */
#define COST_MOST	1e6	/* ns */

static const char *const level_names[PRICE_LEVELS] = { "l1", "l2" };

static void put_file(FILE *out, const struct calibration *calibration)
{
	fprintf(out, "# What misses cost, by ccsample calibrate: ns more than a hit; low, middle, "
		"high\ncpu = %s\n", calibration->cpu);
	for (int level = 0; level < PRICE_LEVELS; level++)
		for (int class = 0; class < PRICE_CLASSES; class++) {
			const struct price *cost = &calibration->cost[level][class];

			fprintf(out, "%s.%s = %.3f %.3f %.3f\n", level_names[level],
				price_class_name(class), cost->low, cost->middle, cost->high);
		}
}

static const char *set_cost(struct price *cost, char *text)
{
	double *numbers[] = { &cost->low, &cost->middle, &cost->high };

	for (int i = 0; i < 3; i++) {
		char *word = strsep(&text, " ");

		if (!word || !read_real(word, numbers[i]))
			return "expected three numbers";
	}
	return text || !(cost->low >= 0 && cost->low <= cost->middle &&
			 cost->middle <= cost->high && cost->high <= COST_MOST) ?
	       "expected three numbers, none below the one before it" : NULL;
}

/* Which costs were read, a bit each. */
static const char *set(struct calibration *calibration, const char *key, char *value,
		       uint32_t *known)
{
	if (!strcmp(key, "cpu")) {
		if (strlen(value) >= sizeof(calibration->cpu))
			return "the name is too long";
		strcpy(calibration->cpu, value);
		return NULL;
	}
	for (int level = 0; level < PRICE_LEVELS; level++)
		for (int class = 0; class < PRICE_CLASSES; class++) {
			size_t size = strlen(level_names[level]);

			if (strncmp(key, level_names[level], size) || key[size] != '.' ||
			    strcmp(key + size + 1, price_class_name(class)))
				continue;
			*known |= 1u << (level * PRICE_CLASSES + class);
			return set_cost(&calibration->cost[level][class], value);
		}
	return "unknown key";
}

int calibration_parse(const char *name, char *text, struct calibration *calibration)
{
	uint32_t known = 0;
	unsigned int number = 0;
	char *line;

	memset(calibration, 0, sizeof(*calibration));
	while ((line = strsep(&text, "\n"))) {
		const char *error = "expected key = value";
		char *equals;

		number++;
		line[strcspn(line, "#")] = '\0';
		line = trim(line);
		if (!*line)
			continue;
		equals = strchr(line, '=');
		if (equals) {
			*equals = '\0';
			error = set(calibration, trim(line), trim(equals + 1), &known);
		}
		if (error)
			return fail("%s, line %u: %s: make it again with ccsample calibrate", name,
				    number, error);
	}
	if (known + 1 != 1u << PRICE_LEVELS * PRICE_CLASSES || !*calibration->cpu)
		return fail("%s is no whole calibration: make it again with ccsample calibrate",
			    name);
	return 0;
}

static int read_file(const char *path, struct calibration *calibration)
{
	size_t size;
	char *text = read_named(path, TEXT_MOST, &size);
	int status;

	if (!text)
		return fail("cannot read the calibration %s: %s", path, strerror(errno));
	status = calibration_parse(path, text, calibration);
	free(text);
	return status;
}

/*
 * Where this user's is: $XDG_CONFIG_HOME/ccsample/calibration. The specification wants absolute
 * paths, and others ignored (XDG Base Directory 0.8). To be freed; NULL = unknown
 */
static char *calibration_path(void)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config == '/')
		return xasprintf("%s/" FILE_NAME, config);
	return home && *home == '/' ? xasprintf("%s/.config/" FILE_NAME, home) : NULL;
}

int calibration_find(const char *path, const char *cpu, struct calibration *calibration,
		     const struct calibration **found)
{
	char *own = path ? NULL : calibration_path();
	int status = 0;

	*found = NULL;
	if (path || (own && !access(own, R_OK)))
		status = read_file(path ? path : own, calibration);
	else
		cpu = NULL;
	free(own);
	if (!status && cpu && !strcmp(cpu, calibration->cpu))
		*found = calibration;
	else if (!status && path)
		status = fail("%s is of %s, the recording of %s: calibrate there", path,
			      calibration->cpu, cpu ? cpu : "an unknown processor");
	return path ? status : 0;
}

/* The directories above a file of ours. Return: 0, or -1 after one line. */
static int make_directories(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		int error;

		*slash = '\0';
		error = mkdir(path, 0700) && errno != EEXIST ? errno : 0;
		if (error)
			return fail("cannot make the directory %s: %s", path, strerror(error));
		*slash = '/';
	}
	return 0;
}

int calibration_keep(const char *path, const struct calibration *calibration)
{
	char *own = path ? NULL : calibration_path();
	struct output_file file;
	int status = -1;

	if (!path && !own)
		return fail("neither XDG_CONFIG_HOME nor HOME says where to keep it: give -o FILE");
	if ((!own || !make_directories(own)) && !output_file_open(&file, path ? path : own)) {
		put_file(file.stream, calibration);
		status = output_file_finish(&file);
	}
	free(own);
	return status;
}

void calibration_text(FILE *out, const struct calibration *calibration)
{
	static const char *const what[PRICE_CLASSES] = {
		"loads, used within 32 references", "loads, used longer ago",
		"loads that wait for one another", "stores", "load and store of the same",
	};
	const struct price *l1 = calibration->cost[0], *l2 = calibration->cost[1];

	fprintf(out, "What a miss costs more than a hit, in ns: the middle of 6 kernels, least to "
		"most\n\n  %-34s %-22s %s\n", "", "of L1, that hits L2", "of L2, more than that");
	for (int class = 0; class < PRICE_CLASSES; class++) {
		char *first = xasprintf("%.2f (%.2f to %.2f)", l1[class].middle, l1[class].low,
					l1[class].high);

		fprintf(out, "  %-34s %-22s %.1f (%.1f to %.1f)\n", what[class], first,
			l2[class].middle, l2[class].low, l2[class].high);
		free(first);
	}
}
