// SPDX-License-Identifier: GPL-2.0-only
/* Pictures, of findings made up here: of each kind, with nothing else left, and refusals. */
#include <dirent.h>
#include <unistd.h>

#include "tap.h"
#include "hostile-findings.h"
#include "plot/plots.h"

static char directory[] = "/tmp/ccsample-view-XXXXXX";

static size_t files_left(void)
{
	DIR *open = opendir(directory);
	struct dirent *entry;
	size_t count = 0;

	while ((entry = readdir(open)))
		count += entry->d_name[0] != '.';
	closedir(open);
	return count;
}

static bool begins_with(const char *path, const char *magic)
{
	char bytes[16] = "";
	FILE *file = fopen(path, "r");
	bool same;

	if (!file)
		return false;
	same = fread(bytes, 1, strlen(magic), file) == strlen(magic) && !strcmp(bytes, magic);
	fseek(file, 0, SEEK_END);
	same = same && ftell(file) > 1000;
	fclose(file);
	return same;
}

static bool file_holds(const char *path, const char *piece)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t capacity = 0;
	bool found = false;

	while (file && !found && getline(&line, &capacity, file) > 0)
		found = strstr(line, piece) != NULL;
	free(line);
	if (file)
		fclose(file);
	return found;
}

static const struct picture_case {
	const char *name, *magic;
} picture_cases[] = {
	{ "a.svg", "<?xml" }, { "a.png", "\x89PNG" }, { "a.pdf", "%PDF-" },
	{ "it's `id` \"x\" $y %s.SVG", "<?xml" }, { "| true.svg", "<?xml" },
};

static void test_picture(const struct findings *const *findings, size_t count, bool sets,
			 const struct picture_case *picture)
{
	char *out = xasprintf("%s/%s", directory, picture->name);
	struct plot_options options = { .picture.out = out, .top = 5 };
	int status = sets ? plot_sets(findings[0], &options) : plot_cdf(findings, count, &options);

	ok(!status && begins_with(out, picture->magic) && files_left() == 1,
	   "%s of %zu input(s) draws %s and leaves nothing else", sets ? "set map" : "CDF", count,
	   picture->name);
	unlink(out);
	free(out);
}

static void test_pictures(void)
{
	struct findings *before = fixture_findings(), *after = fixture_padded();
	const struct findings *both[] = { before, after };

	after->path = "it's padded.data";
	for (size_t i = 0; i < sizeof(picture_cases) / sizeof(*picture_cases); i++) {
		test_picture(both, 1, false, &picture_cases[i]);
		test_picture(both, 2, false, &picture_cases[i]);
		test_picture(both, 1, true, &picture_cases[i]);
	}
	fixture_free(before);
	fixture_free(after);
}

static void test_labels(void)
{
	struct findings *before = fixture_findings(), *after = fixture_padded();
	const struct findings *both[] = { before, after };
	char *out = xasprintf("%s/kept.svg", directory), *script = xasprintf("%s.gp", out);
	char *data = xasprintf("%s.dat", out);
	struct plot_options options = { .picture.out = out, .top = 3, .picture.keep = true,
					.picture.title = "a_b^c 'd'" };

	ok(!plot_cdf(both, 2, &options) && files_left() == 3, "--keep leaves data and script");
	ok(file_holds(out, "tiled.c:57 copy_tile: conflict, 61.2%") && file_holds(out, "a_b^c 'd'"),
	   "labels and title stand as they are, underscores and all");
	ok(file_holds(script, "#D55E00' dt solid title \"tiled.c:57 copy_tile: conflict") &&
	   file_holds(script, "#D55E00' dt (9,3) title \"tiled.c:57 copy_tile: none"),
	   "the same code has one colour in both inputs, and a line style for each");
	ok(file_holds(data, "1 0.411775"), "the data file holds the distribution");
	options.loop = 3;
	ok(!plot_cdf(both, 2, &options) && file_holds(out, "update_cells: none, 59.4%") &&
	   !file_holds(out, "copy_tile"), "--loop shows one piece of code of both inputs");
	unlink(out);
	unlink(script);
	unlink(data);
	free(out);
	free(script);
	free(data);
	fixture_free(before);
	fixture_free(after);
}

