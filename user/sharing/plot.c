// SPDX-License-Identifier: GPL-2.0-only
/* Miss ratios by ways: what a profile is, and what sharing makes of it. */
#include <stdlib.h>

#include "sharing/views.h"
#include "output/text.h"

#define WIDTH	560
#define HEIGHT	380


/* One block a program: ways, miss ratio solo, co-run. */
static void write_data(FILE *data, const struct sharing *sharing)
{
	for (size_t i = 0; i < sharing->count; i++) {
		const struct shared_program *program = &sharing->programs[i];
		double alone = 1, together = 1;

		for (uint32_t ways = 0; ways <= sharing->cache.ways; ways++) {
			fprintf(data, "%u %.9g %.9g\n", ways, alone, together);
			alone -= ways < sharing->cache.ways ? program->alone[ways] : 0;
			together -= ways < sharing->cache.ways ? program->together[ways] : 0;
		}
		fputs("\n\n", data);
	}
}

static void write_curves(struct picture *picture, const struct sharing *sharing)
{
	FILE *script = picture->script;

	fputs("plot ", script);
	for (size_t i = 0; i < sharing->count; i++) {
		const char *colour = picture_colour(i);
		char *name = text_fit(sharing->programs[i].name, 40, TEXT_FIT_START);

		fputs(i ? ", \\\n  data" : "data", script);
		fprintf(script, " index %zu using 1:2 with linespoints pt 7 ps 0.5 lw 1.6 lc rgb "
				"'%s' title ",
			i, colour);
		picture_quote(script, name);
		fprintf(script, ", data index %zu using 1:3 with lines dt (6,4) lw 1.6 lc rgb '%s' "
				"notitle", i, colour);
		free(name);
	}
	fputc('\n', script);
}

int sharing_plot(const struct sharing *sharing, const struct picture_options *options)
{
	struct picture picture;

	if (picture_begin(&picture, options, WIDTH, HEIGHT))
		return -1;
	write_data(picture.data, sharing);
	fprintf(picture.script, "set title ");
	picture_quote(picture.script, options->title ? options->title :
		      "Miss ratio by ways: solo (solid) and co-run (dashed)");
	fprintf(picture.script, "\nset xlabel 'ways'\nset ylabel 'miss ratio'\nset yrange [0:1]\n"
		"set xrange [0:%u]\nset grid lc rgb '#dddddd'\nset key top right\n",
		sharing->cache.ways);
	write_curves(&picture, sharing);
	return picture_end(&picture);
}
