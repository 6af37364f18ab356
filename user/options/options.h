/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of a command as tables, from which parsing, --help, the manual pages and the
 * completion of shells come.
 */
#ifndef CCSAMPLE_OPTIONS_OPTIONS_H
#define CCSAMPLE_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/number.h"

struct option_row {
	const char *name;		/* without dashes; NULL ends a table */
	char letter;			/* 0 = none */
	const char *argument;		/* the value's name; NULL = none, "[=N]" = optional */
	const char *help;		/* wrapped when printed, and broken at line ends */
	/* Takes the value, NULL where there is none. Return: 0, or -1 after one line. */
	int (*parse)(const struct option_row *row, const char *value, void *target);
	size_t target;			/* offset in the struct of the group */
	uint64_t low, high;		/* of numbers */
	const char *const *choices;	/* values, ended by NULL; completed by shells */
};

/* Rows that fill one struct. Several commands may share them. */
struct option_group {
	const char *heading;		/* NULL = goes on with the group before */
	const struct option_row *rows;	/* NULL ends the groups */
	size_t at;			/* offset of that struct in the command's */
};

struct command {
	const char *name;
	const char *summary;		/* one line, without a full stop */
	const char *usage;		/* what follows "ccsample", a line each */
	/* Paragraphs, a line each; lines that begin with two blanks are printed as they are. */
	const char *about, *notes, *examples;
	const struct option_group *groups;
	const char *verbs;		/* words that may come first, blanks between; NULL = none */
	bool runs_program;		/* operands are a program and its arguments */
	bool reads_programs;		/* run in a child: program/guard.h */
	/* If so: opens what is written (base/reserved.h), or NULL */
	int (*reserve)(void *options);
	/* If so: goes on outside of the child that ended well, or NULL. Return: as run() */
	int (*then)(void *options);
	size_t size;			/* of the struct that the options fill */
	const void *defaults;		/* of that struct; NULL = zeros */
	/*
	 * What options and operands, ended by NULL, mean together. Return: 0; 1 if there is
	 * nothing else to do; -1 after one line. NULL = the command takes no operands.
	 */
	int (*check)(void *options, char **operands);
	/* Return: the exit status: 0 done, 1 or below 0 failed, 2 wrong usage. */
	int (*run)(void *options);
	void (*drop)(void *options);	/* what check() allocated; NULL = nothing */
};

/**
 * command_run() - read a command line, check it and run the command.
 * @argv: begins with the command's name; operands are moved to the end
 *
 * Return: the exit status: 0 done or help was printed, 1 failed, 2 wrong usage, or a program's.
 */
int command_run(const struct command *command, int argc, char **argv);

/* Prints the text of --help. */
void options_help(FILE *out, const struct command *command);

/* The same for scripts: lines of a kind and its fields, separated by tabs. */
void options_list(FILE *out, const struct command *command);

/*
 * Parsers. The target is a const char *, which of option_word() is one of row->choices, a bool, a
 * uint64_t, a uint32_t, a double, an enum whose values are places in row->choices, for
 * option_seconds() a double, and for option_level() a uint32_t: 1, 2, 3, or 0 for "all".
 */
int option_text(const struct option_row *row, const char *value, void *target);
int option_flag(const struct option_row *row, const char *value, void *target);
int option_number(const struct option_row *row, const char *value, void *target);
int option_number32(const struct option_row *row, const char *value, void *target);
int option_positive(const struct option_row *row, const char *value, void *target);
int option_seconds(const struct option_row *row, const char *value, void *target);
int option_word(const struct option_row *row, const char *value, void *target);
int option_choice(const struct option_row *row, const char *value, void *target);
int option_memory(const struct option_row *row, const char *value, void *target);
int option_level(const struct option_row *row, const char *value, void *target);

/* What option_memory() took: bytes, 0 = no limit. */
uint64_t options_memory(void);

extern const char *const option_levels[];	/* choices of option_level() */

/* How a result is shown: rows that several commands share. */
struct show_options {
	uint32_t top;			/* rows; 0 = all */
	bool top_given;
	bool json;
};

int option_top(const struct option_row *row, const char *value, void *show);

#define OPTION_TOP(type, show, text_default)						\
	{ "top", 'n', "N", "at most N rows of each table, 0 = all ["			\
	  text_default " in text, all otherwise]", option_top, .target = offsetof(type, show) }
#define OPTION_THRESHOLD(type, member)							\
	{ "threshold", 0, "T", "the longest re-conflict distance that cf counts [the cache's "	\
	  "ways]", option_number32, .target = offsetof(type, member), 1, RCD_THRESHOLD_MOST }
#define OPTION_JSON(type, member)							\
	{ "json", 0, NULL, "print JSON, for scripts", option_flag, \
	  .target = offsetof(type, member) }

/* Of commands that read programs (struct command). */
#define MEMORY_LEAST	64u		/* MiB: with less nothing can be said */
#define MEMORY_MOST	(1u << 30)
#define OPTION_MEMORY									\
	{ "memory-limit", 0, "MIB", "end with one line rather than take more memory [none]", \
	  option_memory }

/* --json by itself; fills a struct show_options. */
extern const struct option_group json_groups[];

/* Rows of a table; all in JSON unless they were limited. */
uint32_t show_top(const struct show_options *show, uint32_t text_default);

/* Whether text is coloured: on a terminal, unless the environment says otherwise. */
bool wants_colour(void);

/* Checks that standard output took everything. Return: 0, or -1 after one line. */
int output_done(void);

#endif /* CCSAMPLE_OPTIONS_OPTIONS_H */