static void test_hostile_pictures(void)
{
	char *out = xasprintf("%s/h.svg", directory);
	size_t drawn = 0;

	for (size_t i = 0; i < 4; i++) {
		struct hostile *hostile = hostile_new(i ? 30 : 3000);
		const struct findings *findings = hostile->findings;
		struct plot_options options = { .picture.out = out, .top = 28,
						.picture.title = findings->cpu };

		hostile->findings->map.sets = 64;
		drawn += !plot_cdf(&findings, 1, &options);
		drawn += !plot_sets(findings, &options);
		hostile_free(hostile);
	}
	ok(drawn == 8, "hostile names are drawn (%zu of 8)", drawn);
	ok(files_left() == 1, "and do no harm");
	unlink(out);
	free(out);
}

static void test_large_map(void)
{
	struct findings *findings = fixture_findings();
	char *out = xasprintf("%s/large.svg", directory);
	struct plot_options options = { .picture.out = out };
	struct set_map *map = &findings->map;

	map->sets = 20001;
	map->rows = 256;
	map->counts = xrealloc(map->counts, (size_t)map->sets * map->rows * sizeof(*map->counts));
	for (size_t i = 0; i < (size_t)map->sets * map->rows; i++)
		map->counts[i] = i % 977 == 0;
	map->samples = xrealloc(map->samples, map->sets * sizeof(*map->samples));
	map->near = xrealloc(map->near, map->sets * sizeof(*map->near));
	for (size_t i = 0; i < map->sets; i++)
		map->samples[i] = map->near[i] = 1;
	map->slot = 1ull << 56;
	ok(!plot_sets(findings, &options) && begins_with(out, "<?xml"),
	   "a cache of 20001 sets has a set map, however long the time");
	unlink(out);
	free(out);
	fixture_free(findings);
}

/* These say why on standard error, as they should. */
static void test_refusals(void)
{
	struct findings *findings = fixture_findings(), *empty = fixture_empty();
	const struct findings *full_input = findings, *empty_input = empty;
	char *out = xasprintf("%s/none.svg", directory), *path = xstrdup(getenv("PATH"));
	struct plot_options options = { .picture.out = out, .top = 5 };

	ok(plot_cdf(&empty_input, 1, &options) == -1 && plot_sets(empty, &options) == -1 &&
	   !files_left(), "without samples there is an error and no picture");
	options.loop = 999;
	ok(plot_cdf(&full_input, 1, &options) == -1 && plot_sets(findings, &options) == -1 &&
	   !files_left(), "an unknown --loop is an error");
	options.loop = 0;
	setenv("PATH", "/nonexistent", 1);
	ok(plot_cdf(&full_input, 1, &options) == -1 && files_left() == 2,
	   "without gnuplot there is an error, and data and script remain");
	setenv("PATH", path, 1);
	out = strcat(strcpy(xrealloc(out, strlen(directory) + 32), directory), "/none.svg.dat");
	unlink(out);
	unlink(strcat(strcpy(out, directory), "/none.svg.gp"));
	ok(picture_check("a.gif") && picture_check("svg") && picture_check(".svg") &&
	   picture_check("a\nb.svg") && picture_check("dir/.png") && !picture_check("x.PnG"),
	   "other extensions are refused");
	free(out);
	free(path);
	fixture_free(findings);
	fixture_free(empty);
}

int main(int argc, char **argv)
{
	fixture_begin(argc, argv);
	if (!mkdtemp(directory))
		return 1;
	test_refusals();
	if (system("command -v gnuplot >/dev/null 2>&1")) {
		skip("gnuplot is not installed", "pictures");
	} else {
		test_pictures();
		test_labels();
		test_hostile_pictures();
		test_large_map();
	}
	rmdir(directory);
	return done();
}
