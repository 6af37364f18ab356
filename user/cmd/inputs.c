// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/inputs.h"

int inputs_option(const struct option_row *row, const char *value, void *inputs)
{
	inputs_add(inputs, value);
	return 0;
}

void inputs_operands(struct inputs *inputs, char **operands, const char *usual)
{
	for (; *operands; operands++)
		inputs_add(inputs, *operands);
	if (!inputs->count)
		inputs_add(inputs, usual);
}
