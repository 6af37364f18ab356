// SPDX-License-Identifier: GPL-2.0-only
/* Tables of options as text: --help, and the listing that scripts read. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "options/options.h"
#include "output/text.h"

#define HELP_AT		28	/* column */

static const struct option_row help_row = { "help", 'h', .help = "show this text" };

/* The text up to the line's end; @text is moved behind it. To be freed; NULL at the end. */
static char *next_line(const char **text)
{
	size_t length;
	char *line;

	if (!*text || !**text)
		return NULL;
	length = strcspn(*text, "\n");
	line = xasprintf("%.*s", (int)length, *text);
	*text += length + ((*text)[length] == '\n');
	return line;
}

/* "-o, --output FILE" */
static char *flags_of(const struct option_row *row)
{
	char letter[] = { '-', row->letter, ',', ' ', 0 };

	return xasprintf("%s--%s%s%s", row->letter ? letter : "    ", row->name,
			 row->argument && row->argument[0] != '[' ? " " : "",
			 row->argument ? row->argument : "");
}

/* --- --help --- */

static void print_row(FILE *out, const struct option_row *row)
{
	char *flags = flags_of(row), *line;
	const char *help = row->help;
	int width = fprintf(out, "  %s", flags);

	if (width > HELP_AT - 1)
		width = fprintf(out, "\n") - 1;
	for (; (line = next_line(&help)); width = 0) {
		fprintf(out, "%*s", HELP_AT - width, "");
		text_paragraph(out, line, HELP_AT);
		free(line);
	}
	free(flags);
}

static void print_groups(FILE *out, const struct option_group *group)
{
	const struct option_row *row;
	bool first = true;

	fputs("\nOptions:\n", out);
	for (; group && group->rows; group++) {
		if (group->heading && first)
			print_row(out, &help_row);
		if (group->heading) {
			fprintf(out, "\n%s:\n", group->heading);
			first = false;
		}
		for (row = group->rows; row->name; row++)
			print_row(out, row);
	}
	if (first)
		print_row(out, &help_row);
}

static void print_paragraphs(FILE *out, const char *text)
{
	char *line;

	if (text)
		putc('\n', out);
	for (; (line = next_line(&text)); free(line)) {
		if (line[0] == ' ' || !line[0])
			fprintf(out, "%s\n", line);
		else
			text_paragraph(out, line, 0);
	}
}

void options_help(FILE *out, const struct command *command)
{
	const char *rest = command->usage, *label = "usage:";
	char *line = xasprintf("ccsample %s: %s", command->name, command->summary);

	text_paragraph(out, line, 0);
	free(line);
	fputc('\n', out);
	for (; (line = next_line(&rest)); label = "      ") {
		fprintf(out, "%s ccsample %s\n", label, line);
		free(line);
	}
	print_paragraphs(out, command->about);
	print_groups(out, command->groups);
	print_paragraphs(out, command->notes);
	if (command->examples)
		fputs("\nExamples:", out);
	print_paragraphs(out, command->examples);
}

/* --- for scripts --- */

static void list_lines(FILE *out, const char *kind, const char *text)
{
	char *line;

	for (; (line = next_line(&text)); free(line))
		fprintf(out, "%s\t%s\n", kind, line);
}

/* option, letter, name, argument, choices, then the lines of its help as "help". */
static void list_row(FILE *out, const struct option_row *row)
{
	char letter[] = { '-', row->letter, 0 };
	const char *const *choice;

	fprintf(out, "option\t%s\t--%s\t%s\t", row->letter ? letter : "", row->name,
		row->argument ? row->argument : "");
	for (choice = row->choices; choice && *choice; choice++)
		fprintf(out, "%s%s", choice == row->choices ? "" : " ", *choice);
	putc('\n', out);
	list_lines(out, "help", row->help);
}

void options_list(FILE *out, const struct command *command)
{
	const struct option_group *group;
	const struct option_row *row;

	list_lines(out, "summary", command->summary);
	list_lines(out, "usage", command->usage);
	list_lines(out, "verbs", command->verbs);
	list_lines(out, "about", command->about);
	list_row(out, &help_row);
	for (group = command->groups; group && group->rows; group++) {
		list_lines(out, "heading", group->heading);
		for (row = group->rows; row->name; row++)
			list_row(out, row);
	}
	list_lines(out, "notes", command->notes);
	list_lines(out, "examples", command->examples);
}
