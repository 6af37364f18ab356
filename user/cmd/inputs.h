/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings as commands take them: by -i and as operands. */
#ifndef CCSAMPLE_CMD_INPUTS_H
#define CCSAMPLE_CMD_INPUTS_H

#include "format/inputs.h"
#include "options/options.h"

#define INPUTS_HELP "the recording, - for standard input; several, or a quoted pattern "	\
		    "('run.*.ccs'), are the ranks of one run and are added up [ccsample.data]"

/* Parser of -i; the target is a struct inputs. */
int inputs_option(const struct option_row *row, const char *value, void *inputs);

/* Adds operands, ended by NULL, and @usual where there is no input at all. */
void inputs_operands(struct inputs *inputs, char **operands, const char *usual);

#endif /* CCSAMPLE_CMD_INPUTS_H */
