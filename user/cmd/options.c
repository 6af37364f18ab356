// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "base/fail.h"
#include "cmd/options.h"

int options_read(const struct option_plan *plan, int argc, char **argv, void *arguments)
{
	int option;

	optind = 0;
	opterr = 0;
	while ((option = getopt_long(argc, argv, plan->letters, plan->options, NULL)) != -1) {
		const char *word = argv[optind - 1];

		if (option == ':')
			return fail("%s needs a value: see ccsample %s --help", word,
				    plan->command);
		if (option == '?')
			return fail("%s does not know %s: see ccsample %s --help", plan->command,
				    word, plan->command);
		if (option == 'h') {
			fputs(plan->help, stdout);
			return 0;
		}
		if (plan->take(arguments, option) < 0)
			return -1;
	}
	return optind;
}
