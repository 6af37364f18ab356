// SPDX-License-Identifier: GPL-2.0-only
/* ccsample history: what `check --record-to` kept. */
#include <inttypes.h>

#include "base/fail.h"
#include "base/output-file.h"
#include "cmd/commands.h"
#include "format/pass.h"
#include "history/views.h"
#include "page/history.h"

#define TOP_TEXT	3
#define TOP_PICTURE	5
#define TOP_MOST	28

struct arguments {
	const char *directory, *program;
	struct show_options show;
	const char *html;		/* a page */
	struct history_view view;
};

static int check(void *options, char **operands)
{
	struct arguments *arguments = options;

	if (!operands[0] || operands[1])
		return fail("history takes the directory of check --record-to: see ccsample "
			    "history --help");
	arguments->directory = operands[0];
	if (arguments->show.json + !!arguments->view.picture.out + !!arguments->html > 1)
		return fail("--json, --output and --html exclude each other");
	arguments->view.top = show_top(&arguments->show,
				       arguments->view.picture.out || arguments->html ?
				       TOP_PICTURE : TOP_TEXT);
	if (arguments->view.picture.out && arguments->view.top > TOP_MOST)
		return fail("a picture has at most %d functions", TOP_MOST);
	return picture_check(arguments->view.picture.out);
}

static int write_page(const char *path, const struct history *history,
		      const struct history_view *view)
{
	struct output_file file;

	if (output_file_open(&file, path) < 0)
		return -1;
	page_history(file.stream, history, view);
	return output_file_finish(&file);
}

static int run(void *options)
{
	struct arguments *arguments = options;
	struct history history;
	int status = 0;

	arguments->view.colour = wants_colour();
	if (history_read(arguments->directory, arguments->program, &history) < 0)
		status = -1;
	else if (arguments->view.level && !history_has_level(&history, arguments->view.level))
		status = fail("%s/history.db has no figures of L%" PRIu32 " for this program",
			      arguments->directory, arguments->view.level);
	else if (arguments->view.picture.out)
		status = history_plot(&history, &arguments->view);
	else if (arguments->html)
		status = write_page(arguments->html, &history, &arguments->view);
	else if (arguments->show.json)
		history_json(stdout, &history);
	else
		history_text(stdout, &history, &arguments->view);
	history_drop(&history);
	return status < 0 || output_done() < 0 ? 1 : 0;
}

static int reserve(void *options)
{
	const struct arguments *arguments = options;

	return arguments->html ? reserve_result(arguments->html) :
	       arguments->view.picture.out ? picture_reserve(&arguments->view.picture) : 0;
}

static const struct option_row rows[] = {
	{ "program", 'p', "PATTERN", "the runs of which command line [that of the last run]",
	  option_text, .target = offsetof(struct arguments, program) },
	{ "level", 0, "N", "cache level [the first one of the last run]", option_number32,
	  .target = offsetof(struct arguments, view.level), 1, FINDINGS_LEVELS },
	{ "conflicts", 0, NULL, "conflict misses in place of all misses", option_flag,
	  .target = offsetof(struct arguments, view.conflicts) },
	{ "output", 'o', "FILE", "draw a picture: .svg, .png or .pdf", option_text,
	  .target = offsetof(struct arguments, view.picture.out) },
	{ "title", 't', "TEXT", "the picture's title, '' for none", option_text,
	  .target = offsetof(struct arguments, view.picture.title) },
	{ "keep", 0, NULL, "keep gnuplot's data and script next to the picture", option_flag,
	  .target = offsetof(struct arguments, view.picture.keep) },
	{ "html", 0, "FILE", "write a page to look at in a browser", option_text,
	  .target = offsetof(struct arguments, html) },
	{ "top", 'n', "N", "at most N functions, 0 = all [3 in text, 5 in pictures]", option_top,
	  .target = offsetof(struct arguments, show) },
	OPTION_JSON(struct arguments, show.json),
	OPTION_MEMORY,
	{ }
};

const struct command command_history = {
	.name = "history",
	.summary = "list or draw the misses of a program by commit, as check --record-to kept them",
	.usage = "history [options] DIRECTORY",
	.about = "Shows the misses of all code and of the functions with most of them, a row or a "
		 "point for each check that was kept.",
	.notes = "Needs SQLite's library (libsqlite3-0), and gnuplot for pictures.",
	.examples = "  ccsample check -b base.ccs --record-to history -- ./bench\n"
		    "  ccsample history history\n"
		    "  ccsample history --conflicts -o history.svg history\n"
		    "  ccsample history --html history.html history",
	.groups = (const struct option_group[]){ { .rows = rows }, { } },
	.size = sizeof(struct arguments),
	.check = check,
	.reads_programs = true,	/* a database from elsewhere may be made to harm its reader */
	.reserve = reserve,
	.run = run,
};
