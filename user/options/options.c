// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/reserved.h"
#include "options/options.h"
#include "program/guard.h"

#define ROWS_MOST	48
#define FIRST_VALUE	256	/* of getopt_long(): no letter */

/* All rows of a command, as getopt_long() takes them. */
struct lookup {
	const struct option_row *rows[ROWS_MOST];
	char *structs[ROWS_MOST];	/* what each row fills */
	struct option options[ROWS_MOST + 2];
	char letters[2 * ROWS_MOST + 4];
	int count;
};

static int argument_kind(const struct option_row *row)
{
	if (!row->argument)
		return no_argument;
	return row->argument[0] == '[' ? optional_argument : required_argument;
}

static void add_row(struct lookup *lookup, const struct option_row *row, void *fills)
{
	char letter[] = { row->letter, row->argument ? ':' : 0, 0 };

	lookup->rows[lookup->count] = row;
	lookup->structs[lookup->count] = fills;
	lookup->options[lookup->count] = (struct option){
		row->name, argument_kind(row), NULL, FIRST_VALUE + lookup->count,
	};
	if (row->letter)
		strcat(lookup->letters, letter);
	lookup->count++;
}

static void look_up(struct lookup *lookup, const struct command *command, char *options)
{
	const struct option_group *group;
	const struct option_row *row;

	memset(lookup, 0, sizeof(*lookup));
	strcpy(lookup->letters, command->runs_program ? "+:h" : ":h");
	for (group = command->groups; group && group->rows; group++)
		for (row = group->rows; row->name && lookup->count < ROWS_MOST; row++)
			add_row(lookup, row, options + group->at);
	lookup->options[lookup->count] = (struct option){ "help", no_argument, NULL, 'h' };
}

static int take(const struct lookup *lookup, int option)
{
	const struct option_row *row;
	int i = option - FIRST_VALUE;

	if (i < 0)
		for (i = 0; lookup->rows[i]->letter != option; i++)
			;
	row = lookup->rows[i];
	return row->parse(row, optarg, lookup->structs[i] + row->target);
}

/* Return: where the operands begin; 0 after help was printed; -1 after one line. */
static int read_options(const struct command *command, int argc, char **argv, void *options)
{
	struct lookup lookup;
	int option;

	look_up(&lookup, command, options);
	optind = 0;
	opterr = 0;
	while ((option = getopt_long(argc, argv, lookup.letters, lookup.options, NULL)) != -1) {
		const char *word = argv[optind - 1];

		if (option == ':')
			return fail("%s needs a value: see ccsample %s --help", word,
				    command->name);
		if (option == '?')
			return fail("%s does not know %s: see ccsample %s --help", command->name,
				    word, command->name);
		if (option == 'h') {
			options_help(stdout, command);
			return output_done();
		}
		if (take(&lookup, option) < 0)
			return -1;
	}
	return optind;
}

static int check(const struct command *command, void *options, char **operands)
{
	if (command->check)
		return command->check(options, operands);
	return *operands ? fail("%s does not know %s: see ccsample %s --help", command->name,
				*operands, command->name) : 0;
}

static uint64_t memory_limit;	/* bytes, 0 = none */

int option_memory(const struct option_row *row, const char *value, void *target)
{
	uint64_t mib;

	if (!read_number(value, &mib) || mib < MEMORY_LEAST || mib > MEMORY_MOST)
		return fail("--memory-limit takes a number of MiB from %u on, not '%s'",
			    MEMORY_LEAST, value);
	memory_limit = mib << 20;
	return 0;
}

uint64_t options_memory(void)
{
	return memory_limit;
}

static int run_guarded(const struct command *command, void *options)
{
	int result = command->reserve ? command->reserve(options) : 0;

	if (!result)
		result = guard_run(command->run, options, memory_limit);
	if (reserved_settle() < 0)
		return -1;
	return !result && command->then ? command->then(options) : result;
}

int command_run(const struct command *command, int argc, char **argv)
{
	void *options = xcalloc(1, command->size);
	int first, result;

	if (command->defaults)
		memcpy(options, command->defaults, command->size);
	first = read_options(command, argc, argv, options);
	result = first > 0 ? check(command, options, argv + first) : first < 0 ? -1 : 1;
	if (result)
		result = result < 0 ? 2 : 0;
	else if (command->reads_programs)
		result = run_guarded(command, options);
	else
		result = command->run(options);
	if (command->drop)
		command->drop(options);
	free(options);
	guard_end();
	return result < 0 ? 1 : result;
}

uint32_t show_top(const struct show_options *show, uint32_t text_default)
{
	return show->top_given || show->json ? show->top : text_default;
}

bool wants_colour(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
	       term && strcmp(term, "dumb");
}

int output_done(void)
{
	if (fflush(stdout) || ferror(stdout))
		return fail("cannot write the result: %s", strerror(errno));
	return 0;
}

static const struct option_row json_rows[] = {
	OPTION_JSON(struct show_options, json),
	{ }
};

const struct option_group json_groups[] = { { .rows = json_rows }, { } };
